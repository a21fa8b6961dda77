//! The object files of Wavefront.

use super::error::Fault;
use super::line::{Lines, expected_vertex};
use super::polygon::{Fans, Raw};

/// Statements that say nothing about vertices and faces.
const OTHERS: [&[u8]; 20] = [
    b"vt",
    b"vn",
    b"vp",
    b"o",
    b"g",
    b"s",
    b"mg",
    b"p",
    b"l",
    b"usemtl",
    b"mtllib",
    b"usemap",
    b"maplib",
    b"bevel",
    b"c_interp",
    b"d_interp",
    b"lod",
    b"shadow_obj",
    b"trace_obj",
    b"call",
];

pub(super) fn mesh(text: &[u8]) -> Result<Raw, Fault> {
    let mut vertices = Vec::new();
    // Faces may name vertices that follow them.
    for mut line in Lines::new(text, Some(b'#')) {
        if line.word("")?.1 == b"v" {
            vertices.push(line.point()?);
        }
    }
    let mut fans = Fans::default();
    let mut vertices_before = 0;
    let mut lines = Lines::new(text, Some(b'#'));
    for mut line in lines.by_ref() {
        let (start, statement) = line.word("")?;
        match statement {
            b"v" => vertices_before += 1,
            b"f" => {
                let mut corners = 0;
                while line.has_word() {
                    let (place, word) = line.word("a vertex")?;
                    let vertex = vertex(word, vertices.len(), vertices_before).ok_or_else(|| {
                        let last = expected_vertex(1, vertices.len() as u64);
                        Fault::word(place, format!("{last}, or one of {vertices_before} before from -1"), word)
                    })?;
                    fans.corner(vertex);
                    corners += 1;
                }
                fans.end(corners, start)?;
            }
            other if OTHERS.contains(&other) => {}
            other => {
                let expected = "a statement of an .obj file about vertices, faces or materials";
                return Err(Fault::word(start, expected, other));
            }
        }
    }
    if vertices.is_empty() {
        lines.expect("a vertex")?;
    }
    Ok(Raw { vertices, triangles: fans.triangles })
}

/// The vertex of a corner: its number from 1, or how many vertices before, as a negative number. Texture coordinates
/// and normals may follow after slashes.
fn vertex(word: &[u8], vertices: usize, vertices_before: usize) -> Option<u32> {
    let number = word.split(|&byte| byte == b'/').next()?;
    let number: i64 = str::from_utf8(number).ok()?.parse().ok()?;
    let vertex = if number < 0 { vertices_before as i64 + number } else { number - 1 };
    u32::try_from(vertex).ok().filter(|&vertex| (vertex as usize) < vertices)
}
