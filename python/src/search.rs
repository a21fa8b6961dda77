//! Exact covers, and sudokus, which are exact covers.

use crate::results::{memory_error, value_error};
use crate::running::{Workers, pool, watched};
use filch::CancelToken;
use filch_search::{CoverError, ExactCover, Sudoku};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::process;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// How many solutions a search is ahead of those who take them.
const AHEAD: usize = 1 << 10;

/// A problem whose solutions are lists of numbers.
#[pyclass(frozen, module = "filch._filch")]
pub(crate) struct Problem(Arc<Kind>);

enum Kind {
    /// The numbers of the rows that are chosen.
    Cover(ExactCover),
    /// The numbers on the board, row by row.
    Sudoku(Sudoku),
}

impl Kind {
    fn cover(&self) -> &ExactCover {
        match self {
            Kind::Cover(cover) => cover,
            Kind::Sudoku(sudoku) => sudoku.cover(),
        }
    }

    fn solution(&self, rows: Vec<usize>) -> Vec<usize> {
        match self {
            Kind::Cover(_) => rows,
            Kind::Sudoku(sudoku) => sudoku.filled(&rows).into_iter().map(usize::from).collect(),
        }
    }
}

#[pymethods]
impl Problem {
    /// The exact cover problem of rows, each of which is a list of columns.
    #[staticmethod]
    fn exact_cover(rows: Vec<Vec<usize>>, primary: usize, secondary: usize) -> PyResult<Self> {
        let cover = ExactCover::new(primary, secondary, rows).map_err(|error| match error {
            CoverError::OutOfMemory { .. } => memory_error(error),
            _ => value_error(error),
        })?;
        Ok(Problem(Arc::new(Kind::Cover(cover))))
    }

    /// The sudoku of these cells, row by row.
    #[staticmethod]
    fn sudoku(cells: Vec<u8>) -> PyResult<Self> {
        Ok(Problem(Arc::new(Kind::Sudoku(Sudoku::new(&cells).map_err(value_error)?))))
    }

    /// The number of solutions.
    fn count(&self, py: Python<'_>, workers: Workers) -> PyResult<u64> {
        let (pool, cover) = (pool(workers)?, self.0.cover());
        py.detach(|| watched(|token| pool.run_until(token, |_| cover.count())))
    }

    /// The solutions, in serial order.
    fn solutions(&self, workers: Workers) -> PyResult<Solutions> {
        let (pool, kind, token) = (pool(workers)?, Arc::clone(&self.0), CancelToken::new());
        let (sender, receiver) = sync_channel(AHEAD);
        let its_token = token.clone();
        let search = move || {
            // Nobody waits for a search that has been cancelled.
            _ = pool.run_until(&its_token, |_| {
                kind.cover().all(|rows| {
                    // Whoever has closed the channel has cancelled the search, too.
                    if let Err(TrySendError::Full(solution)) = sender.try_send(kind.solution(rows)) {
                        // Another thread works here meanwhile.
                        _ = filch::blocking(|| sender.send(solution));
                    }
                });
            });
        };
        let thread = thread::Builder::new().name("filch".into()).spawn(search).map_err(PyErr::from)?;
        Ok(Solutions { process: process::id(), token, search: Mutex::new(Some((receiver, thread))) })
    }
}

/// An iterator of solutions. Its search ends with it.
#[pyclass(frozen, module = "filch._filch")]
pub(crate) struct Solutions {
    /// The process in which the search has begun. One that is forked has no thread that searches.
    process: u32,
    token: CancelToken,
    search: Mutex<Option<Search>>,
}

/// What a search finds, and the thread that has begun it.
type Search = (Receiver<Vec<usize>>, JoinHandle<()>);

#[pymethods]
impl Solutions {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Vec<usize>>> {
        self.is_here()?;
        loop {
            let next = py.detach(|| {
                let search = self.search.lock().unwrap_or_else(PoisonError::into_inner);
                search
                    .as_ref()
                    .map_or(Err(RecvTimeoutError::Disconnected), |(found, _)| found.recv_timeout(crate::running::LOOK))
            });
            match next {
                Ok(solution) => return Ok(Some(solution)),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => return self.close(py).map(|()| None),
            }
        }
    }

    /// Ends the search.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.is_here()?;
        self.token.cancel();
        let ended = py.detach(|| {
            let search = self.search.lock().unwrap_or_else(PoisonError::into_inner).take();
            search.map_or(Ok(()), |(found, thread)| {
                drop(found);
                thread.join()
            })
        });
        ended.map_err(crate::running::panicked)
    }
}

impl Solutions {
    /// Whether the search is one of this process.
    fn is_here(&self) -> PyResult<()> {
        if self.process == process::id() {
            return Ok(());
        }
        let message = "the search was begun in another process, from which this one was forked: begin it again here";
        Err(PyRuntimeError::new_err(message))
    }
}

impl Drop for Solutions {
    fn drop(&mut self) {
        if self.process != process::id() {
            // A thread that is not here may hold its locks.
            std::mem::forget(self.search.get_mut().map_or(None, Option::take));
            return;
        }
        // The thread ends by itself: what it sends is no longer received.
        self.token.cancel();
    }
}
