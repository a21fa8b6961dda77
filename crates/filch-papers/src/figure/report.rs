//! The contents of a figure: notes, tables, panels, and all measurements.

use std::io::{self, Write};

use super::measure::Measured;
use crate::chart::Panel;
use filch_bench::show::numbers::{decimals, grouped, seconds};
use filch_bench::show::table::{plain_table, text};
use filch_lab::graphs::report::count;

/// The contents of a figure.
#[derive(Debug, Default)]
pub struct Report {
    /// Its title.
    pub title: String,
    notes: Vec<String>,
    tables: Vec<String>,
    /// Its panels, if it can be drawn.
    pub panels: Vec<Panel>,
    /// All that was measured.
    pub measured: Vec<Measured>,
}

impl Report {
    /// A report without contents.
    pub fn new(title: String) -> Self {
        Self { title, ..Self::default() }
    }

    /// Explains a word.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// Says which graphs these were measured on.
    pub fn graphs<'m>(&mut self, measured: impl IntoIterator<Item = &'m Measured>) {
        for Measured { graph, vertices, edges, .. } in measured {
            let [vertices, edges] = [vertices, edges].map(|count| grouped(*count as u64));
            self.note(format!("{graph}: {vertices} vertices, {edges} edges"));
        }
    }

    /// Adds a table.
    pub fn table(&mut self, header: Vec<String>, rows: Vec<Vec<String>>) {
        let mut table = plain_table(header);
        table.add_rows(rows);
        self.tables.push(text(table));
    }

    /// Adds a panel.
    pub fn panel(&mut self, panel: Panel) {
        self.panels.push(panel);
    }

    /// Adds what was measured.
    pub fn add(&mut self, measured: impl IntoIterator<Item = Measured>) {
        self.measured.extend(measured);
    }

    /// Shows everything but the panels. `medians` says what the numbers are medians of.
    pub fn show(&self, medians: &str, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}\n({medians})\n", self.title)?;
        self.notes.iter().try_for_each(|note| writeln!(out, "{note}"))?;
        self.tables.iter().try_for_each(|table| writeln!(out, "\n{table}"))
    }
}

/// A time, or nothing.
pub fn time(time: Option<f64>) -> String {
    time.map_or(String::new(), seconds)
}

/// A ratio, or nothing.
pub fn ratio(ratio: Option<f64>) -> String {
    ratio.map_or(String::new(), |ratio| format!("{ratio:.2}"))
}

/// `on 1 worker`, `on 2 workers`.
pub fn on_workers(workers: usize) -> String {
    format!("on {}", count(workers, "worker", "workers"))
}

/// A number of per cent.
pub fn percent(number: f64) -> String {
    format!("{number:.*} %", decimals(number).min(1))
}
