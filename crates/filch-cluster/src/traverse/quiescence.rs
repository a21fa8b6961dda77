//! When a traversal on several ranks is over: when two waves have found the same.
//!
//! Rank 0 begins a wave: it asks all ranks how quiet they are, and each answers at once, whatever it does. A report
//! counts the batches that the rank has sent, those that it has received, and its pieces of work that are not finished.
//! A batch counts as received from the moment at which its items count as active. If two waves in a row find the same,
//! as many batches received as sent, and nothing active, then the traversal is over (Mattern 1987, the method of four
//! counters).
//!
//! Why: the counts of batches only grow, so each rank has reported the same twice, and has neither sent nor received a
//! batch between its two reports. At the moment between the waves, when the first was complete and the second had not
//! begun, all of these counts held together. So no batch was under way then. And no rank had work, because it had none
//! at its first report, and got none since.
//!
//! `models/quiescence.pml` has the same with mistakes that break it.

use crate::message::Totals;

/// What rank 0 knows of waves. It has no clock.
pub(crate) struct Waves {
    ranks: usize,
    /// The number of the last wave.
    wave: u32,
    /// Which ranks have reported to it.
    has_reported: Vec<bool>,
    sum: Totals,
    /// What the wave before has found.
    before: Option<Totals>,
    /// What the last wave has found.
    verdict: Option<Verdict>,
}

/// What a wave has found that is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The traversal is over.
    Over,
    /// It may be: a second wave should come at once.
    Likely,
    /// Some rank has work, or a batch is under way.
    Busy,
}

impl Waves {
    pub(crate) fn new(ranks: usize) -> Self {
        let has_reported = vec![true; ranks];
        Waves { ranks, wave: 0, has_reported, sum: Totals::default(), before: None, verdict: Some(Verdict::Busy) }
    }

    /// Begins a wave, to which rank 0 reports this. Returns its number, which the others are told.
    pub(crate) fn begin(&mut self, own: Totals) -> u32 {
        self.wave += 1;
        self.has_reported = vec![false; self.ranks];
        self.has_reported[0] = true;
        self.sum = own;
        self.verdict = None;
        self.judge();
        self.wave
    }

    /// A report has come. An error if nobody has asked for it.
    pub(crate) fn hear(&mut self, from: usize, wave: u32, totals: Totals) -> Result<(), String> {
        if wave != self.wave || std::mem::replace(&mut self.has_reported[from], true) {
            return Err(format!("it is a report to wave {wave}, expected one from each rank to wave {}", self.wave));
        }
        let Totals { sent, received, active } = self.sum;
        let sum = |a: u64, b: u64| a.saturating_add(b);
        self.sum = Totals {
            sent: sum(sent, totals.sent),
            received: sum(received, totals.received),
            active: sum(active, totals.active),
        };
        self.judge();
        Ok(())
    }

    /// What the last wave has found. `None` if it is not complete.
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    /// Once for each wave.
    fn judge(&mut self) {
        if self.has_reported.iter().any(|&has_reported| !has_reported) {
            return;
        }
        let found = self.sum;
        let is_quiet = found.sent == found.received && found.active == 0;
        self.verdict = Some(match self.before.replace(found) {
            Some(before) if is_quiet && before == found => Verdict::Over,
            _ if is_quiet => Verdict::Likely,
            _ => Verdict::Busy,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    /// What is under way between two ranks.
    #[derive(Clone, Copy)]
    enum Under {
        /// A batch that makes so much work.
        Batch(u32),
        Wave(u32),
        Report(u32, Totals),
    }

    /// Ranks that work, and messages between them that take any time. Returns how many steps it took, after checking
    /// that the traversal was over when the waves said so.
    fn simulate(seed: u64, ranks: usize) -> usize {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut waves = Waves::new(ranks);
        // Work of each rank, and how much it may still send.
        let mut work = (0..ranks).map(|_| random.u32(..3)).collect::<Vec<_>>();
        let mut totals = vec![Totals::default(); ranks];
        let mut under = vec![VecDeque::new(); ranks * ranks];
        let mut budget = random.u32(..200);
        for step in 0.. {
            let rank = random.usize(..ranks);
            let report =
                |totals: &[Totals], work: &[u32], rank: usize| Totals { active: work[rank].into(), ..totals[rank] };
            match random.u32(..3) {
                0 if work[rank] > 0 => {
                    let to = random.usize(..ranks);
                    if to != rank && budget > 0 && random.bool() {
                        budget -= 1;
                        totals[rank].sent += 1;
                        under[rank * ranks + to].push_back(Under::Batch(1 + random.u32(..2)));
                    } else {
                        work[rank] -= 1;
                    }
                }
                1 => {
                    let from = random.usize(..ranks);
                    match under[from * ranks + rank].pop_front() {
                        None => {}
                        Some(Under::Batch(more)) => {
                            totals[rank].received += 1;
                            work[rank] += more;
                        }
                        Some(Under::Wave(wave)) => {
                            let report = Under::Report(wave, report(&totals, &work, rank));
                            under[rank * ranks].push_back(report);
                        }
                        Some(Under::Report(wave, totals)) => waves.hear(from, wave, totals).expect("a report"),
                    }
                }
                2 if rank == 0 && waves.verdict().is_some() => {
                    if waves.verdict() == Some(Verdict::Over) {
                        assert!(work.iter().all(|&work| work == 0), "seed {seed}, step {step}: {work:?}");
                        assert!(under.iter().all(VecDeque::is_empty), "seed {seed}, step {step}: under way");
                        return step;
                    }
                    let wave = waves.begin(report(&totals, &work, 0));
                    (1..ranks).for_each(|to| under[to].push_back(Under::Wave(wave)));
                }
                _ => {}
            }
            assert!(step < 1_000_000, "seed {seed}: it does not end");
        }
        unreachable!("the loop has no other end")
    }

    #[test]
    fn whatever_the_delays_are_the_waves_end_after_the_last_work_and_not_before() {
        for seed in 0..2_000 {
            simulate(seed, 1 + seed as usize % 6);
        }
    }

    #[test]
    fn a_report_that_nobody_has_asked_for_is_an_error() {
        let mut waves = Waves::new(2);
        assert!(waves.hear(1, 1, Totals::default()).is_err());
        let wave = waves.begin(Totals::default());
        assert!(waves.hear(1, wave + 1, Totals::default()).is_err() && waves.hear(0, wave, Totals::default()).is_err());
        assert!(waves.hear(1, wave, Totals::default()).is_ok() && waves.hear(1, wave, Totals::default()).is_err());
    }
}
