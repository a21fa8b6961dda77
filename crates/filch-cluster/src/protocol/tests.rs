//! The protocol on virtual ranks: schedules, losses and delays by a seed.

use super::*;
use std::collections::{BTreeMap, VecDeque};

/// A search that counts the leaves of a tree. Work is a list of seeds of subtrees.
struct Leaves;

impl Values for Leaves {
    type Value = u64;

    fn combine(&self, former: u64, latter: u64) -> u64 {
        former + latter
    }
}

/// The children of a node of an unbalanced tree.
fn children(node: u64) -> Vec<u64> {
    let (seed, depth) = (node >> 8, node & 0xFF);
    if depth == 0 {
        return Vec::new();
    }
    let count = filch_policy::scatter(seed) % 5;
    (0..count).map(|child| filch_policy::scatter(seed * 7 + child) >> 8 << 8 | (depth - 1)).collect()
}

fn leaves(work: &[u64]) -> u64 {
    let (mut work, mut count) = (work.to_vec(), 0);
    while let Some(node) = work.pop() {
        let children = children(node);
        count += u64::from(children.is_empty());
        work.extend(children);
    }
    count
}

struct Run {
    part_of: Id,
    work: VecDeque<u64>,
    count: u64,
}

struct Rank<'v> {
    core: Core<'v, Leaves>,
    runs: Vec<Run>,
    has_left: bool,
}

/// What virtual ranks do with a message on its way.
type Tamper = fn(&mut Random, &mut VecDeque<Message>);

struct Ranks<'v> {
    ranks: Vec<Option<Rank<'v>>>,
    /// What is under way between each two.
    channels: BTreeMap<(usize, usize), VecDeque<Message>>,
    random: Random,
    now_ns: u64,
    /// In one answer.
    most_given: usize,
    /// Done to every second message.
    tamper: Option<Tamper>,
}

const DEPTH: u64 = 9;
/// Of each rank.
const WORKERS: usize = 3;

fn root(seed: u64) -> u64 {
    // One with enough below it.
    (seed * 1_000..).map(|seed| seed << 8 | DEPTH).find(|&root| leaves(&[root]) > 200).expect("a large tree")
}

impl<'v> Ranks<'v> {
    fn new(ranks: usize, survives: bool, seed: u64) -> Self {
        let rank = |rank: usize| {
            let rings = vec![(0..ranks).filter(|&other| other != rank).collect()];
            let place = Place { rank, ranks, rings, is_lost: vec![false; ranks], survives, seed };
            let whole = Run { part_of: Id::WHOLE, work: [root(seed)].into(), count: 0 };
            let runs = if rank == 0 { vec![whole] } else { Vec::new() };
            Some(Rank { core: Core::new(&Leaves, WORKERS, place), runs, has_left: false })
        };
        let (ranks, channels) = ((0..ranks).map(rank).collect(), BTreeMap::new());
        Ranks { ranks, channels, random: Random::new(seed), now_ns: 0, most_given: 0, tamper: None }
    }

    fn step(&mut self) {
        self.now_ns += self.random.below(200_000) as u64;
        let me = self.random.below(self.ranks.len());
        let Some(rank) = self.ranks[me].as_mut().filter(|rank| !rank.has_left) else { return };
        let from = self.random.below(self.channels.len().max(1));
        let incoming = self.channels.iter_mut().filter(|((_, to), _)| *to == me).nth(from % 8);
        if let Some((&(from, _), channel)) = incoming {
            if let Some(tamper) = self.tamper.filter(|_| self.random.below(2) == 0) {
                tamper(&mut self.random, channel);
            }
            if let Some(message) = channel.pop_front() {
                rank.core.receive(from, message, self.now_ns);
            }
        }
        for run in &mut rank.runs {
            for _ in 0..self.random.below(30) {
                let Some(node) = run.work.pop_back() else { break };
                let children = children(node);
                run.count += u64::from(children.is_empty());
                run.work.extend(children);
            }
            if rank.core.wanted() > 0 && run.work.len() > 1 {
                let half = run.work.drain(..run.work.len().div_ceil(2)).collect::<Vec<_>>();
                rank.core.exported(run.part_of, 0, encoded(&half).expect("bytes"));
            }
        }
        let (over, runs) = std::mem::take(&mut rank.runs).into_iter().partition(|run: &Run| run.work.is_empty());
        rank.runs = runs;
        over.into_iter().for_each(|run| rank.core.ended(run.part_of, run.count));
        let active = rank.runs.len();
        let team = Team { active, busy: active, lacking: WORKERS.saturating_sub(active) };
        rank.core.tick(team, self.now_ns);
        while let Some(action) = rank.core.next_action() {
            match action {
                Action::Send(to, message) => {
                    if let Message::Give { parts, .. } = &message {
                        self.most_given = self.most_given.max(parts.len());
                    }
                    self.channels.entry((me, to)).or_default().push_back(message);
                }
                Action::Start(part_of, bytes) => {
                    let work: Vec<u64> = decoded(&bytes).expect("a part");
                    rank.runs.push(Run { part_of, work: work.into(), count: 0 });
                }
                Action::Cancel(part) => rank.runs.retain(|run| run.part_of != part),
                Action::Tally(_) => {}
                Action::Stop => rank.runs.clear(),
            }
        }
        rank.has_left = rank.core.is_over(rank.runs.len());
    }

    /// Until all have left.
    fn run(&mut self) -> Vec<Result<u64, Fault>> {
        for _ in 0..400_000 {
            if self.ranks.iter().flatten().all(|rank| rank.has_left) {
                return self.ranks.drain(..).flatten().map(|rank| rank.core.into_result()).collect();
            }
            self.step();
        }
        panic!("the ranks do not come to an end");
    }

    fn is_over(&self) -> bool {
        self.ranks.iter().flatten().any(|rank| !rank.core.is_searching())
    }

    fn kill(&mut self, lost: usize) {
        self.ranks[lost] = None;
        // Each notices at another time, and some of what is under way arrives.
        self.channels.retain(|&(_, to), _| to != lost);
    }

    fn notice(&mut self, lost: usize) {
        for rank in self.ranks.iter_mut().flatten() {
            rank.core.lose(lost);
        }
        self.channels.retain(|&(from, _), _| from != lost);
    }
}

#[test]
fn all_ranks_get_the_exact_count_under_any_schedule_and_leave_no_message_behind() {
    let mut most_given = 0;
    for seed in 0..200 {
        let ranks = 1 + seed as usize % 8;
        let mut all = Ranks::new(ranks, false, seed);
        let results = all.run();
        assert_eq!(results, vec![Ok(leaves(&[root(seed)])); ranks], "seed {seed}");
        let left: Vec<_> = all.channels.values().flatten().collect();
        assert!(left.is_empty(), "seed {seed}: {left:?}");
        most_given = most_given.max(all.most_given);
    }
    assert!(most_given > 1, "some asks were answered with several parts");
}

#[test]
fn with_survival_the_count_is_exact_though_ranks_are_lost() {
    let mut killed = 0;
    for seed in 0..200 {
        let ranks = 2 + seed as usize % 7;
        let mut all = Ranks::new(ranks, true, seed);
        let victims = 1 + seed as usize % (ranks - 1);
        for lost in (1..ranks).take(victims) {
            (0..200 + seed % 37 * 40).for_each(|_| all.step());
            killed += usize::from(!all.is_over());
            all.kill(lost);
            (0..seed % 100).for_each(|_| all.step());
            all.notice(lost);
        }
        assert_eq!(all.run(), vec![Ok(leaves(&[root(seed)])); ranks - victims], "seed {seed}");
    }
    assert!(killed > 100, "{killed} of the losses were in time");
}

#[test]
fn without_survival_a_lost_rank_is_named_by_all_others() {
    for seed in 0..50 {
        let mut all = Ranks::new(4, false, seed);
        (0..100).for_each(|_| all.step());
        all.kill(2);
        all.notice(2);
        assert_eq!(all.run(), vec![Err((2, Failure::Lost)); 3], "seed {seed}");
    }
}

#[test]
fn a_failure_ends_all_ranks_and_names_one() {
    let fault = (1, Failure::Panicked("at a node".into()));
    for seed in 0..50 {
        let mut all = Ranks::new(5, false, seed);
        (0..seed * 3).for_each(|_| all.step());
        all.ranks[1].as_mut().expect("a rank").core.fail(fault.clone());
        assert_eq!(all.run(), vec![Err(fault.clone()); 5], "seed {seed}");
    }
}

#[test]
fn a_solution_that_ends_the_search_ends_all_ranks() {
    for seed in 0..100 {
        let mut all = Ranks::new(1 + seed as usize % 6, false, seed);
        (0..seed * 5).for_each(|_| all.step());
        let count = all.ranks.len();
        let finder = seed as usize % count;
        let is_over = all.is_over();
        all.ranks[finder].as_mut().expect("a rank").core.found(4_000_000);
        let results = all.run();
        assert!(results.iter().all(|result| *result == results[0]), "seed {seed}: {results:?}");
        assert!(is_over || finder != 0 || results[0] == Ok(4_000_000), "seed {seed}: {results:?}");
        assert!(all.channels.values().all(VecDeque::is_empty), "seed {seed}");
    }
}

struct Most;

impl Values for Most {
    type Value = Option<i64>;

    fn combine(&self, former: Option<i64>, latter: Option<i64>) -> Option<i64> {
        former.max(latter)
    }
}

#[test]
fn a_solution_that_rank_0_has_found_in_a_part_of_a_rank_that_is_lost_is_kept() {
    let place = Place { rank: 0, ranks: 2, rings: vec![vec![1]], is_lost: vec![false; 2], survives: true, seed: 1 };
    let mut core = Core::new(&Most, 1, place);
    let team = Team { active: 1, busy: 1, lacking: 1 };
    core.tick(team, 0);
    let id = Id { rank: 1, worker: 0, depth: 1, sequence: 1 };
    core.receive(1, Message::Give { seq: 1, parts: vec![(id, Bytes(Vec::new()))] }, 0);
    core.tick(team, 0);
    core.better(Some(7));
    core.lose(1);
    let actions: Vec<_> = std::iter::from_fn(|| core.next_action()).collect();
    assert!(matches!(actions[..], [Action::Send(1, _), Action::Start(..), Action::Cancel(part)] if part == id));
    core.ended(Id::WHOLE, None);
    assert_eq!(core.into_result(), Ok(Some(7)));
}

#[test]
fn a_name_that_lies_is_an_error_or_does_no_harm() {
    let place = Place { rank: 1, ranks: 2, rings: vec![vec![0]], is_lost: vec![false; 2], survives: false, seed: 1 };
    let mut core = Core::new(&Leaves, WORKERS, place);
    core.tick(Team { active: 0, busy: 0, lacking: 1 }, 0);
    let id = Id { rank: 0, worker: u32::MAX, depth: u32::MAX, sequence: u32::MAX };
    core.receive(0, Message::Give { seq: 1, parts: vec![(id, Bytes(Vec::new()))] }, 0);
    core.receive(0, Message::Ask { seq: 1, parks: false, lacks: 1 }, 0);
    core.tick(Team { active: 0, busy: 0, lacking: 0 }, 0);
    core.receive(0, Message::Failed { rank: u32::MAX, failure: Failure::Lost }, 0);
    core.receive(0, Message::Done { sent: vec![(u32::MAX, u64::MAX); 3] }, 0);
    core.receive(0, Message::Leave { expected: vec![(u32::MAX, 1), (1, u64::MAX)] }, 0);
    assert!(core.is_over(0));
}

#[test]
fn a_second_answer_a_false_result_and_a_corrupt_one_are_errors() {
    let answers_twice: Tamper = |_, channel| {
        if let Some(answer @ (Message::Refuse { .. } | Message::Give { .. })) = channel.front().cloned() {
            channel.push_front(answer);
        }
    };
    let returns_twice: Tamper = |_, channel| {
        if let Some(result @ Message::Result { .. }) = channel.front().cloned() {
            channel.push_front(result);
        }
    };
    let cuts: Tamper = |random, channel| {
        if let Some(Message::Result { value, .. } | Message::End { value }) = channel.front_mut() {
            value.truncate(random.below(value.len()));
        }
    };
    for (tamper, text) in [(answers_twice, "answers no ask"), (returns_twice, "waits for it"), (cuts, "end of buffer")]
    {
        let failed = |seed| {
            let mut all = Ranks::new(4, false, seed);
            all.tamper = Some(tamper);
            let found =
                |(_, failure): &Fault| matches!(failure, Failure::Corrupt { text: said, .. } if said.contains(text));
            let results = all.run();
            let failed = results.iter().filter(|result| result.as_ref().is_err_and(found)).count();
            let named = results.iter().filter(|result| result.is_err()).count();
            assert_eq!(failed, named, "seed {seed}: {results:?}");
            failed
        };
        assert!((0..20).map(failed).sum::<usize>() > 20, "{text}");
    }
}
