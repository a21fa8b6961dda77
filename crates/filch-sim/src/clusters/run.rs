//! The clock: workers come to the ends of their pieces, communication threads look for messages.

use super::rank::{Mail, Message, Part, PartId, Piece, Rank, Worker};
use super::walk::Walk;
use super::{Cluster, ClusterOutcome};
use crate::agenda::{Agenda, NEVER};
use filch_policy::cluster::{Ask, Asking, pause_beside_ns};
use filch_policy::{Credit, Random, SPREAD};
use std::cmp::Reverse;

/// How long an idle worker of a rank that has work waits before it looks at the other workers of the rank again.
const LOOK_AGAIN_NS: u64 = 10_000;

/// A worker splits off at most once per so many times what that costs it, after a burst, as the runtime has it.
const PERIOD_SPLITS: u64 = 20;
const BURST: u64 = 8;

/// No communication thread looks again sooner.
const LEAST_NS: u64 = 1_000;

/// The bytes of a message beside a workspace.
const HEAD_BYTES: u64 = 64;

struct Run<'c> {
    cluster: &'c Cluster,
    now_ns: u64,
    /// Workers, rank by rank, and then communication threads.
    agenda: Agenda,
    workers: Vec<Worker>,
    ranks: Vec<Rank>,
    parts: Vec<Part>,
    random: Random,
    sent: u64,
    begun: usize,
    is_over: bool,
    outcome: ClusterOutcome,
}

impl Cluster {
    /// Runs the search once. Equal seeds give equal runs.
    ///
    /// Takes some microseconds for each part that moves and each look of a communication thread: for 10^9 nodes on 256
    /// ranks of 16 workers a few seconds.
    ///
    /// # Panics
    ///
    /// If there are no ranks, no workers or no nodes.
    pub fn run(&self, seed: u64) -> ClusterOutcome {
        run(self, seed)
    }
}

fn run(cluster: &Cluster, seed: u64) -> ClusterOutcome {
    let (ranks, workers) = (cluster.ranks, cluster.all_workers());
    assert!(workers > 0 && cluster.nodes > 0, "expected ranks, workers and nodes");
    let asking = |rank| {
        let seed = seed.wrapping_mul(SPREAD).wrapping_add(rank as u64);
        Asking::new(rank, cluster.workers, cluster.links.rings(rank, ranks), Random::new(seed))
    };
    let mut run = Run {
        cluster,
        now_ns: 0,
        agenda: Agenda::new(workers + ranks),
        workers: (0..workers).map(|_| Worker::default()).collect(),
        ranks: (0..ranks).map(|rank| Rank::new(asking(rank))).collect(),
        parts: vec![Part { giver: None, pending: 1 }],
        random: Random::new(seed),
        sent: 0,
        begun: 0,
        is_over: false,
        outcome: ClusterOutcome::default(),
    };
    run.start(0, Piece { part: 0, walk: Walk::whole(cluster.shape.root(seed, cluster.nodes)) }, 0);
    (0..ranks).for_each(|rank| run.agenda.set(workers + rank, 0));
    while !run.is_over {
        let (actor, now_ns) = run.agenda.first().expect("a search that is not over has somebody who works on it");
        run.now_ns = now_ns;
        match actor.checked_sub(workers) {
            None => run.work(actor),
            Some(rank) => run.look(rank),
        }
    }
    run.outcome.time_ns = run.now_ns;
    run.outcome
}

impl Run<'_> {
    /// The workers of a rank.
    fn team(&self, rank: usize) -> std::ops::Range<usize> {
        let each = self.cluster.workers;
        rank * each..(rank + 1) * each
    }

    /// A worker begins a piece, after some time.
    fn start(&mut self, worker: usize, piece: Piece, after_ns: u64) {
        let at_ns = self.now_ns + after_ns;
        let it = &mut self.workers[worker];
        if !std::mem::replace(&mut it.has_begun, true) {
            self.begun += 1;
            if self.begun * 10 >= self.workers.len() * 9 && self.outcome.ramp_ns == 0 {
                self.outcome.ramp_ns = at_ns.max(1);
            }
        }
        let it = &mut self.workers[worker];
        it.at_ns = at_ns;
        it.piece = Some(piece);
        self.plan(worker);
        // The others of the rank may find something here.
        let team = self.team(worker / self.cluster.workers);
        for other in team {
            if self.workers[other].piece.is_none() && self.agenda.time(other) == NEVER {
                self.agenda.set(other, at_ns + LOOK_AGAIN_NS);
            }
        }
    }

    /// Sets the time at which a worker comes to the end of its piece.
    fn plan(&mut self, worker: usize) {
        let Worker { piece, at_ns, .. } = &self.workers[worker];
        let rest = piece.as_ref().map_or(0, |piece| piece.walk.rest());
        self.agenda.set(worker, at_ns + rest * self.cluster.costs.node_ns);
    }

    /// Carries out what a worker has done until now.
    fn catch_up(&mut self, worker: usize) {
        let Worker { piece, at_ns, .. } = &mut self.workers[worker];
        let Some(piece) = piece else { return };
        let node_ns = self.cluster.costs.node_ns;
        let nodes = (self.now_ns.saturating_sub(*at_ns) / node_ns).min(piece.walk.rest());
        piece.walk.advance(self.cluster.shape, nodes);
        *at_ns += nodes * node_ns;
        self.outcome.nodes += nodes;
    }

    /// Splits a piece off from what a worker has, which pays for it.
    fn split(&mut self, worker: usize) -> Option<Piece> {
        self.catch_up(worker);
        let credit = Credit::new(PERIOD_SPLITS * self.cluster.costs.split_ns, BURST);
        let it = &mut self.workers[worker];
        let paid_ns = credit.spend(it.paid_ns, self.now_ns)?;
        let piece = it.piece.as_mut()?;
        let walk = piece.walk.split_off()?;
        it.paid_ns = paid_ns;
        let part = piece.part;
        it.at_ns = it.at_ns.max(self.now_ns) + self.cluster.costs.split_ns;
        self.parts[part].pending += 1;
        self.plan(worker);
        Some(Piece { part, walk })
    }

    /// The workers of a rank, from a random one on.
    fn team_from_any(&mut self, rank: usize) -> impl Iterator<Item = usize> + use<> {
        let (team, first) = (self.team(rank), self.random.below(self.cluster.workers));
        (team.start + first..team.end).chain(team.start..team.start + first)
    }

    /// A piece from any worker of the rank.
    fn split_any(&mut self, rank: usize) -> Option<Piece> {
        self.team_from_any(rank).find_map(|worker| self.split(worker))
    }

    /// A worker has come to the end of its piece, or looks again.
    fn work(&mut self, worker: usize) {
        self.catch_up(worker);
        let rank = worker / self.cluster.workers;
        if let Some(piece) = self.workers[worker].piece.take() {
            debug_assert_eq!(piece.walk.rest(), 0);
            self.ranks[rank].ended.push(piece.part);
        }
        if let Some(piece) = self.split_any(rank) {
            self.outcome.local += 1;
            self.start(worker, piece, self.cluster.costs.local_ns);
        } else if self.team(rank).any(|other| self.workers[other].piece.is_some()) {
            self.agenda.set(worker, self.now_ns + LOOK_AGAIN_NS);
        } else {
            self.agenda.set(worker, NEVER);
        }
    }

    fn send(&mut self, from: usize, to: usize, message: Message, bytes: u64) {
        self.sent += 1;
        self.outcome.bytes += bytes;
        let transfer_ns = bytes * 1_000 / self.cluster.costs.bytes_per_us;
        // The workers split off at their next nodes.
        let costs = &self.cluster.costs;
        let split_ns = if matches!(message, Message::Give { .. }) { costs.node_ns + costs.split_ns } else { 0 };
        let arrives_ns = self.now_ns + split_ns + self.cluster.links.latency_ns(from, to) + transfer_ns;
        self.ranks[to].mail.push(Reverse(Mail { arrives_ns, number: self.sent, from, message }));
    }

    /// The communication thread of a rank looks for messages, and does what is to be done.
    fn look(&mut self, rank: usize) {
        self.outcome.looks += 1;
        let sent = self.sent;
        let mut has_happened = false;
        while let Some(mail) = self.ranks[rank].arrived(self.now_ns) {
            has_happened = true;
            self.hear(rank, mail);
        }
        for part in std::mem::take(&mut self.ranks[rank].ended) {
            has_happened = true;
            self.settle(rank, part);
        }
        let busy = self.tick(rank);
        let wanted = self.wanted(rank, busy);
        let it = &mut self.ranks[rank];
        if has_happened || self.sent > sent {
            it.since_ns = self.now_ns;
        }
        let awaits = !it.asking.is_quiet() || wanted > 0;
        let workers = if busy > 0 { self.cluster.workers } else { 0 };
        let pause = pause_beside_ns(workers, awaits, self.now_ns - it.since_ns);
        let pause = pause.min(self.cluster.longest_pause_ns.unwrap_or(u64::MAX));
        let pause = it.asking.next_ns().checked_sub(self.now_ns).map_or(pause, |until| pause.min(until)).max(LEAST_NS);
        self.agenda.set(self.workers.len() + rank, self.now_ns + pause);
    }

    fn hear(&mut self, rank: usize, Mail { from, message, .. }: Mail) {
        let now_ns = self.now_ns;
        let it = &mut self.ranks[rank];
        match message {
            Message::Ask { seq, parks, lacks } => {
                it.asked.push(Ask { rank: from, seq, parks, lacks, since_ns: now_ns });
            }
            Message::Refuse { seq } => assert!(it.asking.answered(from, seq, true, now_ns)),
            Message::Give { seq, pieces } => {
                assert!(it.asking.answered(from, seq, false, now_ns));
                it.stock.extend(pieces);
            }
            Message::Result { part } => self.settle(rank, part),
        }
    }

    /// A piece of a part has come to its end.
    fn settle(&mut self, rank: usize, part: PartId) {
        let it = &mut self.parts[part];
        it.pending -= 1;
        match it.giver {
            _ if it.pending > 0 => {}
            None => self.is_over = true,
            Some((giver, part)) => self.send(rank, giver, Message::Result { part }, HEAD_BYTES),
        }
    }

    /// What the protocol does after a look: begin, split off, give, refuse, ask. Returns how many workers are busy.
    fn tick(&mut self, rank: usize) -> usize {
        let mut idle: Vec<usize> = self.team(rank).filter(|&worker| self.workers[worker].piece.is_none()).collect();
        let lacking = idle.len();
        while let Some(&worker) = idle.last()
            && let Some(piece) = self.ranks[rank].stock.pop_front()
        {
            self.start(worker, piece, self.cluster.costs.wake_ns);
            idle.pop();
        }
        let busy = self.cluster.workers - idle.len();
        self.interrupt(rank, busy);
        loop {
            let it = &mut self.ranks[rank];
            let Some((ask, count)) = it.asked.next(it.stock.len(), busy, self.now_ns) else { break };
            let pieces = it.stock.drain(..count).collect();
            self.give(rank, ask, pieces);
        }
        for Ask { rank: to, seq, .. } in self.ranks[rank].asked.refused(busy > 0, self.now_ns) {
            self.outcome.refusals += 1;
            self.send(rank, to, Message::Refuse { seq }, HEAD_BYTES);
        }
        if idle.len() == lacking && lacking > 0 {
            for Ask { rank: to, seq, parks, lacks, .. } in self.ranks[rank].asking.ask(busy == 0, lacking, self.now_ns)
            {
                self.outcome.asks += 1;
                self.outcome.parked += u64::from(parks);
                self.send(rank, to, Message::Ask { seq, parks, lacks }, HEAD_BYTES);
            }
        }
        busy
    }

    /// How many pieces are to be split off for other ranks, beside those that have been.
    fn wanted(&self, rank: usize, busy: usize) -> usize {
        let it = &self.ranks[rank];
        it.asked.wanted(busy).saturating_sub(it.stock.len())
    }

    /// Has the workers of a rank split off what other ranks want: whichever of them come to their next nodes first, and
    /// each once.
    fn interrupt(&mut self, rank: usize, busy: usize) {
        let wanted = self.wanted(rank, busy);
        if !self.ranks[rank].interrupts.is_due(wanted, self.now_ns) {
            return;
        }
        let workers = self.team_from_any(rank);
        let pieces: Vec<Piece> = workers.filter_map(|worker| self.split(worker)).take(wanted).collect();
        self.ranks[rank].stock.extend(pieces);
    }

    fn give(&mut self, rank: usize, Ask { rank: to, seq, .. }: Ask, pieces: Vec<Piece>) {
        self.outcome.gives += 1;
        self.outcome.pieces += pieces.len() as u64;
        let mut bytes = HEAD_BYTES;
        let mut given = Vec::new();
        for Piece { part, walk } in pieces {
            bytes += self.cluster.costs.level_bytes * walk.depth() as u64;
            self.parts.push(Part { giver: Some((rank, part)), pending: 1 });
            given.push(Piece { part: self.parts.len() - 1, walk });
        }
        self.send(rank, to, Message::Give { seq, pieces: given }, bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cluster, Link, Links, Shape};

    fn small(shape: Shape, ranks: usize) -> Cluster {
        Cluster { workers: 4, ..Cluster::new(shape, 200_000, Links::even(ranks, 10_000)) }
    }

    #[test]
    fn every_node_is_visited_once_and_equal_seeds_give_equal_runs() {
        for shape in [Shape::Geometric, Shape::Binomial] {
            for ranks in [1, 2, 3, 8] {
                let cluster = small(shape, ranks);
                for seed in 0..3 {
                    let outcome = cluster.run(seed);
                    assert_eq!(outcome.nodes, cluster.nodes, "{shape:?} on {ranks} ranks");
                    assert!(outcome.efficiency(&cluster) <= 1.0);
                    assert_eq!(outcome, cluster.run(seed));
                }
            }
        }
    }

    #[test]
    fn each_ask_has_at_most_one_answer_and_no_rank_asks_itself() {
        let outcome = small(Shape::Geometric, 8).run(1);
        assert!(outcome.gives > 0 && outcome.gives + outcome.refusals <= outcome.asks, "{outcome:?}");
        let alone = small(Shape::Geometric, 1).run(1);
        assert_eq!((alone.asks, alone.gives, alone.bytes), (0, 0, 0));
    }

    #[test]
    fn longer_links_cost_more_and_near_groups_less() {
        let time = |links: Links| {
            let cluster = Cluster { links, ..small(Shape::Geometric, 16) };
            (0..5).map(|seed| cluster.run(seed).time_ns).sum::<u64>()
        };
        let group = |ranks, latency_ns| Link { ranks, latency_ns };
        let groups = Links::new(vec![group(4, 1_000), group(16, 1_000_000)]).unwrap();
        let [near, far] = [1_000, 1_000_000].map(|latency_ns| time(Links::even(16, latency_ns)));
        let mixed = time(groups);
        assert!(near < mixed && mixed < far, "{near} ns, {mixed} ns, {far} ns");
    }

    /// As much work for each worker as 10^9 nodes are on 256 ranks of 16.
    #[test]
    fn a_large_tree_keeps_nearly_all_workers_busy() {
        let cluster = Cluster::new(Shape::Geometric, 16_000_000, Links::even(4, 10_000));
        let efficiency = cluster.run(1).efficiency(&cluster);
        assert!(efficiency > 0.95, "{efficiency}");
    }
}
