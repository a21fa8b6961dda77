//! A check that steps back are exact.

use super::{Choice, Node, Search};
use std::fmt::Debug;
use std::ops::Deref;

/// A workspace with copies of itself from before each choice, which [`Searching::checked`](super::Searching::checked)
/// compares it with.
#[derive(Clone, Debug)]
pub struct Checked<W> {
    workspace: W,
    before: Vec<W>,
}

impl<W> Checked<W> {
    pub(super) fn new(workspace: W) -> Self {
        Checked { workspace, before: Vec::new() }
    }
}

impl<W> Deref for Checked<W> {
    type Target = W;

    fn deref(&self) -> &W {
        &self.workspace
    }
}

/// A problem whose steps are checked.
#[derive(Debug)]
pub struct CheckedSearch<P>(pub(super) P);

impl<P> Search for CheckedSearch<P>
where
    P: Search<Workspace: PartialEq, Choices: Iterator<Item: Debug>>,
{
    type Workspace = Checked<P::Workspace>;
    type Choices = P::Choices;

    fn choices(&self, checked: &mut Self::Workspace) -> Node<P::Choices> {
        self.0.choices(&mut checked.workspace)
    }

    fn apply(&self, checked: &mut Self::Workspace, choice: Choice<P>) {
        checked.before.push(checked.workspace.clone());
        self.0.apply(&mut checked.workspace, choice);
    }

    fn undo(&self, checked: &mut Self::Workspace, choice: Choice<P>) {
        self.0.undo(&mut checked.workspace, choice);
        let before = checked.before.pop();
        assert!(
            before.is_some_and(|before| before == checked.workspace),
            "undo({choice:?}), {} choices below the root, has not restored the workspace",
            checked.before.len()
        );
    }
}
