//! What each step costs on the simulated machine.

use std::time::Duration;

/// The cost of each step, in nanoseconds. A message to another socket costs more: see [`far_ns`](Self::far_ns).
///
/// [`Costs::ASSUMED`] has the figures that the runtime assumes until it has measured its own, and figures of the
/// virtual machine on which Filch is developed. `filch machine --format json` measures `give` and `take`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// The cost of a fork and its return for the worker that forks, if no other worker wants work.
    pub fork_ns: u64,
    /// What a return costs that finds its bound raised.
    pub poll_ns: u64,
    /// τ: what a worker spends on giving one frame.
    pub give_ns: u64,
    /// What a worker spends on one promotion.
    pub promotion_ns: u64,
    /// The cost of one beat, which reaches all workers, for the thread that beats.
    pub beat_ns: u64,
    /// How long a take lasts.
    pub take_ns: u64,
    /// The cost of a take for each running worker, which its barrier interrupts.
    pub interrupt_ns: u64,
    /// The cost of waking a thread, for the thread that wakes it.
    pub call_ns: u64,
    /// The time from the beginning of the call until the woken thread runs.
    pub wake_ns: u64,
    /// One look at another worker, at a line that is in a near cache.
    pub look_ns: u64,
    /// One access to a line that another worker has just written.
    pub miss_ns: u64,
    /// The same if that worker is on another socket. An ask, an answer, a frame and a result cost one access each; a
    /// gift and a take to another socket last longer by the difference.
    pub far_ns: u64,
    /// A line that comes from the memory of the own socket, on top of the work of a leaf. About the time of a core of
    /// 2011 for a line of a stream, less the time for a line from a shared cache.
    pub line_ns: u64,
    /// The same from the memory of another socket.
    pub far_line_ns: u64,
    /// One turn of a spin loop.
    pub turn_ns: u64,
}

/// A name and what it names in [`Costs`].
type Field = (&'static str, fn(&mut Costs) -> &mut u64);

const FIELDS: [Field; 15] = [
    ("fork", |costs| &mut costs.fork_ns),
    ("poll", |costs| &mut costs.poll_ns),
    ("give", |costs| &mut costs.give_ns),
    ("promotion", |costs| &mut costs.promotion_ns),
    ("beat", |costs| &mut costs.beat_ns),
    ("take", |costs| &mut costs.take_ns),
    ("interrupt", |costs| &mut costs.interrupt_ns),
    ("call", |costs| &mut costs.call_ns),
    ("wake", |costs| &mut costs.wake_ns),
    ("look", |costs| &mut costs.look_ns),
    ("miss", |costs| &mut costs.miss_ns),
    ("far", |costs| &mut costs.far_ns),
    ("line", |costs| &mut costs.line_ns),
    ("far-line", |costs| &mut costs.far_line_ns),
    ("turn", |costs| &mut costs.turn_ns),
];

/// A name that is not one of a cost.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no cost `{name}`; expected one of: {}", Costs::names().collect::<Vec<_>>().join(", "))]
pub struct UnknownCost {
    /// The name.
    pub name: String,
}

impl Costs {
    /// The default costs. Those that the policy knows are the ones that it assumes.
    pub const ASSUMED: Costs = {
        let policy = filch_policy::Costs::ASSUMED;
        Costs {
            fork_ns: 2,
            poll_ns: 50,
            give_ns: policy.give.as_nanos() as u64,
            promotion_ns: policy.promotion.as_nanos() as u64,
            beat_ns: policy.beat.as_nanos() as u64,
            take_ns: policy.take.as_nanos() as u64,
            interrupt_ns: 4_000,
            call_ns: 4_000,
            wake_ns: 30_000,
            look_ns: 5,
            miss_ns: 100,
            far_ns: 250,
            line_ns: 15,
            far_line_ns: 30,
            turn_ns: 15,
        }
    };

    /// No cost at all, so that only the program and the decisions take effect.
    pub const FREE: Costs = Costs {
        fork_ns: 0,
        poll_ns: 0,
        give_ns: 0,
        promotion_ns: 0,
        beat_ns: 0,
        take_ns: 0,
        interrupt_ns: 0,
        call_ns: 0,
        wake_ns: 0,
        look_ns: 1,
        miss_ns: 0,
        far_ns: 0,
        line_ns: 0,
        far_line_ns: 0,
        turn_ns: 1,
    };

    /// The names that [`set`](Self::set) knows.
    pub fn names() -> impl Iterator<Item = &'static str> {
        FIELDS.into_iter().map(|(name, _)| name)
    }

    /// All names, each with its cost in nanoseconds.
    pub fn all(mut self) -> impl Iterator<Item = (&'static str, u64)> {
        FIELDS.into_iter().map(move |(name, field)| (name, *field(&mut self)))
    }

    /// Sets the cost with this name.
    ///
    /// # Errors
    ///
    /// If no cost has this name.
    pub fn set(&mut self, name: &str, cost_ns: u64) -> Result<(), UnknownCost> {
        let field = FIELDS.iter().find(|(known, _)| *known == name);
        let (_, field) = field.ok_or_else(|| UnknownCost { name: name.to_owned() })?;
        *field(self) = cost_ns;
        Ok(())
    }

    /// The costs that the policy has to know, on this many processors.
    pub fn for_policy(&self, processors: u32) -> filch_policy::Costs {
        let ns = Duration::from_nanos;
        filch_policy::Costs {
            give: ns(self.give_ns),
            take: ns(self.take_ns),
            promotion: ns(self.promotion_ns),
            beat: ns(self.beat_ns),
        }
        .on(processors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cost_can_be_set_by_its_name() {
        let mut costs = Costs::FREE;
        for (place, name) in Costs::names().enumerate() {
            costs.set(name, place as u64 + 7).expect("it is a name");
        }
        assert!(costs.all().map(|(_, cost)| cost).eq(7..22));
        let error = costs.set("steal", 1).expect_err("no cost has this name");
        assert!(error.to_string().starts_with("there is no cost `steal`; expected one of: fork, poll, give"));
    }
}
