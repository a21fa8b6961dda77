//! How much stack a thread has left.

use std::cell::Cell;
use std::hint::black_box;

/// Room that a recursion leaves at the end of the stack, in bytes: for the calls of the runtime below the last check,
/// which may wait for a part that has moved and meanwhile run others.
const MARGIN_BYTES: usize = 256 << 10;

/// An address in the frame of the caller, roughly.
#[inline(always)]
pub(super) fn here() -> usize {
    let marker = 0_u8;
    (&raw const *black_box(&marker)).addr()
}

/// The address down to which a recursion on this thread may grow the stack, or `None` if the system does not report it.
/// The first call on a thread asks the system.
pub(super) fn floor() -> Option<usize> {
    thread_local! {
        static FLOOR: Cell<Option<Option<usize>>> = const { Cell::new(None) };
    }
    FLOOR.with(|cell| {
        if cell.get().is_none() {
            cell.set(Some(end().map(|end| end.saturating_add(MARGIN_BYTES))));
        }
        cell.get().flatten()
    })
}

/// The lowest address of the stack of this thread.
#[cfg(all(target_os = "linux", not(miri)))]
fn end() -> Option<usize> {
    use std::mem::MaybeUninit;
    use std::ptr;

    let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
    // SAFETY: the function has no preconditions.
    let thread = unsafe { libc::pthread_self() };
    // SAFETY: this thread exists, and there is room for the attributes.
    if unsafe { libc::pthread_getattr_np(thread, attributes.as_mut_ptr()) } != 0 {
        return None;
    }
    let (mut lowest, mut bytes) = (ptr::null_mut(), 0);
    // SAFETY: the call above has succeeded, so it has initialized the attributes.
    let result = unsafe { libc::pthread_attr_getstack(attributes.as_ptr(), &raw mut lowest, &raw mut bytes) };
    // SAFETY: the attributes are initialized, and nothing uses them from here on.
    unsafe { libc::pthread_attr_destroy(attributes.as_mut_ptr()) };
    (result == 0).then(|| lowest.addr())
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn end() -> Option<usize> {
    None
}

#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests {
    use super::*;

    #[test]
    fn the_room_on_a_thread_is_its_stack_less_the_margin() {
        let bytes = 1 << 20;
        let thread = std::thread::Builder::new().stack_size(bytes).spawn(|| here() - floor().unwrap()).unwrap();
        let room = thread.join().unwrap();
        assert!((bytes - MARGIN_BYTES - (64 << 10)..bytes).contains(&room), "{room} of {bytes}");
    }
}
