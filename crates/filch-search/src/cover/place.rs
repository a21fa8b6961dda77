//! The nodes of an exact cover's matrix.

/// Where a node is in the matrix.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) column: u32,
    /// The nodes of its row.
    pub(super) begin: u32,
    pub(super) end: u32,
    /// One more than the colour, or [`UNCOLOURED`].
    pub(super) colour: u32,
}

/// The mark of a node without a colour.
pub(super) const UNCOLOURED: u32 = 0;
