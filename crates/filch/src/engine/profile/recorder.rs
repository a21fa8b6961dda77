//! What adds events to a log, and decides which forks are divided and timed.

use super::log::{Event, Log};
use super::site::{SeenSite, Site};
use super::strand_clock::StrandClock;
use std::collections::HashMap;

/// How many forks of a site and depth are timed before their mean counts.
const TRUSTED: u32 = 4;

/// One of so many that need not be divided is divided nevertheless.
const SAMPLED: u32 = 64;

/// Older forks count half as much after so many.
const REMEMBERED: u32 = 1 << 10;

/// Deeper forks count as forks at this depth.
const DEEPEST: usize = 255;

/// Each time the log has grown by so many bytes, leaves become twice as long, so that it does not fill the memory.
const GROWTH: usize = 64 << 20;

/// How long the forks of a site last at a depth.
#[derive(Clone, Copy, Debug, Default)]
struct Extent {
    timed: u32,
    ns: u64,
    /// The forks in them, themselves among them.
    forks: u64,
    /// How many were left undivided since one was timed.
    left: u32,
}

/// A recording under way: that of one thread.
#[derive(Debug)]
pub(crate) struct Recorder {
    log: Log,
    clock: StrandClock,
    /// What the strand has run before the last look, and since the last event.
    before_ns: u64,
    leaf_ns: u64,
    /// When the log has this many bytes, leaves become longer.
    grows_at: usize,
    sites: Vec<SeenSite>,
    numbers: HashMap<(usize, usize), u32>,
    /// By site and depth.
    extents: Vec<Vec<Extent>>,
    /// How many forks are open around the strand.
    depth: usize,
    /// The time and the forks of all strands so far, those that were not timed included.
    ns: u64,
    forks: u64,
    /// How many scopes have been opened, and tasks spawned.
    scopes: u32,
    tasks: u32,
    names: u32,
    /// The addresses and numbers of those that have not ended.
    open_scopes: Vec<(usize, u32)>,
}

/// A fork whose branches are being timed.
#[derive(Debug)]
pub(crate) struct TimedFork {
    site: u32,
    begin_ns: u64,
    forks_before: u64,
}

impl Recorder {
    pub(crate) fn new(leaf_ns: u64) -> Self {
        Recorder {
            log: Log::default(),
            clock: StrandClock::new(),
            before_ns: 0,
            leaf_ns,
            grows_at: GROWTH,
            sites: Vec::new(),
            numbers: HashMap::new(),
            extents: Vec::new(),
            depth: 0,
            ns: 0,
            forks: 0,
            scopes: 0,
            tasks: 0,
            names: 0,
            open_scopes: Vec::new(),
        }
    }

    /// Adds an event, at which the strand ends that has run so far.
    pub(crate) fn add(&mut self, event: Event) {
        let ns = self.clock.look() + std::mem::take(&mut self.before_ns);
        self.add_after(ns, event);
    }

    fn add_after(&mut self, ns: u64, event: Event) {
        self.ns += ns;
        self.log.add(ns, event);
        if self.log.len() >= self.grows_at {
            self.grows_at += GROWTH;
            self.leaf_ns = self.leaf_ns.saturating_mul(2);
        }
    }

    /// A run begins, before which nothing counts.
    pub(crate) fn begin_run(&mut self) {
        self.clock.skip();
        self.before_ns = 0;
        self.open_scopes.clear();
        self.depth = 0;
        self.add_after(0, Event::Run);
    }

    /// The number of a site.
    pub(crate) fn site(&mut self, site: Site) -> u32 {
        if let Some(&number) = self.numbers.get(&site.key()) {
            return number;
        }
        // To read the stack is not a part of the program.
        self.before_ns += self.clock.look();
        let number = self.sites.len() as u32;
        self.sites.push(SeenSite::here(site));
        self.extents.push(Vec::new());
        self.numbers.insert(site.key(), number);
        self.clock.skip();
        number
    }

    fn extent(&mut self, site: u32) -> &mut Extent {
        let depth = self.depth.min(DEEPEST);
        let extents = &mut self.extents[site as usize];
        if extents.len() <= depth {
            extents.resize(depth + 1, Extent::default());
        }
        &mut extents[depth]
    }

    /// Whether the next fork of the site is left undivided. If so, counts it.
    pub(crate) fn leaves_whole(&mut self, site: u32) -> bool {
        let leaf_ns = self.leaf_ns;
        let extent = self.extent(site);
        let is_short = extent.timed >= TRUSTED && extent.ns < leaf_ns.saturating_mul(extent.timed.into());
        if !is_short || extent.left >= SAMPLED - 1 {
            extent.left = 0;
            return false;
        }
        extent.left += 1;
        let forks = extent.forks / u64::from(extent.timed);
        self.forks += forks;
        self.sites[site as usize].untimed += forks;
        true
    }

    /// A fork whose branches are timed.
    pub(crate) fn fork(&mut self, site: u32) -> TimedFork {
        self.add(Event::Fork { site });
        self.forks += 1;
        self.depth += 1;
        TimedFork { site, begin_ns: self.ns, forks_before: self.forks - 1 }
    }

    /// It is over. Its last event has been added.
    pub(crate) fn end(&mut self, TimedFork { site, begin_ns, forks_before }: TimedFork) {
        self.depth -= 1;
        let (ns, forks) = (self.ns - begin_ns, self.forks - forks_before);
        let extent = self.extent(site);
        if extent.timed >= REMEMBERED {
            *extent = Extent { timed: extent.timed / 2, ns: extent.ns / 2, forks: extent.forks / 2, ..*extent };
        }
        extent.timed += 1;
        extent.ns += ns;
        extent.forks += forks;
    }

    /// How many items of a loop make one task: one, until the log has become large.
    pub(crate) fn items_of_task(&self) -> u64 {
        (self.grows_at / GROWTH) as u64
    }

    /// A scope begins, which is at this address.
    pub(crate) fn open(&mut self, address: usize) {
        self.add(Event::Open);
        self.scopes += 1;
        self.open_scopes.push((address, self.scopes));
    }

    /// The scope that began last is over, with its tasks.
    pub(crate) fn close(&mut self) {
        self.add(Event::Close);
        self.open_scopes.pop();
    }

    /// The number of the scope at this address; 0 if nobody awaits its tasks here.
    pub(crate) fn scope(&self, address: usize) -> u32 {
        self.open_scopes.iter().rfind(|scope| scope.0 == address).map_or(0, |scope| scope.1)
    }

    /// The number of the innermost scope.
    pub(crate) fn innermost_scope(&self) -> u32 {
        self.open_scopes.last().map_or(0, |scope| scope.1)
    }

    /// The number of a task that is spawned.
    pub(crate) fn spawn(&mut self, scope: u32, site: u32) -> u32 {
        self.add(Event::Spawn { scope, site });
        self.forks += 1;
        self.tasks += 1;
        self.tasks - 1
    }

    /// A name that this recording has not had, in front of 2^32 keys.
    pub(crate) fn name(&mut self) -> u64 {
        self.names += 1;
        u64::from(self.names) << 32
    }

    /// What has been recorded.
    pub(crate) fn log(&self) -> &Log {
        &self.log
    }

    /// The sites, by number.
    pub(crate) fn sites(&self) -> &[SeenSite] {
        &self.sites
    }

    /// What the system has taken.
    pub(crate) fn lost_ns(&self) -> u64 {
        self.clock.lost_ns()
    }
}
