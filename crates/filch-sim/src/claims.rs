//! Claims: frames that have left the ladder of their owner, and what they are parts of.
//!
//! A claim is made when a frame leaves, and ends when its owner has the result. Its parent is the task of the owner in
//! which the frame was forked. So a walk upwards finds out whether a task is a part of the goal of a waiting worker, as
//! in the runtime (`crates/filch/src/engine/frame/task.rs`).

use crate::program::Node;
use filch_policy::{Tier, may_begin_handed};

/// A claim. The name of a claim, for the worker that waits for it and the worker that runs it as its task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClaimId(u32);

impl ClaimId {
    /// No other claim has the same number until this one has ended.
    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

/// Where a claimed frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// On the shelf of this worker.
    Shelf(usize),
    /// In the pool of this squad.
    Squad(usize),
    /// Handed to this worker, which had it last.
    Handed(usize),
    /// In the mailbox of this worker.
    Mailbox(usize),
    /// This worker runs it.
    Running(usize),
    Done,
}

/// What is known about an inter-socket task.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Across {
    /// Its tier.
    pub(crate) tier: Tier,
    /// The tier of the task that has forked it.
    pub(crate) above: Tier,
    /// Whether its owner, which waits for it, had made its squad busy.
    pub(crate) had_squad: bool,
    /// Whether the head of a squad has got it from a pool.
    pub(crate) is_got: bool,
}

impl Across {
    pub(crate) fn of(tier: Tier, above: Tier) -> Self {
        Across { tier, above, had_squad: false, is_got: false }
    }
}

/// What is known about a claimed frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claim {
    pub(crate) node: Node,
    pub(crate) owner: usize,
    pub(crate) parent: Option<ClaimId>,
    pub(crate) place: Place,
    /// The worker that runs it, or has run it.
    pub(crate) runner: usize,
    /// If it is an inter-socket task.
    pub(crate) across: Option<Across>,
    /// If it was handed to a group: which one, and when.
    pub(crate) handed: Option<(usize, u64)>,
    /// How many claims it is a part of.
    pub(crate) depth: u32,
    /// The length of the path to its beginning, or to its end once it is done.
    pub(crate) path_ns: u64,
    /// The latest of the claims whose parent this is: the head of their list.
    latest_child: Option<ClaimId>,
    earlier: Option<ClaimId>,
    later: Option<ClaimId>,
}

impl Claim {
    /// Whether a worker of this group may begin it now, if it may at all.
    pub(crate) fn may_be_begun_by(&self, group: usize, now_ns: u64) -> bool {
        self.handed.is_none_or(|(to, since_ns)| may_begin_handed(group, to, now_ns - since_ns.min(now_ns)))
    }
}

/// All claims.
#[derive(Default)]
pub(crate) struct Claims {
    claims: Vec<Claim>,
    free: Vec<ClaimId>,
}

impl Claims {
    /// Makes a claim on `node`, which `owner` has forked in the task `parent`.
    pub(crate) fn add(
        &mut self,
        node: Node,
        owner: usize,
        parent: Option<ClaimId>,
        place: Place,
        path_ns: u64,
    ) -> ClaimId {
        let depth = parent.map_or(0, |parent| self.get(parent).depth + 1);
        let earlier = parent.and_then(|parent| self.get(parent).latest_child);
        let claim = Claim {
            node,
            owner,
            parent,
            place,
            runner: owner,
            across: None,
            handed: None,
            depth,
            path_ns,
            latest_child: None,
            earlier,
            later: None,
        };
        let id = match self.free.pop() {
            Some(id) => {
                self.claims[id.0 as usize] = claim;
                id
            }
            None => {
                self.claims.push(claim);
                ClaimId(self.claims.len() as u32 - 1)
            }
        };
        if let Some(parent) = parent {
            self.get_mut(parent).latest_child = Some(id);
        }
        if let Some(earlier) = earlier {
            self.get_mut(earlier).later = Some(id);
        }
        id
    }

    pub(crate) fn get(&self, id: ClaimId) -> &Claim {
        &self.claims[id.0 as usize]
    }

    pub(crate) fn get_mut(&mut self, id: ClaimId) -> &mut Claim {
        &mut self.claims[id.0 as usize]
    }

    /// Ends a claim, whose owner has what comes of it.
    pub(crate) fn end(&mut self, id: ClaimId) -> Claim {
        self.free.push(id);
        let claim = *self.get(id);
        if let Some(earlier) = claim.earlier {
            self.get_mut(earlier).later = claim.later;
        }
        match (claim.later, claim.parent) {
            (Some(later), _) => self.get_mut(later).earlier = claim.earlier,
            (None, Some(parent)) => self.get_mut(parent).latest_child = claim.earlier,
            (None, None) => {}
        }
        claim
    }

    /// Calls `found` with `goal` and all its parts, as long as it returns true.
    pub(crate) fn for_each_part(&self, goal: ClaimId, mut found: impl FnMut(ClaimId, &Claim) -> bool) {
        let mut next = Some(goal);
        while let Some(id) = next {
            let claim = self.get(id);
            if !found(id, claim) {
                return;
            }
            // The next claim of the walk: down, to the side, or up until there is one at the side.
            next = claim.latest_child;
            let mut at = id;
            while next.is_none() && at != goal {
                next = self.get(at).earlier;
                at = self.get(at).parent.expect("a part of the goal has a parent");
            }
        }
    }

    /// How many claims have not ended.
    pub(crate) fn open(&self) -> usize {
        self.claims.len() - self.free.len()
    }

    /// Whether `claim` is `goal`, or was forked by a part of it.
    pub(crate) fn is_part(&self, mut claim: ClaimId, goal: ClaimId) -> bool {
        let depth = self.get(goal).depth;
        while self.get(claim).depth > depth {
            claim = self.get(claim).parent.expect("only a root has no parent");
        }
        claim == goal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_part_forks_is_a_part_too_and_its_sibling_is_not() {
        let mut claims = Claims::default();
        let mut add = |parent| claims.add(Node::default(), 0, parent, Place::Running(0), 0);
        let root = add(None);
        let (one, other) = (add(Some(root)), add(Some(root)));
        let below = add(Some(one));
        assert!(claims.is_part(below, one) && claims.is_part(below, root) && claims.is_part(one, one));
        assert!(!claims.is_part(below, other) && !claims.is_part(root, one));
        let parts = |claims: &Claims, goal| {
            let mut parts = Vec::new();
            claims.for_each_part(goal, |part, _| {
                parts.push(part);
                true
            });
            parts
        };
        assert_eq!(parts(&claims, root), [root, other, one, below]);
        assert_eq!((parts(&claims, one), parts(&claims, other)), (vec![one, below], vec![other]));
        claims.end(other);
        assert_eq!(parts(&claims, root), [root, one, below]);
        claims.end(below);
        assert_eq!((parts(&claims, root), claims.open()), (vec![root, one], 2));
    }
}
