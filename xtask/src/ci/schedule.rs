//! Which steps a commit makes, and which one begins next: pure functions of the list, the commit, and what has ended.
//!
//! The early ones first, in the order of the list. Then the longest that can begin, so that none is left alone at the
//! end.

use super::steps::Step;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    Waiting,
    Running,
    Ended,
}

/// The steps that this commit makes, and those whose turn it is not.
pub(super) fn in_turn(steps: &[Step], commit: u32) -> (Vec<Step>, Vec<Step>) {
    let is_made = |step: &Step| {
        let takers: Vec<&Step> = steps.iter().filter(|other| other.turn == step.turn).collect();
        step.turn.is_none() || takers[commit as usize % takers.len()].name == step.name
    };
    steps.iter().cloned().partition(is_made)
}

/// The step to begin, if one can.
pub(super) fn next(steps: &[Step], states: &[State]) -> Option<usize> {
    let ready: Vec<usize> = (0..steps.len()).filter(|&step| is_ready(step, steps, states)).collect();
    let early = ready.iter().copied().find(|&step| steps[step].is_early);
    // Of several that are as long the first of the list.
    early.or_else(|| ready.into_iter().rev().max_by_key(|&step| steps[step].seconds))
}

fn is_ready(step: usize, steps: &[Step], states: &[State]) -> bool {
    let Step { after, folder, .. } = &steps[step];
    let hinders = |(other, state): (&Step, &State)| {
        after.as_ref() == Some(&other.name) && *state != State::Ended
            || folder.is_some() && *folder == other.folder && *state == State::Running
    };
    states[step] == State::Waiting && !steps.iter().zip(states).any(hinders)
}

/// The folder of `step`, if it is of this run alone and all steps that build there have ended.
pub(super) fn done_with<'s>(step: usize, steps: &'s [Step], states: &[State]) -> Option<&'s str> {
    let folder = steps[step].folder.as_deref().filter(|folder| folder.starts_with("target/ci/"))?;
    let is_over = |(other, state): (&Step, &State)| other.folder.as_deref() != Some(folder) || *state == State::Ended;
    steps.iter().zip(states).all(is_over).then_some(folder)
}

/// Seconds that all of them take, `jobs` at a time, if each takes what is expected.
pub(super) fn expected(steps: &[Step], jobs: usize) -> u32 {
    let mut states = vec![State::Waiting; steps.len()];
    let mut running: Vec<(u32, usize)> = Vec::new();
    let mut now = 0;
    loop {
        while running.len() < jobs
            && let Some(step) = next(steps, &states)
        {
            states[step] = State::Running;
            running.push((now + steps[step].seconds, step));
        }
        let Some(first) = (0..running.len()).min_by_key(|&place| running[place].0) else { return now };
        let (end, step) = running.swap_remove(first);
        now = end;
        states[step] = State::Ended;
    }
}

#[test]
fn a_step_waits_for_its_folder_and_for_what_it_is_after_and_long_ones_begin_first() {
    let text = "c | 3 s\na | 9 s | in x\nb | 5 s | in x\nd | 1 s | after a\ne | 2 s\nf | 1 s | early\n";
    let steps = super::steps::parse(text).expect("the list is right");
    let mut states = vec![State::Waiting; steps.len()];
    for expected in [Some("f"), Some("a"), Some("c"), Some("e"), None] {
        let step = next(&steps, &states);
        assert_eq!(step.map(|step| steps[step].name.as_str()), expected);
        step.into_iter().for_each(|step| states[step] = State::Running);
    }
    states[1] = State::Ended;
    assert_eq!(next(&steps, &states).map(|step| steps[step].name.as_str()), Some("b"));
}

#[test]
fn a_folder_of_this_run_is_done_with_when_its_last_step_has_ended() {
    let text = "a | 1 s | in target/ci/x\nb | 1 s | in target/ci/x\nc | 1 s | in target/debug\n";
    let steps = super::steps::parse(text).expect("the list is right");
    let (ended, running) = (State::Ended, State::Running);
    assert_eq!(done_with(0, &steps, &[ended, running, ended]), None);
    assert_eq!(done_with(1, &steps, &[ended, ended, running]), Some("target/ci/x"));
    assert_eq!(done_with(2, &steps, &[ended, ended, ended]), None);
}

#[test]
fn each_of_those_that_take_turns_is_made_by_one_commit_in_so_many() {
    let text = "a | 1 s | turn x\nb | 1 s\nc | 1 s | turn x\nd | 1 s | turn y | after c\n";
    let steps = super::steps::parse(text).expect("the list is right");
    let names = |steps: &[Step]| steps.iter().map(|step| step.name.as_str()).collect::<String>();
    let split = |commit| in_turn(&steps, commit);
    for (commit, made, later) in [(0, "abd", "c"), (1, "bcd", "a"), (2, "abd", "c")] {
        assert_eq!([names(&split(commit).0), names(&split(commit).1)], [made, later]);
    }
}
