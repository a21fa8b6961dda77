//! Cost graphs, and their work and span (section 3.1, figure 1).

/// A cost graph, `g ::= 0 | 1 | (g · g) | (g || g)`: what an evaluation has done, and what depended on what.
///
/// All vertices have unit cost except forks, which cost τ. The graph does not depend on τ, so the work and the span of
/// one graph can be had for every τ.
///
/// The parts lie in one array, those of a composition before it. So a graph may be as deep as memory allows. A chain
/// such as `1 · 1 · 1` is one part. To compose two graphs costs a copy of the second one.
///
/// # Examples
///
/// ```
/// use filch_model::CostGraph;
///
/// let graph = CostGraph::chain(3).then(CostGraph::chain(5).beside(CostGraph::vertex())).then(CostGraph::vertex());
/// let tau = 100;
/// assert_eq!(graph.work(tau), 3 + (100 + 5 + 1) + 1);
/// assert_eq!(graph.span(tau), 3 + (100 + 5) + 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CostGraph {
    /// In the order in which a machine with a stack of operands would put it together.
    parts: Vec<Part>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// So many vertices in a row.
    Chain(u64),
    /// `g1 · g2`.
    Then,
    /// `g1 || g2`.
    Beside,
}

/// The constructors.
impl CostGraph {
    /// The empty graph, `0`.
    pub fn empty() -> Self {
        CostGraph::chain(0)
    }

    /// A vertex, `1`.
    pub fn vertex() -> Self {
        CostGraph::chain(1)
    }

    /// So many vertices, one after the other, `1 · … · 1`.
    pub fn chain(vertices: u64) -> Self {
        CostGraph { parts: vec![Part::Chain(vertices)] }
    }

    /// This graph and then the other, `self · next`.
    pub fn then(self, next: CostGraph) -> Self {
        self.and(next, Part::Then)
    }

    /// This graph beside the other, `self || other`: a fork with two branches, and where they join.
    pub fn beside(self, other: CostGraph) -> Self {
        self.and(other, Part::Beside)
    }

    fn and(mut self, mut other: CostGraph, part: Part) -> Self {
        self.parts.append(&mut other.parts);
        self.parts.push(part);
        self
    }
}

/// What it costs.
impl CostGraph {
    /// The weight of all of the graph, when a fork costs `tau`.
    pub fn work(&self, tau: u64) -> u64 {
        self.fold(|part| match part {
            Composed::Chain(vertices) => vertices,
            Composed::Then(first, second) => first + second,
            Composed::Beside(left, right) => tau + left + right,
        })
    }

    /// The weight of the critical path, when a fork costs `tau`.
    pub fn span(&self, tau: u64) -> u64 {
        self.fold(|part| match part {
            Composed::Chain(vertices) => vertices,
            Composed::Then(first, second) => first + second,
            Composed::Beside(left, right) => tau + u64::max(left, right),
        })
    }

    /// The number of vertices without the forks.
    pub fn vertices(&self) -> u64 {
        self.work(0)
    }

    /// The number of forks: of promotions, under heartbeat scheduling.
    pub fn forks(&self) -> u64 {
        self.work(1) - self.work(0)
    }

    /// Replaces each part of the graph by something, from the inside to the outside.
    pub(crate) fn fold<T>(&self, mut replace: impl FnMut(Composed<T>) -> T) -> T {
        let mut operands = Vec::new();
        for &part in &self.parts {
            let operand = match part {
                Part::Chain(vertices) => replace(Composed::Chain(vertices)),
                Part::Then => {
                    let (first, second) = last_two(&mut operands);
                    replace(Composed::Then(first, second))
                }
                Part::Beside => {
                    let (left, right) = last_two(&mut operands);
                    replace(Composed::Beside(left, right))
                }
            };
            operands.push(operand);
        }
        operands.pop().expect("a graph has a part")
    }
}

/// A part of a graph whose own parts have been replaced.
pub(crate) enum Composed<T> {
    Chain(u64),
    Then(T, T),
    Beside(T, T),
}

fn last_two<T>(operands: &mut Vec<T>) -> (T, T) {
    let second = operands.pop().expect("a composition has two parts");
    (operands.pop().expect("a composition has two parts"), second)
}

/// Makes the cost graph of an evaluation while that goes on.
#[derive(Debug)]
pub(crate) struct Recorder {
    parts: Vec<Part>,
    /// Whether the last part is a chain that is to be composed with what is before it.
    is_open: bool,
}

impl Recorder {
    /// Begins with the empty graph.
    pub(crate) fn new() -> Self {
        Recorder { parts: vec![Part::Chain(0)], is_open: false }
    }

    /// The present graph `g` becomes `g · 1`.
    pub(crate) fn vertex(&mut self) {
        if let Some(Part::Chain(vertices)) = self.parts.last_mut() {
            *vertices += 1;
        } else {
            self.parts.push(Part::Chain(1));
            self.is_open = true;
        }
    }

    /// Leaves the present graph for later, and begins the graph of a branch.
    pub(crate) fn begin_branch(&mut self) {
        self.close();
        self.parts.push(Part::Chain(0));
    }

    /// The two branches that were begun last, `g1` and `g2`, have ended. The graph `g` before them is the present one
    /// again, and becomes `g · (g1 || g2)`.
    pub(crate) fn join(&mut self) {
        self.close();
        self.parts.extend([Part::Beside, Part::Then]);
    }

    /// The graph.
    pub(crate) fn finish(mut self) -> CostGraph {
        self.close();
        CostGraph { parts: self.parts }
    }

    fn close(&mut self) {
        if std::mem::take(&mut self.is_open) {
            self.parts.push(Part::Then);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `(1 · 1) · ((1 || 0) · 1)`, with chains of other lengths.
    fn small() -> CostGraph {
        CostGraph::chain(2).then(CostGraph::chain(7).beside(CostGraph::empty()).then(CostGraph::chain(3)))
    }

    #[test]
    fn work_and_span_are_those_of_figure_1() {
        assert_eq!((CostGraph::empty().work(9), CostGraph::empty().span(9)), (0, 0));
        assert_eq!((CostGraph::vertex().work(9), CostGraph::vertex().span(9)), (1, 1));
        assert_eq!((small().work(9), small().span(9)), (2 + 9 + 7 + 3, 2 + 9 + 7 + 3));
        let graph = small().beside(small());
        assert_eq!((graph.work(9), graph.span(9)), (9 + 2 * 21, 9 + 21));
        assert_eq!((graph.vertices(), graph.forks()), (24, 3));
    }

    #[test]
    fn the_recorder_composes_in_the_order_of_events() {
        let mut recorder = Recorder::new();
        recorder.vertex();
        recorder.vertex();
        recorder.begin_branch();
        recorder.begin_branch();
        recorder.vertex();
        recorder.begin_branch();
        recorder.join();
        recorder.vertex();
        recorder.begin_branch();
        recorder.vertex();
        recorder.join();
        recorder.vertex();
        recorder.vertex();
        let inner = CostGraph::vertex().beside(CostGraph::empty());
        let left = CostGraph::empty().then(inner).then(CostGraph::vertex());
        let pair = left.beside(CostGraph::vertex());
        assert_eq!(recorder.finish(), CostGraph::chain(2).then(pair).then(CostGraph::chain(2)));
    }

    #[test]
    fn a_branch_that_begins_where_another_has_ended_is_not_its_continuation() {
        let mut recorder = Recorder::new();
        recorder.begin_branch();
        recorder.vertex();
        recorder.begin_branch();
        recorder.vertex();
        recorder.join();
        let pair = CostGraph::vertex().beside(CostGraph::vertex());
        assert_eq!(recorder.finish(), CostGraph::empty().then(pair));
    }
}
