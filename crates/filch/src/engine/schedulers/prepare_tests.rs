//! Frames that have to be prepared, given and not taken, by [`prepare`](crate::engine::share::prepare).

use crate::engine::frame::{FrameKind, Header};
use crate::engine::schedulers;
use crate::engine::share::at_return::{self, Settled};
use crate::engine::share::thief::Thief;
use crate::engine::team::threads::Threads;
use crate::engine::team::{Ladder, Team};
use crate::engine::team::{Occupied, Pushed, Top};
use crate::protocol::ask::Ask;
use crate::protocol::ladder::{Miss, Verdict};
use crate::sync::fence;
use filch_policy::{Costs, Rules, Scheduler};
use std::cell::Cell;
use std::ptr::NonNull;
use std::sync::Arc;

/// A frame that counts how often it has been prepared. Checks each time that its ladder is unlocked, and that code of
/// the user may run.
#[repr(C)]
struct Counted {
    header: Header,
    prepared: Cell<u32>,
    /// Whether the code that prepares forks, and is asked for more meanwhile.
    forks: bool,
}

static PREPARED: FrameKind = FrameKind { run: never, divide: None, prepare: Some(prepare) };
static PLAIN: FrameKind = FrameKind { run: never, divide: None, prepare: None };

unsafe fn never(_: NonNull<Header>, _: Top<'_>) {
    unreachable!("no frame of these tests is run");
}

unsafe fn prepare(frame: NonNull<Header>, top: Top<'_>) -> bool {
    // SAFETY: the table is that of this type, and the frame lives.
    let frame = unsafe { frame.cast::<Counted>().as_ref() };
    frame.prepared.set(frame.prepared.get() + 1);
    assert!(top.is_settled(), "H is back");
    // The attempt ends before it changes anything; if there is a frame to take, not before it has locked L.
    let missed = top.ladder().take(|| false, |_| Verdict::<()>::Leaves);
    assert!(matches!(missed, Err(Miss::TooSoon | Miss::Empty)), "L is free");
    if frame.forks {
        fork_and_return(top, &Header::new(&PLAIN));
    }
    true
}

/// Forks at `top` and returns, while a worker has asked. Returns whether the frame is gone.
fn fork_and_return(top: Top<'_>, frame: &Header) -> bool {
    returns(push(top, frame.into()))
}

/// Pushes a frame of the test, which pops it.
fn push(top: Top<'_>, frame: NonNull<Header>) -> Pushed<'_> {
    assert!(top.is_free());
    // SAFETY: the slot is free, and the frame lives until the end of the test.
    unsafe { top.push(frame) }
}

/// Whether the frame is gone.
fn returns(pushed: Pushed<'_>) -> bool {
    pushed.pop().is_err_and(|returned| matches!(at_return::attend(returned), Settled::Gone(_)))
}

/// This thread is the only one that uses the ladders of the test.
fn top(ladder: &Ladder) -> Top<'_> {
    // SAFETY: this thread occupies the ladder.
    unsafe { Occupied::at(ladder.first()) }.top()
}

fn team(scheduler: &Scheduler) -> Arc<Team> {
    let rules = Rules::new(scheduler, Costs::NONE, true);
    Team::new(
        2,
        8,
        scheduler.clone(),
        rules,
        schedulers::of(&rules),
        crate::engine::team::lifetime::Layout::default(),
        Threads::default(),
    )
    .expect("a small team")
}

/// Worker 1 asks worker 0.
fn ask(team: &Team) {
    team.worker(1).mailbox.expect_reply();
    assert!(team.worker(0).ask_word.post(Ask { asker: 1, seq: 1 }));
    team.ladder(0).raise();
}

fn counted(forks: bool) -> Counted {
    Counted { header: Header::new(&PREPARED), prepared: Cell::new(0), forks }
}

fn is_given_after_preparation(forks: bool) {
    let team = team(&Scheduler::default());
    let (ladder, frame) = (team.ladder(0), counted(forks));
    team.worker(0).open();
    let mut pushed = push(top(ladder), NonNull::from(&frame).cast());
    assert!(!fork_and_return(pushed.above(), &Header::new(&PLAIN)));
    assert_eq!(frame.prepared.get(), 0, "no worker has asked");
    ask(&team);
    assert!(!fork_and_return(pushed.above(), &Header::new(&PLAIN)), "the older frame goes");
    assert_eq!(frame.prepared.get(), 1);
    assert_eq!(team.worker(1).mailbox.get(), Some(NonNull::from(&frame).cast()), "given");
}

#[test]
fn the_oldest_frame_is_prepared_without_the_lock_and_then_given() {
    is_given_after_preparation(false);
}

#[test]
fn code_that_prepares_may_fork_while_the_ask_waits() {
    is_given_after_preparation(true);
}

/// Waits until frames can be taken.
fn await_barrier() {
    fence::prepare();
    // The thread of another test may be asking the system for the barrier.
    let is_late = || {
        (0..10_000).all(|_| {
            std::thread::sleep(std::time::Duration::from_millis(1));
            !fence::is_ready()
        })
    };
    assert!(fence::is_ready() || !is_late(), "the system grants no barrier");
}

/// A worker that looks for work on its empty ladder.
fn thief(team: &Team) -> Thief<'_> {
    await_barrier();
    Thief {
        team,
        top: top(team.ladder(1)),
        is_called: &|| false,
        going_busy: &|| (),
        may_nap: &|| false,
        is_met_with_silence: Cell::new(false),
    }
}

#[test]
fn a_frame_that_has_to_be_prepared_is_not_taken_but_ordered() {
    let team = team(&Scheduler::cilk5());
    let (victim, frame) = (team.ladder(0), counted(false));
    let pushed = push(top(victim), NonNull::from(&frame).cast());
    assert!(!thief(&team).visit(victim, None));
    let counters = &team.worker(1).counters;
    assert_eq!((counters.failed_takes.get(), counters.forks_taken.get()), (0, 0));
    assert!(!victim.has_frame() && frame.prepared.get() == 0, "passed by");
    let Err(returned) = pushed.pop() else { panic!("its owner notices") };
    let Settled::Gone(top) = at_return::attend(returned) else { panic!("H was above it") };
    assert!(top.is_settled(), "H is back");
    assert!(team.worker(0).preparing.take_order() && !team.worker(0).preparing.take_order());
}

#[test]
fn a_frame_that_was_passed_by_is_prepared_when_h_is_back() {
    await_barrier();
    for forks in [false, true] {
        let team = team(&Scheduler::default());
        let (victim, frame) = (team.ladder(0), counted(forks));
        team.worker(0).open();
        let pushed = push(top(victim), NonNull::from(&frame).cast());
        // A thief orders the frame, and another worker asks for it.
        assert!(matches!(victim.take(|| true, |_| Verdict::<()>::Passes), Err(Miss::Passed)));
        ask(&team);
        let Err(returned) = pushed.pop() else { panic!("its owner notices") };
        // SAFETY: it is not asked what is left of the frame, which cannot be divided.
        unsafe { at_return::attend_parts(returned, &|| ()) };
        assert_eq!(frame.prepared.get(), 1);
        assert!(!team.worker(0).is_asked(), "answered");
    }
}

#[test]
fn a_frame_that_cannot_be_prepared_is_passed_by() {
    static NOT_NOW: FrameKind = FrameKind { run: never, divide: None, prepare: Some(refuse) };
    unsafe fn refuse(_: NonNull<Header>, _: Top<'_>) -> bool {
        false
    }
    let team = team(&Scheduler::default());
    let (ladder, frame) = (team.ladder(0), Header::new(&NOT_NOW));
    let inner = [Header::new(&PLAIN), Header::new(&PLAIN)];
    team.worker(0).open();
    let mut first = push(top(ladder), NonNull::from(&frame));
    let mut second = push(first.above(), NonNull::from(&inner[0]));
    ask(&team);
    assert!(!fork_and_return(second.above(), &inner[1]));
    assert!(team.worker(0).is_asked(), "the first return passes it by");
    assert!(!fork_and_return(second.above(), &inner[1]));
    assert_eq!(team.worker(1).mailbox.get(), Some(NonNull::from(&inner[0])), "the next one gives what is above it");
    assert!(returns(second));
    let Err(returned) = first.pop() else { panic!("H was above it") };
    assert!(at_return::attend(returned).top().is_settled());
}
