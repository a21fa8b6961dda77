//! Constructs in callbacks, the code of users that the runtime calls between the nodes of a program: copies of
//! workspaces, steps of searches, identities and combiners, iterators, destructors.
//!
//! Callbacks run no nodes, so the oracle need not know about them.

use std::sync::atomic::{AtomicU64, Ordering};

use filch::monoids::Append;
use filch::{Node, Reducer, Steps, Strand};

use super::dice::Dice;

/// One callback in this many uses something; the others return at once.
const CALLBACKS_PER_USE: usize = 12;
/// The numbers that a use adds up.
const NUMBERS: u64 = 6;
const SUM: u64 = NUMBERS * (NUMBERS - 1) / 2;

/// The construct, and a function that says whether its result was right.
type Use = (&'static str, fn() -> bool);

/// Uses some construct, or none, as `place` says. Returns what is wrong with the result.
pub fn use_something(place: u64) -> Result<(), &'static str> {
    // A destructor may run on a thread outside of the pools, where it would start another pool.
    let mut dice = Dice::new(place);
    if !filch::is_worker() || !dice.one_in(CALLBACKS_PER_USE) {
        return Ok(());
    }
    let uses: [Use; 8] = [
        ("a join", || filch::join(|| String::from("a"), || String::from("b")) == ("a".into(), "b".into())),
        ("joins", || filch::scope(|s, _| sum(s, 0, NUMBERS)) == SUM),
        ("a loop", || filch::map_reduce(0..NUMBERS, || 0, |_, i| i, |a, b| a + b) == SUM),
        ("a spawn loop", || added(|total| filch::for_each_item(0..NUMBERS, |_, i| add(total, i)))),
        ("a scope", || {
            added(|total| filch::scope(|_, scope| (0..NUMBERS).for_each(|i| scope.spawn(move |_| add(total, i)))))
        }),
        ("a traversal", || {
            let visit = |list: &mut filch::Worklist<'_, u64, u64>, i| {
                *list.workspace() += i;
                (i + 1 < NUMBERS).then(|| list.push(i + 1));
            };
            filch::traverse([0], || 0, visit).workspaces.iter().sum::<u64>() == SUM
        }),
        ("a search", || {
            let words = Steps::new(
                |word: &mut Vec<u8>| if word.len() == 3 { Node::Solution } else { Node::Choices(0..2_u8) },
                |word: &mut Vec<u8>, letter| word.push(letter),
                |word: &mut Vec<u8>, _| _ = word.pop(),
            );
            filch::search(&words, Vec::new()).count() == 8
        }),
        ("a reducer", || {
            let list = Reducer::new(Append::<Vec<u64>>::new());
            filch::for_each(0..NUMBERS, |_, i| list.put(vec![i]));
            list.into_inner().into_iter().eq(0..NUMBERS)
        }),
    ];
    let (name, run) = dice.pick(&uses);
    if run() { Ok(()) } else { Err(name) }
}

fn sum(mut s: Strand<'_>, first: u64, end: u64) -> u64 {
    if end - first == 1 {
        return first;
    }
    let middle = first.midpoint(end);
    let (a, b) = s.join(|s| sum(s, first, middle), |s| sum(s, middle, end));
    a + b
}

fn add(total: &AtomicU64, i: u64) {
    total.fetch_add(i, Ordering::Relaxed);
}

fn added(run: impl FnOnce(&AtomicU64)) -> bool {
    let total = AtomicU64::new(0);
    run(&total);
    total.into_inner() == SUM
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_use_gives_what_it_should() {
        filch::run(|_| (0..1000).try_for_each(use_something)).unwrap();
    }
}
