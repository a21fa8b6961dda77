//! A recording as a tree of forks, as simulators read it. Inline, so that it is compiled in programs that simulate.
//!
//! The branches of a fork are its branches. A scope becomes forks, too: from each spawn on, what comes after it is one
//! branch and the task another. So the task is awaited where the strand ends that spawned it, at the latest at the end
//! of the scope. Scopes with thousands of tasks are forked in halves, so that forks do not nest thousands deep. What
//! waits for a task elsewhere does not wait in the tree.

use crate::engine::profile::log::{Event, Log};

/// Work without a fork in it, and how it ends. The segments of a branch come one after another; a fork is followed by
/// the segments of its first branch, those of its second branch, and what comes after the join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// How long the work took.
    pub work_ns: u64,
    /// Whether it forks. Otherwise its branch ends, or the program.
    pub forks: bool,
}

/// Scopes with more tasks in one strand are forked in halves.
const MOST_IN_A_ROW: usize = 256;

/// Forks that are nested more deeply are work without forks.
const MOST_NESTED: usize = 1000;

/// What a strand does, one after the other. Indices are those of other strands.
#[derive(Clone, Copy, Debug)]
enum Piece {
    Work(u64),
    Fork(u32, u32),
    Spawn(u32),
    /// The strand of a scope.
    Scope(u32),
}

/// The tree of these runs, one after the other. The log has been found to be one.
pub(super) fn of<'l>(logs: impl Iterator<Item = &'l Log>) -> Vec<Segment> {
    let (mut segments, mut work_ns) = (Vec::new(), 0);
    for log in logs {
        let strands = strands(log);
        let mut writer = Writer { strands: &strands, segments, work_ns, depth: 0 };
        writer.inside(&strands[0]);
        Writer { segments, work_ns, .. } = writer;
    }
    segments.push(Segment { work_ns, forks: false });
    segments
}

/// The strands of a log, the one of its runs first.
#[inline]
fn strands(log: &Log) -> Vec<Vec<Piece>> {
    let mut strands = vec![Vec::new()];
    let (mut here, mut outer, mut tasks): (usize, Vec<usize>, Vec<u32>) = (0, Vec::new(), Vec::new());
    for (ns, event) in log.iter() {
        if ns > 0 {
            strands[here].push(Piece::Work(ns));
        }
        let mut new = || {
            strands.push(Vec::new());
            strands.len() - 1
        };
        match event {
            Event::Fork { .. } => {
                let (first, second) = (new(), new());
                strands[here].push(Piece::Fork(first as u32, second as u32));
                outer.push(here);
                here = first;
            }
            Event::Second => here += 1,
            Event::Open => {
                let inner = new();
                strands[here].push(Piece::Scope(inner as u32));
                outer.push(here);
                here = inner;
            }
            Event::Spawn { .. } => {
                let task = new() as u32;
                strands[here].push(Piece::Spawn(task));
                tasks.push(task);
            }
            Event::Begin { task } => {
                outer.push(here);
                here = tasks[task as usize] as usize;
            }
            Event::Join | Event::Close | Event::End => here = outer.pop().unwrap_or(0),
            Event::Post { .. } | Event::Wait { .. } | Event::Run | Event::EndRun => {}
        }
    }
    strands
}

#[derive(Debug)]
struct Writer<'s> {
    strands: &'s [Vec<Piece>],
    segments: Vec<Segment>,
    /// Work since the last segment.
    work_ns: u64,
    /// How many forks and scopes are open.
    depth: usize,
}

impl<'s> Writer<'s> {
    #[inline]
    fn end(&mut self, forks: bool) {
        self.segments.push(Segment { work_ns: std::mem::take(&mut self.work_ns), forks });
    }

    #[inline]
    fn fork(&mut self, first: &'s [Piece], second: &'s [Piece]) {
        self.end(true);
        self.inside(first);
        self.end(false);
        self.inside(second);
        self.end(false);
    }

    #[inline]
    fn inside(&mut self, pieces: &'s [Piece]) {
        self.depth += 1;
        if self.depth < MOST_NESTED {
            self.strand(pieces)
        } else {
            self.add_all(pieces)
        }
        self.depth -= 1;
    }

    #[inline]
    fn strand(&mut self, pieces: &'s [Piece]) {
        let spawns = pieces.iter().filter(|piece| matches!(piece, Piece::Spawn(_))).count();
        for (i, &piece) in pieces.iter().enumerate() {
            match piece {
                Piece::Work(ns) => self.work_ns = self.work_ns.saturating_add(ns),
                Piece::Scope(inner) => self.inside(&self.strands[inner as usize]),
                Piece::Fork(first, second) => {
                    self.fork(&self.strands[first as usize], &self.strands[second as usize]);
                }
                Piece::Spawn(_) if spawns > MOST_IN_A_ROW => {
                    // The half of the pieces from here on, each with what comes between.
                    let rest = &pieces[i..];
                    let (former, latter) = rest.split_at(half(rest, spawns));
                    return self.fork(former, latter);
                }
                Piece::Spawn(task) => return self.fork(&pieces[i + 1..], &self.strands[task as usize]),
            }
        }
    }

    /// Adds all work of these pieces, and of those inside.
    #[inline]
    fn add_all(&mut self, pieces: &'s [Piece]) {
        let mut left = vec![pieces];
        while let Some(pieces) = left.pop() {
            for piece in pieces {
                match *piece {
                    Piece::Work(ns) => self.work_ns = self.work_ns.saturating_add(ns),
                    Piece::Scope(strand) | Piece::Spawn(strand) => left.push(&self.strands[strand as usize]),
                    Piece::Fork(first, second) => {
                        left.extend([first, second].map(|strand| self.strands[strand as usize].as_slice()));
                    }
                }
            }
        }
    }
}

/// Where half of the spawns are over.
#[inline]
fn half(pieces: &[Piece], spawns: usize) -> usize {
    let spawned = pieces.iter().enumerate().filter(|(_, piece)| matches!(piece, Piece::Spawn(_)));
    spawned.map(|(at, _)| at).nth(spawns / 2).unwrap_or(pieces.len())
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn segments(events: &[(u64, Event)]) -> Vec<(u64, bool)> {
        let mut log = Log::default();
        events.iter().for_each(|&(ns, event)| log.add(ns, event));
        of([&log].into_iter()).into_iter().map(|segment| (segment.work_ns, segment.forks)).collect()
    }

    #[test]
    fn forks_are_forks() {
        let events = [
            (0, Event::Run),
            (1, Event::Fork { site: 0 }),
            (2, Event::Fork { site: 0 }),
            (3, Event::Second),
            (4, Event::Join),
            (5, Event::Second),
            (6, Event::Join),
            (7, Event::EndRun),
        ];
        let expected = [(1, true), (2, true), (3, false), (4, false), (5, false), (6, false), (7, false)];
        assert_eq!(segments(&events), expected);
    }

    #[test]
    fn a_task_is_a_branch_beside_what_comes_after_its_spawn() {
        let events = [
            (0, Event::Run),
            (1, Event::Open),
            (2, Event::Spawn { scope: 1, site: 0 }),
            (3, Event::Spawn { scope: 1, site: 0 }),
            (4, Event::Begin { task: 1 }),
            (5, Event::End),
            (0, Event::Begin { task: 0 }),
            (6, Event::End),
            (0, Event::Close),
            (7, Event::EndRun),
        ];
        let expected = [(3, true), (3, true), (4, false), (5, false), (0, false), (6, false), (7, false)];
        assert_eq!(segments(&events), expected);
    }

    #[test]
    #[cfg_attr(miri, ignore = "slow there, and without unsafe code")]
    fn no_work_is_lost_and_forks_do_not_nest_deeply_whatever_is_spawned() {
        let mut events = vec![(0, Event::Run), (1, Event::Open)];
        events.extend((0..5000).map(|_| (1, Event::Spawn { scope: 1, site: 0 })));
        events.extend((0..5000).flat_map(|task| [(0, Event::Begin { task }), (10, Event::End)]));
        events.push((0, Event::Close));
        events.extend((0..3000).map(|_| (1, Event::Fork { site: 0 })));
        events.extend((0..3000).flat_map(|_| [(1, Event::Second), (1, Event::Join)]));
        events.push((1, Event::EndRun));
        let segments = segments(&events);
        assert_eq!(segments.iter().map(|segment| segment.0).sum::<u64>(), 55_002 + 9_000);
        // For each open fork, whether its second branch is under way.
        let (mut open, mut depth) = (vec![], 0);
        for (i, &(_, forks)) in segments.iter().enumerate() {
            if forks {
                open.push(false);
                depth = depth.max(open.len());
            } else if let Some(is_second) = open.last_mut() {
                if std::mem::replace(is_second, true) {
                    open.pop();
                }
            } else {
                assert_eq!(i + 1, segments.len(), "the end of the program");
            }
        }
        assert!(depth <= MOST_NESTED && open.is_empty(), "{depth}, {} open", open.len());
    }
}
