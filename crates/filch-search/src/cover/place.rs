//! The nodes of an exact cover's matrix.

/// Where a node is in the matrix.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) column: u32,
    /// The nodes of its row.
    pub(super) begin: u32,
    pub(super) end: u32,
}

/// All nodes. Their colours stand apart, because a search without colours is limited by the memory of the places: with
/// the colours among them it took 5 % longer (the pentominoes on 4 by 15).
#[derive(Clone, Copy, Debug)]
pub(super) struct Nodes<'a> {
    pub(super) places: &'a [Place],
    /// For each node, one more than its colour, or [`UNCOLOURED`]. Empty if no node has a colour.
    pub(super) colours: &'a [u32],
}

/// The mark of a node without a colour.
pub(super) const UNCOLOURED: u32 = 0;
