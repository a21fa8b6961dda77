//! The Object File Format of Geomview.

use super::error::Fault;
use super::line::Lines;
use super::polygon::{Fans, Raw};

/// The first words of files whose vertices begin with three coordinates. Normals, colours and texture coordinates
/// follow these.
pub(super) const HEADERS: [&[u8]; 8] = [b"OFF", b"COFF", b"NOFF", b"CNOFF", b"STOFF", b"STCOFF", b"STNOFF", b"STCNOFF"];

/// Red, green, blue and opacity.
const MOST_OF_COLOUR: usize = 4;

/// A normal, a colour and a texture coordinate.
const MOST_OF_VERTEX: usize = 3 + MOST_OF_COLOUR + 2;

pub(super) fn mesh(text: &[u8]) -> Result<Raw, Fault> {
    let mut lines = Lines::new(text, Some(b'#'));
    let mut line = lines.expect("OFF")?;
    line.word("OFF")?;
    if !line.has_word() {
        line = lines.expect("the numbers of vertices and faces")?;
    }
    let num_vertices = line.count("the number of vertices")?;
    let num_faces = line.count("the number of faces")?;
    // That of edges, which is often left out or wrong, is not needed.
    line.expect_numbers(1)?;
    let (mut vertices, mut fans) = (Vec::new(), Fans::default());
    for _ in 0..num_vertices {
        let mut line = lines.expect("a vertex")?;
        vertices.push(line.point()?);
        line.expect_numbers(MOST_OF_VERTEX)?;
    }
    for _ in 0..num_faces {
        let mut line = lines.expect("a face")?;
        let place = line.next_place();
        let corners = line.count("the number of corners")?;
        for _ in 0..corners {
            fans.corner(line.vertex(0, num_vertices)?);
        }
        fans.end(corners, place)?;
        line.expect_numbers(MOST_OF_COLOUR)?;
    }
    lines.expect_end()?;
    Ok(Raw { vertices, triangles: fans.triangles })
}
