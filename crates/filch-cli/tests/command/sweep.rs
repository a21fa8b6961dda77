//! `filch paper sweep`.

use std::fs;

use serde_json::Value;

use crate::helpers::{Directory, contains, done, figures, output, stdout};

#[test]
fn sweep_heartbeat_has_every_period_in_its_tables_its_picture_and_its_file() {
    let directory = Directory::new("sweep");
    let svg = directory.0.join("figure-7.svg");
    let args =
        ["paper", "sweep", "heartbeat", "fib", "--n", "16", "--runs", "2", "--workers", "2", "--periods", "20us..1ms"];
    let (report, text) = figures(&[&args[..], &["--svg", svg.to_str().unwrap()]].concat());
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let names = ["20 τ", "20 τ again", "20.0 µs", "50.0 µs", "100 µs", "200 µs", "500 µs", "1.00 ms"];
    let (times, bounds) = text.split_once("* the sweet spot: ").unwrap_or_else(|| panic!("{text}"));
    for (table, name) in [times, bounds].into_iter().flat_map(|table| names.map(|name| (table, name))) {
        assert!(table.contains(&format!("\n{name}")), "{name}: {text}");
    }

    assert_eq!((&report["program"], &report["n"], &report["workers"]), (&"fib".into(), &16.into(), &2.into()));
    let points = report["points"].as_array().unwrap();
    let periods: Vec<_> = points.iter().filter_map(|point| point["period_s"].as_f64()).skip(2).collect();
    assert_eq!(periods, [2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3]);
    assert!(points.iter().any(|point| point["is_sweet"] == true), "{report}");
    assert!(fs::read_to_string(svg).unwrap().contains("period N"));
}

#[test]
fn sweep_overhead_has_a_line_for_each_program() {
    let args = ["paper", "sweep", "overhead", "fib", "sums", "--size", "small", "--runs", "1", "--workers", "2"];
    // Nothing about the times of a build for tests.
    let text = done(&[&args[..], &["--at-most", "1000"]].concat());
    contains(&text, &["heartbeat at N = 20 τ, 1 run", "\nfib ", "\nsums ", "utilisation"]);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn sweep_tasks_counts_the_threads_of_eager_creation_exactly() {
    let args = ["paper", "sweep", "tasks", "fib", "sums", "--size", "small", "--runs", "2", "--workers", "2"];
    let (rows, text) = figures(&args);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let fib = filch_programs::find("fib").unwrap();
    assert_eq!(rows[0]["eager_threads"], (fib.forks.unwrap().at)(fib.sizes.small));
    let of_loops = rows[1]["eager_threads"].as_u64().unwrap();
    assert!(of_loops > 0 && of_loops.is_multiple_of(15), "each loop has 8 P blocks: {rows}");
    for row in rows.as_array().unwrap() {
        for idle in row["idle"].as_array().unwrap() {
            assert!(idle["value"].as_f64().unwrap() >= 0.0, "{row}");
        }
    }
}

#[test]
fn sweep_sequentialise_shows_a_rival_whose_task_stays_with_one_worker() {
    let args = ["paper", "sweep", "sequentialise", "--runs", "2", "--workers", "2", "--leaves", "64"];
    let output = output(&args);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = stdout(&output);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let line = |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{text}"));
    for entrant in ["by load, for good", "the same again", "heartbeat", "cilk5", "default"] {
        // On a very busy machine, the workers may not get cores at the same time.
        assert!(line(entrant).ends_with('%') || line(entrant).contains("never all busy"), "{text}");
    }
}

#[test]
fn sweep_cab_has_every_level_and_leaf_size_in_its_tables_its_picture_and_its_file() {
    let directory = Directory::new("sweep-cab");
    let svg = directory.0.join("figure-8.svg");
    let args =
        ["paper", "sweep", "cab", "heat", "queens", "--size", "small", "--runs", "2", "--topology", "2x1,cache=1KiB"];
    let files = ["--svg", svg.to_str().unwrap(), "--levels", "0..4"];
    let (report, text) = figures(&[&args[..], &files].concat());
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.contains("BL = 0 by equation 4"), "queens is bound by the processor: {text}");

    assert_eq!((&report["topology"], &report["squads"]), (&"2x1,cache=1KiB".into(), &2.into()));
    assert_eq!(report["cannot_show"].is_string(), text.contains("No gain can be seen here"), "{text}");
    let [heat, queens] = [0, 1].map(|place| &report["programs"][place]);
    let levels = |program: &Value, place: usize| -> Vec<u64> {
        let points = program["points"].as_array().unwrap().iter();
        points
            .filter(|point| point["grain"] == program["points"][place]["grain"])
            .filter_map(|it| it["boundary"].as_u64())
            .collect()
    };
    assert_eq!((levels(heat, 0), levels(queens, 0)), (vec![0, 1, 2, 3, 4], vec![0, 1, 2, 3, 4]));
    let by_equation = heat["by_equation"].as_u64().unwrap();
    assert_eq!(levels(heat, 7), [by_equation], "the next leaf size: {report}");
    // A step of heat is a tree of joins, and level 3 has four tasks.
    let steps = heat["points"][4]["leaf_tasks"].as_f64().unwrap() / 2.0;
    assert_eq!(heat["points"][5]["leaf_tasks"].as_f64().unwrap(), 4.0 * steps, "{report}");
    let svg = fs::read_to_string(svg).unwrap();
    assert!(["boundary level", "leaf size", "equation 4", "queens"].iter().all(|words| svg.contains(words)));
}
