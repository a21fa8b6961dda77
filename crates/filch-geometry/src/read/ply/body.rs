//! What follows the header: numbers, as text or binary.

use super::header::{Format, Scalar};
use crate::read::error::{Fault, Place};
use crate::read::line::{Line, Lines};

/// The elements that have not been read.
pub(super) enum Body<'a> {
    Text { lines: Lines<'a>, line: Option<Line<'a>> },
    Binary { bytes: &'a [u8], read: usize, is_big_endian: bool },
}

impl<'a> Body<'a> {
    /// The body of a file, behind these lines.
    pub(super) fn new(format: Format, file: &'a [u8], header: Lines<'a>) -> Self {
        match format {
            Format::Text => Body::Text { lines: header, line: None },
            Format::LittleEndian | Format::BigEndian => Body::Binary {
                bytes: file,
                read: file.len() - header.rest().len(),
                is_big_endian: format == Format::BigEndian,
            },
        }
    }

    /// Begins an element, which is a line of a text.
    pub(super) fn begin(&mut self, name: &str) -> Result<(), Fault> {
        if let Body::Text { lines, line } = self {
            *line = Some(lines.expect(format!("an element {name:?}"))?);
        }
        Ok(())
    }

    /// Ends an element.
    pub(super) fn end(&mut self) -> Result<(), Fault> {
        match self {
            Body::Text { line: Some(line), .. } => line.expect_end("the end of the line"),
            Body::Text { .. } | Body::Binary { .. } => Ok(()),
        }
    }

    /// Fails if there is more.
    pub(super) fn expect_end(mut self) -> Result<(), Fault> {
        match &mut self {
            Body::Text { lines, .. } => lines.expect_end(),
            Body::Binary { bytes, read, .. } => match bytes.len() - *read {
                0 => Ok(()),
                more => Err(Fault::new(Place::Byte(*read as u64), "the end of the file", format!("{more} more bytes"))),
            },
        }
    }

    /// The next number, and where it is.
    pub(super) fn number(&mut self, scalar: Scalar) -> Result<(Place, f64), Fault> {
        match self {
            Body::Text { line, .. } => {
                let (place, word) = line.as_mut().expect("an element has begun").word("a number")?;
                let number = str::from_utf8(word).ok().and_then(|word| scalar.parse(word));
                number
                    .map(|number| (place, number))
                    .ok_or_else(|| Fault::word(place, format!("a number of the type {}", scalar.name()), word))
            }
            Body::Binary { bytes, read, is_big_endian } => {
                let place = Place::Byte(*read as u64);
                let rest = &bytes[*read..];
                let Some(number) = scalar.decode(rest, *is_big_endian) else {
                    let found = format!("the end of the file after {} bytes", rest.len());
                    return Err(Fault::new(place, format!("a number of the type {}", scalar.name()), found));
                };
                *read += scalar.size();
                Ok((place, number))
            }
        }
    }
}

/// The functions of all types.
macro_rules! scalars {
    ($($scalar:ident $type:ident),+) => {
        impl Scalar {
            fn name(self) -> &'static str {
                match self { $(Scalar::$scalar => stringify!($type)),+ }
            }

            fn size(self) -> usize {
                match self { $(Scalar::$scalar => size_of::<$type>()),+ }
            }

            /// The number that a word is. One of a fraction is as exact as it is written.
            fn parse(self, word: &str) -> Option<f64> {
                if self == Scalar::F32 {
                    return word.parse().ok();
                }
                match self {
                    $(Scalar::$scalar => word.parse::<$type>().ok().map(f64::from)),+
                }
            }

            /// The number that the first bytes are, if there are enough.
            fn decode(self, bytes: &[u8], is_big_endian: bool) -> Option<f64> {
                match self {
                    $(Scalar::$scalar => bytes.first_chunk().map(|&bytes| {
                        f64::from(if is_big_endian { $type::from_be_bytes(bytes) } else { $type::from_le_bytes(bytes) })
                    })),+
                }
            }
        }
    };
}

scalars!(I8 i8, U8 u8, I16 i16, U16 u16, I32 i32, U32 u32, F32 f32, F64 f64);
