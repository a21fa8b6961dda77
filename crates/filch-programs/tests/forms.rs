//! Every form of every program, checked.

use filch::{Pool, Scheduler};
use filch_programs::runtime::{Tuning, Tunings};
use filch_programs::{Instance, Program, Sizes, all, find};

/// The sizes at which a program is tried: the ten smallest, which are the corners that its forms treat specially, and
/// the small one.
fn sizes(program: &Program) -> Vec<u64> {
    let Program { domain, sizes: Sizes { small, .. }, .. } = *program;
    let mut sizes: Vec<u64> = (domain.min..small).filter(|&n| domain.contains(n)).take(10).collect();
    sizes.push(small);
    sizes
}

/// The cut-offs with which a program is tried: its own, none, an odd one, and the largest.
fn grains(program: &Program) -> Vec<u64> {
    program.grain.map_or(vec![1], |grain| vec![grain.default, 1, 3, grain.max])
}

fn verify_all(run: impl Fn(&mut dyn Instance)) {
    for program in all() {
        for n in sizes(program) {
            let mut instance = program.prepare(n).unwrap();
            for grain in grains(program) {
                instance.set_grain(grain);
                run(&mut *instance);
                let checked = instance.verify();
                assert_eq!(checked, Ok(()), "{} {n}, grain {grain}", program.name);
            }
        }
    }
}

#[test]
fn a_call_that_computes_nothing_is_found_also_after_one_that_did() {
    for program in all() {
        let mut instance = program.prepare(program.sizes.small).unwrap();
        assert!(instance.verify().is_err(), "{}: before the first call", program.name);
        instance.serial();
        assert_eq!(instance.verify(), Ok(()), "{}", program.name);
        assert!(instance.verify().is_err(), "{}: after it", program.name);
    }
}

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
fn every_serial_elision_is_right() {
    verify_all(|instance| instance.serial());
}

#[test]
fn every_filch_form_is_right_on_one_two_and_three_workers() {
    for workers in 1..=3 {
        let pool = Pool::builder().workers(workers).build().unwrap();
        verify_all(|instance| pool.run(|s| instance.filch(s)));
    }
}

#[test]
fn every_filch_form_is_right_under_the_serial_scheduler() {
    let pool = Pool::builder().workers(1).scheduler(Scheduler::serial()).build().unwrap();
    verify_all(|instance| pool.run(|s| instance.filch(s)));
}

#[test]
fn every_rayon_form_is_right() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    verify_all(|instance| pool.install(|| instance.rayon()));
}

/// Rayon's loops as written, cut as finely and as coarsely as they can be, and inside otherwise than outside.
#[test]
fn every_rayon_form_with_tuned_loops_is_right() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let min = |min_len| Tuning { min_len, ..Tuning::NONE };
    let max = |max_len| Tuning { max_len, ..Tuning::NONE };
    for [outer, inner] in [[Tuning::NONE; 2], [max(1); 2], [min(1 << 20); 2], [max(3), min(64)]] {
        verify_all(|instance| pool.install(|| instance.rayon_tuned(Tunings { outer, inner })));
    }
}

#[test]
fn every_chili_form_is_right() {
    let pool = chili::ThreadPool::with_config(chili::Config {
        thread_count: std::num::NonZero::new(2),
        ..chili::Config::default()
    });
    verify_all(|instance| instance.chili(&mut pool.scope()));
}

#[test]
fn an_instance_can_be_called_repeatedly_and_verified_once() {
    let pool = Pool::builder().workers(2).build().unwrap();
    for program in all() {
        let mut instance = program.prepare(program.sizes.small).unwrap();
        pool.run(|mut s| {
            for _ in 0..3 {
                instance.filch(s.reborrow());
            }
        });
        assert_eq!(instance.verify(), Ok(()), "{}", program.name);
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
