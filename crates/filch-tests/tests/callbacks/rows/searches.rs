//! Searches.

use crate::row::{Row, moving, row};
use crate::site::{Bomb, Site, Token};
use filch::{Bound, Choices, Node, Search};
use std::ops::Range;
use std::sync::{Arc, Mutex};

pub(super) const ROWS: &[Row] = &[
    row("search, choices", NODES, counts!(At::Choices)),
    row("search, apply", NODES - 1, counts!(At::Apply)),
    row("search, undo", 1, counts!(At::Undo)),
    Row { runs: if cfg!(miri) { 1 } else { 12 }, ..moving("search, clone", counts!(At::Clone)) },
    Row { runs: if cfg!(miri) { 1 } else { 12 }, ..moving("search, clone_from", counts!(At::CloneFrom)) },
    row("search, drop of workspaces", 1, counts!(At::Drop)),
    row("search, next of choices", NODES, counts!(At::Next)),
    row("search, untried of choices", 0, counts!(At::Untried)),
    moving("search, split_off of choices", counts!(At::SplitOff)),
    row("search, drop of choices", 1, counts!(At::ChoicesDrop)),
    row("search, fold: identity", 1, folds!(At::Identity)),
    row("search, fold: add", LEAVES, folds!(At::Add)),
    moving("search, fold: combine", folds!(At::Combine)),
    row("search, fold: drop of results", 1, folds!(At::OutDrop)),
    row("search, find_any", 1, finds!(At::Add, find_any)),
    row("search, find_first", 1, finds!(At::Add, find_first)),
    row("search, find_best: value and bound", 1, best!(At::Value)),
    row("search, find_best: keep", 1, best!(At::Keep)),
    row("search, all: map", LEAVES, receives!(At::Map)),
    row("search, all: receive", LEAVES, receives!(At::Receive)),
    row("search, checked: clone and eq", 1, checks!(At::Eq)),
];

const DEPTH: usize = if cfg!(miri) { 2 } else { 4 };
const ARITY: u8 = if cfg!(miri) { 2 } else { 3 };
const LEAVES: usize = (ARITY as usize).pow(DEPTH as u32);
const NODES: usize = (LEAVES * ARITY as usize - 1) / (ARITY as usize - 1);

#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Choices,
    Apply,
    Undo,
    Clone,
    CloneFrom,
    Drop,
    Next,
    Untried,
    SplitOff,
    ChoicesDrop,
    Identity,
    Add,
    Combine,
    OutDrop,
    Value,
    Keep,
    Map,
    Receive,
    Eq,
}

/// All words of some length.
struct Words<'a> {
    site: &'a Site,
    at: At,
    /// Aborts the search.
    abort: &'a (dyn Fn() + Sync),
    received: Mutex<Vec<usize>>,
}

impl<'a> Words<'a> {
    fn new(site: &'a Site, at: At, abort: &'a (dyn Fn() + Sync)) -> Self {
        Words { site, at, abort, received: Mutex::default() }
    }

    fn call(&self, at: At) {
        if at == self.at { self.site.call_or(self.abort) } else { self.site.beside() }
    }

    /// In a destructor.
    fn drop_at(&self, at: At) {
        if at == self.at {
            self.site.call_or(self.abort);
        }
    }

    fn path(&self, path: Vec<u8>) -> Path<'_> {
        Path { words: self, path, _token: Token::new(self.site) }
    }

    fn list(&self, items: Vec<usize>) -> List<'_> {
        List(items, (self.at == At::OutDrop).then(|| Bomb::new(self.site)))
    }
}

struct Path<'a> {
    words: &'a Words<'a>,
    path: Vec<u8>,
    _token: Token<&'a Site>,
}

impl Path<'_> {
    fn number(&self) -> usize {
        self.path.iter().fold(0, |number, &letter| number * usize::from(ARITY) + usize::from(letter))
    }
}

impl Clone for Path<'_> {
    fn clone(&self) -> Self {
        self.words.call(At::Clone);
        self.words.path(self.path.clone())
    }

    fn clone_from(&mut self, source: &Self) {
        self.words.call(At::CloneFrom);
        self.path.clone_from(&source.path);
    }
}

impl PartialEq for Path<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.words.call(At::Eq);
        self.path == other.path
    }
}

impl Drop for Path<'_> {
    fn drop(&mut self) {
        self.words.drop_at(At::Drop);
    }
}

struct Letters<'a>(&'a Words<'a>, Range<u8>);

impl Iterator for Letters<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        self.0.call(At::Next);
        self.1.next()
    }
}

impl Choices for Letters<'_> {
    fn untried(&self) -> usize {
        self.0.call(At::Untried);
        self.1.untried()
    }

    fn split_off(&mut self, count: usize) -> Self {
        self.0.call(At::SplitOff);
        Letters(self.0, self.1.split_off(count))
    }
}

impl Drop for Letters<'_> {
    fn drop(&mut self) {
        self.0.drop_at(At::ChoicesDrop);
    }
}

impl<'a> Search for Words<'a> {
    type Workspace = Path<'a>;
    type Choices = Letters<'a>;

    fn choices(&self, path: &mut Path<'a>) -> Node<Letters<'a>> {
        self.call(At::Choices);
        if path.path.len() == DEPTH { Node::Solution } else { Node::Choices(Letters(path.words, 0..ARITY)) }
    }

    fn apply(&self, path: &mut Path<'a>, letter: u8) {
        self.call(At::Apply);
        path.path.push(letter);
    }

    fn undo(&self, path: &mut Path<'a>, letter: u8) {
        self.call(At::Undo);
        assert_eq!(path.path.pop(), Some(letter));
    }
}

/// A list in a value that is counted.
struct List<'a>(Vec<usize>, #[allow(dead_code, reason = "it counts")] Option<Bomb<&'a Site>>);

/// A row: asks a search for something, as a child of a speculation where the use aborts it, and checks what it returns.
macro_rules! asks {
    ($at:expr, |$words:ident, $search:ident| $ask:expr, |$out:ident| $check:expr) => {
        |site: &Arc<Site>| {
            if !site.aborts() {
                site.pool().run(|_| {
                    let $words = &Words::new(site, $at, &|| ());
                    let $search = filch::search($words, $words.path(Vec::new()));
                    let $out = $ask;
                    $check
                });
                return;
            }
            site.pool().run(|mut s| {
                let ((), ()) = s.speculate((), |p, speculation| {
                    let child = |mut s: filch::SpeculativeStrand<'_>, _: filch::State<'_, ()>| {
                        let abort = || speculation.abort();
                        let $words = &Words::new(site, $at, &abort);
                        let $search = s.search($words, $words.path(Vec::new()));
                        match $ask {
                            Ok($out) => $check,
                            Err(filch::Aborted) => assert!(site.is_aborted()),
                        }
                        Ok(())
                    };
                    p.spawn(child, |(), ()| ());
                });
            });
        }
    };
}
use asks;

macro_rules! counts {
    ($at:expr) => {
        asks!($at, |words, search| search.count(), |found| assert_eq!(found, LEAVES as u64))
    };
}
use counts;

macro_rules! folds {
    ($at:expr) => {
        asks!(
            $at,
            |words, search| search.fold(
                || {
                    words.call(At::Identity);
                    words.list(Vec::new())
                },
                |mut list, path| {
                    words.call(At::Add);
                    list.0.push(path.number());
                    list
                },
                |mut former, mut latter| {
                    words.call(At::Combine);
                    former.0.append(&mut latter.0);
                    drop(latter);
                    former
                }
            ),
            |found| assert!(found.0.iter().copied().eq(0..LEAVES))
        )
    };
}
use folds;

macro_rules! finds {
    ($at:expr, $ask:ident) => {
        asks!(
            $at,
            |words, search| search.$ask(|path| {
                words.call($at);
                path.number()
            }),
            |found| {
                let found = found.expect("there are some");
                assert!(found < LEAVES && (stringify!($ask) == "find_any" || found == 0));
            }
        )
    };
}
use finds;

macro_rules! best {
    ($at:expr) => {
        asks!(
            $at,
            |words, search| search.find_best(
                &Bound::lowest(),
                |path| {
                    words.call(At::Value);
                    path.number() as i64 % 7
                },
                |path| {
                    words.call(At::Keep);
                    path.number()
                }
            ),
            |found| {
                let (value, number) = found.expect("there are some");
                assert_eq!((value, number % 7), (0, 0));
            }
        )
    };
}
use best;

macro_rules! receives {
    ($at:expr) => {
        asks!(
            $at,
            |words, search| search.all(
                |path| {
                    words.call(At::Map);
                    path.number()
                },
                |number| {
                    words.call(At::Receive);
                    words.received.lock().expect("nobody panics here").push(number);
                }
            ),
            |_done| assert!(words.received.lock().expect("nobody panics here").iter().copied().eq(0..LEAVES))
        )
    };
}
use receives;

macro_rules! checks {
    ($at:expr) => {
        asks!($at, |words, search| search.checked().count(), |found| assert_eq!(found, LEAVES as u64))
    };
}
use checks;
