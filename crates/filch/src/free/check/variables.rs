//! The variables of the environment that say what a check tries. Inline, so that they are compiled in programs that
//! check something.

use std::ops::Range;

/// The variable that names the schedule to run: `seed=7`, or `seed=7,moves=3+12`.
pub(super) const SCHEDULE: &str = "FILCH_CHECK";

/// The variable that says how many seeds to try.
const SEEDS: &str = "FILCH_CHECK_SEEDS";

/// The seeds to be tried, and the moves of a seed if they are named. The program has set `seeds`.
#[inline]
pub(super) fn asked(seeds: &Range<u64>) -> Result<(Range<u64>, Option<Vec<u64>>), String> {
    let variable = |name| std::env::var(name).ok().filter(|text| !text.trim().is_empty());
    if let Some(text) = variable(SCHEDULE) {
        let (seed, moves) = named(&text).ok_or_else(|| {
            format!("{SCHEDULE} is `{text}`; expected `seed=NUMBER` or `seed=NUMBER,moves=NUMBER+NUMBER...`")
        })?;
        return Ok((seed..seed.saturating_add(1), moves));
    }
    let Some(text) = variable(SEEDS) else { return Ok((seeds.clone(), None)) };
    let number = text.trim().parse().map_err(|_| format!("{SEEDS} is `{text}`; expected a whole number"))?;
    Ok((0..number, None))
}

/// The seed, and the moves if there are any, that a text names.
#[inline]
fn named(text: &str) -> Option<(u64, Option<Vec<u64>>)> {
    let text = text.trim().strip_prefix("seed=")?;
    let Some((seed, moves)) = text.split_once(",moves=") else { return Some((text.parse().ok()?, None)) };
    let mut moves: Vec<u64> = moves.split('+').map(str::parse).collect::<Result<_, _>>().ok()?;
    moves.sort_unstable();
    Some((seed.parse().ok()?, Some(moves)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_is_named_by_its_seed_and_perhaps_its_moves() {
        assert_eq!(named(" seed=7 "), Some((7, None)));
        assert_eq!(named("seed=7,moves=12+3"), Some((7, Some(vec![3, 12]))));
        for wrong in ["", "7", "seed=", "seed=x", "seed=7,moves=", "seed=7,moves=1+", "seed=7,moves=1,2", "seed=-1"] {
            assert_eq!(named(wrong), None, "{wrong}");
        }
    }
}
