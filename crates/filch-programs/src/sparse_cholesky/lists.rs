//! The serial program: Cholesky's factorisation column by column, each a linked list.

use super::mesh::Element;

/// Where a list ends.
const END: u32 = u32::MAX;

/// An element of a column, and the index of the next one, further down.
#[derive(Clone, Copy, Debug)]
struct Link {
    row: u32,
    next: u32,
    value: f64,
}

/// The columns of a triangular matrix.
#[derive(Debug)]
pub struct Columns {
    links: Vec<Link>,
    /// The first link of each column.
    first: Vec<u32>,
}

impl Columns {
    /// The columns with these elements.
    pub fn of(side: usize, elements: &[Element]) -> Self {
        let mut columns = Self { links: Vec::with_capacity(elements.len()), first: vec![END; side] };
        let mut elements = elements.to_vec();
        // The last row first, since each element is put in front.
        elements.sort_unstable_by_key(|&(row, _, _)| std::cmp::Reverse(row));
        for (row, column, value) in elements {
            columns.put(column as usize, row, value);
        }
        columns
    }

    fn put(&mut self, column: usize, row: u32, value: f64) {
        let link = self.links.len() as u32;
        assert!(link != END, "a matrix of more than {END} elements");
        self.links.push(Link { row, next: self.first[column], value });
        self.first[column] = link;
    }

    /// Calls `visit` with the elements, column by column.
    pub fn for_each(&self, visit: &mut dyn FnMut(Element)) {
        for (column, &first) in (0..).zip(&self.first) {
            let mut at = first;
            while let Some(link) = self.links.get(at as usize) {
                visit((link.row, column, link.value));
                at = link.next;
            }
        }
    }

    /// Their memory.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.links.capacity() * size_of::<Link>() + self.first.capacity() * size_of::<u32>()
    }

    /// L of the matrix with these elements on and below its diagonal.
    ///
    /// Left-looking: a column is its elements of A, less the multiples of those columns of L that have an element in
    /// the row of that number. These columns are in a list of their own, from which each goes on to that of its next
    /// element.
    pub fn factor(side: usize, elements: &[Element]) -> Self {
        let matrix = Self::of(side, elements);
        let mut l = Self { links: Vec::with_capacity(elements.len()), first: vec![END; side] };
        // The columns whose next element is in this row: the first one, and the one behind each; and that element.
        let (mut in_row, mut behind, mut next) = (vec![END; side], vec![END; side], vec![END; side]);
        // The column that is being computed.
        let (mut values, mut is_there, mut rows) = (vec![0.0; side], vec![false; side], Vec::new());
        for column in 0..side {
            let mut add = |values: &mut [f64], rows: &mut Vec<u32>, row: u32, value: f64| {
                values[row as usize] += value;
                if !std::mem::replace(&mut is_there[row as usize], true) {
                    rows.push(row);
                }
            };
            let mut at = matrix.first[column];
            while let Some(link) = matrix.links.get(at as usize) {
                add(&mut values, &mut rows, link.row, link.value);
                at = link.next;
            }
            let mut earlier = in_row[column];
            while earlier != END {
                let following = behind[earlier as usize];
                let Link { value: factor, next: rest, .. } = l.links[next[earlier as usize] as usize];
                let mut at = next[earlier as usize];
                while let Some(link) = l.links.get(at as usize) {
                    add(&mut values, &mut rows, link.row, -factor * link.value);
                    at = link.next;
                }
                advance(earlier, rest, &l.links, &mut in_row, &mut behind, &mut next);
                earlier = following;
            }
            rows.sort_unstable_by(|a, b| b.cmp(a));
            let root = values[column].sqrt();
            for &row in &rows {
                let value = std::mem::take(&mut values[row as usize]);
                is_there[row as usize] = false;
                l.put(column, row, if row as usize == column { root } else { value / root });
            }
            rows.clear();
            let rest = l.links[l.first[column] as usize].next;
            advance(column as u32, rest, &l.links, &mut in_row, &mut behind, &mut next);
        }
        l
    }
}

/// Puts a column, whose next element is at `link`, into the list of that element's row.
fn advance(column: u32, link: u32, links: &[Link], in_row: &mut [u32], behind: &mut [u32], next: &mut [u32]) {
    next[column as usize] = link;
    if let Some(Link { row, .. }) = links.get(link as usize) {
        behind[column as usize] = std::mem::replace(&mut in_row[*row as usize], column);
    }
}
