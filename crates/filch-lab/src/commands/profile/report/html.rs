//! The report as one page, which needs no other file.

use std::fmt::Write;

use super::places::{Place, notable};
use super::text::{cells, figures, measured_cells, number, percent};
use super::{Report, plot};
use crate::show::numbers::{grouped, number_of};

/// How the page looks: light or dark as the user's system says, from 420 pixels up. In the dark the picture is
/// inverted, and its hues are turned back.
const STYLE: &str = "\
:root { color-scheme: light dark; --back: #fff; --text: #1d1d1f; --soft: #62626a; --line: #d8d8de; --bar: #0072b2; }
@media (prefers-color-scheme: dark) {
  :root { --back: #16171a; --text: #e8e8ea; --soft: #a0a0a8; --line: #3a3b40; --bar: #56b4e9; }
  svg { filter: invert(0.91) hue-rotate(180deg); }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 62rem; background: var(--back); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; margin: 0.5rem 0; } h2 { font-size: 1.1rem; margin: 2rem 0 0.5rem; }
code { font: 0.9em ui-monospace, monospace; } p { margin: 0.4rem 0; } .soft { color: var(--soft); font-size: 0.9rem; }
.limit { border-left: 4px solid #d55e00; padding: 0.2rem 0.8rem; margin: 1rem 0; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: 0.5rem 1.2rem; margin: 1rem 0; }
dl div { border-top: 1px solid var(--line); padding-top: 0.3rem; }
dt { color: var(--soft); font-size: 0.85rem; } dd { margin: 0; font-size: 1.2rem; font-variant-numeric: tabular-nums; }
dd small { display: block; color: var(--soft); font-size: 0.75rem; line-height: 1.3; }
svg { display: block; width: 100%; max-width: 38rem; height: auto; margin: 0.5rem 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: 0.9rem; }
th, td { padding: 0.25rem 0.5rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { color: var(--soft); font-weight: 500; }
th.name, td.name { text-align: left; white-space: normal; min-width: 12rem; }
td small { color: var(--soft); } td .bar { display: block; height: 3px; background: var(--bar); }
@media (max-width: 600px) { body { padding: 0.7rem; } th, td { padding: 0.25rem 0.3rem; font-size: 0.8rem; } }
";

/// The whole page.
pub(in super::super) fn page(report: &Report) -> String {
    let mut page = String::new();
    let title = escaped(&report.program);
    push(&mut page, format_args!("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"));
    push(&mut page, format_args!("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"));
    push(&mut page, format_args!("<title>{title}: profile</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"));
    push(&mut page, format_args!("<h1><code>{title}</code></h1>\n"));
    push(&mut page, format_args!("<p class=\"soft\">{}.</p>\n", escaped(&report.recording)));
    for note in &report.notes {
        push(&mut page, format_args!("<p>Note: {}.</p>\n", escaped(note)));
    }
    if !report.limits.is_empty() {
        push(&mut page, format_args!("<p class=\"limit\">{}</p>\n", escaped(&report.limits.join(" "))));
    }
    push(&mut page, format_args!("<dl>\n"));
    for [name, value, about] in figures(report).into_iter().map(|figure| figure.map(|text| escaped(&text))) {
        push(&mut page, format_args!("<div><dt>{name}</dt><dd>{value}<small>{about}</small></dd></div>\n"));
    }
    push(&mut page, format_args!("</dl>\n<h2>Speed-up</h2>\n{}\n", plot::draw(report)));
    times(&mut page, report);
    sites(&mut page, report);
    way(&mut page, report);
    push(&mut page, format_args!("</body>\n</html>\n"));
    page
}

fn push(page: &mut String, text: std::fmt::Arguments<'_>) {
    page.write_fmt(text).expect("a string has room");
}

/// Text without what means something in a page.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// A table with these columns. Cells are parts of a page already; the first column has words if `has_names`.
fn table(page: &mut String, has_names: bool, header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) {
    let class = |column: usize| if has_names && column == 0 { " class=\"name\"" } else { "" };
    push(page, format_args!("<div class=\"wide\"><table>\n<tr>"));
    for (column, name) in header.iter().enumerate() {
        push(page, format_args!("<th{}>{name}</th>", class(column)));
    }
    push(page, format_args!("</tr>\n"));
    for row in rows {
        push(page, format_args!("<tr>"));
        for (column, cell) in row.iter().enumerate() {
            push(page, format_args!("<td{}>{cell}</td>", class(column)));
        }
        push(page, format_args!("</tr>\n"));
    }
    push(page, format_args!("</table></div>\n"));
}

fn times(page: &mut String, report: &Report) {
    let header = ["P", "T1/P", "bound", "T_P", "speed-up", "idle"];
    let rows = report.rows.iter().map(|row| {
        let [workers, ideal, bound, time, low, high, speed_up, idle] = cells(row);
        vec![workers, ideal, bound, ranged(&time, &low, &high), speed_up, idle]
    });
    table(page, false, &header, rows);
    let about = "Bound: T1/P + burdened T∞. T_P: simulated, the median and the range of 5 seeds.";
    push(page, format_args!("<p class=\"soft\">{about}</p>\n"));
    let cells = |[workers, predicted, measured, low, high, ratio]: [String; 6]| {
        vec![workers, predicted, ranged(&measured, &low, &high), ratio]
    };
    let measured: Vec<Vec<String>> = report.rows.iter().filter_map(|row| measured_cells(row).map(cells)).collect();
    if measured.is_empty() {
        return;
    }
    push(page, format_args!("<h2>Predicted and measured</h2>\n"));
    table(page, false, &["P", "predicted", "measured", "ratio"], measured);
    let about = "The whole program: T_P, and what is outside of runs.";
    push(page, format_args!("<p class=\"soft\">{about}</p>\n"));
}

fn sites(page: &mut String, report: &Report) {
    if report.sites.is_empty() {
        return;
    }
    push(page, format_args!("<h2>Sites</h2>\n"));
    let rows = report.sites.iter().map(|site| {
        let name = named(&site.function, &site.place);
        let [span, work] = [site.share_of_span, site.share_of_work].map(bar);
        vec![name, grouped(site.forks), span, work, number(site.parallelism)]
    });
    table(page, true, &["site", "forks", "span", "work", "T1/T∞"], rows);
}

fn way(page: &mut String, report: &Report) {
    push(page, format_args!("<h2>The way along the span</h2>\n"));
    let (places, others) = notable(&report.way);
    let rows = places.into_iter().map(|place| {
        let Place { depth, share_of_span, own_share_of_span, share_of_work, parallelism, .. } = place;
        let indent = format!("<div style=\"padding-left: {:.1}rem\">", 0.9 * *depth.min(&10) as f64);
        let name = format!("{indent}{}</div>", named(place.name(), &place.place));
        let [span, own, work] = [share_of_span, own_share_of_span, share_of_work].map(|&share| bar(share));
        vec![name, span, own, work, number(*parallelism)]
    });
    table(page, true, &["place", "span", "own", "work", "T1/T∞"], rows);
    if others > 0 {
        push(
            page,
            format_args!("<p class=\"soft\">And {}.</p>\n", number_of(others, "smaller place", "smaller places")),
        );
    }
    let about = "Span, work: the shares of what is here and inside. Own: what runs here serially, in no place inside.";
    push(page, format_args!("<p class=\"soft\">{about} T1/T∞: of all that is inside of the site.</p>\n"));
}

fn named(function: &str, place: &str) -> String {
    format!("<code>{}</code> <small>{}</small>", escaped(function), escaped(place))
}

/// A figure, with its range below.
fn ranged(figure: &str, low: &str, high: &str) -> String {
    if low == high { figure.to_owned() } else { format!("{figure}<br><small>{low} to {high}</small>") }
}

/// A share, with a bar of that length.
fn bar(share: f64) -> String {
    format!("{}<span class=\"bar\" style=\"width: {:.1}%\"></span>", percent(share), 100.0 * share.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_no_parts_of_the_page() {
        assert_eq!(escaped("<Vec<u8> as \"X\">::f & g"), "&lt;Vec&lt;u8&gt; as &quot;X&quot;&gt;::f &amp; g");
    }
}
