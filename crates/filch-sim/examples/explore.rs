//! Temporary.
use filch_policy::{Rules, Scheduler};
use filch_sim::program::{text, totals::Totals};
use filch_sim::{Costs, Simulation};
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let program = text::parse(&args[0]).unwrap();
    let scheduler: Scheduler = args[1].parse().unwrap();
    let totals = Totals::of(&*program, Costs::ASSUMED.fork_ns);
    println!("T1 {} Tinf {} par {:.1} leaves {}", totals.t1_ns(), totals.span_ns, totals.parallelism(), totals.leaves);
    for workers in args[2].split(',').map(|p| p.parse::<usize>().unwrap()) {
        for seed in 0..args.get(3).map_or(1, |s| s.parse().unwrap()) {
            let rules = Rules::new(&scheduler, Costs::ASSUMED.for_policy(workers as u32), true);
            let t = std::time::Instant::now();
            let o = Simulation::new(&*program, rules, Costs::ASSUMED, workers, seed).run();
            let s = t.elapsed().as_secs_f64();
            let tp = o.time_ns as f64;
            println!("P {workers} seed {seed} TP {:.3} ms speedup {:.2} eff {:.3} cinf {:.2} idle {:.3} ramp {:?} path/span {:.2} {:.2}s {:.2} Mev/s {:?}", tp/1e6, totals.t1_ns() as f64/tp, totals.t1_ns() as f64/tp/workers as f64, (tp - totals.t1_ns() as f64/workers as f64)/totals.span_ns as f64, o.idle_share(), o.ramp_ns.map(|r| r as f64/1e6), o.path_ns as f64/totals.span_ns as f64, s, o.counts.events as f64/s/1e6, o.counts);
        }
    }
}
