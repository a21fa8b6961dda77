//! The places in a program at which it forks.

use crate::engine::meters::location;
use std::backtrace::Backtrace;
use std::panic::Location;

/// How the code of a fork says where it is. It costs nothing until it is used: all of it is known to the compiler.
#[derive(Clone, Copy)]
pub(crate) struct Site {
    /// The call, as far as the libraries between the program and this crate pass it on.
    pub(crate) location: &'static Location<'static>,
    /// The name of a type of the program.
    pub(crate) name: &'static str,
    /// The address of a function that the compiler has made for this call.
    pub(crate) code: usize,
}

impl Site {
    /// A place in code of this crate, which the program has called with something of the type `T`.
    #[track_caller]
    pub(crate) fn of<T: ?Sized>(code: usize) -> Self {
        Site { location: Location::caller(), name: std::any::type_name::<T>(), code }
    }

    /// What tells one site from another.
    pub(crate) fn key(self) -> (usize, usize) {
        (std::ptr::from_ref(self.location).addr(), self.code)
    }
}

/// A site, as it was found when the program came there first.
#[derive(Debug)]
pub(crate) struct SeenSite {
    location: &'static Location<'static>,
    name: &'static str,
    /// The stack, whose names are looked up when somebody asks.
    stack: Option<Backtrace>,
}

/// What a site is called in a report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SiteName {
    /// The innermost function of the program there.
    pub(crate) function: String,
    /// Its file, line and column; empty if nobody knows.
    pub(crate) place: String,
}

impl SeenSite {
    /// Reads the stack, which takes some microseconds.
    pub(crate) fn here(site: Site) -> Self {
        // Under Miri it would take minutes.
        let stack = (!cfg!(miri)).then(Backtrace::force_capture);
        SeenSite { location: site.location, name: site.name, stack }
    }

    /// Looks the names up, which takes milliseconds.
    pub(crate) fn name(&self) -> SiteName {
        let found = self.stack.as_ref().and_then(|stack| location::in_text(&stack.to_string()));
        let (place, function) = match &found {
            Some(found) => found.split_once(", in ").unwrap_or(("", found)),
            None => ("", self.name),
        };
        let location = self.location.to_string();
        let place = if place.is_empty() && !location::is_of_library(&location) { &location } else { place };
        SiteName { function: plain(function), place: place.to_owned() }
    }
}

/// A name without what the compiler adds to it: hashes, closures, and types that were put in for parameters.
fn plain(name: &str) -> String {
    let (mut plain, mut depth) = (String::new(), 0_usize);
    let mut last = ' ';
    for c in name.trim_start_matches(['&', '(']).chars() {
        match c {
            '<' => depth += 1,
            '>' if last != '-' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(c),
            _ => {}
        }
        last = c;
    }
    let mut parts: Vec<&str> = plain.split("::").filter(|part| !part.is_empty() && !part.starts_with('{')).collect();
    if parts.len() > 1 && parts.last().is_some_and(|last| last.len() == 17 && last.starts_with('h')) {
        parts.pop();
    }
    if parts.is_empty() { name.to_owned() } else { parts.join("::") }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain() {
        assert_eq!(plain("sort::quick<u64>::{{closure}}"), "sort::quick");
        assert_eq!(plain("sort::quick::h0123456789abcdef"), "sort::quick");
        assert_eq!(plain("sort::quick::{closure#0}"), "sort::quick");
        assert_eq!(plain("{closure#0}"), "{closure#0}");
        assert_eq!(plain("sort::quick<fn(u8) -> Vec<u8>>::of"), "sort::quick::of");
    }
}
