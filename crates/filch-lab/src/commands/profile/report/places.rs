//! The sites of a program, and the way along its span: the tree of sites, each with its share.

use std::env;
use std::path::Path;

use filch::{Profile, ProfileContext};
use serde::Serialize;

/// A place at which the program forks.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Site {
    pub(super) function: String,
    pub(super) place: String,
    /// Timed ones, and an estimate of the others.
    pub(super) forks: u64,
    pub(super) timed_forks: u64,
    /// The share of everything inside of them.
    pub(super) share_of_work: f64,
    pub(super) share_of_span: f64,
    pub(super) parallelism: f64,
}

/// The sites, those first that have most of the span.
pub(super) fn sites(profile: &Profile) -> Vec<Site> {
    let (work_ns, span_ns) = (profile.work().as_nanos(), profile.span().as_nanos());
    let mut sites: Vec<Site> = profile
        .sites()
        .iter()
        .map(|site| Site {
            function: site.function.clone(),
            place: near(&site.place),
            forks: site.timed.saturating_add(site.untimed),
            timed_forks: site.timed,
            share_of_work: share(site.work.as_nanos(), work_ns),
            share_of_span: share(site.on_span.as_nanos(), span_ns),
            parallelism: site.parallelism(),
        })
        .collect();
    let weight = |site: &Site| (site.share_of_span, site.share_of_work);
    sites.sort_by(|one, next| weight(next).partial_cmp(&weight(one)).expect("shares are numbers"));
    sites
}

/// A share of a whole.
pub(super) fn share(part_ns: u128, whole_ns: u128) -> f64 {
    if whole_ns == 0 { 0.0 } else { part_ns as f64 / whole_ns as f64 }
}

/// A file and a line, from where the user is.
pub(super) fn near(place: &str) -> String {
    let here = env::current_dir().ok();
    let from_here = here.and_then(|here| Some(Path::new(place).strip_prefix(here).ok()?.display().to_string()));
    from_here.unwrap_or_else(|| place.to_owned())
}

/// A place in the tree of sites.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Place {
    /// How many others are around it.
    pub(super) depth: usize,
    /// The function; `None` for the runs themselves.
    pub(super) function: Option<String>,
    pub(super) place: String,
    pub(super) timed_forks: u64,
    /// The shares of what is here and inside.
    pub(super) share_of_span: f64,
    pub(super) share_of_work: f64,
    /// The share of what is here, in no place inside.
    pub(super) own_share_of_span: f64,
    pub(super) own_share_of_work: f64,
    /// That of the site, wherever it is, or of the program.
    pub(super) parallelism: f64,
}

/// The tree, each place before those inside of it, which come by their share of the span.
pub(super) fn way(profile: &Profile) -> Vec<Place> {
    let contexts = profile.contexts();
    // What is in a place and inside of it. Each comes after the one around it.
    let mut whole: Vec<(u128, u128)> =
        contexts.iter().map(|context| (context.on_span.as_nanos(), context.work.as_nanos())).collect();
    let mut inside = vec![Vec::new(); contexts.len()];
    for (number, context) in contexts.iter().enumerate().rev() {
        if let Some(parent) = context.parent {
            let (on_span, work) = whole[number];
            whole[parent] = (whole[parent].0 + on_span, whole[parent].1 + work);
            inside[parent].push(number);
        }
    }
    let (mut way, mut left) = (Vec::new(), vec![(0, 0)]);
    while let Some((number, depth)) = left.pop() {
        let Some(context) = contexts.get(number) else { break };
        way.push(place(profile, context, whole[number], depth));
        inside[number].sort_by_key(|&other| whole[other]);
        left.extend(inside[number].iter().map(|&number| (number, depth + 1)));
    }
    way
}

fn place(profile: &Profile, context: &ProfileContext, (on_span_ns, work_ns): (u128, u128), depth: usize) -> Place {
    let site = context.site.map(|site| &profile.sites()[site]);
    let (all_work_ns, span_ns) = (profile.work().as_nanos(), profile.span().as_nanos());
    Place {
        depth,
        function: site.map(|site| site.function.clone()),
        place: site.map_or(String::new(), |site| near(&site.place)),
        timed_forks: context.timed,
        share_of_span: share(on_span_ns, span_ns),
        share_of_work: share(work_ns, all_work_ns),
        own_share_of_span: share(context.on_span.as_nanos(), span_ns),
        own_share_of_work: share(context.work.as_nanos(), all_work_ns),
        parallelism: site.map_or_else(|| profile.parallelism(), |site| site.parallelism()),
    }
}

impl Place {
    /// Whether it matters: where most of the work and of the span is, not each of a thousand places.
    pub(super) fn is_notable(&self) -> bool {
        const LEAST: f64 = 0.005;
        self.depth == 0 || self.share_of_span >= LEAST || self.share_of_work >= LEAST
    }

    /// What it is called.
    pub(super) fn name(&self) -> &str {
        self.function.as_deref().unwrap_or("all runs")
    }
}

/// How many forks matter in the tree, and how many do not.
pub(super) fn notable(way: &[Place]) -> (Vec<&Place>, usize) {
    const MOST: usize = 60;
    let notable: Vec<&Place> = way.iter().filter(|place| place.is_notable()).take(MOST).collect();
    let others = way.len() - notable.len();
    (notable, others)
}
