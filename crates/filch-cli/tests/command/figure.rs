//! `filch paper figure`, and the algorithms of the papers in `filch forest`.

use serde_json::Value;

use crate::helpers::{Directory, contains, done, figures, refused};

const NAMES: [&str; 9] = [
    "tascell-10",
    "tascell-11",
    "tascell-12",
    "tascell-13",
    "tascell-table-2",
    "tascell-table-3",
    "xws-1",
    "xws-batches",
    "xws-table-1",
];

#[test]
fn every_figure_is_measured_and_shown_and_drawn() {
    let directory = Directory::new("figures");
    for name in NAMES {
        let svg = directory.0.join(format!("{name}.svg")).display().to_string();
        let mut args = vec!["paper", "figure", name, "--size", "tiny", "--runs", "1", "--workers", "1,2"];
        let is_drawn = !name.starts_with("tascell-table");
        if is_drawn {
            args.extend(["--svg", &svg]);
        }
        let (rows, shown) = figures(&args);
        contains(&shown, &["each tree verified"]);
        assert!(shown.lines().all(|line| line.chars().count() <= 90), "{name}: {shown}");
        let rows = rows.as_array().unwrap();
        assert!(rows.len() > 4, "{name}: {rows:?}");
        let has_time = |row: &&Value| !row["seconds"].as_array().unwrap().is_empty();
        assert_eq!(rows.iter().filter(has_time).count(), rows.len(), "{name}: no graph is deep");
        if is_drawn {
            contains(&std::fs::read_to_string(&svg).unwrap(), &["<svg", "</svg>"]);
        }
    }
}

#[test]
fn figure_6_has_all_twelve_programs_measured_recorded_and_simulated() {
    let (rows, shown) = figures(&["paper", "figure", "cilk5-6", "--size", "tiny", "--runs", "1", "--workers", "2"]);
    contains(&shown, &["*cilksort", "†knapsack", "*cholesky", "Barnes-Hut", "paper P̄", "each result verified"]);
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 12);
    for row in rows {
        let [work, span] = ["recorded_work_ns", "span_ns"].map(|name| row[name].as_u64().unwrap());
        assert!(0 < span && span <= work, "{row}");
        assert!(row["simulated_speed_up"].as_f64().is_some_and(|it| 0.2 < it && it <= 8.0), "{row}");
        for times in ["serial_s", "t1_s", "tp_s"] {
            assert_eq!(row[times].as_array().unwrap().len(), 1, "{row}");
        }
    }
    refused(&["paper", "figure", "cilk5-6", "--workers", "2,3"], &["--workers", "one number"]);
    refused(&["paper", "figure", "cilk5-6", "--svg", "six.svg"], &["--svg", "cannot be drawn"]);
    refused(&["paper", "figure", "cilk5-6", "--cost", "take=1us"], &["--cost", "measured"]);
}

#[test]
fn figure_8_has_all_programs_of_the_suite_and_those_whose_input_is_a_file() {
    let directory = Directory::new("figure-8");
    let path = |name: &str| directory.0.join(name).display().to_string();
    std::fs::write(path("words.txt"), "the mill at the end of the valley").unwrap();
    let words = format!("suffixarray={}", path("words.txt"));
    let args = ["paper", "figure", "heartbeat-8", "--size", "tiny", "--runs", "1", "--workers", "2"];
    let (rows, shown) = figures(&[&args[..], &["--input", &words, "--input", &words]].concat());
    contains(&shown, &["radixsort random pair", "suffixarray words.txt", "+192.3 %", "each result verified"]);
    let rows = rows.as_array().unwrap();
    // One more than in the figure, because two files take the place of a generated text.
    assert_eq!(rows.len(), 24);
    assert_eq!(rows.iter().filter(|row| row["n"] == "33").count(), 2, "the bytes of the file");
    for row in rows {
        assert!(row["seconds"].as_array().is_some_and(|runners| runners.len() == 6), "{row}");
    }
    let threads = |row: &Value| row["threads"][0].as_f64().unwrap();
    assert!(rows.iter().any(|row| threads(row) > 0.0), "{rows:?}");
    let input = |input: &'static str| ["paper", "figure", "heartbeat-8", "--input", input];
    refused(&input("fib=x"), &["no program `fib`", "suffixarray"]);
    refused(&input("radixsort-random=x"), &["radixsort-random reads no files"]);
    refused(&input("suffixarray"), &["expected PROGRAM=FILE"]);
    refused(&input("raycast=/none.ply"), &["/none.ply"]);
    refused(
        &input("suffixarray=/dev/zero"),
        &["/dev/zero: expected a file of at most 4294967295 bytes, found no file"],
    );
    let mesh = |name: &str, text: &str| {
        std::fs::write(path(name), text).unwrap();
        format!("raycast={}", path(name))
    };
    let empty = mesh("empty.off", "OFF\n0 0 0\n");
    refused(&["paper", "figure", "heartbeat-8", "--input", &empty], &["empty.off: raycast has no size n = 0"]);
    let huge = mesh("huge.obj", "v -1e308 0 0\nv 1e308 1 0\nv 0 0 1\nf 1 2 3\n");
    let huge = huge.strip_prefix("raycast=").unwrap();
    refused(&["bench", "raycast", "--input", huge], &["huge.obj: ", "expected finite coordinates"]);
    refused(&["paper", "figure", "xws-1", "--input", "fib=x"], &["--input x: expected heartbeat-8"]);
}

#[test]
fn simulated_figures_are_shown_and_drawn_beside_the_paper_s_and_are_the_same_each_time() {
    let directory = Directory::new("simulated-figures");
    let cases: [(&str, &[&str]); 6] = [
        ("cilk5-6-simulated", &["strassen", "5.7", "Barnes-Hut", "7.5", "knary(", "formula"]),
        ("cilk5-8", &["knary(14, 2, 0)", "c∞ fitted", "all but one, which has 1.05·T∞"]),
        ("heartbeat-7", &["P = 40", "τ = 1.50 µs", "best N", "30 µs", "10 to 100 µs"]),
        ("tascell-12-simulated", &["long-term, Tascell", "help first", "idempotent", "P = 128", "takes 69 ns"]),
        ("tascell-13-simulated", &["depth-limited(10)", "P = 24", "alone"]),
        ("xws-1-simulated", &["BFS-T 256", "DFS-R 256", "levels", "P = 32", "an assumption"]),
    ];
    for (name, words) in cases {
        let svg = directory.0.join(format!("{name}.svg")).display().to_string();
        let run = || {
            // Figure 8 on 4,096 workers takes long in a build for tests.
            let workers: &[&str] = if name == "cilk5-8" { &["--workers", "8,64"] } else { &[] };
            let args = ["paper", "figure", name, "--size", "tiny", "--runs", "1", "--svg", &svg];
            let (rows, shown) = figures(&[&args, workers].concat());
            (shown, rows, std::fs::read_to_string(&svg).unwrap())
        };
        let (shown, rows, picture) = run();
        contains(&shown, words);
        contains(&shown, &["simulated: medians of 1 seed"]);
        contains(&picture, &["<svg", "</svg>"]);
        assert!(shown.lines().all(|line| line.chars().count() <= 100), "{name}: {shown}");
        assert!(rows.as_array().unwrap().iter().all(|row| row["time_ns"].as_array().unwrap().len() == 1), "{rows}");
        if name == "cilk5-6-simulated" {
            assert_eq!(run(), (shown, rows, picture), "{name}");
        }
    }
    refused(&["paper", "figure", "cilk5-8", "--topology", "2x2"], &["--topology", "simulated"]);
    refused(&["paper", "figure", "cilk5-8", "--workers", "5000"], &["--workers 5000", "at most 4096"]);
    refused(&["paper", "figure", "heartbeat-7", "--workers", "8,64"], &["--workers", "one number of workers"]);
    refused(&["paper", "figure", "heartbeat-7", "--scheduler", "cilk5"], &["--scheduler cilk5", "heartbeat"]);
    refused(&["paper", "figure", "cilk5-8", "--scheduler", "chaos"], &["--scheduler", "one thread plays all"]);
    refused(&["paper", "figure", "cilk5-8", "--cost", "steal=1us"], &["--cost", "`steal`", "fork, poll"]);
    refused(&["paper", "figure", "heartbeat-7", "--cost", "fork=1000s"], &["--cost", "loop", "at most", "of work"]);
    refused(&["paper", "figure", "tascell-10", "--cost", "take=1us"], &["--cost", "measured"]);
}

#[test]
fn cab_stands_beside_flat_stealing_and_the_paper() {
    let directory = Directory::new("cab-figure");
    let svg = directory.0.join("cab.svg").display().to_string();
    let args = ["paper", "figure", "cab-8", "--runs", "1", "--scheduler", "default", "--svg", &svg];
    let (points, shown) = figures(&args);
    contains(&shown, &["CAB beside default: 4 sockets, 4 cores and 6 MiB", "below 0 %", "4 *", "1 seed"]);
    contains(&std::fs::read_to_string(&svg).unwrap(), &["boundary level", "time relative to flat"]);
    let points = points.as_array().unwrap();
    assert_eq!(points.len(), 6, "a point for each boundary level");
    assert!(
        points.iter().all(|point| point["flat_scheduler"] == "default" && point["boundary_by_equation"] == 4),
        "{points:?}"
    );
    refused(&["paper", "figure", "cab-8", "--workers", "8"], &["--workers", "16"]);
    refused(&["paper", "figure", "cab-8", "--scheduler", "serial"], &["--scheduler"]);
    refused(&["paper", "figure", "cab-8", "--scheduler", "cab"], &["--scheduler cab", "a flat one"]);
    refused(
        &["paper", "figure", "cab-8", "--topology", "2x2"],
        &["--topology", "simulated", "not run on this machine"],
    );
}

#[test]
fn cab_at_level_0_is_measured_and_what_sockets_read_is_simulated() {
    let shown = done(&["paper", "figure", "cab-9", "--size", "tiny", "--runs", "2", "--topology", "2x1"]);
    contains(&shown, &["cab at boundary level 0 beside", "on 2x1", "queens-any", "fft", "ck", "cholesky", "below 5 %"]);
    let levels = shown.lines().filter_map(|line| line.split_whitespace().nth(2));
    assert_eq!(levels.filter(|&level| level == "0").count(), 4, "{shown}");
    refused(&["paper", "figure", "cab-9", "--cost", "take=1us"], &["--cost", "measured"]);
    refused(&["paper", "figure", "cab-9", "--workers", "2"], &["--workers", "--topology"]);
    contains(&done(&["paper", "figure", "cab-2", "--runs", "3"]), &["960 bytes", "cilk5", "cab", "3 seeds"]);
    refused(&["paper", "figure", "cab-2", "--workers", "8"], &["--workers", "4"]);
}

#[test]
fn figures_stand_beside_those_of_the_papers() {
    let shown = done(&["paper", "figure", "tascell-table-3", "--size", "tiny", "--runs", "1", "--workers", "1"]);
    contains(&shown, &["350,812", "2,163,449", "115", "long-term-halves", "bintree"]);
    let shown = done(&["paper", "figure", "tascell-table-2", "--size", "tiny", "--runs", "1", "--workers", "1"]);
    contains(&shown, &["821 ms", "200"]);
    let shown = done(&["paper", "figure", "xws-table-1", "--size", "tiny", "--runs", "1", "--workers", "1"]);
    contains(&shown, &["Niagara", "2,400", "7.40", "no swaps", "spread of the runs", "stride 7919 / tree"]);
}

#[test]
fn a_table_of_different_units_is_not_drawn_and_unknown_figures_are_refused() {
    refused(&["paper", "figure", "tascell-table-2", "--svg", "table.svg"], &["--svg", "cannot be drawn"]);
    refused(&["paper", "figure", "tascell-99"], &["tascell-99", "tascell-10", "xws-table-1"]);
}

#[test]
fn forests_of_the_papers_are_verified_and_say_what_they_counted() {
    let algorithms = "stack,staged,short-term,long-term,long-term-halves,synched,depth-limited,stub-tree,\
                      copied-half,help-first,spmd-bfs,cilk-bfs,stashed-dfs,stashed-bfs,unbounded";
    for rows in ["sorted", "shuffled", "linked"] {
        let args =
            ["paper", "forest", "torus(9)", "--algorithm", algorithms, "--rows", rows, "--verify", "--workers", "2"];
        contains(&done(&args), &["verified", "long-term-halves", "spmd-bfs"]);
    }
    let shown = done(&["paper", "forest", "path(1000)", "--algorithm", "long-term", "--depth", "9", "--workers", "1"]);
    contains(&shown, &["stages 99", "overflowed 99", "allocations 99"]);
    let args = ["paper", "forest", "path(1000)", "--algorithm", "long-term", "--depth", "9,99", "--workers", "1"];
    contains(&done(&args), &["long-term(9)", "long-term(99)"]);
    let args = ["paper", "forest", "path(1000)", "--algorithm", "stack,long-term", "--array", "2,9", "--stages"];
    contains(&done(&[&args[..], &["array,list"]].concat()), &["long-term by 2 array", "long-term by 9 list"]);
    let args = ["paper", "forest", "torus(9)", "--algorithm", "stack,long-term", "--claims", "exchange,fence"];
    contains(&done(&args), &["stack exchange", "stack fence", "long-term exchange", "long-term fence"]);
    let args = ["forest", "torus(9)", "--algorithm", "pull,pseudo-dfs", "--claims", "exchange,batch"];
    contains(&done(&args), &["pull ", "pseudo-dfs batch", "pseudo-dfs exchange"]);
    let args = ["paper", "forest", "torus(9)", "--algorithm", "stashed-dfs", "--batches", "1,up-to-8", "--no-swaps"];
    contains(&done(&args), &["stashed-dfs(1)", "stashed-dfs(up-to-8)"]);
    let args = ["paper", "forest", "torus(9)", "--algorithm", "stashed-bfs", "--batches", "8,share/4:1..8"];
    contains(&done(&args), &["stashed-bfs(share/4:1..8)"]);
}

#[test]
fn options_that_no_algorithm_has_are_refused() {
    refused(&["paper", "forest", "path(9)", "--algorithm", "stack", "--depth", "9"], &["--depth", "long-term"]);
    refused(&["paper", "forest", "path(9)", "--algorithm", "stack", "--array", "9"], &["--array", "cilk-bfs"]);
    refused(&["paper", "forest", "path(9)", "--array", "65537"], &["--array 65537", "at most 65536"]);
    refused(&["paper", "forest", "path(9)", "--algorithm", "long-term", "--no-swaps"], &["--no-swaps", "stashed-dfs"]);
    refused(
        &["paper", "forest", "path(9)", "--algorithm", "long-term", "--claims", "batch"],
        &["--claims", "batch", "fence"],
    );
    refused(&["forest", "path(9)", "--algorithm", "pull", "--claims", "exchange"], &["--claims", "pseudo-dfs"]);
    refused(&["paper", "forest", "path(9)", "--algorithm", "staged", "--depth", "257"], &["257 levels", "at most 256"]);
    // Before the graph is built.
    let words = ["expected --workers 1 for long-term", "found 2 workers"];
    for algorithms in ["long-term", "stack,long-term"] {
        let args = ["paper", "forest", "path(9)", "--algorithm", algorithms, "--claims", "alone", "--workers", "1,2"];
        refused(&args, &words);
    }
    done(&["paper", "forest", "path(9)", "--algorithm", "stack,staged", "--claims", "alone", "--workers", "2"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_recursion_that_would_overflow_the_stack_is_bad_input_alone_and_a_row_beside_others() {
    let args = ["paper", "forest", "path(1000000)", "--workers", "1", "--algorithm"];
    let output = crate::helpers::output(&[&args[..], &["unbounded"]].concat());
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    contains(&String::from_utf8(output.stderr).unwrap(), &["at depth", "long-term"]);

    let (rows, shown) = figures(&[&args[..], &["unbounded,stack,long-term", "--against", "serial"]].concat());
    let line = |start: &str| shown.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{shown}"));
    assert!(line("unbounded").contains("stack at "), "{shown}");
    assert!(line("stack  ").contains("/s") || line("stack  ").contains("s "), "{shown}");
    assert!(line("long-term").ends_with(']'), "compared with the first that has a time: {shown}");
    assert!(rows[0]["exhausted_at_depth"].as_u64().unwrap() > 0 && rows[0]["median_s"].is_null(), "{rows}");
    assert!(rows[1]["median_s"].as_f64().unwrap() > 0.0, "{rows}");
}

#[test]
fn a_serial_algorithm_is_not_said_to_run_on_several_workers() {
    let weighted = ["--weights", "unit"];
    for (command, more) in [
        ("forest", &["--algorithm", "serial"][..]),
        ("paper forest", &["--algorithm", "stack"]),
        ("paper forest", &["--algorithm", "staged"]),
        ("forest", &[]),
        ("components", &["--algorithm", "serial"]),
        ("sssp", &weighted),
        ("msf", &weighted),
    ] {
        let shown = done(&[&Vec::from_iter(command.split(' '))[..], &["torus(9)", "--workers", "2"], more].concat());
        let line = shown.lines().find(|line| line.starts_with("solved in")).unwrap();
        assert!(line.ends_with("; serially, by one worker"), "{command} {more:?}: {line}");
    }
    let shown = done(&["paper", "forest", "torus(9)", "--workers", "2", "--algorithm", "long-term"]);
    contains(&shown, &["; filch:default on 2 workers"]);
}
