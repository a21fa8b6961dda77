//! Ranks that are threads of one process.

use super::Transport;
use crate::cluster::Cluster;
use crate::error::ClusterError;
use filch::Pool;
use filch_policy::Random;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// Ranks that are threads of one process, each with a pool of its own, for tests: messages can be delayed and spoilt,
/// and ranks can be lost.
///
/// ```
/// use filch::{Node, Steps};
/// use filch_cluster::Loopback;
///
/// let counts = Loopback::new(3).run(|c| {
///     let words = Steps::new(
///         |word: &mut Vec<u8>| if word.len() == 5 { Node::Solution } else { Node::Choices(0..3_u8) },
///         |word: &mut Vec<u8>, letter| word.push(letter),
///         |word: &mut Vec<u8>, _| _ = word.pop(),
///     );
///     c.search(&words, Vec::new()).count()
/// })?;
/// assert_eq!(counts, [Ok(243), Ok(243), Ok(243)]);
/// # Ok::<(), filch_cluster::ClusterError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Loopback {
    ranks: usize,
    workers: usize,
    seed: u64,
    longest_delay: Duration,
    /// Ranks, and after how many messages they are lost.
    kills: Vec<(usize, u64)>,
    /// Ranks, and which of their messages is spoilt.
    corrupts: Vec<(usize, u64)>,
    survives: bool,
}

impl Loopback {
    /// So many ranks, with one worker each.
    pub fn new(ranks: usize) -> Self {
        Loopback {
            ranks: ranks.max(1),
            workers: 1,
            seed: 0,
            longest_delay: Duration::ZERO,
            kills: Vec::new(),
            corrupts: Vec::new(),
            survives: false,
        }
    }

    /// How many workers each rank has.
    #[must_use]
    pub fn workers(mut self, workers: usize) -> Self {
        self.workers = workers;
        self
    }

    /// For the random choices of the ranks and of the network.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Each message is delayed by a random time up to this.
    #[must_use]
    pub fn delay(mut self, longest: Duration) -> Self {
        self.longest_delay = longest;
        self
    }

    /// The rank is lost when it is about to send a message after so many others.
    #[must_use]
    pub fn kill(mut self, rank: usize, after: u64) -> Self {
        self.kills.push((rank, after));
        self
    }

    /// That message of the rank is spoilt; its first one is 0.
    #[must_use]
    pub fn corrupt(mut self, rank: usize, message: u64) -> Self {
        self.corrupts.push((rank, message));
        self
    }

    /// Whether searches go on when a rank is lost: [`Cluster::survive`].
    #[must_use]
    pub fn survive(mut self, survives: bool) -> Self {
        self.survives = survives;
        self
    }

    /// Runs `f` on each rank, and returns what it has returned on each.
    ///
    /// # Errors
    ///
    /// If a pool cannot be built.
    ///
    /// # Panics
    ///
    /// If `f` panics on a rank.
    pub fn run<R: Send>(&self, f: impl Fn(&Cluster) -> R + Sync) -> Result<Vec<R>, ClusterError> {
        let boxes = (0..self.ranks).map(|_| Mutex::new(Inbox::new(self.ranks))).collect();
        let is_dead = (0..self.ranks).map(|_| AtomicBool::new(false)).collect();
        let network = Arc::new(Network { boxes, is_dead });
        std::thread::scope(|threads| {
            let start = |rank| {
                let (network, f) = (Arc::clone(&network), &f);
                threads.spawn(move || {
                    let pool = Pool::builder().workers(self.workers).own_threads(true).build();
                    let pool = pool.map_err(|error| ClusterError::Pool(error.to_string()))?;
                    let cluster = Cluster::with(Box::new(Endpoint::new(self, rank, network)), pool)?;
                    cluster.seed(self.seed * self.ranks as u64 + rank as u64);
                    cluster.survive(self.survives);
                    Ok(cluster.run(f))
                })
            };
            let ranks = (0..self.ranks).map(start).collect::<Vec<_>>();
            ranks
                .into_iter()
                .map(|rank| rank.join().unwrap_or_else(|payload| std::panic::resume_unwind(payload)))
                .collect()
        })
    }
}

struct Network {
    boxes: Vec<Mutex<Inbox>>,
    is_dead: Vec<AtomicBool>,
}

/// What is under way to a rank, by sender.
struct Inbox {
    receiver: Option<Thread>,
    channels: Vec<VecDeque<(Instant, Vec<u8>)>>,
}

impl Inbox {
    fn new(ranks: usize) -> Self {
        Inbox { receiver: None, channels: vec![VecDeque::new(); ranks] }
    }
}

impl Network {
    fn inbox(&self, rank: usize) -> MutexGuard<'_, Inbox> {
        self.boxes[rank].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake(&self, rank: usize) {
        if let Some(receiver) = &self.inbox(rank).receiver {
            receiver.unpark();
        }
    }
}

/// One rank's end of the network.
struct Endpoint {
    rank: usize,
    network: Arc<Network>,
    random: Random,
    longest_delay: Duration,
    dies_after: Option<u64>,
    corrupts: Vec<u64>,
    sent: u64,
    /// Whose loss has been told.
    is_lost: Vec<bool>,
}

impl Endpoint {
    fn new(loopback: &Loopback, rank: usize, network: Arc<Network>) -> Self {
        let of_rank = |list: &[(usize, u64)]| {
            list.iter().filter(|&&(of, _)| of == rank).map(|&(_, count)| count).collect::<Vec<_>>()
        };
        network.inbox(rank).receiver = Some(std::thread::current());
        Endpoint {
            rank,
            network,
            random: Random::new(loopback.seed ^ (rank as u64) << 32),
            longest_delay: loopback.longest_delay,
            dies_after: of_rank(&loopback.kills).into_iter().min(),
            corrupts: of_rank(&loopback.corrupts),
            sent: 0,
            is_lost: vec![false; loopback.ranks],
        }
    }

    fn is_dead(&self, rank: usize) -> bool {
        self.network.is_dead[rank].load(Ordering::Acquire)
    }
}

impl Transport for Endpoint {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.is_lost.len()
    }

    fn send(&mut self, to: usize, bytes: &[u8]) {
        if self.dies_after.is_some_and(|after| self.sent >= after) && !self.is_dead(self.rank) {
            self.network.is_dead[self.rank].store(true, Ordering::Release);
            (0..self.size()).for_each(|rank| self.network.wake(rank));
        }
        if self.is_dead(self.rank) {
            return;
        }
        let mut bytes = bytes.to_vec();
        if self.corrupts.contains(&self.sent) {
            bytes.truncate(bytes.len().saturating_sub(1 + self.random.below(3)));
        }
        self.sent += 1;
        let delay = self.longest_delay.mul_f64(self.random.below(1_000) as f64 / 1_000.0);
        let mut inbox = self.network.inbox(to);
        inbox.channels[self.rank].push_back((Instant::now() + delay, bytes));
        if let Some(receiver) = &inbox.receiver {
            receiver.unpark();
        }
    }

    fn try_receive(&mut self) -> Option<(usize, Vec<u8>)> {
        if self.is_dead(self.rank) {
            return None;
        }
        let mut inbox = self.network.inbox(self.rank);
        let count = inbox.channels.len();
        let (start, now) = (self.random.below(count), Instant::now());
        let is_due = |from: &usize| inbox.channels[*from].front().is_some_and(|&(due, _)| due <= now);
        let from = (start..count).chain(0..start).find(is_due)?;
        inbox.channels[from].pop_front().map(|(_, bytes)| (from, bytes))
    }

    fn lost(&mut self) -> Vec<usize> {
        let lost = (0..self.size()).filter(|&rank| self.is_dead(rank) && !self.is_lost[rank]).collect::<Vec<_>>();
        lost.iter().for_each(|&rank| self.is_lost[rank] = true);
        lost
    }

    fn pause(&mut self, most: Duration) {
        // What has been sent but is delayed wakes nobody when it is due.
        let inbox = self.network.inbox(self.rank);
        let due = inbox.channels.iter().filter_map(|channel| channel.front()).map(|&(due, _)| due).min();
        drop(inbox);
        let pause = due.map_or(most, |due| most.min(due.saturating_duration_since(Instant::now())));
        std::thread::park_timeout(pause);
    }
}
