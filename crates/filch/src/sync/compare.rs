//! Relaxed loads whose value is only compared.
//!
//! On x86-64 a comparison with a word in memory is one instruction, but LLVM never folds an atomic load into it. Every
//! fork has two or three such comparisons, so they are written by hand there. They act as relaxed loads: other threads
//! may write the word at the same time.

use super::{AtomicPtr, AtomicUsize};
pub(crate) use by::*;

/// Comparisons in assembly.
#[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(any(loom, miri, filch_sanitizer = "thread"))))]
mod by {
    use super::*;
    use std::arch::asm;
    use std::ptr::NonNull;

    /// Whether `word` is null.
    #[inline(always)]
    pub(crate) fn is_null<T>(word: &AtomicPtr<T>) -> bool {
        // SAFETY: the assembly reads one borrowed word, as a relaxed load does, and changes only the flags.
        unsafe {
            asm!(
                "cmp qword ptr [{word}], 0",
                "jne {other}",
                word = in(reg) word.as_ptr(),
                other = label { return false },
                options(nostack, readonly),
            );
        }
        true
    }

    /// Whether the word before `word`, as an address, is greater than `LIMIT`.
    ///
    /// # Safety
    ///
    /// There is an initialised word before this one, which lives as long as this one.
    #[inline(always)]
    pub(crate) unsafe fn previous_exceeds<const LIMIT: usize, T>(word: NonNull<AtomicPtr<T>>) -> bool {
        // SAFETY: the assembly reads a word that lives, by contract, as a relaxed load does, and changes only the
        // flags.
        unsafe {
            asm!(
                "cmp qword ptr [{word} - 8], {limit}",
                "jbe {other}",
                word = in(reg) word.as_ptr(),
                limit = const LIMIT,
                other = label { return false },
                options(nostack, readonly),
            );
        }
        true
    }

    /// Whether `word` is greater than `limit`.
    #[inline(always)]
    pub(crate) fn exceeds(word: &AtomicUsize, limit: usize) -> bool {
        // SAFETY: the assembly reads one borrowed word, as a relaxed load does, and changes only the flags.
        unsafe {
            asm!(
                "cmp qword ptr [{word}], {limit}",
                "ja {above}",
                word = in(reg) word.as_ptr(),
                limit = in(reg) limit,
                above = label { return true },
                options(nostack, readonly),
            );
        }
        false
    }
}

/// Comparisons that are left to the compiler. Loom, Miri and ThreadSanitizer have to see the loads.
#[cfg(not(all(
    target_arch = "x86_64",
    target_pointer_width = "64",
    not(any(loom, miri, filch_sanitizer = "thread"))
)))]
mod by {
    use super::*;
    use crate::sync::Ordering;
    use std::ptr::NonNull;

    /// Whether `word` is null.
    #[inline(always)]
    pub(crate) fn is_null<T>(word: &AtomicPtr<T>) -> bool {
        word.load(Ordering::Relaxed).is_null()
    }

    /// Whether the word before `word`, as an address, is greater than `LIMIT`.
    ///
    /// # Safety
    ///
    /// There is an initialised word before this one, in the same allocation, which lives as long as this one.
    #[inline(always)]
    pub(crate) unsafe fn previous_exceeds<const LIMIT: usize, T>(word: NonNull<AtomicPtr<T>>) -> bool {
        let previous = word.as_ptr().wrapping_sub(1);
        // SAFETY: by contract that word is in the same allocation, initialised, and lives.
        unsafe { &*previous }.load(Ordering::Relaxed).addr() > LIMIT
    }

    /// Whether `word` is greater than `limit`.
    #[inline(always)]
    pub(crate) fn exceeds(word: &AtomicUsize, limit: usize) -> bool {
        word.load(Ordering::Relaxed) > limit
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::ptr::{self, NonNull};

    #[test]
    fn compares_are_those_of_loads() {
        let mut value = 0_u8;
        assert!(is_null(&AtomicPtr::<u8>::new(ptr::null_mut())) && !is_null(&AtomicPtr::new(&raw mut value)));
        for (word, limit) in [(0, 0), (1, 0), (0, 1), (usize::MAX, usize::MAX - 1), (usize::MAX, 1), (1 << 63, 1)] {
            assert_eq!(exceeds(&AtomicUsize::new(word), limit), word > limit, "{word} and {limit}");
        }
        for address in [0, 2, 3, 4, 1 << 63] {
            let words = [address, 0].map(|address| AtomicPtr::<u8>::new(ptr::without_provenance_mut(address)));
            // SAFETY: this is the second of two words.
            let second = unsafe { NonNull::from(&words).cast::<AtomicPtr<u8>>().add(1) };
            // SAFETY: the first of them is before it.
            assert_eq!(unsafe { previous_exceeds::<3, _>(second) }, address > 3, "{address}");
        }
    }
}
