//! Joins whose branches share an accumulator as long as no work moves.

use crate::constructs::strand::Strand;
use std::ptr::NonNull;

impl Strand<'_> {
    /// Runs `a` and `b`, as [`join`](Self::join) does, and lets both add to one accumulator.
    ///
    /// If `b` stays with this worker, it runs after `a` and gets the same accumulator. If `b` moves, its worker makes
    /// another one by `make`, and `merge` adds that to the first one when both branches are over. So what is
    /// accumulated is in the order of the serial program, and only branches that move need another accumulator.
    ///
    /// This is the long-term use of accumulators (Yasugi et al. 2012, sections 5.2 and 5.3: worker data in Tascell, and
    /// `SYNCHED` in Cilk). In the short-term use (section 5.1), each branch of a plain [`join`](Self::join) returns an
    /// accumulator of its own. To learn only whether a branch has moved, see [`join_context`](Self::join_context).
    ///
    /// Work: that of [`join`](Self::join); one `make` and one `merge` if `b` moves. Span: that of the longer branch,
    /// and one `make` and one `merge`.
    ///
    /// ```
    /// struct Vertex { name: u32, children: Vec<Vertex> }
    ///
    /// /// Adds the vertices below some roots to `found`, each before its children.
    /// fn collect(mut s: filch::Strand<'_>, forest: &[Vertex], found: &mut Vec<u32>) {
    ///     match forest {
    ///         [] => {}
    ///         [root] => {
    ///             found.push(root.name);
    ///             collect(s, &root.children, found);
    ///         }
    ///         _ => {
    ///             let (left, right) = forest.split_at(forest.len() / 2);
    ///             s.join_with(
    ///                 found,
    ///                 Vec::new,
    ///                 |s, found| collect(s, left, found),
    ///                 |s, found| collect(s, right, found),
    ///                 |found, later| found.extend(later),
    ///             );
    ///         }
    ///     }
    /// }
    ///
    /// let leaf = |name| Vertex { name, children: vec![] };
    /// let forest = [Vertex { name: 1, children: vec![leaf(2), leaf(3)] }, leaf(4), leaf(5)];
    /// let mut found = vec![];
    /// filch::run(|s| collect(s, &forest, &mut found));
    /// assert_eq!(found, [1, 2, 3, 4, 5]);
    /// ```
    /// Accumulators move between threads:
    /// ```compile_fail,E0277
    /// let mut shared = vec![std::rc::Rc::new(1)];
    /// filch::Pool::global().unwrap().run(|mut s| s.join_with(&mut shared, Vec::new, |_, _| (), |_, _| (), |_, _| ()));
    /// ```
    /// A branch cannot keep its accumulator:
    /// ```compile_fail
    /// filch::run(|mut s| {
    ///     let mut sum = 0;
    ///     let (kept, ()) = s.join_with(&mut sum, || 0, |_, sum| sum, |_, _| (), |_, _| ());
    ///     *kept += 1;
    /// });
    /// ```
    ///
    /// # Panics
    ///
    /// As [`join`](Self::join). Also if `make` or `merge` panics. Then the accumulator has what was added so far.
    #[inline]
    #[track_caller]
    pub fn join_with<W, A, B, RA, RB>(
        &mut self,
        accumulator: &mut W,
        make: impl FnOnce() -> W + Send,
        a: A,
        b: B,
        merge: impl FnOnce(&mut W, W),
    ) -> (RA, RB)
    where
        W: Send,
        A: FnOnce(Strand<'_>, &mut W) -> RA,
        B: FnOnce(Strand<'_>, &mut W) -> RB + Send,
        RB: Send,
    {
        let shared = Shared(NonNull::from(&mut *accumulator));
        let (a, (b, moved)) = self.join_context(
            #[inline(always)]
            |s, _| {
                // SAFETY: a second branch that uses the accumulator runs later, on this thread. The caller waits.
                a(s, unsafe { shared.get() })
            },
            #[inline(always)]
            |s, context| {
                if context.migrated() {
                    let mut own = make();
                    let result = b(s, &mut own);
                    (result, Some(own))
                } else {
                    // SAFETY: a second branch that has not moved runs on the thread of the fork, after the first one
                    // has returned.
                    (b(s, unsafe { shared.get() }), None)
                }
            },
        );
        if let Some(later) = moved {
            merge(accumulator, later);
        }
        (a, b)
    }
}

/// The accumulator of a join. One branch at a time uses it.
struct Shared<W>(NonNull<W>);

impl<W> Clone for Shared<W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for Shared<W> {}

// SAFETY: it is the right to use a `W` on the thread of the branch, and `W` is `Send`.
unsafe impl<W: Send> Send for Shared<W> {}
// SAFETY: branches copy the pointer, and one at a time uses it (see `get`).
unsafe impl<W: Send> Sync for Shared<W> {}

impl<W> Shared<W> {
    /// # Safety
    ///
    /// The accumulator is borrowed by the caller's join, and no other branch uses it during `'w`.
    #[inline(always)]
    unsafe fn get<'w>(self) -> &'w mut W {
        let mut place = self.0;
        // SAFETY: guaranteed by the caller.
        unsafe { place.as_mut() }
    }
}
