//! The ten programs of the Problem Based Benchmark Suite with which Acar, Charguéraud, Guatto, Rainey and Sieczkowski
//! (2018, section 5 and appendix A) evaluate heartbeat scheduling.
//!
//! They are calls of Filch's libraries, so each is one text for all schedulers. Its serial elision is the same text
//! under the scheduler `serial`; with loops in blocks it is the same text under `cilk5,grain=auto`. Its rivals are what
//! a user would take otherwise.
//!
//! - [`input`]: numbers, points, texts and meshes, as the suite draws them
//! - [`work`]: what a program is, and how it is run
//! - the other files: a program each, with its inputs, its rivals and its check

mod convex_hull;
mod delaunay;
mod duplicates;
mod forests;
mod input;

mod neighbours;
mod radix_sort;
mod ray_cast;
mod sample_sort;
mod sorted;
mod suffix_array;
mod work;

use filch_kernels::Program;

/// The programs, in the order of the paper's figure 8.
pub(crate) fn programs() -> Vec<Program> {
    [
        &radix_sort::PROGRAMS[..],
        &sample_sort::PROGRAMS,
        &suffix_array::PROGRAMS,
        &duplicates::PROGRAMS,
        &convex_hull::PROGRAMS,
        &neighbours::PROGRAMS,
        &delaunay::PROGRAMS,
        &ray_cast::PROGRAMS,
        &forests::PROGRAMS,
    ]
    .concat()
}
