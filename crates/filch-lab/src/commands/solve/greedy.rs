//! `filch independent-set`, `matching` and `colouring`: what a greedy loop finds in a random order.

use clap::Args;
use filch_bench::failure::Failure;
use filch_graph::colouring::{self, Colouring, Order};
use filch_graph::maximal_independent_set::{self, MaximalIndependentSet};
use filch_graph::maximal_matching::{self, Matching, MaximalMatching};
use filch_graph::verify::{Wrong, verify_colouring, verify_independent_set, verify_matching};
use filch_graph::{Graph, Watch};

use super::{Instance, Problem, Results, help};
use crate::graphs::save::Column;
use crate::graphs::trials::{Counted, Solution};

/// The end of `--help` of `filch independent-set`.
pub const SET_HELP: &str = help!(
    "  filch independent-set debian --verify
  filch independent-set friends.el.gz --seed 7 --out set.txt
  filch independent-set debian --format json
  filch independent-set 'kronecker(18)' --verify --runs 21 --against serial --workers 1,2",
    "\
The set is maximal, not the largest one: it is what a loop finds that goes through the vertices in a
random order and takes each that has no neighbor in the set. The order depends on --seed only. Edges
are taken as undirected. The result for each vertex is 1 inside, 0 outside. The rate is the number of
edges divided by the time of solving."
);

/// The end of `--help` of `filch matching`.
pub const MATCHING_HELP: &str = help!(
    "  filch matching debian --verify
  filch matching friends.el.gz --seed 7 --out mates.txt
  filch matching debian --format json
  filch matching 'kronecker(18)' --verify --runs 21 --against serial --workers 1,2",
    "\
The matching is maximal, not the largest one: it is what a loop finds that goes through the edges in
a random order and takes each whose ends are both free. The order depends on --seed only. Edges are
taken as undirected. The result for each vertex is the other end of its edge, -1 if it has none. The
rate is the number of edges divided by the time of solving."
);

/// The end of `--help` of `filch colouring`.
pub const COLOURING_HELP: &str = help!(
    "  filch colouring debian --verify
  filch colouring friends.el.gz --order largest-degree --out colours.txt
  filch colouring debian --format json
  filch colouring 'kronecker(18)' --verify --runs 21 --against serial --workers 1,2",
    "\
The colours are those of a loop that gives each vertex the first one that none of its neighbors has:
not the fewest, which filch search colour finds for small graphs. Edges are taken as undirected. The
rate is the number of edges divided by the time of solving."
);

/// A maximal independent set.
#[derive(Args, Debug)]
pub struct Set;

impl Problem for Set {
    type Answer = Vec<u32>;

    const PROGRAM: &'static str = "independent-set";

    fn solve(&self, of: Instance<'_>, watch: &dyn Watch) -> Result<Solution<Vec<u32>>, Failure> {
        let found = MaximalIndependentSet::new().seed(of.seed).watch(watch).run(of.graph);
        Ok(found.map_err(Failure::usage)?.vertices.into())
    }

    fn serial(&self, of: Instance<'_>) -> Vec<u32> {
        maximal_independent_set::serial(of.graph, of.seed)
    }

    fn check(&self, of: Instance<'_>, set: &Vec<u32>) -> Result<(), Wrong> {
        verify_independent_set(of.graph, set)
    }

    fn found(&self, set: &Vec<u32>) -> Counted {
        vec![("inside", set.len() as u64)]
    }

    fn results<'a>(&self, of: Instance<'a>, set: &'a Vec<u32>) -> Results<'a> {
        let mut is_inside = vec![0; of.graph.num_vertices()];
        set.iter().for_each(|&v| is_inside[v as usize] = 1);
        Results::Vertices(Column::number(move |v| Some(is_inside[v as usize])))
    }
}

/// A maximal matching.
#[derive(Args, Debug)]
pub struct Pairs;

impl Problem for Pairs {
    type Answer = Matching;

    const PROGRAM: &'static str = "matching";

    fn solve(&self, of: Instance<'_>, watch: &dyn Watch) -> Result<Solution<Matching>, Failure> {
        let found = MaximalMatching::new().seed(of.seed).watch(watch).run(of.graph);
        Ok(found.map_err(Failure::usage)?.into())
    }

    fn serial(&self, of: Instance<'_>) -> Matching {
        Matching { mates: maximal_matching::serial(of.graph, of.seed) }
    }

    fn check(&self, of: Instance<'_>, found: &Matching) -> Result<(), Wrong> {
        verify_matching(of.graph, &found.mates).map(drop)
    }

    fn found(&self, found: &Matching) -> Counted {
        vec![("pairs", found.count() as u64)]
    }

    fn results<'a>(&self, _: Instance<'a>, found: &'a Matching) -> Results<'a> {
        Results::Vertices(Column::vertex(|v| found.mate(v)))
    }
}

/// A colouring.
#[derive(Args, Debug)]
pub struct Colour {
    /// Order of the vertices: largest-log-degree, largest-degree or random
    #[arg(long, value_name = "O", default_value_t = Order::LargestLogDegree)]
    pub order: Order,
}

impl Problem for Colour {
    type Answer = Vec<u32>;

    const PROGRAM: &'static str = "colouring";

    fn solve(&self, of: Instance<'_>, watch: &dyn Watch) -> Result<Solution<Vec<u32>>, Failure> {
        let found = Colouring::new().order(self.order).seed(of.seed).watch(watch).run(of.graph);
        Ok(found.map_err(Failure::usage)?.colours.into())
    }

    fn serial(&self, of: Instance<'_>) -> Vec<u32> {
        colouring::serial(of.graph, self.order, of.seed)
    }

    fn check(&self, of: Instance<'_>, colours: &Vec<u32>) -> Result<(), Wrong> {
        verify_colouring(of.graph, colours).map(drop)
    }

    fn found(&self, colours: &Vec<u32>) -> Counted {
        vec![("colours", colours.iter().max().map_or(0, |&most| u64::from(most) + 1))]
    }

    fn results<'a>(&self, _: Instance<'a>, colours: &'a Vec<u32>) -> Results<'a> {
        Results::Vertices(Column::number(|v| Some(colours[v as usize])))
    }
}
