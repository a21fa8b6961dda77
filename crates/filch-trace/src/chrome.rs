//! Chrome's format: an array of events in JSON, whose `]` may be missing. Each event is on a line of its own.
//!
//! An arrow is an event of its own there, and belongs to the slice around its time.

use std::fmt::Write;

use crate::event::{Event, Flow, Track, What};

#[derive(Debug)]
pub(crate) struct Chrome {
    process: u32,
    /// The names of tracks, which events of counters repeat.
    tracks: Vec<String>,
}

impl Chrome {
    pub(crate) const END: &[u8] = b"\n]\n";

    pub(crate) fn begin(process: &str, id: u32, out: &mut Vec<u8>) -> Self {
        let head = format!(
            r#"[
{{"ph":"M","name":"process_name","pid":{id},"tid":0,"args":{{"name":{}}}}}"#,
            quoted(process)
        );
        out.extend_from_slice(head.as_bytes());
        Chrome { process: id, tracks: Vec::new() }
    }

    pub(crate) fn track(&mut self, name: &str, is_counter: bool, out: &mut Vec<u8>) -> Track {
        let (number, pid) = (self.tracks.len() as u32, self.process);
        self.tracks.push(name.to_owned());
        if !is_counter {
            let name = quoted(name);
            line(
                out,
                format_args!(r#""ph":"M","name":"thread_name","pid":{pid},"tid":{number},"args":{{"name":{name}}}"#),
            );
            line(
                out,
                format_args!(
                    r#""ph":"M","name":"thread_sort_index","pid":{pid},"tid":{number},"args":{{"sort_index":{number}}}"#
                ),
            );
        }
        Track(number)
    }

    pub(crate) fn event(&self, &Event { at_ns, track, what }: &Event<'_>, out: &mut Vec<u8>) {
        // Times are in microseconds.
        let time = format!("{}.{:03}", at_ns / 1000, at_ns % 1000);
        let place = format!(r#""ts":{time},"pid":{},"tid":{}"#, self.process, track.0);
        let flow = match what {
            What::Begin { name, flow } => {
                line(out, format_args!(r#""ph":"B","name":{},{place}"#, quoted(name)));
                flow
            }
            What::End => {
                line(out, format_args!(r#""ph":"E",{place}"#));
                None
            }
            What::Instant { name, flow } => {
                line(out, format_args!(r#""ph":"i","s":"t","name":{},{place}"#, quoted(name)));
                flow
            }
            What::Count(value) => {
                let name = quoted(&self.tracks[track.0 as usize]);
                line(out, format_args!(r#""ph":"C","name":{name},{place},"args":{{"value":{value}}}"#));
                None
            }
        };
        match flow {
            None => {}
            Some(Flow::From(id)) => {
                line(out, format_args!(r#""ph":"s","name":"moves","cat":"flow","id":{id},{place}"#))
            }
            Some(Flow::To(id)) => {
                line(out, format_args!(r#""ph":"f","bp":"e","name":"moves","cat":"flow","id":{id},{place}"#));
            }
        }
    }
}

/// Adds an event, which is not the first one.
fn line(out: &mut Vec<u8>, members: std::fmt::Arguments<'_>) {
    out.extend_from_slice(format!(",\n{{{members}}}").as_bytes());
}

/// A text as JSON.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\0'..' ' => _ = write!(quoted, "\\u{:04x}", u32::from(character)),
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}
