//! `filch top`.

use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use filch::{Counters, Pool};
use serde_json::Value;

use crate::helpers::{contains, done, filch, refused};

/// A process that does nothing, after it has done this.
fn after(prepare: impl FnMut() -> std::io::Result<()> + Send + Sync + 'static) -> Ended {
    let mut command = Command::new("sleep");
    // SAFETY: what is prepared are system calls.
    unsafe { command.arg("1000").pre_exec(prepare) };
    Ended(command.spawn().unwrap())
}

/// A process that ends with the test.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Ended {
    fn id(&self) -> String {
        self.0.id().to_string()
    }
}

/// Both workers of a pool of this process are busy while `f` runs.
fn while_busy(f: impl FnOnce(&Pool)) {
    let pool = Pool::builder().workers(2).own_threads(true).scheduler("cilk5".parse().unwrap()).build().unwrap();
    let is_over = AtomicBool::new(false);
    let (begun, is_begun) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        struct End<'a>(&'a AtomicBool);
        impl Drop for End<'_> {
            fn drop(&mut self) {
                self.0.store(true, Ordering::Relaxed);
            }
        }
        let end = End(&is_over);
        let spin = |begun: std::sync::mpsc::Sender<()>, end: &AtomicBool| {
            begun.send(()).unwrap();
            while !end.load(Ordering::Relaxed) {
                std::hint::spin_loop();
            }
        };
        let other = begun.clone();
        let (pool, is_over) = (&pool, &is_over);
        scope.spawn(move || pool.run(|mut s| s.join(|_| spin(begun, is_over), |_| spin(other, is_over))));
        (0..2).for_each(|_| is_begun.recv().unwrap());
        f(pool);
        drop(end);
    });
}

/// The pool with this number, in what `--format json` has printed.
fn pool_of(text: &str, number: u64) -> Value {
    let figures: Value = serde_json::from_str(text).unwrap();
    let pools = figures[0]["pools"].as_array().unwrap();
    pools.iter().find(|pool| pool["pool"] == number).unwrap_or_else(|| panic!("pool {number}: {text}")).clone()
}

#[test]
fn a_running_program_is_shown_without_preparation() {
    while_busy(|pool| {
        let id = std::process::id().to_string();
        let json = done(&["top", &id, "--once", "--interval", "300ms", "--format", "json"]);
        let shown = pool_of(&json, pool.number());
        assert_eq!((&shown["scheduler"], &shown["workers"], &shown["seats"]), (&"cilk5".into(), &2.into(), &2.into()));
        assert_eq!((&shown["seats_taken"], &shown["runs_waiting"]), (&2.into(), &0.into()));
        for row in shown["rows"].as_array().unwrap() {
            assert_eq!((&row["state"], row["busy"].as_f64()), (&"busy".into(), Some(1.0)), "{row}");
            for (name, _) in Counters::default().iter() {
                assert!(row["total"][name].is_u64() && row["per_second"][name].is_f64(), "{name}: {row}");
            }
        }
        let taken: u64 =
            shown["rows"].as_array().unwrap().iter().filter_map(|row| row["total"]["forks_taken"].as_u64()).sum();
        assert_eq!(taken, pool.counters().forks_taken);
        let table = done(&["top", &id, "--once", "--interval", "300ms"]);
        let pool = format!("pool {}: cilk5, 2 workers\n2 of 2 seats taken, 0 runs waiting; steals ", pool.number());
        contains(&table, &[&format!("process {id} ("), &pool, "asks/s", "busy 100%"]);
        assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
        // Among all those of this user.
        contains(&done(&["top", "--once", "--interval", "100ms"]), &[&pool]);
    });
}

#[test]
fn what_cannot_be_shown_is_refused_with_the_reason() {
    let sleeping = after(|| Ok(()));
    refused(&["top", &sleeping.id(), "--once"], &[&sleeping.id(), "no pool of Filch"]);
    refused(&["top", "4194305", "--once"], &["there is no process 4194305"]);
    refused(&["top", "me"], &["me", "[PID]"]);
    refused(&["top", "--interval", "fast"], &["--interval", "30s"]);
    refused(&["top", "--format", "json"], &["--once"]);
}

#[test]
fn a_page_that_lies_is_refused_and_crashes_nobody() {
    let truncated = "filch-pool 1\nprocess 1\npools 4096 256 1024\nend\n";
    for (page, words) in [
        ("", &["not complete"][..]),
        ("filch-pool 1\nprocess 1\n", &["not complete"]),
        ("filch-pool 2\nend\n", &["filch-pool 2", "filch-pool 1", "version"]),
        ("\x1b[2J", &["?[2J"]),
        (truncated, &["pools"]),
    ] {
        let liar = after(move || {
            // SAFETY: the name lives. Not closed by exec.
            let descriptor = unsafe { libc::memfd_create(c"filch-pool".as_ptr(), 0) };
            // SAFETY: writes from memory that lives.
            let written = unsafe { libc::write(descriptor, page.as_ptr().cast(), page.len()) };
            if written == page.len() as isize { Ok(()) } else { Err(std::io::Error::last_os_error()) }
        });
        refused(&["top", &liar.id(), "--once"], &[&[&*liar.id()], words].concat());
    }
}

/// Forks. The child calls `prepare`, says so, and waits to be ended. Its parent calls `f` with its number.
fn with_child(prepare: impl FnOnce() -> Option<Pool>, f: impl FnOnce(&str)) {
    let mut ends = [0; 4];
    for pair in ends.chunks_exact_mut(2) {
        // SAFETY: there is room for two descriptors.
        assert_eq!(unsafe { libc::pipe(pair.as_mut_ptr()) }, 0);
    }
    let [said, say, stay, end] = ends.map(|end| {
        // SAFETY: new, and not used elsewhere.
        std::fs::File::from(unsafe { OwnedFd::from_raw_fd(end) })
    });
    // SAFETY: the child does what a child of a process on Filch may do.
    let child = unsafe { libc::fork() };
    if child == 0 {
        // The child must not hold its own end open.
        drop(end);
        let pool = prepare();
        let _ = (&say).write_all(b"x");
        let _ = (&stay).read(&mut [0]);
        std::mem::forget(pool);
        // SAFETY: ends the process.
        unsafe { libc::_exit(0) };
    }
    assert!(child > 0);
    (&said).read_exact(&mut [0]).unwrap();
    f(&child.to_string());
    drop(end);
    assert!(stay.as_raw_fd() >= 0);
    // SAFETY: there is no status to be written.
    assert_eq!(unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) }, child);
}

#[test]
fn a_child_of_fork_shows_its_own_pools_and_not_those_of_its_parent() {
    let pool = Pool::builder().workers(3).build().unwrap();
    let number = pool.number();
    with_child(|| None, |child| refused(&["top", child, "--once"], &[child, "no pool of Filch"]));
    let build = || Pool::builder().workers(5).build().ok();
    with_child(build, |child| {
        let json = done(&["top", child, "--once", "--interval", "50ms", "--format", "json"]);
        let figures: Value = serde_json::from_str(&json).unwrap();
        let pools = figures[0]["pools"].as_array().unwrap();
        assert_eq!(pools.len(), 1, "{json}");
        assert_eq!((&pools[0]["workers"], pools[0]["pool"].as_u64() > Some(number)), (&5.into(), true));
    });
    drop(pool);
}

#[test]
fn a_view_ends_with_the_process() {
    let stress = filch(&["stress", "--seconds", "1000"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut stress = Ended(stress);
    stress.0.stdout.as_mut().unwrap().read_exact(&mut [0; 8]).unwrap();
    let mut view = filch(&["top", "--interval", "20ms"]);
    // It begins to run cases with its first pool.
    let mut view = loop {
        let begun = filch(&["top", &stress.id(), "--once", "--interval", "20ms"]).output().unwrap();
        if begun.status.success() {
            break view.arg(stress.id()).stdout(Stdio::piped()).spawn().unwrap();
        }
    };
    let mut shown = vec![0; 64];
    let mut out = view.stdout.take().unwrap();
    out.read_exact(&mut shown).unwrap();
    drop(stress);
    out.read_to_end(&mut shown).unwrap();
    assert_eq!(view.wait().unwrap().code(), Some(0));
    let shown = String::from_utf8(shown).unwrap();
    assert!(
        shown.contains("steals ") && shown.ends_with("the process has ended\n") && !shown.contains('\x1b'),
        "{shown}"
    );
}

#[test]
fn a_memory_file_of_another_name_is_no_page() {
    let other = after(|| {
        // SAFETY: the name lives.
        let descriptor = unsafe { libc::memfd_create(c"filch".as_ptr(), 0) };
        if descriptor >= 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
    });
    refused(&["top", &other.id(), "--once"], &["no pool of Filch"]);
}
