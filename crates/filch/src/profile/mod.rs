//! Profiles: how parallel a program is, where its span is, and what it can gain from more workers.

mod analysis;
mod contexts;
mod file;
mod segments;

pub use file::ProfileError;
pub use segments::Segment;

use crate::engine::profile::log::Log;
use crate::engine::profile::recorder::Recorder;
use analysis::Analysis;
use contexts::{Context, OfSite};
use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

/// What a program does in parallel: its work, its span, and where in the program they are.
///
/// The *work* T₁ is the time that all of it takes on one worker. The *span* T∞ is the time of the longest chain of
/// things that must come one after another; no number of workers is faster. Their ratio is the *parallelism*: more
/// workers than that are of no use (Frigo, Leiserson and Randall 1998, sections 1 and 6). The *burdened* span has in it
/// what it costs to move work, and so has the parallelism that follows from it (He, Leiserson and Leiserson 2010,
/// section 4).
///
/// [`Pool::profile`](crate::Pool::profile) makes one. One thread runs the program in order, and is timed at each fork,
/// each spawn and each join, which takes some percent of the time. Times in which the system ran something else on the
/// processor are left out, as far as it says so. What takes less than a *leaf*, 4 µs, is not divided.
///
/// ```
/// fn fib(mut s: filch::Strand<'_>, n: u64) -> u64 {
///     if n < 2 {
///         return n;
///     }
///     let (a, b) = s.join(|s| fib(s, n - 1), |s| fib(s, n - 2));
///     a + b
/// }
///
/// let pool = filch::Pool::builder().workers(4).build()?;
/// let (result, profile) = pool.profile(|s| fib(s, 20));
/// assert_eq!(result, 6765);
/// assert!(profile.work() >= profile.span());
/// println!("{profile}");
/// # Ok::<(), filch::PoolError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Profile {
    program: String,
    workers: usize,
    leaf_ns: u64,
    burden_ns: u64,
    lost_ns: u64,
    recordings: Vec<Recording>,
    sites: Vec<ProfileSite>,
    way: Vec<ProfileContext>,
    total: Analysis,
}

/// What one thread has recorded.
#[derive(Clone, Debug)]
struct Recording {
    log: Log,
    sites: Vec<SeenSite>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct SeenSite {
    function: String,
    place: String,
    untimed: u64,
}

/// A place in the program at which it forks or spawns.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProfileSite {
    /// The innermost function of the program there.
    pub function: String,
    /// File, line and column, as far as they are known; else empty.
    pub place: String,
    /// How many forks and spawns were timed.
    pub timed: u64,
    /// How many others there were, as far as can be told from those.
    pub untimed: u64,
    /// The time of everything inside of them.
    pub work: Duration,
    /// How much of it is on the span of the program.
    pub on_span: Duration,
    /// The sum of the spans of those that are not inside of others of this site.
    pub own_span: Duration,
}

impl ProfileSite {
    /// The parallelism of what is inside: its work divided by its span.
    pub fn parallelism(&self) -> f64 {
        ratio(self.work, self.own_span)
    }
}

/// A place in the tree of sites: forks of a site inside of forks of other sites. A site inside of itself is the same
/// place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProfileContext {
    /// The place around this one, by its index in [`Profile::contexts`]. `None` for that of the runs themselves.
    pub parent: Option<usize>,
    /// The site, by its index in [`Profile::sites`]. `None` for that of the runs themselves.
    pub site: Option<usize>,
    /// How many forks and spawns were timed.
    pub timed: u64,
    /// The time of what is here, without the places inside.
    pub work: Duration,
    /// How much of it is on the span of the program.
    pub on_span: Duration,
}

fn ratio(work: Duration, span: Duration) -> f64 {
    if span.is_zero() { 1.0 } else { work.as_secs_f64() / span.as_secs_f64() }
}

impl Profile {
    /// Makes a profile of what these recorders have. Looks up the names of sites, which takes milliseconds.
    pub(crate) fn of<'r>(recorders: impl Iterator<Item = &'r Recorder>, settings: Settings) -> Self {
        let mut lost_ns = 0;
        let recordings = recorders.map(|recorder| {
            lost_ns += recorder.lost_ns();
            let sites = recorder.sites().map(|(site, untimed)| {
                let name = site.name();
                SeenSite { function: name.function, place: name.place, untimed }
            });
            Recording { log: recorder.log().ended(), sites: sites.collect() }
        });
        let mut recordings: Vec<_> = recordings.collect();
        loop {
            match analyse(&recordings, settings.burden_ns) {
                Ok((sites, total)) => return Profile::with(recordings, lost_ns, settings, sites, total),
                // Events nest, unless this crate has a fault. What comes before it is still worth something.
                Err((recording, event)) => {
                    let log = &mut recordings[recording].log;
                    *log = log.begin(event).ended();
                }
            }
        }
    }

    /// A profile of these recordings, of which the rest is known.
    fn with(
        recordings: Vec<Recording>,
        lost_ns: u64,
        settings: Settings,
        sites: Vec<ProfileSite>,
        total: Analysis,
    ) -> Self {
        let Settings { program, workers, leaf_ns, burden_ns } = settings;
        let way = total.contexts.iter().map(ProfileContext::of).collect();
        Profile { program, workers, leaf_ns, burden_ns, lost_ns, recordings, sites, way, total }
    }

    /// The name of the program, as it was started.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// How many workers the pool has said that it has. Programs that divide their work by that number do so.
    pub fn workers(&self) -> usize {
        self.workers
    }

    /// The time on one worker.
    pub fn work(&self) -> Duration {
        Duration::from_nanos(self.total.work_ns)
    }

    /// The time of the longest chain.
    pub fn span(&self) -> Duration {
        Duration::from_nanos(self.total.span_ns)
    }

    /// The span with the cost of moving work.
    pub fn burdened_span(&self) -> Duration {
        Duration::from_nanos(self.total.burdened_ns)
    }

    /// What it costs on this machine to move a piece of work: twice the [cost of a gift](crate::Pool::give_cost), once
    /// for the giver and once for the other worker, who waits for it.
    pub fn burden(&self) -> Duration {
        Duration::from_nanos(self.burden_ns)
    }

    /// Work divided by span.
    pub fn parallelism(&self) -> f64 {
        ratio(self.work(), self.span())
    }

    /// Work divided by burdened span.
    pub fn burdened_parallelism(&self) -> f64 {
        ratio(self.work(), self.burdened_span())
    }

    /// How many runs there were.
    pub fn runs(&self) -> u64 {
        self.total.runs
    }

    /// How many forks and spawns there were: those that were timed, and an estimate of the others.
    pub fn forks(&self) -> u64 {
        self.sites.iter().fold(self.total.forks, |forks, site| forks.saturating_add(site.untimed))
    }

    /// How many forks and spawns were timed.
    pub fn timed_forks(&self) -> u64 {
        self.total.forks
    }

    /// The mean time below which forks were not divided.
    pub fn leaf(&self) -> Duration {
        Duration::from_nanos(self.leaf_ns)
    }

    /// The longest piece without a fork.
    pub fn largest_leaf(&self) -> Duration {
        Duration::from_nanos(self.total.largest_ns)
    }

    /// The time in which the system ran something else. It is not a part of the work.
    pub fn lost(&self) -> Duration {
        Duration::from_nanos(self.lost_ns)
    }

    /// A bound on the time on so many workers: work divided by workers, and the burdened span (Brent's, as Frigo,
    /// Leiserson and Randall 1998, section 2, have it).
    pub fn bound(&self, workers: usize) -> Duration {
        self.work() / u32::try_from(workers.max(1)).unwrap_or(u32::MAX) + self.burdened_span()
    }

    /// The sites, in the order in which the program came to them.
    pub fn sites(&self) -> &[ProfileSite] {
        &self.sites
    }

    /// The tree of sites; the first one is that of the runs themselves, and each comes after the one around it.
    pub fn contexts(&self) -> &[ProfileContext] {
        &self.way
    }

    /// The tree of forks, for simulators: scopes and runs become forks and what comes one after another.
    #[inline]
    pub fn segments(&self) -> Vec<Segment> {
        segments::of(self.recordings.iter().map(|recording| &recording.log))
    }
}

/// The sites of recordings, each name once, and what all of them come to. The error says which recording is broken, and
/// behind how many events.
fn analyse(recordings: &[Recording], burden_ns: u64) -> Result<(Vec<ProfileSite>, Analysis), (usize, usize)> {
    let (mut sites, mut numbers) = (Vec::<ProfileSite>::new(), HashMap::new());
    let mut groups = Vec::new();
    for recording in recordings {
        let groups_of_one = recording.sites.iter().map(|SeenSite { function, place, untimed }| {
            let number = *numbers.entry((function, place)).or_insert_with(|| {
                sites.push(ProfileSite::named(function, place));
                sites.len() - 1
            });
            sites[number].untimed = sites[number].untimed.saturating_add(*untimed);
            number
        });
        groups.push(groups_of_one.collect::<Vec<_>>());
    }
    let mut total = Analysis { sites: vec![OfSite::default(); sites.len()], ..Analysis::default() };
    for (number, (recording, groups)) in recordings.iter().zip(&groups).enumerate() {
        let one = analysis::analyse(&recording.log, groups, sites.len(), burden_ns);
        total.add(&one.map_err(|broken| (number, broken.0))?);
    }
    for (site, of_site) in sites.iter_mut().zip(&total.sites) {
        site.timed = of_site.forks;
        site.work = Duration::from_nanos(of_site.work_ns);
        site.on_span = Duration::from_nanos(of_site.on_span_ns);
        site.own_span = Duration::from_nanos(of_site.own_span_ns);
    }
    Ok((sites, total))
}

/// What a profile is told besides recordings.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) program: String,
    pub(crate) workers: usize,
    pub(crate) leaf_ns: u64,
    pub(crate) burden_ns: u64,
}

impl ProfileSite {
    fn named(function: &str, place: &str) -> Self {
        ProfileSite {
            function: function.to_owned(),
            place: place.to_owned(),
            timed: 0,
            untimed: 0,
            work: Duration::ZERO,
            on_span: Duration::ZERO,
            own_span: Duration::ZERO,
        }
    }
}

impl ProfileContext {
    fn of(context: &Context) -> Self {
        ProfileContext {
            parent: context.is_inside().then_some(context.parent),
            site: context.is_inside().then_some(context.site),
            timed: context.forks,
            work: Duration::from_nanos(context.work_ns),
            on_span: Duration::from_nanos(context.on_span_ns),
        }
    }
}

/// A short report.
impl fmt::Display for Profile {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "work {:.3?}, span {:.3?}, parallelism {:.1}", self.work(), self.span(), self.parallelism())?;
        writeln!(
            f,
            "burdened span {:.3?}, burdened parallelism {:.1} (moving work costs {:.3?})",
            self.burdened_span(),
            self.burdened_parallelism(),
            self.burden()
        )?;
        let timed = 100.0 * self.timed_forks() as f64 / self.forks().max(1) as f64;
        writeln!(
            f,
            "{} forks, {timed:.1} % of them timed; largest leaf {:.3?}; {:.3?} lost to other programs",
            self.forks(),
            self.largest_leaf(),
            self.lost()
        )?;
        let mut sites: Vec<_> = self.sites.iter().collect();
        sites.sort_by_key(|site| std::cmp::Reverse(site.on_span));
        for site in sites {
            let share = |part: Duration, whole: Duration| 100.0 * part.as_secs_f64() / whole.as_secs_f64().max(1e-9);
            writeln!(
                f,
                "{:>5.1} % of the span, {:>5.1} % of the work, parallelism {:.1}, {} forks: {} {}",
                share(site.on_span, self.span()),
                share(site.work, self.work()),
                site.parallelism(),
                site.timed.saturating_add(site.untimed),
                site.function,
                site.place
            )?;
        }
        Ok(())
    }
}
