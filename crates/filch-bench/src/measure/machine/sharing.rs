//! What a pool knows about the price of sharing, in words: its costs, its period and its patience.

use std::time::Duration;

use filch::{Measured, Pool, Scheduler};

use crate::show::numbers::seconds;

/// The rows of the table.
pub fn rows(pool: &Pool) -> Vec<(&'static str, String)> {
    // The cost is zero if there is no worker to give to.
    if pool.give_cost().is_zero() {
        return vec![("cost of a take", "not measured: one thread shares nothing".into())];
    }
    let asks = asks(pool.scheduler());
    let measured = Pool::measured_costs();
    let mut rows = vec![("cost of a gift", format!("τ = {}", cost(pool.give_cost(), measured.give, "programs")))];
    rows.push(match pool.capabilities().taking() {
        false => ("cost of a take", "not measured: no worker can take on this system".into()),
        true => ("cost of a take", cost(pool.take_cost(), measured.take, "takes")),
    });
    for (name, measured, of) in
        [("of a promotion", measured.promotion, "programs"), ("of a beat", measured.beat, "beats")]
    {
        rows.push((name, measured.map_or(ASSUMED.into(), |measured| cost(measured.cost, Some(measured), of))));
    }
    rows.push(("period N", period(pool, asks)));
    rows.push(("patience", if asks { patience(pool) } else { "none: no worker asks".into() }));
    rows
}

/// What is said of a figure that has not been measured.
const ASSUMED: &str = "assumed: the machine was too busy";

/// A cost, and the range of its estimates. A pool that is older than the measurement has another cost.
fn cost(cost: Duration, measured: Option<Measured>, of: &str) -> String {
    match measured.filter(|measured| measured.cost == cost) {
        Some(Measured { least, most, .. }) => {
            format!("{} ({} to {} by several {of})", shown(cost), shown(least), shown(most))
        }
        None => format!("{} ({ASSUMED})", shown(cost)),
    }
}

/// N, and what follows from it.
fn period(pool: &Pool, asks: bool) -> String {
    let (action, cost) = if asks { ("gives", pool.give_cost()) } else { ("is interrupted", pool.take_cost()) };
    match pool.period() {
        Duration::ZERO => format!("none: nothing limits how often a worker {action}"),
        period => {
            let percent = 100.0 * cost.as_secs_f64() / period.as_secs_f64();
            format!("{}: a worker {action} at most once in this time, {percent:.3} % of it", shown(period))
        }
    }
}

/// How long an asker waits before it takes.
fn patience(pool: &Pool) -> String {
    match setting(pool.scheduler(), "patience") {
        Some(time) if time == "never" => "endless: an asker never takes".into(),
        Some(time) => format!("{time}: an asker waits this long before it takes"),
        None if !pool.capabilities().taking() => "endless: an asker cannot take on this system".into(),
        None => format!("{}: an asker waits this long, the cost of a take, before it takes", shown(pool.take_cost())),
    }
}

/// Whether idle workers ask under this scheduler.
fn asks(scheduler: &Scheduler) -> bool {
    preset(scheduler) == preset(&Scheduler::default())
}

/// The name of the preset, which precedes the settings in the text of a scheduler.
fn preset(scheduler: &Scheduler) -> String {
    scheduler.to_string().split(',').next().unwrap_or_default().to_owned()
}

/// The value of a setting, if the user has chosen one.
fn setting(scheduler: &Scheduler, name: &str) -> Option<String> {
    let text = scheduler.to_string();
    text.split(',').find_map(|part| Some(part.strip_prefix(name)?.strip_prefix('=')?.to_owned()))
}

fn shown(time: Duration) -> String {
    seconds(time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(scheduler: &str) -> String {
        let scheduler: Scheduler = scheduler.parse().unwrap();
        let workers = if scheduler == Scheduler::serial() { 1 } else { 2 };
        let pool = Pool::builder().workers(workers).scheduler(scheduler).build().unwrap();
        rows(&pool).into_iter().map(|(name, value)| format!("{name}: {value}\n")).collect()
    }

    #[test]
    fn the_rows_say_what_the_scheduler_says() {
        assert!(text("default").contains("5.000 % of it"), "{}", text("default"));
        let chosen = text("default,period=1s,patience=3us");
        assert!(chosen.contains("period N: 1.00 s: a worker gives") && chosen.contains("patience: 3us:"), "{chosen}");
        assert!(text("default,patience=never").contains("an asker never takes"));
        assert!(text("default,period=0ns").contains("nothing limits how often a worker gives"));
        assert!(text("serial").contains("shares nothing") && text("chaos").contains("shares nothing"));
    }

    #[test]
    fn no_worker_asks_under_cilk5() {
        if !Pool::builder().workers(1).build().unwrap().capabilities().taking() {
            return;
        }
        let text = text("cilk5");
        assert!(text.contains("is interrupted at most once") && text.contains("patience: none"), "{text}");
    }
}
