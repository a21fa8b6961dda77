//! What steps cost: given on the command line, or measured by `filch machine`.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use filch::{Measured, Pool};
use filch_bench::failure::Failure;
use filch_sim::Costs;
use filch_sim::program::work::parse_time;
use filch_text::read_text;
use serde::Deserialize;

/// The costs that are not the assumed ones.
#[derive(Args, Clone, Debug, Default)]
pub struct CostArgs {
    /// Take the costs of giving and taking from a file that `filch machine --format json` has written
    #[arg(long, value_name = "FILE")]
    pub machine: Option<PathBuf>,

    /// What a step of a simulation costs, such as take=20us; can be repeated
    #[arg(long, value_name = "NAME=TIME")]
    pub cost: Vec<Cost>,
}

impl CostArgs {
    /// The option that is given, if there is one.
    pub fn given(&self) -> Option<&'static str> {
        let cost = self.cost.first().map(|_| "--cost");
        cost.or(self.machine.as_ref().map(|_| "--machine"))
    }

    /// What is given, and for the rest what is `usual`.
    ///
    /// # Errors
    ///
    /// If there is no such cost, or if the file cannot be read.
    pub fn over(&self, usual: Costs) -> Result<Costs, Failure> {
        let mut costs = self.machine.as_deref().map_or(Ok(usual), |path| of_machine(path, usual))?;
        for Cost { name, ns } in &self.cost {
            costs.set(name, *ns).map_err(|error| Failure::Usage(format!("--cost: {error}")))?;
        }
        Ok(costs)
    }
}

/// The costs of this machine, as far as they are known, and for the rest the assumed ones.
pub fn of_this_machine() -> Costs {
    let (known, assumed) = (Pool::measured_costs(), Costs::ASSUMED);
    let or = |measured: Option<Measured>, assumed_ns| measured.map_or(assumed_ns, |it| it.cost.as_nanos() as u64);
    with_sharing(or(known.give, assumed.give_ns), or(known.take, assumed.take_ns), assumed)
}

/// The costs with these of giving and taking. The share of a take that interrupts others stays what it is.
fn with_sharing(give_ns: u64, take_ns: u64, usual: Costs) -> Costs {
    let Costs { interrupt_ns, take_ns: usual_ns, .. } = usual;
    Costs { give_ns, take_ns, interrupt_ns: interrupt_ns * take_ns / usual_ns.max(1), ..usual }
}

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

/// The part of the file of `filch machine --format json` that is needed here.
#[derive(Deserialize)]
struct Machine {
    pool: Sharing,
}

#[derive(Deserialize)]
struct Sharing {
    give_cost_s: f64,
    take_cost_s: f64,
}

/// The costs with those that were measured on a machine.
fn of_machine(path: &Path, usual: Costs) -> Result<Costs, Failure> {
    let refuse = |error: String| Failure::Usage(format!("--machine {}: {error}", path.display()));
    /// A file of the command has some thousands.
    const MOST_BYTES: u64 = 1 << 20;
    let file = read_text(path, MOST_BYTES).map_err(|error| Failure::Usage(format!("--machine {error}")))?;
    let expected =
        |error: serde_json::Error| refuse(format!("expected a file of `filch machine --format json`: {error}"));
    let Machine { pool: Sharing { give_cost_s, take_cost_s } } = serde_json::from_str(&file).map_err(expected)?;
    let ns = |name: &str, seconds: f64| match seconds * 1e9 {
        ns if (0.0..1e12).contains(&ns) => Ok(ns.round() as u64),
        _ => Err(refuse(format!("{name} = {seconds}: expected seconds from 0 to 1000"))),
    };
    Ok(with_sharing(ns("give_cost_s", give_cost_s)?, ns("take_cost_s", take_cost_s)?, usual))
}
