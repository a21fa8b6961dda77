//! In which order the views of one reducer come: chains of names.
//!
//! A reducer owns its views. What tasks hold are names of them, the [`Order`] says which of these follows which. So a
//! task's list may outlive the reducer, and its types and lifetimes stay the reducer's own affair: linking two chains
//! runs no code of the user's and reads no view.
//!
//! Under the one lock: which names are in use, and what comes after each. A chain belongs to the task in whose
//! [hypermap](super::hypermap) its ends stand, or lies with a finished task's claim; only who has it changes it.
//! Whoever owns the reducer has all of them.

use crate::sync::{AtomicBool, Mutex, Ordering, lock};
use std::ptr::NonNull;

/// The views of one reducer, other than its first.
pub(crate) struct Order {
    chains: Mutex<Chains>,
    /// Whether the reducer is gone; names mean nothing any more.
    is_over: AtomicBool,
}

#[derive(Default)]
struct Chains {
    links: Vec<Option<Link>>,
    free: Vec<usize>,
    made: u64,
}

struct Link {
    view: View,
    next: Option<usize>,
    /// How many there had been.
    age: u64,
}

/// A view as others than its reducer know it.
#[derive(Clone, Copy)]
struct View(NonNull<()>);

// SAFETY: never followed here.
unsafe impl Send for View {}

/// A view's name. Of no use to another order, nor once the view has been removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Name(usize);

impl Order {
    pub(crate) fn new() -> Self {
        Order { chains: Mutex::default(), is_over: AtomicBool::new(false) }
    }

    /// A chain of this view alone.
    pub(super) fn add(&self, view: NonNull<()>) -> Name {
        let mut chains = lock(&self.chains);
        let link = Some(Link { view: View(view), next: None, age: chains.made });
        chains.made += 1;
        let name = chains.free.pop().unwrap_or(chains.links.len());
        if mutant!("name_unlocked") {
            drop(chains);
            chains = lock(&self.chains);
        }
        if name < chains.links.len() {
            chains.links[name] = link;
        } else {
            chains.links.push(link);
        }
        Name(name)
    }

    /// The chain that begins with `head` comes after the one that ends with `tail`.
    pub(super) fn link(&self, tail: Name, head: Name) {
        // Nothing to link where the reducer is gone.
        if let Some(Some(link)) = lock(&self.chains).links.get_mut(tail.0) {
            link.next = Some(head.0);
        }
    }

    /// The view of this name, unless the reducer is gone.
    pub(super) fn view(&self, name: Name) -> Option<NonNull<()>> {
        Some(lock(&self.chains).links.get(name.0)?.as_ref()?.view.0)
    }

    /// Removes the head of a chain; the new head, if something is left.
    pub(super) fn remove(&self, head: Name) -> Option<(NonNull<()>, Option<Name>)> {
        lock(&self.chains).remove(head.0)
    }

    /// Removes what comes after `name`; whether something does still.
    pub(super) fn remove_after(&self, name: Name) -> Option<(NonNull<()>, bool)> {
        let mut chains = lock(&self.chains);
        let next = chains.links.get(name.0)?.as_ref()?.next?;
        let (view, after) = chains.remove(next)?;
        let after = after.map(|name| name.0);
        chains.links[name.0].as_mut()?.next = after;
        Some((view, after.is_some()))
    }

    /// The end: all views, chain by chain, the chain with the oldest head first.
    ///
    /// For the chains of one task and of those above it, that is their order. A reducer is used by one task and by
    /// those that this one waits for, until it is moved into or out of a task: all of the former's views are older.
    pub(crate) fn end(&self) -> Vec<NonNull<()>> {
        self.is_over.store(true, Ordering::Relaxed);
        let Chains { mut links, .. } = std::mem::take(&mut *lock(&self.chains));
        let mut is_head: Vec<bool> = links.iter().map(Option::is_some).collect();
        links.iter().flatten().filter_map(|link| link.next).for_each(|next| is_head[next] = false);
        let mut heads: Vec<usize> = (0..links.len()).filter(|&name| is_head[name]).collect();
        heads.sort_by_key(|&name| links[name].as_ref().map(|link| link.age));
        let mut views = Vec::new();
        for head in heads {
            let mut next = Some(head);
            while let Some(link) = next.and_then(|name| links[name].take()) {
                views.push(link.view.0);
                next = link.next;
            }
        }
        views
    }

    /// Whether the reducer is gone.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}

impl Chains {
    fn remove(&mut self, name: usize) -> Option<(NonNull<()>, Option<Name>)> {
        let link = self.links.get_mut(name)?.take()?;
        self.free.push(name);
        Some((link.view.0, link.next.map(Name)))
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Views to tell apart, which nobody follows.
    fn views<const N: usize>() -> [NonNull<()>; N] {
        std::array::from_fn(|i| NonNull::without_provenance(std::num::NonZeroUsize::MIN.saturating_add(i)))
    }

    #[test]
    fn chains_keep_their_order_and_the_oldest_comes_first() {
        let [a, b, c, d] = views();
        let order = Order::new();
        let names = [a, b, c, d].map(|view| order.add(view));
        order.link(names[3], names[1]);
        order.link(names[1], names[0]);
        assert_eq!(order.end(), [c, d, b, a]);
        assert!(order.is_over() && order.end().is_empty());
    }

    #[test]
    fn a_removed_view_leaves_its_chain_whole_and_its_name_to_the_next() {
        let [a, b, c, d] = views();
        let order = Order::new();
        let names = [a, b, c].map(|view| order.add(view));
        order.link(names[0], names[1]);
        order.link(names[1], names[2]);
        assert_eq!(order.remove_after(names[0]), Some((b, true)));
        assert_eq!(order.add(d), names[1]);
        assert_eq!(order.remove_after(names[0]), Some((c, false)));
        assert_eq!(order.remove_after(names[0]), None);
        assert_eq!(order.remove(names[0]), Some((a, None)));
        assert_eq!(order.end(), [d]);
    }

    #[test]
    fn names_of_a_reducer_that_is_gone_mean_nothing() {
        let [a, b] = views();
        let order = Order::new();
        let (a, b) = (order.add(a), order.add(b));
        order.end();
        order.link(a, b);
        assert_eq!((order.view(a), order.remove(b), order.remove_after(a)), (None, None, None));
    }
}
