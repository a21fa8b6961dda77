//! The recorded trees of forks of real programs.

use filch_kernels::Library;
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
fn every_program_over_a_token_can_be_recorded_and_computes_what_it_does_otherwise() {
    for program in all().iter().filter(|program| program.libraries == Library::ALL) {
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

/// The bytes that a recorded run reads and writes, each as often as it says so.
fn touched(program: &str, n: u64, grain: u64) -> [u64; 2] {
    let mut instance = filch_programs::find(program).unwrap().prepare(n).unwrap();
    instance.set_grain(grain);
    let mut bytes = [0; 2];
    instance.record(&mut |segment| {
        segment.touches.iter().for_each(|touch| bytes[usize::from(touch.writes)] += touch.end - touch.begin);
    });
    bytes
}

#[test]
fn each_step_of_heat_reads_all_rows_and_two_more_for_each_leaf_and_writes_all_rows() {
    let (steps, rows) = (100, 128);
    // An eighth as many cells as rows, and the frame.
    let row_bytes = (rows / 8 + 2) * 8;
    for leaf in [1, 8, rows] {
        let read = rows + 2 * (rows / leaf);
        assert_eq!(touched("heat", rows, leaf), [steps * read * row_bytes, steps * rows * row_bytes], "{leaf}");
    }
}

#[test]
fn sorting_reads_and_writes_all_numbers_in_the_leaves_and_in_each_merge() {
    let (numbers, leaf) = (4096, 256);
    let bytes = numbers * 8;
    assert_eq!(touched("mergesort", numbers, leaf), [bytes * (1 + 4); 2], "log₂ 16 merges");
    assert_eq!(touched("cilksort", numbers, leaf), [bytes * (1 + 2 * 2); 2], "log₄ 16 levels of two merges");
    assert_eq!(touched("cilksort", numbers, numbers), [bytes; 2]);
}

#[test]
fn matrices_are_read_and_written_by_each_of_their_leaves() {
    // A matrix of m × m squares of s × s numbers, each of which is a leaf.
    for (grain, m) in [(1, 8), (2, 4), (4, 2), (8, 1)] {
        let (n, s) = (128, 16 * grain);
        let square = s * s * 8;
        let products = m * m * m;
        assert_eq!(touched("notempmul", n, grain), [2 * products * square, products * square], "{s}");
        let sums = m * m * (m - 1);
        assert_eq!(
            touched("blockedmul", n, grain),
            [(2 * products + sums) * square, (products + sums) * square],
            "{s}"
        );
        let copied = m * m;
        // Step k of the elimination divides a row and a column of m − 1 − k squares, and changes all others behind it.
        let others: u64 = (0..m).map(|k| (m - 1 - k).pow(2)).sum();
        let divided = m * (m - 1);
        let (read, written) = (copied + divided + 2 * others, copied + m + divided + others);
        assert_eq!(touched("lu", n, grain), [read * square, written * square], "{s}");
        // Of a symmetric matrix, only the column and the lower half of the others, on whose diagonal A is also Aᵀ.
        let below: u64 = (0..m).map(|k| (m - 1 - k) * (m - 1 - k).saturating_sub(1) / 2).sum();
        let column = m * (m - 1) / 2;
        let (read, written) = (copied + column + 2 * below + column, copied + m + column + below + column);
        assert_eq!(touched("cholesky", n, grain), [read * square, written * square], "{s}");
    }
    // Seven products; four sums of four quadrants, twice; and four sums of three products and what is there.
    let square = 64 * 64 * 8;
    assert_eq!(touched("strassen", 128, 4), [(7 * 2 + 2 * 4 + 3) * square, (7 + 2 * 4 + 4) * square]);
}

#[test]
fn relaxation_reads_the_other_colour_and_writes_its_own_and_elimination_the_rows_below_the_pivot() {
    let (iterations, rows, leaf) = (100, 64, 8);
    // There are as many columns as rows, and the frame; each colour has half of them.
    let row_bytes = (rows + 2) / 2 * 8;
    let copied = 2 * (rows + 2);
    let read = copied + 2 * iterations * (rows + 2 * (rows / leaf));
    assert_eq!(touched("sor", rows, leaf), [read * row_bytes, (copied + 2 * iterations * rows) * row_bytes]);

    let n = 40;
    let (row_bytes, below) = ((n + 1) * 8, n * (n - 1) / 2);
    assert_eq!(touched("gauss", n, n), [(n + (n - 1)) * row_bytes, (n + below) * row_bytes]);
}
