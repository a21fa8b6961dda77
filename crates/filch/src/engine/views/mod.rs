//! Views of reducers: which belong to what a thread is running ([`hypermap`]), and in which order they come ([`order`]).

pub(crate) mod hypermap;
pub(crate) mod order;
