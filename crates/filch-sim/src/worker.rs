//! A virtual worker. It is also the thread that occupies it, since there are as many threads as seats here.

use crate::claims::ClaimId;
use crate::course::Course;
use crate::order::Order;
use crate::shelf::Shelf;
use filch_policy::{Balancer, Look, Random, Rest, Searcher, Tier};

/// What a worker does. Its time in the agenda is when that ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Does {
    /// It runs a task: see its course.
    Works,
    /// It has made a pause, and looks for work.
    Looks,
    /// It is on its way to a victim.
    Visits { victim: usize },
    /// It has asked, and waits.
    Asks { victim: usize, since_ns: u64, answer: Option<Answer> },
    /// It has begun to take.
    Takes { victim: usize },
    /// It sleeps until it is called or until its time.
    Sleeps { watches: bool },
    /// It has been called, and runs soon.
    Wakes { watched: bool },
}

/// The answer to an ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Nothing,
    Frame(ClaimId),
}

/// The ask word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AskWord {
    Closed,
    Open,
    Asked { asker: usize },
}

/// A search among the others in the order of the policy, from one of them on.
#[derive(Default)]
pub(crate) struct Scan {
    pub(crate) order: Order,
    /// How many workers have been looked at.
    pub(crate) place: usize,
}

/// What one worker has done and suffered.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) busy_ns: u64,
    pub(crate) promotions: u64,
    pub(crate) gifts: u64,
    /// The longest time between a beat and the return that noticed it.
    pub(crate) longest_poll_ns: u64,
}

/// What every event of a busy worker reads comes first, in few cache lines.
#[repr(C, align(64))]
pub(crate) struct Worker {
    pub(crate) does: Does,
    pub(crate) course: Course,
    /// The tasks that it runs, nested in each other.
    pub(crate) tasks: Vec<ClaimId>,
    /// How many barriers have interrupted it.
    pub(crate) barriers_seen: u64,
    /// Until when a thief holds the lock of its ladder; 0 if none does.
    pub(crate) locked_until_ns: u64,
    /// What it waits for, and since when it has had nothing to do.
    pub(crate) waits: Option<ClaimId>,
    pub(crate) rest: Rest,
    /// The tier of what it runs, and those of the tasks below.
    pub(crate) tier: Tier,
    pub(crate) tiers: Vec<Tier>,
    pub(crate) ask_word: AskWord,
    /// When others may ask it and take from it again, as far as they know.
    pub(crate) gives_paid_ns: u64,
    pub(crate) takes_paid_ns: u64,
    pub(crate) silent_until_ns: u64,
    pub(crate) shelf: Shelf,
    pub(crate) random: Random,
    pub(crate) scan: Scan,
    /// What it wants a part of while it asks.
    pub(crate) wants: Option<ClaimId>,
    /// The number of successive refusals, and when it asks again.
    pub(crate) refusals: u64,
    pub(crate) asks_again_ns: u64,
    /// The beat that it has not noticed yet, and the time of the last one.
    pub(crate) beat_given_ns: Option<u64>,
    pub(crate) last_beat_ns: u64,
    pub(crate) searcher: Searcher,
    pub(crate) look: Look,
    pub(crate) busy_since_ns: u64,
    /// The number of its waits during which it runs a task.
    pub(crate) helps: u32,
    /// Whether it has made its squad busy.
    pub(crate) has_squad: bool,
    pub(crate) has_worked: bool,
    pub(crate) tally: Tally,
}

impl Worker {
    pub(crate) fn new(balancer: Balancer, seed: u64) -> Self {
        let searcher = Searcher::begin(0);
        Worker {
            does: Does::Sleeps { watches: false },
            course: Course::new(),
            tasks: Vec::new(),
            shelf: Shelf::new(balancer),
            ask_word: AskWord::Closed,
            wants: None,
            gives_paid_ns: 0,
            takes_paid_ns: 0,
            silent_until_ns: 0,
            refusals: 0,
            asks_again_ns: 0,
            locked_until_ns: 0,
            beat_given_ns: None,
            last_beat_ns: 0,
            random: Random::new(seed),
            scan: Scan::default(),
            searcher,
            look: searcher.look(0),
            waits: None,
            rest: Rest::begin(0),
            busy_since_ns: 0,
            tier: Tier::INTRA,
            tiers: Vec::new(),
            helps: 0,
            has_squad: false,
            barriers_seen: 0,
            has_worked: false,
            tally: Tally::default(),
        }
    }

    pub(crate) fn works(&self) -> bool {
        self.does == Does::Works
    }

    pub(crate) fn forget_refusals(&mut self) {
        (self.refusals, self.asks_again_ns) = (0, 0);
    }
}
