//! Reads valid files that are made byte by byte, and files that are not graphs.

#[path = "../../../tests/common/sg.rs"]
mod made;

use std::fs;
use std::ops::ControlFlow;

use made::{file, path_of_three, two_arcs};

use super::*;
use filch_graph::Graph;

/// Reads a file in windows of `window_bytes`.
fn read<V: Vertex>(bytes: &[u8], trusted: bool, window_bytes: usize) -> Result<Csr<V>, ReadError> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("graph.sg");
    fs::write(&path, bytes).unwrap();
    let on_progress = &mut |_| ControlFlow::Continue(());
    let file = Source::open(&path)?.into_mapped(&path, most_bytes(bytes), on_progress)?;
    read_mapped(&file, &path, trusted, on_progress, window_bytes)
}

fn fault(bytes: &[u8]) -> SgFault {
    match read::<u32>(bytes, false, WINDOW_BYTES) {
        Err(ReadError::Sg { fault, .. }) => fault,
        other => panic!("{other:?}"),
    }
}

#[test]
fn files_of_the_format_are_read_as_the_graphs_that_they_are() {
    for window in [1, 9, WINDOW_BYTES] {
        let graph = read::<u32>(&path_of_three(), false, window).unwrap();
        assert_eq!((graph.row(0), graph.row(1), graph.row(2)), (&[1][..], &[0, 2][..], &[1][..]));
        assert!(graph.is_symmetric());

        let graph = read::<u64>(&two_arcs(), false, window).unwrap();
        assert_eq!((graph.row(0), graph.row(1), graph.row(2)), (&[1, 2][..], &[][..], &[][..]));
        assert_eq!((graph.in_row(0), graph.in_row(1), graph.in_row(2)), (&[][..], &[0][..], &[0][..]));
        assert!(!graph.is_symmetric());
    }
    let nothing = read::<u32>(&file(false, &[&[]]), false, WINDOW_BYTES).unwrap();
    assert_eq!((nothing.num_vertices(), nothing.num_arcs()), (0, 0));
}

#[test]
fn a_graph_is_read_as_the_same_graph_in_windows_of_any_size() {
    let mut random = fastrand::Rng::with_seed(3);
    for round in 0..20 {
        let n = random.u32(1..500);
        let edges: Vec<_> = (0..random.usize(..30_000)).map(|_| (random.u32(..n), random.u32(..n))).collect();
        let graph: Csr = Csr::builder(n as usize).symmetrize(round % 2 == 0).build(edges).unwrap();
        let as_i32 = |row: &[u32]| row.iter().map(|&target| target as i32).collect::<Vec<_>>();
        let out: Vec<Vec<i32>> = (0..n).map(|v| as_i32(graph.row(v))).collect();
        let into: Vec<Vec<i32>> = (0..n).map(|v| as_i32(graph.in_row(v))).collect();
        let [out, into] = [&out, &into].map(|rows| rows.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let both = [&out[..], &into[..]];
        let bytes = if graph.is_symmetric() { file(false, &both[..1]) } else { file(true, &both) };
        assert_eq!(read::<u32>(&bytes, false, random.usize(100..1 << 17)).unwrap(), graph);
    }
}

#[test]
fn progress_counts_arcs_and_rises_to_the_whole_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("graph.sg");
    for (bytes, arcs) in [(path_of_three(), 4), (two_arcs(), 2 + 2)] {
        fs::write(&path, &bytes).unwrap();
        let Source::Mapped(file) = Source::open(&path).unwrap() else { panic!("a file that is mapped") };
        let mut reported = Vec::new();
        let mut tell = |progress: Progress| {
            reported.push((progress.bytes, progress.items));
            ControlFlow::Continue(())
        };
        read_mapped::<u32, ()>(&file, &path, false, &mut tell, 8).unwrap();
        assert!(reported.is_sorted());
        assert_eq!((reported[3], reported.last()), ((17 + 4 * 8, 0), Some(&(bytes.len() as u64, arcs))));
    }
}

#[test]
fn a_damaged_file_fails_or_is_a_valid_graph() {
    for whole in [path_of_three(), two_arcs()] {
        for len in 0..whole.len() {
            read::<u32>(&whole[..len], true, WINDOW_BYTES).unwrap_err();
        }
        for place in 0..whole.len() {
            for change in [1, 0x80, 0xff] {
                let mut bytes = whole.clone();
                bytes[place] ^= change;
                let Ok(graph) = read::<u32>(&bytes, true, WINDOW_BYTES) else { continue };
                // If the file is accepted, the result is a valid graph.
                for v in 0..graph.num_vertices() as u32 {
                    let mut neighbors = graph.neighbors(v).chain(graph.in_neighbors(v));
                    assert!(neighbors.all(|u| (u as usize) < graph.num_vertices()));
                }
            }
        }
    }
}

#[test]
fn arcs_without_their_reverse_are_refused_unless_trusted() {
    let one_way = file(false, &[&[&[1], &[2], &[0]]]);
    assert_eq!(fault(&one_way), SgFault::Asymmetric { directed: false });
    assert_eq!(read::<u32>(&one_way, true, WINDOW_BYTES).unwrap().row(0), [1]);
    let other_arcs = file(true, &[&[&[1, 2], &[], &[]], &[&[], &[0], &[1]]]);
    assert_eq!(fault(&other_arcs), SgFault::Asymmetric { directed: true });
    // A self-loop is its own reverse, and an edge may occur twice.
    read::<u32>(&file(false, &[&[&[0, 1, 1], &[0, 0]]]), false, WINDOW_BYTES).unwrap();
}

#[test]
fn faults_say_what_was_found_and_what_was_expected() {
    let with = |place: usize, new: &[u8]| {
        let mut bytes = path_of_three();
        bytes[place..place + new.len()].copy_from_slice(new);
        bytes
    };
    let offsets = HEADER_BYTES as usize;
    assert_eq!(fault(&[]), SgFault::Short { len: 0, header: 17 });
    assert_eq!(fault(&[0; 16]), SgFault::Short { len: 16, header: 17 });
    assert_eq!(fault(&with(0, b"3")), SgFault::Direction { found: b'3' });
    assert_eq!(fault(&with(1, &(-4_i64).to_le_bytes())), SgFault::Negative { what: "arcs", found: -4 });
    assert_eq!(
        fault(&with(9, &i64::MAX.to_le_bytes())).to_string(),
        "65 bytes, expected 73786976294838206497 for 9223372036854775807 vertices and 4 arcs, \
         or 73786976294838206513 with weights"
    );
    assert_eq!(fault(&with(offsets, &[1])), SgFault::Offset { vertex: 0, found: 1, least: 0, most: 0 });
    assert_eq!(fault(&with(offsets + 8, &[4])), SgFault::Offset { vertex: 2, found: 3, least: 4, most: 4 });
    assert_eq!(fault(&with(offsets + 8, &[5])), SgFault::Offset { vertex: 1, found: 5, least: 0, most: 4 });
    assert_eq!(fault(&with(offsets + 24, &[3])), SgFault::Offset { vertex: 3, found: 3, least: 4, most: 4 });
    assert_eq!(fault(&with(offsets + 32, &[3])), SgFault::Target { arc: 0, found: 3, num_vertices: 3 });
    assert_eq!(fault(&with(offsets + 44, &[0xff; 4])), SgFault::Target { arc: 3, found: -1, num_vertices: 3 });
    let mut longer = path_of_three();
    longer.push(0);
    assert_eq!(fault(&longer).to_string(), "66 bytes, expected 65 for 3 vertices and 4 arcs, or 81 with weights");
}

#[test]
fn of_a_stream_no_more_is_read_than_its_header_can_mean() {
    let of = |num_arcs: i64, num_vertices: i64| {
        most_bytes(&[&[0][..], &num_arcs.to_le_bytes(), &num_vertices.to_le_bytes()].concat())
    };
    // With weights, and a byte more, which is too many.
    assert_eq!(of(4, 3), HEADER_BYTES + 8 * 4 + 8 * 4 + 1);
    for impossible in [of(0, 1 << 62), of(1 << 62, 3), of(i64::MAX, i64::MAX), of(-1, 3), most_bytes(b"01")] {
        assert_eq!(impossible, HEADER_BYTES);
    }
}
