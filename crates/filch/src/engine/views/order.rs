//! The order of one reducer's views: chains of names.
//!
//! A reducer owns its views. Tasks hold names of views, and the [`ViewOrder`] says which view follows which. So the
//! chains of a task may outlive the reducer, and the types and lifetimes of the views stay with the reducer. Linking
//! two chains runs no user code and reads no view.
//!
//! One lock protects the names in use and the links between them. A chain belongs to the task whose
//! [hypermap](super::hypermap) holds its ends, or lies with the claim of a finished task. Only the worker to which that
//! hypermap belongs changes the chain. The owner of the reducer may remove all chains.

use crate::sync::{AtomicBool, Mutex, Ordering, lock};
use std::ptr::NonNull;

/// The views of one reducer, except its first.
pub(crate) struct ViewOrder {
    /// The task in which the reducer was made.
    home: u64,
    chains: Mutex<Chains>,
    /// Whether the reducer has been dropped. Names mean nothing from then on.
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
    /// How many views were added before this one.
    age: u64,
}

/// A pointer to a view that only the reducer may follow.
#[derive(Clone, Copy)]
struct View(NonNull<()>);

// SAFETY: this module never follows the pointer.
unsafe impl Send for View {}

/// The name of a view in one order. It is valid until the view is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name(usize);

impl ViewOrder {
    pub(crate) fn new(home: u64) -> Self {
        ViewOrder { home, chains: Mutex::default(), is_over: AtomicBool::new(false) }
    }

    pub(crate) fn home(&self) -> u64 {
        self.home
    }

    /// Adds a chain of this view alone.
    pub(crate) fn add(&self, view: NonNull<()>) -> Name {
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

    /// Puts the chain that begins with `head` behind the one that ends with `tail`.
    pub(crate) fn link(&self, tail: Name, head: Name) {
        // If the reducer has been dropped, there is nothing to link.
        if let Some(Some(link)) = lock(&self.chains).links.get_mut(tail.0) {
            link.next = Some(head.0);
        }
    }

    /// The view with this name, or `None` if the reducer has been dropped.
    pub(crate) fn view(&self, name: Name) -> Option<NonNull<()>> {
        Some(lock(&self.chains).links.get(name.0)?.as_ref()?.view.0)
    }

    /// Removes the head of a chain. Also returns the new head, if the chain is not empty now.
    pub(crate) fn remove(&self, head: Name) -> Option<(NonNull<()>, Option<Name>)> {
        lock(&self.chains).remove(head.0)
    }

    /// Removes the view that follows `name`. Also returns whether another view follows now.
    pub(crate) fn remove_after(&self, name: Name) -> Option<(NonNull<()>, bool)> {
        let mut chains = lock(&self.chains);
        let next = chains.links.get(name.0)?.as_ref()?.next?;
        let (view, after) = chains.remove(next)?;
        let after = after.map(|name| name.0);
        chains.links[name.0].as_mut()?.next = after;
        Some((view, after.is_some()))
    }

    /// Ends the order and returns all views, chain by chain. The chain with the oldest head comes first.
    ///
    /// For the chains of a task and of the tasks above it, this is the serial order. A reducer is used by one task and
    /// by tasks that this one waits for, until it is moved into or out of a task. All views of its earlier users are
    /// then older.
    #[inline]
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

    /// Whether the reducer has been dropped.
    pub(crate) fn is_over(&self) -> bool {
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

    /// Distinct addresses, which are never followed.
    fn views<const N: usize>() -> [NonNull<()>; N] {
        std::array::from_fn(|i| NonNull::without_provenance(std::num::NonZeroUsize::MIN.saturating_add(i)))
    }

    #[test]
    fn chains_keep_their_order_and_the_oldest_comes_first() {
        let [a, b, c, d] = views();
        let order = ViewOrder::new(0);
        let names = [a, b, c, d].map(|view| order.add(view));
        order.link(names[3], names[1]);
        order.link(names[1], names[0]);
        assert_eq!(order.end(), [c, d, b, a]);
        assert!(order.is_over() && order.end().is_empty());
    }

    #[test]
    fn a_removed_view_leaves_its_chain_whole_and_its_name_to_the_next() {
        let [a, b, c, d] = views();
        let order = ViewOrder::new(0);
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
        let order = ViewOrder::new(0);
        let (a, b) = (order.add(a), order.add(b));
        order.end();
        order.link(a, b);
        assert_eq!((order.view(a), order.remove(b), order.remove_after(a)), (None, None, None));
    }
}
