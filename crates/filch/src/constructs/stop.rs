//! What stops loops from outside.

use crate::engine::stop::Stop;
use std::sync::Arc;

/// Stops loops, from anywhere; clones stop the same ones. Once cancelled, it stays so.
///
/// ```
/// use filch::CancelToken;
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// let (token, run) = (CancelToken::new(), AtomicU64::new(0));
/// let result = filch::for_each_until(&token, 0..u64::MAX, |_, _| {
///     if run.fetch_add(1, Ordering::Relaxed) == 1000 {
///         token.cancel();
///     }
/// });
/// assert_eq!(result, Err(filch::Cancelled));
/// ```
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<Stop>);

impl CancelToken {
    /// One that is not cancelled. Allocates.
    pub fn new() -> Self {
        CancelToken::default()
    }

    /// Stops all loops that look at this token: iterations under way are run to their end, and no further ones are
    /// begun.
    pub fn cancel(&self) {
        self.0.request();
    }

    /// Whether it has been cancelled. A long body may want to know.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.0.is_requested()
    }
}

/// What a loop returns whose [`CancelToken`] has been cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;
