//! `filch completions` and `filch man`.

use std::fs;

use crate::helpers::{Directory, done, output, refused, stdout};

fn script(shell: &str) -> String {
    let output = output(&["completions", shell]);
    assert_eq!(output.status.code(), Some(0), "{shell}: {output:?}");
    stdout(&output)
}

#[test]
fn every_shell_is_offered_commands_and_options_but_nothing_hidden() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = script(shell);
        for word in ["bench", "completions", "scheduler", "forest", "labels", "from", "against"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
        for hidden in ["callgrind", "keep-busy", "keep__busy"] {
            assert!(!script.contains(hidden), "{shell}: {hidden}");
        }
    }
}

/// The generators for other shells have nothing for positional arguments.
#[test]
fn bash_and_zsh_are_offered_programs() {
    for script in [script("bash"), script("zsh")] {
        for program in filch_programs::all() {
            assert!(script.contains(program.name), "{}: {script}", program.name);
        }
    }
}

#[test]
fn each_command_has_a_page_for_man_with_its_examples() {
    let directory = Directory::new("man");
    let folder = directory.0.join("share").join("man1");
    done(&["man", folder.to_str().unwrap()]);
    for name in ["filch", "filch-bfs", "filch-graph-convert", "filch-paper-sweep-cab", "filch-man"] {
        let page = fs::read_to_string(folder.join(format!("{name}.1"))).unwrap();
        assert!(page.contains("\n.SH NAME\n") && page.contains("Examples:"), "{name}: {page}");
    }
    assert!(!folder.join("filch-keep-busy.1").exists());
    let file = folder.join("filch.1");
    for refused_folder in [file.clone(), file.join("pages")] {
        let folder = refused_folder.to_str().unwrap();
        refused(&["man", folder], &[folder, "expected a folder that can be written to"]);
    }
}
