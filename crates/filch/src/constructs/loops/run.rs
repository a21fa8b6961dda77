//! Range loops. The rest of a loop is on the ladder, where other workers can take half of it (Acar, Charguéraud,
//! Guatto, Rainey and Sieczkowski 2018, section 4; Yasugi et al. 2012, section 2.2).
//!
//! [`run`] is the entry. If there is older work on the ladder, a loop of short iterations has no frame: thieves take
//! the oldest frame first, so the loop needs one only when E says that the older frames are gone or that a worker wants
//! something. So of nested loops only the outermost one is on the ladder. [`run_all`] runs a loop with a frame, the
//! whole of it or a part that has moved. The policy decides how long blocks are ([`filch_policy::loops`]).

use super::any_loop::{AnyLoop, AnyResult, key};
use super::body::Body;
use super::indexed::Indexed;
use super::indices::{Indices, Loop};
use super::shared::{Shared, now_ns, run_all};
use crate::constructs::strand::Strand;
use crate::engine::team::Occupied;
use crate::sync::clock;
use filch_policy::loops::{self, Cost, Pace, Strides, UNTIMED};

/// Runs `body` on all items.
#[inline(always)]
pub(crate) fn run<I, B>(s: Strand<'_>, items: I, body: B) -> B::Out
where
    I: Indexed,
    B: Body<Access = I::Access>,
{
    Loop::begin(
        items,
        body,
        #[inline(always)]
        |of, indices| run_hidden(s, of, indices),
    )
}

/// Runs `body` on all items, in blocks and in a tree of joins that depend on the number of items alone.
#[cold]
pub(super) fn run_fixed<I, B>(s: Strand<'_>, items: I, body: B) -> B::Out
where
    I: Indexed,
    B: Body<Access = I::Access>,
{
    Loop::begin(items, body, |of, indices| {
        let (mut result, block) = (of.result(), loops::fixed_block(indices.hi()));
        in_blocks(&of, s, indices, block, &mut result);
        result.into_inner().unwrap_or_else(|| of.body.identity())
    })
}

/// Runs a loop, without a frame while others take older frames first. This is all that a loop of few cheap iterations
/// needs: they run as a plain loop, with a look at E before it and one after it.
#[inline(always)]
fn run_hidden<'i, B: Body>(mut s: Strand<'_>, of: Loop<'i, B>, indices: Indices<'i>) -> B::Out {
    let (at, key) = (s.occupied(), key::<B>());
    if at.owner().costs.are_few(key, indices.hi()) && at.is_covered() && !of.body.is_stopped() {
        let so_far = of.body.identity();
        let result = of.block(s.reborrow(), indices, so_far);
        if !at.is_covered() {
            doubt(at, key);
        }
        return result;
    }
    if indices.is_empty() {
        return of.body.identity();
    }
    // By value: a body whose address is taken would not stay in registers.
    run_longer(of, s, indices)
}

/// While a loop was hidden, a thief has taken the older frames, so its iterations may be longer than expected.
#[cold]
#[inline(never)]
fn doubt(at: Occupied<'_>, key: usize) {
    at.owner().costs.note(key, Cost::Unknown);
}

/// Runs a loop, if it has more than a few cheap iterations or must show its frame.
#[inline(never)]
fn run_longer<'i, B: Body>(of: Loop<'i, B>, s: Strand<'_>, indices: Indices<'i>) -> B::Out {
    let mut result = of.begun();
    run_any(&of, key::<B>(), s, indices, &mut result);
    result.into_inner().unwrap_or_else(|| of.body.identity())
}

/// [`run_longer`], for a loop of any body.
fn run_any<'i>(
    of: &dyn AnyLoop<'i>,
    key: usize,
    mut s: Strand<'_>,
    mut indices: Indices<'i>,
    result: &mut dyn AnyResult<'i>,
) {
    let (at, len) = (s.occupied(), indices.hi());
    if let Some(grain) = at.owner().rules().grain() {
        let grain = grain.of(len, of.over(), at.owner().num_workers());
        return in_blocks(of, s, indices, grain, result);
    }
    let mut cost = at.owner().costs.guess(key);
    // A mark calls for this frame, and on an inter-socket level other squads may not take the older ones.
    if at.is_free()
        && !at.owner().forks_across()
        && at.is_covered()
        && let Some(strides) = Strides::hidden(cost)
    {
        let until = at.until_bare();
        indices.lend(UNTIMED, |block| of.block(result, until, s.reborrow(), block, strides));
        if indices.is_empty() {
            return;
        }
    }
    if indices.lo() > 0 && !at.is_covered() {
        cost = Cost::Unknown;
        doubt(at, key);
    }
    if indices.lo() == 0 && loops::hides_all(len, cost) && at.is_closed() {
        // A run that has not forked has woken no worker, and a few short iterations end before a worker would be awake.
        let begin = clock::now_ns();
        indices.lend(1, |block| of.block(result, at.until_wanted(), s.reborrow(), block, Strides::OF_HIDDEN));
        if !loops::is_worth_a_call(clock::now_ns() - begin) && !of.is_stopped() {
            indices.lend(len, |block| of.block(result, at.until_wanted(), s.reborrow(), block, Strides::OF_HIDDEN));
        }
        if indices.is_empty() {
            return;
        }
    }
    let (shared, lo) = (Shared::new(of), indices.lo());
    let pace = if Pace::is_untimed(cost) { Pace::untimed(lo, cost) } else { Pace::timed(lo, 1, now_ns(at)) };
    run_all(&shared, s, indices, pace, result, true);
}

/// Runs the rest of a loop as joins of its halves, down to the grain.
#[cold]
fn in_blocks<'i>(
    of: &dyn AnyLoop<'i>,
    mut s: Strand<'_>,
    mut indices: Indices<'i>,
    grain: u64,
    result: &mut dyn AnyResult<'i>,
) {
    let left = indices.hi() - indices.lo();
    if left <= grain || of.is_stopped() {
        let until = s.occupied().until_never();
        return indices.lend(u64::MAX, |block| of.block(result, until, s, block, Strides::ONE));
    }
    let mut lower = indices.take_to(indices.lo() + left.div_ceil(grain) / 2 * grain);
    result.with_another(&mut |earlier, later| {
        let (lower, upper) = (lower.take_all(), indices.take_all());
        s.join(|s| in_blocks(of, s, lower, grain, earlier), |s| in_blocks(of, s, upper, grain, later));
        of.combine(earlier, later);
    });
}

#[cfg(test)]
mod tests {
    use crate::{Grain, Pool, Scheduler};
    use std::num::NonZeroU64;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    /// How many of 1,000 loops inside a loop have a frame of their own in the middle, if E is raised in each of them at
    /// iteration `wanted`, as by an ask or a beat.
    fn loops_with_frames(len: usize, wanted: usize) -> usize {
        let (pool, loops) = (Pool::builder().workers(1).scheduler(Scheduler::cilk5()).build(), AtomicUsize::new(0));
        pool.expect("a small pool").run(|mut s| {
            s.for_each(0..1000, |mut s, _| {
                let outer = s.occupied().rung().addr();
                s.for_each(0..len, |s, i| {
                    if i == wanted {
                        s.occupied().ladder().raise();
                    } else if i == len / 2 {
                        loops.fetch_add(usize::from(s.occupied().rung().addr() != outer), Relaxed);
                    }
                });
            });
        });
        loops.into_inner()
    }

    #[test]
    #[cfg_attr(miri, ignore = "many iterations, of which others run there, too")]
    fn a_loop_with_a_grain_has_as_many_joins_as_blocks_but_one_and_each_iteration_once() {
        let joins = |scheduler: Scheduler, len: usize, is_over_chunks: bool| {
            let pool = Pool::builder().workers(2).scheduler(scheduler).build().expect("a small pool");
            let (mut seen, before) = (vec![0_u8; len], pool.counters().attends);
            pool.run(|mut s| match is_over_chunks {
                true => s.for_each(crate::chunks_mut(&mut seen, 3), |_, chunk| chunk.iter_mut().for_each(|x| *x += 1)),
                false => s.for_each((0..len, &mut seen), |_, (_, x)| *x += 1),
            });
            assert!(seen.iter().all(|&times| times == 1));
            pool.counters().attends - before
        };
        let chaos = |grain| Scheduler::chaos(1).with_grain(grain);
        assert_eq!([0, 1, 2, 16, 9000].map(|len| joins(chaos(Grain::Automatic), len, false)), [0, 0, 1, 15, 15]);
        assert_eq!(joins(chaos(Grain::Automatic), 1000, true), 333);
        let hundred = Grain::Items(NonZeroU64::new(100).expect("not zero"));
        assert_eq!([100, 101, 950].map(|len| joins(chaos(hundred), len, false)), [0, 1, 9]);
        joins(Scheduler::cilk5().with_grain(hundred), 10_000, false);
    }

    /// One of 64 loops is timed, and the last iterations of the outer loop run without a frame below them.
    #[test]
    #[cfg_attr(miri, ignore = "iterations are not short there")]
    fn a_loop_inside_another_has_a_frame_only_if_a_worker_wants_something() {
        for len in [300, 400] {
            let [never, always] = [len, len / 4].map(|wanted| loops_with_frames(len, wanted));
            assert!(never < 250 && always > 750, "{never} and {always} of 1,000 loops of {len}");
        }
    }
}
