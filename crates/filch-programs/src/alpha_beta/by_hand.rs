//! The form for libraries without speculation: what their users write.

use std::sync::atomic::{AtomicI32, Ordering};

use filch_kernels::runtime::{Runtime, Token};

use super::bounds::{ALL, Bounds, SERIAL_PLIES};
use super::serial;
use crate::ck::{Position, Step};

/// A position whose other steps are searched in parallel.
struct Node<'n> {
    position: &'n Position,
    plies: u8,
    /// What the side to move can reach, as far as it is known. It only grows.
    low: AtomicI32,
    high: i32,
    around: Option<&'n Node<'n>>,
}

impl Node<'_> {
    /// Whether the rest cannot matter, here or in a position around this one. Then what the search returns is not used.
    fn is_over(&self) -> bool {
        self.low.load(Ordering::Relaxed) >= self.high || self.around.is_some_and(Node::is_over)
    }
}

/// The best that the side to move can reach.
pub(super) fn best<R: Runtime>(t: Token<R>, position: &Position, plies: u8) -> i32 {
    best_within(t, position, plies, ALL, None)
}

/// The same, or a bound of it where it is not between the bounds.
fn best_within<R: Runtime>(
    t: Token<R>,
    position: &Position,
    plies: u8,
    bounds: Bounds,
    around: Option<&Node<'_>>,
) -> i32 {
    if plies <= SERIAL_PLIES {
        return serial::best(position, plies, bounds);
    }
    choose(t, position, position.steps().as_slice(), plies, bounds, around)
}

/// The same with the choice of these steps.
fn choose<R: Runtime>(
    mut t: Token<R>,
    position: &Position,
    steps: &[Step],
    plies: u8,
    Bounds { mut low, high }: Bounds,
    around: Option<&Node<'_>>,
) -> i32 {
    let Some((&first, others)) = steps.split_first() else { return low };
    low = low.max(follow(t.reborrow(), position, first, plies, Bounds { low, high }, around));
    if low >= high || others.is_empty() {
        return low;
    }
    let node = Node { position, plies, low: AtomicI32::new(low), high, around };
    search(t, &node, others);
    node.low.into_inner()
}

/// Searches these steps of a position, unless it is over.
fn search<R: Runtime>(mut t: Token<R>, node: &Node<'_>, steps: &[Step]) {
    if node.is_over() {
        return;
    }
    if let &[step] = steps {
        let bounds = Bounds { low: node.low.load(Ordering::Relaxed), high: node.high };
        let value = follow(t, node.position, step, node.plies, bounds, Some(node));
        node.low.fetch_max(value, Ordering::Relaxed);
        return;
    }
    let (left, right) = steps.split_at(steps.len() / 2);
    t.join(|t| search(t, node, left), |t| search(t, node, right));
}

/// The best after this step.
fn follow<R: Runtime>(
    t: Token<R>,
    position: &Position,
    step: Step,
    plies: u8,
    bounds: Bounds,
    around: Option<&Node<'_>>,
) -> i32 {
    match position.after(step) {
        (next, Some(jumps)) => choose(t, &next, jumps.as_slice(), plies, bounds, around),
        (next, None) => -best_within(t, &next.turned(), plies - 1, bounds.turned(), around),
    }
}
