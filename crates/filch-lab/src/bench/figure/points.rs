//! What is drawn where: the rows as points of two panels.

use crate::bench::row::{Ratio, Row};
use crate::bench::runner::SERIAL;
use crate::stats::Median;

/// A program at a size: a line of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Subject {
    /// The program.
    pub(super) program: &'static str,
    /// Its size.
    pub(super) n: u64,
}

/// The picture without its looks.
#[derive(Debug)]
pub(super) struct Points {
    /// The lines, from top to bottom.
    pub(super) subjects: Vec<Subject>,
    /// The names of the runners, in the order of the legend.
    pub(super) runners: Vec<String>,
    /// The largest number of workers, for which speed-up is shown.
    pub(super) workers: usize,
    /// Ts/Tp.
    pub(super) speed_up: Vec<Point>,
    /// T1/Ts.
    pub(super) overhead: Vec<Point>,
}

/// What one runner did with one program.
#[derive(Debug, PartialEq)]
pub(super) struct Point {
    /// The place of the program among the lines.
    pub(super) subject: usize,
    /// The place of the runner in the legend.
    pub(super) runner: usize,
    /// The ratio with its interval; nothing if a result was wrong.
    pub(super) ratio: Option<Median>,
}

impl Points {
    /// The points of these rows: of those runners that have been compared with the serial program.
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
            let subject = place(&mut points.subjects, Subject { program: row.program, n: row.n });
            let runner = place(&mut points.runners, row.runner.clone());
            let ratio = row.ratios.iter().find(|ratio| ratio.against == SERIAL).filter(|_| is_right(row, rows));
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

/// The place of an item in a list, to which it is added if it is not there.
fn place<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    list.iter().position(|other| *other == item).unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    })
}

/// Whether its results were right, and those of the serial program with which it is compared.
fn is_right(row: &Row, rows: &[Row]) -> bool {
    let is_its_serial = |other: &&Row| other.runner == SERIAL && (other.program, other.n) == (row.program, row.n);
    row.verified && rows.iter().find(is_its_serial).is_none_or(|serial| serial.verified)
}

fn median(&Ratio { median, low, high, .. }: &Ratio) -> Median {
    Median { value: median, low, high }
}

/// Theirs / own of own / theirs: the ends change places.
fn reciprocal(&Ratio { median, low, high, .. }: &Ratio) -> Median {
    Median { value: median.recip(), low: high.recip(), high: low.recip() }
}

#[cfg(test)]
mod tests {
    use super::super::tests::row;
    use super::*;

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
