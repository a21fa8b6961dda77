//! Points and meshes in files.
//!
//! - `error`: what is wrong where
//! - `line`, `polygon`: what formats have in common
//! - `pbbs`, `off`, `obj`, `ply`: the formats
//!
//! This module finds out which format it is.

mod error;
mod line;
mod obj;
mod off;
mod pbbs;
mod ply;
mod polygon;
#[cfg(test)]
mod tests;

use crate::mesh::Mesh;
use error::Fault;
pub use error::{Place, ReadError};
use filch_text::{FileError, Source, named, text_start};
use line::Lines;
use polygon::Raw;
use std::path::Path;

/// Reads points from a text of the Problem Based Benchmark Suite: the line `pbbs_sequencePoint2d`, or `3d`, and a point
/// in each line after it.
///
/// The file may be compressed with gzip, or as a feature of `filch-text` adds; `-` is standard input.
///
/// Work: O(n). Lines are read in parallel, some megabytes at a time, and their memory is needed beside that of the
/// points.
///
/// ```
/// # let path = std::env::temp_dir().join(format!("filch-geometry-points-{}", std::process::id()));
/// # let path = &path;
/// std::fs::write(path, "pbbs_sequencePoint2d\n0.5 1e3\n-1 2\n").unwrap();
/// assert_eq!(filch_geometry::read_points(path).unwrap(), [[0.5, 1000.0], [-1.0, 2.0]]);
/// std::fs::write(path, "pbbs_sequencePoint2d\n0.5 1e3\n-1 nan\n").unwrap();
/// let error = filch_geometry::read_points::<2>(path).unwrap_err().to_string();
/// assert!(error.ends_with(r#":3:4: expected a finite coordinate, found "nan""#));
/// # std::fs::remove_file(path).unwrap();
/// ```
///
/// # Errors
///
/// If the file cannot be read, or the place where it has something else than finite coordinates.
pub fn read_points<const D: usize>(path: impl AsRef<Path>) -> Result<Vec<[f64; D]>, ReadError> {
    pbbs::points(path.as_ref())
}

/// Reads a mesh from a file that begins as one of these:
///
/// - `ply`: a polygon file of Stanford's, as text or binary in any order of bytes. Properties `x`, `y` and `z` of
///   vertices and `vertex_indices` of faces are used.
/// - `OFF`: an object file of Geomview's, as text
/// - `pbbs_triangles`: a text of the Problem Based Benchmark Suite, which counts vertices from 1
/// - a statement of an object file of Wavefront's (`.obj`), each of which is in one line
///
/// Otherwise it is refused before the rest of it is read.
///
/// Polygons of more than three corners are divided into triangles that have the first corner in common, which is right
/// if they are convex. Normals, colours and materials are left out.
///
/// The file may be compressed with gzip, or as a feature of `filch-text` adds; `-` is standard input.
///
/// Work: O(n), on one worker. Memory: that of the file beside that of the mesh. What a header announces is not
/// allocated before it is there.
///
/// ```
/// # let path = std::env::temp_dir().join(format!("filch-geometry-mesh-{}", std::process::id()));
/// # let path = &path;
/// std::fs::write(path, "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n").unwrap();
/// assert_eq!(filch_geometry::read_mesh(path).unwrap().triangles(), [[0, 1, 2], [0, 2, 3]]);
/// # std::fs::remove_file(path).unwrap();
/// ```
///
/// # Errors
///
/// If the file cannot be read, or the place where it has something else than expected.
pub fn read_mesh(path: impl AsRef<Path>) -> Result<Mesh, ReadError> {
    let path = path.as_ref();
    let Raw { vertices, triangles } = raw(&mesh_bytes(path)?, path)?;
    Mesh::new(vertices, triangles).map_err(|fault| ReadError::NoMesh { path: named(path).to_owned(), fault })
}

/// The mesh that these bytes are.
fn raw(bytes: &[u8], path: &Path) -> Result<Raw, ReadError> {
    let text = text_of(bytes, path)?;
    check_beginning(text).map_err(|fault| fault.in_file(path))?;
    let mesh = match first_word(text) {
        Some((_, b"ply")) => ply::mesh(text),
        Some((_, word)) if off::HEADERS.contains(&word) => off::mesh(text),
        Some((_, word)) if word == pbbs::TRIANGLES.as_bytes() => pbbs::mesh(text),
        _ => obj::mesh(text),
    };
    mesh.map_err(|fault| fault.in_file(path))
}

/// The bytes without a byte order mark.
fn text_of<'a>(bytes: &'a [u8], path: &Path) -> Result<&'a [u8], ReadError> {
    let text_error = |fault| FileError::Text { path: named(path).to_owned(), line: 1, column: 1, fault };
    Ok(&bytes[text_start(bytes).map_err(text_error)?..])
}

fn first_word(text: &[u8]) -> Option<(Place, &[u8])> {
    Lines::new(text, Some(b'#')).next().and_then(|mut line| line.word("").ok())
}

/// The contents of a file, after decompression, if it begins as a mesh does.
fn mesh_bytes(path: &Path) -> Result<Vec<u8>, ReadError> {
    /// Enough for most comments, and little to decompress in vain.
    const BEGINNING: usize = 64 << 10;
    let mut stream = Source::open(path)?.into_stream()?;
    let mut bytes = Vec::new();
    let mut len = BEGINNING;
    loop {
        let is_whole = stream.fill(&mut bytes, len).map_err(|error| {
            let lines = bytes.iter().filter(|&&byte| byte == b'\n').count();
            stream.error(path, error, lines as u64)
        })?;
        if is_whole {
            return Ok(bytes);
        }
        check_beginning(text_of(&bytes, path)?).map_err(|fault| fault.in_file(path))?;
        len *= 2;
    }
}

/// Fails if the first word of a text that begins so is that of no mesh.
fn check_beginning(text: &[u8]) -> Result<(), Fault> {
    let Some((place, word)) = first_word(text) else { return Ok(()) };
    // It may go on.
    let is_part = text.ends_with(word);
    let is_begun_by = |known: &[u8]| known == word || is_part && known.starts_with(word);
    let others = [b"ply", pbbs::TRIANGLES.as_bytes()];
    if others.iter().chain(&off::HEADERS).chain(&obj::STATEMENTS).any(|known| is_begun_by(known)) {
        return Ok(());
    }
    Err(Fault::word(place, "ply, OFF, pbbs_triangles or a statement of an .obj file", word))
}
