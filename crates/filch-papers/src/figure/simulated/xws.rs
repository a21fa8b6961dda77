//! Figure 1 of Cong, Kodali, Krishnamoorthy, Lea, Saraswat and Wen (2008), on as many workers as in the paper.
//!
//! The searches themselves are not simulated, only their work as a scheduler sees it. A breadth-first search is its
//! levels: a loop over the vertices of each, one level after another. A depth-first search with batches is a tree of
//! tasks, of as many vertices each as the paper counts. Rivals are those of sections 3.1 and 3.2: Cilk, whose
//! scheduler divides the same levels, and searches depth-first without batches; and the breadth-first search in C,
//! whose threads share each level equally and wait for each other.

use std::time::Duration;

use filch::{Pool, Scheduler};
use filch_bench::failure::Failure;
use filch_bench::show::numbers::{grouped, scaled};
use filch_bench::show::progress::samples::Samples;
use filch_graph::{Csr, Graph, GraphSpec};
use filch_sim::program::Boxed;
use filch_sim::program::drawn::Random;
use filch_sim::program::loops::{Bodies, Loop};
use filch_sim::program::phases::Phases;
use filch_sim::program::work::Work;

use super::{Found, Setting, Simulated};
use crate::chart::Panel;
use crate::figure::printed::PER_TASK;
use crate::figure::report::{Report, ratio};
use crate::figure::size::{Named, three};
use filch_lab::graphs::source::generate;

/// The numbers of workers: up to those of the paper's Opteron and Niagara.
const USUAL_WORKERS: [usize; 6] = [1, 2, 4, 8, 16, 32];

/// The time of an edge: an assumption, some cache misses on a machine of that time. The paper's text has no rates.
const EDGE_NS: u64 = 100;

/// The seed of random graphs.
const SEED: u64 = 1;

/// A search of a graph.
struct Search {
    label: String,
    kind: &'static str,
    graph: String,
    edges: usize,
    levels: Option<usize>,
    runs: Runs,
}

/// How a search runs.
enum Runs {
    /// Under the scheduler asked for.
    Filch(Boxed),
    /// Under that of Cilk-5, without a period.
    Cilk(Boxed),
    /// By threads that share each level equally: the vertices of each, and the time of a vertex.
    Equally { sizes: Vec<u64>, vertex_ns: u64 },
}

/// The levels of a search whose threads share each equally. A thread that is done writes a line that another one waits
/// for, in a tree of threads up and down.
fn equally(sizes: &[u64], vertex_ns: u64, workers: usize, setting: &Setting) -> Simulated {
    let barrier_ns = 2 * u64::from(workers.next_power_of_two().ilog2()) * setting.costs.miss_ns;
    let time_of = |workers: u64| sizes.iter().map(|size| size.div_ceil(workers) * vertex_ns).sum::<u64>();
    let (t1_ns, time_ns) = (time_of(1), time_of(workers as u64) + sizes.len() as u64 * barrier_ns);
    Simulated {
        program: String::new(),
        scheduler: "barriers".into(),
        workers,
        t1_ns,
        span_ns: sizes.len() as u64 * vertex_ns,
        time_ns: vec![time_ns; setting.seeds],
        gifts: 0.0,
        idle_share: 1.0 - t1_ns as f64 / (time_ns * workers as u64) as f64,
    }
}

/// Figure 1: millions of edges per second against the number of workers.
pub fn figure_1(setting: &Setting) -> Result<Found, Failure> {
    on_graphs(setting, &setting.size.of_xws_1())
}

/// The same on graphs with as many vertices as tori with these sides.
fn on_graphs(setting: &Setting, sides: &[usize]) -> Result<Found, Failure> {
    let mut report = Report::new(format!("Millions of edges per second (MEPS) under {}", setting.scheduler));
    report.note(format!("BFS: a loop over the vertices of each level; an edge takes {EDGE_NS} ns, an assumption"));
    report.note("DFS: a random tree of tasks, with as many vertices each as in section 3.3 of the paper");
    report.note("MEPS as a multiple of P = 1 is the speed-up; the paper's rates are in its pictures only");
    report.note("Cilk: the same levels, and a task for each vertex, under cilk5,period=0ns");
    report.note("C: threads share each level equally (every vertex costs the same), and meet at barriers");
    let cilk = Scheduler::cilk5().with_period(Duration::ZERO);
    let workers = setting.workers_or(&USUAL_WORKERS);
    let searches = searches(sides)?;
    let progress = Samples::new(searches.len() * workers.len(), setting.seeds);
    let mut rows = Vec::new();
    for kind in ["BFS", "DFS"] {
        let (mut lines, mut table) = (Vec::new(), Vec::new());
        for search in searches.iter().filter(|search| search.kind == kind) {
            let mut own = Vec::new();
            for &workers in &workers {
                progress.begin(&format!("{} on {workers}", search.label));
                let row = match &search.runs {
                    Runs::Filch(program) => setting.simulate(&**program, &setting.scheduler, workers, &progress)?,
                    Runs::Cilk(program) => setting.simulate(&**program, &cilk, workers, &progress)?,
                    Runs::Equally { sizes, vertex_ns } => equally(sizes, *vertex_ns, workers, setting),
                };
                own.push(Simulated { program: format!("{} of {}", search.label, search.graph), ..row });
            }
            let mut cells = vec![search.label.clone()];
            cells.push(search.levels.map_or(String::new(), |levels| grouped(levels as u64)));
            cells.push(scaled(own[0].parallelism()));
            cells.extend(own.iter().map(|row| ratio(Some(rate(search, row)))));
            table.push(cells);
            lines.push((search.label.clone(), own.iter().map(|row| Some(rate(search, row))).collect()));
            rows.extend(own);
        }
        let mut header = vec![format!("{kind}: vertices"), "levels".into(), "T1/T∞".into()];
        header.extend(workers.iter().map(|workers| format!("P = {workers}")));
        report.table(header, table);
        report.panel(Panel {
            title: kind.into(),
            across: "workers".into(),
            names: workers.iter().map(ToString::to_string).collect(),
            up: "MEPS".into(),
            lines,
            ..Panel::default()
        });
    }
    Ok(Found { report, rows, svg: None })
}

/// Millions of edges per second.
fn rate(search: &Search, row: &Simulated) -> f64 {
    search.edges as f64 / row.seconds().value / 1e6
}

/// All searches: by breadth and by depth, of the three kinds of graphs, in several sizes.
fn searches(sides: &[usize]) -> Result<Vec<Search>, Failure> {
    let pool = Pool::builder().workers(1).build().map_err(Failure::usage)?;
    let mut searches = Vec::new();
    for &side in sides {
        for (Named { name, spec }, per_task) in three(side).into_iter().zip(PER_TASK) {
            let parsed: GraphSpec = spec.parse().map_err(Failure::usage)?;
            let (graph, _) = generate(&parsed, SEED, &pool)?;
            let Levels { sizes, edges } = Levels::of(&graph);
            let vertices = sizes.iter().sum::<u64>() as usize;
            // Each edge is looked at from both ends.
            let vertex_ns = (2 * edges as u64 * EDGE_NS).div_ceil(vertices as u64);
            let of_level = |&size: &u64| Box::new(Loop::new(size, Bodies::Drawn(Work::Constant(vertex_ns)))) as Boxed;
            let tasks = (vertices as u64 / per_task).max(1);
            let task = Work::Exponential(vertex_ns * per_task);
            let search = |kind, by, levels, runs| Search {
                label: format!("{kind}-{name} {}{by}", grouped(graph.num_vertices() as u64)),
                kind,
                graph: spec.clone(),
                edges,
                levels,
                runs,
            };
            let levels = Some(sizes.len());
            let by_breadth = || Box::new(Phases::new(1, sizes.iter().map(of_level).collect()));
            searches.push(search("BFS", "", levels, Runs::Filch(by_breadth())));
            searches.push(search("BFS", ", Cilk", levels, Runs::Cilk(by_breadth())));
            searches.push(search("BFS", ", C", levels, Runs::Equally { sizes: sizes.clone(), vertex_ns }));
            searches.push(search("DFS", "", None, Runs::Filch(Box::new(Random::new(tasks, SEED, task)))));
            let of_vertices = Random::new(vertices as u64, SEED, Work::Exponential(vertex_ns));
            searches.push(search("DFS", ", Cilk", None, Runs::Cilk(Box::new(of_vertices))));
        }
    }
    Ok(searches)
}

/// The levels of a breadth-first search of the largest component.
#[derive(Debug, Default)]
struct Levels {
    /// The number of vertices of each.
    sizes: Vec<u64>,
    /// The number of edges of the component.
    edges: usize,
}

impl Levels {
    fn of(graph: &Csr) -> Self {
        let mut is_visited = vec![false; graph.num_vertices()];
        let mut largest = Self::default();
        for root in 0..graph.num_vertices() as u32 {
            let mut level = if is_visited[root as usize] { vec![] } else { vec![root] };
            is_visited[root as usize] = true;
            let mut found = Self::default();
            while !level.is_empty() {
                found.sizes.push(level.len() as u64);
                found.edges += level.iter().map(|&vertex| graph.degree(vertex)).sum::<usize>();
                let neighbors = level.iter().flat_map(|&vertex| graph.neighbors(vertex));
                level = neighbors.filter(|&next| !std::mem::replace(&mut is_visited[next as usize], true)).collect();
            }
            if found.edges > largest.edges {
                largest = found;
            }
        }
        Self { edges: largest.edges / 2, ..largest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::size::Size;
    use filch_sim::Costs;

    #[test]
    fn a_torus_has_the_levels_of_its_geometry() {
        let pool = Pool::builder().workers(1).build().unwrap();
        let (torus, _) = generate(&"torus(8)".parse().unwrap(), SEED, &pool).unwrap();
        // Rhombi of 4 d vertices, until they meet themselves on the other side.
        assert_eq!(Levels::of(&torus).sizes, [1, 4, 8, 12, 14, 12, 8, 4, 1]);
    }

    #[test]
    fn trees_of_batches_scale_and_levels_do_so_if_they_are_few_and_long() {
        let (scheduler, costs) = (Scheduler::default(), Costs::ASSUMED);
        let setting = Setting { scheduler, costs, workers: vec![1, 8], seeds: 1, size: Size::Tiny };
        let Found { rows, .. } = on_graphs(&setting, &[100, 300]).unwrap();
        let speed_up = |label: &str| {
            let of = format!("{label} of ");
            let own: Vec<&Simulated> = rows.iter().filter(|row| row.program.starts_with(&of)).collect();
            assert_eq!([own[0].workers, own[1].workers], [1, 8], "{label}");
            own[1].speed_up() / own[0].speed_up()
        };
        assert!(speed_up("BFS-T 90,000") > 1.3 * speed_up("BFS-T 10,000"), "longer levels: {rows:?}");
        assert!(speed_up("BFS-R 90,000") > 1.3 * speed_up("BFS-T 90,000"), "fewer levels: {rows:?}");
        // Without batches, every steal is for few vertices.
        assert!(speed_up("DFS-R 90,000") > speed_up("DFS-R 90,000, Cilk"), "{rows:?}");
        // A barrier costs less than the steals of a short level.
        assert!(speed_up("BFS-T 10,000, C") > speed_up("BFS-T 10,000, Cilk"), "{rows:?}");
        assert!(speed_up("DFS-R 90,000") > 6.0 && speed_up("DFS-K 90,000") > 6.0, "no levels: {rows:?}");
    }
}
