//! Programs by name.

use filch_programs::{Program, all, find};

use crate::failure::Failure;

/// The program with this name. The error message lists all programs.
pub fn find_program(name: &str) -> Result<&'static Program, Failure> {
    find(name).ok_or_else(|| {
        let list: String = all().iter().map(|program| format!("\n  {:<16}{}", program.name, program.about)).collect();
        Failure::Usage(format!("there is no program `{name}`; the programs are{list}"))
    })
}
