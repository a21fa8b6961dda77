//! What a recorder gets.
#![allow(missing_docs)]

use filch::{Activity, Counters, Pool};
use filch_metrics::{Reporter, describe, record};
use metrics::{Unit, with_local_recorder};
use metrics_util::debugging::{DebugValue, DebuggingRecorder, Snapshotter};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

fn pool(workers: usize) -> Pool {
    Pool::builder().workers(workers).ladder_capacity(2).build().expect("a small pool")
}

/// Forks that do not fit on the ladder, the same number each time.
fn work(pool: &Pool) {
    fn nest(mut s: filch::Strand<'_>, depth: u32) {
        if depth > 0 {
            s.join(|s| nest(s, depth - 1), |_| ());
        }
    }
    pool.run(|s| nest(s, 10));
}

/// The values by their names and labels, which are sorted.
fn values(snapshotter: &Snapshotter) -> HashMap<String, f64> {
    let mut values = HashMap::new();
    for (key, unit, text, value) in snapshotter.snapshot().into_vec() {
        let key = key.key();
        let mut labels: Vec<_> = key.labels().map(|label| format!("{}={}", label.key(), label.value())).collect();
        labels.sort();
        let value = match value {
            DebugValue::Counter(value) => value as f64,
            DebugValue::Gauge(value) => value.into_inner(),
            DebugValue::Histogram(_) => panic!("there is none"),
        };
        assert!(text.is_some_and(|text| text.ends_with('.')), "{} is described", key.name());
        if key.name().ends_with("_ns") {
            assert_eq!(unit, Some(Unit::Nanoseconds));
        }
        assert!(values.insert(format!("{}{{{}}}", key.name(), labels.join(",")), value).is_none());
    }
    values
}

#[test]
fn a_recorder_gets_what_each_worker_does_and_has_done() {
    let (recorder, pool) = (DebuggingRecorder::new(), pool(2));
    let snapshotter = recorder.snapshotter();
    work(&pool);
    let (number, before) = (pool.number(), pool.worker_stats());
    with_local_recorder(&recorder, || {
        describe();
        record(&pool);
    });
    let values = values(&snapshotter);
    for worker in before {
        let labels = format!("pool={number},worker={}", worker.index);
        for (name, value) in worker.counters.iter() {
            assert!(values[&format!("filch_{name}{{{labels}}}")] >= value as f64, "{name}");
        }
        let states = Activity::ALL.map(|it| values[&format!("filch_worker_activity{{activity={it},{labels}}}")]);
        assert_eq!(states.iter().sum::<f64>(), 1.0, "one of them");
    }
    assert_eq!(values[&format!("filch_workers{{pool={number}}}")], 2.0);
    assert_eq!(values[&format!("filch_seats_free{{pool={number}}}")], pool.seat_stats().free as f64);
    assert!(values.len() >= 2 * Counters::descriptions().count());
}

#[test]
fn a_reporter_records_until_it_is_dropped_and_once_more_then() {
    let recorder = DebuggingRecorder::new();
    let snapshotter = recorder.snapshotter();
    // The only one of this test program, for the thread of the reporter.
    recorder.install().expect("the first one");
    let pool = Arc::new(pool(1));
    let reporter = Reporter::start(Arc::clone(&pool), Duration::from_secs(3600)).expect("a thread");
    work(&pool);
    drop(reporter);
    let worker = &pool.worker_stats()[0];
    assert!(worker.counters.overflowed_forks > 0);
    let name = format!("filch_overflowed_forks{{pool={},worker=0}}", pool.number());
    assert_eq!(values(&snapshotter)[&name], worker.counters.overflowed_forks as f64);
    drop(Arc::into_inner(pool).expect("the reporter has given its own one back"));
}
