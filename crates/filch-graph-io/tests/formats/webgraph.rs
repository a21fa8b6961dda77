//! BvGraphs: files that the crate `webgraph` has written, and files that lie.
//!
//! The files in `tests/webgraph` are from `BvComp::comp_graph::<BE>` of version 0.7.0 of this crate, with the arcs of
//! `arcs` below and these flags: `usual` has the default ones, `plain` has no window and no intervals, `delta` has
//! degrees and residuals in δ and references in γ, and `zeta5` has degrees in unary, residuals in ζ with k = 5, a
//! window of 2 and intervals from 2 on.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::common::files::Directory;
use filch_graph::{Csr, Graph};
use filch_graph_io::read::{FileFormat, Kept, Progress, ReadOptions, read_graph, read_kept};

const NAMES: [&str; 4] = ["usual", "plain", "delta", "zeta5"];

const N: u32 = 60;

fn on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Three kinds of rows: ranges, copies of earlier rows, and scattered targets. Some are empty.
fn arcs() -> Vec<(u32, u32)> {
    let row = |u: u32| -> Vec<u32> {
        let is_scattered = |v: &u32| (v * v + u / 8) % 7 < 2;
        match u % 4 {
            0 => (u / 2..(u / 2 + 9).min(N)).collect(),
            1 => (0..N).filter(is_scattered).collect(),
            2 => (0..N).filter(|v| is_scattered(v) && v % 5 != 0 || (40..46).contains(v)).collect(),
            _ => Vec::new(),
        }
    };
    (0..N).flat_map(|u| row(u).into_iter().map(move |v| (u, v))).collect()
}

fn made(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/webgraph").join(name)
}

/// The bytes of the rows, and the properties.
fn usual() -> (Vec<u8>, String) {
    (fs::read(made("usual.graph")).unwrap(), fs::read_to_string(made("usual.properties")).unwrap())
}

#[test]
fn files_of_the_framework_are_read_as_the_graphs_that_they_are() {
    let expected: Csr = Csr::builder(N as usize).symmetrize(false).build(arcs()).unwrap();
    let undirected: Csr = Csr::builder(N as usize).symmetrize(true).build(arcs()).unwrap();
    for name in NAMES {
        for ending in ["graph", "properties"] {
            let path = made(name).with_extension(ending);
            let options = ReadOptions { directed: true, ..ReadOptions::default() };
            let loaded = read_graph::<u32>(&path, &options, &mut on).unwrap();
            assert_eq!((loaded.format, loaded.num_edges), (FileFormat::BvGraph, arcs().len() as u64));
            assert_eq!(loaded.graph, expected, "{name}");
            let kept = read_kept::<u32>(&path, &ReadOptions::default(), &mut on, &()).unwrap();
            assert_eq!(kept.graph, Kept::Plain(undirected.clone()), "{name}");
        }
    }
}

#[test]
fn self_loops_are_left_out_if_the_options_say_so() {
    let options = ReadOptions { directed: true, remove_self_loops: true, ..ReadOptions::default() };
    let loaded = read_graph::<u32>(&made("usual.graph"), &options, &mut on).unwrap();
    let builder = Csr::builder(N as usize).symmetrize(false).remove_self_loops(true);
    let expected: Csr = builder.build(arcs()).unwrap();
    assert!(expected.num_arcs() < arcs().len());
    assert_eq!(loaded.graph, expected);
}

/// The message for files with these contents, which are refused.
fn refused(directory: &Directory, graph: &[u8], properties: &str) -> String {
    directory.file("lie.properties", properties.as_bytes());
    let path = directory.file("lie.graph", graph);
    read_graph::<u32>(&path, &ReadOptions::default(), &mut on).unwrap_err().to_string()
}

#[test]
fn properties_that_lie_are_refused_with_file_line_and_fault() {
    let (graph, properties) = usual();
    let directory = Directory::new();
    for (old, new, words) in [
        ("nodes=60", "nodes=61", "lie.graph: vertex 60: the file ends within its row"),
        ("nodes=60", "nodes=-1", "lie.properties:5:1: expected nodes=NUMBER, found nodes=-1"),
        ("nodes=60", "nodes=99999999999", "99999999999 vertices, at most"),
        ("nodes=60", "nodes=4000000000", "lie.properties:5:1: the header declares 4000000000 vertices"),
        ("nodes=60", "nodes=2000000", "192 bytes are too few for the 2000000 vertices"),
        ("nodes=60\n", "", "lie.properties:17:1: expected nodes=NUMBER, found the end of the file"),
        ("arcs=684", "arcs=685", "lie.graph: 684 arcs, but"),
        ("arcs=684", "arcs=600", "arcs leave it, expected at most"),
        ("arcs=684", "arcs=1000000000000000000", "lie.graph: 684 arcs, but"),
        ("arcs=684", "arcs=99999999999999999999", "expected arcs=NUMBER"),
        ("compressionflags=", "compressionflags=RESIDUALS_PI2", "expected codes of OUTDEGREES"),
        ("compressionflags=", "compressionflags=BLOCKS_DELTA", "expected codes of OUTDEGREES"),
        ("zetak=3", "zetak=0", "expected zetak from 1 to 7, found 0"),
        ("endianness=big", "endianness=little", "expected endianness=big, found endianness=little"),
        ("webgraph.BVGraph", "webgraph.EFGraph", "expected a graph of the class BVGraph"),
    ] {
        assert!(properties.contains(old), "{old}");
        let message = refused(&directory, &graph, &properties.replace(old, new));
        assert!(message.contains(words), "{old} {new}: {message}");
    }
    let expected = ReadOptions { num_vertices: Some(61), ..ReadOptions::default() };
    let message = read_graph::<u32>(&made("usual.graph"), &expected, &mut on).unwrap_err().to_string();
    assert!(message.contains("usual.properties:5:1: expected 61 vertices, as the options say"), "{message}");
}

#[test]
fn one_file_without_the_other_is_reported_with_the_name_of_the_missing_one() {
    let (graph, properties) = usual();
    let directory = Directory::new();
    let message = |path: &Path| read_graph::<u32>(path, &ReadOptions::default(), &mut on).unwrap_err().to_string();
    let alone = directory.file("rows.graph", &graph);
    let text = message(&alone);
    assert!(text.contains("rows.graph: a BvGraph needs") && text.contains("rows.properties beside it"), "{text}");
    let alone = directory.file("other.properties", properties.as_bytes());
    let text = message(&alone);
    assert!(text.contains("other.properties: a BvGraph needs") && text.contains("other.graph beside it"), "{text}");
    // The properties are there, but do not say so.
    let other = directory.file("half.properties", properties.replace("graphclass", "class").as_bytes());
    for path in [directory.file("half.graph", &graph), other] {
        let text = message(&path);
        assert!(text.contains("half.properties: no line graphclass="), "{text}");
    }
    // Beside other properties, it is a file of METIS.
    directory.file("mesh.properties", b"color=red\n");
    let path = directory.file("mesh.graph", b"2 1\n2\n1\n");
    let loaded = read_graph::<u32>(&path, &ReadOptions::default(), &mut on).unwrap();
    assert_eq!((loaded.format, loaded.graph.num_arcs()), (FileFormat::Metis, 2));
}

#[test]
fn a_few_bytes_that_stand_for_a_row_longer_than_the_graph_are_refused() {
    let directory = Directory::new();
    let properties =
        |flags: &str| format!("graphclass=BVGraph\nnodes=8\narcs=576460752303423488\nwindowsize=0\n{flags}");
    // Degree 4 in γ; one interval, from the vertex on; of 4 + 2^32 vertices.
    let mut bits = String::from("00101") + "010" + "1";
    bits.push_str(&("0".repeat(32) + "1" + &"0".repeat(31) + "1"));
    let bytes: Vec<u8> = bits.as_bytes().chunks(8).map(of_bits).collect();
    let message = refused(&directory, &bytes, &properties(""));
    assert!(message.contains("vertex 0: the parts of its row are longer than the row, which has 4 arcs"), "{message}");
    // Four targets one by one, the first of which is below 0.
    let bytes: Vec<u8> = (String::from("00101") + "010").as_bytes().chunks(8).map(of_bits).collect();
    let message = refused(&directory, &bytes, &properties("minintervallength=0\ncompressionflags=RESIDUALS_GAMMA"));
    assert!(message.contains("vertex 0: an arc leads to a number below 0"), "{message}");
}

fn of_bits(bits: &[u8]) -> u8 {
    bits.iter().enumerate().fold(0, |byte, (place, &bit)| byte | (bit - b'0') << (7 - place))
}

#[test]
fn changed_files_are_read_or_refused_but_nothing_panics() {
    let mut random = fastrand::Rng::with_seed(6);
    let directory = Directory::new();
    let mut read = 0;
    for round in 0..600 {
        let name = NAMES[round % NAMES.len()];
        let properties = fs::read(made(name).with_extension("properties")).unwrap();
        directory.file("x.properties", &properties);
        let mut bytes = fs::read(made(name).with_extension("graph")).unwrap();
        for _ in 0..random.usize(1..4) {
            let place = random.usize(..bytes.len());
            bytes[place] ^= 1 << random.u8(..8);
        }
        if random.u8(..4) == 0 {
            bytes.truncate(random.usize(..bytes.len()));
        }
        let options = ReadOptions { directed: true, ..ReadOptions::default() };
        match read_graph::<u32>(&directory.file("x.graph", &bytes), &options, &mut on) {
            Ok(loaded) => {
                read += 1;
                assert!((0..N).all(|v| loaded.graph.row(v).is_sorted_by(|a, b| a < b)));
                assert!((0..N).all(|v| loaded.graph.row(v).iter().all(|&u| u < N)));
            }
            Err(error) => assert!(error.to_string().contains("x.graph"), "{error}"),
        }
    }
    assert!(read > 0, "some bits change only where arcs lead to");
}
