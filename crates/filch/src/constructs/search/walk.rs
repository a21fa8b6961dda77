//! From node to node, by the worker that has the part.

use super::collect::Collect;
use super::position::{Level, Next, Position};
use super::shared::Shared;
use super::{Node, Search};
use crate::engine::seats::ambient::end_if_cancelled;
use crate::engine::team::Occupied;

/// Goes from node to node, until the part is at its end, or another worker wants something. Then returns
/// where to go on. It is not inlined, so that what it needs stays in registers.
#[inline(never)]
pub(super) fn steps<P: Search, C: Collect<P::Workspace>>(
    shared: &Shared<'_, P, C>,
    at: Occupied<'_>,
    position: &mut Position<P>,
    Next { mut choice, mut rest }: Next<P>,
    mut out: C::Out,
) -> (Option<Next<P>>, C::Out) {
    let Shared { problem, collect, .. } = *shared;
    loop {
        problem.apply(&mut position.workspace, choice);
        let deeper = match problem.choices(&mut position.workspace) {
            Node::Solution => {
                out = collect.add(out, &position.workspace, &position.place);
                None
            }
            Node::Choices(deeper) => Next::<P>::of(deeper),
        };
        if let Some(deeper) = deeper {
            position.levels.push(Level { made: choice, rest });
            Next { choice, rest } = deeper;
        } else {
            problem.undo(&mut position.workspace, choice);
            choice = loop {
                if let Some(choice) = rest.next() {
                    break choice;
                }
                let Some(level) = position.levels.pop() else { return (None, out) };
                problem.undo(&mut position.workspace, level.made);
                rest = level.rest;
            };
        }
        // After a node, not before one, so that each call comes further.
        if shared.is_over(&mut out, position) {
            return (None, out);
        }
        if at.is_wanted() {
            return (Some(Next { choice, rest }), out);
        }
    }
}

/// Runs everything from here on, on this worker.
pub(super) fn to_end<P: Search, C: Collect<P::Workspace>>(
    shared: &Shared<'_, P, C>,
    at: Occupied<'_>,
    position: &mut Position<P>,
    here: Next<P>,
    mut out: C::Out,
) -> C::Out {
    let mut next = Some(here);
    while let Some(here) = next {
        // It stops where another worker wants something, as whoever cancels does.
        (next, out) = steps(shared, at, position, here, out);
        end_if_cancelled(at);
        if let Some(here) = &mut next {
            shared.offer(|| None, position, here);
        }
    }
    out
}
