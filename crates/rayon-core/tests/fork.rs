//! Children of fork(2).
#![cfg(unix)]

mod common;

use common::in_child;
use rayon_core::{ThreadPool, ThreadPoolBuilder, broadcast, current_num_threads, join, scope};

/// Forks, runs `f` in the child, and expects that it returns.
fn forked(f: impl FnOnce()) {
    // SAFETY: what a child does here is what these tests are about.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "there is no process to be had");
    if child == 0 {
        let ends_well = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).is_ok();
        // SAFETY: ends the process, without what the parent has left to do at its end.
        unsafe { libc::_exit(i32::from(!ends_well)) };
    }
    let mut status = 0;
    // SAFETY: there is room for the status.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0, "status {status}");
}

/// Once all threads of the pool have begun: one that begins holds locks of the standard library.
fn agrees(pool: &ThreadPool) {
    let threads = pool.current_num_threads();
    let indices = pool.broadcast(|context| (context.index(), context.num_threads()));
    assert_eq!(indices, (0..threads).map(|index| (index, threads)).collect::<Vec<_>>());
    assert_eq!(pool.install(|| (current_num_threads(), pool.current_thread_index().is_some())), (threads, true));
}

#[test]
fn a_child_of_fork_has_as_many_threads_as_it_broadcasts_to() {
    in_child("a_child_of_fork_has_as_many_threads_as_it_broadcasts_to", &[("RAYON_NUM_THREADS", "4")], || {
        let build = |threads| ThreadPoolBuilder::new().num_threads(threads).build().expect("a small pool");
        let own = build(3);
        agrees(&own);
        assert_eq!(broadcast(|_| ()).len(), 4);
        forked(|| {
            assert_eq!(current_num_threads(), broadcast(|_| ()).len());
            assert_eq!(join(|| 1, || 2), (1, 2));
            assert_eq!(scope(|_| current_num_threads()), current_num_threads());
            agrees(&own);
            let new = build(3);
            agrees(&new);
            assert_eq!(new.current_num_threads(), 3);
        });
    });
}
