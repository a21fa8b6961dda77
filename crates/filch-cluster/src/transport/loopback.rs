//! The network of ranks that are threads of one process.

use super::Transport;
use filch_policy::Random;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// What is under way between all ranks.
pub(crate) struct Network {
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
    pub(crate) fn new(ranks: usize) -> Arc<Self> {
        let boxes = (0..ranks).map(|_| Mutex::new(Inbox::new(ranks))).collect();
        let is_dead = (0..ranks).map(|_| AtomicBool::new(false)).collect();
        Arc::new(Network { boxes, is_dead })
    }

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
pub(crate) struct Endpoint {
    rank: usize,
    network: Arc<Network>,
    random: Random,
    longest_delay: Duration,
    /// The rank is lost when it is about to send a message after so many others.
    pub(crate) dies_after: Option<u64>,
    /// Which messages are spoilt.
    pub(crate) corrupts: Vec<u64>,
    sent: u64,
    /// Whose loss has been told.
    is_lost: Vec<bool>,
}

impl Endpoint {
    /// Messages are delayed by up to `longest_delay`. The caller is the thread of the rank.
    pub(crate) fn new(network: Arc<Network>, rank: usize, seed: u64, longest_delay: Duration) -> Self {
        network.inbox(rank).receiver = Some(std::thread::current());
        let is_lost = vec![false; network.boxes.len()];
        let random = Random::new(seed ^ (rank as u64) << 32);
        Endpoint { rank, network, random, longest_delay, dies_after: None, corrupts: Vec::new(), sent: 0, is_lost }
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
