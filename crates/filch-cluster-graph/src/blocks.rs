//! Which rank owns which vertices: blocks of consecutive numbers, in the order of ranks.

use std::ops::Range;

/// The blocks of all ranks. Some may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Blocks {
    /// Where the block of each rank begins, and at the end the number of vertices. In ascending order from 0.
    starts: Vec<usize>,
}

impl Blocks {
    /// Blocks of as many vertices each, except for the last ones.
    pub(crate) fn even(num_vertices: usize, ranks: usize) -> Self {
        let each = num_vertices.div_ceil(ranks);
        Blocks { starts: (0..=ranks).map(|rank| num_vertices.min(rank * each)).collect() }
    }

    /// Blocks that begin here. `starts` is in ascending order from 0, and its last item is the number of vertices.
    pub(crate) fn at(starts: Vec<usize>) -> Self {
        Blocks { starts }
    }

    pub(crate) fn ranks(&self) -> usize {
        self.starts.len() - 1
    }

    pub(crate) fn num_vertices(&self) -> usize {
        self.starts[self.ranks()]
    }

    pub(crate) fn of(&self, rank: usize) -> Range<usize> {
        self.starts[rank]..self.starts[rank + 1]
    }

    /// The rank that owns a vertex.
    #[inline(always)]
    pub(crate) fn owner(&self, vertex: usize) -> usize {
        // Of several blocks that begin there, only the last one is not empty.
        self.starts[1..self.starts.len() - 1].partition_point(|&start| start <= vertex)
    }
}

/// Where blocks begin that have about the same weight each: for this rank's part of the vertices, the borders that lie
/// in it, as (number of the border, vertex). Before it come vertices of weight `before`, and all have `total`. The
/// border k of p is the first vertex before which there are k/p of the total weight.
pub(crate) fn borders(
    ranks: usize,
    start: usize,
    weights: impl Iterator<Item = u64>,
    before: u64,
    total: u64,
) -> Vec<(u64, u64)> {
    let target = |border: usize| (u128::from(total) * border as u128 / ranks as u128) as u64;
    let mut border = (1..ranks).find(|&border| target(border) > before).unwrap_or(ranks);
    let (mut found, mut sum) = (Vec::new(), before);
    for (vertex, weight) in (start..).zip(weights) {
        sum += weight;
        while border < ranks && sum >= target(border) {
            found.push((border as u64, vertex as u64 + 1));
            border += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_vertex_has_the_owner_in_whose_block_it_is() {
        for starts in [vec![0, 0, 3, 3, 7, 7], vec![0, 5], vec![0, 0, 0, 1], vec![0, 2, 4, 4]] {
            let blocks = Blocks::at(starts);
            for vertex in 0..blocks.num_vertices() {
                assert!(blocks.of(blocks.owner(vertex)).contains(&vertex), "{blocks:?}: {vertex}");
            }
        }
    }

    #[test]
    fn borders_are_found_by_one_part_each_and_divide_the_weight_evenly() {
        let mut random = fastrand::Rng::with_seed(3);
        for round in 0..300 {
            let (ranks, n) = (1 + round % 8, random.usize(..40));
            let weights = (0..n).map(|_| random.u64(..9)).collect::<Vec<_>>();
            let (even, total) = (Blocks::even(n, ranks), weights.iter().sum::<u64>());
            let mut starts = vec![0; ranks + 1];
            starts[ranks] = n;
            let mut found = 0;
            for part in 0..ranks {
                let before = weights[..even.of(part).start].iter().sum();
                let own = weights[even.of(part)].iter().copied();
                for (border, vertex) in borders(ranks, even.of(part).start, own, before, total) {
                    starts[border as usize] = vertex as usize;
                    found += 1;
                }
            }
            let heaviest = weights.iter().max().copied().unwrap_or(0);
            assert!(found < ranks && starts.is_sorted(), "{starts:?}");
            for rank in 0..ranks {
                let weight = weights[starts[rank]..starts[rank + 1]].iter().sum::<u64>();
                assert!(weight <= total / ranks as u64 + heaviest + 1, "{weights:?}: {starts:?}");
            }
        }
    }
}
