//! Compresses a file in blocks, in parallel, and writes the blocks in order: a pipeline of four stages.
//!
//! ```text
//! cargo run --release -p filch-lab --example compress -- [FILE [FILE.gz]]
//! ```
//!
//! Each block becomes a member of a gzip file, which any gzip can unpack. Without a file, a text is made and
//! compressed, and the result is unpacked and compared.

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use std::fs::File;
use std::io::{self, Read, Write};
use std::time::Instant;

const BLOCK_BYTES: u64 = 128 << 10;

/// The blocks of `reader`, until it ends or fails.
fn blocks(mut reader: impl Read + Send) -> impl Iterator<Item = io::Result<Vec<u8>>> + Send {
    std::iter::from_fn(move || {
        let mut block = Vec::new();
        match reader.by_ref().take(BLOCK_BYTES).read_to_end(&mut block) {
            Ok(0) => None,
            Ok(_) => Some(Ok(block)),
            Err(error) => Some(Err(error)),
        }
    })
}

fn compress(block: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(block)?;
    encoder.finish()
}

/// The sum of a block, by which those who store it can find it again (Fletcher 1982).
fn checksum(bytes: &[u8]) -> u32 {
    let (low, high) = bytes.iter().fold((0, 0), |(low, high), &byte| {
        let low = (low + u32::from(byte)) % 65_535;
        (low, (high + low) % 65_535)
    });
    high << 16 | low
}

/// Compresses `input`. Returns the checksums of the blocks.
fn compress_all(input: impl Read + Send, mut output: impl Write + Send) -> io::Result<Vec<u32>> {
    let mut checksums = Vec::new();
    filch::pipeline(blocks(input))
        .try_parallel(|block| compress(&block?))
        .parallel(|packed| (checksum(&packed), packed))
        .try_serial_in_order(|(checksum, packed)| {
            checksums.push(checksum);
            output.write_all(&packed)
        })
        .try_run()?;
    Ok(checksums)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let begin = Instant::now();
    if let Some(path) = arguments.next() {
        let packed = arguments.next().unwrap_or_else(|| format!("{path}.gz"));
        let checksums = compress_all(File::open(&path)?, File::create(&packed)?)?;
        println!("{packed}: {} blocks, {:.1?}", checksums.len(), begin.elapsed());
        return Ok(());
    }
    let mut random = fastrand::Rng::with_seed(1);
    let words = ["work", "stealing", "fork", "join", "pipeline", "\n"];
    let text: String = std::iter::repeat_with(|| words[random.usize(..words.len())]).take(400_000).collect();
    let mut packed = Vec::new();
    let checksums = compress_all(text.as_bytes(), &mut packed)?;
    let time = begin.elapsed();
    let mut unpacked = String::new();
    MultiGzDecoder::new(&packed[..]).read_to_string(&mut unpacked)?;
    assert_eq!(unpacked, text);
    println!("{} bytes in {} blocks become {}, {time:.1?}", text.len(), checksums.len(), packed.len());
    Ok(())
}
