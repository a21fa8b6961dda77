//! What ranks say to each other.

use crate::error::Failure;
use crate::id::Id;
use crate::portable::{Corrupt, Unportable, decoded, encoded};
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A message, with the search, exchange or traversal that it belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Envelope {
    /// Ranks begin all that they do together in the same order, so a number names each.
    pub(crate) search: u32,
    pub(crate) message: Message,
}

/// Parts and values are encoded a second time inside of these, so that what passes them on need not know their types.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Message {
    /// The sender wants work. Exactly one [`Give`](Self::Give) or [`Refuse`](Self::Refuse) with this number answers it.
    /// An ask that `parks` is refused at the end of the search only. So many workers lack work.
    Ask { seq: u32, parks: bool, lacks: u32 },
    /// The answer to an ask: parts, whose results the sender waits for.
    Give { seq: u32, parts: Vec<(Id, Bytes)> },
    /// The answer to an ask: no.
    Refuse { seq: u32 },
    /// The result of a part, to the rank that has given it.
    Result { id: Id, value: Vec<u8> },
    /// Nobody waits for the result of this part any more.
    Forget { id: Id },
    /// To rank 0: a solution that ends the search.
    Found { value: Vec<u8> },
    /// To rank 0: the best solution so far that the sender knows of.
    Better { value: Vec<u8> },
    /// To rank 0: what the sender has counted since the last such message.
    Tally { counts: Vec<u64> },
    /// From rank 0: the value of the best solution so far.
    Bound(i64),
    /// From rank 0: the result. The search is over.
    End { value: Vec<u8> },
    /// To rank 0: the sender has nothing under way any more. It has sent this many messages that are not answered
    /// ([`is_one_way`](Self::is_one_way)) to each rank.
    Done { sent: Vec<(u32, u64)> },
    /// From rank 0: all have nothing under way any more. The receiver has been sent this many messages by each rank
    /// that are not answered, and leaves the search when it has them.
    Leave { expected: Vec<(u32, u64)> },
    /// The search has failed at this rank.
    Failed { rank: u32, failure: Failure },
    /// The sender takes part in no search after this one.
    Left,
    /// A piece of what the sender has for the receiver in an exchange. So many bytes come after it.
    Data { rest: u64, bytes: Bytes },
    /// Items of a traversal, for the rank that owns them.
    Items { bytes: Bytes },
    /// From rank 0: how quiet is the receiver? It answers with a report of this number.
    Wave { wave: u32 },
    /// To rank 0: how quiet the sender is.
    Report { wave: u32, totals: Totals },
    /// From rank 0: the traversal is over.
    Over,
}

/// What is wrong with a message that belongs to another operation of the same number.
pub(crate) const OUT_OF_ORDER: &str =
    "it belongs to something else: all ranks must ask for the same, in the same order";

/// How quiet a rank is in a traversal, or several are together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Totals {
    /// Batches sent.
    pub(crate) sent: u64,
    /// Batches received. Their items are visited, or `active`.
    pub(crate) received: u64,
    /// Pieces of work that are not finished.
    pub(crate) active: u64,
}

/// Bytes that are encoded in one piece, not one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Whole;
        impl Visitor<'_> for Whole {
            type Value = Bytes;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }
        }
        deserializer.deserialize_bytes(Whole)
    }
}

impl Message {
    /// Whether nothing answers it, and it is not part of the end. These are counted, so that none is under way when the
    /// ranks leave.
    pub(crate) fn is_one_way(&self) -> bool {
        use Message::{Better, Bound, Forget, Found, Result, Tally};
        matches!(self, Result { .. } | Forget { .. } | Found { .. } | Better { .. } | Tally { .. } | Bound(_))
    }

    /// What errors call it.
    pub(crate) fn about(&self) -> String {
        match self {
            Message::Ask { .. } => "an ask".into(),
            Message::Give { parts, .. } => match parts.first() {
                Some((id, _)) => format!("part {id}"),
                None => "no parts".into(),
            },
            Message::Refuse { .. } => "a refusal".into(),
            Message::Result { id, .. } => format!("the result of part {id}"),
            Message::Forget { id } => format!("the end of part {id}"),
            Message::Found { .. } | Message::Better { .. } => "a solution".into(),
            Message::Tally { .. } => "a tally".into(),
            Message::Bound(_) => "a bound".into(),
            Message::End { .. } => "the result of the search".into(),
            Message::Done { .. } | Message::Leave { .. } => "the end of the search".into(),
            Message::Failed { .. } => "a failure".into(),
            Message::Left => "that it has left".into(),
            Message::Data { .. } => "a piece of an exchange".into(),
            Message::Items { .. } => "items of a traversal".into(),
            Message::Wave { .. } | Message::Report { .. } | Message::Over => "the end of a traversal".into(),
        }
    }
}

impl Envelope {
    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, Unportable> {
        encoded(self)
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, Corrupt> {
        decoded(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_changed_or_cut_are_an_error_or_another_message_and_never_a_panic() {
        let id = Id { rank: 3, worker: 1, depth: 2, sequence: 7 };
        let messages = [
            Message::Ask { seq: 1, parks: true, lacks: 16 },
            Message::Give {
                seq: 300,
                parts: vec![(id, Bytes(vec![1, 2, 3])), (Id { worker: 9, ..id }, Bytes(vec![4]))],
            },
            Message::Result { id, value: vec![0; 40] },
            Message::Done { sent: vec![(1, 2), (3, u64::MAX)] },
            Message::Failed { rank: 1, failure: Failure::Panicked("so".into()) },
            Message::Data { rest: 1 << 40, bytes: Bytes(vec![7; 300]) },
        ];
        for message in messages {
            let envelope = Envelope { search: 9, message };
            let bytes = envelope.to_bytes().expect("bytes");
            assert_eq!(Envelope::from_bytes(&bytes), Ok(envelope));
            for cut in 0..bytes.len() {
                assert!(Envelope::from_bytes(&bytes[..cut]).is_err(), "{cut} bytes of {}", bytes.len());
            }
            for place in 0..bytes.len() * 8 {
                let mut changed = bytes.clone();
                changed[place / 8] ^= 1 << (place % 8);
                let _ = Envelope::from_bytes(&changed);
            }
            assert!(Envelope::from_bytes(&[bytes, vec![0]].concat()).is_err());
        }
    }
}
