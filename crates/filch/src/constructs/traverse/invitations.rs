//! Invitations: which workers take part in a traversal, and when another one is called.

use crate::sync::{AtomicBool, AtomicU64, AtomicUsize, Ordering, clock, memory_fence};
use filch_policy::traversals::{Discouragement, is_pressing};

/// How many workers take part in a traversal, and whether an invitation is open.
///
/// A batch must not be left unseen in two cases:
///
/// * A worker leaves a batch while another one leaves the traversal. The first worker leaves the batch, fences, and
///   looks how many take part. The second one counts itself out, fences, frees its lane unless it already has, and
///   looks for batches.
/// * A worker leaves a batch while another one takes up an invitation. The first worker leaves the batch, fences, and
///   looks whether an invitation is open. The second one shows that the invitation is not open any more, fences, and
///   looks for batches.
///
/// A worker that has found a batch looks once more for others, in any lane, because a phase may have begun without the
/// workers that have left. `models/invitations.pml` checks this, with its mutants; loom checks the fences here.
///
/// While the traversal is [discouraged](Discouragement), no worker is called if few batches wait. The invitation is
/// open all the same, but for later: a worker without work finds it by itself then.
pub(super) struct Invitations {
    workers: usize,
    attending: AtomicUsize,
    /// Whether an invitation waits to be taken up.
    is_open: AtomicBool,
    /// Whether that invitation is for later.
    is_for_later: AtomicBool,
    /// The [`Discouragement`]. It is a hint, so it does not matter if two workers write it at the same time.
    not_before_ns: AtomicU64,
    backoff_ns: AtomicU64,
}

/// An invitation that has just been opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opened {
    /// A worker is to be called.
    Now,
    /// No worker is to be called, and none is to find the invitation before this time.
    Later(u64),
}

impl Invitations {
    pub(super) fn new(workers: usize) -> Self {
        Invitations {
            workers,
            attending: AtomicUsize::new(0),
            is_open: AtomicBool::new(false),
            is_for_later: AtomicBool::new(false),
            not_before_ns: AtomicU64::new(0),
            backoff_ns: AtomicU64::new(0),
        }
    }

    /// Opens an invitation, if a worker is to be invited. The caller has left a batch in a lane, or has seen one there.
    /// The lane has `depth` batches now.
    pub(super) fn open(&self, depth: usize) -> Option<Opened> {
        self.open_at(depth, clock::now_ns)
    }

    fn open_at(&self, depth: usize, now_ns: impl FnOnce() -> u64) -> Option<Opened> {
        if !mutant!("invitation_no_fence_to_open") {
            memory_fence();
        }
        if self.attending.load(Ordering::Relaxed) >= self.workers {
            return None;
        }
        if self.is_open.load(Ordering::Relaxed) {
            // A second invitation beside one for later, which will be in vain.
            let is_overtaken = is_pressing(depth) && self.is_for_later.swap(false, Ordering::Relaxed);
            return is_overtaken.then_some(Opened::Now);
        }
        let discouragement = self.discouragement();
        let is_for_later = discouragement.is_for_later(depth, now_ns);
        if self.is_open.swap(true, Ordering::Relaxed) {
            return None;
        }
        self.is_for_later.store(is_for_later, Ordering::Relaxed);
        Some(if is_for_later { Opened::Later(discouragement.not_before_ns) } else { Opened::Now })
    }

    /// Takes up an invitation. The caller must look for batches next.
    pub(super) fn take_up(&self) {
        self.is_open.store(false, Ordering::Relaxed);
        if !mutant!("invitation_no_fence_to_take_up") {
            memory_fence();
        }
    }

    /// Counts the caller in.
    pub(super) fn enter(&self) {
        self.attending.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts the caller out. The caller must look for batches once more.
    pub(super) fn leave(&self) {
        self.attending.fetch_sub(1, Ordering::Relaxed);
        Self::fence_to_leave();
    }

    /// [`leave`](Self::leave), unless nobody else takes part. Returns whether the caller is counted out.
    pub(super) fn leave_to_others(&self) -> bool {
        let others = |attending: usize| (attending > 1).then(|| attending - 1);
        let leaves = self.attending.fetch_update(Ordering::Relaxed, Ordering::Relaxed, others).is_ok();
        if leaves {
            Self::fence_to_leave();
        }
        leaves
    }

    fn fence_to_leave() {
        if !mutant!("invitation_no_fence_to_leave") {
            memory_fence();
        }
    }

    /// Notes that a worker has taken part since `begin_ns`, and has done nothing useful for `idle_ns` of that time.
    pub(super) fn judge(&self, begin_ns: u64, idle_ns: u64, now_ns: u64) {
        let judged = self.discouragement().judge(now_ns - begin_ns, idle_ns, now_ns);
        self.backoff_ns.store(judged.backoff_ns, Ordering::Relaxed);
        self.not_before_ns.store(judged.not_before_ns, Ordering::Relaxed);
    }

    fn discouragement(&self) -> Discouragement {
        let not_before_ns = self.not_before_ns.load(Ordering::Relaxed);
        Discouragement { not_before_ns, backoff_ns: self.backoff_ns.load(Ordering::Relaxed) }
    }
}

#[cfg(all(test, loom))]
mod loom_tests {
    use super::*;
    use loom::sync::Arc;

    /// So many batches that a worker is called in any case.
    const PRESSING: usize = 1 << 20;

    /// One thread leaves a batch, and then checks whether to invite. The other one runs `turn`, and then looks for
    /// batches. `begin` comes before both. At least one of them must see what the other has done.
    fn check(begin: fn(&Invitations), turn: fn(&Invitations)) {
        loom::model(move || {
            let shared = Arc::new((Invitations::new(2), AtomicBool::new(false)));
            shared.0.enter();
            begin(&shared.0);
            let other = loom::thread::spawn({
                let shared = Arc::clone(&shared);
                move || {
                    turn(&shared.0);
                    shared.1.load(Ordering::Relaxed)
                }
            });
            shared.1.store(true, Ordering::Relaxed);
            let invites = shared.0.open(PRESSING).is_some();
            let finds = other.join().unwrap();
            assert!(invites || finds, "a batch lies there, somebody is away, and nobody is called");
        });
    }

    #[test]
    fn who_leaves_is_invited_again_or_finds_the_batch() {
        check(Invitations::enter, Invitations::leave);
    }

    #[test]
    fn who_leaves_to_others_is_invited_again_or_finds_the_batch() {
        check(Invitations::enter, |invitations| assert!(invitations.leave_to_others()));
    }

    /// Two that want to leave to each other: one stays.
    #[test]
    fn somebody_stays() {
        loom::model(|| {
            let invitations = Arc::new(Invitations::new(2));
            invitations.enter();
            invitations.enter();
            let other = loom::thread::spawn({
                let invitations = Arc::clone(&invitations);
                move || invitations.leave_to_others()
            });
            assert!(invitations.leave_to_others() != other.join().unwrap());
        });
    }

    #[test]
    fn who_takes_up_an_invitation_finds_the_batch_or_leaves_room_for_another() {
        check(|invitations| assert!(invitations.open(PRESSING).is_some()), Invitations::take_up);
    }

    /// Two threads that leave batches open one invitation.
    #[test]
    fn one_is_invited_by_two() {
        loom::model(|| {
            let invitations = Arc::new(Invitations::new(3));
            let other = loom::thread::spawn({
                let invitations = Arc::clone(&invitations);
                move || invitations.open(PRESSING).is_some()
            });
            assert!(invitations.open(PRESSING).is_some() != other.join().unwrap());
        });
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn one_is_invited_at_a_time_while_somebody_is_away() {
        let invitations = Invitations::new(2);
        invitations.enter();
        assert_eq!(invitations.open(1), Some(Opened::Now));
        assert_eq!(invitations.open(9), None, "one is open");
        invitations.take_up();
        invitations.enter();
        assert_eq!(invitations.open(9), None, "all are there");
        invitations.leave();
        assert_eq!(invitations.open(1), Some(Opened::Now));
    }

    #[test]
    fn who_has_been_in_vain_is_not_called_soon_unless_much_waits() {
        let (invitations, much) = (Invitations::new(2), 1 << 20);
        invitations.judge(900, 99, 1000);
        let open = |depth, now_ns| invitations.open_at(depth, || now_ns);
        let Some(Opened::Later(later)) = open(1, 1000) else { panic!("it is not for later") };
        assert_eq!(open(1, later), None, "it is open");
        assert_eq!(open(much, 1000), Some(Opened::Now), "more than the other");
        assert_eq!(open(much, 1000), None);
        invitations.take_up();
        assert_eq!(open(1, later), Some(Opened::Now));
        invitations.take_up();
        invitations.judge(1900, 1, 2000);
        assert_eq!(open(1, 2000), Some(Opened::Now));
    }
}
