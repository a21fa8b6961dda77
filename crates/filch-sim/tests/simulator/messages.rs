//! What goes from one worker to another takes its time, and takes it once.

use crate::rules;
use filch_sim::program::text::parse;
use filch_sim::{Costs, Outcome, Simulation};

/// Two workers, and messages that take this long.
fn run(program: &str, scheduler: &str, miss_ns: u64) -> Outcome {
    let program = parse(program).expect("a program");
    // The second worker is there soon, and has not kept the first one from its work.
    let costs = Costs { miss_ns, call_ns: 0, wake_ns: 1_000, ..Costs::ASSUMED };
    Simulation::new(&*program, rules(scheduler, costs, 2), costs, 2, 1).run()
}

/// By how much a time grows with that of a message, in units of it.
fn messages(program: &str, scheduler: &str, time_ns: impl Fn(&Outcome) -> u64) -> f64 {
    let [short, long] = [100, 3_100].map(|miss_ns| time_ns(&run(program, scheduler, miss_ns)));
    (long as f64 - short as f64) / 3_000.0
}

#[test]
fn an_ask_its_answer_and_the_frame_that_moves_are_one_message_each() {
    // The victim looks at each return, after some 10 ns.
    let ramp = messages("fib:30,leaf=10ns", "tascell", |run| run.ramp_ns.expect("both have worked"));
    assert!((ramp - 3.0).abs() < 0.1, "the thief begins {ramp} messages later");
}

#[test]
fn a_frame_that_is_left_and_its_result_are_one_message_each() {
    // A single fork, whose second branch comes to its end last.
    let time = messages("fib:2,leaf=30us", "default", |run| run.time_ns);
    assert!((time - 2.0).abs() < 0.1, "the run lasts {time} messages longer");
}
