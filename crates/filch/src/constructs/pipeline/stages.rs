//! The stages of a pipeline, as one type: each knows what comes after it, so a batch goes through all of them by plain
//! calls.
//!
//! A pipeline is built from the front, and each of its stages must know the next one. So stages are collected first
//! ([`Stages`]), and chained from the back when the pipeline is run ([`Carry`]).

use super::batch::{Batch, Line};
use super::turn::Turn;
use std::marker::PhantomData;

/// Stages that turn a `T` into a `U`, or fail with an `E`.
pub trait Stages<T, U, E>: Send {
    /// These stages, with what comes after them.
    type Before<N: Carry<U, E>>: Carry<T, E>;

    /// Puts these stages before others.
    fn before<N: Carry<U, E>>(self, next: N) -> Self::Before<N>;
}

/// A stage and all that come after it.
pub trait Carry<T, E>: Send + Sync {
    /// Whether there is no stage.
    const IS_END: bool;

    /// Carries a batch through these stages, as far as possible. Returns it if it has passed the last one.
    fn carry(&self, line: &Line<'_, E>, batch: Batch<T>) -> Option<Batch<()>>;

    /// Carries a parked batch on, the one that is nearest to the end. `None` if none is ready.
    fn carry_parked(&self, line: &Line<'_, E>) -> Option<Option<Batch<()>>>;

    /// Whether a parked batch is ready.
    fn has_ready(&self) -> bool;
}

/// No stages.
pub(super) struct Nothing;

impl<T, E> Stages<T, T, E> for Nothing {
    type Before<N: Carry<T, E>> = N;

    fn before<N: Carry<T, E>>(self, next: N) -> N {
        next
    }
}

/// Stages of which the last one takes a `T`.
pub(super) struct Then<S, L, T> {
    first: S,
    last: L,
    between: PhantomData<fn(T)>,
}

impl<S, L, T> Then<S, L, T> {
    pub(super) fn new(first: S, last: L) -> Self {
        Then { first, last, between: PhantomData }
    }
}

/// A stage that handles many batches at a time, before the stages `N`.
pub(super) struct Parallel<F, N = (), U = ()> {
    f: F,
    next: N,
    result: PhantomData<fn(U)>,
}

impl<F> Parallel<F> {
    pub(super) fn new(f: F) -> Self {
        Parallel { f, next: (), result: PhantomData }
    }
}

impl<S, F, T, U, V, E> Stages<T, V, E> for Then<S, Parallel<F>, U>
where
    S: Stages<T, U, E>,
    F: Fn(U) -> Result<V, E> + Send + Sync,
    V: Send,
{
    type Before<N: Carry<V, E>> = S::Before<Parallel<F, N, V>>;

    fn before<N: Carry<V, E>>(self, next: N) -> Self::Before<N> {
        self.first.before(Parallel { f: self.last.f, next, result: PhantomData })
    }
}

impl<F, N, T, U, E> Carry<T, E> for Parallel<F, N, U>
where
    F: Fn(T) -> Result<U, E> + Send + Sync,
    N: Carry<U, E>,
{
    const IS_END: bool = false;

    fn carry(&self, line: &Line<'_, E>, batch: Batch<T>) -> Option<Batch<()>> {
        self.next.carry(line, line.pass(batch, &self.f))
    }

    fn carry_parked(&self, line: &Line<'_, E>) -> Option<Option<Batch<()>>> {
        self.next.carry_parked(line)
    }

    fn has_ready(&self) -> bool {
        self.next.has_ready()
    }
}

/// A stage that handles one batch at a time, before the stages `N`.
pub(super) struct Serial<F> {
    f: F,
    is_in_order: bool,
}

impl<F> Serial<F> {
    pub(super) fn in_order(f: F) -> Self {
        Serial { f, is_in_order: true }
    }

    pub(super) fn in_any_order(f: F) -> Self {
        Serial { f, is_in_order: false }
    }
}

impl<S, F, T, U, V, E> Stages<T, V, E> for Then<S, Serial<F>, U>
where
    S: Stages<T, U, E>,
    F: FnMut(U) -> Result<V, E> + Send,
    U: Send,
    V: Send,
{
    type Before<N: Carry<V, E>> = S::Before<SerialCarry<F, U, V, N>>;

    fn before<N: Carry<V, E>>(self, next: N) -> Self::Before<N> {
        let Serial { f, is_in_order } = self.last;
        self.first.before(SerialCarry { turn: Turn::new(is_in_order, f), next, result: PhantomData })
    }
}

/// A [`Serial`] stage, before others.
pub(super) struct SerialCarry<F, T, U, N> {
    turn: Turn<T, F>,
    next: N,
    result: PhantomData<fn(U)>,
}

impl<F, T, U, N> SerialCarry<F, T, U, N> {
    /// Passes a batch through the stage, which this worker has entered, and carries it on.
    fn pass<E>(&self, line: &Line<'_, E>, (batch, mut f): (Batch<T>, F)) -> Option<Batch<()>>
    where
        F: FnMut(T) -> Result<U, E>,
        N: Carry<U, E>,
    {
        let batch = line.pass(batch, &mut f);
        // After the last stage this worker is free for the parked batch itself.
        if self.turn.leave(f) && !N::IS_END {
            (line.hire)();
        }
        self.next.carry(line, batch)
    }
}

impl<F, T, U, N, E> Carry<T, E> for SerialCarry<F, T, U, N>
where
    F: FnMut(T) -> Result<U, E> + Send,
    T: Send,
    N: Carry<U, E>,
{
    const IS_END: bool = false;

    fn carry(&self, line: &Line<'_, E>, batch: Batch<T>) -> Option<Batch<()>> {
        self.pass(line, self.turn.enter(batch)?)
    }

    fn carry_parked(&self, line: &Line<'_, E>) -> Option<Option<Batch<()>>> {
        self.next.carry_parked(line).or_else(|| Some(self.pass(line, self.turn.enter_with_parked()?)))
    }

    fn has_ready(&self) -> bool {
        self.next.has_ready() || self.turn.has_ready()
    }
}

/// What comes after the last stage.
pub(super) struct End;

impl<E> Carry<(), E> for End {
    const IS_END: bool = true;

    fn carry(&self, _: &Line<'_, E>, batch: Batch<()>) -> Option<Batch<()>> {
        Some(batch)
    }

    fn carry_parked(&self, _: &Line<'_, E>) -> Option<Option<Batch<()>>> {
        None
    }

    fn has_ready(&self) -> bool {
        false
    }
}
