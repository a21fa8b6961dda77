//! The two tiers of a program, of which the time bound of CAB is made (Chen, Huang, Guo and Zhou 2011, equations 5 and
//! 13), by walking down to the boundary.

use super::totals::Totals;
use super::{Node, Program, Shape};
use filch_policy::Tier;

/// The work of both tiers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tiers {
    /// T1(E_inter): what is done above the leaves of the inter-socket tier.
    pub inter_ns: u64,
    /// T1(E_intra): the work of these leaves.
    pub intra_ns: u64,
    /// K: how many of these leaves there are, of those that may run at the same time.
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

    /// The bound of equation 13 without the factor that its O leaves open: on M squads of N workers, with this much
    /// more time in the leaves because of misses.
    pub fn time_ns(&self, squads: u64, workers: u64, misses_ns: u64) -> u64 {
        self.inter_ns / squads + (self.intra_ns + misses_ns) / (squads * workers) + self.span_ns
    }
}

fn below(program: &dyn Program, fork_ns: u64, node: Node, tier: Tier) -> Tiers {
    if !tier.forks_across() {
        let intra_ns = Totals::below(program, fork_ns, node).t1_ns();
        return Tiers { intra_ns, leaves: u64::from(tier.is_leaf()), ..Tiers::default() };
    }
    let inter = |inter_ns| Tiers { inter_ns, ..Tiers::default() };
    let add = |one: Tiers, other: Tiers, leaves| Tiers {
        inter_ns: one.inter_ns + other.inter_ns,
        intra_ns: one.intra_ns + other.intra_ns,
        leaves,
        span_ns: 0,
    };
    match program.open(node) {
        Shape::Leaf { work_ns } => inter(work_ns),
        Shape::Tail { work_ns, next } => {
            let next = below(program, fork_ns, next, tier);
            add(inter(work_ns), next, next.leaves)
        }
        Shape::Fork { work_ns, first, second } => {
            let [first, second] = [first, second].map(|node| below(program, fork_ns, node, tier.child()));
            let both = add(first, second, first.leaves + second.leaves);
            add(inter(work_ns + fork_ns), both, both.leaves)
        }
        Shape::Then { work_ns, first, then } => {
            let [first, then] = [first, then].map(|node| below(program, fork_ns, node, tier));
            let both = add(first, then, first.leaves.max(then.leaves));
            add(inter(work_ns), both, both.leaves)
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
