//! A trace that is being written: its packets go to the writer a page at a time.
//!
//! A process that is killed while it writes may have written a part: the system looks for a signal between two pages.
//! So no write and no packet reaches from one page of the file into the next; what is left of a page is filled.

use std::io::{self, Write};

use crate::chrome::Chrome;
use crate::event::{Event, Format, Track};
use crate::perfetto::Perfetto;

/// The size of a page of a file, or a part of it.
const PAGE: usize = 4096;

/// A trace that is being written.
#[derive(Debug)]
pub struct Trace<W> {
    out: W,
    /// How many bytes have been written.
    written: u64,
    /// Whole packets that have not been written yet.
    waiting: Vec<u8>,
    encoder: Encoder,
}

#[derive(Debug)]
enum Encoder {
    Perfetto(Perfetto),
    Chrome(Chrome),
}

impl<W: Write> Trace<W> {
    /// Begins a trace of a process, and writes its head. `out` is at its beginning, and has no buffer of its own if the
    /// trace is to be readable after a kill.
    ///
    /// # Errors
    ///
    /// Those of `out`, as for all functions here.
    pub fn begin(out: W, format: Format, process: &str, id: u32) -> io::Result<Self> {
        let mut head = Vec::new();
        let encoder = match format {
            Format::Perfetto => Encoder::Perfetto(Perfetto::begin(process, id, &mut head)),
            Format::Chrome => Encoder::Chrome(Chrome::begin(process, id, &mut head)),
        };
        let mut trace = Trace { out, written: 0, waiting: Vec::new(), encoder };
        trace.append(&head)?;
        trace.flush()?;
        Ok(trace)
    }

    /// Adds a track for slices and instants. Viewers show tracks in the order in which they were added.
    pub fn add_track(&mut self, name: &str) -> io::Result<Track> {
        self.add(name, false)
    }

    /// Adds a track for numbers.
    pub fn add_counter(&mut self, name: &str) -> io::Result<Track> {
        self.add(name, true)
    }

    fn add(&mut self, name: &str, is_counter: bool) -> io::Result<Track> {
        let mut packet = Vec::new();
        let track = match &mut self.encoder {
            Encoder::Perfetto(encoder) => encoder.track(name, is_counter, &mut packet),
            Encoder::Chrome(encoder) => encoder.track(name, is_counter, &mut packet),
        };
        self.append(&packet)?;
        Ok(track)
    }

    /// Writes an event. The events of a track come in the order of their times, but for instants.
    pub fn write(&mut self, event: &Event<'_>) -> io::Result<()> {
        let mut packet = Vec::new();
        match &self.encoder {
            Encoder::Perfetto(encoder) => encoder.event(event, &mut packet),
            Encoder::Chrome(encoder) => encoder.event(event, &mut packet),
        }
        self.append(&packet)
    }

    /// How many bytes have been written.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Passes on whatever waits in the buffer.
    pub fn flush(&mut self) -> io::Result<()> {
        if !self.waiting.is_empty() {
            self.out.write_all(&self.waiting)?;
            self.written += self.waiting.len() as u64;
            self.waiting.clear();
        }
        self.out.flush()
    }

    /// Ends the trace.
    pub fn end(mut self) -> io::Result<W> {
        if let Encoder::Chrome(_) = self.encoder {
            self.append(Chrome::END)?;
        }
        self.flush()?;
        Ok(self.out)
    }

    fn append(&mut self, packet: &[u8]) -> io::Result<()> {
        let room = PAGE - (self.written as usize + self.waiting.len()) % PAGE;
        // The least that can be filled is two bytes.
        if packet.len() > room || packet.len() + 1 == room {
            if packet.len() + 2 <= PAGE {
                self.fill(room);
            }
            self.flush()?;
        }
        self.waiting.extend_from_slice(packet);
        Ok(())
    }

    /// Adds so many bytes that mean nothing: spaces, or packets with nothing in them.
    fn fill(&mut self, bytes: usize) {
        if let Encoder::Chrome(_) = self.encoder {
            return self.waiting.extend(std::iter::repeat_n(b' ', bytes));
        }
        // A packet, with its length of zero in two bytes or in one.
        const LONG: [u8; 3] = [0x0a, 0x80, 0];
        let is_odd = bytes % 2 == 1 && bytes > 1;
        self.waiting.extend_from_slice(if is_odd { &LONG } else { &[] });
        let rest = if is_odd { bytes - LONG.len() } else { bytes };
        (0..rest / 2).for_each(|_| self.waiting.extend_from_slice(&[LONG[0], 0]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::What;

    /// What each write was.
    #[derive(Default)]
    struct Writes(Vec<Vec<u8>>);

    impl Write for Writes {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.push(bytes.to_vec());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_write_lies_in_one_page_and_the_fillers_mean_nothing() {
        for format in Format::EXTENSIONS.map(|(_, format)| format) {
            let mut trace = Trace::begin(Writes::default(), format, "test", 1).expect("memory is written");
            let track = trace.add_track("track").expect("as above");
            for at_ns in (0..10_000).map(|n| n * n) {
                let what = if at_ns % 2 == 0 { What::Begin { name: "slice", flow: None } } else { What::End };
                trace.write(&Event { at_ns, track, what }).expect("as above");
            }
            let writes = trace.end().expect("as above").0;
            let mut begin = 0;
            for write in &writes {
                let end = begin + write.len();
                assert!(begin / PAGE == (end - 1) / PAGE, "{begin}..{end}");
                begin = end;
            }
            assert!(writes.len() < 3 * begin / PAGE, "{} writes of {begin} bytes", writes.len());
            if format == Format::Perfetto {
                let read = crate::read::perfetto(&writes.concat()).expect("it is a trace");
                assert_eq!(read.events.len(), 10_000);
            }
        }
    }
}
