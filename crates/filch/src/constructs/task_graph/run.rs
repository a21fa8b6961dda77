//! A run of a task graph.
//!
//! Each node counts the edges to it whose tasks have not ended. Whoever takes the count to zero sets it back for the
//! next run, and runs the node: by then nobody else looks at it in this run. So a count is written by whoever ends a
//! task before its node, by read-modify-writes, which order all that those tasks did before what the node does. A run
//! that ends by a panic leaves counts in the midst, so all are set back.
//!
//! A word has three numbers: the edges that are left; above them the *dead* edges, those from tasks that are skipped;
//! and above these a bit that says that a choice has decided against the node.

use super::{ALWAYS, Edge, Task, TaskGraph};
use crate::constructs::scope::Scope;
use crate::constructs::strand::Strand;
use crate::sync::{AtomicU64, Mutex, Ordering, lock};

const LEFT: u64 = (1 << 32) - 1;
const DEAD: u64 = 1 << 32;
const DENIED: u64 = 1 << 63;

pub(super) struct Node<'env> {
    waits_for: AtomicU64,
    /// How many edges lead here.
    before: u32,
    /// Where its edges begin.
    pub(super) first_edge: u32,
    /// Only the worker that runs the node takes the lock, so it is always free.
    task: Mutex<Task<'env>>,
}

/// How a task is told of the end of one before it.
#[derive(Clone, Copy)]
enum Told {
    Ended,
    Skipped,
    Denied,
}

/// What becomes of a task when all before it have ended or are skipped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Run,
    Skip,
}

impl<'env> Node<'env> {
    pub(super) fn new(task: Task<'env>, before: u32, first_edge: u32) -> Self {
        Node { waits_for: AtomicU64::new(u64::from(before)), before, first_edge, task: Mutex::new(task) }
    }

    fn set_back(&self) {
        self.waits_for.store(u64::from(self.before), Ordering::Relaxed);
    }

    /// Tells the node of the end of a task before it. `None` if others are left.
    fn tell(&self, told: Told) -> Option<Fate> {
        let change = match told {
            // Minus one.
            Told::Ended => u64::MAX,
            Told::Skipped => DEAD - 1,
            Told::Denied => {
                self.waits_for.fetch_or(DENIED, Ordering::Relaxed);
                u64::MAX
            }
        };
        let now = self.waits_for.fetch_add(change, Ordering::AcqRel).wrapping_add(change);
        if now & LEFT > 0 {
            return None;
        }
        self.set_back();
        let is_skipped = now & DENIED != 0 || now / DEAD == u64::from(self.before);
        Some(if is_skipped { Fate::Skip } else { Fate::Run })
    }

    /// Runs the task. Returns its result if it is a choice.
    fn call(&self, s: Strand<'_>) -> usize {
        (*lock(&self.task))(s)
    }
}

/// Runs `graph`.
pub(super) fn run(graph: &mut TaskGraph<'_>, mut s: Strand<'_>) {
    /// Sets all counts back, unless all have been.
    struct SetBack<'g, 'env>(&'g TaskGraph<'env>, bool);
    impl Drop for SetBack<'_, '_> {
        fn drop(&mut self) {
            if !self.1 {
                self.0.nodes.iter().for_each(Node::set_back);
            }
        }
    }
    let mut set_back = SetBack(graph, false);
    let graph = set_back.0;
    s.scope(|s, scope| Run { graph, scope }.run_roots(s, &graph.roots));
    set_back.1 = true;
}

#[derive(Clone, Copy)]
struct Run<'scope, 'r, 'env> {
    graph: &'scope TaskGraph<'env>,
    scope: &'scope Scope<'scope, 'r>,
}

impl<'scope> Run<'scope, '_, '_> {
    /// Runs nodes that wait for nothing, and what comes after them.
    fn run_roots(self, s: Strand<'_>, mut roots: &'scope [u32]) {
        // Halves, so that others can take many at once.
        while roots.len() > 1 {
            let (kept, spawned) = roots.split_at(roots.len() / 2);
            self.scope.spawn(move |s| self.run_roots(s, spawned));
            roots = kept;
        }
        if let Some(&root) = roots.first() {
            self.run_from(s, root);
        }
    }

    /// Runs a node that waits for nothing any more, then one that this makes ready, and so on. Spawns the others.
    fn run_from(self, mut s: Strand<'_>, mut node: u32) {
        while !self.scope.is_cancelled() {
            let result = self.graph.nodes[node as usize].call(s.reborrow());
            let mut next = None;
            for Edge { to, case } in self.graph.edges_of(node) {
                let told = if *case == ALWAYS || *case as usize == result { Told::Ended } else { Told::Denied };
                self.tell(*to, told, &mut next);
            }
            let Some(ready) = next else { return };
            node = ready;
        }
    }

    /// Tells a node of the end of one before it. If it is ready, it is the next one here, or is spawned.
    fn tell(self, node: u32, told: Told, next: &mut Option<u32>) {
        match self.graph.nodes[node as usize].tell(told) {
            None => {}
            Some(Fate::Skip) => self.skip(node, next),
            Some(Fate::Run) if next.is_none() => *next = Some(node),
            Some(Fate::Run) => self.scope.spawn(move |s| self.run_from(s, node)),
        }
    }

    /// Skips a node, and all that are skipped with it.
    #[cold]
    fn skip(self, node: u32, next: &mut Option<u32>) {
        let mut skipped = vec![node];
        while let Some(node) = skipped.pop() {
            for &Edge { to, .. } in self.graph.edges_of(node) {
                match self.graph.nodes[to as usize].tell(Told::Skipped) {
                    None => {}
                    Some(Fate::Skip) => skipped.push(to),
                    Some(Fate::Run) if next.is_none() => *next = Some(to),
                    Some(Fate::Run) => self.scope.spawn(move |s| self.run_from(s, to)),
                }
            }
        }
    }
}
