//! What the communication thread does during a search: it carries messages and events to the protocol, and carries out
//! what that says.

use super::goal::Goal;
use super::local::{Event, Local, Piece};
use super::tally::{Tally, Tallying};
use crate::error::{ClusterError, Failure};
use crate::id::Id;
use crate::message::{Envelope, Message};
use crate::portable::{Corrupt, Portable, Unportable, decode_all, encode_all, whole};
use crate::protocol::{Action, Core, Team};
use crate::ranks::{Ranks, State};
use filch::{Activity, CancelToken, Choices, Pool, Scope, Search, SearchPart};
use filch_policy::cluster::{Interrupts, pause_beside_ns};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// What can be sent of a problem.
pub(super) trait Sendable: Search<Workspace: Portable, Choices: Portable + Choices<Item: Portable>> {}

impl<P: Search<Workspace: Portable, Choices: Portable + Choices<Item: Portable>>> Sendable for P {}

/// Runs a search by all ranks, of which this is one, to its end.
pub(super) fn run<P: Sendable, G: Goal<P>>(
    ranks: &Ranks,
    problem: &P,
    root: P::Workspace,
    tally: Option<&dyn Tally>,
    goal: &G,
    token: &CancelToken,
) -> Result<G::Value, ClusterError> {
    let mut state = ranks.state();
    let place = state.begin()?;
    let rank = place.rank;
    let local = Local::new(problem, goal);
    let core = ranks.pool.scope_in_place(|scope| {
        let mut driver = Driver {
            pool: &ranks.pool,
            state: &mut state,
            core: Core::new(goal, ranks.pool.num_workers(), place),
            whole: (rank == 0).then(|| SearchPart::whole(root)),
            goal,
            local: &local,
            scope,
            token,
            tokens: BTreeMap::new(),
            active: 0,
            tallying: Tallying::new(tally, rank),
            idle: Idle::default(),
            begun: Instant::now(),
            stirred_ns: 0,
            interrupts: Interrupts::default(),
        };
        driver.drive();
        // Here, because this unwinds at its end if what is around it has been cancelled.
        if let Some((rank, failure)) = driver.core.fault().cloned() {
            driver.state.fail(ClusterError::Failed { rank, failure });
        }
        driver.core
    });
    state.counters = state.counters.plus(&core.counters);
    core.into_result().map_err(|(rank, failure)| ClusterError::Failed { rank, failure })
}

struct Driver<'d, 'g, 'scope, 'env, P: Search, G: Goal<P>> {
    pool: &'d Pool,
    state: &'d mut State,
    core: Core<'g, G>,
    /// At rank 0, until it begins.
    whole: Option<SearchPart<P>>,
    goal: &'g G,
    local: &'env Local<'env, P, G>,
    scope: &'scope Scope<'scope, 'env>,
    /// Ends all that runs here.
    token: &'d CancelToken,
    /// Those of the open parts of which pieces run here, and how many.
    tokens: BTreeMap<Id, (CancelToken, usize)>,
    /// How many pieces run here.
    active: usize,
    tallying: Tallying<'d>,
    idle: Idle,
    begun: Instant,
    /// When something has happened last, in nanoseconds since the beginning.
    stirred_ns: u64,
    interrupts: Interrupts,
}

impl<'env, P: Sendable, G: Goal<P>> Driver<'_, '_, '_, 'env, P, G> {
    /// Until this rank leaves the search. A panic of the user's code on this thread ends it, too, and so does whoever
    /// cancels what is around it.
    fn drive(&mut self) {
        while !self.core.is_over(self.active) {
            if let Err(payload) = catch_unwind(AssertUnwindSafe(|| self.turn())) {
                self.token.cancel();
                let fault = (self.rank(), Failure::unwound(&*payload));
                let mut fail = || {
                    self.core.fail(fault.clone());
                    self.act();
                };
                // What it drops may panic, too. Then it has failed already.
                while catch_unwind(AssertUnwindSafe(&mut fail)).is_err() {}
            }
        }
        self.token.cancel();
    }

    fn rank(&self) -> usize {
        self.state.transport.rank()
    }

    fn now_ns(&self) -> u64 {
        self.begun.elapsed().as_nanos() as u64
    }

    fn turn(&mut self) {
        if filch::is_cancelled() && self.core.is_searching() {
            self.core.fail((self.rank(), Failure::Cancelled));
        } else if let Some(whole) = self.whole.take() {
            self.start(Id::WHOLE, whole);
        }
        let now_ns = self.now_ns();
        // In this order: what a piece has found is known when its end is.
        let events = self.local.events();
        if let Err(error) = self.goal.exchange(&mut self.core) {
            self.cannot_send("a solution", error);
        }
        let mut stirs = self.hear_workers(events);
        stirs |= self.hear_ranks(now_ns);
        let counts = self.tallying.take(self.active == 0 && !self.core.is_searching(), now_ns);
        self.core.tally(counts);
        let team = self.idle.look(self.pool, self.active, now_ns);
        self.core.tick(team, now_ns);
        stirs |= self.act();
        self.interrupt(now_ns);
        if stirs {
            self.stirred_ns = now_ns;
        } else if !self.core.is_over(self.active) {
            self.pause(team.lacking, now_ns);
        }
    }

    fn hear_workers(&mut self, events: Vec<Event<P, G::Value>>) -> bool {
        let stirs = !events.is_empty();
        // First of all, since the user's code below may panic.
        for event in &events {
            if let Event::Ended { part_of, .. } = event {
                self.active -= 1;
                if let Some((_, count)) = self.tokens.get_mut(part_of) {
                    *count -= 1;
                    if *count == 0 {
                        self.tokens.remove(part_of);
                    }
                }
            }
        }
        for event in events {
            match event {
                Event::Exported { part_of, worker, piece } => match bytes_of(&piece) {
                    Ok(bytes) => self.core.exported(part_of, worker, bytes),
                    Err(error) => self.cannot_send(&format!("a piece of part {part_of}"), error),
                },
                Event::Ended { part_of, outcome: Ok(Some(value)) } => self.core.ended(part_of, value),
                Event::Ended { outcome: Ok(None), .. } => {}
                Event::Ended { outcome: Err(failure), .. } => self.core.fail((self.rank(), failure)),
            }
        }
        stirs
    }

    fn hear_ranks(&mut self, now_ns: u64) -> bool {
        let mut stirs = false;
        let early = std::mem::take(&mut self.state.early);
        for (from, envelope) in early {
            self.hear(from, envelope, now_ns);
        }
        while let Some((from, bytes)) = self.state.transport.try_receive() {
            stirs = true;
            match Envelope::from_bytes(&bytes) {
                Ok(envelope) => self.hear(from, envelope, now_ns),
                Err(Corrupt(text)) => {
                    let about = format!("message of {} bytes", bytes.len());
                    let (rank, failure) = (self.rank(), Failure::Corrupt { from, about, text });
                    // It may have been that a rank leaves.
                    if self.core.has_failed() {
                        let message = Message::Failed { rank: rank as u32, failure };
                        self.state.early.push_back((from, Envelope { search: self.state.search, message }));
                    } else {
                        self.core.fail((rank, failure));
                    }
                }
            }
        }
        for lost in self.state.transport.lost() {
            stirs = true;
            self.state.is_lost[lost] = true;
            self.core.lose(lost);
        }
        stirs
    }

    fn hear(&mut self, from: usize, envelope: Envelope, now_ns: u64) {
        let Envelope { search, message } = envelope;
        match message {
            // For when the ranks leave.
            Message::Left | Message::Failed { .. } if self.core.has_failed() => {
                self.state.early.push_back((from, Envelope { search, message }));
            }
            Message::Left if search < self.state.search => {
                self.state.dismiss(from);
                self.core.lose(from);
            }
            Message::Failed { .. } => self.core.receive(from, message, now_ns),
            Message::Left => self.state.early.push_back((from, Envelope { search, message })),
            _ if search == self.state.search => self.core.receive(from, message, now_ns),
            _ if search > self.state.search => self.state.early.push_back((from, Envelope { search, message })),
            // Nothing is under way of a search that is over.
            _ => {}
        }
    }

    fn act(&mut self) -> bool {
        let mut stirs = false;
        while let Some(action) = self.core.next_action() {
            stirs = true;
            match action {
                Action::Send(to, message) => self.send(to, message),
                Action::Start(part_of, bytes) => match piece_of(&bytes) {
                    Ok(piece) => self.start(part_of, piece),
                    Err(Corrupt(text)) => {
                        let (from, about) = (part_of.rank as usize, format!("part {part_of}"));
                        self.core.fail((self.rank(), Failure::Corrupt { from, about, text }));
                    }
                },
                Action::Tally(counts) => self.tallying.add(&counts),
                Action::Cancel(part) => {
                    if let Some((token, _)) = self.tokens.get(&part) {
                        token.cancel();
                    }
                }
                Action::Stop => self.token.cancel(),
            }
        }
        stirs
    }

    fn send(&mut self, to: usize, message: Message) {
        let about = message.about();
        match (Envelope { search: self.state.search, message }).to_bytes() {
            Ok(bytes) => {
                self.state.counters.messages += 1;
                self.state.transport.send(to, &bytes);
            }
            Err(error) => self.cannot_send(&about, error),
        }
    }

    fn cannot_send(&mut self, about: &str, error: Unportable) {
        self.core.fail((self.rank(), Failure::Unportable { about: about.into(), text: error.0 }));
    }

    fn start(&mut self, part_of: Id, piece: SearchPart<P>) {
        let (token, count) = self.tokens.entry(part_of).or_insert_with(|| (self.token.child(), 0));
        *count += 1;
        self.active += 1;
        let (run, token) = (Piece::new(self.local, part_of), token.clone());
        // Unwinds if what is around the search is cancelled, and drops this.
        self.scope.spawn(move |s| run.run(s, piece, &token));
    }

    /// Has the workers split off what other ranks want.
    fn interrupt(&mut self, now_ns: u64) {
        let wanted = if self.active > 0 { self.core.wanted() } else { 0 };
        if wanted == 0 {
            self.local.want(0);
        }
        if (wanted == 0 || !self.local.has_events()) && self.interrupts.is_due(wanted, now_ns) {
            self.local.want(wanted);
            self.pool.interrupt();
        }
    }

    fn pause(&mut self, lacking: usize, now_ns: u64) {
        let (awaits, since_ns) = (self.core.awaits(), now_ns - self.stirred_ns);
        let workers = if self.active > 0 { self.pool.num_workers() } else { 0 };
        let mut pause = pause_beside_ns(workers, awaits, since_ns);
        if lacking > 0 && self.core.next_ns() > now_ns {
            pause = pause.min(self.core.next_ns() - now_ns);
        }
        self.state.transport.pause(Duration::from_nanos(pause));
        self.state.counters.looks += 1;
    }
}

/// Which workers have nothing to do.
#[derive(Default)]
struct Idle {
    /// How many, at the last look.
    count: usize,
    looked_ns: u64,
}

/// A worker that looks for work finds some within this time, if there is any here.
const LOOK_NS: u64 = 1_000_000;

impl Idle {
    /// What the workers do.
    fn look(&mut self, pool: &Pool, active: usize, now_ns: u64) -> Team {
        let workers = pool.num_workers();
        if active == 0 {
            // When a piece runs again, the others have not looked for work since.
            *self = Idle { count: 0, looked_ns: now_ns };
            return Team { active, busy: 0, lacking: workers };
        }
        let mut lacking = 0;
        if workers > 1 && now_ns >= self.looked_ns + LOOK_NS {
            let is_idle =
                |activity| matches!(activity, Activity::Away | Activity::Search | Activity::Ask | Activity::Sleep);
            let stats = pool.worker_stats();
            let count = stats.iter().take(workers).filter(|worker| is_idle(worker.activity)).count();
            lacking = count.min(self.count);
            *self = Idle { count, looked_ns: now_ns };
        }
        Team { active, busy: workers.saturating_sub(self.count).max(1), lacking }
    }
}

fn bytes_of<P: Sendable>(piece: &SearchPart<P>) -> Result<Vec<u8>, Unportable> {
    let mut bytes = Vec::new();
    piece.workspace.encode(&mut bytes)?;
    encode_all(&piece.undone, &mut bytes)?;
    piece.choices.is_some().encode(&mut bytes)?;
    piece.choices.iter().try_for_each(|choices| choices.encode(&mut bytes))?;
    Ok(bytes)
}

fn piece_of<P: Sendable>(bytes: &[u8]) -> Result<SearchPart<P>, Corrupt> {
    whole(bytes, |from| {
        let (workspace, undone) = (P::Workspace::decode(from)?, decode_all(from)?);
        let choices = if bool::decode(from)? { Some(P::Choices::decode(from)?) } else { None };
        Ok(SearchPart { workspace, undone, choices })
    })
}
