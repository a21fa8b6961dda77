//! The record of a running program: each node starts at most once, and each value is dropped exactly once.

use std::panic::panic_any;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::callbacks::use_something;

/// The number of faults kept per program; more of them add nothing new.
const FAULTS_KEPT: usize = 5;

/// The kinds of values of a node.
#[derive(Clone, Copy, Debug)]
pub enum Role {
    /// What the branch that starts with this node captures.
    Capture,
    /// The result of that branch.
    Result,
    /// The payload of a panic that starts here.
    Payload,
    /// The value that the node has put into a reducer.
    Put,
}

const ROLES: usize = 4;

const NOT_MADE: u8 = 0;
const ALIVE: u8 = 1;
const DROPPED: u8 = 2;

/// The record of one run of a program.
#[derive(Debug)]
pub struct RunLog {
    begun: Vec<AtomicBool>,
    values: Vec<AtomicU8>,
    /// The values of the tasks of scopes.
    tasks: Vec<OnceLock<u64>>,
    /// Whether a reducer contained the node's value at its end.
    reduced: Vec<AtomicBool>,
    faults: Mutex<Vec<String>>,
    /// Whether the code that the runtime calls between nodes uses constructs.
    has_callbacks: bool,
}

impl RunLog {
    /// An empty record of a program with this many nodes.
    pub fn new(nodes: usize) -> Self {
        Self {
            begun: (0..nodes).map(|_| AtomicBool::new(false)).collect(),
            values: (0..nodes * ROLES).map(|_| AtomicU8::new(NOT_MADE)).collect(),
            tasks: (0..nodes).map(|_| OnceLock::new()).collect(),
            reduced: (0..nodes).map(|_| AtomicBool::new(false)).collect(),
            faults: Mutex::default(),
            has_callbacks: false,
        }
    }

    /// The record of a program in which the code that the runtime calls between nodes uses constructs, if
    /// `has_callbacks`.
    pub fn with_callbacks(self, has_callbacks: bool) -> Self {
        Self { has_callbacks, ..self }
    }

    /// Code that the runtime calls between nodes. `place` says what it uses.
    pub fn callback(&self, place: usize) {
        if self.has_callbacks
            && let Err(what) = use_something(place as u64)
        {
            self.fault(format!("{what} in a callback gave something else than it should"));
        }
    }

    /// Notes a fault. It does not panic, since a panic could be taken for one of the program's own.
    pub fn fault(&self, what: String) {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        if faults.len() < FAULTS_KEPT {
            faults.push(what);
        }
    }

    /// A node starts.
    pub fn begin(&self, node: usize) {
        // Release: a thread that sees that the node has started also sees what was written before.
        if self.begun[node].swap(true, Ordering::AcqRel) {
            self.fault(format!("node {node} ran twice"));
        }
    }

    /// Whether a node has started.
    pub fn has_begun(&self, node: usize) -> bool {
        self.begun[node].load(Ordering::Acquire)
    }

    /// A task of a scope has this value.
    pub fn comes_to(&self, task: usize, value: u64) {
        if self.tasks[task].set(value).is_err() {
            self.fault(format!("task {task} ended twice"));
        }
    }

    /// Notes which tasks have another value than expected.
    pub fn compare_tasks(&self, expected: &[(usize, u64)]) {
        for &(task, value) in expected {
            if self.tasks[task].get() != Some(&value) {
                self.fault(format!("task {task} came to {:x?}, expected {value:#x}", self.tasks[task].get()));
            }
        }
    }

    /// A reducer contains the value that this node has put.
    pub fn is_reduced(&self, node: usize) {
        if self.reduced[node].swap(true, Ordering::AcqRel) {
            self.fault(format!("what node {node} put was reduced twice"));
        }
    }

    /// Notes which of the values put by these nodes are missing in the reducers.
    pub fn compare_puts(&self, nodes: impl Iterator<Item = usize>) {
        for node in nodes.filter(|&node| !self.reduced[node].load(Ordering::Acquire)) {
            self.fault(format!("what node {node} put into a reducer was lost"));
        }
    }

    /// The faults of the run, which must have ended.
    pub fn faults(&self, must_run: &[bool]) -> Vec<String> {
        for (node, _) in must_run.iter().enumerate().filter(|&(_, &must)| must) {
            if !self.has_begun(node) {
                self.fault(format!("node {node} did not run"));
            }
        }
        for (place, value) in self.values.iter().enumerate() {
            if value.load(Ordering::Acquire) == ALIVE {
                let role = ["capture", "result", "payload", "part in a reducer"][place % ROLES];
                self.fault(format!("the {role} of node {} was never dropped", place / ROLES));
            }
        }
        std::mem::take(&mut self.faults.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn set(&self, node: usize, role: Role, from: u8, to: u8, wrong: &str) {
        if self.values[node * ROLES + role as usize].swap(to, Ordering::AcqRel) != from {
            self.fault(format!("the {role:?} of node {node} was {wrong}"));
        }
    }
}

/// A capture or a result, recorded in its run_log.
#[derive(Debug)]
pub struct Value<'l> {
    /// On the heap, so that sanitizers detect a use after the drop.
    bits: Box<u64>,
    run_log: &'l Arc<RunLog>,
    node: usize,
    role: Role,
    explosive: Option<Explosive>,
}

/// A panic that occurs when a value is dropped.
#[derive(Clone, Copy, Debug)]
pub struct Explosive {
    /// The node to which the payload belongs.
    pub node: usize,
    /// The value of the payload.
    pub value: u64,
}

impl<'l> Value<'l> {
    /// A value with these bits.
    pub fn new(bits: u64, run_log: &'l Arc<RunLog>, node: usize, role: Role, explosive: Option<Explosive>) -> Self {
        run_log.set(node, role, NOT_MADE, ALIVE, "made twice");
        Self { bits: Box::new(bits), run_log, node, role, explosive }
    }

    /// The node.
    pub fn node(&self) -> usize {
        self.node
    }

    /// The bits.
    pub fn bits(&self) -> u64 {
        *self.bits
    }
}

impl Drop for Value<'_> {
    fn drop(&mut self) {
        self.run_log.set(self.node, self.role, ALIVE, DROPPED, "dropped twice");
        self.run_log.callback(self.node);
        if let Some(Explosive { node, value }) = self.explosive {
            Payload::throw(self.run_log, node, value, false);
        }
    }
}

/// The payload of the programs' panics.
#[derive(Debug)]
pub struct Payload {
    value: u64,
    run_log: Arc<RunLog>,
    node: usize,
    explosive: bool,
}

/// The payload with which an explosive payload panics.
#[derive(Debug)]
pub struct Dud;

impl Payload {
    /// Panics with a payload. If `explosive`, the payload panics when it is dropped.
    pub fn throw(run_log: &Arc<RunLog>, node: usize, value: u64, explosive: bool) -> ! {
        run_log.set(node, Role::Payload, NOT_MADE, ALIVE, "made twice");
        panic_any(Self { value, run_log: Arc::clone(run_log), node, explosive })
    }

    /// The value. The payload does not panic when it is dropped after this.
    pub fn defuse(mut self) -> u64 {
        self.explosive = false;
        self.value
    }
}

impl Drop for Payload {
    fn drop(&mut self) {
        self.run_log.set(self.node, Role::Payload, ALIVE, DROPPED, "dropped twice");
        self.run_log.callback(self.node);
        if self.explosive {
            panic_any(Dud);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_is_never_dropped_is_a_fault() {
        let run_log = Arc::new(RunLog::new(2));
        let value = |node| Value::new(7, &run_log, node, Role::Result, None);
        drop(value(0));
        std::mem::forget(value(1));
        assert_eq!(run_log.faults(&[]), ["the result of node 1 was never dropped"]);
    }

    #[test]
    fn a_value_that_is_dropped_twice_is_a_fault() {
        let run_log = Arc::new(RunLog::new(1));
        drop(Value::new(7, &run_log, 0, Role::Capture, None));
        run_log.set(0, Role::Capture, ALIVE, DROPPED, "dropped twice");
        assert_eq!(run_log.faults(&[]), ["the Capture of node 0 was dropped twice"]);
    }

    #[test]
    fn a_node_that_runs_twice_or_never_is_a_fault() {
        let run_log = RunLog::new(3);
        run_log.begin(1);
        run_log.begin(1);
        assert_eq!(run_log.faults(&[true, true, false]), ["node 1 ran twice", "node 0 did not run"]);
    }

    #[test]
    fn a_task_without_its_value_and_a_part_that_no_reducer_has_are_faults() {
        let run_log = RunLog::new(4);
        run_log.comes_to(1, 7);
        run_log.compare_tasks(&[(1, 7), (2, 7)]);
        run_log.is_reduced(3);
        run_log.compare_puts([0, 3].into_iter());
        let expected = ["task 2 came to None, expected 0x7", "what node 0 put into a reducer was lost"];
        assert_eq!(run_log.faults(&[]), expected);
    }
}
