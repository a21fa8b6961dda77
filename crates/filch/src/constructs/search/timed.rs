//! A search whose parts a profile times: the subtree of a choice and what is left of its node are the branches of a
//! fork.

use super::collect::Collect;
use super::position::{Next, Position};
use super::shared::Shared;
use super::walk;
use super::{Choice, Choices, Node, Search};
use crate::engine::profile::site::Site;
use crate::engine::recording;
use crate::engine::seats::ambient::end_if_cancelled;
use crate::engine::team::Occupied;

/// Deeper nodes are not timed, so that the stack suffices.
const DEEPEST: u32 = 512;

/// Tries a choice, and then those that are left at its node. `at`, where the ladder is shut, is that many levels below
/// the root.
pub(super) fn all<P: Search, C: Collect<P::Workspace>>(
    shared: &Shared<'_, P, C>,
    at: Occupied<'_>,
    position: &mut Position<P>,
    Next { choice, mut rest }: Next<P>,
    out: C::Out,
    level: u32,
) -> C::Out {
    end_if_cancelled(at);
    if level == DEEPEST {
        return walk::to_end(shared, at, position, Next { choice, rest }, out);
    }
    if rest.untried() == 0 {
        return below(shared, at, position, choice, out, level);
    }
    let mut part = recording::fork(at, Site::of::<P>(all::<P, C> as *const () as usize));
    if !part.is_timed() {
        return walk::to_end(shared, at, position, Next { choice, rest }, out);
    }
    let mut out = below(shared, at, position, choice, out, level);
    part.second();
    match rest.next() {
        Some(choice) if !shared.is_over(&mut out, position) => {
            all(shared, at, position, Next { choice, rest }, out, level + 1)
        }
        _ => out,
    }
}

/// Tries a choice.
fn below<P: Search, C: Collect<P::Workspace>>(
    shared: &Shared<'_, P, C>,
    at: Occupied<'_>,
    position: &mut Position<P>,
    choice: Choice<P>,
    mut out: C::Out,
    level: u32,
) -> C::Out {
    shared.problem.apply(&mut position.workspace, choice);
    let deeper = match shared.problem.choices(&mut position.workspace) {
        Node::Solution => {
            out = shared.collect.add(out, &position.workspace, &position.place);
            None
        }
        Node::Choices(choices) => Next::<P>::of(choices),
    };
    // After each node, as everywhere.
    if let Some(deeper) = deeper
        && !shared.is_over(&mut out, position)
    {
        out = all(shared, at, position, deeper, out, level + 1);
    }
    if !shared.is_over(&mut out, position) {
        shared.problem.undo(&mut position.workspace, choice);
    }
    out
}
