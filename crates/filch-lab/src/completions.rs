//! `filch completions`: prints a script with which a shell completes the command line.

use std::io::Write;

use clap::builder::PossibleValuesParser;
use clap::{Command, CommandFactory};

use crate::cli::{Cli, CompletionsArgs};
use crate::failure::Failure;

/// Runs `filch completions`.
pub fn run(args: &CompletionsArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let mut script = Vec::new();
    // Into memory first, because the generator panics if it cannot write.
    clap_complete::generate(args.shell, &mut command(), "filch", &mut script);
    out.write_all(&script)?;
    Ok(())
}

/// The command line as users see it: without hidden commands, which the generators would offer, and with the names of
/// the programs.
fn command() -> Command {
    let whole = Cli::command();
    let names = || PossibleValuesParser::new(filch_programs::all().iter().map(|program| program.name));
    Command::new("filch")
        .version(env!("CARGO_PKG_VERSION"))
        .args(whole.get_arguments().cloned())
        .subcommands(whole.get_subcommands().filter(|command| !command.is_hide_set()).cloned())
        .mut_subcommand("bench", |bench| bench.mut_arg("programs", |programs| programs.value_parser(names())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;
    use clap_complete::Shell;

    fn script(shell: Shell) -> String {
        let mut script = Vec::new();
        run(&CompletionsArgs { shell }, &mut script).unwrap();
        String::from_utf8(script).unwrap()
    }

    #[test]
    fn every_shell_is_offered_commands_and_options_but_nothing_hidden() {
        for &shell in Shell::value_variants() {
            let script = script(shell);
            for word in ["bench", "completions", "html", "scheduler", "forest", "labels", "from"] {
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
        for shell in [Shell::Bash, Shell::Zsh] {
            for program in filch_programs::all() {
                assert!(script(shell).contains(program.name), "{shell}: {}", program.name);
            }
        }
    }
}
