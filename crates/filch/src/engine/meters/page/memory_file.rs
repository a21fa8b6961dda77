//! The page as a memory file of Linux, and what becomes of it in a child of fork(2).
//!
//! The file is sealed: it keeps its size, so that nobody can take memory away that this process writes to, and nobody
//! else can write to it (before Linux 5.1, others of the same user could). It is sealed when it is complete, so that
//! readers know an unfinished one. Its descriptor stays open, because others find it in `/proc/PID/fd`; exec closes it.
//!
//! A child would share the memory with its parent. So the first that it does is to put a private copy in the place of
//! the shared memory, and to close the descriptor. All that is done there may be done in a signal handler. A child that
//! is made without handlers, by clone(2) or vfork(2), may only exec or exit in any case.

use super::layout::Layout;
use crate::sync::process;
use std::fs::File;
use std::mem::ManuallyDrop;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU64, Ordering};
use std::{ptr, slice};

const NAME: &std::ffi::CStr = c"filch-pool";

const BYTES: usize = size_of::<Layout>();

/// The file of this process: where its memory is, or null if there is none; its descriptor; and which file it is.
/// Written by the thread that makes it, the place last, and in a child by its only thread.
static PLACE: AtomicPtr<Layout> = AtomicPtr::new(ptr::null_mut());
static DESCRIPTOR: AtomicI32 = AtomicI32::new(-1);
static DEVICE: AtomicU64 = AtomicU64::new(0);
static INODE: AtomicU64 = AtomicU64::new(0);

/// Makes the page of this process, which has none. `None` if the system refuses it.
pub(super) fn make() -> Option<&'static Layout> {
    if !watch() || !may_have_file() {
        return None;
    }
    let file = create()?;
    file.set_len(BYTES as u64).ok()?;
    let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED);
    // SAFETY: maps new memory, where the system likes.
    let place = unsafe { libc::mmap(ptr::null_mut(), BYTES, access, kind, file.as_raw_fd(), 0) };
    if place == libc::MAP_FAILED {
        return None;
    }
    let place = place.cast::<Layout>();
    // SAFETY: the file has that size for ever once it is sealed. It consists of zeros, which are a layout: atomic
    // integers. The memory is never unmapped, and what takes its place in a child is a copy.
    let layout = unsafe { &*place };
    let is_complete = layout.write_head().is_ok() && seal(&file);
    if !is_complete {
        // SAFETY: mapped above, and nobody else knows it.
        unsafe { libc::munmap(place.cast(), BYTES) };
        return None;
    }
    let (device, inode) = identity(file.as_raw_fd())?;
    DEVICE.store(device, Ordering::Relaxed);
    INODE.store(inode, Ordering::Relaxed);
    DESCRIPTOR.store(ManuallyDrop::new(file).as_raw_fd(), Ordering::Relaxed);
    PLACE.store(place, Ordering::Release);
    Some(layout)
}

/// From now on, children copy the page. Returns whether they do.
fn watch() -> bool {
    static IS_WATCHED: AtomicBool = AtomicBool::new(false);
    // Children inherit the handler. A child that has two, of two threads, finds nothing to do for the second one.
    if !IS_WATCHED.load(Ordering::Acquire) {
        if !process::call_in_children(leave_to_parent) {
            return false;
        }
        IS_WATCHED.store(true, Ordering::Release);
    }
    true
}

/// Whether files may be as large. A process that makes a larger one is ended by a signal.
fn may_have_file() -> bool {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: there is room for the limit.
    let status = unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &raw mut limit) };
    status == 0 && limit.rlim_cur >= BYTES as libc::rlim_t
}

fn create() -> Option<File> {
    let flags = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
    // It is no program: some systems insist that this be said, and those before Linux 6.3 do not know the word.
    let created = [flags | libc::MFD_NOEXEC_SEAL, flags].into_iter().find_map(|flags| {
        // By its number, because older C libraries do not have the function.
        // SAFETY: the name lives.
        let descriptor = unsafe { libc::syscall(libc::SYS_memfd_create, NAME.as_ptr(), flags) };
        // SAFETY: new, and not used elsewhere.
        (descriptor >= 0).then(|| unsafe { OwnedFd::from_raw_fd(descriptor as i32) })
    })?;
    // A program that has closed its standard output must not write there.
    const FIRST_FREE: i32 = 3;
    if created.as_raw_fd() >= FIRST_FREE {
        return Some(created.into());
    }
    // SAFETY: takes numbers only.
    let above = unsafe { libc::fcntl(created.as_raw_fd(), libc::F_DUPFD_CLOEXEC, FIRST_FREE) };
    // SAFETY: new, and not used elsewhere.
    (above >= 0).then(|| unsafe { File::from_raw_fd(above) })
}

/// Seals the file. Returns whether it is sealed.
fn seal(file: &File) -> bool {
    let seals = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;
    [seals | libc::F_SEAL_FUTURE_WRITE, seals].into_iter().any(|seals| {
        // SAFETY: takes numbers only.
        unsafe { libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals) == 0 }
    })
}

/// Which file this descriptor is for: its device and its inode.
fn identity(descriptor: i32) -> Option<(u64, u64)> {
    // SAFETY: zeros are a value of this type, which consists of numbers.
    let mut status: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: there is room for the status.
    let result = unsafe { libc::fstat(descriptor, &raw mut status) };
    #[allow(clippy::unnecessary_cast, reason = "not all systems have the same type")]
    (result == 0).then_some((status.st_dev as u64, status.st_ino as u64))
}

/// Runs in the child.
extern "C" fn leave_to_parent() {
    let place = PLACE.swap(ptr::null_mut(), Ordering::Relaxed);
    if place.is_null() {
        return;
    }
    let descriptor = DESCRIPTOR.load(Ordering::Relaxed);
    // The program may have closed it, and opened something else with its number.
    if identity(descriptor) == Some((DEVICE.load(Ordering::Relaxed), INODE.load(Ordering::Relaxed))) {
        // SAFETY: it is the one that `make` has kept open, and nobody else uses it.
        unsafe { libc::close(descriptor) };
    }
    if !copy(place) {
        // There is no memory. Whoever writes to the page crashes, and most children exec or exit.
        // SAFETY: the memory of the page, whole.
        let status = unsafe { libc::mprotect(place.cast(), BYTES, libc::PROT_NONE) };
        if status != 0 {
            std::process::abort();
        }
    }
}

/// Puts a copy of the page in its place. Returns false if there is no memory.
fn copy(place: *mut Layout) -> bool {
    let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: maps new memory, where the system likes.
    let copy = unsafe { libc::mmap(ptr::null_mut(), BYTES, access, kind, -1, 0) };
    if copy == libc::MAP_FAILED {
        return false;
    }
    // SAFETY: the page, which is mapped.
    let page = unsafe { &*place };
    let (pools, workers) = (&page.head.pools_used, &page.head.workers_used);
    let used = Layout::used([pools, workers].map(|used| used.load(Ordering::Acquire) as usize));
    let words = |place: *mut Layout| -> &[AtomicU64] {
        // SAFETY: a layout has so many bytes, and is aligned for words. All integers in it are atomic.
        unsafe { slice::from_raw_parts(place.cast(), BYTES / size_of::<u64>()) }
    };
    let (from, to) = (words(place), words(copy.cast()));
    for place in used.into_iter().flat_map(|part| part.start / size_of::<u64>()..part.end / size_of::<u64>()) {
        to[place].store(from[place].load(Ordering::Relaxed), Ordering::Relaxed);
    }
    let flags = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED;
    // SAFETY: the copy is moved to where the page is, which is unmapped. References to the page are valid as before: to
    // a layout, with the same contents.
    let moved = unsafe { libc::mremap(copy, BYTES, BYTES, flags, place) };
    moved != libc::MAP_FAILED
}
