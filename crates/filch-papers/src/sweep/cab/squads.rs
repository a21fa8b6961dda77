//! The squads on which a sweep runs, and whether this machine can show their effect.

use filch::topology::Placement;
use filch::{Pool, Topology};
use filch_bench::failure::Failure;
use filch_bench::measure::pools::{Pools, TopologyArgs};
use filch_bench::show::numbers::number_of;

/// The squads of a sweep.
#[derive(Debug)]
pub struct Squads {
    /// What all pools are built from.
    pub pools: Pools,
    /// Their topology.
    pub topology: Topology,
    /// The topology of the machine.
    machine: Topology,
}

impl Squads {
    /// The squads asked for; or else those of the machine; or else, if it has only one, two by hand.
    pub fn of(args: &TopologyArgs) -> Result<Self, Failure> {
        let machine = Pool::detect_topology();
        let asked = args.pools()?;
        let pools = match asked.placement() {
            Some(Placement::Squads(topology)) => {
                Pools::on(Placement::Squads(with_cache_of(&machine, topology.clone())))
            }
            Some(Placement::Machine) => asked,
            None if machine.squads().count() > 1 => Pools::on(Placement::Machine),
            None => Pools::on(Placement::Squads(with_cache_of(&machine, halves(machine.workers())))),
        };
        let topology = pools.default_pool()?.topology().clone();
        if topology.squads().count() == 1 {
            return Err(Failure::Usage(format!(
                "--topology: {topology} has one squad, on which every boundary level is 0; expected several, as in 2x2"
            )));
        }
        Ok(Self { pools, topology, machine })
    }

    /// The reason why this machine cannot show a gain, if it cannot: CAB saves misses of caches that it does not have.
    pub fn cannot_show(&self) -> Option<[String; 2]> {
        let (caches, squads) = (self.machine.squads().count(), self.topology.squads().count());
        (caches < squads).then(|| {
            [
                format!(
                    "This machine has {}; the {squads} squads are described by hand.",
                    number_of(caches, "last-level cache", "last-level caches")
                ),
                "No gain can be seen here, only what squads cost and what they count.".into(),
            ]
        })
    }

    /// Whether there are more workers than processors.
    pub fn is_crowded(&self) -> bool {
        self.topology.workers() > self.machine.workers()
    }
}

/// Squads whose caches are as large as the smallest of the machine, unless their size is given.
fn with_cache_of(machine: &Topology, topology: Topology) -> Topology {
    match (topology.squads().smallest_cache_bytes(), machine.squads().smallest_cache_bytes()) {
        (None, Some(bytes)) => topology.with_cache_bytes(bytes),
        _ => topology,
    }
}

/// Two squads that share this many processors, or the only one.
fn halves(processors: usize) -> Topology {
    Topology::of_squads(&[processors.div_ceil(2), (processors / 2).max(1)])
}

#[cfg(test)]
impl Squads {
    /// These squads on a machine that has them.
    pub(super) fn by_hand(text: &str) -> Self {
        let topology: Topology = text.parse().unwrap();
        Self { pools: Pools::on(Placement::Squads(topology.clone())), machine: topology.clone(), topology }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_topology_there_are_two_squads_or_those_of_the_machine() {
        let shown = |processors| halves(processors).to_string();
        assert_eq!([1, 2, 5].map(shown), ["2x1", "2x1", "3+2"]);
    }

    #[test]
    fn squads_by_hand_have_the_cache_of_the_machine_unless_it_is_given() {
        let parse = |text: &str| text.parse::<Topology>().unwrap();
        let machine = parse("1x4,cache=6MiB");
        let shown = |text: &str| with_cache_of(&machine, parse(text)).to_string();
        assert_eq!((shown("2x2"), shown("2x2,cache=1KiB")), ("2x2,cache=6MiB".into(), "2x2,cache=1KiB".into()));
    }

    #[test]
    fn a_machine_with_fewer_caches_than_squads_cannot_show_a_gain() {
        let on = |topology: &str, machine: &str| Squads {
            pools: Pools::default(),
            topology: topology.parse().unwrap(),
            machine: machine.parse().unwrap(),
        };
        let [said, _] = on("2x2", "1x2").cannot_show().unwrap();
        assert!(said.starts_with("This machine has 1 last-level cache; the 2 squads"), "{said}");
        assert!(on("2x2", "1x2").is_crowded() && !on("2x2", "2x2").is_crowded());
        assert_eq!(on("2x2", "2x2").cannot_show(), None);
    }
}
