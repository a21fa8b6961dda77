//! The panics of a program: adds panics of nodes that are not leaves, and removes those panics that would make the
//! program's meaning nondeterministic.
//!
//! - A capture panics in its destructor only if the branch that owns it does not panic. A first branch's result does so
//!   only if the second branch does not panic. A panic in a destructor during unwinding would end the process.
//! - At most one iteration of a loop panics, and at most one among the body and the tasks of a scope; otherwise it
//!   would be nondeterministic which panic is reported. A task that panics is certain to be spawned, since nothing else
//!   in its scope panics or stops.
//! - Any item of a spawn loop may panic: the first one in the order of items counts. No item panics after the one that
//!   cancels the loop.
//! - No panic is caught between a reducer and the parts put into it, since it would be nondeterministic which of the
//!   parts remain.

use std::ops::Range;

use super::dice::Dice;
use super::program::{Charge, ItemForm, Kind, Leaf, Program};

/// Gives one in `panic_one_in` nodes a panic of its own, and removes the panics that would make the program's meaning
/// nondeterministic.
pub fn settle(program: &mut Program, dice: &mut Dice, panic_one_in: usize) {
    charge(program, dice, panic_one_in);
    for node in 0..program.nodes.len() {
        match program.nodes[node].kind {
            Kind::Loop { .. } => calm_loop(program, dice, node),
            Kind::Items { .. } => calm_items(program, node),
            Kind::Scope { .. } => calm_scope(program, dice, node),
            Kind::Reduce(_) => calm_reduction(program, node),
            _ => {}
        }
    }
}

/// Adds panics of nodes that are not leaves, where they are legal. Proceeds from the last node to the first, so that it
/// is known whether the branches of a join panic.
fn charge(program: &mut Program, dice: &mut Dice, one_in: usize) {
    let mut panics = vec![false; program.nodes.len()];
    for node in (0..program.nodes.len()).rev() {
        let is_charged = dice.one_in(one_in);
        match &mut program.nodes[node].kind {
            Kind::Join { a, b, charge, .. } if is_charged => {
                let charges = [Charge::CaptureA, Charge::CaptureB, Charge::ResultA, Charge::ResultB];
                let legal = |charge: &Charge| match charge {
                    Charge::CaptureA => !panics[*a],
                    Charge::CaptureB | Charge::ResultB => !panics[*b],
                    Charge::ResultA => !panics[*a] && !panics[*b],
                };
                *charge = Some(*dice.pick(&charges)).filter(legal);
            }
            Kind::Loop { form, items, broken, .. } if is_charged && form.combines() && items.len() > 1 => {
                *broken = Some(1 + dice.below(items.len() - 1));
            }
            Kind::Items { items, broken, .. } if is_charged => *broken = Some(dice.below(items.len() + 1)),
            _ => {}
        }
        note_panic(program, node, &mut panics);
    }
}

/// Notes whether a panic may leave a node, given that of its parts. A panic that leaves a task goes to the task's
/// scope.
pub(super) fn note_panic(program: &Program, node: usize, panics: &mut [bool]) {
    let own = match &program.nodes[node].kind {
        Kind::Leaf(leaf) => matches!(leaf, Leaf::Panic { .. }),
        Kind::Join { charge, .. } => charge.is_some(),
        Kind::Loop { broken, .. } | Kind::Items { broken, .. } => broken.is_some(),
        _ => false,
    };
    let parts = program.parts(node).into_iter().any(|part| panics[part]);
    // The tasks of a scope may have been noted before the scope.
    match program.nodes[node].kind {
        Kind::Spawn { scope, .. } => panics[scope] |= parts,
        Kind::Catch(_) => {}
        _ => panics[node] |= own || parts,
    }
}

/// Removes the panics of these nodes.
fn remove_panics(program: &mut Program, nodes: Range<usize>) {
    for node in &mut program.nodes[nodes] {
        match &mut node.kind {
            Kind::Leaf(leaf) => {
                if let Leaf::Panic { value, .. } = *leaf {
                    *leaf = Leaf::Value(value);
                }
            }
            Kind::Join { charge, .. } => *charge = None,
            Kind::Loop { broken, .. } | Kind::Items { broken, .. } => *broken = None,
            _ => {}
        }
    }
}

/// Makes all loops of these nodes run to their end.
fn complete(program: &mut Program, nodes: Range<usize>) {
    for node in &mut program.nodes[nodes] {
        if let Kind::Loop { stop, .. } | Kind::Items { stop, .. } = &mut node.kind {
            *stop = None;
        }
    }
}

fn calm_loop(program: &mut Program, dice: &mut Dice, node: usize) {
    let Kind::Loop { items, stop, broken, .. } = &program.nodes[node].kind else { return };
    if items.is_empty() {
        return;
    }
    let keeps = items[stop.unwrap_or_else(|| dice.below(items.len()))];
    let keeps = if broken.is_some() { node + 1..node + 1 } else { program.extent(keeps) };
    let end = program.nodes[node].end;
    remove_panics(program, node + 1..keeps.start);
    remove_panics(program, keeps.end..end);
}

fn calm_items(program: &mut Program, node: usize) {
    let end = program.nodes[node].end;
    if let Kind::Items { form: ItemForm::Until, items, stop: Some(stop), broken } = &mut program.nodes[node].kind {
        *broken = broken.filter(|broken| broken <= stop);
        let later = items.get(*stop + 1).copied().unwrap_or(end);
        remove_panics(program, later..end);
    }
}

fn calm_scope(program: &mut Program, dice: &mut Dice, node: usize) {
    let whole = program.extent(node);
    let mut panics = vec![false; whole.end];
    whole.clone().rev().for_each(|part| note_panic(program, part, &mut panics));
    let tasks: Vec<usize> = program.tasks_of(node).into_iter().filter(|&task| panics[task]).collect();
    let keeps = if tasks.is_empty() || dice.one_in(2) { None } else { Some(*dice.pick(&tasks)) };
    let Some(keeps) = keeps else {
        tasks.into_iter().for_each(|task| remove_panics(program, program.extent(task)));
        return;
    };
    let kept = program.extent(keeps);
    for others in [whole.start..kept.start, kept.end..whole.end] {
        remove_panics(program, others.clone());
        complete(program, others);
    }
    for task in tasks.into_iter().filter(|&task| keeps < task && task < kept.end) {
        remove_panics(program, program.extent(task));
    }
}

fn calm_reduction(program: &mut Program, node: usize) {
    let whole = program.extent(node);
    if program.nodes[whole.clone()].iter().any(|node| matches!(node.kind, Kind::Catch(_))) {
        remove_panics(program, whole);
    }
}
