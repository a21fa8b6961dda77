//! What a program can say about the two tiers of CAB (Chen, Huang, Guo and Zhou 2011, section IV-D).

use crate::constructs::affinity::AffinePart;
use crate::constructs::strand::Strand;
use crate::engine::share::across;
use crate::engine::team::squads::Squads;
use filch_policy::Tier;

/// The boundary level of a procedure of one fork: its branches are leaves of the inter-socket tier.
const ONE_FORK: u32 = 2;

impl Strand<'_> {
    /// Runs `f` as a divide-and-conquer procedure with a boundary level of its own. The procedure divides `data_bytes`
    /// bytes of data into `branching` parts, and each of these again. Nested joins count as one level each, so a
    /// procedure of joins has a branching degree of 2.
    ///
    /// This has an effect under [`Scheduler::cab`](crate::Scheduler::cab) on several squads: the forks of `f` down to
    /// the boundary level are inter-socket tasks, each of which a whole squad works on. The level is that of equation 4
    /// (Chen, Huang, Guo and Zhou 2011, sections III-B and IV-D). With `data_bytes` = 0 the procedure counts as bound
    /// by the processor, and has no inter-socket tasks. Otherwise this just calls `f`.
    ///
    /// Work and span: those of `f`, and a few instructions.
    ///
    /// # Panics
    ///
    /// If `branching` is less than 2, or if `f` panics.
    ///
    /// ```
    /// use filch::{Pool, Scheduler, Strand};
    ///
    /// fn sum(mut s: Strand<'_>, numbers: &[u64]) -> u64 {
    ///     if numbers.len() <= 2 {
    ///         return numbers.iter().sum();
    ///     }
    ///     let (left, right) = numbers.split_at(numbers.len() / 2);
    ///     let (a, b) = s.join(|s| sum(s, left), |s| sum(s, right));
    ///     a + b
    /// }
    ///
    /// let pool = Pool::builder().scheduler(Scheduler::cab()).topology("2x2,cache=1KiB".parse()?).build()?;
    /// let numbers: Vec<u64> = (0..1_000).collect();
    /// let bytes = size_of_val(&numbers[..]) as u64;
    /// assert_eq!(pool.run(|mut s| s.divide(2, bytes, |s| sum(s, &numbers))), 499_500);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn divide<R>(&mut self, branching: u64, data_bytes: u64, f: impl FnOnce(Strand<'_>) -> R) -> R {
        assert!(branching >= 2, "divide: branching = {branching}: expected 2 or more parts");
        let tier = |squads: &Squads| squads.tier_of(branching, data_bytes).unwrap_or(Tier::INTRA);
        across::procedure(self.occupied(), tier, |top| f(Strand::of(top)))
    }

    /// Like [`join`](Self::join), and makes both branches inter-socket tasks, whatever the level of this strand.
    ///
    /// This has an effect under [`Scheduler::cab`](crate::Scheduler::cab) on several squads: the second branch goes to
    /// the squad that gets it first. It is for programs that know better than equation 4 (Chen, Huang, Guo and Zhou
    /// 2011, section IV-D: `inter_spawn`). Otherwise this is `join`.
    ///
    /// # Panics
    ///
    /// As [`join`](Self::join).
    ///
    /// ```
    /// let (a, b) = filch::run(|mut s| s.join_inter(|_| 1, |_| 2));
    /// assert_eq!((a, b), (1, 2));
    /// ```
    pub fn join_inter<A, B, RA, RB>(&mut self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(Strand<'_>) -> RA,
        B: FnOnce(Strand<'_>) -> RB + Send,
        RB: Send,
    {
        across::procedure(self.occupied(), |_| Tier::first(ONE_FORK), |top| Strand::of(top).join(a, b))
    }

    /// [`join_inter`](Self::join_inter) with affinity: a squad begins with the branch that it had last, and offers the
    /// other one first to the squad that had that, as in [`join_affine`](Self::join_affine).
    ///
    /// # Panics
    ///
    /// As [`join_affine`](Self::join_affine).
    ///
    /// ```
    /// let mut affinity = filch::Affinity::new();
    /// let sums = filch::run(|mut s| {
    ///     let all = affinity.divide(&s, 100);
    ///     s.join_inter_affine(all, 50, |_, _| (0..50).sum::<u64>(), |_, _| (50..100).sum::<u64>())
    /// });
    /// assert_eq!(sums, (1_225, 3_725));
    /// ```
    pub fn join_inter_affine<'a, A, B, RA, RB>(&mut self, part: AffinePart<'a>, middle: u64, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(Strand<'_>, AffinePart<'a>) -> RA + Send,
        B: FnOnce(Strand<'_>, AffinePart<'a>) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        let tier = |_: &Squads| Tier::first(ONE_FORK);
        across::procedure(self.occupied(), tier, |top| Strand::of(top).join_affine(part, middle, a, b))
    }
}
