//! Tests error messages for bad input, and reading graphs in all formats.

use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;

use crate::common::files::{Directory, gzip};
use filch_graph::{Csr, Graph, Pass, Watch};
use filch_graph_io::read::{
    FileError, FirstVertex, Kept, Loaded, Names, Progress, ReadError, ReadOptions, parse_edge_list, read_edge_list,
    read_graph, read_graph_watched, read_kept,
};

fn on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn load(path: &Path) -> Result<Loaded, ReadError> {
    read_graph(path, &ReadOptions::default(), &mut on)
}

#[test]
fn a_bad_line_is_reported_with_its_place_what_was_found_and_what_was_expected() {
    let message =
        |text: &str, options: ReadOptions| parse_edge_list::<u32>(text.as_bytes(), &options).unwrap_err().to_string();
    let default = ReadOptions::default();
    let too_high = "is too high, the highest vertex that this width can number is 4294967294";
    let of_ten = ReadOptions { num_vertices: Some(10), ..default };
    let from_one = ReadOptions { first_vertex: FirstVertex::One, ..default };
    let of_ten_from_one = ReadOptions { first_vertex: FirstVertex::One, ..of_ten };
    for (text, options, expected) in [
        ("0 1\nfoo 2\n", default, "text:2:1: expected the number of a vertex, found \"foo\""),
        ("0,1\n", default, "text:1:1: expected columns separated by spaces or tabs, not by commas, found \"0,1\""),
        ("0 1\n1, 2\n", default, "text:2:1: expected columns separated by spaces or tabs, not by commas, found \"1,\""),
        ("# one\n\n0 -1\n", default, "text:3:3: expected the number of a vertex, 0 or higher, found -1"),
        ("0\n", default, "text:1:2: expected a second vertex, found the end of the line"),
        ("0 4294967294\n1 4294967295", default, &format!("text:2:3: 4294967295 {too_high}")),
        ("1 123456789012345678901234567890", default, &format!("text:1:3: 123456789012345678901234567890 {too_high}")),
        ("0 9\n3 10\n", of_ten, "text:2:3: vertex 10 is out of range, the last of 10 vertices is 9"),
        ("1 10\n11 10\n", of_ten_from_one, "text:2:1: vertex 11 is out of range, the last of 10 vertices is 10"),
        ("1 2\n2 0\n", from_one, "text:2:3: vertex 0, but the options say that vertices are numbered from 1"),
        ("", default, "text: no edges found, expected lines with two vertices each"),
        (
            "0 1\n",
            ReadOptions { num_vertices: Some(0), ..default },
            "text:1:1: vertex 0 is out of range, there are no vertices",
        ),
        ("# nothing\n\n", default, "text: no edges found, expected lines with two vertices each"),
        ("0 1\n\u{0}\n", default, "text:2:1: expected the number of a vertex, found \"\\0\""),
    ] {
        assert_eq!(message(text, options), expected);
    }
    let names = ReadOptions { renumber: true, ..default };
    let directory = Directory::new();
    for (text, expected) in [
        ("ann,bob\n", ":1:1: expected columns separated by spaces or tabs, not by commas, found \"ann,bob\""),
        ("ann, bob\n", ":1:1: expected columns separated by spaces or tabs, not by commas, found \"ann,\""),
        ("ann bob\nbob\n", ":2:4: expected a second vertex, found the end of the line"),
    ] {
        let error = read_graph::<u32>(&directory.file("names.el", text.as_bytes()), &names, &mut on).unwrap_err();
        assert!(error.to_string().ends_with(expected), "{error}");
    }
    let most = u64::MAX - 2;
    let list = parse_edge_list::<u64>(format!("0 {most}\n").as_bytes(), &default).unwrap();
    assert_eq!(list.edges().next(), Some((0, most)));
    let error = parse_edge_list::<u64>(format!("0 {}\n", u64::MAX).as_bytes(), &default).unwrap_err();
    assert!(error.to_string().contains("is too high"), "{error}");
}

#[test]
fn an_edge_list_without_edges_is_a_graph_if_it_is_known_how_many_vertices_there_are() {
    let directory = Directory::new();
    let three = ReadOptions { num_vertices: Some(3), ..ReadOptions::default() };
    for name in ["none.el", "none.wel"] {
        let path = directory.file(name, b"# nothing\n");
        let plain: Csr = read_graph(&path, &three, &mut on).unwrap().graph;
        let kept = match read_kept::<u32>(&path, &three, &mut on, &()).unwrap().graph {
            Kept::Plain(graph) => graph,
            Kept::Weighted(graph) => graph.without_weights(),
        };
        assert_eq!(kept, plain, "{name}");
        assert_eq!((plain.num_vertices(), plain.num_arcs()), (3, 0), "{name}");
    }
}

#[test]
fn what_is_not_a_readable_graph_is_reported_by_its_kind() {
    let directory = Directory::new();
    assert!(matches!(load(directory.0.path()), Err(ReadError::File(FileError::Directory { .. }))));
    let missing = directory.0.path().join("missing.el");
    let error = load(&missing).unwrap_err();
    assert!(matches!(error, ReadError::File(FileError::NotFound { .. })));
    assert_eq!(error.to_string(), format!("{}: no such file", missing.display()));
    for (name, bytes) in [("empty.el", vec![]), ("empty.el.gz", gzip(b"")), ("blank.el", b"# nothing\n\n".to_vec())] {
        assert!(matches!(load(&directory.file(name, &bytes)), Err(ReadError::NoEdges { .. })), "{name}");
    }
    assert!(matches!(load(&directory.file("empty.sg", b"")), Err(ReadError::Sg { .. })));
    let gz = gzip(b"0 1\n1 2\n");
    let truncated = load(&directory.file("cut.el.gz", &gz[..gz.len() - 4])).unwrap_err();
    assert!(matches!(truncated, ReadError::File(FileError::Truncated { .. })), "{truncated}");
}

#[cfg(unix)]
#[test]
fn a_missing_permission_to_read_is_reported_as_such() {
    use std::os::unix::fs::PermissionsExt;
    let directory = Directory::new();
    let path = directory.file("secret.el", b"0 1\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    // This cannot be tested by a user who may read everything.
    if fs::File::open(&path).is_ok() {
        return;
    }
    assert!(matches!(load(&path), Err(ReadError::File(FileError::NoPermission { .. }))));
}

#[cfg(unix)]
#[test]
fn a_pipe_is_read_as_a_file_is() {
    let (reader, mut writer) = std::io::pipe().unwrap();
    let text = "3 4\n".repeat(50_000);
    let path = format!("/dev/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&reader));
    if !Path::new(&path).exists() {
        return; // a system without these names
    }
    let writing = std::thread::spawn(move || writer.write_all(text.as_bytes()).unwrap());
    let loaded = load(Path::new(&path)).unwrap();
    writing.join().unwrap();
    assert_eq!((loaded.num_edges, loaded.num_lines), (50_000, Some(50_000)));
}

#[test]
fn too_many_vertices_for_the_memory_are_an_error() {
    let directory = Directory::new();
    let path = directory.file("far.el", b"0 18446744073709551000\n");
    let options = ReadOptions { num_vertices: Some(18_446_744_073_709_551_001), ..ReadOptions::default() };
    let error = read_graph::<u64>(&path, &options, &mut on).unwrap_err();
    assert!(matches!(error, ReadError::NoMemory { num_edges: 1, .. }), "{error}");
    let options = ReadOptions { num_vertices: Some(1 << 33), ..ReadOptions::default() };
    let error = read_graph::<u32>(&path, &options, &mut on).unwrap_err();
    assert!(matches!(error, ReadError::TooManyVertices { .. }), "{error}");
}

#[test]
fn what_a_file_begins_with_is_a_byte_order_mark_or_a_line_of_an_edge_list() {
    let directory = Directory::new();
    let mark = "\u{feff}";
    let bytes = format!("{mark}0 1\r\n1 2\r\n").into_bytes();
    for (name, bytes) in [("marked.el", bytes.clone()), ("marked.el.gz", gzip(&bytes))] {
        let loaded = load(&directory.file(name, &bytes)).unwrap();
        assert_eq!((loaded.num_edges, loaded.num_lines, loaded.num_bytes), (2, Some(2), 13), "{name}");
    }
    for text in ["0 1\n\u{feff}1 2\n", "\u{feff}\u{feff}0 1\n"] {
        parse_edge_list::<u32>(text.as_bytes(), &ReadOptions::default()).unwrap_err();
    }
    let banner = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n";
    for text in [banner.to_owned(), format!("{mark}{banner}"), banner.replace("%%Matrix", "%Matrix")] {
        let path = directory.file("matrix.mtx", text.as_bytes());
        let message = read_edge_list::<u32>(&path, &ReadOptions::default(), &mut on).unwrap_err().to_string();
        assert!(message.contains("matrix.mtx:1:1: a Matrix Market file, not an edge list"), "{message}");
        assert_eq!(load(&path).unwrap().graph.num_arcs(), 4);
    }
    parse_edge_list::<u32>(b"0 1\n%%MatrixMarket\n", &ReadOptions::default()).unwrap();

    for first in [0, 1] {
        let path = directory.file("graph.gz", &gzip(&[first; 100]));
        let message = read_edge_list::<u32>(&path, &ReadOptions::default(), &mut on).unwrap_err().to_string();
        assert!(message.ends_with("a serialized graph, not an edge list: expected text"), "{message}");
        assert!(matches!(load(&path), Err(ReadError::Sg { .. })));
    }
}

#[test]
fn a_vertex_far_beyond_the_number_of_edges_must_be_asked_for() {
    let directory = Directory::new();
    let path = directory.file("typo.el", b"1 2000000000\n");
    let message = |first_vertex| {
        let options = ReadOptions { first_vertex, ..ReadOptions::default() };
        let message = read_graph::<u32>(&path, &options, &mut on).unwrap_err().to_string();
        message.strip_prefix(&path.display().to_string()).unwrap().to_owned()
    };
    let expected =
        ": highest vertex 2000000000, but number of edges 1: give the number of vertices if this is intended";
    assert_eq!(message(FirstVertex::Zero), expected);
    assert_eq!(message(FirstVertex::One), expected);

    let few = 1 << 21;
    let path = directory.file("few.el", format!("0 {}\n", few - 1).as_bytes());
    assert_eq!(load(&path).unwrap().graph.num_vertices(), few);
    let path = directory.file("more.el", format!("0 {few}\n").as_bytes());
    assert!(matches!(load(&path), Err(ReadError::FarVertex { .. })));
    let asked_for = ReadOptions { num_vertices: Some(few + 1), ..ReadOptions::default() };
    assert_eq!(read_graph::<u32>(&path, &asked_for, &mut on).unwrap().graph.num_vertices(), few + 1);
}

#[test]
fn the_graph_is_built_as_the_options_say_and_found_by_what_the_file_is() {
    let directory = Directory::new();
    let text = b"0 1\n1 0\n2 2\n1 2\n";
    let path = directory.file("graph.txt.gz", &gzip(text));
    let rows = |graph: &Csr| (0..3).map(|v| graph.row(v).to_vec()).collect::<Vec<_>>();
    assert_eq!(rows(&load(&path).unwrap().graph), [vec![1, 1], vec![0, 0, 2], vec![1, 2]]);
    let simple = ReadOptions { remove_duplicates: true, remove_self_loops: true, ..ReadOptions::default() };
    let loaded = read_graph(&path, &simple, &mut on).unwrap();
    assert_eq!(rows(&loaded.graph), [vec![1], vec![0, 2], vec![1]]);
    assert_eq!((loaded.num_bytes, loaded.num_lines, loaded.num_edges), (text.len() as u64, Some(4), 4));
    let directed = ReadOptions { directed: true, num_vertices: Some(3), ..ReadOptions::default() };
    assert_eq!(rows(&read_graph(&path, &directed, &mut on).unwrap().graph), [vec![1], vec![0, 2], vec![2]]);

    // Detected by its first byte, not by its name.
    filch_graph_io::write::write_graph(&directory.0.path().join("g.sg"), &loaded.graph, &mut on).unwrap();
    fs::rename(directory.0.path().join("g.sg"), directory.0.path().join("g.bin")).unwrap();
    let again = load(&directory.0.path().join("g.bin")).unwrap();
    assert_eq!((&again.graph, again.num_lines), (&loaded.graph, None));
    let bytes = fs::read(directory.0.path().join("g.bin")).unwrap();
    assert_eq!(load(&directory.file("g.bin.gz", &gzip(&bytes))).unwrap().graph, loaded.graph);
    let cut = load(&directory.file("cut.bin.gz", &gzip(&bytes[..bytes.len() - 1]))).unwrap_err().to_string();
    assert!(cut.contains("bytes, expected"), "{cut}");
    assert!(matches!(load(&directory.file("text.sg", text)), Err(ReadError::Sg { .. })));
    assert!(matches!(load(&directory.file("text.sg", &gzip(text))), Err(ReadError::Sg { .. })));
}

#[test]
fn names_are_those_of_the_lines() {
    let directory = Directory::new();
    let text = "libc6\r\nbash\n\u{e9}tude 2\nlibgcc-s1";
    for (name, bytes) in [
        ("names", text.as_bytes().to_vec()),
        ("names.gz", gzip(text.as_bytes())),
        ("names.zst", zstd::encode_all(text.as_bytes(), 0).unwrap()),
    ] {
        let names = Names::read(&directory.file(name, &bytes), 4).unwrap();
        for (vertex, name) in ["libc6", "bash", "\u{e9}tude 2", "libgcc-s1"].into_iter().enumerate() {
            assert_eq!((names.name(vertex), names.vertex(name)), (Some(name), Some(vertex)));
        }
        assert_eq!((names.name(4), names.vertex("libc")), (None, None));
        assert_eq!(names.similar("libgc", 3), ["libgcc-s1", "libc6"]);
        assert_eq!(names.similar("zzz", 3), [""; 0]);
    }
}

#[test]
fn names_that_do_not_fit_the_graph_are_reported_with_the_line() {
    let directory = Directory::new();
    let path = directory.file("names", b"");
    let message = |text: &[u8]| {
        fs::write(&path, text).unwrap();
        let message = Names::read(&path, 3).unwrap_err().to_string();
        message.strip_prefix(&path.display().to_string()).unwrap().to_owned()
    };
    assert_eq!(message(b"a\nb\n"), ": 2 names, expected 3, one for each vertex of the graph");
    assert_eq!(message(b"a\nb\nc\nd\n"), ": 4 names, expected 3, one for each vertex of the graph");
    assert_eq!(message(b""), ": 0 names, expected 3, one for each vertex of the graph");
    assert_eq!(message(b"a\n\nc\n"), ":2:1: expected the name of a vertex, found an empty line");
    assert_eq!(message(b"a\nb\na\nb\n"), ":3:1: \"a\" is already the name in line 1");
    assert_eq!(message(b"a\nb\xffc\nc\n"), ":2:2: expected text in UTF-8, found the byte 0xff");
}

/// Some shells write UTF-16 by default.
#[test]
fn text_in_utf_16_is_reported_as_such() {
    for order in [u16::to_le_bytes, u16::to_be_bytes] {
        let bytes: Vec<u8> = "\u{feff}0 1\r\n".encode_utf16().flat_map(order).collect();
        let error = parse_edge_list::<u32>(&bytes, &ReadOptions::default()).unwrap_err().to_string();
        assert!(error.starts_with("text:1:1: expected text in UTF-8, found the byte order mark of UTF-16"), "{error}");
    }
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_name() {
    assert_eq!(Names::parse("\u{feff}a\nb\n").unwrap().name(0), Some("a"));
}

/// A pipe may never end.
#[test]
fn names_are_read_only_up_to_the_number_of_vertices() {
    let directory = Directory::new();
    let many: String = (0..300_000).map(|name| format!("{name}\n")).collect();
    let error = Names::read(&directory.file("many.gz", &gzip(many.as_bytes())), 1000).unwrap_err();
    assert!(error.to_string().ends_with("many.gz: more than 1000 names, expected one for each vertex of the graph"));
    let error = Names::read(&directory.file("long.gz", &gzip(&vec![b'a'; 4 << 20])), 1000).unwrap_err();
    assert!(error.to_string().ends_with("long.gz:1:1048577: a line of more than 1048576 bytes: is this a text file?"));
}

/// The names of the passes, and the numbers of items in them.
#[derive(Default)]
struct Heard(Mutex<Vec<(&'static str, usize)>>);

impl Watch for Heard {
    fn begin(&self, pass: Pass) {
        self.0.lock().unwrap().push((pass.name, pass.total));
    }

    fn advance(&self, _: usize) {}
}

#[test]
fn building_after_reading_is_reported() {
    let (directory, heard) = (Directory::new(), Heard::default());
    let path = directory.file("two.el", b"0 1\n1 2\n");
    read_graph_watched::<u32>(&path, &ReadOptions::default(), &mut on, &heard).unwrap();
    assert_eq!(heard.0.into_inner().unwrap(), [("counting", 2), ("sorting", 2), ("ordering", 4)]);
}
