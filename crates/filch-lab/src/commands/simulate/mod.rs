//! `filch simulate`: a program on virtual workers, which decide as Filch does.
//!
//! - `cluster`: searches on several ranks
//! - `args`: what the command is told; `program`: what is simulated
//! - `estimate`: how long that will take
//! - `tables`: what is shown of the runs
//! - [`row`]: the runs with one scheduler on one number of workers, and their bounds
//! - [`figure`]: the picture of the speed-up
//! - `setting`: which schedulers are simulated, and on what
//! - `timeline`: the picture of one run; `trace`: its steps, for a viewer

mod args;
mod cluster;
mod estimate;
pub mod figure;
mod program;
pub mod row;
mod setting;
mod tables;
mod timeline;
mod trace;

pub use args::{HELP, SimulateArgs};
use filch_bench::failure::Failure;
use filch_bench::measure::counts::as_map;
use filch_bench::show::numbers::{grouped, number_of, scaled, seconds};
use filch_bench::show::progress::line::announce;
use filch_bench::show::progress::samples::Samples;

use std::cell::RefCell;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use filch_sim::program::text::{Boxed, NOTATION};
use filch_sim::program::tiers::Tiers;
use filch_sim::program::totals::Totals;
use filch_sim::{Costs, Progress};
use serde::Serialize;

use crate::output;
use estimate::Estimate;
use row::{Beats, Cab, Row};
use setting::{Machine, Setting, machines};
use trace::Tracer;

/// The longest T1, some 36 years: times with all overheads still fit into 64 bits.
const LONGEST_NS: u64 = 1 << 60;

/// How many costs are shown in a line.
const COSTS_PER_LINE: usize = 4;

/// All figures.
#[derive(Serialize)]
struct Report<'r> {
    program: String,
    t1_ns: u64,
    span_ns: u64,
    forks: u64,
    leaves: u64,
    #[serde(serialize_with = "costs_as_map")]
    costs_ns: Costs,
    /// The cache of each socket, if one is simulated.
    cache_bytes: Option<u64>,
    rows: &'r [Row],
}

fn costs_as_map<S: serde::Serializer>(costs: &Costs, serializer: S) -> Result<S::Ok, S::Error> {
    as_map(&costs.all().collect::<Vec<_>>(), serializer)
}

/// Runs `filch simulate`.
pub fn run(args: &SimulateArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let text = &*args.program;
    if text == "list" {
        writeln!(out, "{NOTATION}\n{}", filch_sim::clusters::text::NOTATION)?;
        return Ok(());
    }
    if let Some(text) = text.to_str().filter(|text| text.starts_with(filch_sim::clusters::text::PREFIX)) {
        return cluster::run(text, args, out);
    }
    let SimulateArgs { svg, normalised, timeline, trace, .. } = args;
    let pictures = [("--svg", svg), ("--normalised", normalised), ("--timeline", timeline)];
    let files: Vec<_> = pictures
        .into_iter()
        .chain([("--trace", trace)])
        .filter_map(|(option, path)| Some((option, path.as_deref()?)))
        .collect();
    let read = args.costs.machine.as_deref().map(|path| ("--machine", path));
    let recording = Some(("PROGRAM", Path::new(text))).filter(|(_, path)| path.exists());
    output::check_distinct(read.into_iter().chain(recording), &files)?;
    files.iter().try_for_each(|(_, path)| output::check_writable(path))?;
    let program = program::program(text, args.cache.is_some())?;
    let costs = args.costs.over(Costs::ASSUMED)?;
    let machines = machines(args, &costs)?;
    let single = [("--timeline", timeline), ("--trace", trace)];
    single
        .iter()
        .filter(|(_, path)| path.is_some())
        .try_for_each(|(it, _)| timeline::check_single(it, machines.len()))?;
    let format = trace.as_deref().map(trace::format_of).transpose()?;

    let totals = Totals::of(&*program, costs.fork_ns);
    check_work(&totals).map_err(|found| Failure::Usage(format!("PROGRAM: {found}")))?;
    let settings = machines
        .into_iter()
        .map(|machine| Setting::of(machine, args, &*program, costs))
        .collect::<Result<Vec<_>, _>>()?;
    let mut estimate = Estimate::default();
    for setting in &settings {
        let trial = |watch: &mut dyn FnMut(Progress) -> ControlFlow<()>| {
            setting.simulation(&*program, costs, 0, args).run_watched(watch);
        };
        estimate.add(&setting.name(), setting.bound_ns(&totals), args.seeds, trial);
    }
    estimate.check(args.most_events)?;
    explain(args, &program, &totals, &costs, out)?;
    if let Some(notice) = estimate.notice() {
        announce(notice);
    }
    let progress = Samples::new(settings.len(), args.seeds);
    let (mut rows, mut recorded, mut traced, mut events) = (Vec::new(), None, None, 0);
    for setting in settings {
        progress.begin(&setting.name());
        let bound_ns = setting.bound_ns(&totals);
        let mut run = |seed| {
            let simulation = setting.simulation(&*program, costs, seed, args);
            let tracer = format.filter(|_| seed == 0).map(|format| RefCell::new(Tracer::new(format, &setting)));
            let simulation = match &tracer {
                Some(tracer) => simulation.with_steps(|step| tracer.borrow_mut().step(step)),
                None => simulation,
            };
            // A run may have a long end, which no estimate foresees.
            let watch = &mut |now: Progress| {
                progress.part(now.now_ns as f64 / bound_ns, now.events);
                if events + now.events > args.most_events { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let outcome = if timeline.is_some() && seed == 0 {
                simulation.run_recorded_watched(watch).map(|(outcome, timeline)| {
                    recorded = Some(timeline);
                    outcome
                })
            } else {
                simulation.run_watched(watch)
            };
            traced = tracer.map(RefCell::into_inner).or(traced.take());
            progress.step();
            let outcome = outcome.ok_or_else(|| {
                let (most, name) = (scaled(args.most_events as f64), setting.name());
                Failure::Usage(format!(
                    "expected at most {most} events, found more, in {name}: --most-events raises it"
                ))
            })?;
            events += outcome.counts.events;
            Ok(outcome)
        };
        let runs = (0..args.seeds as u64).map(&mut run).collect::<Result<Vec<_>, Failure>>()?;
        let Setting { machine: Machine { sockets, .. }, scheduler, rules, boundary, .. } = setting;
        let beat = rules.beat().map(|beat| Beats {
            period_ns: beat.period_ns(),
            tau_ns: costs.promotion_ns,
            span_ns: Totals::of(&*program, costs.fork_ns + costs.promotion_ns).span_ns,
        });
        let cab = (boundary > 0).then(|| Cab { boundary, tiers: Tiers::of(&*program, costs.fork_ns, boundary), costs });
        let row = Row::new(&scheduler, sockets, beat, totals, runs);
        rows.push(match cab {
            None => row,
            Some(cab) => row.with_tiers(cab),
        });
    }
    drop(progress);
    tables::show(&rows, &costs, out)?;
    let Totals { span_ns, forks, leaves, .. } = totals;
    let (t1_ns, name) = (totals.t1_ns(), program.name());
    let (costs_ns, cache_bytes) = (costs, args.cache);
    args.figures.write(&Report { program: name, t1_ns, span_ns, forks, leaves, costs_ns, cache_bytes, rows: &rows })?;
    if let Some(path) = svg {
        output::write_whole(path, figure::draw(&rows, &totals, &program.name()).as_bytes())?;
    }
    if let Some(path) = normalised {
        output::write_whole(path, figure::draw_normalised(&rows, &totals, &program.name()).as_bytes())?;
    }
    if let (Some(path), Some(recorded)) = (timeline, &recorded) {
        output::write_whole(path, timeline::draw(recorded, &rows[0], &program.name()).as_bytes())?;
    }
    if let (Some(path), Some(traced)) = (trace, traced) {
        output::write_whole(path, &traced.end())?;
    }
    let broken: Vec<String> = rows.iter().filter_map(Row::broken).collect();
    if broken.is_empty() { Ok(()) } else { Err(Failure::Failed(broken.join("\n"))) }
}

/// Refuses a program whose times would not fit into 64 bits.
///
/// # Errors
///
/// What was expected, and what was found.
pub fn check_work(totals: &Totals) -> Result<(), String> {
    if totals.t1_ns() <= LONGEST_NS {
        return Ok(());
    }
    let [most, found] = [LONGEST_NS, totals.t1_ns()].map(|ns| seconds(ns as f64 / 1e9));
    Err(format!("expected at most {most} of work; found {found} or more"))
}

fn explain(
    args: &SimulateArgs,
    program: &Boxed,
    totals: &Totals,
    costs: &Costs,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let [t1, span] = [totals.t1_ns(), totals.span_ns].map(|ns| seconds(ns as f64 / 1e9));
    writeln!(out, "{}: a simulation with {}", program.name(), number_of(args.seeds, "seed", "seeds"))?;
    writeln!(
        out,
        "T1 = {t1}, T∞ = {span}, T1/T∞ = {}, {} leaves",
        scaled(totals.parallelism()),
        grouped(totals.leaves)
    )?;
    let costs: Vec<String> = costs.all().map(|(name, ns)| format!("{name} {}", seconds(ns as f64 / 1e9))).collect();
    let lines: Vec<String> = costs.chunks(COSTS_PER_LINE).map(|costs| costs.join(", ")).collect();
    writeln!(out, "costs: {}\n", lines.join(",\n       "))?;
    writeln!(out, "T_P      median of the seeds, beside T1/P + T∞")?;
    writeln!(out, "T1/T_P   speed-up")?;
    writeln!(out, "c∞       the factor for which T_P = T1/P + c∞·T∞")?;
    writeln!(out, "idle     share of the workers' time in which they ran no task")?;
    writeln!(out, "90 %     when nine of ten workers had begun a task")?;
    writeln!(out, "moved    frames run by another worker; back: given ones that the owner took back")?;
    writeln!(out, "tries    visits of thieves that were not turned away at the first look;")?;
    writeln!(out, "         c: per worker and τ of T∞, of which there are O(1)")?;
    if args.sockets.iter().any(|&sockets| sockets > 1) {
        writeln!(out, "far      asks, answers, frames and results that went to another socket")?;
    }
    writeln!(out, "The counts are means over the seeds.")?;
    if args.seeds > 1 {
        writeln!(out, "±        half of what the seeds differ by, in % of their mean")?;
    }
    Ok(())
}
