//! Writing results: a number or a line for each vertex.

use std::io::{self, Write};
use std::path::Path;

use super::error::{Failure, WriteError};
use super::file::write_whole;
use super::format::{Content, Format};
use super::pipe::{Pipe, push_number};
use crate::read::OnProgress;

mod sealed {
    pub trait Sealed {}
}

/// A type of numbers whose values can be written as text and as elements of a NumPy array.
pub trait Number: Copy + Send + Sync + sealed::Sealed {
    /// The NumPy name of the type, for example `<u4`.
    const DESCR: &'static str;
    /// Appends the bytes of this number in little-endian order.
    #[doc(hidden)]
    fn push_bytes(self, buffer: &mut Vec<u8>);
    /// Appends this number in decimal.
    fn push_text(self, buffer: &mut Vec<u8>);
}

macro_rules! numbers {
    ($($int:ty, $written:ty, $descr:literal;)*) => {$(
        impl sealed::Sealed for $int {}

        impl Number for $int {
            const DESCR: &'static str = $descr;

            fn push_bytes(self, buffer: &mut Vec<u8>) {
                buffer.extend_from_slice(&(self as $written).to_le_bytes());
            }

            fn push_text(self, buffer: &mut Vec<u8>) {
                push_number(buffer, self);
            }
        }
    )*};
}
numbers! {
    u8, u8, "|u1";
    i32, i32, "<i4";
    u32, u32, "<u4";
    i64, i64, "<i8";
    u64, u64, "<u8";
    usize, u64, "<u8";
}

macro_rules! floats {
    ($($float:ty, $descr:literal;)*) => {$(
        impl sealed::Sealed for $float {}

        impl Number for $float {
            const DESCR: &'static str = $descr;

            fn push_bytes(self, buffer: &mut Vec<u8>) {
                buffer.extend_from_slice(&self.to_le_bytes());
            }

            /// All digits of a whole number; else the shortest text that is read as the same number, `inf` for
            /// infinity.
            fn push_text(self, buffer: &mut Vec<u8>) {
                let written = if self.fract() == 0.0 { write!(buffer, "{self:.0}") } else { write!(buffer, "{self}") };
                written.expect("writing into memory does not fail");
            }
        }
    )*};
}
floats! {
    f32, "<f4";
    f64, "<f8";
}

/// Writes a number for each vertex: with the extension `.npy` as a NumPy array, which `numpy.load` reads, and otherwise
/// as text with one number per line.
///
/// Work: linear. Memory: a few MB.
///
/// # Errors
///
/// [`WriteError`].
///
/// # Panics
///
/// Panics if the global pool is needed and cannot be started; see [`filch::run`].
pub fn write_values<T: Number>(path: &Path, values: &[T], on_progress: &mut OnProgress<'_>) -> Result<(), WriteError> {
    let format = Format::of_values(path)?;
    write_whole(path, format.compression, |out| {
        let mut pipe = Pipe::new(out, on_progress);
        if format.content == Content::Npy {
            pipe.bytes(&npy_header(T::DESCR, values.len()))?;
        }
        pipe.items(values.len(), true, |range, buffer| {
            for &value in &values[range] {
                if format.content == Content::Npy {
                    value.push_bytes(buffer);
                } else {
                    value.push_text(buffer);
                    buffer.push(b'\n');
                }
            }
        })
    })
}

/// Writes lines of text, for example with names or with several columns. `line` appends line i, counted from 0, to a
/// buffer, including its newline. It is called in parallel.
///
/// Work: that of `line`. Memory: a few MB, if the lines are short.
///
/// # Errors
///
/// [`WriteError`]. The extension must be one for text.
///
/// # Panics
///
/// Panics if `line` does, or if the global pool is needed and cannot be started; see [`filch::run`]. In these cases no
/// file is written.
pub fn write_lines(
    path: &Path,
    count: usize,
    line: impl Fn(usize, &mut Vec<u8>) + Send + Sync,
    on_progress: &mut OnProgress<'_>,
) -> Result<(), WriteError> {
    let format = Format::of_values(path)?;
    if format.content != Content::Text {
        return Err(WriteError::UnknownEnding { path: path.to_owned(), expected: ".txt, .tsv, or .txt.gz, .txt.zst" });
    }
    write_whole(path, format.compression, |out| lines(out, count, line, on_progress))
}

/// Writes lines to a pipe or the standard output, as [`write_lines`] does to a file. What has been written remains
/// written if an error occurs.
///
/// ```
/// use std::io::Write;
/// use std::ops::ControlFlow;
///
/// let mut out = Vec::new();
/// let line = |i: usize, buffer: &mut Vec<u8>| writeln!(buffer, "{i}\t{}", i * i).expect("memory takes all");
/// filch_graph_io::write::write_lines_to(&mut out, 3, line, &mut |_| ControlFlow::Continue(())).unwrap();
/// assert_eq!(out, b"0\t0\n1\t1\n2\t4\n");
/// ```
///
/// # Errors
///
/// The errors of `out`, and [`io::ErrorKind::Interrupted`] if `on_progress` asks to stop.
///
/// # Panics
///
/// Panics as [`write_lines`] does.
pub fn write_lines_to(
    out: &mut (dyn Write + Send),
    count: usize,
    line: impl Fn(usize, &mut Vec<u8>) + Send + Sync,
    on_progress: &mut OnProgress<'_>,
) -> io::Result<()> {
    lines(out, count, line, on_progress).map_err(Failure::into_io)
}

fn lines(
    out: &mut (dyn Write + Send),
    count: usize,
    line: impl Fn(usize, &mut Vec<u8>) + Send + Sync,
    on_progress: &mut OnProgress<'_>,
) -> Result<(), Failure> {
    Pipe::new(out, on_progress).items(count, true, |range, buffer| range.for_each(|index| line(index, buffer)))
}

/// The header of a one-dimensional NumPy array in format 1.0 (see `numpy.lib.format` in the NumPy documentation).
fn npy_header(descr: &str, len: usize) -> Vec<u8> {
    const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
    /// The elements begin at a multiple of this.
    const ALIGNMENT: usize = 64;
    let mut dictionary = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({len},), }}");
    let unpadded = MAGIC.len() + size_of::<u16>() + dictionary.len() + 1;
    dictionary.extend(std::iter::repeat_n(' ', unpadded.next_multiple_of(ALIGNMENT) - unpadded));
    dictionary.push('\n');
    let len = u16::try_from(dictionary.len()).expect("some hundred bytes");
    [MAGIC, &len.to_le_bytes(), dictionary.as_bytes()].concat()
}
