//! Range loops. The rest of a loop is on the ladder, where other workers can take half of it (Acar, Charguéraud,
//! Guatto, Rainey and Sieczkowski 2018, section 4; Yasugi et al. 2012, section 2.2).
//!
//! [`run`] is the entry. If there is older work on the ladder, a loop of short iterations starts without a frame:
//! thieves take the oldest frame first, so the loop needs a frame only if it lasts. [`run_all`] runs a loop
//! with a frame, the whole of it or a part that has moved. The policy decides how long blocks are
//! ([`filch_policy::loops`]).

use super::body::Body;
use super::indexed::Indexed;
use super::indices::{Indices, Loop};
use super::shared::{Shared, run_all, run_block};
use crate::constructs::strand::Strand;
use crate::sync::clock;
use filch_policy::loops::{self, Cost, Pace, Strides};

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

/// Runs a loop, without a frame while others take older frames first.
#[inline(always)]
fn run_hidden<'i, B: Body>(mut s: Strand<'_>, of: Loop<'i, B>, mut indices: Indices<'i>) -> B::Out {
    let at = s.occupied();
    let mut so_far = of.body.identity();
    let few = indices.hi().min(at.owner().costs.hidden(Shared::<B>::key()));
    // One by one, with a check in between, because a thief may take the last of the older frames.
    while indices.lo() < few && at.is_covered() && !of.body.is_stopped() {
        let Some(next) = indices.take_first() else { break };
        so_far = of.block(s.reborrow(), next, so_far);
    }
    if indices.is_empty() {
        return so_far;
    }
    // By value: a body whose address is taken would not stay in registers.
    run_longer(of, s, indices, so_far)
}

/// Runs the rest of a loop, if it has more than a few iterations or shows its frame at once.
#[inline(never)]
fn run_longer<'i, B: Body>(of: Loop<'i, B>, mut s: Strand<'_>, mut indices: Indices<'i>, mut so_far: B::Out) -> B::Out {
    let (key, at, len) = (Shared::<B>::key(), s.occupied(), indices.hi());
    let mut cost = at.owner().costs.guess(key);
    if indices.lo() > 0 {
        let hidden = loops::hidden(indices.lo(), len, cost);
        while indices.lo() < hidden && at.is_covered() && !of.body.is_stopped() {
            let end = loops::next_look(indices.lo(), hidden);
            so_far = indices.lend(end, |block| run_block(&of, at, s.reborrow(), block, Strides::OF_HIDDEN, so_far));
        }
        if indices.is_empty() {
            return so_far;
        }
        if !at.is_covered() {
            // A thief has taken the older frames while this loop was hidden, so its iterations may be longer than
            // expected.
            cost = Cost::Unknown;
            at.owner().costs.note(key, cost);
        }
    }
    if indices.lo() == 0 && loops::hides_all(len, cost) && at.is_closed() {
        // A run that has not forked has woken no worker, and a few short iterations end before a worker would be awake.
        let begin = clock::now_ns();
        if let Some(first) = indices.take_first() {
            so_far = of.block(s.reborrow(), first, so_far);
        }
        if !loops::is_worth_a_call(clock::now_ns() - begin) && !of.body.is_stopped() {
            so_far = indices.lend(len, |block| run_block(&of, at, s.reborrow(), block, Strides::OF_HIDDEN, so_far));
        }
        if indices.is_empty() {
            return so_far;
        }
    }
    let (shared, lo) = (Shared::new(&of), indices.lo());
    let pace = if Pace::is_untimed(cost) { Pace::untimed(lo, cost) } else { Pace::timed(lo, 1, clock::now_ns()) };
    run_all(&shared, s, indices, pace, so_far, true)
}
