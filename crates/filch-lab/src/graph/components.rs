//! `filch components`: the connected components of a graph.

use std::io::Write;

use filch_graph::components::{self, Algorithm};
use filch_graph::verify::verify_components;

use super::args::ComponentsArgs;
use super::report;
use super::row::Counted;
use super::save::{self, Column};
use super::session::{Method, Session, Task, show_graph};
use super::source::load;
use super::trials::Solution;
use crate::failure::Failure;
use crate::numbers::grouped;

/// The edges that count for the rate of labelling all components.
const EDGES: &str = "undirected edges of the graph";

/// Runs `filch components`.
pub fn run(args: &ComponentsArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let session = Session::begin(&args.trial, args.input.files(), None)?;
    let loaded = load(&args.input, true, session.pool())?;
    show_graph(&loaded, out)?;

    let graph = &loaded.graph;
    let task = Task {
        program: "components",
        loaded: &loaded,
        edges: &|_| graph.num_edges(),
        serial: &|| components::serial(graph),
        check: &|labels: &Vec<u32>| verify_components(graph, labels).map(drop).map_err(|wrong| wrong.to_string()),
        found: &|labels| found(labels),
    };
    let methods: Vec<Method<'_, Vec<u32>>> = args.algorithm.iter().map(|&algorithm| method(graph, algorithm)).collect();
    let outcome = session.solve(&task, &methods)?;
    session.show("edges", &outcome, out)?;
    if outcome.is_right() {
        let labels = &outcome.solution.answer;
        let sizes = report::sizes(labels);
        report::line(out, "components", &grouped(sizes.len() as u64))?;
        report::largest(out, "components", &sizes, args.largest, &loaded.names)?;
    }
    session.compare(&outcome, EDGES, out)?;
    session.finish(&outcome, |path, labels| {
        let label = Column::vertex(|v| Some(labels[v as usize]));
        save::vertices(path, &loaded, &[label], session.pool())
    })
}

fn method(graph: &filch_graph::Csr, algorithm: Algorithm) -> Method<'_, Vec<u32>> {
    let solve = move || {
        let found = components::components_by(graph, algorithm);
        let method = Some(found.algorithm().to_string());
        Ok(Solution { answer: found.into_labels(), method, counted: Vec::new() })
    };
    (algorithm.to_string(), Box::new(solve))
}

fn found(labels: &[u32]) -> Counted {
    let sizes = report::sizes(labels);
    let largest = sizes.first().map_or(0, |&(size, _)| size);
    vec![("components", sizes.len() as u64), ("largest", largest as u64)]
}
