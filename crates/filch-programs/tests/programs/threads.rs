//! The number of threads that eager creation makes.

use filch_programs::all;

/// For programs whose number of forks is known by a formula.
#[test]
fn the_threads_of_a_program_of_forks_are_its_forks() {
    let mut checked = 0;
    for program in all().iter().filter(|program| program.loops.is_empty()) {
        let Some(forks) = program.forks else { continue };
        for n in forks.sizes {
            let counted = program.prepare(n).unwrap().count_threads(2);
            assert_eq!(counted, Some((forks.at)(n)), "{} {n}", program.name);
            checked += 1;
        }
    }
    assert!(checked > 0);
}

#[test]
fn the_counted_run_computes_what_the_program_does() {
    for program in all() {
        let mut instance = program.prepare(program.sizes.small).unwrap();
        assert!(instance.count_threads(4).is_some(), "{}", program.name);
        assert_eq!(instance.verify(), Ok(()), "{}", program.name);
    }
}
