//! A breadth-first search by threads that run the same program: each level is shared out in equal portions, each thread
//! collects what it finds, and between two barriers one of them joins these queues into the next level (Cong, Kodali,
//! Krishnamoorthy, Lea, Saraswat and Wen 2008, section 3.1).

use super::claim::Claim;
use super::grower::Grower;
use super::result::{Counts, TreeError};
use super::rows::Rows;
use super::team::on_threads;
use std::sync::{Barrier, Mutex, PoisonError, RwLock};

/// Grows the tree of `root`, which has been claimed, on `threads` threads.
pub(super) fn grow<R: Rows, C: Claim>(
    grower: &Grower<'_, R, C>,
    root: R::Vertex,
    threads: usize,
    counts: &mut Counts,
) -> Result<(), TreeError> {
    let frontier = RwLock::new(vec![root]);
    let queues: Vec<Mutex<Vec<R::Vertex>>> = (0..threads).map(|_| Mutex::default()).collect();
    let barrier = Barrier::new(threads);
    let levels = Mutex::new(0);
    on_threads(threads, |rank| {
        loop {
            let mut found = Vec::new();
            {
                let frontier = frontier.read().unwrap_or_else(PoisonError::into_inner);
                if frontier.is_empty() {
                    return;
                }
                let (begin, end) = (frontier.len() * rank / threads, frontier.len() * (rank + 1) / threads);
                frontier[begin..end].iter().for_each(|&v| grower.visit(v, |w| found.push(w)));
            }
            *queues[rank].lock().unwrap_or_else(PoisonError::into_inner) = found;
            // The queues are filled, and no thread reads the level any more.
            if barrier.wait().is_leader() {
                let mut frontier = frontier.write().unwrap_or_else(PoisonError::into_inner);
                frontier.clear();
                for queue in &queues {
                    frontier.append(&mut queue.lock().unwrap_or_else(PoisonError::into_inner));
                }
                *levels.lock().unwrap_or_else(PoisonError::into_inner) += 1;
            }
            barrier.wait();
        }
    })?;
    let levels: usize = levels.into_inner().unwrap_or_else(PoisonError::into_inner);
    // After the last level, the next one has been found to be empty.
    counts.stages += levels - 1;
    counts.barriers += 2 * levels;
    Ok(())
}
