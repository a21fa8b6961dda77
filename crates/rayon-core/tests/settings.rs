//! Settings of pools, and what is said about wrong ones.

mod common;

use common::in_child;
use rayon_core::{
    ThreadBuilder, ThreadPoolBuilder, current_num_threads, current_thread_index, in_place_scope, max_num_threads,
};
use std::cell::Cell;
use std::error::Error;
use std::io;
use std::thread::available_parallelism;

#[test]
fn the_global_pool_has_as_many_threads_as_rayons_variable_says() {
    let name = "the_global_pool_has_as_many_threads_as_rayons_variable_says";
    in_child(name, &[("RAYON_NUM_THREADS", "3")], || assert_eq!(current_num_threads(), 3));
}

#[test]
fn the_older_name_of_the_variable_counts_too() {
    let name = "the_older_name_of_the_variable_counts_too";
    in_child(name, &[("RAYON_RS_NUM_CPUS", "3")], || assert_eq!(current_num_threads(), 3));
}

#[test]
fn a_number_of_threads_that_is_none_is_ignored() {
    in_child("a_number_of_threads_that_is_none_is_ignored", &[("RAYON_NUM_THREADS", "many")], || {
        assert_eq!(current_num_threads(), available_parallelism().map_or(1, |n| n.get()));
    });
}

#[test]
fn a_wrong_wait_is_an_error_that_says_what_is_expected() {
    in_child("a_wrong_wait_is_an_error_that_says_what_is_expected", &[("FILCH_WAIT", "never")], || {
        let error = ThreadPoolBuilder::new().build().expect_err("an error");
        assert_eq!(error.to_string(), r#"FILCH_WAIT = "never": expected any or descendants"#);
    });
}

#[test]
fn a_variable_that_is_empty_is_not_set() {
    let empty = [("FILCH_WAIT", ""), ("FILCH_SCHEDULER", ""), ("RAYON_NUM_THREADS", "")];
    in_child("a_variable_that_is_empty_is_not_set", &empty, || {
        ThreadPoolBuilder::new().build().expect("a pool");
        assert_eq!(current_num_threads(), available_parallelism().map_or(1, |n| n.get()));
    });
}

#[test]
fn a_wrong_scheduler_is_an_error_that_names_the_variable() {
    in_child("a_wrong_scheduler_is_an_error_that_names_the_variable", &[("FILCH_SCHEDULER", "cilk6")], || {
        let error = ThreadPoolBuilder::new().build_global().expect_err("an error");
        assert!(error.to_string().starts_with(r#"FILCH_SCHEDULER = "cilk6": "#), "{error}");
    });
}

#[test]
fn pools_work_under_every_scheduler() {
    for scheduler in ["default", "cilk5", "heartbeat", "tascell", "cab", "chaos", "serial"] {
        in_child("pools_work_under_every_scheduler", &[("FILCH_SCHEDULER", scheduler)], || {
            fn fib(n: u32) -> u64 {
                if n < 2 {
                    return n.into();
                }
                let (a, b) = rayon_core::join(|| fib(n - 1), || fib(n - 2));
                a + b
            }
            assert_eq!(fib(15), 610);
            let mut squares = [0; 100];
            rayon_core::scope(|scope| {
                for (i, square) in squares.iter_mut().enumerate() {
                    scope.spawn(move |_| *square = i * i);
                }
            });
            assert_eq!(squares[99], 99 * 99);
        });
    }
}

#[test]
fn too_many_threads_are_reduced_to_the_most() {
    // Without threads of their own, so that this costs memory only.
    let started = Cell::new(0_usize);
    let refuse = |_| {
        started.set(started.get() + 1);
        Err(io::Error::other("no thread today"))
    };
    let error = ThreadPoolBuilder::new().num_threads(max_num_threads() + 1).spawn_handler(refuse).build();
    let most = max_num_threads();
    let message = format!("could not start thread 1 of {most}: no thread today");
    assert_eq!(error.expect_err("an error").to_string(), message);
    assert_eq!(started.get(), 1);
}

#[test]
fn a_thread_that_is_not_started_is_reported_with_its_number_and_the_callers_own_error() {
    let refuse = |thread: ThreadBuilder| match thread.index() {
        2 => Err(io::Error::from_raw_os_error(28)),
        _ => {
            std::thread::spawn(|| thread.run());
            Ok(())
        }
    };
    let error = ThreadPoolBuilder::new().num_threads(4).spawn_handler(refuse).build().expect_err("an error");
    let own = io::Error::from_raw_os_error(28);
    assert_eq!(error.to_string(), format!("could not start thread 3 of 4: {own}"));
    let source = error.source().and_then(|source| source.downcast_ref::<io::Error>()).expect("the error itself");
    assert_eq!((source.raw_os_error(), source.kind()), (Some(28), own.kind()));
}

#[test]
#[cfg(target_os = "linux")]
fn a_thread_that_the_system_refuses_is_reported_with_its_error_number_and_no_guess_at_the_cause() {
    let error = ThreadPoolBuilder::new().num_threads(8).stack_size(1 << 46).build().expect_err("an error");
    let source = error.source().and_then(|source| source.downcast_ref::<io::Error>()).expect("the error itself");
    assert!(source.raw_os_error().is_some(), "{source:?}");
    assert_eq!(error.to_string(), format!("could not start thread 1 of 8: {source}"));
}

#[test]
fn a_stack_that_is_too_small_to_start_a_thread_is_as_small_as_possible() {
    let pool = ThreadPoolBuilder::new().num_threads(2).stack_size(1).build().expect("a pool");
    assert_eq!(pool.install(|| rayon_core::join(|| 1, || 2)), (1, 2));
    assert_eq!(pool.broadcast(|context| context.index()), [0, 1]);
}

#[test]
fn a_scope_in_place_runs_its_body_on_this_thread() {
    let local = std::rc::Rc::new(Cell::new(0));
    let index = in_place_scope(|scope| {
        scope.spawn(|_| assert!(current_thread_index().is_some()));
        local.set(1);
        current_thread_index()
    });
    assert_eq!((index, local.get()), (None, 1));
    let local = rayon_core::scope(|_| {
        let local = std::rc::Rc::new(Cell::new(0));
        in_place_scope(|scope| {
            scope.spawn(|_| ());
            local.set(2);
        });
        local.get()
    });
    assert_eq!(local, 2);
}
