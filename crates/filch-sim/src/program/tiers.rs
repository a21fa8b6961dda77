//! The two tiers of a program, on which the time bound of CAB depends (Chen, Huang, Guo and Zhou 2011, equations 5 and
//! 13), by walking down to the boundary.

use super::totals::Totals;
use super::{Node, Program, Shape};
use filch_policy::Tier;

/// The work of both tiers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tiers {
    /// T1(E_inter): the work above the leaves of the inter-socket tier.
    pub inter_ns: u64,
    /// T1(E_intra): the work of these leaves.
    pub intra_ns: u64,
    /// K: the number of these leaves that may run at the same time.
    pub leaves: u64,
    /// T∞(E).
    pub span_ns: u64,
}

impl Tiers {
    /// The tiers of `program` if a fork costs this much. Walks the tree.
    pub fn of(program: &dyn Program, fork_ns: u64, boundary: u32) -> Self {
        let tiers = below(program, fork_ns, program.root(), Tier::first(boundary));
        Tiers { span_ns: Totals::of(program, fork_ns).span_ns, ..tiers }
    }

    /// The same with this many more nanoseconds of inter-socket work.
    fn after(self, work_ns: u64) -> Tiers {
        Tiers { inter_ns: self.inter_ns + work_ns, ..self }
    }

    /// This, and then `next`.
    fn then(self, next: Tiers) -> Tiers {
        Tiers {
            inter_ns: self.inter_ns + next.inter_ns,
            intra_ns: self.intra_ns + next.intra_ns,
            leaves: self.leaves.max(next.leaves),
            span_ns: 0,
        }
    }

    /// The bound of equation 13 without the factor that its O leaves open: on M squads of N workers, with this much
    /// more time in the leaves because of misses.
    pub fn time_ns(&self, squads: u64, workers: u64, misses_ns: u64) -> u64 {
        self.inter_ns / squads + (self.intra_ns + misses_ns) / (squads * workers) + self.span_ns
    }
}

/// Nodes that run one after another take no stack, however many there are.
fn below(program: &dyn Program, fork_ns: u64, mut node: Node, tier: Tier) -> Tiers {
    let mut before = Tiers::default();
    loop {
        if !tier.forks_across() {
            let intra_ns = Totals::below(program, fork_ns, node).t1_ns();
            return before.then(Tiers { intra_ns, leaves: u64::from(tier.is_leaf()), ..Tiers::default() });
        }
        match program.open(node) {
            Shape::Leaf { work_ns } => return before.after(work_ns),
            Shape::Tail { work_ns, next } => (before, node) = (before.after(work_ns), next),
            Shape::Then { work_ns, first, then } => {
                (before, node) = (before.after(work_ns).then(below(program, fork_ns, first, tier)), then);
            }
            Shape::Fork { work_ns, first, second } => {
                let [first, second] = [first, second].map(|node| below(program, fork_ns, node, tier.child()));
                let both = Tiers { leaves: first.leaves + second.leaves, ..first.then(second) };
                return before.after(work_ns + fork_ns).then(both);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::text::parse;
    use super::*;

    #[test]
    fn both_tiers_together_are_the_work_of_the_program() {
        for (name, boundary, leaves) in [("loop:64,body=3us", 4, 8), ("heat:64,8,rows=4,steps=5", 3, 4)] {
            let program = parse(name).expect("a program");
            let (tiers, totals) = (Tiers::of(&*program, 2, boundary), Totals::of(&*program, 2));
            assert_eq!((tiers.inter_ns + tiers.intra_ns, tiers.leaves), (totals.t1_ns(), leaves), "{name}");
        }
        let long = parse("phases:1000000,(loop:2,body=1us)").expect("a program");
        assert_eq!(Tiers::of(&*long, 2, 3).inter_ns, 1_000_000 * (2 + 2 * 1_000), "no stack overflows");
        // One fork on each of the levels 1 to 3: 1, 2 and 4 of them.
        let program = parse("loop:64,body=3us").expect("a program");
        assert_eq!(Tiers::of(&*program, 2, 4).inter_ns, 7 * 2);
        assert_eq!(Tiers::of(&*program, 2, 0).inter_ns, 0);
    }

    #[test]
    fn the_bound_is_that_of_equation_13() {
        let tiers = Tiers { inter_ns: 400, intra_ns: 16_000, leaves: 8, span_ns: 7 };
        assert_eq!(tiers.time_ns(4, 4, 1_600), 100 + 1_100 + 7);
    }
}
