//! A runtime that records the tree of forks of a program, with times.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::time::{Duration, Instant};

use super::items::Items;
use super::token::{Runtime, Token};

/// Runs everything in order, and tells a listener what it meets.
///
/// One worker never shares, so what it meets in order is the tree of forks, whichever runtime the program will run on.
/// A loop is recorded as a tree of joins over [`MOST_BLOCKS`] blocks of iterations, or over its iterations if they are
/// fewer: runtimes divide loops as they need, and a time for each of many short bodies would be the clock's.
///
/// What leaves state that they [touch](Token::touches) is told with the segment that they are in. Noting it takes a few
/// nanoseconds, which count as work.
///
/// The time that the listener takes is not recorded, and neither is that of one look at the clock per segment. What is
/// shorter than this look is not exact.
#[derive(Debug)]
pub enum Recording {}

/// The largest number of blocks of a recorded loop: enough for hundreds of workers.
pub const MOST_BLOCKS: usize = 2048;

/// Work without a fork in it, and how it ends. The segments of a branch come one after another; a fork is followed by
/// the segments of its first branch, those of its second branch, and what comes after the join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment<'t> {
    /// How long the work took.
    pub work_ns: u64,
    /// Whether it forks. Otherwise its branch ends, or the program.
    pub forks: bool,
    /// What the work has read and written, as far as the program says so, in the order in which it says so.
    pub touches: &'t [Touch],
}

/// A range of addresses that a segment reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// The first one.
    pub begin: u64,
    /// The one after the last.
    pub end: u64,
    /// Whether it is written.
    pub writes: bool,
}

/// Who is told the segments.
type Listener<'l> = &'l mut (dyn FnMut(Segment<'_>) + 'l);

/// What a recorded run keeps.
pub struct Recorder<'l> {
    listener: RefCell<Listener<'l>>,
    /// What the present segment has touched so far.
    touches: RefCell<Vec<Touch>>,
    since: Cell<Instant>,
    look: Duration,
}

impl Recording {
    /// Runs `program` and tells `listener` its segments.
    pub fn record(listener: Listener<'_>, program: impl FnOnce(Token<'_, '_, Self>)) {
        let recorder = Recorder {
            listener: RefCell::new(listener),
            touches: RefCell::default(),
            since: Cell::new(Instant::now()),
            look: look_at_clock(),
        };
        recorder.since.set(Instant::now());
        program(Token(&recorder));
        recorder.tell(false);
    }
}

/// What a look at the clock adds to an interval between two of them: the median of many.
fn look_at_clock() -> Duration {
    const LOOKS: usize = 1001;
    let mut looks: Vec<Duration> = (0..LOOKS)
        .map(|_| {
            let begin = Instant::now();
            begin.elapsed()
        })
        .collect();
    looks.sort_unstable();
    looks[LOOKS / 2]
}

impl Recorder<'_> {
    fn tell(&self, forks: bool) {
        let work = self.since.get().elapsed().saturating_sub(self.look);
        let work_ns = work.as_nanos().try_into().unwrap_or(u64::MAX);
        let mut touches = self.touches.borrow_mut();
        (self.listener.borrow_mut())(Segment { work_ns, forks, touches: &touches });
        touches.clear();
        self.since.set(Instant::now());
    }

    fn join<RA, RB>(&self, a: impl FnOnce() -> RA, b: impl FnOnce() -> RB) -> (RA, RB) {
        self.tell(true);
        let a = a();
        self.tell(false);
        let b = b();
        self.tell(false);
        (a, b)
    }

    /// Runs a loop in blocks of at most this many iterations.
    fn blocks<I: Items, T>(&self, items: I, most: usize, run: &dyn Fn(I) -> T, combine: &dyn Fn(T, T) -> T) -> T {
        let length = items.length();
        if length <= most {
            return run(items);
        }
        let (left, right) = items.split_at(length / 2);
        let half = |items| self.blocks(items, most, run, combine);
        let (left, right) = self.join(|| half(left), || half(right));
        combine(left, right)
    }
}

impl Runtime for Recording {
    type Handle<'a, 'b: 'a> = &'a Recorder<'b>;

    fn join<A, B, RA, RB>(recorder: &mut &Recorder<'_>, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(Token<Self>) -> RA + Send,
        B: FnOnce(Token<Self>) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        recorder.join(|| a(Token(*recorder)), || b(Token(*recorder)))
    }

    fn for_each<I, F>(recorder: &mut &Recorder<'_>, items: I, body: F)
    where
        I: Items,
        F: Fn(Token<Self>, I::Item) + Send + Sync,
    {
        let most = items.length().div_ceil(MOST_BLOCKS);
        let run = |items: I| items.in_order().for_each(|item| body(Token(*recorder), item));
        recorder.blocks(items, most, &run, &|(), ()| ());
    }

    fn map_reduce<I, T, N, M, C>(recorder: &mut &Recorder<'_>, items: I, identity: N, map: M, combine: C) -> T
    where
        I: Items,
        T: Send,
        N: Fn() -> T + Send + Sync,
        M: Fn(Token<Self>, I::Item) -> T + Send + Sync,
        C: Fn(T, T) -> T + Send + Sync,
    {
        let most = items.length().div_ceil(MOST_BLOCKS);
        let map = |item| map(Token(*recorder), item);
        let run = |items: I| items.in_order().fold(identity(), |so_far, item| combine(so_far, map(item)));
        recorder.blocks(items, most, &run, &combine)
    }

    fn touches(recorder: &&Recorder<'_>, addresses: Range<usize>, writes: bool) {
        if !addresses.is_empty() {
            let [begin, end] = [addresses.start, addresses.end].map(|address| address as u64);
            recorder.touches.borrow_mut().push(Touch { begin, end, writes });
        }
    }

    fn reborrow<'x, 'b: 'x>(recorder: &'x mut &Recorder<'b>) -> &'x Recorder<'b> {
        recorder
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether each segment forks.
    fn shape(program: impl FnOnce(Token<'_, '_, Recording>)) -> Vec<bool> {
        let mut segments = Vec::new();
        Recording::record(&mut |segment| segments.push(segment.forks), program);
        segments
    }

    #[test]
    fn branches_follow_their_fork_and_what_comes_after_the_join_follows_them() {
        assert_eq!(shape(|_| ()), [false]);
        assert_eq!(shape(|mut t| _ = t.join(|_| (), |_| ())), [true, false, false, false]);
        let nested = shape(|mut t| {
            t.join(|_| (), |mut t| _ = t.join(|_| (), |_| ()));
            t.join(|_| (), |_| ());
        });
        let first = [vec![true, false], vec![true, false, false, false]].concat();
        assert_eq!(nested, [first, vec![true, false, false, false]].concat());
    }

    #[test]
    fn a_loop_is_a_tree_of_joins_over_its_iterations_or_over_blocks_of_them() {
        for (length, blocks) in [(0, 1), (1, 1), (2, 2), (2048, 2048), (4096, 2048), (1 << 20, 2048)] {
            let mut sum = 0;
            let segments = shape(|mut t| {
                t.for_each(0..length, |_, _| ());
                sum = t.sum(0..length, |_, number: usize| number);
            });
            let forks = segments.iter().filter(|&&forks| forks).count();
            assert_eq!(forks, 2 * (blocks - 1), "{length} iterations");
            assert_eq!(segments.len(), 3 * forks + 1, "each fork has three segments after it");
            assert_eq!(sum, length * length.saturating_sub(1) / 2);
        }
    }

    #[test]
    fn what_is_touched_is_told_with_the_segment_in_which_it_is() {
        let numbers = [0_u64; 8];
        let (left, right) = numbers.split_at(3);
        let base = numbers.as_ptr().addr() as u64;
        let mut told = Vec::new();
        let mut listener = |segment: Segment<'_>| {
            let of_bytes = |touch: &Touch| (touch.begin - base, touch.end - base, touch.writes);
            told.push(segment.touches.iter().map(of_bytes).collect::<Vec<_>>());
        };
        Recording::record(&mut listener, |mut t| {
            t.touches([left], []);
            t.join(|t| t.touches([], [right]), |t| t.touches([left, right], [left]));
            t.touches([&numbers[4..4]], []);
        });
        let (left, right) = ((0, 24), (24, 64));
        let read = |(begin, end)| (begin, end, false);
        let written = |(begin, end)| (begin, end, true);
        assert_eq!(
            told,
            [vec![read(left)], vec![written(right)], vec![read(left), read(right), written(left)], vec![]]
        );
    }

    #[test]
    fn the_time_of_the_listener_is_not_recorded() {
        let mut recorded = Duration::ZERO;
        let begin = Instant::now();
        let mut listener = |segment: Segment<'_>| {
            recorded += Duration::from_nanos(segment.work_ns);
            let told = Instant::now();
            while told.elapsed() < Duration::from_millis(1) {}
        };
        Recording::record(&mut listener, |mut t| {
            for _ in 0..10 {
                t.join(|_| (), |_| ());
            }
        });
        // 31 times a millisecond was the listener's, however slow the machine is.
        assert!(recorded + Duration::from_millis(31) <= begin.elapsed(), "{recorded:?}");
    }
}
