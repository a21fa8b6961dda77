//! Why a pool could not be built.

use super::limits::{CAPACITIES, STACK_BYTES, WORKERS};
use filch_policy::topology::{BoundaryError, ParsePlacementError, Topology};
use filch_policy::{ParseSchedulerError, Scheduler, SettingError};
use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io;
use std::ops::RangeInclusive;
use std::path::PathBuf;

fn show(range: &RangeInclusive<usize>) -> String {
    format!("{} to {}", range.start(), range.end())
}

/// Why a pool could not be built. Threads that had started have been joined.
#[derive(Debug)]
#[non_exhaustive]
pub enum PoolError {
    /// The number of workers is out of range.
    Workers(usize),
    /// The ladder capacity is out of range.
    LadderCapacity(usize),
    /// The stack size is out of range.
    StackSize(usize),
    /// The name of a thread contains a zero byte.
    ThreadName {
        /// The worker.
        worker: usize,
        /// The name for its thread.
        name: String,
    },
    /// `FILCH_WORKERS` is not a number of workers.
    WorkersVariable {
        /// The value of the variable.
        value: String,
    },
    /// `FILCH_SCHEDULER` does not name a scheduler.
    SchedulerVariable {
        /// The value of the variable.
        value: String,
        /// What is wrong with the value.
        reason: ParseSchedulerError,
    },
    /// `FILCH_PROFILE` does not name a file that can be written.
    ProfileVariable {
        /// The file.
        path: PathBuf,
        /// Why it cannot be written.
        error: io::ErrorKind,
    },
    /// `FILCH_TOPOLOGY` is not a topology.
    TopologyVariable {
        /// The value of the variable.
        value: String,
        /// What is wrong with the value.
        reason: ParsePlacementError,
    },
    /// `FILCH_TRACE` names no file for a trace.
    TraceVariable {
        /// The value of the variable.
        value: String,
        /// What is wrong with the name, or the error of the system.
        source: io::Error,
    },
    /// `FILCH_TOPOLOGY` is that of another number of workers than `FILCH_WORKERS`.
    Variables {
        /// The topology.
        topology: Box<Topology>,
        /// The number of workers.
        workers: usize,
    },
    /// The scheduler has a setting that its preset has no use for.
    Setting(SettingError),
    /// There is no boundary level for the scheduler `cab`.
    Boundary(BoundaryError),
    /// More than one worker is set for the serial scheduler.
    SerialWithWorkers {
        /// The number of workers that was set.
        workers: usize,
    },
    /// The topology is that of another number of workers.
    Topology {
        /// The topology.
        topology: Box<Topology>,
        /// The number of workers that was set.
        workers: usize,
    },
    /// The scheduler takes, but this system does not let workers take from each other.
    TakingRefused(Scheduler),
    /// The system does not bind threads to processors, or not to this one.
    Pinning {
        /// The worker.
        worker: usize,
        /// The processor, if the system lists its processors.
        processor: Option<usize>,
    },
    /// The thread that is to belong to the pool works for another one.
    CurrentThread,
    /// Callers cannot be bound for the time of a run only.
    PinningCallers,
    /// There is no memory for the ladders.
    Memory {
        /// The number of workers.
        workers: usize,
        /// The bytes of address space that their ladders need.
        bytes: usize,
    },
    /// The system refused to start the thread that makes the beats of heartbeat scheduling.
    SpawnBeater {
        /// The error of the system.
        source: io::Error,
    },
    /// The system refused to start a thread.
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

impl Display for PoolError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Workers(workers) => write!(f, "workers = {workers}: expected {}", show(&WORKERS)),
            Self::LadderCapacity(frames) => {
                write!(f, "ladder_capacity = {frames}: expected {} frames", show(&CAPACITIES))
            }
            Self::StackSize(bytes) => write!(f, "stack_size = {bytes} bytes: expected {}", show(&STACK_BYTES)),
            Self::ThreadName { worker, name } => {
                write!(f, "thread_name gave {name:?} for worker {worker}: expected a name without a zero byte")
            }
            Self::WorkersVariable { value } => {
                write!(f, "FILCH_WORKERS = {value:?}: expected a whole number, {}", show(&WORKERS))
            }
            Self::SchedulerVariable { value, reason } => write!(f, "FILCH_SCHEDULER = {value:?}: {reason}"),
            Self::ProfileVariable { path, error } => {
                write!(f, "FILCH_PROFILE = {path:?}: expected a file that can be written; {error}")
            }
            Self::TopologyVariable { value, reason } => write!(f, "FILCH_TOPOLOGY = {value:?}: {reason}"),
            Self::TraceVariable { value, source } => write!(f, "FILCH_TRACE = {value:?}: {source}"),
            Self::Variables { topology, workers } => write!(
                f,
                "FILCH_TOPOLOGY = {topology} with FILCH_WORKERS = {workers}: expected FILCH_WORKERS = {its}, or only \
                 one of the two",
                its = topology.workers()
            ),
            Self::Setting(error) => error.fmt(f),
            Self::Boundary(error) => write!(f, "scheduler = cab: {error}"),
            Self::SerialWithWorkers { workers } => write!(
                f,
                "scheduler = serial with workers = {workers}: it runs everything on the caller; expected workers = 1, \
                 or no number of workers"
            ),
            Self::Topology { topology, workers } => write!(
                f,
                "topology = {topology} with workers = {workers}: expected workers = {its}, or no number of workers",
                its = topology.workers()
            ),
            Self::TakingRefused(scheduler) => write!(
                f,
                "scheduler = {scheduler}: it needs taking, and the kernel refuses membarrier(2), which taking relies \
                 on; expected default, serial or chaos, or a build with --cfg filch_fence=\"real\""
            ),
            Self::Pinning { worker, processor } => {
                f.write_str("pin_threads = true: the system refuses to bind ")?;
                match processor {
                    None => f.write_str("threads to processors")?,
                    Some(processor) => write!(f, "the thread of worker {worker} to processor {processor}")?,
                }
                f.write_str("; expected a system that binds threads, or pin_threads = false")
            }
            Self::CurrentThread => f.write_str(
                "use_current_thread = true: this thread works for a pool already; expected a thread that is in no run \
                 and has not become a pool's own",
            ),
            Self::PinningCallers => f.write_str(
                "pin_callers = true: callers could not be released after a run, because it is not known which \
                 processors they may use; expected Linux or Android, or pin_callers = false",
            ),
            Self::Memory { workers, bytes } => write!(
                f,
                "no memory for the ladders of {workers} workers; expected {bytes} bytes of address space to be \
                 available"
            ),
            Self::SpawnBeater { source } => write!(
                f,
                "could not start the thread that beats: {source}; expected a system with room for one more thread"
            ),
            Self::Spawn { worker, number, threads, stack_bytes, source } => write!(
                f,
                "could not start thread {number} of {threads}, that of worker {worker}, with a stack of {stack_bytes} \
                 bytes: {source}; expected a system with room for {threads} such threads: ask for a smaller \
                 stack_size or for fewer workers"
            ),
            Self::SpawnWith { worker, number, threads, source } => {
                write!(f, "could not start thread {number} of {threads}, that of worker {worker}: {source}")
            }
        }
    }
}

impl Error for PoolError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Setting(error) => error.source(),
            Self::Boundary(error) => Some(error),
            Self::TraceVariable { source, .. }
            | Self::SpawnBeater { source }
            | Self::Spawn { source, .. }
            | Self::SpawnWith { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl From<SettingError> for PoolError {
    fn from(error: SettingError) -> Self {
        Self::Setting(error)
    }
}

impl From<BoundaryError> for PoolError {
    fn from(error: BoundaryError) -> Self {
        Self::Boundary(error)
    }
}
