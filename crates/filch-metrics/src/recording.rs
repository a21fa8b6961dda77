//! What a recorder is told.

use filch::{Activity, Counters, Pool};
use metrics::{Label, Unit, counter, describe_counter, describe_gauge, gauge};

/// What a counter's name ends in, if it counts nanoseconds.
const NANOSECONDS: &str = "_ns";

/// The gauges of a pool, and what they mean.
const GAUGES: [(&str, &str); 4] = [
    ("filch_workers", "Workers of the pool, without spare ones."),
    ("filch_seats", "Seats of the pool: how many threads may work for it at once."),
    ("filch_seats_free", "Seats on which no thread is."),
    ("filch_runs_waiting", "Runs, and threads that have blocked, that wait for a seat."),
];

const ACTIVITY: &str = "filch_worker_activity";

fn counter_name(name: &str) -> String {
    format!("filch_{name}")
}

/// Tells the recorder what the metrics mean. To be called once, when the recorder has been installed.
pub fn describe() {
    for (name, text) in Counters::descriptions() {
        let unit = if name.ends_with(NANOSECONDS) { Unit::Nanoseconds } else { Unit::Count };
        describe_counter!(counter_name(name), unit, text);
    }
    for (name, text) in GAUGES {
        describe_gauge!(name, Unit::Count, text);
    }
    describe_gauge!(ACTIVITY, "1 for what the worker is doing, and 0 for what it is not.");
}

/// Gives the recorder what the pool does and has done up to now.
///
/// This costs some microseconds for each worker, and the workers do not notice.
pub fn record(pool: &Pool) {
    let of_pool = Label::new("pool", pool.number().to_string());
    let seats = pool.seat_stats();
    let values = [pool.num_workers(), seats.seats, seats.free, seats.waiting];
    for ((name, _), value) in GAUGES.into_iter().zip(values) {
        gauge!(name, vec![of_pool.clone()]).set(value as f64);
    }
    for worker in pool.worker_stats() {
        let labels = [of_pool.clone(), Label::new("worker", worker.index.to_string())];
        for (name, value) in worker.counters.iter() {
            counter!(counter_name(name), labels.to_vec()).absolute(value);
        }
        for activity in Activity::ALL {
            let is_so = f64::from(u8::from(worker.activity == activity));
            let label = Label::from_static_parts("activity", activity.name());
            gauge!(ACTIVITY, [&labels[..], &[label]].concat()).set(is_so);
        }
    }
}
