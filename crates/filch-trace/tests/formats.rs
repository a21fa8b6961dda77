//! What is written can be read: by the schema of Perfetto, by a reader of JSON, and by the reader of this crate.

mod schema;

use filch_trace::read::{self, Kind};
use filch_trace::{Event, Flow, Format, Trace, What};
use quick_protobuf::{BytesReader, MessageRead};
use schema::{COUNTER, EXPLICIT, INSTANT, SLICE_BEGIN, SLICE_END};
use serde_json::Value;

/// A name with whatever JSON has to write in another way.
const NAME: &str = "a \"span\" of é\\\n";

/// A trace with everything in it, and its length after each packet.
fn sample(format: Format) -> (Vec<u8>, Vec<usize>) {
    let mut lengths = Vec::new();
    let mut trace = Trace::begin(Vec::new(), format, "sample", 7).unwrap();
    let [giver, thief] = ["main", "filch-1"].map(|name| trace.add_track(name).unwrap());
    let asks = trace.add_counter("asks").unwrap();
    let begin = |name, flow| What::Begin { name, flow };
    for (at_ns, track, what) in [
        (1_000, giver, begin("run", None)),
        (1_500, asks, What::Count(-3)),
        (2_001, giver, What::Instant { name: "give", flow: Some(Flow::From(u64::MAX)) }),
        (2_300, thief, begin("task", Some(Flow::To(u64::MAX)))),
        (2_400, thief, begin(NAME, None)),
        (2_500, thief, What::End),
        (1 << 40, thief, What::End),
        (1 << 41, giver, What::End),
    ] {
        trace.write(&Event { at_ns, track, what }).unwrap();
        trace.flush().unwrap();
        lengths.push(trace.written() as usize);
    }
    (trace.end().unwrap(), lengths)
}

fn by_schema(bytes: &[u8]) -> schema::Trace<'_> {
    schema::Trace::from_reader(&mut BytesReader::from_bytes(bytes), bytes).expect("it is a trace")
}

#[test]
fn the_schema_of_perfetto_knows_every_field_and_finds_what_was_written() {
    let (bytes, _) = sample(Format::Perfetto);
    let trace = by_schema(&bytes);
    for packet in &trace.packets {
        assert_eq!(packet.trusted_packet_sequence_id, 1);
        assert!(packet.track_descriptor.is_some() != packet.track_event.is_some(), "{packet:?}");
    }
    let flags: Vec<u32> = trace.packets.iter().map(|packet| packet.sequence_flags).collect();
    assert!(flags[0] == 1 && flags[1..].iter().all(|flags| *flags == 0));
    let tracks: Vec<_> = trace.packets.iter().filter_map(|packet| packet.track_descriptor.as_ref()).collect();
    let [process, others @ ..] = &*tracks else { panic!("the first describes the process") };
    let described = process.process.as_ref().expect("the first describes the process");
    assert_eq!((described.pid, described.process_name), (7, "sample"));
    assert_eq!((process.child_ordering, process.is_counter), (EXPLICIT, false));
    let other = |rank: usize| (others[rank].name, others[rank].is_counter, others[rank].sibling_order_rank);
    assert_eq!([0, 1, 2].map(other), [("main", false, 0), ("filch-1", false, 1), ("asks", true, 2)]);
    assert!(others.len() == 3 && others.iter().all(|track| track.parent_uuid == process.uuid));

    let packets: Vec<_> = trace.packets.iter().filter(|packet| packet.track_event.is_some()).collect();
    let times: Vec<u64> = packets.iter().map(|packet| packet.timestamp).collect();
    assert_eq!(times, [1_000, 1_500, 2_001, 2_300, 2_400, 2_500, 1 << 40, 1 << 41]);
    let events: Vec<_> = packets.iter().filter_map(|packet| packet.track_event.as_ref()).collect();
    let kinds: Vec<i32> = events.iter().map(|event| event.kind).collect();
    assert_eq!(kinds, [SLICE_BEGIN, COUNTER, INSTANT, SLICE_BEGIN, SLICE_BEGIN, SLICE_END, SLICE_END, SLICE_END]);
    assert_eq!(
        events.iter().map(|event| event.name).collect::<Vec<_>>(),
        ["run", "", "give", "task", NAME, "", "", ""]
    );
    assert_eq!(events[1].counter_value, -3);
    assert_eq!((&*events[2].flow_ids, &*events[2].terminating_flow_ids), (&[u64::MAX][..], &[][..]));
    assert_eq!((&*events[3].flow_ids, &*events[3].terminating_flow_ids), (&[][..], &[u64::MAX][..]));
    let on: Vec<u64> = events.iter().map(|event| event.track_uuid).collect();
    let [main, thief, asks] = [1, 2, 3].map(|track: usize| tracks[track].uuid);
    assert_eq!(on, [main, asks, main, thief, thief, thief, thief, main]);
}

#[test]
fn the_own_reader_finds_the_same() {
    let trace = read::perfetto(&sample(Format::Perfetto).0).expect("it is a trace");
    assert_eq!(trace.process, "sample");
    assert_eq!(trace.tracks, [("main".into(), false), ("filch-1".into(), false), ("asks".into(), true)]);
    assert_eq!(trace.events[1].kind, Kind::Count(-3));
    let slices = trace.slices().expect("they nest");
    let found: Vec<_> = slices.iter().map(|s| (s.track, &*s.name, s.begin_ns, s.end_ns, s.depth)).collect();
    let expected = [(1, NAME, 2_400, 2_500, 1), (1, "task", 2_300, 1 << 40, 0), (0, "run", 1_000, 1 << 41, 0)];
    assert_eq!(found, expected);
    let flows = trace.flows().expect("each has two ends");
    assert_eq!(flows.iter().map(|(from, to)| (&*from.name, &*to.name)).collect::<Vec<_>>(), [("give", "task")]);
}

#[test]
fn an_arrow_without_its_other_end_and_a_slice_that_never_began_are_found() {
    let reads = |event: What<'_>| {
        let mut trace = Trace::begin(Vec::new(), Format::Perfetto, "broken", 1).unwrap();
        let track = trace.add_track("main").unwrap();
        trace.write(&Event { at_ns: 1, track, what: event }).unwrap();
        let read = read::perfetto(&trace.end().unwrap()).expect("it is a trace");
        (read.slices().is_ok(), read.flows().is_ok())
    };
    let instant = |flow| What::Instant { name: "give", flow };
    assert_eq!(reads(instant(None)), (true, true));
    assert_eq!(reads(instant(Some(Flow::From(1)))), (true, false));
    assert_eq!(reads(instant(Some(Flow::To(1)))), (true, false));
    assert_eq!(reads(What::End), (false, true));
}

#[test]
fn json_says_the_same() {
    let (bytes, _) = sample(Format::Chrome);
    let events: Vec<Value> = serde_json::from_slice(&bytes).expect("it is JSON");
    let of = |kind: &str| events.iter().filter(|event| event["ph"] == kind).collect::<Vec<_>>();
    let names = |kind| of(kind).into_iter().map(|event| event["name"].as_str().unwrap()).collect::<Vec<_>>();
    assert_eq!(of("M")[0]["args"]["name"], "sample");
    assert_eq!(names("B"), ["run", "task", NAME]);
    assert_eq!(of("B")[1]["ts"].as_f64(), Some(2.3));
    assert_eq!((of("E").len(), names("i")), (3, vec!["give"]));
    let count = of("C")[0];
    assert_eq!((count["name"].as_str(), count["args"]["value"].as_i64()), (Some("asks"), Some(-3)));
    let [from, to] = [of("s")[0], of("f")[0]];
    assert_eq!((&from["id"], &from["name"], &from["cat"]), (&to["id"], &to["name"], &to["cat"]));
    assert_eq!((from["tid"].as_u64(), to["tid"].as_u64(), to["bp"].as_str()), (Some(0), Some(1), Some("e")));
    assert!(events.iter().all(|event| event["pid"] == 7));
}

#[test]
fn a_trace_that_was_cut_after_any_packet_is_readable() {
    let (bytes, lengths) = sample(Format::Perfetto);
    for (events, length) in (1..).zip(lengths) {
        let read = read::perfetto(&bytes[..length]).expect("it is a trace");
        assert_eq!(read.events.len(), events);
        assert!(by_schema(&bytes[..length]).packets.len() > events && read.slices().is_ok());
    }
    let (bytes, lengths) = sample(Format::Chrome);
    for length in lengths {
        let whole = [&bytes[..length], b"]"].concat();
        assert!(serde_json::from_slice::<Vec<Value>>(&whole).is_ok());
    }
}
