use super::*;

/// Two sockets, each with two last-level caches for two cores of two hardware threads, numbered as Linux does on many
/// machines: the second threads of all cores come after the first ones.
fn machine() -> Vec<Domain> {
    let domain = |kind, cache_bytes, processors: Vec<usize>| Domain { kind, cache_bytes, processors };
    let mut domains = Vec::new();
    for core in 0..8 {
        let threads = vec![core, core + 8];
        domains.push(domain(Kind::Core, None, threads.clone()));
        domains.push(domain(Kind::Cache(1), Some(32 << 10), threads.clone()));
        domains.push(domain(Kind::Cache(2), Some(1 << 20), threads));
    }
    for first in [0, 2, 4, 6] {
        domains.push(domain(Kind::Cache(3), Some(32 << 20), vec![first, first + 1, first + 8, first + 9]));
    }
    for first in [0, 4] {
        let cores = first..first + 4;
        domains.push(domain(Kind::Socket, None, cores.clone().chain(cores.map(|core| core + 8)).collect()));
    }
    domains
}

fn squads_of(topology: &Topology) -> Vec<&[usize]> {
    (0..topology.squads().count()).map(|squad| topology.squads().workers(squad)).collect()
}

#[test]
fn who_shares_more_is_nearer() {
    let all: Vec<usize> = (0..16).collect();
    let topology = Topology::of_processors(&all, &machine());
    assert_eq!(
        topology.rings(0),
        [vec![8], vec![1, 9], vec![2, 3, 10, 11], vec![4, 5, 6, 7, 12, 13, 14, 15]],
        "core, last-level cache, socket, machine"
    );
    assert_eq!(topology.rings(13)[..2], [vec![5], vec![4, 12]]);
    assert_eq!(topology.all_rings().expect("distances")[13], topology.rings(13));
}

#[test]
fn the_domains_may_come_in_any_order_and_repeatedly() {
    let all: Vec<usize> = (0..16).collect();
    let topology = Topology::of_processors(&all, &machine());
    let mut shuffled = machine();
    shuffled.reverse();
    shuffled.iter_mut().for_each(|domain| domain.processors.reverse());
    shuffled.extend(machine());
    shuffled.rotate_left(5);
    assert_eq!(Topology::of_processors(&all, &shuffled), topology);
}

#[test]
fn with_more_threads_than_processors_those_on_the_same_processor_come_first() {
    let topology = Topology::of_processors(&[0, 2, 0, 8], &machine());
    assert_eq!(topology.rings(0), [vec![2], vec![3], vec![1]]);
    assert_eq!(topology.rings(1), [[0, 2, 3]]);
    assert_eq!(topology.processor(3), Some(8));
}

#[test]
fn a_squad_is_the_workers_that_share_a_last_level_cache() {
    let all: Vec<usize> = (0..16).collect();
    let topology = Topology::of_processors(&all, &machine());
    assert_eq!(squads_of(&topology), [[0, 1, 8, 9], [2, 3, 10, 11], [4, 5, 12, 13], [6, 7, 14, 15]]);
    assert_eq!(topology.squads().smallest_cache_bytes(), Some(32 << 20));
    assert_eq!(topology.to_string(), "4x4,cache=32MiB");
    // A process that may use only some processors.
    let topology = Topology::of_processors(&[3, 4, 12, 2], &machine());
    assert_eq!(squads_of(&topology), [[0, 3], [1, 2]]);
    // One processor of each socket: each shares its cache with others, if with none of these.
    assert_eq!(squads_of(&Topology::of_processors(&[0, 4], &machine())), [[0], [1]]);
}

#[test]
fn where_no_cache_is_shared_beyond_a_core_a_squad_is_a_socket() {
    let all: Vec<usize> = (0..16).collect();
    let without = |is_left_out: fn(Kind) -> bool| {
        let mut domains = machine();
        domains.retain(|domain| !is_left_out(domain.kind));
        Topology::of_processors(&all, &domains)
    };
    let by_socket = without(|kind| kind == Kind::Cache(3));
    assert_eq!(squads_of(&by_socket), [[0, 1, 2, 3, 8, 9, 10, 11], [4, 5, 6, 7, 12, 13, 14, 15]]);
    assert_eq!(by_socket.squads().smallest_cache_bytes(), None, "what is private is not what a squad shares");
    let by_nothing = without(|kind| kind >= Kind::Cache(3));
    assert_eq!(squads_of(&by_nothing), [&all[..]]);
    // A machine of one core shares its caches with nobody, and has one squad all the same.
    let core = Domain { kind: Kind::Cache(2), cache_bytes: Some(1 << 20), processors: vec![0] };
    let socket = Domain { kind: Kind::Socket, cache_bytes: None, processors: vec![0] };
    for domains in [&[core.clone()][..], &[core, socket]] {
        let topology = Topology::of_processors(&[0], domains);
        assert_eq!((topology.squads().count(), topology.squads().cache_bytes(0)), (1, Some(1 << 20)));
    }
}

#[test]
fn where_nothing_is_known_all_are_equally_near() {
    let flat = Topology::flat(3);
    assert_eq!(flat.rings(1), [[0, 2]]);
    assert_eq!((flat.all_rings(), flat.squads().count(), flat.processor(0)), (None, 1, None));
    let unknown = Topology::of_processors(&[7, 8, 9], &[]);
    assert_eq!((unknown.all_rings(), unknown.squads().count(), unknown.processor(2)), (None, 1, Some(9)));
    assert_eq!(Topology::flat(4096).all_rings(), None);
}

#[test]
fn on_squads_by_hand_each_worker_visits_its_squad_first_and_then_all_others() {
    for text in ["1x1", "1x2", "2x1", "2x2", "4x4", "2+3", "3+1+2x2"] {
        let topology: Topology = text.parse().expect("a topology");
        let squads = topology.squads();
        for worker in 0..topology.workers() {
            let mates: Vec<usize> =
                squads.workers(squads.of(worker)).iter().copied().filter(|&mate| mate != worker).collect();
            let is_far = |other: &usize| squads.of(*other) != squads.of(worker);
            let far: Vec<usize> = (0..topology.workers()).filter(is_far).collect();
            let expected: Vec<Vec<usize>> = [mates, far].into_iter().filter(|ring| !ring.is_empty()).collect();
            assert_eq!(topology.rings(worker), expected, "{text}, worker {worker}");
        }
    }
}

#[test]
fn each_group_stands_inside_of_the_one_before_it_that_is_less_deep() {
    let all: Vec<usize> = (0..16).collect();
    for topology in [Topology::of_processors(&all, &machine()), "2+3".parse().expect("a topology")] {
        let mut around: Vec<&Group> = Vec::new();
        for group in topology.groups() {
            around.truncate(group.depth);
            assert_eq!(around.len(), group.depth);
            if let Some(outer) = around.last() {
                assert!(group.workers.iter().all(|worker| outer.workers.contains(worker)));
                assert!(group.kind < outer.kind);
            }
            around.push(group);
        }
        let squads: Vec<usize> = topology.groups().iter().filter_map(|group| group.squad).collect();
        assert!(squads.into_iter().eq(0..topology.squads().count()), "{topology}");
    }
}

#[test]
fn domains_that_overlap_in_part_still_give_each_worker_all_others() {
    let domain = |kind, processors: [usize; 3]| Domain { kind, cache_bytes: None, processors: processors.to_vec() };
    let nonsense =
        [domain(Kind::Cache(3), [0, 1, 2]), domain(Kind::Cache(3), [1, 2, 3]), domain(Kind::Socket, [3, 4, 0])];
    let topology = Topology::of_processors(&[0, 1, 2, 3, 4], &nonsense);
    for worker in 0..5 {
        let mut others = topology.rings(worker).concat();
        others.sort_unstable();
        assert!(others.into_iter().eq((0..5).filter(|&other| other != worker)), "{worker}");
    }
}

#[test]
#[should_panic(expected = "expected one worker or more each")]
fn an_empty_squad_is_refused() {
    let _ = Topology::of_squads(&[2, 0]);
}
