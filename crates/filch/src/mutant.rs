//! Mistakes that the model checker must find.
//!
//! `mutant!("name")` is true where the runtime is built for the model checker and `FILCH_MUTANT` names that mistake; in
//! any other build it is the constant `false`. So one build of the tests has all of them, and the sources are their
//! only list: `cargo xtask loom` reads it there and runs the tests once with each, when at least one test must fail.

/// Whether this mistake is to be made.
#[cfg(not(loom))]
macro_rules! mutant {
    ($name:literal) => {
        false
    };
}

/// Whether this mistake is to be made.
#[cfg(loom)]
macro_rules! mutant {
    ($name:literal) => {{
        static IS_MADE: std::sync::LazyLock<bool> =
            std::sync::LazyLock::new(|| std::env::var("FILCH_MUTANT").is_ok_and(|name| name == $name));
        *IS_MADE
    }};
}
