//! Too little memory, or too few threads: the command ends with exit code 2 and says what the system has refused.
//!
//! Where a command can tell what it wanted the memory or the thread for, it returns a [`Failure`](crate::failure) like
//! any other. This module is for all other places. The standard library answers by a panic or an abort, whose exit
//! codes say nothing, and it prints a backtrace first, which may wait for ever: a panic that runs out of memory while
//! it prints one waits for the lock that it holds itself.
//!
//! - [`Allocator`] ends the process at the first small request that is refused. The first large request fails: code
//!   that builds a pool or reads a graph has a better message. If that code cannot go on either, it aborts, and the
//!   handler of SIGABRT that [`ends_well`] installs ends the process instead.
//! - [`ends_well`] also lets a panic end the process if its message is that of such an error of the system. That is for
//!   libraries that start threads and do not return their errors.
//! - The stack of the main thread grows, and where it cannot, the system ends the process without a word. So under a
//!   limit it grows at the start, if there is room.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io::{self, IsTerminal, Write};
use std::panic::{self, PanicHookInfo};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

use signal_hook::low_level;

/// The exit code, as for any other request that cannot be met.
const EXIT: i32 = 2;

/// Requests of at least this many bytes are for graphs and pools, which do without the memory or say what it was for.
const LARGE: usize = 1 << 20;

/// Whether a request for memory has been refused. Written by the allocator; the handler of SIGABRT reads the value.
static REFUSED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

thread_local! {
    /// Whether this thread is ending the process.
    static ENDS: Cell<bool> = const { Cell::new(false) };
}

/// The allocator of the system, and what happens if that has no memory.
#[derive(Debug)]
pub struct Allocator;

// SAFETY: all memory is that of `System`, and `checked` returns what it gets or does not return.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: guaranteed by the caller.
        checked(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: guaranteed by the caller.
        checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: guaranteed by the caller; `memory` is from `System`.
        checked(unsafe { System.realloc(memory, layout, bytes) }, bytes)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: guaranteed by the caller; `memory` is from `System`.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[inline]
fn checked(memory: *mut u8, bytes: usize) -> *mut u8 {
    if memory.is_null() {
        refuse(bytes);
    }
    memory
}

#[cold]
fn refuse(bytes: usize) {
    let is_first = REFUSED.get().is_none_or(|refused| !refused.swap(true, Ordering::Relaxed));
    // A panic prints, and may need memory for that.
    if bytes < LARGE || !is_first || thread::panicking() {
        end(format_args!("no memory: the system refuses {bytes} bytes more; expected more memory, or a higher limit"));
    }
}

/// Ends the process. Allocates nothing, and waits for no lock that another thread may hold for ever.
fn end(why: std::fmt::Arguments<'_>) -> ! {
    // Writing may fail to get memory, too.
    if !ENDS.replace(true) {
        let mut stderr = io::stderr();
        // Where a bar of progress is, the message takes its place. If standard error is closed, the message is lost.
        let clear = if stderr.is_terminal() { "\r\x1b[2K" } else { "" };
        let _ = writeln!(stderr, "{clear}error: {why}");
    }
    low_level::exit(EXIT)
}

/// From here on, a shortage of memory or threads ends the process with exit code 2 and a message. To be called once,
/// at the start.
pub fn ends_well() {
    let refused = REFUSED.get_or_init(Arc::default);
    // If this is refused as well, such an abort has the exit code of an abort.
    let _ = signal_hook::flag::register_conditional_shutdown(signal_hook::consts::SIGABRT, EXIT, Arc::clone(refused));
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if let Some(message) = message(panic).filter(|message| is_shortage(message)) {
            end(format_args!("{message}; expected a system that lets this process have more memory and threads"));
        }
        usual(panic);
    }));
    if let Err(room) = stack::grow() {
        end(format_args!(
            "the limit on address space leaves {room} bytes at the start; expected at least {}",
            stack::ROOM
        ));
    }
}

/// What the panic says.
fn message<'a>(panic: &'a PanicHookInfo<'_>) -> Option<&'a str> {
    let payload = panic.payload();
    payload.downcast_ref::<String>().map(String::as_str).or_else(|| payload.downcast_ref::<&str>().copied())
}

/// Whether a message has one of the two errors with which systems refuse memory and threads, as the standard library
/// shows them.
fn is_shortage(message: &str) -> bool {
    ["(os error 11)", "(os error 12)", "code: 11,", "code: 12,"].iter().any(|error| message.contains(error))
}

/// The stack of the main thread.
mod stack {
    /// What a command needs at least, its stack and what it allocates before it does anything.
    pub(super) const ROOM: u64 = 2 << 20;

    /// More than the main thread has been seen to use, in a debug build.
    #[cfg(target_os = "linux")]
    const BYTES: usize = 1 << 20;

    /// Lets the stack of this thread, which is the main one, grow if there is a limit to address space. The error is
    /// how many bytes the limit leaves.
    #[cfg(target_os = "linux")]
    pub(super) fn grow() -> Result<(), u64> {
        use rustix::process::{Resource, getrlimit};
        let Some(limit) = getrlimit(Resource::As).current else { return Ok(()) };
        let pages = std::fs::read_to_string("/proc/self/statm").ok();
        let pages = pages.as_deref().and_then(|pages| pages.split(' ').next()?.parse::<u64>().ok());
        let Some(pages) = pages else { return Ok(()) };
        let room = limit.saturating_sub(pages * rustix::param::page_size() as u64);
        if room < ROOM {
            return Err(room);
        }
        touch();
        Ok(())
    }

    #[cfg(target_os = "linux")]
    #[inline(never)]
    fn touch() {
        std::hint::black_box([0_u8; BYTES]);
    }

    /// It is not known how much there is.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn grow() -> Result<(), u64> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_panics_of_refused_threads_and_memory_are_distinguished_from_others() {
        for (number, is) in [(11, true), (12, true), (1, false), (2, false), (110, false), (112, false)] {
            let error = io::Error::from_raw_os_error(number);
            let shown = [format!("failed: {error}"), format!("called `Result::unwrap()` on an `Err` value: {error:?}")];
            if cfg!(target_os = "linux") {
                assert!(shown.iter().all(|message| is_shortage(message) == is), "{shown:?}");
            }
        }
        assert!(!is_shortage("index out of bounds: the len is 11 but the index is 12"));
    }
}
