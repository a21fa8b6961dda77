//! Two forks that leave a waiting worker idle while another one has too much work.
//!
//! The left branch forks a short row of units and a long one. The right branch does a short row and then unfolds into a
//! balanced tree. With three workers, the second worker takes the right branch, and the third takes the long row, since
//! there is nothing else. The first worker soon ends the short row and waits for the long one, which has no parts. If a
//! waiting worker runs only parts of what it waits for, it stays idle while the second worker has the whole tree. With
//! `wait=any` it helps.
//!
//! With two workers, no worker is left to take the long row. Thieves take the oldest fork first, so by the time one of
//! two workers waits, all older forks of both have been taken. Therefore every latent fork is part of what the worker
//! waits for.

use std::hint::black_box;
use std::ops::Range;

use filch_kernels::runtime::{Runtime, Token};
use filch_kernels::{Answer, Domain, Kernel, Mismatch, Program, Sizes};

use crate::units::{units, units_by_formula};

/// Its entry in the list of programs.
pub const PROGRAM: Program = Program::new(
    ("skew", "2^n units of work, so forked that a short branch waits for a long one"),
    Sizes { small: 10, default: 20, paper: 20 },
    Domain { counts: "the logarithm of the number of units", min: 0, max: 32, rule: None },
    |n| Box::new(Skew { n: n as u32, answer: Answer::new() }),
);

/// The number of units in a leaf of the tree.
const ROW: u64 = 8;

/// The units, in the order of the serial elision.
#[derive(Clone, Debug)]
pub struct Parts {
    short: Range<u64>,
    long: Range<u64>,
    prelude: Range<u64>,
    tree: Range<u64>,
}

impl Parts {
    /// 2^n units. In 32nds, if n is large enough: 1 short, 10 long, 1 as prelude and 20 in the tree.
    ///
    /// With three workers and no overheads, the long row ends after 11/32 of the serial time. By then one worker has
    /// done 10 of the 20 parts of the tree, and all three need another 10/3: 14.3/32 in all. Two workers together would
    /// have done the tree after 11/32. So waiting costs up to 30 %.
    pub fn new(n: u32) -> Self {
        let end = 1 << n;
        let at = |part: u64| (end * part) / 32;
        Self { short: 0..at(1), long: at(1)..at(11), prelude: at(11)..at(12), tree: at(12)..end }
    }
}

fn halves(units: Range<u64>) -> (Range<u64>, Range<u64>) {
    let middle = units.start.midpoint(units.end);
    (units.start..middle, middle..units.end)
}

/// The program.
#[inline(never)]
pub fn skew<R: Runtime>(mut t: Token<R>, Parts { short, long, prelude, tree }: Parts) -> u64 {
    let ((a, b), (c, d)) =
        t.join(|mut t| t.join(|_| units(short), |_| units(long)), |t| (units(prelude), unfold(t, tree)));
    sum([a, b, c, d])
}

/// The balanced tree.
#[inline(never)]
pub fn unfold<R: Runtime>(mut t: Token<R>, tree: Range<u64>) -> u64 {
    if tree.end - tree.start <= ROW {
        return units(tree);
    }
    let (left, right) = halves(tree);
    let (a, b) = t.join(|t| unfold(t, left), |t| unfold(t, right));
    a.wrapping_add(b)
}

fn sum(parts: [u64; 4]) -> u64 {
    parts.into_iter().fold(0, u64::wrapping_add)
}

struct Skew {
    n: u32,
    answer: Answer<u64>,
}

impl Kernel for Skew {
    fn run<R: Runtime>(&mut self, t: Token<R>) {
        self.answer.record(skew(t, black_box(Parts::new(self.n))));
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        self.answer.check(&units_by_formula(1 << self.n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_kernels::runtime::Serial;

    #[test]
    fn the_parts_are_all_units_in_order() {
        for n in 0..20 {
            let Parts { short, long, prelude, tree } = Parts::new(n);
            assert_eq!([short.start, short.end, long.end, prelude.end], [0, long.start, prelude.start, tree.start]);
            assert_eq!(tree.end, 1 << n);
        }
        let Parts { short, long, prelude, tree } = Parts::new(10);
        let units = [short, long, prelude, tree].map(|part| part.end - part.start);
        assert_eq!(units, [32, 320, 32, 640]);
    }

    #[test]
    fn the_checker_rejects_another_size() {
        let mut instance = Skew { n: 6, answer: Answer::new() };
        instance.answer.record(skew(Serial::token(), Parts::new(5)));
        assert!(instance.verify().is_err());
        instance.answer.record(skew(Serial::token(), Parts::new(6)));
        assert_eq!(instance.verify(), Ok(()));
    }
}
