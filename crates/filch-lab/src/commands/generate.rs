//! `filch generate`: writes a generated graph to a file.

use std::io::Write;

use clap::Args;
use filch_bench::failure::Failure;
use filch_bench::measure::pools::TopologyArgs;
use filch_bench::timeout::TimeoutArgs;
use filch_bench::values::any_number;
use filch_graph::Graph;

use crate::graphs::report::{count, line, time_and_rate};
use crate::graphs::weights::{self, Weights};
use crate::graphs::{save, source};
use crate::output::{self, Destination};

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch generate 'random(4000000,2)' --out random.sg
  filch generate 'torus(2000),shuffled' --seed 7 --out torus.el.zst
  filch generate 'kronecker(16)' --out - | filch components -
  filch generate 'uniform(20)' --weights --out uniform.wsg

SPEC is one of these. With ,shuffled or ,reversed appended, vertices are numbered in random
order or backwards; with ,twice before that, there are two of it, joined by an edge.
  random(N,M)     N vertices, each of which picks M neighbours
  uniform(S,D)    2^S vertices and D times as many edges; D is 16 by default
  kronecker(S,D)  the same by the rules of Graph500: a few vertices have most edges
  rmat(S,M)       2^S vertices and M edges by the rules of PBBS: rMat24 is rmat(24,119000000)
  gnm(N,M)        N vertices and exactly M edges
  geometric(N,K)  N points in a square, each joined to the K nearest
  torus(N)        N times N vertices, four neighbours each
  cube(N)         N times N times N vertices, six neighbours each
  hypercube(D)    2^D vertices, D neighbours each
  meshes(A,B)     two square meshes, joined by one edge
  islands(C,S,A)  C paths of S vertices, optionally after a torus of A times A vertices
  stars(C,L)      C centres in a line, L leaves each
  galaxy(C,L)     C separate stars of L leaves each
  cycles(C,S), cliques(C,S)  C separate cycles or cliques of S vertices each
  lollipop(K,T)   a clique of K vertices with a path of T vertices
  bipartite(A,B)  each of A vertices is joined to each of B others
  grid(R,C)       R rows of C vertices each
  roads(R,C,P)    a grid from which P percent of the edges are missing
  path(N), regular(N,K), bintree(L)

The name of the file says its form, as in filch graph convert: .el, .mtx, .graph, .adj, which are
compressed if .gz or .zst is appended, or .sg, the binary form of GAPBS, which is read several
times faster. With --weights, arcs have whole weights from 1 to 255; .wel, .wsg and .gr need them.

Exit code: 0 success, 2 bad usage, or a file that cannot be written; 124 the time of --timeout
is over, and no file is written.";

/// The arguments of `filch generate`.
#[derive(Args, Debug)]
pub struct GenerateArgs {
    /// What to generate
    #[arg(value_name = "SPEC")]
    pub spec: String,

    /// Seed of the generator
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = any_number::<u64>)]
    pub seed: u64,

    /// Draw weights from 1 to 255, the same in both directions, as GAPBS does
    #[arg(long)]
    pub weights: bool,

    /// The topology.
    #[command(flatten)]
    pub topology: TopologyArgs,

    /// The limit.
    #[command(flatten)]
    pub timeout: TimeoutArgs,

    /// The file to write
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub out: Destination,
}

/// Runs `filch generate`.
pub fn run(args: &GenerateArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let GenerateArgs { spec: text, seed, weights: are_weighted, topology, out: path, .. } = args;
    let spec = source::specification(text)?;
    save::check_graph_name(path)?;
    output::check_writable(path)?;

    let pool = topology.pools()?.default_pool()?;
    save::check_weights(path, *are_weighted, &pool)?;
    let (graph, time) = source::generate(&spec, *seed, &pool)?;
    let edges = pool.run(|_| graph.num_edges());
    let vertices = count(graph.num_vertices(), "vertex", "vertices");
    line(out, "graph", &format!("{spec}, seed {seed}: {vertices}, {}", count(edges, "edge", "edges")))?;
    line(out, "generated in", &time_and_rate(time, edges, "edges"))?;
    if !are_weighted {
        return save::graph(path, &graph, &pool, out);
    }
    let graph = pool.run(|_| weights::with(graph, Weights::Uniform, *seed));
    save::graph(path, &graph, &pool, out)
}
