//! Random multigraphs as lists of arcs.

use filch_graph::{Csr, WeightedCsr};
use filch_graph_io::read::ReadOptions;

/// A source, a target and a weight.
pub(crate) type Arc = (u32, u32, f32);

/// A graph as the sorted list of its arcs, each as often as it is there.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Multigraph {
    pub(crate) num_vertices: usize,
    pub(crate) arcs: Vec<Arc>,
}

fn sorted(mut arcs: Vec<Arc>) -> Vec<Arc> {
    arcs.sort_by(|a, b| a.partial_cmp(b).expect("weights are numbers"));
    arcs
}

fn reversed(&(u, v, weight): &Arc) -> Arc {
    (v, u, weight)
}

impl Multigraph {
    /// A graph of a few vertices with self-loops, parallel arcs of the same or other weights, and isolated vertices.
    pub(crate) fn random(rng: &mut fastrand::Rng) -> Self {
        let num_vertices = rng.usize(1..12);
        let vertex = |rng: &mut fastrand::Rng| rng.u32(0..num_vertices as u32);
        let (undirected, loops, count) = (rng.bool(), rng.bool(), rng.usize(0..4 * num_vertices));
        let mut edges: Vec<Arc> = Vec::new();
        for _ in 0..count {
            let weight = rng.u32(1..6) as f32;
            let edge = match rng.choice(&edges) {
                Some(&(u, v, old)) if rng.u8(0..3) == 0 => (u, v, if rng.bool() { old } else { weight }),
                _ => (vertex(rng), vertex(rng), weight),
            };
            if loops || edge.0 != edge.1 {
                edges.push(edge);
            }
        }
        if undirected {
            edges.extend(edges.clone().iter().filter(|edge| edge.0 != edge.1).map(reversed));
        }
        Multigraph { num_vertices, arcs: sorted(edges) }
    }

    pub(crate) fn weighted(&self) -> WeightedCsr {
        let builder = Csr::builder(self.num_vertices).assume_symmetric(self.is_undirected());
        builder.build_weighted(self.arcs.clone()).expect("all arcs lead to vertices")
    }

    pub(crate) fn without_weights(&self) -> Self {
        Multigraph { arcs: self.arcs.iter().map(|&(u, v, _)| (u, v, 1.0)).collect(), ..*self }
    }

    pub(crate) fn has_self_loops(&self) -> bool {
        self.arcs.iter().any(|arc| arc.0 == arc.1)
    }

    /// Whether the reverse of each arc is there, as often and with the same weight.
    pub(crate) fn is_undirected(&self) -> bool {
        sorted(self.arcs.iter().map(reversed).collect()) == self.arcs
    }

    /// What the options make of it, whatever the file.
    pub(crate) fn taken(&self, options: &ReadOptions) -> Self {
        let mut arcs = self.arcs.clone();
        if !options.directed && !self.is_undirected() {
            arcs.extend(self.arcs.iter().filter(|arc| arc.0 != arc.1).map(reversed));
        }
        let mut arcs = sorted(arcs);
        if options.remove_self_loops {
            arcs.retain(|arc| arc.0 != arc.1);
        }
        if options.remove_duplicates {
            // The first is the lightest.
            arcs.dedup_by_key(|arc| (arc.0, arc.1));
        }
        Multigraph { num_vertices: self.num_vertices, arcs }
    }
}
