//! The user's span of [`tracing`] follows work that moves to another worker of [`filch`].
//!
//! A span is entered by a thread, and what another worker gets does not know it. To capture the current span at each
//! fork would cost more than the fork, and nearly all forks stay. So a span is [entered](in_span) here once, and a fork
//! passes on where it is. Only the worker that gets something enters the span, for as long as it runs that.
//!
//! ```
//! use filch_tracing::{FollowingStrand, in_span};
//!
//! fn sum(mut s: filch::Strand<'_>, numbers: &[u64]) -> u64 {
//!     if numbers.len() < 8 {
//!         tracing::trace!(numbers.len = numbers.len(), "a leaf"); // inside of "sum", on any worker
//!         return numbers.iter().sum();
//!     }
//!     let (left, right) = numbers.split_at(numbers.len() / 2);
//!     let (a, b) = s.join_following(|s| sum(s, left), |s| sum(s, right));
//!     a + b
//! }
//!
//! let numbers: Vec<u64> = (0..100).collect();
//! let total = in_span(&tracing::info_span!("sum"), || filch::run(|s| sum(s, &numbers)));
//! assert_eq!(total, 4950);
//! ```
//!
//! What follows is the innermost span that was entered by a function of this crate, and not one that was entered by
//! [`Span::enter`](tracing::Span::enter) inside of it. Subscribers that are set for one thread only
//! (`tracing::subscriber::with_default`) are not there on others. A thread that waits in an inner span and meanwhile
//! runs work of an outer one (`wait=any`, `chaos`) enters the outer span again; what is current then is up to the
//! subscriber.

mod follow;
mod forks;

pub use follow::{following, in_current_span, in_span};
pub use forks::{FollowingStrand, join};
