//! A traversal by threads with stacks of their own, which begin with the vertices of a stub tree (Bader and Cong 2005;
//! Cong, Kodali, Krishnamoorthy, Lea, Saraswat and Wen 2008, section 3.1).
//!
//! One thread walks the graph at random until it has found O(p²) vertices, and shares them out. Each thread traverses
//! depth-first. One that has run out takes half of the stack of another.
//!
//! **Steals.** The C program steals without synchronization (`copied_half.rs`). Here a stack has a part that only its
//! thread uses, and a part under a lock. A thread whose shared part is empty moves the older half of its stack there,
//! and a thief takes all of it. So each steal takes half of the stack as it was when that half was put there, and a
//! thread from which nothing is stolen takes its lock only now and then.
//!
//! **End.** A thread is idle if both parts of its stack are empty. It counts itself out before it takes from another.
//! So if all threads are idle, there is no vertex left, and no thread that could find one.

use super::claim::Claim;
use super::grower::Grower;
use super::result::{Counts, TreeError};
use super::rows::Rows;
use super::team::on_threads;
use std::mem;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Steps of the random walk for each vertex that is wanted. Where few vertices are left to find, it ends sooner.
const STEPS_PER_VERTEX: usize = 8;

/// The part of a thread's stack that others can take.
struct Shared<V> {
    vertices: Mutex<Vec<V>>,
    /// Whether there are any: a hint, so that thieves do not take the lock for nothing.
    is_stocked: AtomicBool,
}

impl<V> Shared<V> {
    fn lock(&self) -> MutexGuard<'_, Vec<V>> {
        self.vertices.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_stocked(&self) -> bool {
        self.is_stocked.load(Ordering::Relaxed)
    }

    fn put(&self, vertices: Vec<V>) {
        *self.lock() = vertices;
        self.is_stocked.store(true, Ordering::Relaxed);
    }

    fn take(&self) -> Vec<V> {
        let mut vertices = self.lock();
        self.is_stocked.store(false, Ordering::Relaxed);
        mem::take(&mut *vertices)
    }
}

/// Grows the tree of `root`, which has been claimed, on `threads` threads.
pub(super) fn grow<R: Rows, C: Claim>(
    grower: &Grower<'_, R, C>,
    root: R::Vertex,
    threads: usize,
    counts: &mut Counts,
) -> Result<(), TreeError> {
    let stub = walk(grower, root, threads * threads);
    counts.stub += stub.len();
    let shared: Vec<_> = (0..threads)
        .map(|rank| {
            let vertices: Vec<_> = stub.iter().skip(rank).step_by(threads).copied().collect();
            let is_stocked = AtomicBool::new(!vertices.is_empty());
            Shared { vertices: Mutex::new(vertices), is_stocked }
        })
        .collect();
    let (idle, steals) = (AtomicUsize::new(0), AtomicUsize::new(0));
    on_threads(threads, |rank| {
        let own = &shared[rank];
        loop {
            let mut stack = own.take();
            if stack.is_empty() {
                let Some(stolen) = steal(rank, &shared, &idle) else { return };
                steals.fetch_add(1, Ordering::Relaxed);
                stack = stolen;
            }
            while let Some(v) = stack.pop() {
                grower.visit(v, |w| stack.push(w));
                if threads > 1 && stack.len() > 1 && !own.is_stocked() {
                    let newer = stack.split_off(stack.len().div_ceil(2));
                    own.put(mem::replace(&mut stack, newer));
                }
            }
        }
    })?;
    counts.steals += steals.into_inner();
    Ok(())
}

/// The vertices that an idle thread has taken from another one, or `None` if all are idle.
fn steal<V>(rank: usize, shared: &[Shared<V>], idle: &AtomicUsize) -> Option<Vec<V>> {
    let threads = shared.len();
    idle.fetch_add(1, Ordering::SeqCst);
    loop {
        for victim in (1..threads).map(|distance| &shared[(rank + distance) % threads]) {
            if victim.is_stocked() {
                idle.fetch_sub(1, Ordering::SeqCst);
                let taken = victim.take();
                if !taken.is_empty() {
                    return Some(taken);
                }
                idle.fetch_add(1, Ordering::SeqCst);
            }
        }
        if idle.load(Ordering::SeqCst) == threads {
            return None;
        }
        std::thread::yield_now();
    }
}

/// The vertices that a random walk from `root` puts into the tree, at most `wanted` of them.
pub(super) fn walk<R: Rows, C: Claim>(grower: &Grower<'_, R, C>, root: R::Vertex, wanted: usize) -> Vec<R::Vertex> {
    let mut rng = fastrand::Rng::with_seed(0);
    let (mut stub, mut at) = (vec![root], root);
    for _ in 0..wanted * STEPS_PER_VERTEX {
        let row = grower.row(at);
        if stub.len() >= wanted || row.len == 0 {
            break;
        }
        let place = grower.rows.skip(row.place, rng.usize(..row.len));
        let next = grower.rows.vertex(place);
        if grower.claim(next, at) {
            stub.push(next);
        }
        at = next;
    }
    stub
}
