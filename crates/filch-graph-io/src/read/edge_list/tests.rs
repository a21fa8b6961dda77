//! Reads files of known content in windows and chunks so small that boundaries fall everywhere.

#[path = "../../../tests/common/files.rs"]
mod files;

use std::ops::ControlFlow;

use files::{Directory, gzip};

use super::*;
use crate::read::options::{ExtraColumns, FirstVertex};
use filch_text::{FileError, Progress, TextFault};

/// A file, and the expected result of reading it.
#[derive(Debug, Default)]
struct Written {
    text: Vec<u8>,
    lines: u64,
    edges: Vec<(u32, u32)>,
    /// The line and column of the first fault.
    fault: Option<(u64, u64)>,
}

impl Written {
    fn random(random: &mut fastrand::Rng, lines: usize, first: u32, faults: bool) -> Self {
        let mut written = Written::default();
        for line in 1..=lines {
            written.line(random, line as u64, first, faults);
            let newline: &[u8] = if random.u8(..5) == 0 { b"\r\n" } else { b"\n" };
            written.text.extend_from_slice(newline);
        }
        if random.bool() {
            written.text.pop();
        }
        // The last line may have become empty.
        let last_is_empty = written.text.last().is_none_or(|&byte| byte == b'\n');
        let newlines = written.text.iter().filter(|&&byte| byte == b'\n').count() as u64;
        written.lines = newlines + u64::from(!last_is_empty);
        written
    }

    fn line(&mut self, random: &mut fastrand::Rng, line: u64, first: u32, faults: bool) {
        let start = self.text.len();
        let simple = random.bool();
        let spaces = |random: &mut fastrand::Rng, least: usize| {
            let count = if simple { least } else { random.usize(least..4) };
            (0..count).map(|_| if random.bool() { ' ' } else { '\t' }).collect::<String>()
        };
        match random.u8(..12) {
            0 => self.text.extend_from_slice(spaces(random, 0).as_bytes()),
            1 => {
                let comment = format!(
                    "{}{} 7 8{}",
                    spaces(random, 0),
                    if random.bool() { '#' } else { '%' },
                    "x".repeat(random.usize(..70))
                );
                self.text.extend_from_slice(comment.as_bytes());
            }
            2 if faults && random.u8(..4) == 0 => {
                let bad = ["x", "1x 2", "-1 2", "1.5 2", "99999999999 1", "18446744073709551616 3", "+1 2", "\u{e4} 1"];
                self.text.extend_from_slice(spaces(random, 0).as_bytes());
                if random.bool() {
                    self.text.extend_from_slice(b"17 ");
                }
                self.fault.get_or_insert((line, (self.text.len() - start) as u64 + 1));
                self.text.extend_from_slice(random.choice(bad).expect("some").as_bytes());
            }
            _ => {
                let mut vertex = || (random.u32(..u32::MAX - 1) >> random.u32(..32)) + first;
                let (u, v) = (vertex(), vertex());
                let zeros = "0".repeat(if simple { 0 } else { random.usize(..12) });
                let edge =
                    [spaces(random, 0), format!("{zeros}{u}"), spaces(random, 1), v.to_string(), spaces(random, 0)];
                self.text.extend_from_slice(edge.concat().as_bytes());
                if self.fault.is_none() {
                    self.edges.push((u - first, v - first));
                }
            }
        }
    }

    /// Compares the result of reading the file with the expected one.
    fn check(&self, read: Result<EdgeList, ReadError>, what: &str) {
        let text = String::from_utf8_lossy(&self.text);
        match (self.fault, read) {
            (Some(place), Err(ReadError::Line { line, column, .. })) => {
                assert_eq!((line, column), place, "{what}: {text:?}")
            }
            (None, Ok(list)) => {
                assert_eq!(list.edges().collect::<Vec<_>>(), self.edges, "{what}: {text:?}");
                assert_eq!((list.num_bytes, list.num_lines), (self.text.len() as u64, self.lines), "{what}: {text:?}");
                let highest = self.edges.iter().map(|&(u, v)| u.max(v)).max();
                assert_eq!(Some(list.num_vertices - 1), highest.map(|highest| highest as usize), "{what}");
            }
            (None, Err(ReadError::NoEdges { .. })) => assert!(self.edges.is_empty(), "{what}: {text:?}"),
            (expected, found) => panic!("{what}: expected {expected:?}, found {found:?} in {text:?}"),
        }
    }
}

fn read(path: &Path, options: &ReadOptions, sizes: Sizes) -> Result<EdgeList, ReadError> {
    read_source(Source::open(path)?, path, options, &mut |_| ControlFlow::Continue(()), sizes)
}

/// The result depends neither on where the text is cut nor on how the file is stored.
#[test]
fn edges_lines_and_faults_are_those_of_the_file_wherever_it_is_cut() {
    let directory = Directory::new();
    let mut random = fastrand::Rng::with_seed(1);
    for round in 0..150 {
        let first = if random.bool() { FirstVertex::Zero } else { FirstVertex::One };
        let options = ReadOptions { first_vertex: first, ..ReadOptions::default() };
        let lines = random.usize(1..60);
        let written = Written::random(&mut random, lines, u32::from(first == FirstVertex::One), round % 3 == 0);
        let sizes = Sizes { window: random.usize(1..300), chunk: random.usize(1..80), longest_line: 1 << 10 };

        let (path, list) = (Path::new("memory"), PlainList::new(Path::new("memory"), &options).unwrap());
        let records = parse_records(list, &written.text, path, sizes);
        written.check(records.and_then(|records| EdgeList::of(records, &options, path)), "memory");

        if !written.text.is_empty() {
            written.check(read(&directory.file("plain", &written.text), &options, sizes), "mapped");
        }
        written.check(read(&directory.file("gz", &gzip(&written.text)), &options, sizes), "gzip");
        let (one, other) = written.text.split_at(random.usize(..=written.text.len()));
        written.check(read(&directory.file("gz2", &[gzip(one), gzip(other)].concat()), &options, sizes), "gzip in two");
        let zstd = |bytes| zstd::encode_all(bytes, 0).unwrap();
        written.check(read(&directory.file("zst", &[zstd(one), zstd(other)].concat()), &options, sizes), "zstd in two");
    }
}

#[test]
fn a_truncated_file_is_reported_with_the_line_unless_an_earlier_line_is_bad() {
    let directory = Directory::new();
    let sizes = Sizes { window: 64, chunk: 16, longest_line: 1 << 10 };
    let options = ReadOptions::default();
    let text: String = (0..500).map(|i| format!("{i} {}\n", i * 7919 % 501)).collect();
    for (name, whole) in [("gz", gzip(text.as_bytes())), ("zst", zstd::encode_all(text.as_bytes(), 0).unwrap())] {
        for len in [whole.len() - 1, whole.len() / 2, 10] {
            let error = read(&directory.file(name, &whole[..len]), &options, sizes).unwrap_err();
            assert!(
                matches!(error, ReadError::File(FileError::Truncated { line: 1..=501, .. })),
                "{name}, {len} bytes: {error}"
            );
        }
    }
    let bad = gzip(text.replacen("2 ", "two ", 1).as_bytes());
    let error = read(&directory.file("bad", &bad[..bad.len() - 1]), &options, sizes).unwrap_err();
    assert!(matches!(error, ReadError::Line { line: 3, column: 1, .. }), "{error}");
}

#[test]
fn compressed_data_that_is_damaged_is_an_error() {
    let directory = Directory::new();
    let sizes = Sizes { window: 4096, chunk: 512, longest_line: 1 << 10 };
    let text: String = (0..500).map(|i| format!("{i} {}\n", i * 7919 % 501)).collect();
    for (name, mut whole) in [("gz", gzip(text.as_bytes())), ("zst", zstd::encode_all(text.as_bytes(), 0).unwrap())] {
        for place in whole.len() / 3..whole.len() / 3 + 9 {
            whole[place] ^= 0x55;
        }
        let error = read(&directory.file(name, &whole), &ReadOptions::default(), sizes).unwrap_err();
        assert!(
            matches!(
                error,
                ReadError::File(FileError::Corrupt { .. } | FileError::Truncated { .. }) | ReadError::Line { .. }
            ),
            "{error}"
        );
    }
    let with_garbage = [gzip(text.as_bytes()), b"garbage".to_vec()].concat();
    let error = read(&directory.file("garbage", &with_garbage), &ReadOptions::default(), sizes).unwrap_err();
    assert!(matches!(error, ReadError::File(FileError::Trailing { line: 500, .. })), "{error}");
}

#[test]
fn lines_up_to_the_limit_are_accepted_and_longer_ones_refused() {
    let directory = Directory::new();
    let sizes = Sizes { window: 8, chunk: 4, longest_line: 256 };
    for (len, fits) in [(100, true), (255, true), (257, false), (5000, false)] {
        let text = format!("0 1\n#{}\n1 2\n", "x".repeat(len - 1));
        for (name, bytes) in [("plain", text.clone().into_bytes()), ("gz", gzip(text.as_bytes()))] {
            match read(&directory.file(name, &bytes), &ReadOptions::default(), sizes) {
                Ok(list) => assert!(fits && list.num_edges() == 2, "{name}, {len}"),
                Err(ReadError::File(FileError::Text {
                    line: 2,
                    column: 257,
                    fault: TextFault::TooLong { most: 256 },
                    ..
                })) => {
                    assert!(!fits, "{name}, {len}");
                }
                Err(error) => panic!("{name}, {len}: {error}"),
            }
        }
    }
}

#[test]
fn progress_rises_to_the_whole_file_and_may_stop_it() {
    let directory = Directory::new();
    let sizes = Sizes { window: 50, chunk: 20, longest_line: 1 << 10 };
    let text = "12 34\n".repeat(100);
    for (name, bytes) in [("plain", text.clone().into_bytes()), ("gz", gzip(text.as_bytes()))] {
        let path = directory.file(name, &bytes);
        let mut seen = Vec::new();
        let mut on_progress = |progress: Progress| {
            seen.push(progress);
            ControlFlow::Continue(())
        };
        read_source::<u32>(Source::open(&path).unwrap(), &path, &ReadOptions::default(), &mut on_progress, sizes)
            .unwrap();
        assert!(seen.len() > 5 && seen.is_sorted_by_key(|progress| (progress.bytes, progress.items)));
        let last = seen.last().unwrap();
        assert_eq!((last.bytes, last.total, last.items), (bytes.len() as u64, Some(bytes.len() as u64), 100));

        let mut stop = |_| ControlFlow::Break(());
        let stopped =
            read_source::<u32>(Source::open(&path).unwrap(), &path, &ReadOptions::default(), &mut stop, sizes);
        assert!(matches!(stopped, Err(ReadError::File(FileError::Stopped { .. }))));
    }
}

#[test]
fn extra_columns_are_refused_or_ignored_if_they_are_numbers() {
    let read = |text: &str, extra_columns| {
        parse_edge_list::<u32>(text.as_bytes(), &ReadOptions { extra_columns, ..ReadOptions::default() })
    };
    let weighted = "1 2 0.5\n2 3\t-1e9 17 \r\n";
    assert_eq!(
        read(weighted, ExtraColumns::Refuse).unwrap_err().to_string(),
        "text:1:5: expected the end of the line after two vertices, found \"0.5\" (an option ignores extra columns)"
    );
    assert_eq!(read(weighted, ExtraColumns::Ignore).unwrap().edges().collect::<Vec<_>>(), [(1, 2), (2, 3)]);
    assert_eq!(
        read("1 2 3\n1 2 # three\n", ExtraColumns::Ignore).unwrap_err().to_string(),
        "text:2:5: expected a number in an extra column, found \"#\""
    );
    for infinite in ["inf", "-Infinity", "nan", "1e999"] {
        let error = read(&format!("1 2 {infinite}\n"), ExtraColumns::Ignore).unwrap_err().to_string();
        assert_eq!(error, format!("text:1:5: expected a number in an extra column, found \"{infinite}\""));
    }
}
