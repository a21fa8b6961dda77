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
        let (place, on_stack) = match &found {
            Some(found) => found.split_once(", in ").unwrap_or(("", found)),
            None => ("", self.name),
        };
        // The function may not be on the stack any more, because the compiler has put it into another one.
        let function = with_closure(self.name).unwrap_or(on_stack);
        let location = self.location.to_string();
        let place = if place.is_empty() && !location::is_of_library(&location) { &location } else { place };
        SiteName { function: plain(function), place: place.to_owned() }
    }
}

/// The function of the program whose closure is in the name of this type, if there is one.
fn with_closure(name: &str) -> Option<&str> {
    let is_of_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let mut rest = name;
    loop {
        rest = rest.trim_start_matches(|c| !is_of_path(c));
        let path = &rest[..rest.find(|c| !is_of_path(c)).unwrap_or(rest.len())];
        if path.is_empty() {
            return None;
        }
        let function = path.trim_end_matches(':');
        rest = &rest[path.len()..];
        // A path that begins with colons goes on behind a type.
        let is_whole = !path.starts_with(':') && location::has_name_of_program(function);
        if is_whole && after_parameters(path, rest).starts_with("{{closure}}") {
            return Some(function);
        }
    }
}

/// What comes after a path and its parameters, if these are followed by `::`.
fn after_parameters<'n>(path: &str, rest: &'n str) -> &'n str {
    if path.ends_with("::") {
        return rest;
    }
    let end = depths(rest).find(|&(.., depth)| depth == 0);
    end.and_then(|(at, c, _)| rest[at + c.len_utf8()..].strip_prefix("::")).unwrap_or("")
}

/// The characters of a name, with their places and how many angle brackets are open behind each. That of an arrow is
/// none.
fn depths(name: &str) -> impl Iterator<Item = (usize, char, usize)> {
    let (mut depth, mut last) = (0_usize, ' ');
    name.char_indices().map(move |(at, c)| {
        match c {
            '<' => depth += 1,
            '>' if last != '-' => depth = depth.saturating_sub(1),
            _ => {}
        }
        last = c;
        (at, c, depth)
    })
}

/// A name without what the compiler adds to it: hashes, closures, and types that were put in for parameters.
fn plain(name: &str) -> String {
    let outside = depths(name.trim_start_matches(['&', '('])).filter(|&(_, c, depth)| depth == 0 && c != '>');
    let plain: String = outside.map(|(_, c, _)| c).collect();
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
    fn the_function_of_a_closure_is_found_in_the_names_of_types() {
        for (name, function) in [
            ("sort::quick::{{closure}}", "sort::quick"),
            ("sort::quick<u64, fn(u8) -> u8>::{{closure}}::{{closure}}", "sort::quick"),
            ("filch::join::<impl filch::Strand<'_>>::join<sort::quick::{{closure}}, ()>::{{closure}}", "sort::quick"),
            ("rayon_core::join::fork<false, sort::quick::{{closure}}, ()>::{{closure}}", "sort::quick"),
            ("rayon::iter::bridge<rayon::Map<sort::Item>, a::roots<f64>::{{closure}}>::{{closure}}", "a::roots"),
        ] {
            assert_eq!(with_closure(name), Some(function));
        }
        for name in ["", "u64", "rayon::iter::Sum<sort::Item>", "core::ops::{{closure}}", "(<<>>::", "a::b"] {
            assert_eq!(with_closure(name), None, "{name}");
        }
    }

    #[test]
    fn names_are_plain() {
        assert_eq!(plain("sort::quick<u64>::{{closure}}"), "sort::quick");
        assert_eq!(plain("sort::quick::h0123456789abcdef"), "sort::quick");
        assert_eq!(plain("sort::quick::{closure#0}"), "sort::quick");
        assert_eq!(plain("{closure#0}"), "{closure#0}");
        assert_eq!(plain("sort::quick<fn(u8) -> Vec<u8>>::of"), "sort::quick::of");
    }
}
