//! Traversals.

use crate::row::{Row, losing, row};
use crate::site::{Bomb, Site, Token};
use filch::{PhaseEnd, Traverse};
use std::ops::ControlFlow;
use std::sync::Arc;

pub(super) const ROWS: &[Row] = &[
    row("traverse, make", 1, |site| run(site, At::Make)),
    row("traverse, visit", 1 << DEPTH, |site| run(site, At::Visit)),
    row("traverse, phase end", DEPTH as usize, |site| run(site, At::PhaseEnd)),
    row("traverse, next of the roots", 2, |site| run(site, At::Roots)),
    row("traverse, drop of items", 1 << DEPTH, |site| run(site, At::ItemDrop)),
    row("traverse, drop of workspaces", 1, |site| run(site, At::WorkspaceDrop)),
    // An item that is dropped because the traversal stops is dropped quietly.
    losing(row("traverse, drop of items that are not visited", 1, stopped)),
];

const DEPTH: u32 = if cfg!(miri) { 1 } else { 4 };

#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Make,
    Visit,
    PhaseEnd,
    Roots,
    ItemDrop,
    WorkspaceDrop,
}

/// A value, in which the callback may be.
struct Held<'a>(#[allow(dead_code, reason = "it counts")] Result<Bomb<&'a Site>, Token<&'a Site>>);

impl<'a> Held<'a> {
    fn new(site: &'a Site, is_bomb: bool) -> Self {
        Held(if is_bomb { Ok(Bomb::new(site)) } else { Err(Token::new(site)) })
    }
}

fn run(site: &Arc<Site>, at: At) {
    let call = |now| if now == at { site.call() } else { site.beside() };
    let item = |level: u32| (level, Held::new(site, at == At::ItemDrop));
    let mut phases = 0;
    let is_over = site.pool().run(|_| {
        let roots = (0..2).map(|_| {
            call(At::Roots);
            item(0)
        });
        let found = Traverse::new()
            .at_phase_end(|_: PhaseEnd| {
                call(At::PhaseEnd);
                phases += 1;
                ControlFlow::Continue(())
            })
            .run(
                roots,
                || {
                    call(At::Make);
                    (0, Held::new(site, at == At::WorkspaceDrop))
                },
                |list, (level, _held)| {
                    call(At::Visit);
                    list.workspace().0 += 1;
                    if level < DEPTH {
                        list.push(item(level + 1));
                        list.push_next(item(level + 1));
                    }
                },
            );
        let visits: u64 = found.workspaces.iter().map(|workspace| workspace.0).sum();
        assert_eq!((visits, found.counts.items), (2 * ((2 << DEPTH) - 1), visits));
        true
    });
    assert!(is_over);
    assert_eq!(phases, DEPTH + 1);
}

fn stopped(site: &Arc<Site>) {
    site.pool().run(|_| {
        filch::traverse(
            (0..4).map(|_| Bomb::new(&**site)),
            || (),
            |list, bomb| {
                list.stop();
                drop(bomb);
            },
        );
    });
}
