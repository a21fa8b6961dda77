//! Grids of cells with a frame around them: how they begin, and how they are compared.

use filch_kernels::Mismatch;

/// The frame has one cell at either end of a row, and one row above and below.
pub(crate) const FRAME: usize = 2;

/// The longest side of a grid.
pub(crate) const LONGEST: u64 = 1 << 15;

/// The fractional parts of its multiples are spread evenly between 0 and 1 (Knuth, "The Art of Computer Programming",
/// vol. 3, section 6.4).
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// The cells of a grid with its frame, row by row: values from 0 to 1, each different from its neighbours'.
pub(crate) fn initial(rows: usize, columns: usize) -> Vec<f64> {
    (0..(rows + FRAME) * (columns + FRAME)).map(|number| (number as f64 * GOLDEN).fract()).collect()
}

/// The bytes of the cells without the frame.
pub(crate) const fn bytes(rows: u64, columns: u64) -> u64 {
    rows * columns * size_of::<f64>() as u64
}

/// The bytes of the cells and the frame.
pub(crate) const fn bytes_with_frame(rows: u64, columns: u64) -> u64 {
    bytes(rows + FRAME as u64, columns + FRAME as u64)
}

/// Checks that the cells of a row are equal to the last bit.
pub(crate) fn compare_row(row: usize, found: &[f64], expected: &[f64]) -> Result<(), Mismatch> {
    for (column, (found, expected)) in found.iter().zip(expected).enumerate() {
        if found.to_bits() != expected.to_bits() {
            let found = format!("{found:?} in row {row}, column {column}");
            return Err(Mismatch::Wrong { found, expected: format!("{expected:?}") });
        }
    }
    Ok(())
}
