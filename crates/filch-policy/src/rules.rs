//! The rules of a pool: the numbers that follow from a scheduler on one machine. Every later decision uses them.
//!
//! They are computed once per pool, from the scheduler and from what sharing costs. A period is a multiple of the cost
//! of what it limits, which bounds the overhead (Acar, Charguéraud, Guatto, Rainey and Sieczkowski 2018, section 5.1).

use crate::Chaos;
use crate::beat::Beat;
use crate::credit::{BURST, Credit};
use crate::grain::Grain;
use crate::rest::SEARCH_NS;
use crate::scheduler::{Balancer, Scheduler, Wait};
use crate::settings::Preset;
use crate::staff::Staff;
use std::time::Duration;

/// What sharing costs on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// τ: what a worker spends on giving one frame.
    pub give: Duration,
    /// What a thief spends on taking one frame.
    pub take: Duration,
    /// What a worker spends on one promotion.
    pub promotion: Duration,
    /// What the thread that beats spends on one beat, which reaches all workers.
    pub beat: Duration,
}

impl Costs {
    /// The costs where nothing is shared.
    pub const NONE: Costs =
        Costs { give: Duration::ZERO, take: Duration::ZERO, promotion: Duration::ZERO, beat: Duration::ZERO };

    /// The costs that are assumed until they have been measured. A gift usually costs a few cache misses, and a take
    /// costs an interrupt of a processor. A promotion that no other worker comes for costs two locks and a look for
    /// sleepers. A beat costs a sleep that ends.
    pub const ASSUMED: Costs = Costs {
        give: Duration::from_nanos(700),
        take: Duration::from_micros(15),
        promotion: Duration::from_micros(2),
        beat: Duration::from_micros(12),
    };

    /// These costs for a pool on so many processors, each of which pays its share of a beat.
    #[must_use]
    pub fn on(self, processors: u32) -> Costs {
        Costs { beat: self.beat / processors.max(1), ..self }
    }

    /// τ of heartbeat scheduling: what one promotion costs a processor, the beat included.
    fn tau(self) -> Duration {
        self.promotion + self.beat
    }
}

/// The period N is this many times the cost of what it limits. This bounds the overhead by a twentieth (Acar et al.
/// 2018, section 5.1).
const PERIOD_PER_COST: u32 = 20;

/// A worker that a barrier interrupts loses about a quarter of the time that the take costs the thief: about 4 of 15 µs
/// on a virtual machine.
const PART_OF_THE_INTERRUPTED: u64 = 4;

/// How many barriers may follow each other at once after a quiet time, so that this many workers can be taken from.
const BARRIERS_IN_A_ROW: u64 = 64;

/// How long an asker that never takes waits for an answer before it withdraws the ask, rests, and asks again.
const PATIENCE_OF_THE_PATIENT_NS: u64 = 100_000;

/// What a scheduler does where work may move, which its numbers do not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchedulerKind {
    /// A frame leaves if another worker wants one.
    AskTake,
    /// A frame leaves at each beat.
    Heartbeat,
    /// A frame leaves if the last one has gone.
    Lazy,
    /// One thread plays all workers.
    Chaos,
    /// Nothing leaves: one thread runs everything in order, and records it.
    Profile,
}

/// The rules of one pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    kind: SchedulerKind,
    asks: bool,
    takes: bool,
    leaves: bool,
    backs_off: bool,
    has_tiers: bool,
    beat: Option<Beat>,
    balancer: Balancer,
    patience_ns: u64,
    give: Credit,
    take: Credit,
    barrier: Credit,
    waits_for_any: bool,
    staff: Staff,
    grain: Option<Grain>,
    fixes_shapes: bool,
    seed: u64,
    leaf_ns: Option<u64>,
    #[cfg(filch_decisions = "tested")]
    pub(crate) mistake: Option<crate::Mistake>,
}

impl Rules {
    /// The rules that follow from `scheduler` if giving and taking cost what `costs` says. Taking may be impossible.
    pub fn new(scheduler: &Scheduler, costs: Costs, taking_is_possible: bool) -> Self {
        let period_ns = |cost: Duration| as_ns(cost * PERIOD_PER_COST);
        let set_ns = scheduler.period.map(as_ns);
        let takes = match scheduler.preset {
            Preset::Default | Preset::Cab => taking_is_possible && scheduler.patience != Some(None),
            Preset::Cilk5 => true,
            Preset::Heartbeat
            | Preset::Tascell
            | Preset::Lazy
            | Preset::Serial
            | Preset::Chaos { .. }
            | Preset::Profile { .. } => false,
        };
        let balancer = scheduler.balancer.unwrap_or_default();
        let asks = match scheduler.preset {
            Preset::Default | Preset::Tascell | Preset::Cab => true,
            Preset::Heartbeat => balancer == Balancer::Private,
            Preset::Cilk5 | Preset::Lazy | Preset::Serial | Preset::Chaos { .. } | Preset::Profile { .. } => false,
        };
        let beat = Beat::new(set_ns.unwrap_or(period_ns(costs.tau())));
        // Tascell gives whenever a worker has asked, and a worker hands over what it has promoted.
        let give_period_ns = match scheduler.preset {
            Preset::Tascell | Preset::Heartbeat => 0,
            _ if mistake!(scheduler, NoPeriod) => 0,
            _ => set_ns.unwrap_or(period_ns(costs.give)),
        };
        let patience_ns = match scheduler.patience {
            _ if !takes => PATIENCE_OF_THE_PATIENT_NS,
            Some(Some(patience)) => as_ns(patience),
            // The head of `patience.rs` gives the reason.
            _ => as_ns(costs.take),
        };
        let take_period_ns = set_ns.unwrap_or(period_ns(costs.take));
        // If the user sets a longer period, barriers keep the shorter one, because all pools of the process share them.
        let barrier_period_ns = take_period_ns.min(period_ns(costs.take)) / PART_OF_THE_INTERRUPTED;
        let kind = match scheduler.preset {
            Preset::Heartbeat => SchedulerKind::Heartbeat,
            Preset::Lazy => SchedulerKind::Lazy,
            Preset::Chaos { .. } => SchedulerKind::Chaos,
            Preset::Profile { .. } => SchedulerKind::Profile,
            Preset::Default | Preset::Cilk5 | Preset::Tascell | Preset::Cab | Preset::Serial => SchedulerKind::AskTake,
        };
        Rules {
            kind,
            asks,
            takes,
            leaves: matches!(scheduler.preset, Preset::Default | Preset::Cab),
            backs_off: scheduler.preset == Preset::Tascell,
            has_tiers: scheduler.preset == Preset::Cab,
            beat: (scheduler.preset == Preset::Heartbeat).then_some(beat),
            balancer: if scheduler.preset == Preset::Heartbeat { balancer } else { Balancer::Concurrent },
            patience_ns,
            give: Credit::new(give_period_ns, BURST),
            take: Credit::new(take_period_ns, BURST),
            barrier: Credit::new(barrier_period_ns, BARRIERS_IN_A_ROW),
            waits_for_any: scheduler.wait == Some(Wait::Any),
            staff: Staff::of(scheduler),
            grain: scheduler.grain,
            fixes_shapes: false,
            seed: if let Preset::Chaos { seed } = scheduler.preset { seed } else { 0 },
            leaf_ns: if let Preset::Profile { leaf_ns } = scheduler.preset { Some(leaf_ns) } else { None },
            #[cfg(filch_decisions = "tested")]
            mistake: scheduler.mistake,
        }
    }

    /// Whether `scheduler` depends on taking, so that it must be refused where taking is impossible.
    pub fn insist_on_taking(scheduler: &Scheduler) -> bool {
        Rules::new(scheduler, Costs::NONE, false).takes
    }

    /// These rules at a moment when taking is possible or not. The system may not have granted the barrier yet.
    #[must_use]
    pub fn where_taking_is(self, possible: bool) -> Self {
        Rules { takes: self.takes && possible, ..self }
    }

    /// These rules, with reductions whose shape depends on the number of items alone, or without.
    #[must_use]
    pub fn with_fixed_shapes(self, fixes_shapes: bool) -> Self {
        Rules { fixes_shapes, ..self }
    }

    /// Whether the shape of a reduction depends on the number of items alone.
    #[inline]
    pub fn fixes_shapes(&self) -> bool {
        self.fixes_shapes
    }

    /// What the scheduler does where work may move.
    pub fn kind(&self) -> SchedulerKind {
        self.kind
    }

    /// Whether an idle worker asks a busy one, so that a worker must be ready to be asked.
    pub fn asks(&self) -> bool {
        self.asks
    }

    /// Whether an idle worker takes. It takes at once if the scheduler does not ask, and otherwise when its patience is
    /// over.
    pub fn takes(&self) -> bool {
        self.takes
    }

    /// When a worker promotes its oldest frame, if it does so whatever the load.
    pub fn beat(&self) -> Option<Beat> {
        self.beat
    }

    /// Where frames lie that a worker has promoted, or left for others.
    pub fn balancer(&self) -> Balancer {
        self.balancer
    }

    /// Whether other workers may get latent frames, by asking or by taking. Otherwise they get only what the owner has
    /// put on its shelf.
    pub fn shares_latent(&self) -> bool {
        !matches!(self.kind, SchedulerKind::Heartbeat | SchedulerKind::Lazy)
    }

    /// Whether a worker leaves frames for others before one has asked, while some worker is idle.
    pub(crate) fn is_eager(&self) -> bool {
        self.leaves
    }

    /// Whether squads share large pieces, and their workers small ones.
    pub fn has_tiers(&self) -> bool {
        self.has_tiers
    }

    /// Whether an asker that was refused waits before it asks again.
    pub(crate) fn backs_off(&self) -> bool {
        self.backs_off
    }

    /// How long an asker waits for an answer.
    pub fn patience_ns(&self) -> u64 {
        self.patience_ns
    }

    /// How often a worker may give: answer an ask with a frame, or leave a frame unasked.
    pub fn give(&self) -> Credit {
        self.give
    }

    /// How often a worker may be interrupted by takes from it.
    pub fn take(&self) -> Credit {
        self.take
    }

    /// How often all running workers of the process may be interrupted, whichever worker is taken from.
    pub fn barrier(&self) -> Credit {
        self.barrier
    }

    /// Whether a waiting worker runs any work that it finds.
    pub fn waits_for_any(&self) -> bool {
        self.waits_for_any
    }

    /// The grain of loops that are divided eagerly, if they are.
    pub fn grain(&self) -> Option<Grain> {
        self.grain
    }

    /// Whether a run that forks is announced, so that other threads come: see [`Staff::announces_forks`].
    pub fn announces_forks(&self) -> bool {
        self.staff.announces_forks()
    }

    /// Whether loops are paced by the clock. Where one thread plays all workers they are not, so that a seed stands for
    /// a schedule.
    pub fn reads_clock(&self) -> bool {
        self.staff != Staff::Player
    }

    /// How long a worker without a batch looks for more of a traversal before it leaves. This is zero where one thread
    /// plays all workers, because no other thread could add a batch.
    pub fn search_ns(&self) -> u64 {
        if self.announces_forks() { SEARCH_NS } else { 0 }
    }

    /// How many threads may work at the same time for a pool with this many workers.
    pub fn seats(&self, workers: usize) -> usize {
        self.staff.seats(workers)
    }

    /// Whether the program is recorded, and below which mean time its parts are not divided further.
    pub fn profile_leaf_ns(&self) -> Option<u64> {
        self.leaf_ns
    }

    /// The start of the schedule, if one thread plays all workers.
    pub fn chaos(&self) -> Option<Chaos> {
        (self.staff == Staff::Player).then(|| Chaos::new(self.seed))
    }

    /// The period N that is reported to users: that of promotions if there are any, that of giving if workers ask,
    /// otherwise that of taking.
    pub fn period_ns(&self) -> u64 {
        if let Some(beat) = self.beat {
            beat.period_ns()
        } else if self.asks {
            self.give.period_ns()
        } else {
            self.take.period_ns()
        }
    }
}

/// Converts a duration to whole nanoseconds, up to `u64::MAX` (584 years).
fn as_ns(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(scheduler: &str, taking_is_possible: bool) -> Rules {
        Rules::new(&scheduler.parse().expect("a scheduler"), Costs::ASSUMED, taking_is_possible)
    }

    #[test]
    fn a_period_is_twenty_times_what_it_limits_unless_it_is_set() {
        let default = rules("default", true);
        assert_eq!((default.give.period_ns(), default.take.period_ns()), (14_000, 300_000));
        assert_eq!(default.barrier.period_ns(), 75_000, "a quarter");
        let set = rules("default,period=2ms", true);
        assert_eq!((set.give.period_ns(), set.take.period_ns()), (2_000_000, 2_000_000));
        assert_eq!(set.barrier.period_ns(), 75_000, "no longer than the cost of barriers requires");
        assert_eq!((default.period_ns(), rules("cilk5", true).period_ns()), (14_000, 300_000));
    }

    #[test]
    fn patience_is_the_cost_of_a_take_where_there_is_one() {
        assert_eq!(rules("default", true).patience_ns, 15_000);
        assert_eq!(rules("default,patience=3us", true).patience_ns, 3_000);
        for patient in [rules("default,patience=never", true), rules("default,patience=3us", false)] {
            assert_eq!((patient.takes, patient.patience_ns), (false, PATIENCE_OF_THE_PATIENT_NS));
        }
    }

    #[test]
    fn each_preset_shares_in_its_own_way() {
        let ways = |scheduler: &str| {
            let rules = rules(scheduler, true);
            (rules.asks, rules.takes, rules.leaves, rules.beat.map(Beat::period_ns))
        };
        assert_eq!(ways("default"), (true, true, true, None));
        assert_eq!(ways("cilk5"), (false, true, false, None));
        assert_eq!(ways("tascell"), (true, false, false, None));
        assert_eq!(ways("lazy"), (false, false, false, None));
        assert_eq!(ways("heartbeat"), (false, false, false, Some(280_000)));
        assert_eq!(ways("heartbeat,balancer=private,period=30us"), (true, false, false, Some(30_000)));
        assert!(rules("tascell", true).give.is_unlimited() && rules("heartbeat", true).give.is_unlimited());
    }

    #[test]
    fn processors_share_the_cost_of_a_beat() {
        let period_ns = |processors| {
            let rules = Rules::new(&Scheduler::heartbeat(), Costs::ASSUMED.on(processors), true);
            rules.beat().map(Beat::period_ns)
        };
        assert_eq!([0, 1, 2, 12].map(period_ns), [280_000, 280_000, 160_000, 60_000].map(Some));
    }

    #[test]
    fn only_cilk5_cannot_do_without_taking() {
        for preset in Preset::ALL {
            let insists = Rules::insist_on_taking(&Scheduler::preset(preset));
            assert_eq!(insists, preset == Preset::Cilk5, "{}", preset.name());
        }
        assert!(!rules("cilk5", true).where_taking_is(false).takes, "not before the barrier is granted");
    }
}
