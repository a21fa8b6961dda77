//! The solutions of n queens, by all ranks.
//!
//! ```text
//! cargo run --release -p filch-cluster --example queens -- 14
//! cargo build --release -p filch-cluster --features mpi --example queens
//! mpirun -n 2 target/release/examples/queens 14
//! ```

use filch::{Bits, Node, Search};
use filch_cluster::{Cluster, ClusterError};
use serde::{Deserialize, Serialize};
use std::time::Instant;

struct Queens {
    n: u32,
}

/// The files and diagonals that are attacked.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Board {
    rows: u32,
    files: u64,
    rising: u64,
    falling: u64,
}

impl Board {
    fn flip(&mut self, file: u32) {
        self.files ^= 1 << file;
        self.rising ^= 1 << (self.rows + file);
        self.falling ^= 1 << (self.rows + 31 - file);
    }
}

impl Search for Queens {
    type Workspace = Board;
    type Choices = Bits;

    fn choices(&self, board: &mut Board) -> Node<Bits> {
        if board.rows == self.n {
            return Node::Solution;
        }
        let falling = (board.falling >> board.rows).reverse_bits() >> 32;
        Node::Choices(Bits(!(board.files | board.rising >> board.rows | falling) & ((1 << self.n) - 1)))
    }

    fn apply(&self, board: &mut Board, file: u32) {
        board.flip(file);
        board.rows += 1;
    }

    fn undo(&self, board: &mut Board, file: u32) {
        board.rows -= 1;
        board.flip(file);
    }
}

fn main() -> Result<(), ClusterError> {
    let n = std::env::args().nth(1).and_then(|n| n.parse().ok()).filter(|n| (1..=31).contains(n)).unwrap_or(12);
    let cluster = Cluster::from_env()?;
    let begun = Instant::now();
    let count = cluster.run(|c| c.search(&Queens { n }, Board::default()).count())?;
    let (rank, workers) = (cluster.rank(), cluster.pool().num_workers());
    if rank == 0 {
        println!("{n} queens: {count} solutions in {:.3} s on {} ranks", begun.elapsed().as_secs_f64(), cluster.size());
    }
    // In one piece, beside those of the other ranks.
    let line = format!("rank {rank}, {workers} workers: {}\n", cluster.counters());
    eprint!("{line}");
    Ok(())
}
