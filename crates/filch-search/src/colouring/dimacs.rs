//! The reader of graphs in the format of the second DIMACS challenge (Johnson and Trick 1996).

use super::Colouring;
use crate::read::{Fault, Place, ReadError, TextError, Words, lines, read};
use std::path::Path;

impl Colouring {
    /// Reads a graph: a line `p edge VERTICES EDGES`, and then a line `e A B` for each edge, with the vertices counted
    /// from 1. Lines that begin with `c` are comments. A line `n` may give a vertex the weight 1 and no other. Some
    /// files count each edge in both directions, and some only one of them; so half of the number that the file gives
    /// is right, too.
    ///
    /// # Errors
    ///
    /// If the text is malformed or incomplete, or has an edge from a vertex to itself.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let mut size: Option<Size> = None;
        let mut edges = Vec::new();
        for line in lines(text)? {
            let mut words = line.words();
            let Some(first) = words.next() else { continue };
            match first.text {
                "c" => {}
                "p" => size = Some(Size::read(line.place, words, size.as_ref())?),
                "e" => edges.push(edge(first.place, words, size.as_ref())?),
                // How many colours a vertex takes. One is what all take here.
                "n" => weight(words)?,
                // About geometry, or how the graph was generated.
                "d" | "v" | "x" => {}
                _ => return Err(first.not("a line that begins with c, p or e")),
            }
        }
        let Some(Size { place, vertices, edges: told }) = size else {
            return Err(TextError::whole(Fault::new("a line p edge VERTICES EDGES", "none")));
        };
        if edges.len() != told && 2 * edges.len() != told {
            return Err(place.expected(format!("{told} edges, as this line says"), edges.len()));
        }
        Colouring::new(vertices, &edges).map_err(TextError::whole)
    }

    /// Reads a file; see [`parse`](Self::parse).
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or `parse` fails.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        read(path, Self::parse)
    }
}

/// What the line `p` says.
struct Size {
    place: Place,
    vertices: usize,
    edges: usize,
}

/// More vertices than anyone can colour by this search. It keeps a typing error from filling the memory.
const MAX_VERTICES: usize = 1 << 20;

impl Size {
    fn read(place: Place, mut words: Words<'_>, earlier: Option<&Size>) -> Result<Self, TextError> {
        if let Some(earlier) = earlier {
            return Err(place.expected("one line with p", format!("another one than line {}", earlier.place.line)));
        }
        let format = words.word("p edge VERTICES EDGES")?;
        if !matches!(format.text, "edge" | "edges" | "col") {
            return Err(format.not("p edge VERTICES EDGES"));
        }
        let expected = format!("the number of vertices, up to {MAX_VERTICES}");
        let word = words.word(&expected)?;
        let vertices = word.number(&expected)?;
        if vertices > MAX_VERTICES {
            return Err(word.not(expected));
        }
        let edges = words.number("the number of edges")?;
        words.end()?;
        Ok(Size { place, vertices, edges })
    }
}

/// The line `n` of a vertex.
fn weight(mut words: Words<'_>) -> Result<(), TextError> {
    words.word("a vertex")?;
    let word = words.word("the weight of a vertex")?;
    if word.text != "1" {
        return Err(word.not("the weight 1, as a vertex takes one colour"));
    }
    words.end()
}

fn edge(place: Place, mut words: Words<'_>, size: Option<&Size>) -> Result<(usize, usize), TextError> {
    let Some(Size { vertices, .. }) = size else {
        return Err(place.expected("a line with p before the edges", "an edge"));
    };
    let mut vertex = || {
        let word = words.word("a vertex")?;
        let vertex: usize = word.number("a vertex")?;
        let is_one = (1..=*vertices).contains(&vertex);
        if is_one { Ok(vertex - 1) } else { Err(word.not(format!("a vertex from 1 to {vertices}"))) }
    };
    let (a, b) = (vertex()?, vertex()?);
    words.end()?;
    Colouring::check_edge(*vertices, a, b).map_err(|fault| place.error(fault))?;
    Ok((a, b))
}
