//! Every form of every program gives a right result.

use filch::{Pool, Scheduler, Topology};
use filch_kernels::runtime::{Tuning, Tunings};
use filch_kernels::{Extent, Instance, Library, Program, Sizes};
use filch_programs::all;

/// The sizes at which a program is tested: the ten smallest, which its forms treat specially, the small one, and some
/// shapes.
fn sizes(program: &Program) -> Vec<Extent> {
    let Program { domain, sizes: Sizes { small, .. }, .. } = *program;
    let smallest = (domain.min..small).filter(|&n| domain.contains(n)).take(10);
    let shapes = [(1, 1), (1, 9), (9, 1), (2, 3), (7, 20), (31, 6)];
    let shapes = shapes.map(|(rows, columns)| Extent::Grid { rows, columns });
    let shapes = shapes.into_iter().filter(|_| program.shape.is_some());
    smallest.chain([small]).map(Extent::from).chain(shapes).collect()
}

/// The cut-offs with which a program is tested: its own, none, an odd one, and the largest.
fn grains(program: &Program) -> Vec<u64> {
    program.grain.map_or(vec![1], |grain| vec![grain.default, 1, 3, grain.max])
}

fn verify_all(run: impl Fn(&mut dyn Instance)) {
    verify_each(all(), run);
}

fn verify_in(library: Library, run: impl Fn(&mut dyn Instance)) {
    verify_each(all().iter().filter(|program| program.libraries.contains(&library)), run);
}

fn verify_each<'a>(programs: impl IntoIterator<Item = &'a Program>, run: impl Fn(&mut dyn Instance)) {
    for program in programs {
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
fn every_serial_elision_is_right() {
    verify_all(|instance| instance.serial());
}

/// Where there is no rival, the elision is the best serial program.
#[test]
fn every_serial_rival_is_right() {
    verify_all(|instance| {
        if !instance.rival() {
            instance.serial();
        }
    });
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

/// Every program by Filch, at its small size.
fn verify_small(pool: &Pool) {
    for program in all() {
        let mut instance = program.prepare(program.sizes.small).unwrap();
        pool.run(|s| instance.filch(s));
        assert_eq!(instance.verify(), Ok(()), "{} under {} on {}", program.name, pool.scheduler(), pool.topology());
    }
}

#[test]
fn every_filch_form_is_right_under_every_preset() {
    let chaos = Scheduler::chaos(1);
    let presets = [Scheduler::cilk5(), Scheduler::heartbeat(), Scheduler::tascell(), Scheduler::cab(), chaos];
    for scheduler in presets {
        for workers in [1, 4] {
            verify_small(&Pool::builder().workers(workers).scheduler(scheduler.clone()).build().unwrap());
        }
    }
}

/// With a boundary level for everything, and with those of the programs themselves.
#[test]
fn every_filch_form_is_right_on_several_squads() {
    for topology in ["2x2", "4x4"] {
        let topology: Topology = topology.parse().unwrap();
        for scheduler in [Scheduler::cab(), Scheduler::cab().with_boundary(4)] {
            verify_small(&Pool::builder().topology(topology.clone()).scheduler(scheduler).build().unwrap());
        }
    }
}

#[test]
fn every_rayon_form_is_right() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    verify_in(Library::Rayon, |instance| pool.install(|| instance.rayon()));
}

/// Loops as written, divided as finely and as coarsely as possible, and inner loops otherwise than outer ones.
#[test]
fn every_rayon_form_with_tuned_loops_is_right() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let min = |min_len| Tuning { min_len, ..Tuning::NONE };
    let max = |max_len| Tuning { max_len, ..Tuning::NONE };
    for [outer, inner] in [[Tuning::NONE; 2], [max(1); 2], [min(1 << 20); 2], [max(3), min(64)]] {
        verify_in(Library::Rayon, |instance| pool.install(|| instance.rayon_tuned(Tunings { outer, inner })));
    }
}

#[test]
fn every_chili_form_is_right() {
    let pool = chili::ThreadPool::with_config(chili::Config {
        thread_count: std::num::NonZero::new(2),
        ..chili::Config::default()
    });
    verify_in(Library::Chili, |instance| instance.chili(&mut pool.scope()));
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
