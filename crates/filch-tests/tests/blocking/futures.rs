//! Futures that a thread waits for.

use super::*;

#[test]
fn a_future_is_polled_when_it_has_been_woken() {
    let polls = Cell::new(0);
    let result = block_on(poll_fn(|context: &mut Context<'_>| {
        polls.set(polls.get() + 1);
        if polls.get() == 10 {
            return Poll::Ready(polls.get());
        }
        let waker = context.waker().clone();
        if polls.get() % 2 == 0 {
            waker.wake()
        } else {
            _ = thread::spawn(move || waker.wake())
        }
        Poll::Pending
    }));
    assert_eq!(result, 10);
}

#[test]
fn a_future_may_depend_on_the_pool_that_waits_for_it() {
    must_end(|| {
        for pool in pools().chain([eager_pool(1), eager_pool(2)]) {
            let sum = pool.run(|mut s| {
                let one =
                    |_: filch::Strand<'_>| block_on(async { pool.submit(|_| 1).await + pool.submit(|_| 2).await });
                let (a, b) = s.join(one, one);
                a + b
            });
            assert_eq!(sum, 6);
            assert_usable(&pool);
        }
    });
}

#[test]
fn many_futures_wait_at_once() {
    if !has_threads() {
        return;
    }
    must_end(|| {
        for pool in pools() {
            let wakers: Mutex<Vec<Waker>> = Mutex::default();
            let all_wait = AtomicBool::new(false);
            pool.run(|mut s| {
                s.scope(|_, scope| {
                    for _ in 0..MANY {
                        scope.spawn(|_| {
                            block_on(poll_fn(|context| {
                                if all_wait.load(Ordering::SeqCst) {
                                    return Poll::Ready(());
                                }
                                let mut wakers = wakers.lock().expect("no panic");
                                wakers.push(context.waker().clone());
                                if wakers.len() == MANY {
                                    all_wait.store(true, Ordering::SeqCst);
                                    wakers.drain(..).for_each(Waker::wake);
                                }
                                Poll::Pending
                            }));
                        });
                    }
                });
            });
            assert_usable(&pool);
        }
    });
}

#[test]
fn a_panic_of_a_future_arrives_and_what_it_has_is_dropped() {
    let drops = Arc::new(AtomicUsize::new(0));
    let held = AtEnd(Arc::clone(&drops));
    let future = async move {
        let _held = held;
        if true {
            panic!("in a future");
        }
        pending::<()>().await;
    };
    assert!(catch_unwind(AssertUnwindSafe(|| block_on(future))).is_err());
    assert_eq!(drops.load(Ordering::SeqCst), 1);
}
