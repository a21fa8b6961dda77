//! Every callback of parallel iterators may use whatever the crate `filch` offers: rows of the matrix that stands in
//! its tests (`crates/filch-tests/tests/callbacks`).
#![allow(missing_docs)]
#![cfg(panic = "unwind")]

#[path = "../../../filch-tests/tests/common/mod.rs"]
mod common;
#[path = "../../../filch-tests/tests/callbacks/matrix.rs"]
mod matrix;
#[path = "../../../filch-tests/tests/callbacks/row.rs"]
mod row;
mod rows;
#[allow(dead_code, reason = "other rows need more of it")]
#[path = "../../../filch-tests/tests/callbacks/site.rs"]
mod site;
#[path = "../../../filch-tests/tests/callbacks/uses.rs"]
mod uses;

mod exceptions {
    //! There are none.

    pub(crate) fn forbids(_: &crate::row::Row, _: &crate::uses::Use) -> bool {
        false
    }
}

#[test]
fn every_callback_may_use_every_construct_on_one_pool() {
    matrix::here();
}

#[cfg(not(miri))]
#[test]
fn every_callback_may_use_every_construct_under_other_schedulers() {
    matrix::under_other_schedulers();
}
