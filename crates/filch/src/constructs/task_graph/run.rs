//! A run of a task graph: one scope, into which tasks are spawned that are ready and have no worker.

use super::graph::{ALWAYS, Edge, TaskGraph};
use super::node::{Fate, Node, Told};
use crate::constructs::scope::Scope;
use crate::constructs::strand::Strand;
use crate::engine::recording::Key;

impl TaskGraph<'_> {
    /// [`run`](Self::run) on the pool of a strand.
    ///
    /// # Panics
    ///
    /// As [`run`](Self::run).
    ///
    /// ```
    /// let mut runs = 0;
    /// let graph = filch::TaskGraph::builder();
    /// graph.task(|_| runs += 1);
    /// let mut graph = graph.build()?;
    /// let pool = filch::Pool::builder().workers(2).build()?;
    /// pool.run(|s| graph.run_in(s));
    /// drop(graph);
    /// assert_eq!(runs, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn run_in(&mut self, s: Strand<'_>) {
        run(self, s);
    }
}

/// Runs `graph`.
#[inline]
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
    s.scope(|s, scope| Run { graph, scope, name: Key::new() }.run_roots(s, &graph.roots));
    set_back.1 = true;
}

#[derive(Clone, Copy)]
struct Run<'scope, 'r, 'env> {
    graph: &'scope TaskGraph<'env>,
    scope: &'scope Scope<'scope, 'r>,
    /// For a profile: in front of the numbers of nodes.
    name: Key,
}

impl<'scope> Run<'scope, '_, '_> {
    /// Runs nodes that wait for nothing, and what comes after them.
    #[inline]
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
    #[inline]
    fn run_from(self, mut s: Strand<'_>, mut node: u32) {
        while !self.scope.is_cancelled() {
            self.name.at(node.into()).wait();
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

    /// Tells a node of the end of one before it.
    #[inline]
    fn tell(self, node: u32, told: Told, next: &mut Option<u32>) {
        self.name.at(node.into()).post();
        match self.graph.nodes[node as usize].tell(told) {
            None => {}
            Some(Fate::Skip) => self.skip(node, next),
            Some(Fate::Run) => self.begin(node, next),
        }
    }

    /// A node is ready: it is the next one here, or is spawned.
    #[inline]
    fn begin(self, node: u32, next: &mut Option<u32>) {
        match next {
            None => *next = Some(node),
            Some(_) => self.scope.spawn(move |s| self.run_from(s, node)),
        }
    }

    /// Skips a node, and all that are skipped with it.
    #[cold]
    #[inline]
    fn skip(self, node: u32, next: &mut Option<u32>) {
        let mut skipped = vec![node];
        while let Some(node) = skipped.pop() {
            for &Edge { to, .. } in self.graph.edges_of(node) {
                match self.graph.nodes[to as usize].tell(Told::Skipped) {
                    None => {}
                    Some(Fate::Skip) => skipped.push(to),
                    Some(Fate::Run) => self.begin(to, next),
                }
            }
        }
    }
}
