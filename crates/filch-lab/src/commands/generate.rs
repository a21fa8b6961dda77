//! `filch generate`: writes a generated graph to a file.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use filch_graph::{Graph, GraphSpec};

use crate::failure::Failure;
use crate::graphs::report::{count, line, time_and_rate};
use crate::graphs::{save, source};
use crate::measure::machine::pool::default_pool;
use crate::output;

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch generate 'random(4000000,2)' --out random.sg
  filch generate 'torus(2000),shuffled' --seed 7 --out torus.el.zst
  filch generate 'kronecker(21)' --out kronecker.el

SPEC is one of these. With ,shuffled appended, vertices are numbered in random order.
  random(N,M)     N vertices, each of which picks M neighbours
  uniform(S,D)    2^S vertices and D times as many edges; D is 16 by default
  kronecker(S,D)  the same by the rules of Graph500: a few vertices have most edges
  torus(N)        N times N vertices, four neighbours each
  hypercube(D)    2^D vertices, D neighbours each
  meshes(A,B)     two square meshes, joined by one edge
  islands(C,S,A)  C paths of S vertices, optionally after a torus of A times A vertices
  stars(C,L)      C centres in a line, L leaves each
  path(N), regular(N,K), bintree(L)

The file is an edge list, which is compressed if its name ends in .gz or .zst. If the name ends
in .sg, it has the binary form of GAPBS, which is read several times faster.

Exit code: 0 success, 2 bad usage, or a file that cannot be written.";

/// The arguments of `filch generate`.
#[derive(Args, Debug)]
pub struct GenerateArgs {
    /// What to generate
    #[arg(value_name = "SPEC")]
    pub spec: String,

    /// Seed of the generator
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,

    /// The file to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Runs `filch generate`.
pub fn run(args: &GenerateArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let GenerateArgs { spec: text, seed, out: path } = args;
    let spec: GraphSpec = text.parse().map_err(|error| Failure::Usage(format!("{text}: {error}")))?;
    save::check_graph_name(path)?;
    output::check_writable(path)?;

    let pool = default_pool()?;
    let (graph, time) = source::generate(&spec, *seed, &pool)?;
    let vertices = count(graph.num_vertices(), "vertex", "vertices");
    line(out, "graph", &format!("{spec}, seed {seed}: {vertices}, {}", count(graph.num_edges(), "edge", "edges")))?;
    line(out, "generated in", &time_and_rate(time, graph.num_edges(), "edges"))?;
    save::graph(path, &graph, &pool, out)
}
