//! Measuring and spending time.

use std::hint::spin_loop;
use std::time::{Duration, Instant};

/// The time that `f` takes, in seconds.
pub fn timed(f: impl FnOnce()) -> f64 {
    let begin = Instant::now();
    f();
    begin.elapsed().as_secs_f64()
}

/// Keeps a processor busy for this long.
pub fn spin(time: Duration) {
    let begin = Instant::now();
    while begin.elapsed() < time {
        spin_loop();
    }
}
