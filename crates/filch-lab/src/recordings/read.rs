//! Programs of the simulator from recordings.

use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::path::Path;

use filch::Profile;
use filch_bench::failure::Failure;
use filch_sim::program::recorded::{Builder, HIGHEST, Recorded, Segment};
use filch_sim::program::{BLOCK, Touch};
use filch_text::{Source, named};
use flate2::bufread::GzDecoder;

use super::{Header, MAGIC, MAGIC_1, profiled};

/// Where addresses count from, since some arrays are below the one that was touched first.
const ORIGIN: u64 = HIGHEST / 2;

/// Addresses must stay in their blocks.
const _: () = assert!(ORIGIN.is_multiple_of(BLOCK));

/// The longest header, so that a wrong file does not fill the memory.
const LONGEST_HEADER: u64 = 1 << 16;

/// How the first line of a profile begins, whatever the number of its format.
const PROFILE: &str = "filch-profile ";

/// Reads a file, which is a recording or a profile. Any mistake in it is bad usage, and the message says where.
pub fn read(path: &Path) -> Result<Recorded, Failure> {
    let file = Source::open(path).and_then(Source::into_stream).map_err(Failure::usage)?;
    program(BufReader::new(file)).map_err(|error| Failure::Usage(format!("{}: {error}", named(path).display())))
}

fn program(mut file: impl BufRead) -> Result<Recorded, String> {
    let mut begin = Vec::new();
    file.by_ref().take(PROFILE.len() as u64).read_to_end(&mut begin).map_err(|error| error.to_string())?;
    let is_profile = begin == PROFILE.as_bytes();
    let whole = begin.as_slice().chain(file);
    if !is_profile {
        return Ok(parse(whole)?.1);
    }
    let profile = Profile::from_reader(whole).map_err(|error| error.to_string())?;
    profiled::recorded(&profile).map_err(|error| error.to_string())
}

/// Reads what is in a file. The error says where something is wrong, what was expected and what was found.
pub fn parse(mut file: impl BufRead) -> Result<(Header, Recorded), String> {
    let mut magic = Vec::new();
    let length = MAGIC.len() as u64;
    file.by_ref().take(length).read_to_end(&mut magic).map_err(|error| error.to_string())?;
    let has_touches = magic == MAGIC.as_bytes();
    if !has_touches && magic != MAGIC_1.as_bytes() {
        let found = String::from_utf8_lossy(&magic).trim_end().escape_debug().to_string();
        return Err(format!(
            "line 1: expected `{}` or `{}`, the first line of a file of filch bench --record; found `{found}`",
            MAGIC.trim_end(),
            MAGIC_1.trim_end()
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
    let mut last_end = ORIGIN;
    while let Some(first) = number(&mut content, &mut place)? {
        let (work_ns, touches) = if has_touches { (first >> 2, first & 2 != 0) } else { (first >> 1, false) };
        for _ in 0..if touches { some_number(&mut content, &mut place)? } else { 0 } {
            let touch = touch(&mut content, &mut place, last_end)?;
            builder.touch(touch).map_err(|error| format!("byte {place} of the content: {error}"))?;
            last_end = touch.end;
        }
        let segment = Segment { work_ns, forks: first & 1 == 1 };
        builder.add(segment).map_err(|error| format!("byte {place} of the content: {error}"))?;
    }
    let mut rest = content.into_inner().into_inner();
    if !rest.fill_buf().map_err(|error| error.to_string())?.is_empty() {
        return Err(format!("byte {place} of the content: expected the end of the file; found more after it"));
    }
    let Header { program, n, .. } = &header;
    let name = format!("recorded {program}({n})");
    let recorded = builder
        .finish(name, header.data_bytes.unwrap_or(0))
        .map_err(|error| format!("byte {place} of the content: {error}"))?;
    Ok((header, recorded))
}

/// The next touch. The last one has ended at `last_end`.
fn touch(content: &mut impl BufRead, place: &mut u64, last_end: u64) -> Result<Touch, String> {
    let begins_at = *place;
    let distance = some_number(content, place)?;
    let length = some_number(content, place)?;
    let writes = length & 1 == 1;
    let distance = (distance >> 1) as i64 ^ -((distance & 1) as i64);
    let begin = last_end.checked_add_signed(distance);
    let range = begin.and_then(|begin| Some((begin, begin.checked_add(length >> 1)?)));
    let Some((begin, end)) = range else {
        return Err(format!("byte {begins_at} of the content: expected a range of addresses; found none"));
    };
    Ok(Touch { begin, end, writes })
}

/// The next number, which must be there.
fn some_number(content: &mut impl BufRead, place: &mut u64) -> Result<u64, String> {
    number(content, place)?.ok_or_else(|| format!("byte {place} of the content: expected a number; found the end"))
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
