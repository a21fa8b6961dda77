//! A traversal whose calls leave what they find to others and go on with their row: the policy *help first* of Guo,
//! Barik, Raman and Sarkar (2009), which Yasugi, Hiraishi, Umatani and Yuasa (2012) name as a rival in section 7.1.
//!
//! So the stack does not grow, however deep the graph is. The price is a task for each vertex.

use super::claim::Claim;
use super::grower::Grower;
use super::rows::Rows;
use filch::{Scope, Strand};

/// Grows the tree of `root`, which has been claimed.
pub(super) fn grow<R: Rows, C: Claim>(grower: &Grower<'_, R, C>, mut s: Strand<'_>, root: R::Vertex) {
    s.scope(|_, scope| visit(grower, scope, root));
}

fn visit<'scope, R: Rows, C: Claim>(grower: &'scope Grower<'_, R, C>, scope: &'scope Scope<'scope, '_>, v: R::Vertex) {
    grower.visit(v, |w| scope.spawn(move |_| visit(grower, scope, w)));
}
