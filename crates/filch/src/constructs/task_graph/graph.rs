//! What a graph consists of.

use super::node::Node;
use std::fmt;

/// An edge to a task, from one that comes before it.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub(super) to: u32,
    /// What a choice must return for the task to run. [`ALWAYS`] for other edges.
    pub(super) case: u32,
}

pub(super) const ALWAYS: u32 = u32::MAX;

/// Tasks and the order in which they run: each after those that it depends on.
///
/// A graph is [built](Self::builder) once, which refuses cycles. Then it can be run many times. Its tasks may borrow
/// for `'env`, may fork, and need not be `Sync`, since a task runs once in a run.
///
/// A task whose last predecessor has ended is run by the worker that ran that one, at once. If several tasks are ready,
/// that worker runs the one whose dependency was added first, and spawns the others.
///
/// ```
/// use filch::TaskGraph;
/// use std::sync::atomic::{AtomicU32, Ordering};
///
/// let [eggs, flour, cake] = [const { AtomicU32::new(0) }; 3];
/// let kitchen = TaskGraph::builder();
/// let beat = kitchen.task(|_| eggs.store(3, Ordering::Relaxed));
/// let sift = kitchen.task(|_| flour.store(200, Ordering::Relaxed));
/// kitchen
///     .task(|_| cake.store(flour.load(Ordering::Relaxed) + 50 * eggs.load(Ordering::Relaxed), Ordering::Relaxed))
///     .after(&[beat, sift]);
/// let mut kitchen = kitchen.build()?;
/// kitchen.run();
/// kitchen.run();
/// drop(kitchen);
/// assert_eq!(cake.into_inner(), 350);
/// # Ok::<(), filch::CycleError>(())
/// ```
pub struct TaskGraph<'env> {
    pub(super) nodes: Box<[Node<'env>]>,
    /// Those of a node follow each other, in the order in which they were added.
    edges: Box<[Edge]>,
    /// The nodes that wait for nothing.
    pub(super) roots: Box<[u32]>,
}

impl<'env> TaskGraph<'env> {
    /// A graph of these nodes.
    pub(super) fn of(nodes: Box<[Node<'env>]>, edges: Box<[Edge]>, roots: Box<[u32]>) -> Self {
        TaskGraph { nodes, edges, roots }
    }

    /// How many tasks the graph has.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the graph has no tasks.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The edges from `node`.
    #[inline]
    pub(super) fn edges_of(&self, node: u32) -> &[Edge] {
        let node = node as usize;
        let end = self.nodes.get(node + 1).map_or(self.edges.len(), |next| next.first_edge as usize);
        &self.edges[self.nodes[node].first_edge as usize..end]
    }
}

impl fmt::Debug for TaskGraph<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TaskGraph").field("tasks", &self.nodes.len()).field("edges", &self.edges.len()).finish()
    }
}
