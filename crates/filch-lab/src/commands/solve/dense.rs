//! `filch communities`: sets of vertices with many edges inside and few between them.

use std::io::Write;

use clap::Args;
use filch_bench::failure::Failure;
use filch_bench::values::{at_least_one, number};
use filch_graph::Watch;
use filch_graph::communities::{Communities, Method, Partition, modularity, serial};
use filch_graph::verify::{Wrong, verify_communities};

use super::{Instance, Problem, Results, help};
use crate::graphs::report;
use crate::graphs::save::Column;
use crate::graphs::source::Loaded;
use crate::graphs::trials::{Counted, Solution};

/// The end of `--help`.
pub const HELP: &str = help!(
    "  filch communities debian --verify
  filch communities debian --format json
  filch communities friends.el.gz --resolution 0.5 --labels names.txt --out labels.txt
  filch communities 'kronecker(16)' --method louvain --runs 21 --against serial --workers 1,2",
    "\
The modularity is the share of the edges inside of communities, less what is expected of a random
graph with the same degrees. The Leiden algorithm and the Louvain method look for much of it; the
serial rival is the latter. Edges are taken as undirected and without weights. The result for each
vertex is the smallest vertex of its community. The rate is the number of edges divided by the time
of solving."
);

/// How closely sums of floating-point numbers agree.
const TOLERANCE: f64 = 1e-9;

/// Communities.
#[derive(Args, Debug)]
pub struct Sets {
    /// How communities are found: leiden or louvain
    #[arg(long, default_value_t = Method::Leiden)]
    pub method: Method,

    /// The larger it is, the more and smaller communities there are
    #[arg(long, value_name = "R", default_value_t = 1.0, value_parser = number("a number from 0", |r| r >= 0.0))]
    pub resolution: f64,

    /// How often all levels are gone through
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = at_least_one::<usize>)]
    pub iterations: usize,
}

impl Problem for Sets {
    type Answer = Partition;

    const PROGRAM: &'static str = "communities";

    fn solve(&self, of: Instance<'_>, watch: &dyn Watch) -> Result<Solution<Partition>, Failure> {
        let wanted = Communities::new().method(self.method).resolution(self.resolution).iterations(self.iterations);
        Ok(wanted.seed(of.seed).watch(watch).run(of.graph).map_err(Failure::usage)?.into())
    }

    fn serial(&self, of: Instance<'_>) -> Partition {
        let labels = serial(of.graph, self.resolution);
        let modularity = modularity(of.graph, &labels, self.resolution);
        Partition { labels, modularity, levels: Vec::new() }
    }

    fn check(&self, of: Instance<'_>, found: &Partition) -> Result<(), Wrong> {
        verify_communities(of.graph, &found.labels, self.resolution, found.modularity, TOLERANCE).map(drop)
    }

    fn found(&self, found: &Partition) -> Counted {
        vec![("communities", found.count() as u64)]
    }

    fn show(&self, found: &Partition, _: &Loaded, out: &mut dyn Write) -> Result<(), Failure> {
        Ok(report::line(out, "modularity", &format!("{:.6}", found.modularity))?)
    }

    fn results<'a>(&self, _: Instance<'a>, found: &'a Partition) -> Results<'a> {
        Results::Vertices(Column::vertex(|v| Some(found.labels[v as usize])))
    }
}
