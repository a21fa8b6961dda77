//! Checks that files are written atomically and have the right contents.

use std::fs;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

use crate::common::files::Directory;
use crate::common::sg::{file, path_of_three, two_arcs};
use filch_graph::{Csr, Graph};
use filch_graph_io::read::{Progress, ReadOptions, read_edge_list, read_graph, read_sg};
use filch_graph_io::write::{
    WriteError, check_writable, target, write_edges, write_file, write_graph, write_lines, write_lines_to, write_values,
};

fn on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn names_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn edges_that_are_written_are_read_again_in_their_order() {
    let directory = tempfile::tempdir().unwrap();
    let mut random = fastrand::Rng::with_seed(1);
    let edges: Vec<(u32, u32)> = (0..50_000).map(|_| (random.u32(..1000), random.u32(..1000))).collect();
    for name in ["a.el", "a.txt", "a.el.gz", "a.el.zst"] {
        let path = directory.path().join(name);
        let mut reported = Vec::new();
        let mut tell = |progress: Progress| {
            reported.push(progress.items);
            ControlFlow::Continue(())
        };
        write_edges(&path, &edges, &mut tell).unwrap();
        assert!(reported.is_sorted() && reported.last() == Some(&50_000));
        let list = read_edge_list::<u32>(&path, &ReadOptions::default(), &mut on).unwrap();
        assert!(list.edges().eq(edges.iter().copied()), "{name}");
    }
    let plain = fs::read_to_string(directory.path().join("a.el")).unwrap();
    let expected: String = edges.iter().map(|(u, v)| format!("{u} {v}\n")).collect();
    assert_eq!(plain, expected);
}

#[test]
fn a_graph_that_is_written_as_text_is_read_again() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.el.zst");
    let mut random = fastrand::Rng::with_seed(2);
    for directed in [false, true] {
        // Few edges, so that many rows are empty.
        let n = 20_000;
        let edges: Vec<(u32, u32)> = (0..20_000).map(|_| (random.u32(..n), random.u32(..n))).collect();
        let graph = Csr::builder(n as usize).symmetrize(!directed).remove_duplicates(true).build(edges).unwrap();
        write_graph(&path, &graph, &mut on).unwrap();
        let options = ReadOptions { directed, num_vertices: Some(n as usize), ..ReadOptions::default() };
        let loaded = read_graph::<u32>(&path, &options, &mut on).unwrap();
        assert!(loaded.graph == graph);
        assert_eq!(loaded.num_edges, graph.num_arcs() as u64);
    }
}

#[test]
fn values_are_a_number_a_line_or_an_array_of_numpy() {
    let directory = tempfile::tempdir().unwrap();
    let values: Vec<u32> = (0..30_000).map(|value| value * 7919).collect();
    let path = directory.path().join("values.txt");
    write_values(&path, &values, &mut on).unwrap();
    let expected: String = values.iter().map(|value| format!("{value}\n")).collect();
    assert_eq!(fs::read_to_string(&path).unwrap(), expected);

    let path = directory.path().join("values.npy");
    write_values(&path, &values, &mut on).unwrap();
    let bytes = fs::read(&path).unwrap();
    let (header, elements) = bytes.split_at(128);
    assert_eq!(&header[..10], b"\x93NUMPY\x01\x00\x76\x00");
    let dictionary = str::from_utf8(&header[10..]).unwrap();
    assert!(
        dictionary.starts_with("{'descr': '<u4', 'fortran_order': False, 'shape': (30000,), }")
            && dictionary.ends_with(" \n")
    );
    let found: Vec<u32> = elements.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
    assert_eq!((elements.len(), found), (4 * values.len(), values));

    write_values(&path, &[-1_i64], &mut on).unwrap();
    let bytes = fs::read(&path).unwrap();
    assert!(bytes.windows(5).any(|window| window == b"'<i8'") && bytes.ends_with(&[0xff; 8]) && bytes.len() == 136);
}

/// The bytes that `numpy.save` of NumPy 2 wrote for `numpy.array([7, 1, 2], '<u4')` and for an empty array of `'<i8'`.
#[test]
fn an_array_has_the_bytes_that_numpy_writes() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("values.npy");
    let header = |dictionary: &str| format!("{dictionary:117}\n").into_bytes();
    let begins = b"\x93NUMPY\x01\x00\x76\x00";
    write_values(&path, &[7_u32, 1, 2], &mut on).unwrap();
    let dictionary = header("{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }");
    let expected = [&begins[..], &dictionary, &[7, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]].concat();
    assert_eq!(fs::read(&path).unwrap(), expected);
    write_values(&path, &[0_i64; 0], &mut on).unwrap();
    let dictionary = header("{'descr': '<i8', 'fortran_order': False, 'shape': (0,), }");
    assert_eq!(fs::read(&path).unwrap(), [&begins[..], &dictionary].concat());
}

/// The bytes in the order in which `ReadSerializedGraph` of the GAP Benchmark Suite (`src/reader.h`) reads them.
#[test]
fn a_serialized_graph_has_these_bytes() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("graph.sg");
    let bytes = |direction: u8, counts: [i64; 2], rows: [(&[i64], &[i32]); 2]| {
        let mut bytes = vec![direction];
        bytes.extend(counts.iter().flat_map(|count| count.to_le_bytes()));
        for (offsets, neighbors) in rows {
            bytes.extend(offsets.iter().flat_map(|offset| offset.to_le_bytes()));
            bytes.extend(neighbors.iter().flat_map(|neighbor| neighbor.to_le_bytes()));
        }
        bytes
    };
    let edges = vec![(0, 2), (2, 1), (0, 1)];
    let directed = Csr::builder(3).build(edges.clone()).unwrap();
    write_graph(&path, &directed, &mut on).unwrap();
    let expected = bytes(1, [3, 3], [(&[0, 2, 2, 3], &[1, 2, 1]), (&[0, 0, 2, 3], &[0, 2, 0])]);
    assert_eq!(fs::read(&path).unwrap(), expected);
    let undirected = Csr::builder(3).symmetrize(true).build(edges).unwrap();
    write_graph(&path, &undirected, &mut on).unwrap();
    let expected = bytes(0, [6, 3], [(&[0, 2, 4, 6], &[1, 2, 0, 2, 0, 1]), (&[], &[])]);
    assert_eq!(fs::read(&path).unwrap(), expected);
}

/// The expected bytes come from `common/sg.rs`.
#[test]
fn serialized_graphs_that_are_read_are_written_with_the_same_bytes() {
    let directory = Directory::new();
    for bytes in [path_of_three(), two_arcs(), file(false, &[&[]])] {
        let graph = read_sg::<u32>(&directory.file("read.sg", &bytes), false, &mut on).unwrap();
        let written = directory.0.path().join("written.sg");
        write_graph(&written, &graph, &mut on).unwrap();
        assert_eq!(fs::read(&written).unwrap(), bytes);
    }
}

#[test]
fn a_graph_that_is_written_and_read_is_the_same_graph() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("graph.sg");
    let mut random = fastrand::Rng::with_seed(3);
    for round in 0..20 {
        let n = random.u32(1..500);
        let edges: Vec<_> = (0..random.usize(..30_000)).map(|_| (random.u32(..n), random.u32(..n))).collect();
        let graph: Csr = Csr::builder(n as usize).symmetrize(round % 2 == 0).build(edges).unwrap();
        write_graph(&path, &graph, &mut on).unwrap();
        assert_eq!(read_sg::<u32>(&path, false, &mut on).unwrap(), graph);
    }
}

#[test]
fn lines_are_written_in_order() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("named.tsv");
    let line = |i: usize, buffer: &mut Vec<u8>| writeln!(buffer, "vertex {i}\t{}", i * i).unwrap();
    write_lines(&path, 40_000, line, &mut on).unwrap();
    let mut expected = Vec::new();
    (0..40_000).for_each(|i| line(i, &mut expected));
    assert!(fs::read(&path).unwrap() == expected);
}

#[test]
fn a_failure_to_write_leaves_the_file_unchanged() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["old.txt", "old.txt.gz", "old.txt.zst"] {
        let path = directory.path().join(name);
        fs::write(&path, "old").unwrap();
        let stopped = write_values(&path, &[1_u32; 100], &mut |_| ControlFlow::Break(()));
        assert!(matches!(stopped, Err(WriteError::Stopped { .. })));
        let panicked = std::panic::catch_unwind(|| {
            write_lines(&path, 400_000, |i, _| assert!(i < 390_000, "as intended"), &mut on)
        });
        assert!(panicked.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        check_writable(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        fs::remove_file(&path).unwrap();
        check_writable(&path).unwrap();
    }
    assert_eq!(names_in(directory.path()), [""; 0]);
}

#[test]
fn a_file_is_replaced_completely_or_not_at_all() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("rows.json");
    write_file(&path, |out| out.write_all(b"old")).unwrap();
    let stopped = write_file(&path, |out| {
        out.write_all(&[b'x'; 100_000])?;
        Err(io::ErrorKind::Interrupted.into())
    });
    assert!(matches!(stopped, Err(WriteError::Io { source, .. }) if source.kind() == io::ErrorKind::Interrupted));
    let panicked =
        std::panic::catch_unwind(|| write_file(&path, |out| out.write_all(b"half").map(|()| panic!("as intended"))));
    assert!(panicked.is_err());
    assert_eq!((fs::read(&path).unwrap(), names_in(directory.path())), (b"old".to_vec(), vec!["rows.json".to_owned()]));
    write_file(&path, |out| out.write_all(b"new")).unwrap();
    assert_eq!((fs::read(&path).unwrap(), names_in(directory.path())), (b"new".to_vec(), vec!["rows.json".to_owned()]));
}

#[cfg(unix)]
#[test]
fn paths_to_one_file_have_one_target_whether_it_is_there_or_not() {
    use std::os::unix::fs::symlink;
    let directory = tempfile::tempdir().unwrap();
    let place = |name: &str| directory.path().join(name);
    fs::create_dir(place("runs")).unwrap();
    symlink("runs/1.json", place("latest.json")).unwrap();
    symlink("runs", place("same-runs")).unwrap();
    for _ in 0..2 {
        let expected = target(&place("runs/1.json"));
        for path in ["latest.json", "same-runs/1.json", "runs/../runs/./1.json"] {
            assert_eq!(target(&place(path)), expected, "{path}");
        }
        assert_ne!(target(&place("runs/2.json")), expected);
        write_file(&place("runs/1.json"), |out| out.write_all(b"[]")).unwrap();
    }
    assert_eq!(target(Path::new("not-there.json")), target(Path::new("./not-there.json")));
}

/// A writer that fails after `room` bytes.
struct Disk {
    room: usize,
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = bytes.len().min(self.room);
        self.room -= count;
        if count == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(count) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_an_error_at_any_position() {
    let line = |i: usize, buffer: &mut Vec<u8>| writeln!(buffer, "{i}").unwrap();
    for room in [0, 1, 1000, 100_000, 400_000] {
        let error = write_lines_to(&mut Disk { room }, 100_000, line, &mut on).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }
    write_lines_to(&mut Disk { room: 588_890 }, 100_000, line, &mut on).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn devices_are_refused_and_stay_and_one_that_is_full_says_so() {
    for device in ["/dev/full", "/dev/null"] {
        let error = check_writable(Path::new(device)).unwrap_err();
        assert_eq!(error.to_string(), format!("cannot write {device}: it is no regular file"));
    }
    let mut full = fs::File::options().write(true).open("/dev/full").unwrap();
    let error = write_lines_to(&mut full, 10, |_, buffer| buffer.push(b'\n'), &mut on).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
}

#[test]
fn names_that_cannot_be_written_say_why() {
    let directory = tempfile::tempdir().unwrap();
    let error = |name: &str| write_values(&directory.path().join(name), &[1_u32], &mut on).unwrap_err();
    fs::create_dir(directory.path().join("a.txt")).unwrap();
    assert!(matches!(error("a.txt"), WriteError::Directory { .. }));
    for name in ["values", "values.sg", "values.npy.gz", "values.gz"] {
        assert!(matches!(error(name), WriteError::UnknownEnding { .. }), "{name}");
    }
    let missing = error("missing/a.txt").to_string();
    assert!(missing.ends_with("missing/a.txt: no such directory"), "{missing}");
    let graph = Csr::builder(1).build(vec![]).unwrap();
    let error = write_graph(&directory.path().join("graph.npy"), &graph, &mut on).unwrap_err();
    assert!(error.to_string().contains("expected a name that ends in .sg, .wsg, .el"), "{error}");
}

#[test]
fn a_name_may_be_as_long_as_the_system_allows_and_a_longer_one_is_reported_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(format!("{}.txt", "x".repeat(250)));
    write_values(&path, &[1_u32], &mut on).unwrap();
    assert_eq!(names_in(directory.path()), [path.file_name().unwrap().to_str().unwrap()]);
    check_writable(&directory.path().join(format!("{}.txt", "x".repeat(300)))).unwrap_err();
}

#[cfg(unix)]
#[test]
fn a_link_to_a_file_that_is_not_there_stays_and_the_file_is_made() {
    use std::os::unix::fs::symlink;
    let directory = tempfile::tempdir().unwrap();
    let place = |name: &str| directory.path().join(name);
    fs::create_dir(place("runs")).unwrap();
    symlink("latest.txt", place("link.txt")).unwrap();
    symlink("runs/1.txt", place("latest.txt")).unwrap();
    check_writable(&place("link.txt")).unwrap();
    assert!(!place("runs/1.txt").exists());
    write_values(&place("link.txt"), &[1_u32], &mut on).unwrap();
    assert!(place("link.txt").is_symlink() && place("latest.txt").is_symlink());
    assert_eq!(fs::read(place("runs/1.txt")).unwrap(), b"1\n");

    symlink(place("missing/1.txt"), place("nowhere.txt")).unwrap();
    let error = check_writable(&place("nowhere.txt")).unwrap_err().to_string();
    assert!(error.ends_with("nowhere.txt: no such directory"), "{error}");
    symlink("loop.txt", place("loop.txt")).unwrap();
    check_writable(&place("loop.txt")).unwrap_err();
    assert!(place("nowhere.txt").is_symlink() && place("loop.txt").is_symlink());
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_written_to_is_not_replaced() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("kept.txt");
    fs::write(&path, b"kept").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    // This cannot be tested by a user who may write to everything.
    if fs::File::options().write(true).open(&path).is_ok() {
        return;
    }
    let error = write_values(&path, &[1_u32], &mut on).unwrap_err();
    assert!(matches!(&error, WriteError::Io { source, .. } if source.kind() == io::ErrorKind::PermissionDenied));
    assert_eq!(fs::read(&path).unwrap(), b"kept");
}

#[cfg(unix)]
#[test]
fn a_link_stays_and_the_permissions_of_the_file_that_it_leads_to() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let directory = tempfile::tempdir().unwrap();
    let (file, link) = (directory.path().join("values.txt"), directory.path().join("latest.txt"));
    fs::write(&file, b"old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&file, &link).unwrap();
    write_values(&link, &[1_u32], &mut on).unwrap();
    assert!(link.is_symlink());
    assert_eq!(fs::read(&file).unwrap(), b"1\n");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
}
