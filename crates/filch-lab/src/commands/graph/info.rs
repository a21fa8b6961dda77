//! `filch graph info`: the size of a graph, its components and its degrees.

use std::io::Write;
use std::mem::size_of;

use clap::Args;
use filch_bench::failure::Failure;
use filch_bench::measure::pools::TopologyArgs;
use filch_bench::show::numbers::{bytes, decimals, grouped};
use filch_bench::show::table::{plain_table, text, with_words};
use filch_graph::components;
use filch_graph::{Csr, Graph};
use filch_graph_io::read::Kept;
use serde::Serialize;

use crate::graphs::args::{InputArgs, graph_help};
use crate::graphs::report;
use crate::graphs::session::show_graph;
use crate::graphs::source::{Loaded, load};
use crate::graphs::take::Take;
use crate::output::FormatArgs;

/// The end of `--help`.
pub const HELP: &str = concat!(
    "\
Examples:
  filch graph info debian
  filch graph info roads.el.gz --symmetrize
  filch graph info 'kronecker(16)' --format json

",
    graph_help!(),
    "
All arcs are counted, parallel ones and self-loops, too. With --symmetrize, each arc is an edge,
and of parallel edges one is taken.

Exit code: 0 success, 2 bad usage or bad input, 124 the time of --timeout is over."
);

/// The arguments of `filch graph info`.
#[derive(Args, Debug)]
pub struct InfoArgs {
    /// The graph.
    #[command(flatten)]
    pub input: InputArgs,

    /// Take each edge in both directions
    #[arg(long)]
    pub symmetrize: bool,

    /// The topology.
    #[command(flatten)]
    pub topology: TopologyArgs,

    /// The form of the figures.
    #[command(flatten)]
    pub figures: FormatArgs,
}

/// The properties of a graph, as shown and as `--format` writes them.
#[derive(Debug, Serialize)]
struct Info {
    graph: String,
    vertices: usize,
    arcs: usize,
    /// The number of arcs of a directed graph; of a symmetric graph, the number of pairs of arcs and self-loops.
    edges: usize,
    symmetric: bool,
    self_loops: usize,
    /// Arcs that repeat another arc with the same ends.
    duplicates: usize,
    /// Vertices without arcs.
    isolated: usize,
    /// Weakly connected components.
    components: usize,
    /// The number of vertices of the largest component.
    largest: usize,
    memory_bytes: usize,
    /// Only for a file that has weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<Weights>,
    out_degree: Degrees,
    /// Only for a directed graph.
    #[serde(skip_serializing_if = "Option::is_none")]
    in_degree: Option<Degrees>,
    #[serde(skip_serializing_if = "Option::is_none")]
    read_s: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    build_s: Option<f64>,
}

/// The weights of the arcs.
#[derive(Debug, PartialEq, Serialize)]
struct Weights {
    min: f64,
    max: f64,
    /// Whether all of them are whole numbers.
    whole: bool,
}

/// The numbers of arcs at the vertices.
#[derive(Debug, PartialEq, Serialize)]
struct Degrees {
    min: usize,
    median: usize,
    mean: f64,
    max: usize,
    /// A vertex with the maximum.
    max_vertex: String,
    /// The numbers of vertices with degree 0, 1, 2 to 3, 4 to 7 and so on.
    by_power_of_two: Vec<usize>,
}

/// Runs `filch graph info`.
pub fn run(args: &InfoArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let pool = args.topology.pools()?.default_pool()?;
    let (graph, rest) = load::<Kept>(&args.input, Take::All.or_edges(args.symmetrize), &pool)?.split();
    let weights = Weights::of(&graph);
    let loaded = rest.with(match graph {
        Kept::Plain(graph) => graph,
        Kept::Weighted(graph) => graph.without_weights(),
    });
    let info = Info { weights, ..pool.run(|_| Info::of(&loaded)) };
    show_graph(&loaded, &pool, out)?;
    show(&info, out)?;
    args.figures.write(&info)
}

impl Info {
    fn of(loaded: &Loaded) -> Self {
        let Loaded { name, graph, read, build_s, .. } = loaded;
        let vertices = || 0..graph.num_vertices() as u32;
        let duplicates_at = |v: u32| {
            let mut row = graph.row(v).to_vec();
            row.sort_unstable();
            row.windows(2).filter(|pair| pair[0] == pair[1]).count()
        };
        let components = components::components(graph);
        let directed = !graph.is_symmetric();
        Self {
            graph: name.clone(),
            vertices: graph.num_vertices(),
            arcs: graph.num_arcs(),
            edges: graph.num_edges(),
            symmetric: !directed,
            self_loops: vertices().map(|v| graph.row(v).iter().filter(|&&w| w == v).count()).sum(),
            duplicates: vertices().map(duplicates_at).sum(),
            isolated: vertices().filter(|&v| graph.row(v).is_empty() && graph.in_row(v).is_empty()).count(),
            components: components.count(),
            largest: components.largest().map_or(0, |largest| largest.vertices),
            memory_bytes: memory(graph),
            weights: None,
            out_degree: Degrees::of(vertices().map(|v| graph.row(v).len()), loaded),
            in_degree: directed.then(|| Degrees::of(vertices().map(|v| graph.in_row(v).len()), loaded)),
            read_s: read.map(|read| read.seconds),
            build_s: *build_s,
        }
    }
}

impl Weights {
    fn of(graph: &Kept) -> Option<Self> {
        let Kept::Weighted(graph) = graph else { return None };
        let all = (0..graph.num_vertices() as u32).flat_map(|v| graph.weights(v)).map(|&weight| f64::from(weight));
        let one = |weight: f64| Self { min: weight, max: weight, whole: weight.fract() == 0.0 };
        all.map(one).reduce(|a, b| Self { min: a.min.min(b.min), max: a.max.max(b.max), whole: a.whole && b.whole })
    }
}

/// The memory that the rows of a graph take without weights, in bytes.
fn memory(graph: &Csr) -> usize {
    let rows = if graph.is_symmetric() { 1 } else { 2 };
    rows * ((graph.num_vertices() + 1) * size_of::<usize>() + graph.num_arcs() * size_of::<u32>())
}

impl Degrees {
    fn of(degrees: impl Iterator<Item = usize>, loaded: &Loaded) -> Self {
        let mut sorted: Vec<(usize, std::cmp::Reverse<u32>)> = degrees.zip((0..).map(std::cmp::Reverse)).collect();
        sorted.sort_unstable();
        let mut by_power_of_two = Vec::new();
        for &(degree, _) in &sorted {
            let place = (usize::BITS - degree.leading_zeros()) as usize;
            by_power_of_two.resize(by_power_of_two.len().max(place + 1), 0);
            by_power_of_two[place] += 1;
        }
        let sum: usize = sorted.iter().map(|(degree, _)| degree).sum();
        let (max, vertex) = sorted.last().map_or((0, String::new()), |&(degree, std::cmp::Reverse(vertex))| {
            (degree, loaded.names.of(vertex).into_owned())
        });
        Self {
            min: sorted.first().map_or(0, |&(degree, _)| degree),
            median: sorted.get(sorted.len() / 2).map_or(0, |&(degree, _)| degree),
            mean: if sorted.is_empty() { 0.0 } else { sum as f64 / sorted.len() as f64 },
            max,
            max_vertex: vertex,
            by_power_of_two,
        }
    }
}

fn show(info: &Info, out: &mut dyn Write) -> Result<(), Failure> {
    let count = |count: usize| grouped(count as u64);
    let mut line = |name: &str, value: String| report::line(out, name, &value);
    line("kind", if info.symmetric { "undirected".into() } else { "directed".into() })?;
    line("memory", bytes(info.memory_bytes as u64))?;
    if let Some(Weights { min, max, whole }) = info.weights {
        line("weights", format!("{} from {min} to {max}", if whole { "whole numbers" } else { "numbers" }))?;
    }
    line("self-loops", count(info.self_loops))?;
    let vertices = |number| report::count(number, "vertex", "vertices");
    line(
        "duplicates",
        format!("{} another one", report::count(info.duplicates, "arc that repeats", "arcs that repeat")),
    )?;
    line("isolated", vertices(info.isolated))?;
    line("components", format!("{}, the largest of {}", count(info.components), vertices(info.largest)))?;

    let directions: Vec<(&str, &Degrees)> = match &info.in_degree {
        None => vec![("edges", &info.out_degree)],
        Some(in_degree) => vec![("arcs out", &info.out_degree), ("arcs in", in_degree)],
    };
    let header = ["at a vertex", "min", "median", "mean", "max", "which has"];
    let mut table = plain_table(header.map(str::to_owned).to_vec());
    for &(name, degrees) in &directions {
        let Degrees { min, median, mean, max, max_vertex, .. } = degrees;
        let mean = format!("{mean:.*}", decimals(*mean));
        table.add_row([name.into(), count(*min), count(*median), mean, count(*max), max_vertex.clone()]);
    }
    writeln!(out, "\n{}", with_words(table))?;

    let mut header = vec!["degree".to_owned()];
    header.extend(directions.iter().map(|(name, _)| format!("vertices by {name}")));
    let mut table = plain_table(header);
    let rows = directions.iter().map(|(_, degrees)| degrees.by_power_of_two.len()).max().unwrap_or(0);
    for place in 0..rows {
        let range = match place {
            0 | 1 => place.to_string(),
            _ => format!("{} to {}", count(1 << (place - 1)), count((1 << place) - 1)),
        };
        let of = directions.iter().map(|(_, degrees)| degrees.by_power_of_two.get(place).copied().unwrap_or(0));
        table.add_row(std::iter::once(range).chain(of.map(count)));
    }
    writeln!(out, "\n{}", text(table))?;
    Ok(())
}
