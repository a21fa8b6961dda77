//! Recordings, segment by segment. Nothing is kept but the compressed file.

use std::io::{self, Write};

use filch_kernels::runtime::{Segment, Touch};
use filch_sim::program::BLOCK;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::{Header, MAGIC};

/// A file that is being written into memory.
pub struct Writer {
    encoder: GzEncoder<Vec<u8>>,
    segments: u64,
    touches: u64,
    /// Where the last touch has ended.
    last_end: Option<u64>,
}

impl Writer {
    /// A file with this header and without segments.
    pub fn new(header: &Header) -> io::Result<Self> {
        let mut encoder = GzEncoder::new(MAGIC.as_bytes().to_vec(), Compression::default());
        serde_json::to_writer(&mut encoder, header)?;
        encoder.write_all(b"\n")?;
        Ok(Self { encoder, segments: 0, touches: 0, last_end: None })
    }

    /// Adds a segment.
    pub fn add(&mut self, segment: Segment<'_>) -> io::Result<()> {
        let Segment { work_ns, forks, touches } = segment;
        self.segments += 1;
        self.number(u128::from(work_ns) << 2 | u128::from(!touches.is_empty()) << 1 | u128::from(forks))?;
        if touches.is_empty() {
            return Ok(());
        }
        self.number(touches.len() as u128)?;
        touches.iter().try_for_each(|&touch| self.touch(touch))
    }

    fn touch(&mut self, touch: Touch) -> io::Result<()> {
        let Touch { begin, end, writes } = touch;
        self.touches += 1;
        let last_end = self.last_end.replace(end).unwrap_or(begin / BLOCK * BLOCK);
        let distance = i128::from(begin) - i128::from(last_end);
        self.number((distance << 1 ^ distance >> 127) as u128)?;
        self.number(u128::from(end - begin) << 1 | u128::from(writes))
    }

    fn number(&mut self, mut left: u128) -> io::Result<()> {
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

    /// How many touches of memory there are.
    pub fn touches(&self) -> u64 {
        self.touches
    }

    /// The bytes of the file.
    pub fn finish(self) -> io::Result<Vec<u8>> {
        self.encoder.finish()
    }
}
