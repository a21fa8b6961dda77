//! The page that other processes read, in children of fork(2), and where the system refuses it.

use super::*;
#[cfg(target_arch = "x86_64")]
use seccomp::refuse_system_call;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

/// The descriptors of this process for pages, as paths.
fn pages() -> Vec<PathBuf> {
    let all = std::fs::read_dir("/proc/self/fd").expect("Linux has this folder").map(|entry| entry.unwrap().path());
    all.filter(|path| {
        std::fs::read_link(path).is_ok_and(|target| target.to_string_lossy().starts_with("/memfd:filch-pool"))
    })
    .collect()
}

/// The first lines of the only page of this process.
fn head() -> String {
    let [page] = &pages()[..] else { panic!("{:?}", pages()) };
    let mut head = [0; 512];
    File::open(page).and_then(|page| page.read_exact_at(&mut head, 0)).expect("a page can be read");
    String::from_utf8_lossy(&head).into_owned()
}

fn small_pool() -> Pool {
    Pool::builder().workers(2).ladder_capacity(2).build().expect("a small pool")
}

/// Forks where the ladder is full, which is counted.
fn overflow(pool: &Pool) {
    assert_eq!(pool.run(|s| fib(s, 10)), 55);
}

#[test]
fn what_a_child_counts_its_parent_does_not_see() {
    let _alone = alone();
    let pool = small_pool();
    await_threads(&pool);
    overflow(&pool);
    let counted = |pool: &Pool| pool.counters().overflowed_forks;
    let before = counted(&pool);
    assert!(before > 0);
    in_child(|| {
        assert_eq!(counted(&pool), before, "it begins with what its parent has counted");
        overflow(&pool);
        overflow(&small_pool());
    });
    // There it goes on as the worker of its parent.
    pool.run(|mut s| {
        in_child(|| {
            assert_eq!(fib(s.reborrow(), 10), 55);
            assert!(counted(&pool) > before, "it counts where the worker counts");
        });
    });
    assert_eq!(counted(&pool), before);
}

#[test]
fn a_child_keeps_no_page_of_its_parent_and_makes_one_of_its_own_when_it_needs_it() {
    let _alone = alone();
    let pool = small_pool();
    let of_this_process = || format!("filch-pool 1\nprocess {}\n", std::process::id());
    assert!(head().starts_with(&of_this_process()), "{}", head());
    in_child(|| {
        assert!(pages().is_empty());
        // The pool that works in place of its parent's is a pool, too.
        overflow(&pool);
        assert!(head().starts_with(&of_this_process()));
        let new = small_pool();
        overflow(&new);
        in_child(|| {
            assert!(pages().is_empty());
            overflow(&new);
            assert!(head().starts_with(&of_this_process()));
        });
        assert!(head().starts_with(&of_this_process()));
    });
    assert!(head().starts_with(&of_this_process()));
}

#[test]
fn a_process_needs_one_descriptor_for_all_its_pools_and_a_program_that_it_starts_gets_none() {
    let _alone = alone();
    let _pools = [(); 20].map(|()| small_pool());
    assert_eq!(pages().len(), 1);
    let listed = std::process::Command::new("ls").args(["-l", "/proc/self/fd"]).output().expect("a system with ls");
    assert!(listed.status.success() && !String::from_utf8_lossy(&listed.stdout).contains("filch"));
}

#[test]
fn nobody_else_can_shrink_the_page_or_write_to_it() {
    let _alone = alone();
    let _pool = small_pool();
    let page = File::options().read(true).write(true).open(&pages()[0]).expect("it can be opened");
    let size = page.metadata().expect("a file").len();
    assert!(page.set_len(size - 1).is_err() && page.set_len(size + 1).is_err());
    assert!(page.write_at(b"x", 0).is_err());
    // SAFETY: asks for new memory, which is not used.
    let mapped =
        unsafe { libc::mmap(std::ptr::null_mut(), 4096, libc::PROT_WRITE, libc::MAP_SHARED, page.as_raw_fd(), 0) };
    assert_eq!(mapped, libc::MAP_FAILED);
}

/// Such programs close all descriptors that they do not know.
#[test]
fn a_child_closes_nothing_that_its_parent_has_opened_in_place_of_the_page() {
    let _alone = alone();
    let pool = small_pool();
    in_child(|| {
        overflow(&pool);
        let number = pages()[0].file_name().and_then(|name| name.to_str()?.parse().ok()).expect("a number");
        let other = File::open("/dev/null").expect("there is one");
        // SAFETY: takes numbers only.
        assert_eq!(unsafe { libc::dup2(other.as_raw_fd(), number) }, number);
        overflow(&pool);
        in_child(|| {
            // SAFETY: takes numbers only.
            assert!(unsafe { libc::fcntl(number, libc::F_GETFD) } >= 0);
            overflow(&pool);
        });
    });
}

/// Builds a pool in a process whose page has been refused.
fn works_without_page() {
    let pool = small_pool();
    assert!(pages().is_empty());
    overflow(&pool);
    assert!(pool.worker_stats().iter().any(|worker| worker.counters.overflowed_forks > 0));
    assert!(pool.openmetrics().contains("filch_overflowed_forks_total"));
    drop(pool);
    // Its records are used again, from the beginning.
    let again = small_pool();
    assert_eq!(again.counters().overflowed_forks, 0);
    in_child(|| overflow(&again));
}

fn limit(resource: libc::__rlimit_resource_t, most: u64) {
    let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
    // SAFETY: the limit lives, and is read.
    assert_eq!(unsafe { libc::setrlimit(resource, &raw const limit) }, 0);
}

#[test]
fn a_process_that_may_make_no_large_file_has_no_page_and_lives() {
    let _alone = alone();
    in_child(|| {
        limit(libc::RLIMIT_FSIZE, 4096);
        works_without_page();
    });
}

/// From now on this process gets so many bytes of memory and no more.
fn limit_memory(bytes: u64) {
    let used = std::fs::read_to_string("/proc/self/statm").expect("Linux has this file");
    let pages: u64 = used.split(' ').next().and_then(|pages| pages.parse().ok()).expect("the size in pages");
    // SAFETY: takes a number only.
    let page_bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    limit(libc::RLIMIT_AS, pages * page_bytes as u64 + bytes);
}

/// A ladder takes half of it.
#[test]
fn a_process_without_memory_for_a_page_has_none() {
    let _alone = alone();
    in_child(|| {
        limit_memory(2 << 20);
        let pool = Pool::builder().workers(1).ladder_capacity(2).build().expect("memory for a ladder");
        assert!(pages().is_empty());
        overflow(&pool);
    });
}

/// Most children exec or exit.
#[test]
fn a_child_without_memory_for_a_copy_of_the_page_lives_as_long_as_it_counts_nothing() {
    let _alone = alone();
    in_child(|| {
        let pool = small_pool();
        overflow(&pool);
        let before = pool.counters();
        limit_memory(1 << 20);
        in_child(|| assert!(pages().is_empty()));
        pool.run(|mut s| {
            if let Some(end) = fork() {
                assert_eq!(end.how, How::Signal(libc::SIGSEGV), "{}", end.said);
            } else {
                fib(s.reborrow(), 10);
                end_child(true);
            }
        });
        assert_eq!(pool.counters().overflowed_forks, before.overflowed_forks);
    });
}

#[cfg(target_arch = "x86_64")]
#[test]
fn a_sandbox_that_refuses_memory_files_refuses_nothing_else() {
    let _alone = alone();
    in_child(|| {
        refuse_system_call(libc::SYS_memfd_create, 0);
        works_without_page();
    });
}

#[test]
fn a_process_with_more_pools_than_the_page_has_room_for_has_the_rest_to_itself() {
    const MORE: usize = 1100;
    let _alone = alone();
    in_child(|| {
        let pool = || Pool::builder().workers(1).ladder_capacity(2).scheduler(Scheduler::serial()).build();
        let pools: Vec<Pool> = (0..MORE).map(|_| pool().expect("memory")).collect();
        assert_eq!(pages().len(), 1);
        for pool in [&pools[0], &pools[MORE - 1]] {
            overflow(pool);
            assert!(pool.counters().overflowed_forks > 0);
        }
        assert_eq!(pools[MORE / 2].counters().overflowed_forks, 0);
    });
}
