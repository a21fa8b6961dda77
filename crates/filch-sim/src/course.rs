//! The course of a busy worker: its ladder of virtual frames, and its position in the program.
//!
//! A worker causes no events while no other worker looks at it. Its course is not updated until one does, and is then
//! [moved](Course::advance) to the present in one step, which skips whole subtrees whose size is known. The course
//! stops where it concerns others: at a return that must check whether the bound E is raised, at a fork whose slot is
//! marked, and where the rest belongs to another worker. [`Course::next_stop`] says when that is. So the cost of a
//! simulation depends on how often work is shared, not on how much work there is.

mod ahead;

use crate::claims::ClaimId;
use crate::program::{Extent, Node, Program, Shape};
use filch_policy::Tier;

/// Something that a worker comes back to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entry {
    /// A frame of the ladder: the second branch of a fork, which no worker has begun.
    Latent(Node),
    /// The continuation of a node, which no other worker can get.
    After(Node),
    /// A frame that has left the ladder.
    Gone(ClaimId),
    /// The worker returns from a frame that it has taken back. The other path to its join had this length.
    Join(u64),
    /// The same for an inter-socket task; the worker goes up to this tier then.
    Rise(Tier, u64),
    /// The worker waits for this, and helps meanwhile. Its own path has this length.
    Waits(ClaimId, u64),
    /// The bottom of a task that the worker got from another one.
    Base(ClaimId),
}

/// Where a worker is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cursor {
    /// It begins this node at the time of its clock.
    Begin(Node),
    /// It has begun this node, whose work takes this much longer because of misses.
    Touched(Node, u64),
    /// It is about to show the second branch to others.
    AtFork(Node, Node),
    /// It comes back to what it has entered last.
    Return,
}

/// Why a course stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It is about to remove a frame, and has found E raised.
    Return,
    /// It is about to begin a node that touches memory.
    Touch,
    /// It is about to show a frame, and has found a mark.
    Fork,
    /// What it comes back to is not its own.
    End,
}

/// The mark in the slot of the next frame, if the ladder is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// The run has not forked yet.
    Closed,
    /// A sleeping thread wants to be called.
    Watched,
    /// The frame is to be shared at once.
    Eager,
}

/// What has been run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Done {
    pub(crate) extent: Extent,
    /// The length of the path to the present, through everything that had to come first.
    pub(crate) path_ns: u64,
}

/// The course of a worker.
#[repr(C)]
pub(crate) struct Course {
    /// The time up to which the activity of the worker is known.
    pub(crate) clock_ns: u64,
    pub(crate) cursor: Cursor,
    /// The place of the oldest frame that others can get.
    oldest: Option<usize>,
    /// Whether E is above all frames, because of an ask or a beat.
    pub(crate) is_raised: bool,
    /// Whether E is above the oldest frame, because a thread watches or takes.
    pub(crate) is_guarded: bool,
    pub(crate) mark: Option<Mark>,
    /// Whether it stops at nodes that touch memory.
    pub(crate) stops_to_touch: bool,
    /// Whether it stops at forks that divide a range which is divided again and again.
    pub(crate) stops_to_hand: bool,
    pub(crate) entries: Vec<Entry>,
    /// Entries below this are out of reach for other workers.
    floor: usize,
    pub(crate) done: Done,
    /// Of a walk ahead.
    scratch: Vec<Option<Node>>,
}

impl Course {
    pub(crate) fn new() -> Self {
        Course {
            clock_ns: 0,
            cursor: Cursor::Return,
            entries: Vec::new(),
            floor: 0,
            oldest: None,
            is_raised: false,
            is_guarded: false,
            mark: None,
            stops_to_touch: false,
            stops_to_hand: false,
            done: Done::default(),
            scratch: Vec::new(),
        }
    }

    /// Whether the next fork stays with the worker, as far as marks are concerned.
    pub(crate) fn is_unmarked(&self) -> bool {
        self.mark.is_none() || self.oldest.is_some()
    }

    pub(crate) fn has_frame(&self) -> bool {
        self.oldest.is_some()
    }

    /// The oldest frame below the one that the worker is about to remove.
    pub(crate) fn oldest_but_last(&self) -> Option<usize> {
        self.oldest.filter(|&oldest| oldest + 1 < self.entries.len())
    }

    /// The places of the frames that others can get, the oldest first.
    pub(crate) fn frames(&self) -> impl DoubleEndedIterator<Item = usize> {
        let from = self.oldest.unwrap_or(self.entries.len());
        (from..self.entries.len()).filter(|&place| matches!(self.entries[place], Entry::Latent(_)))
    }

    /// The oldest frame, if a taker can still have it: the worker is not removing it.
    pub(crate) fn takeable(&self) -> bool {
        let removes =
            matches!(self.cursor, Cursor::Return) && self.oldest.is_some_and(|it| it + 1 == self.entries.len());
        self.oldest.is_some() && !removes
    }

    /// Begins a task at the top.
    pub(crate) fn begin(&mut self, claim: ClaimId, node: Node, path_ns: u64, at_ns: u64) {
        self.entries.push(Entry::Base(claim));
        (self.clock_ns, self.cursor) = (at_ns, Cursor::Begin(node));
        self.done.path_ns = path_ns;
        (self.is_raised, self.is_guarded, self.mark) = (false, false, None);
        self.reach();
    }

    /// Takes the frame at `place` off the ladder for `claim`. Returns its branch.
    pub(crate) fn remove(&mut self, place: usize, claim: ClaimId) -> Node {
        let Entry::Latent(node) = self.entries[place] else { unreachable!("only frames leave") };
        self.entries[place] = Entry::Gone(claim);
        self.reach();
        node
    }

    /// Enters a frame that is given to others immediately, and continues with the first branch.
    pub(crate) fn enter_shared(&mut self, first: Node, claim: ClaimId) {
        self.entries.push(Entry::Gone(claim));
        self.cursor = Cursor::Begin(first);
        self.reach();
    }

    /// Runs the branch of an inter-socket task that no worker has begun.
    pub(crate) fn enter_across(&mut self, node: Node, above: Tier, path_ns: u64) {
        self.entries.push(Entry::Rise(above, path_ns));
        self.cursor = Cursor::Begin(node);
        self.reach();
    }

    /// Enters a frame, and goes on with the first branch.
    pub(crate) fn enter(&mut self, first: Node, second: Node) {
        self.oldest.get_or_insert(self.entries.len());
        self.entries.push(Entry::Latent(second));
        self.cursor = Cursor::Begin(first);
    }

    /// Removes the last entry, which was not the worker's own.
    pub(crate) fn pop_foreign(&mut self) -> Option<Entry> {
        let last = self.entries.pop();
        self.cursor = Cursor::Return;
        self.reach();
        last
    }

    /// Continues after a check of a raised E: removes the last frame, and begins its branch.
    pub(crate) fn resume(&mut self) {
        if let Some(&Entry::Latent(node)) = self.entries.last() {
            self.drop_last(node);
        }
    }

    fn drop_last(&mut self, node: Node) {
        self.entries.pop();
        self.cursor = Cursor::Begin(node);
        if self.oldest == Some(self.entries.len()) {
            self.oldest = None;
        }
    }

    /// Finds out anew what others can reach.
    fn reach(&mut self) {
        let is_border =
            |entry: &Entry| matches!(entry, Entry::Gone(_) | Entry::Rise(..) | Entry::Base(_) | Entry::Waits(..));
        self.floor = self.entries.iter().rposition(is_border).map_or(0, |place| place + 1);
        let is_frame = |entry: &Entry| matches!(entry, Entry::Latent(_));
        self.oldest = self.entries[self.floor..].iter().position(is_frame).map(|place| place + self.floor);
    }

    /// Loses time to something that is not in the program.
    pub(crate) fn delay(&mut self, ns: u64) {
        self.clock_ns += ns;
    }

    fn works(&mut self, ns: u64) {
        self.clock_ns += ns;
        self.done.path_ns += ns;
    }

    /// Whether the worker stops before it runs all of a node with forks.
    fn is_noticed(&self) -> bool {
        self.is_raised || self.mark.is_some() && self.oldest.is_none()
    }

    /// Moves on to `until_ns`, or to the next stop before.
    pub(crate) fn advance(&mut self, program: &dyn Program, fork_ns: u64, until_ns: u64) -> Option<Stop> {
        while self.clock_ns <= until_ns {
            match self.cursor {
                Cursor::Begin(node) => {
                    if let Some(extent) = program.extent(node)
                        && (extent.forks == 0 || !self.is_noticed())
                        && self.clock_ns + extent.total_ns(fork_ns) <= until_ns
                    {
                        self.works(extent.total_ns(fork_ns));
                        self.done.extent = self.done.extent.and(extent);
                        self.cursor = Cursor::Return;
                        continue;
                    }
                    if self.touches(program, node) {
                        return Some(Stop::Touch);
                    }
                    if !self.open(program, fork_ns, node, 0, until_ns) {
                        return None;
                    }
                }
                Cursor::Touched(node, misses_ns) => {
                    if !self.open(program, fork_ns, node, misses_ns, until_ns) {
                        return None;
                    }
                }
                Cursor::AtFork(first, second) => {
                    if self.mark.is_some() && self.oldest.is_none() || self.divides(program, first) {
                        return Some(Stop::Fork);
                    }
                    self.enter(first, second);
                }
                Cursor::Return => match self.entries.last() {
                    Some(&Entry::After(node)) => self.drop_last(node),
                    Some(&Entry::Join(path_ns)) => {
                        self.entries.pop();
                        self.done.path_ns = self.done.path_ns.max(path_ns);
                    }
                    Some(&Entry::Latent(node)) => {
                        let is_oldest = self.oldest == Some(self.entries.len() - 1);
                        if self.is_raised || self.is_guarded && is_oldest {
                            return Some(Stop::Return);
                        }
                        self.drop_last(node);
                    }
                    _ => return Some(Stop::End),
                },
            }
        }
        None
    }

    /// Whether it stops before it begins this node.
    fn touches(&self, program: &dyn Program, node: Node) -> bool {
        self.stops_to_touch && program.touches(node).iter().any(|touch| !touch.is_nothing())
    }

    /// Whether it stops at a fork with this first branch, so that the other one may be handed to another worker.
    fn divides(&self, program: &dyn Program, first: Node) -> bool {
        self.stops_to_hand && program.share(first).is_some()
    }

    /// Does the work of a node, which takes this much longer because of misses, and continues if it is over at
    /// `until_ns`.
    fn open(&mut self, program: &dyn Program, fork_ns: u64, node: Node, misses_ns: u64, until_ns: u64) -> bool {
        let (shape, forks, leaves) = match program.open(node) {
            shape @ Shape::Leaf { .. } => (shape, 0, 1),
            shape @ Shape::Fork { .. } => (shape, 1, 0),
            shape => (shape, 0, 0),
        };
        let (Shape::Leaf { work_ns }
        | Shape::Tail { work_ns, .. }
        | Shape::Fork { work_ns, .. }
        | Shape::Then { work_ns, .. }) = shape;
        let ns = work_ns + misses_ns + forks * fork_ns;
        if self.clock_ns + ns > until_ns {
            return false;
        }
        self.works(ns);
        self.done.extent = self.done.extent.and(Extent { work_ns, forks, leaves });
        self.cursor = match shape {
            Shape::Leaf { .. } => Cursor::Return,
            Shape::Tail { next, .. } => Cursor::Begin(next),
            Shape::Fork { first, second, .. } => Cursor::AtFork(first, second),
            Shape::Then { first, then, .. } => {
                self.entries.push(Entry::After(then));
                Cursor::Begin(first)
            }
        };
        true
    }
}
