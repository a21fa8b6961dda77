//! The rows: constructs, each with the callback at one of the places where it calls code of a user.

mod items;
mod joins;
mod loops;
mod reducers;
mod searches;
mod speculations;
mod streams;
mod tasks;
mod threads;
mod traversals;
mod unwinding;

use crate::row::Row;

pub(crate) fn all() -> impl Iterator<Item = &'static Row> {
    let groups = [
        joins::ROWS,
        loops::ROWS,
        items::ROWS,
        tasks::ROWS,
        traversals::ROWS,
        searches::ROWS,
        speculations::ROWS,
        streams::ROWS,
        reducers::ROWS,
        unwinding::ROWS,
        threads::ROWS,
    ];
    groups.into_iter().flatten()
}
