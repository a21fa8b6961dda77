//! Claims: frames that have left the ladder of their owner, and what they are parts of.
//!
//! A claim is made when a frame leaves, and ends when its owner has what comes of it. Its parent is the task of the
//! owner in which the frame was forked. So a walk upwards shows whether a task is a part of what somebody waits for, as
//! in the runtime (`crates/filch/src/engine/task.rs`).

use crate::program::Node;

/// A claim. A worker that waits for one, and a worker that runs one as its task, name it by this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClaimId(u32);

/// Where a claimed frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// On the shelf of this worker.
    Shelf(usize),
    /// In the mailbox of this worker.
    Mailbox(usize),
    /// A worker runs it.
    Running,
    Done,
}

/// What is known about a claimed frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claim {
    pub(crate) node: Node,
    pub(crate) owner: usize,
    pub(crate) parent: Option<ClaimId>,
    pub(crate) place: Place,
    /// How long the path to where it begins is; to where it ends once it is done.
    pub(crate) path_ns: u64,
}

/// All claims.
#[derive(Default)]
pub(crate) struct Claims {
    claims: Vec<Claim>,
    free: Vec<ClaimId>,
}

impl Claims {
    pub(crate) fn add(&mut self, claim: Claim) -> ClaimId {
        if let Some(id) = self.free.pop() {
            self.claims[id.0 as usize] = claim;
            return id;
        }
        self.claims.push(claim);
        ClaimId(self.claims.len() as u32 - 1)
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
        self.claims[id.0 as usize]
    }

    /// How many claims have not ended.
    pub(crate) fn open(&self) -> usize {
        self.claims.len() - self.free.len()
    }

    /// Whether `claim` is `goal`, or was forked by a part of it.
    pub(crate) fn is_part(&self, mut claim: ClaimId, goal: ClaimId) -> bool {
        while claim != goal {
            match self.get(claim).parent {
                Some(parent) => claim = parent,
                None => return false,
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_part_forks_is_a_part_too_and_its_sibling_is_not() {
        let mut claims = Claims::default();
        let mut add = |parent| {
            claims.add(Claim { node: Node::default(), owner: 0, parent, place: Place::Running, path_ns: 0 })
        };
        let root = add(None);
        let (one, other) = (add(Some(root)), add(Some(root)));
        let below = add(Some(one));
        assert!(claims.is_part(below, one) && claims.is_part(below, root) && claims.is_part(one, one));
        assert!(!claims.is_part(below, other) && !claims.is_part(root, one));
        claims.end(below);
        assert_eq!(claims.open(), 3);
    }
}
