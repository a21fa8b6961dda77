//! Ctrl-C ends the process at once with exit code 130, but never in the middle of writing a file, and leaves a clean
//! line on the terminal. A request to end (SIGTERM, as sent by `kill` and `timeout`) is treated alike, with exit code
//! 143.
//!
//! The signal handler sets `CAME` and then ends the process if `ENDS` allows it. A thread that has forbidden this
//! allows it again and then looks at `CAME`. Each side writes before it reads, so at least one of them sees what the
//! other has written, and no signal is lost.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::{flag, low_level};

use crate::timeout;

/// The signals that are treated like Ctrl-C. SIGHUP is not among them: under `nohup` it must be ignored.
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// The exit code that a shell reports for a program ended by this signal.
fn exit_code(signal: i32) -> i32 {
    128 + signal
}

/// Whether the handler ends the process. Written by [`deferred`] and [`CleanLine`], read by the handler.
static ENDS: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(true)));

/// The signal that arrived; 0 for none. Written by the handler, read by the threads that had forbidden it to end the
/// process.
static CAME: LazyLock<Arc<AtomicUsize>> = LazyLock::new(|| Arc::new(AtomicUsize::new(0)));

/// Held while a file is written.
static WRITING: Mutex<()> = Mutex::new(());

/// Makes Ctrl-C end the process from inside the signal handler, whatever the threads are doing.
pub fn end_on_ctrl_c() {
    // If the handler cannot be installed, Ctrl-C ends the process in the system's way. The actions run in the order of
    // registration.
    for signal in SIGNALS {
        let _ = flag::register_usize(signal, Arc::clone(&CAME), signal as usize);
        let _ = flag::register_conditional_shutdown(signal, exit_code(signal), Arc::clone(&ENDS));
    }
}

/// Runs `write` and defers Ctrl-C, and the end of the [time](crate::timeout), until it returns. Use it for as long as a
/// temporary file exists. A `write` that takes longer than some milliseconds must check whether one of them [came].
/// Calls must not be nested: the inner one would wait forever.
pub fn deferred<R>(write: impl FnOnce() -> R) -> R {
    let writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let ended = ENDS.swap(false, Ordering::SeqCst);
    let result = filch::to_completion(write);
    allow_again(ended);
    drop(writing);
    filch::end_if_cancelled();
    result
}

/// Whether Ctrl-C came, or the time is over. A long `write` under [`deferred`] then stops, cleans up and returns.
pub fn came() -> bool {
    CAME.load(Ordering::SeqCst) != 0 || timeout::is_over()
}

/// Allows the handler to end the process again, if it was allowed before. If Ctrl-C came in the meantime, ends the
/// process here.
fn allow_again(ended: bool) {
    ENDS.store(ended, Ordering::SeqCst);
    match CAME.load(Ordering::SeqCst) {
        0 => {}
        signal => low_level::exit(exit_code(signal as i32)),
    }
}

/// While this value lives, Ctrl-C clears the line of the cursor before it ends the process, so that no bar is left in
/// front of the shell's prompt.
///
/// A handler must not write to the terminal, so a thread does it, which sleeps until Ctrl-C comes. If there can be no
/// such thread, the line stays.
#[derive(Debug)]
pub struct CleanLine {
    ended: bool,
}

impl CleanLine {
    /// Starts clearing the line on Ctrl-C.
    pub fn begin() -> Self {
        let ended = ENDS.load(Ordering::SeqCst);
        if cleaner::is_there() {
            ENDS.store(false, Ordering::SeqCst);
        }
        Self { ended }
    }
}

impl Drop for CleanLine {
    fn drop(&mut self) {
        allow_again(self.ended);
    }
}

#[cfg(unix)]
mod cleaner {
    use super::*;
    use signal_hook::iterator::Signals;
    use std::io::{self, Write};
    use std::thread;

    /// Moves the cursor to the first column and clears the line (ECMA-48: CR, and EL with parameter 2).
    const CLEAR_LINE: &[u8] = b"\r\x1b[2K";

    /// Whether there is a thread that clears the line. The first call starts it.
    pub(super) fn is_there() -> bool {
        static THERE: LazyLock<bool> = LazyLock::new(|| start().is_ok());
        *THERE
    }

    fn start() -> io::Result<()> {
        let mut signals = Signals::new(SIGNALS)?;
        let wait = move || {
            if let Some(signal) = signals.forever().next() {
                clear_and_exit(signal);
            }
        };
        thread::Builder::new().name("ctrl-c".into()).spawn(wait).map(drop)
    }

    fn clear_and_exit(signal: i32) {
        // Neither lock is released, so that no other thread starts a file or draws the bar again.
        let _writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
        let mut terminal = io::stderr().lock();
        // If the terminal is gone, there is no line to clear.
        let _ = terminal.write_all(CLEAR_LINE);
        low_level::exit(exit_code(signal));
    }
}

#[cfg(not(unix))]
mod cleaner {
    /// There is no such thread on this system.
    pub(super) fn is_there() -> bool {
        false
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::env;
    use std::process::{Command, Output};

    /// The environment variable that makes a test run the part that ends its process.
    const INSIDE: &str = "FILCH_TEST_INTERRUPT";

    /// Runs the test with this name again, in a process of its own.
    fn inside(test: &str) -> Output {
        let mut command = Command::new(env::current_exe().unwrap());
        command
            .args(["--exact", &format!("interrupt::tests::{test}"), "--nocapture"])
            .env(INSIDE, "1")
            .output()
            .unwrap()
    }

    /// The body of the test called `test`: `signal` arrives during a write.
    fn ends_right_after_a_write(test: &str, signal: i32) {
        if env::var_os(INSIDE).is_some() {
            end_on_ctrl_c();
            deferred(|| {
                low_level::raise(signal).unwrap();
                println!("written to the end");
            });
            println!("gone on");
            return;
        }
        let output = inside(test);
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(exit_code(signal)), "{text}");
        assert!(text.contains("written to the end") && !text.contains("gone on"), "{text}");
    }

    #[test]
    fn a_ctrl_c_that_comes_during_a_write_ends_the_process_right_after_it() {
        ends_right_after_a_write("a_ctrl_c_that_comes_during_a_write_ends_the_process_right_after_it", SIGINT);
    }

    #[test]
    fn a_request_to_end_that_comes_during_a_write_ends_the_process_right_after_it() {
        ends_right_after_a_write("a_request_to_end_that_comes_during_a_write_ends_the_process_right_after_it", SIGTERM);
    }

    #[test]
    fn a_write_without_ctrl_c_leaves_it_as_it_was() {
        if env::var_os(INSIDE).is_some() {
            end_on_ctrl_c();
            assert_eq!(deferred(|| 7), 7);
            println!("gone on");
            low_level::raise(SIGINT).unwrap();
            println!("not ended");
            return;
        }
        let output = inside("a_write_without_ctrl_c_leaves_it_as_it_was");
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(exit_code(SIGINT)), "{text}");
        assert!(text.contains("gone on") && !text.contains("not ended"), "{text}");
    }

    #[test]
    fn a_ctrl_c_while_a_line_is_to_be_clean_clears_it() {
        if env::var_os(INSIDE).is_some() {
            end_on_ctrl_c();
            let _line = CleanLine::begin();
            eprint!("half a line");
            low_level::raise(SIGINT).unwrap();
            loop {
                std::thread::park();
            }
        }
        let output = inside("a_ctrl_c_while_a_line_is_to_be_clean_clears_it");
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(exit_code(SIGINT)), "{text}");
        assert!(text.ends_with("half a line\r\x1b[2K"), "{text:?}");
    }
}
