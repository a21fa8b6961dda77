//! Figures 6 and 8 of Frigo, Leiserson and Randall (1998).

use filch_bench::failure::Failure;
use filch_bench::measure::median::Median;
use filch_bench::show::numbers::{scaled, seconds};
use filch_bench::show::progress::samples::Samples;
use filch_programs::knary::Knary;
use filch_sim::program::by_size;

use super::{Found, Setting, Simulated};
use crate::figure::printed::{CILK5_EXCEPTION, CILK5_OVERHEAD, FIGURE_6, Performance};
use crate::figure::report::{Report, ratio};
use crate::knary::fit::{self, Point};
use crate::knary::{SHAPES, tallest};
use filch_lab::show::picture::normalised::{self, Mark};

/// The default numbers of workers of figure 8: the paper's, and more.
const USUAL_WORKERS: [usize; 4] = [8, 64, 1024, 4096];

/// The time of a unit of work in figure 8: longer than a fork by orders of magnitude, and shorter than a wake-up.
const UNIT_NS: u64 = 1_000;

/// Longer units, up to three times the cost of a take that is assumed.
const LONGER_NS: [u64; 3] = [5_000, 15_000, 50_000];

fn simulated(tree: Knary, unit_ns: u64) -> by_size::Knary {
    by_size::Knary::new(tree.height.into(), tree.degree, tree.serial, unit_ns)
}

fn name(Knary { height, degree, serial }: Knary) -> String {
    format!("knary({height}, {degree}, {serial})")
}

/// The runs as points of the fit.
fn point(tree: Knary, row: &Simulated) -> Point {
    Point::new(tree, row.workers, vec![row.t1(); row.time_ns.len()], row.times().collect())
}

/// Figure 8: the normalised speed-up of knary trees, and c∞ of T_P = T1/P + c∞·T∞.
pub fn figure_8(setting: &Setting) -> Result<Found, Failure> {
    let mut report = Report::new(format!("Normalised speed-up of knary trees under {}", setting.scheduler));
    report.note(format!("knary(height, children, children in turn), a unit takes {}", seconds(UNIT_NS as f64 / 1e9)));
    report.note("P/P̄: workers / average parallelism; T∞/T_P: speed-up / average parallelism");
    report.note("formula: T∞/T_P if T_P = T1/P + T∞, the curve of the paper's figure");
    report.note("c∞: the factor for which T_P = T1/P + c∞·T∞. The longer a unit is beside a take and a wake-up,");
    report.note("the smaller it is; with units of several takes, it is that of the paper. Outside are then only");
    report.note("trees with P̄ far above P, because their T∞ is a small part of T1/P.");
    let workers = setting.workers_or(&USUAL_WORKERS);
    let longer = LONGER_NS.map(|unit_ns| (workers[0], unit_ns));
    let progress = Samples::new(SHAPES.len() * (workers.len() + longer.len()), setting.seeds);
    let (mut rows, mut table, mut fits) = (Vec::new(), Vec::new(), Vec::new());
    for (workers, unit_ns) in workers.iter().map(|&workers| (workers, UNIT_NS)).chain(longer) {
        let (own, points) = with_units(setting, unit_ns, workers, &progress)?;
        if unit_ns == UNIT_NS {
            table.extend(own.iter().zip(&points).map(|(row, point)| cells(row, point)));
        }
        fits.push(fit_of(workers, unit_ns, &points));
        rows.extend(own);
    }
    report.table(["P", "tree", "P̄", "P/P̄", "T∞/T_P", "formula", "c∞"].map(str::to_owned).to_vec(), table);
    let paper = format!("all but one, which has {CILK5_EXCEPTION}·T∞");
    fits.push(vec!["paper, 8".into(), String::new(), String::new(), paper]);
    let header = ["P", "unit", "c∞ fitted", &format!("T_P ≤ T1/P + {CILK5_OVERHEAD:.1}·T∞")];
    report.table(header.map(str::to_owned).to_vec(), fits);
    let marks: Vec<Mark> = rows[..SHAPES.len() * workers.len()].iter().map(mark).collect();
    let svg = normalised::draw(&report.title, &marks);
    Ok(Found { report, rows, svg: Some(svg) })
}

/// The trees with units of this length.
fn with_units(
    setting: &Setting,
    unit_ns: u64,
    workers: usize,
    progress: &Samples,
) -> Result<(Vec<Simulated>, Vec<Point>), Failure> {
    let runs = SHAPES.iter().map(|&(degree, serial)| {
        let tree = tallest(degree, serial, setting.size.of_knary());
        progress.begin(&format!("{} with units of {} on {workers}", name(tree), seconds(unit_ns as f64 / 1e9)));
        let row = setting.simulate(&simulated(tree, unit_ns), &setting.scheduler, workers, progress)?;
        let point = point(tree, &row);
        Ok((row, point))
    });
    runs.collect()
}

/// A row of the table of trees.
fn cells(row: &Simulated, point: &Point) -> Vec<String> {
    let size = row.workers as f64 / row.parallelism();
    vec![
        row.workers.to_string(),
        name(point.tree),
        scaled(row.parallelism()),
        scaled(size),
        format!("{:.3}", row.speed_up() / row.parallelism()),
        format!("{:.3}", size / (1.0 + size)),
        ratio(Some(point.overhead().value)),
    ]
}

/// A row of the table of fits.
fn fit_of(workers: usize, unit_ns: u64, points: &[Point]) -> Vec<String> {
    let points: Vec<&Point> = points.iter().collect();
    let fitted = fit::overhead(&points).map(|fitted| fitted.value);
    let (within, all) = fit::within(&points, CILK5_OVERHEAD);
    vec![workers.to_string(), seconds(unit_ns as f64 / 1e9), ratio(fitted), format!("{within} of {all}")]
}

fn mark(row: &Simulated) -> Mark {
    let Median { value, low, high } = row.seconds();
    Mark {
        series: format!("P = {}", row.workers),
        is_filled: true,
        workers: row.workers as f64,
        parallelism: row.parallelism(),
        speed_up: [high, value, low].map(|time| row.t1() / time),
    }
}

/// Figure 6: T1/T_8 of programs with the paper's T1 and T∞.
pub fn figure_6(setting: &Setting) -> Result<Found, Failure> {
    let workers = setting.workers_of_one(8)?;
    let mut report = Report::new(format!("T1/T_P from T1 and T∞, P = {workers}, under {}", setting.scheduler));
    report.note("Each program is replaced by the knary tree whose average parallelism is nearest,");
    report.note("with as much work. Of the program, only T1 and T∞ are left: no memory, no caches.");
    report.note("formula: T1/T_P if T_P = T1/P + T∞");
    let progress = Samples::new(FIGURE_6.len(), setting.seeds);
    let (mut rows, mut table) = (Vec::new(), Vec::new());
    for printed in &FIGURE_6 {
        progress.begin(printed.name);
        let &Performance { name: program, t1_s, span_s, speed_up, .. } = printed;
        let tree = nearest(t1_s / span_s, setting.size.of_knary());
        let unit_ns = (t1_s * 1e9 / tree.work() as f64).round() as u64;
        let simulated = simulated(tree, unit_ns.max(1));
        let row = setting.simulate(&simulated, &setting.scheduler, workers, &progress)?;
        table.push(vec![
            program.to_owned(),
            scaled(t1_s / span_s),
            name(tree),
            scaled(row.parallelism()),
            ratio(Some(row.speed_up())),
            ratio(Some(t1_s / (t1_s / workers as f64 + span_s))),
            if workers == 8 { format!("{speed_up:.1}") } else { String::new() },
        ]);
        rows.push(row);
    }
    let header = ["program", "P̄", "tree", "its P̄", "T1/T_P", "formula", "paper: T1/T8"];
    report.table(header.map(str::to_owned).to_vec(), table);
    let svg = normalised::draw(&report.title, &rows.iter().map(mark).collect::<Vec<_>>());
    Ok(Found { report, rows, svg: Some(svg) })
}

/// The largest degree of a tree that replaces a program.
const MOST_CHILDREN: u64 = 12;

/// The tree with at most so many nodes whose average parallelism is nearest.
fn nearest(parallelism: f64, nodes: u64) -> Knary {
    let degrees = 2..=MOST_CHILDREN;
    let shapes = degrees.flat_map(|degree| (0..degree).map(move |serial| (degree, serial)));
    let trees = shapes.flat_map(|(degree, serial)| {
        (1..=tallest(degree, serial, nodes).height).map(move |height| Knary { height, degree, serial })
    });
    let distance = |tree: &Knary| (tree.work() as f64 / tree.span() as f64 / parallelism).ln().abs();
    trees.min_by(|one, other| distance(one).total_cmp(&distance(other))).expect("there are trees")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::size::Size;
    use filch::Scheduler;
    use filch_sim::Costs;

    fn setting(workers: &[usize]) -> Setting {
        let (scheduler, costs) = (Scheduler::default(), Costs::ASSUMED);
        Setting { scheduler, costs, workers: workers.to_vec(), seeds: 1, size: Size::Tiny }
    }

    #[test]
    fn the_overhead_on_the_span_is_at_most_two_and_the_speed_up_is_below_both_asymptotes() {
        let all_workers = [8, 64, 1024];
        let trees = SHAPES.map(|(degree, serial)| tallest(degree, serial, Size::Tiny.of_knary()));
        let Found { rows, .. } = figure_8(&setting(&all_workers)).unwrap();
        for (workers, rows) in all_workers.into_iter().zip(rows.chunks(trees.len())) {
            let points: Vec<Point> = trees.iter().zip(rows).map(|(&tree, row)| point(tree, row)).collect();
            let fitted = fit::overhead(&points.iter().collect::<Vec<_>>()).unwrap().value;
            assert!((0.5..=2.0).contains(&fitted), "c∞ on {workers}: {fitted}");
            for row in rows {
                assert!(row.speed_up() <= (workers as f64).min(row.parallelism()), "{row:?}");
            }
            // From the left to the right, as in the figure: the less parallelism, the closer to T∞.
            let reached = |row: &Simulated| row.speed_up() / row.parallelism();
            assert!(reached(&rows[0]) < 0.5 && reached(&rows[trees.len() - 1]) > 0.6, "{rows:?}");
        }
    }

    #[test]
    fn where_a_unit_takes_longer_than_a_take_the_overhead_is_that_of_the_paper() {
        for scheduler in [Scheduler::default(), Scheduler::cilk5()] {
            let setting = Setting { scheduler, ..setting(&[]) };
            let (rows, points) = with_units(&setting, 50_000, 8, &Samples::hidden()).unwrap();
            assert!(fit::overhead(&points.iter().collect::<Vec<_>>()).unwrap().value <= CILK5_OVERHEAD, "{rows:?}");
            let has_little: Vec<&Point> = points.iter().filter(|point| point.average_parallelism() < 32.0).collect();
            let (within, all) = fit::within(&has_little, CILK5_OVERHEAD);
            assert!(within == all && all >= 6, "{rows:?}");
        }
    }

    #[test]
    fn figure_6_lies_within_the_paper_s_range_but_for_what_memory_costs_there() {
        let Found { rows, .. } = figure_6(&setting(&[])).unwrap();
        for (printed, row) in FIGURE_6.iter().zip(&rows) {
            let formula = printed.t1_s / (printed.t1_s / 8.0 + printed.span_s);
            assert!((5.6..=8.0).contains(&row.speed_up()), "{}: {row:?}", printed.name);
            assert!((row.speed_up() / formula - 1.0).abs() < 0.1, "{}: {row:?}", printed.name);
            // No program of the paper is faster than the model without memory, but for its noise of 10 %.
            assert!(printed.speed_up < 1.1 * row.speed_up(), "{}: {row:?}", printed.name);
        }
    }
}
