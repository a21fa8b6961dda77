//! Searches without a strand.

use super::run::here;
use crate::constructs::{Search, Searching, Strand, sealed};
use crate::engine::team::stop::Never;

/// Where the current thread works.
#[derive(Debug)]
pub struct Here(());

impl sealed::Enter for Here {
    type Abort = Never;

    #[inline(always)]
    fn abort(&self, _: sealed::Private) -> Never {
        Never
    }

    fn enter<T: Send>(self, f: impl FnOnce(Strand<'_>) -> T + Send) -> T {
        here(f)
    }
}

/// [`Strand::search`] without a strand.
///
/// ```
/// use filch::{Node, Steps};
///
/// let words = Steps::new(
///     |word: &mut Vec<u8>| if word.len() == 5 { Node::Solution } else { Node::Choices(0..3_u8) },
///     |word: &mut Vec<u8>, letter| word.push(letter),
///     |word: &mut Vec<u8>, _| _ = word.pop(),
/// );
/// assert_eq!(filch::search(&words, Vec::new()).count(), 243);
/// ```
///
/// The workspace may be copied to other threads, so it must be `Send`:
/// ```compile_fail,E0277
/// use std::rc::Rc;
/// let steps = filch::Steps::new(|_: &mut Rc<u8>| filch::Node::Choices(0..0_u8), |_: &mut Rc<u8>, _| (), |_, _| ());
/// filch::search(&steps, Rc::new(0)).count();
/// ```
///
/// # Panics
///
/// The search does as [`Searching`] says. Outside of any run, also as [`run`](crate::run).
pub fn search<P: Search>(problem: &P, workspace: P::Workspace) -> Searching<Here, &P> {
    Searching::new(Here(()), problem, workspace)
}
