//! What protecting a fork from thieves costs its owner, by protocol (Frigo, Leiserson and Randall 1998, section 5).
//! There, the THE protocol is compared with a deque that is locked for every pop, and with and without the owner's
//! fence.
//!
//! The deques are those of figure 4 there, and `fib` runs on each of them in turn, without a thief: what is measured is
//! the cost of forks that are not stolen. The tests run the thief of each protocol.
//!
//! Without the owner's fence, THE is correct only if the thief issues a barrier that makes every running thread execute
//! a fence, as thieves of Filch's ladder do. The thief here does not, so nothing may be stolen from that deque.

use std::cell::Cell;
use std::hint::{black_box, spin_loop};
use std::io::Write;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering, compiler_fence, fence};
use std::time::Instant;

use filch::{Pool, Strand};
use filch_bench::failure::Failure;
use filch_bench::measure::median::Median;
use filch_bench::measure::order::order;
use filch_kernels::fib::{fib, fib_by_doubling};
use filch_kernels::runtime::Filch;

use super::price::frames;

/// As for the parts of a fork: some tenths of a millisecond when run serially.
const N: u64 = 24;
/// Enough for a narrow interval. All rounds together take some tenths of a second.
const ROUNDS: usize = 51;

/// The number of slots: a power of two, so that an index needs no check. `fib` is not that deep.
const SLOTS: usize = 1 << 10;

/// What a fork leaves for a thief.
struct Frame {
    n: Cell<u64>,
}

/// A word in a cache line of its own: H is written by thieves, T by the owner.
#[repr(align(128))]
struct Line<T>(T);

/// The deque of figure 4. T and H grow without end.
///
/// | state | written by |
/// |---|---|
/// | `tail` (T) | the owner |
/// | `head` (H) | the thief that holds `lock` |
/// | `slots` | the owner, before it raises T |
struct Deque {
    tail: Line<AtomicUsize>,
    head: Line<AtomicUsize>,
    lock: Line<AtomicBool>,
    slots: Box<[AtomicPtr<Frame>; SLOTS]>,
}

/// What the owner does at every push and pop.
trait Protocol {
    fn push(deque: &Deque, frame: *mut Frame);
    /// Whether the youngest frame is still there.
    fn pop(deque: &Deque) -> bool;
}

/// THE with a fence of this kind between the owner's write of T and its read of H.
struct The<const FENCED: bool>;

/// A lock for every pop and, if `BOTH`, for every push.
struct Locked<const BOTH: bool>;

impl Deque {
    fn new() -> Self {
        let slots = Box::new([const { AtomicPtr::new(ptr::null_mut()) }; SLOTS]);
        Self { tail: Line(0.into()), head: Line(0.into()), lock: Line(false.into()), slots }
    }

    #[inline(always)]
    fn tail(&self) -> usize {
        self.tail.0.load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn head(&self) -> usize {
        self.head.0.load(Ordering::Relaxed)
    }

    /// Release: a thief that sees the new T sees the slot and the frame.
    #[inline(always)]
    fn set_tail(&self, tail: usize) {
        self.tail.0.store(tail, Ordering::Release);
    }

    #[inline(always)]
    fn append(&self, frame: *mut Frame) {
        let tail = self.tail();
        self.slots[tail % SLOTS].store(frame, Ordering::Relaxed);
        self.set_tail(tail + 1);
    }

    /// Removes the youngest frame if it is there. The caller holds the lock.
    #[inline(always)]
    fn remove(&self) -> bool {
        let tail = self.tail() - 1;
        let is_there = self.head() <= tail;
        if is_there {
            self.set_tail(tail);
        }
        is_there
    }

    /// The cheapest lock: one atomic exchange to lock it, one store to unlock it.
    #[inline(always)]
    fn locked<R>(&self, f: impl FnOnce() -> R) -> R {
        while self.lock.0.swap(true, Ordering::Acquire) {
            spin_loop();
        }
        let result = f();
        self.lock.0.store(false, Ordering::Release);
        result
    }

    #[cold]
    #[inline(never)]
    fn remove_locked(&self) -> bool {
        self.locked(|| self.remove())
    }

    /// The thief, for all protocols: the oldest frame, if there is one.
    #[cfg(test)]
    fn steal(&self) -> Option<*mut Frame> {
        self.locked(|| {
            let head = self.head();
            self.head.0.store(head + 1, Ordering::Relaxed);
            fence(Ordering::SeqCst);
            if head + 1 > self.tail.0.load(Ordering::Acquire) {
                self.head.0.store(head, Ordering::Relaxed);
                return None;
            }
            Some(self.slots[head % SLOTS].load(Ordering::Relaxed))
        })
    }
}

impl<const FENCED: bool> Protocol for The<FENCED> {
    #[inline(always)]
    fn push(deque: &Deque, frame: *mut Frame) {
        deque.append(frame);
    }

    #[inline(always)]
    fn pop(deque: &Deque) -> bool {
        let tail = deque.tail() - 1;
        deque.set_tail(tail);
        if FENCED {
            fence(Ordering::SeqCst);
        } else {
            compiler_fence(Ordering::SeqCst);
        }
        if deque.head() <= tail {
            return true;
        }
        deque.set_tail(tail + 1);
        deque.remove_locked()
    }
}

impl<const BOTH: bool> Protocol for Locked<BOTH> {
    #[inline(always)]
    fn push(deque: &Deque, frame: *mut Frame) {
        if BOTH { deque.locked(|| deque.append(frame)) } else { deque.append(frame) }
    }

    #[inline(always)]
    fn pop(deque: &Deque) -> bool {
        deque.locked(|| deque.remove())
    }
}

/// `fib` on a deque. It would have to wait for a stolen branch, but nothing is stolen here.
#[inline(never)]
fn on<P: Protocol>(deque: &Deque, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let frame = Frame { n: Cell::new(n) };
    P::push(deque, ptr::from_ref(&frame).cast_mut());
    let a = on::<P>(deque, n - 1);
    if !P::pop(deque) {
        gone();
    }
    let b = on::<P>(deque, frame.n.get() - 2);
    compiler_fence(Ordering::SeqCst);
    a + b
}

#[cold]
#[inline(never)]
fn gone() -> ! {
    unreachable!("no thief comes")
}

/// A variant of `fib`.
type Variant = fn(Strand<'_>, &Deque, u64) -> u64;

/// The variants. All others are compared with the first one, which leaves its frame in memory, but not in a deque.
const VARIANTS: [(&str, Variant); 6] = [
    ("the second branch is in memory", |_, _, n| frames(n)),
    ("Strand::join: the ladder", |s, _, n| fib(Filch::token(s), n)),
    ("THE, if the thief pays for the fence", |_, deque, n| on::<The<false>>(deque, n)),
    ("THE with a fence in every pop", |_, deque, n| on::<The<true>>(deque, n)),
    ("a lock in every pop", |_, deque, n| on::<Locked<false>>(deque, n)),
    ("a lock in every push and pop", |_, deque, n| on::<Locked<true>>(deque, n)),
];

/// Measures the variants on one worker and shows them.
pub(super) fn show(out: &mut dyn Write) -> Result<(), Failure> {
    let pool = Pool::builder().workers(1).build().map_err(Failure::usage)?;
    let deque = Deque::new();
    let mut times: [Vec<f64>; VARIANTS.len()] = Default::default();
    let forks = (fib_by_doubling(N + 1) - 1) as f64;
    // The first round is for warm-up.
    for round in 0..=ROUNDS {
        for place in order(round, VARIANTS.len()) {
            let (name, variant) = VARIANTS[place];
            let (time, value) = pool.run(|s| {
                let begin = Instant::now();
                let value = variant(s, &deque, black_box(N));
                (begin.elapsed().as_secs_f64(), value)
            });
            let expected = fib_by_doubling(N);
            if value != expected {
                return Err(Failure::Failed(format!("fib {N}, {name}: found {value}, expected {expected}")));
            }
            if round > 0 {
                times[place].push(time * 1e9 / forks);
            }
        }
    }
    let plain = &times[0];
    writeln!(out, "What it costs to protect a fork from thieves, in ns; fib {N} on one worker, medians of {ROUNDS}")?;
    writeln!(out, "{:<43}{:>6.2}, compared with which:", VARIANTS[0].0, Median::of(plain.clone()).value)?;
    for ((name, _), own) in VARIANTS.iter().zip(&times).skip(1) {
        let above = own.iter().zip(plain).map(|(own, plain)| own - plain).collect();
        let Median { value, low, high } = Median::of(above);
        writeln!(out, "{name:<43}{value:>6.2} [{low:.2}, {high:.2}]")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;
    use std::thread;

    #[test]
    fn every_variant_is_the_same_program() {
        let pool = Pool::builder().workers(1).build().unwrap();
        let deque = Deque::new();
        for n in 0..15 {
            for (name, variant) in VARIANTS {
                assert_eq!(pool.run(|s| variant(s, &deque, n)), fib_by_doubling(n), "{name} {n}");
            }
        }
        assert_eq!((deque.tail(), deque.head()), (0, 0), "what was pushed was popped");
    }

    /// The owner pushes a few frames and pops them, while a thief steals what it can.
    fn gets_each_frame_once<P: Protocol>() {
        const FRAMES: usize = 20_000;
        let deque = Deque::new();
        let claims: Vec<AtomicU32> = (0..FRAMES).map(|_| AtomicU32::new(0)).collect();
        // A number as a pointer: the frame is never read.
        let frame = |number: usize| ptr::without_provenance_mut::<Frame>(number + 1);
        let claim = |number: usize| claims[number].fetch_add(1, Ordering::Relaxed);
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(Ordering::Acquire) {
                    if let Some(stolen) = deque.steal() {
                        claim(stolen.addr() - 1);
                    }
                }
            });
            let mut next = 0;
            while next < FRAMES {
                let some = (next + 1..=next + 1 + next % 5).take_while(|&end| end <= FRAMES).last().unwrap();
                (next..some).for_each(|number| P::push(&deque, frame(number)));
                // Those below one that is gone are gone too.
                (next..some).rev().take_while(|_| P::pop(&deque)).for_each(|number| _ = claim(number));
                next = some;
            }
            is_over.store(true, Ordering::Release);
        });
        assert!(claims.iter().all(|claims| claims.load(Ordering::Relaxed) == 1));
    }

    #[test]
    fn owner_and_thief_get_each_frame_once() {
        gets_each_frame_once::<The<true>>();
        gets_each_frame_once::<Locked<false>>();
        gets_each_frame_once::<Locked<true>>();
    }
}
