//! The panic hook: panics of the programs are silent; any other panic is reported together with the current case.

use std::panic;
use std::sync::{Mutex, Once, PoisonError};

use super::run_log::{Dud, Payload};

/// The command that runs the current case again.
static RUNNING: Mutex<String> = Mutex::new(String::new());

/// Silences panics whose payload belongs to the programs.
pub fn silence_the_programs_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let payload = info.payload();
            if !payload.is::<Payload>() && !payload.is::<Dud>() {
                report(info);
                // The process may be about to abort, and then nothing else would name the case.
                eprintln!("{}", running());
            }
        }));
    });
}

/// Notes the command that runs the current case again.
pub fn now_running(again: &str) {
    again.clone_into(&mut RUNNING.lock().unwrap_or_else(PoisonError::into_inner));
}

fn running() -> String {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
