//! What adds events to a log, and decides which forks are divided and timed.

use super::log::{Event, Log};
use super::site::{SeenSite, Site};
use super::strand_clock::StrandClock;
use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of the next recorder.
static NUMBER: AtomicUsize = AtomicUsize::new(1);

/// How many forks of a site and depth are timed before their mean counts: the first ones may be dead ends of a search.
const TRUSTED: u32 = 32;

/// Of the forks that are left whole, one of so many is timed, and the forks inside are counted; at first more of them.
const SAMPLED: u32 = 256;

/// A strand that is so many times as long as a leaf had something in it that should have been divided.
const SURPRISE: u64 = 16;

/// Older forks count half as much after so many.
const REMEMBERED: u32 = 1 << 10;

/// How many sites are found without a search.
const RECENT: usize = 16;

/// Deeper forks count as forks at this depth.
const DEEPEST: usize = 255;

/// Each time the log has grown by so many bytes, leaves become twice as long, so that it does not fill the memory.
const GROWTH: usize = 64 << 20;

/// How long the forks of a site last at a depth.
#[derive(Clone, Copy, Debug, Default)]
struct Extent {
    timed: u32,
    ns: u64,
    /// Those that were left whole and counted, and the forks in them, themselves among them.
    counted: u32,
    forks: u64,
    /// How many were left whole, and how many of these since one was counted.
    wholes: u64,
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
    /// The sites that were looked up last, by their code.
    recent: [((usize, usize), u32); RECENT],
    /// By site and depth.
    extents: Vec<Vec<Extent>>,
    /// How many forks are open around the strand.
    depth: usize,
    /// The time of all strands so far.
    ns: u64,
    /// How many forks have been counted inside of one that is left whole, while there is one.
    counting: Option<u64>,
    /// How many forks have been left whole since the last event.
    wholes: u64,
    /// The site and the depth of the last one.
    last_whole: (u32, usize),
    costs: Costs,
    /// How many scopes have been opened, and tasks spawned.
    scopes: u32,
    tasks: u32,
    names: u32,
    /// Which recorder of the process this is, from 1.
    number: usize,
    /// The addresses and numbers of those that have not ended.
    open_scopes: Vec<(usize, u32)>,
}

impl Extent {
    /// How many forks there were in those that were left whole.
    fn untimed(&self) -> u64 {
        let counted = u64::from(self.counted.max(1));
        self.forks + self.wholes.saturating_mul(self.forks) / counted
    }

    /// One more has been timed.
    fn add(&mut self, ns: u64) {
        if self.timed >= REMEMBERED {
            (self.timed, self.ns) = (self.timed / 2, self.ns / 2);
        }
        self.timed += 1;
        self.ns += ns;
    }
}

/// What it costs to record, which is not a part of the program.
#[derive(Clone, Copy, Debug, Default)]
struct Costs {
    /// An event, and a look at the clock.
    event_ns: u64,
    /// A fork that is left whole.
    whole_ns: u64,
}

impl Costs {
    /// Measures on a recorder that nobody needs.
    fn measured() -> Self {
        const ROUNDS: u64 = 8;
        const FORKS: u64 = 64;
        let site = Site::of::<Costs>(1);
        let mut recorder = Recorder::with_costs(u64::MAX, Costs::default());
        recorder.begin_run();
        let site_number = recorder.site(site);
        // The least of some means, since the system may interrupt one.
        let mut measure = |of: &mut dyn FnMut(&mut Recorder)| {
            let mut round = |recorder: &mut Recorder| {
                recorder.add(Event::Open);
                let begin_ns = recorder.ns;
                (0..FORKS).for_each(|_| of(recorder));
                recorder.add(Event::Close);
                recorder.ns - begin_ns
            };
            (0..ROUNDS).map(|_| round(&mut recorder)).min().unwrap_or(0) / FORKS
        };
        let fork_ns = measure(&mut |recorder| {
            let number = recorder.site(site);
            let fork = recorder.fork(number);
            recorder.add(Event::Second);
            recorder.add(Event::Join);
            recorder.end(fork);
        });
        let whole_ns = measure(&mut |recorder| {
            let number = recorder.site(site);
            // Each of those above has been timed often enough, and lasts no time.
            _ = recorder.treatment(number);
        });
        debug_assert_eq!(site_number, 0);
        Costs { event_ns: fork_ns / 3, whole_ns }
    }
}

/// How the next fork of a site is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Treatment {
    /// Its branches are timed.
    Divided,
    /// It is a part of the strand around it.
    Whole,
    /// So it is, and its time and its forks become known.
    Counted,
}

/// A fork that is being timed.
#[derive(Debug)]
pub(crate) struct TimedFork {
    site: u32,
    begin_ns: u64,
}

impl Recorder {
    pub(crate) fn new(leaf_ns: u64) -> Self {
        static COSTS: OnceLock<Costs> = OnceLock::new();
        Recorder::with_costs(leaf_ns, *COSTS.get_or_init(Costs::measured))
    }

    fn with_costs(leaf_ns: u64, costs: Costs) -> Self {
        Recorder {
            log: Log::default(),
            clock: StrandClock::new(),
            before_ns: 0,
            leaf_ns,
            grows_at: GROWTH,
            sites: Vec::new(),
            numbers: HashMap::new(),
            recent: [((0, 0), 0); RECENT],
            extents: Vec::new(),
            depth: 0,
            ns: 0,
            counting: None,
            wholes: 0,
            last_whole: (0, 0),
            costs,
            scopes: 0,
            tasks: 0,
            names: 0,
            number: NUMBER.fetch_add(1, Ordering::Relaxed),
            open_scopes: Vec::new(),
        }
    }

    /// Adds an event, at which the strand ends that has run so far.
    pub(crate) fn add(&mut self, event: Event) {
        let ns = self.time_of_strand();
        self.add_after(ns, event);
    }

    /// What the strand has run since the last event.
    fn time_of_strand(&mut self) -> u64 {
        let wholes = std::mem::take(&mut self.wholes);
        let looked_ns = self.clock.look();
        let ns = looked_ns.saturating_sub(self.costs.event_ns + wholes * self.costs.whole_ns);
        if wholes > 0 && ns > self.leaf_ns.saturating_mul(SURPRISE) {
            let (site, depth) = self.last_whole;
            // Its mean does not count any more until others have been timed.
            let depth = depth.min(DEEPEST);
            self.extents[site as usize][depth].timed = 0;
            self.extents[site as usize][depth].ns = 0;
        }
        std::mem::take(&mut self.before_ns) + ns
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
        self.clock.begin();
        self.before_ns = 0;
        self.open_scopes.clear();
        self.depth = 0;
        self.add_after(0, Event::Run);
    }

    /// The number of a site.
    pub(crate) fn site(&mut self, site: Site) -> u32 {
        let recent = &mut self.recent[site.code / 16 % RECENT];
        if recent.0 == site.key() {
            return recent.1;
        }
        let number = self.numbers.get(&site.key()).copied();
        let number = number.unwrap_or_else(|| {
            // To read the stack is not a part of the program.
            self.before_ns += self.clock.look();
            let number = self.sites.len() as u32;
            self.sites.push(SeenSite::here(site));
            self.extents.push(Vec::new());
            self.numbers.insert(site.key(), number);
            self.clock.skip();
            number
        });
        *recent = (site.key(), number);
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

    /// If this is inside of a fork that is being counted, counts one more.
    pub(crate) fn counts(&mut self) -> bool {
        if let Some(forks) = &mut self.counting {
            *forks += 1;
        }
        self.counting.is_some()
    }

    /// How the next fork of the site is run.
    pub(crate) fn treatment(&mut self, site: u32) -> Treatment {
        let leaf_ns = self.leaf_ns;
        let extent = self.extent(site);
        if extent.timed < TRUSTED || extent.ns >= leaf_ns.saturating_mul(extent.timed.into()) {
            return Treatment::Divided;
        }
        let is_sample = extent.left >= (4 * extent.counted).min(SAMPLED - 1);
        if is_sample {
            extent.left = 0;
            return Treatment::Counted;
        }
        extent.left += 1;
        extent.wholes += 1;
        self.wholes += 1;
        self.last_whole = (site, self.depth);
        Treatment::Whole
    }

    /// A fork whose branches are timed.
    pub(crate) fn fork(&mut self, site: u32) -> TimedFork {
        self.add(Event::Fork { site });
        self.depth += 1;
        TimedFork { site, begin_ns: self.ns }
    }

    /// It is over. Its last event has been added.
    pub(crate) fn end(&mut self, TimedFork { site, begin_ns }: TimedFork) {
        self.depth -= 1;
        let ns = self.ns - begin_ns;
        self.extent(site).add(ns);
    }

    /// A fork that is left whole, and is timed.
    pub(crate) fn begin_counting(&mut self, site: u32) -> TimedFork {
        self.before_ns = self.time_of_strand();
        self.counting = Some(1);
        TimedFork { site, begin_ns: self.ns + self.before_ns }
    }

    /// It is over.
    pub(crate) fn end_counting(&mut self, TimedFork { site, begin_ns }: TimedFork) {
        self.before_ns = self.time_of_strand();
        let (ns, forks) = (self.ns + self.before_ns - begin_ns, self.counting.take().unwrap_or(1));
        let extent = self.extent(site);
        extent.add(ns);
        extent.counted += 1;
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
        self.tasks += 1;
        self.tasks - 1
    }

    /// Which recorder of the process this is, from 1.
    pub(crate) fn number(&self) -> usize {
        self.number
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

    /// The sites, by number, and how many forks of each ran without being timed, as far as can be told from those that
    /// were counted.
    pub(crate) fn sites(&self) -> impl Iterator<Item = (&SeenSite, u64)> {
        let untimed = |extents: &Vec<Extent>| extents.iter().map(Extent::untimed).sum();
        self.sites.iter().zip(self.extents.iter().map(untimed))
    }

    /// What the system has taken.
    pub(crate) fn lost_ns(&self) -> u64 {
        self.clock.lost_ns()
    }
}
