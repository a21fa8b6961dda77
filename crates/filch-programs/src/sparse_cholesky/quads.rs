//! Sparse matrices as quad trees, and the factorisation on them.

use filch_kernels::runtime::{Runtime, Token};

use super::mesh::Element;
use crate::cholesky::{divide_block, factor_block, transposed};

/// The side of a block.
const SIDE: usize = 8;

/// A dense block.
pub type Block = [[f64; SIDE]; SIDE];

/// A square matrix. `None`: all of its elements are zero.
pub type Tree = Option<Quad>;

/// A matrix that has elements.
#[derive(Clone, Debug)]
pub enum Quad {
    /// A matrix of one block.
    Block(Box<Block>),
    /// Its quadrants: the upper left one, the upper right one, the lower left one, the lower right one.
    Quads(Box<[Tree; 4]>),
}

use Quad::{Block as Leaf, Quads};

const ZERO: Block = [[0.0; SIDE]; SIDE];

/// The side of the tree of a matrix of this side.
fn padded(side: usize) -> usize {
    side.next_power_of_two().max(SIDE)
}

/// The tree of the matrix with these elements.
pub fn tree(side: usize, elements: &[Element]) -> Tree {
    let mut tree = None;
    let padded = padded(side);
    // What fills up the last block must have a factor, too.
    let rest = (side..side.next_multiple_of(SIDE)).map(|row| (row as u32, row as u32, 1.0));
    for (row, column, value) in elements.iter().copied().chain(rest) {
        *element(&mut tree, padded, row as usize, column as usize) = value;
    }
    tree
}

/// The place of an element, which is made if it is not there.
fn element(tree: &mut Tree, side: usize, row: usize, column: usize) -> &mut f64 {
    match tree.get_or_insert_with(|| if side == SIDE { zero_block() } else { zero_quads() }) {
        Leaf(block) => &mut block[row][column],
        Quads(quads) => {
            let half = side / 2;
            element(&mut quads[row / half * 2 + column / half], half, row % half, column % half)
        }
    }
}

/// Calls `visit` with the elements on and below the diagonal that are not zero.
pub fn for_each(side: usize, tree: &Tree, visit: &mut dyn FnMut(Element)) {
    for_each_of(tree, padded(side), [0, 0], &mut |row, column, a| {
        if column <= row && row < side && a != 0.0 {
            visit((row as u32, column as u32, a));
        }
    });
}

/// The same for all elements of a tree of this side, whose first one is in this row and column.
fn for_each_of(tree: &Tree, side: usize, [top, left]: [usize; 2], visit: &mut impl FnMut(usize, usize, f64)) {
    match tree {
        None => {}
        Some(Leaf(block)) => {
            let rows = (top..).zip(block.iter());
            rows.for_each(|(row, elements)| (left..).zip(elements).for_each(|(column, a)| visit(row, column, *a)));
        }
        Some(Quads(quads)) => {
            let half = side / 2;
            let places = [[top, left], [top, left + half], [top + half, left], [top + half, left + half]];
            quads.iter().zip(places).for_each(|(quad, place)| for_each_of(quad, half, place, visit));
        }
    }
}

/// The memory of a tree.
#[cfg(test)]
pub(super) fn bytes(tree: &Tree) -> usize {
    match tree {
        None => 0,
        Some(Leaf(_)) => size_of::<Block>(),
        Some(Quads(quads)) => size_of::<[Tree; 4]>() + quads.iter().map(bytes).sum::<usize>(),
    }
}

/// A copy.
#[inline(never)]
pub fn copy<R: Runtime>(mut t: Token<R>, tree: &Tree) -> Tree {
    Some(match tree.as_ref()? {
        Leaf(block) => Leaf(block.clone()),
        Quads(quads) => {
            let [a, b, c, d] = &**quads;
            let ((a, b), (c, d)) =
                t.join(|mut t| t.join(|t| copy(t, a), |t| copy(t, b)), |mut t| t.join(|t| copy(t, c), |t| copy(t, d)));
            Quads(Box::new([a, b, c, d]))
        }
    })
}

/// Frees a tree.
#[inline(never)]
pub fn free<R: Runtime>(mut t: Token<R>, tree: Tree) {
    if let Some(Quads(quads)) = tree {
        let [a, b, c, d] = *quads;
        t.join4(|t| free(t, a), |t| free(t, b), |t| free(t, c), |t| free(t, d));
    }
}

/// The program, in place: L is on and below the diagonal. What is above the diagonal is not read.
#[inline(never)]
pub fn factor<R: Runtime>(mut t: Token<R>, a: &mut Tree) {
    match a {
        None => {}
        Some(Leaf(block)) => factor_block(block),
        Some(Quads(quads)) => {
            let [a00, _, a10, a11] = &mut **quads;
            factor(t.reborrow(), a00);
            if let (Some(l), Some(b)) = (&*a00, &mut *a10) {
                divide(t.reborrow(), b, l);
                subtract_square(t.reborrow(), a11, b);
            }
            factor(t, a11);
        }
    }
}

/// B = B·L⁻ᵀ.
#[inline(never)]
fn divide<R: Runtime>(mut t: Token<R>, b: &mut Quad, l: &Quad) {
    match (b, l) {
        (Quads(b), Quads(l)) => {
            let [b00, b01, b10, b11] = &mut **b;
            let [Some(l00), _, l10, l11] = &**l else { unreachable!("the diagonal is there") };
            let row = |mut t: Token<R>, left: &mut Tree, right: &mut Tree| {
                if let Some(left) = left {
                    divide(t.reborrow(), left, l00);
                    if let Some(l10) = l10 {
                        subtract_product(t.reborrow(), right, left, l10);
                    }
                }
                if let (Some(right), Some(l11)) = (right, l11) {
                    divide(t, right, l11);
                }
            };
            t.join(|t| row(t, b00, b01), |t| row(t, b10, b11));
        }
        (Leaf(b), Leaf(l)) => divide_block(b, l),
        _ => unreachable!("both matrices have the same side"),
    }
}

/// C = C − A·Aᵀ, on and below the diagonal.
#[inline(never)]
fn subtract_square<R: Runtime>(mut t: Token<R>, c: &mut Tree, a: &Quad) {
    match a {
        Leaf(a) => subtract_block_product(block_of(c), a, a),
        Quads(quads) => {
            let [a00, a01, a10, a11] = &**quads;
            let on_diagonal = |mut t: Token<R>, c: &mut Tree, row: [&Tree; 2]| {
                row.into_iter().flatten().for_each(|a| subtract_square(t.reborrow(), c, a));
            };
            let [c00, _, c10, c11] = quads_of(c);
            t.join(
                |t| subtract_products(t, c10, [a10, a11], [a00, a01]),
                |mut t| t.join(|t| on_diagonal(t, c00, [a00, a01]), |t| on_diagonal(t, c11, [a10, a11])),
            );
        }
    }
}

/// C = C − A·Bᵀ.
#[inline(never)]
fn subtract_product<R: Runtime>(mut t: Token<R>, c: &mut Tree, a: &Quad, b: &Quad) {
    match (a, b) {
        (Leaf(a), Leaf(b)) => subtract_block_product(block_of(c), a, b),
        (Quads(a), Quads(b)) => {
            let ([a00, a01, a10, a11], [b00, b01, b10, b11]) = (&**a, &**b);
            let [upper, lower] = [[a00, a01], [a10, a11]];
            let [left, right] = [[b00, b01], [b10, b11]];
            let meets = |[a0, a1]: [&Tree; 2], [b0, b1]: [&Tree; 2]| {
                a0.is_some() && b0.is_some() || a1.is_some() && b1.is_some()
            };
            // A quadrant of zeros is not made if no product needs it.
            if ![(upper, left), (upper, right), (lower, left), (lower, right)].iter().any(|&(a, b)| meets(a, b)) {
                return;
            }
            let [c00, c01, c10, c11] = quads_of(c);
            t.join4(
                |t| subtract_products(t, c00, upper, left),
                |t| subtract_products(t, c01, upper, right),
                |t| subtract_products(t, c10, lower, left),
                |t| subtract_products(t, c11, lower, right),
            );
        }
        _ => unreachable!("both matrices have the same side"),
    }
}

/// C = C − A0·B0ᵀ − A1·B1ᵀ.
#[inline(always)]
fn subtract_products<R: Runtime>(mut t: Token<R>, c: &mut Tree, a: [&Tree; 2], b: [&Tree; 2]) {
    for (a, b) in a.into_iter().zip(b) {
        if let (Some(a), Some(b)) = (a, b) {
            subtract_product(t.reborrow(), c, a, b);
        }
    }
}

fn zero_block() -> Quad {
    Leaf(Box::new(ZERO))
}

fn zero_quads() -> Quad {
    Quads(Box::new([const { None }; 4]))
}

fn block_of(tree: &mut Tree) -> &mut Block {
    match tree.get_or_insert_with(zero_block) {
        Leaf(block) => block,
        Quads(_) => unreachable!("all matrices have the same side"),
    }
}

fn quads_of(tree: &mut Tree) -> &mut [Tree; 4] {
    match tree.get_or_insert_with(zero_quads) {
        Quads(quads) => quads,
        Leaf(_) => unreachable!("all matrices have the same side"),
    }
}

#[inline(never)]
fn subtract_block_product(c: &mut Block, a: &Block, b: &Block) {
    let columns = transposed(b);
    for (c, a) in c.iter_mut().zip(a) {
        for (a, column) in a.iter().zip(&columns) {
            (0..SIDE).for_each(|at| c[at] -= a * column[at]);
        }
    }
}
