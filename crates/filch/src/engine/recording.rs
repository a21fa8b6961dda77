//! What constructs call for a [profile](crate::engine::profile): where they find a shut ladder, and where they begin
//! and end what is not on a ladder. On a thread that records nothing, each call is a look at one word.

use crate::engine::frame::Top;
use crate::engine::profile::log::Event;
use crate::engine::profile::recorder::{Recorder, TimedFork, Treatment};
use crate::engine::profile::site::Site;
use crate::engine::profile::store::{Kept, Store};
use crate::engine::spawned::{Fate, Job, Task};
use crate::engine::team::{Occupied, Team};
use std::any::type_name;
use std::cell::{Cell, RefCell};
use std::panic::{Location, resume_unwind};
use std::ptr;

thread_local! {
    /// The recorder of this thread, which a [`RecordedRun`] keeps.
    static HERE: Cell<*const RefCell<Recorder>> = const { Cell::new(ptr::null()) };
}

/// Whether this thread records.
#[inline]
pub(crate) fn is_here() -> bool {
    !HERE.get().is_null()
}

/// Calls `f` with the recorder of this thread. It runs no user code.
fn with<R>(f: impl FnOnce(&mut Recorder) -> R) -> Option<R> {
    // SAFETY: the recorder is unset before it goes, and no other thread has it.
    let here = unsafe { HERE.get().as_ref() }?;
    Some(f(&mut here.borrow_mut()))
}

/// Calls `f` with what this thread is recording, if it is.
pub(crate) fn with_unended<R>(f: impl FnOnce(Option<&Recorder>) -> R) -> R {
    // For the time since the last event. Nobody waits for this.
    add(Event::Post { key: 0 });
    // SAFETY: as in `with`.
    match unsafe { HERE.get().as_ref() } {
        Some(here) => f(Some(&here.borrow())),
        None => f(None),
    }
}

fn add(event: Event) {
    with(|recorder| recorder.add(event));
}

/// A run from outside that is being recorded.
pub(crate) struct RecordedRun<'t> {
    store: &'t Store,
    recorder: Option<Kept>,
    first: Occupied<'t>,
}

/// The run on this ladder begins, whose first rung is `first`. It is recorded, and the ladder is shut until the result
/// is dropped, if the team records. `None` if not.
pub(crate) fn begin_run<'t>(team: &'t Team, first: Occupied<'t>) -> Option<RecordedRun<'t>> {
    let store = team.profile.as_ref()?;
    let recorder = (!is_here()).then(|| {
        let recorder = store.take();
        HERE.set(recorder.place().as_ptr());
        with(Recorder::begin_run);
        recorder
    });
    first.shut();
    Some(RecordedRun { store, recorder, first })
}

impl Drop for RecordedRun<'_> {
    fn drop(&mut self) {
        self.first.unshut();
        if let Some(recorder) = self.recorder.take() {
            add(Event::EndRun);
            HERE.set(ptr::null());
            self.store.put(recorder);
        }
    }
}

/// What runs inside of a fork on a shut ladder, until it is dropped.
#[must_use]
pub(crate) enum Part<'l> {
    /// Nothing is recorded.
    Unrecorded,
    /// Its branches are timed.
    Timed { fork: Option<TimedFork>, is_second: bool },
    /// It is short, so it runs on the ladder, which is open meanwhile.
    Whole(Occupied<'l>),
    /// The same, but the ladder is shut, so that the forks inside can be counted.
    Counted(Option<TimedFork>),
}

/// A fork begins at `at`, for which there is no room.
pub(crate) fn fork<'l>(at: Occupied<'l>, site: Site) -> Part<'l> {
    if !at.is_shut() {
        return Part::Unrecorded;
    }
    let part = with(|recorder| {
        if recorder.counts() {
            return Part::Unrecorded;
        }
        let site = recorder.site(site);
        match recorder.treatment(site) {
            Treatment::Divided => Part::Timed { fork: Some(recorder.fork(site)), is_second: false },
            Treatment::Counted => Part::Counted(Some(recorder.begin_counting(site))),
            Treatment::Whole => {
                at.unshut();
                Part::Whole(at)
            }
        }
    });
    part.unwrap_or(Part::Unrecorded)
}

/// What comes at `at`, where the ladder is shut, runs on the ladder until the result is dropped.
pub(crate) fn whole(at: Occupied<'_>) -> Part<'_> {
    at.unshut();
    Part::Whole(at)
}

impl Part<'_> {
    /// The first branch is over, and the second one begins.
    pub(crate) fn second(&mut self) {
        if let Part::Timed { is_second, .. } = self {
            *is_second = true;
            add(Event::Second);
        }
    }

    /// Whether what runs inside is to be divided, so that its branches are timed.
    pub(crate) fn is_timed(&self) -> bool {
        matches!(self, Part::Timed { .. })
    }
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        match self {
            Part::Unrecorded => {}
            Part::Whole(at) => at.shut(),
            Part::Counted(fork) => {
                let fork = fork.take();
                with(|recorder| fork.into_iter().for_each(|fork| recorder.end_counting(fork)));
            }
            Part::Timed { fork, is_second } => {
                if !*is_second {
                    // The first branch has panicked.
                    add(Event::Second);
                }
                let fork = fork.take();
                with(|recorder| {
                    recorder.add(Event::Join);
                    fork.into_iter().for_each(|fork| recorder.end(fork));
                });
            }
        }
    }
}

/// A scope, until its tasks are over and this is dropped.
#[must_use]
pub(crate) struct RecordedScope(bool);

impl RecordedScope {
    /// No scope.
    pub(crate) const NONE: Self = RecordedScope(false);

    /// Ends this scope, and begins another one if it was one.
    pub(crate) fn again(self) -> Self {
        let was_one = self.0;
        drop(self);
        if was_one { open(0) } else { Self::NONE }
    }
}

/// The scope at this address begins.
pub(crate) fn open(address: usize) -> RecordedScope {
    RecordedScope(is_here() && with(|recorder| recorder.open(address)).is_some())
}

impl Drop for RecordedScope {
    fn drop(&mut self) {
        if self.0 {
            with(Recorder::close);
        }
    }
}

/// A task that has been spawned, for whoever runs it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpawnedTask {
    /// The number of the recorder.
    recorder: usize,
    task: u32,
}

/// The strand spawns a task into the scope at this address, or one that nobody awaits.
pub(crate) fn spawn(scope: Option<usize>, site: Site) -> Option<SpawnedTask> {
    with(|recorder| {
        let site = recorder.site(site);
        let scope = scope.map_or(0, |scope| recorder.scope(scope));
        SpawnedTask { recorder: recorder.number(), task: recorder.spawn(scope, site) }
    })
}

/// [`spawn`], into the scope that this thread has opened last.
pub(crate) fn spawn_into_innermost(site: Site) -> Option<SpawnedTask> {
    with(|recorder| {
        let site = recorder.site(site);
        let scope = recorder.innermost_scope();
        SpawnedTask { recorder: recorder.number(), task: recorder.spawn(scope, site) }
    })
}

/// A task that runs, until this is dropped. The strand around it rests.
#[derive(Debug)]
#[must_use]
pub(crate) struct BegunTask(bool);

/// The task begins, if this thread is the one that spawned it.
pub(crate) fn begin(task: Option<SpawnedTask>) -> BegunTask {
    let begun = task.and_then(|SpawnedTask { recorder: spawner, task }| {
        with(|recorder| {
            let is_here = recorder.number() == spawner;
            if is_here {
                recorder.add(Event::Begin { task });
            }
            is_here
        })
    });
    BegunTask(begun == Some(true))
}

impl Drop for BegunTask {
    fn drop(&mut self) {
        if self.0 {
            add(Event::End);
        }
    }
}

/// A loop whose items are spawned one after the other, until it is dropped.
#[must_use]
pub(crate) struct RecordedItems {
    // Dropped before the scope, which is the one that it belongs to.
    task: Option<BegunTask>,
    scope: RecordedScope,
    site: Site,
    /// How many more items the task has.
    left: u64,
}

/// A loop over items begins at `at`, for which there is no room.
pub(crate) fn items(at: Occupied<'_>, site: Site) -> RecordedItems {
    let scope = if at.is_shut() { open(0) } else { RecordedScope(false) };
    RecordedItems { scope, site, task: None, left: 0 }
}

impl RecordedItems {
    /// The next item is at hand.
    pub(crate) fn begin(&mut self) {
        if self.scope.0 && self.task.is_none() {
            self.task = Some(begin(spawn_into_innermost(self.site)));
            self.left = with(|recorder| recorder.items_of_task()).unwrap_or(1);
        }
    }

    /// It is over.
    pub(crate) fn end(&mut self) {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.task = None;
        }
    }
}

/// What things wait for: a name in one recording. That of a thread that records nothing is [`NONE`](Self::NONE).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    /// The number of the recorder.
    recorder: usize,
    key: u64,
}

impl Key {
    pub(crate) const NONE: Self = Key { recorder: 0, key: 0 };

    /// A name that nothing else has, and 2^32 numbers [behind](Self::at) it.
    pub(crate) fn new() -> Self {
        with(|recorder| Key { recorder: recorder.number(), key: recorder.name() }).unwrap_or(Key::NONE)
    }

    /// The key of this number behind a name.
    #[inline]
    pub(crate) fn at(self, number: u64) -> Self {
        Key { key: self.key + number, ..self }
    }

    /// What waits for this may go on from here.
    #[inline]
    pub(crate) fn post(self) {
        if self.recorder != 0 {
            self.add(Event::Post { key: self.key });
        }
    }

    /// What runs here has waited for this, if it has been posted.
    #[inline]
    pub(crate) fn wait(self) {
        if self.recorder != 0 {
            self.add(Event::Wait { key: self.key });
        }
    }

    /// Adds an event, if this thread records where the key comes from.
    #[cold]
    fn add(self, event: Event) {
        with(|recorder| {
            if recorder.number() == self.recorder {
                recorder.add(event);
            }
        });
    }
}

impl SpawnedTask {
    /// What is posted when the task is over.
    pub(crate) fn key(self) -> Key {
        Key { recorder: self.recorder, key: 1 << 63 | u64::from(self.task) }
    }
}

/// A job that says when it begins and ends.
struct TimedJob {
    job: Option<Job>,
    task: Option<SpawnedTask>,
}

/// The job of a task that is being spawned into the scope at this address.
///
/// # Safety
///
/// As for [`Job::new`].
#[inline]
pub(crate) unsafe fn job<T: Task>(scope: usize, task: T) -> Job {
    // SAFETY: guaranteed by the caller.
    let job = unsafe { Job::new(task) };
    // SAFETY: as above.
    if !T::IS_TIMED && is_here() { unsafe { timed(scope, job, type_name::<T>()) } } else { job }
}

/// The same job, on a thread that records. Boxed, so that tasks of all types need this code once.
///
/// # Safety
///
/// As for [`Job::new`].
#[cold]
#[inline(never)]
unsafe fn timed(scope: usize, job: Job, name: &'static str) -> Job {
    let site = Site { location: Location::caller(), name, code: job.code() };
    let task = spawn(Some(scope), site);
    // SAFETY: guaranteed by the caller, since what the job borrows is what this one borrows.
    unsafe { Job::new(Box::new(TimedJob { job: Some(job), task })) }
}

impl Task for Box<TimedJob> {
    const IS_TIMED: bool = true;

    fn run(mut self, top: Top<'_>) {
        let begun = begin(self.task);
        let result = Job::finish(&mut self.job, Fate::Run(top));
        drop(begun);
        result.unwrap_or_else(|payload| resume_unwind(payload));
    }

    fn is_over(&self) -> bool {
        self.job.as_ref().is_some_and(Job::is_over)
    }
}

impl Drop for TimedJob {
    fn drop(&mut self) {
        if let Err(payload) = Job::finish(&mut self.job, Fate::Drop) {
            resume_unwind(payload);
        }
    }
}
