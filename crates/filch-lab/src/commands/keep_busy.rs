//! `filch keep-busy`, a hidden command: keeps a core busy. [`Busy`](filch_bench::measure::busy::Busy) starts it.

use std::hint::black_box;
use std::io::{self, Write};
use std::thread;

use filch_bench::failure::Failure;

/// Keeps a core busy until standard input ends. Writes a newline first, to report that it is running.
pub fn run(out: &mut dyn Write) -> Result<(), Failure> {
    let spins = || {
        let mut number = 0_u64;
        loop {
            // Not the processor's spin hint: there, a virtual machine may hand the core to another guest.
            number = black_box(number.wrapping_add(1));
        }
    };
    let thread = thread::Builder::new().spawn(spins);
    thread.map_err(|error| Failure::Usage(format!("cannot start a thread that keeps a core busy: {error}")))?;
    writeln!(out)?;
    out.flush()?;
    // A read error counts as the end of the input.
    let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
    Ok(())
}
