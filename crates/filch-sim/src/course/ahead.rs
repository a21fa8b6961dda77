//! The future of a course: when it stops next, and when others will see something new.

use super::{Course, Cursor, Entry};
use crate::program::{Node, Program, Shape};

impl Course {
    /// When the course stops next if nothing interferes, or an earlier time at which it will have made progress.
    /// Unknown sizes are underestimated.
    pub(crate) fn next_stop(&mut self, program: &dyn Program, fork_ns: u64) -> u64 {
        if self.is_noticed() || self.stops_to_touch {
            return self.walk(program, fork_ns);
        }
        let down_to = self.oldest.filter(|_| self.is_guarded).map_or(self.floor, |oldest| oldest + 1);
        self.least_until(down_to, program, fork_ns)
    }

    /// The earliest time at which others can find a frame, or find that there is none any more.
    pub(crate) fn next_change(&mut self, program: &dyn Program, fork_ns: u64) -> u64 {
        match self.oldest {
            Some(oldest) => self.least_until(oldest + 1, program, fork_ns),
            None => self.walk(program, fork_ns),
        }
    }

    /// The earliest time at which the worker can be back at the entry below `place`.
    fn least_until(&self, place: usize, program: &dyn Program, fork_ns: u64) -> u64 {
        let begun = match self.cursor {
            Cursor::Begin(node) => least_of_begun(program, fork_ns, node),
            Cursor::Touched(node, misses_ns) => least_of_begun(program, fork_ns, node) + misses_ns,
            Cursor::AtFork(first, second) => least(program, fork_ns, first) + least(program, fork_ns, second),
            Cursor::Return => 0,
        };
        let later = self.entries[place..].iter().map(|entry| match *entry {
            Entry::Latent(node) | Entry::After(node) => least(program, fork_ns, node),
            _ => 0,
        });
        self.clock_ns + begun + later.sum::<u64>()
    }

    /// Walks ahead to the next return to a frame, or to the next fork if there is no frame, or to the end.
    fn walk(&mut self, program: &dyn Program, fork_ns: u64) -> u64 {
        let (mut time_ns, mut cursor, mut place) = (self.clock_ns, self.cursor, self.entries.len());
        // The second branches of forks are `None`: the walk ends where it comes back to one.
        self.scratch.clear();
        loop {
            match cursor {
                Cursor::AtFork(first, _) => {
                    if self.oldest.is_none() || self.divides(program, first) {
                        return time_ns;
                    }
                    self.scratch.push(None);
                    cursor = Cursor::Begin(first);
                }
                Cursor::Touched(node, misses_ns) => {
                    let work_ns;
                    (work_ns, cursor) = self.open_ahead(program, fork_ns, node);
                    time_ns += work_ns + misses_ns;
                }
                Cursor::Begin(node) => {
                    if self.touches(program, node) {
                        return time_ns;
                    }
                    if let Some(extent) = program.extent(node).filter(|extent| extent.forks == 0) {
                        (time_ns, cursor) = (time_ns + extent.work_ns, Cursor::Return);
                        continue;
                    }
                    let work_ns;
                    (work_ns, cursor) = self.open_ahead(program, fork_ns, node);
                    time_ns += work_ns;
                }
                Cursor::Return => match self.scratch.pop() {
                    Some(Some(node)) => cursor = Cursor::Begin(node),
                    Some(None) => return time_ns,
                    None => {
                        place = place.wrapping_sub(1);
                        match self.entries.get(place) {
                            Some(&Entry::After(node)) => cursor = Cursor::Begin(node),
                            Some(Entry::Join(_)) => {}
                            _ => return time_ns,
                        }
                    }
                },
            }
        }
    }

    /// A step of that walk: how long the work of a node takes, and where the worker is then.
    fn open_ahead(&mut self, program: &dyn Program, fork_ns: u64, node: Node) -> (u64, Cursor) {
        match program.open(node) {
            Shape::Leaf { work_ns } => (work_ns, Cursor::Return),
            Shape::Tail { work_ns, next } => (work_ns, Cursor::Begin(next)),
            Shape::Fork { work_ns, first, second } => (work_ns + fork_ns, Cursor::AtFork(first, second)),
            Shape::Then { work_ns, first, then } => {
                self.scratch.push(Some(then));
                (work_ns, Cursor::Begin(first))
            }
        }
    }
}

/// How long a node takes at least.
fn least(program: &dyn Program, fork_ns: u64, node: Node) -> u64 {
    program.extent(node).map_or_else(|| program.least_ns(node), |extent| extent.total_ns(fork_ns))
}

/// The least time that a node which has begun still takes. Its own work is over then, so there is progress.
fn least_of_begun(program: &dyn Program, fork_ns: u64, node: Node) -> u64 {
    if let Some(extent) = program.extent(node) {
        return extent.total_ns(fork_ns);
    }
    let least = |node| least(program, fork_ns, node);
    match program.open(node) {
        Shape::Leaf { work_ns } => work_ns,
        Shape::Tail { work_ns, next } => work_ns + least(next),
        Shape::Fork { work_ns, first, second } => work_ns + fork_ns + least(first) + least(second),
        Shape::Then { work_ns, first, then } => work_ns + least(first) + least(then),
    }
}
