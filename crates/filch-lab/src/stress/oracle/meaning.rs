//! What a program means.

use std::ops::Add;

use crate::stress::program::Program;

/// What every schedule of a program must lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// The value of the program, or the value in the payload of the panic that leaves it.
    pub outcome: Result<u64, u64>,
    /// For each node, whether it must have run. A node that a panic cuts off in program order may have run on another
    /// worker.
    pub must_run: Vec<bool>,
    /// The values of the tasks that must have run.
    pub tasks: Vec<(usize, u64)>,
    /// The nodes whose values must be in their reducers, for reducers that no panic has passed.
    pub reduced: Vec<usize>,
    /// The counts over the nodes that must run.
    pub counts: Counts,
}

/// How often each construct occurs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Forks.
    pub forks: u64,
    /// Loops.
    pub loops: u64,
    /// The iterations of loops.
    pub iterations: u64,
    /// Spawn loops.
    pub spawn_loops: u64,
    /// The items of spawn loops.
    pub items: u64,
    /// Searches, whose leaves are counted as iterations.
    pub searches: u64,
    /// Speculations, whose children are counted as iterations.
    pub speculations: u64,
    /// Loops of all kinds that an iteration has ended.
    pub stopped: u64,
    /// Scopes.
    pub scopes: u64,
    /// Tasks spawned in scopes.
    pub spawns: u64,
    /// Values put into reducers.
    pub puts: u64,
    /// Nested runs.
    pub runs: u64,
    /// Panics.
    pub panics: u64,
}

impl Counts {
    /// The counts with their names, in the order in which they are shown.
    pub fn named(&self) -> [(&'static str, u64); 13] {
        [
            ("forks", self.forks),
            ("loops", self.loops),
            ("iterations", self.iterations),
            ("spawn loops", self.spawn_loops),
            ("items", self.items),
            ("searches", self.searches),
            ("speculations", self.speculations),
            ("stopped loops", self.stopped),
            ("scopes", self.scopes),
            ("spawns", self.spawns),
            ("reductions", self.puts),
            ("nested runs", self.runs),
            ("panics", self.panics),
        ]
    }
}

impl Add for Counts {
    type Output = Counts;

    fn add(self, other: Counts) -> Counts {
        Counts {
            forks: self.forks + other.forks,
            loops: self.loops + other.loops,
            iterations: self.iterations + other.iterations,
            spawn_loops: self.spawn_loops + other.spawn_loops,
            items: self.items + other.items,
            searches: self.searches + other.searches,
            speculations: self.speculations + other.speculations,
            stopped: self.stopped + other.stopped,
            scopes: self.scopes + other.scopes,
            spawns: self.spawns + other.spawns,
            puts: self.puts + other.puts,
            runs: self.runs + other.runs,
            panics: self.panics + other.panics,
        }
    }
}

/// A function that gives the meaning of a program. Tests have a wrong one.
pub type Oracle = fn(&Program) -> Meaning;
