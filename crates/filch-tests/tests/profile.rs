//! Profiles: what is recorded, whatever the program does.
#![cfg(not(target_family = "wasm"))]

mod common;

use filch::{Aborted, Pool, Profile, Scheduler, SpeculativeStrand, State, Strand, TaskGraph};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;

/// Whether tests do less here.
fn is_slow() -> bool {
    common::is_slow() || cfg!(miri)
}

fn pool() -> Pool {
    Pool::builder().workers(4).build().expect("a small pool")
}

/// A piece of work that is longer than a leaf, whatever else the machine does.
fn piece() {
    std::thread::sleep(Duration::from_millis(2));
}

/// The same for a procedure.
fn child() -> Result<(), Aborted> {
    piece();
    Ok(())
}

/// As many pieces as leaves, in a tree of forks.
fn tree(mut s: Strand<'_>, leaves: u64) {
    if leaves < 2 {
        return piece();
    }
    s.join(|s| tree(s, leaves / 2), |s| tree(s, leaves - leaves / 2));
}

/// What must hold of every profile.
fn check(profile: &Profile) {
    let sum = |of: fn(&filch::ProfileContext) -> Duration| profile.contexts().iter().map(of).sum::<Duration>();
    assert_eq!((sum(|context| context.work), sum(|context| context.on_span)), (profile.work(), profile.span()));
    let (span, burdened) = (profile.span(), profile.burdened_span());
    assert!(span <= burdened && burdened <= profile.work(), "{profile}");
    let segments = profile.segments();
    let work: u64 = segments.iter().map(|segment| segment.work_ns).sum();
    assert_eq!(Duration::from_nanos(work), profile.work());
    assert_eq!(profile.timed_forks(), profile.sites().iter().map(|site| site.timed).sum());
    let mut file = Vec::new();
    profile.write(&mut file).expect("a vector takes all");
    let read = Profile::from_reader(&*file).expect("what was written");
    assert_eq!((read.to_string(), read.segments()), (profile.to_string(), segments));
}

/// Most pieces of this program can run at the same time: what takes one for another's continuation has a span that is
/// the work. The bound has room for pieces that other programs hold up. Under Miri, and where each access is watched,
/// everything else takes longer than they do.
fn is_parallel(profile: &Profile) {
    check(profile);
    assert!(is_slow() || 4 * profile.span() < 3 * profile.work(), "{profile}");
}

/// They cannot.
fn is_serial(profile: &Profile) {
    check(profile);
    assert!(cfg!(miri) || 10 * profile.span() > 9 * profile.work(), "{profile}");
}

fn profile(f: impl FnOnce(Strand<'_>) + Send) -> Profile {
    pool().profile(f).1
}

#[test]
fn each_fork_of_long_branches_is_counted() {
    let profile = profile(|s| tree(s, 16));
    is_parallel(&profile);
    assert_eq!((profile.timed_forks(), profile.forks(), profile.runs()), (15, 15, 1));
    assert_eq!(profile.sites().len(), 1);
    if !cfg!(miri) {
        let site = &profile.sites()[0];
        assert!(site.function.contains("tree") && site.place.contains("profile.rs"), "{site:?}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "slow there, and what it runs is run by others")]
fn what_forks_in_other_ways_is_parallel_too() {
    is_parallel(&profile(|mut s| s.for_each(0..8, |_, _| piece())));
    is_parallel(&profile(|mut s| s.for_each_item(0..8, |_, _| piece())));
    is_parallel(&profile(|mut s| s.scope(|_, scope| (0..8).for_each(|_| scope.spawn(|_| piece())))));
    is_parallel(&profile(|_| (0..8).for_each(|_| filch::spawn(|_| piece()))));
    is_parallel(&profile(|_| {
        let handles: Vec<_> = (0..8).map(|_| filch::submit(|_| piece())).collect();
        handles.into_iter().for_each(|handle| handle.join());
    }));
    is_parallel(&profile(|_| {
        _ = filch::traverse(0..8, || (), |_, _: i32| piece());
    }));
    is_parallel(&profile(|mut s| {
        s.speculate((), |p, _| {
            p.spawn_each(0..8, |_: SpeculativeStrand<'_>, _: State<'_, ()>, _| child(), |(), ()| ());
        });
    }));
    is_parallel(&profile(|mut s| {
        s.speculate((), |p, _| {
            for _ in 0..8 {
                p.spawn(|_, _| child(), |(), ()| ());
            }
        });
    }));
    is_parallel(&profile(|_| filch::pipeline(0..8).parallel(|_| piece()).run()));
}

#[test]
#[cfg_attr(miri, ignore = "slow there, and what it runs is run by others")]
fn what_waits_is_serial() {
    is_serial(&profile(|_| (0..4).for_each(|_| piece())));
    is_serial(&profile(|mut s| {
        for _ in 0..4 {
            s.join(|_| piece(), |_| ());
        }
    }));
    is_serial(&profile(|mut s| {
        s.speculate((), |p, _| {
            for _ in 0..4 {
                p.spawn(|_, _| child(), |(), ()| ());
                p.sync();
            }
        });
    }));
    is_serial(&profile(|_| (0..4).for_each(|_| filch::submit(|_| piece()).join())));
    is_serial(&profile(|_| filch::pipeline(0..4).serial_in_order(|_| piece()).run()));
    is_serial(&profile(|_| {
        let graph = TaskGraph::builder();
        let tasks: Vec<_> = (0..4).map(|_| graph.task(|_| piece())).collect();
        tasks.windows(2).for_each(|pair| _ = pair[1].after(&[pair[0]]));
        graph.build().expect("no cycle").run();
    }));
}

#[test]
fn results_are_those_of_the_serial_program() {
    let ((text, sum), profile) = pool().profile(|mut s| {
        let letters = ["a", "bc", "d", "efg", "h"];
        let text = s.map_reduce(&letters[..], String::new, |_, letter| letter.to_string(), |a, b| a + &b);
        (
            text,
            s.map_reduce(0..if is_slow() { 50 } else { 1_000_000 }, || 0.0, |_, i| f64::from(i).sqrt(), |a, b| a + b),
        )
    });
    check(&profile);
    let serial: f64 = (0..if is_slow() { 50 } else { 1_000_000 }).map(|i| f64::from(i).sqrt()).sum();
    assert_eq!((text.as_str(), sum.to_bits()), ("abcdefgh", serial.to_bits()));
}

#[test]
fn short_forks_run_on_the_fast_path_and_are_estimated() {
    fn fib(mut s: Strand<'_>, n: u64) -> u64 {
        if n < 2 {
            return n;
        }
        let (a, b) = s.join(|s| fib(s, n - 1), |s| fib(s, n - 2));
        a + b
    }
    let (result, profile) = pool().profile(|s| fib(s, if is_slow() { 8 } else { 25 }));
    check(&profile);
    assert_eq!(result, if is_slow() { 21 } else { 75_025 });
    assert!(is_slow() || profile.timed_forks() < profile.forks() / 2, "{profile}");
}

#[test]
fn a_panic_leaves_a_profile_that_nests() {
    type Case = fn(Strand<'_>);
    let cases: [Case; 8] = [
        |mut s| _ = s.join(|_| panic!("first"), |_| ()),
        |mut s| _ = s.join(|_| (), |mut s| s.join(|_| (), |_| panic!("second"))),
        |mut s| s.for_each(0..100, |_, i| assert!(i != 50, "loop")),
        |mut s| s.for_each_item(0..10, |_, i| assert!(i != 5, "items")),
        |mut s| s.scope(|_, scope| scope.spawn(|_| panic!("task"))),
        |mut s| s.scope(|_, _| panic!("body")),
        |_| filch::submit(|_| panic!("handle")).join(),
        |_| _ = filch::traverse([1], || (), |_, _| panic!("visit")),
    ];
    let pool = Pool::builder().scheduler(Scheduler::profile()).workers(2).build().expect("a small pool");
    for (number, case) in cases.into_iter().enumerate() {
        for _ in 0..3 {
            assert!(catch_unwind(AssertUnwindSafe(|| pool.run(case))).is_err(), "case {number}");
            assert_eq!(pool.run(|mut s| s.join(|_| 1, |_| 2)), (1, 2));
        }
    }
    check(&profile(|mut s| {
        for case in cases {
            assert!(catch_unwind(AssertUnwindSafe(|| case(s.reborrow()))).is_err());
        }
    }));
}

#[test]
fn an_abort_and_a_cancelled_region_leave_a_profile_that_nests() {
    check(&profile(|mut s| {
        s.speculate((), |p, speculation| {
            let child = |_: SpeculativeStrand<'_>, _: State<'_, ()>, ()| {
                speculation.abort();
                Err::<(), _>(Aborted)
            };
            p.spawn_each([(), ()], child, |(), ()| ());
        });
        let token = filch::CancelToken::new();
        let cancelled = token.run(|_| {
            filch::for_each(0..100, |_, i| {
                if i == 10 {
                    token.cancel();
                }
            });
        });
        assert!(cancelled.is_err());
    }));
}

#[test]
fn a_run_on_another_pool_is_a_part_of_the_recording() {
    let other = Pool::builder().scheduler(Scheduler::profile()).workers(2).build().expect("a small pool");
    let serial = pool();
    let profile = profile(|mut s| {
        s.join(|_| other.run(|s| tree(s, 4)), |_| serial.run(|s| tree(s, 4)));
        let (_, inner) = serial.profile(|s| tree(s, 4));
        // This thread records already.
        assert_eq!(inner.runs(), 0);
    });
    is_parallel(&profile);
    assert_eq!(profile.timed_forks(), 1 + 3 + 3, "a pool that does not record has its forks to itself");
}

#[test]
fn threads_that_enter_at_the_same_time_are_recorded() {
    let pool = Pool::builder().scheduler(Scheduler::profile()).workers(2).build().expect("a small pool");
    let runs = Mutex::new(0);
    std::thread::scope(|threads| {
        for _ in 0..4 {
            threads.spawn(|| {
                for _ in 0..10 {
                    pool.run(|mut s| s.join(|_| *runs.lock().expect("no panic") += 1, |_| ()));
                }
            });
        }
    });
    assert_eq!(*runs.lock().expect("no panic"), 40);
}

#[test]
fn a_task_that_outlives_the_loop_that_has_submitted_it_is_a_part_of_the_run() {
    check(&profile(|mut s| {
        let handles = Mutex::new(vec![]);
        s.for_each_item(0..3, |_, _| handles.lock().expect("no panic").push(filch::submit(|_| piece())));
        let handles = handles.into_inner().expect("no panic");
        s.join(move |_| handles.into_iter().for_each(|handle| handle.join()), |_| ());
    }));
}

#[test]
#[cfg_attr(miri, ignore = "slow there, and what it runs is run by others")]
fn threads_that_record_one_after_the_other_lose_nothing() {
    let pool = Pool::builder().scheduler(Scheduler::profile()).workers(2).build().expect("a small pool");
    let (mut handles, other) = (vec![], Pool::builder().workers(2).build().expect("a small pool"));
    for _ in 0..3 {
        let profile = std::thread::scope(|threads| threads.spawn(|| pool.profile(|s| tree(s, 16)).1).join());
        is_parallel(&profile.expect("no panic"));
        // A handle from one recording is joined in another one.
        let (handle, earlier) = pool.profile(|_| other.submit(|_| piece()));
        check(&earlier);
        handles.push(handle);
    }
    check(&pool.profile(|_| handles.into_iter().for_each(|handle| handle.join())).1);
}

/// The variable that says what a child process does.
const CHILD: &str = "FILCH_TEST_CHILD";

#[test]
#[cfg_attr(any(miri, not(target_os = "linux")), ignore = "no processes, or no files at their end")]
fn a_whole_program_writes_its_profile_when_it_ends() {
    let file = std::env::temp_dir().join(format!("filch-profile-{}", std::process::id()));
    for (how, runs) in [("return", 2), ("exit", 1)] {
        let test = "a_whole_program_writes_its_profile_when_it_ends";
        if let Ok(how) = std::env::var(CHILD) {
            filch::run(|s| tree(s, 4));
            if how == "exit" {
                filch::join(|| std::process::exit(0), || ());
            }
            filch::for_each(0..4, |_, _| piece());
            return;
        }
        let exe = std::env::current_exe().expect("this program");
        let mut child = Command::new(exe);
        child.args(["--exact", test, "--nocapture"]).env(CHILD, how).env("FILCH_PROFILE", &file);
        let output = child.output().expect("a child");
        assert!(output.status.success(), "{output:?}");
        let profile = Profile::read(&file).expect("a profile");
        check(&profile);
        assert!(profile.runs() >= runs && profile.timed_forks() >= 3, "{how}: {profile}");
    }
    std::fs::remove_file(&file).expect("it was there");
}

#[test]
fn files_that_are_no_profiles_are_refused_with_the_place() {
    let mut file = Vec::new();
    profile(|s| tree(s, 4)).write(&mut file).expect("a vector takes all");
    let refuse = |file: &[u8]| Profile::from_reader(file).expect_err("it is not a profile").to_string();
    assert!(refuse(b"").starts_with("line 1: expected a whole line"));
    assert!(refuse(b"filch-recording 2\n").contains("expected `filch-profile 1`"));
    assert!(refuse(&[&file[..], b"more"].concat()).contains("expected the end of the file"));
    let text = String::from_utf8_lossy(&file).into_owned();
    for (from, to, expected) in [
        ("workers 4", "workers x", "line 3: expected `workers` and a number; found `workers x`"),
        ("recording ", "recording -", "expected `recording` and two numbers"),
        ("\t", " ", "a tab and a function"),
    ] {
        assert!(text.contains(from));
        let changed = file.clone();
        let at = changed.windows(from.len()).position(|window| window == from.as_bytes()).expect("it is there");
        let changed = [&changed[..at], to.as_bytes(), &changed[at + from.len()..]].concat();
        assert!(refuse(&changed).contains(expected), "{}", refuse(&changed));
    }
    // Whatever is changed, nothing worse happens than a wrong profile.
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..if is_slow() { 50 } else { 20_000 } {
        let mut changed = file.clone();
        for _ in 0..random.usize(1..4) {
            let at = random.usize(0..changed.len());
            changed[at] = random.u8(..);
        }
        changed.truncate(random.usize(changed.len() / 2..=changed.len()));
        if let Ok(profile) = Profile::from_reader(&*changed) {
            _ = (profile.to_string(), profile.segments());
        }
    }
}
