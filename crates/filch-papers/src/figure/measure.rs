//! Programs that build spanning trees of one graph, in turn, each tree verified.

use crate::trees::{Algorithm, Claims, Options};
use filch::Pool;
use filch_bench::failure::Failure;
use filch_bench::measure::counts::as_map;
use filch_bench::measure::median::Median;
use filch_bench::show::numbers::number_of;
use filch_bench::show::progress::samples::Samples;
use filch_graph::verify::verify_forest;
use filch_graph::{Csr, Graph, GraphSpec};
use serde::Serialize;

use super::args::FigureArgs;
use crate::arranged::{Arranged, Arrangement, count, solution};
use filch_lab::graphs::source::generate;
use filch_lab::graphs::trials::{self, Counted, Entrant, Track};

/// The seed of random graphs and of the order of edges.
const SEED: u64 = 1;

/// A program of a figure.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name in the figure.
    pub label: String,
    /// What it does.
    pub options: Options,
    /// On how many workers.
    pub workers: usize,
}

impl Case {
    /// An algorithm, with the fence of the paper's programs.
    pub fn new(algorithm: Algorithm, workers: usize) -> Self {
        Self { label: algorithm.to_string(), options: Options { algorithm, ..Options::default() }, workers }
    }

    /// A serial algorithm as in C: without any synchronization.
    pub fn serial(algorithm: Algorithm) -> Self {
        let options = Options { algorithm, claims: Claims::Alone, ..Options::default() };
        Self { label: algorithm.to_string(), options, workers: 1 }
    }

    /// The same, claiming in this way.
    pub fn by(self, claims: Claims, word: &str) -> Self {
        Self { label: format!("{}, {word}", self.label), options: Options { claims, ..self.options }, ..self }
    }
}

/// The figures of a program on a graph.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    /// The graph.
    pub graph: String,
    /// Its vertices.
    pub vertices: usize,
    /// Its edges, each counted once.
    pub edges: usize,
    /// The program.
    pub program: String,
    /// The number of workers.
    pub workers: usize,
    /// The time of each run, in seconds; none if the program failed.
    pub seconds: Vec<f64>,
    /// The counts of the last run.
    #[serde(serialize_with = "as_map")]
    pub counters: Counted,
    /// The depth at which the program would have exhausted its stack.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exhausted_at_depth: Option<usize>,
}

impl Measured {
    /// The median time; none if the program failed.
    pub fn median(&self) -> Option<f64> {
        (!self.seconds.is_empty()).then(|| Median::of(self.seconds.clone()).value)
    }

    /// The time divided by that of `other`: the median of the ratios in each run.
    pub fn against(&self, other: &Self) -> Option<f64> {
        let both = !self.seconds.is_empty() && !other.seconds.is_empty();
        both.then(|| Median::of_paired_ratios(&self.seconds, &other.seconds).value)
    }

    /// A count of the last run.
    pub fn count(&self, name: &str) -> u64 {
        count(&self.counters, name)
    }

    /// Edges per second.
    pub fn rate(&self) -> Option<f64> {
        Some(self.edges as f64 / self.median()?)
    }
}

/// What a figure is measured with.
pub struct Bench<'a> {
    args: &'a FigureArgs,
    pools: Vec<Pool>,
}

impl<'a> Bench<'a> {
    /// Starts the pools.
    pub fn new(args: &'a FigureArgs) -> Result<Self, Failure> {
        let settings = args.topology.pools()?;
        let most = settings.workers(None)?;
        let usual = if most == 1 { vec![1] } else { vec![1, most] };
        let mut workers = settings.several_workers(&args.workers, &usual);
        // Serial programs and those on one worker are in every figure.
        workers.push(1);
        workers.sort_unstable();
        workers.dedup();
        let scheduler = settings.scheduler(args.scheduler.as_ref())?;
        let build = |workers: usize| settings.builder(&scheduler, workers).build().map_err(Failure::usage);
        Ok(Self { args, pools: workers.into_iter().map(build).collect::<Result<_, _>>()? })
    }

    /// The numbers of workers, in ascending order.
    pub fn workers(&self) -> Vec<usize> {
        self.pools.iter().map(Pool::num_workers).collect()
    }

    /// The largest number of workers.
    pub fn most(&self) -> usize {
        self.last().num_workers()
    }

    /// The number of runs.
    pub fn runs(&self) -> usize {
        self.args.runs
    }

    fn last(&self) -> &Pool {
        self.pools.last().expect("there is at least one")
    }

    fn pool(&self, workers: usize) -> &Pool {
        self.pools.iter().find(|pool| pool.num_workers() == workers).expect("cases have the numbers of pools")
    }

    /// The graph of a specification.
    pub fn graph(&self, spec: &str) -> Result<Csr, Failure> {
        let parsed: GraphSpec = spec.parse().map_err(Failure::usage)?;
        Ok(generate(&parsed, SEED, self.last())?.0)
    }

    /// Runs the programs on a graph, in turn. Fails if a tree is wrong.
    pub fn measure(&self, spec: &str, arrangement: Arrangement, cases: &[Case]) -> Result<Vec<Measured>, Failure> {
        let graph = self.graph(spec)?;
        let rows = Arranged::new(&graph, arrangement, SEED)?;
        let edges = self.last().run(|_| graph.num_edges());
        let blank = |case: &Case| Measured {
            graph: spec.to_owned(),
            vertices: graph.num_vertices(),
            edges,
            program: case.label.clone(),
            workers: case.workers,
            seconds: Vec::new(),
            counters: Counted::new(),
            exhausted_at_depth: None,
        };
        let mut all: Vec<Measured> = cases.iter().map(blank).collect();
        let entrant = |case: &Case| {
            let (pool, options, rows) = (self.pool(case.workers), case.options, &rows);
            Entrant {
                runner: String::new(),
                algorithm: case.label.clone(),
                workers: case.workers,
                solve: Box::new(move || solution(pool.run(|_| rows.spanning_tree(options)))),
            }
        };
        let mut entrants: Vec<Entrant<'_, Vec<u32>>> = cases.iter().map(entrant).collect();
        let progress = Samples::new(entrants.len(), self.args.runs);
        progress.begin(spec);
        let check = |parents: &Vec<u32>| verify_forest(&graph, parents).map(drop).map_err(|wrong| wrong.to_string());
        let edges = |_: &Vec<u32>| graph.num_edges();
        let tracks = trials::measure(&mut entrants, self.args.runs, Some(&check), &progress, &edges)?;
        for (one, track) in all.iter_mut().zip(tracks) {
            match track {
                Ok(Track { wrong: Some(wrong), .. }) => {
                    let workers = number_of(one.workers, "worker", "workers");
                    return Err(Failure::Failed(format!("{spec}, {} on {workers}: {wrong}", one.program)));
                }
                Ok(Track { seconds, last, .. }) => (one.seconds, one.counters) = (seconds, last.counted),
                Err(Failure::OutOfStack { depth, .. }) => one.exhausted_at_depth = Some(depth),
                Err(failure) => return Err(failure),
            }
        }
        Ok(all)
    }
}
