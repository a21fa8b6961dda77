//! Who takes part, and whether one more is called.

use crate::sync::{AtomicBool, AtomicU64, AtomicUsize, Ordering, clock, memory_fence};
use crate::worker::SEARCH_NS;

/// With so many batches in a lane there is work for others, whatever the last of them has found.
const PRESSING: usize = 4;

/// The longest that nobody is invited after visits in vain.
const MAX_BACKOFF_NS: u64 = 64 * SEARCH_NS;

/// Who takes part, and whether one more is called.
///
/// Two things must not be missed. A batch is left while somebody leaves: who has left a batch fences, and looks how
/// many take part; who leaves counts itself out, fences, and looks for batches. And a batch is left while an invitation
/// is taken up: its finder shows that it is not open any more, fences, and looks for batches. Who finds one looks once
/// more for others, in any lane, as the phase may have begun without those who have left. Checked by
/// `models/invitations.pml` with its mutants, and the fences here by loom.
///
/// **Discouraged**, for [`MAX_BACKOFF_NS`] at most after a visit in vain, nobody is called where fewer than
/// [`PRESSING`] batches wait: the invitation is open, but for later, when whoever has nothing to do finds it by itself.
/// So what waits in a lane waits for no longer than that, however long its owner is in one visit.
pub(super) struct Invitations {
    workers: usize,
    attending: AtomicUsize,
    /// Whether one waits to be taken up.
    is_open: AtomicBool,
    /// Whether that is one for later.
    is_for_later: AtomicBool,
    /// Nobody is called before this time, and for how long that is.
    not_before_ns: AtomicU64,
    backoff_ns: AtomicU64,
}

/// An invitation that has just been opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opened {
    /// Somebody is to be called.
    Now,
    /// Nobody is, and it is not to be found before this time.
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

    /// Whether to invite somebody, by one who has left a batch in a lane that has `depth` now.
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
        let is_pressing = depth >= PRESSING;
        if self.is_open.load(Ordering::Relaxed) {
            // Beside one for later, which will be in vain.
            let is_overtaken = is_pressing && self.is_for_later.swap(false, Ordering::Relaxed);
            return is_overtaken.then_some(Opened::Now);
        }
        let not_before_ns = self.not_before_ns.load(Ordering::Relaxed);
        let is_for_later = !is_pressing && now_ns() < not_before_ns;
        if self.is_open.swap(true, Ordering::Relaxed) {
            return None;
        }
        self.is_for_later.store(is_for_later, Ordering::Relaxed);
        Some(if is_for_later { Opened::Later(not_before_ns) } else { Opened::Now })
    }

    /// An invitation is taken up: its finder looks for batches next.
    pub(super) fn take_up(&self) {
        self.is_open.store(false, Ordering::Relaxed);
        if !mutant!("invitation_no_fence_to_take_up") {
            memory_fence();
        }
    }

    pub(super) fn enter(&self) {
        self.attending.fetch_add(1, Ordering::Relaxed);
    }

    /// Somebody leaves, and looks for batches once more.
    pub(super) fn leave(&self) {
        self.attending.fetch_sub(1, Ordering::Relaxed);
        if !mutant!("invitation_no_fence_to_leave") {
            memory_fence();
        }
    }

    /// Somebody has been there since `begin_ns`, and looked for work most of the time, or not: thin graphs shall not
    /// call a thread again and again. A hint, so it does not matter if two write it at the same time.
    pub(super) fn judge(&self, begin_ns: u64, idle_ns: u64, now_ns: u64) {
        let is_vain = idle_ns > (now_ns - begin_ns) / 2;
        let backoff_ns = match self.backoff_ns.load(Ordering::Relaxed) {
            _ if !is_vain => 0,
            0 => SEARCH_NS,
            known => (2 * known).min(MAX_BACKOFF_NS),
        };
        self.backoff_ns.store(backoff_ns, Ordering::Relaxed);
        self.not_before_ns.store(now_ns + backoff_ns, Ordering::Relaxed);
    }
}

#[cfg(all(test, loom))]
mod loom_tests {
    use super::*;
    use loom::sync::Arc;

    /// One leaves a batch, and looks whom to invite; the other does what `turn` says, and looks for batches. `begin` is
    /// before that. One of them must see the other.
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
    fn who_takes_up_an_invitation_finds_the_batch_or_leaves_room_for_another() {
        check(|invitations| assert!(invitations.open(PRESSING).is_some()), Invitations::take_up);
    }

    /// Two who leave batches invite one.
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
        let invitations = Invitations::new(2);
        for _ in 0..20 {
            invitations.judge(900, 99, 1000);
        }
        let open = |depth, now_ns| invitations.open_at(depth, || now_ns);
        let later = 1000 + MAX_BACKOFF_NS;
        assert_eq!(open(1, later - 1), Some(Opened::Later(later)));
        assert_eq!(open(1, later), None, "it is open");
        assert_eq!(open(PRESSING, 1000), Some(Opened::Now), "more than the other");
        assert_eq!(open(PRESSING, 1000), None);
        invitations.take_up();
        assert_eq!(open(1, later), Some(Opened::Now));
        invitations.take_up();
        invitations.judge(1900, 1, 2000);
        assert_eq!(open(1, 2000), Some(Opened::Now));
    }
}
