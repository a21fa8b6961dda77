//! How Filch drives a producer and a consumer.
//!
//! A loop is halved until what is left is a block, as many items as take a few microseconds (`pace.rs`). Each halving
//! is a join, whose second half another worker finds on the ladder; the oldest, and so the largest, goes first. A join
//! that nobody takes costs a few nanoseconds, so there is no need for a grain, nor for rayon's count of splits. A loop
//! that is a block as a whole forks nothing.
//!
//! Halves are combined as they were divided, as rayon does it. So whatever a consumer expects of its reducer holds.

use crate::block::{self, Pieces};
use crate::clock::{look_ns, now_ns};
use crate::divisible::Divisible;
use crate::pace::{Kind, Pace, Quiet};
use crate::undivided::{few, fold, piece};
use rayon::iter::IndexedParallelIterator;
use rayon::iter::plumbing::{Consumer, Producer, ProducerCallback, Reducer};

/// Drives an indexed parallel iterator on Filch: what [`rayon::iter::plumbing::bridge`] is for rayon.
///
/// For authors of parallel iterators, in their own `drive`.
///
/// # Panics
///
/// If the iterator or the consumer panics; see [the crate](crate#panics).
#[inline]
pub fn bridge<I, C>(iterator: I, consumer: C) -> C::Result
where
    I: IndexedParallelIterator,
    C: Consumer<I::Item>,
{
    let len = iterator.len();
    let kind = Kind::of_function(begin::<I, C> as fn(Loop<I, C>) -> C::Result as *const ());
    // The iterator moves to `begin` as it is. What a producer refers to would have to be in memory in any case.
    let Some(room) = Pace::enter(kind, len) else { return begin(Loop { kind, len, iterator, consumer }) };
    let result = iterator.with_producer(InRoom { len, consumer });
    Pace::leave(kind, room);
    result
}

/// A loop that begins with a look at more than its room. One value, so that it is written to memory only then.
struct Loop<I, C> {
    kind: Kind,
    len: usize,
    iterator: I,
    consumer: C,
}

/// A loop for which there is room.
struct InRoom<C> {
    len: usize,
    consumer: C,
}

impl<T, C: Consumer<T>> ProducerCallback<T> for InRoom<C> {
    type Output = C::Result;

    #[inline(always)]
    fn callback<P: Producer<Item = T>>(self, producer: P) -> C::Result {
        if self.len <= producer.max_len() {
            return few(producer, self.consumer);
        }
        // As a loop of another kind, since it is not inside of this one.
        bridge_producer_consumer(self.len, producer, self.consumer)
    }
}

/// Begins a loop for which there is no room, or that is to be divided.
#[cold]
#[inline(never)]
fn begin<I, C>(of: Loop<I, C>) -> C::Result
where
    I: IndexedParallelIterator,
    C: Consumer<I::Item>,
{
    let Loop { kind, len, iterator, consumer } = of;
    if let Some(room) = Pace::with(kind, |pace| pace.make_room(kind, len)) {
        let result = iterator.with_producer(AtOnce { len, consumer });
        Pace::leave(kind, room);
        return result;
    }
    match Pace::with(kind, |pace| pace.begin_quietly(kind, len)) {
        Some(quiet) => iterator.with_producer(Short { kind, len, quiet, consumer }),
        None => iterator.with_producer(Longer { kind, len, consumer }),
    }
}

/// A loop for which room has been made.
struct AtOnce<C> {
    len: usize,
    consumer: C,
}

impl<T, C: Consumer<T>> ProducerCallback<T> for AtOnce<C> {
    type Output = C::Result;

    fn callback<P: Producer<Item = T>>(self, producer: P) -> C::Result {
        if self.len <= producer.max_len() {
            return fold(producer, self.consumer);
        }
        bridge_producer_consumer(self.len, producer, self.consumer)
    }
}

/// A loop that may be longer than a block.
struct Longer<C> {
    kind: Kind,
    len: usize,
    consumer: C,
}

impl<T, C: Consumer<T>> ProducerCallback<T> for Longer<C> {
    type Output = C::Result;

    fn callback<P: Producer<Item = T>>(self, producer: P) -> C::Result {
        drive(self.kind, self.len, producer, self.consumer)
    }
}

/// A short loop that begins while nobody wants anything.
struct Short<C> {
    kind: Kind,
    len: usize,
    quiet: Quiet,
    consumer: C,
}

impl<T, C: Consumer<T>> ProducerCallback<T> for Short<C> {
    type Output = C::Result;

    #[inline(always)]
    fn callback<P: Producer<Item = T>>(self, producer: P) -> C::Result {
        let Short { kind, len, quiet, consumer } = self;
        let limits = Limits::of(kind, len, &producer);
        if limits.min > 1 || len > limits.max {
            return drive(kind, len, producer, consumer);
        }
        short(len, producer, consumer, limits, quiet)
    }
}

/// Runs a loop that is known to be short, while nobody wants anything: its first item, and then the others. There is
/// no look at the clock unless somebody wants something then.
#[inline(always)]
fn short<P, C>(len: usize, producer: P, consumer: C, limits: Limits, quiet: Quiet) -> C::Result
where
    P: Divisible,
    C: Consumer<P::Item>,
{
    const FIRST: usize = 1;
    let divided = if len <= FIRST { Err(producer) } else { producer.split_at(FIRST) };
    let (left_items, right_items) = match divided {
        Ok(halves) => halves,
        Err(producer) => {
            let result = fold(producer, consumer);
            quiet.leave(limits.kind);
            return result;
        }
    };
    let (left, right, reducer) = consumer.split_at(FIRST);
    let left = fold(left_items, left);
    let rest = len - FIRST;
    let begun = Begun { done: FIRST, ..Begun::quietly(quiet.pieces, false) };
    let right = if filch::is_wanted() {
        watched(rest, right_items, right, limits, begun)
    } else if rest > quiet.second() {
        in_pieces(rest, right_items, right, limits, begun)
    } else {
        let right = fold(right_items, right);
        quiet.leave(limits.kind);
        right
    };
    reducer.reduce(left, right)
}

/// Feeds the `len` items of `producer` to `consumer` on Filch: what
/// [`rayon::iter::plumbing::bridge_producer_consumer`] is for rayon.
///
/// # Panics
///
/// As [`bridge`].
pub fn bridge_producer_consumer<P, C>(len: usize, producer: P, consumer: C) -> C::Result
where
    P: Producer,
    C: Consumer<P::Item>,
{
    drive_divisible(len, producer, consumer)
}

/// [`bridge_producer_consumer`], for what may have less than indices.
pub(crate) fn drive_divisible<P, C>(len: usize, items: P, consumer: C) -> C::Result
where
    P: Divisible,
    C: Consumer<P::Item>,
{
    let kind = Kind::of_function(drive::<P, C> as fn(Kind, usize, P, C) -> C::Result as *const ());
    drive(kind, len, items, consumer)
}

/// What holds for a whole loop.
#[derive(Clone, Copy)]
struct Limits {
    kind: Kind,
    len: usize,
    /// No half is shorter than this ([`IndexedParallelIterator::with_min_len`]).
    min: usize,
    /// No block is longer than this, if it can be halved ([`IndexedParallelIterator::with_max_len`]).
    max: usize,
}

impl Limits {
    fn of<P: Divisible>(kind: Kind, len: usize, producer: &P) -> Self {
        Limits { kind, len, min: producer.min_len().max(1), max: producer.max_len() }
    }
}

/// Drives a loop that may be longer than a block.
#[inline(never)]
fn drive<P, C>(kind: Kind, len: usize, producer: P, consumer: C) -> C::Result
where
    P: Divisible,
    C: Consumer<P::Item>,
{
    let limits = Limits::of(kind, len, &producer);
    let (is_recursive, is_short) = Pace::with_own(kind, |pace| {
        pace.begin();
        pace.distrust();
        (pace.is_recursive(), len <= limits.max && pace.is_not_worth_a_call(len))
    });
    if is_recursive {
        let _inside = Pace::inside(kind);
        return each(len, producer, consumer, limits.min);
    }
    if is_short && filch::current_worker().is_none() {
        return block(len, producer, consumer, limits);
    }
    halve(len, producer, consumer, limits)
}

/// Runs a loop or a part of one: in halves, or as a block.
fn halve<P, C>(len: usize, producer: P, consumer: C, limits: Limits) -> C::Result
where
    P: Divisible,
    C: Consumer<P::Item>,
{
    let kind = limits.kind;
    let most = Pace::with_own(kind, |pace| pace.block(limits.len)).min(limits.max);
    if len <= most || len / 2 < limits.min || consumer.full() {
        return block(len, producer, consumer, limits);
    }
    let middle = block::middle(len, limits.min);
    let (left_items, right_items) = match producer.split_at(middle) {
        Ok(halves) => halves,
        Err(producer) => return block(len, producer, consumer, limits),
    };
    let (left, right, reducer) = consumer.split_at(middle);
    let (left_len, right_len) = (left_items.len_or(middle), right_items.len_or(len - middle));
    let (left, right) = filch::join_context(
        move |_| halve(left_len, left_items, left, limits),
        move |context| {
            if context.migrated() {
                Pace::with_own(kind, Pace::distrust);
            }
            halve(right_len, right_items, right, limits)
        },
    );
    if !Pace::with_own(kind, Pace::is_combine_due) {
        return reducer.reduce(left, right);
    }
    let begin = now_ns();
    let result = reducer.reduce(left, right);
    let combine_ns = (now_ns() - begin).saturating_sub(look_ns());
    Pace::with_own(kind, |pace| pace.note_combine(combine_ns));
    result
}

/// Runs a loop that is its own ancestor, or a part of one: in halves down to single items, without a look at the pace.
/// No half is shorter than `min`.
fn each<P, C>(len: usize, producer: P, consumer: C, min: usize) -> C::Result
where
    P: Divisible,
    C: Consumer<P::Item>,
{
    if len <= 1 || len / 2 < min || consumer.full() {
        return fold(producer, consumer);
    }
    let middle = len / 2;
    let (left_items, right_items) = match producer.split_at(middle) {
        Ok(halves) => halves,
        Err(producer) => return fold(producer, consumer),
    };
    let (left, right, reducer) = consumer.split_at(middle);
    let (left_len, right_len) = (left_items.len_or(middle), right_items.len_or(len - middle));
    let (left, right) =
        filch::join(move || each(left_len, left_items, left, min), move || each(right_len, right_items, right, min));
    reducer.reduce(left, right)
}

/// Runs a block, which is what is believed to take a few microseconds.
#[inline(never)]
fn block<P, C>(len: usize, producer: P, consumer: C, limits: Limits) -> C::Result
where
    P: Divisible,
    C: Consumer<P::Item>,
{
    let kind = limits.kind;
    let is_wanted = filch::is_wanted();
    let (is_timed, is_whole, is_confirmed, pieces) = Pace::with_own(kind, |pace| {
        let is_timed = !pace.has_credit(len);
        let is_whole = len <= 1 || pace.is_recursive() || len <= pace.pieces().undivided(is_wanted);
        (is_timed, is_whole, pace.is_confirmed() && !is_wanted, pace.pieces())
    });
    if is_whole {
        return piece(kind, len, producer, consumer, is_timed);
    }
    let begun = (!is_confirmed).then(|| Begun::quietly(pieces, is_timed).watched());
    let result = match begun {
        Some(begun) => in_pieces(len, producer, consumer, limits, begun),
        None => piece(kind, len, producer, consumer, is_timed),
    };
    Pace::with_own(kind, |pace| pace.look_again(len, begun.and_then(|begun| begun.since_ns), now_ns()));
    result
}

/// How far a block has come.
#[derive(Clone, Copy)]
struct Begun {
    /// Since when it is looked after by the clock, if it is.
    since_ns: Option<u64>,
    /// How many items it has run since then.
    done: usize,
    pieces: Pieces,
    /// Whether the last piece is to be timed.
    is_timed: bool,
}

impl Begun {
    fn quietly(pieces: Pieces, is_timed: bool) -> Self {
        Begun { since_ns: None, done: 0, pieces, is_timed }
    }

    fn watched(self) -> Self {
        Begun { since_ns: Some(now_ns()), done: 0, ..self }
    }
}

/// Runs a block in pieces, because the belief that its items are cheap may be wrong, and other workers cannot have a
/// part of a block. As soon as they want one, there is a look at the clock after each piece: when the time of the block
/// has been used up, what is left is halved like a loop whose items are dear.
fn in_pieces<P, C>(len: usize, producer: P, consumer: C, limits: Limits, begun: Begun) -> C::Result
where
    P: Divisible,
    C: Consumer<P::Item>,
{
    let kind = limits.kind;
    let next = begun.pieces.next(begun.done).max(limits.min);
    if len < next.saturating_add(limits.min) || consumer.full() {
        return piece(kind, len, producer, consumer, begun.is_timed);
    }
    let (left_items, right_items) = match producer.split_at(next) {
        Ok(halves) => halves,
        Err(producer) => return piece(kind, len, producer, consumer, begun.is_timed),
    };
    let (left, right, reducer) = consumer.split_at(next);
    let (left_len, rest) = (left_items.len_or(next), right_items.len_or(len - next));
    let left = piece(kind, left_len, left_items, left, false);
    let begun = Begun { done: begun.done + left_len, ..begun };
    let right = if begun.since_ns.is_none() && !filch::is_wanted() {
        in_pieces(rest, right_items, right, limits, begun)
    } else {
        watched(rest, right_items, right, limits, begun)
    };
    reducer.reduce(left, right)
}

/// Runs the rest of a block of which others want a part.
#[inline(never)]
fn watched<P, C>(len: usize, producer: P, consumer: C, limits: Limits, begun: Begun) -> C::Result
where
    P: Divisible,
    C: Consumer<P::Item>,
{
    // If the clock has not been looked at, one more item tells.
    let Some(since_ns) = begun.since_ns else { return in_pieces(len, producer, consumer, limits, begun.watched()) };
    let (done, ns) = (begun.done, now_ns() - since_ns);
    match block::if_dear(done, ns) {
        Some(block) => {
            Pace::with_own(limits.kind, |pace| pace.note_dear(done, ns));
            halve(len, producer, consumer, Limits { max: limits.max.min(block), ..limits })
        }
        None => in_pieces(len, producer, consumer, limits, begun),
    }
}

#[cfg(test)]
mod tests;
