//! The list of programs: their names and sizes.

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
        "tree-sum has no size n = 1000: n is the number of nodes and must be \
         one less than a power of two, from 1 to 67108863"
    );
    assert_eq!(message("queens", 19), "queens has no size n = 19: n is the number of queens and must be from 1 to 18");
    assert!(message("fib", 61).ends_with("must be from 0 to 60"));
    assert!(message("tree-sum", u64::MAX).contains("from 1 to 67108863"));
    assert!(message("queens", 0).contains("from 1 to 18"));
}
