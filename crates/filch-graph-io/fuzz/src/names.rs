//! Names of vertices.

use crate::memory::limited;
use crate::round::file;
use filch_graph_io::read::Names;

/// Reads names, and reads them again from lines that are made of them.
///
/// # Panics
///
/// Panics if a property of the readers does not hold.
pub fn names(bytes: &[u8]) {
    let num_lines = bytes.split_inclusive(|&byte| byte == b'\n').count();
    let path = file("names.txt", bytes);
    let read = limited(bytes.len(), || Names::read(&path, num_lines));
    let Ok(text) = str::from_utf8(bytes) else {
        assert!(read.is_err(), "names that are no text");
        return;
    };
    // Names in memory are the same, unless the file is compressed or has no name at all.
    let Ok(names) = Names::parse(text) else {
        assert!(read.is_err(), "names are refused in memory, but not in a file");
        return;
    };
    let all: Vec<&str> = (0..names.len()).filter_map(|vertex| names.name(vertex)).collect();
    assert_eq!(all.len(), names.len());
    if let Ok(read) = &read {
        assert!((0..=all.len()).all(|vertex| read.name(vertex) == names.name(vertex)), "other names in a file");
    }
    for (vertex, name) in all.iter().enumerate() {
        assert!(!name.is_empty() && !name.contains('\n'), "name {vertex} is {name:?}");
        assert_eq!(names.vertex(name), Some(vertex));
    }
    if let Some(name) = all.first() {
        assert_eq!(names.similar(name, 1).len(), 1, "a name is similar to itself");
    }
}
