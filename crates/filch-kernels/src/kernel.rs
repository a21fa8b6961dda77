//! The work of a program on an input in memory, written once, and the interface that the lab has to it.

use std::marker::PhantomData;

use filch::Strand;
#[cfg(feature = "lab")]
use filch_cluster::{Cluster, ClusterError};

use crate::answer::Mismatch;
use crate::runtime::{Chili, Filch, FilchImplicit, Rayon, RayonTuned, Runtime, Serial, Token, Tuning, Tunings};
#[cfg(feature = "lab")]
use crate::runtime::{Counting, Recording, Segment};

/// An input in memory and the work to be done on it, on any runtime. Each program implements this trait.
pub trait Kernel: Send {
    /// How deep its loops are nested, which is the number of [`Program::loops`](crate::Program::loops). Only these have
    /// tuned rayon forms: each form takes as long to compile as all others of the program.
    const LOOPS: usize = 0;

    /// Does the work. Calls are repeated, so each must do the same as the one before.
    fn run<R: Runtime>(&mut self, t: Token<R>);

    /// Does the same by the best serial program, if that is another algorithm: a star of figure 6 of Frigo, Leiserson
    /// and Randall (1998). Returns whether it is; if not, does nothing. The check is that of [`run`](Self::run).
    fn rival(&mut self) -> bool {
        false
    }

    /// Checks what was computed since the last check, independently of how it was computed, and forgets it. If nothing
    /// was computed, that is a mismatch too.
    ///
    /// A result that is a single value is kept from every call (see [`Answer`](crate::answer::Answer)). A result that
    /// fills memory is overwritten by the next call, so only what the last call left is checked; where that call wrote
    /// nothing, this comes from an earlier call. Only a check after every call rules that out.
    fn verify(&mut self) -> Result<(), Mismatch>;

    /// Changes the cut-off, which is at least 1. Programs without a cut-off ignore it.
    fn set_grain(&mut self, _: u64) {}
}

/// An input in memory, ready to be run by any runner: a [`Kernel`] as an object.
///
/// The entry points go through dynamic dispatch once per call; no fork does.
pub trait Instance: Send {
    /// Runs the serial elision.
    fn serial(&mut self);

    /// Runs the best serial program, if that is not the serial elision: see [`Kernel::rival`].
    fn rival(&mut self) -> bool {
        false
    }

    /// Runs the Filch form from the strand of a `run`.
    fn filch(&mut self, s: Strand<'_>);

    /// Runs the Filch form by all ranks, each of which must call this. Does nothing if there is no such form: see
    /// [`Program::is_for_ranks`](crate::Program::is_for_ranks).
    #[cfg(feature = "lab")]
    fn on_ranks(&mut self, _: &Cluster) -> Result<(), ClusterError> {
        Ok(())
    }

    /// Runs the rayon form, on the pool in which the caller is installed.
    fn rayon(&mut self);

    /// Runs the rayon form with its loops tuned by hand, on the same pool. Without loops, this is the rayon form.
    fn rayon_tuned(&mut self, _: Tunings) {
        self.rayon();
    }

    /// How deep the loops are nested that are tuned: see [`Kernel::LOOPS`].
    fn loops(&self) -> usize {
        0
    }

    /// Runs the chili form in the scope of a chili pool.
    fn chili(&mut self, scope: &mut chili::Scope<'_>);

    /// Runs it in order and returns the number of threads that eager creation makes on this many workers: see
    /// [`Counting`]. `None` if it cannot be counted.
    #[cfg(feature = "lab")]
    fn count_threads(&mut self, _: usize) -> Option<u64> {
        None
    }

    /// Runs it in order and tells its segments: see [`Recording`]. Returns whether it can be recorded; if not, it does
    /// nothing.
    #[cfg(feature = "lab")]
    fn record(&mut self, _: &mut dyn FnMut(Segment<'_>)) -> bool {
        false
    }

    /// Checks what was computed since the last check: see [`Kernel::verify`].
    fn verify(&mut self) -> Result<(), Mismatch>;

    /// Changes the cut-off, at least 1, of a program that has one: see [`Grain`](crate::program::Grain).
    fn set_grain(&mut self, grain: u64);
}

impl<K: Kernel> Instance for K {
    fn serial(&mut self) {
        self.run(Serial::token());
    }

    fn rival(&mut self) -> bool {
        Kernel::rival(self)
    }

    fn filch(&mut self, s: Strand<'_>) {
        self.run(Filch::token(s));
    }

    fn rayon(&mut self) {
        self.run(Rayon::token());
    }

    fn rayon_tuned(&mut self, tunings: Tunings) {
        // The compiler makes no code for the arms of the outer `match` that a kernel does not need.
        let [outer, inner] = [tunings.outer, tunings.inner].map(Tuning::has_max_len);
        match K::LOOPS {
            0 => self.run(Rayon::token()),
            1 => match outer {
                false => self.run(RayonTuned::<false, false>::token(&tunings)),
                true => self.run(RayonTuned::<true, false>::token(&tunings)),
            },
            _ => match [outer, inner] {
                [false, false] => self.run(RayonTuned::<false, false>::token(&tunings)),
                [false, true] => self.run(RayonTuned::<false, true>::token(&tunings)),
                [true, false] => self.run(RayonTuned::<true, false>::token(&tunings)),
                [true, true] => self.run(RayonTuned::<true, true>::token(&tunings)),
            },
        }
    }

    fn loops(&self) -> usize {
        K::LOOPS
    }

    fn chili(&mut self, scope: &mut chili::Scope<'_>) {
        self.run(Chili::token(scope));
    }

    #[cfg(feature = "lab")]
    fn count_threads(&mut self, workers: usize) -> Option<u64> {
        Some(Counting::count(workers, |t| self.run(t)))
    }

    #[cfg(feature = "lab")]
    fn record(&mut self, listener: &mut dyn FnMut(Segment<'_>)) -> bool {
        Recording::record(listener, |t| self.run(t));
        true
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        Kernel::verify(self)
    }

    fn set_grain(&mut self, grain: u64) {
        Kernel::set_grain(self, grain.max(1));
    }
}

/// The serial form and the Filch form of a kernel whose [`run`](Kernel::run) is not meant for these.
pub trait Forms<K> {
    /// Runs the serial form.
    fn serial(kernel: &mut K);

    /// Runs the Filch form from the strand of a `run`.
    fn filch(kernel: &mut K, s: Strand<'_>);

    /// Runs the Filch form by all ranks.
    #[cfg(feature = "lab")]
    fn on_ranks(_: &mut K, _: &Cluster) -> Result<(), ClusterError> {
        Ok(())
    }
}

/// A kernel with `F` as its serial form and its Filch form. The others are those of the kernel.
#[derive(Debug)]
pub struct WithForms<K, F>(K, PhantomData<F>);

impl<K, F> WithForms<K, F> {
    /// The kernel with these forms.
    pub fn new(kernel: K) -> Self {
        Self(kernel, PhantomData)
    }
}

impl<K: Kernel, F: Forms<K> + Send> Instance for WithForms<K, F> {
    fn serial(&mut self) {
        F::serial(&mut self.0);
    }

    fn rival(&mut self) -> bool {
        Instance::rival(&mut self.0)
    }

    fn filch(&mut self, s: Strand<'_>) {
        F::filch(&mut self.0, s);
    }

    #[cfg(feature = "lab")]
    fn on_ranks(&mut self, cluster: &Cluster) -> Result<(), ClusterError> {
        F::on_ranks(&mut self.0, cluster)
    }

    fn rayon(&mut self) {
        self.0.rayon();
    }

    fn rayon_tuned(&mut self, tunings: Tunings) {
        self.0.rayon_tuned(tunings);
    }

    fn loops(&self) -> usize {
        self.0.loops()
    }

    fn chili(&mut self, scope: &mut chili::Scope<'_>) {
        self.0.chili(scope);
    }

    #[cfg(feature = "lab")]
    fn count_threads(&mut self, workers: usize) -> Option<u64> {
        self.0.count_threads(workers)
    }

    #[cfg(feature = "lab")]
    fn record(&mut self, listener: &mut dyn FnMut(Segment<'_>)) -> bool {
        self.0.record(listener)
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        Instance::verify(&mut self.0)
    }

    fn set_grain(&mut self, grain: u64) {
        Instance::set_grain(&mut self.0, grain);
    }
}

/// The forms of a kernel whose Filch form uses no strands.
#[derive(Debug)]
pub struct Implicit;

impl<K: Kernel> Forms<K> for Implicit {
    fn serial(kernel: &mut K) {
        kernel.serial();
    }

    fn filch(kernel: &mut K, _: Strand<'_>) {
        kernel.run(FilchImplicit::token());
    }
}
