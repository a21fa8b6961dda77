//! From the events of threads to those of the file: pure, but for what it remembers.

use super::event::Event;
use filch_trace::{self as file, Moves, Track, What};
use std::collections::HashMap;

/// What the file is told by events, in the order of their times.
pub(super) struct Flows {
    /// The names of slices.
    names: &'static [&'static str],
    /// The frames that have left.
    moves: Moves,
    /// On which track the occupant of each worker was last.
    occupants: HashMap<u64, Track>,
}

impl Flows {
    pub(super) fn new(names: &'static [&'static str]) -> Self {
        Flows { names, moves: Moves::default(), occupants: HashMap::new() }
    }

    /// Calls `write` with what the file is told by this event of the thread of `track`.
    pub(super) fn event(&mut self, at_ns: u64, track: Track, event: Event, write: &mut dyn FnMut(&file::Event<'_>)) {
        let mut tell = |what| write(&file::Event { at_ns, track, what });
        match event {
            Event::Begin { name, frame, worker } => {
                if worker != 0 {
                    self.occupants.insert(worker, track);
                }
                let name = self.names.get(usize::from(name)).copied().unwrap_or("?");
                // A frame is on a stack or the heap, never at zero.
                match frame {
                    0 => tell(What::Begin { name, flow: None }),
                    frame => self.moves.arrives(frame, at_ns, track, name, write),
                }
            }
            Event::Span { name } => tell(What::Begin { name, flow: None }),
            Event::End => tell(What::End),
            Event::Given { frame } => self.moves.leaves(frame, at_ns, track, "give", write),
            Event::Taken { frame, from } => {
                let track = self.occupants.get(&from).copied().unwrap_or(track);
                self.moves.leaves(frame, at_ns, track, "taken", write);
            }
            Event::Reclaimed { frame } => {
                tell(What::Instant { name: "take back", flow: None });
                self.moves.stays(frame, write);
            }
        }
    }

    /// Writes what is held back, without arrows.
    pub(super) fn release(&mut self, write: &mut dyn FnMut(&file::Event<'_>)) {
        self.moves.end(write);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_trace::{Format, Trace, read};

    /// The names of the events of a trace with two tracks, each with its arrows.
    fn told(events: &[(usize, Event)]) -> Vec<(String, usize, Option<u64>, Option<u64>)> {
        let mut trace = Trace::begin(Vec::new(), Format::Perfetto, "test", 1).expect("memory is written");
        let tracks = ["giver", "thief"].map(|name| trace.add_track(name).expect("as above"));
        let mut flows = Flows::new(&["task"]);
        let mut write = |event: &file::Event<'_>| trace.write(event).expect("as above");
        for (at_ns, &(track, event)) in (1..).zip(events) {
            flows.event(at_ns, tracks[track], event, &mut write);
        }
        flows.release(&mut write);
        let read = read::perfetto(&trace.end().expect("as above")).expect("it is a trace");
        read.flows().expect("each has two ends");
        read.events.into_iter().map(|event| (event.name, event.track, event.flow_from, event.flow_to)).collect()
    }

    const BEGINS: Event = Event::Begin { name: 0, frame: 8, worker: 2 };

    #[test]
    fn an_arrow_leads_from_who_gave_to_who_began() {
        let found = told(&[(0, Event::Given { frame: 8 }), (1, BEGINS), (1, Event::End)]);
        let expected = [("give", 0, Some(1), None), ("task", 1, None, Some(1)), ("", 1, None, None)];
        assert_eq!(found, expected.map(|(name, track, from, to)| (name.into(), track, from, to)));
    }

    #[test]
    fn an_arrow_of_what_was_taken_leaves_where_it_was() {
        let at_home = Event::Begin { name: 0, frame: 0, worker: 1 };
        let found = told(&[(0, at_home), (1, Event::Taken { frame: 8, from: 1 }), (1, BEGINS)]);
        let expected = [("task", 0, None, None), ("taken", 0, Some(1), None), ("task", 1, None, Some(1))];
        assert_eq!(found, expected.map(|(name, track, from, to)| (name.into(), track, from, to)));
    }

    #[test]
    fn what_comes_back_or_is_lost_has_no_arrow() {
        let given = (0, Event::Given { frame: 8 });
        let none = |names: &[&str], found: Vec<(String, usize, Option<u64>, Option<u64>)>| {
            assert_eq!(found.iter().map(|event| &*event.0).collect::<Vec<_>>(), names);
            assert!(found.iter().all(|event| event.2.or(event.3).is_none()));
        };
        none(&["take back", "give"], told(&[given, (0, Event::Reclaimed { frame: 8 })]));
        none(&["give", "give"], told(&[given, given]));
        none(&["task", "give"], told(&[(1, BEGINS), given]));
    }
}
