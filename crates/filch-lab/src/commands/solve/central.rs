//! `filch betweenness` and `closeness`: how central the vertices of a graph are.

use std::io::Write;

use clap::Args;
use filch_bench::failure::Failure;
use filch_bench::values::{any_number, at_least_one};
use filch_graph::betweenness::{self, Betweenness, Scores};
use filch_graph::closeness::{self, Closeness, Distances};
use filch_graph::verify::{Wrong, verify_betweenness, verify_closeness};
use filch_graph::{Graph, Watch};

use super::{Instance, Problem, Results, help};
use crate::graphs::scores;
use crate::graphs::source::Loaded;
use crate::graphs::take::Take;
use crate::graphs::trials::{Counted, Solution};

/// The end of `--help` of `filch betweenness`.
pub const BETWEENNESS_HELP: &str = help!(
    "  filch betweenness debian --sample 100 --verify
  filch betweenness friends.el.gz --labels names.txt --top 20 --out scores.txt
  filch betweenness 'torus(100)' --format json
  filch betweenness 'kronecker(16)' --sample 64 --runs 21 --against serial --workers 1,2",
    "\
The betweenness of a vertex is the share of the shortest paths between other vertices that lead
through it, as in networkx. Arcs lead one way, unless --symmetrize is given. Each source takes a search
of the whole graph. The rate is the number of arcs divided by the time of solving."
);

/// The end of `--help` of `filch closeness`.
pub const CLOSENESS_HELP: &str = help!(
    "  filch closeness debian --harmonic --top 20
  filch closeness friends.el.gz --labels names.txt --out scores.txt
  filch closeness 'torus(100)' --format json
  filch closeness 'kronecker(12)' --verify --runs 21 --against serial --workers 1,2",
    "\
The closeness of a vertex is the number of vertices from which it is reached divided by the sum of
their distances, times their share of all vertices, as in networkx. Arcs lead one way, unless
--symmetrize is given. It takes a search from every vertex. The rate is the number of arcs divided by
the time of solving."
);

/// How closely sums of floating-point numbers agree.
const TOLERANCE: f64 = 1e-9;

/// Betweenness.
#[derive(Args, Debug)]
pub struct Between {
    /// Take each edge in both directions
    #[arg(long)]
    pub symmetrize: bool,

    /// Number of sources, drawn by --seed, from which the scores are estimated [default: all vertices]
    #[arg(long, value_name = "K", value_parser = at_least_one::<usize>)]
    pub sample: Option<usize>,

    /// Number of vertices with the highest scores to show
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = any_number::<usize>)]
    pub top: usize,
}

impl Between {
    fn options(&self, seed: u64) -> Betweenness<'static> {
        self.sample.map_or_else(Betweenness::new, |count| Betweenness::new().sample(count, seed))
    }
}

impl Problem for Between {
    type Answer = Scores<u32>;

    const PROGRAM: &'static str = "betweenness";

    fn take(&self) -> Take {
        Take::Simple.or_edges(self.symmetrize)
    }

    fn solve(&self, of: Instance<'_>, watch: &dyn Watch) -> Result<Solution<Scores<u32>>, Failure> {
        Ok(self.options(of.seed).watch(watch).run(of.graph).map_err(Failure::usage)?.into())
    }

    fn serial(&self, of: Instance<'_>) -> Scores<u32> {
        let options = self.options(of.seed);
        let sources = options.sources(of.graph);
        let factor = options.factor(of.graph, sources.len());
        let sums = betweenness::serial(of.graph, &sources);
        Scores { scores: sums.into_iter().map(|sum| sum * factor).collect(), sources, factor }
    }

    fn check(&self, of: Instance<'_>, found: &Scores<u32>) -> Result<(), Wrong> {
        verify_betweenness(of.graph, &found.sources, found.factor, &found.scores, TOLERANCE).map(drop)
    }

    fn found(&self, found: &Scores<u32>) -> Counted {
        vec![("sources", found.sources.len() as u64)]
    }

    fn show(&self, found: &Scores<u32>, loaded: &Loaded, out: &mut dyn Write) -> Result<(), Failure> {
        Ok(scores::show(out, highest(&found.scores, self.top), &loaded.names)?)
    }

    fn results<'a>(&self, _: Instance<'a>, found: &'a Scores<u32>) -> Results<'a> {
        Results::Scores(found.scores.clone())
    }
}

/// Closeness.
#[derive(Args, Debug)]
pub struct Close {
    /// Take each edge in both directions
    #[arg(long)]
    pub symmetrize: bool,

    /// Harmonic centrality: the sum of the reciprocals of the distances
    #[arg(long)]
    pub harmonic: bool,

    /// Number of vertices with the highest scores to show
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = any_number::<usize>)]
    pub top: usize,
}

impl Close {
    fn scores(&self, found: &Distances<u32>) -> Vec<f64> {
        if self.harmonic { found.harmonic() } else { found.closeness() }
    }
}

impl Problem for Close {
    type Answer = Distances<u32>;

    const PROGRAM: &'static str = "closeness";

    fn take(&self) -> Take {
        Take::Simple.or_edges(self.symmetrize)
    }

    fn solve(&self, of: Instance<'_>, watch: &dyn Watch) -> Result<Solution<Distances<u32>>, Failure> {
        Ok(Closeness::new().watch(watch).run(of.graph).into())
    }

    fn serial(&self, of: Instance<'_>) -> Distances<u32> {
        let n = of.graph.num_vertices();
        let vertices: Vec<u32> = (0..n as u32).collect();
        let sums = closeness::serial(of.graph, &vertices);
        Distances::new(n, vertices, sums)
    }

    fn check(&self, of: Instance<'_>, found: &Distances<u32>) -> Result<(), Wrong> {
        let sums = found.sums.iter().map(|sums| (sums.vertices, sums.total, sums.harmonic));
        verify_closeness(of.graph, sums, TOLERANCE)
    }

    fn found(&self, found: &Distances<u32>) -> Counted {
        vec![("pairs", found.sums.iter().map(|sums| sums.vertices as u64).sum())]
    }

    fn show(&self, found: &Distances<u32>, loaded: &Loaded, out: &mut dyn Write) -> Result<(), Failure> {
        Ok(scores::show(out, highest(&self.scores(found), self.top), &loaded.names)?)
    }

    fn results<'a>(&self, _: Instance<'a>, found: &'a Distances<u32>) -> Results<'a> {
        Results::Scores(self.scores(found))
    }
}

/// The vertices with the highest scores, the highest first; of equal ones the smaller vertex.
fn highest(scores: &[f64], count: usize) -> impl Iterator<Item = (u32, f64)> {
    let mut order: Vec<(u32, f64)> = (0..).zip(scores.iter().copied()).collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    order.into_iter().take(count)
}
