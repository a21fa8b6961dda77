//! `filch completions`: prints a script with which a shell completes the command line.

use std::io::Write;

use clap::builder::PossibleValuesParser;
use clap::{Args, Command};
use clap_complete::Shell;
use filch_bench::failure::Failure;

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch completions bash > ~/.local/share/bash-completion/completions/filch
  filch completions zsh > _filch                in a folder of $fpath
  filch completions fish > ~/.config/fish/completions/filch.fish
  filch completions powershell | Out-String | Invoke-Expression";

/// The arguments of `filch completions`.
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Runs `filch completions`. `whole` is the command line of `filch`.
pub fn run(args: &CompletionsArgs, whole: &Command, out: &mut dyn Write) -> Result<(), Failure> {
    let mut script = Vec::new();
    // Into memory first, because the generator panics if it cannot write.
    clap_complete::generate(args.shell, &mut shown(whole), "filch", &mut script);
    out.write_all(&script)?;
    Ok(())
}

/// The command line as users see it: without hidden commands, which the generators would offer, and with the names of
/// the programs.
fn shown(whole: &Command) -> Command {
    let names = || PossibleValuesParser::new(filch_programs::all().iter().map(|program| program.name));
    Command::new("filch")
        .version(env!("CARGO_PKG_VERSION"))
        .args(whole.get_arguments().cloned())
        .subcommands(whole.get_subcommands().filter(|command| !command.is_hide_set()).cloned())
        .mut_subcommand("bench", |bench| bench.mut_arg("programs", |programs| programs.value_parser(names())))
        .mut_subcommand("paper", |paper| {
            paper.mut_subcommand("sweep", |sweep| {
                sweep
                    .mut_subcommand("heartbeat", |it| it.mut_arg("program", |program| program.value_parser(names())))
                    .mut_subcommand("tasks", |it| it.mut_arg("programs", |programs| programs.value_parser(names())))
            })
        })
}
