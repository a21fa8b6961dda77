//! Why a pool could not be built.

use super::limits::{CAPACITIES, STACK_BYTES, WORKERS};
use filch_policy::topology::{BoundaryError, ParsePlacementError, Topology};
use filch_policy::{ParseSchedulerError, Scheduler, SettingError};
use std::io;
use std::ops::RangeInclusive;
use std::path::PathBuf;

fn show(range: &RangeInclusive<usize>) -> String {
    format!("{} to {}", range.start(), range.end())
}

/// Why a pool could not be built. Threads that had started have been joined.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PoolError {
    /// The number of workers is out of range.
    #[error("workers = {0}: expected {allowed}", allowed = show(&WORKERS))]
    Workers(usize),
    /// The ladder capacity is out of range.
    #[error("ladder_capacity = {0}: expected {allowed} frames", allowed = show(&CAPACITIES))]
    LadderCapacity(usize),
    /// The stack size is out of range.
    #[error("stack_size = {0} bytes: expected {allowed}", allowed = show(&STACK_BYTES))]
    StackSize(usize),
    /// The name of a thread contains a zero byte.
    #[error("thread_name gave {name:?} for worker {worker}: expected a name without a zero byte")]
    ThreadName {
        /// The worker.
        worker: usize,
        /// The name for its thread.
        name: String,
    },
    /// `FILCH_WORKERS` is not a number of workers.
    #[error("FILCH_WORKERS = {value:?}: expected a whole number, {allowed}", allowed = show(&WORKERS))]
    WorkersVariable {
        /// The value of the variable.
        value: String,
    },
    /// `FILCH_SCHEDULER` does not name a scheduler.
    #[error("FILCH_SCHEDULER = {value:?}: {reason}")]
    SchedulerVariable {
        /// The value of the variable.
        value: String,
        /// What is wrong with the value.
        reason: ParseSchedulerError,
    },
    /// `FILCH_PROFILE` does not name a file that can be written.
    #[error("FILCH_PROFILE = {path:?}: expected a file that can be written; {error}")]
    ProfileVariable {
        /// The file.
        path: PathBuf,
        /// Why it cannot be written.
        error: io::ErrorKind,
    },
    /// `FILCH_TOPOLOGY` is not a topology.
    #[error("FILCH_TOPOLOGY = {value:?}: {reason}")]
    TopologyVariable {
        /// The value of the variable.
        value: String,
        /// What is wrong with the value.
        reason: ParsePlacementError,
    },
    /// `FILCH_TRACE` names no file for a trace.
    #[error("FILCH_TRACE = {value:?}: {source}")]
    TraceVariable {
        /// The value of the variable.
        value: String,
        /// What is wrong with the name, or the error of the system.
        source: io::Error,
    },
    /// `FILCH_TOPOLOGY` is that of another number of workers than `FILCH_WORKERS`.
    #[error(
        "FILCH_TOPOLOGY = {topology} with FILCH_WORKERS = {workers}: expected FILCH_WORKERS = {its}, or only one of \
         the two",
        its = topology.workers()
    )]
    Variables {
        /// The topology.
        topology: Box<Topology>,
        /// The number of workers.
        workers: usize,
    },
    /// The scheduler has a setting that its preset has no use for.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// There is no boundary level for the scheduler `cab`.
    #[error("scheduler = cab: {0}")]
    Boundary(#[from] BoundaryError),
    /// More than one worker is set for the serial scheduler.
    #[error(
        "scheduler = serial with workers = {workers}: it runs everything on the caller; expected workers = 1, or no \
         number of workers"
    )]
    SerialWithWorkers {
        /// The number of workers that was set.
        workers: usize,
    },
    /// The topology is that of another number of workers.
    #[error(
        "topology = {topology} with workers = {workers}: expected workers = {its}, or no number of workers",
        its = topology.workers()
    )]
    Topology {
        /// The topology.
        topology: Box<Topology>,
        /// The number of workers that was set.
        workers: usize,
    },
    /// The scheduler takes, but this system does not let workers take from each other.
    #[error(
        "scheduler = {0}: it needs taking, and the kernel refuses membarrier(2), which taking relies on; expected \
         default, serial or chaos, or a build with --cfg filch_fence=\"real\""
    )]
    TakingRefused(Scheduler),
    /// The system does not bind threads to processors, or not to this one.
    #[error(
        "pin_threads = true: the system refuses to bind {whom}; expected a system that binds threads, or pin_threads = \
         false",
        whom = processor.map_or(
            "threads to processors".to_owned(),
            |p| format!("the thread of worker {worker} to processor {p}")
        )
    )]
    Pinning {
        /// The worker.
        worker: usize,
        /// The processor, if the system lists its processors.
        processor: Option<usize>,
    },
    /// The thread that is to belong to the pool works for another one.
    #[error(
        "use_current_thread = true: this thread works for a pool already; expected a thread that is in no run and has \
         not become a pool's own"
    )]
    CurrentThread,
    /// Callers cannot be bound for the time of a run only.
    #[error(
        "pin_callers = true: callers could not be released after a run, because it is not known which processors they \
         may use; expected Linux or Android, or pin_callers = false"
    )]
    PinningCallers,
    /// There is no memory for the ladders.
    #[error("no memory for the ladders of {workers} workers; expected {bytes} bytes of address space to be available")]
    Memory {
        /// The number of workers.
        workers: usize,
        /// The bytes of address space that their ladders need.
        bytes: usize,
    },
    /// The system refused to start the thread that makes the beats of heartbeat scheduling.
    #[error("could not start the thread that beats: {source}; expected a system with room for one more thread")]
    SpawnBeater {
        /// The error of the system.
        source: io::Error,
    },
    /// The system refused to start a thread.
    #[error(
        "could not start thread {number} of {threads}, that of worker {worker}, with a stack of {stack_bytes} bytes: \
         {source}; expected a system with room for {threads} such threads: ask for a smaller stack_size or for fewer \
         workers"
    )]
    Spawn {
        /// The worker of the thread that could not be started.
        worker: usize,
        /// Which of the threads it is, from 1.
        number: usize,
        /// The number of threads of the pool.
        threads: usize,
        /// The stack size of each thread.
        stack_bytes: usize,
        /// The error of the system.
        source: io::Error,
    },
    /// What [`build_with`](crate::PoolBuilder::build_with) was given has not started a thread.
    #[error("could not start thread {number} of {threads}, that of worker {worker}: {source}")]
    SpawnWith {
        /// The worker of the thread that was not started.
        worker: usize,
        /// Which of the threads it is, from 1.
        number: usize,
        /// The number of threads of the pool.
        threads: usize,
        /// The error that was returned.
        source: io::Error,
    },
}
