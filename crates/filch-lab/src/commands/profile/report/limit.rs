//! What keeps a program from being faster, in a sentence.

use filch::{Profile, ProfileContext};
use filch_bench::show::numbers::{decimals, number_of, seconds};

use super::places::{near, share};

/// Who has less than so many times as much burdened parallelism as there are workers will see it: T1/P + T∞ is then
/// more than half as much again as T1/P.
const ENOUGH: f64 = 2.0;

/// What limits the speed-up on so many workers: nothing, if there is parallelism enough.
pub(super) fn limits(profile: &Profile, workers: usize) -> Vec<String> {
    let parallelism = profile.burdened_parallelism();
    if profile.work().is_zero() || parallelism >= ENOUGH * workers as f64 {
        return Vec::new();
    }
    let mut limits = Vec::new();
    let (span, burdened) = (profile.span().as_secs_f64(), profile.burdened_span().as_secs_f64());
    let enough_for = number_of((parallelism / ENOUGH).max(1.0) as usize, "worker", "workers");
    limits.push(format!("There is parallelism enough for {enough_for}, and not for {workers}."));
    limits.extend(longest(profile));
    if burdened > ENOUGH * span {
        limits.push(format!(
            "To move a piece of work costs {}, which makes the span {:.*} times as long: larger pieces would help.",
            seconds(profile.burden().as_secs_f64()),
            decimals(burdened / span.max(1e-9)),
            burdened / span.max(1e-9)
        ));
    }
    limits
}

/// The place that has most of the span for itself.
fn longest(profile: &Profile) -> Option<String> {
    let context = profile.contexts().iter().max_by_key(|context| context.on_span)?;
    let percent = 100.0 * share(context.on_span.as_nanos(), profile.span().as_nanos());
    let [here, span] = [context.on_span, profile.span()].map(|time| seconds(time.as_secs_f64()));
    Some(match context {
        ProfileContext { site: Some(site), .. } => {
            let site = &profile.sites()[*site];
            let place = if site.place.is_empty() { String::new() } else { format!(" ({})", near(&site.place)) };
            format!(
                "{percent:.0} % of the span is in {}{place}: there, {here} of {span} run serially inside of forks.",
                site.function
            )
        }
        ProfileContext { site: None, .. } => format!(
            "{percent:.0} % of the span is outside of all forks: {here} of {span} run serially before, between or \
             after them."
        ),
    })
}
