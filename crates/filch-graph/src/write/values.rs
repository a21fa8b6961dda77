//! Results: a number for each vertex, or a line.

use std::io::{self, Write};
use std::path::Path;

use super::error::{Failure, WriteError};
use super::file::write_whole;
use super::format::{Content, Format};
use super::pipe::{Pipe, push_number};
use crate::read::OnProgress;

mod sealed {
    pub trait Sealed: itoa::Integer {}
}

/// A whole number that can be written as text, and as an element of an array of NumPy.
pub trait Number: Copy + Send + Sync + sealed::Sealed {
    /// What NumPy calls it: `<u4`, for one.
    const DESCR: &'static str;
    /// Its bytes, little-endian.
    #[doc(hidden)]
    fn push_bytes(self, buffer: &mut Vec<u8>);
}

macro_rules! numbers {
    ($($int:ty, $written:ty, $descr:literal;)*) => {$(
        impl sealed::Sealed for $int {}

        impl Number for $int {
            const DESCR: &'static str = $descr;

            fn push_bytes(self, buffer: &mut Vec<u8>) {
                buffer.extend_from_slice(&(self as $written).to_le_bytes());
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

/// Writes a number for each vertex: `.npy` as an array of NumPy, which `numpy.load` reads; else as text, a number a
/// line.
///
/// Work: linear. Memory: some MB.
///
/// # Errors
///
/// [`WriteError`].
///
/// # Panics
///
/// As [`filch::run`], where it comes to the global pool.
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
                    push_number(buffer, value);
                    buffer.push(b'\n');
                }
            }
        })
    })
}

/// Writes text, of which `line` appends the lines 0 to `count - 1`, newlines and all; it is called in parallel. For
/// what names vertices, or has several columns.
///
/// Work: as `line`. Memory: some MB, if lines are short.
///
/// # Errors
///
/// [`WriteError`]; the name must end as that of a text does.
///
/// # Panics
///
/// If `line` does; and as [`filch::run`], where it comes to the global pool. Nothing is written then.
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

/// [`write_lines`] to where what is written stays written: a pipe, or the standard output.
///
/// ```
/// use std::io::Write;
/// use std::ops::ControlFlow;
///
/// let mut out = Vec::new();
/// let line = |i: usize, buffer: &mut Vec<u8>| writeln!(buffer, "{i}\t{}", i * i).expect("memory takes all");
/// filch_graph::write::write_lines_to(&mut out, 3, line, &mut |_| ControlFlow::Continue(())).unwrap();
/// assert_eq!(out, b"0\t0\n1\t1\n2\t4\n");
/// ```
///
/// # Errors
///
/// Those of `out`; and of [`io::ErrorKind::Interrupted`] if `on_progress` asks to stop.
///
/// # Panics
///
/// As there.
pub fn write_lines_to(
    out: &mut (dyn Write + Send),
    count: usize,
    line: impl Fn(usize, &mut Vec<u8>) + Send + Sync,
    on_progress: &mut OnProgress<'_>,
) -> io::Result<()> {
    lines(out, count, line, on_progress).map_err(|failure| match failure {
        Failure::Io(error) => error,
        Failure::Stopped => io::ErrorKind::Interrupted.into(),
    })
}

fn lines(
    out: &mut (dyn Write + Send),
    count: usize,
    line: impl Fn(usize, &mut Vec<u8>) + Send + Sync,
    on_progress: &mut OnProgress<'_>,
) -> Result<(), Failure> {
    Pipe::new(out, on_progress).items(count, true, |range, buffer| range.for_each(|index| line(index, buffer)))
}

/// The header of an array of one dimension: format 1.0 of NumPy (`numpy.lib.format`, in NumPy's documentation).
fn npy_header(descr: &str, len: usize) -> Vec<u8> {
    const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
    /// Elements begin at a multiple of this.
    const ALIGNMENT: usize = 64;
    let mut dictionary = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({len},), }}");
    let unpadded = MAGIC.len() + size_of::<u16>() + dictionary.len() + 1;
    dictionary.extend(std::iter::repeat_n(' ', unpadded.next_multiple_of(ALIGNMENT) - unpadded));
    dictionary.push('\n');
    let len = u16::try_from(dictionary.len()).expect("some hundred bytes");
    [MAGIC, &len.to_le_bytes(), dictionary.as_bytes()].concat()
}
