//! How fast an edge list is read, and in how much memory.
//!
//! ```sh
//! cargo run --release -p filch-graph --example read_speed -- FILE RUNS   # made of 10^7 random edges if it is not there
//! ```

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;
use std::{env, fs, io};

use filch_graph::read::{ReadOptions, read_edge_list};

const EDGES: usize = 10_000_000;
const VERTICES: u32 = 4_000_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = env::args().skip(1);
    let path = args.next().ok_or("which file?")?;
    let runs: usize = args.next().map_or(Ok(11), |runs| runs.parse())?;
    let path = Path::new(&path);
    if !path.exists() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut out = io::BufWriter::new(fs::File::create(path)?);
        for _ in 0..EDGES {
            writeln!(out, "{}\t{}", random.u32(..VERTICES), random.u32(..VERTICES))?;
        }
        out.flush()?;
    }
    let mut rates = Vec::new();
    for run in 0..runs {
        let start = Instant::now();
        let list = read_edge_list::<u32>(path, &ReadOptions::default(), &mut |_| ControlFlow::Continue(()))?;
        let seconds = start.elapsed().as_secs_f64();
        rates.push(list.num_bytes as f64 / seconds / 1e6);
        if run == 0 {
            let size = (list.num_edges() * size_of::<(u32, u32)>()) as f64 / 1e6;
            println!(
                "{} lines, {} edges of {} vertices, {size:.0} MB",
                list.num_lines,
                list.num_edges(),
                list.num_vertices
            );
            println!("peak after the first run: {}", peak());
        }
    }
    rates.sort_by(f64::total_cmp);
    println!(
        "{} workers: median {:.0} MB/s, lowest {:.0}, highest {:.0}",
        filch::num_workers(),
        rates[runs / 2],
        rates[0],
        rates[runs - 1]
    );
    Ok(())
}

/// The most memory that was resident, as the system counts it.
fn peak() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("unknown");
    line.trim_start_matches("VmHWM:").trim().to_owned()
}
