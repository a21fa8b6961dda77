//! Where in the program a slow path of the engine has been reached, from the stack.

use std::backtrace::Backtrace;

/// This file and its neighbours, below the folder of the crate. It tells the frames of the crate from those of the
/// program.
const HERE: &str = "src/engine/";

/// The crates whose functions stand between the program and the engine.
const BETWEEN: [&str; 8] = ["filch", "filch_policy", "filch_rayon", "rayon", "rayon_core", "std", "core", "alloc"];

/// Parts of the paths of such crates.
const PATHS_BETWEEN: [&str; 7] =
    ["/library/std/", "/library/core/", "/library/alloc/", "/filch-rayon/", "/rayon-core", "/rayon-1", "/rayon/src/"];

/// Whether a file, as the compiler names it, is of this crate or of one between it and the program.
pub(crate) fn is_of_library(line: &str) -> bool {
    let here = concat!(env!("CARGO_MANIFEST_DIR"), "/src/");
    line.starts_with(here) || line.starts_with("crates/filch/src/") || is_between(line)
}

fn is_between(line: &str) -> bool {
    PATHS_BETWEEN.iter().any(|path| line.contains(path)) || line.starts_with("crates/filch-rayon/")
}

/// The innermost line on the stack that belongs to the program, with its function; or only the function, if lines are
/// not known. Reading the stack takes milliseconds.
pub(crate) fn of_caller() -> Option<String> {
    if cfg!(miri) {
        // It would take minutes.
        return None;
    }
    in_text(&Backtrace::force_capture().to_string())
}

/// The same from the text of a [`Backtrace`], which has lines such as `4: name` and, below it, `at file:line:column`.
pub(crate) fn in_text(text: &str) -> Option<String> {
    let mut frames: Vec<(&str, Option<String>)> = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(line) = line.strip_prefix("at ") {
            if let Some(frame) = frames.last_mut() {
                frame.1 = Some(line.replace('\\', "/"));
            }
        } else if let Some((number, name)) = line.split_once(": ")
            && number.bytes().all(|byte| byte.is_ascii_digit())
        {
            frames.push((name, None));
        }
    }
    let folder = frames.iter().find_map(|(_, line)| Some(&line.as_deref()?[..line.as_deref()?.find(HERE)?]));
    let Some(folder) = folder.map(|folder| format!("{folder}src/")) else {
        return frames.iter().map(|&(name, _)| name).find(|name| has_name_of_program(name)).map(str::to_owned);
    };
    let is_of_program = |line: &str| !line.starts_with(&folder) && !is_between(line);
    let frame =
        frames.iter().find_map(|(name, line)| Some((name, line.as_deref().filter(|line| is_of_program(line))?)));
    frame.map(|(name, line)| format!("{line}, in {name}"))
}

/// Whether this is the full name of a function of the program.
pub(crate) fn has_name_of_program(name: &str) -> bool {
    // A method of a trait begins with `<type as trait>`. What has no path is a function of the system.
    let name = name.trim_start_matches(['<', '&', '(']);
    let Some((first, _)) = name.split_once("::") else { return false };
    let (first, _) = first.split_once('[').unwrap_or((first, ""));
    !BETWEEN.contains(&first) && !first.contains(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "   0: of_caller
             at /home/me/filch/src/engine/meters/location.rs:19:9
   1: play<sums::total::{closure_env#0}>
             at /home/me/filch/src/engine/schedulers/chaos.rs:120:9
   2: call_once
             at /rustc/5980/library/core/src/ops/function.rs:250:5
   3: {closure#0}
             at ./src/sums.rs:7:5
   4: main
             at ./src/main.rs:3:5";

    #[test]
    fn the_innermost_line_of_the_program_is_found() {
        assert_eq!(in_text(TEXT).as_deref(), Some("./src/sums.rs:7:5, in {closure#0}"));
        assert_eq!(in_text(&TEXT.replace('/', "\\")), in_text(TEXT));
        let tests = TEXT.replace("/home/me/filch", ".").replace("./src/sums.rs", "./tests/sums.rs");
        assert_eq!(in_text(&tests).as_deref(), Some("./tests/sums.rs:7:5, in {closure#0}"));
        assert_eq!(in_text("disabled backtrace"), None);
    }

    #[test]
    fn without_lines_the_innermost_function_is_found() {
        let text = "   0: filch::engine::schedulers::chaos::play
   1: <alloc::boxed::Box<F> as core::ops::function::FnOnce<A>>::call_once
   2: __rust_try
   3: sums::total::{{closure}}
   4: main";
        assert_eq!(in_text(text).as_deref(), Some("sums::total::{{closure}}"));
        assert_eq!(in_text(&text.replace("sums::total", "filch::total")), None);
    }

    #[test]
    #[cfg_attr(miri, ignore = "stacks are not read there")]
    fn this_crate_is_not_the_program() {
        let found = of_caller();
        assert!(found.as_ref().is_none_or(|found| !found.contains("location.rs")), "{found:?}");
    }
}
