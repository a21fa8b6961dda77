//! The workspace: the nodes from the root to where the search is.

use sha1::{Digest, Sha1};

/// The nodes from the root to where the search is. A step adds a node, and a step back removes it, since a parent
/// cannot be computed from its child.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Path {
    above: Vec<Place>,
    end: Place,
}

/// A node: the hash from which its children are computed.
///
/// It is 24 bytes, and a child takes a hash, some 60 to 150 ns.
///
/// ```
/// let tree = filch_search::uts::find("T3").unwrap().tree;
/// let root = tree.place();
/// assert_eq!(tree.children(&root, 0), 2000);
/// assert_ne!(root.child(0), root.child(1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Place {
    /// Its hash.
    state: [u8; 20],
    /// How many nodes there are from here upwards of which this is the first child of the first child and so on, with
    /// this one: the nodes that a leaf here counts.
    pub(super) firsts: u32,
}

impl Place {
    /// The root of the tree with this seed.
    pub(super) fn root(seed: u32) -> Self {
        Place { state: hash(&[0; 16], seed), firsts: 1 }
    }

    /// The child with this number.
    #[inline]
    pub fn child(&self, number: u32) -> Self {
        Place { state: hash(&self.state, number), firsts: if number == 0 { self.firsts + 1 } else { 1 } }
    }

    /// Its random number, from 0 up to 1: 31 bits.
    #[inline]
    pub(super) fn random(&self) -> f64 {
        let [.., a, b, c, d] = self.state;
        f64::from(u32::from_be_bytes([a, b, c, d]) & (u32::MAX >> 1)) / 2_f64.powi(31)
    }
}

/// The hash of some bytes and a number.
#[inline]
fn hash(bytes: &[u8], number: u32) -> [u8; 20] {
    Sha1::new().chain_update(bytes).chain_update(number.to_be_bytes()).finalize().into()
}

impl From<Place> for Path {
    fn from(root: Place) -> Self {
        Path { above: Vec::new(), end: root }
    }
}

impl Path {
    /// The number of steps from the root.
    pub fn depth(&self) -> usize {
        self.above.len()
    }

    #[inline]
    pub(super) fn end(&self) -> &Place {
        &self.end
    }

    #[inline]
    pub(super) fn push(&mut self, child: u32) {
        self.above.push(self.end);
        self.end = self.end.child(child);
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        self.end = self.above.pop().expect("a step back follows a step");
    }
}
