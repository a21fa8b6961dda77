//! Strands with a stream.

use super::stream::Stream;
use crate::constructs::loops::Indexed;
use crate::constructs::scope::Scope;
use crate::constructs::strand::Strand;
use std::fmt;

/// A strand with a [stream](Stream) of pseudo-random numbers, which it splits at each fork: every branch, iteration and
/// task gets a strand with numbers of its own. [`Strand::with_random`] makes the first one.
///
/// The numbers depend on the seed and on the place in the fork tree. So a seed reproduces a run, under every scheduler
/// and on any number of workers, if nothing else about the program depends on the schedule.
///
/// ```
/// use filch::random::RandomStrand;
///
/// /// Tosses 2^depth coins.
/// fn heads(mut s: RandomStrand<'_>, depth: u32) -> u64 {
///     if depth == 0 {
///         return s.random().below(2);
///     }
///     let (a, b) = s.join(|s| heads(s, depth - 1), |s| heads(s, depth - 1));
///     a + b
/// }
///
/// let found = filch::run(|mut s| s.with_random(2012, |s| heads(s, 10)));
/// assert!((400..624).contains(&found));
/// assert_eq!(found, filch::Pool::builder().workers(1).build()?.run(|mut s| s.with_random(2012, |s| heads(s, 10))));
/// # Ok::<(), filch::PoolError>(())
/// ```
///
/// The paper has the runtime keep the place of every strand (Leiserson, Schardl and Sukha 2012). A
/// [`Strand`] does not, so that a fork costs nothing more where nothing is random. Code that has this type pays for its
/// numbers itself: some twenty instructions for each fork or iteration.
///
/// For other constructs, take the plain [`strand`](Self::strand) and [split](Stream::split) the stream by hand.
pub struct RandomStrand<'s> {
    s: Strand<'s>,
    stream: Stream,
}

impl Strand<'_> {
    /// Calls `f` with a strand that has the pseudo-random numbers of `seed`.
    ///
    /// ```
    /// let number = || filch::run(|mut s| s.with_random(7, |mut s| s.random().next_u64()));
    /// assert_eq!(number(), number());
    /// ```
    #[inline]
    pub fn with_random<R>(&mut self, seed: u64, f: impl FnOnce(RandomStrand<'_>) -> R) -> R {
        f(RandomStrand::new(self.reborrow(), Stream::new(seed)))
    }
}

impl<'s> RandomStrand<'s> {
    /// A strand with this stream.
    #[inline]
    pub fn new(s: Strand<'s>, stream: Stream) -> Self {
        RandomStrand { s, stream }
    }

    /// The numbers of this strand.
    #[inline]
    pub fn random(&mut self) -> &mut Stream {
        &mut self.stream
    }

    /// The plain strand, for constructs without random numbers.
    #[inline]
    pub fn strand(&mut self) -> Strand<'_> {
        self.s.reborrow()
    }

    /// A strand for a call, which can be passed by value. It has numbers of its own; afterwards this strand can be used
    /// again.
    #[inline]
    pub fn reborrow(&mut self) -> RandomStrand<'_> {
        RandomStrand { stream: self.stream.split(), s: self.s.reborrow() }
    }

    /// [`Strand::join`], for branches with random numbers.
    ///
    /// # Panics
    ///
    /// As [`Strand::join`].
    #[inline]
    pub fn join<A, B, RA, RB>(&mut self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(RandomStrand<'_>) -> RA,
        B: FnOnce(RandomStrand<'_>) -> RB + Send,
        RB: Send,
    {
        let (first, second) = (self.stream.split(), self.stream.split());
        self.s.join(|s| a(RandomStrand::new(s, first)), |s| b(RandomStrand::new(s, second)))
    }

    /// [`Strand::for_each`], for a body with random numbers, which depend on the index of the item.
    ///
    /// ```
    /// let mut points = vec![[0.0, 0.0]; 1000];
    /// filch::run(|mut s| {
    ///     s.with_random(1, |mut s| {
    ///         s.for_each(&mut points, |mut s, point| *point = [s.random().next_f64(), s.random().next_f64()]);
    ///     });
    /// });
    /// let inside = points.iter().filter(|[x, y]| x * x + y * y < 1.0).count();
    /// assert!((700..870).contains(&inside), "about a thousand times π/4");
    /// ```
    ///
    /// # Panics
    ///
    /// As [`Strand::for_each`].
    #[inline]
    pub fn for_each<I, F>(&mut self, items: I, body: F)
    where
        I: Indexed,
        F: Fn(RandomStrand<'_>, I::Item) + Sync,
    {
        let streams = self.stream.streams();
        self.s.for_each((0_u64.., items), |s, (i, item)| body(RandomStrand::new(s, streams.at(i)), item));
    }

    /// [`Strand::map_reduce`], for a `map` with random numbers, which depend on the index of the item.
    ///
    /// # Panics
    ///
    /// As [`Strand::map_reduce`].
    #[inline]
    pub fn map_reduce<I, T, N, M, C>(&mut self, items: I, identity: N, map: M, combine: C) -> T
    where
        I: Indexed,
        T: Send,
        N: Fn() -> T + Sync,
        M: Fn(RandomStrand<'_>, I::Item) -> T + Sync,
        C: Fn(T, T) -> T + Sync,
    {
        let streams = self.stream.streams();
        let map = |s: Strand<'_>, (i, item)| map(RandomStrand::new(s, streams.at(i)), item);
        self.s.map_reduce((0_u64.., items), identity, map, combine)
    }

    /// [`Strand::for_each_item`], for a body with random numbers, which depend on how many items come before.
    ///
    /// # Panics
    ///
    /// As [`Strand::for_each_item`].
    pub fn for_each_item<I, F>(&mut self, items: I, body: F)
    where
        I: IntoIterator,
        I::IntoIter: Send,
        F: Fn(RandomStrand<'_>, I::Item) + Sync,
    {
        let streams = self.stream.streams();
        let items = (0..).zip(items);
        self.s.for_each_item(items, |s, (i, item)| body(RandomStrand::new(s, streams.at(i)), item));
    }

    /// [`Strand::scope`], for a body with random numbers. Tasks that are spawned by
    /// [`RandomStrand::spawn`](Self::spawn) have random numbers, too.
    ///
    /// # Panics
    ///
    /// As [`Strand::scope`].
    pub fn scope<'env, F, R>(&mut self, f: F) -> R
    where
        F: for<'scope> FnOnce(RandomStrand<'_>, &'scope Scope<'scope, 'env>) -> R,
    {
        let stream = self.stream.split();
        self.s.scope(|s, scope| f(RandomStrand::new(s, stream), scope))
    }

    /// [`Scope::spawn`], for a task with random numbers, which depend on the place of this strand and on how often it
    /// has forked and spawned.
    ///
    /// ```
    /// let mut numbers = [0; 4];
    /// filch::run(|mut s| {
    ///     s.with_random(1, |mut s| {
    ///         s.scope(|mut s, scope| {
    ///             for number in &mut numbers {
    ///                 s.spawn(scope, move |mut s| *number = s.random().next_u64());
    ///             }
    ///         });
    ///     });
    /// });
    /// assert!(numbers.iter().all(|&number| number != 0));
    /// ```
    pub fn spawn<'scope, F>(&mut self, scope: &'scope Scope<'scope, '_>, task: F)
    where
        F: FnOnce(RandomStrand<'_>) + Send + 'scope,
    {
        let stream = self.stream.split();
        scope.spawn(move |s| task(RandomStrand::new(s, stream)));
    }
}

impl fmt::Debug for RandomStrand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RandomStrand").finish_non_exhaustive()
    }
}
