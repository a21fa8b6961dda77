//! Parallel loops over indexed items, without a grain.
//!
//! [`indexed`] has what loops run over. The loops here run to their end; those in [`mod@stop`] can be stopped, the one
//! in [`affine`] is repeated over the same data, and the bodies of those in [`with`] have a state. The same loops
//! without a strand are in `free/loops.rs`.

mod affine;
mod any_loop;
mod body;
mod frame;
mod indexed;
mod indices;
mod run;
mod shared;
mod stop;
mod with;

pub use indexed::{Access, Chunks, ChunksMut, Indexed, Items, chunks, chunks_mut};

use crate::constructs::strand::Strand;
use body::{Body, Item};
use run::{run, run_fixed};
use std::marker::PhantomData;

impl Strand<'_> {
    /// Runs `body` on every item, in parallel.
    ///
    /// There is no grain to choose. The loop runs its items in order, in blocks of a few microseconds. Between two
    /// blocks it gives away half of its remaining items if another worker asks for work. An idle worker that gets no
    /// answer takes half of them. If loops are nested, the outermost one with items left is shared first (Acar,
    /// Charguéraud, Guatto, Rainey and Sieczkowski 2018, section 4; Yasugi et al. 2012, section 2.2).
    ///
    /// If the items of earlier loops with this body were cheap, the loop does not read the clock during its first few
    /// thousand items, unless another worker asks. In that time a block can take longer. It leaves half of the
    /// remaining items to others, or is at most three times as long as all blocks before it.
    ///
    /// Work: that of the plain loop, a few nanoseconds at the beginning, and some instructions for each block. Nothing
    /// is allocated unless a part of the loop moves. Span: that of the longest block, and the logarithm of the number
    /// of items.
    ///
    /// A loop allows parallelism but does not guarantee concurrency. An iteration that blocks until another iteration
    /// of the same loop begins can deadlock, because that iteration may come after it in the same block.
    ///
    /// ```
    /// let (mut areas, radii) = (vec![0.0; 1000], vec![2.0_f64; 1000]);
    /// filch::run(|mut s| s.for_each((&mut areas, &radii), |_, (area, r)| *area = r * r * 3.14));
    /// assert!(areas.iter().all(|&area| area == 12.56));
    /// ```
    ///
    /// The body is shared between threads, so it must be `Sync`:
    /// ```compile_fail,E0277
    /// let count = std::cell::Cell::new(0);
    /// filch::run(|mut s| s.for_each(0..10, |_, _| count.set(count.get() + 1)));
    /// ```
    ///
    /// # Panics
    ///
    /// If `body` panics. No further block begins, and blocks under way are awaited. Of several panics, the one with the
    /// lowest index is passed on.
    #[inline]
    pub fn for_each<I, F>(&mut self, items: I, body: F)
    where
        I: Indexed,
        F: Fn(Strand<'_>, I::Item) + Sync,
    {
        // Not by `map_reduce`: there is no shape to be fixed.
        run(
            self.reborrow(),
            items,
            MapReduce { identity: || (), map: body, combine: |(), ()| (), access: PhantomData },
        );
    }

    /// Maps every item, in parallel, and combines the results in the order of the items.
    ///
    /// Each part of the loop that runs separately starts with `identity`. `combine` must be associative, and `identity`
    /// must be its neutral element; `combine` need not be commutative. If it is only nearly associative, as
    /// floating-point addition is, the result depends on where the loop was split, which is nondeterministic, except on
    /// a [deterministic](crate::PoolBuilder::deterministic) pool.
    ///
    /// Work and span are those of [`for_each`](Self::for_each), and of one `combine` for each item and for each part.
    ///
    /// ```
    /// let words = ["to", "be", "or", "not"];
    /// let spaced = |_: filch::Strand<'_>, word: &&str| word.to_string() + " ";
    /// let text = filch::run(|mut s| s.map_reduce(&words, String::new, spaced, |a, b| a + &b));
    /// assert_eq!(text, "to be or not ");
    /// ```
    ///
    /// The results of parts move between threads, so they must be `Send`:
    /// ```compile_fail,E0277
    /// use std::rc::Rc;
    /// filch::run(|mut s| { s.map_reduce(0..10, || Rc::new(0), |_, i| Rc::new(i), |a, b| Rc::new(*a + *b)); });
    /// ```
    ///
    /// # Panics
    ///
    /// As [`for_each`](Self::for_each). Also if `identity` or `combine` panics.
    #[inline]
    pub fn map_reduce<I, T, N, M, C>(&mut self, items: I, identity: N, map: M, combine: C) -> T
    where
        I: Indexed,
        T: Send,
        N: Fn() -> T + Sync,
        M: Fn(Strand<'_>, I::Item) -> T + Sync,
        C: Fn(T, T) -> T + Sync,
    {
        let body = MapReduce { identity, map, combine, access: PhantomData };
        if self.occupied().owner().rules().fixes_shapes() {
            return run_fixed(self.reborrow(), items, body);
        }
        run(self.reborrow(), items, body)
    }
}

struct MapReduce<A, N, M, C> {
    identity: N,
    map: M,
    combine: C,
    access: PhantomData<A>,
}

impl<A, T, N, M, C> Body for MapReduce<A, N, M, C>
where
    A: Access,
    T: Send,
    N: Fn() -> T + Sync,
    M: Fn(Strand<'_>, A::Item) -> T + Sync,
    C: Fn(T, T) -> T + Sync,
{
    type Access = A;
    type Out = T;
    type Scratch<'b>
        = ()
    where
        Self: 'b;

    #[inline(always)]
    fn identity(&self) -> T {
        (self.identity)()
    }

    #[inline(always)]
    fn stride(&self, mut s: Strand<'_>, items: impl Iterator<Item = Item<Self>>, mut so_far: T, (): &mut ()) -> T {
        for item in items {
            so_far = (self.combine)(so_far, (self.map)(s.reborrow(), item));
        }
        so_far
    }

    #[inline(always)]
    fn combine(&self, left: T, right: T) -> T {
        (self.combine)(left, right)
    }
}
