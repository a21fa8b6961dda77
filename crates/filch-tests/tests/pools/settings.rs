//! Settings of a pool: what is refused, and what comes from the environment.

use crate::common::eager_pool;
use filch::{Pool, Scheduler, Topology};

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
    let squads = || "2x2".parse().expect("a topology");
    assert_eq!(
        refuse(Pool::builder().topology(squads()).workers(3)),
        "topology = 2x2 with workers = 3: expected workers = 4, or no number of workers"
    );
    assert!(refuse(Pool::builder().topology(squads()).scheduler(Scheduler::serial())).contains("with workers = 4"));
    // Miri takes minutes for so many processors.
    if !cfg!(miri) {
        let large = Pool::builder().topology(Topology::flat(5000));
        assert!(refuse(large).starts_with("workers = 5000: expected 1 to 4096"));
    }
    let nameless = Pool::builder().workers(2).thread_name(|_| "a\0b".to_owned());
    assert!(refuse(nameless).contains("for worker 1: expected a name without a zero byte"));
}

/// Settings come from the environment of the process, so each is tried in a process of its own: this binary runs again
/// and is asked for the probe below.
#[test]
#[cfg(not(miri))]
fn bad_settings_in_the_environment_are_named_with_their_value_and_what_is_allowed() {
    let run = |settings: &[(&str, &str)]| {
        let mut command = std::process::Command::new(std::env::current_exe().expect("a test binary"));
        command.args(["--exact", "settings::probe_of_the_environment", "--nocapture"]).env(PROBE, "1");
        // Those that this process was given are not what is tried.
        ["FILCH_WORKERS", "FILCH_SCHEDULER", "FILCH_TOPOLOGY"].into_iter().for_each(|name| {
            command.env_remove(name);
        });
        command.envs(settings.iter().copied());
        let output = command.output().expect("it runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    // Without the lines of the test harness, which have times.
    let says = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.contains("workers")).map(str::to_owned).collect()
    };
    let probe = |name, value, scheduler: Option<&str>| {
        let settings: Vec<_> =
            std::iter::once((name, value)).chain(scheduler.map(|it| ("FILCH_SCHEDULER", it))).collect();
        run(&settings)
    };
    for value in ["0", "-1", "many", "5000"] {
        let said = probe("FILCH_WORKERS", value, None);
        assert!(said.contains(&format!("FILCH_WORKERS = {value:?}: expected a whole number, 1 to 4096")), "{said}");
    }
    let said = probe("FILCH_SCHEDULER", "clik5", None);
    let expected = "FILCH_SCHEDULER = \"clik5\": unknown scheduler `clik5`; expected one of: default, cilk5, heartbeat";
    assert!(said.contains(expected), "{said}");
    let said = probe("FILCH_WORKERS", "3", Some("default"));
    assert!(said.contains("4 workers by a topology"), "a setting comes before the environment: {said}");
    let said = probe("FILCH_WORKERS", "4", Some("serial"));
    assert!(said.contains("scheduler = serial with workers = 4"), "{said}");
    let said = probe("FILCH_WORKERS", "3", Some("cilk5,period=1ms"));
    assert!(said.contains("3 workers, cilk5,period=1ms"), "{said}");
    for value in ["2x2x2", "5000"] {
        let said = probe("FILCH_TOPOLOGY", value, None);
        assert!(said.contains(&format!("FILCH_TOPOLOGY = {value:?}: ")) && said.contains("or `machine`"), "{said}");
    }
    let said = probe("FILCH_TOPOLOGY", "2+3", Some("cab"));
    assert!(said.contains("5 workers, cab on 2+3"), "{said}");
    assert!(said.contains("4 workers by a topology") && said.contains("3 workers by number on 1x3"), "{said}");
    let said = run(&[("FILCH_TOPOLOGY", "2x2"), ("FILCH_WORKERS", "3")]);
    assert!(said.contains("FILCH_TOPOLOGY = 2x2 with FILCH_WORKERS = 3: expected FILCH_WORKERS = 4"), "{said}");
    let said = probe("FILCH_TOPOLOGY", "2x2", Some("serial"));
    assert!(said.contains("scheduler = serial with workers = 4"), "{said}");
    let unset = run(&[]);
    for name in ["FILCH_WORKERS", "FILCH_SCHEDULER", "FILCH_TOPOLOGY"] {
        for empty in ["", " "] {
            assert_eq!(says(&run(&[(name, empty)])), says(&unset), "{name} = {empty:?} is as unset");
        }
    }
}

const PROBE: &str = "FILCH_TEST_PROBE";

/// Prints what the global pool is like, for the test above. Run by itself, it prints nothing.
#[test]
fn probe_of_the_environment() {
    if std::env::var_os(PROBE).is_some() {
        match Pool::global() {
            Ok(pool) => println!("{} workers, {} on {}", pool.num_workers(), pool.scheduler(), pool.topology()),
            Err(error) => println!("{error}"),
        }
        if let Ok(pool) = Pool::builder().topology("2x2".parse().expect("a topology")).build() {
            println!("{} workers by a topology", pool.num_workers());
        }
        if let Ok(pool) = Pool::builder().workers(3).build() {
            println!("{} workers by number on {}", pool.num_workers(), pool.topology());
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
