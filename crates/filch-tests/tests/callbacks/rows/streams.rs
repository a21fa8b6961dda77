//! Pipelines, task graphs and values that are computed once.

use crate::row::{Row, row};
use crate::site::{Bomb, Site, Token};
use filch::{OnceValue, TaskGraph};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

pub(super) const ROWS: &[Row] = &[
    row("pipeline, source", N, |site| pipeline(site, At::Source)),
    row("pipeline, drop of the source", 1, |site| pipeline(site, At::SourceDrop)),
    row("pipeline, parallel stage", N, |site| pipeline(site, At::Parallel)),
    row("pipeline, serial stage", N, |site| pipeline(site, At::Serial)),
    row("pipeline, stage in order", N, |site| pipeline(site, At::InOrder)),
    row("pipeline, drop of items", N, |site| pipeline(site, At::ItemDrop)),
    row("pipeline, drop of a stage", 1, |site| pipeline(site, At::StageDrop)),
    row("task graph, task", SIDE * SIDE, |site| graph(site, false)),
    row("task graph, choice", SIDE, |site| graph(site, true)),
    row("once value, computation", 1, once_value),
];

const N: usize = if cfg!(miri) { 4 } else { 24 };

/// Of a square of tasks.
const SIDE: usize = if cfg!(miri) { 2 } else { 4 };

#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Source,
    SourceDrop,
    Parallel,
    Serial,
    InOrder,
    ItemDrop,
    StageDrop,
}

/// A value, in which the callback may be.
fn held(site: &Site, is_bomb: bool) -> Result<Bomb<&Site>, Token<&Site>> {
    if is_bomb { Ok(Bomb::new(site)) } else { Err(Token::new(site)) }
}

fn pipeline(site: &Arc<Site>, at: At) {
    let site: &Site = site;
    let call = &|now| if now == at { site.call() } else { site.beside() };
    let source = held(site, at == At::SourceDrop);
    let stage = held(site, at == At::StageDrop);
    let source = (0..N).map(move |n| {
        _ = &source;
        call(At::Source);
        (n, held(site, at == At::ItemDrop))
    });
    let (mut count, mut ended) = (0, Vec::new());
    let counted = &mut count;
    site.pool().run(|s| {
        filch::pipeline(source)
            .capacity(7)
            .parallel(|item| {
                call(At::Parallel);
                item
            })
            .serial(move |item| {
                _ = &stage;
                call(At::Serial);
                *counted += 1;
                item
            })
            .serial_in_order(|(n, held)| {
                call(At::InOrder);
                drop(held);
                ended.push(n);
            })
            .run_in(s);
    });
    assert_eq!(count, N);
    assert!(ended.into_iter().eq(0..N));
}

/// A square, with a choice before each row.
fn graph(site: &Arc<Site>, is_in_choice: bool) {
    let site: &Site = site;
    let sum = AtomicUsize::new(0);
    let call = |now| if now == is_in_choice { site.call() } else { site.beside() };
    let (sum, call) = (&sum, &call);
    let graph = TaskGraph::builder();
    let mut tasks = Vec::new();
    for row in 0..SIDE {
        let choice = graph.choice(move |_| {
            call(true);
            1
        });
        for column in 0..SIDE {
            let token = Token::new(site);
            let task = graph.task(move |_| {
                _ = &token;
                call(false);
                sum.fetch_add(1, SeqCst);
            });
            if row > 0 {
                task.after(&[tasks[(row - 1) * SIDE + column]]);
            }
            if column > 0 {
                task.after(&[tasks[row * SIDE + column - 1]]);
            }
            tasks.push(task.when(choice, 1));
        }
        graph.task(|_| unreachable!("it is not chosen")).when(choice, 0);
    }
    let mut graph = graph.build().expect("a square has no cycles");
    site.pool().run(|s| graph.run_in(s));
    assert_eq!(sum.load(SeqCst), SIDE * SIDE);
}

/// Where waiters run anything, nobody else may ask meanwhile.
fn once_value(site: &Arc<Site>) {
    let value = OnceValue::new();
    site.pool().run(|mut s| {
        let (got, ()) = s.join(
            |s| {
                value.get_or_init_in(s, |_| {
                    site.call();
                    Token::new(&**site)
                })
            },
            |_| site.beside(),
        );
        _ = got;
    });
    assert!(value.into_inner().is_some());
}
