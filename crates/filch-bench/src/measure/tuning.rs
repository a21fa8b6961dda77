//! Rayon tuned by hand: the sweep that a patient user would make for one program at one size on one pool.
//!
//! The candidates are rayon as written, and `with_min_len` or `with_max_len` with each power of 4 up to the length of
//! the loop: first on the outer loops, then on the inner ones, then pairs of the fastest of both. The fastest
//! candidates run again in a final, in which they take turns.

use filch_kernels::runtime::{Tuning, Tunings};

use super::median::Median;

/// The factor between consecutive bounds.
const STEP: u64 = 4;

/// The number of samples per candidate.
const RUNS: usize = 3;

/// A candidate whose first sample takes this many times as long as the fastest candidate gets no other sample.
const HOPELESS: f64 = 3.0;

/// The number of outer and of inner candidates that are paired.
const PAIRED: usize = 3;

/// The number of candidates in the final, and the number of samples for each of them there.
const FINALISTS: usize = 5;
const FINAL_RUNS: usize = 7;

/// The tuning that makes loops of these lengths, outer loops first, fastest. `sample` measures one run.
pub fn fastest(lengths: &[u64], mut sample: impl FnMut(Tunings) -> f64) -> Tunings {
    let mut sweep = Sweep { tried: Vec::new(), sample: &mut sample };
    sweep.try_all([Tunings::NONE]);
    let [outer, inner] = [0, 1].map(|level| lengths.get(level).map_or(Vec::new(), |&length| bounds(length)));
    sweep.try_all(outer.into_iter().map(|outer| Tunings { outer, ..Tunings::NONE }));
    sweep.try_all(inner.into_iter().map(|inner| Tunings { inner, ..Tunings::NONE }));

    let outer = sweep.first(PAIRED, |tunings| tunings.outer != Tuning::NONE);
    let inner = sweep.first(PAIRED, |tunings| tunings.inner != Tuning::NONE);
    for Tunings { outer, .. } in outer {
        sweep.try_all(inner.iter().map(|&Tunings { inner, .. }| Tunings { outer, inner }));
    }

    let finalists = sweep.first(FINALISTS, |_| true);
    let mut times = vec![Vec::new(); finalists.len()];
    for _ in 0..FINAL_RUNS {
        for (tunings, times) in finalists.iter().zip(&mut times) {
            times.push(sample(*tunings));
        }
    }
    let medians = times.into_iter().map(|times| Median::of(times).value);
    let fastest = finalists.into_iter().zip(medians).min_by(|(_, one), (_, other)| one.total_cmp(other));
    fastest.map_or(Tunings::NONE, |(tunings, _)| tunings)
}

/// The powers of 4 from 1 to the first that is not below `length`, each as a lower and as an upper bound.
fn bounds(length: u64) -> Vec<Tuning> {
    let powers = std::iter::successors(Some(1), |bound| (*bound < length).then_some(bound * STEP));
    let bounds = powers.flat_map(|bound| {
        let bound = bound as usize;
        [Tuning { min_len: bound, ..Tuning::NONE }, Tuning { max_len: bound, ..Tuning::NONE }]
    });
    bounds.filter(|&tuning| tuning != Tuning::NONE).collect()
}

struct Sweep<'a> {
    /// The candidates so far, with their median times.
    tried: Vec<(Tunings, f64)>,
    sample: &'a mut dyn FnMut(Tunings) -> f64,
}

impl Sweep<'_> {
    fn try_all(&mut self, candidates: impl IntoIterator<Item = Tunings>) {
        for tunings in candidates {
            let mut times = vec![(self.sample)(tunings)];
            let fastest = self.tried.iter().map(|&(_, time)| time).reduce(f64::min).unwrap_or(f64::INFINITY);
            if times[0] < HOPELESS * fastest {
                times.extend((1..RUNS).map(|_| (self.sample)(tunings)));
            }
            self.tried.push((tunings, Median::of(times).value));
        }
    }

    /// The fastest candidates so far for which `is_meant` holds.
    fn first(&mut self, count: usize, is_meant: impl Fn(&Tunings) -> bool) -> Vec<Tunings> {
        self.tried.sort_by(|(_, one), (_, other)| one.total_cmp(other));
        self.tried.iter().map(|&(tunings, _)| tunings).filter(is_meant).take(count).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn min(min_len: usize) -> Tuning {
        Tuning { min_len, ..Tuning::NONE }
    }

    fn max(max_len: usize) -> Tuning {
        Tuning { max_len, ..Tuning::NONE }
    }

    /// The distance of a bound from the best one.
    fn distance(bound: usize, best: usize) -> f64 {
        (bound as f64 / best as f64).ln().abs()
    }

    #[test]
    fn bounds_go_from_one_to_the_length_and_are_no_larger_than_it_takes() {
        assert_eq!(bounds(5), [max(1), min(4), max(4), min(16), max(16)]);
        assert_eq!(bounds(1), [max(1)]);
        assert_eq!(bounds(16).last(), Some(&max(16)));
    }

    #[test]
    fn the_best_is_found_on_either_level_and_on_both() {
        let found = |time: fn(Tunings) -> f64| fastest(&[1000, 100_000], time);
        assert_eq!(found(|tunings| 1.0 + distance(tunings.outer.min_len, 64)).outer, min(64));
        assert_eq!(found(|tunings| 1.0 + distance(tunings.inner.min_len, 4096)).inner, min(4096));
        let both = |Tunings { outer, inner }| 1.0 + distance(outer.max_len, 16) + distance(inner.min_len, 256);
        assert_eq!(found(both), Tunings { outer: max(16), inner: min(256) });
    }

    #[test]
    fn loops_that_are_fastest_as_written_stay_so() {
        assert_eq!(fastest(&[1000], |tunings| if tunings == Tunings::NONE { 1.0 } else { 2.0 }), Tunings::NONE);
    }

    #[test]
    fn a_candidate_that_is_far_behind_is_not_tried_again() {
        let mut slow = 0;
        fastest(&[1000], |tunings| {
            let is_slow = tunings.outer == max(1);
            slow += u32::from(is_slow);
            if is_slow { 10.0 } else { 1.0 }
        });
        assert_eq!(slow, 1);
    }
}
