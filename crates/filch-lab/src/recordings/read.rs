//! Programs of the simulator from recordings.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::path::Path;

use filch_sim::program::recorded::{Builder, Recorded, Segment};
use flate2::bufread::GzDecoder;

use super::{Header, MAGIC};
use crate::failure::Failure;

/// The longest header, so that a wrong file does not fill the memory.
const LONGEST_HEADER: u64 = 1 << 16;

/// Reads a file. Any mistake in it is bad usage, and the message says where.
pub fn read(path: &Path) -> Result<(Header, Recorded), Failure> {
    let refuse = |error: String| Failure::Usage(format!("{}: {error}", path.display()));
    let file = File::open(path).map_err(|error| refuse(error.to_string()))?;
    parse(BufReader::new(file)).map_err(refuse)
}

/// Reads what is in a file. The error says where something is wrong, what was expected and what was found.
pub fn parse(mut file: impl BufRead) -> Result<(Header, Recorded), String> {
    let mut magic = Vec::new();
    let length = MAGIC.len() as u64;
    file.by_ref().take(length).read_to_end(&mut magic).map_err(|error| error.to_string())?;
    if magic != MAGIC.as_bytes() {
        let found = String::from_utf8_lossy(&magic).trim_end().escape_debug().to_string();
        return Err(format!(
            "line 1: expected `{}`, the first line of a file of filch bench --record; found `{found}`",
            MAGIC.trim_end()
        ));
    }
    let mut content = BufReader::new(GzDecoder::new(file));
    let mut line = Vec::new();
    let limited = content.by_ref().take(LONGEST_HEADER).read_until(b'\n', &mut line);
    let mut place = limited.map_err(|error| compressed(&error, 0))? as u64;
    let header: Header = serde_json::from_slice(&line).map_err(|error| {
        format!("byte 0 of the content: expected a line of JSON with program, n, serial_ns; {error}")
    })?;
    if [&header.program, &header.n].into_iter().any(|text| text.contains(char::is_control)) {
        return Err("byte 0 of the content: expected a program and n without control characters; found some".into());
    }
    let mut builder = Builder::default();
    while let Some(number) = number(&mut content, &mut place)? {
        let segment = Segment { work_ns: number >> 1, forks: number & 1 == 1 };
        builder.add(segment).map_err(|error| format!("byte {place} of the content: {error}"))?;
    }
    let mut rest = content.into_inner().into_inner();
    if !rest.fill_buf().map_err(|error| error.to_string())?.is_empty() {
        return Err(format!("byte {place} of the content: expected the end of the file; found more after it"));
    }
    let Header { program, n, .. } = &header;
    let name = format!("recorded {program}({n})");
    let recorded = builder.finish(name).map_err(|error| format!("byte {place} of the content: {error}"))?;
    Ok((header, recorded))
}

/// The next number, or none at the end.
fn number(content: &mut impl BufRead, place: &mut u64) -> Result<Option<u64>, String> {
    let begin = *place;
    let mut number = 0_u64;
    for shift in (0..).step_by(7) {
        let buffer = content.fill_buf().map_err(|error| compressed(&error, *place))?;
        let Some(&byte) = buffer.first() else {
            return if shift == 0 {
                Ok(None)
            } else {
                Err(format!("byte {place} of the content: expected the rest of a number; found the end"))
            };
        };
        content.consume(1);
        *place += 1;
        let bits = u64::from(byte & 0x7F);
        if shift >= u64::BITS || bits << shift >> shift != bits {
            return Err(format!("byte {begin} of the content: expected a number below 2^64; found a larger one"));
        }
        number |= bits << shift;
        if byte & 0x80 == 0 {
            return Ok(Some(number));
        }
    }
    unreachable!("a number that is too long has been refused")
}

fn compressed(error: &std::io::Error, place: u64) -> String {
    let found = match error.kind() {
        ErrorKind::UnexpectedEof => "the end of the file".to_owned(),
        _ => error.to_string(),
    };
    format!("byte {place} of the content: expected more compressed data; found {found}")
}

#[cfg(test)]
mod tests {
    use super::super::write::Writer;
    use super::*;
    use filch_programs::runtime;
    use filch_sim::program::Program;
    use filch_sim::program::totals::Totals;

    fn header() -> Header {
        Header { program: "fib".into(), n: "3".into(), serial_ns: 100 }
    }

    /// A file with these segments: the work of each, and whether it forks.
    fn file(segments: &[(u64, bool)]) -> Vec<u8> {
        let mut writer = Writer::new(&header()).unwrap();
        for &(work_ns, forks) in segments {
            writer.add(runtime::Segment { work_ns, forks }).unwrap();
        }
        assert_eq!(writer.segments(), segments.len() as u64);
        writer.finish().unwrap()
    }

    const TREE: [(u64, bool); 7] =
        [(5, true), (1 << 40, false), (20, true), (0, false), (127, false), (128, false), ((1 << 59) + 1, false)];

    #[test]
    fn what_was_written_is_read() {
        let (found, program) = parse(&file(&TREE)[..]).unwrap();
        assert_eq!(found, header());
        assert_eq!(program.name(), "recorded fib(3)");
        let totals = Totals::of(&program, 0);
        assert_eq!((totals.work_ns, totals.forks), (TREE.iter().map(|(ns, _)| ns).sum(), 2));
    }

    #[test]
    fn a_file_that_was_cut_off_is_refused_wherever_it_was() {
        let whole = file(&TREE);
        for length in 0..whole.len() {
            let error = parse(&whole[..length]).expect_err("it is not whole");
            assert!(error.contains("expected") && error.contains("found"), "{length}: {error}");
        }
        let longer = [&whole[..], b"more"].concat();
        assert!(parse(&longer[..]).unwrap_err().contains("expected the end of the file"));
    }

    #[test]
    fn no_changed_bit_is_taken_for_another_program() {
        let whole = file(&TREE);
        // The header of gzip has a time and a system, which mean nothing here.
        for bit in 8 * (MAGIC.len() + 10)..8 * whole.len() {
            let mut changed = whole.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            // Some bits are padding.
            if let Ok((found, program)) = parse(&changed[..]) {
                let totals = |program| Totals::of(&program, 0);
                assert_eq!((found, totals(program)), (header(), totals(parse(&whole[..]).unwrap().1)), "bit {bit}");
            }
        }
    }

    #[test]
    fn what_is_no_tree_is_refused_with_its_place() {
        let refused = |segments: &[(u64, bool)]| parse(&file(segments)[..]).unwrap_err();
        assert!(refused(&TREE[..5]).contains("after segment 5; found the end"));
        assert!(refused(&[]).contains("the ends of 1 more branches"));
        let twice = refused(&[(1, false), (2, false)]);
        assert!(twice.contains("expected nothing more after segment 1"), "{twice}");
        let wrong = parse(&b"%!PS-Adobe-3.0 and more"[..]).unwrap_err();
        assert!(wrong.contains("expected `filch-recording 1`") && wrong.contains("found `%!PS-Adobe"), "{wrong}");
    }
}
