//! What steps cost: given on the command line, or measured by `filch machine`.

use std::fs;
use std::path::Path;
use std::str::FromStr;

use filch_sim::Costs;
use filch_sim::program::work::parse_time;
use serde::Deserialize;

use crate::failure::Failure;

/// A cost that is given: `take=20us`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cost {
    /// The name of the step.
    pub name: String,
    /// What it costs, in nanoseconds.
    pub ns: u64,
}

impl FromStr for Cost {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, time) = text.split_once('=').ok_or("expected NAME=TIME, such as take=20us")?;
        let ns = parse_time(time).map_err(|error| error.to_string())?;
        Ok(Self { name: name.to_owned(), ns })
    }
}

/// The part of the file of `filch machine --json` that is needed here.
#[derive(Deserialize)]
struct Machine {
    pool: Measured,
}

#[derive(Deserialize)]
struct Measured {
    give_cost_s: f64,
    take_cost_s: f64,
}

/// The costs with those that were measured on a machine. The share of a take that interrupts others stays what it is.
pub(super) fn of_machine(path: &Path) -> Result<Costs, Failure> {
    let refuse = |error: String| Failure::Usage(format!("--machine {}: {error}", path.display()));
    let file = fs::read(path).map_err(|error| refuse(error.to_string()))?;
    let expected = |error: serde_json::Error| refuse(format!("expected a file of `filch machine --json`: {error}"));
    let Machine { pool: Measured { give_cost_s, take_cost_s } } = serde_json::from_slice(&file).map_err(expected)?;
    let ns = |name: &str, seconds: f64| match seconds * 1e9 {
        ns if (0.0..1e12).contains(&ns) => Ok(ns.round() as u64),
        _ => Err(refuse(format!("{name} = {seconds}: expected seconds from 0 to 1000"))),
    };
    let (give_ns, take_ns) = (ns("give_cost_s", give_cost_s)?, ns("take_cost_s", take_cost_s)?);
    let Costs { interrupt_ns, take_ns: assumed_ns, .. } = Costs::ASSUMED;
    Ok(Costs { give_ns, take_ns, interrupt_ns: interrupt_ns * take_ns / assumed_ns, ..Costs::ASSUMED })
}
