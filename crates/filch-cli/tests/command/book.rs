//! The commands on the pages of the book, run as a reader would run them.

use crate::helpers::Directory;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// The lines of a page's blocks of `sh` that run the command. Those for cargo build it, or are for a checkout.
fn commands(page: &str) -> Vec<&str> {
    let mut commands = Vec::new();
    let mut is_shown = false;
    for line in page.lines() {
        if line.starts_with("```") {
            is_shown = line == "```sh";
        } else if is_shown && !line.starts_with("cargo ") {
            commands.push(line);
        }
    }
    commands
}

#[test]
fn the_commands_of_each_page_for_users_end_well_one_after_the_other() {
    let built = Path::new(env!("CARGO_BIN_EXE_filch")).parent().unwrap();
    let others = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([built.to_owned()].into_iter().chain(env::split_paths(&others))).unwrap();
    for page in ["start", "recipes", "tuning", "questions"] {
        let text = fs::read_to_string(format!("{}/../../docs/{page}.md", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let (folder, commands) = (Directory::new(page), commands(&text));
        assert!(commands.iter().any(|command| command.contains("filch ")), "{page}: expected a command");
        for command in commands {
            let mut shell = Command::new("sh");
            let done = shell.args(["-c", command]).env("PATH", &path).current_dir(&folder.0).output().unwrap();
            assert_eq!(done.status.code(), Some(0), "{page}: {command}: {done:?}");
        }
    }
}
