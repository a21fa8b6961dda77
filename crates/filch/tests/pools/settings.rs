//! Settings of a pool: what is refused, and what comes from the environment.

use crate::common::eager_pool;
use filch::{Pool, Scheduler};

#[test]
fn settings_out_of_range_are_named_with_their_value_and_what_is_allowed() {
    let refuse = |builder: filch::PoolBuilder| builder.build().expect_err("refused").to_string();
    assert_eq!(refuse(Pool::builder().workers(0)), "workers = 0: expected 1 to 4096");
    assert_eq!(refuse(Pool::builder().workers(5000)), "workers = 5000: expected 1 to 4096");
    assert!(refuse(Pool::builder().stack_size(1)).starts_with("stack_size = 1 bytes: expected 65536 to"));
    assert!(refuse(Pool::builder().stack_size(usize::MAX)).contains("bytes: expected 65536 to"));
    assert!(refuse(Pool::builder().ladder_capacity(0)).starts_with("ladder_capacity = 0: expected 1 to"));
    let serial = Pool::builder().scheduler(Scheduler::serial()).workers(3);
    assert!(refuse(serial).starts_with("scheduler = serial with workers = 3"));
    let nameless = Pool::builder().workers(2).thread_name(|_| "a\0b".to_owned());
    assert!(refuse(nameless).contains("for worker 1: expected a name without a zero byte"));
}

/// Settings come from the environment of the process, so each is tried in a process of its own: this binary runs again
/// and is asked for the probe below.
#[test]
#[cfg(not(miri))]
fn bad_settings_in_the_environment_are_named_with_their_value_and_what_is_allowed() {
    let probe = |name: &str, value: &str, scheduler: Option<&str>| {
        let mut command = std::process::Command::new(std::env::current_exe().expect("a test binary"));
        command.args(["--exact", "settings::probe_of_the_environment", "--nocapture"]).env(PROBE, "1").env(name, value);
        scheduler.map(|scheduler| command.env("FILCH_SCHEDULER", scheduler));
        let output = command.output().expect("it runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    for value in ["0", "-1", "many", "5000", ""] {
        let said = probe("FILCH_WORKERS", value, None);
        assert!(said.contains(&format!("FILCH_WORKERS = {value:?}: expected a whole number, 1 to 4096")), "{said}");
    }
    let said = probe("FILCH_SCHEDULER", "clik5", None);
    let expected = "FILCH_SCHEDULER = \"clik5\": unknown scheduler `clik5`; expected one of: default, cilk5, serial";
    assert!(said.contains(expected), "{said}");
    let said = probe("FILCH_WORKERS", "4", Some("serial"));
    assert!(said.contains("scheduler = serial with workers = 4"), "{said}");
    let said = probe("FILCH_WORKERS", "3", Some("cilk5,period=1ms"));
    assert!(said.contains("3 workers, cilk5,period=1ms"), "{said}");
}

const PROBE: &str = "FILCH_TEST_PROBE";

/// Prints what the global pool is like, for the test above. Run by itself, it prints nothing.
#[test]
fn probe_of_the_environment() {
    if std::env::var_os(PROBE).is_some() {
        match Pool::global() {
            Ok(pool) => println!("{} workers, {}", pool.num_workers(), pool.scheduler()),
            Err(error) => println!("{error}"),
        }
    }
}

#[test]
fn capabilities_agree_with_the_build() {
    let pool = eager_pool(2);
    let capabilities = pool.capabilities();
    assert!(capabilities.taking(), "cilk5 would have been refused");
    let real = cfg!(filch_fence = "real") || cfg!(miri) || !cfg!(any(target_os = "linux", windows));
    assert_eq!(capabilities.owner_fence_is_real(), real);
}
