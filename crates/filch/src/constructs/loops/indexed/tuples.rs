//! Tuples, which are iterated in step up to the end of their shortest element.

use super::{Access, Indexed, Items};
use filch_policy::Over;

/// The last kind of these.
const fn last_kind(kinds: &[Over]) -> Over {
    let (mut last, mut at) = (Over::Indices, 0);
    while at < kinds.len() {
        if kinds[at] as u8 > last as u8 {
            last = kinds[at];
        }
        at += 1;
    }
    last
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),*);)*) => {$(
        impl<$($name: Indexed),*> Indexed for ($($name,)*) {
            type Item = ($($name::Item,)*);
            type Access = ($($name::Access,)*);

            #[inline]
            fn items(self) -> Items<Self::Access> {
                let access = ($(self.$index.items().into_access(),)*);
                let mut closed = u64::MAX;
                $(if !$name::Access::IS_OPEN { closed = closed.min(access.$index.len()); })*
                assert!(
                    Self::Access::IS_OPEN || access.len() == closed,
                    "a range without an end has too few numbers for {closed} items: they need a larger type of integer"
                );
                // SAFETY: each element is of an `Items` that is gone.
                unsafe { Items::new(access) }
            }
        }

        // SAFETY: the length is the shortest length of the elements, and these never change.
        unsafe impl<$($name: Access),*> Access for ($($name,)*) {
            type Item = ($($name::Item,)*);

            const IS_OPEN: bool = $($name::IS_OPEN &&)* true;
            const OVER: Over = last_kind(&[$($name::OVER),*]);

            #[inline(always)]
            fn len(&self) -> u64 {
                let mut len = u64::MAX;
                $(len = len.min(self.$index.len());)*
                len
            }

            #[inline(always)]
            unsafe fn item(&self, index: u64) -> Self::Item {
                // SAFETY: the index is below the length of each element, and the caller guarantees that it is used
                // once.
                ($(unsafe { self.$index.item(index) },)*)
            }
        }
    )*};
}
tuples! {
    (A 0, B 1);
    (A 0, B 1, C 2);
    (A 0, B 1, C 2, D 3);
}
