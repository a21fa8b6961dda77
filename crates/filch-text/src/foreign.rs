//! Files that are recognized, but not read.

use crate::compression::Compression;

/// A file that is no text, recognized by its first bytes: an archive, or in a compression that is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Foreign {
    /// An archive of tar.
    #[error("a tar archive: unpack it with tar -xf, and name one of its files")]
    Tar,
    /// A zip archive.
    #[error("a zip archive: unpack it with unzip, and name one of its files")]
    Zip,
    /// An archive of 7-Zip.
    #[error("a 7z archive: unpack it with 7z x, and name one of its files")]
    SevenZip,
    /// An archive of RAR.
    #[error("a RAR archive: unpack it with unrar x, and name one of its files")]
    Rar,
    /// Compressed by `compress` (`.Z`).
    #[error("compressed by compress (.Z): decompress it first with gzip -d")]
    Compress,
    /// Compressed by `lzma`, the predecessor of xz.
    #[error("compressed by lzma: decompress it first with xz -d --format=lzma")]
    Lzma,
    /// Compressed by `lzip`.
    #[error("compressed by lzip: decompress it first with lzip -d")]
    Lzip,
    /// Compressed by `lz4`.
    #[error("compressed by lz4: decompress it first with lz4 -d")]
    Lz4,
    /// Compressed in a way that this build does not read.
    #[error("compressed by {}, which this build does not read: decompress it first with {}", .0, .0.command())]
    NotBuilt(Compression),
    /// Compressed, and the result is compressed again.
    #[error("compressed again, by {}: decompress it first with {}", .0, .0.command())]
    Again(Compression),
}

impl Foreign {
    /// What a file is that has these first bytes, of which [`HEAD_BYTES`] suffice. `None` if it may be read.
    pub(crate) fn of(head: &[u8]) -> Option<Foreign> {
        match head {
            // A file, the directory of an empty archive, or a part of one in several files.
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] | [b'P', b'K', 7, 8, ..] => Some(Foreign::Zip),
            [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => Some(Foreign::SevenZip),
            [b'R', b'a', b'r', b'!', 0x1a, 7, ..] => Some(Foreign::Rar),
            [0x1f, 0x9d, ..] => Some(Foreign::Compress),
            // The properties of every encoder in use, and a dictionary of whole KiB.
            [0x5d, 0, 0, _, _, ..] if head.len() > 13 => Some(Foreign::Lzma),
            [b'L', b'Z', b'I', b'P', 1, ..] => Some(Foreign::Lzip),
            [4, 0x22, 0x4d, 0x18, ..] => Some(Foreign::Lz4),
            _ if is_tar(head) => Some(Foreign::Tar),
            _ => None,
        }
    }
}

/// The number of first bytes of a file by which it is recognized: the header of a tar archive.
pub(crate) const HEAD_BYTES: usize = 512;

/// Whether these are the header of a tar archive of any age: in octal digits it has the sum of its bytes, those of the
/// sum counted as spaces (POSIX.1-1988, section 10.1.1).
fn is_tar(head: &[u8]) -> bool {
    const SUM: std::ops::Range<usize> = 148..156;
    let Some(header) = head.get(..HEAD_BYTES) else { return false };
    let digits: Vec<u8> = header[SUM].iter().copied().filter(|byte| !matches!(byte, 0 | b' ')).collect();
    let told = str::from_utf8(&digits).ok().and_then(|digits| u64::from_str_radix(digits, 8).ok());
    let sum: u64 = (0..).zip(header).map(|(at, &byte)| u64::from(if SUM.contains(&at) { b' ' } else { byte })).sum();
    // An empty name marks the end of an archive.
    header[0] != 0 && told == Some(sum)
}
