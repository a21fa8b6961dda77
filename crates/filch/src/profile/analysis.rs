//! Work, span and burdened span of a recording, and where they are.
//!
//! Three passes over the log. The first one follows virtual time: a branch begins when its fork did, a task when it was
//! spawned, whatever the one thread has done in between; at a join, or at the end of a scope, the latest one counts. It
//! notes for each piece of a strand which one it came after. The second pass goes back along these notes from the end:
//! these pieces are the span. The third one adds up the time of all pieces by [context](super::contexts).
//!
//! The *burdened* span (He, Leiserson and Leiserson 2010, section 4) has the cost of moving work in it: a second branch
//! or a task begins later by that cost, but is never more than what it takes to run one after the other.

use super::contexts::{Contexts, OfSite, add};
use crate::engine::profile::log::{Event, Log};
use std::collections::HashMap;

/// No piece of a strand.
const NONE: u32 = u32::MAX;

/// Where a strand has come.
#[derive(Clone, Copy, Debug)]
struct Strand {
    /// The time from the beginning along the longest way.
    ns: u64,
    /// The same with the cost of moving work.
    burdened_ns: u64,
    /// The last piece on that way.
    last: u32,
}

impl Strand {
    /// Where something goes on that has waited for both.
    fn after(self, other: Strand) -> Strand {
        let last = if other.ns > self.ns { other.last } else { self.last };
        Strand { ns: self.ns.max(other.ns), burdened_ns: self.burdened_ns.max(other.burdened_ns), last }
    }

    /// The same, but the burdened time is at most this.
    fn at_most(self, burdened_ns: u64) -> Strand {
        Strand { burdened_ns: self.burdened_ns.min(burdened_ns), ..self }
    }
}

/// What is open around a piece.
#[derive(Clone, Copy, Debug)]
enum Open {
    Fork { at: Strand, first: Option<Strand>, instance: Instance },
    Task { number: u32, outer: Strand, instance: Instance },
    Scope { number: usize, finish: Finish },
    Run(Finish),
}

/// The tasks of a scope that are over.
#[derive(Clone, Copy, Debug)]
struct Finish {
    latest: Strand,
    /// What all of them have taken.
    burdened_ns: u64,
}

/// A fork or task of a site.
#[derive(Clone, Copy, Debug)]
struct Instance {
    site: usize,
    /// Whether it is not inside another one of that site.
    is_outermost: bool,
    begin_ns: u64,
    work_before_ns: u64,
}

#[derive(Clone, Copy, Debug)]
struct Task {
    spawned: Strand,
    scope: u32,
    site: usize,
}

/// What has been found out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Analysis {
    pub(crate) work_ns: u64,
    pub(crate) span_ns: u64,
    pub(crate) burdened_ns: u64,
    pub(crate) forks: u64,
    pub(crate) runs: u64,
    pub(crate) largest_ns: u64,
    pub(crate) sites: Vec<OfSite>,
    pub(crate) contexts: Contexts,
}

impl Analysis {
    /// Adds another one of the same sites, which comes after this one.
    pub(crate) fn add(&mut self, other: &Analysis) {
        add(&mut self.work_ns, other.work_ns);
        add(&mut self.span_ns, other.span_ns);
        add(&mut self.burdened_ns, other.burdened_ns);
        add(&mut self.forks, other.forks);
        add(&mut self.runs, other.runs);
        self.largest_ns = self.largest_ns.max(other.largest_ns);
        for (site, more) in self.sites.iter_mut().zip(&other.sites) {
            add(&mut site.forks, more.forks);
            add(&mut site.work_ns, more.work_ns);
            add(&mut site.on_span_ns, more.on_span_ns);
            add(&mut site.own_span_ns, more.own_span_ns);
        }
        self.contexts.add(&other.contexts);
    }
}

/// Where a log is not one: behind so many events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Broken(pub(crate) usize);

/// Analyses a log. `groups` says for each site of the log which of `sites` it counts as. Moving work costs `burden_ns`.
pub(crate) fn analyse(log: &Log, groups: &[usize], sites: usize, burden_ns: u64) -> Result<Analysis, Broken> {
    let mut walk = Walk::new(groups, sites, burden_ns);
    let mut events = log.iter();
    let mut count = 0;
    for (ns, event) in events.by_ref() {
        walk.step(ns, event).ok_or(Broken(count))?;
        count += 1;
    }
    if events.bytes_left() > 0 || !walk.open.is_empty() {
        return Err(Broken(count));
    }
    let (pieces, end) = (walk.pieces, walk.here);
    let mut analysis = walk.analysis;
    (analysis.span_ns, analysis.burdened_ns) = (end.ns, end.burdened_ns);
    let is_on_span = way(&pieces, end.last);
    analysis.contexts = Contexts::of(log, groups, &is_on_span);
    analysis.contexts.add_to(&mut analysis.sites);
    Ok(analysis)
}

/// The first pass.
struct Walk<'g> {
    groups: &'g [usize],
    burden_ns: u64,
    here: Strand,
    /// For each piece the one that it came after.
    pieces: Vec<u32>,
    open: Vec<Open>,
    /// Where each scope is in `open`.
    scopes: Vec<usize>,
    tasks: Vec<Task>,
    posted: HashMap<u64, Strand>,
    /// How many forks and tasks of each site are open.
    instances: Vec<u32>,
    analysis: Analysis,
}

impl<'g> Walk<'g> {
    fn new(groups: &'g [usize], sites: usize, burden_ns: u64) -> Self {
        Walk {
            groups,
            burden_ns,
            here: Strand { ns: 0, burdened_ns: 0, last: NONE },
            pieces: Vec::new(),
            open: Vec::new(),
            scopes: vec![0],
            tasks: Vec::new(),
            posted: HashMap::new(),
            instances: vec![0; sites],
            analysis: Analysis { sites: vec![OfSite::default(); sites], ..Analysis::default() },
        }
    }

    /// The next event, behind the piece that ends there. `None` if it cannot come here.
    fn step(&mut self, ns: u64, event: Event) -> Option<()> {
        let piece = u32::try_from(self.pieces.len()).ok().filter(|&piece| piece != NONE)?;
        self.pieces.push(self.here.last);
        let Strand { ns: before, burdened_ns, .. } = self.here;
        self.here = Strand { ns: before.checked_add(ns)?, burdened_ns: burdened_ns.checked_add(ns)?, last: piece };
        self.analysis.work_ns = self.analysis.work_ns.checked_add(ns)?;
        self.analysis.largest_ns = self.analysis.largest_ns.max(ns);
        match event {
            Event::Fork { site } => {
                let site = *self.groups.get(site as usize)?;
                self.count(site);
                let instance = self.begin_instance(site);
                self.open.push(Open::Fork { at: self.here, first: None, instance });
            }
            Event::Second => {
                let Some(Open::Fork { at, first: first @ None, .. }) = self.open.last_mut() else { return None };
                *first = Some(self.here);
                self.here = later(*at, self.burden_ns)?;
            }
            Event::Join => {
                let Some(Open::Fork { at, first: Some(first), instance }) = self.open.pop() else { return None };
                let second_ns = self.here.burdened_ns - at.burdened_ns - self.burden_ns;
                let serial_ns = first.burdened_ns.checked_add(second_ns)?;
                self.here = first.after(self.here).at_most(serial_ns);
                self.end_instance(instance);
            }
            Event::Open => {
                self.scopes.push(self.open.len());
                let finish = Finish { latest: self.here, burdened_ns: 0 };
                self.open.push(Open::Scope { number: self.scopes.len() - 1, finish });
            }
            Event::Spawn { scope, site } => {
                let site = *self.groups.get(site as usize)?;
                self.count(site);
                self.tasks.push(Task { spawned: later(self.here, self.burden_ns)?, scope, site });
            }
            Event::Begin { task } => {
                let Task { spawned, site, .. } = *self.tasks.get(task as usize)?;
                let outer = std::mem::replace(&mut self.here, spawned);
                let instance = self.begin_instance(site);
                self.open.push(Open::Task { number: task, outer, instance });
            }
            Event::End => {
                let Some(Open::Task { number, outer, instance }) = self.open.pop() else { return None };
                self.end_instance(instance);
                let Task { spawned, scope, .. } = self.tasks[number as usize];
                let end = std::mem::replace(&mut self.here, outer);
                let place = *self.scopes.get(scope as usize)?;
                let Some(Open::Scope { finish, .. } | Open::Run(finish)) = self.open.get_mut(place) else {
                    return None;
                };
                finish.latest = finish.latest.after(end);
                finish.burdened_ns = finish.burdened_ns.checked_add(end.burdened_ns - spawned.burdened_ns)?;
            }
            Event::Close => {
                let Some(Open::Scope { number, finish }) = self.open.pop() else { return None };
                // What still comes is awaited by the run.
                self.scopes[number] = 0;
                self.finish(finish)?;
            }
            Event::Post { key } => {
                let here = self.here;
                self.posted.entry(key).and_modify(|posted| *posted = posted.after(here)).or_insert(here);
            }
            Event::Wait { key } => {
                if let Some(&posted) = self.posted.get(&key) {
                    self.here = self.here.after(posted);
                }
            }
            Event::Run => {
                if !self.open.is_empty() {
                    return None;
                }
                self.analysis.runs += 1;
                self.open.push(Open::Run(Finish { latest: self.here, burdened_ns: 0 }));
            }
            Event::EndRun => {
                let Some(Open::Run(finish)) = self.open.pop() else { return None };
                self.finish(finish)?;
            }
        }
        Some(())
    }

    /// The tasks of a scope or of a run are over.
    fn finish(&mut self, Finish { latest, burdened_ns }: Finish) -> Option<()> {
        let serial_ns = self.here.burdened_ns.checked_add(burdened_ns)?;
        self.here = self.here.after(latest).at_most(serial_ns);
        Some(())
    }

    /// A fork or a spawn of the site.
    fn count(&mut self, site: usize) {
        self.analysis.forks += 1;
        self.analysis.sites[site].forks += 1;
    }

    fn begin_instance(&mut self, site: usize) -> Instance {
        self.instances[site] += 1;
        let is_outermost = self.instances[site] == 1;
        Instance { site, is_outermost, begin_ns: self.here.ns, work_before_ns: self.analysis.work_ns }
    }

    fn end_instance(&mut self, Instance { site, is_outermost, begin_ns, work_before_ns }: Instance) {
        self.instances[site] -= 1;
        if is_outermost {
            let of_site = &mut self.analysis.sites[site];
            add(&mut of_site.work_ns, self.analysis.work_ns - work_before_ns);
            add(&mut of_site.own_span_ns, self.here.ns - begin_ns);
        }
    }
}

/// A strand that begins where this one is, once the work has moved.
fn later(strand: Strand, burden_ns: u64) -> Option<Strand> {
    Some(Strand { burdened_ns: strand.burdened_ns.checked_add(burden_ns)?, ..strand })
}

/// The second pass: for each piece whether it is on the way that ends with `last`.
fn way(pieces: &[u32], last: u32) -> Vec<bool> {
    let mut is_on_span = vec![false; pieces.len()];
    let mut next = last;
    while let Some(is_on) = is_on_span.get_mut(next as usize) {
        *is_on = true;
        next = pieces[next as usize];
    }
    is_on_span
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn analysed(burden_ns: u64, events: &[(u64, Event)]) -> Result<Analysis, Broken> {
        let mut log = Log::default();
        let around = [(0, Event::Run)].into_iter().chain(events.iter().copied());
        around.for_each(|(ns, event)| log.add(ns, event));
        log.add(0, Event::EndRun);
        analyse(&log, &[0, 1], 2, burden_ns)
    }

    fn times(burden_ns: u64, events: &[(u64, Event)]) -> (u64, u64, u64) {
        let analysis = analysed(burden_ns, events).expect("a log");
        let in_contexts: u64 = analysis.contexts.iter().map(|context| context.work_ns).sum();
        let on_span: u64 = analysis.contexts.iter().map(|context| context.on_span_ns).sum();
        assert_eq!((in_contexts, on_span), (analysis.work_ns, analysis.span_ns));
        (analysis.work_ns, analysis.span_ns, analysis.burdened_ns)
    }

    #[test]
    fn the_longer_branch_counts_and_a_burden_is_no_more_than_it_saves() {
        let fork = |a, b| {
            [(10, Event::Fork { site: 0 }), (a, Event::Second), (b, Event::Join), (1, Event::Open), (0, Event::Close)]
        };
        assert_eq!(times(5, &fork(100, 20)), (131, 111, 111));
        assert_eq!(times(5, &fork(20, 100)), (131, 111, 116));
        assert_eq!(times(50, &fork(20, 100)), (131, 111, 131), "one after the other");
    }

    #[test]
    fn a_task_begins_when_it_was_spawned_and_its_scope_waits_for_it() {
        let events = [
            (1, Event::Open),
            (2, Event::Spawn { scope: 1, site: 0 }),
            (30, Event::Spawn { scope: 1, site: 1 }),
            (4, Event::Begin { task: 1 }),
            (20, Event::End),
            (0, Event::Begin { task: 0 }),
            (100, Event::End),
            (0, Event::Close),
            (7, Event::Open),
            (0, Event::Close),
        ];
        assert_eq!(times(0, &events), (164, 1 + 2 + 100 + 7, 110));
        let analysis = analysed(0, &events).expect("a log");
        assert_eq!((analysis.sites[0].on_span_ns, analysis.sites[1].on_span_ns), (100, 0));
    }

    #[test]
    fn what_waits_goes_on_after_what_was_posted() {
        let events = [
            (1, Event::Open),
            (0, Event::Spawn { scope: 1, site: 0 }),
            (0, Event::Begin { task: 0 }),
            (50, Event::Post { key: 9 }),
            (50, Event::End),
            (5, Event::Wait { key: 9 }),
            (60, Event::Wait { key: 8 }),
            (0, Event::Close),
        ];
        assert_eq!(times(0, &events).1, 1 + 50 + 60);
    }

    #[test]
    fn a_site_that_calls_itself_is_one_context() {
        let fork = (3, Event::Fork { site: 0 });
        let events = [fork, fork, (5, Event::Second), (6, Event::Join), (1, Event::Second), (2, Event::Join)];
        let analysis = analysed(0, &events).expect("a log");
        assert_eq!(
            (analysis.contexts.iter().count(), analysis.contexts.iter().nth(1).map_or(0, |context| context.forks)),
            (2, 2)
        );
        assert_eq!((analysis.sites[0].work_ns, analysis.sites[0].own_span_ns), (17, 10));
    }

    #[test]
    fn events_that_do_not_nest_are_an_error() {
        for events in [
            vec![(1, Event::Second)],
            vec![(1, Event::Join)],
            vec![(1, Event::End)],
            vec![(1, Event::Close)],
            vec![(1, Event::Run)],
            vec![(1, Event::EndRun)],
            vec![(1, Event::Begin { task: 0 })],
            vec![(1, Event::Fork { site: 2 })],
            vec![(1, Event::Fork { site: 0 })],
            vec![(1, Event::Fork { site: 0 }), (1, Event::Second), (1, Event::Second)],
            vec![(1, Event::Fork { site: 0 }), (1, Event::Join)],
        ] {
            assert!(analysed(0, &events).is_err(), "{events:?}");
        }
    }
}
