//! Which views of reducers belong to what a thread is running: its hypermap.
//!
//! A *task* is work that has moved, and what a thread does outside of such work counts as one more: a run is a part of
//! what its caller does. A task is run by one thread from its beginning to its end, strictly one thing after the other;
//! so within it, one view per reducer is enough, and nobody else looks at that. What the task had when it ends, its
//! hypermap (Frigo, Halpern, Leiserson, Lewin-Berlin 2009), it leaves with its claim; whoever has waited for it
//! [absorbs] that, behind its own.
//!
//! A hypermap holds no views, but ends of the chains in their reducers' [`Order`]s; so it may outlive them, no code of
//! the user's runs when it is absorbed or dropped, and combining is left to the reducer's next use.
//!
//! All of this is thread-local, until it lies in a claim: there it is the thief's before `done` is set, and the owner's
//! after. A fork and a return do not come here. A task that uses no reducer pays for a few words, saved and restored.
//!
//! [absorbs]: super::frame::Claim::absorb

use crate::engine::abort::AbortOnUnwind;
use crate::engine::views::order::{Name, Order};
#[cfg(not(loom))]
use crate::sync::AtomicU64;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::mem::ManuallyDrop;
use std::ptr::{self, NonNull};
use std::sync::Arc;
// The model checker's cannot be in a static.
#[cfg(loom)]
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

/// The views of one task, by the number of their reducer.
#[derive(Default)]
pub(crate) struct Hypermap(BTreeMap<u64, Chain>);

/// The views of one reducer that belong to one task: its own first, then what it has absorbed since it last used the
/// reducer.
struct Chain {
    order: Arc<Order>,
    head: Name,
    tail: Name,
}

/// A task while it runs.
struct Task {
    /// 0 before anybody has asked.
    number: Cell<u64>,
    /// Reducers used of late and their views, each in the place that its number says. See [`known`].
    known: Cell<[(u64, *mut ()); KNOWN]>,
    /// Where no task has moved, freed by [`AtExit`], because a destructor would cost every access a check.
    hypermap: ManuallyDrop<RefCell<Hypermap>>,
}

/// What a thread is running.
struct Here {
    /// Numbers the stretches of a task between two absorptions; 0 before anybody has asked. See [`turn`].
    turn: Cell<u64>,
    /// The innermost task that has moved; on this thread's stack, in [`run_task`].
    moved: Cell<*const Task>,
    outside: Task,
}

thread_local! {
    static HERE: Here = const { Here { turn: Cell::new(0), moved: Cell::new(ptr::null()), outside: Task::new() } };
    static AT_EXIT: AtExit = const { AtExit };
    /// The next number that this thread gives.
    static NUMBER: Cell<u64> = const { Cell::new(0) };
}

/// Frees the hypermap of what a thread has done outside of tasks.
struct AtExit;

impl Drop for AtExit {
    fn drop(&mut self) {
        HERE.with(|here| {
            here.outside.known.set(NONE);
            here.outside.hypermap.take()
        });
    }
}

/// How many views are found at once.
const KNOWN: usize = 4;

/// No reducer has the number 0.
const NONE: [(u64, *mut ()); KNOWN] = [(0, ptr::null_mut()); KNOWN];

/// Numbers that a thread gets at a time.
const BLOCK: u64 = 1 << 16;

/// A number that has not been given before; not 0.
pub(crate) fn fresh_number() -> u64 {
    static BLOCKS: AtomicU64 = AtomicU64::new(0);
    let mut number = NUMBER.get();
    if number.is_multiple_of(BLOCK) {
        number = BLOCKS.fetch_add(1, Ordering::Relaxed) * BLOCK + 1;
    }
    NUMBER.set(number + 1);
    number
}

impl Task {
    const fn new() -> Self {
        Task {
            number: Cell::new(0),
            known: Cell::new(NONE),
            hypermap: ManuallyDrop::new(RefCell::new(Hypermap(BTreeMap::new()))),
        }
    }
}

impl Here {
    #[inline(always)]
    fn task(&self) -> &Task {
        // SAFETY: null, or on this thread's stack until `run_task`, which has put it here, has removed it.
        unsafe { self.moved.get().as_ref() }.unwrap_or(&self.outside)
    }

    /// Whether what the task notes will be freed.
    fn keeps_hypermap(&self) -> bool {
        !self.moved.get().is_null() || AT_EXIT.try_with(|_| ()).is_ok()
    }
}

/// Runs `f`, which must not unwind, as a task of its own. What that leaves; nothing if it has used no reducer.
pub(crate) fn run_task(f: impl FnOnce()) -> Option<Box<Hypermap>> {
    let task = Task::new();
    let abort = AbortOnUnwind::arm();
    let (turn, moved) = HERE.with(|here| (here.turn.replace(0), here.moved.replace(&raw const task)));
    f();
    HERE.with(|here| {
        here.turn.set(turn);
        here.moved.set(moved);
    });
    abort.disarm();
    let hypermap = ManuallyDrop::into_inner(task.hypermap).into_inner();
    (!hypermap.0.is_empty()).then(|| Box::new(hypermap))
}

/// The views of `later` belong to what this thread is running, and come after those that it has.
pub(crate) fn absorb(later: Hypermap) {
    HERE.with(|here| {
        // The next use of a reducer has to look at its chain.
        here.turn.set(0);
        here.task().known.set(NONE);
        if here.keeps_hypermap() {
            here.task().hypermap.borrow_mut().append(later);
        }
    });
}

impl Hypermap {
    /// Of one view.
    pub(crate) fn of(reducer: u64, order: &Arc<Order>, name: Name) -> Self {
        Hypermap(BTreeMap::from([(reducer, Chain { order: Arc::clone(order), head: name, tail: name })]))
    }

    /// What comes after these.
    pub(crate) fn append(&mut self, later: Hypermap) {
        if self.0.is_empty() {
            *self = later;
            return;
        }
        for (reducer, chain) in later.0 {
            if let Some(earlier) = self.0.get_mut(&reducer) {
                earlier.order.link(earlier.tail, chain.head);
                earlier.tail = chain.tail;
            } else {
                self.prune();
                self.0.insert(reducer, chain);
            }
        }
    }

    /// Forgets reducers that are gone, now and then.
    fn prune(&mut self) {
        if self.0.len().is_power_of_two() {
            self.0.retain(|_, chain| !chain.order.is_over());
        }
    }
}

/// A number for the stretch of its task that this thread is in: from the last absorption to the next. 0 if nobody has
/// asked for one by [`turn`].
#[inline(always)]
pub(crate) fn current_turn() -> u64 {
    HERE.with(|here| here.turn.get())
}

/// [`current_turn`], never 0.
pub(crate) fn turn() -> u64 {
    HERE.with(|here| number_in(&here.turn))
}

/// The number of the task that this thread is in.
pub(crate) fn task() -> u64 {
    HERE.with(|here| number_in(&here.task().number))
}

fn number_in(cell: &Cell<u64>) -> u64 {
    if cell.get() == 0 {
        cell.set(fresh_number());
    }
    cell.get()
}

/// This task's view for `reducer`, if it is one of those [noted](set_known) last and nothing has been absorbed since.
#[inline(always)]
pub(crate) fn known(reducer: u64) -> Option<NonNull<()>> {
    let (number, view) = HERE.with(|here| here.task().known.get()[place(reducer)]);
    if number == reducer { NonNull::new(view) } else { None }
}

/// Notes this task's view for `reducer`.
pub(crate) fn set_known(reducer: u64, view: NonNull<()>) {
    HERE.with(|here| {
        let mut known = here.task().known.get();
        known[place(reducer)] = (reducer, view.as_ptr());
        here.task().known.set(known);
    });
}

/// Numbers that are given one after the other have places of their own.
#[inline(always)]
fn place(reducer: u64) -> usize {
    reducer as usize % KNOWN
}

/// This task's first view for `reducer`.
pub(crate) fn first(reducer: u64) -> Option<NonNull<()>> {
    with_chain(reducer, |chain| chain.order.view(chain.head))
}

/// Removes this task's first view for `reducer`.
pub(crate) fn remove_first(reducer: u64) -> Option<NonNull<()>> {
    let (view, next) = with_chain(reducer, |chain| {
        let (view, next) = chain.order.remove(chain.head)?;
        chain.head = next.unwrap_or(chain.head);
        Some((view, next))
    })?;
    if next.is_none() {
        forget(reducer);
    }
    Some(view)
}

/// Removes this task's second view for `reducer`.
pub(crate) fn remove_second(reducer: u64) -> Option<NonNull<()>> {
    with_chain(reducer, |chain| {
        if chain.head == chain.tail {
            return None;
        }
        let (view, has_more) = chain.order.remove_after(chain.head)?;
        if !has_more {
            chain.tail = chain.head;
        }
        Some(view)
    })
}

/// Adds a view for `reducer` at the end of this task's. False if the thread is about to end: it can no longer note
/// that, and the view is an orphan.
pub(crate) fn add_last(reducer: u64, order: &Arc<Order>, view: NonNull<()>) -> bool {
    HERE.with(|here| {
        let name = order.add(view);
        let keeps = here.keeps_hypermap();
        if keeps {
            here.task().hypermap.borrow_mut().append(Hypermap::of(reducer, order, name));
        }
        keeps
    })
}

/// This task has no views for `reducer` any more.
pub(crate) fn forget(reducer: u64) {
    HERE.with(|here| here.task().hypermap.borrow_mut().0.remove(&reducer));
}

fn with_chain<R>(reducer: u64, f: impl FnOnce(&mut Chain) -> Option<R>) -> Option<R> {
    HERE.with(|here| here.task().hypermap.borrow_mut().0.get_mut(&reducer).and_then(f))
}
