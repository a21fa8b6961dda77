//! Sleeps that end on time, and the processor time of a thread.

use std::time::Duration;

/// Lets the sleeps of this thread end as soon as their time is up. Otherwise Linux lets them last 50 µs longer, so that
/// it can wake several threads at once.
pub(crate) fn be_punctual() {
    #[cfg(all(any(target_os = "linux", target_os = "android"), not(miri)))]
    {
        // SAFETY: this call takes two numbers, and changes a setting of the calling thread.
        unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, 1) };
    }
}

/// The processor time that this thread has used. Other threads and processes that share its processor add nothing, so
/// differences are costs also on a machine that is busy. Where the system does not say, the time that has passed.
#[cfg(all(any(target_os = "linux", target_os = "android"), not(miri)))]
pub(crate) fn used_by_this_thread() -> Duration {
    // SAFETY: the type is made of integers, for which zero is a value.
    let mut time: libc::timespec = unsafe { std::mem::zeroed() };
    // SAFETY: the kernel writes one such value. It knows this clock, so it does not fail.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    // Neither is negative, and there are less than 10^9 nanoseconds in a second.
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The time that has passed, as the system does not say what this thread has used.
#[cfg(not(all(any(target_os = "linux", target_os = "android"), not(miri))))]
pub(crate) fn used_by_this_thread() -> Duration {
    Duration::from_nanos(super::clock::now_ns())
}
