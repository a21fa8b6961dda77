//! The texts of the Problem Based Benchmark Suite: a header, and a point or a triangle in each line.

use super::error::{Fault, Place, ReadError};
use super::line::Lines;
use super::polygon::Raw;
use filch_algorithms::map;
use filch_text::{Consumer, Failure, Sizes, Source, feed, text_start};
use std::ops::ControlFlow;
use std::path::Path;

/// The first line of a file of triangles.
pub(super) const TRIANGLES: &str = "pbbs_triangles";

/// A mesh. Its triangles count vertices from 1.
pub(super) fn mesh(text: &[u8]) -> Result<Raw, Fault> {
    let mut lines = Lines::new(text, None);
    lines.expect(TRIANGLES)?;
    let [num_vertices, num_triangles] = ["the number of vertices", "the number of triangles"].map(|what| {
        let mut line = lines.expect(what)?;
        let count = line.count(what)?;
        line.expect_end("the end of the line").map(|()| count)
    });
    let (num_vertices, num_triangles) = (num_vertices?, num_triangles?);
    let mut raw = Raw::default();
    for _ in 0..num_vertices {
        let mut line = lines.expect("a vertex")?;
        raw.vertices.push(line.point()?);
        line.expect_end("the end of the line")?;
    }
    for _ in 0..num_triangles {
        let mut line = lines.expect("a triangle")?;
        let mut corner = || line.vertex(1, num_vertices);
        raw.triangles.push([corner()?, corner()?, corner()?]);
        line.expect_end("the end of the line")?;
    }
    lines.expect_end()?;
    Ok(raw)
}

/// Points, in parallel.
pub(super) fn points<const D: usize>(path: &Path) -> Result<Vec<[f64; D]>, ReadError> {
    let sizes = Sizes::of_pool();
    let mut reading = Reading { points: Vec::new(), has_header: false, lines: 0, chunk: sizes.chunk };
    feed(Source::open(path)?, path, sizes, &mut reading, &mut |_| ControlFlow::Continue(())).map_err(|failure| {
        match failure {
            Failure::File(error) => ReadError::File(error),
            Failure::Refused(fault) => fault.in_file(path),
        }
    })?;
    if reading.has_header {
        return Ok(reading.points);
    }
    let end = Place::Text { line: reading.lines + 1, column: 1 };
    Err(Fault::new(end, header::<D>(), "the end of the file").in_file(path))
}

fn header<const D: usize>() -> String {
    format!("pbbs_sequencePoint{D}d")
}

/// Points in lines, after a header.
struct Reading<const D: usize> {
    points: Vec<[f64; D]>,
    has_header: bool,
    /// Those before the header are counted, too.
    lines: u64,
    /// The bytes that are read at a time.
    chunk: usize,
}

impl<const D: usize> Consumer for Reading<D> {
    type Refusal = Fault;

    fn window(&mut self, text: &[u8]) -> Result<(), Fault> {
        let mut text = text;
        if !self.has_header {
            text = self.header(text).map_err(|fault| fault.after(self.lines))?;
        }
        let mut chunks = Vec::new();
        while !text.is_empty() {
            let least = self.chunk.min(text.len()) - 1;
            let end = text[least..].iter().position(|&byte| byte == b'\n');
            let (chunk, rest) = text.split_at(end.map_or(text.len(), |end| least + end + 1));
            chunks.push(chunk);
            text = rest;
        }
        for read in map(&chunks, |chunk| Chunk::read(chunk)) {
            self.points.extend_from_slice(&read.points);
            if let Some(fault) = read.fault {
                return Err(fault.after(self.lines));
            }
            self.lines += read.lines;
        }
        Ok(())
    }

    fn lines(&self) -> u64 {
        self.lines
    }

    fn items(&self) -> u64 {
        self.points.len() as u64
    }
}

impl<const D: usize> Reading<D> {
    /// Reads up to the header, if that is there, and returns what follows.
    fn header<'a>(&mut self, text: &'a [u8]) -> Result<&'a [u8], Fault> {
        let first = Place::Text { line: 1, column: 1 };
        let start = match self.lines {
            0 => text_start(text).map_err(|fault| Fault::new(first, header::<D>(), fault.to_string()))?,
            _ => 0,
        };
        let mut lines = Lines::new(&text[start..], None);
        let Some(mut line) = lines.next() else {
            self.lines += lines.lines_read();
            return Ok(&[]);
        };
        let (place, word) = line.word("")?;
        if word != header::<D>().as_bytes() {
            return Err(Fault::word(place, header::<D>(), word));
        }
        line.expect_end("the end of the line")?;
        self.has_header = true;
        self.lines += lines.lines_read();
        Ok(lines.rest())
    }
}

/// What has been read of a chunk of lines.
struct Chunk<const D: usize> {
    points: Vec<[f64; D]>,
    lines: u64,
    fault: Option<Fault>,
}

impl<const D: usize> Chunk<D> {
    fn read(text: &[u8]) -> Self {
        let mut lines = Lines::new(text, None);
        let mut points = Vec::new();
        let read = lines.try_for_each(|mut line| {
            points.push(line.point()?);
            line.expect_end("the end of the line")
        });
        Chunk { points, lines: lines.lines_read(), fault: read.err() }
    }
}
