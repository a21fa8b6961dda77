//! `filch paper sweep cab`: the time and the number of inter-socket tasks against the boundary level BL and the leaf
//! size, as in figures 8 and 7 of (Chen, Huang, Guo and Zhou 2011).
//!
//! If BL is too small, there are too few inter-socket tasks for all squads, or their data do not fit into a cache; if
//! it is too large, too little is left to share within a squad (section V-C). Equation 4 chooses BL.
//!
//! - [`levels`]: the values of BL
//! - [`squads`]: the squads, and whether this machine can show their effect
//! - [`program`]: what is measured of a program
//! - [`point`]: the figures of one BL and leaf size

pub mod levels;
pub mod point;
pub mod program;
pub mod squads;

use std::io::Write;

use clap::Args;
use filch_bench::failure::Failure;
use filch_bench::measure::median::note_on_few;
use filch_bench::measure::others::Watch;
use filch_bench::measure::pools::TopologyArgs;
use filch_bench::show::numbers::{bytes, number_of, seconds};
use filch_bench::show::progress::samples::Samples;
use filch_bench::show::table::{plain_table, text};
use filch_bench::values::{at_least_one, once_each, runs};
use filch_kernels::Program;
use filch_lab::memory;
use filch_lab::programs::{SizeArgs, find_program, find_programs};
use serde::Serialize;

use super::heartbeat::point::count;
use crate::chart::{self, Panel};
use filch_lab::output::FileArgs;
use filch_lab::show::picture::legend;
use levels::Levels;
use point::{Point, Role};
use program::{Figures, Task};
use squads::Squads;

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch paper sweep cab                               the paper's programs
  filch paper sweep cab heat --n 3072x2048 --topology 4x4,cache=6MiB
  filch paper sweep cab heat sor --levels 0..6 --grains 32,64,128 --format json

Boundary levels vary at the first leaf size. At the others, the level of equation 4 is compared
with the default scheduler. Without a topology, the squads are those of this machine, or two by
hand if it has only one.

Exit code: 0 success, 1 a result failed its check, 2 bad usage.";

/// The programs of the paper (table III), those bound by memory first.
const PROGRAMS: [&str; 8] = ["heat", "mergesort", "sor", "gauss", "queens", "fft", "ck", "cholesky"];

/// The arguments of `filch paper sweep cab`.
#[derive(Args, Debug)]
pub struct CabArgs {
    /// The programs [default: heat mergesort sor gauss queens fft ck cholesky]
    #[arg(value_name = "PROGRAM")]
    pub programs: Vec<String>,

    /// The size.
    #[command(flatten)]
    pub size: SizeArgs,

    /// The lowest and the highest boundary level [default: from 0 to two beyond that of equation 4]
    #[arg(long, value_name = "BL..BL")]
    pub levels: Option<Levels>,

    /// Leaf sizes [default: once, twice and four times that of the program]
    #[arg(long, value_name = "G,…", value_delimiter = ',', value_parser = at_least_one::<u64>)]
    pub grains: Vec<u64>,

    /// The topology.
    #[command(flatten)]
    pub topology: TopologyArgs,

    /// Number of samples for each point, after one for warm-up
    #[arg(long, value_name = "K", default_value_t = 21, value_parser = runs)]
    pub runs: usize,

    /// The output files.
    #[command(flatten)]
    pub files: FileArgs,
}

/// What `--format` writes.
#[derive(Debug, Serialize)]
struct Report<'a> {
    topology: String,
    workers: usize,
    /// M.
    squads: usize,
    /// S_c.
    cache_bytes: Option<u64>,
    /// The reason why this machine cannot show a gain, if it cannot.
    cannot_show: Option<String>,
    runs: usize,
    programs: &'a [Figures],
}

/// Runs `filch paper sweep cab`.
pub fn run(args: &CabArgs, out: &mut dyn Write) -> Result<(), Failure> {
    args.files.check([])?;
    let squads = Squads::of(&args.topology)?;
    let tasks = tasks(args, &squads)?;

    explain(args, &squads, out)?;
    let progress = Samples::new(tasks.iter().map(Task::runners).sum(), args.runs);
    let watch = Watch::begin();
    let figures = tasks
        .iter()
        .map(|task| task.measure(&squads, args.runs, &progress))
        .collect::<Result<Vec<Figures>, Failure>>()?;
    let others = watch.others();
    drop(progress);
    figures.iter().try_for_each(|figures| show(figures, out))?;
    if let Some(others) = others {
        writeln!(out, "({others})")?;
    }
    let topology = squads.topology.to_string();
    let title = format!("cab on {topology}");
    let report = Report {
        topology,
        workers: squads.topology.workers(),
        squads: squads.topology.squads().count(),
        cache_bytes: squads.topology.squads().smallest_cache_bytes(),
        cannot_show: squads.cannot_show().map(|lines| lines.join(" ")),
        runs: args.runs,
        programs: &figures,
    };
    let draw = || chart::draw(&title, &figures.iter().flat_map(panels).collect::<Vec<_>>());
    args.files.write(&report, draw)
}

/// The tasks that a command line asks for. All of them are checked before the first one starts.
fn tasks(args: &CabArgs, squads: &Squads) -> Result<Vec<Task>, Failure> {
    let programs: Vec<&'static Program> = if args.programs.is_empty() {
        let usual = PROGRAMS.iter().map(|name| find_program(name)).collect::<Result<Vec<_>, _>>()?;
        // A request for leaf sizes, without program names, means the programs that have them.
        usual.into_iter().filter(|program| args.grains.is_empty() || program.grain.is_some()).collect()
    } else {
        find_programs(&once_each(args.programs.clone()))?
    };
    let task = |program: &'static Program| {
        let (_, n) = args.size.of(program)?;
        memory::check(program, n, None)?;
        Task::new(program, n, &squads.topology, args.levels, &once_each(args.grains.clone()))
    };
    programs.into_iter().map(task).collect()
}

fn explain(args: &CabArgs, squads: &Squads, out: &mut dyn Write) -> Result<(), Failure> {
    let CabArgs { runs, .. } = args;
    let counted = number_of(*runs, "run", "runs");
    writeln!(out, "cab on {}: {counted}, in which the boundary levels take turns\n", squads.topology)?;
    writeln!(out, "leaf     the cut-off of the program")?;
    writeln!(out, "BL       the boundary level; * that of equation 4; again: default once more")?;
    writeln!(out, "against  own time / that of default: the median of the ratios in each run, with")?;
    writeln!(out, "         its 95 % interval; again shows how far equal runners differ")?;
    if let Some(note) = note_on_few(*runs) {
        writeln!(out, "         {note}")?;
    }
    writeln!(out, "tasks    inter-socket tasks of a call; leaves: those on the boundary level")?;
    writeln!(out, "across   inter-socket tasks that the head of a squad got from a pool")?;
    writeln!(out, "idle     share of the workers' time without work")?;
    if squads.is_crowded() {
        writeln!(out, "\nThere are more workers than processors, so times say little.")?;
    }
    if let Some(reason) = squads.cannot_show() {
        writeln!(out)?;
        reason.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    }
    Ok(())
}

fn show(figures: &Figures, out: &mut dyn Write) -> Result<(), Failure> {
    let data = match figures.data_bytes {
        Some(data) if figures.by_equation > 0 => format!("{} of data", bytes(data)),
        Some(data) => format!("{} of data, which its tasks reuse", bytes(data)),
        None => "no data that its tasks divide".into(),
    };
    writeln!(out, "\n{} {}: {data}, BL = {} by equation 4", figures.program, figures.n, figures.by_equation)?;
    let header = ["leaf", "BL", "time", "against default", "tasks", "leaves", "across", "idle"];
    let mut table = plain_table(header.map(str::to_owned).to_vec());
    let mut last = None;
    for point in &figures.points {
        let is_new = last.replace(point.grain) != Some(point.grain);
        let grain = point.grain.filter(|_| is_new).map_or(String::new(), |grain| grain.to_string());
        let mark = if point.boundary == Some(figures.by_equation) { " *" } else { "" };
        table.add_row([
            grain,
            format!("{}{mark}", point.name()),
            seconds(point.time.value),
            point.against_default.map_or(String::new(), |ratio| ratio.to_string()),
            count(point.inter_tasks),
            count(point.leaf_tasks),
            count(point.tasks_across),
            point.idle.map_or(String::new(), |idle| format!("{:.0} %", 100.0 * idle.value)),
        ]);
    }
    writeln!(out, "{}", text(table))?;
    out.flush()?;
    Ok(())
}

/// Run time against the boundary level at the first leaf size, as in figure 8, and against the leaf size at the level
/// of equation 4, as in figure 7. Both are beside the default scheduler.
fn panels(figures: &Figures) -> [Panel; 2] {
    let at = |grain, role| figures.points.iter().find(|point| (point.grain, point.role) == (grain, role));
    let time = |grain, role| Some(at(grain, role)?.time.value);
    let own = figures.own_grain;
    let levels: Vec<u32> =
        figures.points.iter().filter(|point| point.grain == own).filter_map(|point| point.boundary).collect();
    let grains: Vec<Option<u64>> =
        figures.points.iter().filter(|point| point.role == Role::Default).map(|it| it.grain).collect();
    let by_level =
        |role: &dyn Fn(u32) -> Option<Role>| levels.iter().map(|&level| time(own, role(level)?)).collect::<Vec<_>>();
    let by_grain = |role: Role| grains.iter().map(|&grain| time(grain, role)).collect::<Vec<_>>();
    let interval = |point: Option<&Point>| point.map_or([f64::NAN; 2], |point| [point.time.low, point.time.high]);
    let chosen = Role::Boundary(figures.by_equation);
    [
        Panel {
            title: format!("{} {}", figures.program, figures.n),
            across: "boundary level".into(),
            names: levels.iter().map(u32::to_string).collect(),
            up: "run time".into(),
            label: Some(legend::time),
            lines: vec![
                ("cab".into(), by_level(&|level| Some(Role::Boundary(level)))),
                ("equation 4".into(), by_level(&|level| (level == figures.by_equation).then_some(chosen))),
                ("default".into(), by_level(&|_| Some(Role::Default))),
            ],
            intervals: levels.iter().map(|&level| interval(at(own, Role::Boundary(level)))).collect(),
            ..Panel::default()
        },
        Panel {
            across: "leaf size".into(),
            names: grains.iter().map(|grain| grain.map_or("none".into(), |grain| grain.to_string())).collect(),
            up: "run time".into(),
            label: Some(legend::time),
            lines: vec![("equation 4".into(), by_grain(chosen)), ("default".into(), by_grain(Role::Default))],
            intervals: grains.iter().map(|&grain| interval(at(grain, chosen))).collect(),
            ..Panel::default()
        },
    ]
}
