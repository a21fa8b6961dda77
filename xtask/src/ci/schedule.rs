//! Which step begins next: a pure function of the list and of what has ended.
//!
//! The early ones first, in the order of the list. Then whatever has most behind it: its own time, with that of the
//! steps that wait for it or build where it builds. So no long one is left alone at the end.

use super::step::Step;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    Waiting,
    Running,
    Ended,
}

/// The step to begin, if one can.
pub(crate) fn next(steps: &[Step], states: &[State]) -> Option<usize> {
    let ready: Vec<usize> = (0..steps.len()).filter(|&step| is_ready(step, steps, states)).collect();
    let early = ready.iter().copied().find(|&step| steps[step].is_early);
    // Of several with as much behind them the longest, and of those the first of the list.
    early.or_else(|| ready.into_iter().rev().max_by_key(|&step| (behind(step, steps, states), steps[step].seconds)))
}

fn is_ready(step: usize, steps: &[Step], states: &[State]) -> bool {
    let others = || steps.iter().zip(states);
    let waits = others().any(|(other, state)| steps[step].after == Some(&*other.name) && *state != State::Ended);
    let is_taken = steps[step].folder.is_some()
        && others().any(|(other, state)| other.folder == steps[step].folder && *state == State::Running);
    states[step] == State::Waiting && !waits && !is_taken
}

/// Seconds until all is done that cannot be done beside `step`, at the earliest.
fn behind(step: usize, steps: &[Step], states: &[State]) -> u32 {
    let waiting = || (0..steps.len()).filter(|&other| states[other] == State::Waiting);
    let followers = waiting().filter(|&other| steps[other].after == Some(&*steps[step].name));
    let chain = steps[step].seconds + followers.map(|other| behind(other, steps, states)).max().unwrap_or(0);
    let folder = waiting().filter(|&other| other == step || is_shared(step, other, steps));
    chain.max(folder.map(|other| steps[other].seconds).sum())
}

fn is_shared(step: usize, other: usize, steps: &[Step]) -> bool {
    steps[step].folder.is_some() && steps[step].folder == steps[other].folder
}

/// Seconds that all of them take, `jobs` at a time, if each takes what is expected.
pub(crate) fn expected(steps: &[Step], jobs: usize) -> u32 {
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

#[cfg(test)]
mod tests {
    use super::super::step::step;
    use super::*;

    /// The order in which steps begin that run one at a time.
    fn order(steps: &[Step]) -> Vec<&str> {
        let mut states = vec![State::Waiting; steps.len()];
        let mut order = Vec::new();
        while let Some(next) = next(steps, &states) {
            states[next] = State::Ended;
            order.push(&*steps[next].name);
        }
        order
    }

    #[test]
    fn early_ones_begin_first_then_the_longest() {
        let steps = [step("short", 1, ""), step("long", 9, ""), step("e1", 2, "").early(), step("e2", 5, "").early()];
        assert_eq!(order(&steps), ["e1", "e2", "long", "short"]);
    }

    #[test]
    fn what_others_wait_for_counts_with_them() {
        let steps = [step("long", 9, ""), step("build", 5, ""), step("run", 6, "").after("build")];
        assert_eq!(order(&steps), ["build", "long", "run"]);
    }

    #[test]
    fn what_builds_in_one_folder_counts_together() {
        let steps = [step("long", 9, ""), step("a", 5, "").builds_in("x"), step("b", 6, "").builds_in("x")];
        assert_eq!(order(&steps), ["b", "long", "a"]);
    }

    #[test]
    fn a_step_waits_for_its_folder_and_for_what_it_is_after() {
        let steps = [step("a", 1, "").builds_in("x"), step("b", 1, "").builds_in("x"), step("c", 1, "").after("a")];
        assert_eq!(next(&steps, &[State::Running, State::Waiting, State::Waiting]), None);
        assert_eq!(next(&steps, &[State::Ended, State::Waiting, State::Waiting]), Some(1));
        assert_eq!(next(&steps, &[State::Ended, State::Running, State::Waiting]), Some(2));
    }

    #[test]
    fn what_is_expected_is_the_time_of_the_busier_of_two() {
        let steps = [step("a", 9, ""), step("b", 5, ""), step("c", 3, ""), step("d", 2, "").after("c")];
        assert_eq!(expected(&steps, 1), 19);
        assert_eq!(expected(&steps, 2), 10);
    }
}
