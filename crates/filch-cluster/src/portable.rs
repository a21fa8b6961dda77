//! What can be sent to another rank.

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// A value that can be sent to another rank.
///
/// All types of serde are portable, in the format of postcard. Another type says itself how it is encoded. All ranks
/// run the same program, so there are no versions.
///
/// ```
/// use filch_cluster::Portable;
///
/// let mut bytes = Vec::new();
/// (7_u32, String::from("seven")).encode(&mut bytes)?;
/// let mut rest = &bytes[..];
/// assert_eq!(<(u32, String)>::decode(&mut rest), Ok((7, "seven".into())));
/// assert!(rest.is_empty() && <(u32, String)>::decode(&mut &bytes[..3]).is_err());
/// # Ok::<(), filch_cluster::Unportable>(())
/// ```
pub trait Portable: Sized {
    /// Appends the value to `to`.
    ///
    /// # Errors
    ///
    /// [`Unportable`] if the value has no encoding, such as a sequence of unknown length.
    fn encode(&self, to: &mut Vec<u8>) -> Result<(), Unportable>;

    /// Takes a value off the front of `from`. Must not panic, whatever the bytes are.
    ///
    /// # Errors
    ///
    /// [`Corrupt`] if the bytes do not begin with an encoded value.
    fn decode(from: &mut &[u8]) -> Result<Self, Corrupt>;
}

/// A value cannot be sent to another rank.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the value cannot be encoded: {0}")]
pub struct Unportable(pub String);

/// Bytes are not what they should be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Corrupt(pub String);

impl<T: Serialize + DeserializeOwned> Portable for T {
    fn encode(&self, to: &mut Vec<u8>) -> Result<(), Unportable> {
        *to = postcard::to_extend(self, std::mem::take(to)).map_err(|error| Unportable(error.to_string()))?;
        Ok(())
    }

    fn decode(from: &mut &[u8]) -> Result<Self, Corrupt> {
        let (value, rest) = postcard::take_from_bytes(from).map_err(|error| Corrupt(error.to_string()))?;
        *from = rest;
        Ok(value)
    }
}

/// The encoding of a value alone.
pub(crate) fn encoded<T: Portable>(value: &T) -> Result<Vec<u8>, Unportable> {
    let mut bytes = Vec::new();
    value.encode(&mut bytes)?;
    Ok(bytes)
}

/// Appends the number of these values, and then each. There are at least as many bytes as values, also if these take
/// none, so that a number that is wrong by far is found before that many values are made.
pub(crate) fn encode_all<T: Portable>(values: &[T], to: &mut Vec<u8>) -> Result<(), Unportable> {
    (values.len() as u64).encode(to)?;
    let least = to.len() + values.len();
    values.iter().try_for_each(|value| value.encode(to))?;
    if to.len() < least {
        to.resize(least, 0);
    }
    Ok(())
}

/// Takes what [`encode_all`] has appended off the front of `from`.
pub(crate) fn decode_all<T: Portable>(from: &mut &[u8]) -> Result<Vec<T>, Corrupt> {
    let count = u64::decode(from)?;
    let Some((_, rest)) = usize::try_from(count).ok().and_then(|count| from.split_at_checked(count)) else {
        return Err(Corrupt(format!("expected {count} values, found {} bytes", from.len())));
    };
    // Collected one by one: a wrong number must not allocate.
    let values = (0..count).map(|_| T::decode(from)).collect::<Result<Vec<_>, _>>()?;
    if rest.len() < from.len() {
        *from = rest;
    }
    Ok(values)
}

/// The value that these bytes, and no more, encode.
pub(crate) fn decoded<T: Portable>(bytes: &[u8]) -> Result<T, Corrupt> {
    whole(bytes, T::decode)
}

/// What `decode` makes of these bytes, of which it must leave none.
pub(crate) fn whole<T>(mut bytes: &[u8], decode: impl FnOnce(&mut &[u8]) -> Result<T, Corrupt>) -> Result<T, Corrupt> {
    let value = decode(&mut bytes)?;
    match bytes.len() {
        0 => Ok(value),
        more => Err(Corrupt(format!("{more} bytes too many"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_no_bytes_are_encoded_too_and_a_wrong_number_of_them_is_found_at_once() {
        let mut bytes = Vec::new();
        encode_all(&[(); 300], &mut bytes).expect("bytes");
        encode_all(&[7_u64, 1 << 40], &mut bytes).expect("bytes");
        let mut from = &bytes[..];
        assert_eq!(decode_all::<()>(&mut from), Ok(vec![(); 300]));
        assert_eq!(decode_all::<u64>(&mut from), Ok(vec![7, 1 << 40]));
        assert!(from.is_empty());
        let wrong = encoded(&u64::MAX).expect("bytes");
        assert!(decode_all::<()>(&mut &wrong[..]).is_err_and(|corrupt| corrupt.0.contains("found 0 bytes")));
    }
}
