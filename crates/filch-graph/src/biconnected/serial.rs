//! The algorithm of Hopcroft and Tarjan, serial and without recursion.

use super::result::BiconnectedComponents;
use crate::graph::Graph;
use crate::vertex::Vertex;
use crate::watch::look_at;

/// The biconnected components of a symmetric graph, by the depth-first search of Hopcroft and Tarjan (1973, "Efficient
/// algorithms for graph manipulation") with a stack in place of recursion. Shares no code with
/// FAST-BCC but what follows from the components. [`biconnected`](super::biconnected()) runs it on sparse graphs.
///
/// Work: O(n + m). Memory: five vertices for each vertex, and a row for each vertex of the deepest path. The result is
/// unspecified for a directed graph.
pub fn serial<G: Graph>(graph: &G) -> BiconnectedComponents<G::Vertex> {
    let (n, none) = (graph.num_vertices(), G::Vertex::NONE);
    let (mut labels, mut heads) = (vec![none; n], vec![none; n]);
    // The number of each vertex in the order of the visits, and the lowest to which an edge leads from its subtree.
    let (mut numbers, mut lows) = (vec![none; n], vec![none; n]);
    let mut next = 0;
    let (mut path, mut open) = (Vec::new(), Vec::new());
    for root in (0..n).map(G::Vertex::new) {
        if numbers[root.index()] != none {
            continue;
        }
        labels[root.index()] = root;
        path.push((root, graph.neighbors(root)));
        numbers[root.index()] = G::Vertex::new(next);
        next += 1;
        let mut step = 0;
        while let Some((v, arcs)) = path.last_mut() {
            look_at(step);
            step += 1;
            let v = *v;
            if let Some(w) = arcs.next() {
                let number = numbers[w.index()];
                if number == none {
                    numbers[w.index()] = G::Vertex::new(next);
                    next += 1;
                    open.push(w);
                    path.push((w, graph.neighbors(w)));
                } else {
                    lows[v.index()] = lows[v.index()].min(number);
                }
                continue;
            }
            path.pop();
            let Some(&(parent, _)) = path.last() else { break };
            let low = lows[v.index()];
            lows[parent.index()] = lows[parent.index()].min(low);
            if low >= numbers[parent.index()] {
                // Nothing below leads above the parent: what was visited from v on is a component with it.
                let first = open.iter().rposition(|&w| w == v).unwrap_or(0);
                let label = open[first..].iter().copied().min().unwrap_or(v);
                open.drain(first..).for_each(|w| labels[w.index()] = label);
                heads[label.index()] = parent;
            }
        }
    }
    BiconnectedComponents::of_heads(graph, labels, heads)
}
