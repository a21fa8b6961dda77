//! What the workers of processes have done between two readings.

use std::thread;
use std::time::{Duration, Instant};

use super::page::{PageError, PoolNow, WorkerNow};
use super::process::Process;

/// How often a page is read in an interval, to see for which share of it each worker is busy.
const LOOKS: u32 = 50;

/// The pools of a process at the end of an interval, and what they have done in it.
#[derive(Debug)]
pub struct Rates {
    /// The length of the interval.
    pub elapsed: Duration,
    /// The pools.
    pub pools: Vec<PoolRates>,
}

/// A pool at the end of an interval.
#[derive(Debug)]
pub struct PoolRates {
    /// As it is then.
    pub now: PoolNow,
    /// Of each worker, in the order of the rows.
    pub workers: Vec<WorkerRates>,
}

/// What a worker has done in an interval.
#[derive(Clone, Debug, Default)]
pub struct WorkerRates {
    /// For which share of the time it was busy.
    pub busy: f64,
    /// What it has counted in a second, in the order of the counters.
    pub per_second: Vec<f64>,
}

/// Looks at all of these processes for so long.
pub fn measure(processes: &[Process], interval: Duration) -> Vec<Result<Rates, PageError>> {
    let begin = Instant::now();
    let read = || processes.iter().map(|process| process.page().now());
    let first: Vec<_> = read().collect();
    let mut looks: Vec<Vec<Vec<PoolNow>>> = processes.iter().map(|_| Vec::new()).collect();
    for look in 1..=LOOKS {
        let due = begin + interval * look / LOOKS;
        thread::sleep(due.saturating_duration_since(Instant::now()));
        for (looks, now) in looks.iter_mut().zip(read()) {
            looks.extend(now.ok());
        }
    }
    let last: Vec<_> = read().collect();
    let elapsed = begin.elapsed();
    let mut measured = Vec::new();
    for ((first, last), looks) in first.into_iter().zip(last).zip(&looks) {
        measured.push(first.and_then(|first| last.map(|last| Rates::between(&first, looks, last, elapsed))));
    }
    measured
}

impl Rates {
    /// What has been done from the first reading to the last one, with the readings between them.
    pub fn between(first: &[PoolNow], looks: &[Vec<PoolNow>], last: Vec<PoolNow>, elapsed: Duration) -> Rates {
        let pools = last.into_iter().map(|now| {
            let workers = now.rows.iter().map(|row| {
                let seen: Vec<_> = looks.iter().filter_map(|look| row_in(look, now.number, row.index)).collect();
                let busy = seen.iter().filter(|row| row.is_busy()).count();
                let earlier = row_in(first, now.number, row.index);
                // A pool that is new has done all of it in this time.
                let before = |place: usize| earlier.and_then(|row| row.counters.get(place)).copied().unwrap_or(0);
                let since = |(place, &count): (usize, &u64)| count.saturating_sub(before(place));
                WorkerRates {
                    busy: busy as f64 / seen.len().max(1) as f64,
                    per_second: (row.counters.iter().enumerate().map(since))
                        .map(|count| count as f64 / elapsed.as_secs_f64())
                        .collect(),
                }
            });
            PoolRates { workers: workers.collect(), now }
        });
        Rates { elapsed, pools: pools.collect() }
    }
}

fn row_in(pools: &[PoolNow], number: u64, index: u64) -> Option<&WorkerNow> {
    let pool = pools.iter().find(|pool| pool.number == number)?;
    pool.rows.iter().find(|row| row.index == index)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(number: u64, rows: &[(u64, &str, u64)]) -> PoolNow {
        let rows = rows.iter().map(|&(index, state, count)| WorkerNow {
            index,
            seat: index,
            state: state.to_owned(),
            is_occupied: true,
            counters: vec![count],
        });
        PoolNow { number, scheduler: "default".to_owned(), workers: 2, seats: 2, waiting: 0, rows: rows.collect() }
    }

    #[test]
    fn rates_are_differences_by_time_whichever_pools_have_come_and_gone() {
        let first = [pool(1, &[(0, "busy", 5)]), pool(2, &[(0, "busy", 100), (1, "busy", 7)])];
        let looks = [vec![pool(2, &[(0, "busy", 100)])], vec![pool(2, &[(0, "asleep", 100)])]];
        let last = vec![pool(2, &[(0, "busy", 200), (1, "asleep", 7)]), pool(3, &[(0, "asleep", 30)])];
        let rates = Rates::between(&first, &looks, last, Duration::from_secs(2));
        let [two, three] = &rates.pools[..] else { panic!("{rates:?}") };
        assert_eq!((two.workers[0].busy, &two.workers[0].per_second[..]), (0.5, &[50.0][..]));
        assert_eq!((two.workers[1].busy, &two.workers[1].per_second[..]), (0.0, &[0.0][..]));
        assert_eq!((three.now.number, &three.workers[0].per_second[..]), (3, &[15.0][..]));
    }
}
