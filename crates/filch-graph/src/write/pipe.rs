//! Content in pieces: made in parallel, written in order.

use std::io::{self, Write};
use std::mem;
use std::ops::Range;

use super::error::Failure;
use crate::read::{OnProgress, Progress};

/// Items that are formatted at once by one worker: some 200 kB of text, beside which handing them out costs nothing.
const PIECE_ITEMS: usize = 1 << 14;

/// Pieces that are formatted before they are written, for each worker; so that none idles long at the end.
const PIECES_PER_WORKER: usize = 8;

/// Where content goes, and who is told.
pub(super) struct Pipe<'a, 'b> {
    out: &'a mut (dyn Write + Send),
    on_progress: &'a mut OnProgress<'b>,
    progress: Progress,
}

impl<'a, 'b> Pipe<'a, 'b> {
    pub(super) fn new(out: &'a mut (dyn Write + Send), on_progress: &'a mut OnProgress<'b>) -> Self {
        Pipe { out, on_progress, progress: Progress::default() }
    }

    /// Writes `bytes` as they are.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.out.write_all(bytes)?;
        self.progress.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Writes what `format` appends for ranges of items, which together are 0 to `count`. If `counted`, they are what
    /// progress tells of.
    ///
    /// Work: as `format` and writing. Span: writing, which goes on beside formatting, and formatting one range for each
    /// window. Memory: two windows, of 8 ranges for each worker.
    pub(super) fn items(
        &mut self,
        count: usize,
        counted: bool,
        format: impl Fn(Range<usize>, &mut Vec<u8>) + Send + Sync,
    ) -> Result<(), Failure> {
        let num_pieces = count.div_ceil(PIECE_ITEMS);
        let pieces_at_once = filch::num_workers() * PIECES_PER_WORKER;
        let fill = |first: usize, window: &mut Vec<Vec<u8>>| {
            window.resize_with(pieces_at_once.min(num_pieces - first), Vec::new);
            filch::for_each((first.., &mut *window), |_, (piece, buffer)| {
                buffer.clear();
                format(piece * PIECE_ITEMS..count.min((piece + 1) * PIECE_ITEMS), buffer);
            });
        };
        let (mut ready, mut next) = (Vec::new(), Vec::new());
        fill(0, &mut ready);
        let mut done = 0;
        while done < num_pieces {
            let filled = done + ready.len();
            let out = &mut *self.out;
            let write = || -> io::Result<u64> {
                ready.iter().try_fold(0, |sum, buffer: &Vec<u8>| {
                    out.write_all(buffer)?;
                    Ok(sum + buffer.len() as u64)
                })
            };
            // Whoever is idle takes the branch that forks.
            let (written, ()) = filch::join(write, || fill(filled, &mut next));
            self.progress.bytes += written?;
            if counted {
                self.progress.items += (count.min(filled * PIECE_ITEMS) - done * PIECE_ITEMS) as u64;
            }
            done = filled;
            mem::swap(&mut ready, &mut next);
            if (self.on_progress)(self.progress).is_break() {
                return Err(Failure::Stopped);
            }
        }
        Ok(())
    }
}

/// Appends a number as text.
pub(super) fn push_number(buffer: &mut Vec<u8>, number: impl itoa::Integer) {
    buffer.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}
