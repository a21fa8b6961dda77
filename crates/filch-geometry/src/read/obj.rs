//! The object files of Wavefront.

use super::error::Fault;
use super::line::{Line, Lines, expected_vertex};
use super::polygon::{Fans, Raw};

const VERTEX: &[u8] = b"v";
const FACE: &[u8] = b"f";

/// The statements about vertices and faces, and those that say nothing about them.
pub(super) const STATEMENTS: [&[u8]; 22] = [
    VERTEX,
    FACE,
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
        line.expect_whole()?;
        if line.word("")?.1 == VERTEX {
            vertices.push(line.point()?);
            expect_weight_and_colour(&mut line)?;
        }
    }
    let mut fans = Fans::default();
    let mut vertices_before = 0;
    let mut lines = Lines::new(text, Some(b'#'));
    for mut line in lines.by_ref() {
        let (start, statement) = line.word("")?;
        match statement {
            VERTEX => vertices_before += 1,
            FACE => {
                let mut corners = 0;
                while line.has_word() {
                    let (place, word) = line.word("a vertex")?;
                    let (vertex, others) = word.split_at(word.iter().position(|&b| b == b'/').unwrap_or(word.len()));
                    if !are_references(others) {
                        return Err(Fault::word(place, "whole numbers between at most two slashes", word));
                    }
                    let vertex = vertex_of(vertex, vertices.len(), vertices_before).ok_or_else(|| {
                        let last = expected_vertex(1, vertices.len() as u64);
                        Fault::word(place, format!("{last}, or one of {vertices_before} before from -1"), word)
                    })?;
                    fans.corner(vertex);
                    corners += 1;
                }
                fans.end(corners, start)?;
            }
            other if STATEMENTS.contains(&other) => {}
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

/// Fails if something else follows the coordinates of a vertex than a weight (one number), a colour (three) or both.
fn expect_weight_and_colour(line: &mut Line<'_>) -> Result<(), Fault> {
    for numbers in [1, 2, 1] {
        if line.has_word() {
            (0..numbers).try_for_each(|_| line.expect_number())?;
        }
    }
    line.expect_end("the end of the line")
}

/// Whether these are a texture coordinate and a normal, each behind a slash. Some programs leave out the numbers, but
/// not the slashes.
fn are_references(behind_vertex: &[u8]) -> bool {
    let mut parts = behind_vertex.split(|&byte| byte == b'/').skip(1);
    let are_numbers = parts.by_ref().take(2).all(|part| part.is_empty() || number(part).is_some());
    are_numbers && parts.next().is_none()
}

/// The vertex of a corner: its number from 1, or how many vertices before, as a negative number.
fn vertex_of(word: &[u8], vertices: usize, vertices_before: usize) -> Option<u32> {
    let number = number(word)?;
    let vertex = if number < 0 { vertices_before as i64 + number } else { number - 1 };
    u32::try_from(vertex).ok().filter(|&vertex| (vertex as usize) < vertices)
}

fn number(word: &[u8]) -> Option<i64> {
    str::from_utf8(word).ok()?.parse().ok()
}
