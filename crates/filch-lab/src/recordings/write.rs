//! Recordings, segment by segment. Nothing is kept but the compressed file.

use std::io::{self, Write};

use filch_programs::runtime::Segment;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::{Header, MAGIC};

/// A file that is being written into memory.
pub struct Writer {
    encoder: GzEncoder<Vec<u8>>,
    segments: u64,
}

impl Writer {
    /// A file with this header and without segments.
    pub fn new(header: &Header) -> io::Result<Self> {
        let mut encoder = GzEncoder::new(MAGIC.as_bytes().to_vec(), Compression::default());
        serde_json::to_writer(&mut encoder, header)?;
        encoder.write_all(b"\n")?;
        Ok(Self { encoder, segments: 0 })
    }

    /// Adds a segment.
    pub fn add(&mut self, segment: Segment) -> io::Result<()> {
        self.segments += 1;
        let mut left = u128::from(segment.work_ns) << 1 | u128::from(segment.forks);
        let (mut bytes, mut length) = ([0; 10], 0);
        loop {
            bytes[length] = (left & 0x7F) as u8;
            left >>= 7;
            length += 1;
            if left == 0 {
                break;
            }
            bytes[length - 1] |= 0x80;
        }
        self.encoder.write_all(&bytes[..length])
    }

    /// How many segments there are.
    pub fn segments(&self) -> u64 {
        self.segments
    }

    /// The bytes of the file.
    pub fn finish(self) -> io::Result<Vec<u8>> {
        self.encoder.finish()
    }
}
