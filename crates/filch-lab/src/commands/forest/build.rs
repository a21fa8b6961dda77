//! The algorithms of `filch forest`: those of [`filch_graph::forest`], and those of the papers.

use std::fmt;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use filch::Batches;
use filch_graph::Csr;
use filch_graph::forest::{self, Algorithm, Counts, Forest, SpanningForest};
use filch_graph::papers::{self, MAX_DEPTH, TreeError};

use crate::failure::Failure;
use crate::graphs::session::Method;
use crate::graphs::trees::{self, Arranged, Arrangement};
use crate::graphs::trials::{Counted, Solution};
use crate::values::{any_number, at_least_one};

/// An algorithm by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// One that is there to be fast.
    Forest(Algorithm),
    /// One that is there to be compared.
    Paper(papers::Algorithm),
}

impl FromStr for Build {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let paper = || text.parse().map(Self::Paper);
        text.parse().map(Self::Forest).or_else(|unknown: forest::ParseAlgorithmError| {
            paper().map_err(|_| format!("{unknown}; or, as the papers build them, {}", trees::names()))
        })
    }
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Forest(algorithm) => algorithm.fmt(f),
            Self::Paper(algorithm) => algorithm.fmt(f),
        }
    }
}

/// How vertices are claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Claims {
    /// By a compare-exchange
    Exchange,
    /// By a store with a fence for each vertex
    Fence,
    /// By a store with a fence for each batch
    Batch,
    /// By a store: for one worker
    Alone,
}

impl fmt::Display for Claims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.to_possible_value().expect("none is skipped").get_name())
    }
}

/// The arguments on algorithms.
#[derive(Args, Debug)]
pub struct BuildArgs {
    /// Algorithm: auto, pseudo-dfs, phased-bfs, pull, descend, sweep or serial; or one of
    /// the papers, below; several are compared with the first
    #[arg(long, value_delimiter = ',', value_name = "A,…", default_values_t = [Build::Forest(Algorithm::Auto)])]
    pub algorithm: Vec<Build>,

    /// Number of vertices that pseudo-dfs, phased-bfs and stashed-… share at once: adaptive, N or up-to-N; several are
    /// compared with the first
    #[arg(long, value_delimiter = ',', value_name = "N,…", value_parser = batches)]
    pub batches: Vec<Batches>,

    /// How vertices are claimed, by pseudo-dfs, phased-bfs and the algorithms of the papers; several are compared with
    /// the first [default: batch there, fence here]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "C,…")]
    pub claims: Vec<Claims>,

    /// Bound on the depth of recursion, up to 256, for algorithms of the papers [default: 30; depth-limited: 10]
    #[arg(long, value_name = "D", value_parser = any_number::<usize>)]
    pub depth: Option<usize>,

    /// How the edges of a vertex are stored, for algorithms of the papers
    #[arg(long, value_enum, value_name = "ORDER", default_value_t)]
    pub rows: Arrangement,

    /// Leave half-filled batches in the queue, for stashed-dfs and stashed-bfs
    #[arg(long)]
    pub no_swaps: bool,
}

/// Batches from text: `adaptive`, `N` or `up-to-N`.
fn batches(text: &str) -> Result<Batches, String> {
    let size = |text: &str| at_least_one::<usize>(text).ok();
    let read = match text.strip_prefix("up-to-") {
        _ if text == "adaptive" => Some(Batches::Adaptive),
        Some(most) => size(most).map(Batches::UpTo),
        None => size(text).map(Batches::Fixed),
    };
    read.ok_or_else(|| "expected adaptive, a number from 1 up, or up-to- and such a number".into())
}

/// Options of either kind.
#[derive(Clone, Debug, PartialEq)]
enum Ready {
    Forest(Algorithm, Forest),
    Paper(papers::Options),
}

/// An algorithm with its options, and its name with those that vary.
#[derive(Clone, Debug)]
pub struct Chosen {
    name: String,
    ready: Ready,
}

impl BuildArgs {
    /// The algorithms to run, each with each of the batches and claims that it can have. An option that no algorithm
    /// has is bad usage.
    pub fn chosen(&self, root: Option<u32>) -> Result<Vec<Chosen>, Failure> {
        let start = |&build: &Build| match build {
            Build::Forest(algorithm) => {
                let builder = root.map_or(Forest::new(), |root| Forest::new().root(root));
                Chosen { name: build.to_string(), ready: Ready::Forest(algorithm, builder) }
            }
            Build::Paper(algorithm) => {
                let (depth, swaps) = (self.depth, !self.no_swaps);
                let options = papers::Options { algorithm, root, depth, swaps, ..papers::Options::default() };
                Chosen { name: build.to_string(), ready: Ready::Paper(options) }
            }
        };
        let chosen: Vec<Chosen> = self.algorithm.iter().map(start).collect();
        let is_any = |has: fn(papers::Algorithm) -> bool| {
            self.algorithm.iter().any(|build| matches!(build, Build::Paper(algorithm) if has(*algorithm)))
        };
        let refuse = |option: &str, algorithms: &str| {
            Err(Failure::Usage(format!("{option} applies to {algorithms} only: add one to --algorithm")))
        };
        if self.depth.is_some() && !is_any(papers::Algorithm::is_bounded) {
            return refuse("--depth", "staged, short-term, long-term, long-term-halves and depth-limited");
        }
        if let Some(depth) = self.depth.filter(|&depth| depth > MAX_DEPTH) {
            return Err(Failure::usage(TreeError::TooDeep { depth, most: MAX_DEPTH }));
        }
        if self.rows != Arrangement::Sorted && !is_any(|_| true) {
            return refuse("--rows", &trees::names());
        }
        if self.no_swaps && !is_any(has_batches) {
            return refuse("--no-swaps", "stashed-dfs and stashed-bfs");
        }
        let chosen =
            vary(chosen, &self.batches, Chosen::with_batches).ok_or_else(|| Failure::Usage(NO_BATCHES.into()))?;
        vary(chosen, &self.claims, Chosen::with_claims).ok_or_else(|| {
            let words: Vec<String> = self.claims.iter().map(ToString::to_string).collect();
            let message = "pseudo-dfs and phased-bfs claim by batch or exchange, and the algorithms of the papers by \
                           exchange, fence or alone";
            Failure::Usage(format!("--claims {}: {message}", words.join(",")))
        })
    }
}

impl BuildArgs {
    /// Fails if a parallel algorithm is to claim vertices in a way that is for one worker only. The graph is not needed
    /// for that.
    pub fn check_workers(&self, workers: usize) -> Result<(), Failure> {
        let is_parallel = |build: &Build| matches!(build, Build::Paper(algorithm) if !algorithm.is_serial());
        let alone = self.claims.contains(&Claims::Alone) && workers > 1;
        match self.algorithm.iter().find(|&build| alone && is_parallel(build)) {
            None => Ok(()),
            Some(parallel) => Err(Failure::Usage(format!(
                "--claims alone: expected --workers 1 for {parallel}, found {workers} workers, who would claim the \
                 same vertices"
            ))),
        }
    }
}

const NO_BATCHES: &str = "--batches applies to traversals only: add pseudo-dfs, phased-bfs, stashed-dfs or stashed-bfs \
                          to --algorithm";

fn has_batches(algorithm: papers::Algorithm) -> bool {
    matches!(algorithm, papers::Algorithm::StashedDfs | papers::Algorithm::StashedBfs)
}

/// Each of `chosen` with each of `values` that it can have, or as it is if it can have none. `None` if none can have
/// any.
fn vary<T: Copy>(
    chosen: Vec<Chosen>,
    values: &[T],
    with: impl Fn(&Chosen, T) -> Option<Chosen>,
) -> Option<Vec<Chosen>> {
    if values.is_empty() {
        return Some(chosen);
    }
    let mut has_any = false;
    let mut all = Vec::new();
    for one in chosen {
        let varied: Vec<Chosen> = values.iter().filter_map(|&value| with(&one, value)).collect();
        has_any |= !varied.is_empty();
        if varied.is_empty() { all.push(one) } else { all.extend(varied) }
    }
    has_any.then_some(all)
}

impl Chosen {
    fn with_batches(&self, batches: Batches) -> Option<Self> {
        match self.ready {
            Ready::Forest(algorithm, builder) => {
                let algorithm = match algorithm {
                    Algorithm::PseudoDfs(_) => Algorithm::PseudoDfs(batches),
                    Algorithm::PhasedBfs(_) => Algorithm::PhasedBfs(batches),
                    _ => return None,
                };
                Some(Self { name: algorithm.to_string(), ready: Ready::Forest(algorithm, builder) })
            }
            Ready::Paper(options) => {
                let size = match batches {
                    Batches::Fixed(size) => format!("({size})"),
                    Batches::UpTo(size) => format!("(up-to-{size})"),
                    _ => String::new(),
                };
                let ready = Ready::Paper(papers::Options { batches, ..options });
                has_batches(options.algorithm).then(|| Self { name: format!("{}{size}", self.name), ready })
            }
        }
    }

    fn with_claims(&self, claims: Claims) -> Option<Self> {
        let ready = match self.ready {
            Ready::Forest(algorithm, builder) => {
                let claims = match claims {
                    Claims::Exchange => forest::Claims::Exchange,
                    Claims::Batch => forest::Claims::Store,
                    Claims::Fence | Claims::Alone => return None,
                };
                let has_claims = matches!(algorithm, Algorithm::PseudoDfs(_) | Algorithm::PhasedBfs(_));
                has_claims.then_some(Ready::Forest(algorithm, builder.claims(claims)))?
            }
            Ready::Paper(options) => {
                let claims = match claims {
                    Claims::Exchange => papers::Claims::Exchange,
                    Claims::Fence => papers::Claims::Fence,
                    Claims::Alone => papers::Claims::Alone,
                    Claims::Batch => return None,
                };
                Ready::Paper(papers::Options { claims, ..options })
            }
        };
        Some(Self { name: format!("{} {claims}", self.name), ready })
    }

    /// The method of a session.
    pub fn method<'g>(self, graph: &'g Csr, rows: &'g Arranged<'_>) -> Method<'g, Vec<u32>> {
        match self.ready {
            Ready::Forest(algorithm, builder) => {
                (self.name, Box::new(move |_| solve(graph, builder.algorithm(algorithm))))
            }
            Ready::Paper(options) => (self.name, Box::new(move |_| rows.solve(options))),
        }
    }
}

fn solve(graph: &Csr, builder: Forest) -> Result<Solution<Vec<u32>>, Failure> {
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
