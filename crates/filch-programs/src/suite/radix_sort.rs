//! Sorting integers, and pairs by an integer: `radix-sort` of the suite.

use std::fmt::Debug;
use std::hint::black_box;

use filch_algorithms::radix_sorted_by_key;
use filch_kernels::{Domain, Instance, Mismatch, Program, Sizes};
use rayon::slice::ParallelSliceMut;
use rdst::RadixSort;

use super::input::numbers;
use super::sorted::{Sorted, bytes};
use super::work::{ON_RAYON, OfLibrary, Work};

/// The programs.
pub(super) const PROGRAMS: [Program; 4] = [
    program::<u32>(("radixsort-random", "n integers below 2^31, sorted"), |n| instance(numbers::uniform(n, 1 << 31))),
    program::<u32>(("radixsort-exponential", "n exponential integers, sorted"), |n| instance(numbers::exponential(n))),
    program::<Pair>(("radixsort-pairs-256", "n pairs with values below 256, sorted by keys"), |n| pairs(n, 256)),
    program::<Pair>(("radixsort-pairs", "n pairs with values below n, sorted by keys"), |n| pairs(n, n.max(1))),
];

const fn program<T>(name: (&'static str, &'static str), build: fn(u64) -> Box<dyn Instance>) -> Program {
    let domain = Domain { counts: "the number of items", min: 0, max: 1 << 30, rule: None };
    let sizes = Sizes { small: 4_000, default: 10_000_000, paper: 100_000_000 };
    Program { bytes: |n, _| bytes::<T>(n), libraries: ON_RAYON, ..Program::new(name, sizes, domain, build) }
}

/// A key and a value.
type Pair = (u32, u32);

fn instance<T: Item>(input: Vec<T>) -> Box<dyn Instance> {
    Box::new(OfLibrary(Radix(Sorted::new(input))))
}

fn pairs(n: u64, values: u64) -> Box<dyn Instance> {
    let keys = numbers::uniform(n, 1 << 31);
    // Not the same numbers.
    let values = numbers::uniform(2 * n, values).into_iter().skip(n as usize);
    instance(keys.into_iter().zip(values).collect())
}

/// What is sorted.
trait Item: Copy + PartialEq + Debug + Send + Sync + 'static {
    fn key(&self) -> u32;

    /// What a user of rayon takes: the sort must be stable if there are values.
    fn sort_on_rayon(items: &mut [Self]);
}

impl Item for u32 {
    #[inline(always)]
    fn key(&self) -> u32 {
        *self
    }

    fn sort_on_rayon(items: &mut [Self]) {
        items.radix_sort_unstable();
    }
}

impl Item for Pair {
    #[inline(always)]
    fn key(&self) -> u32 {
        self.0
    }

    fn sort_on_rayon(items: &mut [Self]) {
        items.par_sort_by_key(Item::key);
    }
}

struct Radix<T>(Sorted<T>);

impl<T: Item> Work for Radix<T> {
    fn run(&mut self) {
        self.0.make(|items| radix_sorted_by_key(black_box(items), Item::key));
    }

    fn serial_rival(&mut self) -> bool {
        self.0.sort(|items| black_box(items).sort_by_key(Item::key));
        true
    }

    fn rayon_rival(&mut self) {
        self.0.sort(|items| T::sort_on_rayon(black_box(items)));
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        self.0.verify(|items| items.sort_by_key(Item::key))
    }
}
