//! A sandbox that begins while a pool runs, and refuses the barrier that takes rely on. It needs a process of its own,
//! which cannot leave the sandbox again.
#![allow(missing_docs)]

#[cfg(all(
    target_os = "linux",
    target_arch = "x86_64",
    not(any(miri, filch_sanitizer = "thread", filch_fence = "real"))
))]
mod common;

#[cfg(all(
    target_os = "linux",
    target_arch = "x86_64",
    not(any(miri, filch_sanitizer = "thread", filch_fence = "real"))
))]
#[path = "common/seccomp.rs"]
mod seccomp;

#[cfg(all(
    target_os = "linux",
    target_arch = "x86_64",
    not(any(miri, filch_sanitizer = "thread", filch_fence = "real"))
))]
mod refused {
    use super::common::{await_value, fib, must_end};
    use super::seccomp::refuse_system_call;
    use filch::{Pool, Scheduler, Strand};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::{Duration, Instant};

    /// From here on `membarrier` is no system call, for any thread of this process.
    fn refuse_membarrier() {
        refuse_system_call(libc::SYS_membarrier, libc::SECCOMP_FILTER_FLAG_TSYNC);
    }

    /// The second branch begins on another worker before the first returns, so it has been taken.
    fn taken(pool: &Pool) {
        let begun = AtomicUsize::new(0);
        pool.run(|mut s| s.join(|_| await_value(&begun, 1), |_| begun.store(1, Ordering::SeqCst)));
    }

    pub(super) fn main() {
        let build = |scheduler| Pool::builder().workers(3).scheduler(scheduler).build().expect("a small pool");
        let pools = [build(Scheduler::cilk5()), build(Scheduler::default())];
        must_end(move || {
            pools.iter().for_each(taken);
            tasks_are_not_left_behind(&pools[1]);
            // The first thief that is refused tells all the others.
            while is_taken(&pools[0]) {}
            for pool in &pools {
                let before = pool.counters().forks_taken;
                for _ in 0..20 {
                    assert_eq!(pool.run(|s| fib(s, 20)), 6_765);
                }
                assert_eq!(pool.counters().forks_taken, before, "{}", pool.counters());
            }
            // Asking needs no barrier and goes on.
            let given = pools[1].counters().forks_given;
            while pools[1].counters().forks_given == given {
                pools[1].run(|s| fib(s, 22));
            }
        });
        println!("test taking_is_given_up_where_the_barrier_is_refused_later ... ok");
    }

    /// The barrier is refused at the end of a task that has spawned more tasks. It runs on a spare worker, which no
    /// thread occupies afterwards. So other threads must find them there without a barrier.
    fn tasks_are_not_left_behind(pool: &Pool) {
        let (ran, have_begun, may_end) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
        let others = pool.num_workers() - 1;
        pool.run(|mut s| {
            s.scope(|mut s, all| {
                for _ in 0..others {
                    all.spawn(|_| {
                        have_begun.fetch_add(1, Ordering::SeqCst);
                        await_value(&may_end, 1);
                    });
                }
                await_value(&have_begun, others);
                let ran = &ran;
                let inner = |mut s: Strand<'_>| {
                    s.scope(|_, some| {
                        some.spawn(move |_| {
                            for _ in 0..100 {
                                all.spawn(|_| _ = ran.fetch_add(1, Ordering::SeqCst));
                            }
                            refuse_membarrier();
                        });
                        while filch::yield_local() == Some(filch::Yield::Idle) {}
                    });
                };
                s.join(inner, |_| ());
                may_end.store(1, Ordering::SeqCst);
            });
        });
        assert_eq!(ran.into_inner(), 100);
    }

    /// Whether another worker begins a fork whose owner does not return for a while.
    fn is_taken(pool: &Pool) -> bool {
        let (begun, since) = (AtomicUsize::new(0), Instant::now());
        let is_begun = || begun.load(Ordering::SeqCst) == 1;
        let wait = |_: Strand<'_>| {
            while !is_begun() && since.elapsed() < Duration::from_millis(100) {
                std::thread::yield_now();
            }
            is_begun()
        };
        pool.run(|mut s| s.join(wait, |_| begun.store(1, Ordering::SeqCst))).0
    }
}

fn main() {
    #[cfg(all(
        target_os = "linux",
        target_arch = "x86_64",
        not(any(miri, filch_sanitizer = "thread", filch_fence = "real"))
    ))]
    refused::main();
}
