//! The solutions of instances whose solutions are published.

use filch_search::verify::{verify_colouring, verify_knapsack, verify_pentominoes, verify_sudoku, verify_tour};
use filch_search::{Colouring, Knapsack, Pentominoes, Sudoku, Tour, uts};
use std::path::{Path, PathBuf};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name)
}

/// Their numbers are in every book about them; (Knuth 2000) has those of 6×10, 5×12 and 4×15, by others. Those of the
/// one-sided ones were counted by Patrick Hamlyn; 5×18 has 686,628.
#[test]
fn pentominoes_have_the_known_numbers_of_solutions_and_each_is_right() {
    for (width, height, known) in [
        (20, 3, 2),
        (3, 20, 2),
        (15, 4, 368),
        (12, 5, 1010),
        (10, 6, 2339),
        (30, 2, 0),
        (1, 60, 0),
        (30, 3, 46),
        (45, 2, 0),
    ] {
        let pentominoes = Pentominoes::new(width, height).unwrap();
        let mut count = 0;
        pentominoes.cover().all(|rows| {
            verify_pentominoes(&pentominoes.board(&rows)).unwrap();
            count += 1;
        });
        assert_eq!(count, known, "{width}x{height}");
    }
}

#[test]
fn solutions_of_pentominoes_are_not_reflections_of_each_other() {
    let pentominoes = Pentominoes::new(15, 4).unwrap();
    let mut boards = std::collections::BTreeSet::new();
    pentominoes.cover().all(|rows| {
        let board = pentominoes.board(&rows);
        let upside_down: Vec<String> = board.iter().rev().cloned().collect();
        let mirrored =
            |board: &[String]| board.iter().map(|line| line.chars().rev().collect()).collect::<Vec<String>>();
        for other in [mirrored(&board), mirrored(&upside_down), upside_down] {
            assert!(!boards.contains(&other), "{board:?}");
        }
        assert!(boards.insert(board));
    });
    assert_eq!(boards.len(), 368);
}

#[test]
fn each_board_of_the_files_of_hard_sudoku_has_one_solution() {
    for (file, boards) in [("sudoku9.txt", 7), ("sudoku16.txt", 3)] {
        let all = Sudoku::read(&data(file)).unwrap();
        assert_eq!(all.len(), boards);
        for sudoku in all {
            let mut solutions = Vec::new();
            sudoku.cover().all(|rows| solutions.push(sudoku.filled(&rows)));
            assert_eq!(solutions.len(), 1, "{:?}", sudoku.name());
            verify_sudoku(sudoku.side(), sudoku.given(), &solutions[0]).unwrap();
        }
    }
}

#[test]
fn the_lengths_of_the_shortest_trips_are_those_of_tsplib() {
    for (file, known) in [("gr17.tsp", 2085), ("burma14.tsp", 3323)] {
        let read = || Tour::read(&data(file)).unwrap();
        let (length, trip) = read().best().unwrap();
        assert_eq!(length, known, "{file}");
        let tour = read();
        verify_tour(tour.num_cities(), |from, to| tour.distance(from, to), &trip, length).unwrap();
    }
}

#[test]
fn the_most_valuable_knapsack_is_the_published_one() {
    let read = || Knapsack::read(&data("p07.txt")).unwrap();
    let (value, packed) = read().best().unwrap();
    assert_eq!((value, &packed[..]), (1458, &[0, 2, 4, 6, 7, 8, 13, 14][..]));
    let things: Vec<(u64, u64)> = read().things().iter().map(|thing| (thing.value, thing.weight)).collect();
    verify_knapsack(read().capacity(), &things, &packed, value).unwrap();
}

/// (Mycielski 1955) shows that his graphs have no triangles, and that the number of colours grows by one.
#[test]
fn the_chromatic_numbers_are_the_known_ones() {
    for (file, vertices, edges, known) in
        [("myciel3.col", 11, 20, 4), ("myciel4.col", 23, 71, 5), ("queen5_5.col", 25, 160, 5)]
    {
        let read = || Colouring::read(&data(file)).unwrap();
        let graph = read();
        assert_eq!((graph.num_vertices(), graph.num_edges()), (vertices, edges), "{file}");
        let (count, colours) = read().best().unwrap();
        assert_eq!(count, known, "{file}");
        verify_colouring(|vertex| graph.neighbours(vertex), &colours, count).unwrap();
    }
}

/// By the file `sample_trees` of the published program (Olivier et al. 2006). In a debug build a hash takes long, so
/// there the tree with the most steps is enough.
#[test]
fn unbalanced_trees_have_the_published_sizes() {
    let names: &[&str] = if cfg!(debug_assertions) { &["T3"] } else { &["T1", "T2", "T3", "T4", "T5"] };
    for named in names.iter().map(|name| uts::find(name).expect("a published tree")) {
        let uts::Size { nodes, leaves, depth } = named.tree.size();
        assert_eq!((nodes, Some(leaves), Some(depth)), (named.nodes, named.leaves, named.depth), "{}", named.name);
    }
}
