//! A variant of the policy beside the policy: what is gained if a thief that may not take, because the account of
//! barriers of the process is used up, asks instead.
//!
//! `cargo run --release -p filch-sim --example variant [PROGRAM [WORKERS]]`

use filch_policy::{Approach, Paid, Rules, Scheduler, Victim};
use filch_sim::program::{text, totals::Totals};
use filch_sim::{Costs, Decisions, Simulation, rules};
use std::cell::Cell;
use std::error::Error;

/// The policy, with one change: [`Rules::approach`] learns that no barrier is allowed now, as if the victim itself had
/// been taken from too often.
struct Variant {
    rules: Rules,
    barriers_paid_ns: Cell<u64>,
}

impl Decisions for Variant {
    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn approach(&self, victim: &Victim, asks_again_ns: u64, now_ns: u64) -> Approach {
        let may_take = now_ns >= self.rules.barrier().allowed_from(self.barriers_paid_ns.get());
        let takes_paid_ns = if may_take { victim.takes_paid_ns } else { u64::MAX };
        self.rules.approach(&Victim { takes_paid_ns, ..*victim }, asks_again_ns, now_ns)
    }

    fn interrupt(&self, paid: Paid, now_ns: u64) -> Option<Paid> {
        let after = self.rules.interrupt(paid, now_ns);
        self.barriers_paid_ns.set(after.unwrap_or(paid).barriers_ns);
        after
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let program = text::parse(args.next().as_deref().unwrap_or("knary:9,4,1,unit=10us"))?;
    let workers: usize = args.next().as_deref().unwrap_or("64").parse()?;
    let costs = Costs::ASSUMED;
    let rules = rules(&Scheduler::default(), &costs, workers)?;
    let totals = Totals::of(&*program, costs.fork_ns);
    println!("{}: T1/T∞ = {:.1}, P = {workers}, 5 seeds", program.name(), totals.parallelism());
    for name in ["the policy", "the variant"] {
        let runs = (0..5).map(|seed| match name {
            "the policy" => Simulation::new(&*program, rules, costs, workers, seed).run(),
            _ => {
                let variant = Variant { rules, barriers_paid_ns: Cell::new(0) };
                Simulation::new(&*program, variant, costs, workers, seed).run()
            }
        });
        let overhead = |time_ns: u64| (time_ns as f64 - totals.t1_ns() as f64 / workers as f64) / totals.span_ns as f64;
        let (mut overheads, mut asks): (Vec<f64>, u64) = (Vec::new(), 0);
        for run in runs {
            overheads.push(overhead(run.time_ns));
            asks += run.counts.asks;
        }
        overheads.sort_by(f64::total_cmp);
        println!("{name:<12} c∞ {:.2} ({:.2} to {:.2}), {} asks", overheads[2], overheads[0], overheads[4], asks / 5);
    }
    Ok(())
}
