//! Decompression of a file that may consist of several parts, one behind the other.
//!
//! gzip calls them members, zstd frames, bzip2 and xz streams. Zeros may stand between them and behind the last one:
//! tapes and some file systems pad files with zeros, and gzip itself reads such files. Anything else is a fault, which
//! the multi-part readers of the decompressors' crates report as a part that ends early or as a bad header.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};

use crate::compression::Compression;
use crate::words::shown;

/// Decompresses all parts of a file.
pub(crate) struct Members<R: Read> {
    compression: Compression,
    /// The part that is being decompressed, if the end has not been reached.
    member: Option<Member<Input<R>>>,
}

/// What follows the last part. It is inside of an [`io::Error`].
#[derive(Debug, thiserror::Error)]
#[error("found {found:?} after it")]
pub(crate) struct Trailing {
    pub(crate) found: String,
}

/// The decompressor of one part.
enum Member<R: BufRead> {
    Gzip(Box<flate2::bufread::GzDecoder<R>>),
    #[cfg(feature = "zstd")]
    Zstd(zstd::Decoder<'static, R>),
    #[cfg(feature = "bzip2")]
    Bzip2(bzip2::bufread::BzDecoder<R>),
    #[cfg(feature = "xz")]
    Xz(Box<lzma_rust2::XzReader<R>>),
}

/// The size of the buffer for compressed bytes.
const COMPRESSED_BYTES: usize = 128 << 10;

impl<R: Read> Members<R> {
    /// Decompresses what `reader` has.
    pub(crate) fn new(compression: Compression, reader: R) -> io::Result<Self> {
        let input = Input { looked_at: Vec::new(), at: 0, rest: BufReader::with_capacity(COMPRESSED_BYTES, reader) };
        Ok(Members { compression, member: Some(Member::new(compression, input)?) })
    }

    /// The part that follows, if there is one.
    fn after(&self, mut input: Input<R>) -> io::Result<Option<Member<Input<R>>>> {
        loop {
            let bytes = persistently(|| input.fill_buf().map(|bytes| (bytes.len(), zeros(bytes))))?;
            match bytes {
                (0, _) => return Ok(None),
                (len, zeros) => {
                    input.consume(zeros);
                    if zeros < len {
                        break;
                    }
                }
            }
        }
        let head = input.look(Compression::MAGIC_LEN)?;
        if Compression::of(head) != Some(self.compression) {
            let found = shown(head);
            return Err(io::Error::new(ErrorKind::InvalidData, Trailing { found }));
        }
        Member::new(self.compression, input).map(Some)
    }
}

impl<R: Read> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let count = member.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let input = self.member.take().map(Member::into_input);
            self.member = input.map_or(Ok(None), |input| self.after(input))?;
        }
        Ok(0)
    }
}

impl<R: BufRead> Member<R> {
    fn new(compression: Compression, input: R) -> io::Result<Self> {
        match compression {
            Compression::Gzip => Ok(Member::Gzip(Box::new(flate2::bufread::GzDecoder::new(input)))),
            #[cfg(feature = "zstd")]
            Compression::Zstd => zstd::Decoder::with_buffer(input).map(|decoder| Member::Zstd(decoder.single_frame())),
            #[cfg(feature = "bzip2")]
            Compression::Bzip2 => Ok(Member::Bzip2(bzip2::bufread::BzDecoder::new(input))),
            #[cfg(feature = "xz")]
            Compression::Xz => Ok(Member::Xz(Box::new(lzma_rust2::XzReader::new_mem_limit(input, false, XZ_KIB)))),
            #[cfg(not(all(feature = "bzip2", feature = "xz", feature = "zstd")))]
            _ => Err(io::Error::new(ErrorKind::Unsupported, format!("{compression} is not read by this build"))),
        }
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Member::Gzip(decoder) => decoder.read(buffer),
            #[cfg(feature = "zstd")]
            Member::Zstd(decoder) => decoder.read(buffer),
            #[cfg(feature = "bzip2")]
            Member::Bzip2(decoder) => decoder.read(buffer),
            #[cfg(feature = "xz")]
            Member::Xz(decoder) => decoder.read(buffer),
        }
    }

    /// What is behind the part, once it has been read to its end.
    fn into_input(self) -> R {
        match self {
            Member::Gzip(decoder) => decoder.into_inner(),
            #[cfg(feature = "zstd")]
            Member::Zstd(decoder) => decoder.finish(),
            #[cfg(feature = "bzip2")]
            Member::Bzip2(decoder) => decoder.into_inner(),
            #[cfg(feature = "xz")]
            Member::Xz(decoder) => decoder.into_inner(),
        }
    }
}

/// What a dictionary of xz may take, in KiB. `xz -9` makes one of 64 MiB. A larger one is allocated because a header
/// says so.
#[cfg(feature = "xz")]
const XZ_KIB: u32 = 256 << 10;

/// How many zeros these bytes begin with.
fn zeros(bytes: &[u8]) -> usize {
    bytes.iter().position(|&byte| byte != 0).unwrap_or(bytes.len())
}

/// Calls `read` again while a signal interrupts it.
fn persistently<T>(mut read: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match read() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// Bytes that can be looked at before they are read.
struct Input<R> {
    /// Bytes that have been taken from `rest` to look at them, and how many of them have been read since.
    looked_at: Vec<u8>,
    at: usize,
    rest: BufReader<R>,
}

impl<R: Read> Input<R> {
    /// The next bytes, at most `len`, which stay to be read. Fewer only if the file ends.
    fn look(&mut self, len: usize) -> io::Result<&[u8]> {
        self.looked_at.drain(..self.at);
        self.at = 0;
        let missing = len.saturating_sub(self.looked_at.len());
        self.rest.by_ref().take(missing as u64).read_to_end(&mut self.looked_at)?;
        Ok(&self.looked_at[..len.min(self.looked_at.len())])
    }
}

impl<R: Read> Read for Input<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: Read> BufRead for Input<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at < self.looked_at.len() { Ok(&self.looked_at[self.at..]) } else { self.rest.fill_buf() }
    }

    fn consume(&mut self, count: usize) {
        if self.at < self.looked_at.len() {
            self.at += count;
        } else {
            self.rest.consume(count);
        }
    }
}
