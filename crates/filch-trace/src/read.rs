//! Reads a trace of Perfetto that this crate has written: for tests, and for programs that want sums.

use std::collections::HashMap;
use std::fmt;

use crate::perfetto::{field, kind};

/// What a trace has, in the order in which it was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Read {
    /// The name of the process.
    pub process: String,
    /// The names of tracks, and whether they are counters.
    pub tracks: Vec<(String, bool)>,
    /// The events.
    pub events: Vec<ReadEvent>,
}

/// An event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadEvent {
    /// When.
    pub at_ns: u64,
    /// On which of the tracks.
    pub track: usize,
    /// What it is.
    pub kind: Kind,
    /// What it is called; empty for the end of a slice and for a counter.
    pub name: String,
    /// The arrow that leaves here.
    pub flow_from: Option<u64>,
    /// The arrow that arrives here.
    pub flow_to: Option<u64>,
}

/// What an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A slice begins.
    Begin,
    /// The innermost slice ends.
    End,
    /// Something of no length.
    Instant,
    /// A counter has this value.
    Count(i64),
}

/// A slice, from its begin to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice {
    /// On which of the tracks.
    pub track: usize,
    /// What it is called.
    pub name: String,
    /// When it begins.
    pub begin_ns: u64,
    /// When it ends; the time of the last event of the trace if it does not.
    pub end_ns: u64,
    /// How many slices are around it.
    pub depth: usize,
}

/// What is wrong with a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError(String);

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ReadError {}

fn wrong(what: impl fmt::Display) -> ReadError {
    ReadError(format!("a trace of Filch: {what}"))
}

/// Reads a trace.
///
/// # Errors
///
/// What was expected, if the bytes are no whole number of packets, or name a track that has not been described.
pub fn perfetto(bytes: &[u8]) -> Result<Read, ReadError> {
    let (mut read, mut known) = (Read::default(), HashMap::new());
    for packet in fields(bytes)? {
        let (field::trace::PACKET, Value::Bytes(packet)) = packet else {
            return Err(wrong(format_args!("expected packets, found field {}", packet.0)));
        };
        let mut at_ns = 0;
        for (number, value) in fields(packet)? {
            match (number, value) {
                (field::packet::TIMESTAMP, Value::Number(time)) => at_ns = time,
                (field::packet::TRACK_DESCRIPTOR, Value::Bytes(track)) => read.add_track(track, &mut known)?,
                (field::packet::TRACK_EVENT, Value::Bytes(event)) => read.add_event(at_ns, event, &known)?,
                _ => {}
            }
        }
    }
    Ok(read)
}

impl Read {
    fn add_track(&mut self, bytes: &[u8], known: &mut HashMap<u64, usize>) -> Result<(), ReadError> {
        let (mut id, mut name, mut is_counter) = (0, String::new(), false);
        for (number, value) in fields(bytes)? {
            match (number, value) {
                (field::track::UUID, Value::Number(uuid)) => id = uuid,
                (field::track::NAME, Value::Bytes(bytes)) => name = text(bytes)?,
                (field::track::COUNTER, _) => is_counter = true,
                (field::track::PROCESS, Value::Bytes(process)) => {
                    for (number, value) in fields(process)? {
                        if let (field::process::NAME, Value::Bytes(bytes)) = (number, value) {
                            self.process = text(bytes)?;
                        }
                    }
                    return Ok(());
                }
                _ => {}
            }
        }
        known.insert(id, self.tracks.len());
        self.tracks.push((name, is_counter));
        Ok(())
    }

    fn add_event(&mut self, at_ns: u64, bytes: &[u8], known: &HashMap<u64, usize>) -> Result<(), ReadError> {
        let (mut kind, mut track, mut count) = (0, 0, 0);
        let (mut name, mut flow_from, mut flow_to) = (String::new(), None, None);
        for (number, value) in fields(bytes)? {
            match (number, value) {
                (field::event::TYPE, Value::Number(number)) => kind = number,
                (field::event::TRACK_UUID, Value::Number(uuid)) => track = uuid,
                (field::event::NAME, Value::Bytes(bytes)) => name = text(bytes)?,
                (field::event::COUNTER_VALUE, Value::Number(value)) => count = value.cast_signed(),
                (field::event::FLOW_IDS, Value::Number(id)) => flow_from = Some(id),
                (field::event::TERMINATING_FLOW_IDS, Value::Number(id)) => flow_to = Some(id),
                _ => {}
            }
        }
        let track = *known.get(&track).ok_or_else(|| wrong(format_args!("expected a known track, found {track}")))?;
        let kind = match kind {
            kind::SLICE_BEGIN => Kind::Begin,
            kind::SLICE_END => Kind::End,
            kind::INSTANT => Kind::Instant,
            kind::COUNTER => Kind::Count(count),
            _ => return Err(wrong(format_args!("expected a kind of event from 1 to 4, found {kind}"))),
        };
        self.events.push(ReadEvent { at_ns, track, kind, name, flow_from, flow_to });
        Ok(())
    }

    /// The slices, in the order of their ends. Those that do not end come last.
    ///
    /// # Errors
    ///
    /// If the slices of a track do not nest, or go back in time.
    pub fn slices(&self) -> Result<Vec<Slice>, ReadError> {
        let (mut slices, mut open) = (Vec::new(), vec![Vec::<Slice>::new(); self.tracks.len()]);
        let mut now_ns = vec![0; self.tracks.len()];
        for (place, &ReadEvent { at_ns, track, kind, ref name, .. }) in self.events.iter().enumerate() {
            if matches!(kind, Kind::Instant | Kind::Count(_)) {
                continue;
            }
            if at_ns < now_ns[track] {
                return Err(wrong(format_args!(
                    "event {place}: expected a time from {} on, found {at_ns}",
                    now_ns[track]
                )));
            }
            now_ns[track] = at_ns;
            let depth = open[track].len();
            match kind {
                Kind::Begin => {
                    open[track].push(Slice { track, name: name.clone(), begin_ns: at_ns, end_ns: at_ns, depth });
                }
                _ => {
                    let slice = open[track].pop().ok_or_else(|| wrong(format_args!("event {place} ends no slice")))?;
                    slices.push(Slice { end_ns: at_ns, ..slice });
                }
            }
        }
        let last_ns = self.events.iter().map(|event| event.at_ns).max().unwrap_or(0);
        slices.extend(open.into_iter().flatten().map(|slice| Slice { end_ns: last_ns, ..slice }));
        Ok(slices)
    }

    /// For each arrow, the events at its two ends, in the order of the events where they arrive.
    ///
    /// # Errors
    ///
    /// If an arrow has not exactly one event at either end, or goes back in time.
    pub fn flows(&self) -> Result<Vec<(&ReadEvent, &ReadEvent)>, ReadError> {
        let mut from = HashMap::new();
        for event in &self.events {
            if let Some(id) = event.flow_from
                && from.insert(id, event).is_some()
            {
                return Err(wrong(format_args!("flow {id} leaves twice")));
            }
        }
        let mut flows = Vec::new();
        for event in &self.events {
            let Some(id) = event.flow_to else { continue };
            let giver =
                from.remove(&id).ok_or_else(|| wrong(format_args!("flow {id} arrives, and has not left once")))?;
            if giver.at_ns > event.at_ns {
                return Err(wrong(format_args!("flow {id} leaves after it arrives")));
            }
            flows.push((giver, event));
        }
        match from.keys().next() {
            Some(id) => Err(wrong(format_args!("flow {id} does not arrive"))),
            None => Ok(flows),
        }
    }
}

enum Value<'b> {
    Number(u64),
    Bytes(&'b [u8]),
}

/// The fields of a message, by their numbers.
fn fields(mut bytes: &[u8]) -> Result<Vec<(u32, Value<'_>)>, ReadError> {
    let cut = || wrong("expected whole packets, found a part of one");
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let tag = varint(&mut bytes).ok_or_else(cut)?;
        let value = match tag & 7 {
            0 => Value::Number(varint(&mut bytes).ok_or_else(cut)?),
            1 => {
                let (number, rest) = bytes.split_first_chunk::<8>().ok_or_else(cut)?;
                bytes = rest;
                Value::Number(u64::from_le_bytes(*number))
            }
            2 => {
                let length = varint(&mut bytes).and_then(|length| usize::try_from(length).ok()).ok_or_else(cut)?;
                let (value, rest) = bytes.split_at_checked(length).ok_or_else(cut)?;
                bytes = rest;
                Value::Bytes(value)
            }
            other => return Err(wrong(format_args!("expected a number or bytes, found wire type {other}"))),
        };
        found.push(((tag >> 3) as u32, value));
    }
    Ok(found)
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

fn text(bytes: &[u8]) -> Result<String, ReadError> {
    String::from_utf8(bytes.to_vec()).map_err(|_| wrong("expected names in UTF-8"))
}
