//! What the commands that solve a problem have in common: the pools, the order of steps, and the output.

use std::io::Write;
use std::path::Path;

use filch::{Pool, Scheduler};
use filch_bench::failure::Failure;
use filch_bench::measure::others;
use filch_bench::show::progress::samples::Samples;
use filch_bench::show::progress::stage::{Stage, Unit};
use filch_bench::values;
use filch_graph::{Csr, Graph, Watch, Weight};

use super::args::{Baseline, TrialArgs};
use super::row::{Problem, Row, SERIAL, rows};
use super::source::Loaded;
use super::trials::{self, Check, Counted, Entrant, Solution, Track};
use super::{report, save};
use crate::output;

/// A command that has started: its pools are running, and its files can be written.
#[derive(Debug)]
pub struct Session<'a> {
    trial: &'a TrialArgs,
    pools: Vec<Pool>,
}

/// The outcome of solving a problem.
pub struct Outcome<A> {
    /// The figures of all entrants.
    pub rows: Vec<Row>,
    /// The place of the first entrant that did not give up.
    first: usize,
    /// The number of edges that count for the rate.
    pub edges: usize,
    /// The solution of that entrant in its last run.
    pub solution: Solution<A>,
    /// What the check found wrong, in words.
    wrong: Vec<String>,
    /// The load by other programs during the runs, in words.
    others: Option<String>,
}

/// A problem on a graph.
pub struct Task<'a, A, W = ()> {
    /// The command.
    pub program: &'static str,
    /// The graph.
    pub loaded: &'a Loaded<Csr<u32, W>>,
    /// The number of edges that count for the rate, given the answer.
    pub edges: &'a dyn Fn(&A) -> usize,
    /// The serial algorithm.
    pub serial: &'a dyn Fn() -> A,
    /// The check of an answer.
    pub check: Check<'a, A>,
    /// The figures of an answer, by name.
    pub found: &'a dyn Fn(&A) -> Counted,
}

/// A way for Filch to solve a problem: its name, and the function, which runs on a pool. Algorithms that report their
/// progress report it to the watch.
pub type Method<'a, A> = (String, Box<dyn Fn(&dyn Watch) -> Result<Solution<A>, Failure> + Send + Sync + 'a>);

impl<A> Outcome<A> {
    /// Whether no check found anything wrong.
    pub fn is_right(&self) -> bool {
        self.wrong.is_empty()
    }
}

impl<'a> Session<'a> {
    /// Checks that all output files, including `more`, can be written and that none of them is also read. Then starts
    /// the pools.
    pub fn begin<'b>(
        trial: &'a TrialArgs,
        read: impl Iterator<Item = (&'static str, &'b Path)>,
        more: Option<(&'static str, &'b Path)>,
    ) -> Result<Self, Failure>
    where
        'a: 'b,
    {
        let results = trial.out.as_deref().map(|path| ("--out", path)).into_iter().chain(more);
        let named: Vec<(&'static str, &Path)> = results.collect();
        for (_, path) in &named {
            save::check_name(path)?;
            output::check_writable(path)?;
        }
        output::check_distinct(read, &named)?;

        let settings = trial.topology.pools()?;
        let (scheduler, workers) = settings.defaults(None)?;
        let schedulers =
            if trial.scheduler.is_empty() { vec![scheduler] } else { values::schedulers(&trial.scheduler, &[1]) };
        let workers = if trial.workers.is_empty() { vec![workers] } else { trial.workers.clone() };
        let mut pools = Vec::new();
        for scheduler in &schedulers {
            for &workers in &workers {
                // The serial scheduler always has one worker.
                let workers = if *scheduler == Scheduler::serial() { 1 } else { workers };
                let pool = settings.builder(scheduler, workers).build();
                pools.push(pool.map_err(Failure::usage)?);
            }
        }
        Ok(Self { trial, pools })
    }

    /// The pool for steps that are done once: the one with the most workers.
    pub fn pool(&self) -> &Pool {
        self.pools.iter().max_by_key(|pool| pool.num_workers()).expect("there is a pool")
    }

    /// Solves the problem by every method on every pool and, if the user asks for it, by the serial algorithm.
    pub fn solve<A: Send, W: Weight>(
        &self,
        task: &Task<'_, A, W>,
        methods: &[Method<'_, A>],
    ) -> Result<Outcome<A>, Failure> {
        // The bar has no room for a long path.
        let name = Path::new(&task.loaded.name).file_name().unwrap_or_default().to_string_lossy();
        let what = format!("{} of {name}", task.program);
        // A single run shows its own progress. Several are a measurement, which nothing disturbs: the bar moves between
        // them.
        let stage = (self.trial.runs == 1).then(|| Stage::begin("running", &what, Unit::Passes));
        let mut entrants: Vec<Entrant<'_, A>> = Vec::new();
        for pool in &self.pools {
            for (algorithm, solve) in methods {
                entrants.push(Entrant {
                    runner: format!("filch:{}", pool.scheduler()),
                    algorithm: algorithm.clone(),
                    workers: pool.num_workers(),
                    solve: match &stage {
                        Some(stage) => Box::new(move || {
                            let solution = pool.run(|_| solve(stage));
                            stage.clear();
                            solution
                        }),
                        None => Box::new(move || pool.run(|_| solve(&()))),
                    },
                });
            }
        }
        if self.trial.against == Some(Baseline::Serial) {
            let solve = Box::new(|| Ok((task.serial)().into()));
            entrants.push(Entrant { runner: SERIAL.into(), algorithm: String::new(), workers: 1, solve });
        }
        let progress = match stage {
            Some(_) => Samples::hidden(),
            None => Samples::new(entrants.len(), self.trial.runs),
        };
        if stage.is_none() {
            progress.begin(&what);
        }
        let check = self.trial.verify.then_some(task.check);
        let watch = others::Watch::begin();
        let tracks = trials::measure(&mut entrants, self.trial.runs, check, &progress, task.edges)?;
        let others = watch.others();

        let wrong = entrants.iter().zip(&tracks).filter_map(|(entrant, track)| {
            let (Entrant { runner, workers, .. }, Ok(track)) = (entrant, track) else { return None };
            let (program, workers) = (task.program, report::count(*workers, "worker", "workers"));
            let wrong = track.wrong.as_ref()?;
            let other =
                if task.loaded.names.are_counted_from_0() { "" } else { " (vertices are numbered from 0 here)" };
            Some(format!("{program} by {runner} on {workers}: {wrong}{other}"))
        });
        let wrong = wrong.collect();
        let Some(first) = tracks.iter().position(Result::is_ok) else {
            return Err(tracks.into_iter().find_map(Result::err).expect("Filch is the first entrant"));
        };
        let Ok(best) = &tracks[first] else { unreachable!("chosen above") };
        let (problem, edges) = (problem(task, best), (task.edges)(&best.last.answer));
        let rows = rows(&problem, edges, self.trial.verify, &entrants, &tracks);
        let solution = tracks.into_iter().find_map(Result::ok).expect("there is the first").last;
        Ok(Outcome { rows, first, edges, solution, wrong, others })
    }

    /// Shows the time of the first entrant, the algorithm it used, and whether the checks passed.
    pub fn show<A>(&self, edges: &str, outcome: &Outcome<A>, out: &mut dyn Write) -> Result<(), Failure> {
        let row = &outcome.rows[outcome.first];
        let time = report::time_and_rate(row.median_s, outcome.edges, edges);
        let solver = match outcome.solution.serial {
            true => "serially, by one worker".to_owned(),
            false => format!("{} on {}", row.runner, report::count(row.workers, "worker", "workers")),
        };
        report::line(out, "solved in", &format!("{time}; {solver}"))?;
        if let Some(method) = &row.method {
            report::line(out, "by", method)?;
        }
        if self.trial.verify {
            let verdict = match outcome.wrong.is_empty() {
                true => "every result verified by an independent check",
                false => "WRONG",
            };
            report::line(out, "check", verdict)?;
        }
        Ok(())
    }

    /// Shows the facts by which the first entrant chose its algorithm, the choice, and its reason.
    pub fn explain<A>(&self, outcome: &Outcome<A>, out: &mut dyn Write) -> Result<(), Failure> {
        for (name, words) in &outcome.solution.explained {
            report::line(out, name, words)?;
        }
        Ok(())
    }

    /// Shows a table of the entrants, if there are several entrants or several runs.
    pub fn compare<A>(&self, outcome: &Outcome<A>, edges: &str, out: &mut dyn Write) -> Result<(), Failure> {
        if outcome.rows.len() > 1 || self.trial.runs > 1 {
            report::explain(out, &outcome.rows, edges)?;
            writeln!(out, "\n{}", report::entrants(&outcome.rows))?;
            if let Some(others) = &outcome.others {
                writeln!(out, "({others})")?;
            }
        }
        Ok(())
    }

    /// Writes the files. If a result is wrong, writes only the figures and fails.
    pub fn finish<A>(
        &self,
        outcome: &Outcome<A>,
        save: impl FnOnce(&Path, &A) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.trial.figures.write(&outcome.rows)?;
        if !outcome.wrong.is_empty() {
            return Err(Failure::Failed(outcome.wrong.join("\nerror: ")));
        }
        self.trial.out.as_ref().map_or(Ok(()), |path| save(path, &outcome.solution.answer))
    }
}

fn problem<A, W: Weight>(task: &Task<'_, A, W>, first: &Track<A>) -> Problem {
    let Loaded { name, graph, read, build_s, .. } = task.loaded;
    Problem {
        program: task.program,
        graph: name.clone(),
        vertices: graph.num_vertices(),
        arcs: graph.num_arcs(),
        symmetric: graph.is_symmetric(),
        read_s: read.map(|read| read.seconds),
        build_s: *build_s,
        found: if first.wrong.is_none() { (task.found)(&first.last.answer) } else { Vec::new() },
    }
}

/// Shows which graph it is, and how long it took to read and to build.
pub fn show_graph<W: Weight>(loaded: &Loaded<Csr<u32, W>>, pool: &Pool, out: &mut dyn Write) -> Result<(), Failure> {
    if cfg!(debug_assertions) {
        writeln!(out, "This is a debug build: its times are meaningless.\n")?;
    }
    let Loaded { name, graph, names, left_out, read, build_s } = loaded;
    let vertices = report::count(graph.num_vertices(), "vertex", "vertices");
    let (edges, word) = (pool.run(|_| graph.num_edges()), if graph.is_symmetric() { "edges" } else { "arcs" });
    let counted = match graph.is_symmetric() {
        true => report::count(edges, "edge", "edges"),
        false => report::count(edges, "arc", "arcs"),
    };
    let from = if names.first() == 0 { String::new() } else { format!("; numbered from {}", names.first()) };
    report::line(out, "graph", &format!("{name}: {vertices}, {counted}{from}"))?;
    if let Some(left_out) = left_out {
        report::line(out, "left out", left_out)?;
    }
    if let Some(read) = read {
        report::line(out, "read in", &report::time_and_rate(read.seconds, read.bytes as usize, report::BYTES))?;
    }
    if let Some(build_s) = *build_s {
        report::line(out, "built in", &report::time_and_rate(build_s, edges, word))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graphs::names::Names;
    use crate::output::FormatArgs;
    use filch_bench::measure::pools::TopologyArgs;

    #[test]
    fn a_wrong_result_is_a_failure_that_says_whose_it_was_and_is_not_written() {
        let directory = std::env::temp_dir().join(format!("filch-wrong-result-{}", std::process::id()));
        std::fs::create_dir(&directory).unwrap();
        let results = directory.join("results.txt");
        let trial = TrialArgs {
            verify: true,
            runs: 2,
            workers: vec![1],
            topology: TopologyArgs::default(),
            scheduler: Vec::new(),
            against: Some(Baseline::Serial),
            out: Some(results.clone().into()),
            figures: FormatArgs::default(),
        };
        let graph: Csr = Csr::builder(3).symmetrize(true).build(vec![(0, 1)]).unwrap();
        let loaded = Loaded {
            name: "three".into(),
            graph,
            names: Names::new(3, None, 0),
            left_out: None,
            read: None,
            build_s: Some(0.5),
        };
        let task = Task {
            program: "count",
            loaded: &loaded,
            edges: &|_| 1,
            serial: &|| 3,
            check: &|count: &i32| if *count == 3 { Ok(()) } else { Err(format!("found {count}, expected 3")) },
            found: &|&count| vec![("count", count as u64)],
        };
        let session = Session::begin(&trial, std::iter::empty(), None).unwrap();
        let methods: [Method<'_, i32>; 1] = [("guess".into(), Box::new(|_| Ok(Solution::from(4))))];
        let outcome = session.solve(&task, &methods).unwrap();
        let mut shown = Vec::new();
        session.show("edges", &outcome, &mut shown).unwrap();
        session.compare(&outcome, "edges", &mut shown).unwrap();
        let failure = session.finish(&outcome, |_, _| panic!("a wrong result is not written")).unwrap_err();

        assert!(matches!(failure, Failure::Failed(_)));
        let message = failure.to_string();
        assert!(
            message.starts_with("count by filch:") && message.ends_with("on 1 worker: found 4, expected 3"),
            "{message}"
        );
        let shown = String::from_utf8(shown).unwrap();
        assert_eq!(shown.matches("WRONG").count(), 2, "{shown}");
        let rows = serde_json::to_value(&outcome.rows).unwrap();
        let verified: Vec<bool> = rows.as_array().unwrap().iter().map(|row| row["verified"] == true).collect();
        assert_eq!(verified, [false, true]);
        assert!(rows[0].get("count").is_none() && rows[1]["ratios"].as_array().unwrap().is_empty(), "{rows}");
        assert!(!results.exists());
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
