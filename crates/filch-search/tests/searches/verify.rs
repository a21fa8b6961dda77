//! What the checks of solutions reject.

use filch_search::verify::{
    verify_colouring, verify_cover, verify_knapsack, verify_pentominoes, verify_queens, verify_sudoku, verify_tour,
};

fn wrong(result: Result<(), String>) -> String {
    result.unwrap_err()
}

#[test]
fn covers() {
    let rows: [&[usize]; 4] = [&[0], &[1, 2], &[0, 2], &[1]];
    let check = |chosen: &[usize]| verify_cover(2, chosen, |row| rows[row].iter().copied());
    assert_eq!((check(&[0, 1]), check(&[2, 3]), check(&[3, 0])), (Ok(()), Ok(()), Ok(())));
    assert_eq!(wrong(check(&[1])), "column 0 is not covered");
    assert_eq!(wrong(check(&[0, 0, 1])), "column 0 is covered twice");
    assert_eq!(wrong(check(&[1, 2])), "column 2 is covered twice");
}

#[test]
fn boards_of_pentominoes() {
    let rows = ["UUXPPPZYYYYWTFNNNVVV", "UXXXPPZZZYWWTFFFNNLV", "UUXIIIIIZWWTTTFLLLLV"];
    let board = |rows: [&str; 3]| rows.map(str::to_owned);
    assert_eq!(verify_pentominoes(&board(rows)), Ok(()));
    let [first, second, third] = rows;
    let changed = board([&first.replace("UU", "UP"), second, third]);
    assert_eq!(wrong(verify_pentominoes(&changed)), "P is on 6 squares");
    let swapped = first.replacen('V', "T", 1).replacen('T', "V", 1);
    assert!(wrong(verify_pentominoes(&board([&swapped, second, third]))).ends_with("does not hang together"));
    let without = rows.map(|row| row.replace('L', "."));
    assert_eq!(wrong(verify_pentominoes(&without)), "a square is not covered");
    // More pieces are one-sided: F and its reflection are two of them, but not I and its.
    let mirrored = |row: &str| row.to_lowercase().chars().rev().collect::<String>();
    let twice = rows.map(|row| row.to_owned() + &row.to_lowercase());
    assert_eq!(wrong(verify_pentominoes(&twice)), "f has the shape of another piece");
    let with_reflections = rows.map(|row| row.to_owned() + &mirrored(row));
    assert_eq!(wrong(verify_pentominoes(&with_reflections)), "i has the shape of another piece");
}

#[test]
fn boards_of_sudoku() {
    let given = [3, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0];
    let filled = [3, 1, 2, 4, 2, 4, 3, 1, 1, 2, 4, 3, 4, 3, 1, 2];
    assert_eq!(verify_sudoku(4, &given, &filled), Ok(()));
    let change = |cells: &[(usize, u8)]| {
        let mut changed = filled;
        cells.iter().for_each(|&(cell, number)| changed[cell] = number);
        wrong(verify_sudoku(4, &given, &changed))
    };
    assert_eq!(change(&[(0, 4)]), "row 1, column 1 is not what was given");
    assert_eq!(change(&[(1, 2)]), "row 1 does not have all numbers");
    assert_eq!(change(&[(2, 4), (3, 2)]), "column 3 does not have all numbers");
    let latin = [1, 2, 3, 4, 2, 3, 4, 1, 3, 4, 1, 2, 4, 1, 2, 3];
    assert_eq!(wrong(verify_sudoku(4, &[0; 16], &latin)), "box 1 does not have all numbers");
}

#[test]
fn queens() {
    assert_eq!(verify_queens(4, &[1, 3, 0, 2]), Ok(()));
    assert_eq!(wrong(verify_queens(4, &[1, 3, 0, 3])), "the queens of rows 2 and 4 attack each other");
    assert_eq!(wrong(verify_queens(4, &[1, 0, 3, 2])), "the queens of rows 1 and 2 attack each other");
    assert!(verify_queens(4, &[1, 3, 0]).is_err() && verify_queens(4, &[1, 3, 0, 4]).is_err());
}

#[test]
fn knapsacks() {
    let check = |packed: &[usize], value| verify_knapsack(10, &[(50, 3), (40, 4), (30, 6)], packed, value);
    assert_eq!(check(&[0, 1], 90), Ok(()));
    assert_eq!(wrong(check(&[0, 1], 91)), "it is worth 90, not 91");
    assert_eq!(wrong(check(&[0, 0], 100)), "a thing is packed twice");
    assert_eq!(wrong(check(&[0, 1, 2], 120)), "it weighs 13, more than 10");
}

#[test]
fn trips() {
    let check = |trip: &[usize], length| verify_tour(3, |a, b| (a + b) as u32, trip, length);
    assert_eq!(check(&[0, 2, 1], 6), Ok(()));
    assert_eq!(wrong(check(&[0, 2, 1], 7)), "it is 6 long, not 7");
    for trip in [&[0, 1][..], &[0, 1, 1], &[0, 1, 3], &[0, 1, 2, 0]] {
        assert_eq!(wrong(check(trip, 6)), "a city is not visited, or twice");
    }
}

#[test]
fn colourings() {
    let path = [vec![1], vec![0, 2], vec![1]];
    let check = |colours: &[usize], count| verify_colouring(|vertex| path[vertex].clone(), colours, count);
    assert_eq!(check(&[0, 1, 0], 2), Ok(()));
    assert_eq!(wrong(check(&[0, 1, 1], 2)), "vertices 2 and 3 have one colour");
    assert_eq!(wrong(check(&[0, 1, 2], 2)), "3 colours, not 2");
}
