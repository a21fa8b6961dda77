//! The report as one page, which needs no other file.

use std::fmt::Write;

use filch_bench::show::numbers::{grouped, number_of};

use super::places::{Place, notable};
use super::text::{cells, figures, measured_cells, number, percent};
use super::{Report, plot};
use crate::show::page::{self, escaped};

/// The whole page.
pub(in super::super) fn page(report: &Report) -> String {
    let mut body = String::new();
    let title = escaped(&report.program);
    push(&mut body, format_args!("<h1><code>{title}</code></h1>\n"));
    push(&mut body, format_args!("<p class=\"soft\">{}.</p>\n", escaped(&report.recording)));
    for note in &report.notes {
        push(&mut body, format_args!("<p>Note: {}.</p>\n", escaped(note)));
    }
    if !report.limits.is_empty() {
        push(&mut body, format_args!("<p class=\"limit\">{}</p>\n", escaped(&report.limits.join(" "))));
    }
    push(&mut body, format_args!("<dl>\n"));
    for [name, value, about] in figures(report).into_iter().map(|figure| figure.map(|text| escaped(&text))) {
        push(&mut body, format_args!("<div><dt>{name}</dt><dd>{value}<small>{about}</small></dd></div>\n"));
    }
    push(&mut body, format_args!("</dl>\n<h2>Speed-up</h2>\n{}\n", plot::draw(report)));
    times(&mut body, report);
    sites(&mut body, report);
    way(&mut body, report);
    page::of(&format!("{}: profile", report.program), &body)
}

fn push(page: &mut String, text: std::fmt::Arguments<'_>) {
    page.write_fmt(text).expect("a string has room");
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
