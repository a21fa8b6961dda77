//! Which of many moves suffice for another result.
//!
//! A move runs something earlier that would have run later. If it is left out, the places inside what it moved come
//! later, too, so the places after it have lower numbers. The candidates here take that into account.

use crate::engine::meters::schedule::Moved;
use std::cell::Cell;

/// How many runs may be spent.
const RUNS: usize = 1000;

/// Shortens a list of moves for which the result differs. `run` runs the program with moves at these places alone, and
/// returns what has moved if the result differs. The moves are in order. Mistakes of order usually need one or two
/// (Musuvathi and Qadeer 2007, of context switches).
pub(super) fn shrink(moves: Vec<Moved>, run: impl Fn(&[u64]) -> Option<Vec<Moved>>) -> Vec<Moved> {
    let runs_left = Cell::new(RUNS);
    let run = |places: &[u64]| {
        runs_left.set(runs_left.get().checked_sub(1)?);
        run(places)
    };
    // With the first `enough` moves the result differs. With no move it does not.
    let (mut few, mut enough) = (0, moves.len());
    let mut best = moves.clone();
    while few + 1 < enough {
        let middle = few.midpoint(enough);
        match run(&places(&moves[..middle])) {
            Some(made) => (enough, best) = (middle, made),
            None => few = middle,
        }
    }
    while let Some(better) = without_one(&best, &runs_left, &run) {
        best = better;
    }
    if best.len() > 1 {
        // Any place before the last one may do alone.
        let last = best.last().map_or(0, |last| last.place);
        best = (0..=last).find_map(|place| run(&[place])).unwrap_or(best);
    }
    best
}

fn places(moves: &[Moved]) -> Vec<u64> {
    moves.iter().map(|moved| moved.place).collect()
}

/// Fewer moves for which the result differs, if leaving one out finds any.
fn without_one(
    moves: &[Moved],
    runs_left: &Cell<usize>,
    run: &impl Fn(&[u64]) -> Option<Vec<Moved>>,
) -> Option<Vec<Moved>> {
    if moves.len() < 2 {
        return None;
    }
    (0..moves.len()).take_while(|_| runs_left.get() > 0).find_map(|left_out| {
        let (before, Moved { place, inside, .. }) = (&moves[..left_out], &moves[left_out]);
        let after = &moves[left_out + 1..];
        // What was moved runs later than all that is kept, or before it; and after a move there is a place more.
        [0, *inside, inside + 1].into_iter().find_map(|shift| {
            let kept = after.iter().filter(|moved| shift == 0 || moved.place > place + inside);
            let mut candidate = places(before);
            candidate.extend(kept.map(|moved| moved.place - shift));
            run(&candidate).filter(|made| made.len() < moves.len())
        })
    })
}

// Safe code, of which Miri would need minutes.
#[cfg(all(test, not(miri)))]
mod tests {
    use super::*;
    use crate::engine::meters::schedule::MoveKind;

    fn moved(place: u64) -> Moved {
        Moved { place, inside: 0, kind: MoveKind::AtFork, location: None }
    }

    /// Shortens the first 100 places, of a program whose result differs if all of `needed` are there.
    fn shrunk(needed: &[u64]) -> Vec<u64> {
        let run = |places: &[u64]| {
            let differs = needed.iter().all(|place| places.contains(place));
            differs.then(|| places.iter().copied().map(moved).collect())
        };
        places(&shrink((0..100).map(moved).collect(), run))
    }

    #[test]
    fn only_what_is_needed_is_left() {
        for needed in [&[0][..], &[99], &[3, 50], &[0, 1, 98, 99]] {
            assert_eq!(shrunk(needed), needed);
        }
    }

    #[test]
    fn places_after_a_move_that_is_left_out_are_found_again() {
        // The move at place 2 has 5 places inside; without it the place that matters is 14 instead of 20.
        let moves = vec![Moved { inside: 5, ..moved(2) }, moved(20)];
        let run = |places: &[u64]| match places {
            [2, 20] | [14] => Some(places.iter().copied().map(moved).collect()),
            _ => None,
        };
        assert_eq!(places(&shrink(moves, run)), [14]);
    }

    #[test]
    fn a_single_move_that_was_not_among_them_is_found() {
        let run = |places: &[u64]| match places {
            [_, _, _] | [1] => Some(places.iter().copied().map(moved).collect()),
            _ => None,
        };
        assert_eq!(places(&shrink(vec![moved(0), moved(7), moved(9)], run)), [1]);
    }

    #[test]
    fn no_more_runs_are_spent_than_allowed() {
        let runs = Cell::new(0);
        let run = |places: &[u64]| {
            runs.set(runs.get() + 1);
            (places.len() == 400).then(|| places.iter().copied().map(moved).collect())
        };
        assert_eq!(shrink((0..400).map(moved).collect(), run).len(), 400);
        assert_eq!(runs.get(), RUNS);
    }
}
