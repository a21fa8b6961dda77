//! `filch simulate`.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;

use serde_json::Value;

use crate::helpers::{Directory, contains, done, figures, output, refused, stdout};

#[test]
fn simulate_has_every_scheduler_in_its_tables_its_picture_and_its_file_and_is_the_same_each_time() {
    let directory = Directory::new("simulate");
    let svg = directory.0.join("speed-up.svg");
    let args = ["simulate", "knary:5,4,1,unit=10us", "--workers", "16,1", "--scheduler", "all", "--seeds", "3"];
    let run = || {
        let (report, text) = figures(&[&args[..], &["--svg", svg.to_str().unwrap()]].concat());
        (text, report, fs::read_to_string(&svg).unwrap())
    };
    let (text, report, picture) = run();
    assert_eq!(run(), (text.clone(), report.clone(), picture.clone()));
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");

    // 341 nodes, of which 85 fork: three children in parallel take two forks. A fork costs 2 ns.
    let forks = 85 * 2;
    assert_eq!((&report["t1_ns"], &report["forks"]), (&(3_410_000 + 2 * forks).into(), &forks.into()));
    let names = ["cilk5", "heartbeat", "tascell", "cab", "serial", "default"];
    for name in names {
        assert!(text.contains(&format!("\n{name}\n")) && picture.contains(name), "{name}: {text}");
        let rows = report["rows"].as_array().unwrap().iter().filter(|row| row["scheduler"] == name);
        let workers: Vec<u64> = rows.clone().map(|row| row["workers"].as_u64().unwrap()).collect();
        assert_eq!(workers, if name == "serial" { vec![1] } else { vec![1, 16] }, "{name}");
        for run in rows.flat_map(|row| row["runs"].as_array().unwrap()) {
            assert_eq!(run["leaves"], 256, "{name}: {run}");
        }
    }
    assert!(text.contains("T1/P+T∞") && text.contains("\n±"), "bounds and spreads: {text}");
    assert!(text.contains("P = 16: N") && text.contains("(at most "), "the bounds of heartbeat: {text}");
}

#[test]
fn the_costs_of_a_machine_and_given_ones_are_used() {
    let directory = Directory::new("simulate-costs");
    let machine = directory.0.join("machine.json");
    fs::write(&machine, r#"{"pool": {"give_cost_s": 1e-6, "take_cost_s": 3e-5, "workers": 2}}"#).unwrap();
    let path = machine.to_str().unwrap();
    let text = done(&["simulate", "fib:9", "--seeds", "1", "--machine", path, "--cost", "wake=77us", "--workers", "2"]);
    for cost in ["give 1.00 µs", "take 30.0 µs", "interrupt 8.00 µs", "wake 77.0 µs"] {
        assert!(text.contains(cost), "{cost}: {text}");
    }
    fs::write(&machine, r#"{"pool": {"give_cost_s": -1, "take_cost_s": 3e-5}}"#).unwrap();
    refused(&["simulate", "fib:9", "--machine", path], &["give_cost_s = -1", "from 0 to 1000"]);
    fs::write(&machine, "{}").unwrap();
    refused(&["simulate", "fib:9", "--machine", path], &["filch machine --format json", "pool"]);
    refused(&["simulate", "fib:9", "--machine", "no/such/file"], &["--machine no/such/file"]);
}

#[test]
fn a_search_on_several_ranks_is_simulated() {
    let cluster = "cluster:geometric,nodes=1000000,ranks=8,workers=4,link=1us@4/10us@8";
    let text = done(&["simulate", cluster, "--seeds", "2"]);
    contains(&text, &["1,000,000 nodes, T1 = 1.00 s, on 8 ranks of 4 workers\n", "efficiency    0.", "at lifelines"]);
    assert_eq!(done(&["simulate", cluster, "--seeds", "2"]), text, "equal seeds");
    contains(&done(&["simulate", "list"]), &["cluster:SHAPE"]);
    refused(&["simulate", "cluster:round"], &["expected geometric or binomial"]);
    refused(&["simulate", cluster, "--svg", "x.svg"], &["--seeds and --format only"]);
}

#[test]
fn a_real_program_is_recorded_and_simulated() {
    let directory = Directory::new("recordings");
    let [file, svg] = ["sort.filch", "n.svg"].map(|name| directory.0.join(name).display().to_string());
    let text = done(&["bench", "cilksort", "--size", "small", "--record", &file]);
    assert!(text.contains("cilksort n = ") && text.contains("recorded work") && text.contains("forks"), "{text}");
    let simulate = |more: &[&str]| done(&[&["simulate", &file, "--workers", "1,4", "--seeds", "2"], more].concat());
    let text = simulate(&["--normalised", &svg]);
    assert_eq!(text, simulate(&[]), "a recording is the same program each time");
    let recorded = fs::read(&file).unwrap();
    refused(&["simulate", &file, "--svg", &file], &["--svg", &file]);
    assert_eq!(fs::read(&file).unwrap(), recorded, "what is read is not written");
    assert!(text.starts_with("recorded cilksort("), "{text}");
    assert!(fs::read_to_string(&svg).unwrap().contains("T_P = T1/P + T∞"));

    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    refused(&["simulate", &file], &[&file, "of the content: expected more compressed data; found the end of the file"]);
    fs::write(&file, "#!/bin/sh").unwrap();
    refused(&["simulate", &file], &[&file, "line 1: expected `filch-recording 2`", "found `#!/bin/sh`"]);
    refused(&["simulate", "no/such.filch"], &["no/such.filch"]);
    refused(&["simulate", "nonsense"], &["`nonsense`", "a file of filch bench --record"]);
    refused(&["bench", "fib", "knary", "--record", &file], &["--record", "expected one program"]);
    refused(&["bench", "fib", "--record", &file, "--runs", "3"], &["--record", "--runs"]);
    refused(&["bench", "fib", "--size", "small", "--record", "/"], &["cannot write /"]);
}

#[test]
fn what_a_recorded_program_touches_counts_with_caches_only() {
    let directory = Directory::new("recordings-memory");
    let file = directory.0.join("heat.filch").display().to_string();
    let text = done(&["bench", "heat", "--n", "512", "--record", &file]);
    assert!(text.contains(" touches of ") && text.contains(" of memory"), "{text}");
    let report = |more: &[&str]| -> Value {
        let args = ["simulate", &file, "--workers", "8", "--sockets", "4", "--seeds", "1"];
        figures(&[&args[..], &["--scheduler", "cab"], more].concat()).0
    };
    let misses = |report: &Value| report["rows"][0]["runs"][0]["counts"]["misses_near"].as_u64().unwrap();
    let (without, with) = (report(&[]), report(&["--cache", "64KiB"]));
    assert_eq!((misses(&without), &without["rows"][0]["boundary_level"]), (0, &0.into()), "{without}");
    // 256 KiB of cells are four such caches, and there are four squads: ⌈log₂ 4 + 1⌉.
    assert!(misses(&with) > 0 && with["rows"][0]["boundary_level"] == 3, "{with}");

    let text = done(&["bench", "fib", "--size", "small", "--record", &file]);
    assert!(text.contains("the program does not say which memory it touches"), "{text}");
    // A leaf with two touches of which there is one: the stream begins with its header, which is not compressed here.
    let lying = directory.0.join("lying.filch");
    let content = b"{\"program\": \"fib\", \"n\": \"3\", \"serial_ns\": 1}\n\x06\x02\x00\x20";
    let mut encoder = flate2::write::GzEncoder::new(b"filch-recording 2\n".to_vec(), flate2::Compression::none());
    encoder.write_all(content).unwrap();
    fs::write(&lying, encoder.finish().unwrap()).unwrap();
    let expected = format!("byte {} of the content: expected a number; found the end", content.len());
    refused(&["simulate", lying.to_str().unwrap()], &["lying.filch", &expected]);
}

#[test]
fn affinity_and_caches_of_workers_need_a_cache_and_show_in_the_counts() {
    let simulate = ["simulate", "sor:200,512,rows=25", "--workers", "8", "--sockets", "4", "--scheduler", "cab"];
    for (option, value) in [("--affinity", None), ("--private-cache", Some("64KiB"))] {
        refused(&[&simulate[..], &[option], value.as_slice()].concat(), &["--cache"]);
    }
    let text = done(&[&simulate[..], &["--cache", "1MiB", "--private-cache", "64KiB", "--affinity"]].concat());
    assert!(text.contains("not in the worker's own cache") && text.contains("inter-socket tier"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn messages_between_sockets_are_in_the_tables_and_in_the_file() {
    let args = ["simulate", "fib:18,leaf=5us", "--workers", "16", "--sockets", "4,1", "--seeds", "2"];
    let (report, text) = figures(&args);
    assert!(text.contains("\ndefault\n") && text.contains("\ndefault on 4 sockets\n"), "{text}");
    assert!(text.contains("moved far") && text.lines().all(|line| line.chars().count() <= 80), "{text}");
    for row in report["rows"].as_array().unwrap() {
        let is_far = row["sockets"].as_u64().unwrap() > 1;
        for run in row["runs"].as_array().unwrap() {
            assert_eq!(run["counts"]["messages_far"].as_u64().unwrap() > 0, is_far, "{run}");
            assert!(run["counts"]["moved_far"].as_u64() <= run["counts"]["moved"].as_u64(), "{run}");
        }
    }
}

#[test]
fn squads_have_their_bounds() {
    let args = ["simulate", "heat:512,256,rows=16,steps=2", "--workers", "16", "--sockets", "4", "--cache", "256KiB"];
    let more = ["--scheduler", "cab", "--scheduler", "default", "--seeds", "2"];
    let (report, text) = figures(&[&args[..], &more].concat());
    let levels = ["cab", "default"].map(|name| {
        let rows = report["rows"].as_array().unwrap().iter();
        let of_it = rows.filter(|row| row["scheduler"].as_str().unwrap().starts_with(name));
        of_it.map(|row| row["boundary_level"].as_u64().unwrap()).collect::<Vec<_>>()
    });
    assert_eq!((&report["cache_bytes"], levels), (&(256 << 10).into(), [vec![3], vec![0]]), "{report}");
    // Four times the cache: ⌈log₂ (1 MiB / 256 KiB) + 1⌉ = 3, which is also what four squads need.
    for part in ["BL 3, K 4", "equation 13", "(equation 15: 16)", "lines from the own socket's memory"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_timeline_has_a_row_for_each_worker_and_says_what_it_shows() {
    let directory = Directory::new("simulate-timeline");
    let path = directory.0.join("workers.svg").display().to_string();
    let args = ["simulate", "fib:18,leaf=5us", "--seeds", "2", "--timeline", &path];
    let draw = |more: &[&str]| {
        let text = done(&[&args[..], more].concat());
        assert_eq!(text, done(&[&args[..3], &["2"], more].concat()), "a recorded run is the same run");
        fs::read_to_string(&path).unwrap()
    };
    let of_16 = ["--workers", "16", "--sockets", "4"];
    let picture = draw(&of_16);
    assert_eq!(picture, draw(&of_16), "the first seed is drawn each time");
    for part in ["fib:18", "default on 4 sockets: P = 16, T_P = ", "caller", "socket 3", "runs a task", "sleeps"] {
        assert!(picture.contains(part), "{part}: {picture}");
    }
    // Rows begin right of their labels; the legend is on the left.
    let heights = |picture: &str| -> BTreeSet<i32> {
        let rectangles = picture.lines().filter_map(|line| line.strip_prefix("<rect x=\"")).map(|line| {
            let numbers: Vec<i32> = line.split('"').step_by(2).map_while(|number| number.parse().ok()).collect();
            (numbers[0], numbers[1])
        });
        rectangles.filter(|&(x, y)| x >= 88 && y > 80).map(|(_, y)| y).collect()
    };
    assert_eq!(heights(&picture).len(), 16, "{picture}");
    assert_eq!(heights(&draw(&["--workers", "1"])).len(), 1);
    let of_many = draw(&["--workers", "1024"]);
    assert!(of_many.contains("each row is 8 workers") && of_many.contains("0–7"), "groups of workers");
    assert_eq!(heights(&of_many).len(), 128);
}

#[test]
fn a_trace_has_the_names_of_real_ones_and_counts_what_the_run_has_counted() {
    let directory = Directory::new("simulate-trace");
    let [path, json] = ["t.pftrace", "t.json"].map(|name| directory.0.join(name).display().to_string());
    let args = ["simulate", "fib:18,leaf=5us", "--workers", "4", "--seeds", "1", "--scheduler", "default"];
    done(&[&args[..], &["--trace", &path]].concat());
    let trace = filch_trace::read::perfetto(&fs::read(&path).expect("a trace")).expect("a trace");
    let slices = trace.slices().expect("they nest");
    let has = |name: &str| slices.iter().any(|slice| slice.name == name);
    assert!(["run", "task", "search", "ask", "sleep"].into_iter().all(has));
    assert!(!trace.flows().expect("each has two ends").is_empty());
    let tracks: Vec<&str> = trace.tracks.iter().map(|(name, _)| &**name).collect();
    assert_eq!(tracks[..5], ["main", "filch-1", "filch-2", "filch-3", "pool 1: asks"]);
    done(&[&args[..], &["--trace", &json]].concat());
    let events: Vec<Value> = serde_json::from_slice(&fs::read(&json).expect("a trace")).expect("JSON");
    assert_eq!(events.iter().filter(|event| event["ph"] == "B").count(), slices.len());
    refused(&[&args[..], &["--trace", "never.txt"]].concat(), &["--trace", ".pftrace or .json"]);
    refused(&["simulate", "fib:9", "--trace", "never.json"], &["--trace", "found 4 combinations"]);
}

#[test]
fn a_timeline_is_of_one_run() {
    let one = "expected one --scheduler, one number of --workers and one of --sockets";
    let refuse = |more: &[&str], found: &str| {
        let args = ["simulate", "fib:9", "--timeline", "never.svg"];
        refused(&[&args[..], more].concat(), &["--timeline", one, found]);
    };
    refuse(&["--workers", "4", "--scheduler", "default", "--scheduler", "cilk5"], "found 2 combinations");
    refuse(&["--workers", "4,8"], "found 2 combinations");
    refuse(&["--workers", "4", "--sockets", "1,2"], "found 2 combinations");
    refuse(&[], "found 4 combinations");
    refused(&["simulate", "fib:9", "--svg", "a", "--timeline", "./a"], &["--svg", "--timeline"]);
}

#[test]
fn what_would_take_days_is_refused_with_an_estimate_and_what_takes_longer_than_estimated_is_stopped() {
    let words = ["expected at most 1.00 G events", "found some", "heartbeat on 64", "--most-events"];
    refused(&["simulate", "fib:60", "--scheduler", "heartbeat", "--workers", "64"], &words);
    // It has 100,000 events, and the estimate after the first 65,536 of them is lower.
    let args = ["simulate", "fib:42", "--workers", "64", "--seeds", "1", "--most-events"];
    let output = output(&[&args[..], &["95000"]].concat());
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    contains(&String::from_utf8(output.stderr).unwrap(), &["at most 95.0 k events", "default on 64"]);
    done(&[&args[..], &["1000000"]].concat());
}

#[test]
fn what_cannot_be_simulated_is_refused_with_what_can() {
    refused(&["simulate"], &["PROGRAM"]);
    refused(&["simulate", "fibonacci:9"], &["`fibonacci`", "fib, skew, knary"]);
    refused(&["simulate", "fib:9,leaf=3"], &["`3`", "10us"]);
    refused(&["simulate", "fib:9", "--workers", "0"], &["--workers", "from 1 to 4096"]);
    refused(&["simulate", "fib:9", "--workers", "5000"], &["--workers", "from 1 to 4096"]);
    refused(&["simulate", "fib:9", "--cache", "much"], &["--cache", "6MiB"]);
    refused(&["simulate", "fib:90"], &["at most", "of work"]);
    refused(&["simulate", "lop:9,body=1us..20us"], &["there is no program `lop`", "loop"]);
    refused(&["simulate", "fib:9", "--scheduler", "chaos"], &["`chaos", "one thread plays all"]);
    refused(&["simulate", "fib:9", "--cost", "steal=1us"], &["--cost", "`steal`", "fork, poll"]);
    refused(&["simulate", "fib:9", "--cost", "take"], &["--cost", "take=20us"]);
    refused(&["simulate", "fib:9", "--seeds", "0"], &["--seeds", "from 1 up"]);
    refused(&["simulate", "fib:9", "--svg", "a", "--normalised", "./a"], &["--svg", "--normalised"]);
    refused(&["simulate", "fib:9", "--sockets", "0"], &["--sockets", "from 1 up"]);
    refused(
        &["simulate", "fib:9", "--workers", "16,18", "--sockets", "4"],
        &["--sockets", "18 workers cannot be spread evenly over 4 sockets", "multiple of 4"],
    );
    let listed = output(&["simulate", "list"]);
    for word in ["knary:N,K,R", "phases:N,(PROGRAM)", "exp(10us)", "ramp(1us,20us)"] {
        assert!(stdout(&listed).contains(word), "{word}: {listed:?}");
    }
}
