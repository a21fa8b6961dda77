//! Figure 1 and table 1 of Cong, Kodali, Krishnamoorthy, Lea, Saraswat and Wen (2008).

use std::hint::black_box;
use std::time::Instant;

use crate::trees::{Algorithm, FAR, Options};
use filch::Batches;
use filch_bench::failure::Failure;
use filch_bench::measure::median::Median;
use filch_bench::show::numbers::grouped;
use filch_graph::{Csr, Graph};

use super::measure::{Bench, Case, Measured};
use super::printed::{PER_TASK, STRIDE, TABLE_1, THRESHOLDS};
use super::report::{Report, on_workers, percent, ratio};
use super::size::{Named, Size, three};
use crate::arranged::{Arranged, Arrangement};
use crate::chart::Panel;

/// The threshold with which the others are compared.
const USUAL: usize = 128;

/// The programs of the paper's figure: by XWS, by Cilk and in C.
const KINDS: [(&str, &[Algorithm]); 2] = [
    ("BFS", &[Algorithm::StashedBfs, Algorithm::CilkBfs, Algorithm::SpmdBfs]),
    ("DFS", &[Algorithm::StashedDfs, Algorithm::Unbounded, Algorithm::StubTree, Algorithm::CopiedHalf]),
];

/// Figure 1: millions of edges per second against the number of workers.
pub fn figure_1(bench: &Bench<'_>, size: Size) -> Result<Report, Failure> {
    let mut report = Report::new("Millions of edges per second (MEPS) of XWS, Cilk and C".into());
    report.note("stashed: XWS's batches; unbounded, cilk-bfs: Cilk; stub-tree, copied-half, spmd-bfs: C");
    report.note("skipped: phases in which a worker has visited nothing, of all phases of all workers");
    report.note("no rate: the recursion without a bound would overflow the stack at that depth");
    let workers = bench.workers();
    for (kind, programs) in KINDS {
        for side in size.of_xws_1() {
            for Named { name, spec } in three(side) {
                let of = |&algorithm: &Algorithm| workers.iter().map(move |&workers| Case::new(algorithm, workers));
                let cases: Vec<Case> = programs.iter().flat_map(of).collect();
                let found = bench.measure(&spec, Arrangement::Sorted, &cases)?;
                let mut header = vec![format!("{kind}-{name}  {spec}"), "P".into(), "MEPS".into()];
                header.extend(["levels", "skipped", "steals"].map(str::to_owned));
                report.table(header, found.iter().map(row).collect());
                let line = |(place, algorithm): (usize, &Algorithm)| {
                    let own = &found[place * workers.len()..][..workers.len()];
                    (algorithm.to_string(), own.iter().map(|one| Some(one.rate()? / 1e6)).collect())
                };
                report.panel(Panel {
                    title: format!("{kind}-{name}, {} vertices", grouped(found[0].vertices as u64)),
                    across: "workers".into(),
                    names: workers.iter().map(ToString::to_string).collect(),
                    up: "MEPS".into(),
                    lines: programs.iter().enumerate().map(line).collect(),
                    ..Panel::default()
                });
                report.add(found);
            }
        }
    }
    Ok(report)
}

fn row(one: &Measured) -> Vec<String> {
    let exhausted = one.exhausted_at_depth.map(|depth| format!("stack at {}", grouped(depth as u64)));
    let rate = one.rate().map(|rate| format!("{:.1}", rate / 1e6));
    // A worker without a lane has missed all phases.
    let (phases, workers) = (one.count("phases"), one.workers as u64);
    let skipped = one.count("phases_skipped") + phases * workers.saturating_sub(one.count("lanes"));
    let skipped = (phases > 1).then(|| format!("{:.0} %", 100.0 * skipped as f64 / (phases * workers) as f64));
    let some = |count: u64| if count > 0 { grouped(count) } else { String::new() };
    vec![
        one.program.clone(),
        one.workers.to_string(),
        rate.or(exhausted).unwrap_or_default(),
        some(one.count("stages")),
        skipped.unwrap_or_default(),
        some(one.count("steals")),
    ]
}

/// Table 1: the throughput against the largest batch, and the other figures of section 3.3.
pub fn table_1(bench: &Bench<'_>, size: Size) -> Result<Report, Failure> {
    let mut report = Report::new(format!("Throughput against the largest batch S, {}", on_workers(bench.most())));
    report.note(format!("relative to S = {USUAL}; batches have min(2^Q, S) vertices, where Q wait already"));
    let up_to = |most: usize| {
        let case = Case::new(Algorithm::StashedDfs, bench.most());
        Case { label: format!("S = {most}"), options: Options { batches: Batches::UpTo(most), ..case.options }, ..case }
    };
    let mut cases: Vec<Case> = THRESHOLDS.map(up_to).to_vec();
    let usual = THRESHOLDS.iter().position(|&most| most == USUAL).expect("it is one of them");
    let swapless = Options { swaps: false, ..cases[usual].options };
    cases.push(Case { label: "no swaps".into(), options: swapless, ..up_to(USUAL) });
    let adaptive = Case::new(Algorithm::StashedDfs, bench.most());
    cases.push(Case { label: "S measured".into(), ..adaptive });
    cases.push(Case { label: "the same, P = 1".into(), ..Case::new(Algorithm::StashedDfs, 1) });

    let graphs = three(size.of_xws_table_1());
    let (mut by_graph, mut strides) = (Vec::new(), Vec::new());
    for graph in &graphs {
        by_graph.push(bench.measure(&graph.spec, Arrangement::Sorted, &cases)?);
        let far = far_scan(&bench.graph(&graph.spec)?, bench.runs())?;
        let tree = by_graph.last().and_then(|found| found.last()?.median());
        strides.push((far.against_near, tree.map(|tree| far.seconds / tree)));
    }
    report.graphs(by_graph.iter().map(|found| &found[0]));

    let throughput = |found: &[Measured], place: usize| found[usual].against(&found[place]);
    let own = |place: usize| by_graph.iter().map(move |found| ratio(throughput(found, place)));
    let header = ["", "T", "K", "R", "Niagara: T", "K", "R", "Opteron: T", "K", "R"].map(str::to_owned).to_vec();
    let rows = cases.iter().enumerate().map(|(place, case)| {
        let mut row: Vec<String> = std::iter::once(case.label.clone()).chain(own(place)).collect();
        let printed = TABLE_1.get(place).map(|printed| [printed.niagara, printed.opteron].concat());
        let printed = printed.map(|printed| printed.into_iter().map(|value| ratio(Some(value))).collect::<Vec<_>>());
        row.extend(printed.unwrap_or_else(|| vec![String::new(); 6]));
        row
    });
    report.table(header, rows.collect());

    let spread = |one: &Measured| {
        let (least, greatest) =
            one.seconds.iter().fold((f64::MAX, 0.0_f64), |(low, high), &s| (low.min(s), high.max(s)));
        one.median().map_or(String::new(), |median| percent(100.0 * (greatest - least) / median))
    };
    let rows = cases.iter().enumerate().map(|(place, case)| {
        std::iter::once(case.label.clone()).chain(by_graph.iter().map(|found| spread(&found[place]))).collect()
    });
    report.table(["spread of the runs", "T", "K", "R"].map(str::to_owned).to_vec(), rows.collect());

    let per_task = |place: usize| {
        by_graph.iter().map(move |found| grouped(found[place].count("visited") / found[place].count("tasks").max(1)))
    };
    let line = |name: String, cells: Vec<String>| std::iter::once(name).chain(cells).collect::<Vec<_>>();
    let of = |values: [f64; 3]| values.map(|value| ratio(Some(value))).to_vec();
    let rows = vec![
        line(format!("vertices per task, S = {USUAL}"), per_task(usual).collect()),
        line("  without swaps".into(), per_task(THRESHOLDS.len()).collect()),
        line("  paper, Niagara".into(), PER_TASK.map(grouped).to_vec()),
        line(format!("time by stride {FAR} / stride 1"), strides.iter().map(|&(far, _)| ratio(Some(far))).collect()),
        line("  paper, Niagara".into(), of(STRIDE[0])),
        line("  paper, Opteron".into(), of(STRIDE[1])),
        line(format!("time by stride {FAR} / tree, P = 1"), strides.iter().map(|&(_, tree)| ratio(tree)).collect()),
        line("  paper".into(), ["above 1", "", ""].map(str::to_owned).to_vec()),
    ];
    report.table(["", "T", "K", "R"].map(str::to_owned).to_vec(), rows);
    report.panel(Panel {
        title: report.title.clone(),
        across: "S".into(),
        names: THRESHOLDS.map(|most| most.to_string()).to_vec(),
        up: format!("throughput relative to S = {USUAL}"),
        lines: graphs
            .iter()
            .zip(&by_graph)
            .map(|(graph, found)| {
                (graph.name.to_owned(), (0..THRESHOLDS.len()).map(|place| throughput(found, place)).collect())
            })
            .collect(),
        ..Panel::default()
    });
    report.add(by_graph.into_iter().flatten());
    Ok(report)
}

/// The time to read all edges with a large stride.
struct FarScan {
    seconds: f64,
    /// Divided by the time in order: the median over pairs of runs.
    against_near: f64,
}

fn far_scan(graph: &Csr, runs: usize) -> Result<FarScan, Failure> {
    let rows = Arranged::new(graph, Arrangement::Sorted, 0)?;
    let marks: Vec<u32> = (0..graph.num_vertices() as u32).collect();
    let seconds = |stride: usize| {
        let begin = Instant::now();
        black_box(rows.read_by_stride(&marks, stride));
        begin.elapsed().as_secs_f64()
    };
    seconds(1);
    let (far, near): (Vec<f64>, Vec<f64>) = (0..runs).map(|_| (seconds(FAR), seconds(1))).unzip();
    let against_near = Median::of_paired_ratios(&far, &near).value;
    Ok(FarScan { seconds: Median::of(far).value, against_near })
}

/// The plain batches of the figure on predicted ones.
const PLAIN: [usize; 3] = [1, 16, 128];

/// Multipliers and bounds of predicted batches: into how many parts a share is cut, and the smallest and largest batch.
const PREDICTED: [(usize, usize, usize); 6] =
    [(4, 1, 128), (16, 1, 128), (64, 1, 128), (16, 16, 128), (16, 1, 16), (16, 1, 2048)];

/// Section 3.3: a breadth-first search with batches that are as large in all phases, and with such as are predicted
/// from the phase before.
pub fn batches_of_bfs(bench: &Bench<'_>, size: Size) -> Result<Report, Failure> {
    let mut report =
        Report::new(format!("Breadth-first search by plain and predicted batches, {}", on_workers(bench.most())));
    report.note("throughput relative to batches of one vertex, and tasks");
    report.note("N: in all phases, batches of N vertices");
    report.note("share/P:A..B: P batches for a worker's share of the phase before, of A to B vertices");
    report.note("The paper finds predicted batches better, by less than in depth-first search.");
    let plain = PLAIN.map(Batches::Fixed).into_iter();
    let predicted = PREDICTED.into_iter().map(|(parts, least, most)| Batches::Predicted { parts, least, most });
    let case = |batches: Batches| {
        let case = Case::new(Algorithm::StashedBfs, bench.most());
        Case { label: batches.to_string(), options: Options { batches, ..case.options }, ..case }
    };
    let cases: Vec<Case> = plain.chain(predicted).chain([Batches::Adaptive]).map(case).collect();
    let graphs = three(size.of_xws_table_1());
    let found: Vec<Vec<Measured>> =
        graphs.iter().map(|graph| bench.measure(&graph.spec, Arrangement::Sorted, &cases)).collect::<Result<_, _>>()?;
    report.graphs(found.iter().map(|found| &found[0]));
    let throughput = |found: &[Measured], place: usize| found[0].against(&found[place]);
    let rows = cases.iter().enumerate().map(|(place, case)| {
        let own = found.iter().map(|found| ratio(throughput(found, place)));
        let tasks = found.iter().map(|found| grouped(found[place].count("tasks")));
        std::iter::once(case.label.clone()).chain(own).chain(tasks).collect()
    });
    let header = ["batches", "T", "K", "R", "tasks: T", "K", "R"];
    report.table(header.map(str::to_owned).to_vec(), rows.collect());
    report.panel(Panel {
        title: report.title.clone(),
        across: "batches".into(),
        names: cases.iter().map(|case| case.label.clone()).collect(),
        up: "throughput relative to batches of one vertex".into(),
        lines: graphs
            .iter()
            .zip(&found)
            .map(|(graph, found)| {
                (graph.name.to_owned(), (0..cases.len()).map(|place| throughput(found, place)).collect())
            })
            .collect(),
        ..Panel::default()
    });
    report.add(found.into_iter().flatten());
    Ok(report)
}
