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

/// Appends the number of these values, and then each.
pub(crate) fn encode_all<T: Portable>(values: &[T], to: &mut Vec<u8>) -> Result<(), Unportable> {
    (values.len() as u64).encode(to)?;
    values.iter().try_for_each(|value| value.encode(to))
}

/// Takes what [`encode_all`] has appended off the front of `from`.
pub(crate) fn decode_all<T: Portable>(from: &mut &[u8]) -> Result<Vec<T>, Corrupt> {
    // Collected one by one: a wrong number must not allocate.
    (0..u64::decode(from)?).map(|_| T::decode(from)).collect()
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
