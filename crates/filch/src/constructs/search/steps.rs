//! Problems whose functions are closures.

use super::{Choices, Node, Search};
use std::marker::PhantomData;

/// A [`Search`] whose functions are closures, for small programs.
///
/// ```
/// use filch::{Node, Steps};
///
/// // The permutations of 4 letters.
/// let permutations = Steps::new(
///     |word: &mut String| if word.len() == 4 { Node::Solution } else { Node::Choices(0..4_u8) },
///     |word: &mut String, letter| word.push(char::from(b'a' + letter)),
///     |word: &mut String, _| _ = word.pop(),
/// );
/// let is_one = |word: &String| ('a'..='d').all(|letter| word.contains(letter));
/// let last = filch::search(&permutations, String::new()).fold(
///     || None,
///     |last, word| if is_one(word) { Some(word.clone()) } else { last },
///     |former, latter| latter.or(former),
/// );
/// assert_eq!(last.as_deref(), Some("dcba"));
/// ```
pub struct Steps<W, N, A, U> {
    choices: N,
    apply: A,
    undo: U,
    workspace: PhantomData<fn(&mut W)>,
}

impl<W, N, A, U> Steps<W, N, A, U> {
    /// A problem with these as its [`choices`](Search::choices), [`apply`](Search::apply) and [`undo`](Search::undo).
    /// Each closure must give the type of its workspace.
    pub fn new<C>(choices: N, apply: A, undo: U) -> Self
    where
        C: Choices,
        N: Fn(&mut W) -> Node<C> + Sync,
        A: Fn(&mut W, C::Item) + Sync,
        U: Fn(&mut W, C::Item) + Sync,
    {
        Steps { choices, apply, undo, workspace: PhantomData }
    }
}

impl<W, C, N, A, U> Search for Steps<W, N, A, U>
where
    W: Clone + Send,
    C: Choices,
    N: Fn(&mut W) -> Node<C> + Sync,
    A: Fn(&mut W, C::Item) + Sync,
    U: Fn(&mut W, C::Item) + Sync,
{
    type Workspace = W;
    type Choices = C;

    #[inline(always)]
    fn choices(&self, workspace: &mut W) -> Node<C> {
        (self.choices)(workspace)
    }

    #[inline(always)]
    fn apply(&self, workspace: &mut W, choice: C::Item) {
        (self.apply)(workspace, choice);
    }

    #[inline(always)]
    fn undo(&self, workspace: &mut W, choice: C::Item) {
        (self.undo)(workspace, choice);
    }
}

impl<W, N, A, U> std::fmt::Debug for Steps<W, N, A, U> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Steps").finish_non_exhaustive()
    }
}
