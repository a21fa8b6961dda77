//! The boundary level of CAB: the deepest level of a divide-and-conquer program's tasks for which the squads compete.
//!
//! Tasks down to this level are *inter-socket* tasks. What those of the boundary level spawn are *intra-socket* tasks,
//! which the workers of one squad share (Chen, Huang, Guo and Zhou 2011, section III-B).
//!
//! Decided from the program, which knows into how many parts it divides how much data, and from the machine, which
//! knows how many squads there are and how much data fits into the cache of one.

use super::Topology;
use std::error::Error;
use std::fmt;

/// Why there is no boundary level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoundaryError {
    /// The program does not divide its data.
    Branching(u64),
}

impl fmt::Display for BoundaryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Branching(degree) = self;
        write!(
            f,
            "branching degree B = {degree}: expected 2 or more, the number of parts into which a task divides its data"
        )
    }
}

impl Error for BoundaryError {}

/// The boundary level BL of a program that divides its data into `branching` parts again and again, for a pool of
/// `squads` squads, by equation 4 of (Chen, Huang, Guo and Zhou 2011, section III-B):
///
/// ```text
/// BL = max(⌈log_B M + 1⌉, ⌈log_B (S_d / S_c) + 1⌉)
/// ```
///
/// B is `branching`, M is `squads`, S_d is `data_bytes` and S_c is `cache_bytes`, the size of the cache that a squad
/// shares. Level 0 is the task that calls the divide-and-conquer procedure, and level 1 is that procedure's first task.
/// So B^(BL − 1) tasks are on the boundary level. The equation has the lowest level on which there is a task for each
/// squad, and on which the data of a task fits into the cache of a squad.
///
/// The level is 0, so that no task is an inter-socket task, if there is only one squad (section IV-C), or if the
/// program is bound by the processor and not by memory, which `data_bytes` = 0 stands for (section IV-D). If the size
/// of the cache is unknown, the number of squads alone decides.
///
/// The result is exact: powers of B are compared with whole numbers, without rounding.
///
/// # Errors
///
/// If `branching` is less than 2.
///
/// ```
/// use filch::topology::boundary_level;
///
/// // The example of the paper, section V-C: a 3072 × 2048 matrix of `f64` on four sockets with 6 MiB of cache each.
/// assert_eq!(boundary_level(2, 4, 48 << 20, Some(6 << 20)), Ok(4));
/// assert_eq!(boundary_level(2, 1, 48 << 20, Some(6 << 20)), Ok(0), "one squad");
/// assert_eq!(boundary_level(2, 4, 0, Some(6 << 20)), Ok(0), "bound by the processor");
/// assert!(boundary_level(1, 4, 48 << 20, Some(6 << 20)).is_err());
/// ```
pub fn boundary_level(
    branching: u64,
    squads: usize,
    data_bytes: u64,
    cache_bytes: Option<u64>,
) -> Result<u32, BoundaryError> {
    if branching < 2 {
        return Err(BoundaryError::Branching(branching));
    }
    if squads <= 1 || data_bytes == 0 {
        return Ok(0);
    }
    // B^k is a whole number, so it is at least S_d / S_c exactly if it is at least the next whole number.
    let caches_filled = cache_bytes.filter(|&bytes| bytes > 0).map_or(1, |bytes| data_bytes.div_ceil(bytes));
    Ok(ceil_log(branching, caches_filled.max(squads as u64)) + 1)
}

impl Topology {
    /// The [boundary level](boundary_level) on these squads. The smallest of their caches counts, since the data of a
    /// task must fit into that of whichever squad gets it.
    ///
    /// # Errors
    ///
    /// If `branching` is less than 2.
    ///
    /// ```
    /// let topology: filch::Topology = "4x4,cache=6MiB".parse()?;
    /// assert_eq!(topology.boundary_level(2, 48 << 20), Ok(4));
    /// # Ok::<(), filch::topology::ParseTopologyError>(())
    /// ```
    pub fn boundary_level(&self, branching: u64, data_bytes: u64) -> Result<u32, BoundaryError> {
        boundary_level(branching, self.squads().count(), data_bytes, self.squads().smallest_cache_bytes())
    }
}

/// The smallest k with `base`^k ≥ `n`, for a base of at least 2.
fn ceil_log(base: u64, n: u64) -> u32 {
    let mut power: u64 = 1;
    let mut k = 0;
    while power < n {
        // A power that does not fit into the type is larger than `n`.
        power = power.saturating_mul(base);
        k += 1;
    }
    k
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    #[test]
    fn the_levels_are_those_of_the_paper() {
        // Section V-C: ⌈log₂ 4 + 1⌉ = 3 and ⌈log₂ (48 MB / 6 MB) + 1⌉ = 4.
        assert_eq!(boundary_level(2, 4, 48 * MIB, Some(6 * MIB)), Ok(4));
        // Section II, figures 1 and 2: a 10 × 10 matrix of `double` on two sockets with caches of 480 bytes. The tasks
        // of level 2 are the leaf inter-socket tasks.
        assert_eq!(boundary_level(2, 2, 10 * 10 * 8, Some(480)), Ok(2));
        // Section IV-C: 0 on one socket, and IV-D: 0 if the processor is what limits.
        assert_eq!(boundary_level(2, 1, 48 * MIB, Some(6 * MIB)), Ok(0));
        assert_eq!(boundary_level(2, 4, 0, Some(6 * MIB)), Ok(0));
    }

    #[test]
    fn it_is_the_lowest_level_that_satisfies_both_inequations() {
        // Equations 1 and 2 in a type in which nothing overflows. B^(BL − 1) ≥ M, and S_d / B^(BL − 1) ≤ S_c.
        let satisfies = |level: u32, branching: u64, squads: usize, data: u64, cache: u64| {
            let leaves = u128::from(branching).pow(level - 1);
            leaves >= squads as u128 && u128::from(data) <= leaves * u128::from(cache)
        };
        for branching in 2..=9 {
            for squads in 2..=40 {
                for data in 1..=130 {
                    for cache in 1..=20 {
                        let level = boundary_level(branching, squads, data, Some(cache)).expect("B is at least 2");
                        let holds = |level| satisfies(level, branching, squads, data, cache);
                        assert!(holds(level), "B = {branching}, M = {squads}, {data}, {cache}: {level} is too low");
                        // Level 1 has one task, which cannot be enough for two squads.
                        assert!(level >= 2 && !holds(level - 1), "B = {branching}, M = {squads}, {data}, {cache}");
                    }
                }
            }
        }
    }

    #[test]
    fn exact_powers_are_not_rounded_up_and_the_next_number_is() {
        for base in [2_u64, 3, 5, 10, 1 << 16, u64::from(u32::MAX)] {
            let mut power = base;
            for k in 1.. {
                assert_eq!(boundary_level(base, 2, power, Some(1)), Ok(k + 1), "{base}^{k}");
                assert_eq!(boundary_level(base, 2, power + 1, Some(1)), Ok(k + 2), "{base}^{k} + 1");
                let Some(next) = power.checked_mul(base) else { break };
                power = next;
            }
        }
    }

    #[test]
    fn no_input_overflows() {
        let extremes = [1, 2, 3, u64::MAX / 2, u64::MAX - 1, u64::MAX];
        for branching in &extremes[1..] {
            for squads in extremes {
                for data in extremes {
                    for cache in extremes {
                        let squads = usize::try_from(squads).unwrap_or(usize::MAX);
                        let level = boundary_level(*branching, squads, data, Some(cache)).expect("B is at least 2");
                        assert!(level <= 65, "{level}");
                    }
                }
            }
        }
        assert_eq!(boundary_level(2, 2, u64::MAX, Some(1)), Ok(65));
    }

    #[test]
    fn without_the_size_of_a_cache_the_number_of_squads_decides() {
        for unknown in [None, Some(0)] {
            assert_eq!(boundary_level(2, 4, u64::MAX, unknown), Ok(3));
        }
    }

    #[test]
    fn what_does_not_divide_its_data_is_refused_on_any_machine() {
        for branching in [0, 1] {
            for squads in [1, 4] {
                let error = boundary_level(branching, squads, 0, None).expect_err("refused").to_string();
                assert!(error.starts_with(&format!("branching degree B = {branching}: expected 2 or more")), "{error}");
            }
        }
    }

    #[test]
    fn of_unequal_caches_the_smallest_counts() {
        use crate::topology::{Domain, Kind};
        let cache = |first: usize, mib| Domain {
            kind: Kind::Cache(3),
            cache_bytes: Some(mib * MIB),
            processors: vec![first, first + 1],
        };
        let topology = Topology::of_processors(&[0, 1, 2, 3], &[cache(0, 24), cache(2, 3)]);
        assert_eq!(topology.boundary_level(2, 48 * MIB), Ok(5));
    }
}
