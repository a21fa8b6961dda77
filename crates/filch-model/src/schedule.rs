//! How long P processors take for a cost graph (section 2), by a simulation of a greedy scheduler.

use crate::cost::{Composed, CostGraph};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

impl CostGraph {
    /// The time that a greedy scheduler takes on so many processors, when a fork costs `tau`.
    ///
    /// A scheduler is greedy if no processor is idle while something is ready. What comes next is its own choice:
    /// `pick` is given how many things are ready, and returns the place of one of them, in the order in which they
    /// became ready. A processor does a chain of vertices, or a fork, without a break. A join takes no time.
    ///
    /// # Panics
    ///
    /// If there are no processors, or `pick` returns a place that is not there.
    ///
    /// # Examples
    ///
    /// ```
    /// use filch_model::CostGraph;
    ///
    /// let branch = || CostGraph::chain(100);
    /// let graph = CostGraph::chain(1).then(branch().beside(branch().beside(branch())));
    /// let time = |processors| graph.greedy_time(processors, 10, |_ready| 0);
    /// assert_eq!(time(1), graph.work(10));
    /// assert_eq!(time(2), 1 + 10 + 100 + 100);
    /// assert_eq!(time(3), graph.span(10));
    /// ```
    pub fn greedy_time(&self, processors: usize, tau: u64, mut pick: impl FnMut(usize) -> usize) -> u64 {
        assert!(processors > 0, "no processors; expected at least 1");
        let mut unfolded = Unfolded::new(self, tau);
        let (mut ready, mut running, mut now) = (Vec::new(), BinaryHeap::new(), 0);
        unfolded.begin(vec![unfolded.start], &mut ready);
        loop {
            while running.len() < processors && !ready.is_empty() {
                let place = ready.remove(pick(ready.len()));
                running.push(Reverse((now + unfolded.vertices[place].weight, place)));
            }
            let Some(Reverse((end, place))) = running.pop() else { return now };
            now = end;
            let free = unfolded.end(place);
            unfolded.begin(free, &mut ready);
        }
    }
}

/// A cost graph with its edges.
struct Unfolded {
    vertices: Vec<Vertex>,
    start: usize,
}

/// A chain, a fork or a join.
struct Vertex {
    weight: u64,
    /// What depends on it.
    next: [Option<usize>; 2],
    /// How many vertices it still depends on.
    awaited: u8,
}

impl Unfolded {
    fn new(graph: &CostGraph, tau: u64) -> Self {
        let mut unfolded = Unfolded { vertices: Vec::new(), start: 0 };
        let (start, _end) = graph.fold(|part| match part {
            Composed::Chain(weight) => {
                let place = unfolded.add(weight);
                (place, place)
            }
            Composed::Then((start, middle), (next, end)) => {
                unfolded.connect(middle, next);
                (start, end)
            }
            Composed::Beside((left, left_end), (right, right_end)) => {
                let (fork, join) = (unfolded.add(tau), unfolded.add(0));
                for (before, after) in [(fork, left), (fork, right), (left_end, join), (right_end, join)] {
                    unfolded.connect(before, after);
                }
                (fork, join)
            }
        });
        Unfolded { start, ..unfolded }
    }

    fn add(&mut self, weight: u64) -> usize {
        self.vertices.push(Vertex { weight, next: [None; 2], awaited: 0 });
        self.vertices.len() - 1
    }

    fn connect(&mut self, before: usize, after: usize) {
        let next = self.vertices[before].next.iter_mut().find(|next| next.is_none());
        *next.expect("at most two vertices depend on one") = Some(after);
        self.vertices[after].awaited += 1;
    }

    /// These depend on nothing any more. What takes no time ends at once; the others become ready.
    fn begin(&mut self, mut places: Vec<usize>, ready: &mut Vec<usize>) {
        while let Some(place) = places.pop() {
            if self.vertices[place].weight > 0 {
                ready.push(place);
            } else {
                places.extend(self.end(place));
            }
        }
    }

    /// It has ended. Returns what depends on nothing else any more.
    fn end(&mut self, place: usize) -> Vec<usize> {
        let next = self.vertices[place].next.into_iter().flatten();
        let mut is_free = |place: usize| {
            let vertex = &mut self.vertices[place];
            vertex.awaited -= 1;
            vertex.awaited == 0
        };
        next.filter(|&place| is_free(place)).collect()
    }
}
