//! Figures 10 to 13 and tables 2 and 3 of Yasugi, Hiraishi, Umatani and Yuasa (2012).
//!
//! Edges are in linked lists in random order, and vertices are claimed with a fence, as in the paper's programs.

use filch_bench::failure::Failure;
use filch_bench::show::numbers::grouped;

use crate::trees::{Algorithm, Claims, Options};

use super::measure::{Bench, Case, Measured};
use super::printed::{Lists, Run, TABLE_2, TABLE_3};
use super::report::{Report, on_workers, percent, ratio, time};
use super::size::{Named, Size};
use crate::arranged::Arrangement;
use crate::chart::Panel;

/// The parallel programs of bounded depth.
const FORMS: [Algorithm; 4] =
    [Algorithm::ShortTerm, Algorithm::LongTerm, Algorithm::LongTermHalves, Algorithm::Synched];

/// Figure 10: the time on all workers, with and without a bound.
pub fn figure_10(bench: &Bench<'_>, size: Size) -> Result<Report, Failure> {
    let mut report = Report::new(format!("Time with and without a bound on the depth, {}", on_workers(bench.most())));
    report.note("unbounded: stops where it would overflow the stack of a thread (8 MiB), at that depth");
    let programs = [Algorithm::Unbounded, Algorithm::ShortTerm, Algorithm::LongTerm];
    let cases = programs.map(|algorithm| Case::new(algorithm, bench.most()));
    for (family, sizes) in size.of_figure_10() {
        let mut header = vec![family.to_owned(), "vertices".into()];
        header.extend(programs.map(|algorithm| algorithm.to_string()));
        header.extend(["stages".into(), "bounded / unbounded".into()]);
        let (mut rows, mut all) = (Vec::new(), Vec::new());
        for n in &sizes {
            let found = bench.measure(&format!("{family}({n})"), Arrangement::Linked, &cases)?;
            let [unbounded, _, long] = &found[..] else { unreachable!("there are three programs") };
            let mut row = vec![n.to_string(), grouped(long.vertices as u64)];
            row.extend(found.iter().map(|one| match one.exhausted_at_depth {
                Some(depth) => format!("stack at {}", grouped(depth as u64)),
                None => time(one.median()),
            }));
            row.extend([grouped(long.count("stages")), ratio(long.against(unbounded))]);
            rows.push(row);
            all.push(found);
        }
        report.table(header, rows);
        let line = |place: usize| all.iter().map(|found| found[place].median()).collect();
        report.panel(Panel {
            title: format!("{family}(N)"),
            across: "N".into(),
            names: sizes.iter().map(ToString::to_string).collect(),
            up: "time in seconds".into(),
            lines: programs.iter().enumerate().map(|(place, name)| (name.to_string(), line(place))).collect(),
            ..Panel::default()
        });
        report.add(all.into_iter().flatten());
    }
    Ok(report)
}

/// Figure 11: the time on one worker, against the serial traversal with a stack.
pub fn figure_11(bench: &Bench<'_>, size: Size) -> Result<Report, Failure> {
    let mut report = Report::new("Time on one worker / that of the serial traversal with a stack".into());
    report.note("cas: vertices are claimed by a compare-exchange; membar: by a store and a fence");
    let both = |algorithm| {
        [(Claims::Exchange, "cas"), (Claims::Fence, "membar")]
            .map(|(claims, word)| Case::new(algorithm, 1).by(claims, word))
    };
    let mut cases = vec![Case::serial(Algorithm::Stack), Case::serial(Algorithm::Staged)];
    cases.extend(both(Algorithm::Staged));
    cases.extend(FORMS.into_iter().flat_map(both));
    against_stack(bench, &size.four(), &cases, &mut report, "time / serial", |own, stack| own.against(stack))?;
    Ok(report)
}

/// Figure 12: the speed-up over the serial traversal with a stack.
pub fn figure_12(bench: &Bench<'_>, size: Size) -> Result<Report, Failure> {
    let mut report = Report::new("Speed-up over the serial traversal with a stack".into());
    report.note("help-first: a task for each vertex; copied-half: two workers may get a vertex (7.1)");
    let programs = [&FORMS[..], &[Algorithm::HelpFirst, Algorithm::CopiedHalf]].concat();
    let mut cases = vec![Case::serial(Algorithm::Stack)];
    for &algorithm in &programs {
        for workers in bench.workers() {
            let case = Case::new(algorithm, workers);
            cases.push(Case { label: format!("{algorithm} P={workers}"), ..case });
        }
    }
    let graphs = size.four();
    let by_graph =
        against_stack(bench, &graphs, &cases, &mut report, "", |own, stack| own.against(stack).map(f64::recip))?;
    report.panels.clear();
    for (graph, found) in graphs.iter().zip(&by_graph) {
        let workers = bench.workers();
        let lines = programs.iter().enumerate().map(|(form, algorithm)| {
            let own = &found[1 + form * workers.len()..][..workers.len()];
            let speed_up = |one: &Measured| one.against(&found[0]).map(f64::recip);
            (algorithm.to_string(), own.iter().map(speed_up).collect())
        });
        report.panel(Panel {
            title: graph.spec.clone(),
            across: "workers".into(),
            names: workers.iter().map(ToString::to_string).collect(),
            up: "speed-up".into(),
            lines: lines.collect(),
            ..Panel::default()
        });
    }
    Ok(report)
}

/// Measures the programs, the first of which is the serial one, on the graphs. Shows `value` for each, and returns what
/// was measured by graph.
fn against_stack(
    bench: &Bench<'_>,
    graphs: &[Named],
    cases: &[Case],
    report: &mut Report,
    up: &str,
    value: impl Fn(&Measured, &Measured) -> Option<f64>,
) -> Result<Vec<Vec<Measured>>, Failure> {
    let by_graph: Vec<Vec<Measured>> =
        graphs.iter().map(|graph| bench.measure(&graph.spec, Arrangement::Linked, cases)).collect::<Result<_, _>>()?;
    let mut header = vec!["program".to_owned()];
    header.extend(graphs.iter().map(|graph| graph.name.to_owned()));
    let mut rows = vec![std::iter::once("time of stack".to_owned()).collect::<Vec<_>>()];
    rows[0].extend(by_graph.iter().map(|found| time(found[0].median())));
    let mut lines = Vec::new();
    for (place, case) in cases.iter().enumerate().skip(1) {
        let values: Vec<Option<f64>> = by_graph.iter().map(|found| value(&found[place], &found[0])).collect();
        let cells = std::iter::once(case.label.clone()).chain(values.iter().map(|value| ratio(*value)));
        rows.push(cells.collect());
        lines.push((case.label.clone(), values));
    }
    report.graphs(by_graph.iter().map(|found| &found[0]));
    report.table(header, rows);
    report.panel(Panel {
        title: String::new(),
        across: "graph".into(),
        names: graphs.iter().map(|graph| graph.name.to_owned()).collect(),
        up: up.into(),
        lines,
        ..Panel::default()
    });
    report.add(by_graph.iter().flatten().cloned());
    Ok(by_graph)
}

/// Figure 13: two meshes with a link.
pub fn figure_13(bench: &Bench<'_>, size: Size) -> Result<Report, Failure> {
    let spec = size.of_figure_13();
    let mut report = Report::new(format!("Two meshes with a link, {spec}: parallel to a depth only, and in stages"));
    report.note("alone: the vertices of the largest part that one worker traverses serially, of all");
    let limited = |limit: usize| {
        let case = Case::new(Algorithm::DepthLimited, 1);
        Case {
            label: format!("depth-limited({limit})"),
            options: Options { depth: Some(limit), ..case.options },
            ..case
        }
    };
    let programs = [limited(10), limited(30), Case::new(Algorithm::ShortTerm, 1), Case::new(Algorithm::LongTerm, 1)];
    let mut cases = vec![Case::serial(Algorithm::Stack)];
    for case in &programs {
        cases.extend(bench.workers().into_iter().map(|workers| Case { workers, ..case.clone() }));
    }
    let found = bench.measure(&spec, Arrangement::Linked, &cases)?;
    report.graphs([&found[0]]);
    let row = |one: &Measured| {
        let alone = one.count("largest_serial");
        vec![
            one.program.clone(),
            one.workers.to_string(),
            time(one.median()),
            ratio(one.against(&found[0]).map(f64::recip)),
            if alone > 0 { percent(100.0 * alone as f64 / one.vertices as f64) } else { String::new() },
            grouped(one.count("stages")),
        ]
    };
    let header = ["program", "P", "time", "speed-up", "alone", "stages"].map(str::to_owned).to_vec();
    report.table(header, found.iter().map(row).collect());
    let workers = bench.workers();
    let line = |(place, case): (usize, &Case)| {
        let own = &found[1 + place * workers.len()..][..workers.len()];
        (case.label.clone(), own.iter().map(|one| one.against(&found[0]).map(f64::recip)).collect())
    };
    report.panel(Panel {
        title: spec,
        across: "workers".into(),
        names: workers.iter().map(ToString::to_string).collect(),
        up: "speed-up over stack".into(),
        lines: programs.iter().enumerate().map(line).collect(),
        ..Panel::default()
    });
    report.add(found);
    Ok(report)
}

/// Table 2: the serial programs.
pub fn table_2(bench: &Bench<'_>, size: Size) -> Result<Report, Failure> {
    let mut report = Report::new("Serial times of figures 3 (stack) and 4 (stages)".into());
    report.note("paper: on a Xeon X5650 at 2.67 GHz, with its size of the graph");
    let cases = [Case::serial(Algorithm::Stack), Case::serial(Algorithm::Staged)];
    let header = ["graph", "vertices", "arcs", "stack", "in stages", "stages", "in paper", "in stages", "stages"];
    let mut rows = Vec::new();
    for (graph, Run { stack_s, staged_s, stages }) in size.four().iter().zip(TABLE_2) {
        let found = bench.measure(&graph.spec, Arrangement::Linked, &cases)?;
        let [stack, staged] = &found[..] else { unreachable!("there are two programs") };
        rows.push(vec![
            graph.name.to_owned(),
            grouped(stack.vertices as u64),
            grouped(2 * stack.edges as u64),
            time(stack.median()),
            time(staged.median()),
            grouped(staged.count("stages")),
            time(Some(stack_s)),
            time(Some(staged_s)),
            grouped(stages),
        ]);
        report.add(found);
    }
    report.table(header.map(str::to_owned).to_vec(), rows);
    Ok(report)
}

/// Table 3: overflowed vertices and allocations on all workers.
pub fn table_3(bench: &Bench<'_>, size: Size) -> Result<Report, Failure> {
    let mut report = Report::new(format!("Allocations for overflowed vertices, {}", on_workers(bench.most())));
    report.note("short-term: arrays of 3 vertices, Cilk in the paper; long-term: arrays of 600, Cilk");
    report.note("long-term-halves: the same where half of a row can move; Tascell in the paper");
    report.note("space: unused places of the arrays / used ones");
    report.note("time: against the first program of the graph");
    report.note("paper: on twelve workers, with its size of the graph");
    // Not by `SYNCHED`: the paper has one program of Cilk.
    let [forms @ .., _] = FORMS;
    let cases = forms.map(|algorithm| Case::new(algorithm, bench.most()));
    for (graph, printed) in size.four().iter().zip(TABLE_3) {
        let found = bench.measure(&graph.spec, Arrangement::Linked, &cases)?;
        let header = [graph.name, "time", "overflowed", "arrays", "space", "in paper", "arrays", "space"];
        let row = |(one, (overflowed, allocations, space)): (&Measured, Lists)| {
            vec![
                one.program.clone(),
                ratio(one.against(&found[0])),
                grouped(one.count("overflowed")),
                grouped(one.count("allocations")),
                percent(100.0 * one.count("unused") as f64 / one.count("overflowed").max(1) as f64),
                grouped(overflowed),
                grouped(allocations),
                percent(space),
            ]
        };
        let rows = found.iter().zip(printed).map(row).collect();
        report.table(header.map(str::to_owned).to_vec(), rows);
        report.add(found);
    }
    Ok(report)
}
