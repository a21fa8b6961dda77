//! What a recording consists of: events in the order in which the one thread came to them, each with the time of the
//! strand since the event before it.
//!
//! An event is a number, its time times sixteen plus its kind, and the numbers that the kind has. Numbers have seven
//! bits in each byte, the lowest first; the eighth bit says that more follow. Most events take two or three bytes.
//!
//! | kind | numbers | what has happened |
//! |---|---|---|
//! | `Fork` | site | a fork: its first branch begins |
//! | `Second` | | its second branch begins |
//! | `Join` | | both are over |
//! | `Open` | | a scope begins. Scopes are counted from 1 |
//! | `Spawn` | scope, site | a task is spawned, 0 stands for tasks that nobody awaits. Tasks are counted from 0 |
//! | `Begin` | task | it begins, and the strand rests |
//! | `End` | | it is over, and the strand goes on |
//! | `Close` | | the scope that began last ends: its tasks are over |
//! | `Post` | key | what waits for this name may go on from here |
//! | `Wait` | key | goes on when what has been posted under this name was over |
//! | `Run`, `EndRun` | | a run from outside begins, ends |
//!
//! Events nest: between a `Fork` and its `Join`, a `Begin` and its `End`, an `Open` and its `Close`, a `Run` and its
//! `EndRun` are whole ones only.

/// What has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Fork { site: u32 },
    Second,
    Join,
    Open,
    Spawn { scope: u32, site: u32 },
    Begin { task: u32 },
    End,
    Close,
    Post { key: u64 },
    Wait { key: u64 },
    Run,
    EndRun,
}

/// The bits of a first number that are the kind.
const KIND_BITS: u32 = 4;

impl Event {
    /// Its kind, and its numbers.
    fn parts(self) -> (u64, [Option<u64>; 2]) {
        match self {
            Event::Fork { site } => (0, [Some(site.into()), None]),
            Event::Second => (1, [None; 2]),
            Event::Join => (2, [None; 2]),
            Event::Open => (3, [None; 2]),
            Event::Spawn { scope, site } => (4, [Some(scope.into()), Some(site.into())]),
            Event::Begin { task } => (5, [Some(task.into()), None]),
            Event::End => (6, [None; 2]),
            Event::Close => (7, [None; 2]),
            Event::Post { key } => (8, [Some(key), None]),
            Event::Wait { key } => (9, [Some(key), None]),
            Event::Run => (10, [None; 2]),
            Event::EndRun => (11, [None; 2]),
        }
    }

    /// The event of this kind, whose numbers come from `next`.
    fn of(kind: u64, mut next: impl FnMut() -> Option<u64>) -> Option<Self> {
        let small = |next: &mut dyn FnMut() -> Option<u64>| u32::try_from(next()?).ok();
        Some(match kind {
            0 => Event::Fork { site: small(&mut next)? },
            1 => Event::Second,
            2 => Event::Join,
            3 => Event::Open,
            4 => Event::Spawn { scope: small(&mut next)?, site: small(&mut next)? },
            5 => Event::Begin { task: small(&mut next)? },
            6 => Event::End,
            7 => Event::Close,
            8 => Event::Post { key: next()? },
            9 => Event::Wait { key: next()? },
            10 => Event::Run,
            11 => Event::EndRun,
            _ => return None,
        })
    }
}

/// Events, one after another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Log {
    bytes: Vec<u8>,
}

impl Log {
    /// Adds an event that comes `ns` after the last one.
    #[inline]
    pub(crate) fn add(&mut self, ns: u64, event: Event) {
        let (kind, numbers) = event.parts();
        self.number(ns.min(u64::MAX >> KIND_BITS) << KIND_BITS | kind);
        numbers.into_iter().flatten().for_each(|number| self.number(number));
    }

    fn number(&mut self, mut left: u64) {
        while left > 0x7F {
            self.bytes.push(left as u8 | 0x80);
            left >>= 7;
        }
        self.bytes.push(left as u8);
    }

    /// How many bytes there are.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes, for a file.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// From the bytes of a file, whatever they are.
    pub(crate) fn from_bytes(bytes: Vec<u8>) -> Self {
        Log { bytes }
    }

    /// The first events.
    pub(crate) fn begin(&self, events: usize) -> Self {
        let mut left = self.iter();
        left.by_ref().take(events).for_each(drop);
        Log { bytes: self.bytes[..self.bytes.len() - left.bytes_left()].to_vec() }
    }

    /// The same log with the ends of all that is still open, for a program that ends in the middle of it.
    pub(crate) fn ended(&self) -> Self {
        let mut open = Vec::new();
        for (_, event) in self.iter() {
            match event {
                Event::Fork { .. } => open.push([Some(Event::Second), Some(Event::Join)]),
                Event::Second => _ = open.last_mut().map(|ends| ends[0].take()),
                Event::Begin { .. } => open.push([Some(Event::End), None]),
                Event::Open => open.push([Some(Event::Close), None]),
                Event::Run => open.push([Some(Event::EndRun), None]),
                Event::Join | Event::End | Event::Close | Event::EndRun => _ = open.pop(),
                Event::Spawn { .. } | Event::Post { .. } | Event::Wait { .. } => {}
            }
        }
        let mut log = self.clone();
        open.into_iter().rev().flatten().flatten().for_each(|end| log.add(0, end));
        log
    }

    /// The events, each with the time since the one before it. Ends early where the bytes are not an event.
    pub(crate) fn iter(&self) -> Events<'_> {
        Events { bytes: &self.bytes }
    }
}

/// The events of a [`Log`] that are left.
#[derive(Clone, Debug)]
pub(crate) struct Events<'l> {
    bytes: &'l [u8],
}

impl Events<'_> {
    /// How many bytes are left: some, if they are not events.
    pub(crate) fn bytes_left(&self) -> usize {
        self.bytes.len()
    }
}

fn number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..u64::BITS).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let bits = u64::from(byte & 0x7F);
        if bits << shift >> shift != bits {
            return None;
        }
        number |= bits << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

impl Iterator for Events<'_> {
    type Item = (u64, Event);

    #[inline]
    fn next(&mut self) -> Option<(u64, Event)> {
        let mut bytes = self.bytes;
        let first = number(&mut bytes)?;
        let event = Event::of(first & ((1 << KIND_BITS) - 1), || number(&mut bytes))?;
        self.bytes = bytes;
        Some((first >> KIND_BITS, event))
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_as_they_were_added() {
        let events = [
            (0, Event::Run),
            (127, Event::Fork { site: u32::MAX }),
            (128, Event::Second),
            (1 << 40, Event::Join),
            (7, Event::Open),
            (1, Event::Spawn { scope: 1, site: 300 }),
            (16_383, Event::Begin { task: 0 }),
            (u64::MAX >> 4, Event::End),
            (2, Event::Close),
            (3, Event::Post { key: u64::MAX }),
            (3, Event::Wait { key: 1 << 63 }),
            (4, Event::EndRun),
        ];
        let mut log = Log::default();
        events.iter().for_each(|&(ns, event)| log.add(ns, event));
        assert_eq!(Log::from_bytes(log.bytes().to_vec()).iter().collect::<Vec<_>>(), events);
        for end in 0..log.len() {
            let cut = Log::from_bytes(log.bytes()[..end].to_vec());
            let read: Vec<_> = cut.iter().collect();
            assert_eq!(read, events[..read.len()], "cut at {end}");
        }
    }

    #[test]
    fn bytes_that_are_not_events_end_the_log() {
        for bytes in [vec![0x80; 40], vec![0xFF; 40], vec![15], vec![5], vec![0, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]] {
            let log = Log::from_bytes(bytes);
            let mut events = log.iter();
            assert_eq!(events.next(), None);
            assert_eq!(events.bytes_left(), log.len());
        }
    }
}
