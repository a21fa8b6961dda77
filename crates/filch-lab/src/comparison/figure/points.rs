//! The rows of a comparison, as points of the two panels.

use filch_bench::comparison::row::Row;
use filch_bench::measure::median::Median;
use filch_bench::measure::ratio::Ratio;
use filch_bench::measure::runner::SERIAL;
use filch_kernels::Extent;

/// A program at some size: one band of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Subject {
    /// The program.
    pub(super) program: &'static str,
    /// Its size.
    pub(super) size: Extent,
}

/// What the picture shows, without its layout.
#[derive(Debug)]
pub(super) struct Points {
    /// The bands, from top to bottom.
    pub(super) subjects: Vec<Subject>,
    /// The names of the runners, in the order of the legend.
    pub(super) runners: Vec<String>,
    /// The largest number of workers, the only one that the speed-up panel shows.
    pub(super) workers: usize,
    /// The points of the speed-up panel, Ts/Tp.
    pub(super) speed_up: Vec<Point>,
    /// The points of the overhead panel, T1/Ts.
    pub(super) overhead: Vec<Point>,
}

/// The result of one runner for one program.
#[derive(Debug, PartialEq)]
pub(super) struct Point {
    /// The index of the program in [`Points::subjects`].
    pub(super) subject: usize,
    /// The index of the runner in [`Points::runners`].
    pub(super) runner: usize,
    /// The ratio with its interval; `None` if a result was wrong.
    pub(super) ratio: Option<Median>,
}

impl Points {
    /// The points of those rows that have been compared with the serial program.
    pub(super) fn of(rows: &[Row]) -> Self {
        let compared: Vec<&Row> = rows.iter().filter(|row| row.speedup.is_some()).collect();
        let mut points = Self {
            subjects: Vec::new(),
            runners: Vec::new(),
            workers: compared.iter().map(|row| row.workers).max().unwrap_or(1),
            speed_up: Vec::new(),
            overhead: Vec::new(),
        };
        for row in compared {
            let subject = place(&mut points.subjects, Subject { program: row.program, size: row.extent() });
            let runner = place(&mut points.runners, row.runner.clone());
            let ratio = row.ratio(SERIAL).filter(|_| is_right(row, rows));
            if row.workers == points.workers {
                points.speed_up.push(Point { subject, runner, ratio: ratio.map(reciprocal) });
            }
            if row.workers == 1 {
                points.overhead.push(Point { subject, runner, ratio: ratio.map(median) });
            }
        }
        points
    }
}

/// The index of `item` in `list`. Adds the item if it is not there.
fn place<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    list.iter().position(|other| *other == item).unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    })
}

/// Whether the results of the row were right, and those of the serial program with which it is compared.
fn is_right(row: &Row, rows: &[Row]) -> bool {
    let is_its_serial =
        |other: &&Row| other.runner == SERIAL && (other.program, other.extent()) == (row.program, row.extent());
    row.verified && rows.iter().find(is_its_serial).is_none_or(|serial| serial.verified)
}

fn median(&Ratio { median, low, high, .. }: &Ratio) -> Median {
    Median { value: median, low, high }
}

/// The inverse ratio. Its lower end is the inverse of the upper end, and vice versa.
fn reciprocal(&Ratio { median, low, high, .. }: &Ratio) -> Median {
    Median { value: median.recip(), low: high.recip(), high: low.recip() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_bench::comparison::examples::row;

    #[test]
    fn speed_up_is_that_of_most_workers_and_overhead_that_of_one() {
        let rows = [
            row("fib", "serial", 1, None),
            row("fib", "filch:default", 1, Some([1.0, 1.25, 2.0])),
            row("fib", "filch:default", 2, Some([0.5, 0.625, 0.8])),
            row("fib", "filch:default", 4, Some([0.25, 0.4, 0.5])),
            row("queens", "rayon", 4, Some([0.5, 0.5, 0.5])),
        ];
        let points = Points::of(&rows);
        assert_eq!(points.workers, 4);
        assert_eq!(points.subjects.iter().map(|subject| subject.program).collect::<Vec<_>>(), ["fib", "queens"]);
        assert_eq!(points.runners, ["filch:default", "rayon"]);
        let point = |subject, runner, [low, value, high]: [f64; 3]| Point {
            subject,
            runner,
            ratio: Some(Median { value, low, high }),
        };
        assert_eq!(points.speed_up, [point(0, 0, [2.0, 2.5, 4.0]), point(1, 1, [2.0, 2.0, 2.0])]);
        assert_eq!(points.overhead, [point(0, 0, [1.0, 1.25, 2.0])]);
    }

    #[test]
    fn nothing_is_compared_with_a_wrong_result() {
        let mut rows = [row("fib", "serial", 1, None), row("fib", "rayon", 1, Some([1.0; 3]))];
        rows[0].verified = false;
        assert_eq!(Points::of(&rows).overhead, [Point { subject: 0, runner: 0, ratio: None }]);
        rows[0].verified = true;
        rows[1].verified = false;
        assert_eq!(Points::of(&rows).overhead, [Point { subject: 0, runner: 0, ratio: None }]);
        rows[1].verified = true;
        assert!(Points::of(&rows).overhead[0].ratio.is_some());
    }
}
