//! One search from start to end: it runs on a pool, while this thread shows and checks the solutions.

use std::io::Write;
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use filch::{Pool, Search};
use filch_bench::failure::Failure;
use filch_bench::measure::pools::Pools;
use filch_bench::ranks;
use filch_bench::show::numbers::{grouped, scaled, seconds};
use filch_bench::show::progress::tree::Tree;
use filch_bench::values::once_each;
use filch_cluster::Cluster;

use super::args::{Asked, RunArgs};
use super::by_ranks::{self, Sent};
use super::puzzle::{Ask, Found, Puzzle, Searched};
use super::row::Row;
use super::watched::{Sight, Walk, Watched};
use crate::graphs::report;

/// The parts that all searches of a command share.
pub struct Session<'a> {
    args: &'a RunArgs,
    /// One for each number of workers.
    pools: Vec<Pool>,
    /// Those that search, if there are several. Then there are no pools but theirs.
    ranks: Option<Cluster>,
    rows: Vec<Row>,
    out: &'a mut dyn Write,
}

/// How many solutions may wait to be shown. A worker that finds more waits.
const WAITING: usize = 1024;

impl<'a> Session<'a> {
    /// Starts the pools.
    pub fn begin(args: &'a RunArgs, out: &'a mut dyn Write) -> Result<Self, Failure> {
        let pools = args.topology.pools()?;
        let ranks = by_ranks::begin(args, &pools)?;
        let session = Self { args, pools: Vec::new(), ranks, rows: Vec::new(), out };
        match session.prepare(&pools) {
            Ok(pools) => Ok(Self { pools, ..session }),
            Err(failure) => session.finish(Err(failure)).map(|()| unreachable!("it has failed")),
        }
    }

    fn prepare(&self, pools: &Pools) -> Result<Vec<Pool>, Failure> {
        let args = self.args;
        if self.ranks.is_some() {
            return Ok(Vec::new());
        }
        let scheduler = pools.scheduler(args.scheduler.as_ref())?;
        if args.workers.is_empty() {
            return Ok(vec![pools.default_pool_of(&scheduler)?]);
        }
        let pool = |&workers: &usize| pools.builder(&scheduler, workers).build().map_err(Failure::usage);
        once_each(args.workers.clone()).iter().map(pool).collect()
    }

    /// Writes a line of the report.
    pub fn line(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        Ok(report::line(self.out, name, value)?)
    }

    /// The figures of the searches so far.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Solves a problem with each number of workers, and shows what it asks for.
    pub fn solve<P: Sent>(&mut self, puzzle: Puzzle<'_, P>) -> Result<(), Failure> {
        if let Some(cluster) = &self.ranks {
            let searched = by_ranks::search(cluster, &puzzle)?;
            return if ranks::speaks() { self.tell(searched, &puzzle) } else { Ok(()) };
        }
        if self.pools.len() > 1 && matches!(puzzle.ask, Ask::Best { .. }) {
            let one = "expected one number, since a search for the best has found it once it is over";
            return Err(Failure::Usage(format!("--workers: {one}; found {}", self.pools.len())));
        }
        let first = self.rows.len();
        for place in 0..self.pools.len() {
            if place > 0 {
                writeln!(self.out)?;
            }
            self.solve_on(place, &puzzle)?;
            if place > 0 {
                let [one, own] = [&self.rows[first], &self.rows[first + place]];
                let (time, rate) = (one.seconds / own.seconds, own.nodes_per_s / one.nodes_per_s);
                let than = report::count(one.workers, "worker", "workers");
                let faster = format!("{time:.2} in time, {rate:.2} in nodes/s, over {than}");
                self.line("speed-up", &faster)?;
            }
        }
        Ok(())
    }

    fn solve_on<P: Search>(&mut self, place: usize, puzzle: &Puzzle<'_, P>) -> Result<(), Failure> {
        let &Puzzle { program, ref instance, problem, ref start, ref ask, keep, show, check, .. } = puzzle;
        let progress = Tree::begin(&format!("{program} {instance}"));
        let (asked, bound) = match ask {
            Ask::Solutions(asked) => (*asked, None),
            Ask::Best { bound, .. } => (Asked::Best, Some(*bound)),
        };
        let sight = Sight::new(&progress, bound);
        let watched = Watched { problem, sight: &sight };
        let start = Walk::new(start.clone());
        let mut shown = Shown::default();
        let begun = Instant::now();
        let (pool, out) = (&self.pools[place], &mut *self.out);
        let mut see = |found: Found| {
            let lines = shown.add(&found, asked, show, check);
            progress.suspend(|| write_lines(&lines, out))
        };
        // Called once. If the system refuses the thread, the work is done here instead.
        let start = Mutex::new(Some(start));
        let search = |send: &mut (dyn FnMut(Found) -> bool + Send)| {
            let start = start.lock().unwrap_or_else(PoisonError::into_inner).take().expect("there is one search");
            let solutions = pool.run(|mut s| run(s.search(&watched, start), ask, keep, send, &sight));
            (solutions, begun.elapsed().as_secs_f64())
        };
        let solutions = thread::scope(|scope| {
            let (sender, receiver) = sync_channel(WAITING);
            // At its end the sender is dropped; otherwise the receiver would wait for more.
            let search_here = &search;
            let beside = move || search_here(&mut |found| sender.send(found).is_ok());
            // Only a search for all solutions has several to show. Without a thread they are shown at its end.
            let searching = match asked {
                Asked::All => thread::Builder::new().spawn_scoped(scope, beside).ok(),
                _ => None,
            };
            let Some(searching) = searching else {
                let mut all = Vec::new();
                let solutions = search(&mut |found| {
                    all.push(found);
                    true
                });
                return all.into_iter().try_for_each(see).map(|()| solutions);
            };
            let mut all_shown = Ok(());
            for found in &receiver {
                all_shown = see(found);
                if all_shown.is_err() {
                    sight.stop();
                    break;
                }
            }
            // A search that still sends learns that no receiver is left.
            drop(receiver);
            let solutions = searching.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            all_shown.map(|()| solutions)
        });
        let nodes = sight.nodes();
        drop(start);
        drop(progress);
        let (solutions, time) = solutions?;
        let searched = Searched { solutions, found: None, nodes, seconds: time };
        let runner = (pool.scheduler().to_string(), pool.num_workers());
        self.add_row(searched, asked, shown, puzzle, runner)
    }

    /// At rank 0: shows what all ranks have found.
    fn tell<P: Search>(&mut self, mut searched: Searched, puzzle: &Puzzle<'_, P>) -> Result<(), Failure> {
        let &Puzzle { ref ask, show, check, .. } = puzzle;
        let asked = if let Ask::Solutions(asked) = ask { *asked } else { Asked::Best };
        let mut shown = Shown::default();
        if let Some(found) = searched.found.take() {
            write_lines(&shown.add(&found, asked, show, check), self.out)?;
        }
        let pool = self.ranks.as_ref().map(|ranks| (ranks.pool().scheduler().to_string(), ranks.pool().num_workers()));
        self.add_row(searched, asked, shown, puzzle, pool.expect("there are ranks"))
    }

    fn add_row<P: Search>(
        &mut self,
        searched: Searched,
        asked: Asked,
        shown: Shown,
        puzzle: &Puzzle<'_, P>,
        (scheduler, workers): (String, usize),
    ) -> Result<(), Failure> {
        let &Puzzle { program, ref instance, note, .. } = puzzle;
        let Searched { solutions, nodes, seconds, .. } = searched;
        let row = Row {
            program,
            instance: instance.clone(),
            runner: format!("filch:{scheduler}"),
            workers,
            ranks: self.ranks.as_ref().map(Cluster::size),
            asked,
            solutions,
            value: shown.value,
            solution: shown.only,
            verified: (shown.count > 0).then_some(shown.wrong.is_none()),
            nodes,
            seconds,
            nodes_per_s: nodes as f64 / seconds,
        };
        self.report(&row, note)?;
        if let Some(wrong) = shown.wrong {
            return Err(Failure::Failed(format!("{program} {}: solution {wrong}", row.instance)));
        }
        self.rows.push(row);
        Ok(())
    }

    fn report(&mut self, row: &Row, note: &str) -> Result<(), Failure> {
        let checked = match (row.verified, row.asked) {
            (Some(true), Asked::All) => ", every one checked",
            (Some(true), _) => ", checked",
            _ => "",
        };
        let solutions = match (row.asked, row.solutions) {
            (_, 0) => "none".to_owned(),
            (Asked::First, _) => format!("the first{checked}"),
            (Asked::Any, _) => format!("one{checked}"),
            (Asked::Best, _) => format!("the best{checked}"),
            (_, count) => format!("{}{checked}{note}", grouped(count)),
        };
        self.line("solutions", &solutions)?;
        let nodes = report::count(row.nodes as usize, "node", "nodes");
        let workers = report::count(row.workers, "worker", "workers");
        let workers = row.ranks.map_or(workers.clone(), |ranks| format!("{ranks} ranks with {workers} each"));
        let Row { seconds: time, nodes_per_s, runner, .. } = row;
        let searched =
            format!("{nodes} in {}, {} nodes/s; {runner} on {workers}", seconds(*time), scaled(*nodes_per_s));
        self.line("searched", &searched)
    }

    /// Writes the figures, if all has been `solved`. Otherwise other ranks learn why not.
    pub fn finish(self, solved: Result<(), Failure>) -> Result<(), Failure> {
        if let (Err(failure), Some(ranks)) = (&solved, &self.ranks) {
            ranks.give_up(&failure.to_string());
        }
        solved?;
        if !ranks::speaks() {
            return Ok(());
        }
        self.args.figures.write(&self.rows)
    }
}

/// Runs a search. Sends what is to be shown, as long as that returns true, and returns the number of solutions.
fn run<'w, P: Search<Workspace = Walk<'w, W>>, W: 'w>(
    search: filch::Searching<filch::Strand<'_>, P>,
    ask: &Ask<'_, W>,
    keep: &(dyn Fn(&W) -> Vec<usize> + Sync),
    send: &mut (dyn FnMut(Found) -> bool + Send),
    sight: &Sight<'_>,
) -> u64 {
    let mut send = |kept, value| {
        if !send(Found { kept, value }) {
            // No receiver is left.
            sight.stop();
        }
        1
    };
    match ask {
        Ask::Solutions(Asked::Count) => search.count(),
        Ask::Solutions(Asked::All) => {
            let mut count = 0;
            search.all(|walk| keep(&walk.workspace), |kept| count += send(kept, None));
            count
        }
        Ask::Solutions(Asked::Any) => search.find_any(|walk| keep(&walk.workspace)).map_or(0, |kept| send(kept, None)),
        Ask::Solutions(_) => search.find_first(|walk| keep(&walk.workspace)).map_or(0, |kept| send(kept, None)),
        Ask::Best { bound, value } => {
            let best = search.find_best(bound, |walk| value(&walk.workspace), |walk| keep(&walk.workspace));
            best.map_or(0, |(value, kept)| send(kept, Some(value)))
        }
    }
}

/// What has been shown.
#[derive(Default)]
struct Shown {
    count: u64,
    /// The number of the first solution that is wrong, and what is wrong with it.
    wrong: Option<String>,
    value: Option<i64>,
    /// The lines of the only solution that is asked for.
    only: Option<Vec<String>>,
}

impl Shown {
    /// Checks a solution, and returns the lines to show.
    fn add(
        &mut self,
        found: &Found,
        asked: Asked,
        show: &dyn Fn(&Found) -> Vec<String>,
        check: &dyn Fn(&Found) -> Result<(), String>,
    ) -> Vec<String> {
        self.count += 1;
        self.value = found.value;
        if let Err(wrong) = check(found) {
            self.wrong.get_or_insert(format!("{}: {wrong}", self.count));
        }
        let mut lines = show(found);
        if asked == Asked::All {
            lines.insert(0, format!("solution {}", grouped(self.count)));
        } else {
            self.only = Some(lines.clone());
        }
        lines
    }
}

/// Writes lines and an empty one. Users see them at once, also in a pipe.
fn write_lines(lines: &[String], out: &mut dyn Write) -> Result<(), Failure> {
    for line in lines {
        writeln!(out, "{line}")?;
    }
    writeln!(out)?;
    Ok(out.flush()?)
}
