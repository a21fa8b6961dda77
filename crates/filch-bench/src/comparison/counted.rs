//! The runtime's counters in a table.

use super::row::Row;
use crate::show::numbers::{scaled, seconds};
use crate::show::table::{plain_table, text};

/// With more runners than this, a table with a column for each would be too wide.
const FEW: usize = 3;

/// The counters of the rows that have some. If they are many, those that tell schedulers apart, with a line for each
/// runner beside its time; all of them are in the JSON file.
pub fn table(rows: &[Row]) -> Option<String> {
    let counted: Vec<&Row> = rows.iter().filter(|row| !row.counters.is_empty()).collect();
    if counted.len() <= FEW { all(&counted) } else { Some(beside_times(&counted)) }
}

fn all(counted: &[&Row]) -> Option<String> {
    let mut header = vec!["counted over all runs".to_owned()];
    header.extend(counted.iter().map(|row| format!("{} P={}", row.runner, row.workers)));
    let mut table = plain_table(header);
    for (place, (name, _)) in counted.first()?.counters.iter().enumerate() {
        let values = counted.iter().map(|row| row.counters[place].1.to_string());
        table.add_row(std::iter::once((*name).to_owned()).chain(values));
    }
    Some(text(table))
}

/// Tasks are forks that another worker began. Idle time is that of the samples alone, as a share of the workers' time.
fn beside_times(counted: &[&Row]) -> String {
    let header = ["over all runs", "P", "time", "tasks", "asks", "steal attempts", "beats", "idle"];
    let mut table = plain_table(header.map(str::to_owned).to_vec());
    for row in counted {
        let value = |name: &str| row.counters.iter().find(|(other, _)| *other == name).map_or(0, |&(_, value)| value);
        let tasks = (value("forks_given") + value("forks_taken")).saturating_sub(value("forks_reclaimed"));
        let mut cells = vec![row.runner.clone(), row.workers.to_string(), seconds(row.median_s)];
        cells.extend([tasks, value("asks"), value("steal_attempts"), value("beats")].map(count));
        cells.push(row.idle.map_or(String::new(), |idle| format!("{:.0} %", 100.0 * idle)));
        table.add_row(cells);
    }
    text(table)
}

/// A number, rounded if it is large.
fn count(number: u64) -> String {
    if number < 1000 { number.to_string() } else { scaled(number as f64) }
}

#[cfg(test)]
mod tests {
    use super::super::examples::row;
    use super::*;

    #[test]
    fn many_runners_have_a_line_each_and_few_a_column_each() {
        let rows = |runners: &[&str]| -> Vec<Row> {
            let of = |runner: &&str| {
                let mut row = row("fib", runner, 2, None);
                row.counters = vec![("forks_given", 7), ("forks_reclaimed", 2), ("forks_taken", 4_000), ("asks", 9)];
                row
            };
            runners.iter().map(of).collect()
        };
        let few = table(&rows(&["filch:default"])).unwrap();
        assert!(few.contains("forks_taken"), "{few}");
        let many = table(&rows(&["filch:default", "filch:cilk5", "filch:tascell", "filch:chaos"])).unwrap();
        let line = many.lines().find(|line| line.starts_with("filch:tascell")).unwrap();
        assert_eq!(line.split_whitespace().collect::<Vec<_>>()[1..4], ["2", "1.00", "s"], "{many}");
        assert!(line.contains("4.00 k") && line.contains(" 9 "), "{many}");
        assert!(many.lines().all(|line| line.chars().count() <= 80), "{many}");
        assert_eq!(table(&[row("fib", "serial", 1, None)]), None);
    }
}
