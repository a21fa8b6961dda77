//! `filch topological-order`: the vertices of a graph without cycles, such that every arc leads to a later one.

use clap::Args;
use filch_bench::failure::Failure;
use filch_graph::topological_order::{TopologicalOrder, serial};
use filch_graph::verify::{Wrong, verify_topological_order};
use filch_graph::{Graph, Watch};

use super::{Instance, Problem, Results, help};
use crate::graphs::report;
use crate::graphs::save::Column;
use crate::graphs::take::Take;
use crate::graphs::trials::{Counted, Solution};

/// The end of `--help`.
pub const HELP: &str = help!(
    "  filch topological-order tasks.el --verify --out places.txt
  filch topological-order tasks.el --runs 21 --against serial --workers 1,2
  filch topological-order tasks.el --format json",
    "\
Of parallel arcs one is taken. A graph with a cycle has no such order: the message shows a cycle. A
self-loop is a cycle, and so is an undirected edge. The result for each vertex is its place in the
order, from 0. Vertices are in levels, by the longest path that ends there. The rate is the number
of arcs divided by the time of solving."
);

/// The problem.
#[derive(Args, Debug)]
pub struct Order;

impl Problem for Order {
    type Answer = Vec<u32>;

    const PROGRAM: &'static str = "topological-order";

    fn take(&self) -> Take {
        Take::Arcs
    }

    fn solve(&self, of: Instance<'_>, watch: &dyn Watch) -> Result<Solution<Vec<u32>>, Failure> {
        let found = TopologicalOrder::new().watch(watch).run(of.graph).map_err(Failure::usage)?;
        let method = Some(format!("peeling, {}", report::count(found.count(), "level", "levels")));
        Ok(Solution { method, ..found.order.into() })
    }

    fn serial(&self, of: Instance<'_>) -> Vec<u32> {
        // If there is a cycle, the other entrants say so.
        serial(of.graph).unwrap_or_default()
    }

    fn check(&self, of: Instance<'_>, order: &Vec<u32>) -> Result<(), Wrong> {
        verify_topological_order(of.graph, order)
    }

    fn found(&self, order: &Vec<u32>) -> Counted {
        vec![("ordered", order.len() as u64)]
    }

    fn results<'a>(&self, of: Instance<'a>, order: &'a Vec<u32>) -> Results<'a> {
        let mut places = vec![0; of.graph.num_vertices()];
        order.iter().zip(0..).for_each(|(&v, place)| places[v as usize] = place);
        Results::Vertices(Column::number(move |v| Some(places[v as usize])))
    }
}
