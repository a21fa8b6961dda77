//! The algorithms of `filch forest`, with their options.

use clap::{Args, ValueEnum};
use filch::Batches;
use filch_bench::failure::Failure;
use filch_graph::Csr;
use filch_graph::forest::{self, Algorithm, Counts, Forest, SpanningForest};

use crate::graphs::session::Method;
use crate::graphs::trials::{Counted, Solution};

/// How vertices are claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Claims {
    /// By a compare-exchange
    Exchange,
    /// By a store, with a fence for each batch
    Batch,
}

/// The arguments on algorithms.
#[derive(Args, Debug)]
pub struct BuildArgs {
    /// Algorithm: auto, pseudo-dfs, phased-bfs, pull, descend, sweep or serial; several are compared with the first
    #[arg(long, value_delimiter = ',', value_name = "A,…", default_values_t = [Algorithm::Auto])]
    pub algorithm: Vec<Algorithm>,

    /// Number of vertices that pseudo-dfs and phased-bfs share at once: adaptive, N, up-to-N or
    /// share/PARTS:LEAST..MOST; several are compared with the first
    #[arg(long, value_delimiter = ',', value_name = "N,…")]
    pub batches: Vec<Batches>,

    /// How pseudo-dfs and phased-bfs claim vertices; several are compared with the first [default: batch]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "C,…")]
    pub claims: Vec<Claims>,
}

impl BuildArgs {
    /// The algorithms to run, by name: those that visit vertices in batches with each of the batches and claims. An
    /// option that no algorithm has is bad usage.
    pub fn chosen(&self, root: Option<u32>) -> Result<Vec<(String, Forest<'static>)>, Failure> {
        let has_batches =
            |algorithm: &Algorithm| matches!(algorithm, Algorithm::PseudoDfs(_) | Algorithm::PhasedBfs(_));
        if !self.algorithm.iter().any(has_batches) {
            for (option, is_given) in [("--batches", !self.batches.is_empty()), ("--claims", !self.claims.is_empty())] {
                if is_given {
                    let message = "applies to pseudo-dfs and phased-bfs only: add one to --algorithm";
                    return Err(Failure::Usage(format!("{option} {message}")));
                }
            }
        }
        let mut chosen = Vec::new();
        for &algorithm in &self.algorithm {
            let (mut sized, mut claims) = (vec![algorithm], vec![("", forest::Claims::default())]);
            if has_batches(&algorithm) && !self.batches.is_empty() {
                let with = |&batches| match algorithm {
                    Algorithm::PseudoDfs(_) => Algorithm::PseudoDfs(batches),
                    _ => Algorithm::PhasedBfs(batches),
                };
                sized = self.batches.iter().map(with).collect();
            }
            if has_batches(&algorithm) && !self.claims.is_empty() {
                let named = |claims: &Claims| match claims {
                    Claims::Exchange => (" exchange", forest::Claims::Exchange),
                    Claims::Batch => (" batch", forest::Claims::Store),
                };
                claims = self.claims.iter().map(named).collect();
            }
            for algorithm in sized {
                for &(name, claims) in &claims {
                    let builder = Forest::new().algorithm(algorithm).claims(claims);
                    let builder = root.map_or(builder, |root| builder.root(root));
                    chosen.push((format!("{algorithm}{name}"), builder));
                }
            }
        }
        Ok(chosen)
    }
}

/// The method of a session.
pub fn method<'a>((name, builder): (String, Forest<'static>), graph: &'a Csr) -> Method<'a, Vec<u32>> {
    (name, Box::new(move |_| solve(graph, builder)))
}

fn solve(graph: &Csr, builder: Forest<'_>) -> Result<Solution<Vec<u32>>, Failure> {
    let SpanningForest { parents, algorithm, reason, facts, counts, .. } =
        builder.run(graph).map_err(Failure::usage)?;
    let serial = algorithm == Algorithm::Serial;
    let explained = vec![("facts", facts.to_string()), ("plan", algorithm.to_string()), ("reason", reason.to_owned())];
    let method = Some(format!("{algorithm}: {reason}"));
    Ok(Solution { answer: parents, method, counted: counted(&counts), serial, explained })
}

/// The runtime's counts that are not zero.
fn counted(counts: &Counts) -> Counted {
    let traversal = &counts.traversal;
    let all = [
        ("visited", traversal.items),
        ("tasks", traversal.tasks),
        ("batches", traversal.batches),
        ("swaps", traversal.swaps),
        ("steals", traversal.steals),
        ("phases", traversal.phases),
        ("phases_skipped", traversal.phases_skipped),
        ("largest_batch", traversal.largest_batch as u64),
        ("idle_us", traversal.idle.as_micros() as u64),
        ("passes", counts.passes as u64),
        ("pulled", counts.pulled as u64),
        ("links", counts.links as u64),
    ];
    all.into_iter().filter(|&(_, count)| count > 0).collect()
}
