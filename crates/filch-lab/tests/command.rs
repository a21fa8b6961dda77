//! The command as a user meets it: what it says, what it writes, how it exits.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn filch(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_filch"));
    command.args(args).env_remove("FILCH_SCHEDULER").env_remove("FILCH_WORKERS");
    command
}

fn output(args: &[&str]) -> Output {
    filch(args).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Bad usage: exit code 2, nothing on standard output, and a message with all of these words.
fn refused(args: &[&str], words: &[&str]) {
    let output = output(args);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
    assert!(output.stdout.is_empty(), "{args:?}");
    for word in words {
        assert!(message.contains(word), "{args:?} should mention {word:?}: {message}");
    }
}

/// A directory of its own for a test, removed at its end.
struct Directory(PathBuf);

impl Directory {
    fn new(test: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn entries(&self) -> Vec<String> {
        let names = fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name());
        names.map(|name| name.into_string().unwrap()).collect()
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn bench_writes_one_row_per_runner_with_the_documented_fields() {
    let directory = Directory::new("rows");
    let file = directory.0.join("fib.json");
    let file = file.to_str().unwrap();
    let output = output(&["bench", "fib", "--n", "15", "--runs", "3", "--workers", "1,2", "--json", file]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(directory.entries(), ["fib.json"], "no temporary file is left");

    let rows: Vec<Value> = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
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
    for row in &rows {
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
    let output = output(&["bench", "--size", "small", "--runs", "2", "--workers", "2", "--counters"]);
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
    let directory = Directory::new("schedulers");
    let file = directory.0.join("skew.json");
    let file = file.to_str().unwrap();
    let schedulers = ["default,period=50us", "serial", "default,wait=any"];
    let mut args = vec!["bench", "skew", "--size", "small", "--runs", "2", "--workers", "1,2", "--json", file];
    args.extend(schedulers.iter().flat_map(|scheduler| ["--scheduler", scheduler]));
    let output = output(&args);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = stdout(&output);
    assert!(text.contains("against filch:default,wait=any\n"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");

    let rows: Vec<Value> = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    let mut compared = Vec::new();
    for row in &rows {
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
fn busy_processes_are_told_of_and_none_is_left_when_the_command_has_ended() {
    let directory = Directory::new("busy");
    let file = directory.0.join("fib.json");
    let file = file.to_str().unwrap();
    let args = ["bench", "fib", "--n", "15", "--runs", "1", "--against", "serial", "--busy", "2", "--json", file];
    // Busy processes inherit standard error: this returns once the last one has ended.
    let output = output(&args);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = stdout(&output);
    assert!(text.contains("2 busy processes"), "{text}");
    let rows: Vec<Value> = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    assert!(rows.iter().all(|row| row["busy"] == 2), "{rows:?}");
}

#[test]
fn a_busy_process_ends_when_whoever_started_it_has() {
    let mut child = filch(&["keep-busy"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
    assert!(child.try_wait().unwrap().is_none(), "busy until its standard input ends");
    drop(child.stdin.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// The processes that another has started and that still run.
#[cfg(target_os = "linux")]
fn children_of(parent: u32) -> Vec<u32> {
    let ids = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.unwrap().file_name().to_str()?.parse().ok());
    ids.filter(|&id| parent_if_running(id) == Some(parent)).collect()
}

/// Who has started a process; nothing if that has ended, even if nobody has asked how.
#[cfg(target_os = "linux")]
fn parent_if_running(id: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut fields = fields.split(' ');
    let ends = ["Z", "X"].contains(&fields.next()?);
    fields.next()?.parse().ok().filter(|_| !ends)
}

#[cfg(target_os = "linux")]
#[test]
fn no_busy_process_outlives_a_command_that_is_killed_or_interrupted() {
    for signal in ["-KILL", "-INT"] {
        let args = ["bench", "fib", "--n", "30", "--runs", "100000", "--against", "serial", "--busy", "2"];
        let mut child = filch(&args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        // Its first line says that it is running, and so are they.
        child.stderr.as_mut().unwrap().read_exact(&mut [0; 8]).unwrap();
        let busy = children_of(child.id());
        assert_eq!(busy.len(), 2);
        let kill = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        child.wait().unwrap();
        // They get to know at once; how soon they run is up to the system.
        while busy.iter().any(|&id| parent_if_running(id).is_some()) {
            std::thread::yield_now();
        }
    }
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

#[test]
fn bad_usage_is_refused_with_what_is_allowed() {
    refused(&["bench", "fibonacci"], &["fibonacci", "fib-implicit", "tree-sum", "queens"]);
    refused(&["bench", "tree-sum", "--n", "1000"], &["n = 1000", "power of two", "1 to 67108863"]);
    refused(&["bench", "queens", "--n", "19"], &["from 1 to 18"]);
    refused(&["bench", "fib", "--n", "many"], &["--n", "many"]);
    refused(&["bench", "fib", "--n", "9", "--size", "small"], &["--n", "--size"]);
    refused(&["bench", "--size", "huge"], &["huge", "small", "default", "paper"]);
    refused(&["bench", "--workers", "1,0"], &["--workers", "at least 1"]);
    refused(&["bench", "fib", "--workers", "1000000"], &["1000000"]);
    refused(&["bench", "--scheduler", "fast"], &["--scheduler", "fast", "cilk5"]);
    refused(&["bench", "--against", "tbb"], &["tbb", "serial", "rayon", "chili"]);
    refused(&["bench", "--runs", "0"], &["--runs", "at least 1"]);
    refused(&["bench", "--json", "no/such/directory/rows.json"], &["no/such/directory/rows.json"]);
    refused(&["bench", "--json", "/"], &["directory"]);
    refused(&["bench", "--busy", "-1"], &["-1"]);
    refused(&["steals", "--nodes", "0"], &["--nodes", "1..=10000000"]);
    refused(&["steals", "--scheduler", "serial", "--workers", "2"], &["serial", "2"]);
    refused(&["steals", "--workers", "0"], &["--workers", "at least 1"]);
    refused(&["steals", "--scheduler", "fast"], &["--scheduler", "fast", "cilk5"]);
    refused(&["stress", "--seed", "lucky"], &["--seed", "lucky"]);
    refused(&["stress", "--cases", "0"], &["--cases", "1.."]);
    refused(&["stress", "--cases", "5", "--seconds", "5"], &["--cases", "--seconds"]);
    refused(&["stress", "--scheduler", "fast"], &["--scheduler", "fast", "cilk5"]);
    refused(&["stress", "--workers", "2,0"], &["--workers", "at least 1"]);
    refused(&["stress", "--workers", "1000000"], &["1000000", "1 to 4096"]);
    refused(&["machine", "--seconds", "5"], &["--idle"]);
    refused(&["machine", "--idle", "--seconds", "-1"], &["-1"]);
    refused(&["machine", "--idle", "--seconds", "none"], &["none", "more than 0"]);
    refused(&["machine", "--idle", "--samples", "0"], &["--samples", "at least 1"]);
    refused(&["sing"], &["sing"]);
}

#[test]
fn counting_instructions_without_valgrind_is_refused_with_what_to_do() {
    for args in [&["bench", "fib", "--instructions"][..], &["machine", "--instructions"]] {
        let output = filch(args).env("PATH", "").output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains("valgrind") && message.contains("install"), "{message}");
    }
}

#[test]
fn no_file_is_touched_when_something_else_is_wrong() {
    let directory = Directory::new("untouched");
    let file = directory.0.join("rows.json");
    refused(&["bench", "fib", "--n", "99", "--json", file.to_str().unwrap()], &["from 0 to 60"]);
    assert!(directory.entries().is_empty());
}

#[test]
fn help_shows_an_example_for_every_command() {
    for args in
        [&["--help"][..], &["machine", "--help"], &["bench", "--help"], &["steals", "--help"], &["stress", "--help"]]
    {
        let output = output(args);
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).contains("Example"), "{args:?}");
    }
}

#[test]
fn machine_says_what_the_pool_has_measured() {
    let output = output(&["machine"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = stdout(&output);
    for line in ["processor", "cores", "system", "taking", "cost of a take ", "period N", "that is Strand::join"] {
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn machine_measures_how_soon_work_is_shared() {
    let output = output(&["machine"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = stdout(&output);
    for line in ["cost of a gift", "patience", "How soon work is shared", "ask to reply, ", "take"] {
        assert!(text.lines().any(|shown| shown.starts_with(line)), "{line}: {text}");
    }
    let asks = text.lines().find(|line| line.contains(" asks ")).unwrap();
    let numbers: Vec<u64> = asks.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect();
    let [all, granted, refused, withdrawn] = numbers[..] else { panic!("{asks}") };
    assert_eq!(all, granted + refused + withdrawn, "{asks}");
}

#[test]
fn steals_shows_every_tree_on_every_pool() {
    let args = ["steals", "--nodes", "2000", "--runs", "1", "--workers", "2,3", "--scheduler", "default"];
    let output = output(&args);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = stdout(&output);
    for workers in [2.0, 3.0] {
        let table = text.split_once(&format!("\ndefault on P = {workers}\n")).unwrap_or_else(|| panic!("{text}")).1;
        let rows = table.lines().skip(1).take(4).map(|line| {
            let numbers = line.split_whitespace().map(|number| number.parse::<f64>().unwrap());
            numbers.collect::<Vec<_>>()
        });
        let rows: Vec<_> = rows.collect();
        assert!(rows.is_sorted_by(|a, b| a[1] < b[1]), "longer and longer spans: {text}");
        for row in rows {
            assert_eq!((row.len(), row[0]), (6, 2000.0), "{text}");
            let quotient = row[2] / (workers * row[1]);
            // Two or three digits are shown, and three decimals at most.
            assert!((quotient - row[4]).abs() <= 0.05 * quotient + 0.001, "{quotient}: {text}");
        }
    }
}

#[test]
fn stress_says_what_it_did_and_the_same_seed_does_the_same_again() {
    let summary = |seed: &str| {
        let output = output(&["stress", "--seed", seed, "--cases", "4", "--plans"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let text = stdout(&output);
        // What depends on the machine's speed is left out.
        let depends_on_seed =
            ["from seed ", "case ", "cases ", "programs ", "forks ", "nested runs ", "panics ", "digest "];
        let lines = text.lines().filter(|line| depends_on_seed.iter().any(|start| line.starts_with(start)));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let once = summary("11");
    assert_eq!(once.len(), 4 + 7, "{once:?}");
    assert!(once.contains(&"from seed 11".to_owned()) && once[4].starts_with("case 14: "), "{once:?}");
    assert_eq!(summary("11"), once);
    assert_ne!(summary("12").last(), once.last());
}

#[test]
fn stress_ends_when_its_time_is_up_and_shows_plain_lines_in_a_pipe() {
    let output = output(&["stress", "--seconds", "1", "--scheduler", "serial"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(stdout(&output).contains("\nforks_taken "), "{output:?}");
    let progress = String::from_utf8(output.stderr).unwrap();
    assert!(progress.lines().all(|line| line.starts_with("running, ")), "{progress}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_stress_with_130() {
    let mut child =
        filch(&["stress", "--seconds", "1000"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    child.stdout.as_mut().unwrap().read_exact(&mut [0; 8]).unwrap();
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[cfg(unix)]
#[test]
fn machine_measures_what_idleness_costs() {
    let output = output(&[
        "machine",
        "--idle",
        "--seconds",
        "0.02",
        "--samples",
        "6",
        "--calls",
        "7",
        "--forks",
        "7",
        "--pause",
        "0.002",
    ]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = stdout(&output);
    for line in ["idle pool, never used", "one serial run, forked once", "run(|_| ()), pool asleep", "first fork"] {
        let line = text.lines().find(|shown| shown.starts_with(line)).unwrap_or_else(|| panic!("{line}: {text}"));
        assert!(line.contains('[') && line.chars().count() <= 80, "{line}");
    }
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_the_command_without_a_panic() {
    let mut child = filch(&["bench", "fib", "--n", "5", "--runs", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut message = String::new();
    child.stderr.take().unwrap().read_to_string(&mut message).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(141), "{message}");
    assert!(!message.contains("panicked"), "{message}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_command_with_130_and_leaves_no_file() {
    let directory = Directory::new("interrupted");
    let file = directory.0.join("rows.json");
    let mut child = filch(&["bench", "fib", "--n", "30", "--runs", "100000", "--json", file.to_str().unwrap()])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Its first line says that it is running.
    child.stderr.as_mut().unwrap().read_exact(&mut [0; 8]).unwrap();
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(directory.entries().is_empty());
}
