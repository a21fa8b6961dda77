//! The meters of a pool as OpenMetrics text. Inline, so that it is compiled in programs that ask for it.

use super::Pool;
use crate::engine::{Activity, Counters};
use std::fmt::{self, Display, Write};

/// What `_ns` at the end of a counter's name stands for; the format wants seconds.
const NANOSECONDS: &str = "_ns";

impl Pool {
    /// What [`worker_stats`](Self::worker_stats) and [`seat_stats`](Self::seat_stats) say, as [OpenMetrics] text, which
    /// Prometheus and others read. A server returns it as `application/openmetrics-text; version=1.0.0`.
    ///
    /// The label `pool` is the [number](Self::number) of the pool, and `worker` the index of the worker. A text is that
    /// of one pool.
    ///
    /// ```
    /// let pool = filch::Pool::builder().workers(2).build()?;
    /// let text = pool.openmetrics();
    /// assert!(text.contains("# TYPE filch_asks counter\n") && text.ends_with("# EOF\n"));
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    ///
    /// [OpenMetrics]: https://prometheus.io/docs/specs/om/open_metrics_spec/
    #[inline]
    pub fn openmetrics(&self) -> String {
        let mut text = String::new();
        self.write_openmetrics(&mut text).expect("a string has room");
        text
    }

    #[inline]
    fn write_openmetrics(&self, out: &mut String) -> fmt::Result {
        let (pool, workers, seats) = (self.number(), self.worker_stats(), self.seat_stats());
        family(out, "filch_pool", "info", "The scheduler of the pool.")?;
        let scheduler = Escaped(&self.scheduler().to_string()).to_string();
        writeln!(out, "filch_pool_info{{pool=\"{pool}\",scheduler=\"{scheduler}\"}} 1")?;
        for (name, help, value) in [
            ("filch_workers", "Workers of the pool, without spare ones.", self.num_workers()),
            ("filch_seats", "Seats of the pool: how many threads may work for it at once.", seats.seats),
            ("filch_seats_free", "Seats on which no thread is.", seats.free),
            ("filch_runs_waiting", "Runs, and threads that have blocked, that wait for a seat.", seats.waiting),
        ] {
            family(out, name, "gauge", help)?;
            writeln!(out, "{name}{{pool=\"{pool}\"}} {value}")?;
        }
        family(out, "filch_worker_activity", "stateset", "What the worker is doing.")?;
        for worker in &workers {
            for activity in Activity::ALL {
                let is_so = u8::from(worker.activity == activity);
                write!(out, "filch_worker_activity{{pool=\"{pool}\",worker=\"{}\",", worker.index)?;
                writeln!(out, "filch_worker_activity=\"{activity}\"}} {is_so}")?;
            }
        }
        for (place, (name, help)) in Counters::descriptions().enumerate() {
            let of_worker = workers.iter().map(|worker| {
                let (_, value) = worker.counters.iter().nth(place).expect("counters have one order");
                (worker.index, value)
            });
            match name.strip_suffix(NANOSECONDS) {
                None => {
                    family(out, &format!("filch_{name}"), "counter", help)?;
                    for (worker, value) in of_worker {
                        writeln!(out, "filch_{name}_total{{pool=\"{pool}\",worker=\"{worker}\"}} {value}")?;
                    }
                }
                Some(name) => {
                    let help = help.replacen("Nanoseconds", "Seconds", 1);
                    family(out, &format!("filch_{name}_seconds"), "counter", &help)?;
                    writeln!(out, "# UNIT filch_{name}_seconds seconds")?;
                    for (worker, ns) in of_worker {
                        let (s, ns) = (ns / 1_000_000_000, ns % 1_000_000_000);
                        writeln!(out, "filch_{name}_seconds_total{{pool=\"{pool}\",worker=\"{worker}\"}} {s}.{ns:09}")?;
                    }
                }
            }
        }
        writeln!(out, "# EOF")
    }
}

/// Begins a family of metrics.
#[inline]
fn family(out: &mut String, name: &str, kind: &str, help: &str) -> fmt::Result {
    writeln!(out, "# TYPE {name} {kind}\n# HELP {name} {}", Escaped(help))
}

/// A text in which the format's own characters stand for themselves.
struct Escaped<'t>(&'t str);

impl Display for Escaped<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '\\' => f.write_str("\\\\"),
            '"' => f.write_str("\\\""),
            '\n' => f.write_str("\\n"),
            c => f.write_char(c),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_text_is_escaped() {
        assert_eq!(Escaped("a \"b\" \\ c\nd").to_string(), "a \\\"b\\\" \\\\ c\\nd");
    }
}
