//! Trees for searches, whose leaves are the items of a loop.

use std::ops::Range;

use filch::{Node, Search, Steps};

use crate::stress::run_log::RunLog;

/// The ranges of items from the root down to where a search is.
pub(super) struct Path<'l> {
    ranges: Vec<Range<usize>>,
    run_log: &'l RunLog,
}

impl Path<'_> {
    /// The runtime calls what a search does with its workspace.
    fn callback(&self) {
        let range = last(self);
        self.run_log.callback(range.start + 1000 * range.len());
    }
}

impl Clone for Path<'_> {
    fn clone(&self) -> Self {
        self.callback();
        Path { ranges: self.ranges.clone(), ..*self }
    }
}

/// A tree over items: a node divides a range into up to this many.
const CHOICES: usize = 3;

/// A tree whose leaves are items. A leaf is a solution if `is_solution` says so when the search comes there.
pub(super) fn leaves<'l>(is_solution: impl Fn(usize) -> bool + Sync) -> impl Search<Workspace = Path<'l>> {
    let node = move |path: &mut Path<'l>| match last(path) {
        item if item.len() == 1 && is_solution(item.start) => Node::Solution,
        item if item.len() == 1 => Node::Choices(0..0),
        range => Node::Choices(0..range.len().min(CHOICES)),
    };
    let apply = |path: &mut Path<'l>, choice: usize| {
        path.callback();
        let range = last(path);
        let choices = range.len().min(CHOICES);
        let bound = |choice: usize| range.start + range.len() * choice / choices;
        path.ranges.push(bound(choice)..bound(choice + 1));
    };
    let undo = |path: &mut Path<'l>, _| {
        path.callback();
        path.ranges.pop();
    };
    Steps::new(node, apply, undo)
}

/// The path at the root of a tree over these items.
pub(super) fn root(items: Range<usize>, run_log: &RunLog) -> Path<'_> {
    Path { ranges: vec![items], run_log }
}

/// The range to which a path has led.
pub(super) fn last(path: &Path<'_>) -> Range<usize> {
    path.ranges.last().expect("a path begins at the root").clone()
}
