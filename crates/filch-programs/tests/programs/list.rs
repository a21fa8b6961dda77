//! The list of programs: their names and sizes.

use filch_kernels::Extent;
use filch_programs::{all, find};

#[test]
fn the_largest_size_within_some_memory_is_allowed_and_fits_and_the_next_does_not() {
    for program in all() {
        for memory in [1 << 20, 1 << 30, u64::MAX] {
            let grain = program.own_grain();
            let Some(n) = program.largest_within(memory, grain) else { continue };
            assert_eq!(program.check(n), Ok(()), "{}", program.name);
            assert!((program.bytes)(n, grain) <= memory, "{} {n}", program.name);
            let next = (n + 1..=(2 * n + 2).min(program.domain.max)).find(|&next| program.domain.contains(next));
            assert!(next.is_none_or(|next| (program.bytes)(next, grain) > memory), "{} {n} in {memory}", program.name);
        }
    }
}

#[test]
fn every_named_size_is_allowed() {
    for program in all() {
        let sizes = program.sizes;
        let counted = program.forks.map_or(vec![], |forks| forks.sizes.to_vec());
        for n in [vec![sizes.small, sizes.default, sizes.paper], counted].concat() {
            assert_eq!(program.check(n), Ok(()));
        }
    }
}

#[test]
fn the_loops_that_are_tuned_are_those_whose_lengths_are_known() {
    for program in all() {
        let instance = program.prepare(program.sizes.small).unwrap();
        assert_eq!(instance.loops(), program.loops.len(), "{}", program.name);
    }
}

#[test]
fn names_are_unique_and_found() {
    for program in all() {
        assert!(std::ptr::eq(find(program.name).unwrap(), program));
    }
    assert!(find("fibonacci").is_none());
}

#[test]
fn a_size_that_is_not_allowed_is_refused_with_what_is() {
    let message = |name: &str, n| find(name).unwrap().prepare(n).err().unwrap().to_string();
    assert_eq!(
        message("tree-sum", 1000),
        "tree-sum has no size n = 1000: expected n, the number of nodes, \
         one less than a power of two, from 1 to 67108863"
    );
    assert_eq!(
        message("queens", 28),
        "queens has no size n = 28: expected n, the number of queens, of boards that have been counted, \
         from 1 to 27"
    );
    assert!(message("fib", 61).ends_with("from 0 to 60"));
    assert!(message("tree-sum", u64::MAX).contains("from 1 to 67108863"));
    assert!(message("queens", 0).contains("from 1 to 27"));
}

#[test]
fn heat_and_over_relaxation_have_every_shape_and_other_programs_say_what_their_size_is() {
    let message = |name: &str, text: &str| {
        let size: Extent = text.parse().unwrap();
        find(name).unwrap().check(size).err().map_or(String::new(), |error| error.to_string())
    };
    for name in ["heat", "sor"] {
        assert_eq!(message(name, "3000x2000"), "");
        for wrong in ["0x5", "5x0", "5x32769"] {
            let expected = format!("{name} has no size {wrong}: expected rows and columns, each from 1 to 32768");
            assert_eq!(message(name, wrong), expected);
        }
    }
    assert_eq!(
        message("lu", "16x16"),
        "lu has no size 16x16: expected one number, the side of the matrix, a power of two, \
         from 16 to 16384"
    );
}

/// Table III of (Chen, Huang, Guo and Zhou 2011), on four sockets with 6 MiB of cache each.
#[test]
fn programs_bound_by_the_processor_have_level_0_and_those_bound_by_memory_have_a_task_for_each_squad() {
    let level = |name: &str| {
        let program = find(name).unwrap();
        let data = program.data_bytes_of_bound(program.sizes.paper);
        filch::topology::boundary_level(2, 4, data, Some(6 << 20)).unwrap()
    };
    assert_eq!(["queens", "fft", "ck", "cholesky"].map(level), [0; 4]);
    assert!(["heat", "mergesort", "sor", "gauss"].map(level).iter().all(|&level| level >= 3));
}

/// The example of (Chen, Huang, Guo and Zhou 2011, section V-C): heat on 3072 × 2048 cells has 48 MiB of data and
/// divides them into two, so on four sockets with 6 MiB of cache each its boundary level is 4.
#[test]
fn the_data_of_heat_and_how_it_divides_them_give_the_boundary_level_of_the_paper() {
    let heat = find("heat").unwrap();
    let data = heat.data_bytes(Extent::Grid { rows: 3072, columns: 2048 });
    assert_eq!(data, Some(48 << 20));
    let level = filch::topology::boundary_level(heat.branching().unwrap(), 4, data.unwrap(), Some(6 << 20));
    assert_eq!(level, Ok(4));
    assert_eq!((find("queens").unwrap().branching(), find("queens").unwrap().data_bytes(12)), (None, None));
    for program in all().iter().filter(|program| program.data.is_some()) {
        let n = program.sizes.default;
        assert!(program.data_bytes(n).unwrap() <= program.memory(n.into(), program.own_grain()), "{}", program.name);
    }
}
