//! The problems that are solved on each graph, and the algorithms that solve them.

use clap::ValueEnum;
use filch::Pool;
use filch_bench::failure::Failure;
use filch_bench::show::progress::samples::Samples;
use filch_graph::verify::{verify_bfs, verify_components, verify_forest};
use filch_graph::{Csr, Graph, bfs, components, forest};

use crate::graphs::row::{Problem as Description, Row, SERIAL, rows};
use crate::graphs::trials::{Entrant, Solution, measure};

/// A problem on graphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Problem {
    /// A spanning forest
    Forest,
    /// Connected components
    Components,
    /// Breadth-first search from a vertex with the most neighbours
    Bfs,
}

/// How problems are solved.
#[derive(Debug)]
pub struct Method<'a> {
    /// One pool for each number of workers.
    pub pools: &'a [Pool],
    /// The number of timed runs.
    pub runs: usize,
}

/// An answer, in a form that all problems share: depths, and parents or labels.
type Answer = (Vec<u32>, Vec<u32>);

impl Problem {
    const fn name(self) -> &'static str {
        match self {
            Problem::Forest => "forest",
            Problem::Components => "components",
            Problem::Bfs => "bfs",
        }
    }

    /// Solves the problem by the defaults on all pools, in turn with the serial traversal. Every answer is verified.
    pub fn solve(self, name: &str, graph: &Csr, method: &Method<'_>) -> Result<Vec<Row>, Failure> {
        // The first of the vertices with the most neighbours, as for `filch bfs`.
        let root = (0..graph.num_vertices() as u32).rev().max_by_key(|&v| graph.degree(v)).unwrap_or(0);
        let ours = move || -> Result<Solution<Answer>, Failure> {
            Ok(match self {
                Problem::Forest => {
                    let found = forest::forest(graph).map_err(Failure::usage)?;
                    let method = Some(found.algorithm.to_string());
                    Solution {
                        answer: (Vec::new(), found.parents),
                        method,
                        counted: Vec::new(),
                        serial: false,
                        explained: Vec::new(),
                    }
                }
                Problem::Components => {
                    let found = components::components(graph);
                    let method = Some(found.algorithm().to_string());
                    Solution {
                        answer: (Vec::new(), found.into_labels()),
                        method,
                        counted: Vec::new(),
                        serial: false,
                        explained: Vec::new(),
                    }
                }
                Problem::Bfs => {
                    let found = bfs::bfs(graph, root);
                    (found.depths, found.parents).into()
                }
            })
        };
        let serial = || match self {
            Problem::Forest => (Vec::new(), forest::serial(graph)),
            Problem::Components => (Vec::new(), components::serial(graph)),
            Problem::Bfs => {
                let found = bfs::serial(graph, root);
                (found.depths, found.parents)
            }
        };
        let check = |(depths, found): &Answer| match self {
            Problem::Forest => verify_forest(graph, found).map(drop).map_err(|wrong| wrong.to_string()),
            Problem::Components => verify_components(graph, found).map(drop).map_err(|wrong| wrong.to_string()),
            Problem::Bfs => verify_bfs(graph, root, depths, found).map(drop).map_err(|wrong| wrong.to_string()),
        };
        let mut entrants: Vec<Entrant<'_, Answer>> = Vec::new();
        for pool in method.pools {
            entrants.push(Entrant {
                runner: format!("filch:{}", pool.scheduler()),
                algorithm: "auto".into(),
                workers: pool.num_workers(),
                solve: Box::new(move || pool.run(|_| ours())),
            });
        }
        let solve = Box::new(|| Ok(serial().into()));
        entrants.push(Entrant { runner: SERIAL.into(), algorithm: String::new(), workers: 1, solve });
        let tracks = measure(&mut entrants, method.runs, Some(&check), &Samples::hidden(), &|_| 0)?;
        let wrong = entrants.iter().zip(&tracks).find_map(|(entrant, track)| {
            let track = track.as_ref().ok()?;
            let Entrant { runner, workers, .. } = entrant;
            Some(format!("{} of {name} by {runner}, workers {workers}: {}", self.name(), track.wrong.as_ref()?))
        });
        if let Some(wrong) = wrong {
            return Err(Failure::Failed(wrong));
        }
        let description = Description {
            program: self.name(),
            graph: name.to_owned(),
            vertices: graph.num_vertices(),
            arcs: graph.num_arcs(),
            symmetric: graph.is_symmetric(),
            read_s: None,
            build_s: None,
            found: Vec::new(),
        };
        let edges = method.pools[0].run(|_| graph.num_edges());
        Ok(rows(&description, edges, true, &entrants, &tracks))
    }
}
