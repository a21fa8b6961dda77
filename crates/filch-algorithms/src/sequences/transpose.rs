//! Matrices that are transposed. Rectangles are divided at their longer side, until they and their images fit into any
//! cache (Frigo, Leiserson, Prokop and Ramachandran 1999).

use crate::fresh::{Start, assert_room, vector};
use std::ops::Range;
use std::ptr;

/// The side of a square that is transposed by plain loops. It has so many rows that what else is done is little.
const SIDE: usize = 32;

/// The transpose of a matrix that is there row after row, each of so many `columns`.
///
/// Work: O(n) for n items. Span: O(log n).
///
/// ```
/// let matrix = [1, 2, 3,
///               4, 5, 6];
/// assert_eq!(filch_algorithms::transpose(&matrix, 3), [1, 4,
///                                                      2, 5,
///                                                      3, 6]);
/// ```
///
/// # Panics
///
/// If the last row is not full.
#[must_use]
pub fn transpose<T: Copy + Send + Sync>(items: &[T], columns: usize) -> Vec<T> {
    let mut transposed = vector(items.len());
    // SAFETY: there is room for all items.
    unsafe { write_transposed(items, columns, &Start(transposed.as_mut_ptr())) };
    // SAFETY: all have been written.
    unsafe { transposed.set_len(items.len()) };
    transposed
}

/// [`transpose`], into a slice of the same length.
///
/// ```
/// let mut transposed = [0; 6];
/// filch_algorithms::transpose_into(&[1, 2, 3, 4, 5, 6], 3, &mut transposed);
/// assert_eq!(transposed, [1, 4, 2, 5, 3, 6]);
/// ```
///
/// # Panics
///
/// If the lengths differ, or the last row is not full.
pub fn transpose_into<T: Copy + Send + Sync>(items: &[T], columns: usize, out: &mut [T]) {
    assert_room(out.len(), items.len());
    // SAFETY: there are places for all items.
    unsafe { write_transposed(items, columns, &Start(out.as_mut_ptr())) };
}

/// # Safety
///
/// There are places for all items, which nobody else uses. If this returns, all have been written.
unsafe fn write_transposed<T: Copy + Send + Sync>(items: &[T], columns: usize, out: &Start<T>) {
    if items.is_empty() {
        // However many columns there may be.
        return;
    }
    let rows = items.len().checked_div(columns).unwrap_or(0);
    assert!(rows * columns == items.len(), "{} items are not rows of {columns}", items.len());
    filch::scope(|s, _| {
        for_rectangle(s, 0..rows, 0..columns, &|rows_of: Range<usize>, columns_of: Range<usize>| {
            for row in rows_of {
                for column in columns_of.clone() {
                    // SAFETY: it is one of as many places as there are items, and that of this row and column.
                    let place = unsafe { out.at(column * rows + row) };
                    // SAFETY: no other row and column has it.
                    unsafe { place.write(items[row * columns + column]) };
                }
            }
        });
    });
}

/// [`transpose`] of a square matrix, in place.
///
/// ```
/// let mut matrix = [1, 2,
///                   3, 4];
/// filch_algorithms::transpose_in_place(&mut matrix);
/// assert_eq!(matrix, [1, 3,
///                     2, 4]);
/// ```
///
/// # Panics
///
/// If the number of items is not a square.
pub fn transpose_in_place<T: Send>(items: &mut [T]) {
    let side = items.len().isqrt();
    assert!(side * side == items.len(), "{} items are not a square", items.len());
    let start = Start(items.as_mut_ptr());
    let swap = |row: usize, column: usize| {
        // SAFETY: it is a place of the matrix.
        let one = unsafe { start.at(row * side + column) };
        // SAFETY: as above.
        let other = unsafe { start.at(column * side + row) };
        // SAFETY: both have items, and each pair of a row and a larger column is swapped by one call alone.
        unsafe { ptr::swap(one, other) };
    };
    filch::scope(|s, _| above_diagonal(s, 0..side, &swap));
}

/// Calls `f` for each row and each column after it, both in the range.
fn above_diagonal(mut s: filch::Strand<'_>, range: Range<usize>, f: &(impl Fn(usize, usize) + Sync)) {
    if range.len() <= SIDE {
        return range.clone().for_each(|row| (row + 1..range.end).for_each(|column| f(row, column)));
    }
    let middle = range.start + range.len() / 2;
    let (front, back) = (range.start..middle, middle..range.end);
    let rectangle = |rows: Range<usize>, columns: Range<usize>| {
        rows.for_each(|row| columns.clone().for_each(|column| f(row, column)));
    };
    s.join(
        |mut s| {
            s.join(|s| above_diagonal(s, front.clone(), f), |s| above_diagonal(s, back.clone(), f));
        },
        |s| for_rectangle(s, front.clone(), back.clone(), &rectangle),
    );
}

/// Calls `f` for rectangles that are small, and together the whole one.
fn for_rectangle(
    mut s: filch::Strand<'_>,
    rows: Range<usize>,
    columns: Range<usize>,
    f: &(impl Fn(Range<usize>, Range<usize>) + Sync),
) {
    if rows.len().max(columns.len()) <= SIDE {
        return f(rows, columns);
    }
    let halves = |range: &Range<usize>| {
        let middle = range.start + range.len() / 2;
        (range.start..middle, middle..range.end)
    };
    if rows.len() >= columns.len() {
        let (front, back) = halves(&rows);
        s.join(|s| for_rectangle(s, front, columns.clone(), f), |s| for_rectangle(s, back, columns.clone(), f));
    } else {
        let (front, back) = halves(&columns);
        s.join(|s| for_rectangle(s, rows.clone(), front, f), |s| for_rectangle(s, rows.clone(), back, f));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_columns() {
        let square = if cfg!(miri) { 35 } else { 150 };
        for (rows, columns) in
            [(0, 0), (0, 5), (0, usize::MAX), (1, 1), (1, 100), (100, 1), (33, 65), (200, 3), (square, square)]
        {
            let items: Vec<usize> = (0..rows * columns).collect();
            let expected: Vec<usize> = (0..columns.min(items.len()))
                .flat_map(|column| (0..rows).map(move |row| row * columns + column))
                .collect();
            assert_eq!(transpose(&items, columns), expected);
            let mut out = vec![0; items.len()];
            transpose_into(&items, columns, &mut out);
            assert_eq!(out, expected);
            if rows == columns {
                let mut words: Vec<String> = items.iter().map(usize::to_string).collect();
                transpose_in_place(&mut words);
                assert!(words.into_iter().eq(expected.iter().map(usize::to_string)));
            }
        }
    }

    #[test]
    #[should_panic(expected = "7 items are not rows of 3")]
    fn a_row_that_is_not_full_is_refused() {
        _ = transpose(&[0; 7], 3);
    }
}
