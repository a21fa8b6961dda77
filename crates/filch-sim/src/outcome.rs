//! What comes of a run.

use crate::program::Extent;

/// How often something happened in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Steps of the simulator.
    pub events: u64,
    /// Visits that were not turned away at the first look.
    pub attempts: u64,
    /// Frames that another worker than their owner ran.
    pub moved: u64,
    /// Asks that were posted.
    pub asks: u64,
    /// Asks that were answered with nothing.
    pub refusals: u64,
    /// Asks that the asker gave up.
    pub withdrawals: u64,
    /// Frames that were given: to an asker, or left for others.
    pub gifts: u64,
    /// Given frames that their owner took back.
    pub reclaimed: u64,
    /// Frames that were taken.
    pub takes: u64,
    /// Takes that found the frame gone.
    pub failed_takes: u64,
    /// Returns that found E raised.
    pub attends: u64,
    /// Threads that were woken by others.
    pub calls: u64,
    /// Times that a thread slept.
    pub parks: u64,
    /// Tasks that a worker ran while it waited.
    pub helped: u64,
    /// Beats that were given or spent.
    pub beats: u64,
    /// Beats that found no frame.
    pub empty_beats: u64,
    /// Frames that were promoted at a beat.
    pub promotions: u64,
    /// Asks, answers, frames and results that went from one socket to another.
    pub messages_far: u64,
    /// Frames that were run on another socket than that of their owner.
    pub moved_far: u64,
    /// Tasks of the inter-socket tier, without the first one.
    pub inter_tasks: u64,
    /// Those of them on the boundary level.
    pub leaf_tasks: u64,
    /// Those that the head of a squad got from a pool.
    pub tasks_across: u64,
    /// Those that it got from the pool of another squad.
    pub stolen_across: u64,
    /// Frames that were handed to the worker that had their part last.
    pub handed: u64,
    /// Lines that came from the memory of the own socket.
    pub misses_near: u64,
    /// Lines that came from the memory of another socket.
    pub misses_far: u64,
    /// Lines that were not in the cache of the worker, if it has one of its own.
    pub misses_private: u64,
}

/// How many counts [`Counts::all`] names.
pub const COUNTS: usize = 26;

impl Counts {
    /// All counts but those of events, each with its name.
    pub fn all(&self) -> [(&'static str, u64); COUNTS] {
        [
            ("attempts", self.attempts),
            ("moved", self.moved),
            ("asks", self.asks),
            ("refusals", self.refusals),
            ("withdrawals", self.withdrawals),
            ("gifts", self.gifts),
            ("reclaimed", self.reclaimed),
            ("takes", self.takes),
            ("failed_takes", self.failed_takes),
            ("attends", self.attends),
            ("calls", self.calls),
            ("parks", self.parks),
            ("helped", self.helped),
            ("beats", self.beats),
            ("empty_beats", self.empty_beats),
            ("promotions", self.promotions),
            ("messages_far", self.messages_far),
            ("moved_far", self.moved_far),
            ("inter_tasks", self.inter_tasks),
            ("leaf_tasks", self.leaf_tasks),
            ("tasks_across", self.tasks_across),
            ("stolen_across", self.stolen_across),
            ("handed", self.handed),
            ("misses_near", self.misses_near),
            ("misses_far", self.misses_far),
            ("misses_private", self.misses_private),
        ]
    }
}

/// What comes of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// P.
    pub workers: usize,
    /// T_P, from the beginning of the run to its end.
    pub time_ns: u64,
    /// The longest path through the run, where branches that stayed with their worker follow each other: the span that
    /// remains with the frames that were shared, including the cost of giving.
    pub path_ns: u64,
    /// How long workers were running tasks, together.
    pub busy_ns: u64,
    /// The time at which nine of ten workers had begun their first task; `None` if fewer ever did.
    pub ramp_ns: Option<u64>,
    /// What was run.
    pub run: Extent,
    /// Frames that left a ladder and that no worker has waited for: always 0.
    pub open_claims: usize,
    /// The most promotions by one worker.
    pub most_promotions: u64,
    /// The most gifts by one worker.
    pub most_gifts: u64,
    /// The largest number of workers that were in a task at the same time. The stack of a worker holds that task and
    /// parts of the goal for which it waits, so it is no deeper than in a serial run.
    pub most_stacks: usize,
    /// The longest time between a beat and the return that noticed it.
    pub longest_poll_ns: u64,
    /// How often something happened.
    pub counts: Counts,
}

impl Outcome {
    /// The share of the workers' time in which they ran no task.
    pub fn idle_share(&self) -> f64 {
        1.0 - self.busy_ns as f64 / (self.workers as f64 * self.time_ns.max(1) as f64)
    }
}
