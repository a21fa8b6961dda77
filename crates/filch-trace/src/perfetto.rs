//! Perfetto's format: a message `Trace` of protobuf, which is a sequence of packets. Only the fields that a trace of
//! ours has are known here, by their numbers in `perfetto_trace.proto`; a test reads them by that schema.
//!
//! Names are written out each time. They are short, and a table of names would have to be complete before the first
//! event that uses it, also in a file that was cut.

use crate::event::{Event, Flow, Track, What};

/// Who writes: viewers keep the state of each writer apart.
const SEQUENCE: u64 = 1;

/// The track of the process, to which the others belong.
const PROCESS: u64 = 1;

/// The number of the first other track.
const FIRST: u64 = 2;

/// The numbers of fields.
pub(crate) mod field {
    pub(crate) mod trace {
        pub(crate) const PACKET: u32 = 1;
    }
    pub(crate) mod packet {
        pub(crate) const TIMESTAMP: u32 = 8;
        pub(crate) const SEQUENCE_ID: u32 = 10;
        pub(crate) const TRACK_EVENT: u32 = 11;
        pub(crate) const SEQUENCE_FLAGS: u32 = 13;
        pub(crate) const TRACK_DESCRIPTOR: u32 = 60;
    }
    pub(crate) mod track {
        pub(crate) const UUID: u32 = 1;
        pub(crate) const NAME: u32 = 2;
        pub(crate) const PROCESS: u32 = 3;
        pub(crate) const PARENT_UUID: u32 = 5;
        pub(crate) const COUNTER: u32 = 8;
        pub(crate) const CHILD_ORDERING: u32 = 11;
        pub(crate) const SIBLING_ORDER_RANK: u32 = 12;
    }
    pub(crate) mod process {
        pub(crate) const PID: u32 = 1;
        pub(crate) const NAME: u32 = 6;
    }
    pub(crate) mod event {
        pub(crate) const TYPE: u32 = 9;
        pub(crate) const TRACK_UUID: u32 = 11;
        pub(crate) const NAME: u32 = 23;
        pub(crate) const COUNTER_VALUE: u32 = 30;
        pub(crate) const FLOW_IDS: u32 = 47;
        pub(crate) const TERMINATING_FLOW_IDS: u32 = 48;
    }
}

/// `TrackEvent.Type`.
pub(crate) mod kind {
    pub(crate) const SLICE_BEGIN: u64 = 1;
    pub(crate) const SLICE_END: u64 = 2;
    pub(crate) const INSTANT: u64 = 3;
    pub(crate) const COUNTER: u64 = 4;
}

/// `TracePacket.SequenceFlags.SEQ_INCREMENTAL_STATE_CLEARED`.
const STATE_CLEARED: u64 = 1;

/// `TrackDescriptor.ChildTracksOrdering.EXPLICIT`.
const EXPLICIT: u64 = 3;

#[derive(Debug)]
pub(crate) struct Perfetto {
    tracks: u32,
}

impl Perfetto {
    /// Encodes the description of the process.
    pub(crate) fn begin(process: &str, id: u32, out: &mut Vec<u8>) -> Self {
        let mut described = Message::default();
        described.varint(field::process::PID, u64::from(id));
        described.bytes(field::process::NAME, process.as_bytes());
        let mut track = Message::default();
        track.varint(field::track::UUID, PROCESS);
        track.bytes(field::track::PROCESS, &described.0);
        track.varint(field::track::CHILD_ORDERING, EXPLICIT);
        let mut packet = Message::default();
        packet.varint(field::packet::SEQUENCE_FLAGS, STATE_CLEARED);
        packet.bytes(field::packet::TRACK_DESCRIPTOR, &track.0);
        packet.end(out);
        Perfetto { tracks: 0 }
    }

    /// Encodes the description of a track.
    pub(crate) fn track(&mut self, name: &str, is_counter: bool, out: &mut Vec<u8>) -> Track {
        let number = self.tracks;
        self.tracks += 1;
        let mut track = Message::default();
        track.varint(field::track::UUID, FIRST + u64::from(number));
        track.varint(field::track::PARENT_UUID, PROCESS);
        track.bytes(field::track::NAME, name.as_bytes());
        track.varint(field::track::SIBLING_ORDER_RANK, u64::from(number));
        if is_counter {
            track.bytes(field::track::COUNTER, &[]);
        }
        let mut packet = Message::default();
        packet.bytes(field::packet::TRACK_DESCRIPTOR, &track.0);
        packet.end(out);
        Track(number)
    }

    pub(crate) fn event(&self, event: &Event<'_>, out: &mut Vec<u8>) {
        let mut encoded = Message::default();
        let (kind, name, flow) = match event.what {
            What::Begin { name, flow } => (kind::SLICE_BEGIN, Some(name), flow),
            What::End => (kind::SLICE_END, None, None),
            What::Instant { name, flow } => (kind::INSTANT, Some(name), flow),
            What::Count(_) => (kind::COUNTER, None, None),
        };
        encoded.varint(field::event::TYPE, kind);
        encoded.varint(field::event::TRACK_UUID, FIRST + u64::from(event.track.0));
        if let Some(name) = name {
            encoded.bytes(field::event::NAME, name.as_bytes());
        }
        match flow {
            None => {}
            Some(Flow::From(id)) => encoded.fixed(field::event::FLOW_IDS, id),
            Some(Flow::To(id)) => encoded.fixed(field::event::TERMINATING_FLOW_IDS, id),
        }
        if let What::Count(value) = event.what {
            encoded.varint(field::event::COUNTER_VALUE, value.cast_unsigned());
        }
        let mut packet = Message::default();
        packet.varint(field::packet::TIMESTAMP, event.at_ns);
        packet.bytes(field::packet::TRACK_EVENT, &encoded.0);
        packet.end(out);
    }
}

/// A message of protobuf.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, field: u32, value: u64) {
        varint(u64::from(field) << 3, &mut self.0);
        varint(value, &mut self.0);
    }

    fn fixed(&mut self, field: u32, value: u64) {
        varint(u64::from(field) << 3 | 1, &mut self.0);
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    fn bytes(&mut self, field: u32, bytes: &[u8]) {
        varint(u64::from(field) << 3 | 2, &mut self.0);
        varint(bytes.len() as u64, &mut self.0);
        self.0.extend_from_slice(bytes);
    }

    /// Ends a packet, and adds it to the trace.
    fn end(mut self, out: &mut Vec<u8>) {
        self.varint(field::packet::SEQUENCE_ID, SEQUENCE);
        let mut trace = Message::default();
        trace.bytes(field::trace::PACKET, &self.0);
        out.extend_from_slice(&trace.0);
    }
}

fn varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
