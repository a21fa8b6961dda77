//! The reader of graphs in the format of the second DIMACS challenge (Johnson and Trick 1996).

use super::Colouring;
use crate::read::{Fault, ReadError, TextError, end, lines, number, quoted, read};
use std::path::Path;

impl Colouring {
    /// Reads a graph: a line `p edge VERTICES EDGES`, and then a line `e A B` for each edge, with the vertices counted
    /// from 1. Lines that begin with `c` are comments. Some files count each edge in both directions, and some only one
    /// of them; so half of the number that the file gives is right, too.
    ///
    /// # Errors
    ///
    /// If the text is malformed or incomplete, or has an edge from a vertex to itself.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let mut size: Option<Size> = None;
        let mut edges = Vec::new();
        for (line, content) in lines(text) {
            let mut words = content.split_whitespace();
            match words.next() {
                Some("c") => Ok(()),
                Some("p") => Size::read(line, words, size.as_ref()).map(|read| size = Some(read)),
                Some("e") => edge(words, size.as_ref()).map(|edge| edges.push(edge)),
                // DIMACS has more kinds of lines, which are about geometry or bounds.
                Some("n" | "d" | "v" | "x") => Ok(()),
                word => Err(Fault::new("a line that begins with c, p or e", quoted(word.unwrap_or_default()))),
            }
            .map_err(|fault| TextError::at(line, fault))?;
        }
        let Some(Size { line, vertices, edges: told }) = size else {
            return Err(TextError::whole(Fault::new("a line p edge VERTICES EDGES", "none")));
        };
        if edges.len() != told && 2 * edges.len() != told {
            return Err(TextError::at(line, Fault::new(format!("{told} edges, as this line says"), edges.len())));
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
    line: usize,
    vertices: usize,
    edges: usize,
}

/// More vertices than anyone can colour by this search. It keeps a typing error from filling the memory.
const MAX_VERTICES: usize = 1 << 20;

impl Size {
    fn read<'w>(line: usize, mut words: impl Iterator<Item = &'w str>, earlier: Option<&Size>) -> Result<Self, Fault> {
        if let Some(earlier) = earlier {
            return Err(Fault::new("one line with p", format!("another one than line {}", earlier.line)));
        }
        match words.next() {
            Some("edge" | "edges" | "col") => {}
            word => {
                return Err(Fault::new("p edge VERTICES EDGES", quoted(&format!("p {}", word.unwrap_or_default()))));
            }
        }
        let expected = format!("the number of vertices, up to {MAX_VERTICES}");
        let vertices = number(words.next(), &expected)?;
        if vertices > MAX_VERTICES {
            return Err(Fault::new(expected, vertices));
        }
        let edges = number(words.next(), "the number of edges")?;
        end(words)?;
        Ok(Size { line, vertices, edges })
    }
}

fn edge<'w>(mut words: impl Iterator<Item = &'w str>, size: Option<&Size>) -> Result<(usize, usize), Fault> {
    let Some(Size { vertices, .. }) = size else { return Err(Fault::new("a line with p before the edges", "an edge")) };
    let mut vertex = || match number(words.next(), "a vertex")? {
        0 => Err(Fault::new(format!("a vertex from 1 to {vertices}"), 0)),
        vertex => Ok::<usize, Fault>(vertex - 1),
    };
    let (a, b) = (vertex()?, vertex()?);
    end(words)?;
    Colouring::check_edge(*vertices, a, b)?;
    Ok((a, b))
}
