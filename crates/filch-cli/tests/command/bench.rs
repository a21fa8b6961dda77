//! `filch bench`: the runners that take part, and the rows and tables.

use std::fs;

use crate::helpers::{Directory, contains, done, figures, filch, output, refused, stdout};

#[test]
fn bench_writes_one_row_per_runner_with_the_documented_fields() {
    let (rows, _) = figures(&["bench", "fib", "--n", "15", "--runs", "3", "--workers", "1,2"]);
    let rows = rows.as_array().unwrap();
    let runners: Vec<_> =
        rows.iter().map(|row| (row["runner"].as_str().unwrap(), row["workers"].as_u64().unwrap())).collect();
    assert_eq!(
        runners,
        [
            ("serial", 1),
            ("serial-again", 1),
            ("filch:default", 1),
            ("filch:default", 2),
            ("rayon", 1),
            ("rayon", 2),
            ("chili", 1),
            ("chili", 2),
        ]
    );
    for row in rows {
        assert_eq!(row["program"], "fib");
        assert_eq!(row["size"], "custom");
        assert_eq!(row["n"], 15);
        assert_eq!(row["runs"], 3);
        assert_eq!(row["verified"], true);
        let [min, median, max] = ["min_s", "median_s", "max_s"].map(|field| row[field].as_f64().unwrap());
        assert!(0.0 < min && min <= median && median <= max, "{row}");
        for ratio in row["ratios"].as_array().unwrap() {
            let [low, median, high] = ["low", "median", "high"].map(|field| ratio[field].as_f64().unwrap());
            assert!(0.0 < low && low <= median && median <= high, "{row}");
        }
    }

    let against = |row: usize| -> Vec<&str> {
        let ratios = rows[row]["ratios"].as_array().unwrap();
        ratios.iter().map(|ratio| ratio["against"].as_str().unwrap()).collect()
    };
    assert!(against(0).is_empty());
    assert_eq!(against(1), ["serial"]);
    assert_eq!(against(2), ["serial", "rayon", "chili"]);
    assert_eq!(against(3), ["serial", "rayon", "chili"]);
    assert_eq!(against(5), ["serial"]);

    let has = |field: &str| -> Vec<bool> { rows.iter().map(|row| row.get(field).is_some()).collect() };
    assert_eq!(has("overhead"), [false, false, true, false, true, false, true, false]);
    assert_eq!(has("speedup"), [false, false, true, true, true, true, true, true]);
    let counters = |row: usize| rows[row]["counters"].as_object().unwrap();
    assert!(counters(0).is_empty() && counters(4).is_empty());
    assert!(counters(3).contains_key("forks_taken"));
}

#[test]
fn bench_shows_every_program_in_a_table_of_at_most_80_columns() {
    let args = "bench --size small --runs 1 --workers 2 --counters --against serial,rayon,chili";
    let output = output(&args.split(' ').collect::<Vec<_>>());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = stdout(&output);
    for program in filch_programs::all() {
        assert!(text.contains(&format!("\n{} {}", program.name, program.sizes.small)), "{text}");
    }
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{} columns: {line}", line.chars().count());
    }
    assert!(text.contains("against chili") && text.contains("forks_taken"), "{text}");
    let progress = String::from_utf8(output.stderr).unwrap();
    assert!(progress.lines().all(|line| line.starts_with("running ")), "plain lines in a pipe: {progress}");
}

#[test]
fn programs_with_loops_are_also_compared_with_tuned_ones_and_the_tuning_is_shown() {
    let (rows, text) = figures(&["bench", "fib", "nested", "sums", "--n", "20", "--runs", "1", "--workers", "2"]);
    let rows = rows.as_array().unwrap();
    assert!(text.contains("against rayon-tuned") && text.contains("\nrayon-tuned on 2 workers: "), "{text}");
    assert!(text.contains("its time / the peer's, programs with loops"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");

    let runners = |program: &str| -> Vec<&str> {
        let of_program = rows.iter().filter(|row| row["program"] == program);
        of_program.map(|row| row["runner"].as_str().unwrap()).collect()
    };
    assert_eq!(runners("fib"), ["serial", "serial-again", "filch:default", "rayon", "chili"]);
    let with_tuned = ["serial", "serial-again", "filch:default", "rayon", "rayon-tuned", "chili"];
    assert_eq!(runners("nested"), with_tuned);
    assert_eq!(runners("sums"), with_tuned);
    for row in rows {
        let has_tuning =
            row["tuning"].as_str().is_some_and(|tuning| tuning.contains("with_m") || tuning == "as written");
        assert_eq!(has_tuning, row["runner"] == "rayon-tuned", "{row}");
        assert_eq!(row["verified"], true, "{row}");
    }
}

#[test]
fn only_those_asked_for_take_part() {
    let output = output(&[
        "bench",
        "queens",
        "--n",
        "5",
        "--runs",
        "1",
        "--against",
        "rayon",
        "--workers",
        "1",
        "--scheduler",
        "serial",
        "--scheduler",
        "cilk5",
    ]);
    let text = stdout(&output);
    assert!(text.contains("filch:serial") && text.contains("filch:cilk5"), "{text}");
    assert!(text.contains("against rayon"), "{text}");
    assert!(!text.contains("chili") && !text.contains("\nserial "), "{text}");
}

#[test]
fn of_several_schedulers_each_is_compared_with_the_last_on_as_many_workers() {
    let schedulers = ["default,period=50us", "serial", "default,wait=any"];
    let mut args = vec!["bench", "skew", "--size", "small", "--runs", "2", "--workers", "1,2"];
    args.extend(schedulers.iter().flat_map(|scheduler| ["--scheduler", scheduler]));
    let (rows, text) = figures(&args);
    let rows = rows.as_array().unwrap();
    assert!(text.contains("against filch:default,wait=any\n"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");

    let mut compared = Vec::new();
    for row in rows {
        let last_ratio = row["ratios"].as_array().unwrap().iter().find(|r| r["against"] == "filch:default,wait=any");
        if let Some(ratio) = last_ratio {
            let [low, median, high] = ["low", "median", "high"].map(|field| ratio[field].as_f64().unwrap());
            assert!(0.0 < low && low <= median && median <= high, "{row}");
            compared.push((row["runner"].as_str().unwrap(), row["workers"].as_u64().unwrap()));
        }
    }
    let expected = [("filch:default,period=50us", 1), ("filch:default,period=50us", 2), ("filch:serial", 1)];
    assert_eq!(compared, expected);
}

#[test]
fn the_environment_chooses_scheduler_and_workers() {
    let args = ["bench", "fib", "--n", "10", "--runs", "1", "--against", "serial"];
    let output = filch(&args).env("FILCH_SCHEDULER", "serial").output().unwrap();
    assert!(stdout(&output).contains("filch:serial"), "{output:?}");
    let output = filch(&args).env("FILCH_SCHEDULER", "quick").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("FILCH_SCHEDULER = \"quick\"") && message.contains("expected one of"), "{message}");
    let chosen = [&args[..], &["--scheduler", "cilk5"]].concat();
    let output = filch(&chosen).env("FILCH_SCHEDULER", "serial").env("FILCH_WORKERS", "2").output().unwrap();
    let text = stdout(&output);
    assert!(text.lines().any(|line| line.starts_with("filch:cilk5") && line.contains(" 2 ")), "{output:?}");
    let output = filch(&[]).env("FILCH_WORKERS", "none").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("FILCH_WORKERS"));
}

/// Whatever presets there are.
#[test]
fn bench_with_all_schedulers_shows_every_preset_that_the_machine_supports_with_its_counters() {
    let args = ["bench", "fib", "--n", "12", "--runs", "2", "--workers", "2", "--against", "serial"];
    let output = output(&[&args[..], &["--scheduler", "all"]].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = stdout(&output);
    let (_, counted) = text.split_once("steal attempts").unwrap_or_else(|| panic!("{text}"));
    let can_be = |scheduler: &filch::Scheduler| filch::Pool::builder().scheduler(scheduler.clone()).build().is_ok();
    for scheduler in filch::Scheduler::presets().filter(can_be) {
        assert!(counted.contains(&format!("\nfilch:{scheduler} ")), "{scheduler}: {text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn a_shape_is_shown_and_written_as_it_was_asked_for() {
    let directory = Directory::new("shape");
    let svg = directory.0.join("ratios.svg");
    let svg = svg.to_str().unwrap();
    let args = ["bench", "heat", "sor", "--n", "30x20", "--runs", "1", "--workers", "2", "--svg", svg];
    let (rows, text) = figures(&args);
    let rows = rows.as_array().unwrap();
    assert!(text.contains("\nheat 30x20: ") && text.contains("\nsor 30x20: "), "{text}");
    assert!(fs::read_to_string(svg).unwrap().contains("30 × 20"));
    assert!(rows.iter().all(|row| row["n"] == 30 && row["columns"] == 20 && row["verified"] == true), "{rows:?}");
}

/// [1, 2, 5; 2, 8, 12; 5, 12, 27] is the product of L = [1; 2, 2; 5, 1, 1] and its transpose.
#[test]
fn a_matrix_from_a_file_is_factorised_and_a_bad_one_refused_with_file_line_and_reason() {
    let directory = Directory::new("matrix");
    let file = directory.0.join("small.mtx");
    let path = file.to_str().unwrap();
    let write = |last: &str| {
        let head = "%%MatrixMarket matrix coordinate real symmetric\n3 3 6\n1 1 1\n2 1 2\n3 1 5\n2 2 8\n3 2 12\n";
        fs::write(&file, format!("{head}{last}\n")).unwrap();
    };
    let args = |more: &[&'static str]| [&["bench", "sparse-cholesky", "--input", path][..], more].concat();
    write("3 3 27");
    let text = done(&args(&["--runs", "1", "--workers", "2", "--against", "serial"]));
    contains(&text, &["\nsparse-cholesky 3: ", "\nfilch:default "]);
    refused(&[&args(&["--svg"])[..], &[path]].concat(), &["--input and --svg name the same file"]);
    refused(&["bench", "fib", "--input", path], &["small.mtx: expected one program of these: ", "sparse-cholesky"]);
    write("3 3 26");
    refused(&args(&[]), &["small.mtx: expected a positive definite matrix, found no root in row 3 of its factor"]);
    write("3 4 27");
    refused(&args(&[]), &["small.mtx:8: expected a column, from 1 to 3, found \"4\""]);
}

#[test]
fn a_baseline_says_for_each_row_what_changed_and_names_another_machine() {
    let directory = Directory::new("baseline");
    let file = directory.0.join("old.json");
    let path = file.to_str().unwrap();
    let args = |more: &[&'static str]| {
        [&["bench", "fib", "--n", "12", "--runs", "6", "--workers", "1", "--against", "serial"][..], more].concat()
    };
    fs::write(&file, done(&args(&["--format", "json"]))).unwrap();
    let with = [&args(&[])[..], &["--baseline", path]].concat();
    let text = done(&with);
    contains(&text, &["\ncompared with ", "now / before", "\nfib filch:default ", "\nfib serial ", "of 2 rows: "]);
    assert!(!text.contains("another machine"), "{text}");

    let mut rows: Vec<serde_json::Value> = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let mut write = |change: &dyn Fn(&mut serde_json::Value)| {
        rows.iter_mut().for_each(change);
        fs::write(&file, serde_json::to_vec(&rows).unwrap()).unwrap();
    };
    // A thousandth of the time is beyond any noise.
    write(&|row| {
        row["machine"] = "a PDP-11".into();
        if row["runner"] == "filch:default" {
            for name in ["low", "median", "high"] {
                row["ratios"][0][name] = (row["ratios"][0][name].as_f64().unwrap() / 1000.0).into();
            }
        }
    });
    let text = done(&with);
    contains(&text, &["note: this is another machine\n  before: a PDP-11\n", "1 slower"]);
    let line = text.lines().find(|line| line.starts_with("fib filch:default ")).unwrap();
    assert!(line.ends_with("slower"), "{text}");
    write(&|row| row["workers"] = 7.into());
    contains(&done(&with), &["2 new, 2 gone"]);
}

#[test]
fn a_baseline_that_is_none_is_refused_with_what_is_expected() {
    let directory = Directory::new("no-baseline");
    let file = directory.0.join("old.json");
    let path = file.to_str().unwrap();
    let expected = "expected the rows of `filch bench --format json`";
    for (content, words) in [
        ("", expected),
        ("{}", expected),
        ("[{\"program\": \"fib\"}]", "missing field"),
        ("[]", "found none"),
        (ROW, "row 1, fib by serial: median_s = 0: expected a number above 0"),
    ] {
        fs::write(&file, content).unwrap();
        refused(&["bench", "fib", "--n", "5", "--baseline", path], &["--baseline", "old.json", words]);
    }
    refused(&["bench", "fib", "--baseline", "no/such.json"], &["--baseline", "no/such.json"]);
    refused(&["bench", "fib", "--baseline", path, "--svg", path], &["--baseline and --svg name the same file"]);
}

/// A row that took no time.
const ROW: &str = r#"[{"program": "fib", "n": 5, "runner": "serial", "workers": 1, "busy": 0, "median_s": 0,
    "min_s": 1, "max_s": 1, "ratios": [], "verified": true}]"#;
