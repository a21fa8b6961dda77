//! Matrix Market, DIMACS, METIS, Ligra, and edge lists and serialized graphs with weights: golden files, round trips,
//! and files that lie.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use crate::common::files::{Directory, gzip};
use crate::common::pools;
use filch_graph::{Csr, Graph, WeightedCsr};
use filch_graph_io::read::{FileFormat, Kept, Progress, ReadError, ReadOptions, read_graph, read_kept};
use filch_graph_io::write::{WriteError, write_graph};

fn on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn kept(path: &Path, directed: bool) -> Result<Kept, ReadError> {
    let options = ReadOptions { directed, ..ReadOptions::default() };
    read_kept(path, &options, &mut on, &()).map(|loaded| loaded.graph)
}

/// A path of three vertices with weights 5 and 7, and a vertex alone.
fn path_of_three() -> WeightedCsr {
    Csr::builder(4).symmetrize(true).build_weighted(vec![(0, 1, 5.0), (1, 2, 7.0)]).unwrap()
}

/// Files of `path_of_three`, byte by byte as they are written.
const GOLDEN: [(&str, FileFormat, &str); 6] = [
    ("p.mtx", FileFormat::MatrixMarket, "%%MatrixMarket matrix coordinate integer symmetric\n4 4 2\n2 1 5\n3 2 7\n"),
    ("p.gr", FileFormat::Dimacs, "p sp 4 4\na 1 2 5\na 2 1 5\na 2 3 7\na 3 2 7\n"),
    ("p.graph", FileFormat::Metis, "4 2 001\n2 5\n1 5 3 7\n2 7\n\n"),
    ("p.adj", FileFormat::Ligra, "WeightedAdjacencyGraph\n4\n4\n0\n1\n3\n4\n1\n0\n2\n1\n5\n5\n7\n7\n"),
    ("p.wel", FileFormat::EdgeList, "0 1 5\n1 0 5\n1 2 7\n2 1 7\n"),
    ("p.el", FileFormat::EdgeList, "0 1 5\n1 0 5\n1 2 7\n2 1 7\n"),
];

/// The same without weights.
const PLAIN: [(&str, &str); 4] = [
    ("p.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 2\n2 1\n3 2\n"),
    ("p.graph", "4 2\n2\n1 3\n2\n\n"),
    ("p.adj", "AdjacencyGraph\n4\n4\n0\n1\n3\n4\n1\n0\n2\n1\n"),
    ("p.el", "0 1\n1 0\n1 2\n2 1\n"),
];

/// The text with other ends of lines, without the last one, with a byte order mark, and compressed.
fn variants(text: &str) -> Vec<Vec<u8>> {
    let bare = text.strip_suffix('\n').unwrap();
    let texts = [text.to_owned(), bare.to_owned(), text.replace('\n', "\r\n"), format!("\u{feff}{text}")];
    texts.iter().flat_map(|text| [text.clone().into_bytes(), gzip(text.as_bytes())]).collect()
}

#[test]
fn golden_files_are_written_and_read_whatever_the_ends_of_their_lines() {
    let directory = Directory::new();
    let expected = path_of_three();
    for (name, format, text) in GOLDEN {
        let path = directory.0.path().join(name);
        write_graph(&path, &expected, &mut on).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "{name}");
        let options =
            ReadOptions { num_vertices: (format == FileFormat::EdgeList).then_some(4), ..ReadOptions::default() };
        // The name does not matter where the content is clear.
        for name in [name, "p", "p.txt"] {
            for bytes in variants(text) {
                let path = directory.file(name, &bytes);
                let loaded = read_kept::<u32>(&path, &options, &mut on, &()).unwrap();
                assert_eq!((loaded.format, loaded.graph), (format, Kept::Weighted(expected.clone())), "{name}: {text}");
                if format != FileFormat::EdgeList {
                    let loaded = read_graph::<u32>(&path, &options, &mut on).unwrap();
                    assert_eq!(loaded.graph, expected.clone().without_weights());
                }
            }
        }
    }
    let expected = expected.without_weights();
    for (name, text) in PLAIN {
        let path = directory.0.path().join(name);
        write_graph(&path, &expected, &mut on).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "{name}");
        let options = ReadOptions { num_vertices: Some(4), ..ReadOptions::default() };
        for bytes in variants(text) {
            let loaded = read_kept::<u32>(&directory.file(name, &bytes), &options, &mut on, &()).unwrap();
            assert_eq!(loaded.graph, Kept::Plain(expected.clone()), "{name}");
        }
    }
}

#[test]
fn a_serialized_graph_with_weights_has_pairs_of_targets_and_weights() {
    let directory = Directory::new();
    let graph = Csr::builder(2).build_weighted(vec![(0, 1, -3.0)]).unwrap();
    let path = directory.0.path().join("g.wsg");
    write_graph(&path, &graph, &mut on).unwrap();
    let mut bytes = vec![1];
    [1_i64, 2].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    for (offsets, target) in [([0_i64, 1, 1], 1_i32), ([0, 0, 1], 0)] {
        offsets.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        [target, -3].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    }
    assert_eq!(fs::read(&path).unwrap(), bytes);
    assert_eq!(kept(&directory.file("by_content", &bytes), true).unwrap(), Kept::Weighted(graph.clone()));
    // The two sets of arcs must have the same weights.
    *bytes.last_mut().unwrap() = 0;
    let message = kept(&directory.file("g.wsg", &bytes), true).unwrap_err().to_string();
    assert!(message.contains("arcs by source differ from its arcs by target"), "{message}");
    // 2^24 + 1 is not a 32-bit floating-point number.
    let place = bytes.len() - 4;
    bytes[place..].copy_from_slice(&16_777_217_i32.to_le_bytes());
    let message = kept(&directory.file("g.wsg", &bytes), true).unwrap_err().to_string();
    assert!(message.contains("weight of arc 0 is 16777217"), "{message}");
    read_graph::<u32>(&directory.file("plain", &bytes), &ReadOptions::default(), &mut on).unwrap();
}

fn random(
    rng: &mut fastrand::Rng,
    symmetric: bool,
    loops: bool,
    weight: impl Fn(&mut fastrand::Rng) -> f32,
) -> WeightedCsr {
    let n = rng.usize(1..2000);
    let vertex = |rng: &mut fastrand::Rng| rng.u32(0..n as u32);
    let edges: Vec<_> = (0..rng.usize(0..9000)).map(|_| (vertex(rng), vertex(rng), weight(rng))).collect();
    Csr::builder(n).symmetrize(symmetric).remove_self_loops(!loops).build_weighted(edges).unwrap()
}

#[test]
fn random_graphs_come_back_from_every_format() {
    let mut rng = fastrand::Rng::with_seed(4);
    let directory = Directory::new();
    for pool in pools() {
        for symmetric in [false, true] {
            let whole = |rng: &mut fastrand::Rng| rng.i32(1..300) as f32;
            let real = |rng: &mut fastrand::Rng| (rng.f32() - 0.5) * 2_f32.powi(rng.i32(-40..40));
            let names: &[(&str, bool, bool)] = &[
                ("g.mtx", true, true),
                ("g.mtx.zst", true, false),
                ("g.adj", true, false),
                ("g.adj.gz", true, true),
                ("g.gr.gz", true, true),
                ("g.wsg", true, true),
                ("g.graph", false, true),
                ("g.metis.zst", false, true),
            ];
            for &(name, loops, is_whole) in names {
                if !loops && !symmetric {
                    continue;
                }
                let graph = if is_whole {
                    random(&mut rng, symmetric, loops, whole)
                } else {
                    random(&mut rng, symmetric, loops, real)
                };
                let path = directory.0.path().join(name);
                pool.run(|_| write_graph(&path, &graph, &mut on)).unwrap();
                let found = pool.run(|_| kept(&path, !symmetric)).unwrap();
                if graph.num_arcs() > 0 {
                    assert_eq!(found, Kept::Weighted(graph.clone()), "{name}, symmetric {symmetric}");
                }
                if name.contains(".gr.") || name.contains("wsg") {
                    continue;
                }
                let plain = graph.without_weights();
                pool.run(|_| write_graph(&path, &plain, &mut on)).unwrap();
                assert_eq!(pool.run(|_| kept(&path, !symmetric)).unwrap(), Kept::Plain(plain), "{name}");
            }
        }
    }
}

#[test]
fn a_weight_of_any_size_comes_back_from_every_format_that_has_fractions() {
    let directory = Directory::new();
    let powers = (-149..128).map(|power| 2_f64.powi(power) as f32);
    // The neighbors of each power, which have all digits.
    let weights = powers.flat_map(|power| [power, power.next_up(), -power.next_down()]);
    let edges = (1..).zip(weights.filter(|weight| weight.is_finite())).map(|(v, weight)| (0, v, weight));
    let edges: Vec<(u32, u32, f32)> = edges.collect();
    let graph = Csr::builder(edges.len() + 1).symmetrize(true).build_weighted(edges).unwrap();
    for name in ["sizes.wel", "sizes.mtx", "sizes.adj"] {
        let path = directory.0.path().join(name);
        write_graph(&path, &graph, &mut on).unwrap();
        assert_eq!(kept(&path, false).unwrap(), Kept::Weighted(graph.clone()), "{name}");
    }
}

/// Found by fuzzing: such a file said that its weights were integers, and could not be read.
#[test]
fn whole_weights_come_back_even_if_they_are_far_below_zero() {
    let directory = Directory::new();
    for weight in [-2_147_483_648.0, -4e9, -1.115_292_2e21, f32::MIN] {
        let graph = Csr::builder(2).symmetrize(true).build_weighted(vec![(0, 1, weight)]).unwrap();
        let path = directory.0.path().join("low.mtx");
        write_graph(&path, &graph, &mut on).unwrap();
        assert_eq!(kept(&path, false).unwrap(), Kept::Weighted(graph), "{weight}");
    }
}

#[test]
fn arcs_without_their_reverses_are_edges_unless_the_graph_is_directed() {
    let directory = Directory::new();
    let path = directory.file("one_way.gr", b"p sp 2 1\na 1 2 5\n");
    let expected = |directed: bool| {
        Kept::Weighted(Csr::builder(2).symmetrize(!directed).build_weighted(vec![(0, 1, 5.0)]).unwrap())
    };
    assert_eq!(kept(&path, true).unwrap(), expected(true));
    assert_eq!(kept(&path, false).unwrap(), expected(false));
    // Other weights in the two directions are two edges.
    let path = directory.file("two.gr", b"p sp 2 2\na 1 2 5\na 2 1 6\n");
    let Kept::Weighted(graph) = kept(&path, false).unwrap() else { panic!("it has weights") };
    assert_eq!((graph.num_arcs(), graph.weights(0)), (4, &[5.0, 6.0][..]));
}

/// Texts that are refused: the line, and words of the message.
const LIES: &[(&str, u64, &str)] = &[
    ("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n", 2, "declares 2 entries, but the file has 1"),
    (
        "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n% c\n2 1\n",
        5,
        "declares 1 entries, but here is another",
    ),
    ("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 3\n", 3, "a vertex from 1 to 2, found \"3\""),
    ("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n0 1\n", 3, "a vertex from 1 to 2, found \"0\""),
    ("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n-1 1\n", 3, "found \"-1\""),
    ("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1 5\n", 3, "the end of the line, found \"5\""),
    ("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1\n", 3, "a weight, found the end of the line"),
    ("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 nan\n", 3, "a finite weight, found nan"),
    ("%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 0.5\n", 3, "a whole number"),
    ("%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 16777217\n", 3, "16777217 would be rounded"),
    ("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n1 2\n", 3, "on or below the diagonal"),
    ("%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 2\n", 2, "2 rows and 3 columns"),
    ("%%MatrixMarket matrix coordinate pattern general\n2 2 99999999999999999999\n", 2, "the number of entries"),
    ("%%MatrixMarket matrix coordinate pattern general\n9999999999 9999999999 0\n", 0, "9999999999 vertices"),
    (
        "%%MatrixMarket matrix coordinate pattern general\n4000000000 4000000000 1\n1 1\n",
        2,
        "declares 4000000000 vertices",
    ),
    ("%%MatrixMarket matrix coordinate pattern general\n2 2 1000000000000000000\n1 2\n", 2, "but the file has 1"),
    ("%%MatrixMarket matrix array real general\n", 1, "expected coordinate, found \"array\""),
    ("%%MatrixMarket matrix coordinate complex general\n", 1, "found \"complex\""),
    ("%%MatrixMarket matrix coordinate real skew-symmetric\n", 1, "found \"skew-symmetric\""),
    ("%%MatrixMarket matrix coordinate real general\n% no more\n", 3, "found the end of the file"),
    ("p sp 2 2\na 1 2 5\n", 1, "declares 2 arcs, but the file has 1"),
    ("c one\np sp 2 1\na 1 2 5\na 2 1 5\n", 4, "declares 1 arcs"),
    ("p sp 2 1\na 1 2\n", 2, "a weight"),
    ("p sp 2 1\na 1 2 1e400\n", 2, "a finite weight"),
    ("p sp 2 1\ne 1 2 1\n", 2, "found \"e\""),
    ("p edge 2 1\n", 1, "found \"edge\""),
    ("p sp 2\n", 1, "the number of arcs"),
    ("c nothing\n", 2, "the end of the file"),
    ("AdjacencyGraph\n2\n1\n0\n1\n", 3, "declares 3 lines with numbers, but the file has 2"),
    ("AdjacencyGraph\n2\n1\n0\n1\n1\n1\n", 7, "here is another one"),
    ("AdjacencyGraph\n2\n1\n0\n2\n1\n", 5, "the offset of a row from 0 to 1, found 2"),
    ("AdjacencyGraph\n2\n1\n1\n1\n1\n", 4, "the offset of a row from 0 to 0, found 1"),
    ("AdjacencyGraph\n3\n1\n0\n1\n0\n0\n", 6, "the offset of a row from 1 to 1, found 0"),
    ("AdjacencyGraph\n2\n1\n0\n1\n2\n", 6, "a vertex from 0 to 1, found 2"),
    ("AdjacencyGraph\n2\n1\n0\n1\n-1\n", 6, "found \"-1\""),
    ("AdjacencyGraph\n2\n1\n0\n1\n0.5\n", 6, "found \"0.5\""),
    ("AdjacencyGraph\n2\n1\n0\n\n1\n", 5, "found an empty line"),
    ("AdjacencyGraph\n2\n1\n0 1\n1\n", 4, "the end of the line"),
    ("AdjacencyGraph\n2\n1\n0\n1\nx\n", 6, "found \"x\""),
    ("AdjacencyGraph\n0\n1\n0\n", 3, "declares 1 arcs, but the file has 0"),
    ("AdjacencyGraph\n2\n", 3, "the number of arcs"),
    ("AdjacencyGraph\n1000000000000000000\n1000000000000000000\n", 3, "but the file has 0"),
    ("WeightedAdjacencyGraph\n1\n1\n0\n0\nnan\n", 6, "a finite weight"),
    ("WeightedAdjacencyGraph\n1\n1\n0\n0\n16777217\n", 6, "would be rounded"),
    ("0 1 5\n1 2\n", 2, "a weight"),
    ("0 1 5\n1 2 x\n", 2, "a weight, found \"x\""),
    ("0 1 5\n1 2 3 4\n", 2, "the end of the line"),
    ("0 1 5\n1 -2 3\n", 2, "-2"),
    ("0 1 5\n1 2 -inf\n", 2, "a finite weight"),
    ("0 1 1299684096\n1 2 1299684097\n", 2, "would be rounded"),
];

/// Texts in files of METIS, which the name says.
const METIS_LIES: &[(&str, u64, &str)] = &[
    ("", 1, "the end of the file"),
    ("2\n", 1, "the number of edges"),
    ("2 1 2\n", 1, "a format of up to three digits"),
    ("4 1\n2\n1\n", 1, "declares 4 vertices, but the file has 2"),
    ("2 1\n2\n1\n1\n", 4, "declares 2 vertices"),
    ("2 1\n3\n1\n", 2, "a vertex from 1 to 2, found \"3\""),
    ("2 2\n2\n1\n", 1, "4 neighbors, two for each edge of the header, found 2"),
    ("2 1 1\n2 0\n1 0\n", 2, "a weight above 0, found 0"),
    ("2 1 1\n2 -4\n1 -4\n", 2, "a weight above 0, found -4"),
    ("2 1 1\n2\n1 4\n", 2, "a weight, found the end of the line"),
    ("2 1 11\nx 2 1\n1 1 1\n", 2, "a size or weight of the vertex, found \"x\""),
    ("2 1 1\n2 3\n1 4\n", 0, "vertex 1: its neighbor 2 does not have it"),
    ("2 1\n2 2\n\n", 0, "vertex 1: its neighbor 2 does not have it"),
    ("2 1\n1 1\n\n", 0, "vertex 1: it is its own neighbor"),
    ("9999999 0\n", 1, "declares 9999999 vertices, but the file has 0"),
];

#[test]
fn files_that_lie_are_refused_with_file_line_and_fault() {
    let directory = Directory::new();
    let cases = LIES.iter().map(|lie| ("lie", lie)).chain(METIS_LIES.iter().map(|lie| ("lie.graph", lie)));
    for (name, (text, line, words)) in cases {
        for text in [text.to_string(), text.replace('\n', "\r\n")] {
            for bytes in [text.clone().into_bytes(), gzip(text.as_bytes())] {
                let path = directory.file(name, &bytes);
                for directed in [false, true] {
                    let message = kept(&path, directed).expect_err(&text).to_string();
                    let place = if *line > 0 { format!("{name}:{line}:") } else { format!("{name}: ") };
                    assert!(message.contains(&place) && message.contains(words), "{text:?}: {message}");
                }
            }
        }
    }
}

#[test]
fn vertices_and_sizes_of_metis_are_skipped_and_lines_at_the_end_are_none() {
    let directory = Directory::new();
    let text = "% sizes, two weights, weights of edges\n3 2 111 2\n9 8 7 2 5\n%\n9 8 7 1 5 3 6\n1 2 3 2 6\n\n \n";
    let expected = Csr::builder(3).symmetrize(true).build_weighted(vec![(0, 1, 5.0), (1, 2, 6.0)]).unwrap();
    for name in ["sizes.graph", "sizes"] {
        assert_eq!(kept(&directory.file(name, text.as_bytes()), false).unwrap(), Kept::Weighted(expected.clone()));
    }
}

#[test]
fn changed_files_are_read_or_refused_but_nothing_panics() {
    let mut rng = fastrand::Rng::with_seed(5);
    let directory = Directory::new();
    let texts: Vec<&str> = GOLDEN.iter().map(|golden| golden.2).chain(PLAIN.iter().map(|plain| plain.1)).collect();
    let extra =
        ["", "0", "9", "-", "1e9", "99999999999999999999", "\n", "\r", " ", "\0", "\u{1}", "%", "p", "a", "nan"];
    for round in 0..6000 {
        let mut bytes = texts[round % texts.len()].as_bytes().to_vec();
        for _ in 0..rng.usize(1..4) {
            let at = rng.usize(0..=bytes.len());
            let end = (at + rng.usize(0..4)).min(bytes.len());
            let new = rng.choice(extra).unwrap();
            bytes.splice(at..end, new.bytes());
        }
        let name = rng.choice(["x", "x.graph", "x.mtx", "x.gr", "x.adj", "x.wel", "x.wsg"]).unwrap();
        let path = directory.file(name, &bytes);
        match kept(&path, round % 2 == 0) {
            Ok(Kept::Plain(graph)) => assert!(graph.num_vertices() <= 1 << 21),
            Ok(Kept::Weighted(graph)) => assert!(graph.num_vertices() <= 1 << 21),
            Err(error) => assert!(error.to_string().contains(name), "{error}"),
        }
    }
}

#[test]
fn what_a_format_does_not_have_is_neither_dropped_nor_made_up() {
    let directory = Directory::new();
    let weighted = path_of_three();
    let plain = weighted.clone().without_weights();
    let halves = plain.clone().with_weights(|_, _| 0.5);
    let looped = Csr::builder(2).symmetrize(true).build_weighted(vec![(1, 1, 2.0)]).unwrap();
    let arc = Csr::builder(2).build_weighted(vec![(0, 1, 2.0)]).unwrap();
    let refused = |name: &str, written: &dyn Fn(&Path) -> Result<(), WriteError>, words: &str| {
        let path = directory.0.path().join(name);
        let message = written(&path).unwrap_err().to_string();
        assert!(message.contains(name) && message.contains(words), "{message}");
        assert!(!path.exists());
    };
    for name in ["p.wsg", "p.gr", "p.wel"] {
        refused(name, &|path| write_graph(path, &plain, &mut on), "requires weights, and the graph has none");
    }
    refused("p.sg", &|path| write_graph(path, &weighted, &mut on), "the format has no weights, but the graph has");
    for name in ["p.wsg", "p.gr", "p.graph"] {
        refused(name, &|path| write_graph(path, &halves, &mut on), "a weight of 0.5");
    }
    refused("p.graph", &|path| write_graph(path, &looped, &mut on), "self-loops, but vertex 1 has one");
    refused("p.graph", &|path| write_graph(path, &arc, &mut on), "the graph is directed");
    let zero = plain.clone().with_weights(|_, _| 0.0);
    refused("p.graph", &|path| write_graph(path, &zero, &mut on), "whole numbers from 1");
}
