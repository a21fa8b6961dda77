//! How long a strand has run. What the system has taken from it is not counted.
//!
//! A system that runs other threads on this processor takes milliseconds at a time. So a strand that seems to have
//! taken long is asked how long it has had the processor. Time in which it has waited of its own will counts: it is a
//! part of the program that it sleeps, or reads a file.

use crate::sync::clock;

/// A strand that is shorter was not interrupted for long.
const ASKED_FROM_NS: u64 = 30_000;

/// Clocks disagree by less than this.
const NOISE_NS: u64 = 5_000;

/// The clock of the strand that runs.
#[derive(Debug)]
pub(crate) struct StrandClock {
    /// The last look.
    last_ns: u64,
    /// What a look costs, which the strand has not done.
    look_ns: u64,
    /// The last time this thread was asked for its processor time: then, and what it was.
    asked: Asked,
    /// What the system has taken.
    lost_ns: u64,
}

#[derive(Clone, Copy, Debug)]
struct Asked {
    wall_ns: u64,
    processor: Option<Processor>,
}

/// What the system says of a thread.
#[derive(Clone, Copy, Debug)]
struct Processor {
    /// How long it has run.
    ns: u64,
    /// How often it has given the processor away.
    waits: u64,
}

impl StrandClock {
    pub(crate) fn new() -> Self {
        let asked = Asked::now(clock::now_ns());
        StrandClock { last_ns: clock::now_ns(), look_ns: clock::look_ns(), asked, lost_ns: 0 }
    }

    /// The time of the strand since the last look.
    #[inline]
    pub(crate) fn look(&mut self) -> u64 {
        let now_ns = clock::now_ns();
        let elapsed_ns = now_ns - self.last_ns;
        self.last_ns = now_ns;
        if elapsed_ns < ASKED_FROM_NS {
            return elapsed_ns.saturating_sub(self.look_ns);
        }
        self.corrected(elapsed_ns)
    }

    /// A strand begins, perhaps on another thread than the one before it.
    pub(crate) fn begin(&mut self) {
        self.asked = Asked::now(clock::now_ns());
        self.skip();
    }

    /// Does not count the time since the last look.
    pub(crate) fn skip(&mut self) {
        self.last_ns = clock::now_ns();
    }

    /// What the system has taken so far.
    pub(crate) fn lost_ns(&self) -> u64 {
        self.lost_ns
    }

    #[cold]
    fn corrected(&mut self, elapsed_ns: u64) -> u64 {
        let before = std::mem::replace(&mut self.asked, Asked::now(self.last_ns));
        let lost_ns = self.asked.lost_since(before).min(elapsed_ns);
        self.lost_ns += lost_ns;
        // To ask took time as well.
        self.skip();
        elapsed_ns - lost_ns
    }
}

impl Asked {
    fn now(wall_ns: u64) -> Self {
        Asked { wall_ns, processor: Processor::of_this_thread() }
    }

    /// What the system has taken in between.
    fn lost_since(self, before: Asked) -> u64 {
        let (Some(now), Some(then)) = (self.processor, before.processor) else { return 0 };
        if now.waits != then.waits {
            return 0;
        }
        let lost_ns = (self.wall_ns - before.wall_ns).saturating_sub(now.ns.saturating_sub(then.ns));
        if lost_ns < NOISE_NS { 0 } else { lost_ns }
    }
}

impl Processor {
    #[cfg(all(any(target_os = "linux", target_os = "android"), not(miri)))]
    fn of_this_thread() -> Option<Self> {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the pointer is that of a variable.
        let told = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
        let ns = u64::try_from(time.tv_sec).ok()?.checked_mul(1_000_000_000)? + u64::try_from(time.tv_nsec).ok()?;
        let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
        // SAFETY: the pointer is that of a variable.
        let used = unsafe { libc::getrusage(libc::RUSAGE_THREAD, usage.as_mut_ptr()) };
        // SAFETY: all zeros are numbers, too.
        let waits = u64::try_from(unsafe { usage.assume_init() }.ru_nvcsw).ok()?;
        (told == 0 && used == 0).then_some(Processor { ns, waits })
    }

    /// Other systems are not asked.
    #[cfg(not(all(any(target_os = "linux", target_os = "android"), not(miri))))]
    fn of_this_thread() -> Option<Self> {
        None
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn time_without_the_processor_is_lost_unless_the_thread_has_waited() {
        let asked = |wall_ns, ns, waits| Asked { wall_ns, processor: Some(Processor { ns, waits }) };
        let before = asked(1_000_000, 500_000, 7);
        assert_eq!(asked(9_000_000, 4_500_000, 7).lost_since(before), 4_000_000);
        assert_eq!(asked(9_000_000, 4_500_000, 8).lost_since(before), 0, "it has waited");
        assert_eq!(asked(9_000_000, 8_499_000, 7).lost_since(before), 0, "clocks differ");
        assert_eq!(Asked { processor: None, ..before }.lost_since(before), 0);
    }

    #[test]
    fn a_look_has_no_more_than_what_came_between() {
        let mut clock = StrandClock::new();
        let begin = clock::now_ns();
        let sum: u64 = (0..100).map(|_| clock.look()).sum();
        assert!(sum <= clock::now_ns() - begin + 1_000_000);
    }
}
