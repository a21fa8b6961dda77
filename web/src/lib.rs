//! Filch in a web page: what the workers of `worker.mjs` call.
//!
//! Each of them calls [`be_thread`], except one, which runs the program: a number ([`queens`]) and a picture
//! ([`mandelbrot`]). A panic is a trap, which ends the call.

use filch::{Pool, PoolThread};
use std::num::NonZeroU32;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The threads of pools that no worker has begun to be.
static TO_START: Mutex<Vec<PoolThread>> = Mutex::new(Vec::new());

/// Told when there is one more.
static ADDED: Condvar = Condvar::new();

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Is a thread of one pool after the other. Does not return.
#[unsafe(no_mangle)]
pub extern "C" fn be_thread() {
    loop {
        let to_start = ADDED.wait_while(lock(&TO_START), |threads| threads.is_empty());
        let thread = to_start.unwrap_or_else(PoisonError::into_inner).pop();
        thread.into_iter().for_each(PoolThread::run);
    }
}

/// A pool of workers that are there already: the caller, and all but one of those that are threads or will be.
fn pool(workers: usize) -> Pool {
    let pool = Pool::builder().workers(workers).build_with(|thread| {
        lock(&TO_START).push(thread);
        ADDED.notify_one();
        Ok(())
    });
    pool.expect("a pool needs a worker and some memory")
}

/// In how many ways so many queens stand on a board of `n` by `n` fields without attacking each other, computed by so
/// many workers. There are at most 16 queens.
#[unsafe(no_mangle)]
pub extern "C" fn queens(workers: usize, n: u32) -> u32 {
    pool(workers).run(|_| placed((1 << n) - 1, 0, 0, 0))
}

/// The ways to go on in the next row. The bits of `board` are its columns; those of `columns`, `left` and `right` are
/// attacked from above, straight and along the diagonals.
fn placed(board: u32, columns: u32, left: u32, right: u32) -> u32 {
    if columns == board {
        return 1;
    }
    in_one_of(board & !(columns | left | right), &|queen| {
        placed(board, columns | queen, (left | queen) << 1, (right | queen) >> 1)
    })
}

/// The sum of `ways` over all bits of `free`.
fn in_one_of(free: u32, ways: &(impl Fn(u32) -> u32 + Sync)) -> u32 {
    let Some(bits) = NonZeroU32::new(free) else { return 0 };
    let first = 1 << bits.trailing_zeros();
    if free == first {
        return ways(first);
    }
    let (here, elsewhere) = filch::join(|| ways(first), || in_one_of(free ^ first, ways));
    here + elsewhere
}

/// The picture that was painted last.
static PICTURE: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Paints the Mandelbrot set on `size` by `size` points, by so many workers. Each row begins with the worker that has
/// painted it. For each point follows after how many steps, at most `limit`, it is known not to be in the set. The
/// picture stays there until the next one is painted.
#[unsafe(no_mangle)]
pub extern "C" fn mandelbrot(workers: usize, size: usize, limit: u32) -> *const u32 {
    let mut picture = vec![0; size * (size + 1)];
    // From -2 to 1, and as far up as down.
    let place = |i: usize| 3.0 * (i as f64 - (size as f64 - 1.0) / 2.0) / size as f64;
    pool(workers).run(|mut s| {
        s.for_each((0..size, filch::chunks_mut(&mut picture, size + 1)), |_, (y, row)| {
            row[0] = filch::current_worker().map_or(u32::MAX, |worker| worker as u32);
            for (x, point) in row[1..].iter_mut().enumerate() {
                *point = steps(place(x) - 0.5, place(y), limit);
            }
        });
    });
    let mut last = lock(&PICTURE);
    *last = picture;
    last.as_ptr()
}

/// How often z² + c can follow z, from 0 on, before it is farther than 2 from there.
fn steps(re: f64, im: f64, limit: u32) -> u32 {
    let (mut x, mut y, mut steps) = (0.0, 0.0, 0);
    while steps < limit && x * x + y * y <= 4.0 {
        (x, y) = (x * x - y * y + re, 2.0 * x * y + im);
        steps += 1;
    }
    steps
}
