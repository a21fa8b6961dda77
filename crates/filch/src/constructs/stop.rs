//! How code outside of a loop stops it.

use crate::engine::team::stop::Stop;
use std::sync::Arc;

/// Stops loops from any thread. Clones share one state. A token that has been cancelled stays cancelled.
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
    /// A token that is not cancelled. Allocates.
    pub fn new() -> Self {
        CancelToken::default()
    }

    /// Stops all loops that use this token: iterations under way are finished, and no further iterations begin.
    pub fn cancel(&self) {
        self.0.request();
    }

    /// Whether the token has been cancelled. A long body may check this to stop early.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.0.is_requested()
    }
}

/// The error of a loop whose [`CancelToken`] has been cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;
