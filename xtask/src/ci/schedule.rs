//! Which step begins next: a pure function of the list and of what has ended.
//!
//! The early ones first, in the order of the list. Then whatever has most behind it: its own time, with that of the
//! steps that wait for it or build where it builds. So no long one is left alone at the end.

use super::steps::Step;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    Waiting,
    Running,
    Ended,
}

/// The step to begin, if one can.
pub(super) fn next(steps: &[Step], states: &[State]) -> Option<usize> {
    let ready: Vec<usize> = (0..steps.len()).filter(|&step| is_ready(step, steps, states)).collect();
    let early = ready.iter().copied().find(|&step| steps[step].is_early);
    // Of several with as much behind them the longest, and of those the first of the list.
    early.or_else(|| ready.into_iter().rev().max_by_key(|&step| (behind(step, steps, states), steps[step].seconds)))
}

fn is_ready(step: usize, steps: &[Step], states: &[State]) -> bool {
    let hinders = |other: usize| match states[other] {
        State::Waiting => awaits(&steps[step], &steps[other]),
        State::Running => awaits(&steps[step], &steps[other]) || is_shared(&steps[step], &steps[other]),
        State::Ended => false,
    };
    states[step] == State::Waiting && !(0..steps.len()).any(hinders)
}

/// Seconds until all is done that cannot be done beside `step`, at the earliest.
fn behind(step: usize, steps: &[Step], states: &[State]) -> u32 {
    let waiting = || (0..steps.len()).filter(|&other| states[other] == State::Waiting && other != step);
    let followers = waiting().filter(|&other| awaits(&steps[other], &steps[step]));
    let chain = followers.map(|other| behind(other, steps, states)).max().unwrap_or(0);
    let folder = waiting().filter(|&other| is_shared(&steps[step], &steps[other])).map(|other| steps[other].seconds);
    steps[step].seconds + chain.max(folder.sum())
}

fn awaits(step: &Step, other: &Step) -> bool {
    step.after.as_ref() == Some(&other.name)
}

fn is_shared(step: &Step, other: &Step) -> bool {
    step.folder.is_some() && step.folder == other.folder
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
