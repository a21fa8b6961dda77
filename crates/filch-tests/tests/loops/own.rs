//! Loops over types of the user's own.

use crate::common::{self, eager_pool};
use crate::items;
use filch::{Access, Affinity, Indexed, Items};
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Every `step`-th item of a slice, from the last one on.
struct Backwards<'a, T> {
    slice: &'a mut [T],
    step: usize,
}

struct Places<'a, T> {
    last: *mut T,
    len: usize,
    step: usize,
    borrowed: PhantomData<&'a mut [T]>,
}

impl<T> Copy for Places<'_, T> {}

impl<T> Clone for Places<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

// SAFETY: no two threads get the same item, which may move to another thread.
unsafe impl<T: Send> Sync for Places<'_, T> {}

// SAFETY: the length depends on fields that never change, and each index is another item.
unsafe impl<'a, T: Send> Access for Places<'a, T> {
    type Item = &'a mut T;

    fn len(&self) -> u64 {
        self.len.div_ceil(self.step) as u64
    }

    unsafe fn item(&self, index: u64) -> &'a mut T {
        // SAFETY: the index is below `len`, so there are as many items before the last one.
        let item = unsafe { self.last.sub(index as usize * self.step) };
        // SAFETY: the slice is borrowed for 'a, and each index is used once.
        unsafe { &mut *item }
    }
}

impl<'a, T: Send> Indexed for Backwards<'a, T> {
    type Item = &'a mut T;
    type Access = Places<'a, T>;

    fn items(self) -> Items<Places<'a, T>> {
        let (len, step) = (self.slice.len(), self.step);
        let last = self.slice.as_mut_ptr().wrapping_add(len).wrapping_sub(1);
        // SAFETY: this is the only access to a slice that has been mutably borrowed for it.
        unsafe { Items::new(Places { last, len, step, borrowed: PhantomData }) }
    }
}

/// The numbers below 10, the second half of which cannot be made.
#[derive(Clone, Copy)]
struct Broken;

// SAFETY: the length is a constant, and items are numbers.
unsafe impl Access for Broken {
    type Item = u64;

    fn len(&self) -> u64 {
        10
    }

    unsafe fn item(&self, index: u64) -> u64 {
        assert!(index < 5, "item {index} cannot be made");
        index
    }
}

impl Indexed for Broken {
    type Item = u64;
    type Access = Self;

    fn items(self) -> Items<Self> {
        // SAFETY: items are numbers.
        unsafe { Items::new(self) }
    }
}

#[test]
fn an_own_type_is_walked_like_the_others() {
    let pool = eager_pool(3);
    let len = if cfg!(miri) { 12 } else { 3000 };
    for step in if cfg!(miri) { vec![2] } else { vec![1, 2, 7, len, len + 1] } {
        let mut xs: Vec<usize> = (0..len).collect();
        let expected: Vec<usize> = (0..len).rev().step_by(step).collect();
        assert!(items(&pool, Backwards { slice: &mut xs, step }).into_iter().eq(&expected), "{step}");
        let numbered = items(&pool, (1_usize.., Backwards { slice: &mut xs, step }));
        assert!(numbered.into_iter().map(|(i, x)| (i, *x)).eq((1..).zip(expected)), "{step}");
        pool.run(|mut s| s.for_each_affine(&mut Affinity::new(), Backwards { slice: &mut xs, step }, |_, x| *x = len));
        assert!(xs.iter().rev().enumerate().all(|(i, &x)| (x == len) == i.is_multiple_of(step)), "{step}");
    }
    assert!(items(&pool, Backwards { slice: &mut [0_u8; 0], step: 1 }).is_empty());
}

#[cfg(panic = "unwind")]
#[test]
fn an_item_that_cannot_be_made_ends_the_loop_like_a_body_that_panics() {
    let pool = eager_pool(3);
    let text = common::panic_text(|| pool.run(|mut s| s.for_each(Broken, |_, _| ())));
    assert!(text.ends_with("cannot be made"), "{text}");
    // The items beside it are dropped.
    let shared = std::sync::Arc::new(());
    let made = (0..10).map(|_| shared.clone()).collect::<Vec<_>>();
    let run = || pool.run(|mut s| s.map_reduce((&made, Broken), Vec::new, |_, (kept, _)| vec![kept.clone()], |a, _| a));
    assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    assert_eq!(std::sync::Arc::strong_count(&shared), 11);
}
