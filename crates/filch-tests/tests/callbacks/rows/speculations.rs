//! Speculations.

use crate::row::{Row, losing, row};
use crate::site::{Bomb, Site};
use filch::{Aborted, SpeculativeStrand, State};
use std::sync::Arc;

pub(super) const ROWS: &[Row] = &[
    row("speculate, body", 1, |site| run(site, At::Body)),
    row("speculate, child", CHILDREN, |site| run(site, At::Child)),
    row("speculate, inlet", CHILDREN, |site| run(site, At::Inlet)),
    row("speculate, look", CHILDREN, |site| run(site, At::Look)),
    row("speculate, next of spawn_each", CHILDREN, |site| run(site, At::Next)),
    row("speculate, inlet: drop of results", CHILDREN, |site| run(site, At::ResultDrop)),
    row("speculate, drop of captures", CHILDREN, |site| run(site, At::CaptureDrop)),
    row("speculate, drop of the state", 1, |site| run(site, At::StateDrop)),
    // An aborted child is dropped quietly if it has not begun.
    losing(row("speculate, drop of aborted children", 1, aborted)),
    row("first_of, attempt", 1, |site| first_of(site, At::Child)),
    row("first_of, next", 1, |site| first_of(site, At::Next)),
    row("first_of, drop of results", 1, |site| first_of(site, At::ResultDrop)),
];

const CHILDREN: usize = if cfg!(miri) { 3 } else { 8 };

#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Body,
    Child,
    Inlet,
    Look,
    Next,
    ResultDrop,
    CaptureDrop,
    StateDrop,
}

/// The state.
type Found<'a> = (Vec<usize>, Option<Bomb<&'a Site>>);

fn run(site: &Arc<Site>, at: At) {
    site.pool().run(|mut s| {
        let bomb = |now| (now == at).then(|| Bomb::new(&**site));
        let state = (Vec::new(), bomb(At::StateDrop));
        let ((mut found, _bomb), ()) = s.speculate(state, |p, speculation| {
            let call = |now| {
                if now == at {
                    site.call_or(&|| speculation.abort())
                } else if at != At::Inlet {
                    site.beside()
                }
            };
            let child = move |_: SpeculativeStrand<'_>, state: State<'_, Found<'_>>, i: usize| {
                call(At::Child);
                _ = state.with(|_| {
                    if at == At::Look {
                        call(At::Look)
                    }
                });
                Ok((i, bomb(At::ResultDrop)))
            };
            let inlet = move |state: &mut Found<'_>, (i, bomb): (usize, Option<Bomb<&Site>>)| {
                if at == At::Inlet {
                    call(At::Inlet);
                }
                state.0.push(i);
                drop(bomb);
            };
            for i in 0..CHILDREN {
                let bomb = bomb(At::CaptureDrop);
                p.spawn(
                    move |s, state| {
                        let _bomb = bomb;
                        child(s, state, i)
                    },
                    inlet,
                );
            }
            call(At::Body);
            let numbers = (CHILDREN..2 * CHILDREN).inspect(|_| call(At::Next));
            p.spawn_each(numbers, child, inlet);
        });
        found.sort_unstable();
        assert!(site.is_aborted() || found.into_iter().eq(0..2 * CHILDREN));
    });
}

fn aborted(site: &Arc<Site>) {
    site.pool().run(|_| {
        filch::speculate((), |p, speculation| {
            for i in 0..CHILDREN {
                let (child, inlet) = (Bomb::new(&**site), Bomb::new(&**site));
                // An inlet that ran would drop what it captures while it has the state.
                let child = move |_: SpeculativeStrand<'_>, _: State<'_, ()>| {
                    let _bomb = &child;
                    Err::<(), _>(Aborted)
                };
                p.spawn(child, move |(), ()| drop(inlet));
                if i == CHILDREN / 2 {
                    speculation.abort();
                }
            }
        });
    });
}

fn first_of(site: &Arc<Site>, at: At) {
    let call = |now| if now == at { site.call() } else { site.beside() };
    let found = site.pool().run(|_| {
        let numbers = (0..CHILDREN).inspect(|_| call(At::Next));
        let found = filch::first_of(numbers, |_, i| {
            call(At::Child);
            Ok((i % 3 == 2).then(|| (i, (at == At::ResultDrop).then(|| Bomb::new(&**site)))))
        });
        found.map(|(i, _bomb)| i)
    });
    assert_eq!(found.expect("there is one") % 3, 2);
}
