//! The header: which elements there are, and what each of them has.

use crate::read::error::{Fault, Place};
use crate::read::line::{Line, Lines};
use std::collections::HashSet;

/// How elements are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// A line each.
    Text,
    LittleEndian,
    BigEndian,
}

pub(super) struct Header {
    pub(super) format: Format,
    pub(super) elements: Vec<Element>,
    /// The announced number of vertices.
    pub(super) num_vertices: u64,
}

pub(super) struct Element {
    pub(super) name: String,
    /// Where the header names it.
    place: Place,
    pub(super) count: u64,
    pub(super) properties: Vec<Property>,
}

pub(super) struct Property {
    pub(super) role: Role,
    /// The type of the length, if it is a list.
    pub(super) len: Option<Scalar>,
    pub(super) scalar: Scalar,
}

/// What a property is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The coordinate of a vertex along an axis.
    Coordinate(usize),
    /// The vertices of a face.
    Corners,
    /// Nothing here.
    Unused,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn of(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"char" | b"int8" => Scalar::I8,
            b"uchar" | b"uint8" => Scalar::U8,
            b"short" | b"int16" => Scalar::I16,
            b"ushort" | b"uint16" => Scalar::U16,
            b"int" | b"int32" => Scalar::I32,
            b"uint" | b"uint32" => Scalar::U32,
            b"float" | b"float32" => Scalar::F32,
            b"double" | b"float64" => Scalar::F64,
            _ => return None,
        })
    }
}

impl Element {
    fn has(&self, role: Role) -> bool {
        self.properties.iter().any(|property| property.role == role)
    }

    /// Fails if these are faces whose corners are not known.
    fn expect_corners(&self) -> Result<(), Fault> {
        let are_faces = matches!(&*self.name, "face" | "tristrips") && self.count > 0;
        if are_faces && !self.has(Role::Corners) {
            return Err(Fault::word(
                self.place,
                "faces as elements with the name face and a list with the name vertex_indices",
                self.name.as_bytes(),
            ));
        }
        Ok(())
    }
}

impl Header {
    pub(super) fn read(lines: &mut Lines<'_>) -> Result<Self, Fault> {
        let mut line = lines.expect("ply")?;
        line.word("ply")?;
        line.expect_end("the end of the line")?;
        let format = format(&mut lines.expect("the format")?)?;
        let mut elements: Vec<Element> = Vec::new();
        let mut names = HashSet::new();
        loop {
            let mut line = lines.expect("end_header")?;
            let (place, keyword) = line.word("")?;
            match keyword {
                b"comment" | b"obj_info" => continue,
                b"element" => {
                    let (place, name) = line.word("the name of an element")?;
                    let name = String::from_utf8_lossy(name).into_owned();
                    if !names.insert(name.clone()) {
                        return Err(Fault::word(place, "the name of another element", name.as_bytes()));
                    }
                    let count = line.count("the number of elements")?;
                    elements.push(Element { name, place, count, properties: Vec::new() });
                }
                b"property" => {
                    let no_element = || Fault::word(place, "an element before its properties", keyword);
                    let element = elements.last_mut().ok_or_else(no_element)?;
                    let property = property(&mut line, element)?;
                    element.properties.push(property);
                }
                b"end_header" => {
                    let num_vertices = num_vertices(&elements);
                    let num_vertices = num_vertices.ok_or_else(|| {
                        Fault::word(place, "properties x, y and z of elements with the name vertex", keyword)
                    })?;
                    line.expect_end("the end of the line")?;
                    elements.iter().try_for_each(Element::expect_corners)?;
                    return Ok(Header { format, elements, num_vertices });
                }
                _ => return Err(Fault::word(place, "element, property, comment or end_header", keyword)),
            }
            line.expect_end("the end of the line")?;
        }
    }
}

fn format(line: &mut Line<'_>) -> Result<Format, Fault> {
    const EXPECTED: &str = "format ascii, binary_little_endian or binary_big_endian";
    let (place, word) = line.word(EXPECTED)?;
    if word != b"format" {
        return Err(Fault::word(place, EXPECTED, word));
    }
    let (place, word) = line.word(EXPECTED)?;
    let format = match word {
        b"ascii" => Format::Text,
        b"binary_little_endian" => Format::LittleEndian,
        b"binary_big_endian" => Format::BigEndian,
        _ => return Err(Fault::word(place, EXPECTED, word)),
    };
    let (place, version) = line.word("1.0")?;
    if version != b"1.0" {
        return Err(Fault::word(place, "1.0", version));
    }
    line.expect_end("the end of the line")?;
    Ok(format)
}

fn property(line: &mut Line<'_>, element: &Element) -> Result<Property, Fault> {
    const EXPECTED: &str = "the type of a property";
    let scalar = |(place, word): (Place, &[u8])| Scalar::of(word).ok_or_else(|| Fault::word(place, EXPECTED, word));
    let first = line.word(EXPECTED)?;
    let (len, of) = match first.1 {
        b"list" => (Some(scalar(line.word(EXPECTED)?)?), scalar(line.word(EXPECTED)?)?),
        _ => (None, scalar(first)?),
    };
    let (place, name) = line.word("the name of a property")?;
    let role = match (&*element.name, name) {
        ("vertex", b"x") => Role::Coordinate(0),
        ("vertex", b"y") => Role::Coordinate(1),
        ("vertex", b"z") => Role::Coordinate(2),
        ("face", b"vertex_indices" | b"vertex_index") => Role::Corners,
        _ => Role::Unused,
    };
    if role != Role::Unused && element.has(role) {
        return Err(Fault::word(place, "this property only once", name));
    }
    match (role, len) {
        (Role::Coordinate(_), Some(_)) => return Err(Fault::word(place, "a number, not a list, with this name", name)),
        (Role::Corners, None) => return Err(Fault::word(place, "a list with this name", name)),
        _ => {}
    }
    let is_whole = |scalar: Scalar| !matches!(scalar, Scalar::F32 | Scalar::F64);
    if len.is_some_and(|len| !is_whole(len)) || role == Role::Corners && !is_whole(of) {
        return Err(Fault::word(place, "a property whose length and indices are whole numbers", name));
    }
    Ok(Property { role, len, scalar: of })
}

/// The number of vertices, if they have all coordinates.
fn num_vertices(elements: &[Element]) -> Option<u64> {
    let vertices = elements.iter().find(|element| element.name == "vertex")?;
    (0..3).all(|axis| vertices.has(Role::Coordinate(axis))).then_some(vertices.count)
}
