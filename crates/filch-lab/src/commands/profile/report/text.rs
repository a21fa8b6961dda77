//! The report as text, in lines of at most 80 columns.

use std::io::{self, Write};

use filch_bench::failure::Failure;
use filch_bench::measure::median::Median;
use filch_bench::show::numbers::{decimals, grouped, number_of, scaled, seconds};
use filch_bench::show::table::{plain_table, text};

use super::places::{Place, Site, notable};
use super::rows::Row;
use super::{Figures, Report};

/// The width of a line.
const COLUMNS: usize = 80;

/// The figures of a profile, each with its name and what it is.
pub(super) fn figures(report: &Report) -> Vec<[String; 3]> {
    let Figures { work_ns, span_ns, burdened_span_ns, burden_ns, largest_leaf_ns, leaf_ns, lost_ns, .. } =
        report.profile;
    let Figures { runs, parallelism, burdened_parallelism, forks, timed_forks, .. } = report.profile;
    let ns = |ns: u64| if ns == 0 { "0".into() } else { seconds(ns as f64 / 1e9) };
    let timed = 100.0 * timed_forks as f64 / forks.max(1) as f64;
    let runs = number_of(runs as usize, "run", "runs");
    let mut figures = vec![["T1".to_owned(), ns(work_ns), format!("work: the time on one worker, in {runs}")]];
    let mut add = |name: &str, value: String, about: String| figures.push([name.into(), value, about]);
    if let Some(time) = report.measured.serial_s {
        add("serial", seconds(time), "the whole program under FILCH_SCHEDULER=serial".into());
    }
    if let Some(time) = report.outside_s {
        let of = if report.measured.on(1).is_some() { "measured on one worker" } else { "serial" };
        add("outside", if time > 0.0 { seconds(time) } else { "0".into() }, format!("outside of runs: {of}, less T1"));
    }
    if let Some(time) = report.recorded_wall_s {
        add("recorded", seconds(time), "the whole program while it was recorded".into());
    }
    add("T∞", ns(span_ns), "span: the longest chain".into());
    let burden = format!("the same, where moving work costs {}", ns(burden_ns));
    add("burdened T∞", ns(burdened_span_ns), burden);
    add("T1/T∞", scaled(parallelism), "parallelism".into());
    add("burdened", scaled(burdened_parallelism), "the same with the burdened span".into());
    let some = format!("{timed:.*} % timed; what takes less than {} is not", decimals(timed), ns(leaf_ns));
    add("forks", grouped(forks), if forks > timed_forks { some } else { "all timed".into() });
    add("largest leaf", ns(largest_leaf_ns), "the longest piece without a fork".into());
    add("lost", ns(lost_ns), "to other programs of the system; not in the work".into());
    figures
}

/// Writes the report.
pub(in super::super) fn write(report: &Report, out: &mut dyn Write) -> Result<(), Failure> {
    paragraph(out, &report.program)?;
    paragraph(out, &report.recording)?;
    report.notes.iter().try_for_each(|note| paragraph(out, &format!("note: {note}")))?;
    writeln!(out)?;
    for [name, value, about] in figures(report) {
        writeln!(out, "{name:<13}{value:>11}  {about}")?;
    }
    writeln!(out, "\n{}", times(report))?;
    writeln!(out, "\nbound     T1/P + burdened T∞: what a greedy scheduler keeps")?;
    writeln!(out, "T_P       simulated: median and range of 5 seeds; speed-up: T1/T_P")?;
    if report.rows.iter().any(|row| row.measured_s.is_some()) {
        writeln!(out, "\n{}", measured(report))?;
        writeln!(out, "\npredicted  T_P and what is outside of runs; measured: the whole program")?;
    }
    if !report.limits.is_empty() {
        writeln!(out)?;
        paragraph(out, &report.limits.join(" "))?;
    }
    if !report.sites.is_empty() {
        writeln!(out)?;
        of_sites(&report.sites).into_iter().try_for_each(|line| writeln!(out, "{line}"))?;
        writeln!(out, "\nThe way along the span, and the share of what is here and inside:")?;
        writeln!(out, "  span    own   work  T1/T∞")?;
        let (places, others) = notable(&report.way);
        for place in places {
            lines_of(place).into_iter().try_for_each(|line| writeln!(out, "{line}"))?;
        }
        if others > 0 {
            writeln!(out, "and {}", number_of(others, "smaller place", "smaller places"))?;
        }
        writeln!(out, "own: in pieces here that run serially; T1/T∞: of all that is inside the site")?;
    }
    Ok(())
}

fn paragraph(out: &mut dyn Write, text: &str) -> io::Result<()> {
    wrapped(text, COLUMNS).into_iter().try_for_each(|line| writeln!(out, "{line}"))
}

/// The table of predictions.
fn times(report: &Report) -> String {
    let mut header = vec!["P", "T1/P", "bound", "T_P", "from", "to", "speed-up", "idle"];
    let is_recorded_often = report.rows.iter().any(|row| row.recorded_for != report.rows[0].recorded_for);
    if is_recorded_often {
        header.extend(["T1", "T∞"]);
    }
    let mut table = plain_table(header.into_iter().map(str::to_owned).collect());
    for row in &report.rows {
        let mut cells = cells(row).to_vec();
        if is_recorded_often {
            cells.extend([row.work_ns, row.span_ns].map(|ns| seconds(ns / 1e9)));
        }
        table.add_row(cells);
    }
    text(table)
}

/// A row of the table of predictions.
pub(super) fn cells(row: &Row) -> [String; 8] {
    let time = |ns: f64| seconds(ns / 1e9);
    let of = |show: &dyn Fn(Median) -> String| row.simulated.map_or("–".into(), |it| show(it.time_ns));
    [
        row.workers.to_string(),
        time(row.ideal_ns),
        time(row.bound_ns),
        of(&|it| time(it.value)),
        of(&|it| time(it.low)),
        of(&|it| time(it.high)),
        row.speed_up().map_or("–".into(), |it| number(it.value)),
        row.simulated.map_or("–".into(), |it| format!("{:.1} %", 100.0 * it.idle_share)),
    ]
}

/// The table of what was measured.
fn measured(report: &Report) -> String {
    let header = ["P", "predicted", "measured", "from", "to", "predicted/measured"];
    let mut table = plain_table(header.map(str::to_owned).to_vec());
    report.rows.iter().filter_map(measured_cells).for_each(|cells| _ = table.add_row(cells));
    text(table)
}

/// A row of the table of what was measured.
pub(super) fn measured_cells(row: &Row) -> Option<[String; 6]> {
    let Median { value, low, high } = row.measured_s?;
    Some([
        row.workers.to_string(),
        row.whole_s.map_or("–".into(), |it| seconds(it.value)),
        seconds(value),
        seconds(low),
        seconds(high),
        row.ratio().map_or("–".into(), |ratio| format!("{ratio:.2}")),
    ])
}

/// The lines of the sites.
fn of_sites(sites: &[Site]) -> Vec<String> {
    let mut lines = vec!["  span   work  T1/T∞         forks  site".to_owned()];
    for site in sites {
        let [span, work] = [site.share_of_span, site.share_of_work].map(percent);
        let numbers = format!("{span:>6} {work:>6} {:>6} {:>13}  ", number(site.parallelism), grouped(site.forks));
        lines.extend(beside(&numbers, 0, &format!("{} {}", site.function, site.place)));
    }
    lines
}

/// The lines of a place in the tree.
fn lines_of(place: &Place) -> Vec<String> {
    let Place { depth, share_of_span, own_share_of_span, share_of_work, parallelism, .. } = place;
    let [span, own, work] = [share_of_span, own_share_of_span, share_of_work].map(|&share| percent(share));
    let numbers = format!("{span:>6} {own:>6} {work:>6} {:>6}  ", number(*parallelism));
    beside(&numbers, 2 * depth.min(&10), &format!("{} {}", place.name(), place.place))
}

/// Words in the rest of a line that begins with numbers, so far indented, and in further lines.
fn beside(numbers: &str, indent: usize, words: &str) -> Vec<String> {
    const HANGING: usize = 2;
    let width = numbers.chars().count();
    let lines = wrapped(words, COLUMNS - width - indent - HANGING);
    let beside = |(number, line)| match number {
        0 => format!("{numbers}{}{line}", " ".repeat(indent)),
        _ => format!("{}{line}", " ".repeat(width + indent + HANGING)),
    };
    lines.into_iter().enumerate().map(beside).collect()
}

/// A number with three digits.
pub(super) fn number(value: f64) -> String {
    if value < 1e5 { format!("{value:.*}", decimals(value)) } else { scaled(value) }
}

/// A share.
pub(super) fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent >= 99.95 { "100 %".into() } else { format!("{percent:.1} %") }
}

/// Words in lines of at most this width. Words that are longer are broken.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let mut word: &str = word;
        loop {
            let last = lines.last_mut().expect("there is one");
            let gap = usize::from(!last.is_empty());
            if last.chars().count() + gap + word.chars().count() <= width {
                last.push_str(&" ".repeat(gap));
                last.push_str(word);
                break;
            }
            if last.is_empty() {
                let end = word.char_indices().nth(width).map_or(word.len(), |(end, _)| end);
                last.push_str(&word[..end]);
                word = &word[end..];
            }
            lines.push(String::new());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapped_text_has_all_characters_in_lines_that_are_narrow_enough() {
        let text = "a word and_another_that_is_much_longer_than_a_line äöü end";
        for width in [5, 10, 40] {
            let lines = wrapped(text, width);
            assert!(lines.iter().all(|line| line.chars().count() <= width), "{lines:?}");
            assert_eq!(lines.concat().replace(' ', ""), text.replace(' ', ""));
        }
        assert_eq!(wrapped("", 9), [""]);
    }
}
