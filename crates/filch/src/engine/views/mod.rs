//! Views of reducers: which of them belong to what a thread is running ([`hypermap`]), and their order ([`order`]).

pub(crate) mod hypermap;
pub(crate) mod order;
