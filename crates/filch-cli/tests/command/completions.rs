//! `filch completions`.

use crate::helpers::{output, stdout};

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
