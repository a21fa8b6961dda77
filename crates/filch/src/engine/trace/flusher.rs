//! The flusher: one thread of the process moves events from the rings to the file.
//!
//! It sorts them by their times, because an arrow needs the order. A thread reads the clock before it puts an event
//! into its ring, so an event may come late. So events are told one flush after they have been found. What comes later
//! still is told then: slices of a thread stay in their order, and an arrow is missing at worst.

use super::event::Event;
use super::flows::Flows;
use super::ring::Ring;
use super::{IS_ON, is_on};
use crate::sync::{Mutex, Ordering, boxed, clock, lock, process};
use filch_trace::{Event as FileEvent, Format, Trace, Track, What};
use std::fs::File;
use std::path::Path;
use std::sync::{Arc, Weak};
use std::time::Duration;
use std::{env, io, mem, thread};

/// How often events are moved. A trace that is cut lacks what happened in the last two of these times.
pub(super) const PERIOD: Duration = Duration::from_millis(50);

/// What has numbers that a trace shows over time.
pub(crate) trait Counted: Send + Sync {
    /// Names and values; always the same names, in the same order.
    fn counts(&self) -> Vec<(&'static str, u64)>;
}

/// The rings of threads, and whose numbers are shown.
static RINGS: Mutex<Vec<Arc<Ring>>> = Mutex::new(Vec::new());
static COUNTED: Mutex<Vec<Weak<dyn Counted>>> = Mutex::new(Vec::new());

static STATE: Mutex<State> = Mutex::new(State::Idle);

enum State {
    /// Nothing has been opened.
    Idle,
    Open(Box<Flusher>),
    /// The process ends, or the file cannot be written.
    Over,
}

struct Flusher {
    trace: Trace<File>,
    flows: Flows,
    tracks: Vec<(Arc<Ring>, Track, u64)>,
    counters: Vec<Counters>,
    counted: usize,
    /// Events that have been found and not been told.
    waiting: Vec<(u64, Track, Event)>,
    /// When the last flush began.
    horizon_ns: u64,
}

/// The tracks of what is counted, and the last values.
struct Counters {
    of: Weak<dyn Counted>,
    tracks: Vec<(Track, u64)>,
}

/// Records from now on, into a file with this name, by its extension. `names` are those of slices. Does nothing if
/// there is a trace already, or in a child of fork(2).
pub(crate) fn start(path: &Path, names: &'static [&'static str]) -> io::Result<()> {
    if process::is_forked() {
        return Ok(());
    }
    let mut state = lock(&STATE);
    if !matches!(*state, State::Idle) {
        return Ok(());
    }
    let format = Format::of(path).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    let program = env::current_exe().ok();
    let program = program.as_deref().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let trace = Trace::begin(File::create(path)?, format, &program, std::process::id())?;
    thread::Builder::new().name("filch-trace".into()).spawn(boxed(live))?;
    process::at_exit(finish);
    *state = State::Open(Box::new(Flusher {
        trace,
        flows: Flows::new(names),
        tracks: Vec::new(),
        counters: Vec::new(),
        counted: 0,
        waiting: Vec::new(),
        horizon_ns: 0,
    }));
    IS_ON.store(true, Ordering::Relaxed);
    Ok(())
}

/// Shows these numbers, too, if there is a trace.
pub(crate) fn count(counted: Weak<dyn Counted>) {
    if is_on() && !process::is_forked() {
        lock(&COUNTED).push(counted);
    }
}

/// A ring for this thread.
pub(super) fn new_ring() -> Arc<Ring> {
    let thread = thread::current();
    let name = thread.name().map_or_else(|| format!("{:?}", thread.id()), str::to_owned);
    let ring = Arc::new(Ring::new(name));
    lock(&RINGS).push(Arc::clone(&ring));
    ring
}

/// Moves what there is to the file, all of it: threads that a reader of the file knows of have ended.
pub(crate) fn flush() {
    if is_on() && !process::is_forked() {
        flush_now(true);
    }
}

/// The life of the flusher's thread, which ends with the process.
fn live() {
    loop {
        thread::sleep(PERIOD);
        flush_now(false);
    }
}

/// The process ends.
extern "C" fn finish() {
    if process::is_forked() {
        return;
    }
    flush_now(true);
    IS_ON.store(false, Ordering::Relaxed);
    if let State::Open(flusher) = mem::replace(&mut *lock(&STATE), State::Over) {
        // There is nobody left who could be told of an error.
        _ = flusher.trace.end();
    }
}

fn flush_now(tells_all: bool) {
    // What is counted may end here. That may end a pool, which flushes, so it must not be under the lock.
    let mut counted = Vec::new();
    let mut state = lock(&STATE);
    if let State::Open(flusher) = &mut *state
        && flusher.flush(tells_all, &mut counted).is_err()
    {
        // A library does not print, and the program goes on without its trace.
        IS_ON.store(false, Ordering::Relaxed);
        *state = State::Over;
    }
    drop(state);
}

impl Flusher {
    /// Moves what there is to the file. Leaves in `counted` what has been kept alive meanwhile.
    fn flush(&mut self, tells_all: bool, counted: &mut Vec<Arc<dyn Counted>>) -> io::Result<()> {
        let now_ns = clock::now_ns();
        self.collect()?;
        self.tell(if tells_all { u64::MAX } else { self.horizon_ns })?;
        if tells_all {
            let mut result = Ok(());
            self.flows.release(&mut |event| write(&mut self.trace, &mut result, event));
            result?;
        }
        self.count(now_ns, counted)?;
        self.horizon_ns = now_ns;
        self.trace.flush()
    }

    /// Removes the events from the rings.
    fn collect(&mut self) -> io::Result<()> {
        let rings = lock(&RINGS).clone();
        for ring in rings {
            // Looked at first: what comes before it is closed is found below.
            let is_closed = ring.is_closed();
            let place = match self.tracks.iter().position(|(known, ..)| Arc::ptr_eq(known, &ring)) {
                Some(place) => place,
                None => {
                    self.tracks.push((Arc::clone(&ring), self.trace.add_track(&ring.thread)?, 0));
                    self.tracks.len() - 1
                }
            };
            let (_, track, lost) = &mut self.tracks[place];
            ring.drain(|at_ns, event| self.waiting.push((at_ns, *track, event)));
            let lost_before = mem::replace(lost, ring.lost());
            if *lost > lost_before {
                let name = &*format!("{} events lost", *lost - lost_before);
                let (at_ns, what) = (clock::now_ns(), What::Instant { name, flow: None });
                self.trace.write(&FileEvent { at_ns, track: *track, what })?;
            }
            if is_closed {
                self.tracks.swap_remove(place);
                lock(&RINGS).retain(|other| !Arc::ptr_eq(other, &ring));
            }
        }
        Ok(())
    }

    /// Tells the file of the events up to this time.
    fn tell(&mut self, up_to_ns: u64) -> io::Result<()> {
        // Stable, so the events of a thread stay in order.
        self.waiting.sort_by_key(|&(at_ns, ..)| at_ns);
        let told = self.waiting.partition_point(|&(at_ns, ..)| at_ns <= up_to_ns);
        let mut result = Ok(());
        for (at_ns, track, event) in self.waiting.drain(..told) {
            self.flows.event(at_ns, track, event, &mut |event| write(&mut self.trace, &mut result, event));
        }
        result
    }

    /// Writes the numbers that have changed.
    fn count(&mut self, at_ns: u64, kept: &mut Vec<Arc<dyn Counted>>) -> io::Result<()> {
        for of in mem::take(&mut *lock(&COUNTED)) {
            self.counted += 1;
            let Some(counted) = of.upgrade() else { continue };
            let named = counted.counts();
            kept.push(counted);
            let track = |(name, _)| Ok((self.trace.add_counter(&format!("pool {}: {name}", self.counted))?, u64::MAX));
            self.counters.push(Counters { of, tracks: named.into_iter().map(track).collect::<io::Result<_>>()? });
        }
        self.counters.retain(|counters| counters.of.strong_count() > 0);
        for counters in &mut self.counters {
            let Some(counted) = counters.of.upgrade() else { continue };
            let counts = counted.counts();
            kept.push(counted);
            for ((track, last), (_, value)) in counters.tracks.iter_mut().zip(counts) {
                if mem::replace(last, value) != value {
                    let what = What::Count(value.cast_signed());
                    self.trace.write(&FileEvent { at_ns, track: *track, what })?;
                }
            }
        }
        Ok(())
    }
}

/// Writes an event, unless one before it could not be written.
fn write(trace: &mut Trace<File>, result: &mut io::Result<()>, event: &FileEvent<'_>) {
    if result.is_ok() {
        *result = trace.write(event);
    }
}
