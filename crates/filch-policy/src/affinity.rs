//! Affinity: where a program divides the same range again and again, each part goes to the workers that had it last,
//! whose caches may still hold its data (Acar, Blelloch and Blumofe 2000; the `affinity_partitioner` of oneTBB).
//!
//! A *group* is a squad where large pieces are shared between squads, and a single worker elsewhere. The range consists
//! of cells, and each cell has a holder, the group that ran it last. Decided from the holders: which half of a range a
//! worker keeps, and which group it hands the other half to. Decided from the time since then: whether another group
//! may begin what was handed to one. After a while it may, so a holder is a hint, and no worker stays idle for it.

use crate::rest::SEARCH_NS;
use std::ops::Range;

/// How many cells there are for each group. So many parts of a group can change hands one by one.
const CELLS_PER_GROUP: usize = 16;

/// The holders of all cells before the first run: they are spread evenly, so that the first run places them well.
pub fn first_holders(groups: usize) -> impl Iterator<Item = usize> {
    (0..groups * CELLS_PER_GROUP).map(|cell| cell / CELLS_PER_GROUP)
}

/// Those of so many cells that belong to a part of `0..items`: at least one. A cell on the border of two parts belongs
/// to the second one, unless the first has no other.
pub fn cells_of(part: Range<u64>, items: u64, cells: usize) -> Range<usize> {
    let cell = |item: u64| (u128::from(item) * cells as u128 / u128::from(items.max(1))) as usize;
    let first = cell(part.start).min(cells - 1);
    first..cell(part.end).clamp(first + 1, cells)
}

/// The items of a cell, if `0..items` is divided into so many cells at once.
pub fn part_of(cell: usize, items: u64, cells: usize) -> Range<u64> {
    let begin = |cell: usize| (cell as u128 * u128::from(items) / cells as u128) as u64;
    begin(cell)..begin(cell + 1)
}

/// What a worker does with the two halves of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Halving {
    /// Whether it begins with the first half.
    pub keeps_first: bool,
    /// The group that it hands the other half to. `None` if it forks as usual.
    pub hands_to: Option<usize>,
}

impl Halving {
    /// The decision of a worker of the group `mine` about the cells of two halves.
    ///
    /// If one group holds all cells, the worker forks as usual. Otherwise it keeps the half of which it holds more, and
    /// hands the other half to the group that holds most of it. If that is its own group too, it forks as usual, and
    /// begins with the half of which it holds less, so that the others get their cells soon.
    pub fn of(mine: usize, [first, second]: [&[usize]; 2]) -> Self {
        let one = first[0];
        if first.iter().chain(second).all(|&holder| holder == one) {
            return Halving { keeps_first: true, hands_to: None };
        }
        let own = |half: &[usize]| half.iter().filter(|&&holder| holder == mine).count();
        let keeps_first = own(first) * second.len() >= own(second) * first.len();
        match holder_of_most(if keeps_first { second } else { first }) {
            to if to == mine => Halving { keeps_first: !keeps_first, hands_to: None },
            to => Halving { keeps_first, hands_to: Some(to) },
        }
    }
}

/// The group that holds most of these cells; among equals the one that comes first.
fn holder_of_most(cells: &[usize]) -> usize {
    let count = |group| cells.iter().filter(|&&holder| holder == group).count();
    // Neighbours mostly have the same holder, so there are few runs.
    let holders = cells.chunk_by(|one, other| one == other).map(|run| run[0]);
    let most = holders.map(|group| (group, count(group))).reduce(|most, it| if it.1 > most.1 { it } else { most });
    most.map_or(cells[0], |(group, _)| group)
}

/// Whether a worker of the group `mine` may begin what was handed to the group `to` so long ago. A worker of another
/// group may when `to` has had the time to wake up.
pub fn may_begin_handed(mine: usize, to: usize, waited_ns: u64) -> bool {
    mine == to || waited_ns >= SEARCH_NS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn parts_that_follow_each_other_have_all_cells() {
        let cells = 2 * CELLS_PER_GROUP;
        assert_eq!(first_holders(2).count(), cells);
        for items in [1, 7, 31, 32, 33, 1_000, u64::MAX] {
            assert_eq!(cells_of(0..items, items, cells), 0..cells);
            for middle in [0, 1, items / 3, items / 2, items - 1] {
                let (one, other) = (cells_of(0..middle, items, cells), cells_of(middle..items, items, cells));
                assert_eq!((one.start, other.end), (0, cells));
                assert!(one.end == other.start || one.len() == 1 || other.len() == 1, "{items} at {middle}");
            }
        }
    }

    #[test]
    fn the_parts_of_all_cells_are_all_items() {
        for items in [0, 1, 7, 31, 32, 33, 1_000, u64::MAX] {
            let parts: Vec<_> = (0..32).map(|cell| part_of(cell, items, 32)).collect();
            assert_eq!((parts[0].start, parts[31].end), (0, items));
            assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start), "{items}");
        }
    }

    /// A worker that divides a range down to single cells, as each group does with what it is handed.
    fn distribute(mine: usize, cells: &[usize], runs: &mut Vec<(usize, usize)>) {
        let [one] = cells else {
            let (first, second) = cells.split_at(cells.len() / 2);
            let Halving { keeps_first, hands_to } = Halving::of(mine, [first, second]);
            let (kept, other) = if keeps_first { (first, second) } else { (second, first) };
            distribute(mine, kept, runs);
            return distribute(hands_to.unwrap_or(mine), other, runs);
        };
        runs.push((*one, mine));
    }

    #[test]
    fn cells_go_to_their_holders_if_each_group_holds_a_contiguous_part() {
        for groups in [1, 2, 4, 8] {
            let cells: Vec<usize> = first_holders(groups).collect();
            let mut runs = Vec::new();
            distribute(groups - 1, &cells, &mut runs);
            assert_eq!(runs.len(), cells.len());
            assert!(runs.iter().all(|(holder, runner)| holder == runner), "{groups}: {runs:?}");
        }
    }

    #[test]
    fn a_half_is_never_handed_to_its_own_group_nor_to_one_that_holds_nothing_of_it() {
        let mut random = Random::new(1);
        for _ in 0..1_000 {
            let cells: Vec<usize> = (0..2 + random.below(20)).map(|_| random.below(4)).collect();
            let (first, second) = cells.split_at(1 + random.below(cells.len() - 1));
            let mine = random.below(4);
            let Halving { keeps_first, hands_to } = Halving::of(mine, [first, second]);
            let other = if keeps_first { second } else { first };
            assert!(hands_to.is_none_or(|to| to != mine && other.contains(&to)), "{first:?} {second:?}");
            if cells.iter().all(|&holder| holder == cells[0]) {
                assert_eq!((keeps_first, hands_to), (true, None), "what one group holds is forked as usual");
            }
        }
    }

    #[test]
    fn the_holder_may_begin_at_once_and_anybody_after_a_while() {
        assert!(may_begin_handed(3, 3, 0) && !may_begin_handed(2, 3, 0));
        assert!(may_begin_handed(2, 3, SEARCH_NS), "a hint is not a lock");
    }
}
