//! How a child and its inlet run: what knows their types.

use super::child::{Room, Words};
use super::children::Children;
use super::state::{Shared, State};
use super::strand::{Aborted, SpeculativeStrand};
use crate::constructs::drop_while_unwinding::Quiet;
use crate::constructs::strand::Strand;
use crate::engine::team::Top;

/// Puts a child into a room of its procedure.
///
/// # Safety
///
/// The room is the caller's. The child is run, dropped or moved out before anything that it borrows ends.
#[inline(always)]
pub(super) unsafe fn put<S: Send, T, C, F>(room: &Room<S>, child: C, inlet: F)
where
    C: FnOnce(SpeculativeStrand<'_>, State<'_, S>) -> Result<T, Aborted> + Send,
    F: FnOnce(&mut S, T) + Send,
{
    if const { size_of::<(C, F)>() <= size_of::<Words>() && align_of::<(C, F)>() <= align_of::<Words>() } {
        // SAFETY: guaranteed by the caller, and it fits.
        unsafe { room.put((child, inlet), finish_inline::<S, T, C, F>) };
    } else {
        // SAFETY: guaranteed by the caller, and a box fits.
        unsafe { room.put(Box::new((child, inlet)), finish_boxed::<S, T, C, F>) };
    }
}

/// # Safety
///
/// `words` hold a `(C, F)`, which is not used again. `here` is null, or the frame of the procedure, which this thread
/// runs.
unsafe fn finish_inline<S: Send, T, C, F>(
    words: *const Words,
    here: *const (),
    elsewhere: Option<(Top<'_>, &Shared<S>)>,
) where
    C: FnOnce(SpeculativeStrand<'_>, State<'_, S>) -> Result<T, Aborted> + Send,
    F: FnOnce(&mut S, T) + Send,
{
    // SAFETY: guaranteed by the caller.
    let (child, inlet) = unsafe { words.cast::<(C, F)>().read() };
    // SAFETY: guaranteed by the caller.
    finish(child, inlet, unsafe { Children::at(here) }, elsewhere);
}

/// # Safety
///
/// As for [`finish_inline`], with a `Box<(C, F)>`.
unsafe fn finish_boxed<S: Send, T, C, F>(words: *const Words, here: *const (), elsewhere: Option<(Top<'_>, &Shared<S>)>)
where
    C: FnOnce(SpeculativeStrand<'_>, State<'_, S>) -> Result<T, Aborted> + Send,
    F: FnOnce(&mut S, T) + Send,
{
    // SAFETY: guaranteed by the caller.
    let (child, inlet) = *unsafe { words.cast::<Box<(C, F)>>().read() };
    // SAFETY: guaranteed by the caller.
    finish(child, inlet, unsafe { Children::at(here) }, elsewhere);
}

#[inline(always)]
fn finish<S: Send, T, C, F>(child: C, inlet: F, here: Option<Children<'_, S>>, elsewhere: Option<(Top<'_>, &Shared<S>)>)
where
    C: FnOnce(SpeculativeStrand<'_>, State<'_, S>) -> Result<T, Aborted> + Send,
    F: FnOnce(&mut S, T) + Send,
{
    if let Some(children) = here {
        let shared = children.shared();
        // SAFETY: used by a child.
        let stops = unsafe { shared.speculation.stops() };
        let s = children.strand();
        let inlet = Quiet::new(s.occupied(), inlet);
        let result = child(SpeculativeStrand::within(s, stops), State(shared));
        children.fold(result, inlet.take());
    } else if let Some((top, shared)) = elsewhere {
        // SAFETY: used by a child.
        let stops = unsafe { shared.speculation.stops() };
        let inlet = Quiet::new(*top, inlet);
        let result = child(SpeculativeStrand::within(Strand::of(top), stops), State(shared));
        shared.fold(result, inlet.take());
    }
}
