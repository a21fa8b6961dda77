//! Figures in the forms that other programs read: JSON, CSV, and tables of Markdown.
//!
//! JSON has all figures as they are. CSV and Markdown have a line for each object of a list, with the figures around
//! the list in each of its lines, and a column for each figure, by its path in the JSON.

use filch_bench::show::table::{self, plain_table};
use serde::Serialize;
use serde_json::{Map, Value};

/// Figures as JSON, in several lines.
pub fn json(figures: &impl Serialize) -> Vec<u8> {
    let mut json = serde_json::to_vec_pretty(figures).expect("all keys are strings");
    json.push(b'\n');
    json
}

/// Figures as CSV, with a header.
pub fn csv(figures: &impl Serialize) -> Vec<u8> {
    let (header, lines) = table(figures);
    let mut writer = csv::Writer::from_writer(Vec::new());
    for record in std::iter::once(&header).chain(&lines).filter(|record| !record.is_empty()) {
        writer.write_record(record).expect("all records in memory have the same length");
    }
    writer.into_inner().expect("writing into memory does not fail")
}

/// Figures as a table of Markdown. A single line is turned, with a row for each figure.
pub fn markdown(figures: &impl Serialize) -> Vec<u8> {
    let (mut header, mut lines) = table(figures);
    if let [line] = &mut lines[..] {
        let line = std::mem::take(line);
        lines = header.into_iter().zip(line).map(|(name, figure)| vec![name, figure]).collect();
        header = vec!["figure".into(), "value".into()];
    }
    let mut table = plain_table(header);
    table.add_rows(lines);
    format!("{}\n", table::markdown(&table, |_| true)).into_bytes()
}

/// A figure with its path.
type Named = (String, String);

/// The header and the lines, which are as long as the header.
fn table(figures: &impl Serialize) -> (Vec<String>, Vec<Vec<String>>) {
    let lines = lines("", &serde_json::to_value(figures).expect("all keys are strings"));
    let mut header: Vec<String> = Vec::new();
    for (name, _) in lines.iter().flatten() {
        if !header.contains(name) {
            header.push(name.clone());
        }
    }
    let cell = |line: &[Named], name: &String| {
        line.iter().find(|(of, _)| of == name).map_or(String::new(), |(_, figure)| figure.clone())
    };
    let lines = lines.iter().map(|line| header.iter().map(|name| cell(line, name)).collect()).collect();
    (header, lines)
}

/// The lines of a value at this path.
fn lines(path: &str, value: &Value) -> Vec<Vec<Named>> {
    match value {
        Value::Array(all) => all.iter().flat_map(|value| lines(path, value)).collect(),
        Value::Object(fields) => match list(fields) {
            Some((name, list)) => {
                let mut around = Vec::new();
                fields.iter().filter(|(other, _)| *other != name).for_each(|it| cells(path, it, &mut around));
                let inside = lines(&joined(path, name), list);
                inside.into_iter().map(|line| [&around[..], &line].concat()).collect()
            }
            None => vec![row(path, fields)],
        },
        _ => vec![vec![(path.to_owned(), text(value))]],
    }
}

/// The ratios of a row are columns, by what it is compared with.
const RATIOS: &str = "ratios";
const AGAINST: &str = "against";

/// The only list of objects among the fields, which is not that of ratios.
fn list(fields: &Map<String, Value>) -> Option<(&String, &Value)> {
    let mut lists = fields.iter().filter(|(name, value)| *name != RATIOS && is_list_of_objects(value));
    lists.next().filter(|_| lists.next().is_none())
}

fn is_list_of_objects(value: &Value) -> bool {
    value.as_array().is_some_and(|all| !all.is_empty() && all.iter().all(Value::is_object))
}

fn row(path: &str, fields: &Map<String, Value>) -> Vec<Named> {
    let mut row = Vec::new();
    fields.iter().for_each(|field| cells(path, field, &mut row));
    row
}

/// Adds the figures of a field.
fn cells(path: &str, (name, value): (&String, &Value), row: &mut Vec<Named>) {
    let path = joined(path, name);
    match value {
        Value::Object(fields) => fields.iter().for_each(|field| cells(&path, field, row)),
        Value::Array(all) if name == RATIOS => {
            for ratio in all.iter().filter_map(Value::as_object) {
                let of = joined(&path, ratio.get(AGAINST).and_then(Value::as_str).unwrap_or_default());
                ratio.iter().filter(|(name, _)| *name != AGAINST).for_each(|field| cells(&of, field, row));
            }
        }
        Value::Array(all) if is_list_of_objects(value) => {
            all.iter().enumerate().for_each(|(place, value)| cells(&path, (&place.to_string(), value), row));
        }
        _ => row.push((path, text(value))),
    }
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(all) => all.iter().map(text).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn as_text(bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn rows_are_lines_and_their_figures_columns_in_the_order_of_the_json() {
        let rows = json!([
            {"runner": "a, b", "times": [1, 2.5], "ratios": []},
            {"runner": "c", "times": [], "speed": null, "ratios": [{"against": "serial", "median": 2}]},
        ]);
        let expected = "runner,times,speed,ratios.serial.median\n\"a, b\",1 2.5,,\nc,,,2\n";
        assert_eq!(as_text(csv(&rows)), expected);
        assert_eq!(as_text(csv(&json!([]))), "");
    }

    #[test]
    fn what_stands_around_a_list_is_in_each_of_its_lines() {
        let report = json!({"n": 3, "rows": [{"p": 1, "at": {"x": 5}}, {"p": 2, "at": {"x": 6}}], "unit": "s"});
        assert_eq!(as_text(csv(&report)), "n,unit,rows.p,rows.at.x\n3,s,1,5\n3,s,2,6\n");
        let two = json!({"a": [{"x": 1}, {"x": 2}], "b": [{"y": 3}]});
        assert_eq!(as_text(csv(&two)), "a.0.x,a.1.x,b.0.y\n1,2,3\n");
    }

    #[test]
    fn markdown_has_columns_for_several_lines_and_rows_for_one() {
        assert_eq!(as_text(markdown(&json!([{"a": 1}, {"a": "x|y"}]))), "| a |\n|:--|\n| 1 |\n| x\\|y |\n");
        assert_eq!(
            as_text(markdown(&json!({"a": 1, "b": true}))),
            "| figure | value |\n|:--|:--|\n| a | 1 |\n| b | true |\n"
        );
    }
}
