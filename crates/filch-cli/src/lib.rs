//! The command line: [`Cli`], with the list of commands, [`Command`].
//!
//! ```
//! use clap::Parser;
//! use filch_cli::{Cli, Command};
//!
//! let line = Cli::parse_from(["filch", "components", "debian"]);
//! assert!(matches!(line.command, Some(Command::Components(_))));
//! ```

pub mod help;

use std::io::Write;
use std::time::Duration;

use clap::{CommandFactory, Parser, Subcommand};
use filch_bench::comparison::target::{self, TargetArgs};
use filch_bench::failure::Failure;
use filch_bench::show::progress::line::be_quiet;
use filch_bench::timeout;

use filch_lab::commands::solve::{SolveArgs, central, connected, dense, greedy, order, triads, ways};
use filch_lab::commands::{
    bench, bfs, completions, components, cores, doctor, forest, generate, graph, keep_busy, machine, man, msf,
    pagerank, profile, report, scc, search, simulate, solve, sssp, stress, top, triangles,
};
use filch_lab::programs::find_program;
use filch_papers::PaperCommand;
use filch_tour::TourArgs;

/// The end of `--help`.
const HELP: &str = "\
Without a command: the machine, a real graph, and a short table (half a minute).
Examples: filch --from cowsay; filch components debian; filch bench fib";

/// The command line.
#[derive(Debug, Parser)]
#[command(
    name = "filch",
    version,
    about = "Measure Filch on this machine and compare it with serial code, rayon and chili",
    after_help = HELP
)]
pub struct Cli {
    /// The arguments of the tour.
    #[command(flatten)]
    pub tour: TourArgs,

    /// Show nothing but the result, and errors
    #[arg(long, short, global = true, display_order = help::LAST)]
    pub quiet: bool,

    /// The command; without one, the tour.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show the machine, and what Filch measured on it
    #[command(after_help = machine::args::HELP)]
    Machine(machine::args::MachineArgs),
    /// Show what this machine lets Filch do, and what would make it faster here
    #[command(after_help = doctor::HELP)]
    Doctor(doctor::DoctorArgs),
    /// Compare Filch with serial code and other runtimes; every result is verified
    #[command(after_help = bench::HELP)]
    Bench(bench::BenchArgs),
    /// Simulate programs on thousands of virtual workers, which decide as Filch does
    #[command(after_help = simulate::HELP)]
    Simulate(simulate::SimulateArgs),
    /// Show how parallel a program is, where its span is, and how fast more workers would make it
    #[command(after_help = profile::args::HELP)]
    Profile(profile::args::ProfileArgs),
    /// Make a page with the figures of all these commands
    #[command(after_help = report::HELP)]
    Report(report::ReportArgs),
    /// Run random programs under random schedulers; every result is checked
    #[command(after_help = stress::args::HELP)]
    Stress(stress::args::StressArgs),
    /// Find a spanning forest of a graph
    #[command(after_help = forest::HELP)]
    Forest(forest::ForestArgs),
    /// Find the connected components of a graph
    #[command(after_help = components::HELP)]
    Components(components::ComponentsArgs),
    /// Find the distance of every vertex of a graph from one vertex
    #[command(after_help = bfs::HELP)]
    Bfs(bfs::BfsArgs),
    /// Score the vertices of a graph by the arcs that lead to them
    #[command(name = "pagerank", after_help = pagerank::HELP)]
    PageRank(pagerank::PageRankArgs),
    /// Count the triangles of a graph
    #[command(after_help = triangles::HELP)]
    Triangles(triangles::TrianglesArgs),
    /// Find the coreness of every vertex of a graph
    #[command(after_help = cores::HELP)]
    Cores(cores::CoresArgs),
    /// Find the strongly connected components of a directed graph
    #[command(after_help = scc::HELP)]
    Scc(scc::SccArgs),
    /// Order the vertices of a graph such that every arc leads to a later one
    #[command(after_help = order::HELP)]
    TopologicalOrder(SolveArgs<order::Order>),
    /// Find vertices of a graph that are no neighbors, to which none can be added
    #[command(after_help = greedy::SET_HELP)]
    IndependentSet(SolveArgs<greedy::Set>),
    /// Find edges of a graph that share no vertex, to which none can be added
    #[command(after_help = greedy::MATCHING_HELP)]
    Matching(SolveArgs<greedy::Pairs>),
    /// Colour the vertices of a graph, neighbors differently
    #[command(after_help = greedy::COLOURING_HELP)]
    Colouring(SolveArgs<greedy::Colour>),
    /// Find the two sides of a graph between which all edges are, or a cycle of odd length
    #[command(after_help = connected::BIPARTITE_HELP)]
    Bipartite(SolveArgs<connected::TwoSides>),
    /// Find the biconnected components, articulation points and bridges of a graph
    #[command(after_help = connected::BICONNECTED_HELP)]
    Biconnected(SolveArgs<connected::Parts>),
    /// Find the trussness of every edge of a graph
    #[command(after_help = triads::TRUSS_HELP)]
    Truss(SolveArgs<triads::Trusses>),
    /// Find how often neighbors of a vertex are neighbors of each other
    #[command(after_help = triads::CLUSTERING_HELP)]
    Clustering(SolveArgs<triads::Coefficients>),
    /// Find sets of vertices of a graph with many edges inside and few between them
    #[command(after_help = dense::HELP)]
    Communities(SolveArgs<dense::Sets>),
    /// Score the vertices of a graph by the shortest paths that lead through them
    #[command(after_help = central::BETWEENNESS_HELP)]
    Betweenness(SolveArgs<central::Between>),
    /// Score the vertices of a graph by their distances to all others
    #[command(after_help = central::CLOSENESS_HELP)]
    Closeness(SolveArgs<central::Close>),
    /// Find the distances of all vertices of a graph from several vertices, or from all
    #[command(after_help = ways::DISTANCES_HELP)]
    Distances(SolveArgs<ways::Far>),
    /// Walk through a graph at random
    #[command(after_help = ways::WALKS_HELP)]
    Walks(SolveArgs<ways::Steps>),
    /// Find the distance of every vertex of a graph from one vertex, by weights
    #[command(after_help = sssp::HELP)]
    Sssp(sssp::SsspArgs),
    /// Find a minimum spanning forest of a graph
    #[command(after_help = msf::HELP)]
    Msf(msf::MsfArgs),
    /// Generate a graph and write it to a file
    #[command(after_help = generate::HELP)]
    Generate(generate::GenerateArgs),
    /// Describe a graph, or convert it to another format
    #[command(subcommand, after_help = graph::HELP)]
    Graph(graph::GraphCommand),
    /// Solve puzzles and other problems by backtracking; every solution shown is checked
    #[command(subcommand, after_help = search::HELP)]
    Search(search::SearchCommand),
    /// Repeat what papers have measured
    #[command(subcommand, after_help = filch_papers::HELP)]
    Paper(PaperCommand),
    /// Show what the workers of running programs are doing
    #[command(after_help = top::HELP)]
    Top(top::TopArgs),
    /// Print a script that makes a shell complete this command line
    #[command(after_help = completions::HELP)]
    Completions(completions::CompletionsArgs),
    /// Write a page for man(1) about each command
    #[command(after_help = man::HELP)]
    Man(man::ManArgs),
    /// Run one program once, under callgrind
    #[command(hide = true)]
    CallgrindTarget(TargetArgs),
    /// Run one variant of a fork's parts once, under callgrind
    #[command(hide = true)]
    CallgrindPart(machine::price::PartArgs),
    /// Keep a core busy until standard input ends
    #[command(hide = true)]
    KeepBusy,
}

impl Cli {
    /// The command line as clap knows it, with commands in groups. A variable that is empty is not set.
    pub fn line() -> clap::Command {
        let line = Self::command();
        let page = line.clone().help_template(grouped(&line)).arg(help::all().hide(true));
        filch_tour::with_variable(page.mut_subcommands(help::pages))
    }

    /// Runs the command.
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let is_for_one = !self.command.as_ref().is_some_and(Command::is_for_ranks);
        Failure::of_ranks(is_for_one, "this command runs", "filch search or filch bench, which run on several")?;
        if self.quiet {
            be_quiet();
        }
        let Some(command) = self.command else { return filch_tour::run(&self.tour, out) };
        timeout::run(command.timeout(), || command.run(out))
    }
}

/// Problems on graphs, of which `--help` shows the names alone.
const PROBLEMS: &[&str] = &[
    "betweenness",
    "bfs",
    "biconnected",
    "bipartite",
    "closeness",
    "clustering",
    "colouring",
    "communities",
    "components",
    "cores",
    "distances",
    "forest",
    "independent-set",
    "matching",
    "msf",
    "pagerank",
    "scc",
    "sssp",
    "topological-order",
    "triangles",
    "truss",
    "walks",
];

/// The other commands, as `--help` shows them.
const GROUPS: [(&str, &[&str]); 3] = [
    ("Graphs and searches", &["generate", "graph", "search"]),
    ("Your program, this machine, this shell", &["profile", "top", "doctor", "machine", "completions", "man"]),
    ("The runtime, measured and tested", &["bench", "report", "simulate", "stress", "paper"]),
];

/// The page of `--help`.
fn grouped(line: &clap::Command) -> String {
    const WIDTH: usize = 92;
    let mut page =
        "{about}\n\n{usage-heading} {usage}\n\nProblems on graphs (`filch bfs --help` has examples):\n".to_owned();
    let mut names = " ".to_owned();
    for name in PROBLEMS {
        if names.len() + name.len() > WIDTH {
            page += &format!("{names}\n");
            names = " ".to_owned();
        }
        names += &format!(" {name}");
    }
    page += &format!("{names}\n");
    for (group, names) in GROUPS {
        page += &format!("\n{group}:\n");
        for name in names {
            let about = line.find_subcommand(name).and_then(clap::Command::get_about).unwrap_or_default();
            page += &format!("  {name:<12}{about}\n");
        }
    }
    page + "\nOptions:\n{options}{after-help}"
}

impl Command {
    /// Runs the command.
    fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        if self.needs_costs() {
            filch::Pool::measure_costs();
        }
        match self {
            Command::Machine(args) => machine::run(&args, out),
            Command::Doctor(args) => doctor::run(&args, out),
            Command::Bench(args) => bench::run(args, out),
            Command::Simulate(args) => simulate::run(&args, out),
            Command::Profile(args) => profile::run(&args, out),
            Command::Report(args) => report::run(&args, out),
            Command::Stress(args) => stress::run(&args, out),
            Command::Forest(args) => forest::run(&args, out),
            Command::Components(args) => components::run(&args, out),
            Command::Bfs(args) => bfs::run(&args, out),
            Command::PageRank(args) => pagerank::run(&args, out),
            Command::Triangles(args) => triangles::run(&args, out),
            Command::Cores(args) => cores::run(&args, out),
            Command::Scc(args) => scc::run(&args, out),
            Command::TopologicalOrder(args) => solve::run(&args, out),
            Command::IndependentSet(args) => solve::run(&args, out),
            Command::Matching(args) => solve::run(&args, out),
            Command::Colouring(args) => solve::run(&args, out),
            Command::Bipartite(args) => solve::run(&args, out),
            Command::Biconnected(args) => solve::run(&args, out),
            Command::Truss(args) => solve::run(&args, out),
            Command::Clustering(args) => solve::run(&args, out),
            Command::Communities(args) => solve::run(&args, out),
            Command::Betweenness(args) => solve::run(&args, out),
            Command::Closeness(args) => solve::run(&args, out),
            Command::Distances(args) => solve::run(&args, out),
            Command::Walks(args) => solve::run(&args, out),
            Command::Sssp(args) => sssp::run(&args, out),
            Command::Msf(args) => msf::run(&args, out),
            Command::Generate(args) => generate::run(&args, out),
            Command::Graph(command) => graph::run(&command, out),
            Command::Search(command) => search::run(&command, out),
            Command::Paper(command) => filch_papers::run(&command, out),
            Command::Top(args) => top::run(&args, out),
            Command::Completions(args) => completions::run(&args, &Cli::line(), out),
            Command::Man(args) => man::run(&args, Cli::command(), out),
            Command::CallgrindTarget(args) => target::run(find_program(&args.program)?, &args),
            Command::CallgrindPart(args) => machine::price::run_part(&args),
            Command::KeepBusy => keep_busy::run(out),
        }
    }
}

impl Command {
    /// Whether several ranks may run it, or it is run by such a command.
    fn is_for_ranks(&self) -> bool {
        matches!(
            self,
            Self::Search(_) | Self::Bench(_) | Self::CallgrindTarget(_) | Self::CallgrindPart(_) | Self::KeepBusy
        )
    }

    /// The limit of its time.
    fn timeout(&self) -> Option<Duration> {
        let limit = match self {
            Self::Forest(args) => args.common.input.timeout,
            Self::Components(args) => args.input.timeout,
            Self::Bfs(args) => args.input.timeout,
            Self::PageRank(args) => args.input.timeout,
            Self::Triangles(args) => args.input.timeout,
            Self::Cores(args) => args.input.timeout,
            Self::Scc(args) => args.input.timeout,
            Self::TopologicalOrder(args) => args.input.timeout,
            Self::IndependentSet(args) => args.input.timeout,
            Self::Matching(args) => args.input.timeout,
            Self::Colouring(args) => args.input.timeout,
            Self::Bipartite(args) => args.input.timeout,
            Self::Biconnected(args) => args.input.timeout,
            Self::Truss(args) => args.input.timeout,
            Self::Clustering(args) => args.input.timeout,
            Self::Communities(args) => args.input.timeout,
            Self::Betweenness(args) => args.input.timeout,
            Self::Closeness(args) => args.input.timeout,
            Self::Distances(args) => args.input.timeout,
            Self::Walks(args) => args.input.timeout,
            Self::Sssp(args) => args.input.timeout,
            Self::Msf(args) => args.input.timeout,
            Self::Generate(args) => args.timeout,
            Self::Graph(command) => command.input().timeout,
            Self::Search(command) => command.run_args().timeout,
            _ => return None,
        };
        limit.timeout
    }

    /// Whether its figures are for pools that know what sharing costs on this machine.
    fn needs_costs(&self) -> bool {
        matches!(
            self,
            Self::Machine(_)
                | Self::Bench(_)
                | Self::Paper(PaperCommand::Shapes(_) | PaperCommand::Sweep(_))
                | Self::CallgrindTarget(_)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::line().debug_assert();
    }

    #[test]
    fn each_command_is_in_one_group_and_the_page_is_short() {
        let line = Cli::line();
        let mut shown: Vec<&str> = line.get_subcommands().filter(|c| !c.is_hide_set()).map(|c| c.get_name()).collect();
        let mut grouped: Vec<&str> =
            GROUPS.iter().flat_map(|(_, names)| names.iter()).chain(PROBLEMS).copied().collect();
        shown.sort();
        grouped.sort();
        assert_eq!(shown, grouped);
        let page = Cli::line().term_width(80).render_help().to_string();
        assert!(page.lines().count() <= 40, "{page}");
        assert!(page.lines().all(|line| line.chars().count() <= 110), "{page}");
    }
}
