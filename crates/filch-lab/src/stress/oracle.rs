//! What a program means: a serial evaluation that knows no runtime.

use super::program::{Charge, Kind, Leaf, Program, combine};

/// What must come of a program, however it is scheduled.
#[derive(Debug, PartialEq, Eq)]
pub struct Meaning {
    /// Its value, or the value in the payload of the panic that leaves it.
    pub outcome: Result<u64, u64>,
    /// By node: whether it must have run. The others, which a panic cuts off in program order, may have run elsewhere.
    pub must_run: Vec<bool>,
    /// How many forks are among what must run.
    pub forks: u64,
    /// How many nested runs.
    pub runs: u64,
    /// How many panics.
    pub panics: u64,
}

/// Somebody who says what programs mean. The tests have a wrong one.
pub type Oracle = fn(&Program) -> Meaning;

/// The right oracle.
pub fn meaning(program: &Program) -> Meaning {
    let mut meaning =
        Meaning { outcome: Ok(0), must_run: vec![false; program.nodes.len()], forks: 0, runs: 0, panics: 0 };
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
                self.forks += 1;
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
            &Kind::Run { part, .. } => {
                self.runs += 1;
                self.of(program, part)
            }
            &Kind::Catch(part) => Ok(self.of(program, part).unwrap_or_else(|value| !value)),
            &Kind::Locked { part, .. } => self.of(program, part),
        }
    }

    fn of_leaf(&mut self, leaf: &Leaf) -> Result<u64, u64> {
        match *leaf {
            Leaf::Value(value)
            | Leaf::Spin(value, _)
            | Leaf::Yield(value)
            | Leaf::Sleep(value, _)
            | Leaf::Lock(value, _)
            | Leaf::Await(value, _) => Ok(value),
            Leaf::Panic { value, .. } => self.panic(value),
        }
    }

    fn panic(&mut self, value: u64) -> Result<u64, u64> {
        self.panics += 1;
        Err(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stress::program::{Form, Node};

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
        assert_eq!((meaning.forks, meaning.must_run), (1, vec![true; 3]));
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
        assert_eq!((meaning.outcome, meaning.panics), (Ok(!5), 1));
    }
}
