//! A toy runtime. Its workers, frames and clock are numbers, and the policy makes all its decisions. A frame is a tree
//! with a number of levels. To run one, a worker goes down in the tree, leaves a branch on its ladder at each level,
//! and runs the leaf.

use filch_policy::*;
use std::collections::VecDeque;

#[derive(Clone, Copy)]
enum Does {
    Leaf,
    Look(Look),
    Ask { victim: usize, since_ns: u64 },
    Sleep { since_ns: u64 },
}

struct Worker {
    does: Does,
    until_ns: u64,
    ladder: VecDeque<u32>,
    asker: Option<usize>,
    noted: Victim,
    searcher: Searcher,
    random: Random,
    gifts: u64,
}

struct Toy {
    rules: Rules,
    workers: Vec<Worker>,
    shelf: VecDeque<u32>,
    now_ns: u64,
    barriers_ns: u64,
    team_silent_until_ns: u64,
    leaves: u64,
    asks: u64,
    takes: u64,
}

/// The state, and what changes it.
impl Toy {
    fn set(&mut self, me: usize, does: Does, for_ns: u64) {
        (self.workers[me].does, self.workers[me].until_ns) = (does, self.now_ns + for_ns);
    }

    fn look_anew(&mut self, me: usize, after_ns: u64) {
        self.set(me, Does::Look(self.workers[me].searcher.look(self.now_ns + after_ns)), after_ns);
    }

    fn pays(&mut self, me: usize) -> bool {
        let worker = &mut self.workers[me];
        let paid = self.rules.give().spend(worker.noted.gives_paid_ns, self.now_ns);
        worker.gifts += u64::from(paid.is_some());
        paid.inspect(|&paid_ns| worker.noted.gives_paid_ns = paid_ns).is_some()
    }

    fn asleep(&self) -> Vec<usize> {
        (0..self.workers.len()).filter(|&me| matches!(self.workers[me].does, Does::Sleep { .. })).collect()
    }

    fn has_work(&self) -> bool {
        !self.shelf.is_empty() || self.workers.iter().any(|worker| !worker.ladder.is_empty())
    }

    fn take(&mut self, me: usize, victim: usize) -> bool {
        let Worker { ladder, noted, .. } = &mut self.workers[victim];
        let paid = Paid { barriers_ns: self.barriers_ns, ..noted.takes_paid };
        let Some(paid) = self.rules.interrupt(paid, self.now_ns).filter(|_| !ladder.is_empty()) else { return false };
        (noted.takes_paid, self.barriers_ns) = (paid, paid.barriers_ns);
        self.takes += 1;
        let frame = ladder.pop_front().expect("it is not empty");
        self.run(me, frame, 15_000);
        true
    }

    fn sight(&self, victim: usize) -> Victim {
        let Worker { does, asker, noted, .. } = &self.workers[victim];
        let word = match does {
            Does::Leaf if asker.is_none() => Word::Open,
            Does::Leaf => Word::Asked,
            _ => Word::Closed,
        };
        let takes_paid = Paid { barriers_ns: self.barriers_ns, ..noted.takes_paid };
        Victim { word, takes_paid, team_silent_until_ns: self.team_silent_until_ns, ..*noted }
    }
}

/// The main loop, in fewer than a hundred lines: which worker does what, and when.
impl Toy {
    /// The worker whose time comes first does its next step.
    fn step(&mut self) {
        let me = (0..self.workers.len()).min_by_key(|&me| self.workers[me].until_ns).expect("a worker");
        self.now_ns = self.workers[me].until_ns;
        match self.workers[me].does {
            Does::Leaf => self.end_leaf(me),
            Does::Look(look) => self.look(me, look),
            Does::Ask { victim, since_ns } => self.wait(me, victim, since_ns),
            Does::Sleep { .. } => self.wake(me, false),
        }
    }

    fn end_leaf(&mut self, me: usize) {
        self.leaves += 1;
        if let Some(asker) = self.workers[me].asker.take() {
            self.team_silent_until_ns = 0;
            let oldest = self.workers[me].ladder.front().map(|_| None::<()>);
            let is_given = self.pays(me) && Gifts { oldest, popped: None }.choose(None) == Gift::Oldest;
            match is_given.then(|| self.workers[me].ladder.pop_front()).flatten() {
                Some(frame) => self.run(asker, frame, 1_000),
                None => self.look_anew(asker, 0),
            }
        }
        if let Some(frame) = self.workers[me].ladder.pop_back().or_else(|| self.shelf.pop_front()) {
            return self.run(me, frame, 0);
        }
        self.workers[me].searcher.note_work(self.now_ns);
        self.look_anew(me, 0);
    }

    fn run(&mut self, me: usize, frame: u32, after_ns: u64) {
        let is_long = self.workers[me].random.below(64) == 0;
        self.set(me, Does::Leaf, after_ns + if is_long { 300_000 } else { 1_000 });
        for branch in (0..frame).rev() {
            let idle = self.workers.iter().filter(|worker| !matches!(worker.does, Does::Leaf)).count();
            if self.rules.leaves(idle > 0) && self.pays(me) {
                self.shelf.push_back(branch);
                let asleep = self.asleep();
                let calls = calls_one(self.shelf.len(), idle, asleep.len());
                asleep.first().filter(|_| calls).inspect(|&&sleeper| self.wake(sleeper, true));
            } else {
                self.workers[me].ladder.push_back(branch);
                self.asleep().into_iter().for_each(|sleeper| self.wake(sleeper, true));
            }
        }
    }

    fn wake(&mut self, me: usize, is_called: bool) {
        self.workers[me].searcher.note_woken(is_called, self.now_ns);
        let looks = self.workers[me].searcher.looks(|| self.has_work());
        if looks { self.look_anew(me, 30_000) } else { self.sleep(me) }
    }

    fn sleep(&mut self, me: usize) {
        let (Plan::Nap(time) | Plan::Watch(time)) = self.workers[me].searcher.plan(self.now_ns, self.has_work());
        self.set(me, Does::Sleep { since_ns: self.now_ns }, time.as_nanos() as u64);
    }

    fn look(&mut self, me: usize, mut look: Look) {
        if let Some(frame) = self.shelf.pop_front() {
            return self.run(me, frame, 1_000);
        }
        let neighbours =
            Neighbours { me, seat: me, workers: self.workers.len(), count: self.workers.len(), rings: None };
        let first = |n| self.rules.first_of(n, &mut self.workers[me].random);
        for victim in neighbours.order(first).collect::<Vec<_>>() {
            match self.rules.approach(&self.sight(victim), 0, self.now_ns) {
                Approach::Ask if !self.workers[victim].ladder.is_empty() => {
                    (self.workers[victim].asker, self.asks) = (Some(me), self.asks + 1);
                    return self.set(me, Does::Ask { victim, since_ns: self.now_ns }, 2_000);
                }
                Approach::Take if self.take(me, victim) => return,
                _ => {}
            }
        }
        let turns = look.next_turns();
        if look.goes_on(|| self.now_ns) {
            self.set(me, Does::Look(look), 10 * u64::from(turns))
        } else {
            self.sleep(me)
        }
    }

    fn wait(&mut self, me: usize, victim: usize, since_ns: u64) {
        let paid = self.sight(victim).takes_paid;
        let others = || (0..self.workers.len()).any(|other| other != victim && !self.workers[other].ladder.is_empty());
        if !self.rules.gives_up(self.now_ns - since_ns, paid, self.now_ns, others) {
            return self.set(me, Does::Ask { victim, since_ns }, 2_000);
        }
        let silence = self.rules.silence(self.now_ns);
        self.workers[victim].asker = None;
        self.workers[victim].noted.silent_until_ns = silence.victim_until_ns;
        self.team_silent_until_ns = silence.team_until_ns;
        if !(self.rules.takes() && self.take(me, victim)) {
            self.look_anew(me, 0);
        }
    }
}

const LEVELS: u32 = 12;

const BEGIN_NS: u64 = 1_000_000_000;

/// Waits until all workers but one have been asleep for long. Then gives a tree to that one, and runs until the tree is
/// done. The first leaf takes `first_leaf_ns`. Meanwhile there is work on the ladder of that worker that others can get
/// only by taking.
fn run(scheduler: &str, workers: usize, seed: u64, first_leaf_ns: u64) -> Toy {
    const LONGEST_NAP_NS: u64 = 10_000_000;
    let takes_paid = Paid { victim_ns: 0, barriers_ns: 0 };
    let noted = Victim { word: Word::Open, gives_paid_ns: 0, takes_paid, silent_until_ns: 0, team_silent_until_ns: 0 };
    let searcher = Searcher::begin(0);
    let worker = |me| Worker {
        does: if me == 0 { Does::Leaf } else { Does::Look(searcher.look(0)) },
        until_ns: if me == 0 { u64::MAX } else { 0 },
        ladder: VecDeque::new(),
        asker: None,
        noted,
        searcher,
        random: Random::new(seed + me as u64),
        gifts: 0,
    };
    let mut toy = Toy {
        rules: Rules::new(&scheduler.parse().expect("a scheduler"), Costs::ASSUMED, true),
        workers: (0..workers).map(worker).collect(),
        shelf: VecDeque::new(),
        now_ns: 0,
        barriers_ns: 0,
        team_silent_until_ns: 0,
        leaves: 0,
        asks: 0,
        takes: 0,
    };
    while toy.workers.iter().any(|worker| worker.until_ns <= BEGIN_NS) {
        toy.step();
    }
    toy.now_ns = BEGIN_NS;
    toy.run(0, LEVELS, 0);
    toy.set(0, Does::Leaf, first_leaf_ns);
    let mut work_since_ns = BEGIN_NS;
    while toy.leaves < 1 << LEVELS {
        toy.step();
        work_since_ns = if toy.has_work() { work_since_ns } else { toy.now_ns };
        for sleeper in toy.asleep() {
            let Does::Sleep { since_ns } = toy.workers[sleeper].does else { unreachable!("it is asleep") };
            let beside_ns = toy.now_ns - work_since_ns.max(since_ns);
            assert!(beside_ns <= LONGEST_NAP_NS, "{sleeper} has slept beside work for {beside_ns} ns: {scheduler}");
        }
    }
    toy
}

/// Runs the toy under each of these schedulers, with several numbers of workers and several seeds.
fn for_each_run(schedulers: &[&str], mut check: impl FnMut(&str, &Toy)) {
    for scheduler in schedulers {
        for workers in [1, 2, 5, 16] {
            (0..3).for_each(|seed| check(scheduler, &run(scheduler, workers, seed, 200_000_000)));
        }
    }
}

#[test]
fn all_work_is_done_once_and_every_worker_is_back_without_any() {
    let schedulers = ["default", "default,period=0ns", "default,patience=never", "cilk5", "cilk5,period=1ms", "serial"];
    for_each_run(&schedulers, |scheduler, toy| {
        assert_eq!((toy.leaves, toy.has_work()), (1 << LEVELS, false), "{scheduler}");
    });
}

#[test]
fn in_any_time_a_worker_gives_no_more_often_than_once_a_period_and_a_burst() {
    for_each_run(&["default", "default,period=100us", "default,patience=never"], |scheduler, toy| {
        let most = toy.now_ns / toy.rules.give().period_ns() + 8;
        assert!(toy.workers.iter().all(|worker| worker.gifts <= most), "{scheduler}");
    });
}

#[test]
fn under_cilk5_nobody_asks_and_with_patience_for_ever_nobody_takes() {
    for_each_run(&["cilk5"], |_, toy| assert!(toy.asks == 0 && (toy.takes > 0 || toy.workers.len() == 1)));
    let patient = ["default,patience=never"];
    for_each_run(&patient, |_, toy| assert!(toy.takes == 0 && (toy.asks > 0 || toy.workers.len() == 1)));
    for_each_run(&["serial"], |_, toy| assert_eq!((toy.asks, toy.takes), (0, 0)));
}

#[test]
fn several_workers_are_done_sooner_than_one() {
    for scheduler in ["default", "default,patience=never", "cilk5"] {
        let took = |workers| run(scheduler, workers, 1, 1_000).now_ns - BEGIN_NS;
        let (one, four) = (took(1), took(4));
        assert!(four < one / 2, "{scheduler}: {one} ns by one, {four} ns by four");
    }
}
