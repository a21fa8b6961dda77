//! Those modules of the constructs that are checked alone, in place of `mod.rs` where the model checker is.

pub(crate) mod items {
    pub(crate) mod frame;
}
pub(crate) mod loops {
    pub(crate) mod frame;
}
pub(crate) mod traverse {
    mod invitations;
}
#[cfg(test)]
mod loom_tests;
