//! Spanning trees on virtual workers with a virtual time, to see how the forms scale beyond this machine.
//!
//! The graph is real, and so are claims and stages: what a worker finds depends on what others have claimed before,
//! in virtual time. Each edge that is looked at takes a time, and so does each claimed vertex, each look for work and
//! each steal. Not there: caches, bandwidth, threads that share a core, and claims of one vertex at the same moment.

use super::rows::Rows;
use filch_graph::Vertex;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::mem;
use std::ops::Range;

/// What a worker goes on with, and what a thief gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// A worker goes on with the vertex that it has found. A thief gets the oldest call with what is left of its row,
    /// as in Cilk.
    WorkFirst,
    /// The same, but a thief gets the upper half of what is left, and its victim answers, as in Tascell.
    Halves,
    /// A worker leaves the vertex to others, and goes on with its row (Guo, Barik, Raman and Sarkar 2009).
    HelpFirst,
    /// The same, but a vertex may be got twice (Michael, Vechev and Saraswat 2009).
    Idempotent,
}

/// What happens at the bound on the depth of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// There is none.
    None,
    /// What is deeper waits for the next stage.
    Stages(usize),
    /// What is deeper is visited by one worker with a stack of its own.
    Serial(usize),
}

/// How long things take, in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// An edge that is looked at.
    pub edge: u64,
    /// A vertex that is claimed, and the call for it.
    pub call: u64,
    /// A look at another worker; while nothing is found, each lasts twice as long as the one before, up to 2 µs.
    pub look: u64,
    /// A steal, for the thief and for a victim that answers.
    pub steal: u64,
    /// The time between two stages.
    pub stage: u64,
}

/// The longest time between two looks.
const MOST_PAUSE_NS: u64 = 2_000;

/// How long a thief may not see what an owner does without a fence. So long its store may wait in the store buffer, and
/// then undoes what the thief has done meanwhile.
const INVISIBLE_NS: u64 = 10;

/// What has happened in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Course {
    /// T_P.
    pub time_ns: u64,
    /// The time of a serial traversal with a stack: that of all edges.
    pub serial_ns: u64,
    /// Vertices of the tree.
    pub vertices: usize,
    /// Stages after the first.
    pub stages: usize,
    /// Vertices that waited for one.
    pub overflowed: usize,
    /// Steals.
    pub steals: usize,
    /// The largest number of calls that waited on a worker at the same time.
    pub deepest: usize,
    /// Calls that two workers have got.
    pub twice: usize,
    /// Vertices that the largest part below the bound has found, which one worker does alone.
    pub largest_serial: usize,
}

/// What is left of a row, with `below` levels of calls below it, or none if it is serial.
#[derive(Clone, Copy)]
struct Call<P> {
    place: P,
    len: usize,
    below: Option<usize>,
}

#[derive(Clone)]
enum Work<P> {
    Call(Call<P>),
    /// Vertices of the stage.
    Waiting(Range<usize>),
}

struct Worker<R: Rows> {
    now: Option<Work<R::Place>>,
    /// The oldest first.
    left: VecDeque<Work<R::Place>>,
    /// The stack of a serial part, and how many vertices the part has found.
    own: Vec<R::Vertex>,
    serial: usize,
    pause_ns: u64,
    /// What answers to thieves have taken.
    owes_ns: u64,
    /// When it has last changed what is left.
    changed_ns: u64,
}

/// A run on virtual workers.
struct Run<'g, R: Rows> {
    rows: &'g R,
    sharing: Sharing,
    bound: Bound,
    times: Times,
    is_claimed: Vec<bool>,
    team: Vec<Worker<R>>,
    /// How many have work.
    busy: usize,
    waiting: Vec<R::Vertex>,
    overflow: Vec<R::Vertex>,
    course: Course,
}

/// Builds the tree of `root`, which must be a vertex, on virtual workers. Equal seeds give equal runs. Work:
/// O((n + m) log p), and what idle workers look for. Memory: O(n).
///
/// # Panics
///
/// Panics if there is no worker.
pub fn grow_virtually<R: Rows>(
    rows: &R,
    root: R::Vertex,
    (sharing, bound, times): (Sharing, Bound, Times),
    workers: usize,
    seed: u64,
) -> Course {
    let worker = |_| Worker {
        now: None,
        left: VecDeque::new(),
        own: Vec::new(),
        serial: 0,
        pause_ns: times.look,
        owes_ns: 0,
        changed_ns: 0,
    };
    let mut run = Run {
        rows,
        sharing,
        bound,
        times,
        is_claimed: vec![false; rows.num_rows()],
        team: (0..workers).map(worker).collect(),
        busy: 1,
        waiting: vec![root],
        overflow: Vec::new(),
        course: Course::default(),
    };
    run.claim(root);
    run.team[0].now = Some(Work::Waiting(0..1));
    let mut draws = fastrand::Rng::with_seed(seed);
    let mut agenda: BinaryHeap<_> = (0..workers).map(|worker| Reverse((0, worker))).collect();
    while let Some(Reverse((now, worker))) = agenda.pop() {
        let later = if run.team[worker].now.is_some() {
            run.step(worker, now)
        } else {
            let victim = (worker + draws.usize(1..workers.max(2))) % workers;
            run.look(worker, victim, now)
        };
        match later {
            Some(later) => agenda.push(Reverse((later, worker))),
            None => break,
        }
    }
    run.course
}

impl<R: Rows> Run<'_, R> {
    fn claim(&mut self, v: R::Vertex) {
        self.is_claimed[v.index()] = true;
        self.course.vertices += 1;
        self.course.serial_ns += self.rows.row_len(v) as u64 * self.times.edge;
    }

    fn call(&self, v: R::Vertex, below: Option<usize>) -> Work<R::Place> {
        Work::Call(Call { place: self.rows.first(v), len: self.rows.row_len(v), below })
    }

    /// A worker goes on until it has found a vertex, or its row ends. Returns when that will be, or `None` if the tree
    /// is complete.
    fn step(&mut self, me: usize, now: u64) -> Option<u64> {
        let mut ns = mem::take(&mut self.team[me].owes_ns);
        match self.team[me].now.take() {
            Some(Work::Waiting(Range { start, end })) => {
                if start + 1 < end {
                    self.leave(me, Work::Waiting(start + 1..end), now);
                }
                let below = match self.bound {
                    Bound::None => usize::MAX,
                    Bound::Stages(depth) => depth,
                    // The paper's first calls are at depth 1.
                    Bound::Serial(depth) => depth.saturating_sub(1),
                };
                self.team[me].now = Some(self.call(self.waiting[start], Some(below)));
            }
            Some(Work::Call(mut call)) => {
                let mut found = None;
                while found.is_none() && call.len > 0 {
                    let v = self.rows.vertex(call.place);
                    call.len -= 1;
                    if call.len > 0 {
                        call.place = self.rows.after(call.place);
                    }
                    ns += self.times.edge;
                    found = (!self.is_claimed[v.index()]).then_some(v);
                }
                if let Some(v) = found {
                    ns += self.times.call;
                    self.claim(v);
                    self.found(me, v, call, now);
                }
            }
            None => {}
        }
        if self.team[me].now.is_none() {
            self.go_on(me, now);
        }
        let is_over = self.busy == 0;
        if is_over && !self.next_stage(me) {
            self.course.time_ns = now + ns;
            return None;
        }
        Some(now + ns + if is_over { self.times.stage } else { 0 })
    }

    /// Gives the vertices that wait to a worker, if there are any.
    fn next_stage(&mut self, me: usize) -> bool {
        self.waiting = mem::take(&mut self.overflow);
        let count = self.waiting.len();
        if count > 0 {
            self.course.stages += 1;
            self.course.overflowed += count;
            self.team[me].now = Some(Work::Waiting(0..count));
            self.busy = 1;
        }
        count > 0
    }

    /// What a worker does about a vertex that it has claimed.
    fn found(&mut self, me: usize, v: R::Vertex, call: Call<R::Place>, now: u64) {
        let is_left = call.len > 0;
        match (call.below, self.bound) {
            (None, _) => {
                self.team[me].own.push(v);
                self.team[me].serial += 1;
                self.team[me].now = Some(Work::Call(call));
            }
            (Some(0), Bound::Stages(_)) => {
                self.overflow.push(v);
                self.team[me].now = Some(Work::Call(call));
            }
            (Some(below), _) => {
                let child = self.call(v, below.checked_sub(1));
                let (here, left) = match self.sharing {
                    Sharing::WorkFirst | Sharing::Halves => (child, is_left.then_some(Work::Call(call))),
                    Sharing::HelpFirst | Sharing::Idempotent => (Work::Call(call), Some(child)),
                };
                self.team[me].now = Some(here);
                if let Some(left) = left {
                    self.leave(me, left, now);
                }
            }
        }
    }

    fn leave(&mut self, me: usize, work: Work<R::Place>, now: u64) {
        let worker = &mut self.team[me];
        worker.left.push_back(work);
        worker.changed_ns = now;
        self.course.deepest = self.course.deepest.max(worker.left.len());
    }

    /// Takes the newest of what is left to a worker.
    fn go_on(&mut self, me: usize, now: u64) {
        let worker = &mut self.team[me];
        if let Some(v) = worker.own.pop() {
            self.team[me].now = Some(self.call(v, None));
            return;
        }
        self.course.largest_serial = self.course.largest_serial.max(mem::take(&mut worker.serial));
        worker.now = worker.left.pop_back();
        worker.changed_ns = now;
        worker.pause_ns = self.times.look;
        self.busy -= usize::from(worker.now.is_none());
    }

    /// An idle worker looks at another one. Returns when it goes on.
    fn look(&mut self, me: usize, victim: usize, now: u64) -> Option<u64> {
        let Some(work) = self.steal(victim, now) else {
            let pause_ns = self.team[me].pause_ns;
            self.team[me].pause_ns = (2 * pause_ns).min(MOST_PAUSE_NS);
            return Some(now + pause_ns);
        };
        self.course.steals += 1;
        self.busy += 1;
        self.team[me].now = Some(work);
        Some(now + self.times.look + self.times.steal)
    }

    fn steal(&mut self, victim: usize, now: u64) -> Option<Work<R::Place>> {
        let (rows, halves) = (self.rows, self.sharing == Sharing::Halves);
        let Worker { now: current, left, owes_ns, changed_ns, .. } = &mut self.team[victim];
        let oldest = left.front_mut().or(if halves { current.as_mut() } else { None })?;
        let half = match oldest {
            Work::Waiting(range) if range.len() > 1 => {
                let middle = range.start + range.len() / 2;
                Some(Work::Waiting(middle..mem::replace(&mut range.end, middle)))
            }
            Work::Call(call) if halves && call.len > 1 && call.below.is_some() => {
                let keeps = call.len / 2;
                let len = call.len - keeps;
                call.len = keeps;
                Some(Work::Call(Call { place: rows.skip(call.place, keeps), len, ..*call }))
            }
            _ if self.sharing == Sharing::Idempotent && now < *changed_ns + INVISIBLE_NS => {
                self.course.twice += 1;
                Some(oldest.clone())
            }
            _ => None,
        };
        let work = half.or_else(|| left.pop_front())?;
        *owes_ns += if halves { self.times.steal } else { 0 };
        Some(work)
    }
}
