//! The squads of a pool.

/// The squads of a pool: each is made of the workers that share a last-level cache (Chen, Huang, Guo and Zhou 2011,
/// section III-A). Squads and workers are named by numbers from 0 up. The worker of a seat has the number of that seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Squads {
    /// The squad of each worker.
    of: Vec<usize>,
    squads: Vec<Squad>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Squad {
    /// In increasing order, at least one.
    workers: Vec<usize>,
    cache_bytes: Option<u64>,
}

impl Squads {
    /// The squads of workers that share what `shared` names: workers with equal names share a squad. Squads are in the
    /// order of their first workers.
    pub(super) fn by<K: PartialEq>(shared: impl IntoIterator<Item = (K, Option<u64>)>) -> Self {
        let mut names = Vec::new();
        let mut squads: Vec<Squad> = Vec::new();
        let join = |(worker, (name, cache_bytes))| {
            let squad = names.iter().position(|known| *known == name).unwrap_or_else(|| {
                names.push(name);
                squads.push(Squad { workers: Vec::new(), cache_bytes });
                squads.len() - 1
            });
            squads[squad].workers.push(worker);
            squad
        };
        Squads { of: shared.into_iter().enumerate().map(join).collect(), squads }
    }

    pub(super) fn set_cache_bytes(&mut self, bytes: Option<u64>) {
        self.squads.iter_mut().for_each(|squad| squad.cache_bytes = bytes);
    }

    /// The number of workers of all squads.
    pub(super) fn workers_in_all(&self) -> usize {
        self.of.len()
    }

    /// M, the number of squads.
    pub fn count(&self) -> usize {
        self.squads.len()
    }

    /// The squad of a worker.
    ///
    /// # Panics
    ///
    /// If there is no such worker.
    pub fn of(&self, worker: usize) -> usize {
        self.of[worker]
    }

    /// The workers of a squad, in increasing order.
    ///
    /// # Panics
    ///
    /// If there is no such squad.
    pub fn workers(&self, squad: usize) -> &[usize] {
        &self.squads[squad].workers
    }

    /// The size of the cache that a squad shares, if it is known.
    ///
    /// # Panics
    ///
    /// If there is no such squad.
    pub fn cache_bytes(&self, squad: usize) -> Option<u64> {
        self.squads[squad].cache_bytes
    }

    /// S_c, the size of the smallest cache that a squad shares. `None` if the size of any of them is unknown.
    pub fn smallest_cache_bytes(&self) -> Option<u64> {
        self.squads.iter().map(|squad| squad.cache_bytes).min().flatten()
    }

    /// The head worker of a squad: the one on the lowest seat that is occupied. `None` if no seat is. In the paper all
    /// workers are always there, and the head is the one with the lowest number (section IV-C). Here idle threads leave
    /// their seats, and a squad that has a worker at all has a head.
    ///
    /// # Panics
    ///
    /// If there is no such squad.
    pub fn head(&self, squad: usize, mut is_occupied: impl FnMut(usize) -> bool) -> Option<usize> {
        self.workers(squad).iter().copied().find(|&seat| is_occupied(seat))
    }

    /// Whether the worker on `seat` is the head of its squad. Its own seat counts as occupied.
    ///
    /// # Panics
    ///
    /// If there is no such seat.
    pub fn is_head(&self, seat: usize, mut is_occupied: impl FnMut(usize) -> bool) -> bool {
        self.head(self.of(seat), |other| other == seat || is_occupied(other)) == Some(seat)
    }
}

#[cfg(test)]
mod tests {
    use crate::topology::Topology;

    #[test]
    fn each_worker_is_in_one_squad_and_each_squad_has_its_workers_in_order() {
        let topologies = ["1x1", "4", "2x2", "4x4", "2+3", "1+2x3+1", "64x64"].map(|text| text.parse::<Topology>());
        for topology in topologies {
            let topology = topology.expect("a topology");
            let squads = topology.squads();
            let mut listed = Vec::new();
            for squad in 0..squads.count() {
                let workers = squads.workers(squad);
                assert!(!workers.is_empty() && workers.is_sorted(), "{topology}: {workers:?}");
                assert!(workers.iter().all(|&worker| squads.of(worker) == squad), "{topology}");
                listed.extend_from_slice(workers);
            }
            listed.sort_unstable();
            assert!(listed.into_iter().eq(0..topology.workers()), "{topology}");
        }
    }

    #[test]
    fn the_head_is_the_lowest_occupied_seat_whoever_sits_where() {
        let topology: Topology = "2+3".parse().expect("a topology");
        let squads = topology.squads();
        for occupied in 0_u32..1 << 5 {
            let is_occupied = |seat: usize| occupied >> seat & 1 == 1;
            for squad in 0..2 {
                let expected = squads.workers(squad).iter().copied().filter(|&seat| is_occupied(seat)).min();
                assert_eq!(squads.head(squad, is_occupied), expected, "{occupied:b}");
                let heads = squads
                    .workers(squad)
                    .iter()
                    .filter(|&&seat| is_occupied(seat) && squads.is_head(seat, is_occupied));
                assert!(heads.copied().eq(expected), "one head exactly if anyone is there: {occupied:b}");
            }
        }
        assert!(squads.is_head(3, |_| false), "who asks is there");
        assert!(!squads.is_head(3, |seat| seat == 2) && squads.is_head(3, |seat| seat < 2), "{squads:?}");
    }

    #[test]
    fn where_one_cache_is_of_unknown_size_the_smallest_is_unknown() {
        let squads = super::Squads::by([('a', Some(6)), ('b', Some(4)), ('a', Some(6))]);
        assert_eq!((squads.count(), squads.smallest_cache_bytes()), (2, Some(4)));
        assert_eq!((squads.cache_bytes(0), squads.workers(0)), (Some(6), &[0, 2][..]));
        assert_eq!(super::Squads::by([('a', Some(6)), ('b', None)]).smallest_cache_bytes(), None);
    }
}
