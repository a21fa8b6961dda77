//! Bad input: messages with the line, what was expected and what was found.

use filch_search::read::TextError;
use filch_search::{Colouring, ExactCover, Knapsack, NamedCover, Pentominoes, Sudoku, Thing, Tour};
use std::path::Path;

#[track_caller]
fn refused<T>(parse: fn(&str) -> Result<T, TextError>, text: &str, message: &str) {
    let error = parse(text).err().expect("it is refused");
    let line = error.place.map_or(String::new(), |place| format!("{}: ", place.line));
    assert_eq!(format!("{line}{}", error.fault), message, "{text}");
    // The column is that of the word, if one is shown.
    if let Some((place, word)) = error.place.zip(error.fault.found.strip_prefix('"')) {
        let first = word.chars().next().filter(|letter| letter.is_alphanumeric());
        let line = text.trim_start_matches('\u{feff}').lines().nth(place.line - 1).unwrap();
        assert!(first.is_none_or(|first| line[place.column - 1..].starts_with(first)), "{place:?} in {text}");
    }
}

#[test]
fn exact_covers() {
    let refused = |text: &str, message: &str| refused(NamedCover::parse, text, message);
    refused("", "expected lines with the names of columns, found none");
    refused("# nothing\n\n", "expected lines with the names of columns, found none");
    refused("a b\n\na c a\n", "3: expected each column once in a row, found \"a\" twice");
    refused("a | x x\n", "1: expected each column once in a row, found \"x\" twice");
    refused("a\n| x\n", "2: expected a primary column before the |, found none");
    refused("a | x | y\n", "1: expected one | in a row, found two");
    refused("a | x\n# more\nb x\n", "3: expected a primary column, found \"x\", which is secondary in line 1");
    refused("a\nb | a\n", "2: expected a secondary column, found \"a\", which is primary in line 1");
    // Marks of the formats are no parts of names.
    refused("a|s\nb|s\n", "1: expected a | with spaces around it, found \"a|s\"");
    refused("a | s |t\n", "1: expected a | with spaces around it, found \"|t\"");
    refused("a | b\n  a:x b\n", "2: expected a primary column, which has no colour, found \"a:x\"");
    for word in [":x", "s:", "s:x:y", ":"] {
        let expected = "expected a name, or a name and a colour with one colon between them";
        refused(&format!("a | {word}\n"), &format!("1: {expected}, found {word:?}"));
    }
    refused("a b\rc d\r", "1: expected lines that end in LF or CR LF, found a CR without LF");
    refused("a\n\u{feff}b\n", "2: expected a byte order mark only at the beginning, found one here");
    refused("a\0b\n", "1: expected text in UTF-8, found the byte 0x00");
}

#[test]
fn exact_covers_in_the_format_of_knuth() {
    let refused = |text: &str, message: &str| refused(NamedCover::parse_dlx, text, message);
    refused("| only a comment\n", "expected a line that lists the items, found none");
    refused("a b a\n", "1: expected each column once in a row, found \"a\" twice");
    refused("a b | b\n", "1: expected a secondary column, found \"b\", which is primary in line 1");
    refused("a 2|3:b\n", "1: expected a | with spaces around it, found \"2|3:b\"");
    refused("a b:c\n", "1: expected the name of an item, without a colon, found \"b:c\"");
    refused("| c\na b\na c\n", "3: expected an item that line 2 lists, found \"c\"");
    refused(
        "a b\na | b\n",
        "2: expected an item without a |, which belongs into the line that lists the items, found \"|\"",
    );
    refused("a | b\nb\n", "2: expected an option with a primary item, found none");
    refused("a | b\na b b\n", "2: expected each column once in a row, found \"b\" twice");
    refused("a | b\na:x b\n", "2: expected a primary item, which has no colour, found \"a:x\"");
    // A file that names its items and begins with a comment is recognized.
    assert_eq!(NamedCover::parse("\n| a comment\na b\na b\n").unwrap().cover.num_rows(), 1);
}

#[test]
fn rows_of_exact_covers() {
    let message = |rows: &[&[usize]]| ExactCover::new(2, 1, rows).unwrap_err().to_string();
    assert_eq!(message(&[&[0], &[1, 3]]), "row 1: expected a column below 3, found 3");
    assert_eq!(message(&[&[0, 2, 0]]), "row 0: expected each column once, found 0 twice");
    assert_eq!(message(&[&[0], &[2]]), "row 1: expected a primary column, found none");
    assert_eq!(message(&[&[]]), "row 0: expected a primary column, found none");
    let large = ExactCover::new(usize::MAX, 2, [[0]]).unwrap_err();
    assert_eq!(large.to_string(), "expected at most 4294967295 ones and columns, found more");
}

#[test]
fn pentominoes() {
    let error = Pentominoes::new(7, 9).unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected a board of 60 squares, such as 6x10, 5x12, 4x15 or 3x20, or of 90 for the one-sided pieces, such as \
         3x30, found 7x9 with 63"
    );
    assert!(Pentominoes::new(0, 60).is_err() && Pentominoes::new(u64::MAX, u64::MAX).is_err());
}

#[test]
fn sudoku() {
    let refused = |text: &str, message: &str| refused(Sudoku::parse, text, message);
    refused("# none\n", "expected boards, found none");
    refused("1...\n", "1: expected 4 rows in the last board, found 1");
    refused("12345\n", "1: expected a board of 81 or 256 cells, or a row of 4, 9 or 16, found 5");
    refused("1...\n.2..\n...\n", "3: expected row 3 of a board, of 4 cells, found 3");
    refused("1...\n.?..\n", "2: expected cells: digits, letters A to G, or ., found \"?\"");
    refused("1...\n.5..\n....\n....\n", "2: expected a number up to 4 in row 2, column 2, found 5");
    refused("# a\n\n1...\n....\n1...\n....\n", "5: expected 1 once in column 1, found it again in row 3, column 1");
    refused("..22\n....\n....\n....\n", "1: expected 2 once in row 1, found it again in row 1, column 4");
    refused("....\n....\n3...\n.3..\n", "4: expected 3 once in box 3, found it again in row 4, column 2");
    let twice = format!("88{}\n", ".".repeat(79));
    refused(&format!("# first\n{twice}"), "2: expected 8 once in row 1, found it again in row 1, column 2");
    assert_eq!(Sudoku::new(&[0; 17]).unwrap_err().to_string(), "expected 16, 81 or 256 cells, found 17");
}

#[test]
fn knapsacks() {
    let refused = |text: &str, message: &str| refused(Knapsack::parse, text, message);
    refused("", "expected the number of things and the capacity, found an empty file");
    refused("3\n", "1: expected the capacity, from 0 up, found the end of the line");
    refused("three 5\n", "1: expected the number of things, from 0 up, found \"three\"");
    refused("1 5 7\n", "1: expected the end of the line, found \"7\"");
    refused("1 5\n-2 3\n", "2: expected a value, from 0 up, found \"-2\"");
    refused("1 5\n2 3.5\n", "2: expected a weight, from 0 up, found \"3.5\"");
    refused("# two\n2 5\n1 1\n", "expected 2 things, as line 2 says, found 1");
    refused("1 5\n1 1\n2 2\n", "3: expected 1 things, as line 1 says, found another line");
    let large = format!("2 5\n1 {0}\n1 {0}\n", i64::MAX);
    refused(&large, "expected a sum of weights of at most 9223372036854775807, found more");
    let thing = Thing { value: u64::MAX, weight: 0 };
    assert!(Knapsack::new(1, &[thing]).unwrap_err().to_string().starts_with("expected a sum of values"));
}

#[test]
fn trips() {
    let refused = |text: &str, message: &str| refused(Tour::parse, text, message);
    let explicit = "DIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: ";
    refused("", "expected a line with DIMENSION, found none");
    refused("DIMENSION: 3\n", "expected a line with EDGE_WEIGHT_TYPE, found none");
    refused("DIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\n", "expected a line with EDGE_WEIGHT_FORMAT, found none");
    refused("DIMENSION: 65\n", "1: expected 1 to 64 cities, found 65");
    refused("DIMENSION: many\n", "1: expected the number of cities, found \"many\"");
    refused("TYPE: ATSP\n", "1: expected the type TSP, found \"ATSP\"");
    let known = "EXPLICIT, EUC_2D, EUC_3D, CEIL_2D, MAN_2D, MAN_3D, MAX_2D, MAX_3D, GEO, ATT";
    refused("EDGE_WEIGHT_TYPE: XRAY1\n", &format!("1: expected one of {known}, found \"XRAY1\""));
    refused("12 13\n", "1: expected a keyword of TSPLIB, found \"12 13\"");
    let with = |rest: &str| format!("{explicit}{rest}");
    refused(&with("LOWER_ROW\nEDGE_WEIGHT_SECTION\n1 2\n"), "5: expected 3 distances, found 2");
    refused(&with("LOWER_ROW\nEDGE_WEIGHT_SECTION\n1 2\n3 4\n"), "6: expected 3 distances, found 4");
    refused(
        &with("UPPER_ROW\nEDGE_WEIGHT_SECTION\n1 2\n-3\nEOF\n"),
        "6: expected a distance from 0 to 4294967295, found \"-3\"",
    );
    refused(
        &with("FULL_MATRIX\nEDGE_WEIGHT_SECTION\n0 1 2\n1 0 3\n2 4 0\n"),
        "expected the same distance in both directions, found 4 from city 3 to 2, but 3 back",
    );
    let plane = "DIMENSION: 2\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n";
    refused(&format!("{plane}1 0 0\n"), "4: expected 6 numbers, 3 for each city, found 3");
    refused(&format!("{plane}1 0 0\n3 1 1\n"), "5: expected the number of a city from 1 to 2, found \"3\"");
    refused(&format!("{plane}1 0 0\n1 1 1\n"), "5: expected each city once, found 1 twice");
    refused(&format!("{plane}1 0 0\n2 1 inf\n"), "5: expected a coordinate, found \"inf\"");
    assert_eq!(Tour::new(&[]).unwrap_err().to_string(), "expected 1 to 64 cities, found 0");
    let ragged = [vec![0, 1], vec![1]];
    assert_eq!(Tour::new(&ragged).unwrap_err().to_string(), "expected 2 distances from each city, found 1");
}

#[test]
fn graphs() {
    let refused = |text: &str, message: &str| refused(Colouring::parse, text, message);
    refused("c nothing\n", "expected a line p edge VERTICES EDGES, found none");
    refused("e 1 2\n", "1: expected a line with p before the edges, found an edge");
    refused("p cnf 3 2\n", "1: expected p edge VERTICES EDGES, found \"cnf\"");
    refused("p edge 3\n", "1: expected the number of edges, found the end of the line");
    refused("p edge 3 0\np edge 3 0\n", "2: expected one line with p, found another one than line 1");
    refused("p edge 9999999 0\n", "1: expected the number of vertices, up to 1048576, found \"9999999\"");
    refused("p edge 3 1\ne 1 4\n", "2: expected a vertex from 1 to 3, found \"4\"");
    refused("p edge 3 1\ne 0 2\n", "2: expected a vertex from 1 to 3, found \"0\"");
    refused("p edge 3 1\ne 2 2\n", "2: expected an edge between two vertices, found one from 2 to itself");
    refused("p edge 3 1\ne 1 two\n", "2: expected a vertex, found \"two\"");
    refused("p edge 3 1\ne 1 2 3\n", "2: expected the end of the line, found \"3\"");
    // A multicolouring, in which vertices take several colours.
    refused("p edge 3 1\nn 1 1\nn 2 2\ne 1 2\n", "3: expected the weight 1, as a vertex takes one colour, found \"2\"");
    refused("p edge 3 1\nq\n", "2: expected a line that begins with c, p or e, found \"q\"");
    refused("c\np edge 3 5\ne 1 2\n", "2: expected 5 edges, as this line says, found 1");
    let complete: Vec<(usize, usize)> = (0..65).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
    assert_eq!(
        Colouring::new(65, &complete).unwrap_err().to_string(),
        "expected a graph for which 64 colours suffice in a greedy colouring, found one that takes 65"
    );
    Colouring::new(64, &complete[..64 * 63 / 2]).unwrap();
}

#[test]
fn files_that_cannot_be_read() {
    let message = |path: &Path| NamedCover::read(path).unwrap_err().to_string();
    assert_eq!(message(Path::new("missing.txt")), "missing.txt: no such file");
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    assert_eq!(message(path), format!("{}: a directory, expected a file", path.display()));
    let file = path.join("binary.txt");
    std::fs::write(&file, b"a b\nc \xff\n").unwrap();
    assert_eq!(message(&file), format!("{}:2:3: expected text in UTF-8, found the byte 0xff", file.display()));
    std::fs::write(&file, b"a b\na a\n").unwrap();
    let expected = format!("{}:2:3: expected each column once in a row, found \"a\" twice", file.display());
    assert_eq!(message(&file), expected);
    std::fs::write(&file, b"").unwrap();
    let expected = format!("{}: expected lines with the names of columns, found none", file.display());
    assert_eq!(message(&file), expected);
    if cfg!(target_os = "linux") {
        assert_eq!(message(Path::new("/dev/zero")), "/dev/zero: expected at most 64 MiB, found more");
    }
}
