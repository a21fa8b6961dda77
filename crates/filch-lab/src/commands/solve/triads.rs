//! `filch truss` and `clustering`: what triangles say of edges and vertices.

use std::io::Write;

use clap::Args;
use filch_bench::failure::Failure;
use filch_graph::clustering::{self, Clustering, Clusters};
use filch_graph::truss::{self, Truss};
use filch_graph::verify::{Wrong, verify_clustering, verify_truss};
use filch_graph::{Csr, Graph, Watch};

use super::{Instance, Problem, Results, help};
use crate::graphs::report;
use crate::graphs::source::Loaded;
use crate::graphs::trials::{Counted, Solution};

/// The end of `--help` of `filch truss`.
pub const TRUSS_HELP: &str = help!(
    "  filch truss debian --verify
  filch truss 'kronecker(14)' --runs 21 --against serial --workers 1,2
  filch truss friends.el.gz --labels names.txt --out trussness.txt",
    "\
The trussness of an edge is the largest k for which it is in a subgraph where each edge is in at
least k - 2 triangles. Edges are taken as undirected; parallel edges count once, and self-loops not
at all. The result is a line for each edge, with its ends; an array has the values only, in the order
of the ends. The rate is the number of edges divided by the time of solving."
);

/// The end of `--help` of `filch clustering`.
pub const CLUSTERING_HELP: &str = help!(
    "  filch clustering debian --verify
  filch clustering 'kronecker(18)' --runs 21 --against serial --workers 1,2
  filch clustering friends.el.gz --labels names.txt --out coefficients.txt",
    "\
The clustering coefficient of a vertex is the share of the pairs of its neighbors that are neighbors.
Transitivity is that of all such pairs in the graph. Edges are taken as undirected; parallel edges
count once, and self-loops not at all. The rate is the number of edges divided by the time of
solving."
);

/// The trussness of each edge.
#[derive(Args, Debug)]
pub struct Trusses;

impl Problem for Trusses {
    type Answer = Vec<u32>;

    const PROGRAM: &'static str = "truss";

    fn solve(&self, of: Instance<'_>, watch: &dyn Watch) -> Result<Solution<Vec<u32>>, Failure> {
        Ok(Truss::new().watch(watch).run(of.graph).map_err(Failure::usage)?.trussness.into())
    }

    fn serial(&self, of: Instance<'_>) -> Vec<u32> {
        truss::serial(of.graph)
    }

    fn check(&self, of: Instance<'_>, trussness: &Vec<u32>) -> Result<(), Wrong> {
        verify_truss(of.graph, &edges(of.graph), trussness).map(drop)
    }

    fn found(&self, trussness: &Vec<u32>) -> Counted {
        let largest = trussness.iter().copied().max().unwrap_or(0);
        let innermost = trussness.iter().filter(|&&value| value == largest).count();
        vec![("trussness", u64::from(largest)), ("innermost", innermost as u64)]
    }

    fn results<'a>(&self, of: Instance<'a>, trussness: &'a Vec<u32>) -> Results<'a> {
        Results::Edges(edges(of.graph), trussness)
    }
}

/// The edges of a simple graph, in the order of their ends.
fn edges(graph: &Csr) -> Vec<(u32, u32)> {
    let larger = |u: u32| graph.row(u).iter().filter(move |&&v| v > u).map(move |&v| (u, v));
    (0..graph.num_vertices() as u32).flat_map(larger).collect()
}

/// The clustering coefficients.
#[derive(Args, Debug)]
pub struct Coefficients;

impl Problem for Coefficients {
    type Answer = Clusters;

    const PROGRAM: &'static str = "clustering";

    fn solve(&self, of: Instance<'_>, watch: &dyn Watch) -> Result<Solution<Clusters>, Failure> {
        Ok(Clustering::new().watch(watch).run(of.graph).map_err(Failure::usage)?.into())
    }

    fn serial(&self, of: Instance<'_>) -> Clusters {
        let degrees = (0..of.graph.num_vertices()).map(|v| of.graph.degree(v as u32)).collect();
        Clusters { triangles: clustering::serial(of.graph), degrees }
    }

    fn check(&self, of: Instance<'_>, found: &Clusters) -> Result<(), Wrong> {
        verify_clustering(of.graph, &found.triangles, &found.coefficients(), 1e-12)
    }

    fn found(&self, found: &Clusters) -> Counted {
        vec![("triangles", found.count())]
    }

    fn show(&self, found: &Clusters, _: &Loaded, out: &mut dyn Write) -> Result<(), Failure> {
        report::line(out, "clustering", &format!("{:.6} on average", found.average()))?;
        Ok(report::line(out, "transitivity", &format!("{:.6}", found.transitivity()))?)
    }

    fn results<'a>(&self, _: Instance<'a>, found: &'a Clusters) -> Results<'a> {
        Results::Scores(found.coefficients())
    }
}
