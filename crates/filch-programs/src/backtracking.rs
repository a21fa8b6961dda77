//! Searches as programs: three ways to go through one tree.
//!
//! - *Plain* backtracking over one workspace, by recursion: the serial form.
//! - Filch's [`search`](Strand::search): the Filch form.
//! - [`copied`]: a tree of joins over the choices of each node, with a copy of the workspace for each choice. It is the
//!   form on the other runtimes, and a program of its own for Filch.
//!
//! All of them use the same [`Search`].

use std::hint::black_box;

use filch::{Choices, Node, Search, Strand};
use filch_kernels::runtime::{Runtime, Token};
use filch_kernels::{Answer, Forms, Instance, Kernel, Mismatch, WithForms};

/// What is searched for, and what is made of the solutions: unless it says otherwise, they are counted.
pub(crate) trait Searched: Send + Sync {
    /// The problem. Other forms than Filch's read a workspace from several threads, to copy it.
    type Problem: Search<Workspace: Sync>;

    /// The problem.
    fn problem(&self) -> &Self::Problem;

    /// Called before each call, to forget the bound of the one before.
    fn renew(&mut self) {}

    /// The workspace at the root.
    fn start(problem: &Self::Problem) -> Workspace<Self>;

    /// The result of a part without solutions.
    const NONE: i64 = 0;

    /// The result of a part with this solution only.
    fn solution(_: &Self::Problem, _: &Workspace<Self>) -> i64 {
        1
    }

    /// The result of two parts.
    fn combine(former: i64, latter: i64) -> i64 {
        former + latter
    }

    /// The checker: the result, known by other means.
    fn expected(&self) -> i64;
}

pub(crate) type Workspace<S> = <<S as Searched>::Problem as Search>::Workspace;
type Untried<S> = <<S as Searched>::Problem as Search>::Choices;

/// Plain backtracking: the result below the node to which the workspace has led.
#[inline(never)]
fn plain<S: Searched>(problem: &S::Problem, workspace: &mut Workspace<S>) -> i64 {
    match problem.choices(workspace) {
        Node::Solution => S::solution(problem, workspace),
        Node::Choices(choices) => {
            let mut result = S::NONE;
            for choice in choices {
                problem.apply(workspace, choice);
                result = S::combine(result, plain::<S>(problem, workspace));
                problem.undo(workspace, choice);
            }
            result
        }
    }
}

/// The result below a node, whose workspace is copied for each choice.
#[inline(never)]
fn copied<S: Searched, R: Runtime>(t: Token<R>, problem: &S::Problem, mut workspace: Workspace<S>) -> i64 {
    match problem.choices(&mut workspace) {
        Node::Solution => S::solution(problem, &workspace),
        Node::Choices(choices) => divided::<S, R>(t, problem, &workspace, choices),
    }
}

/// The result of these choices, which are divided in halves down to single ones.
#[inline(never)]
fn divided<S: Searched, R: Runtime>(
    mut t: Token<R>,
    problem: &S::Problem,
    workspace: &Workspace<S>,
    mut choices: Untried<S>,
) -> i64 {
    let untried = choices.untried();
    if untried > 1 {
        let latter = choices.split_off(untried / 2);
        let (a, b) = t.join(
            |t| divided::<S, R>(t, problem, workspace, choices),
            |t| divided::<S, R>(t, problem, workspace, latter),
        );
        return S::combine(a, b);
    }
    choices.next().map_or(S::NONE, |choice| {
        let mut own = workspace.clone();
        problem.apply(&mut own, choice);
        copied::<S, R>(t, problem, own)
    })
}

/// A search with one workspace: plain backtracking, Filch's search, and copies on the other runtimes.
pub(crate) fn one_workspace(searched: impl Searched + 'static) -> Box<dyn Instance> {
    Box::new(WithForms::<_, OneWorkspace>::new(Copied { searched, answer: Answer::new() }))
}

/// A search with copies on every runtime.
pub(crate) fn with_copies(searched: impl Searched + 'static) -> Box<dyn Instance> {
    Box::new(Copied { searched, answer: Answer::new() })
}

/// A search, whose workspace is copied for each choice.
struct Copied<S> {
    searched: S,
    answer: Answer<i64>,
}

impl<S: Searched> Copied<S> {
    /// Runs one call by `form`.
    fn call(&mut self, form: impl FnOnce(&S::Problem) -> i64) {
        self.searched.renew();
        self.answer.record(form(black_box(self.searched.problem())));
    }
}

impl<S: Searched> Kernel for Copied<S> {
    fn run<R: Runtime>(&mut self, t: Token<R>) {
        self.call(|problem| copied::<S, R>(t, problem, S::start(problem)));
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        self.answer.check(&self.searched.expected())
    }
}

/// The forms with one workspace.
struct OneWorkspace;

impl<S: Searched> Forms<Copied<S>> for OneWorkspace {
    fn serial(kernel: &mut Copied<S>) {
        kernel.call(|problem| plain::<S>(problem, &mut S::start(problem)));
    }

    fn filch(kernel: &mut Copied<S>, mut s: Strand<'_>) {
        kernel.call(|problem| {
            let add = |sum, workspace: &_| S::combine(sum, S::solution(problem, workspace));
            s.search(problem, S::start(problem)).fold(|| S::NONE, add, S::combine)
        });
    }
}
