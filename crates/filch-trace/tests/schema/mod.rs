//! What a trace of ours has of Perfetto's schema, copied by hand from its files (`protos/perfetto/trace`), all of which
//! would take longer to compile than any crate of the workspace. What is not here, or encoded in another way, is an
//! error.

use quick_protobuf::{BytesReader, Error, MessageRead, Result};

/// How fields are encoded.
const VARINT: u32 = 0;
const FIXED: u32 = 1;
const BYTES: u32 = 2;

/// The number of the next field and how it is encoded, if the message has one more.
fn next(reader: &mut BytesReader, bytes: &[u8]) -> Result<Option<(u32, u32)>> {
    let more = !reader.is_eof();
    let tag = more.then(|| reader.next_tag(bytes)).transpose()?;
    Ok(tag.map(|tag| (tag >> 3, tag & 7)))
}

fn unknown<M>(message: &str, field: (u32, u32)) -> Result<M> {
    Err(Error::Message(format!("{message} has no field {field:?}")))
}

/// `trace.proto`.
#[derive(Debug, Default)]
pub(crate) struct Trace<'a> {
    pub(crate) packets: Vec<Packet<'a>>,
}

impl<'a> MessageRead<'a> for Trace<'a> {
    fn from_reader(reader: &mut BytesReader, bytes: &'a [u8]) -> Result<Self> {
        let mut trace = Self::default();
        while let Some(field) = next(reader, bytes)? {
            match field {
                (1, BYTES) => trace.packets.push(reader.read_message(bytes)?),
                _ => return unknown("Trace", field),
            }
        }
        Ok(trace)
    }
}

/// `trace_packet.proto`.
#[derive(Debug, Default)]
pub(crate) struct Packet<'a> {
    pub(crate) timestamp: u64,
    pub(crate) trusted_packet_sequence_id: u32,
    pub(crate) sequence_flags: u32,
    pub(crate) track_event: Option<TrackEvent<'a>>,
    pub(crate) track_descriptor: Option<TrackDescriptor<'a>>,
}

impl<'a> MessageRead<'a> for Packet<'a> {
    fn from_reader(reader: &mut BytesReader, bytes: &'a [u8]) -> Result<Self> {
        let mut packet = Self::default();
        while let Some(field) = next(reader, bytes)? {
            match field {
                (8, VARINT) => packet.timestamp = reader.read_uint64(bytes)?,
                (10, VARINT) => packet.trusted_packet_sequence_id = reader.read_uint32(bytes)?,
                (11, BYTES) => packet.track_event = Some(reader.read_message(bytes)?),
                (13, VARINT) => packet.sequence_flags = reader.read_uint32(bytes)?,
                (60, BYTES) => packet.track_descriptor = Some(reader.read_message(bytes)?),
                _ => return unknown("TracePacket", field),
            }
        }
        Ok(packet)
    }
}

/// `track_event/track_descriptor.proto`.
#[derive(Debug, Default)]
pub(crate) struct TrackDescriptor<'a> {
    pub(crate) uuid: u64,
    pub(crate) name: &'a str,
    pub(crate) process: Option<Process<'a>>,
    pub(crate) parent_uuid: u64,
    pub(crate) is_counter: bool,
    pub(crate) child_ordering: i32,
    pub(crate) sibling_order_rank: i32,
}

/// `TrackDescriptor.ChildTracksOrdering.EXPLICIT`.
pub(crate) const EXPLICIT: i32 = 3;

impl<'a> MessageRead<'a> for TrackDescriptor<'a> {
    fn from_reader(reader: &mut BytesReader, bytes: &'a [u8]) -> Result<Self> {
        let mut track = Self::default();
        while let Some(field) = next(reader, bytes)? {
            match field {
                (1, VARINT) => track.uuid = reader.read_uint64(bytes)?,
                (2, BYTES) => track.name = reader.read_string(bytes)?,
                (3, BYTES) => track.process = Some(reader.read_message(bytes)?),
                (5, VARINT) => track.parent_uuid = reader.read_uint64(bytes)?,
                (8, BYTES) => track.is_counter = reader.read_bytes(bytes)?.is_empty(),
                (11, VARINT) => track.child_ordering = reader.read_int32(bytes)?,
                (12, VARINT) => track.sibling_order_rank = reader.read_int32(bytes)?,
                _ => return unknown("TrackDescriptor", field),
            }
        }
        Ok(track)
    }
}

/// `track_event/process_descriptor.proto`.
#[derive(Debug, Default)]
pub(crate) struct Process<'a> {
    pub(crate) pid: i32,
    pub(crate) process_name: &'a str,
}

impl<'a> MessageRead<'a> for Process<'a> {
    fn from_reader(reader: &mut BytesReader, bytes: &'a [u8]) -> Result<Self> {
        let mut process = Self::default();
        while let Some(field) = next(reader, bytes)? {
            match field {
                (1, VARINT) => process.pid = reader.read_int32(bytes)?,
                (6, BYTES) => process.process_name = reader.read_string(bytes)?,
                _ => return unknown("ProcessDescriptor", field),
            }
        }
        Ok(process)
    }
}

/// `track_event/track_event.proto`.
#[derive(Debug, Default)]
pub(crate) struct TrackEvent<'a> {
    pub(crate) kind: i32,
    pub(crate) track_uuid: u64,
    pub(crate) name: &'a str,
    pub(crate) counter_value: i64,
    pub(crate) flow_ids: Vec<u64>,
    pub(crate) terminating_flow_ids: Vec<u64>,
}

/// `TrackEvent.Type`.
pub(crate) const SLICE_BEGIN: i32 = 1;
pub(crate) const SLICE_END: i32 = 2;
pub(crate) const INSTANT: i32 = 3;
pub(crate) const COUNTER: i32 = 4;

impl<'a> MessageRead<'a> for TrackEvent<'a> {
    fn from_reader(reader: &mut BytesReader, bytes: &'a [u8]) -> Result<Self> {
        let mut event = Self::default();
        while let Some(field) = next(reader, bytes)? {
            match field {
                (9, VARINT) => event.kind = reader.read_int32(bytes)?,
                (11, VARINT) => event.track_uuid = reader.read_uint64(bytes)?,
                (23, BYTES) => event.name = reader.read_string(bytes)?,
                (30, VARINT) => event.counter_value = reader.read_int64(bytes)?,
                (47, FIXED) => event.flow_ids.push(reader.read_fixed64(bytes)?),
                (48, FIXED) => event.terminating_flow_ids.push(reader.read_fixed64(bytes)?),
                _ => return unknown("TrackEvent", field),
            }
        }
        Ok(event)
    }
}
