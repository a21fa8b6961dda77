//! Graphs with weights: those of a file, or others.

use clap::{Args, ValueEnum};
use filch::Pool;
use filch_bench::failure::Failure;
use filch_graph::{Csr, WeightedCsr};
use filch_graph_io::read::Kept;

use super::args::InputArgs;
use super::source::{Loaded, load};
use super::take::Take;

/// The weights that the GAP Benchmark Suite draws for graphs that have none.
const UNIFORM: std::ops::RangeInclusive<i32> = 1..=255;

/// Which weights arcs have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Weights {
    /// Those of the file
    File,
    /// 1 for every arc
    Unit,
    /// Drawn from 1 to 255, as GAPBS does
    Uniform,
}

/// The option on weights of commands that need them.
#[derive(Args, Debug)]
pub struct WeightArgs {
    /// Weights [default: those of the file, or drawn by --seed if it has none]
    #[arg(long, value_enum, value_name = "WEIGHTS")]
    pub weights: Option<Weights>,
}

/// Loads a graph with weights, and says in words where they are from.
pub fn load_weighted(
    input: &InputArgs,
    args: &WeightArgs,
    take: Take,
    pool: &Pool,
) -> Result<(Loaded<WeightedCsr>, String), Failure> {
    // Weights that are not wanted need not be exact.
    if let Some(weights @ (Weights::Unit | Weights::Uniform)) = args.weights {
        let (graph, rest) = load::<Csr>(input, take, pool)?.split();
        let graph = pool.run(|_| with(graph, weights, input.seed));
        return Ok((rest.with(graph), words(weights, input.seed)));
    }
    let (graph, rest) = load::<Kept>(input, take, pool)?.split();
    let (graph, weights) = match graph {
        Kept::Weighted(graph) => (graph, Weights::File),
        Kept::Plain(_) if args.weights == Some(Weights::File) => {
            let name = &input.graph;
            return Err(Failure::Usage(format!("{name} has no weights: --weights uniform or unit makes some")));
        }
        Kept::Plain(graph) => (pool.run(|_| with(graph, Weights::Uniform, input.seed)), Weights::Uniform),
    };
    Ok((rest.with(graph), words(weights, input.seed)))
}

/// Where weights are from, in words.
fn words(weights: Weights, seed: u64) -> String {
    match weights {
        Weights::File => "those of the file".into(),
        Weights::Unit => "1 for every arc".into(),
        Weights::Uniform => format!("drawn from {} to {}, seed {seed}", UNIFORM.start(), UNIFORM.end()),
    }
}

/// The graph with other weights than those of the file.
pub fn with(graph: Csr, weights: Weights, seed: u64) -> WeightedCsr {
    match weights {
        Weights::Uniform => graph.with_uniform_weights(UNIFORM, seed),
        Weights::File | Weights::Unit => graph.with_weights(|_, _| 1.0),
    }
}
