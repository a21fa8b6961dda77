//! `filch distances` and `walks`: from many vertices along the arcs.

use std::io::Write;

use crate::memory::check_bytes;
use clap::Args;
use filch_bench::failure::Failure;
use filch_bench::values::{any_number, at_least_one, number};
use filch_graph::Watch;
use filch_graph::distances::{self, Distances, Matrix, UNREACHED};
use filch_graph::verify::{Wrong, verify_distances, verify_walks};
use filch_graph::walks::{self, RandomWalks, Walks};

use super::{Instance, Problem, Results, help};
use crate::graphs::report;
use crate::graphs::source::Loaded;
use crate::graphs::take::Take;
use crate::graphs::trials::{Counted, Solution};

/// The end of `--help` of `filch distances`.
pub const DISTANCES_HELP: &str = help!(
    "  filch distances debian --source gnome --source bash --out distances.txt
  filch distances 'torus(100)' --format json
  filch distances 'kronecker(12)' --verify --runs 21 --against serial --workers 1,2",
    "\
The distance is the number of arcs on the way; filch sssp has weights. Arcs lead one way, unless
--symmetrize is given. Without --source, the distances of all pairs are found. The result for each
vertex is its distance from each source, -1 if it is not reached. An array has the distances of all
vertices from the first source, then those from the next, and so on. The rate is the number of arcs of
the graph divided by the time of solving."
);

/// The end of `--help` of `filch walks`.
pub const WALKS_HELP: &str = help!(
    "  filch walks debian --per-vertex 10 --out walks.txt
  filch walks friends.el.gz --symmetrize --p 0.25 --q 4 --seed 7 --out walks.npy
  filch walks 'kronecker(16)' --verify --runs 21 --against serial --workers 1,2
  filch walks debian --start gnome --length 5 --format json",
    "\
A step goes along any arc of the vertex, all as likely. With --p and --q they depend on the vertex
before, as in node2vec. A walk ends early where no arc leaves. Arcs lead one way, unless --symmetrize is
given. The walks depend on --seed only. The result is a line for each walk, with its vertices; an array
has the same number of places for each walk, and -1 after the end of one that has ended early. The rate
is the number of steps divided by the time of solving."
);

/// The number of vertices shown of a walk.
const SHOWN: usize = 6;

/// The vertices with these names, or all if there are no names.
fn named(names: &[String], loaded: &Loaded) -> Result<Vec<u32>, Failure> {
    if names.is_empty() {
        return Ok((0..loaded.graph.out_rows().num_vertices() as u32).collect());
    }
    names.iter().map(|called| loaded.names.find(called)).collect()
}

/// Fails if there is no memory for so many rows of numbers.
fn check_rows(what: &str, rows: usize, columns: usize) -> Result<(), Failure> {
    let numbers = (rows as u64).saturating_mul(columns as u64);
    check_bytes(what, numbers.saturating_mul(size_of::<u32>() as u64))
}

/// Distances from many vertices.
#[derive(Args, Debug)]
pub struct Far {
    /// Vertex from which distances are found, by its number in the file or its name; can be repeated [default: all]
    #[arg(long, value_name = "VERTEX", allow_negative_numbers = true)]
    pub source: Vec<String>,

    /// Take each edge in both directions
    #[arg(long)]
    pub symmetrize: bool,
}

impl Problem for Far {
    type Answer = Matrix<u32>;

    const PROGRAM: &'static str = "distances";

    fn take(&self) -> Take {
        Take::Simple.or_edges(self.symmetrize)
    }

    fn starts(&self, loaded: &Loaded) -> Result<Vec<u32>, Failure> {
        let sources = named(&self.source, loaded)?;
        let vertices = loaded.graph.out_rows().num_vertices();
        let what = format!("the distances from {} vertices (--source chooses some)", sources.len());
        check_rows(&what, sources.len(), vertices)?;
        Ok(sources)
    }

    fn solve(&self, of: Instance<'_>, watch: &dyn Watch) -> Result<Solution<Matrix<u32>>, Failure> {
        Ok(Distances::new().watch(watch).run(of.graph, of.starts).into())
    }

    fn serial(&self, of: Instance<'_>) -> Matrix<u32> {
        distances::serial(of.graph, of.starts)
    }

    fn check(&self, of: Instance<'_>, found: &Matrix<u32>) -> Result<(), Wrong> {
        verify_distances(of.graph, of.starts, found.values())
    }

    fn found(&self, found: &Matrix<u32>) -> Counted {
        let reached = || found.values().iter().filter(|distance| **distance != UNREACHED);
        vec![("pairs", reached().count() as u64), ("farthest", reached().max().map_or(0, |&most| most.into()))]
    }

    fn results<'a>(&self, _: Instance<'a>, found: &'a Matrix<u32>) -> Results<'a> {
        Results::Distances(found)
    }
}

/// Random walks.
#[derive(Args, Debug)]
pub struct Steps {
    /// Vertex at which walks start, by its number in the file or its name; can be repeated [default: all]
    #[arg(long, value_name = "VERTEX", allow_negative_numbers = true)]
    pub start: Vec<String>,

    /// Number of walks from each of these vertices
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = at_least_one::<usize>)]
    pub per_vertex: usize,

    /// Number of steps of a walk
    #[arg(long, value_name = "N", default_value_t = 80, value_parser = any_number::<usize>)]
    pub length: usize,

    /// Take each edge in both directions
    #[arg(long)]
    pub symmetrize: bool,

    /// Return parameter of node2vec: an arc back to the vertex before is 1/P times as likely
    #[arg(long, value_name = "P", default_value_t = 1.0, value_parser = divisor())]
    pub p: f64,

    /// In-out parameter of node2vec: an arc to a vertex that is no neighbor of the one before is 1/Q times as likely
    #[arg(long, value_name = "Q", default_value_t = 1.0, value_parser = divisor())]
    pub q: f64,
}

fn divisor() -> impl Fn(&str) -> Result<f64, String> + Clone {
    number("a number above 0", |number| number > 0.0 && number.recip().is_finite())
}

impl Steps {
    fn options(&self, seed: u64) -> RandomWalks<'static> {
        RandomWalks::new().length(self.length).node2vec(self.p, self.q).seed(seed)
    }
}

impl Problem for Steps {
    type Answer = Walks;

    const PROGRAM: &'static str = "walks";

    fn take(&self) -> Take {
        Take::Arcs.or_edges(self.symmetrize)
    }

    fn starts(&self, loaded: &Loaded) -> Result<Vec<u32>, Failure> {
        let vertices = named(&self.start, loaded)?;
        let walks = vertices.len().saturating_mul(self.per_vertex);
        check_rows(&format!("{walks} walks of {} steps", self.length), walks, self.length.saturating_add(1))?;
        Ok(std::iter::repeat_n(vertices, self.per_vertex).flatten().collect())
    }

    fn solve(&self, of: Instance<'_>, watch: &dyn Watch) -> Result<Solution<Walks>, Failure> {
        Ok(self.options(of.seed).watch(watch).run(of.graph, of.starts).into())
    }

    fn serial(&self, of: Instance<'_>) -> Walks {
        walks::serial(of.graph, of.starts, self.options(of.seed))
    }

    fn check(&self, of: Instance<'_>, found: &Walks) -> Result<(), Wrong> {
        verify_walks(of.graph, of.starts, self.length, found.iter())
    }

    fn found(&self, found: &Walks) -> Counted {
        vec![("walks", found.count() as u64), ("steps", num_steps(found) as u64)]
    }

    fn rate(&self, found: &Walks) -> Option<(&'static str, usize)> {
        Some(("steps", num_steps(found)))
    }

    fn show(&self, found: &Walks, loaded: &Loaded, out: &mut dyn Write) -> Result<(), Failure> {
        let Some(first) = found.iter().next() else { return Ok(()) };
        let mut names: Vec<_> = first.iter().take(SHOWN).map(|&v| loaded.names.of(v)).collect();
        if first.len() > SHOWN {
            names.push("...".into());
        }
        Ok(report::line(out, "first walk", &names.join(", "))?)
    }

    fn results<'a>(&self, _: Instance<'a>, found: &'a Walks) -> Results<'a> {
        Results::Walks(found)
    }
}

fn num_steps(found: &Walks) -> usize {
    found.iter().map(|walk| walk.len() - 1).sum()
}
