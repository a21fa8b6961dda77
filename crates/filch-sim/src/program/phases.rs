//! Programs that run one after another, each when the one before it is done.

use super::{Boxed, Extent, Node, Program, Shape, Share, Touches};

/// A sequence of programs, repeated a number of times. Between two of them is a join, as between the loops of an
/// iterative solver or the levels of a breadth-first search: no worker begins the next before all have finished.
///
/// A node whose `part` is below `OF_PHASE` is the rest of the sequence from phase `size` on. Any other node belongs to
/// one of the programs, in any round.
pub struct Phases {
    rounds: u64,
    programs: Vec<Boxed>,
    /// The rest of a round from each program on; the first is the whole round.
    rests: Vec<Rest>,
}

#[derive(Clone, Copy)]
struct Rest {
    extent: Option<Extent>,
    least_ns: u64,
}

/// A program that can be a phase has parts below this. What is above says which one it is, counted from 1.
const OF_PHASE: u64 = 1 << 40;

/// The most programs of a sequence: their numbers must fit above `OF_PHASE`.
pub const MAX_PROGRAMS: usize = 1 << 20;

impl Phases {
    /// This many rounds of these programs, with at least one of each. None of the programs is itself a sequence.
    ///
    /// # Panics
    ///
    /// If there is no program, or more than [`MAX_PROGRAMS`].
    pub fn new(rounds: u64, programs: Vec<Boxed>) -> Self {
        assert!((1..=MAX_PROGRAMS).contains(&programs.len()), "{} programs", programs.len());
        let mut rests = vec![Rest { extent: Some(Extent::default()), least_ns: 0 }];
        for program in programs.iter().rev() {
            let Rest { extent, least_ns } = rests[rests.len() - 1];
            let root = program.root();
            rests.push(Rest {
                extent: extent.zip(program.extent(root)).map(|(later, own)| later.and(own)),
                least_ns: least_ns.saturating_add(program.least_ns(root)),
            });
        }
        rests.reverse();
        Phases { rounds, programs, rests }
    }

    /// What is left of all rounds from a phase on.
    fn rest(&self, phase: u64) -> Rest {
        let length = self.programs.len() as u64;
        let (round, this) = (self.rests[0], self.rests[(phase % length) as usize]);
        let later = self.rounds - phase / length - 1;
        let times = |Extent { work_ns, forks, leaves }: Extent| Extent {
            work_ns: work_ns.saturating_mul(later),
            forks: forks.saturating_mul(later),
            leaves: leaves.saturating_mul(later),
        };
        Rest {
            extent: round.extent.zip(this.extent).map(|(round, this)| times(round).and(this)),
            least_ns: round.least_ns.saturating_mul(later).saturating_add(this.least_ns),
        }
    }

    /// The program of a node, and which node of it.
    fn within(&self, node: Node) -> Option<(usize, Node)> {
        let place = (node.part / OF_PHASE).checked_sub(1)? as usize;
        Some((place, Node { part: node.part % OF_PHASE, ..node }))
    }
}

/// A node of the program number `place`, as a node of the sequence.
fn of_phase(place: usize, node: Node) -> Node {
    debug_assert!(node.part < OF_PHASE, "sequences are not nested");
    Node { part: node.part + (place as u64 + 1) * OF_PHASE, ..node }
}

impl Program for Phases {
    fn name(&self) -> String {
        let programs: Vec<String> = self.programs.iter().map(|program| format!("({})", program.name())).collect();
        format!("phases:{},{}", self.rounds, programs.join(","))
    }

    fn root(&self) -> Node {
        Node::default()
    }

    fn open(&self, node: Node) -> Shape {
        let Some((place, inner)) = self.within(node) else {
            let (phase, length) = (node.size, self.programs.len() as u64);
            let place = (phase % length) as usize;
            let first = of_phase(place, self.programs[place].root());
            return if phase + 1 == self.rounds * length {
                Shape::Tail { work_ns: 0, next: first }
            } else {
                Shape::Then { work_ns: 0, first, then: Node { size: phase + 1, ..node } }
            };
        };
        let of = |node| of_phase(place, node);
        match self.programs[place].open(inner) {
            Shape::Leaf { work_ns } => Shape::Leaf { work_ns },
            Shape::Tail { work_ns, next } => Shape::Tail { work_ns, next: of(next) },
            Shape::Fork { work_ns, first, second } => Shape::Fork { work_ns, first: of(first), second: of(second) },
            Shape::Then { work_ns, first, then } => Shape::Then { work_ns, first: of(first), then: of(then) },
        }
    }

    fn extent(&self, node: Node) -> Option<Extent> {
        match self.within(node) {
            Some((place, inner)) => self.programs[place].extent(inner),
            None => self.rest(node.size).extent,
        }
    }

    /// The programs work on the same memory, one after another.
    fn data_bytes(&self) -> u64 {
        self.programs.iter().map(|program| program.data_bytes()).max().unwrap_or(0)
    }

    fn share(&self, node: Node) -> Option<Share> {
        let (place, inner) = self.within(node)?;
        self.programs[place].share(inner)
    }

    fn touches(&self, node: Node) -> Touches<'_> {
        self.within(node).map_or(Touches::NOTHING, |(place, inner)| self.programs[place].touches(inner))
    }

    fn repeats(&self) -> bool {
        self.programs.iter().all(|program| program.repeats())
    }

    fn least_ns(&self, node: Node) -> u64 {
        match self.within(node) {
            Some((place, inner)) => self.programs[place].least_ns(inner),
            None => self.rest(node.size).least_ns,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::text::parse;
    use super::super::totals::Totals;
    use super::*;

    const PARTS: [&str; 6] = [
        "fib:12,leaf=10ns,node=1ns",
        "knary:4,3,1,unit=7ns",
        "uts:20,node=1ns..9ns",
        "loop:33,body=ramp(5ns,70ns)",
        "sor:40,8,rows=4,steps=3",
        "mergesort:99,leaf=5",
    ];

    fn totals(program: &dyn Program) -> Totals {
        Totals::of(program, 2)
    }

    #[test]
    fn the_work_and_the_span_of_phases_are_the_sums_of_those_of_the_programs() {
        let parts = || PARTS.map(|text| parse(text).expect(text));
        let sums = parts().map(|part| totals(&*part)).into_iter().fold([0; 4], |sums, one| {
            [sums[0] + one.work_ns, sums[1] + one.span_ns, sums[2] + one.forks, sums[3] + one.leaves]
        });
        for rounds in [1, 2, 7] {
            let all = totals(&Phases::new(rounds, parts().into()));
            let expected = sums.map(|sum| sum * rounds);
            assert_eq!([all.work_ns, all.span_ns, all.forks, all.leaves], expected, "{rounds} rounds");
        }
    }

    #[test]
    fn what_is_left_of_a_sequence_is_known_if_the_size_of_all_its_programs_is() {
        let phases = |texts: &[&str]| Phases::new(5, texts.iter().map(|text| parse(text).expect(text)).collect());
        let known = phases(&PARTS[..2]);
        let mut node = known.root();
        let mut rest = totals(&known);
        while let Shape::Then { first, then, .. } = known.open(node) {
            let extent = known.extent(node).expect("it is known");
            assert_eq!((extent.work_ns, extent.forks, extent.leaves), (rest.work_ns, rest.forks, rest.leaves));
            assert_eq!(known.least_ns(node), rest.work_ns);
            let done = known.extent(first).expect("it is known");
            (rest.work_ns, rest.forks, rest.leaves) =
                (rest.work_ns - done.work_ns, rest.forks - done.forks, rest.leaves - done.leaves);
            node = then;
        }
        let unknown = phases(&PARTS);
        assert_eq!(unknown.extent(unknown.root()), None);
        assert!((1..=totals(&unknown).work_ns).contains(&unknown.least_ns(unknown.root())));
    }

    #[test]
    fn a_long_sequence_takes_no_stack() {
        let long = parse("phases:1000000,(loop:4,body=1us)").expect("a program");
        let one = totals(&*parse("loop:4,body=1us").expect("a program"));
        assert_eq!(totals(&*long).span_ns, one.span_ns * 1_000_000);
    }
}
