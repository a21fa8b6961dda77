//! Strassen's matrix multiplication, with seven products instead of eight (Frigo, Leiserson and Randall 1998, section 6
//! and figure 6).
//!
//! This is Winograd's variant, which needs fifteen additions instead of eighteen (Knuth, "The Art of Computer
//! Programming", vol. 2, section 4.6.4). There are three phases, each of them parallel: the sums of quadrants, the
//! seven products, and the sums of products. Below the cut-off, the ordinary product takes over, because the additions
//! and the memory for parallel products cost more than the product that is saved.
//!
//! All numbers are exact. With n up to 2^14 there are at most ten levels. A sum of quadrants has at most four terms, so
//! from elements up to 2^2 the sums grow up to 2^22. Products of blocks of such sums are up to 2^(4 + 22 + 22). One
//! level up, the sums are smaller by a factor of 4 in either operand and rows are twice as long, so products are at
//! most an eighth of that. At most four products are added, which gives at most 2^50, and this is less than 2^53.

use std::hint::black_box;

use filch_kernels::matrix::{self, BLOCK_SIDE, Block, Update, elementwise, quadrants, quadrants_mut};
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
        ("strassen", "the product of two n × n matrices, by seven of quadrants"),
        Sizes { small: 64, default: 1024, paper: 1024 },
        matrix::SIDES,
        |n| Box::new(Strassen::of(Product::random(n))),
    )
};

/// A side of 64: from there down, Strassen's method takes longer (`filch bench strassen --grain 2`).
const GRAIN: Grain = matrix::grain(4);

/// Four sums of quadrants of A, four of B, and the three products for which C has no room.
const TEMPORARIES_PER_LEVEL: usize = 4 + 4 + 3;

/// The number of blocks of temporary memory for a product of this many blocks.
fn temporaries(blocks: usize, leaf: usize) -> usize {
    if blocks <= leaf {
        return 0;
    }
    let quadrant = blocks / 4;
    TEMPORARIES_PER_LEVEL * quadrant + 7 * temporaries(quadrant, leaf)
}

/// The program, for matrices given by their blocks: C = A·B. A leaf has at most `leaf` blocks.
#[inline(never)]
pub fn multiply<R: Runtime>(
    mut t: Token<R>,
    c: &mut [Block],
    a: &[Block],
    b: &[Block],
    mut temporary: &mut [Block],
    leaf: usize,
) {
    if c.len() <= leaf {
        t.touches([a, b], [c]);
        return multiply_leaf(Update::Assign, c, a, b);
    }
    let quadrant = c.len() / 4;
    let below = temporaries(quadrant, leaf);
    let mut take = |blocks: usize| temporary.split_off_mut(..blocks).expect("as much memory as `temporaries` says");

    let mut left_sums = [(); 4].map(|()| take(quadrant));
    let mut right_sums = [(); 4].map(|()| take(quadrant));
    t.join(
        |t| elementwise(t, quadrants(a), left_sums.each_mut().map(|sum| &mut **sum), leaf, add_up_left),
        |t| elementwise(t, quadrants(b), right_sums.each_mut().map(|sum| &mut **sum), leaf, add_up_right),
    );

    let ([a00, a01, _, a11], [s1, s2, s3, s4]) = (quadrants(a), left_sums.map(|sum| &*sum));
    let ([b00, _, b10, b11], [t1, t2, t3, t4]) = (quadrants(b), right_sums.map(|sum| &*sum));
    let [p1, p6, p7] = [(); 3].map(|()| take(quadrant));
    {
        let [p2, p3, p4, p5] = quadrants_mut(c);
        let [m1, m2, m3, m4, m5, m6, m7] = [(); 7].map(|()| take(below));
        t.join(
            |mut t| {
                t.join4(
                    |t| multiply(t, p1, a00, b00, m1, leaf),
                    |t| multiply(t, p2, a01, b10, m2, leaf),
                    |t| multiply(t, p3, s4, b11, m3, leaf),
                    |t| multiply(t, p4, a11, t4, m4, leaf),
                );
            },
            |mut t| {
                t.join(
                    |mut t| t.join(|t| multiply(t, p5, s1, t1, m5, leaf), |t| multiply(t, p6, s2, t2, m6, leaf)),
                    |t| multiply(t, p7, s3, t3, m7, leaf),
                );
            },
        );
    }
    elementwise(t, [p1, p6, p7], quadrants_mut(c), leaf, add_up_products);
}

/// S1 to S4, from the quadrants of A.
fn add_up_left([a00, a01, a10, a11]: [&[Block]; 4], [s1, s2, s3, s4]: [&mut [Block]; 4]) {
    for i in 0..a00.len() {
        left_block([&a00[i], &a01[i], &a10[i], &a11[i]], &mut s1[i], &mut s2[i], &mut s3[i], &mut s4[i]);
    }
}

/// T1 to T4, from the quadrants of B.
fn add_up_right([b00, b01, b10, b11]: [&[Block]; 4], [t1, t2, t3, t4]: [&mut [Block]; 4]) {
    for i in 0..b00.len() {
        right_block([&b00[i], &b01[i], &b10[i], &b11[i]], &mut t1[i], &mut t2[i], &mut t3[i], &mut t4[i]);
    }
}

/// The quadrants of C, from the products. P2 to P5 are in their places.
fn add_up_products([p1, p6, p7]: [&[Block]; 3], [c00, c01, c10, c11]: [&mut [Block]; 4]) {
    for i in 0..p1.len() {
        product_block([&p1[i], &p6[i], &p7[i]], &mut c00[i], &mut c01[i], &mut c10[i], &mut c11[i]);
    }
}

// Each target is a reference of its own, so that the compiler knows that the targets do not overlap and uses vectors.

#[inline(never)]
fn left_block(a: [&Block; 4], s1: &mut Block, s2: &mut Block, s3: &mut Block, s4: &mut Block) {
    let [a00, a01, a10, a11] = a.map(|block| block.0.as_flattened());
    let [s1, s2, s3, s4] = [s1, s2, s3, s4].map(|block| block.0.as_flattened_mut());
    for i in 0..BLOCK_SIDE * BLOCK_SIDE {
        s1[i] = a10[i] + a11[i];
        s2[i] = s1[i] - a00[i];
        s3[i] = a00[i] - a10[i];
        s4[i] = a01[i] - s2[i];
    }
}

#[inline(never)]
fn right_block(b: [&Block; 4], t1: &mut Block, t2: &mut Block, t3: &mut Block, t4: &mut Block) {
    let [b00, b01, b10, b11] = b.map(|block| block.0.as_flattened());
    let [t1, t2, t3, t4] = [t1, t2, t3, t4].map(|block| block.0.as_flattened_mut());
    for i in 0..BLOCK_SIDE * BLOCK_SIDE {
        t1[i] = b01[i] - b00[i];
        t2[i] = b11[i] - t1[i];
        t3[i] = b11[i] - b01[i];
        t4[i] = t2[i] - b10[i];
    }
}

#[inline(never)]
fn product_block(p: [&Block; 3], c00: &mut Block, c01: &mut Block, c10: &mut Block, c11: &mut Block) {
    let [p1, p6, p7] = p.map(|block| block.0.as_flattened());
    let [c00, c01, c10, c11] = [c00, c01, c10, c11].map(|block| block.0.as_flattened_mut());
    for i in 0..BLOCK_SIDE * BLOCK_SIDE {
        let (p2, p3, p4, p5) = (c00[i], c01[i], c10[i], c11[i]);
        let u2 = p1[i] + p6[i];
        let u3 = u2 + p7[i];
        c00[i] = p1[i] + p2;
        c01[i] = u2 + p5 + p3;
        c10[i] = u3 - p4;
        c11[i] = u3 + p5;
    }
}

struct Strassen(WithTemporaries);

impl Strassen {
    fn of(product: Product) -> Self {
        Self(WithTemporaries::new(product, GRAIN, temporaries))
    }
}

impl Kernel for Strassen {
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
            let mut program = Strassen::of(Product::new(a, b));
            for grain in [1, 2, 3, 4, 1024] {
                program.set_grain(grain);
                program.run(Serial::token());
                assert_eq!(*program.0.product.result(), expected, "side {side}, grain {grain}");
            }
        }
    }

    #[test]
    fn temporary_memory_is_eleven_quadrants_at_every_level_of_seven_times_as_many() {
        assert_eq!(temporaries(1, 1), 0);
        assert_eq!(temporaries(4, 1), 11);
        assert_eq!(temporaries(16, 1), 44 + 7 * 11);
        assert_eq!(temporaries(16, 4), 44);
        assert_eq!(temporaries(4, 9), 0);
    }

    #[test]
    fn an_instance_takes_the_memory_that_it_says() {
        for side in [16, 64, 128] {
            let mut program = Strassen::of(Product::random(side));
            for grain in [1, 2, 4] {
                program.set_grain(grain);
                assert_eq!(matrix::bytes_of(program.0.blocks()), (PROGRAM.bytes)(side, grain));
            }
        }
    }
}
