//! Why a pool could not be built.

use super::builder::{CAPACITIES, STACK_BYTES, WORKERS};
use filch_policy::{ParseSchedulerError, Scheduler};
use std::io;
use std::ops::RangeInclusive;

fn show(range: &RangeInclusive<usize>) -> String {
    format!("{} to {}", range.start(), range.end())
}

/// Why a pool could not be built. Nothing is left behind: threads that had started have been joined.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PoolError {
    /// A number of workers that no pool can have.
    #[error("workers = {0}: expected {allowed}", allowed = show(&WORKERS))]
    Workers(usize),
    /// A ladder capacity that no ladder can have.
    #[error("ladder_capacity = {0}: expected {allowed} frames", allowed = show(&CAPACITIES))]
    LadderCapacity(usize),
    /// A stack size that no thread can have.
    #[error("stack_size = {0} bytes: expected {allowed}", allowed = show(&STACK_BYTES))]
    StackSize(usize),
    /// A thread name that the system cannot take.
    #[error("thread_name gave {name:?} for worker {worker}: expected a name without a zero byte")]
    ThreadName {
        /// The worker.
        worker: usize,
        /// The name it should have got.
        name: String,
    },
    /// `FILCH_WORKERS` is no number of workers.
    #[error("FILCH_WORKERS = {value:?}: expected a whole number, {allowed}", allowed = show(&WORKERS))]
    WorkersVariable {
        /// Its value.
        value: String,
    },
    /// `FILCH_SCHEDULER` is no scheduler.
    #[error("FILCH_SCHEDULER = {value:?}: {reason}")]
    SchedulerVariable {
        /// Its value.
        value: String,
        /// What is wrong with it.
        reason: ParseSchedulerError,
    },
    /// The serial scheduler with more than one worker.
    #[error(
        "scheduler = serial with workers = {workers}: it runs everything on the caller; expected workers = 1 or none set"
    )]
    SerialWithWorkers {
        /// The workers asked for.
        workers: usize,
    },
    /// A scheduler that takes, where taking is off.
    #[error(
        "scheduler = {0}: it takes, and the kernel refuses membarrier(2), which taking relies on; expected default, \
         serial or chaos, or a build with --cfg filch_fence=\"real\""
    )]
    TakingRefused(Scheduler),
    /// The system binds no threads to processors, or not this one.
    #[error(
        "pin_threads = true: the system refuses to bind {whom}; expected a system that binds threads, or pin_threads = \
         false",
        whom = processor.map_or("threads to processors".to_owned(), |p| format!("the thread of worker {worker} to processor {p}"))
    )]
    Pinning {
        /// The worker.
        worker: usize,
        /// The processor, if it came to that.
        processor: Option<usize>,
    },
    /// The system has no memory for the ladders.
    #[error("no memory for the ladders of {workers} workers; expected {bytes} bytes of address space to be available")]
    Memory {
        /// The workers asked for.
        workers: usize,
        /// What they would have taken.
        bytes: usize,
    },
    /// The system refused to start a thread.
    #[error(
        "could not start the thread of worker {worker} with a stack of {stack_bytes} bytes: {source}; expected a system \
         with room for {threads} such threads: ask for a smaller stack_size or for fewer workers"
    )]
    Spawn {
        /// The worker whose thread it was.
        worker: usize,
        /// The threads asked for.
        threads: usize,
        /// The stack asked for.
        stack_bytes: usize,
        /// What the system said.
        source: io::Error,
    },
}
