//! Every reader opens files in the same way.

use filch_search::read::{FileError, ReadError};
use filch_search::{Colouring, Knapsack, NamedCover, Sudoku, Tour};
use std::io::Write;
use std::path::Path;

const COVER: &str = "# comment\na b\na\nb\n";
const TOUR: &str =
    "NAME: a\nTYPE: TSP\nDIMENSION: 2\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 3 4\nEOF\n";
const COLOUR: &str = "p edge 3 2\ne 1 2\ne 2 3\n";
const KNAPSACK: &str = "2 10\n3 4\n1 2\n";
const SUDOKU: &str = "12..\n....\n....\n..2.\n";

/// The text as it is, and what readers must not see of how it is stored.
fn forms(text: &str) -> Vec<(&'static str, Vec<u8>)> {
    let marked = format!("\u{feff}{text}").into_bytes();
    let lines = format!("\u{feff}{}", text.replace('\n', "\r\n")).into_bytes();
    let gzip = |bytes: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    vec![
        ("plain", text.as_bytes().to_vec()),
        ("without the last newline", text.trim_end().as_bytes().to_vec()),
        ("with a byte order mark", marked.clone()),
        ("with CR LF", lines),
        ("gzip", gzip(&marked)),
        ("gzip and zeros", [gzip(&marked), vec![0; 512]].concat()),
    ]
}

/// Reads each form of a text.
fn each<T>(text: &str, read: fn(&Path) -> Result<T, ReadError>, check: impl Fn(T) -> bool) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    for (form, bytes) in forms(text) {
        std::fs::write(&path, bytes).unwrap();
        let problem = read(&path).unwrap_or_else(|error| panic!("{form}: {error}"));
        assert!(check(problem), "{form}: {text}");
    }
    std::fs::write(&path, b"PK\x03\x04\x14\0\0\0").unwrap();
    assert!(matches!(read(&path), Err(ReadError::File(FileError::Foreign { .. }))));
}

#[test]
fn a_problem_is_the_same_however_its_file_is_stored() {
    each(COVER, NamedCover::read, |named| named.cover.count() == 2 && named.names == ["a", "b"]);
    each(COVER.trim_start_matches("# comment\n"), NamedCover::read, |named| named.cover.count() == 2);
    each("a b\na\nb\n", NamedCover::read_dlx, |named| named.cover.count() == 1);
    each(TOUR, Tour::read, |tour| tour.best().map(|best| best.0) == Some(10));
    each(COLOUR, Colouring::read, |graph| graph.best().map(|best| best.0) == Some(2));
    each(KNAPSACK, Knapsack::read, |knapsack| knapsack.best().map(|best| best.0) == Some(4));
    each(SUDOKU, Sudoku::read, |boards| boards.len() == 1 && boards[0].given()[..2] == [1, 2]);
}

/// The example of (Knuth 2022, section 7.2.2.1, (49)), whose only solution are the rows q x:A and p r x:A y.
#[test]
fn colours_must_agree() {
    let rows = "p q | x y:A\np r | x:A y\np | x:B\nq | x:A\nr | y:B\n";
    let dlx = "| of Knuth\np q r | x y\np q x y:A\n\n| more\np r x:A y\np x:B\nq x:A\nr y:B\n";
    for named in [NamedCover::parse(rows), NamedCover::parse(dlx), NamedCover::parse_dlx(dlx)] {
        let named = named.unwrap();
        let mut found = Vec::new();
        named.cover.all(|mut rows| {
            rows.sort_unstable();
            found.push(rows.into_iter().map(|row| named.row(row)).collect::<Vec<_>>());
        });
        assert_eq!(found, [["p r | x:A y", "q | x:A"]]);
    }
}

/// Items that no option has cannot be covered.
#[test]
fn items_that_are_listed_are_covered_whether_rows_have_them_or_not() {
    assert_eq!(NamedCover::parse_dlx("a b\na b\n").unwrap().cover.count(), 1);
    assert_eq!(NamedCover::parse_dlx("a b c\na b\n").unwrap().cover.count(), 0);
    assert_eq!(NamedCover::parse_dlx("a b | c\na b\n").unwrap().cover.count(), 1);
}
