//! Several entrants solve one problem in turn, timed and checked.

use std::hint::black_box;
use std::time::Instant;

use filch_bench::failure::Failure;
use filch_bench::measure::median::Median;
use filch_bench::measure::order::order;
use filch_bench::show::numbers::scaled;
use filch_bench::show::progress::samples::Samples;

/// Names and numbers, in the order in which they are shown.
pub type Counted = Vec<(&'static str, u64)>;

/// Names and words, in the order in which they are shown.
pub type Explained = Vec<(&'static str, String)>;

/// Something that solves the problem.
pub struct Entrant<'a, A> {
    /// Its name: "serial" or "filch:SCHEDULER".
    pub runner: String,
    /// The algorithm that is asked for.
    pub algorithm: String,
    /// The number of workers.
    pub workers: usize,
    /// Solves the problem once, or fails with the reason why it cannot.
    pub solve: Box<dyn FnMut() -> Result<Solution<A>, Failure> + 'a>,
}

/// An answer, and how it was found.
pub struct Solution<A> {
    /// The answer.
    pub answer: A,
    /// The algorithm that was used, if the entrant has something to say about it.
    pub method: Option<String>,
    /// The counts of the run.
    pub counted: Counted,
    /// Whether the algorithm is a serial one, which leaves all workers but one idle.
    pub serial: bool,
    /// The facts by which the algorithm was chosen, the choice, and its reason, in words, each with its name.
    pub explained: Explained,
}

impl<A> From<A> for Solution<A> {
    fn from(answer: A) -> Self {
        Self { answer, method: None, counted: Vec::new(), serial: false, explained: Vec::new() }
    }
}

/// The results of an entrant over all runs.
pub struct Track<A> {
    /// The time of each run, in seconds.
    pub seconds: Vec<f64>,
    /// The solution of the last run.
    pub last: Solution<A>,
    /// What the check said about the first wrong answer.
    pub wrong: Option<String>,
}

impl<A> Track<A> {
    /// The median time.
    pub fn median(&self) -> f64 {
        Median::of(self.seconds.clone()).value
    }
}

/// The check of an answer. Its error says what is wrong.
pub type Check<'a, A> = &'a dyn Fn(&A) -> Result<(), String>;

/// Lets the entrants take turns for `runs` rounds. If there are several rounds, a warm-up round that is not timed comes
/// first. Checks every answer outside of the measured time, if there is a check. Fails if an entrant fails, except that
/// one that [gives up](Failure::OutOfStack) drops out, and has that failure instead of a track.
///
/// `edges` gives the number of edges that count for the rate, which the bar shows.
pub fn measure<A>(
    entrants: &mut [Entrant<'_, A>],
    runs: usize,
    check: Option<Check<'_, A>>,
    progress: &Samples,
    edges: &dyn Fn(&A) -> usize,
) -> Result<Vec<Result<Track<A>, Failure>>, Failure> {
    let mut tracks: Vec<Result<Option<Track<A>>, Failure>> = entrants.iter().map(|_| Ok(None)).collect();
    // A single run is what a program does that has one problem to solve: it starts with cold memory.
    let warm_up = usize::from(runs > 1);
    for round in 0..warm_up + runs {
        for place in order(round, entrants.len()) {
            let Ok(track) = &mut tracks[place] else {
                progress.step();
                continue;
            };
            // Dropping the previous answer first frees its memory, so that there is never more than one answer of each
            // entrant.
            let (mut seconds, mut wrong) =
                track.take().map_or_else(Default::default, |track| (track.seconds, track.wrong));
            let begin = Instant::now();
            let last = match black_box((entrants[place].solve)()) {
                Ok(last) => last,
                Err(gave_up @ Failure::OutOfStack { .. }) => {
                    tracks[place] = Err(gave_up);
                    progress.step();
                    continue;
                }
                Err(failure) => return Err(failure),
            };
            let time = begin.elapsed().as_secs_f64();
            if round >= warm_up {
                seconds.push(time);
            }
            if let Some(check) = check {
                wrong = wrong.or_else(|| check(&last.answer).err());
            }
            progress
                .step_at(|| format!("{} edges/s", scaled(edges(&last.answer) as f64 / time.max(f64::MIN_POSITIVE))));
            *track = Some(Track { seconds, last, wrong });
        }
    }
    Ok(tracks.into_iter().map(|track| track.map(|track| track.expect("there is at least one run"))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    #[test]
    fn entrants_take_turns_and_a_wrong_answer_stays_known() {
        let calls = RefCell::new(Vec::new());
        let entrant = |name: &'static str, wrong_at: usize| {
            let calls = &calls;
            let solve = move || {
                calls.borrow_mut().push(name);
                let own = calls.borrow().iter().filter(|&&call| call == name).count();
                Ok(Solution::from(if own == wrong_at { 0 } else { 7 }))
            };
            Entrant { runner: name.into(), algorithm: String::new(), workers: 1, solve: Box::new(solve) }
        };
        let mut entrants = [entrant("a", 2), entrant("b", 99)];
        let check = |answer: &i32| if *answer == 7 { Ok(()) } else { Err(format!("found {answer}")) };
        let tracks = measure(&mut entrants, 3, Some(&check), &Samples::hidden(), &|_| 0).unwrap();
        let tracks: Vec<_> = tracks.into_iter().map(Result::unwrap).collect();
        assert_eq!(tracks.iter().map(|track| track.seconds.len()).collect::<Vec<_>>(), [3, 3]);
        assert_eq!(tracks[0].wrong.as_deref(), Some("found 0"));
        assert_eq!((tracks[0].last.answer, &tracks[1].wrong), (7, &None));
        let calls = calls.borrow();
        for round in calls.chunks(2) {
            assert!(round == ["a", "b"] || round == ["b", "a"], "{calls:?}");
        }
        assert_eq!(calls.len(), 2 * (1 + 3));
    }

    #[test]
    fn a_single_run_is_the_first() {
        let mut count = 0;
        let solve = Box::new(|| {
            count += 1;
            Ok(Solution::from(count))
        });
        let mut entrants = [Entrant { runner: "a".into(), algorithm: String::new(), workers: 1, solve }];
        let tracks = measure(&mut entrants, 1, None, &Samples::hidden(), &|_| 0).unwrap();
        assert_eq!(tracks[0].as_ref().unwrap().last.answer, 1);
    }

    #[test]
    fn an_entrant_that_gives_up_drops_out_and_the_others_go_on() {
        let gives_up = |at: usize| {
            let mut calls = 0;
            let solve = move || {
                calls += 1;
                let failure = || Failure::OutOfStack { depth: 7, message: "too deep".into() };
                if calls < at { Ok(Solution::from(calls)) } else { Err(failure()) }
            };
            Entrant { runner: "a".into(), algorithm: String::new(), workers: 1, solve: Box::new(solve) }
        };
        for at in 1..4 {
            let mut entrants = [gives_up(at), gives_up(99)];
            let tracks = measure(&mut entrants, 3, None, &Samples::hidden(), &|_| 0).unwrap();
            assert!(matches!(&tracks[0], Err(Failure::OutOfStack { depth: 7, .. })), "at {at}");
            assert_eq!(tracks[1].as_ref().unwrap().seconds.len(), 3, "at {at}");
        }
    }
}
