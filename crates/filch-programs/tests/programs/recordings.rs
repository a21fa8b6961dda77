//! The recorded trees of forks of real programs.

use filch_programs::all;

/// For programs whose number of forks is known by a formula.
#[test]
fn the_forks_of_a_recording_are_those_of_the_program() {
    let mut checked = 0;
    for program in all().iter().filter(|program| program.loops.is_empty()) {
        let Some(forks) = program.forks else { continue };
        for n in forks.sizes {
            let mut recorded = 0;
            let is_recorded = program.prepare(n).unwrap().record(&mut |segment| recorded += u64::from(segment.forks));
            assert!(is_recorded && recorded == (forks.at)(n), "{} {n}: {recorded}", program.name);
            checked += 1;
        }
    }
    assert!(checked > 0);
}

#[test]
fn every_program_can_be_recorded_and_computes_what_it_does_otherwise() {
    for program in all() {
        let mut instance = program.prepare(program.sizes.small).unwrap();
        // How many branches have begun and not ended.
        let (mut open, mut segments) = (1_i64, 0);
        let is_recorded = instance.record(&mut |segment| {
            assert!(open > 0, "{}: a segment after the end", program.name);
            open += if segment.forks { 2 } else { -1 };
            segments += 1;
        });
        assert!(is_recorded && open == 0 && segments > 0, "{}: {open} branches open", program.name);
        assert_eq!(instance.verify(), Ok(()), "{}", program.name);
    }
}
