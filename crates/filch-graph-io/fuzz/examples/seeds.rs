//! Writes the first files of each target: `cargo run --release --example seeds`, in the folder of this crate.
//!
//! They are small graphs of every form that a format has, written by the writers of the crate, and the BvGraphs of its
//! tests.

use filch_graph::{Csr, WeightedCsr};
use filch_graph_io::FileWeight;
use filch_graph_io::write::write_graph;
use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let edges = vec![(0, 1, 5.0), (1, 2, 7.0), (2, 0, 1.0), (4, 3, 250.0)];
    let undirected: WeightedCsr = Csr::builder(6).symmetrize(true).build_weighted(edges.clone())?;
    let directed: WeightedCsr = Csr::builder(6).build_weighted(edges)?;
    let real = |graph: &WeightedCsr| graph.clone().without_weights().with_weights(|u, v| (u + v) as f32 - 2.5);
    for (target, ending) in [("weighted_list", "wel"), ("matrix_market", "mtx"), ("ligra", "adj")] {
        write(target, ending, "undirected_real", &real(&undirected))?;
        write(target, ending, "directed_real", &real(&directed))?;
    }
    for (target, ending) in [("matrix_market", "mtx"), ("dimacs", "gr"), ("ligra", "adj"), ("serialized", "wsg")] {
        write(target, ending, "undirected", &undirected)?;
        write(target, ending, "directed", &directed)?;
    }
    write("metis", "graph", "weights", &undirected)?;
    let (undirected, directed) = (undirected.without_weights(), directed.without_weights());
    write("metis", "graph", "plain", &undirected)?;
    for (target, ending) in [("edge_list", "el"), ("matrix_market", "mtx"), ("ligra", "adj"), ("serialized", "sg")] {
        write(target, ending, "undirected_plain", &undirected)?;
        write(target, ending, "directed_plain", &directed)?;
    }
    write("compressed", "el.gz", "list", &undirected)?;
    write("compressed", "el.zst", "list", &undirected)?;
    write("compressed", "graph.gz", "metis", &undirected)?;
    let (bv, files) = (folder("bv_graph")?, Path::new("../tests/webgraph"));
    for name in ["usual", "plain", "delta", "zeta5"] {
        let properties = fs::read_to_string(files.join(name).with_extension("properties"))?;
        // Without what is not read.
        let is_read = |line: &&str| !line.starts_with('#') && !line.contains('.') && !line.starts_with("maxref");
        let properties: Vec<&str> = properties.lines().filter(is_read).collect();
        let properties = format!("graphclass=BVGraph\n{}\n\0", properties.join("\n"));
        let rows = fs::read(files.join(name).with_extension("graph"))?;
        fs::write(bv.join(name), [properties.into_bytes(), rows].concat())?;
    }
    let folder = folder("names")?;
    fs::File::create(folder.join("lines.txt"))?.write_all(b"libc6\nbash\r\n\xc3\xa4\xc3\xb6\n")?;
    Ok(())
}

fn folder(target: &str) -> std::io::Result<std::path::PathBuf> {
    let folder = Path::new("seeds").join(target);
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

fn write<W: FileWeight>(
    target: &str,
    ending: &str,
    name: &str,
    graph: &Csr<u32, W>,
) -> Result<(), Box<dyn std::error::Error>> {
    Ok(write_graph(&folder(target)?.join(format!("{name}.{ending}")), graph, &mut |_| ControlFlow::Continue(()))?)
}
