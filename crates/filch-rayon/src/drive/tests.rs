use super::*;
use crate::piece::{Piece, Units};
use crate::unindexed::Unindexed;
use crate::units::{Chars, Fields, Lines, Terminated, Words};
use rayon::iter::ParallelIterator;
use rayon::iter::plumbing::{Folder, UnindexedConsumer};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A text that counts how often it is tried to divide it or a piece of it.
struct Tried<'t, 'u, U> {
    text: &'t str,
    units: &'u U,
    tries: &'u AtomicUsize,
}

struct TriedPiece<'t, 'u, U> {
    piece: Piece<'t, 'u, U>,
    tries: &'u AtomicUsize,
}

impl<'t, U: Units<'t>> Divisible for TriedPiece<'t, '_, U> {
    type Item = U::Item;

    fn split_at(self, at: usize) -> Result<(Self, Self), Self> {
        let TriedPiece { piece, tries } = self;
        tries.fetch_add(1, Ordering::Relaxed);
        let tried = |piece| TriedPiece { piece, tries };
        piece.split_at(at).map(|(left, right)| (tried(left), tried(right))).map_err(tried)
    }

    fn len_or(&self, planned: usize) -> usize {
        self.piece.len_or(planned)
    }

    fn fold_with<F: Folder<U::Item>>(self, folder: F) -> F {
        self.piece.fold_with(folder)
    }
}

impl<'t, U: Units<'t>> ParallelIterator for Tried<'t, '_, U> {
    type Item = U::Item;

    fn drive_unindexed<C: UnindexedConsumer<U::Item>>(self, consumer: C) -> C::Result {
        let Tried { text, units, tries } = self;
        drive_divisible(text.len(), TriedPiece { piece: Piece::whole(text, units), tries }, Unindexed(consumer))
    }
}

/// A loop of n items is divided at most n - 1 times. Each part that is left is tried at most twice: as something to
/// halve, and as a block.
const TRIES: usize = 3;

fn on_any_number_of_workers(f: impl Fn() + Send + Sync) {
    for workers in [1, 2, 4] {
        let scheduler = filch::Scheduler::default().with_period(Duration::ZERO);
        let pool = filch::Pool::builder().workers(workers).scheduler(scheduler).build().expect("a small pool");
        pool.run(|_| f());
    }
}

fn spin(time: Duration) {
    let begin = Instant::now();
    while begin.elapsed() < time {
        std::hint::spin_loop();
    }
}

#[test]
fn few_long_lines_are_divided_by_lines_even_if_they_have_become_dear() {
    const LINES: usize = 8;
    let bytes = if cfg!(miri) { 50 } else { 20_000 };
    let text = ("a".repeat(bytes) + "\n").repeat(LINES);
    on_any_number_of_workers(|| {
        for round in 0..20 {
            let tries = AtomicUsize::new(0);
            let lines = Tried { text: &text, units: &Lines, tries: &tries }.map(|line| {
                if round % 4 == 3 {
                    spin(Duration::from_micros(50));
                }
                line.len()
            });
            assert_eq!(lines.sum::<usize>(), LINES * bytes);
            assert!(tries.load(Ordering::Relaxed) <= TRIES * LINES, "{tries:?} in round {round}");
        }
    });
}

#[test]
fn a_recursion_over_fields_is_divided_by_fields() {
    fn depth(text: &str, separators: &[char], tries: &AtomicUsize) -> usize {
        let Some((&separator, rest)) = separators.split_first() else { return text.len() };
        Tried { text, units: &Fields(separator), tries }.map(|field| depth(field, rest, tries)).sum()
    }
    let columns = if cfg!(miri) { 2 } else { 10 };
    let field = "a".repeat(50);
    let group = vec![field.as_str(); columns].join(",");
    let text = vec![vec![group; columns].join(";"); columns].join("\n");
    on_any_number_of_workers(|| {
        let tries = AtomicUsize::new(0);
        assert_eq!(depth(&text, &['\n', ';', ','], &tries), columns.pow(3) * field.len());
        let items = columns + columns.pow(2) + columns.pow(3);
        assert!(tries.load(Ordering::Relaxed) <= TRIES * items, "{tries:?} for {items} items");
    });
}

#[test]
fn a_recursion_divides_a_text_into_its_items_and_nothing_else() {
    fn parts<'t, U: Units<'t>>(text: &'t str, units: &U) -> usize {
        struct Parts;

        impl<T> Consumer<T> for Parts {
            type Folder = Part;
            type Reducer = Parts;
            type Result = usize;

            fn split_at(self, _: usize) -> (Self, Self, Self) {
                (Parts, Parts, Parts)
            }

            fn into_folder(self) -> Part {
                Part(0)
            }

            fn full(&self) -> bool {
                false
            }
        }

        impl Reducer<usize> for Parts {
            fn reduce(self, left: usize, right: usize) -> usize {
                left + right
            }
        }

        /// How many items it has.
        struct Part(usize);

        impl<T> Folder<T> for Part {
            type Result = usize;

            fn consume(self, _: T) -> Self {
                Part(self.0 + 1)
            }

            fn complete(self) -> usize {
                assert_eq!(self.0, 1, "a part of so many items");
                1
            }

            fn full(&self) -> bool {
                false
            }
        }

        each(text.len(), Piece::whole(text, units), Parts, 1)
    }
    let text = "to be\n or  not\n\nto é€, that   is\r\n";
    let text = text.repeat(if cfg!(miri) { 1 } else { 10 });
    on_any_number_of_workers(|| {
        assert_eq!(parts(&text, &Chars), text.chars().count());
        assert_eq!(parts(&text, &Lines), text.lines().count());
        assert_eq!(parts(text.trim(), &Words), text.split_whitespace().count());
        assert_eq!(parts(&text, &Fields(',')), text.split(',').count());
        assert_eq!(parts(&text, &Terminated(['é', '€'])), text.split_inclusive(['é', '€']).count());
    });
}
