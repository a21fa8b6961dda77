//! The distinct items of a sequence: `remove-duplicates` of the suite.

use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::Hash;
use std::hint::black_box;
use std::ops::Range;

use filch_algorithms::remove_duplicates;
use filch_kernels::{Domain, Instance, Mismatch, Program, Sizes};

use super::input::{numbers, text};
use super::work::{OfLibrary, Work, wrong};

/// The largest bounded number.
const BOUND: u64 = 100_000;

/// The programs.
pub(super) const PROGRAMS: [Program; 4] = [
    program::<u32>(("removeduplicates-random", "the distinct ones of n integers up to n"), |n| {
        of_numbers(numbers::uniform(n, n + 1))
    }),
    program::<u32>(("removeduplicates-bounded", "the distinct ones of n integers up to 100,000"), |n| {
        of_numbers(numbers::uniform(n, BOUND + 1))
    }),
    program::<u32>(("removeduplicates-exponential", "the distinct ones of n exponential integers"), |n| {
        of_numbers(numbers::exponential(n))
    }),
    // A word is a place in a text, and some five letters there.
    program::<(Range<usize>, [u8; 8])>(("removeduplicates-trigrams", "the distinct ones of n words"), |n| {
        let (text, places) = text::words(n);
        Box::new(OfLibrary(Words { text, places, found: None }))
    }),
];

/// The bytes of the table for each item, and of the check.
const TABLE: u64 = 64;

const fn program<T>(name: (&'static str, &'static str), build: fn(u64) -> Box<dyn Instance>) -> Program {
    let domain = Domain { counts: "the number of items", min: 0, max: 1 << 30, rule: None };
    let sizes = Sizes { small: 4_000, default: 10_000_000, paper: 100_000_000 };
    Program {
        bytes: |n, _| n * (TABLE + size_of::<T>() as u64),
        libraries: &[],
        ..Program::new(name, sizes, domain, build)
    }
}

fn of_numbers(items: Vec<u32>) -> Box<dyn Instance> {
    Box::new(OfLibrary(Numbers { items, found: None }))
}

struct Numbers {
    items: Vec<u32>,
    found: Option<Vec<u32>>,
}

impl Work for Numbers {
    fn run(&mut self) {
        self.found = Some(remove_duplicates(black_box(&self.items)));
    }

    fn serial_rival(&mut self) -> bool {
        self.found = Some(serially(black_box(&self.items)));
        true
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        check(self.found.take().ok_or(Mismatch::Nothing)?, &self.items)
    }
}

/// Words in a text.
struct Words {
    text: Vec<u8>,
    places: Vec<Range<usize>>,
    found: Option<Vec<Vec<u8>>>,
}

impl Words {
    fn items(&self) -> Vec<&[u8]> {
        self.places.iter().map(|place| &self.text[place.clone()]).collect()
    }
}

impl Work for Words {
    fn run(&mut self) {
        let items = filch_algorithms::map(&self.places, |place| &self.text[place.clone()]);
        let found = remove_duplicates(black_box(&items));
        self.found = Some(filch_algorithms::map(&found, |word| word.to_vec()));
    }

    fn serial_rival(&mut self) -> bool {
        self.found = Some(serially(black_box(&self.items())).into_iter().map(<[u8]>::to_vec).collect());
        true
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        let found = self.found.take().ok_or(Mismatch::Nothing)?;
        check(found.iter().map(Vec::as_slice).collect(), &self.items())
    }
}

fn serially<T: Copy + Eq + Hash>(items: &[T]) -> Vec<T> {
    let mut seen = HashSet::new();
    items.iter().copied().filter(|&item| seen.insert(item)).collect()
}

/// Each of the items is found, once, and nothing else.
fn check<T: Copy + Ord + Hash + Debug>(mut found: Vec<T>, items: &[T]) -> Result<(), Mismatch> {
    let mut expected = items.to_vec();
    expected.sort_unstable();
    expected.dedup();
    found.sort_unstable();
    if found == expected {
        return Ok(());
    }
    let differs = found.iter().zip(&expected).find(|(found, expected)| found != expected);
    let first = differs.map_or(String::new(), |(found, expected)| format!(", first {found:?} for {expected:?}"));
    Err(wrong(format!("{} items{first}", found.len()), format!("{} distinct ones", expected.len())))
}
