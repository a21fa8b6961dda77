//! The order in which runners take turns.
//!
//! A runner leaves traces that affect the next one: the clock speed, the contents of caches, threads that have not
//! fallen asleep yet. So the order changes from round to round such that each runner follows every other one equally
//! often and takes each position equally often: a Williams square (Williams 1949, "Experimental designs balanced for
//! the estimation of residual effects of treatments").

/// The order of `runners` runners in a round.
///
/// The orders are balanced over `runners` consecutive rounds if `runners` is even, and over twice as many if it is odd.
pub fn order(round: usize, runners: usize) -> Vec<usize> {
    // First, last, second, last but one, ...: the differences between neighbours are all different, so over all shifts
    // of this order each runner follows every other one exactly once. An odd number of runners needs the reversed
    // orders too.
    let zigzag = |place: usize| {
        if place.is_multiple_of(2) { place / 2 } else { runners - 1 - place / 2 }
    };
    let (shift, reversed) =
        if runners.is_multiple_of(2) { (round, false) } else { (round / 2, !round.is_multiple_of(2)) };
    let mut order: Vec<usize> = (0..runners).map(|place| (zigzag(place) + shift) % runners).collect();
    if reversed {
        order.reverse();
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_round_has_every_runner_once() {
        for runners in 1..=9 {
            for round in 0..40 {
                let mut order = order(round, runners);
                order.sort_unstable();
                assert_eq!(order, (0..runners).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn every_runner_follows_every_other_and_has_every_place_equally_often() {
        for runners in 2..=9 {
            let times = 1 + runners % 2;
            let mut follows = vec![vec![0; runners]; runners];
            let mut places = vec![vec![0; runners]; runners];
            for round in 0..times * runners {
                let order = order(round, runners);
                for pair in order.windows(2) {
                    follows[pair[0]][pair[1]] += 1;
                }
                for (place, &runner) in order.iter().enumerate() {
                    places[runner][place] += 1;
                }
            }
            for first in 0..runners {
                assert_eq!(places[first], vec![times; runners]);
                for second in (0..runners).filter(|&second| second != first) {
                    assert_eq!(follows[first][second], times, "of {runners}");
                }
            }
        }
    }
}
