//! Problems whose solutions are counted, or shown one after another.

use std::path::Path;

use filch_bench::failure::Failure;
use filch_programs::queens_search::{Board, Queens};
use filch_search::verify::{verify_coloured_cover, verify_pentominoes, verify_queens, verify_sudoku};
use filch_search::{NamedCover, Pentominoes, Sudoku};
use filch_text::named;

use super::args::Asked;
use super::puzzle::{Ask, Found, Puzzle};
use super::session::Session;

/// Runs `filch search queens`.
pub fn queens(n: u8, asked: Asked, session: &mut Session<'_>) -> Result<(), Failure> {
    let queens = Queens::new(n);
    let n = usize::from(n);
    let bytes = |found: &Found| found.kept.iter().map(|&column| column as u8).collect::<Vec<_>>();
    let row = |&queen: &usize| {
        let squares = (0..n).map(|column| if column == queen { "Q" } else { "." });
        squares.collect::<Vec<_>>().join(" ")
    };
    session.solve(Puzzle {
        program: "queens",
        instance: n.to_string(),
        problem: &queens,
        start: Board::EMPTY,
        ask: Ask::Solutions(asked),
        keep: &|board| board.queens().iter().map(|&column| column.into()).collect(),
        show: &|found| found.kept.iter().map(row).collect(),
        check: &|found| verify_queens(n, &bytes(found)),
        note: "",
    })
}

/// Runs `filch search pentomino`.
pub fn pentomino((width, height): (u64, u64), asked: Asked, session: &mut Session<'_>) -> Result<(), Failure> {
    let pentominoes = Pentominoes::new(width, height).map_err(Failure::usage)?;
    let cover = pentominoes.cover();
    session.solve(Puzzle {
        program: "pentomino",
        instance: format!("{width}x{height}"),
        problem: cover,
        start: cover.start(),
        ask: Ask::Solutions(asked),
        keep: &|chosen| cover.chosen(chosen).collect(),
        show: &|found| pentominoes.board(&found.kept),
        check: &|found| verify_pentominoes(&pentominoes.board(&found.kept)),
        note: ", symmetric ones counted once",
    })
}

/// Runs `filch search sudoku`.
pub fn sudoku(file: &Path, asked: Asked, session: &mut Session<'_>) -> Result<(), Failure> {
    let boards = Sudoku::read(file).map_err(Failure::usage)?;
    for (place, sudoku) in boards.iter().enumerate() {
        let mut instance = named(file).display().to_string();
        if boards.len() > 1 {
            let number = format!("{} of {}", place + 1, boards.len());
            instance += &format!(", {number}");
            let name = sudoku.name().map_or(String::new(), |name| format!(": {name}"));
            session.line("board", &format!("{number}{name}"))?;
        }
        let cover = sudoku.cover();
        session.solve(Puzzle {
            program: "sudoku",
            instance,
            problem: cover,
            start: cover.start(),
            ask: Ask::Solutions(asked),
            keep: &|chosen| cover.chosen(chosen).collect(),
            show: &|found| sudoku.board(&sudoku.filled(&found.kept)),
            check: &|found| verify_sudoku(sudoku.side(), sudoku.given(), &sudoku.filled(&found.kept)),
            note: "",
        })?;
        if place + 1 < boards.len() {
            session.line("", "")?;
        }
    }
    Ok(())
}

/// Runs `filch search exact-cover`.
pub fn exact_cover(file: &Path, dlx: bool, asked: Asked, session: &mut Session<'_>) -> Result<(), Failure> {
    let read = if dlx { NamedCover::read_dlx } else { NamedCover::read };
    let problem = read(file).map_err(Failure::usage)?;
    let cover = &problem.cover;
    session.solve(Puzzle {
        program: "exact-cover",
        instance: named(file).display().to_string(),
        problem: cover,
        start: cover.start(),
        ask: Ask::Solutions(asked),
        keep: &|chosen| cover.chosen(chosen).collect(),
        show: &|found| {
            // In the order of the file.
            let mut rows = found.kept.clone();
            rows.sort_unstable();
            rows.into_iter().map(|row| problem.row(row)).collect()
        },
        check: &|found| verify_coloured_cover(cover.num_primary(), &found.kept, |row| cover.entries(row)),
        note: "",
    })
}
