//! Who follows whom: a graph of names from lines of text, its groups, its most important member, and a way between two.
//!
//! `cargo run -p filch-graph --example followers [FILE]`, where a line of the file is `NAME NAME`: the first follows
//! the second.

use filch_graph::{Csr, bfs::bfs, communities::communities, components::components, pagerank::pagerank};
use std::collections::BTreeMap;

const FOLLOWERS: &str = "ann bob\nbob cem\ncem ann\nann cem\ndan ann\neva dan\nfay gus\ngus fay\n";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1).map(std::fs::read_to_string).transpose()?;
    let text = text.as_deref().unwrap_or(FOLLOWERS);
    let (mut numbers, mut names) = (BTreeMap::new(), Vec::new());
    let mut edges = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let (from, to) = line.split_once(' ').ok_or(format!("line {number}: expected `NAME NAME`, found `{line}`"))?;
        edges.push([from, to].map(|name| {
            *numbers.entry(name).or_insert_with(|| {
                names.push(name);
                names.len() as u32 - 1
            })
        }));
    }
    let edges = || edges.iter().map(|&[from, to]| (from, to));
    let directed: Csr = Csr::builder(names.len()).build(edges())?;
    let friends: Csr = Csr::builder(names.len()).symmetrize(true).build(edges())?;

    println!("{} people in {} groups", names.len(), components(&friends).count());
    println!("{} communities", communities(&friends)?.count());
    let scores = pagerank(&directed).scores;
    let best = (0..names.len()).max_by(|&a, &b| scores[a].total_cmp(&scores[b])).ok_or("nobody follows anybody")?;
    println!("{} has the highest score", names[best]);
    let last = names.len() as u32 - 1;
    match bfs(&friends, 0).path_to(last) {
        Some(way) => println!("{}", way.iter().map(|&v| names[v as usize]).collect::<Vec<_>>().join(" > ")),
        None => println!("no way from {} to {}", names[0], names[last as usize]),
    }
    Ok(())
}
