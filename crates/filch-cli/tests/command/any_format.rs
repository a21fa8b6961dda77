//! Every command on graphs finds the same in a graph whatever the format of its file, and calls vertices by the numbers
//! of the file.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::Parser;
use filch_cli::Cli;
use filch_graph::{Csr, Graph, WeightedCsr};
use filch_graph_io::read::Progress;
use filch_graph_io::write::write_graph;
use serde_json::Value;

use crate::helpers::{Directory, figures};

fn on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// A file with a graph.
struct File {
    path: PathBuf,
    /// The number of the first vertex.
    first: u32,
    /// What says the rest of the graph, which the format does not.
    options: Vec<String>,
}

/// What a command prints.
#[track_caller]
fn run(args: &[&str]) -> String {
    let mut out = Vec::new();
    let cli = Cli::try_parse_from([&["filch"], args].concat()).expect("the arguments are right");
    cli.run(&mut out).unwrap_or_else(|failure| panic!("{args:?}: {failure}"));
    String::from_utf8(out).expect("text")
}

impl File {
    /// The output of a command on this file, and the lines of its results with vertices numbered from 0: those in the
    /// columns `vertices`.
    fn solved(&self, command: &[&str], root: bool, vertices: &[usize]) -> (String, Vec<String>) {
        let out = self.path.with_file_name("results.txt");
        let root = root.then(|| format!("--root={}", self.first));
        let options = self.options.iter().chain(&root).map(String::as_str);
        let graph =
            [self.path.to_str().expect("text"), "--verify", "--workers=1", "--out", out.to_str().expect("text")];
        let shown = run(&command.iter().copied().chain(graph).chain(options).collect::<Vec<_>>());
        let renumbered = |(column, word): (usize, &str)| match word.parse::<u32>() {
            Ok(number) if vertices.contains(&column) => (number - self.first).to_string(),
            _ => word.to_owned(),
        };
        let text = fs::read_to_string(&out).expect("results");
        fs::remove_file(out).expect("results");
        let lines =
            text.lines().map(|line| line.split('\t').enumerate().map(renumbered).collect::<Vec<_>>().join("\t"));
        (shown, lines.collect())
    }

    /// The figures of `graph info`.
    fn info(&self, options: &[&str]) -> BTreeMap<String, Value> {
        let graph = ["graph", "info", self.path.to_str().expect("text")];
        let options = options.iter().copied().chain(self.options.iter().map(String::as_str));
        let (figures, _) = figures(&graph.into_iter().chain(options).collect::<Vec<_>>());
        let mut figures: BTreeMap<String, Value> = serde_json::from_value(figures).expect("figures");
        for name in ["graph", "read_s", "build_s"] {
            figures.remove(name);
        }
        for direction in ["out_degree", "in_degree"] {
            if let Some(degrees) = figures.get_mut(direction) {
                let vertex: u32 = degrees["max_vertex"].as_str().expect("a vertex").parse().expect("a number");
                degrees["max_vertex"] = (vertex - self.first).into();
            }
        }
        figures
    }

    /// The bytes of the graph once it was converted.
    fn converted(&self, name: &str, options: &[&str]) -> Vec<u8> {
        let out = self.path.with_file_name(name);
        let graph = ["graph", "convert", self.path.to_str().expect("text"), "--out", out.to_str().expect("text")];
        run(&graph
            .into_iter()
            .chain(options.iter().copied())
            .chain(self.options.iter().map(String::as_str))
            .collect::<Vec<_>>());
        fs::read(out).expect("a graph")
    }
}

/// A multigraph of a few vertices with self-loops, parallel arcs of the same or other weights, and isolated vertices.
fn random(rng: &mut fastrand::Rng, symmetric: bool) -> WeightedCsr {
    let (n, loops) = (rng.u32(2..14), rng.bool());
    let mut edges: Vec<(u32, u32, f32)> = vec![(0, n - 1, 3.0)];
    for _ in 0..rng.u32(0..4 * n) {
        let (u, v, weight) = (rng.u32(..n), rng.u32(..n), rng.u8(1..9).into());
        let again = *rng.choice(&edges).expect("there is one");
        let edge = if rng.u8(..3) == 0 { (again.0, again.1, weight) } else { (u, v, weight) };
        if loops || edge.0 != edge.1 {
            edges.push(edge);
        }
    }
    Csr::builder(n as usize).symmetrize(symmetric).build_weighted(edges).expect("small")
}

/// The graph in all formats that have it.
fn files(graph: &WeightedCsr, weighted: bool, folder: &Path) -> Vec<File> {
    let mut names = vec![("g.mtx", 1), ("g.adj", 0)];
    names.extend(if weighted { &[("g.wel", 0), ("g.gr", 1), ("g.wsg", 0)][..] } else { &[("g.el", 0), ("g.sg", 0)] });
    let n = graph.num_vertices();
    if graph.is_symmetric() && (0..n as u32).all(|v| !graph.row(v).contains(&v)) {
        names.push(("g.graph", 1));
    }
    let file = |(name, first): (&str, u32)| {
        let path = folder.join(name);
        match weighted {
            true => write_graph(&path, graph, &mut on),
            false => write_graph(&path, &graph.clone().without_weights(), &mut on),
        }
        .expect("the format has the graph");
        let options = if name.ends_with("el") { vec![format!("--vertices={n}")] } else { Vec::new() };
        File { path, first, options }
    };
    names.into_iter().map(file).collect()
}

/// The line of an output that begins so.
fn line<'a>(shown: &'a str, name: &str) -> &'a str {
    shown.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("no line {name}: {shown}"))
}

/// All files must give the same.
#[track_caller]
fn agree<T: PartialEq + std::fmt::Debug>(files: &[File], what: &str, answer: impl Fn(&File) -> T) {
    let first = answer(&files[0]);
    for file in &files[1..] {
        assert_eq!(answer(file), first, "{what} of {} and of {}", file.path.display(), files[0].path.display());
    }
}

#[test]
fn every_command_finds_the_same_whatever_the_format_of_the_file() {
    let folder = Directory::new("any-format");
    let mut rng = fastrand::Rng::with_seed(29);
    // Directed and symmetric ones, with weights and without.
    for round in 0..4 {
        let graph = random(&mut rng, round / 2 == 0);
        let weighted = round % 2 == 0;
        let files = files(&graph, weighted, &folder.0);
        for (command, root, vertices, shown) in [
            (&["forest"][..], true, &[0, 1][..], "forest"),
            (&["components"], false, &[0, 1], "components"),
            (&["bfs"], true, &[0, 2], "reached"),
            (&["bfs", "--symmetrize"], true, &[0, 2], "reached"),
            (&["sssp"], true, &[0], "reached"),
            (&["sssp", "--symmetrize"], true, &[0], "reached"),
            (&["msf"], false, &[0, 1], "forest"),
            (&["pagerank"], false, &[0], "sum"),
            (&["pagerank", "--symmetrize"], false, &[0], "sum"),
            (&["cores"], false, &[0], "degeneracy"),
            (&["scc"], false, &[0, 1], "components"),
        ] {
            agree(&files, &command.join(" "), |file| {
                let (all, lines) = file.solved(command, root, vertices);
                (line(&all, shown).to_owned(), lines)
            });
        }
        agree(&files, "triangles", |file| {
            let graph = ["triangles", file.path.to_str().expect("text"), "--verify"];
            let shown = run(&graph.into_iter().chain(file.options.iter().map(String::as_str)).collect::<Vec<_>>());
            line(&shown, "triangles").to_owned()
        });
        for options in [&[][..], &["--symmetrize"]] {
            agree(&files, "graph info", |file| file.info(options));
            agree(&files, "graph convert", |file| file.converted(if weighted { "c.wsg" } else { "c.sg" }, options));
            agree(&files, "graph convert", |file| file.converted("c.mtx", options));
        }
    }
}

/// Files that were sent to this project, with the answers that are right.
#[test]
fn parallel_arcs_count_once_in_cores_and_page_ranks_and_stay_when_they_are_converted() {
    let folder = Directory::new("parallel-arcs");
    let file = |name: &str, text: &str, first: u32| {
        let path = folder.0.join(name);
        fs::write(&path, text).expect("a file");
        File { path, first, options: Vec::new() }
    };
    let metis = file("multi.graph", "2 2\n2 2\n1 1\n", 1);
    metis.converted("multi.sg", &[]);
    let serialized = File { path: folder.0.join("multi.sg"), first: 0, options: Vec::new() };
    for file in [&metis, &serialized] {
        assert_eq!(file.solved(&["cores"], false, &[0]).1, ["0\t1", "1\t1"]);
        assert_eq!((&file.info(&[])["edges"], &file.info(&[])["duplicates"]), (&2.into(), &2.into()));
    }
    let list = file("twice.el", "0 1\n0 1\n1 0\n0 2\n2 0\n", 0);
    let (_, scores) = list.solved(&["pagerank", "--tolerance", "1e-7", "--iterations", "300"], false, &[0]);
    for (line, expected) in scores.iter().zip([0.4865, 0.2568, 0.2568]) {
        let score: f64 = line.split_once('\t').expect("a score").1.parse().expect("a score");
        assert!((score - expected).abs() < 1e-4, "{line}, expected {expected}");
    }
    assert_eq!(scores.len(), 3);
}
