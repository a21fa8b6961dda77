//! Output that is produced in parallel and written in order.

use std::io::{self, Write};
use std::mem;
use std::ops::Range;

use super::error::Failure;
use crate::read::{OnProgress, Progress};

/// The number of items that a worker formats at a time: about 200 kB of text, so the cost of distributing pieces is
/// negligible.
const PIECE_ITEMS: usize = 1 << 14;

/// The number of pieces per worker in a window, which is formatted before it is written. With several pieces per
/// worker, no worker idles long at the end of a window.
const PIECES_PER_WORKER: usize = 8;

/// A destination for output, with progress reports.
pub(super) struct Pipe<'a, 'b> {
    out: &'a mut (dyn Write + Send),
    on_progress: &'a mut OnProgress<'b>,
    progress: Progress,
}

impl<'a, 'b> Pipe<'a, 'b> {
    pub(super) fn new(out: &'a mut (dyn Write + Send), on_progress: &'a mut OnProgress<'b>) -> Self {
        Pipe { out, on_progress, progress: Progress::default() }
    }

    /// Writes `bytes`.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.out.write_all(bytes)?;
        self.progress.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Writes the output of `format` for the items `0..count`, in order. `format` appends the output for a range of
    /// items to a buffer. If `counted`, these items count in progress reports.
    ///
    /// Work: that of `format`, and writing. Span: writing, which runs in parallel to formatting, and formatting one
    /// piece for each window. Memory: two windows, each of 8 pieces per worker.
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
            // The second branch forks in turn, so it is the one to be stolen.
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

/// Appends a number in decimal.
pub(super) fn push_number(buffer: &mut Vec<u8>, number: impl itoa::Integer) {
    buffer.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}
