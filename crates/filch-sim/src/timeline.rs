//! The activity of each worker over time, for a picture of a run.
//!
//! The time of the run is divided into at most [`COLUMNS`] columns of equal length, each of which records, for each
//! worker, how long the worker ran tasks and how long it slept. The length of the run is not known before its end, so a
//! column is one nanosecond long at first, and whenever the run outgrows the columns, each two become one of twice the
//! length. So nothing is rounded, sums over columns are exact, and the memory is bounded: 16 KiB per worker, however
//! long the run is.

use std::ops::Range;

/// The most columns. Half as many, which a long run has at least, are about what a screen shows side by side.
const COLUMNS: usize = 1024;

/// How a worker, or several together, spent a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// It ran tasks.
    pub runs_ns: u64,
    /// It looked for work: it visited others, asked, took, or paused between two looks.
    pub looks_ns: u64,
    /// It slept, or was woken and did not run yet.
    pub sleeps_ns: u64,
}

/// A column of a worker. In the rest of its length, the worker looked for work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Cell {
    runs_ns: u64,
    sleeps_ns: u64,
}

/// The activity of each worker of a run. Times are since the beginning of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    time_ns: u64,
    cells: Cells,
}

impl Timeline {
    /// T_P.
    pub fn time_ns(&self) -> u64 {
        self.time_ns
    }

    /// P.
    pub fn workers(&self) -> usize {
        self.cells.rows.len()
    }

    /// The number of columns, at most 1,024. A run of 512 ns or more has at least 512.
    pub fn columns(&self) -> usize {
        self.time_ns.div_ceil(self.cells.length_ns) as usize
    }

    /// The length of all columns but the last one, which ends with the run.
    pub fn column_ns(&self) -> u64 {
        self.cells.length_ns
    }

    /// From when to when a column is.
    pub fn column(&self, column: usize) -> Range<u64> {
        let begin_ns = column as u64 * self.cells.length_ns;
        begin_ns..(begin_ns + self.cells.length_ns).min(self.time_ns)
    }

    /// How these workers spent a column, together.
    ///
    /// # Panics
    ///
    /// If there are not so many workers.
    pub fn spent(&self, workers: Range<usize>, column: usize) -> Spent {
        let Range { start, end } = self.column(column);
        let mut spent = Spent { looks_ns: (end - start) * workers.len() as u64, ..Spent::default() };
        for row in &self.cells.rows[workers] {
            let Cell { runs_ns, sleeps_ns } = row.get(column).copied().unwrap_or_default();
            spent.runs_ns += runs_ns;
            spent.sleeps_ns += sleeps_ns;
        }
        spent.looks_ns = spent.looks_ns.saturating_sub(spent.runs_ns + spent.sleeps_ns);
        spent
    }
}

/// The columns of all workers, each up to the last one that is not empty.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cells {
    length_ns: u64,
    rows: Vec<Vec<Cell>>,
}

impl Cells {
    /// Adds a time to the columns of a worker. Takes time in proportion to the number of columns that it touches.
    fn add(&mut self, worker: usize, Range { mut start, end }: Range<u64>, part: impl Fn(&mut Cell) -> &mut u64) {
        if start >= end {
            return;
        }
        while end > COLUMNS as u64 * self.length_ns {
            self.halve();
        }
        let row = &mut self.rows[worker];
        let columns = end.div_ceil(self.length_ns) as usize;
        if row.len() < columns {
            row.resize(columns, Cell::default());
        }
        while start < end {
            let column = start / self.length_ns;
            let next = end.min((column + 1) * self.length_ns);
            *part(&mut row[column as usize]) += next - start;
            start = next;
        }
    }

    /// Makes one column of each two.
    fn halve(&mut self) {
        self.length_ns *= 2;
        for row in &mut self.rows {
            for place in 0..row.len().div_ceil(2) {
                let [one, other] = [2 * place, 2 * place + 1].map(|half| row.get(half).copied().unwrap_or_default());
                row[place] = Cell { runs_ns: one.runs_ns + other.runs_ns, sleeps_ns: one.sleeps_ns + other.sleeps_ns };
            }
            row.truncate(row.len().div_ceil(2));
        }
    }
}

/// Records it while the run is simulated. Times are those of the clock.
pub(crate) struct Recorder {
    began_ns: u64,
    cells: Cells,
    /// Since when each worker sleeps.
    asleep_since_ns: Vec<Option<u64>>,
}

impl Recorder {
    /// A run that begins now; the caller runs, and all others sleep.
    pub(crate) fn new(workers: usize, began_ns: u64) -> Self {
        // A row that grew by itself would take up to twice as much.
        let rows = (0..workers).map(|_| Vec::with_capacity(COLUMNS)).collect();
        let cells = Cells { length_ns: 1, rows };
        Recorder { began_ns, cells, asleep_since_ns: (0..workers).map(|who| (who > 0).then_some(began_ns)).collect() }
    }

    /// A worker has run tasks.
    pub(crate) fn ran(&mut self, who: usize, time_ns: Range<u64>) {
        self.cells.add(who, self.since_begin(time_ns), |cell| &mut cell.runs_ns);
    }

    /// A worker falls asleep. If it is woken before that, it does not sleep.
    pub(crate) fn falls_asleep(&mut self, who: usize, at_ns: u64) {
        self.asleep_since_ns[who] = Some(at_ns);
    }

    /// A worker runs again, if it has slept.
    pub(crate) fn wakes(&mut self, who: usize, at_ns: u64) {
        if let Some(since_ns) = self.asleep_since_ns[who].take() {
            self.cells.add(who, self.since_begin(since_ns..at_ns), |cell| &mut cell.sleeps_ns);
        }
    }

    /// The run is over.
    pub(crate) fn end(mut self, end_ns: u64) -> Timeline {
        (0..self.asleep_since_ns.len()).for_each(|who| self.wakes(who, end_ns));
        Timeline { time_ns: end_ns - self.began_ns, cells: self.cells }
    }

    fn since_begin(&self, Range { start, end }: Range<u64>) -> Range<u64> {
        start - self.began_ns..end - self.began_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_become_longer_with_the_run_and_lose_nothing() {
        for time_ns in [0, 1, 1_000, 1_024, 1_025, 4_096, 1_000_003] {
            let mut recorder = Recorder::new(2, 50);
            for begin in (0..time_ns).step_by(10) {
                recorder.ran(0, 50 + begin..50 + (begin + 7).min(time_ns));
            }
            let timeline = recorder.end(50 + time_ns);
            let columns = timeline.columns();
            assert!(columns <= COLUMNS && columns as u64 >= time_ns.min(COLUMNS as u64 / 2), "{time_ns}: {columns}");
            let ran: u64 = (0..columns).map(|column| timeline.spent(0..1, column).runs_ns).sum();
            assert_eq!(ran, (0..time_ns).filter(|ns| ns % 10 < 7).count() as u64, "{time_ns}");
            for column in 0..columns {
                let Range { start, end } = timeline.column(column);
                let asleep = Spent { sleeps_ns: end - start, ..Spent::default() };
                assert_eq!(timeline.spent(1..2, column), asleep, "{time_ns}");
            }
        }
    }
}
