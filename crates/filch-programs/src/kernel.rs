//! The work of a program on an input in memory, written once, and the interface that the lab has to it.

use filch::Strand;

use crate::answer::Mismatch;
use crate::runtime::{Chili, Filch, FilchImplicit, Rayon, RayonTuned, Runtime, Serial, Token, Tuning, Tunings};

/// An input in memory and the work to be done on it, on any runtime. Each program implements this trait.
pub trait Kernel: Send {
    /// Does the work. Calls are repeated, so each must do the same as the one before.
    fn run<R: Runtime>(&mut self, t: Token<R>);

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

    /// Runs the Filch form from the strand of a `run`.
    fn filch(&mut self, s: Strand<'_>);

    /// Runs the rayon form, on the pool in which the caller is installed.
    fn rayon(&mut self);

    /// Runs the rayon form with its loops tuned by hand, on the same pool. Without loops, this is the rayon form.
    fn rayon_tuned(&mut self, _: Tunings) {
        self.rayon();
    }

    /// Runs the chili form in the scope of a chili pool.
    fn chili(&mut self, scope: &mut chili::Scope<'_>);

    /// Checks what was computed since the last check: see [`Kernel::verify`].
    fn verify(&mut self) -> Result<(), Mismatch>;

    /// Changes the cut-off, at least 1, of a program that has one: see [`Grain`](crate::program::Grain).
    fn set_grain(&mut self, grain: u64);
}

impl<K: Kernel> Instance for K {
    fn serial(&mut self) {
        self.run(Serial::token());
    }

    fn filch(&mut self, s: Strand<'_>) {
        self.run(Filch::token(s));
    }

    fn rayon(&mut self) {
        self.run(Rayon::token());
    }

    fn rayon_tuned(&mut self, tunings: Tunings) {
        match [tunings.outer, tunings.inner].map(Tuning::has_max_len) {
            [false, false] => self.run(RayonTuned::<false, false>::token(&tunings)),
            [false, true] => self.run(RayonTuned::<false, true>::token(&tunings)),
            [true, false] => self.run(RayonTuned::<true, false>::token(&tunings)),
            [true, true] => self.run(RayonTuned::<true, true>::token(&tunings)),
        }
    }

    fn chili(&mut self, scope: &mut chili::Scope<'_>) {
        self.run(Chili::token(scope));
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        Kernel::verify(self)
    }

    fn set_grain(&mut self, grain: u64) {
        Kernel::set_grain(self, grain.max(1));
    }
}

/// A kernel whose Filch form uses no strands.
#[derive(Debug)]
pub struct Implicit<K>(pub K);

impl<K: Kernel> Instance for Implicit<K> {
    fn serial(&mut self) {
        self.0.serial();
    }

    fn filch(&mut self, _: Strand<'_>) {
        self.0.run(FilchImplicit::token());
    }

    fn rayon(&mut self) {
        self.0.rayon();
    }

    fn rayon_tuned(&mut self, tunings: Tunings) {
        self.0.rayon_tuned(tunings);
    }

    fn chili(&mut self, scope: &mut chili::Scope<'_>) {
        self.0.chili(scope);
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        Instance::verify(&mut self.0)
    }

    fn set_grain(&mut self, grain: u64) {
        Instance::set_grain(&mut self.0, grain);
    }
}
