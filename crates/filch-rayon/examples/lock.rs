//! A lock that is held across a join. With rayon it hangs sooner or later (its issue 592): a thread that waits for a
//! second closure takes another task, which wants the lock that the thread itself holds. With Filch it ends: whoever
//! waits runs parts of what it waits for, and nothing else.
//!
//! `cargo run --release -p filch-rayon --example lock filch` or `… rayon`; `cargo xtask rayon lock` runs both.

use std::sync::Mutex;

fn main() {
    let total = Mutex::new(0);
    match std::env::args().nth(1).as_deref() {
        Some("rayon") => {
            rayon::ThreadPoolBuilder::new().num_threads(4).build_global().expect("the first");
            rayon::scope(|scope| {
                for i in 0..50_000 {
                    let total = &total;
                    scope.spawn(move |_| {
                        work(i);
                        let mut total = total.lock().expect("nobody panics");
                        let (a, b) = rayon::join(|| work(i), || work(i + 1));
                        *total += a + b;
                    });
                }
            });
        }
        Some("filch") => {
            let pool = filch::Pool::builder().workers(4).build().expect("four workers");
            pool.run(|mut s| {
                s.scope(|_, scope| {
                    for i in 0..50_000 {
                        let total = &total;
                        scope.spawn(move |_| {
                            work(i);
                            let mut total = total.lock().expect("nobody panics");
                            let (a, b) = filch::join(|| work(i), || work(i + 1));
                            *total += a + b;
                        });
                    }
                });
            });
        }
        _ => return eprintln!("usage: lock rayon|filch"),
    }
    println!("{}", total.into_inner().expect("nobody panics"));
}

/// Some ten microseconds.
fn work(i: u64) -> u64 {
    (0..10_000).fold(i, |x, _| std::hint::black_box(x * 31 % 1009))
}
