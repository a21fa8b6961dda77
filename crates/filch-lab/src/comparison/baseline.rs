//! A comparison beside an earlier one: which rows changed by more than noise.

use std::path::Path;

use comfy_table::Table;
use filch_bench::comparison::row::Row;
use filch_bench::comparison::summary::noise;
use filch_bench::failure::Failure;
use filch_bench::measure::machine::facts;
use filch_bench::measure::median::Median;
use filch_bench::measure::ratio::Ratio;
use filch_bench::measure::runner::{SERIAL, SERIAL_AGAIN};
use filch_bench::show::numbers::number_of;
use filch_bench::show::table::{plain_table, with_words};
use filch_text::read_text;
use serde::Deserialize;

/// The rows of an earlier `filch bench --format json`.
#[derive(Debug)]
pub struct Baseline {
    /// The name of the file.
    name: String,
    rows: Vec<Old>,
}

/// What is needed of an earlier row.
#[derive(Debug, Deserialize)]
struct Old {
    program: String,
    n: u64,
    columns: Option<u64>,
    grain: Option<u64>,
    runner: String,
    workers: usize,
    busy: usize,
    median_s: f64,
    min_s: f64,
    max_s: f64,
    ratios: Vec<Ratio>,
    verified: bool,
    /// Files of older versions name no machine.
    machine: Option<String>,
}

impl Old {
    /// Whether this is an earlier measurement of what `row` measures.
    fn is_of(&self, row: &Row) -> bool {
        let own = (&*self.program, self.n, self.columns, self.grain, &*self.runner, self.workers, self.busy);
        own == (row.program, row.n, row.columns, row.grain, &*row.runner, row.workers, row.busy)
    }

    /// Fails if a time or a ratio is not positive.
    fn check(&self) -> Result<(), String> {
        let times = [("median_s", self.median_s), ("min_s", self.min_s), ("max_s", self.max_s)];
        let ends = |ratio: &Ratio| [("median", ratio.median), ("low", ratio.low), ("high", ratio.high)];
        match times.into_iter().chain(self.ratios.iter().flat_map(ends)).find(|&(_, value)| value <= 0.0) {
            Some((name, value)) => Err(format!("{name} = {value}: expected a number above 0")),
            None => Ok(()),
        }
    }
}

/// What became of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Slower,
    Faster,
    Noise,
    New,
    Gone,
    Wrong,
    WasWrong,
}

impl Change {
    fn word(self) -> &'static str {
        match self {
            Self::Slower => "slower",
            Self::Faster => "faster",
            Self::Noise => "within noise",
            Self::New => "new",
            Self::Gone => "gone",
            Self::Wrong => "WRONG",
            Self::WasWrong => "was wrong before",
        }
    }
}

impl Baseline {
    /// Reads the file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is no file of `filch bench --format json`.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        /// A row takes about a kilobyte.
        const MOST_BYTES: u64 = 64 << 20;
        let file = read_text(path, MOST_BYTES).map_err(|error| Failure::Usage(format!("--baseline {error}")))?;
        let name = path.display().to_string();
        let refuse = |found: String| Failure::Usage(format!("--baseline {name}: {found}"));
        let rows: Vec<Old> = serde_json::from_str(&file)
            .map_err(|error| refuse(format!("expected the rows of `filch bench --format json`: {error}")))?;
        if rows.is_empty() {
            return Err(refuse("expected rows of `filch bench --format json`, found none".into()));
        }
        for (place, row) in (1..).zip(&rows) {
            row.check().map_err(|wrong| refuse(format!("row {place}, {} by {}: {wrong}", row.program, row.runner)))?;
        }
        Ok(Self { name, rows })
    }

    /// The rows beside the earlier ones, in words.
    pub fn compared(&self, rows: &[Row]) -> String {
        let header = ["program and runner", "P", "now / before", "noise", ""];
        let mut table = plain_table(header.map(str::to_owned).to_vec());
        let mut changes = Vec::new();
        // What is measured again of the same program is the noise.
        for row in rows.iter().filter(|row| row.runner != SERIAL_AGAIN) {
            let old = self.rows.iter().find(|old| old.is_of(row));
            let noise = self.noise(row, rows);
            let (change, ratio) = old.map_or((Change::New, None), |old| change(row, old, noise.unwrap_or(0.0)));
            let name = row.marked(&format!("{} {}", row.program, row.runner));
            add(&mut table, (name, row.workers), (ratio, noise.filter(|_| ratio.is_some())), change);
            changes.push(change);
        }
        let is_measured = |old: &&Old| rows.iter().any(|row| row.program == old.program);
        for old in self.rows.iter().filter(is_measured) {
            if old.runner != SERIAL_AGAIN && !rows.iter().any(|row| old.is_of(row)) {
                let name = format!("{} {}", old.program, old.runner);
                add(&mut table, (name, old.workers), (None, None), Change::Gone);
                changes.push(Change::Gone);
            }
        }
        let count = |change| changes.iter().filter(|&&it| it == change).count();
        let mut text = format!(
            "compared with {}\n{}{}\n\nnow / before is the time against that of the first peer that both have, and \
             for\nserial the time. It changed if its interval does not contain 1 and it is farther\nfrom 1 than \
             serial-again was from serial, now and before (noise).\n{} of {}: {} slower, {} faster; {} new, {} gone",
            self.name,
            self.note_on_machine(),
            with_words(table),
            number_of(count(Change::Slower) + count(Change::Faster), "change", "changes"),
            number_of(changes.len(), "row", "rows"),
            count(Change::Slower),
            count(Change::Faster),
            count(Change::New),
            count(Change::Gone),
        );
        let others = self.rows.iter().filter(|old| !is_measured(old)).count();
        if others > 0 {
            text += &format!("\n{} of other programs before", number_of(others, "row", "rows"));
        }
        text
    }

    fn note_on_machine(&self) -> String {
        let own = facts::in_short();
        let other = self.rows.iter().find(|old| old.machine.as_ref() != Some(&own));
        match other.map(|old| &old.machine) {
            None => String::new(),
            Some(None) => "note: the file does not name its machine\n".into(),
            Some(Some(other)) => format!("note: this is another machine\n  before: {other}\n  now:    {own}\n"),
        }
    }

    /// How far the serial program was from itself, in this program of `rows` and before.
    fn noise(&self, row: &Row, rows: &[Row]) -> Option<f64> {
        let before = self.rows.iter().find(|old| {
            (&*old.program, old.n, old.columns, &*old.runner) == (row.program, row.n, row.columns, SERIAL_AGAIN)
        });
        let before = before.and_then(|old| old.ratios.iter().find(|ratio| ratio.against == SERIAL));
        noise(row.program, row.extent(), rows).into_iter().chain(before.map(Ratio::distance)).reduce(f64::max)
    }
}

/// What became of a row, and its figure now divided by that before.
fn change(row: &Row, old: &Old, noise: f64) -> (Change, Option<Median>) {
    if !row.verified || !old.verified {
        return (if row.verified { Change::WasWrong } else { Change::Wrong }, None);
    }
    let before = |now: &Ratio| old.ratios.iter().find(|before| before.against == now.against);
    let ratio = match row.ratios.iter().find_map(|now| Some((now, before(now)?))) {
        Some((now, before)) => {
            Median { value: now.median / before.median, low: now.low / before.high, high: now.high / before.low }
        }
        // What is compared with nothing has no interval but its range.
        None => Median { value: row.median_s / old.median_s, low: row.min_s / old.max_s, high: row.max_s / old.min_s },
    };
    let is_clear = ratio.value.ln().abs() > (1.0 + noise).ln();
    let change = match ratio {
        Median { low, .. } if low > 1.0 && is_clear => Change::Slower,
        Median { high, .. } if high < 1.0 && is_clear => Change::Faster,
        _ => Change::Noise,
    };
    (change, Some(ratio))
}

fn add(
    table: &mut Table,
    (name, workers): (String, usize),
    (ratio, noise): (Option<Median>, Option<f64>),
    change: Change,
) {
    table.add_row([
        name,
        workers.to_string(),
        ratio.map_or(String::new(), |ratio| ratio.to_string()),
        noise.map_or(String::new(), |noise| format!("{:.0} %", 100.0 * noise)),
        change.word().to_owned(),
    ]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_bench::comparison::examples;

    fn rows(serial_again: [f64; 3], filch: [f64; 3]) -> Vec<Row> {
        vec![
            examples::row("fib", SERIAL, 1, None),
            examples::row("fib", SERIAL_AGAIN, 1, Some(serial_again)),
            examples::row("fib", "filch:default", 2, Some(filch)),
        ]
    }

    fn baseline(rows: &[Row]) -> Baseline {
        let mut rows: Vec<Old> = serde_json::from_slice(&serde_json::to_vec(rows).unwrap()).unwrap();
        rows.iter_mut().for_each(|row| row.machine = Some(facts::in_short()));
        Baseline { name: "old.json".into(), rows }
    }

    /// The word at the end of the row of Filch.
    fn found(now: &[Row], before: &[Row]) -> String {
        let text = baseline(before).compared(now);
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        let line = text.lines().find(|line| line.starts_with("fib filch:default ")).unwrap();
        line.rsplit("  ").next().unwrap().to_owned()
    }

    const QUIET: [f64; 3] = [0.99, 1.0, 1.01];

    #[test]
    fn a_row_changed_if_its_interval_excludes_1_and_it_is_beyond_the_noise() {
        let before = rows(QUIET, [0.49, 0.50, 0.51]);
        assert_eq!(found(&rows(QUIET, [0.58, 0.60, 0.62]), &before), "slower");
        assert_eq!(found(&rows(QUIET, [0.39, 0.40, 0.41]), &before), "faster");
        assert_eq!(found(&rows(QUIET, [0.40, 0.60, 0.80]), &before), "within noise");
        assert_eq!(found(&rows([0.70, 1.0, 1.02], [0.58, 0.60, 0.62]), &before), "within noise");
        assert_eq!(found(&rows(QUIET, [0.58, 0.60, 0.62]), &rows([0.8, 1.0, 1.3], [0.49, 0.50, 0.51])), "within noise");
        assert_eq!(found(&before, &before), "within noise");
    }

    #[test]
    fn what_is_new_gone_or_wrong_is_said_and_compared_with_nothing() {
        let before = rows(QUIET, [0.49, 0.50, 0.51]);
        assert_eq!(found(&before, &before[..2]), "new");
        let mut now = rows(QUIET, [0.1; 3]);
        now[2].verified = false;
        assert_eq!(found(&now, &before), "WRONG");
        assert_eq!(found(&before, &now), "was wrong before");
        let text = baseline(&before).compared(&now[..2]);
        assert!(text.contains("fib filch:default") && text.contains("1 gone"), "{text}");
        let text = baseline(&before).compared(&[examples::row("queens", SERIAL, 1, None)]);
        assert!(!text.contains("fib") && text.ends_with("3 rows of other programs before"), "{text}");
    }

    #[test]
    fn another_machine_is_named_and_an_unknown_one_noted() {
        let now = rows(QUIET, [0.5; 3]);
        let mut before = baseline(&now);
        let note = |before: &Baseline| before.note_on_machine();
        assert_eq!(note(&before), "");
        before.rows[1].machine = Some("a PDP-11, 1 core available".into());
        assert!(note(&before).contains("before: a PDP-11"), "{}", note(&before));
        before.rows[0].machine = None;
        assert!(note(&before).contains("does not name"), "{}", note(&before));
    }
}
