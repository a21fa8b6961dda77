//! Programs by name, as users type them.

use filch_programs::{Program, all, find};

use crate::failure::Failure;

/// The program of that name, or a message that lists all.
pub fn find_program(name: &str) -> Result<&'static Program, Failure> {
    find(name).ok_or_else(|| {
        let list: String = all().iter().map(|program| format!("\n  {:<16}{}", program.name, program.about)).collect();
        Failure::Usage(format!("there is no program `{name}`; the programs are{list}"))
    })
}
