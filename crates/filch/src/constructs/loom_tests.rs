//! Loom tests of the parts that thieves and owners share: memory for parts, the list of parts, and views of reducers.
//! `cargo xtask loom` runs them, and checks that they reject the mutants.

use crate::constructs::items::frame::{ItemsFrame, ItemsPart, Parts};
use crate::engine::frame::part_memory::{PartMemory, PartMemoryCell, unpack};
use crate::engine::frame::{Claim, FrameKind, Header, Place, Top};
use crate::engine::views::hypermap::Hypermap;
use crate::engine::views::order::ViewOrder;
use crate::protocol::ask::{Ask, AskWord, Mailbox};
use crate::protocol::ladder::Claimed;
use crate::protocol::task_pool::Parcel;
use crate::protocol::task_pool::TaskPool;
use crate::sync::cell::UnsafeCell;
use crate::sync::{AtomicUsize, Mutex, Ordering, lock};
use loom::sync::Arc;
use loom::thread;
use std::num::NonZero;
use std::ops::Range;
use std::ptr::NonNull;

unsafe fn never(_: NonNull<Header>, _: Top<'_>) {
    unreachable!("these tests run what they have got themselves")
}

fn check(preemptions: usize, test: impl Fn() + Sync + Send + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.check(test);
}

fn beside<S: Send + Sync + 'static>(shared: &Arc<S>, f: impl Fn(&S) + Send + 'static) -> thread::JoinHandle<()> {
    let shared = Arc::clone(shared);
    thread::spawn(move || f(&shared))
}

// Memory that an asker brings for a part.

static RANGE: FrameKind = FrameKind { run: never, divide: None, prepare: None };

/// A part of a loop.
#[repr(C)]
struct Part {
    header: Header,
    indices: Range<u64>,
}

const INDICES: u64 = 4;

struct Asking {
    word: AskWord,
    mailbox: Mailbox<Header>,
    part_memory: PartMemoryCell,
    /// How many indices are left of the victim's loop. This lock is the victim's L.
    left: Mutex<u64>,
    runs: [AtomicUsize; INDICES as usize],
}

impl Asking {
    /// Splits a part off, in the asker's memory. Under L.
    fn split(&self, left: &mut u64) -> Option<NonNull<Part>> {
        let indices = *left / 2..*left;
        if indices.is_empty() {
            return None;
        }
        *left = indices.start;
        let claim = Claim::new(NonNull::dangling(), None, 0, Place::Mailbox(1));
        let memory = self.part_memory.take().expect("an asker brings the memory for a part");
        Some(memory.pack(Part { header: Header::claimed(&RANGE, claim), indices }))
    }

    /// Accepts an ask under L, and answers after releasing L.
    fn attend(&self) {
        let mut left = lock(&self.left);
        if self.word.accept().is_none() {
            return;
        }
        let part = self.split(&mut left);
        drop(left);
        match part {
            Some(part) => self.mailbox.put(part.cast()),
            None => self.mailbox.refuse(),
        }
    }

    fn victim(&self) {
        self.word.open();
        self.attend();
        self.attend();
        if self.word.close().is_some() {
            self.mailbox.refuse();
        }
    }

    /// Asks, and takes if no answer comes in time.
    fn ask(&self, seq: u64) -> Option<NonNull<Part>> {
        let ask = Ask { asker: 1, seq };
        self.part_memory.make();
        self.mailbox.expect_reply();
        if !self.word.post(ask) {
            self.mailbox.expect_nothing();
            return None;
        }
        let mut looks = 0;
        loop {
            if let Some(part) = self.mailbox.get() {
                return Some(part.cast());
            }
            if self.mailbox.is_refused() {
                return None;
            }
            looks += 1;
            if looks == 2 && self.word.withdraw(ask) {
                self.mailbox.expect_nothing();
                return self.split(&mut lock(&self.left));
            }
            thread::yield_now();
        }
    }

    fn run(&self, part: NonNull<Part>) {
        // SAFETY: the caller has this part.
        let part = unsafe { part.as_ref() };
        // SAFETY: the part has been claimed.
        let claim = unsafe { part.header.claim() };
        assert_eq!(claim.place(), Place::Mailbox(1), "a claim is seen whole");
        part.indices.clone().for_each(|index| _ = self.runs[index as usize].fetch_add(1, Ordering::Relaxed));
    }
}

/// An asker that still has a part may ask for another. Each part has memory of its own, which one thread at a time
/// writes.
#[test]
fn a_part_lies_in_memory_that_its_asker_has_brought_for_it() {
    check(3, || {
        let shared = Arc::new(Asking {
            word: AskWord::new(),
            mailbox: Mailbox::new(),
            part_memory: PartMemoryCell::new(),
            left: Mutex::new(INDICES),
            runs: std::array::from_fn(|_| AtomicUsize::new(0)),
        });
        let victim = beside(&shared, Asking::victim);
        let parts = [1, 2].map(|seq| shared.ask(seq));
        assert!(parts[0].is_none() || parts[0] != parts[1], "each part has memory of its own");
        parts.iter().flatten().for_each(|&part| shared.run(part));
        victim.join().unwrap();
        let end = *lock(&shared.left);
        for (index, runs) in shared.runs.iter().enumerate() {
            assert_eq!(runs.load(Ordering::Relaxed), usize::from(index as u64 >= end), "a part is run once");
        }
        // SAFETY: this thread has the parts, and each of them lies in memory of its own.
        parts.into_iter().flatten().for_each(|part| drop(unsafe { unpack(part) }));
    });
}

// The parts of a spawn loop.

static ITEMS: FrameKind = FrameKind { run: never, divide: ItemsFrame::DIVIDE, prepare: None };

/// A frame on a ladder.
struct Shown(NonNull<Header>);

// SAFETY: the frame lives while it is on the ladder, and is accessed under the lock.
unsafe impl Send for Shown {}

struct Loop {
    parts: Parts,
    /// The iterator.
    items: UnsafeCell<usize>,
    runs: AtomicUsize,
    /// The ladders of the beginner and of the thieves. Each lock is the L of its ladder.
    ladders: [Mutex<Option<Shown>>; 3],
    /// The thief that has something to tell.
    teller: usize,
}

// SAFETY: only the thread with the right uses the iterator, and parts synchronise access to themselves.
unsafe impl Sync for Loop {}
// SAFETY: for the same reason as `Sync`.
unsafe impl Send for Loop {}

impl Loop {
    /// Runs items until none is left (true), or the right has moved (false).
    fn iterate(&self, me: usize, frame: &ItemsFrame) -> bool {
        loop {
            // SAFETY: this thread has the right to iterate.
            let is_item = self.items.with_mut(|items| unsafe {
                let is_item = *items > 0;
                *items -= usize::from(is_item);
                is_item
            });
            if !is_item {
                return true;
            }
            *lock(&self.ladders[me]) = Some(Shown(frame.header()));
            self.runs.fetch_add(1, Ordering::Relaxed);
            if lock(&self.ladders[me]).take().is_none() {
                return false;
            }
        }
    }

    /// Takes the right from `victim` if that shows its frame, and runs the part.
    fn steal(&self, me: usize, victim: usize) -> bool {
        let mut ladder = lock(&self.ladders[victim]);
        let Some(Shown(frame)) = ladder.take() else { return false };
        let part_memory = Box::new(PartMemory::new());
        let claim = Claim::new(frame, None, victim, Place::Nowhere);
        // SAFETY: the frame lives while it is on the ladder, whose L is held. The memory belongs to this thread.
        let (Claimed::All(part) | Claimed::Part(part)) =
            unsafe { (ItemsFrame::DIVIDE.expect("of a loop").split)(frame, part_memory, claim) };
        drop(ladder);
        // SAFETY: the part lives until it is done.
        let part = unsafe { part.frame().cast::<ItemsPart>().as_ref() };
        let frame = self.parts.begin(part);
        self.iterate(me, &frame);
        if me == self.teller {
            // SAFETY: whoever gathers the parts expects this type.
            unsafe { part.tell(Box::into_raw(Box::new(me)).cast()) };
        }
        part.claim().done.set();
        true
    }

    /// Runs the whole loop, and returns how many parts had something to tell.
    fn begin(&self) -> usize {
        let frame = self.parts.frame(NonNull::from(&self.parts), &ITEMS);
        let mut told = 0;
        if !self.iterate(0, &frame) {
            while let Some(part) = self.parts.first() {
                // SAFETY: the beginner waits for this part, so it lives until it is removed below.
                while !unsafe { part.as_ref() }.claim().done.is_set() {
                    thread::yield_now();
                }
                // SAFETY: the part comes from `first`, and is done.
                if let Some(what) = NonNull::new(unsafe { self.parts.remove_first(part) }) {
                    // SAFETY: `steal` has stored a box of this type.
                    assert_eq!(*unsafe { Box::from_raw(what.cast::<usize>().as_ptr()) }, self.teller);
                    told += 1;
                }
            }
        }
        told
    }
}

/// One thief takes from the beginner, another from the first thief. A thief that begins a later part, or the beginner,
/// frees parts.
fn check_items(preemptions: usize, items: usize, teller: usize) {
    check(preemptions, move || {
        let shared = Arc::new(Loop {
            parts: Parts::begun_by(0, None),
            items: UnsafeCell::new(items),
            runs: AtomicUsize::new(0),
            ladders: std::array::from_fn(|_| Mutex::new(None)),
            teller,
        });
        let has_told = Arc::new(AtomicUsize::new(0));
        let thieves = [(1, 0), (2, 1)].map(|(me, victim)| {
            let has_told = Arc::clone(&has_told);
            beside(&shared, move |shared: &Loop| {
                let has_run = shared.steal(me, victim) || shared.steal(me, victim);
                has_told.fetch_add(usize::from(has_run && me == shared.teller), Ordering::Relaxed);
            })
        });
        let told = shared.begin();
        assert_eq!(shared.runs.load(Ordering::Relaxed), items, "each item is run once, before the loop ends");
        thieves.into_iter().for_each(|thief| thief.join().unwrap());
        assert_eq!(told, has_told.load(Ordering::Relaxed), "what a part has to tell is heard once");
    });
}

#[test]
fn a_loop_ends_after_its_parts() {
    check_items(2, 3, 0);
    check_items(3, 2, 0);
}

#[test]
fn a_loop_hears_what_a_part_has_to_tell() {
    check_items(2, 2, 1);
    check_items(2, 3, 2);
}

// Views of reducers.

fn view(i: usize) -> NonNull<()> {
    NonNull::without_provenance(NonZero::<usize>::MIN.saturating_add(i))
}

struct Views {
    order: std::sync::Arc<ViewOrder>,
    claims: [Claim; 3],
}

// SAFETY: the views of a claim belong to the thief until it is done, and then to the owner.
unsafe impl Sync for Views {}
// SAFETY: for the same reason as `Sync`.
unsafe impl Send for Views {}

impl Views {
    /// Runs a task that uses the reducer and leaves a view.
    fn run(&self, i: usize) {
        // A view that is made and combined, and then another.
        let name = self.order.add(view(9));
        assert_eq!(self.order.remove(name), Some((view(9), None)));
        let name = self.order.add(view(i));
        let mut views = Hypermap::default();
        views.add_view(1, &self.order, name);
        // SAFETY: this thread runs the task.
        unsafe { self.claims[i].views() }.leave(Some(Box::new(views)));
        self.claims[i].done.set();
    }
}

/// Views that tasks leave come in the order in which the waiter waits for the tasks, whichever task is done first.
#[test]
fn views_are_handed_over_in_order() {
    check(3, || {
        let frame = NonNull::<Header>::dangling();
        let shared = Arc::new(Views {
            order: std::sync::Arc::new(ViewOrder::new(0)),
            claims: std::array::from_fn(|_| Claim::new(frame, None, 0, Place::Nowhere)),
        });
        let tasks = [1, 2].map(|i| beside(&shared, move |shared: &Views| shared.run(i)));
        shared.run(0);
        for later in &shared.claims[1..] {
            while !later.done.is_set() {
                thread::yield_now();
            }
            // SAFETY: it is done.
            let later = unsafe { later.views() };
            // SAFETY: the same.
            unsafe { shared.claims[0].views() }.append(later);
        }
        tasks.into_iter().for_each(|task| task.join().unwrap());
        assert_eq!(shared.order.end(), [0, 1, 2].map(view), "none is lost, and each in its place");
    });
}
