//! Where a part of a search is in serial order.

use std::cmp::Ordering;

/// The place of a part among all parts of a search. A part comes after everything that its owner still had when the
/// part was split off. So parts come after the part that they were split from, the newest first.
///
/// It is the path from the whole search to the part: how many parts each part on the way had split off before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Place(Vec<u32>);

impl Place {
    /// Makes this the place of the part that is split off from the part at `owner`, which has split off `older` parts
    /// before.
    pub(super) fn set_below(&mut self, owner: &Place, older: u32) {
        self.0.clone_from(&owner.0);
        self.0.push(older);
    }
}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Place {
    fn cmp(&self, other: &Self) -> Ordering {
        let differing = self.0.iter().zip(&other.0).find(|(own, others)| own != others);
        // Of two parts of one owner, the newer one comes first. The owner comes before its parts.
        differing.map_or(self.0.len().cmp(&other.0.len()), |(own, others)| others.cmp(own))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_comes_after_its_owner_and_before_the_older_parts_of_it() {
        let below = |owner: &Place, older| {
            let mut place = Place::default();
            place.set_below(owner, older);
            place
        };
        let whole = Place::default();
        let [first, second] = [0, 1].map(|older| below(&whole, older));
        let of_second = [1, 0].map(|older| below(&second, older));
        let in_order = [&whole, &second, &of_second[0], &of_second[1], &first];
        assert!(in_order.is_sorted() && in_order.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
