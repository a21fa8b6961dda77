//! `filch bipartite` and `biconnected`: the two sides of a graph, and where it would fall apart.

use std::io::Write;

use clap::Args;
use filch_bench::failure::Failure;
use filch_graph::Watch;
use filch_graph::biconnected::{self, Biconnected, BiconnectedComponents};
use filch_graph::bipartite::{self, Bipartite, BipartiteError};
use filch_graph::verify::{Wrong, verify_biconnected, verify_odd_cycle, verify_sides};

use super::{Instance, Problem, Results, help};
use crate::graphs::report;
use crate::graphs::save::Column;
use crate::graphs::source::Loaded;
use crate::graphs::take::Take;
use crate::graphs::trials::{Counted, Solution};

/// The end of `--help` of `filch bipartite`.
pub const BIPARTITE_HELP: &str = help!(
    "  filch bipartite 'torus(1000)' --verify
  filch bipartite ratings.el.gz --out sides.txt
  filch bipartite 'torus(1000)' --format json
  filch bipartite 'torus(1000)' --verify --runs 21 --against serial --workers 1,2",
    "\
A graph is bipartite if each of its edges joins two sides; if it is not, a cycle of an odd number of
edges is shown. Edges are taken as undirected; a self-loop is such a cycle. The result for each
vertex is its side, 0 or 1, and -1 if there are none. The rate is the number of edges divided by the
time of solving."
);

/// The end of `--help` of `filch biconnected`.
pub const BICONNECTED_HELP: &str = help!(
    "  filch biconnected debian --verify
  filch biconnected roads.gr --out labels.txt
  filch biconnected debian --format json
  filch biconnected 'kronecker(18)' --verify --runs 21 --against serial --workers 1,2",
    "\
Two edges are in one biconnected component if a cycle has both. Without an articulation point or a
bridge, the graph would fall apart. Edges are taken as undirected; parallel edges count once, and
self-loops not at all. The result for each vertex is the component by which it is reached from the
first vertex of its connected component: the smallest vertex there but the one that is reached first.
The rate is the number of edges divided by the time of solving."
);

/// The two sides of a graph.
#[derive(Args, Debug)]
pub struct TwoSides;

/// Whether a graph is bipartite.
#[derive(Debug)]
pub enum Found {
    /// It is.
    Sides(Vec<bool>),
    /// It is not, because of this cycle. The serial rival has none.
    OddCycle(Vec<u32>),
}

impl Problem for TwoSides {
    type Answer = Found;

    const PROGRAM: &'static str = "bipartite";

    fn take(&self) -> Take {
        Take::Edges
    }

    fn solve(&self, of: Instance<'_>, watch: &dyn Watch) -> Result<Solution<Found>, Failure> {
        match Bipartite::new().watch(watch).run(of.graph) {
            Ok(found) => Ok(Found::Sides(found.sides).into()),
            Err(BipartiteError::OddCycle(cycle)) => Ok(Found::OddCycle(cycle).into()),
            Err(error) => Err(Failure::usage(error)),
        }
    }

    fn serial(&self, of: Instance<'_>) -> Found {
        bipartite::serial(of.graph).map_or(Found::OddCycle(Vec::new()), Found::Sides)
    }

    fn check(&self, of: Instance<'_>, found: &Found) -> Result<(), Wrong> {
        match found {
            Found::Sides(sides) => verify_sides(of.graph, sides),
            Found::OddCycle(cycle) if cycle.is_empty() => Ok(()),
            Found::OddCycle(cycle) => verify_odd_cycle(of.graph, cycle),
        }
    }

    fn found(&self, found: &Found) -> Counted {
        match found {
            Found::Sides(sides) => {
                let ones = sides.iter().filter(|&&side| side).count();
                vec![("side_0", (sides.len() - ones) as u64), ("side_1", ones as u64)]
            }
            Found::OddCycle(cycle) => vec![("odd_cycle", cycle.len() as u64)],
        }
    }

    fn show(&self, found: &Found, loaded: &Loaded, out: &mut dyn Write) -> Result<(), Failure> {
        /// The vertices of a cycle that are shown.
        const SHOWN: usize = 7;
        let Found::OddCycle(cycle) = found else { return Ok(()) };
        let mut shown: Vec<_> = cycle.iter().take(SHOWN).map(|&v| loaded.names.of(v).into_owned()).collect();
        if cycle.len() > SHOWN {
            shown.push("...".into());
        }
        Ok(report::line(out, "not bipartite", &format!("because of {}", shown.join(", ")))?)
    }

    fn results<'a>(&self, _: Instance<'a>, found: &'a Found) -> Results<'a> {
        Results::Vertices(Column::number(move |v| match found {
            Found::Sides(sides) => Some(u32::from(sides[v as usize])),
            Found::OddCycle(_) => None,
        }))
    }
}

/// The biconnected components of a graph.
#[derive(Args, Debug)]
pub struct Parts;

impl Problem for Parts {
    type Answer = BiconnectedComponents;

    const PROGRAM: &'static str = "biconnected";

    fn solve(&self, of: Instance<'_>, watch: &dyn Watch) -> Result<Solution<BiconnectedComponents>, Failure> {
        Ok(Biconnected::new().watch(watch).run(of.graph).map_err(Failure::usage)?.into())
    }

    fn serial(&self, of: Instance<'_>) -> BiconnectedComponents {
        biconnected::serial(of.graph)
    }

    fn check(&self, of: Instance<'_>, found: &BiconnectedComponents) -> Result<(), Wrong> {
        verify_biconnected(of.graph, found.labels(), &found.articulation_points(), found.bridges()).map(drop)
    }

    fn found(&self, found: &BiconnectedComponents) -> Counted {
        let (points, bridges) = (found.articulation_points().len(), found.bridges().count());
        vec![("components", found.count() as u64), ("points", points as u64), ("bridges", bridges as u64)]
    }

    fn results<'a>(&self, _: Instance<'a>, found: &'a BiconnectedComponents) -> Results<'a> {
        Results::Vertices(Column::vertex(|v| Some(found.labels()[v as usize])))
    }
}
