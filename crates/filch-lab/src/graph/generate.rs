//! `filch generate`: writes a generated graph to a file.

use std::io::Write;

use filch_graph::{Graph, GraphSpec};

use super::args::{ConvertArgs, GenerateArgs};
use super::report::{count, line, time_and_rate};
use super::session::show_graph;
use super::source::load;
use super::{save, source};
use crate::failure::Failure;
use crate::machine::default_pool;
use crate::output;

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

/// Runs `filch graph convert`.
pub fn convert(args: &ConvertArgs, out: &mut dyn Write) -> Result<(), Failure> {
    save::check_graph_name(&args.out)?;
    output::check_writable(&args.out)?;
    output::check_distinct(args.input.files(), &[("--out", args.out.as_path())])?;
    let pool = default_pool()?;
    let loaded = load(&args.input, args.symmetrize, &pool)?;
    show_graph(&loaded, out)?;
    save::graph(&args.out, &loaded.graph, &pool, out)
}
