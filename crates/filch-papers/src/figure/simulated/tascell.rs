//! Figures 11 to 13 of Yasugi, Hiraishi, Umatani and Yuasa (2012), on as many workers as in the paper, with the rivals
//! that its section 7.1 names.
//!
//! Graphs are real and workers are virtual (`trees::grow_virtually`). An edge takes what it takes the serial program in
//! the paper's table 2; what claims, spawns and lists add is assumed, as its figures 11 and 12 are pictures.

use crate::trees::{ArrayRows, Bound, C_LIMIT, Course, Sharing, Times, grow_virtually};
use filch::Pool;
use filch_bench::failure::Failure;
use filch_bench::measure::median::Median;
use filch_bench::show::numbers::grouped;
use filch_bench::show::progress::samples::Samples;
use filch_graph::{Csr, GraphSpec};
use serde::Serialize;

use super::{Found, Setting};
use crate::chart::Panel;
use crate::figure::printed::TABLE_2;
use crate::figure::report::{Report, percent, ratio};
use crate::figure::size::Named;
use filch_lab::graphs::source::generate;

/// The cores and the threads of the paper's Xeons, and the threads of its SPARCs.
const USUAL_WORKERS: [usize; 3] = [12, 24, 128];

/// The arcs of the graphs in table 2, in the order of its rows.
const ARCS_OF_TABLE_2: [u64; 4] = [15_999_723, 44_040_192, 64_000_000, 33_554_428];

/// A store-load barrier, a spawn in Cilk, which has another one, and a list for each call.
const FENCE_NS: u64 = 15;
const SPAWN_NS: u64 = 10 + FENCE_NS;
const LIST_NS: u64 = 10;

/// The seed of graphs and of the order of edges.
const SEED: u64 = 1;

/// A program: its name, how it shares, its bound, and what it adds for each vertex.
type Form = (&'static str, Sharing, Bound, u64);

const STAGES: Bound = Bound::Stages(C_LIMIT);

const FORMS: [Form; 6] = [
    ("short-term, Cilk", Sharing::WorkFirst, STAGES, FENCE_NS + SPAWN_NS + LIST_NS),
    ("long-term, Cilk", Sharing::WorkFirst, STAGES, FENCE_NS + SPAWN_NS),
    ("long-term, Tascell", Sharing::Halves, STAGES, FENCE_NS),
    ("unbounded, Cilk", Sharing::WorkFirst, Bound::None, FENCE_NS + SPAWN_NS),
    ("help first", Sharing::HelpFirst, Bound::None, FENCE_NS + SPAWN_NS),
    ("idempotent", Sharing::Idempotent, Bound::None, FENCE_NS),
];

const ON_MESHES: [Form; 3] = [
    ("depth-limited(10)", Sharing::WorkFirst, Bound::Serial(10), FENCE_NS),
    ("depth-limited(30)", Sharing::WorkFirst, Bound::Serial(30), FENCE_NS),
    FORMS[2],
];

/// The runs of a program on a graph.
#[derive(Clone, Debug, Serialize)]
pub struct Point {
    graph: String,
    program: &'static str,
    workers: usize,
    vertices: usize,
    /// The time of the serial traversal with a stack.
    serial_ns: u64,
    /// T_P, by seed.
    time_ns: Vec<u64>,
    stages: usize,
    steals: usize,
    /// The largest number of calls that waited on a worker.
    deepest: usize,
    /// Calls that two workers have got.
    twice: usize,
    /// Vertices that one worker had to find alone.
    alone: usize,
}

impl Point {
    /// Over the serial traversal with a stack.
    fn speed_up(&self) -> f64 {
        self.serial_ns as f64 / Median::of(self.time_ns.iter().map(|&ns| ns as f64).collect()).value
    }
}

/// Figures 11 and 12: time on one worker, and speed-up on many.
pub fn figure_12(setting: &Setting) -> Result<Found<Point>, Failure> {
    let mut report = Report::new("Speed-up over the serial traversal with a stack, on virtual workers".into());
    report.note(format!(
        "assumed: a fence {FENCE_NS} ns, a spawn with its own {SPAWN_NS} ns, a list for each call {LIST_NS} ns"
    ));
    report.note("T1/T_S: on one worker, against the serial traversal, as in figure 11");
    report.note("help first, idempotent: without a bound; deepest: the most calls that wait on a worker");
    report.note("twice: vertices that two workers have got, which idempotent stealing allows");
    let workers = setting.workers_or(&USUAL_WORKERS);
    let graphs = setting.size.four();
    let progress = Samples::new(graphs.len() * FORMS.len() * (workers.len() + 1), setting.seeds);
    let mut rows = Vec::new();
    for (graph, (printed, arcs)) in graphs.iter().zip(TABLE_2.iter().zip(ARCS_OF_TABLE_2)) {
        let edge_ns = (printed.stack_s * 1e9 / arcs as f64).round() as u64;
        let found = Bench::new(setting, graph, edge_ns)?.all(&FORMS, &workers, &progress);
        report.note(format!("{}: an edge takes {edge_ns} ns, as in table 2", graph.spec));
        let mut header = vec![graph.spec.clone(), "T1/T_S".into()];
        header.extend(workers.iter().map(|workers| format!("P = {workers}")));
        header.extend(["stages", "deepest", "twice"].map(str::to_owned));
        let row = |(alone, own): &(Point, Vec<Point>)| {
            let last = own.last().unwrap_or(alone);
            let mut row = vec![alone.program.to_owned(), ratio(Some(alone.speed_up().recip()))];
            row.extend(own.iter().map(|point| ratio(Some(point.speed_up()))));
            row.extend([last.stages, last.deepest, last.twice].map(|count| grouped(count as u64)));
            row
        };
        report.table(header, found.iter().map(row).collect());
        report.panel(panel(graph.spec.clone(), &workers, &found));
        rows.extend(found.into_iter().flat_map(|(_, own)| own));
    }
    Ok(Found { report, rows, svg: None })
}

/// Figure 13: two meshes with a link.
pub fn figure_13(setting: &Setting) -> Result<Found<Point>, Failure> {
    let spec = setting.size.of_figure_13();
    let mut report = Report::new(format!("Two meshes with a link, {spec}, on virtual workers: speed-up over a stack"));
    report.note("alone: the vertices that one worker must find without help, of all");
    let workers = setting.workers_or(&USUAL_WORKERS);
    let progress = Samples::new(ON_MESHES.len() * (workers.len() + 1), setting.seeds);
    // A mesh is a torus, as far as the time of an edge is concerned.
    let edge_ns = (TABLE_2[2].stack_s * 1e9 / ARCS_OF_TABLE_2[2] as f64).round() as u64;
    let graph = Named { name: "meshes", spec: spec.clone() };
    let found = Bench::new(setting, &graph, edge_ns)?.all(&ON_MESHES, &workers, &progress);
    let mut header = vec!["program".to_owned()];
    header.extend(workers.iter().map(|workers| format!("P = {workers}")));
    header.extend(["alone", "stages"].map(str::to_owned));
    let row = |(_, own): &(Point, Vec<Point>)| {
        let last = own.last().expect("there is a number of workers");
        let mut row = vec![last.program.to_owned()];
        row.extend(own.iter().map(|point| ratio(Some(point.speed_up()))));
        row.extend([percent(100.0 * last.alone as f64 / last.vertices as f64), grouped(last.stages as u64)]);
        row
    };
    report.table(header, found.iter().map(row).collect());
    report.panel(panel(spec, &workers, &found));
    Ok(Found { report, rows: found.into_iter().flat_map(|(_, own)| own).collect(), svg: None })
}

fn panel(title: String, workers: &[usize], found: &[(Point, Vec<Point>)]) -> Panel {
    let line = |(alone, own): &(Point, Vec<Point>)| {
        (alone.program.to_owned(), own.iter().map(|point| Some(point.speed_up())).collect())
    };
    Panel {
        title,
        across: "workers".into(),
        names: workers.iter().map(ToString::to_string).collect(),
        up: "speed-up".into(),
        lines: found.iter().map(line).collect(),
        ..Panel::default()
    }
}

/// A graph, and what programs are simulated with.
struct Bench<'a> {
    setting: &'a Setting,
    spec: String,
    rows: ArrayRows,
    edge_ns: u64,
}

impl<'a> Bench<'a> {
    fn new(setting: &'a Setting, graph: &Named, edge_ns: u64) -> Result<Self, Failure> {
        let pool = Pool::builder().workers(1).build().map_err(Failure::usage)?;
        let parsed: GraphSpec = graph.spec.parse().map_err(Failure::usage)?;
        let (graph_rows, _): (Csr, _) = generate(&parsed, SEED, &pool)?;
        let rows = pool.run(|_| ArrayRows::new(&graph_rows, SEED));
        Ok(Bench { setting, spec: graph.spec.clone(), rows, edge_ns })
    }

    /// Each program on one worker, and on each of these numbers of workers.
    fn all(&self, forms: &[Form], workers: &[usize], progress: &Samples) -> Vec<(Point, Vec<Point>)> {
        let one = |form: &Form| {
            progress.begin(&format!("{} of {}", form.0, self.spec));
            (self.run(form, 1, progress), workers.iter().map(|&workers| self.run(form, workers, progress)).collect())
        };
        forms.iter().map(one).collect()
    }

    fn run(&self, &(program, sharing, bound, call): &Form, workers: usize, progress: &Samples) -> Point {
        let costs = self.setting.costs;
        let times = Times {
            edge: self.edge_ns,
            call,
            look: costs.look_ns + costs.miss_ns,
            steal: costs.give_ns + costs.miss_ns,
            // Up and down a tree of threads.
            stage: 2 * u64::from(workers.next_power_of_two().ilog2()) * costs.miss_ns,
        };
        let run = |seed| {
            progress.step();
            grow_virtually(&self.rows, 0, (sharing, bound, times), workers, seed)
        };
        let courses: Vec<Course> = (0..self.setting.seeds as u64).map(run).collect();
        let last = courses.last().expect("there is a seed");
        Point {
            graph: self.spec.clone(),
            program,
            workers,
            vertices: last.vertices,
            serial_ns: last.serial_ns,
            time_ns: courses.iter().map(|course| course.time_ns).collect(),
            stages: last.stages,
            steals: last.steals,
            deepest: last.deepest,
            twice: last.twice,
            alone: last.largest_serial,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::size::Size;
    use filch::Scheduler;
    use filch_sim::Costs;

    #[test]
    fn long_term_forms_are_the_fastest_bounded_ones_and_cheapest_in_tascell() {
        let (scheduler, costs) = (Scheduler::default(), Costs::ASSUMED);
        let setting = Setting { scheduler, costs, workers: vec![12], seeds: 1, size: Size::Tiny };
        let graph = Named { name: "torus", spec: "torus(150)".into() };
        let progress = Samples::new(2 * FORMS.len(), 1);
        let found = Bench::new(&setting, &graph, 13).unwrap().all(&FORMS, &[12], &progress);
        let on_one: Vec<f64> = found.iter().map(|(alone, _)| alone.speed_up()).collect();
        assert!(on_one[0] < on_one[1] && on_one[1] < on_one[2] && on_one[2] < 1.0, "{on_one:?}");
        let on_many: Vec<f64> = found.iter().map(|(_, own)| own[0].speed_up()).collect();
        assert!(on_many.iter().zip(&on_one).all(|(many, one)| many > &(3.0 * one)), "{on_many:?}");
        let deepest: Vec<usize> = found.iter().map(|(_, own)| own[0].deepest).collect();
        assert!(deepest[..3].iter().all(|&deepest| deepest <= 32) && deepest[3] > 300, "{deepest:?}");
    }
}
