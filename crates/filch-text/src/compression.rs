//! How a file is compressed.

use std::fmt;

/// How a file is compressed. Detected by the first bytes of the file, not by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compression {
    /// RFC 1952, with one or several members.
    Gzip,
    /// RFC 8878, with one or several frames.
    Zstd,
    /// The format of bzip2, with one or several streams. Read with the feature `bzip2`.
    Bzip2,
    /// The .xz format, with one or several streams. Read with the feature `xz`.
    Xz,
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
            Compression::Bzip2 => "bzip2",
            Compression::Xz => "xz",
        })
    }
}

impl Compression {
    /// The number of first bytes that [`of`](Self::of) looks at.
    pub(crate) const MAGIC_LEN: usize = 10;

    /// How a file with these first bytes is compressed. Ten of them suffice.
    pub fn of(head: &[u8]) -> Option<Compression> {
        match head {
            [0x1f, 0x8b, ..] => Some(Compression::Gzip),
            // RFC 8878, sections 3.1.1 and 3.1.2: a frame, or a skippable frame.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Compression::Zstd),
            // The size of blocks, and then a block or, in an empty file, the end: the digits of π or of its root.
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, ..]
            | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, 0x45, 0x38, 0x50, 0x90, ..] => Some(Compression::Bzip2),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Compression::Xz),
            _ => None,
        }
    }

    /// Whether this build can read it.
    pub fn is_readable(self) -> bool {
        match self {
            Compression::Gzip | Compression::Zstd => true,
            Compression::Bzip2 => cfg!(feature = "bzip2"),
            Compression::Xz => cfg!(feature = "xz"),
        }
    }

    /// The command that decompresses such files.
    pub(crate) fn command(self) -> &'static str {
        match self {
            Compression::Gzip => "gzip -d",
            Compression::Zstd => "zstd -d",
            Compression::Bzip2 => "bzip2 -d",
            Compression::Xz => "xz -d",
        }
    }

    /// The last extension of files that are compressed so, in lower case and without the dot.
    pub fn ending(self) -> &'static str {
        match self {
            Compression::Gzip => "gz",
            Compression::Zstd => "zst",
            Compression::Bzip2 => "bz2",
            Compression::Xz => "xz",
        }
    }

    /// The compression that has this [ending](Self::ending).
    pub fn of_ending(ending: &str) -> Option<Compression> {
        let all = [Compression::Gzip, Compression::Zstd, Compression::Bzip2, Compression::Xz];
        all.into_iter().find(|compression| compression.ending() == ending)
    }
}
