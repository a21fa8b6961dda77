//! Speculation: children whose results are folded into a state, one at a time, and which can be aborted (Frigo,
//! Leiserson and Randall 1998, section 2: inlets and abort).
//!
//! - [`speculation`]: what a procedure and its children share: the state, and the way to spawn and to abort
//! - [`strand`]: the strands of children, which learn of an abort
//! - [`search`]: searches that learn of an abort
//! - [`state`]: a state that one strand at a time sees
//!
//! A speculation is a [`Group`], whose tasks are the children. Its stop knows the stop around it
//! (`engine/team/stop.rs`), so an abort reaches what is inside. `models/speculate.pml` checks the protocol, with
//! mutants.

mod search;
mod speculation;
mod state;
mod strand;

pub use speculation::Speculation;
use state::State;
pub use strand::{Aborted, SpeculativeStrand};

use super::drop_while_unwinding::drop_quietly;
use super::scope::run_and_finish;
use super::strand::Strand;
use crate::engine::scopes::group::{Group, SpawnOrder};
use std::panic::resume_unwind;

impl Strand<'_> {
    /// Runs `body`, a procedure that [spawns](Speculation::spawn) children whose results are folded into `state`.
    /// Returns the state, and what the body has returned, when all children are over.
    ///
    /// The result of a child goes to its *inlet*, a function that may change the state. Inlets run one at a time, and
    /// while none runs, the body and the children may look at the state ([`Speculation::with`]). A child, an inlet or
    /// the body may [abort](Speculation::abort) the children: those that have not begun are dropped, and those that run
    /// end at their next fork, item of a loop, node of a [search](SpeculativeStrand::search), or
    /// [look](SpeculativeStrand::check). No panic is involved: a child returns [`Aborted`] from each of its functions,
    /// usually by `?`. Further inlets do not run.
    ///
    /// Inlets run in the order in which children end, which is nondeterministic.
    ///
    /// Work: that of the body and the children, and the cost of each spawn. Span: as for [`scope`](Self::scope), and
    /// that of all inlets. The construct is that of Frigo, Leiserson and Randall 1998, section 2. There, an abort ends
    /// the children spawned so far; here, it also ends those that are spawned later. To go on after an abort, open
    /// another speculation.
    ///
    /// ```
    /// // The sum of some numbers; and whether one of them is negative, in which case the rest do not matter.
    /// let numbers = [3, 1, 4, -1, 5];
    /// let ((sum, is_negative), ()) = filch::run(|mut s| {
    ///     s.speculate((0, false), |_, speculation| {
    ///         for &number in &numbers {
    ///             speculation.spawn(move |_| Ok(number), move |(sum, is_negative), number| {
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
    /// If the body, a child or an inlet panics, with the payload of the first panic. The panic aborts the children.
    /// Further payloads go to the pool's panic handler, if there is one. The state is dropped.
    pub fn speculate<'env, S, F, R>(&mut self, state: S, body: F) -> (S, R)
    where
        S: Send + 'env,
        F: for<'scope> FnOnce(SpeculativeStrand<'_>, &'scope Speculation<'scope, 'env, S>) -> R,
    {
        speculate(self.reborrow().into(), state, body)
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
        first_of(self.reborrow().into(), alternatives.into_iter(), attempt)
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
        F: for<'scope> FnOnce(SpeculativeStrand<'_>, &'scope Speculation<'scope, 'env, S>) -> R,
    {
        self.check()?;
        let result = speculate(self.reborrow(), state, body);
        self.check()?;
        Ok(result)
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
        self.check()?;
        let found = first_of(self.reborrow(), alternatives.into_iter(), attempt);
        self.check()?;
        Ok(found)
    }
}

fn speculate<'env, S, F, R>(s: SpeculativeStrand<'_>, state: S, body: F) -> (S, R)
where
    S: Send + 'env,
    F: for<'scope> FnOnce(SpeculativeStrand<'_>, &'scope Speculation<'scope, 'env, S>) -> R,
{
    let at = s.occupied();
    let state = State::new(state);
    let result = {
        // SAFETY: nothing below unwinds before the group is finished, so it stays in this variable until then.
        let core = unsafe { Group::open(at, SpawnOrder::Fifo, s.stops()) };
        // Any strand may ask whether its children are over.
        let core = core.counted_together();
        let speculation = Speculation::new(core, &state);
        // SAFETY: the group was opened above.
        unsafe { run_and_finish(at, speculation.core(), || body(s, &speculation)) }
    };
    let state = state.into_inner();
    match result {
        Ok(result) => (state, result),
        Err(payload) => {
            drop_quietly(&at.top(), state);
            resume_unwind(payload)
        }
    }
}

fn first_of<I, T, F>(s: SpeculativeStrand<'_>, alternatives: I, attempt: F) -> Option<T>
where
    I: Iterator + Send,
    T: Send,
    F: Fn(SpeculativeStrand<'_>, I::Item) -> Result<Option<T>, Aborted> + Sync,
{
    let (found, ()) = speculate(s, None, |s, speculation| {
        speculation.spawn_each(s, alternatives, attempt, |found, success| {
            if success.is_some() {
                *found = success;
                speculation.abort();
            }
        });
    });
    found
}
