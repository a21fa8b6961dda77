//! Panics that belong to the programs are no news; any other says at once which case was running.

use std::panic;
use std::sync::{Mutex, Once, PoisonError};

use super::ledger::{Dud, Payload};

/// How to run the current case again.
static RUNNING: Mutex<String> = Mutex::new(String::new());

/// Silences panics whose payload is one of the programs'.
pub fn silence_the_programs_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let payload = info.payload();
            if !payload.is::<Payload>() && !payload.is::<Dud>() {
                report(info);
                // The process may be about to abort, and nothing else would say which case it was.
                eprintln!("{}", running());
            }
        }));
    });
}

/// Notes how to run the current case again.
pub fn now_running(again: &str) {
    again.clone_into(&mut RUNNING.lock().unwrap_or_else(PoisonError::into_inner));
}

fn running() -> String {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
