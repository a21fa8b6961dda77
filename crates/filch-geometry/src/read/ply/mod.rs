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
