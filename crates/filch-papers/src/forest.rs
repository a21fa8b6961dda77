//! `filch paper forest`: spanning trees as two papers build them, on any graph.

use std::io::Write;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use filch::Batches;
use filch_bench::failure::Failure;
use filch_bench::values::{any_number, at_least_one};
use filch_lab::commands::forest::{CommonArgs, Methods};
use filch_lab::graphs::session::Method;

use crate::arranged::{Arranged, Arrangement};
use crate::trees::{Algorithm, Claims, MAX_ARRAY, MAX_DEPTH, Options, StageInput, TreeError};

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch paper forest 'torus(1000)' --algorithm stack,long-term --runs 7
  filch paper forest 'torus(1000)' --algorithm long-term --depth 10,30,100
  filch paper forest 'torus(1000)' --rows linked --verify
  filch paper forest 'torus(1000)' --algorithm long-term --array 3,30,600 --stages array,list
  filch paper forest 'torus(1000)' --algorithm long-term --claims exchange,fence --verify

filch forest --help explains GRAPH. filch paper figure repeats the tables and figures.

Exit code: 0 success, 1 a result failed its check, 2 bad usage or bad input.";

/// The arguments.
#[derive(Args, Debug)]
pub struct ForestArgs {
    /// What is common to all commands that find a forest.
    #[command(flatten)]
    pub common: CommonArgs,

    /// Algorithm; several are compared with the first
    #[arg(long, value_enum, value_delimiter = ',', value_name = "A,…", default_value = "long-term")]
    pub algorithm: Vec<Algorithm>,

    /// Number of vertices that stashed-dfs and stashed-bfs share at once: adaptive, N, up-to-N or
    /// share/PARTS:LEAST..MOST; several are compared with the first
    #[arg(long, value_delimiter = ',', value_name = "N,…")]
    pub batches: Vec<Batches>,

    /// How vertices are claimed; several are compared with the first [default: fence]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "C,…")]
    pub claims: Vec<Claims>,

    /// Bound on the depth of recursion, up to 256; several are compared with the first [default: 30; depth-limited: 10]
    #[arg(long, value_name = "D,…", value_delimiter = ',', value_parser = any_number::<usize>)]
    pub depth: Vec<usize>,

    /// Number of vertices in each array of those that wait for the next stage; several are compared with the first
    /// [default: 600; short-term: 3]
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = at_least_one::<usize>)]
    pub array: Vec<usize>,

    /// Where a stage finds these arrays; both are compared [default: array]
    #[arg(long, value_enum, value_name = "IN,…", value_delimiter = ',')]
    pub stages: Vec<StageInput>,

    /// How the edges of a vertex are stored
    #[arg(long, value_enum, value_name = "ORDER", default_value_t)]
    pub rows: Arrangement,

    /// Leave half-filled batches in the queue, for stashed-dfs and stashed-bfs
    #[arg(long)]
    pub no_swaps: bool,
}

/// Runs `filch paper forest`.
pub fn run(args: &ForestArgs, out: &mut dyn Write) -> Result<(), Failure> {
    args.check()?;
    let methods: Methods<'_> = Box::new(|graph, root| {
        let rows = Arc::new(Arranged::new(graph, args.rows, args.common.input.seed)?);
        let method = |(name, options)| -> Method<'_, Vec<u32>> {
            let rows = rows.clone();
            (name, Box::new(move |_| rows.solve(options)))
        };
        Ok(args.chosen(root).into_iter().map(method).collect())
    });
    args.common.find_forest(|workers| args.check_workers(workers), methods, out)
}

impl ForestArgs {
    /// Fails if an option applies to none of the algorithms.
    fn check(&self) -> Result<(), Failure> {
        let is_any = |has: fn(Algorithm) -> bool| self.algorithm.iter().any(|&algorithm| has(algorithm));
        let refuse = |option: &str, algorithms: &str| {
            Err(Failure::Usage(format!("{option} applies to {algorithms} only: add one to --algorithm")))
        };
        if !self.depth.is_empty() && !is_any(Algorithm::is_bounded) {
            return refuse("--depth", "staged, short-term, long-term, long-term-halves, synched and depth-limited");
        }
        if let Some(&depth) = self.depth.iter().find(|&&depth| depth > MAX_DEPTH) {
            return Err(Failure::usage(TreeError::TooDeep { depth, most: MAX_DEPTH }));
        }
        if let Some(array) = self.array.iter().find(|&&array| array > MAX_ARRAY) {
            return Err(Failure::Usage(format!("--array {array}: expected at most {MAX_ARRAY} vertices")));
        }
        for (option, is_given) in [("--array", !self.array.is_empty()), ("--stages", !self.stages.is_empty())] {
            if is_given && !is_any(Algorithm::has_stages) {
                return refuse(option, "staged, short-term, long-term, long-term-halves, synched and cilk-bfs");
            }
        }
        for (option, is_given) in [("--batches", !self.batches.is_empty()), ("--no-swaps", self.no_swaps)] {
            if is_given && !is_any(Algorithm::has_batches) {
                return refuse(option, "stashed-dfs and stashed-bfs");
            }
        }
        Ok(())
    }

    /// Fails if a parallel algorithm would claim vertices in a way that is for one worker only.
    fn check_workers(&self, workers: usize) -> Result<(), Failure> {
        let is_wrong = self.claims.contains(&Claims::Alone) && workers > 1;
        match self.algorithm.iter().find(|algorithm| is_wrong && !algorithm.is_serial()) {
            None => Ok(()),
            Some(parallel) => Err(Failure::Usage(format!(
                "--claims alone: expected --workers 1 for {parallel}, found {workers} workers, which would claim the \
                 same vertices"
            ))),
        }
    }

    /// The algorithms to run, each with each of the values that it can have, and its name with those.
    fn chosen(&self, root: Option<u32>) -> Vec<(String, Options)> {
        let one = |&algorithm: &Algorithm| {
            let options = Options { algorithm, root, swaps: !self.no_swaps, ..Options::default() };
            let mut chosen = vec![(algorithm.to_string(), options)];
            vary(&mut chosen, of(algorithm.has_batches(), &self.batches), |options, batches| {
                options.batches = batches;
                if batches == Batches::Adaptive { String::new() } else { format!("({batches})") }
            });
            vary(&mut chosen, of(algorithm.is_bounded(), &self.depth), |options, depth| {
                options.depth = Some(depth);
                format!("({depth})")
            });
            vary(&mut chosen, of(algorithm.has_stages(), &self.array), |options, array| {
                options.array = Some(array);
                format!(" by {array}")
            });
            vary(&mut chosen, of(algorithm.has_stages(), &self.stages), |options, stages| {
                options.stages = stages;
                format!(" {}", word(stages))
            });
            vary(&mut chosen, &self.claims, |options, claims| {
                options.claims = claims;
                format!(" {}", word(claims))
            });
            chosen
        };
        self.algorithm.iter().flat_map(one).collect()
    }
}

/// Replaces each of the options by as many as there are values, if there are any. `with` sets one, and returns what is
/// added to the name.
fn vary<T: Copy>(chosen: &mut Vec<(String, Options)>, values: &[T], with: impl Fn(&mut Options, T) -> String) {
    if values.is_empty() {
        return;
    }
    let with_each = |(name, options): (String, Options)| {
        let with = &with;
        values.iter().map(move |&value| {
            let mut options = options;
            let added = with(&mut options, value);
            (name.clone() + &added, options)
        })
    };
    *chosen = std::mem::take(chosen).into_iter().flat_map(with_each).collect();
}

/// The values, if they apply.
fn of<T>(applies: bool, values: &[T]) -> &[T] {
    if applies { values } else { &[] }
}

/// A value as on the command line.
fn word(value: impl ValueEnum) -> String {
    value.to_possible_value().expect("none is skipped").get_name().to_owned()
}
