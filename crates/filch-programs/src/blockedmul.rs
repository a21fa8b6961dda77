//! Matrix multiplication with temporary memory (Frigo, Leiserson and Randall 1998, section 6 and figure 6).
//!
//! All eight products of quadrants are computed in parallel, four of them into temporary memory. Then they are added,
//! in parallel too. So the span is about (log n)², against the n of [`notempmul`](filch_kernels::notempmul). The price
//! is memory that grows by a factor per level: 2^levels − 1 times the size of the product. A leaf has nothing to do in
//! parallel and needs no temporary memory.

use std::hint::black_box;

use filch_kernels::matrix::{self, Block, Update, elementwise, quadrants, quadrants_mut};
use filch_kernels::notempmul::multiply_leaf;
use filch_kernels::product::Product;
use filch_kernels::runtime::{Runtime, Token};
use filch_kernels::{Data, Grain, Kernel, Mismatch, Program, Sizes};

use crate::temporaries::WithTemporaries;

/// Its entry in the list of programs.
pub const PROGRAM: Program = Program {
    grain: Some(GRAIN),
    bytes: |n, grain| {
        let blocks = matrix::blocks_of(n as usize);
        matrix::bytes_of(3 * blocks + temporaries(blocks, matrix::leaf_blocks(grain)))
    },
    data: Some(Data::Reused(|n| 2 * matrix::bytes_of(matrix::blocks_of(n as usize)))),
    ..Program::new(
        ("blockedmul", "the product of two n × n matrices, eight products in parallel"),
        Sizes { small: 64, default: 1024, paper: 1024 },
        matrix::SIDES,
        |n| Box::new(BlockedMul::of(Product::random(n))),
    )
};

const GRAIN: Grain = matrix::grain(4);

/// The number of blocks of temporary memory for a product of this many blocks.
fn temporaries(blocks: usize, leaf: usize) -> usize {
    if blocks <= leaf { 0 } else { blocks + 8 * temporaries(blocks / 4, leaf) }
}

/// The program, for matrices given by their blocks: C = A·B. A leaf has at most `leaf` blocks.
#[inline(never)]
pub fn multiply<R: Runtime>(
    mut t: Token<R>,
    c: &mut [Block],
    a: &[Block],
    b: &[Block],
    temporary: &mut [Block],
    leaf: usize,
) {
    let blocks = c.len();
    if blocks <= leaf {
        t.touches([a, b], [c]);
        return multiply_leaf(Update::Assign, c, a, b);
    }
    let [a00, a01, a10, a11] = quadrants(a);
    let [b00, b01, b10, b11] = quadrants(b);
    let (second, below) = temporary.split_at_mut(blocks);
    {
        let [c00, c01, c10, c11] = quadrants_mut(c);
        let [d00, d01, d10, d11] = quadrants_mut(second);
        let (below_c, below_d) = below.split_at_mut(below.len() / 2);
        let [t00, t01, t10, t11] = quadrants_mut(below_c);
        let [u00, u01, u10, u11] = quadrants_mut(below_d);
        t.join(
            |mut t| {
                t.join4(
                    |t| multiply(t, c00, a00, b00, t00, leaf),
                    |t| multiply(t, c01, a00, b01, t01, leaf),
                    |t| multiply(t, c10, a10, b00, t10, leaf),
                    |t| multiply(t, c11, a10, b01, t11, leaf),
                )
            },
            |mut t| {
                t.join4(
                    |t| multiply(t, d00, a01, b10, u00, leaf),
                    |t| multiply(t, d01, a01, b11, u01, leaf),
                    |t| multiply(t, d10, a11, b10, u10, leaf),
                    |t| multiply(t, d11, a11, b11, u11, leaf),
                )
            },
        );
    }
    elementwise(t, [second], [c], leaf, |[second], [c]| add(second, c));
}

/// C = C + D.
#[inline(never)]
fn add(d: &[Block], c: &mut [Block]) {
    for (c, d) in c.iter_mut().zip(d) {
        for (c, d) in c.0.as_flattened_mut().iter_mut().zip(d.0.as_flattened()) {
            *c += d;
        }
    }
}

struct BlockedMul(WithTemporaries);

impl BlockedMul {
    fn of(product: Product) -> Self {
        Self(WithTemporaries::new(product, GRAIN, temporaries))
    }
}

impl Kernel for BlockedMul {
    fn run<R: Runtime>(&mut self, t: Token<R>) {
        let (c, a, b, temporary, leaf) = self.0.for_a_call();
        multiply(t, c, black_box(a), black_box(b), temporary, leaf);
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        self.0.verify()
    }

    fn set_grain(&mut self, grain: u64) {
        self.0.set_grain(grain);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;
    use filch_kernels::matrix::Matrix;
    use filch_kernels::product::by_definition;
    use filch_kernels::runtime::Serial;

    #[test]
    fn the_product_is_that_of_the_definition_at_every_cut_off() {
        for side in [16, 32, 64, 128] {
            let mut random = Rng::with_seed(7);
            let mut matrix = || Matrix::from_fn(side, |_, _| random.i64(-4..=4) as f64);
            let (a, b) = (matrix(), matrix());
            let expected = by_definition(&a, &b);
            let mut program = BlockedMul::of(Product::new(a, b));
            for grain in [1, 2, 3, 4, 1024] {
                program.set_grain(grain);
                program.run(Serial::token());
                assert_eq!(*program.0.product.result(), expected, "side {side}, grain {grain}");
            }
        }
    }

    #[test]
    fn temporary_memory_is_a_product_at_every_level_of_eight_times_as_many() {
        assert_eq!(temporaries(1, 1), 0);
        assert_eq!(temporaries(4, 1), 4);
        assert_eq!(temporaries(16, 1), 16 + 8 * 4);
        assert_eq!(temporaries(4096, 1), 63 * 4096);
        assert_eq!(temporaries(4096, 16), 15 * 4096);
        assert_eq!(temporaries(4, 9), 0);
    }

    #[test]
    fn an_instance_takes_the_memory_that_it_says() {
        for side in [16, 64, 128] {
            let mut program = BlockedMul::of(Product::random(side));
            for grain in [1, 2, 4] {
                program.set_grain(grain);
                assert_eq!(matrix::bytes_of(program.0.blocks()), (PROGRAM.bytes)(side, grain));
            }
        }
    }
}
