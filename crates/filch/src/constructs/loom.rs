//! The modules of the constructs that loom checks, in place of `mod.rs` in builds for loom.

pub(crate) mod items {
    pub(crate) mod frame;
}
pub(crate) mod traverse {
    mod invitations;
}
#[cfg(test)]
mod loom_tests;
