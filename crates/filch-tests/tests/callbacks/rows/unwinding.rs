//! What runs while a panic unwinds, or because one has: destructors, payloads, handlers.

use crate::row::{Row, losing, row};
use crate::site::{Bomb, Site, Token};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

pub(super) const ROWS: &[Row] = &[
    losing(row("a panic in a join, drop of captures", 1, captures)),
    losing(row("a panic in a join, drop of a frame's locals", 1, locals)),
    losing(row("panics in a join, drop of payloads", 1, payloads)),
    losing(row("panics in a scope, drop of payloads", 1, scope_payloads)),
    losing(row("a panic in a loop, drop of values", 1, values)),
    losing(row("panic_handler", 1, |site| handlers(site, true))),
    losing(row("unawaited_panic_handler", 1, |site| handlers(site, false))),
];

/// A payload of the row's own.
struct Payload<S>(#[allow(dead_code, reason = "it counts")] S);

fn throw<S: Send + 'static>(held: S) -> ! {
    resume_unwind(Box::new(Payload(held)))
}

/// The panics of the row itself end here. Those of the callback go on.
fn catch(row: impl FnOnce()) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(row)) {
        if payload.is::<Payload<()>>() || payload.is::<Payload<Bomb<Arc<Site>>>>() {
            drop(payload);
        } else {
            resume_unwind(payload);
        }
    }
}

fn captures(site: &Arc<Site>) {
    catch(|| {
        let bomb = Bomb::new(&**site);
        site.pool().run(|mut s| {
            s.join(
                |mut s| {
                    let inner = Bomb::new(&**site);
                    s.join(|_| throw(()), move |_| drop(inner));
                },
                move |_| drop(bomb),
            );
        });
    });
}

fn locals(site: &Arc<Site>) {
    catch(|| {
        site.pool().run(|mut s| {
            s.join(
                |mut s| {
                    let _bomb = Bomb::new(&**site);
                    s.join(|_| site.beside(), |_| throw(()));
                },
                |_| {
                    let _bomb = Bomb::new(&**site);
                    site.beside();
                },
            );
        });
    });
}

fn payloads(site: &Arc<Site>) {
    catch(|| {
        let throw = || throw(Bomb::new(Arc::clone(site)));
        site.pool().run(|mut s| {
            s.join(|mut s| s.join(|_| throw(), |_| throw()), |_| throw());
        });
    });
}

fn scope_payloads(site: &Arc<Site>) {
    catch(|| {
        site.pool().run(|_| {
            filch::scope(|_, scope| {
                for _ in 0..4 {
                    scope.spawn(|_| throw(Bomb::new(Arc::clone(site))));
                }
            });
        });
    });
}

fn values(site: &Arc<Site>) {
    catch(|| {
        let value = || Bomb::new(Arc::clone(site));
        let map = |i| {
            if i == 5 {
                throw(());
            }
            value()
        };
        let combine = |left: Bomb<Arc<Site>>, right: Bomb<Arc<Site>>| {
            drop(right);
            left
        };
        drop(site.pool().run(|_| filch::map_reduce(0..8, value, |_, i| map(i), combine)));
    });
}

fn handlers(site: &Arc<Site>, is_awaited: bool) {
    let its_site = Arc::clone(site);
    let handler = move |payload| {
        its_site.call();
        drop(payload);
    };
    let builder = (site.pools.build)();
    let builder = if is_awaited { builder.panic_handler(handler) } else { builder.unawaited_panic_handler(handler) };
    let pool = builder.build().expect("a small pool");
    catch(|| {
        if is_awaited {
            pool.run(|mut s| s.join(|_| throw(()), |_| throw(())));
        }
    });
    if !is_awaited {
        let held = Token::new(Arc::clone(site));
        pool.spawn(move |_| throw(held));
    }
    // Its threads run what is left.
    drop(pool);
}
