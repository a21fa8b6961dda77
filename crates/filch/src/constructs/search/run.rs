//! The steps of a search, by the worker that has a part of it.
//!
//! [`run`] is the entry. [`run_all`] runs a search, or a part that has moved, with a frame on the ladder. [`walk`]
//! goes from node to node, until another worker wants something.

use super::collect::Collect;
use super::frame::{AtRest, SearchFrame};
use super::place::Place;
use super::position::{Next, Position};
use super::shared::Shared;
use super::timed;
use super::unwind::{Held, Unwinding};
use super::walk;
use super::{Node, Search};
use crate::constructs::drop_while_unwinding::{drop_quietly, lose_payload};
use crate::constructs::parts::{Collected, Divided};
use crate::constructs::strand::Strand;
use crate::engine::frame::FrameKind;
use crate::engine::seats::ambient::{end_if_cancelled, pass_on};
use crate::engine::share::at_fork::Way;
use crate::engine::share::descent::Descent;
use crate::engine::share::{at_fork, at_return};
use crate::engine::team::{Occupied, Pushed, Returned, Top};

/// Runs a search from `workspace` on.
pub(super) fn run<P: Search, C: Collect<P::Workspace>>(
    s: Strand<'_>,
    problem: &P,
    workspace: P::Workspace,
    collect: &C,
) -> C::Out {
    run_from(s, Box::new(Position::root(workspace)), Shared::new(problem, collect, None))
}

/// Runs a search from `position` on.
pub(super) fn run_from<P: Search, C: Collect<P::Workspace>>(
    s: Strand<'_>,
    position: Box<Position<P>>,
    shared: Shared<'_, P, C>,
) -> C::Out {
    let at = s.occupied();
    let out = shared.collect.begin(&position.place);
    let shared = Spares(at, shared);
    let out = run_all(&shared.1, s, position, out);
    let top = at.top();
    if let Some(payload) = shared.1.drop_spares(&top) {
        drop_quietly(&top, out);
        pass_on(payload);
    }
    out
}

/// Drops the spare positions if a panic ends the search.
struct Spares<'l, 'c, P: Search, C: Collect<P::Workspace>>(Occupied<'l>, Shared<'c, P, C>);

impl<P: Search, C: Collect<P::Workspace>> Drop for Spares<'_, '_, P, C> {
    fn drop(&mut self) {
        let top = self.0.top();
        if let Some(payload) = self.1.drop_spares(&top) {
            lose_payload(&top, payload);
        }
    }
}

impl<P: Search, C: Collect<P::Workspace>> Divided for Shared<'_, P, C> {
    type Work = Box<Position<P>>;
    type Label = Place;
    type Out = C::Out;

    const KIND: &'static FrameKind = SearchFrame::<'_, P, C>::KIND;

    fn run(&self, top: Top<'_>, position: Box<Position<P>>) -> C::Out {
        let out = self.collect.begin(&position.place);
        run_all(self, Strand::of(top), position, out)
    }

    fn fail(&self) {
        self.failure.request();
    }

    fn is_aborted(&self) -> bool {
        self.collect.is_aborted()
    }
}

/// Runs the part at `position`, and adds what it finds to `out`.
pub(super) fn run_all<P: Search, C: Collect<P::Workspace>>(
    shared: &Shared<'_, P, C>,
    s: Strand<'_>,
    position: Box<Position<P>>,
    out: C::Out,
) -> C::Out {
    let (top, opens) = match s.into_top() {
        Ok(top) => (top, false),
        Err(at) => match at_fork::recover_stale(at) {
            Way::Push(top) => (top, false),
            Way::Share(top) => (top, true),
            Way::Full => return run_serially(shared, at, position, out),
        },
    };
    let frame = SearchFrame::new(shared);
    let at = *top;
    let mut descent = Descent::none(at);
    let unwinding = Unwinding::new(at, &frame);
    // SAFETY: the frame lives until this returns or `unwinding` is dropped.
    let out = unsafe { run_shared(top, &frame, Held::new(at, position), out, opens, &mut descent) };
    std::mem::forget(unwinding);
    out
}

/// [`run_all`], with a frame. If `opens`, leaves parts for others as soon as there are some.
///
/// # Safety
///
/// The caller must have a guard that takes the search apart if this unwinds.
unsafe fn run_shared<'l, P: Search, C: Collect<P::Workspace>>(
    mut top: Top<'l>,
    frame: &SearchFrame<'_, P, C>,
    mut held: Held<'l, P>,
    mut out: C::Out,
    mut opens: bool,
    descent: &mut Descent<'l>,
) -> C::Out {
    let (shared, at) = (frame.shared, *top);
    // At the start of each iteration of this loop, the frame is off the ladder.
    loop {
        let mut next;
        (next, out) = begin(shared, held.position(), out);
        while let Some(here) = next {
            // SAFETY: the frame lives until it has been popped, below or by the caller's guard.
            let pushed = unsafe { show(top, frame, opens) };
            let stopped;
            (stopped, out) = walk::steps(shared, at, held.position(), here, out);
            (top, next) = match stopped {
                Some(here) => attend(pushed.pop_to_attend(), frame, &mut held, here, &mut opens, descent),
                // What has left is in the frame's list.
                None => (pushed.pop().unwrap_or_else(|returned| at_return::attend(returned).top()), None),
            };
        }
        match gather(&mut top, frame, held.position(), out) {
            Gathered::All(result) => {
                shared.keep(held.release());
                return result;
            }
            Gathered::Next(next, so_far) => {
                shared.keep(held.release());
                (held, out) = (Held::new(at, next), so_far);
            }
        }
    }
}

/// Goes to the node at which the part begins, unless the part is over. Returns how to go on there, if there are
/// choices.
fn begin<P: Search, C: Collect<P::Workspace>>(
    shared: &Shared<'_, P, C>,
    position: &mut Position<P>,
    mut out: C::Out,
) -> (Option<Next<P>>, C::Out) {
    if shared.is_over(&mut out, position) {
        return (None, out);
    }
    while let Some(choice) = position.undone.pop() {
        shared.problem.undo(&mut position.workspace, choice);
    }
    if let Some(choices) = position.first.take() {
        return (Next::of(choices), out);
    }
    match shared.problem.choices(&mut position.workspace) {
        Node::Choices(choices) => (Next::of(choices), out),
        Node::Solution => (None, shared.collect.add(out, &position.workspace, &position.place)),
    }
}

/// Pushes a search's frame. If it `opens`, it is to attend at the next node.
///
/// # Safety
///
/// As [`Top::push`], except that the slot may also have a mark.
#[inline]
unsafe fn show<'l, P: Search, C: Collect<P::Workspace>>(
    top: Top<'l>,
    frame: &SearchFrame<'_, P, C>,
    opens: bool,
) -> Pushed<'l> {
    if !top.is_free() {
        at_fork::show_to_watchers(*top);
    }
    let ladder = top.ladder();
    // SAFETY: by the contract of this function; a mark has been removed.
    let pushed = unsafe { top.push(frame.header()) };
    if opens {
        ladder.raise();
    }
    pushed
}

/// Gives other workers what they want. If the search `opens`, leaves parts for them. `popped` is `frame`.
#[cold]
#[inline(never)]
fn attend<'l, P: Search, C: Collect<P::Workspace>>(
    popped: Returned<'l>,
    frame: &SearchFrame<'_, P, C>,
    held: &mut Held<'_, P>,
    next: Next<P>,
    opens: &mut bool,
    descent: &mut Descent<'l>,
) -> (Top<'l>, Option<Next<P>>) {
    let mut at_rest = AtRest { position: held.position(), next, panic: None };
    let top = frame.resting(&mut at_rest, || {
        // SAFETY: a search can be divided. What the owner knows alone is found by `prepare`, not under L.
        let top = unsafe { at_return::attend_parts(popped, &|| ()) };
        if *opens {
            // SAFETY: `recover_stale` has told this search to share. The caller waits for the parts, or its guard does.
            descent.add(unsafe { at_fork::share_parts(&top, frame.header()) });
            *opens = frame.parts.is_empty();
        }
        top
    });
    if let Some(payload) = at_rest.panic {
        pass_on(payload);
    }
    end_if_cancelled(*top);
    let mut next = at_rest.next;
    // A part that has been split off for a worker, and that none has got, leaves first.
    frame.shared.offer(|| frame.take_ready(&top), held.position(), &mut next);
    (top, Some(next))
}

/// What comes after a part has come to its end.
enum Gathered<P: Search, T> {
    /// Nothing: the result.
    All(T),
    /// The next part in serial order, which no worker has begun, and the result so far.
    Next(Box<Position<P>>, T),
}

/// Adds the results of the parts in serial order, up to the first one that no worker has begun. Waits for the others.
/// `frame` was at `top`, and has been popped. `position` is that of the part that has come to its end.
#[inline(never)]
fn gather<P: Search, C: Collect<P::Workspace>>(
    top: &mut Top<'_>,
    frame: &SearchFrame<'_, P, C>,
    position: &Position<P>,
    out: C::Out,
) -> Gathered<P, C::Out> {
    let shared = frame.shared;
    if let Some(next) = frame.take_ready(top) {
        return Gathered::Next(next, out);
    }
    let mut out = Some(out);
    let mut panic = None;
    while let Some(next) = frame.parts.newest() {
        if let Some(out) = &mut out {
            shared.collect.pass_on(out, &position.place, next);
        }
        let Some(part) = frame.parts.pop() else { break };
        match part.join(top) {
            // When a part has failed, others may have left nodes out, and `combine` must not get results with gaps. The
            // panic comes with one of the parts here, or is passed to the worker that waits for the caller's own part.
            Collected::Done(Ok(latter)) => match out.take_if(|_| !shared.has_failed()) {
                Some(former) => out = Some(shared.collect.combine(former, latter)),
                None => drop_quietly(top, latter),
            },
            Collected::Done(Err(payload)) => {
                drop_quietly(top, out.take());
                match panic {
                    None => panic = Some(payload),
                    Some(_) => lose_payload(top, payload),
                }
            }
            Collected::Reclaimed(next) => match out.take_if(|_| !shared.has_failed()) {
                Some(out) => return Gathered::Next(next, out),
                None => drop_quietly(top, next),
            },
        }
    }
    Gathered::All(out.unwrap_or_else(|| pass_on(panic.expect("only a panic takes the result away"))))
}

/// Runs a part on this worker alone, if the ladder has no room.
#[cold]
#[inline(never)]
fn run_serially<P: Search, C: Collect<P::Workspace>>(
    shared: &Shared<'_, P, C>,
    at: Occupied<'_>,
    position: Box<Position<P>>,
    mut out: C::Out,
) -> C::Out {
    let mut held = Held::new(at, position);
    let next;
    (next, out) = begin(shared, held.position(), out);
    if let Some(here) = next {
        out = if at.is_shut() {
            timed::all(shared, at, held.position(), here, out, 0)
        } else {
            walk::to_end(shared, at, held.position(), here, out)
        };
    }
    shared.keep(held.release());
    out
}
