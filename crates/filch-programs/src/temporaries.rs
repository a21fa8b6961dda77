//! What the programs share that multiply matrices with temporary memory.

use filch_kernels::matrix::{Block, blocks_of, leaf_blocks};
use filch_kernels::product::Product;
use filch_kernels::{Grain, Mismatch};

/// Two matrices, the place for their product, and temporary memory for the programs that need it.
#[derive(Debug)]
pub(crate) struct WithTemporaries {
    pub(crate) product: Product,
    temporary: Vec<Block>,
    /// The number of blocks of a leaf.
    leaf: usize,
    /// The number of blocks of temporary memory for a product, given its blocks and those of a leaf.
    temporaries: fn(usize, usize) -> usize,
}

impl WithTemporaries {
    pub(crate) fn new(product: Product, grain: Grain, temporaries: fn(usize, usize) -> usize) -> Self {
        let mut new = Self { product, temporary: Vec::new(), leaf: 0, temporaries };
        new.set_grain(grain.default);
        new
    }

    /// The memory of a call: C, A and B, the temporary memory, and the number of blocks of a leaf.
    pub(crate) fn for_a_call(&mut self) -> (&mut [Block], &[Block], &[Block], &mut [Block], usize) {
        let (c, a, b) = self.product.for_a_call();
        (c, a, b, &mut self.temporary, self.leaf)
    }

    pub(crate) fn verify(&mut self) -> Result<(), Mismatch> {
        // What one call has left there must not help the next one.
        self.temporary.fill(Block::filled_with(f64::NAN));
        self.product.verify()
    }

    pub(crate) fn set_grain(&mut self, grain: u64) {
        let leaf = leaf_blocks(grain);
        if leaf == self.leaf {
            return;
        }
        self.leaf = leaf;
        let blocks = blocks_of(self.product.side());
        // Freed first: the old and the new memory together might be too large.
        self.temporary = Vec::new();
        self.temporary = vec![Block::filled_with(f64::NAN); (self.temporaries)(blocks, leaf)];
    }

    #[cfg(test)]
    pub(crate) fn blocks(&self) -> usize {
        3 * blocks_of(self.product.side()) + self.temporary.len()
    }
}
