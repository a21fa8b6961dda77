//! How an algorithm runs: on which workers, without the interpreter, and until Ctrl-C.

use filch::{CancelToken, Cancelled, Pool};
use pyo3::Borrowed;
use pyo3::exceptions::{PyOverflowError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::any::Any;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// How often the thread of Python looks for a signal. A run ends some milliseconds after it has seen one.
pub(crate) const LOOK: Duration = Duration::from_millis(20);

/// How many serial steps there are between two looks whether the run is to end.
pub(crate) const STEPS_PER_LOOK: usize = 1 << 10;

/// What is over before anybody could press a key, in vertices and arcs: the calling thread does it, and saves the tens
/// of microseconds that another thread takes to start.
pub(crate) const SHORT: usize = 1 << 20;

/// The stack of the thread that begins a run.
const STACK_BYTES: usize = 8 << 20;

/// The number of workers that is asked for, at least 1, or none: then there are as many as processors.
#[derive(Clone, Copy)]
pub(crate) struct Workers(Option<usize>);

impl Workers {
    /// One, for what is over before another one has begun.
    pub(crate) fn alone(self) -> Self {
        Workers(Some(1))
    }
}

impl FromPyObject<'_, '_> for Workers {
    type Error = PyErr;

    fn extract(workers: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let (found, py) = (workers.extract::<Option<usize>>(), workers.py());
        let expected = match &found {
            Ok(Some(0)) => "at least 1",
            Err(error) if error.is_instance_of::<PyOverflowError>(py) && workers.lt(0)? => "at least 1",
            Err(error) if error.is_instance_of::<PyOverflowError>(py) => "less",
            _ => return found.map(Workers),
        };
        Err(PyValueError::new_err(format!("workers is {}, expected {expected}", &*workers)))
    }
}

/// The pool with so many workers. Pools stay until the process ends: their workers sleep when there is nothing to do.
pub(crate) fn pool(Workers(workers): Workers) -> PyResult<&'static Pool> {
    static POOLS: Mutex<Option<HashMap<usize, &'static Pool>>> = Mutex::new(None);
    let Some(workers) = workers else {
        return Pool::global().map_err(|error| PyRuntimeError::new_err(error.to_string()));
    };
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let pools = pools.get_or_insert_default();
    if let Some(pool) = pools.get(&workers) {
        return Ok(pool);
    }
    let pool = Pool::builder().workers(workers).build().map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(pools.entry(workers).or_insert(Box::leak(Box::new(pool))))
}

/// Runs `f` on so many workers, without the interpreter. `size` is the number of vertices and arcs.
///
/// # Errors
///
/// What a signal handler has raised, such as `KeyboardInterrupt`; a `RuntimeError` if `f` has panicked.
pub(crate) fn run<R: Send>(py: Python<'_>, workers: Workers, size: usize, f: impl FnOnce() -> R + Send) -> PyResult<R> {
    let pool = pool(workers)?;
    if size < SHORT {
        return py.detach(|| catch_unwind(AssertUnwindSafe(|| pool.run(|_| f())))).map_err(panicked);
    }
    py.detach(|| watched(|token| pool.run_until(token, |_| f())))
}

/// Looks for signals now and then, in a serial algorithm.
pub(crate) struct Look {
    steps: usize,
    next: Instant,
}

impl Look {
    /// Counts a step.
    #[inline(always)]
    pub(crate) fn step(&mut self) -> PyResult<()> {
        self.steps += 1;
        if self.steps.is_multiple_of(STEPS_PER_LOOK) { self.look() } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn look(&mut self) -> PyResult<()> {
        let now = Instant::now();
        if now < self.next {
            return Ok(());
        }
        self.next = now + LOOK;
        Python::attach(|py| py.check_signals())
    }
}

/// Runs a serial algorithm on this thread, without the interpreter.
///
/// # Errors
///
/// As for [`run`], and what `f` returns.
pub(crate) fn run_serially<R: Send>(py: Python<'_>, f: impl FnOnce(&mut Look) -> PyResult<R> + Send) -> PyResult<R> {
    let mut look = Look { steps: 0, next: Instant::now() + LOOK };
    py.detach(|| catch_unwind(AssertUnwindSafe(|| f(&mut look)))).map_err(panicked)?
}

/// Runs `f` on a thread, while this one looks for signals.
pub(crate) fn watched<R: Send>(f: impl FnOnce(&CancelToken) -> Result<R, Cancelled> + Send) -> PyResult<R> {
    let token = CancelToken::new();
    let (done, ended) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let token = &token;
        let body = move || {
            // Dropped however the run ends.
            let _done = done;
            catch_unwind(AssertUnwindSafe(|| f(token)))
        };
        let thread = thread::Builder::new().name("filch".into()).stack_size(STACK_BYTES).spawn_scoped(scope, body);
        let thread = thread.map_err(|error| PyRuntimeError::new_err(format!("no thread can be started: {error}")))?;
        let mut signal = None;
        while let Err(mpsc::RecvTimeoutError::Timeout) = ended.recv_timeout(LOOK) {
            if signal.is_none()
                && let Err(raised) = Python::attach(|py| py.check_signals())
            {
                signal = Some(raised);
                token.cancel();
            }
        }
        let result = thread.join().and_then(|result| result);
        match signal {
            Some(raised) => Err(raised),
            None => Ok(result.map_err(panicked)?.expect("only a signal cancels")),
        }
    })
}

pub(crate) fn panicked(payload: Box<dyn Any + Send>) -> PyErr {
    let message = payload.downcast_ref::<String>().map(String::as_str);
    let message = message.or(payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
    let causes = "was an array written to while it was read, or is a matrix not symmetric in spite of symmetric=True?";
    PyRuntimeError::new_err(format!("{message} ({causes})"))
}
