//! The Object File Format of Geomview.

use super::error::Fault;
use super::line::Lines;
use super::polygon::{Fans, Raw};

/// The first words of files whose vertices begin with three coordinates. Normals, colours and texture coordinates
/// follow these.
const HEADERS: [&[u8]; 8] = [b"OFF", b"COFF", b"NOFF", b"CNOFF", b"STOFF", b"STCOFF", b"STNOFF", b"STCNOFF"];

/// Whether this is the first word of such a file.
pub(super) fn is_header(word: &[u8]) -> bool {
    HEADERS.contains(&word)
}

pub(super) fn mesh(text: &[u8]) -> Result<Raw, Fault> {
    let mut lines = Lines::new(text, Some(b'#'));
    let mut line = lines.expect("OFF")?;
    line.word("OFF")?;
    if !line.has_word() {
        line = lines.expect("the numbers of vertices and faces")?;
    }
    let num_vertices = line.count("the number of vertices")?;
    let num_faces = line.count("the number of faces")?;
    // The number of edges, which is often left out or wrong, is not needed.
    let (mut vertices, mut fans) = (Vec::new(), Fans::default());
    for _ in 0..num_vertices {
        vertices.push(lines.expect("a vertex")?.point()?);
    }
    for _ in 0..num_faces {
        let mut line = lines.expect("a face")?;
        let place = line.next_place();
        let corners = line.count("the number of corners")?;
        for _ in 0..corners {
            fans.corner(line.vertex(0, num_vertices)?);
        }
        fans.end(corners, place)?;
    }
    lines.expect_end()?;
    Ok(Raw { vertices, triangles: fans.triangles })
}
