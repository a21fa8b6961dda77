//! Programs by name, and their sizes.

use std::path::Path;

use clap::{Args, ValueEnum};
use filch_bench::failure::Failure;
use filch_kernels::{Extent, Input, InputError, Program};
use filch_programs::{all, find};

use crate::memory;

/// The named sizes of programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Size {
    /// To measure the cost of small runs
    Small,
    /// The size of published figures
    Default,
    /// As in the paper that the program comes from
    Paper,
}

/// The program with this name. The error message lists all programs.
pub fn find_program(name: &str) -> Result<&'static Program, Failure> {
    find(name).ok_or_else(|| {
        let longest = all().iter().map(|program| program.name.len()).max().unwrap_or(0);
        let line = |program: &Program| format!("\n  {:<longest$}  {}", program.name, program.about);
        let list: String = all().iter().map(line).collect();
        Failure::Usage(format!("there is no program `{name}`; expected one of{list}"))
    })
}

/// The programs with these names. Without names, all programs.
pub fn find_programs(names: &[String]) -> Result<Vec<&'static Program>, Failure> {
    if names.is_empty() {
        return Ok(all().iter().collect());
    }
    names.iter().map(|name| find_program(name)).collect()
}

/// What a file has for a program, as the option `--input` of its command names it. All that can be wrong with it is
/// found here, also what takes as long as the program to find.
pub fn read_input(program: &Program, path: &Path) -> Result<Input, Failure> {
    let name = program.name;
    let usage = |error: InputError| Failure::Usage(error.to_string());
    let read = program.input.ok_or_else(|| Failure::Usage(format!("--input: {name} reads no files")))?;
    let input = read(path).map_err(usage)?;
    program.check(input.n).map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?;
    memory::check_bytes(&format!("{name} with {}", input.with), input.bytes)?;
    (input.build)().map_err(usage)?;
    Ok(input)
}

/// The arguments that choose a size.
#[derive(Args, Debug)]
pub struct SizeArgs {
    /// A named size of the programs
    #[arg(long, value_enum, default_value_t = Size::Default)]
    size: Size,

    /// Another size; ROWSxCOLUMNS for programs that have a shape
    #[arg(long, value_name = "N", conflicts_with = "size")]
    n: Option<Extent>,
}

impl SizeArgs {
    /// The size of a program, and its name. Fails if the program does not have it.
    pub fn of(&self, program: &Program) -> Result<(&'static str, Extent), Failure> {
        let sizes = program.sizes;
        let (size, n) = match (self.n, self.size) {
            (Some(n), _) => ("custom", n),
            (None, Size::Small) => ("small", sizes.small.into()),
            (None, Size::Default) => ("default", sizes.default.into()),
            (None, Size::Paper) => ("paper", sizes.paper.into()),
        };
        program.check(n).map_err(Failure::usage)?;
        Ok((size, n))
    }
}
