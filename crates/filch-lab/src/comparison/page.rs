//! A self-contained HTML page about a comparison: no scripts, no other files.

use std::env;
use std::time::SystemTime;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::plan::{Comparison, Peer, Task};
use super::row::Row;
use super::table::{explain, heading, tunings};
use super::{figure, summary};
use crate::measure::machine::facts;
use crate::measure::runner::SERIAL_AGAIN;
use crate::show::numbers::seconds;

/// The contents of the page.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// What was compared, and how.
    pub comparison: &'a Comparison,
    /// The programs and their sizes.
    pub tasks: &'a [Task],
    /// The figures.
    pub rows: &'a [Row],
    /// When the comparison started.
    pub begun: SystemTime,
}

/// Forbids loading anything from elsewhere, whatever the page contains.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

const STYLE: &str = "\
body { font: 15px/1.5 sans-serif; max-width: 1040px; margin: 2em auto; padding: 0 1em; color: #111; background: #fff }
svg { max-width: 100%; height: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: .5em 0 }
th, td { padding: .15em .8em; text-align: right; border-bottom: 1px solid #ddd }
th:first-child, td:first-child { text-align: left; padding-left: 0 }
dt { float: left; clear: left; width: 8em; color: #555 } dd { margin-left: 8em }
.noise { color: #777 } .wrong { color: #b00; font-weight: bold }
pre { overflow-x: auto }";

impl Page<'_> {
    /// The whole page.
    pub fn to_html(&self) -> String {
        let title = "filch bench";
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(POLICY);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (title) }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    h1 { (title) }
                    (self.about())
                    (self.verdict())
                    (self.picture())
                    h2 { "What the tables show" }
                    pre { (self.explanation()) }
                    @for task in self.tasks { (self.program(task)) }
                }
            }
        };
        page.into_string()
    }

    fn about(&self) -> Markup {
        let Comparison { schedulers, workers, runs, .. } = self.comparison;
        let schedulers: Vec<String> = schedulers.iter().map(ToString::to_string).collect();
        let workers: Vec<String> = workers.iter().map(ToString::to_string).collect();
        let lines = [
            ("Machine", facts::in_short()),
            ("Workers", workers.join(", ")),
            ("Scheduler", schedulers.join("; ")),
            ("Runs", runs.to_string()),
            ("Begun", humantime::format_rfc3339_seconds(self.begun).to_string()),
            ("Version", env!("CARGO_PKG_VERSION").into()),
        ];
        html! {
            dl {
                @for (name, value) in lines { dt { (name) } dd { (value) } }
                dt { "Command" } dd { code { (command_line()) } }
            }
        }
    }

    fn verdict(&self) -> Markup {
        let wrong = self.rows.iter().filter(|row| !row.verified).count();
        html! {
            @if wrong == 0 { p { "The results of all " (self.rows.len()) " rows are verified." } }
            @else { p.wrong { "Of " (self.rows.len()) " rows " (wrong) " had a WRONG result." } }
        }
    }

    fn picture(&self) -> Markup {
        html! {
            @if self.comparison.against.contains(&Peer::Serial) {
                (PreEscaped(figure::draw(self.comparison, self.rows)))
            } @else {
                p { "There is no picture: it shows times relative to the serial program, which did not take part." }
            }
        }
    }

    /// The explanation that the terminal shows too.
    fn explanation(&self) -> String {
        let mut words = Vec::new();
        explain(self.comparison, &mut words).expect("writing into memory does not fail");
        String::from_utf8(words).expect("it is written in UTF-8")
    }

    fn program(&self, task: &Task) -> Markup {
        let is_of_task = |row: &Row| (row.program, row.extent()) == (task.program.name, task.n);
        let mut programs = self.rows.chunk_by(|row, next| (row.program, row.extent()) == (next.program, next.extent()));
        let rows = programs.find(|rows| is_of_task(&rows[0])).unwrap_or_default();
        let heading = heading(task, rows);
        let mut lines = heading.lines();
        html! {
            h2 { (lines.next().unwrap_or_default()) }
            @for line in lines { p { (line) } }
            (table(rows))
            @for line in tunings(rows) { p { (line) } }
            @if rows.iter().any(|row| row.runner == SERIAL_AGAIN) {
                p.noise {
                    (SERIAL_AGAIN) " is the serial program, measured a second time. Its time was within "
                    (summary::noise(task.program.name, task.n, rows))
                    " of the first (" (summary::interval(rows)) "): this is the noise of this machine. "
                    "Smaller differences mean nothing."
                }
            }
            @if self.comparison.counters { (counters(rows)) }
        }
    }
}

/// The table of one program.
fn table(rows: &[Row]) -> Markup {
    let mut compared: Vec<&str> = Vec::new();
    for ratio in rows.iter().flat_map(|row| &row.ratios) {
        if !compared.contains(&ratio.against.as_str()) {
            compared.push(&ratio.against);
        }
    }
    let has_instructions = rows.iter().any(|row| row.instructions_per_fork.is_some());
    html! {
        table {
            tr {
                @for name in ["runner", "P", "time", "shortest", "longest"] { th { (name) } }
                @for name in &compared { th { "against " (name) } }
                @if has_instructions { th { "instructions per fork" } }
                th { "results" }
            }
            @for row in rows {
                tr class=[(row.runner == SERIAL_AGAIN).then_some("noise")] {
                    td { (row.runner) }
                    td { (row.workers) }
                    @for time in [row.median_s, row.min_s, row.max_s] { td { (seconds(time)) } }
                    @for name in &compared { td { @if let Some(ratio) = row.ratio(name) { (ratio) } } }
                    @if has_instructions {
                        td { @if let Some(number) = row.instructions_per_fork { (format!("{number:.2}")) } }
                    }
                    @if row.verified { td { "verified" } } @else { td.wrong { "WRONG" } }
                }
            }
        }
    }
}

/// The runtime's counters.
fn counters(rows: &[Row]) -> Markup {
    let counted: Vec<&Row> = rows.iter().filter(|row| !row.counters.is_empty()).collect();
    let names = counted.first().map_or(&[][..], |row| &row.counters);
    html! {
        table {
            tr {
                th { "counted over all runs" }
                @for row in &counted { th { (row.runner) " P=" (row.workers) } }
            }
            @for (place, (name, _)) in names.iter().enumerate() {
                tr { td { (name) } @for row in &counted { td { (row.counters[place].1) } } }
            }
        }
    }
}

/// The command line, preceded by the environment variables that affect it.
fn command_line() -> String {
    let settings = ["FILCH_WORKERS", "FILCH_SCHEDULER", "FILCH_TOPOLOGY"].into_iter().filter_map(|name| {
        let value = env::var_os(name)?;
        Some(format!("{name}={}", shell_words::quote(&value.to_string_lossy())))
    });
    let arguments = env::args_os().skip(1).map(|argument| shell_words::quote(&argument.to_string_lossy()).into_owned());
    let words: Vec<String> = settings.chain(["filch".to_owned()]).chain(arguments).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::examples::row;
    use crate::measure::pools::Pools;
    use crate::measure::programs::find_program;
    use filch::Scheduler;

    fn page(rows: &[Row], against: Vec<Peer>) -> String {
        let comparison = Comparison {
            pools: Pools::default(),
            schedulers: vec![Scheduler::default()],
            workers: vec![1],
            against,
            grain: None,
            busy: 0,
            runs: 21,
            json: None,
            svg: None,
            html: None,
            details: true,
            counters: true,
            instructions: false,
        };
        let task = Task { program: find_program("fib").unwrap(), size: "small", n: rows[0].extent(), grains: None };
        Page { comparison: &comparison, tasks: &[task], rows, begun: SystemTime::UNIX_EPOCH }.to_html()
    }

    #[test]
    fn the_page_needs_nothing_else() {
        let page = page(&[row("fib", "rayon", 1, Some([1.0; 3]))], vec![Peer::Serial]);
        assert!(page.contains("1970-01-01T00:00:00Z") && page.contains("<svg"), "{page}");
        for outside in ["<script", "<link", "<img", "src=", "url(", "@import", "href="] {
            assert!(!page.contains(outside), "{outside}: {page}");
        }
        // The namespace of SVG is only a name; nothing is loaded from it.
        assert_eq!(page.matches("://").count(), page.matches("http://www.w3.org/2000/svg").count(), "{page}");
    }

    #[test]
    fn what_others_have_named_is_text_and_no_markup() {
        let page = page(&[row("fib", "<b>&\"'</b>", 1, Some([1.0; 3]))], vec![Peer::Serial]);
        assert!(!page.contains("<b>") && page.matches("&lt;b&gt;&amp;").count() >= 2, "{page}");
    }

    #[test]
    fn a_wrong_result_is_reported_above_and_in_its_row() {
        let mut rows = [row("fib", "serial", 1, None), row("fib", "rayon", 1, Some([1.0; 3]))];
        assert!(page(&rows, vec![Peer::Serial]).contains("The results of all 2 rows are verified."));
        rows[1].verified = false;
        let page = page(&rows, vec![Peer::Rayon]);
        assert!(page.contains("Of 2 rows 1 had a WRONG result."), "{page}");
        assert_eq!(page.matches("<td class=\"wrong\">WRONG</td>").count(), 1, "{page}");
        assert_eq!(page.matches("<td>verified</td>").count(), 1, "{page}");
        assert!(page.contains("There is no picture"), "{page}");
    }
}
