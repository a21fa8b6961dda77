//! What a program means: a serial evaluation that knows no runtime.

use super::program::{Charge, Kind, Leaf, Program, cheap, combine};

/// What must come of a program, however it is scheduled.
#[derive(Debug, PartialEq, Eq)]
pub struct Meaning {
    /// Its value, or the value in the payload of the panic that leaves it.
    pub outcome: Result<u64, u64>,
    /// By node: whether it must have run. The others, which a panic cuts off in program order, may have run elsewhere.
    pub must_run: Vec<bool>,
    /// How much there is among what must run.
    pub counts: Counts,
}

/// How much there is of what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Forks.
    pub forks: u64,
    /// Loops.
    pub loops: u64,
    /// Their iterations.
    pub iterations: u64,
    /// Nested runs.
    pub runs: u64,
    /// Panics.
    pub panics: u64,
}

impl Counts {
    /// The sum or, with `op`, whatever else of both.
    #[must_use]
    pub fn with(self, other: Counts, op: fn(u64, u64) -> u64) -> Counts {
        Counts {
            forks: op(self.forks, other.forks),
            loops: op(self.loops, other.loops),
            iterations: op(self.iterations, other.iterations),
            runs: op(self.runs, other.runs),
            panics: op(self.panics, other.panics),
        }
    }
}

/// Somebody who says what programs mean. The tests have a wrong one.
pub type Oracle = fn(&Program) -> Meaning;

/// The right oracle.
pub fn meaning(program: &Program) -> Meaning {
    let mut meaning = Meaning { outcome: Ok(0), must_run: vec![false; program.nodes.len()], counts: Counts::default() };
    meaning.outcome = meaning.of(program, 0);
    meaning
}

impl Meaning {
    /// `Err` is a panic on its way up.
    fn of(&mut self, program: &Program, node: usize) -> Result<u64, u64> {
        self.must_run[node] = true;
        match &program.nodes[node].kind {
            Kind::Leaf(leaf) => self.of_leaf(leaf),
            &Kind::Join { a, b, charge, .. } => {
                self.counts.forks += 1;
                let value_a = self.of(program, a)?;
                if charge == Some(Charge::CaptureA) {
                    return self.panic(Program::charge_value(node));
                }
                let value_b = self.of(program, b)?;
                match charge {
                    None => Ok(combine(value_a, value_b)),
                    Some(_) => self.panic(Program::charge_value(node)),
                }
            }
            Kind::Sequence(parts) => {
                parts.iter().try_fold(0, |value, &part| Ok(combine(value, self.of(program, part)?)))
            }
            Kind::Loop { items, .. } => self.of_loop(program, node, items),
            &Kind::Run { part, .. } => {
                self.counts.runs += 1;
                self.of(program, part)
            }
            &Kind::Catch(part) => Ok(self.of(program, part).unwrap_or_else(|value| !value)),
            &Kind::Locked { part, .. } => self.of(program, part),
        }
    }

    /// If one iteration panics, it is open which of the others run, also of those before it.
    fn of_loop(&mut self, program: &Program, node: usize, items: &[usize]) -> Result<u64, u64> {
        self.counts.loops += 1;
        let before = self.counts;
        let mut value = 0;
        for &item in items {
            let before_it = self.counts;
            self.counts.iterations += 1;
            match self.of(program, item) {
                Ok(next) => value = combine(value, next),
                Err(panic) => {
                    self.must_run[node + 1..item].fill(false);
                    self.counts = before.with(self.counts.with(before_it, |all, others| all - others), |a, b| a + b);
                    return Err(panic);
                }
            }
        }
        Ok(value)
    }

    fn of_leaf(&mut self, leaf: &Leaf) -> Result<u64, u64> {
        match *leaf {
            Leaf::Value(value)
            | Leaf::Spin(value, _)
            | Leaf::Yield(value)
            | Leaf::Sleep(value, _)
            | Leaf::Lock(value, _)
            | Leaf::Await(value, _) => Ok(value),
            Leaf::Sum(value, len) => {
                self.counts.loops += 1;
                self.counts.iterations += len;
                Ok((0..len).fold(0, |sum, i| sum.wrapping_add(cheap(value, i))))
            }
            Leaf::Panic { value, .. } => self.panic(value),
        }
    }

    fn panic(&mut self, value: u64) -> Result<u64, u64> {
        self.counts.panics += 1;
        Err(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stress::program::{Form, LoopForm, Node};

    fn program(kinds: Vec<(Kind, usize)>) -> Program {
        Program { nodes: kinds.into_iter().map(|(kind, end)| Node { kind, end }).collect(), base: 0 }
    }

    fn leaf(value: u64, end: usize) -> (Kind, usize) {
        (Kind::Leaf(Leaf::Value(value)), end)
    }

    fn join(charge: Option<Charge>) -> Program {
        program(vec![(Kind::Join { form: Form::Free, a: 1, b: 2, charge }, 3), leaf(10, 2), leaf(20, 3)])
    }

    #[test]
    fn a_join_combines_its_branches_in_order() {
        let meaning = meaning(&join(None));
        assert_eq!(meaning.outcome, Ok(combine(10, 20)));
        assert_ne!(meaning.outcome, Ok(combine(20, 10)));
        assert_eq!((meaning.counts.forks, meaning.must_run), (1, vec![true; 3]));
    }

    #[test]
    fn a_first_branch_that_panics_leaves_it_open_whether_the_second_runs() {
        let meaning = meaning(&join(Some(Charge::CaptureA)));
        assert_eq!(meaning.outcome, Err(Program::charge_value(0)));
        assert_eq!(meaning.must_run, [true, true, false]);
    }

    #[test]
    fn the_first_branchs_panic_wins_and_ends_where_it_is_caught() {
        let panic = |value, end| (Kind::Leaf(Leaf::Panic { value, explosive: false }), end);
        let join = Kind::Join { form: Form::Strand, a: 2, b: 3, charge: None };
        let program = program(vec![(Kind::Catch(1), 4), (join, 4), panic(5, 3), panic(6, 4)]);
        let meaning = meaning(&program);
        assert_eq!((meaning.outcome, meaning.counts.panics), (Ok(!5), 1));
    }

    fn a_loop(items: Vec<(Kind, usize)>) -> Program {
        let numbers = (1..=items.len()).collect();
        let mut nodes = vec![(Kind::Loop { form: LoopForm::FreeEach, items: numbers }, items.len() + 1)];
        nodes.extend(items);
        program(nodes)
    }

    #[test]
    fn a_loop_combines_its_iterations_in_order() {
        let meaning = meaning(&a_loop(vec![leaf(10, 2), leaf(20, 3)]));
        assert_eq!((meaning.outcome, meaning.must_run), (Ok(combine(combine(0, 10), 20)), vec![true; 3]));
        assert_eq!((meaning.counts.loops, meaning.counts.iterations), (1, 2));
    }

    #[test]
    fn an_iteration_that_panics_leaves_it_open_whether_those_before_and_behind_it_run() {
        let panic = (Kind::Leaf(Leaf::Panic { value: 5, explosive: false }), 3);
        let meaning = meaning(&a_loop(vec![leaf(10, 2), panic, leaf(20, 4)]));
        assert_eq!((meaning.outcome, meaning.must_run), (Err(5), vec![true, false, true, false]));
        assert_eq!((meaning.counts.iterations, meaning.counts.panics), (1, 1));
    }
}
