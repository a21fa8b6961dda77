//! Where the workers of a pool run: which of them share a core, a cache or a socket.
//!
//! - [`Topology`]: the groups of workers that share something, one inside the other, and the distances between workers
//! - [`Squads`]: the workers that share a last-level cache
//! - [`Placement`]: what a user asks for
//! - [`boundary_level`]: how deep a program's tasks are when they begin to stay in one squad
//!
//! The runtime reads from the system what processors share, or a user describes it, so that the logic of several
//! sockets can be tried on any machine.

mod boundary;
mod placement;
mod squads;
mod text;

pub use boundary::{BoundaryError, boundary_level};
pub use placement::{ParsePlacementError, Placement};
pub use squads::Squads;
pub use text::ParseTopologyError;

/// What the processors of a [`Domain`], or the workers of a [`Group`], share. The kinds are in order, from the inside
/// out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// A core, which runs a few hardware threads at once.
    Core,
    /// The cache of this level.
    Cache(u8),
    /// A socket.
    Socket,
    /// A last-level cache, or a socket with one, that is described by hand.
    Squad,
}

/// Processors that share something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    /// What they share.
    pub kind: Kind,
    /// The size of the cache, if they share one and its size is known.
    pub cache_bytes: Option<u64>,
    /// The processors, by the numbers that the system has given them.
    pub processors: Vec<usize>,
}

/// The workers of a pool that share something.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Group {
    /// What they share.
    pub kind: Kind,
    /// The size of the cache, if they share one and its size is known.
    pub cache_bytes: Option<u64>,
    /// The workers, in increasing order.
    pub workers: Vec<usize>,
    /// The squad whose workers share this, if it is what makes them a squad.
    pub squad: Option<usize>,
    /// The number of groups around this one.
    pub depth: usize,
}

/// Where the workers of a pool run: which of them share a core, a cache or a socket.
///
/// There are three ways to get one: from the system (`Pool::detect_topology`), from a text, or from a list of
/// [`Domain`]s.
///
/// In text, a topology is the number of squads and the number of workers of each: `2x2`, `4x4`. Squads of different
/// sizes are added: `2+3` is a squad of two workers and one of three, and `2x4+2` is two squads of four and one of two.
/// `,cache=6MiB` says how large the cache of each squad is. Workers are numbered squad by squad.
///
/// Printing a topology gives such a text. It does not name processors, nor what is shared within a squad or by several.
/// So a topology that was read from a text is the same when it is printed and read again, and others are not.
///
/// ```
/// use filch::Topology;
///
/// let topology: Topology = "2x2".parse()?;
/// let squads = topology.squads();
/// assert_eq!((topology.workers(), squads.count()), (4, 2));
/// assert_eq!((squads.of(1), squads.of(2)), (0, 1));
/// assert_eq!(topology.rings(0), [vec![1], vec![2, 3]], "the nearest first");
/// assert_eq!(topology.to_string(), "2x2");
/// # Ok::<(), filch::topology::ParseTopologyError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topology {
    /// The processor of each worker.
    processors: Option<Vec<usize>>,
    /// Each before those inside of it; beside each other in the order of their first workers.
    groups: Vec<Group>,
    squads: Squads,
}

impl Topology {
    /// The topology of workers of which nothing is known: one squad, and all are equally near.
    ///
    /// # Panics
    ///
    /// If there are no workers.
    pub fn flat(workers: usize) -> Self {
        Self::of_squads(&[workers])
    }

    /// Squads with these numbers of workers. The processors are not known.
    ///
    /// # Panics
    ///
    /// If there is no squad, or one without workers.
    ///
    /// ```
    /// use filch::Topology;
    ///
    /// assert_eq!(Topology::of_squads(&[2, 3]).to_string(), "2+3");
    /// ```
    pub fn of_squads(sizes: &[usize]) -> Self {
        assert!(
            !sizes.is_empty() && !sizes.contains(&0),
            "squads of {sizes:?} workers: expected one worker or more each"
        );
        let mut next = 0;
        let squad = |&size: &usize| {
            next += size;
            Domain { kind: Kind::Squad, cache_bytes: None, processors: (next - size..next).collect() }
        };
        let squads: Vec<Domain> = sizes.iter().map(squad).collect();
        let stand_ins: Vec<usize> = (0..next).collect();
        Topology { processors: None, ..Self::of_processors(&stand_ins, &squads) }
    }

    /// The topology of workers on these processors: worker i is on `processors[i]`. Several may be on the same. Domains
    /// may be in any order, and may contain other processors. Of two domains that overlap, one must contain the other.
    ///
    /// The workers of a squad share the cache with the highest level. If that is the cache of a single core, as on some
    /// virtual machines, they share a socket. A domain of the kind [`Kind::Squad`] comes before both. Workers of which
    /// none of this is known are one squad.
    ///
    /// # Panics
    ///
    /// If there are no workers.
    pub fn of_processors(processors: &[usize], domains: &[Domain]) -> Self {
        assert!(!processors.is_empty(), "a topology without workers: expected one or more");
        let domains = normalised(domains);
        let shared: Vec<Option<usize>> =
            processors.iter().map(|&processor| shared_by_squad(processor, &domains, processors)).collect();
        let squads = Squads::by(shared.iter().map(|&shared| (shared, shared.and_then(|at| domains[at].cache_bytes))));
        let group = |(at, domain): (usize, &Domain)| {
            let is_inside = |&worker: &usize| domain.processors.binary_search(&processors[worker]).is_ok();
            let workers: Vec<usize> = (0..processors.len()).filter(is_inside).collect();
            let first = *workers.first()?;
            let squad = (shared[first] == Some(at)).then(|| squads.of(first));
            Some(Group { kind: domain.kind, cache_bytes: domain.cache_bytes, workers, squad, depth: 0 })
        };
        let mut groups: Vec<Group> = domains.iter().enumerate().filter_map(group).collect();
        groups.sort_by_key(|group| (std::cmp::Reverse(group.workers.len()), std::cmp::Reverse(group.kind)));
        let mut nested = Vec::with_capacity(groups.len());
        nest(groups, 0, &mut nested);
        Topology { processors: Some(processors.to_vec()), groups: nested, squads }
    }

    /// The same with another size of the cache that each squad shares. 0 stands for an unknown size.
    #[must_use]
    pub fn with_cache_bytes(mut self, bytes: u64) -> Self {
        let bytes = (bytes > 0).then_some(bytes);
        self.squads.set_cache_bytes(bytes);
        self.groups.iter_mut().filter(|group| group.squad.is_some()).for_each(|group| group.cache_bytes = bytes);
        self
    }

    /// The number of workers.
    pub fn workers(&self) -> usize {
        self.squads.workers_in_all()
    }

    /// The processor of a worker, if it is known, by the number that the system has given it.
    pub fn processor(&self, worker: usize) -> Option<usize> {
        self.processors.as_ref()?.get(worker).copied()
    }

    /// The squads.
    pub fn squads(&self) -> &Squads {
        &self.squads
    }

    /// The workers that share something, as a tree: each group comes before those inside of it, and
    /// [`depth`](Group::depth) says how deep it is.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The other workers as seen from `worker`, ring by ring, the nearest first. Those on the same processor are
    /// nearest; then come those with which it shares most, such as a core, a cache or a socket. Each ring is in
    /// increasing order.
    ///
    /// # Panics
    ///
    /// If there is no such worker.
    pub fn rings(&self, worker: usize) -> Vec<Vec<usize>> {
        let mut distances = vec![usize::MAX; self.workers()];
        // From the outside in, so that the innermost group that has both is what counts.
        let around = self.groups.iter().filter(|group| group.workers.binary_search(&worker).is_ok());
        for group in around {
            let distance = usize::MAX - 1 - group.depth;
            group.workers.iter().for_each(|&other| distances[other] = distance);
        }
        if let Some(processors) = &self.processors {
            let here = processors[worker];
            processors.iter().zip(&mut distances).filter(|(there, _)| **there == here).for_each(|(_, far)| *far = 0);
        }
        let mut others: Vec<usize> = (0..self.workers()).filter(|&other| other != worker).collect();
        others.sort_by_key(|&other| distances[other]);
        others.chunk_by(|&a, &b| distances[a] == distances[b]).map(<[usize]>::to_vec).collect()
    }

    /// [`rings`](Self::rings) for each worker. `None` if all workers are equally near.
    pub fn all_rings(&self) -> Option<Vec<Vec<Vec<usize>>>> {
        // Quick where nothing is known, also with many workers.
        let is_everyone = |group: &Group| group.workers.len() == self.workers();
        if self.processors.is_none() && self.groups.iter().all(is_everyone) {
            return None;
        }
        let rings: Vec<_> = (0..self.workers()).map(|worker| self.rings(worker)).collect();
        rings.iter().any(|rings| rings.len() > 1).then_some(rings)
    }
}

/// Each domain once, with its processors in increasing order.
fn normalised(domains: &[Domain]) -> Vec<Domain> {
    let mut seen: Vec<Domain> = Vec::new();
    for domain in domains {
        let mut processors = domain.processors.clone();
        processors.sort_unstable();
        processors.dedup();
        if !seen.iter().any(|other| other.kind == domain.kind && other.processors == processors) {
            seen.push(Domain { processors, ..*domain });
        }
    }
    seen
}

/// The domain that makes the workers on `processor` a squad, by its place. `None` stands for the machine.
fn shared_by_squad(processor: usize, domains: &[Domain], used: &[usize]) -> Option<usize> {
    let around = |is_kind: fn(Kind) -> bool| {
        let has =
            move |at: &usize| is_kind(domains[*at].kind) && domains[*at].processors.binary_search(&processor).is_ok();
        (0..domains.len()).filter(has)
    };
    let by_hand = around(|kind| kind == Kind::Squad).next();
    let socket = around(|kind| kind == Kind::Socket).next();
    let cache = around(|kind| matches!(kind, Kind::Cache(_))).max_by_key(|&at| domains[at].kind);
    let core = around(|kind| kind == Kind::Core).next();
    let is_in = |at: Option<usize>, other: &usize| at.is_some_and(|at| domains[at].processors.contains(other));
    let is_shared = |cache: &usize| {
        let is_in_core = |other: &usize| *other == processor || is_in(core, other);
        let around = socket.map_or(used, |socket| &domains[socket].processors[..]);
        !domains[*cache].processors.iter().all(is_in_core) || around.iter().all(|other| is_in(Some(*cache), other))
    };
    by_hand.or(cache.filter(is_shared)).or(socket)
}

/// Appends `groups`, which are in order from the outside in, to `nested`, each before those inside of it.
fn nest(mut groups: Vec<Group>, depth: usize, nested: &mut Vec<Group>) {
    // Of several with the same first worker, the first one is the outermost.
    while let Some(first) = (0..groups.len()).min_by_key(|&at| groups[at].workers[0]) {
        let outer = Group { depth, ..groups.remove(first) };
        let is_inside = |group: &Group| outer.workers.binary_search(&group.workers[0]).is_ok();
        let (inside, beside) = groups.into_iter().partition(is_inside);
        nested.push(outer);
        nest(inside, depth + 1, nested);
        groups = beside;
    }
}

#[cfg(test)]
mod tests;
