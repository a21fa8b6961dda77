//! Sleeps that end on time, and what they cost.

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

/// The processor time that this thread has used since it began, for each time it has slept. `None` if the system does
/// not say, or the thread has never slept.
pub(crate) fn cost_of_a_sleep() -> Option<Duration> {
    #[cfg(all(any(target_os = "linux", target_os = "android"), not(miri)))]
    {
        // SAFETY: the type is made of integers, for which zero is a value.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: the kernel writes one such value.
        if unsafe { libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage) } != 0 {
            return None;
        }
        let time = |time: libc::timeval| {
            let [seconds, micros] = [time.tv_sec, time.tv_usec].map(|part| u64::try_from(part).unwrap_or(0));
            Duration::from_secs(seconds) + Duration::from_micros(micros)
        };
        let used = time(usage.ru_utime) + time(usage.ru_stime);
        u32::try_from(usage.ru_nvcsw).ok().and_then(|sleeps| used.checked_div(sleeps))
    }
    #[cfg(not(all(any(target_os = "linux", target_os = "android"), not(miri))))]
    None
}
