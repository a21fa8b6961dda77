//! What each worker does in a run, step by step: for a trace.
//!
//! As in the traces of the runtime, what a worker does nests. A wait has the tasks inside that the worker helps with,
//! and a search ends where a task begins.

/// Something that a worker does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// When, since the beginning of the run. The steps of a worker are told in the order of their times.
    pub at_ns: u64,
    /// By which worker.
    pub worker: usize,
    /// What it is.
    pub kind: StepKind,
}

/// The kinds of steps. A frame that moves has a number until it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// It begins something. If that is a frame which has moved, it is this one.
    Begins(Activity, Option<u32>),
    /// It ends what it has begun last.
    Ends,
    /// It gives a frame away, or leaves it for others.
    Gives(u32),
    /// A frame is taken from it.
    Loses(u32),
    /// It takes a frame back.
    TakesBack(u32),
}

/// What a worker does for some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// It is the caller.
    Run,
    /// It runs a frame that has moved.
    Task,
    /// It looks for work.
    Search,
    /// It has asked.
    Ask,
    /// It waits at a join.
    Wait,
    /// It sleeps, or has been called and does not run yet.
    Sleep,
}

/// Tells the steps while the run is simulated. Times are those of the clock.
pub(crate) struct Teller<'t> {
    tell: Box<dyn FnMut(Step) + 't>,
    began_ns: u64,
    /// What each worker has begun and not ended.
    open: Vec<Vec<Activity>>,
    /// The time of each worker's latest step: one event of the simulation may tell of steps at its end.
    last_ns: Vec<u64>,
}

impl<'t> Teller<'t> {
    pub(crate) fn new(tell: impl FnMut(Step) + 't, workers: usize, began_ns: u64) -> Self {
        Teller { tell: Box::new(tell), began_ns, open: vec![Vec::new(); workers], last_ns: vec![began_ns; workers] }
    }

    pub(crate) fn tell(&mut self, worker: usize, at_ns: u64, kind: StepKind) {
        match kind {
            StepKind::Begins(activity, _) => self.open[worker].push(activity),
            StepKind::Ends => _ = self.open[worker].pop(),
            _ => {}
        }
        let last_ns = &mut self.last_ns[worker];
        *last_ns = at_ns.max(*last_ns);
        (self.tell)(Step { at_ns: *last_ns - self.began_ns, worker, kind });
    }

    /// A worker does these from now on, inside of whatever it runs or waits for.
    pub(crate) fn rests(&mut self, worker: usize, at_ns: u64, now: &[Activity]) {
        let is_outer = |activity: &Activity| matches!(activity, Activity::Run | Activity::Task | Activity::Wait);
        let open = &self.open[worker];
        let outer = open.iter().rposition(is_outer).map_or(0, |last| last + 1);
        let same = open[outer..].iter().zip(now).take_while(|(before, now)| before == now).count();
        for _ in outer + same..open.len() {
            self.tell(worker, at_ns, StepKind::Ends);
        }
        now[same..].iter().for_each(|&activity| self.tell(worker, at_ns, StepKind::Begins(activity, None)));
    }

    /// The run is over.
    pub(crate) fn end(&mut self, at_ns: u64) {
        for worker in 0..self.open.len() {
            (0..self.open[worker].len()).for_each(|_| self.tell(worker, at_ns, StepKind::Ends));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_on_is_not_begun_again_and_what_is_around_does_not_end() {
        let mut told = Vec::new();
        let mut teller = Teller::new(|step: Step| told.push((step.at_ns, step.kind)), 1, 100);
        teller.tell(0, 101, StepKind::Begins(Activity::Wait, None));
        teller.rests(0, 102, &[Activity::Ask]);
        teller.rests(0, 103, &[Activity::Ask]);
        teller.rests(0, 101, &[Activity::Sleep]);
        teller.end(110);
        drop(teller);
        let begins = |activity| StepKind::Begins(activity, None);
        let expected = [
            (1, begins(Activity::Wait)),
            (2, begins(Activity::Ask)),
            (2, StepKind::Ends),
            (2, begins(Activity::Sleep)),
            (10, StepKind::Ends),
            (10, StepKind::Ends),
        ];
        assert_eq!(told, expected);
    }
}
