//! Sorting integers, and pairs by an integer: `radix-sort` of the suite.

use std::fmt::Debug;
use std::hint::black_box;

use filch_algorithms::{RadixKey, radix_sort_by_key};
use rayon::slice::ParallelSliceMut;

use super::input::numbers;
use super::sorted::{Sorted, bytes};
use super::{ON_RAYON, OfLibrary, Work};
use crate::answer::Mismatch;
use crate::kernel::Instance;
use crate::program::{Domain, Program, Sizes};

/// The programs.
pub(super) const PROGRAMS: [Program; 4] = [
    program::<u32>(("radixsort-random", "n integers below 2^31, sorted"), |n| sort_of(numbers::uniform(n, 1 << 31))),
    program::<u32>(("radixsort-exponential", "n exponential integers, sorted"), |n| sort_of(numbers::exponential(n))),
    program::<Pair>(("radixsort-pairs-256", "n pairs with values below 256, sorted by keys"), |n| pairs(n, 256)),
    program::<Pair>(("radixsort-pairs", "n pairs with values below n, sorted by keys"), |n| pairs(n, n.max(1))),
];

const fn program<T>(name: (&'static str, &'static str), build: fn(u64) -> Box<dyn Instance>) -> Program {
    let domain = Domain { counts: "the number of items", min: 0, max: 1 << 30, rule: None };
    let sizes = Sizes { small: 20_000, default: 10_000_000, paper: 100_000_000 };
    Program { bytes: |n, _| bytes::<T>(n), libraries: ON_RAYON, ..Program::new(name, sizes, domain, build) }
}

/// A key and a value.
type Pair = (u32, u32);

fn sort_of(input: Vec<u32>) -> Box<dyn Instance> {
    Box::new(OfLibrary(RadixSort { memory: Sorted::new(input), key: |&item| item }))
}

fn pairs(n: u64, values: u64) -> Box<dyn Instance> {
    let keys = numbers::uniform(n, 1 << 31);
    // Not the same numbers.
    let values = numbers::uniform(2 * n, values).into_iter().skip(n as usize);
    Box::new(OfLibrary(RadixSort {
        memory: Sorted::new(keys.into_iter().zip(values).collect()),
        key: |pair: &Pair| pair.0,
    }))
}

struct RadixSort<T, K> {
    memory: Sorted<T>,
    key: fn(&T) -> K,
}

impl<T, K> Work for RadixSort<T, K>
where
    T: Copy + PartialEq + Debug + Send + Sync,
    K: RadixKey + Ord,
{
    fn run(&mut self) {
        let key = self.key;
        self.memory.run(|items| radix_sort_by_key(black_box(items), |item| key(item)));
    }

    fn serial_rival(&mut self) -> bool {
        let key = self.key;
        self.memory.run(|items| black_box(items).sort_by_key(|item| key(item)));
        true
    }

    fn rayon_rival(&mut self) {
        let key = self.key;
        self.memory.run(|items| black_box(items).par_sort_by_key(|item| key(item)));
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        let key = self.key;
        self.memory.verify(|items| items.sort_by_key(|item| key(item)))
    }
}
