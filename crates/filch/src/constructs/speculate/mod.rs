//! Speculation: children whose results are folded into a state, one at a time, and which can be aborted (Frigo,
//! Leiserson and Randall 1998, section 2: inlets and abort).
//!
//! - [`procedure`]: what the body can do: spawn, and look at the state
//! - [`children`]: the children that are not over, for the thread of the body; [`child`]: any child; [`erased`]: how
//!   it runs
//! - [`frame`]: the latent child, for others; [`place`]: where the frame is, and what leaves it
//! - [`state`]: what inlets change, one at a time
//! - [`speculation`]: the way to abort
//! - [`strand`]: the strands of children, which learn of an abort; [`search`]: searches that learn of one
//!
//! The stop of a speculation knows the stop around it (`engine/team/stop.rs`), so an abort reaches what is inside.
//! `models/speculate.pml` checks the protocol, with mutants.

mod child;
mod children;
mod erased;
mod frame;
mod place;
mod procedure;
mod search;
mod speculation;
mod state;
mod strand;

pub use procedure::Procedure;
pub use speculation::Speculation;
pub use state::State;
pub use strand::{Aborted, SpeculativeStrand};

use super::drop_while_unwinding::Quiet;
use super::strand::Strand;
use crate::engine::share::at_fork;
use children::Children;
use frame::ProcedureFrame;
use state::Shared;

impl Strand<'_> {
    /// Runs `body`, a procedure that [spawns](Procedure::spawn) children whose results are folded into `state`. Returns
    /// the state, and what the body has returned, when all children are over.
    ///
    /// The result of a child goes to its *inlet*, a function that may change the state. Inlets run one at a time, and
    /// while none runs, the body and the children may look at the state ([`Procedure::with`], [`State::with`]). A
    /// child, an inlet or the body may [abort](Speculation::abort) the children: those that have not begun are dropped,
    /// and those that run end at their next fork, item of a loop, node of a [search](SpeculativeStrand::search), or
    /// [look](SpeculativeStrand::check). No panic is involved: a child returns [`Aborted`] from each of its functions,
    /// usually by `?`. Further inlets do not run.
    ///
    /// Inlets run in the order in which children end. On one worker that is the order of their spawns; otherwise it is
    /// nondeterministic.
    ///
    /// Work: that of the body and the children, and the cost of each spawn. Span: at a spawn, the body or the child
    /// before goes on, whichever is longer; and that of all inlets. The construct is that of Frigo, Leiserson and
    /// Randall 1998, section 2. There, an abort ends the children spawned so far; here, it also ends those that are
    /// spawned later. To go on after an abort, open another speculation.
    ///
    /// ```
    /// // The sum of some numbers; and whether one of them is negative, in which case the rest do not matter.
    /// let numbers = [3, 1, 4, -1, 5];
    /// let ((sum, is_negative), ()) = filch::run(|mut s| {
    ///     s.speculate((0, false), |p, speculation| {
    ///         for &number in &numbers {
    ///             p.spawn(move |_, _| Ok(number), move |(sum, is_negative), number| {
    ///                 *sum += number;
    ///                 if number < 0 {
    ///                     *is_negative = true;
    ///                     speculation.abort();
    ///                 }
    ///             });
    ///         }
    ///     })
    /// });
    /// assert!(is_negative || sum == 12);
    /// ```
    ///
    /// # Panics
    ///
    /// If the body, a child or an inlet panics, with the payload of one of the panics. The panic aborts the children.
    /// Further payloads go to the pool's panic handler, if there is one. The state is dropped.
    pub fn speculate<'env, S, F, R>(&mut self, state: S, body: F) -> (S, R)
    where
        S: Send + 'env,
        F: for<'scope> FnOnce(&mut Procedure<'_, 'scope, 'env, S>, &'scope Speculation) -> R,
    {
        let Ok(result) = speculate(self.reborrow().into(), state, body) else {
            unreachable!("there is no speculation around a plain strand");
        };
        result
    }

    /// Tries alternatives, until one succeeds: returns what the first `attempt` to end with `Some` has returned. The
    /// others are aborted. If none succeeds, returns `None`.
    ///
    /// If several alternatives can succeed, the choice is nondeterministic. Alternatives begin in their order. Which
    /// have begun when one succeeds is nondeterministic, too; an endless iterator is allowed.
    ///
    /// Work: a push, a pop and a lock for each alternative; in the worst case all that the attempts do. Span: as for
    /// [`for_each_item`](Self::for_each_item). The parallel search of Frigo, Leiserson and Randall 1998, section 2.
    ///
    /// ```
    /// let divides = |d: u64| if 9991_u64.is_multiple_of(d) { Ok(Some(d)) } else { Ok(None) };
    /// let divisor = filch::run(|mut s| s.first_of(2..9991, |_, d| divides(d)));
    /// assert!(matches!(divisor, Some(97 | 103)));
    /// ```
    ///
    /// # Panics
    ///
    /// If an attempt or the iterator panics.
    pub fn first_of<I, T, F>(&mut self, alternatives: I, attempt: F) -> Option<T>
    where
        I: IntoIterator,
        I::IntoIter: Send,
        T: Send,
        F: Fn(SpeculativeStrand<'_>, I::Item) -> Result<Option<T>, Aborted> + Sync,
    {
        self.speculate(None, |p, speculation| try_each(p, speculation, alternatives.into_iter(), attempt)).0
    }
}

impl SpeculativeStrand<'_> {
    /// As [`Strand::speculate`], inside of a speculation. An abort of the outer one also aborts this one.
    ///
    /// # Errors
    ///
    /// [`Aborted`] if a speculation around this one has been aborted. If this is known at the beginning, the body does
    /// not run.
    ///
    /// # Panics
    ///
    /// As [`Strand::speculate`].
    pub fn speculate<'env, S, F, R>(&mut self, state: S, body: F) -> Result<(S, R), Aborted>
    where
        S: Send + 'env,
        F: for<'scope> FnOnce(&mut Procedure<'_, 'scope, 'env, S>, &'scope Speculation) -> R,
    {
        speculate(self.reborrow(), state, body)
    }

    /// As [`Strand::first_of`], inside of a speculation.
    ///
    /// # Errors
    ///
    /// [`Aborted`] if a speculation around this one has been aborted.
    ///
    /// # Panics
    ///
    /// As [`Strand::first_of`].
    pub fn first_of<I, T, F>(&mut self, alternatives: I, attempt: F) -> Result<Option<T>, Aborted>
    where
        I: IntoIterator,
        I::IntoIter: Send,
        T: Send,
        F: Fn(SpeculativeStrand<'_>, I::Item) -> Result<Option<T>, Aborted> + Sync,
    {
        let (found, ()) =
            self.speculate(None, |p, speculation| try_each(p, speculation, alternatives.into_iter(), attempt))?;
        Ok(found)
    }
}

/// `Aborted` if this is known at the beginning.
#[inline(always)]
fn speculate<'env, S, F, R>(s: SpeculativeStrand<'_>, state: S, body: F) -> Result<(S, R), Aborted>
where
    S: Send + 'env,
    F: for<'scope> FnOnce(&mut Procedure<'_, 'scope, 'env, S>, &'scope Speculation) -> R,
{
    /// A guard for a procedure while user code runs. It is forgotten at the end, and dropped only if that code unwinds.
    struct Unwinding<'l, S: Send>(Children<'l, S>);
    impl<S: Send> Drop for Unwinding<'_, S> {
        #[inline(always)]
        fn drop(&mut self) {
            self.0.settle();
        }
    }
    let (at, around) = (s.occupied(), s.stops());
    let Some(requests) = around.look() else { return Err(Aborted) };
    let top = s.into_plain().into_top();
    let is_free = top.is_ok();
    let top = top.unwrap_or_else(at_fork::top_of_forked);
    let frame = ProcedureFrame::new(&top, Shared::new(Speculation::within(around, requests), state));
    let children = Children::of(&frame);
    children.begin(top, is_free);
    let mut procedure = Procedure::new(children);
    let unwinding = Unwinding(children);
    let result = Quiet::new(at, body(&mut procedure, &frame.shared.speculation));
    let synched = children.end();
    std::mem::forget(unwinding);
    // SAFETY: no child is left.
    let state = unsafe { frame.shared.take() };
    let result = result.take();
    synched.map(|()| (state, result))
}

/// The children of `first_of`.
fn try_each<I, T, F>(p: &mut Procedure<'_, '_, '_, Option<T>>, speculation: &Speculation, alternatives: I, attempt: F)
where
    I: Iterator + Send,
    T: Send,
    F: Fn(SpeculativeStrand<'_>, I::Item) -> Result<Option<T>, Aborted> + Sync,
{
    p.spawn_each(
        alternatives,
        |s, _, alternative| attempt(s, alternative),
        |found, success| {
            if success.is_some() {
                *found = success;
                speculation.abort();
            }
        },
    );
}
