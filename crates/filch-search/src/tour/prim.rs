//! Shortest spanning trees (Prim 1957).

use filch::Bits;

/// The length of the shortest tree that spans these cities, which are bits.
#[inline]
pub(super) fn shortest_tree(cities: u64, distance: impl Fn(usize, usize) -> u32) -> u64 {
    let mut rest = cities & cities.wrapping_sub(1);
    let mut latest = cities.trailing_zeros() as usize;
    // The distance of each city from the tree so far.
    let mut distances = [u32::MAX; u64::BITS as usize];
    let mut length = 0;
    while rest != 0 {
        let (mut nearest, mut least) = (0, u32::MAX);
        for city in Bits(rest) {
            let least_so_far = &mut distances[city as usize];
            *least_so_far = (*least_so_far).min(distance(latest, city as usize));
            if *least_so_far <= least {
                (nearest, least) = (city, *least_so_far);
            }
        }
        length += u64::from(least);
        latest = nearest as usize;
        rest ^= 1 << nearest;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_of_points_on_a_line_is_the_line() {
        let points = [9_u32, 2, 5, 14, 0];
        let distance = |a: usize, b: usize| points[a].abs_diff(points[b]);
        assert_eq!(shortest_tree(0b11111, distance), 14);
        assert_eq!(shortest_tree(0b01011, distance), 12);
        assert_eq!((shortest_tree(0b100, distance), shortest_tree(0, distance)), (0, 0));
    }
}
