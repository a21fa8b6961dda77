//! `filch search`: solutions, figures, and bad input.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::helpers::{self, Directory, contains, filch, output, refused};

/// A file of instances of the crate `filch-search`.
fn data(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../filch-search/data").join(name);
    path.to_str().unwrap().to_owned()
}

/// Runs a search that must succeed, and returns its output.
#[track_caller]
fn done(args: &[&str]) -> String {
    helpers::done(&[&["search"], args].concat())
}

#[test]
fn solutions_are_counted() {
    contains(&done(&["queens", "8", "--count", "--workers", "2"]), &["solutions     92\n", "on 2 workers"]);
    contains(&done(&["pentomino", "20x3", "--count"]), &["solutions     2, symmetric ones counted once\n"]);
    let sudoku = done(&["sudoku", &data("sudoku9.txt"), "--count", "--scheduler", "tascell"]);
    assert_eq!(sudoku.matches("solutions     1\n").count(), 7, "{sudoku}");
    contains(&sudoku, &["board         1 of 7: Inkala 2012\n", "filch:tascell"]);
}

#[test]
fn first_solutions_are_shown_as_boards_and_checked() {
    let queens = done(&["queens", "4"]);
    contains(&queens, &[". Q . .\n. . . Q\nQ . . .\n. . Q .\n\n", "solutions     the first, checked\n"]);
    // The first rows of the published solution.
    let sudoku = done(&["sudoku", &data("sudoku9.txt"), "--first"]);
    contains(&sudoku, &["8 1 2  7 5 3  6 4 9\n9 4 3  6 8 2  1 7 5\n6 7 5  4 9 1  2 8 3\n\n"]);
    let pentomino = done(&["pentomino", "3x20"]);
    assert_eq!(pentomino.lines().filter(|line| line.len() == 3).count(), 20, "{pentomino}");
}

/// 14 queens have 365,596 solutions, so which one is found first differs from run to run.
#[test]
fn any_solution_is_shown_checked_and_compared_in_nodes_per_second() {
    let any = done(&["queens", "14", "--any", "--workers", "1,2"]);
    assert_eq!(any.matches("solutions     one, checked\n").count(), 2, "{any}");
    assert_eq!(any.lines().filter(|line| line.matches('Q').count() == 1).count(), 2 * 14, "{any}");
    contains(&any, &["on 1 worker\n", "on 2 workers\nspeed-up      ", " in nodes/s, over 1 worker\n"]);
    contains(&done(&["queens", "3", "--any"]), &["solutions     none\n"]);
}

#[test]
fn all_solutions_are_shown_in_serial_order_whatever_the_number_of_workers() {
    let boards = |workers| {
        let shown = done(&["pentomino", "20x3", "--all", "--workers", workers]);
        contains(&shown, &["solution 1\n", "solution 2\n", "solutions     2, every one checked, symmetric ones"]);
        shown.split_once("\nsolutions").unwrap().0.to_owned()
    };
    assert_eq!(boards("1"), boards("3"));
}

/// (Knuth 2000) has one solution; a secondary column may stay free.
#[test]
fn exact_covers_are_shown_by_the_names_of_their_columns() {
    let directory = Directory::new("exact-cover");
    let file = directory.0.join("rows.txt");
    fs::write(&file, "# Knuth's example\nc e f\na d g\nb c f\na d\nb g\nd e g\n").unwrap();
    let file = file.to_str().unwrap();
    contains(&done(&["exact-cover", file, "--all"]), &["solution 1\nc e f\na d\nb g\n\n", "solutions     1, every"]);
    fs::write(file, "a | x\nb | x\nb | y\n").unwrap();
    contains(&done(&["exact-cover", file, "--all"]), &["solution 1\na | x\nb | y\n\n", "solutions     1, every"]);
}

#[test]
fn best_solutions_are_those_that_are_published() {
    contains(&done(&["knapsack", &data("p07.txt")]), &["value 1,458, weight 749 of 750\n", "the best, checked"]);
    contains(&done(&["tsp", &data("gr17.tsp"), "--workers", "2"]), &["length 2,085\n", "the best, checked"]);
    contains(&done(&["tsp", &data("burma14.tsp")]), &["length 3,323\n"]);
    contains(&done(&["colour", &data("myciel4.col")]), &["colour 5: ", "5 colours\n", "the best, checked"]);
}

#[test]
fn the_size_of_an_unbalanced_tree_is_compared_with_the_published_one() {
    let t3 = done(&["uts", "t3", "--workers", "1,2"]);
    contains(&t3, &["solutions     3,599,034 leaves\n", "4,112,897 nodes in ", "speed-up"]);
    contains(&t3, &["published     4,112,897 nodes, 3,599,034 leaves: the same\n"]);
    refused(&["search", "uts", "T9"], &["expected one of T3, T2, T1"]);
}

#[test]
fn a_problem_without_solution_has_an_answer() {
    for args in [&["queens", "3"][..], &["queens", "2", "--count"], &["pentomino", "2x30", "--all"]] {
        contains(&done(args), &["solutions     none\n"]);
    }
    let directory = Directory::new("unsolvable");
    let file = directory.0.join("board.txt");
    fs::write(&file, "123.\n...4\n....\n....\n").unwrap();
    contains(&done(&["sudoku", file.to_str().unwrap()]), &["solutions     none\n"]);
}

#[test]
fn figures_are_written() {
    let rows = |args: &[&str]| -> Vec<Value> {
        serde_json::from_str(&done(&[args, &["--workers", "2", "--format", "json"]].concat())).unwrap()
    };
    let row = &rows(&["queens", "8", "--count"])[0];
    assert_eq!((&row["program"], &row["instance"], &row["asked"]), (&"queens".into(), &"8".into(), &"count".into()));
    // Its profile is 1, 8, 42, 140, 344, 568, 550, 312, 92 (Knuth 2022, section 7.2.2).
    assert_eq!((&row["solutions"], &row["nodes"], &row["workers"]), (&92.into(), &2057.into(), &2.into()));
    assert!(row["nodes_per_s"].as_f64().unwrap() > 0.0 && row.get("verified").is_none(), "{row}");
    let row = &rows(&["tsp", &data("gr17.tsp")])[0];
    assert_eq!((&row["value"], &row["verified"], &row["asked"]), (&2085.into(), &true.into(), &"best".into()));
    assert_eq!(row["solution"][1], "length 2,085");
    assert_eq!(rows(&["sudoku", &data("sudoku9.txt")]).len(), 7);
}

/// Bad input must be refused by this program with these words.
#[track_caller]
fn refused_input(program: &str, content: &str, words: &[&str]) {
    let directory = Directory::new(&format!("search-{program}"));
    let input = directory.0.join("input.txt");
    fs::write(&input, content).unwrap();
    refused(&["search", program, input.to_str().unwrap()], words);
}

#[test]
fn bad_input_is_refused_with_file_line_and_reason() {
    refused_input("sudoku", "1...\n....\n..x.\n", &["input.txt:3:", "digits, letters A to G", "\"x\""]);
    refused_input("sudoku", "1...\n....\n1...\n....\n", &["input.txt:3:", "1 once in column 1", "row 3"]);
    refused_input("sudoku", "12345\n", &["input.txt:1:", "81 or 256 cells", "found 5"]);
    refused_input("exact-cover", "a b\na a\n", &["input.txt:2:", "each column once", "\"a\" twice"]);
    refused_input("exact-cover", "a | x\nx\n", &["input.txt:2:", "\"x\"", "secondary in line 1"]);
    refused_input("exact-cover", "", &["input.txt: expected lines with the names of columns, found none"]);
    refused_input("knapsack", "2 10\n1 two\n", &["input.txt:2:", "a weight", "\"two\""]);
    refused_input("knapsack", "2 10\n1 2\n", &["input.txt: expected 2 things, as line 1 says, found 1"]);
    refused_input("tsp", "DIMENSION: 65\n", &["input.txt:1:", "1 to 64 cities", "65"]);
    refused_input("colour", "p edge 3 1\ne 1 4\n", &["input.txt:2:", "from 1 to 3", "4"]);
}

#[test]
fn bad_usage_is_refused_with_what_is_allowed() {
    refused(&["search"], &["queens", "pentomino", "sudoku", "exact-cover", "knapsack", "tsp", "colour"]);
    refused(&["search", "queens", "31"], &["31", "from 1 to 30"]);
    refused(&["search", "queens", "0"], &["0", "from 1 to 30"]);
    refused(&["search", "pentomino", "7x9"], &["60 squares", "7x9 with 63"]);
    refused(&["search", "pentomino", "6"], &["such as 10x6"]);
    refused(&["search", "queens", "8", "--count", "--all"], &["--count", "--all"]);
    refused(&["search", "queens", "8", "--any", "--first"], &["--any", "--first"]);
    refused(
        &["search", "tsp", &data("gr17.tsp"), "--workers", "1,2"],
        &["--workers", "expected one number", "found 2"],
    );
    refused(&["search", "tsp", "cities.tsp", "--count"], &["--count"]);
    refused(&["search", "sudoku", "missing.txt"], &["missing.txt: no such file"]);
    refused(&["search", "sudoku", "/"], &["directory"]);
    refused(&["search", "queens", "8", "--workers", "0"], &["--workers", "from 1 up"]);
    refused(&["search", "queens", "8", "--scheduler", "fast"], &["--scheduler", "fast", "cilk5"]);
}

/// All solutions of 20 queens would take hours.
#[test]
fn solutions_come_early_and_a_closed_pipe_ends_the_search() {
    let mut child =
        filch(&["search", "queens", "20", "--all"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "solution 1");
    drop(lines);
    assert_eq!(child.wait().unwrap().code(), Some(141));
}

#[test]
fn the_nodes_and_the_share_of_the_tree_are_shown_while_it_is_searched() {
    let output = output(&["search", "queens", "12", "--count"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.starts_with("searching queens 12 ...\n"), "{told}");
    let later: Vec<&str> = told.lines().skip(1).collect();
    assert!(
        later.len() <= 10 && later.iter().all(|line| line.contains("nodes, ") && line.ends_with("% ...")),
        "{told}"
    );
}
