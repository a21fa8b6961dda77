//! What a thread calls when it starts and ends.

use crate::row::{Row, losing, row};
use crate::site::{Bomb, Site};
use std::cell::RefCell;
use std::sync::Arc;

pub(super) const ROWS: &[Row] = &[
    losing(row("start_handler", 1, |site| handlers(site, true))),
    losing(row("exit_handler", 1, |site| handlers(site, false))),
    row("thread_name", 1, names),
    row("build_with", 1, build_with),
    row("thread-local destructor of a pool's thread", 1, |site| locals(site, true)),
    row("thread-local destructor of a caller", 1, |site| locals(site, false)),
];

fn handlers(site: &Arc<Site>, at_start: bool) {
    let its_site = Arc::clone(site);
    let handler = move |_worker| its_site.call();
    let builder = (site.pools.build)().own_threads(true);
    let builder = if at_start { builder.start_handler(handler) } else { builder.exit_handler(handler) };
    let pool = builder.build().expect("a small pool");
    assert_eq!(pool.run(|mut s| s.join(|_| 1, |_| 2)), (1, 2));
}

fn names(site: &Arc<Site>) {
    let its_site = Arc::clone(site);
    let name = move |worker| {
        its_site.call();
        format!("callbacks-{worker}")
    };
    let pool = (site.pools.build)().own_threads(true).thread_name(name).build().expect("a small pool");
    assert_eq!(pool.run(|mut s| s.join(|_| 1, |_| 2)), (1, 2));
}

fn build_with(site: &Arc<Site>) {
    let mut threads = Vec::new();
    let pool = (site.pools.build)().own_threads(true).build_with(|thread| {
        threads.push(std::thread::spawn(|| thread.run()));
        site.call();
        Ok(())
    });
    let pool = pool.expect("a small pool");
    assert_eq!(pool.run(|mut s| s.join(|_| 1, |_| 2)), (1, 2));
    drop(pool);
    threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
}

thread_local! {
    static LAST: RefCell<Option<Bomb<Arc<Site>>>> = const { RefCell::new(None) };
}

fn locals(site: &Arc<Site>, on_pool: bool) {
    // On a thread of its own, since under some schedulers the caller is all that there is.
    let caller = Arc::clone(site);
    let run = move || {
        let leave = || LAST.set(Some(Bomb::new(Arc::clone(&caller))));
        if on_pool {
            let pool = (caller.pools.build)().own_threads(true).build().expect("a small pool");
            pool.broadcast(|_, _| leave());
        } else {
            leave();
            caller.pool().run(|mut s| assert_eq!(s.join(|_| 1, |_| 2), (1, 2)));
        }
    };
    if let Err(payload) = std::thread::spawn(run).join() {
        std::panic::resume_unwind(payload);
    }
}
