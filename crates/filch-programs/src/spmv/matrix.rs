//! Sparse matrices in compressed rows.

use fastrand::Rng;

/// A square matrix: the entries of the first row, then those of the second row, and so on.
#[derive(Debug)]
pub struct Matrix {
    /// Where the entries of each row start, followed by the end of the last row.
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl Matrix {
    /// The largest number of entries in a row of [`random`](Self::random).
    pub const LONGEST_RANDOM: u64 = 29;

    /// Rows of 0 to [`LONGEST_RANDOM`](Self::LONGEST_RANDOM) entries, all lengths equally likely.
    pub fn random(n: usize) -> Self {
        let mut rng = Rng::with_seed(0);
        let lengths: Vec<usize> = (0..n).map(|_| rng.usize(0..=Self::LONGEST_RANDOM as usize).min(n)).collect();
        Self::spread(&lengths, rng)
    }

    /// Rows of 3 entries, or fewer if there are fewer columns.
    pub fn three(n: usize) -> Self {
        Self::spread(&vec![n.min(3); n], Rng::with_seed(0))
    }

    /// Zipf's law: the r-th longest row has n/r entries, rounded up. The rows are in random order.
    pub fn power_law(n: usize) -> Self {
        let mut rng = Rng::with_seed(0);
        let mut lengths: Vec<usize> = (1..=n).map(|rank| n.div_ceil(rank)).collect();
        rng.shuffle(&mut lengths);
        Self::spread(&lengths, rng)
    }

    /// The approximate number of entries of such a matrix: n·(ln n + 2γ), by Dirichlet's divisor sum.
    pub fn entries_by_power_law(n: u64) -> u64 {
        const EULER: f64 = 0.577_215_664_901_532_9;
        let n = n as f64;
        (n * (n.ln() + 2.0 * EULER)).ceil() as u64
    }

    /// The first row, the first column and the diagonal are full.
    pub fn arrowhead(n: usize) -> Self {
        let mut rng = Rng::with_seed(0);
        let starts = std::iter::once(0).chain((0..n).map(|row| n + 2 * row)).collect();
        let columns: Vec<u32> = (0..n as u32).chain((1..n as u32).flat_map(|row| [0, row])).collect();
        let values = columns.iter().map(|_| value(&mut rng)).collect();
        Self { starts, columns, values }
    }

    /// Rows of these lengths. The columns of a row are in order and spread over the matrix: a row of k entries has one
    /// in each of k parts of the columns.
    fn spread(lengths: &[usize], mut rng: Rng) -> Self {
        let n = lengths.len();
        let entries = lengths.iter().sum();
        let (mut columns, mut values) = (Vec::with_capacity(entries), Vec::with_capacity(entries));
        let mut starts = vec![0];
        for length in lengths {
            let part = |place: usize| (place * n / length) as u32;
            columns.extend((0..*length).map(|place| rng.u32(part(place)..part(place + 1))));
            values.extend((0..*length).map(|_| value(&mut rng)));
            starts.push(columns.len());
        }
        Self { starts, columns, values }
    }

    /// The number of rows, and of columns.
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// The columns of a row's entries, and their values.
    #[inline]
    pub fn row(&self, row: usize) -> (&[u32], &[f64]) {
        let entries = self.starts[row]..self.starts[row + 1];
        (&self.columns[entries.clone()], &self.values[entries])
    }

    /// Row, column and value of all entries, in reverse order.
    pub(super) fn entries_backwards(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        let mut row = self.rows();
        (0..self.columns.len()).rev().map(move |entry| {
            while self.starts[row] > entry {
                row -= 1;
            }
            (row, self.columns[entry] as usize, self.values[entry])
        })
    }

    #[cfg(test)]
    pub(super) fn with_all_values(mut self, value: f64) -> Self {
        self.values.fill(value);
        self
    }
}

/// An integer that is small enough for sums of products to be exact.
fn value(rng: &mut Rng) -> f64 {
    f64::from(rng.u8(1..=8))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(matrix: &Matrix) -> Vec<usize> {
        (0..matrix.rows()).map(|row| matrix.row(row).0.len()).collect()
    }

    #[test]
    fn the_columns_of_a_row_rise_and_are_within_the_matrix() {
        for n in [1, 2, 3, 10, 1000] {
            for matrix in [Matrix::random(n), Matrix::three(n), Matrix::power_law(n), Matrix::arrowhead(n)] {
                assert_eq!(matrix.rows(), n);
                assert_eq!(matrix.columns.len(), matrix.values.len());
                for row in 0..n {
                    let (columns, _) = matrix.row(row);
                    assert!(columns.is_sorted_by(|one, next| one < next), "row {row} of {n}: {columns:?}");
                    assert!(columns.last().is_none_or(|&last| (last as usize) < n));
                }
            }
        }
    }

    #[test]
    fn a_power_law_has_one_full_row_one_half_full_and_about_as_many_entries_as_the_formula_says() {
        let mut lengths = lengths(&Matrix::power_law(1000));
        lengths.sort_unstable_by(|one, next| next.cmp(one));
        assert_eq!(lengths[..4], [1000, 500, 334, 250]);
        let entries = lengths.iter().sum::<usize>() as f64;
        let formula = Matrix::entries_by_power_law(1000) as f64;
        assert!((entries / formula - 1.0).abs() < 0.02, "{entries} by {formula}");
    }

    #[test]
    fn an_arrowhead_has_one_full_row_and_two_entries_in_all_others() {
        let lengths = lengths(&Matrix::arrowhead(100));
        assert_eq!(lengths[0], 100);
        assert!(lengths[1..].iter().all(|&length| length == 2));
    }

    #[test]
    fn going_backwards_meets_every_entry_once() {
        let matrix = Matrix::random(50);
        let mut entries: Vec<_> = matrix.entries_backwards().collect();
        entries.reverse();
        let by_rows = (0..50).flat_map(|row| {
            let (columns, values) = matrix.row(row);
            columns.iter().zip(values).map(move |(&column, &value)| (row, column as usize, value))
        });
        assert_eq!(entries, by_rows.collect::<Vec<_>>());
    }
}
