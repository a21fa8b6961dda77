//! The same graph in every format it can be written in: the same arcs, and the same answers.
//!
//! - `multigraph`: random multigraphs, and what they are by plain lists
//! - `answers`: what the algorithms must find, by plain matrices

mod answers;
mod multigraph;

use filch_graph_io::FileWeight;
use std::ops::ControlFlow;
use std::path::Path;

use answers::Oracle;
use filch_graph::{Csr, Graph, WeightedCsr};
use filch_graph_io::read::{FirstVertex, Kept, Loaded, Progress, ReadOptions, read_graph, read_kept};
use filch_graph_io::write::write_graph;
use multigraph::{Arc, Multigraph};

fn on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// The names of the files in which a graph can be written, and the number of the first vertex in each.
fn names(graph: &Multigraph, weighted: bool) -> Vec<(&'static str, FirstVertex)> {
    use FirstVertex::{One, Zero};
    let mut names = vec![("g.el", Zero), ("g.txt.gz", Zero), ("g.mtx", One), ("g.mtx.zst", One), ("g.adj", Zero)];
    names.extend(if weighted { &[("g.wel", Zero), ("g.gr", One), ("g.wsg", Zero)][..] } else { &[("g.sg", Zero)] });
    if graph.is_undirected() && !graph.has_self_loops() {
        names.extend([("g.graph", One), ("g.metis.gz", One)]);
    }
    names
}

fn arcs<W: FileWeight>(graph: &Csr<u32, W>) -> Vec<Arc> {
    let rows = (0..graph.num_vertices() as u32).map(|u| (u, graph.row(u).iter().zip(graph.weights(u))));
    rows.flat_map(|(u, row)| row.map(move |(&v, weight)| (u, v, weight.value()))).collect()
}

fn into<W: FileWeight>(graph: &Csr<u32, W>) -> Vec<Arc> {
    let rows = (0..graph.num_vertices() as u32).map(|v| (v, graph.in_row(v).iter().zip(graph.in_weights(v))));
    let mut arcs: Vec<Arc> = rows.flat_map(|(v, row)| row.map(move |(&u, weight)| (u, v, weight.value()))).collect();
    arcs.sort_by(|a, b| a.partial_cmp(b).expect("weights are numbers"));
    arcs
}

/// The graph must have these arcs.
#[track_caller]
fn same<W: FileWeight>(graph: &Csr<u32, W>, expected: &Multigraph, what: &str) {
    assert_eq!((graph.num_vertices(), arcs(graph)), (expected.num_vertices, expected.arcs.clone()), "{what}");
    assert_eq!((graph.is_symmetric(), into(graph)), (expected.is_undirected(), expected.arcs.clone()), "{what}");
}

/// The default options, and those of commands.
fn all_options(num_vertices: usize) -> impl Iterator<Item = ReadOptions> {
    let all =
        [(false, false, false), (true, false, false), (true, true, false), (false, true, false), (true, true, true)];
    all.into_iter().map(move |(directed, remove_duplicates, remove_self_loops)| ReadOptions {
        num_vertices: Some(num_vertices),
        directed,
        remove_duplicates,
        remove_self_loops,
        ..ReadOptions::default()
    })
}

fn in_every_format(random: &Multigraph, directory: &Path) {
    let weighted = random.weighted();
    for (name, first) in names(random, true) {
        let path = directory.join(name);
        write_graph(&path, &weighted, &mut on).expect("the format has such graphs");
        // An edge list does not say how many vertices there are, and has at least one edge.
        if random.arcs.is_empty() && (name.contains("el") || name.contains("txt")) {
            continue;
        }
        for options in all_options(random.num_vertices) {
            let what = format!("{name}, {options:?}: {random:?}");
            let loaded: Loaded<Kept> = read_kept(&path, &options, &mut on, &()).expect(&what);
            let Kept::Weighted(graph) = loaded.graph else { panic!("{what}: no weights") };
            same(&graph, &random.taken(&options), &what);
            assert_eq!((loaded.first_vertex, loaded.left_out), (first, None), "{what}");
        }
    }
    let plain = random.without_weights();
    for (name, first) in names(random, false) {
        let path = directory.join(name);
        write_graph(&path, &plain.weighted().without_weights(), &mut on).expect("the format has such graphs");
        if random.arcs.is_empty() && (name.contains("el") || name.contains("txt")) {
            continue;
        }
        for options in all_options(random.num_vertices) {
            let what = format!("{name}, {options:?}: {plain:?}");
            let loaded = read_graph::<u32>(&path, &options, &mut on).expect(&what);
            same(&loaded.graph, &plain.taken(&options), &what);
            assert_eq!(loaded.first_vertex, first, "{what}");
        }
    }
}

#[test]
fn a_multigraph_is_the_same_graph_in_every_format_that_has_it() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut rng = fastrand::Rng::with_seed(29);
    for _ in 0..200 {
        in_every_format(&Multigraph::random(&mut rng), directory.path());
    }
}

#[test]
fn every_algorithm_finds_on_a_graph_from_a_file_what_matrices_say() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut rng = fastrand::Rng::with_seed(30);
    for _ in 0..200 {
        let random = Multigraph::random(&mut rng);
        let names = names(&random, true);
        let (name, _) = names[rng.usize(..names.len())];
        let path = directory.path().join(name);
        write_graph(&path, &random.weighted(), &mut on).expect("the format has such graphs");
        if random.arcs.is_empty() {
            continue;
        }
        let read = |directed: bool, simple: bool| -> WeightedCsr {
            let options = ReadOptions {
                num_vertices: Some(random.num_vertices),
                directed,
                remove_duplicates: true,
                remove_self_loops: simple,
                ..ReadOptions::default()
            };
            let loaded = read_kept::<u32>(&path, &options, &mut on, &()).expect("it was written");
            let Kept::Weighted(graph) = loaded.graph else { panic!("{name}: no weights") };
            graph
        };
        Oracle::new(&random).check(&read, &format!("{name}: {random:?}"));
    }
}
