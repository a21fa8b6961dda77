//! A sparse matrix as the stiffness matrices of shells have it.

use fastrand::Rng;

/// Row, column and value of an element on or below the diagonal.
pub type Element = (u32, u32, f64);

/// Unknowns of a node: where it is, and how it is turned.
const UNKNOWNS: usize = 5;

/// A positive definite matrix of `side` rows, the same in every run: the unknowns of the nodes of a square mesh, in
/// which each node meets its eight neighbours. The order is nested dissection's (George 1973): two halves of the mesh,
/// then the line of nodes between them. So the factor has O(n·log n) elements, and takes O(n^1.5) operations.
///
/// The elements off the diagonal are random numbers from −1 to 1. An element on the diagonal exceeds the sum of the
/// others of its row.
pub fn shell(side: usize) -> Vec<Element> {
    let nodes = side.div_ceil(UNKNOWNS);
    let width = (nodes as f64).sqrt().ceil() as usize;
    let mut order = Vec::with_capacity(nodes);
    dissect((0, width), (0, nodes.div_ceil(width.max(1))), &mut order);
    order.retain(|&(x, y)| y * width + x < nodes);
    let mut numbers = vec![0; nodes];
    order.iter().enumerate().for_each(|(number, &(x, y))| numbers[y * width + x] = number);

    let mut random = Rng::with_seed(side as u64);
    let mut elements = Vec::new();
    let mut sums = vec![1.0; side];
    for (number, &(x, y)) in order.iter().enumerate() {
        let near = |at: usize| at.saturating_sub(1)..at + 2;
        let places = near(y).flat_map(|y| near(x).filter(|&x| x < width).map(move |x| y * width + x));
        let mut neighbours: Vec<usize> = places.filter(|&place| place < nodes).map(|place| numbers[place]).collect();
        neighbours.retain(|&neighbour| neighbour <= number);
        neighbours.sort_unstable();
        for row in number * UNKNOWNS..((number + 1) * UNKNOWNS).min(side) {
            let columns = neighbours.iter().flat_map(|neighbour| neighbour * UNKNOWNS..(neighbour + 1) * UNKNOWNS);
            for column in columns.take_while(|&column| column < row) {
                let element = 2.0 * random.f64() - 1.0;
                sums[row] += element.abs();
                sums[column] += element.abs();
                elements.push((row as u32, column as u32, element));
            }
        }
    }
    elements.extend(sums.into_iter().zip(0..).map(|(sum, row)| (row, row, sum)));
    elements
}

/// Lists the nodes of a rectangle, given by its columns and rows.
fn dissect((left, right): (usize, usize), (top, bottom): (usize, usize), order: &mut Vec<(usize, usize)>) {
    let (width, height) = (right - left, bottom - top);
    if width <= 2 && height <= 2 {
        order.extend((top..bottom).flat_map(|y| (left..right).map(move |x| (x, y))));
    } else if width >= height {
        let middle = left + width / 2;
        dissect((left, middle), (top, bottom), order);
        dissect((middle + 1, right), (top, bottom), order);
        order.extend((top..bottom).map(|y| (middle, y)));
    } else {
        let middle = top + height / 2;
        dissect((left, right), (top, middle), order);
        dissect((left, right), (middle + 1, bottom), order);
        order.extend((left..right).map(|x| (x, middle)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_node_of_a_rectangle_is_listed_once() {
        for (width, height) in [(1, 1), (1, 9), (2, 2), (7, 3), (10, 10)] {
            let mut order = Vec::new();
            dissect((0, width), (0, height), &mut order);
            assert_eq!(order.len(), width * height);
            assert_eq!(order.into_iter().collect::<BTreeSet<_>>().len(), width * height);
        }
    }

    #[test]
    fn the_diagonal_is_there_and_dominates_and_no_element_is_there_twice() {
        for side in [1, 4, 26, 333] {
            let elements = shell(side);
            let mut rest = vec![0.0; side];
            for &(row, column, element) in &elements {
                assert!(column <= row && (row as usize) < side);
                for at in [row, column] {
                    rest[at as usize] += if row == column { element / 2.0 } else { -element.abs() };
                }
            }
            assert!(rest.iter().all(|&rest| rest > 0.9), "{side}");
            let places: BTreeSet<(u32, u32)> = elements.iter().map(|&(row, column, _)| (row, column)).collect();
            assert_eq!(places.len(), elements.len());
        }
    }
}
