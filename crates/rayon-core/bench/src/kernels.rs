//! The kernels: what users of rayon do, at the sizes at which overhead shows.

use rayon::prelude::*;
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};

/// One run of a kernel.
pub(crate) type Run = Box<dyn FnMut()>;

pub(crate) struct Kernel {
    pub(crate) name: &'static str,
    /// Whether it is about the first use of a pool in a process.
    pub(crate) is_first_run: bool,
    pub(crate) prepare: fn() -> Run,
}

const fn kernel(name: &'static str, prepare: fn() -> Run) -> Kernel {
    Kernel { name, is_first_run: false, prepare }
}

pub(crate) const KERNELS: &[Kernel] = &[
    kernel("fib-30", || inside(|| assert_eq!(fib(30), 832_040))),
    kernel("slice-sum", || with_numbers(|numbers| _ = black_box(numbers.par_iter().sum::<u64>()))),
    kernel("range-sum", || inside(|| _ = black_box((0..1_000_000_u64).into_par_iter().map(|n| n ^ 5).sum::<u64>()))),
    kernel("sort", || with_numbers(|numbers| numbers.to_vec().par_sort())),
    kernel("sort-unstable", || with_numbers(|numbers| numbers.to_vec().par_sort_unstable())),
    kernel("chunks", || {
        with_numbers(|numbers| _ = black_box(numbers.par_chunks(1_024).map(|part| part.iter().sum::<u64>()).max()))
    }),
    kernel("collect", || {
        with_numbers(|numbers| _ = black_box(numbers.par_iter().map(|n| n * 3).collect::<Vec<u64>>()))
    }),
    kernel("nested", || {
        with_numbers(|numbers| {
            _ = black_box(numbers.par_chunks(1_000).map(|row| row.par_iter().sum::<u64>()).sum::<u64>());
        })
    }),
    kernel("bridge", || with_numbers(|numbers| _ = black_box(numbers[..10_000].iter().par_bridge().sum::<u64>()))),
    kernel("small-sums-inside", || with_numbers(small_sums)),
    kernel("small-sums-outside", || {
        let numbers = numbers();
        Box::new(move || small_sums(&numbers))
    }),
    kernel("joins-outside", || Box::new(|| (0..1_000).for_each(|_| _ = rayon::join(|| (), || ())))),
    kernel("scope-flat", || inside(|| rayon::scope(|scope| (0..100_000).for_each(|_| scope.spawn(count))))),
    kernel("scope-tree", || inside(|| rayon::scope(|scope| tree(scope, 16)))),
    kernel("scopes-nested", || inside(|| nested(14))),
    kernel("spawn", || {
        inside(|| {
            let left = AtomicUsize::new(100_000);
            let left: &'static AtomicUsize = Box::leak(Box::new(left));
            (0..100_000).for_each(|_| rayon::spawn(|| _ = left.fetch_sub(1, Ordering::Relaxed)));
            while left.load(Ordering::Relaxed) > 0 {
                rayon::yield_now();
            }
        })
    }),
    Kernel { is_first_run: true, ..kernel("first-join", || Box::new(|| _ = rayon::join(|| (), || ()))) },
];

/// A kernel that runs inside of the pool.
fn inside(f: impl Fn() + Send + Sync + 'static) -> Run {
    Box::new(move || rayon::scope(|_| f()))
}

/// A million numbers in no order.
fn numbers() -> Vec<u64> {
    (0..1_000_000_u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40).collect()
}

fn with_numbers(f: impl Fn(&[u64]) + Send + Sync + 'static) -> Run {
    let numbers = numbers();
    inside(move || f(&numbers))
}

fn fib(n: u32) -> u64 {
    if n < 2 {
        return n.into();
    }
    let (a, b) = rayon::join(|| fib(n - 1), || fib(n - 2));
    a + b
}

fn small_sums(numbers: &[u64]) {
    numbers.chunks(1_000).for_each(|part| _ = black_box(part.par_iter().sum::<u64>()));
}

static COUNT: AtomicUsize = AtomicUsize::new(0);

fn count(_: &rayon::Scope<'_>) {
    COUNT.fetch_add(1, Ordering::Relaxed);
}

/// Spawns a tree of 2^(depth + 1) tasks.
fn tree<'scope>(scope: &rayon::Scope<'scope>, depth: u32) {
    count(scope);
    if depth > 0 {
        scope.spawn(move |scope| tree(scope, depth - 1));
        scope.spawn(move |scope| tree(scope, depth - 1));
    }
}

/// 2^depth scopes, each with one task.
fn nested(depth: u32) {
    if depth > 0 {
        rayon::scope(|scope| {
            scope.spawn(move |_| nested(depth - 1));
            nested(depth - 1);
        });
    }
}
