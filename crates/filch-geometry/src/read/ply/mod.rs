//! The polygon files of Stanford's: a header says which elements follow, and of which numbers they consist.

mod body;
mod header;

use super::error::{Fault, Place};
use super::line::{Lines, expected_vertex};
use super::polygon::{Fans, Raw};
use body::Body;
use header::{Header, Property, Role};

pub(super) fn mesh(file: &[u8]) -> Result<Raw, Fault> {
    let mut lines = Lines::new(file, None);
    let Header { format, elements, num_vertices } = Header::read(&mut lines)?;
    let mut body = Body::new(format, file, lines);
    let (mut vertices, mut fans) = (Vec::new(), Fans::default());
    // Elements without properties are nothing, however many there are.
    for element in elements.iter().filter(|element| !element.properties.is_empty()) {
        for _ in 0..element.count {
            body.begin(&element.name)?;
            let mut vertex = [0.0; 3];
            for property in &element.properties {
                match property.role {
                    Role::Coordinate(axis) => vertex[axis] = coordinate(body.number(property.scalar)?)?,
                    Role::Corners => face(&mut body, property, num_vertices, &mut fans)?,
                    Role::Unused => {
                        for _ in 0..len(&mut body, property)?.1 {
                            body.number(property.scalar)?;
                        }
                    }
                }
            }
            body.end()?;
            if element.name == "vertex" {
                vertices.push(vertex);
            }
        }
    }
    body.expect_end()?;
    Ok(Raw { vertices, triangles: fans.triangles })
}

fn coordinate((place, x): (Place, f64)) -> Result<f64, Fault> {
    if x.is_finite() { Ok(x) } else { Err(Fault::new(place, "a finite coordinate", x.to_string())) }
}

/// The number of numbers of a property, and where it is if there is one.
fn len(body: &mut Body<'_>, property: &Property) -> Result<(Option<Place>, u64), Fault> {
    let Some(len) = property.len else { return Ok((None, 1)) };
    let (place, len) = body.number(len)?;
    if len < 0.0 {
        Err(Fault::new(place, "a length of 0 or more", len.to_string()))
    } else {
        Ok((Some(place), len as u64))
    }
}

fn face(body: &mut Body<'_>, property: &Property, num_vertices: u64, fans: &mut Fans) -> Result<(), Fault> {
    let (place, corners) = len(body, property)?;
    for _ in 0..corners {
        let (place, corner) = body.number(property.scalar)?;
        // Indices are whole numbers of at most 32 bits.
        if corner < 0.0 || corner as u64 >= num_vertices {
            return Err(Fault::new(place, expected_vertex(0, num_vertices), corner.to_string()));
        }
        fans.corner(corner as u32);
    }
    fans.end(corners, place.expect("a face is a list"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a file of one vertex that has this header besides.
    fn read(header: &str, body: &str) -> Result<Raw, String> {
        let vertex = "element vertex 1\nproperty float x\nproperty float y\nproperty float z";
        let text = format!("ply\nformat ascii 1.0\n{vertex}\n{header}\nend_header\n0 0 0\n{body}");
        mesh(text.as_bytes()).map_err(|Fault { place, expected, found }| format!("{place}: {expected}: {found}"))
    }

    #[test]
    fn faces_whose_corners_are_not_understood_are_refused() {
        const FACES: &str = "faces as elements with the name face and a list with the name vertex_indices";
        for (header, body, fault) in [
            (
                "element tristrips 1\nproperty list int int vertex_indices",
                "3 0 0 0\n",
                &*format!(":7:9: {FACES}: \"tristrips\""),
            ),
            ("element face 1\nproperty list uchar int vertices", "3 0 0 0\n", &format!(":7:9: {FACES}: \"face\"")),
            ("element face 1", "", &format!(":7:9: {FACES}: \"face\"")),
            ("element face 1\nproperty int vertex_indices", "0\n", ":8:14: a list with this name: \"vertex_indices\""),
            (
                "element face 1\nproperty list uchar int vertex_indices\nproperty list uchar int vertex_index",
                "3 0 0 0 3 0 0 0\n",
                ":9:25: this property only once: \"vertex_index\"",
            ),
            ("property float x", "", ":7:16: this property only once: \"x\""),
        ] {
            assert_eq!(read(header, body).unwrap_err(), fault);
        }
        // There are none.
        assert!(read("element face 0\nproperty list uchar int vertices", "").is_ok());
        assert!(read("element tristrips 0\nproperty int a\nproperty int a", "").is_ok());
    }

    #[test]
    fn a_header_of_many_elements_takes_little_time() {
        // If each name were compared with all others, it would be ten billion comparisons.
        let elements: Vec<String> = (0..100_000).map(|i| format!("element a{i} 0")).collect();
        assert_eq!(read(&elements.join("\n"), "").unwrap().vertices.len(), 1);
        let twice = format!("{}\nelement a0 0", elements.join("\n"));
        assert!(read(&twice, "").unwrap_err().ends_with(":100007:9: the name of another element: \"a0\""));
    }
}
