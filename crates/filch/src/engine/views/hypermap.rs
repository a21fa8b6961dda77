//! The hypermap of a task: which views of reducers belong to what a thread is running.
//!
//! A *task* here is work that has moved to another worker. What a thread does outside of such work counts as one more
//! task, because a run is a part of what its caller does. One thread runs a task from its beginning to its end,
//! strictly one thing after the other. So one view per reducer is enough within a task, and no other thread looks at
//! it. When a task ends, it leaves its hypermap (Frigo et al. 2009) with its claim. The worker that has waited for the
//! task [absorbs] the hypermap, behind its own.
//!
//! A hypermap does not hold views. It holds the ends of their chains in the [`ViewOrder`]s of their reducers. So it may
//! outlive the reducers, and no user code runs when it is absorbed or dropped. The next use of a reducer combines its
//! views.
//!
//! All of this is thread-local until it lies in a claim. There it belongs to the thief before `done` is set, and to the
//! owner afterwards. Forks and returns do not access it. A task that uses no reducer pays only for a few words that are
//! saved and restored.
//!
//! [absorbs]: crate::engine::frame::Views::absorb

use crate::engine::views::order::{Name, ViewOrder};
#[cfg(not(loom))]
use crate::sync::AtomicU64;
use crate::sync::abort::AbortOnUnwind;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::mem::ManuallyDrop;
use std::ptr::{self, NonNull};
use std::sync::Arc;
// The atomics of the model checker cannot be in a static.
#[cfg(loom)]
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

/// The views of one task, by the number of their reducer.
#[derive(Default)]
pub(crate) struct Hypermap(HashMap<u64, Chain, BuildHasherDefault<DefaultHasher>>);

/// The views of one reducer that belong to one task: first its own, then those that it has absorbed since it last used
/// the reducer.
struct Chain {
    order: Arc<ViewOrder>,
    head: Name,
    tail: Name,
}

/// A task while it runs.
struct Task {
    /// 0 until the number is asked for.
    number: Cell<u64>,
    /// Reducers that were used recently, and their views. The number of a reducer gives its place. See [`known`].
    known: Cell<[(u64, *mut ()); KNOWN]>,
    /// The hypermap outside of tasks that have moved is freed by [`AtExit`], because a destructor of `HERE` would add a
    /// check to each access.
    hypermap: ManuallyDrop<RefCell<Hypermap>>,
}

/// What a thread is running.
struct Here {
    /// A number for the time between two absorptions of a task; 0 until it is asked for. See [`turn`].
    turn: Cell<u64>,
    /// The innermost task that has moved. It lies on this thread's stack, in [`run_task`].
    moved: Cell<*const Task>,
    outside: Task,
}

thread_local! {
    static HERE: Here = const { Here { turn: Cell::new(0), moved: Cell::new(ptr::null()), outside: Task::new() } };
    static AT_EXIT: AtExit = const { AtExit };
    /// The next number that this thread hands out.
    static NUMBER: Cell<u64> = const { Cell::new(0) };
}

/// Frees the hypermap of what a thread has done outside of tasks that have moved.
struct AtExit;

impl Drop for AtExit {
    fn drop(&mut self) {
        HERE.with(|here| {
            here.outside.known.set(NONE);
            here.outside.hypermap.take()
        });
    }
}

/// How many views of a task are found without a search.
const KNOWN: usize = 4;

/// No reducer has the number 0.
const NONE: [(u64, *mut ()); KNOWN] = [(0, ptr::null_mut()); KNOWN];

/// How many numbers a thread reserves at a time.
const BLOCK: u64 = 1 << 16;

/// A number that has not been handed out before. It is never 0.
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
            hypermap: ManuallyDrop::new(RefCell::new(Hypermap(HashMap::with_hasher(BuildHasherDefault::new())))),
        }
    }
}

impl Here {
    #[inline(always)]
    fn task(&self) -> &Task {
        // SAFETY: the pointer is null or comes from `run_task`, which removes it before the task leaves this thread's
        // stack.
        unsafe { self.moved.get().as_ref() }.unwrap_or(&self.outside)
    }

    /// Whether the hypermap of the current task will be absorbed or freed, whatever it has.
    fn keeps_hypermap(&self) -> bool {
        !self.moved.get().is_null() || AT_EXIT.try_with(|_| ()).is_ok()
    }
}

/// Runs `f`, which must not unwind, as a task of its own. Also returns the hypermap that it leaves, or `None` if it has
/// used no reducer.
pub(crate) fn run_task<R>(f: impl FnOnce() -> R) -> (R, Option<Box<Hypermap>>) {
    let task = Task::new();
    let abort = AbortOnUnwind::arm();
    let (turn, moved) = HERE.with(|here| (here.turn.replace(0), here.moved.replace(&raw const task)));
    let result = f();
    HERE.with(|here| {
        here.turn.set(turn);
        here.moved.set(moved);
    });
    abort.disarm();
    let hypermap = ManuallyDrop::into_inner(task.hypermap).into_inner();
    (result, (!hypermap.0.is_empty()).then(|| Box::new(hypermap)))
}

/// Gives the views of `later` to the current task. They follow those that it has.
pub(crate) fn absorb(mut later: Hypermap) {
    HERE.with(|here| {
        // Makes the next use of a reducer look at its chain.
        here.turn.set(0);
        here.task().known.set(NONE);
        if !here.keeps_hypermap() {
            // Nothing will free what the reducers do not take out themselves. Those that were made here do.
            let home = here.task().number.get();
            later.0.retain(|_, chain| chain.order.home() == home);
        }
        here.task().hypermap.borrow_mut().append(later);
    });
}

impl Hypermap {
    /// Adds the views of `later` behind these.
    pub(crate) fn append(&mut self, later: Hypermap) {
        if self.0.is_empty() {
            *self = later;
            return;
        }
        for (reducer, chain) in later.0 {
            self.add(reducer, chain);
        }
    }

    /// Adds a view of a reducer behind these.
    pub(crate) fn add_view(&mut self, reducer: u64, order: &Arc<ViewOrder>, name: Name) {
        self.add(reducer, Chain { order: Arc::clone(order), head: name, tail: name });
    }

    fn add(&mut self, reducer: u64, chain: Chain) {
        if let Some(earlier) = self.0.get_mut(&reducer) {
            earlier.order.link(earlier.tail, chain.head);
            earlier.tail = chain.tail;
        } else {
            self.prune();
            self.0.insert(reducer, chain);
        }
    }

    /// Forgets reducers that have been dropped, whenever the number of entries has doubled.
    fn prune(&mut self) {
        if self.0.len().is_power_of_two() {
            self.0.retain(|_, chain| !chain.order.is_over());
        }
    }
}

/// A number for the time from the last absorption of the current task to the next. 0 if [`turn`] has not been called in
/// that time.
#[inline(always)]
pub(crate) fn current_turn() -> u64 {
    HERE.with(|here| here.turn.get())
}

/// [`current_turn`], but never 0.
pub(crate) fn turn() -> u64 {
    HERE.with(|here| number_in(&here.turn))
}

/// The number of the current task.
pub(crate) fn task() -> u64 {
    HERE.with(|here| number_in(&here.task().number))
}

fn number_in(cell: &Cell<u64>) -> u64 {
    if cell.get() == 0 {
        cell.set(fresh_number());
    }
    cell.get()
}

/// The current task's view of `reducer`, if it is one of those that were [noted](set_known) last and nothing has been
/// absorbed since.
#[inline(always)]
pub(crate) fn known(reducer: u64) -> Option<NonNull<()>> {
    let (number, view) = HERE.with(|here| here.task().known.get()[place(reducer)]);
    if number == reducer { NonNull::new(view) } else { None }
}

/// Notes the current task's view of `reducer`.
pub(crate) fn set_known(reducer: u64, view: NonNull<()>) {
    HERE.with(|here| {
        let mut known = here.task().known.get();
        known[place(reducer)] = (reducer, view.as_ptr());
        here.task().known.set(known);
    });
}

/// Consecutive numbers have different places.
#[inline(always)]
fn place(reducer: u64) -> usize {
    reducer as usize % KNOWN
}

/// The current task's first view of `reducer`.
pub(crate) fn first(reducer: u64) -> Option<NonNull<()>> {
    with_chain(reducer, |chain| chain.order.view(chain.head))
}

/// Removes the current task's first view of `reducer`.
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

/// Removes the current task's second view of `reducer`.
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

/// Adds a view of `reducer` behind those of the current task. Returns false if the thread is about to end. It can then
/// no longer keep a hypermap, and the view belongs to no task.
pub(crate) fn add_last(reducer: u64, order: &Arc<ViewOrder>, view: NonNull<()>) -> bool {
    HERE.with(|here| {
        let name = order.add(view);
        let keeps = here.keeps_hypermap();
        if keeps {
            here.task().hypermap.borrow_mut().add_view(reducer, order, name);
        }
        keeps
    })
}

/// Forgets all views of `reducer` that the current task has.
pub(crate) fn forget(reducer: u64) {
    HERE.with(|here| {
        let mut hypermap = here.task().hypermap.borrow_mut();
        hypermap.0.remove(&reducer);
        if hypermap.0.is_empty() {
            // An empty map may have memory, which nothing frees in a thread that is about to end.
            *hypermap = Hypermap::default();
        }
    });
}

fn with_chain<R>(reducer: u64, f: impl FnOnce(&mut Chain) -> Option<R>) -> Option<R> {
    HERE.with(|here| here.task().hypermap.borrow_mut().0.get_mut(&reducer).and_then(f))
}
