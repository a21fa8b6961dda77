//! Trees for searches, whose leaves are the items of a loop.

use std::ops::Range;

use filch::{Node, Search, Steps};

/// The ranges of items from the root down to where a search is.
pub(super) type Path = Vec<Range<usize>>;

/// A tree over items: a node divides a range into up to this many.
const CHOICES: usize = 3;

/// A tree whose leaves are items. A leaf is a solution if `is_solution` says so when the search comes there.
pub(super) fn leaves(is_solution: impl Fn(usize) -> bool + Sync) -> impl Search<Workspace = Path> {
    let node = move |path: &mut Path| match last(path) {
        item if item.len() == 1 && is_solution(item.start) => Node::Solution,
        item if item.len() == 1 => Node::Choices(0..0),
        range => Node::Choices(0..range.len().min(CHOICES)),
    };
    let apply = |path: &mut Path, choice: usize| {
        let range = last(path);
        let choices = range.len().min(CHOICES);
        let bound = |choice: usize| range.start + range.len() * choice / choices;
        path.push(bound(choice)..bound(choice + 1));
    };
    Steps::new(node, apply, |path: &mut Path, _| _ = path.pop())
}

/// The path at the root of a tree over these items.
pub(super) fn root(items: Range<usize>) -> Path {
    vec![items]
}

/// The range to which a path has led.
pub(super) fn last(path: &Path) -> Range<usize> {
    path.last().expect("a path begins at the root").clone()
}
