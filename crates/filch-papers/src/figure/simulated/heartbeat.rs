//! Figure 7 of Acar, Charguéraud, Guatto, Rainey and Sieczkowski (2018).

use std::time::Duration;

use filch_bench::failure::Failure;
use filch_bench::show::numbers::{scaled, seconds};
use filch_bench::show::progress::samples::Samples;
use filch_sim::program::text::parse;
use filch_sim::rules;

use super::{Found, Setting, Simulated};
use crate::chart::Panel;
use crate::figure::printed::{HEARTBEAT_BEST_US, HEARTBEAT_GOOD_US, HEARTBEAT_TAU_NS, HEARTBEAT_WORKERS};
use crate::figure::report::{Report, percent, ratio};

/// The periods N, in microseconds.
const PERIODS_US: [u64; 15] = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1_000, 3_000, 10_000];

/// How much longer than with the best N a run may take for its N to count as good.
const GOOD: f64 = 1.05;

/// Figure 7: time against the period N.
pub fn figure_7(setting: &Setting) -> Result<Found, Failure> {
    let workers = setting.workers_of_one(HEARTBEAT_WORKERS)?;
    let has_beat = rules(&setting.scheduler, &setting.costs, workers).is_ok_and(|rules| rules.beat().is_some());
    if !has_beat {
        return Err(Failure::Usage(format!("--scheduler {}: expected heartbeat, which has beats", setting.scheduler)));
    }
    let tau = seconds(setting.costs.promotion_ns as f64 / 1e9);
    let mut report = Report::new(format!("Time against the period N on P = {workers}"));
    let printed = seconds(HEARTBEAT_TAU_NS as f64 / 1e9);
    report.note(format!("τ = {tau} for a promotion; in the paper {printed} (section 5.1)"));
    report.note("T_P: relative to the best N; idle: share of the workers' time without a task");
    let programs = setting.size.of_heartbeat();
    let progress = Samples::new(programs.len() * PERIODS_US.len(), setting.seeds);
    let (mut rows, mut lines, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    for text in programs {
        let program = parse(text).expect("it is a program");
        let mut own = Vec::new();
        for us in PERIODS_US {
            progress.begin(&format!("{text}, N = {us} µs"));
            let scheduler = setting.scheduler.clone().with_period(Duration::from_micros(us));
            own.push(setting.simulate(&*program, &scheduler, workers, &progress)?);
        }
        let best = best(&own);
        let relative: Vec<f64> = own.iter().map(|row| row.seconds().value / own[best].seconds().value).collect();
        let table = PERIODS_US.iter().zip(&own).zip(&relative).map(|((us, row), relative)| {
            let cells = [ratio(Some(*relative)), scaled(row.gifts), percent(100.0 * row.idle_share)];
            [vec![format!("{us} µs"), seconds(row.seconds().value)], cells.to_vec()].concat()
        });
        let header = [text, "time", "T_P", "promotions", "idle"];
        report.table(header.map(str::to_owned).to_vec(), table.collect());
        let good: Vec<u64> =
            PERIODS_US.iter().zip(&relative).filter(|(_, relative)| **relative < GOOD).map(|(us, _)| *us).collect();
        let (first, last) = (good[0], good[good.len() - 1]);
        ends.push(vec![text.to_owned(), format!("{} µs", PERIODS_US[best]), format!("{first} to {last} µs")]);
        lines.push((text.to_owned(), relative.into_iter().map(Some).collect()));
        rows.extend(own);
    }
    let (low, high) = HEARTBEAT_GOOD_US;
    ends.push(vec![
        "paper, two programs of PBBS".into(),
        format!("{HEARTBEAT_BEST_US} µs"),
        format!("{low} to {high} µs"),
    ]);
    let good = format!("good N: up to {} more", percent(100.0 * (GOOD - 1.0)));
    report.table(["program", "best N", &good].map(str::to_owned).to_vec(), ends);
    report.panel(Panel {
        title: format!("P = {workers}, τ = {tau}"),
        across: "N in µs".into(),
        names: PERIODS_US.map(|us| us.to_string()).to_vec(),
        up: "time relative to the best N".into(),
        lines,
        ..Panel::default()
    });
    Ok(Found { report, rows, svg: None })
}

/// The place of the shortest time.
fn best(rows: &[Simulated]) -> usize {
    let times: Vec<f64> = rows.iter().map(|row| row.seconds().value).collect();
    (0..times.len()).min_by(|&one, &other| times[one].total_cmp(&times[other])).expect("there are periods")
}

#[cfg(test)]
mod tests {
    use super::super::COSTS_OF_HEARTBEAT;
    use super::*;
    use crate::figure::size::Size;
    use filch::Scheduler;

    fn setting(scheduler: Scheduler) -> Setting {
        Setting { scheduler, costs: COSTS_OF_HEARTBEAT, workers: vec![], seeds: 1, size: Size::Tiny }
    }

    #[test]
    fn the_best_period_is_near_the_paper_s_and_both_smaller_and_larger_ones_are_worse() {
        let setting = setting(Scheduler::heartbeat());
        let Found { rows, .. } = figure_7(&setting).unwrap();
        for own in rows.chunks(PERIODS_US.len()) {
            let times: Vec<f64> = own.iter().map(|row| row.seconds().value).collect();
            let best = best(own);
            let factor = PERIODS_US[best] as f64 / HEARTBEAT_BEST_US as f64;
            assert!((1.0 / 3.0..=3.0).contains(&factor), "{}: N = {} µs", own[0].program, PERIODS_US[best]);
            assert!(times[0] > 1.2 * times[best], "overheads at N = 1 µs: {own:?}");
            assert!(times[times.len() - 1] > 1.5 * times[best], "idle workers at N = 10 ms: {own:?}");
        }
    }

    #[test]
    fn a_scheduler_without_beats_is_refused() {
        let setting = setting(Scheduler::default());
        let refused = figure_7(&setting).unwrap_err();
        assert!(matches!(refused, Failure::Usage(text) if text.contains("--scheduler default")));
    }
}
