//! Real programs that use rayon, built with the original and with the drop-in: they must say the same. With `--rounds`,
//! how long they take, from their start to their end.

use super::packages::{Core, FOLDER, absolute, copy, fetch, write};
use super::summary::{Rounds, rounds_of};
use crate::process::{command, output};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A program, and how it is asked about a folder. What it says must not depend on the order in which threads run.
struct Client {
    name: &'static str,
    version: &'static str,
    program: &'static str,
    arguments: &'static [&'static str],
}

const CLIENTS: [Client; 5] = [
    Client { name: "b3sum", version: "1.8.7", program: "b3sum", arguments: &["large"] },
    Client { name: "tokei", version: "15.0.0", program: "tokei", arguments: &["--sort", "lines", "sources"] },
    Client {
        name: "parallel-disk-usage",
        version: "0.24.0",
        program: "pdu",
        arguments: &["--json-output", "--min-ratio=0", "sources"],
    },
    Client {
        name: "du-dust",
        version: "1.2.7",
        program: "dust",
        arguments: &["--no-colors", "--no-progress", "--apparent-size", "--terminal-width=100", "sources"],
    },
    Client { name: "oxipng", version: "10.2.1", program: "oxipng", arguments: &["--opt=4", "--stdout", "picture.png"] },
];

/// `[--rounds N] [CLIENT]...`
pub(super) fn main(words: &[&str]) -> Result<(), String> {
    let (rounds, names) = rounds_of(words)?;
    let is_timed = names.len() < words.len();
    if let Some(unknown) = names.iter().find(|name| !CLIENTS.iter().any(|client| client.name == **name)) {
        let known: Vec<&str> = CLIENTS.iter().map(|client| client.name).collect();
        return Err(format!("clients: {unknown}: expected {}", known.join(", ")));
    }
    let data = data()?;
    let mut differing = Vec::new();
    for client in CLIENTS.iter().filter(|client| names.is_empty() || names.contains(&client.name)) {
        let [stock, patched] = Core::BOTH.map(|core| client.build(core));
        let (stock, patched) = (stock?, patched?);
        let (said, says) = (client.run(&stock, &data)?, client.run(&patched, &data)?);
        if said.is_empty() || said != says {
            differing.push(client.name);
        }
        println!("{}: {} bytes with either: {}", client.name, said.len(), said == says);
        if is_timed {
            let time_ns = |program: &Path| {
                let begun = Instant::now();
                client.run(program, &data)?;
                Ok(begun.elapsed().as_nanos() as f64)
            };
            let rounds = Rounds::take(rounds, || time_ns(&stock), || time_ns(&patched))?;
            println!("{}\n{}", Rounds::HEAD, rounds.row(client.name));
        }
    }
    if differing.is_empty() { Ok(()) } else { Err(format!("clients: other output than stock: {differing:?}")) }
}

impl Client {
    /// Builds it; where it is.
    fn build(&self, core: Core) -> Result<PathBuf, String> {
        let folder = copy(&fetch((self.name, self.version))?, self.name, core)?;
        // One for both: most of what they are built from is the same.
        let target = Core::Stock.target()?;
        output(
            command("cargo")
                .args(["build", "--quiet", "--release", "--bins"])
                .current_dir(&folder)
                .env("CARGO_TARGET_DIR", &target),
        )?;
        let (built, kept) = (target.join("release").join(self.program), folder.join("program"));
        let copied = std::fs::copy(&built, &kept);
        copied.map_err(|error| format!("{}: cannot be copied: {error}", built.display()))?;
        absolute(kept)
    }

    /// Runs it in `data`; what it says.
    fn run(&self, program: &Path, data: &Path) -> Result<Vec<u8>, String> {
        let said = command(program).args(self.arguments).current_dir(data).env("RAYON_NUM_THREADS", "2").output();
        let said = said.map_err(|error| format!("{}: cannot be run: {error}", self.program))?;
        if !said.status.success() {
            let errors = String::from_utf8_lossy(&said.stderr);
            return Err(format!("{}: failed with {}\n{errors}", program.display(), said.status));
        }
        Ok(said.stdout)
    }
}

/// What the programs are asked about: a large file, a folder of sources, a picture.
fn data() -> Result<PathBuf, String> {
    let folder = Path::new(FOLDER).join("data");
    // Numbers in order: nothing that a program could skip, and the same every time.
    let numbers: String = (0..4_000_000_u32).map(|number| format!("{number}\n")).collect();
    write(&folder.join("large"), &numbers)?;
    for (path, text) in crate::files::rust(Path::new("crates"))? {
        write(&folder.join("sources").join(path), &text)?;
    }
    let copied = std::fs::write(folder.join("picture.png"), picture());
    copied.map_err(|error| format!("{}: cannot be written: {error}", folder.display()))?;
    Ok(folder)
}

/// A picture in shades of grey, as a PNG whose data are not compressed.
fn picture() -> Vec<u8> {
    const SIDE: u32 = 200;
    let mut pixels = Vec::new();
    for y in 0..SIDE {
        // How the row is filtered: not at all.
        pixels.push(0);
        pixels.extend((0..SIDE).map(|x| (x * y / 64) as u8));
    }
    let mut data = vec![0x78, 0x01];
    let last = pixels.len().div_ceil(0xffff) - 1;
    for (number, block) in pixels.chunks(0xffff).enumerate() {
        let length = block.len() as u16;
        data.push((number == last).into());
        data.extend(length.to_le_bytes());
        data.extend((!length).to_le_bytes());
        data.extend(block);
    }
    data.extend(adler32(&pixels).to_be_bytes());
    let mut header = [SIDE.to_be_bytes(), SIDE.to_be_bytes()].concat();
    header.extend([8, 0, 0, 0, 0]);
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, content) in [(b"IHDR", header), (b"IDAT", data), (b"IEND", Vec::new())] {
        png.extend((content.len() as u32).to_be_bytes());
        let checked = [&kind[..], &content].concat();
        png.extend(&checked);
        png.extend(crc32(&checked).to_be_bytes());
    }
    png
}

/// The checksum of zlib's format (RFC 1950).
fn adler32(bytes: &[u8]) -> u32 {
    let (a, b) = bytes.iter().fold((1, 0), |(a, b), &byte| {
        let a = (a + u32::from(byte)) % 65_521;
        (a, (a + b) % 65_521)
    });
    b << 16 | a
}

/// The checksum of a chunk (PNG specification, annex D).
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of Wikipedia's articles, and of the catalogue of CRCs.
    #[test]
    fn checksums_are_those_of_the_standards() {
        assert_eq!(adler32(b"Wikipedia"), 0x11e6_0398);
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }
}
