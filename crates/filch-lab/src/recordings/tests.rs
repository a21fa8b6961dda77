//! Files that were written are read, and nothing else is.

use std::io::Write;

use filch::Scheduler;
use filch_kernels::runtime;
use filch_sim::program::recorded::Recorded;
use filch_sim::program::totals::Totals;
use filch_sim::program::{BLOCK, Node, Program, Touch};
use filch_sim::{Costs, Outcome, Simulation, Sockets, rules};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::read::parse;
use super::write::Writer;
use super::{Header, MAGIC, MAGIC_1};

/// Lines in a block of memory.
const LINES: u64 = 64;

fn header() -> Header {
    Header { program: "fib".into(), n: "3".into(), serial_ns: 100, data_bytes: Some(9) }
}

/// Where an array begins, of which two blocks are touched.
const ARRAY: u64 = 0x7f12_3456_7000;

/// What segment number `place` touches: the array; nothing; the block before it, after which it is read again; and
/// memory that is far above and below.
fn touched_by(place: usize) -> Vec<(u64, u64, bool)> {
    match place {
        1 => vec![(ARRAY + 100, ARRAY + 5000, false)],
        3 => vec![(ARRAY - 1, ARRAY, true), (ARRAY, ARRAY + 1, false)],
        4 => vec![(1 << 50, (1 << 50) + 1, true), (1, 2, true)],
        _ => vec![],
    }
}

/// A file with these segments: the work of each, and whether it forks.
fn file(segments: &[(u64, bool)]) -> Vec<u8> {
    let mut writer = Writer::new(&header()).unwrap();
    let mut count = 0;
    for (place, &(work_ns, forks)) in segments.iter().enumerate() {
        let touch = |(begin, end, writes)| runtime::Touch { begin, end, writes };
        let touches: Vec<_> = touched_by(place).into_iter().map(touch).collect();
        writer.add(runtime::Segment { work_ns, forks, touches: &touches }).unwrap();
        count += touches.len() as u64;
    }
    assert_eq!((writer.segments(), writer.touches()), (segments.len() as u64, count));
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
    // Without gaps: the block of address 1, that before the array, its two blocks, and that far above.
    assert_eq!((program.memory_bytes(), program.data_bytes()), (5 * BLOCK, 9));
    let array = 2 * BLOCK;
    let expected = |place| match place {
        1 => vec![Touch::read(array + 100, array + 5000)],
        3 => vec![Touch::write(array - 1, array), Touch::read(array, array + 1)],
        4 => vec![Touch::write(4 * BLOCK, 4 * BLOCK + 1), Touch::write(1, 2)],
        _ => vec![],
    };
    for place in 0..TREE.len() {
        let node = Node { id: place as u64, ..Node::default() };
        assert_eq!(program.touches(node).to_vec(), expected(place), "segment {place}");
    }
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
    assert!(wrong.contains("expected `filch-recording 2` or `filch-recording 1`"), "{wrong}");
    assert!(wrong.contains("found `%!PS-Adobe"), "{wrong}");
}

/// A file of this format with a header and these numbers.
fn of_numbers(magic: &str, header: &str, numbers: &[u64]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(magic.as_bytes().to_vec(), Compression::default());
    encoder.write_all(format!("{header}\n").as_bytes()).unwrap();
    for &number in numbers {
        let mut left = number;
        while left > 0x7F {
            encoder.write_all(&[0x80 | (left & 0x7F) as u8]).unwrap();
            left >>= 7;
        }
        encoder.write_all(&[left as u8]).unwrap();
    }
    encoder.finish().unwrap()
}

const OLD_HEADER: &str = r#"{"program": "fib", "n": "3", "serial_ns": 100}"#;

#[test]
fn a_file_of_format_1_is_the_same_tree_that_touches_nothing() {
    // Short enough to be simulated.
    let tree = TREE.map(|(work_ns, forks)| (work_ns.min(100_000), forks));
    let numbers = tree.map(|(work_ns, forks)| work_ns << 1 | u64::from(forks));
    let (found, old) = parse(&of_numbers(MAGIC_1, OLD_HEADER, &numbers)[..]).unwrap();
    assert_eq!(found, Header { data_bytes: None, ..header() });
    assert_eq!((old.memory_bytes(), old.data_bytes()), (0, 0));
    let new = parse(&file(&tree)[..]).unwrap().1.without_touches();
    assert_eq!(Totals::of(&old, 2), Totals::of(&new, 2));
    for seed in 0..3 {
        assert_eq!(simulated(&old, "default", 1, None, seed), simulated(&new, "default", 1, None, seed));
    }
}

#[test]
fn touches_that_cannot_be_are_refused_with_their_place() {
    let refused = |numbers: &[u64]| {
        let error = parse(&of_numbers(MAGIC, OLD_HEADER, numbers)[..]).unwrap_err();
        assert!(error.starts_with("byte ") && error.contains("of the content: expected"), "{error}");
        error
    };
    // A leaf of 1 ns that touches memory, with as many touches as follow; a distance of 0; 16 bytes that are read.
    let (leaf, here, bytes) = (1 << 2 | 2, 0, 16 << 1);
    assert!(parse(&of_numbers(MAGIC, OLD_HEADER, &[leaf, 1, here, bytes])[..]).is_ok());
    let more = refused(&[leaf, u64::MAX, here, bytes]);
    assert!(more.contains("expected a number; found the end"), "whatever the number says, no memory is taken: {more}");
    assert!(refused(&[leaf]).contains("expected a number; found the end"));
    assert!(refused(&[leaf, 1, here, 0]).contains("expected a range of addresses up to 2^62; found"));
    assert!(refused(&[leaf, 1, (1 << 63) - 1, bytes]).contains("expected a range of addresses; found none"));
    assert!(refused(&[leaf, 1, 1 << 62, bytes]).contains("expected a range of addresses up to 2^62; found"));
    assert!(refused(&[leaf, 1, here, 1 << 50]).contains("expected at most 2^36 bytes of memory that are touched"));
    assert!(refused(&[leaf, 1, here, bytes, leaf]).contains("expected a number; found the end"));
}

fn simulated(program: &dyn Program, scheduler: &str, sockets: usize, cache: Option<u64>, seed: u64) -> Outcome {
    let (costs, workers) = (Costs::ASSUMED, 8);
    let scheduler: Scheduler = scheduler.parse().unwrap();
    let on = Sockets::even(workers, sockets).unwrap();
    let rules = rules(&scheduler, &costs, workers).unwrap();
    let simulation = Simulation::new(program, rules, costs, workers, seed).on(&on).with_boundary(3);
    let simulation = if let Some(bytes) = cache { simulation.with_caches(bytes) } else { simulation };
    simulation.run()
}

/// A cache with room for all that is touched here.
const EVERYTHING: u64 = 1 << 30;

/// A recorded run as it comes out of a file.
fn recorded(name: &str, n: u64) -> Recorded {
    let program = filch_programs::find(name).unwrap();
    let header = Header { program: name.into(), n: n.to_string(), serial_ns: 1, data_bytes: program.data_bytes(n) };
    let mut writer = Writer::new(&header).unwrap();
    let mut instance = program.prepare(n).unwrap();
    assert!(instance.record(&mut |segment| writer.add(segment).unwrap()));
    parse(&writer.finish().unwrap()[..]).unwrap().1
}

#[test]
fn a_cache_for_everything_misses_each_block_of_a_recorded_program_once_and_a_small_one_more_often() {
    for (name, n) in [("heat", 512), ("cilksort", 100_000), ("lu", 256)] {
        let program = recorded(name, n);
        let data_bytes = filch_programs::find(name).unwrap().data_bytes(n).unwrap();
        assert_eq!(program.data_bytes(), data_bytes, "{name}");
        let blocks = program.memory_bytes() / BLOCK;
        assert!(blocks * BLOCK >= data_bytes, "{name}");
        let mut has_far_misses = false;
        let totals = Totals::of(&program, Costs::ASSUMED.fork_ns);
        for scheduler in ["default", "cilk5", "tascell", "heartbeat", "cab"] {
            for (sockets, cache) in [(1, EVERYTHING), (1, data_bytes / 4), (4, data_bytes / 4)] {
                let outcome = simulated(&program, scheduler, sockets, Some(cache), 1);
                let of = format!("{name} under {scheduler} on {sockets} sockets with {cache}: {outcome:?}");
                let counts = outcome.counts;
                assert_eq!((outcome.run.leaves, outcome.run.work_ns), (totals.leaves, totals.work_ns), "{of}");
                assert_eq!((outcome.run.forks, outcome.open_claims), (totals.forks, 0), "{of}");
                let costs = Costs::ASSUMED;
                let misses_ns = counts.misses_near * costs.line_ns + counts.misses_far * costs.far_line_ns;
                assert!(outcome.busy_ns >= totals.t1_ns() + misses_ns, "{of}");
                assert!(outcome.path_ns <= outcome.time_ns && outcome.time_ns >= totals.span_ns, "{of}");
                let (misses, cold) = (counts.misses_near + counts.misses_far, blocks * LINES);
                assert!(if cache == EVERYTHING { misses == cold } else { misses > cold }, "{of}");
                // Where a leaf was interrupted while it was recorded, it may take most of the time, and nothing moves.
                assert!(counts.misses_far == 0 || counts.moved_far > 0, "{of}");
                has_far_misses |= counts.misses_far > 0;
                assert_eq!(outcome, simulated(&program, scheduler, sockets, Some(cache), 1), "{of}");
            }
        }
        assert!(has_far_misses, "{name}");
    }
}
