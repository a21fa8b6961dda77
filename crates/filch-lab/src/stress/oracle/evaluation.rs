//! The serial evaluation of a program, which uses no runtime.

use std::ops::{Add, Range};

use super::meaning::{Counts, Meaning};
use crate::stress::program::{Charge, ItemForm, Kind, Leaf, LoopForm, Program, cheap, combine, scoped, stopped};

/// The right oracle.
pub fn meaning(program: &Program) -> Meaning {
    let nodes = program.nodes.len();
    let mut evaluation = Evaluation {
        program,
        must_run: vec![false; nodes],
        counts: vec![Counts::default(); nodes],
        tasks: Vec::new(),
        reduced: Vec::new(),
        panics: Vec::new(),
    };
    let outcome = evaluation.of(0);
    let Evaluation { must_run, counts, mut tasks, mut reduced, .. } = evaluation;
    tasks.retain(|&(task, _)| must_run[task]);
    reduced.retain(|&node| must_run[node]);
    let counts = counts.into_iter().zip(&must_run).filter(|&(_, &must)| must).map(|(counts, _)| counts);
    Meaning { outcome, counts: counts.fold(Counts::default(), Add::add), must_run, tasks, reduced }
}

/// A serial evaluation, in which a task runs where it is spawned.
struct Evaluation<'p> {
    program: &'p Program,
    must_run: Vec<bool>,
    /// For each node, its contribution to the counts if it must run.
    counts: Vec<Counts>,
    tasks: Vec<(usize, u64)>,
    /// The panics of tasks: the scope, the task, and the value of the payload.
    panics: Vec<(usize, usize, u64)>,
    reduced: Vec<usize>,
}

impl Evaluation<'_> {
    /// `Err` is a panic that propagates.
    fn of(&mut self, node: usize) -> Result<u64, u64> {
        self.must_run[node] = true;
        let program = self.program;
        match &program.nodes[node].kind {
            Kind::Leaf(leaf) => self.of_leaf(node, leaf),
            &Kind::Join { a, b, charge, .. } => {
                self.counts[node].forks = 1;
                let value_a = self.of(a)?;
                if charge == Some(Charge::CaptureA) {
                    return self.panic(node, Program::charge_value(node));
                }
                let value_b = self.of(b)?;
                match charge {
                    None => Ok(combine(value_a, value_b)),
                    Some(_) => self.panic(node, Program::charge_value(node)),
                }
            }
            Kind::Sequence(parts) => parts.iter().try_fold(0, |value, &part| Ok(combine(value, self.of(part)?))),
            Kind::Loop { form, items, stop, broken } => {
                let counts = &mut self.counts[node];
                match form {
                    LoopForm::Search | LoopForm::SearchAny => counts.searches = 1,
                    LoopForm::Speculate => counts.speculations = 1,
                    _ => counts.loops = 1,
                }
                self.of_loop(node, items, *stop, *broken)
            }
            Kind::Items { form, items, stop, broken } => {
                self.counts[node].spawn_loops = 1;
                self.of_items(node, *form, items, *stop, *broken)
            }
            &Kind::Scope { body, .. } => {
                self.counts[node].scopes = 1;
                self.of_scope(node, body)
            }
            &Kind::Spawn { scope, task, .. } => {
                self.counts[node].spawns = 1;
                match self.of(task) {
                    Ok(value) => self.tasks.push((task, value)),
                    Err(panic) => self.panics.push((scope, task, panic)),
                }
                Ok(node as u64)
            }
            &Kind::Reduce(part) => {
                let value = self.of(part)?;
                let is_put = |part: &usize| match program.nodes[*part].kind {
                    Kind::Leaf(Leaf::Put { reduction, .. }) => reduction == node,
                    _ => false,
                };
                self.reduced.extend(program.extent(node).filter(is_put));
                Ok(value)
            }
            &Kind::Locked { part, .. } => self.of(part),
            &(Kind::Run { part, .. } | Kind::Carry { part, .. }) => {
                self.counts[node].runs = 1;
                self.of(part)
            }
            &Kind::Catch(part) => Ok(self.of(part).unwrap_or_else(|value| !value)),
        }
    }

    /// If one iteration panics or ends the loop, it is nondeterministic which of the others run, including those before
    /// it.
    fn of_loop(
        &mut self,
        node: usize,
        items: &[usize],
        stop: Option<usize>,
        broken: Option<usize>,
    ) -> Result<u64, u64> {
        let mut value = 0;
        for (place, &item) in items.iter().enumerate() {
            let outcome = self.of(item);
            self.counts[item].iterations += 1;
            match outcome {
                Ok(next) if stop == Some(place) => {
                    self.counts[node].stopped = 1;
                    self.leave_open(node + 1..item);
                    return Ok(stopped(next));
                }
                Ok(_) if broken == Some(place) => {
                    self.leave_open(node + 1..items[place - 1]);
                    return self.panic(node, Program::charge_value(node));
                }
                Ok(next) => value = combine(value, next),
                Err(panic) => {
                    self.leave_open(node + 1..item);
                    return Err(panic);
                }
            }
        }
        Ok(value)
    }

    /// The items before one that panics or ends the loop run, and the first of them in their order counts.
    fn of_items(
        &mut self,
        node: usize,
        form: ItemForm,
        items: &[usize],
        stop: Option<usize>,
        broken: Option<usize>,
    ) -> Result<u64, u64> {
        let mut value = 0;
        for place in 0..=items.len() {
            if broken == Some(place) {
                return self.panic(node, Program::charge_value(node));
            }
            let Some(&item) = items.get(place) else { break };
            let next = self.of(item)?;
            self.counts[item].items += 1;
            value = combine(value, next);
            if stop == Some(place) {
                self.counts[node].stopped = 1;
                return Ok(if form == ItemForm::Try { stopped(next) } else { stopped(value) });
            }
        }
        Ok(value)
    }

    /// If the body or a task panics, it is nondeterministic which of the others start.
    fn of_scope(&mut self, node: usize, body: usize) -> Result<u64, u64> {
        let program = self.program;
        let outcome = self.of(body);
        let thrown = self.panics.iter().position(|&(scope, ..)| scope == node).map(|place| self.panics.remove(place));
        match (outcome, thrown) {
            (Ok(value), None) => Ok(scoped(value)),
            (Err(panic), _) => {
                program.tasks_of(node).into_iter().for_each(|task| self.leave_open(program.extent(task)));
                Err(panic)
            }
            (Ok(_), Some((_, thrower, panic))) => {
                let its = program.extent(thrower);
                self.leave_open(body..its.start);
                self.leave_open(its.end..program.nodes[node].end);
                let inside = program.tasks_of(node).into_iter().filter(|&task| thrower < task && task < its.end);
                inside.for_each(|task| self.leave_open(program.extent(task)));
                Err(panic)
            }
        }
    }

    fn leave_open(&mut self, nodes: Range<usize>) {
        self.must_run[nodes].fill(false);
    }

    fn of_leaf(&mut self, node: usize, leaf: &Leaf) -> Result<u64, u64> {
        match *leaf {
            Leaf::Value(value)
            | Leaf::Spin(value, _)
            | Leaf::Yield(value)
            | Leaf::Sleep(value, _)
            | Leaf::Lock(value, _)
            | Leaf::Await(value, _) => Ok(value),
            Leaf::Put { value, .. } => {
                self.counts[node].puts = 1;
                Ok(value)
            }
            Leaf::Sum(value, len) => {
                self.counts[node].loops = 1;
                self.counts[node].iterations = len;
                Ok((0..len).fold(0, |sum, i| sum.wrapping_add(cheap(value, i))))
            }
            Leaf::Panic { value, .. } => self.panic(node, value),
        }
    }

    fn panic(&mut self, node: usize, value: u64) -> Result<u64, u64> {
        self.counts[node].panics = 1;
        Err(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stress::program::{Form, Node, ScopeForm};

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
        loop_of(items, |items| Kind::Loop { form: LoopForm::FreeEach, items, stop: None, broken: None })
    }

    fn loop_of(items: Vec<(Kind, usize)>, of: impl Fn(Vec<usize>) -> Kind) -> Program {
        let numbers = (1..=items.len()).collect();
        let mut nodes = vec![(of(numbers), items.len() + 1)];
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

    #[test]
    fn of_items_those_before_the_one_that_panics_run_and_no_later_one_counts() {
        let panic = |value, end| (Kind::Leaf(Leaf::Panic { value, explosive: false }), end);
        let items = vec![leaf(10, 2), panic(5, 3), panic(6, 4)];
        let of = |items| Kind::Items { form: ItemForm::Free, items, stop: None, broken: None };
        let meaning = meaning(&loop_of(items, of));
        assert_eq!((meaning.outcome, meaning.must_run), (Err(5), vec![true, true, true, false]));
    }

    #[test]
    fn an_item_that_ends_its_loop_leaves_it_open_whether_later_ones_run_and_of_an_iteration_all_others() {
        let items = || vec![leaf(10, 2), leaf(20, 3), leaf(30, 4)];
        let by_place =
            loop_of(items(), |items| Kind::Loop { form: LoopForm::Find, items, stop: Some(1), broken: None });
        let found = meaning(&by_place);
        assert_eq!((found.outcome, found.must_run), (Ok(stopped(20)), vec![true, false, true, false]));
        let in_turn = loop_of(items(), |items| Kind::Items { form: ItemForm::Try, items, stop: Some(1), broken: None });
        let found = meaning(&in_turn);
        assert_eq!((found.outcome, found.must_run), (Ok(stopped(20)), vec![true, true, true, false]));
        assert_eq!((found.counts.spawn_loops, found.counts.items, found.counts.stopped), (1, 2, 1));
    }

    #[test]
    fn a_task_that_panics_ends_its_own_scope_and_no_other() {
        let panic = (Kind::Leaf(Leaf::Panic { value: 5, explosive: false }), 6);
        let scope = |body| Kind::Scope { pool: 0, form: ScopeForm::Free, body };
        let spawn = Kind::Spawn { scope: 1, task: 5, from_elsewhere: false };
        let nodes =
            vec![(Kind::Catch(1), 6), (scope(2), 6), (Kind::Sequence(vec![3, 4]), 6), leaf(1, 4), (spawn, 6), panic];
        let meaning = meaning(&program(nodes));
        assert_eq!(meaning.outcome, Ok(!5));
        assert_eq!(
            meaning.must_run,
            [true, true, false, false, false, true],
            "only what leads to the panic is certain to run"
        );
    }
}
