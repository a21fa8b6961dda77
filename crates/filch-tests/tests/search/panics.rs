//! A panic of any function of a search, in any call of it: it reaches the caller, nothing leaks, nothing runs on, no
//! workspace is used again that it has left broken, and the pool goes on.

use crate::common::{Counted, assert_usable, eager_pool, panic_text, tell_panics_briefly};
use crate::problems::Tree;
use filch::{Node, Pool, Search};
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The functions of the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Call {
    Choices,
    Apply,
    Undo,
    Next,
    Untried,
    Split,
    Clone,
    Drop,
    Identity,
    Add,
    Combine,
    DropOut,
}

const CALLS: [Call; 12] = [
    Call::Choices,
    Call::Apply,
    Call::Undo,
    Call::Next,
    Call::Untried,
    Call::Split,
    Call::Clone,
    Call::Drop,
    Call::Identity,
    Call::Add,
    Call::Combine,
    Call::DropOut,
];

/// One search, in which one call of one function panics.
struct Trial {
    tree: Tree,
    call: Call,
    /// How many calls of that function there are before the one that panics.
    before: usize,
    calls: AtomicUsize,
    alive: AtomicUsize,
    is_over: AtomicBool,
}

impl Trial {
    fn new(seed: u64, call: Call, before: usize) -> Self {
        let mut tree = Tree::new(seed);
        tree.depth = tree.depth.min(6);
        let [calls, alive] = [const { AtomicUsize::new(0) }; 2];
        Trial { tree, call, before, calls, alive, is_over: AtomicBool::new(false) }
    }

    fn enter(&self, call: Call) {
        assert!(!self.is_over.load(Ordering::SeqCst), "the search has returned");
        if call == self.call && self.calls.fetch_add(1, Ordering::SeqCst) == self.before {
            panic_any("here");
        }
    }

    fn counts(&self) -> Counted<'_> {
        Counted::new(&self.alive)
    }

    fn run(&self, pool: &Pool) -> u64 {
        let workspace = Workspace { trial: self, path: Vec::new(), is_broken: false, _alive: self.counts() };
        let out = |count| Out { trial: self, count, is_used: false, _alive: self.counts() };
        let mut sum = pool.run(|mut s| {
            s.search(&self, workspace).fold(
                || {
                    self.enter(Call::Identity);
                    out(0)
                },
                |mut sum, workspace| {
                    workspace.must_be_whole();
                    self.enter(Call::Add);
                    sum.count += 1;
                    sum
                },
                |mut former, mut latter| {
                    self.enter(Call::Combine);
                    latter.is_used = true;
                    former.count += latter.count;
                    former
                },
            )
        });
        // It was made for the caller.

        sum.is_used = true;
        sum.count
    }
}

struct Workspace<'t> {
    trial: &'t Trial,
    path: Vec<u8>,
    /// Whether a panic has left it in the middle of a step.
    is_broken: bool,
    _alive: Counted<'t>,
}

impl Workspace<'_> {
    fn must_be_whole(&self) {
        assert!(!self.is_broken, "a broken workspace is used again");
    }

    /// Runs a step, which leaves the workspace broken if it panics.
    fn step<R>(&mut self, call: Call, step: impl FnOnce(&mut Vec<u8>) -> R) -> R {
        self.must_be_whole();
        self.is_broken = true;
        self.trial.enter(call);
        let result = step(&mut self.path);
        self.is_broken = false;
        result
    }
}

impl Clone for Workspace<'_> {
    fn clone(&self) -> Self {
        self.must_be_whole();
        self.trial.enter(Call::Clone);
        Workspace { path: self.path.clone(), _alive: self.trial.counts(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        source.must_be_whole();
        self.step(Call::Clone, |path| path.clone_from(&source.path));
    }
}

impl Drop for Workspace<'_> {
    fn drop(&mut self) {
        self.trial.enter(Call::Drop);
    }
}

/// The result of a part.
struct Out<'t> {
    trial: &'t Trial,
    count: u64,
    /// Whether its owner has it, in which case its drop does not panic.
    is_used: bool,
    _alive: Counted<'t>,
}

impl Drop for Out<'_> {
    fn drop(&mut self) {
        if !self.is_used && !std::thread::panicking() {
            self.trial.enter(Call::DropOut);
        }
    }
}

/// Choices that panic.
struct Steps<'t> {
    trial: &'t Trial,
    steps: std::ops::Range<u8>,
}

impl Iterator for Steps<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        self.trial.enter(Call::Next);
        self.steps.next()
    }
}

impl filch::Choices for Steps<'_> {
    fn untried(&self) -> usize {
        self.trial.enter(Call::Untried);
        self.steps.len()
    }

    fn split_off(&mut self, count: usize) -> Self {
        self.trial.enter(Call::Split);
        Steps { trial: self.trial, steps: self.steps.split_off(count) }
    }
}

impl<'t> Search for &'t Trial {
    type Workspace = Workspace<'t>;
    type Choices = Steps<'t>;

    fn choices(&self, workspace: &mut Workspace<'t>) -> Node<Steps<'t>> {
        match workspace.step(Call::Choices, |path| self.tree.choices(path)) {
            Node::Solution => Node::Solution,
            Node::Choices(steps) => Node::Choices(Steps { trial: self, steps }),
        }
    }

    fn apply(&self, workspace: &mut Workspace<'t>, choice: u8) {
        workspace.step(Call::Apply, |path| self.tree.apply(path, choice));
    }

    fn undo(&self, workspace: &mut Workspace<'t>, choice: u8) {
        workspace.step(Call::Undo, |path| self.tree.undo(path, choice));
    }
}

fn trials(calls: &[Call], check: impl Fn(&Pool, &Trial, u64)) {
    let pool = eager_pool(3);
    for &call in calls {
        for before in [0, 1, 2, 5, 30].into_iter().take(if cfg!(miri) { 2 } else { 5 }) {
            for seed in 0..if cfg!(miri) { 1 } else { 6 } {
                let trial = Trial::new(seed, call, before);
                check(&pool, &trial, trial.tree.oracle().len() as u64);
                trial.is_over.store(true, Ordering::SeqCst);
                assert_eq!(trial.alive.load(Ordering::SeqCst), 0, "nothing leaks: {call:?} {before} {seed}");
            }
        }
        assert_usable(&pool);
    }
}

#[test]
fn of_any_function_reaches_the_caller_and_nothing_leaks() {
    tell_panics_briefly();
    trials(&CALLS, |pool, trial, solutions| {
        let result = catch_unwind(AssertUnwindSafe(|| trial.run(pool)));
        let has_panicked = trial.calls.load(Ordering::SeqCst) > trial.before;
        // What the drop of a result panics with goes to the panic handler.
        let is_lost = matches!(trial.call, Call::DropOut);
        match result {
            Ok(found) => assert!(found == solutions && (!has_panicked || is_lost), "{:?}", trial.call),
            Err(payload) => assert_eq!(payload.downcast_ref(), Some(&"here"), "{:?}", trial.call),
        }
    });
}

#[test]
fn in_the_receiver_of_all_solutions_reaches_the_caller() {
    let pool = eager_pool(3);
    for seed in 0..if cfg!(miri) { 1 } else { 10 } {
        let tree = Tree::new(seed);
        let solutions = tree.oracle();
        let mut received = 0;
        let run = || {
            pool.run(|mut s| {
                s.search(&tree, Vec::new()).all(Vec::clone, |path| {
                    assert_eq!(path, solutions[received]);
                    received += 1;
                    if received == solutions.len() / 2 {
                        panic_any("half");
                    }
                });
            });
        };
        if solutions.len() >= 2 {
            assert_eq!(panic_text(run), "half");
        }
        assert_eq!(received, solutions.len() / 2);
        assert_usable(&pool);
    }
}

#[test]
fn in_a_join_inside_of_a_search_it_reaches_the_caller() {
    let pool = eager_pool(3);
    let tree = (0..).map(Tree::new).find(|tree| tree.oracle().len() > 20).expect("some tree is large");
    for round in 0..if cfg!(miri) { 1 } else { 20 } {
        let count = AtomicUsize::new(0);
        let body = |_: &Vec<u8>| {
            let is_last = count.fetch_add(1, Ordering::Relaxed) == round;
            filch::join(
                || (),
                || {
                    if is_last {
                        panic_any("inner")
                    }
                },
            );
        };
        assert_eq!(panic_text(|| pool.run(|mut s| s.search(&tree, Vec::new()).for_each(body))), "inner");
        assert_usable(&pool);
    }
}

#[test]
fn a_step_back_that_does_not_restore_is_reported() {
    let steps = filch::Steps::new(
        |sum: &mut u32| if *sum > 9 { Node::Solution } else { Node::Choices(1..4_u32) },
        |sum: &mut u32, step| *sum += step,
        |sum: &mut u32, step| *sum -= step.min(2),
    );
    let pool = eager_pool(2);
    let text = panic_text(|| pool.run(|mut s| s.search(&steps, 0).checked().count()));
    assert!(text.starts_with("undo(3), ") && text.ends_with(" has not restored the workspace"), "{text}");
}
