//! The steps of each worker in one run, for a viewer: with the names that the traces of real runs have.

use std::path::Path;

use filch_bench::failure::Failure;
use filch_sim::{Activity, Step, StepKind};
use filch_trace::{Event, Format, Moves, Trace, Track, What};

use super::setting::Setting;

/// The counters are shown that often: real runs are shorter on many workers, and their counters are read more rarely.
const SAMPLE_NS: u64 = 100_000;

/// What is counted.
const COUNTERS: [&str; 3] = ["asks", "gives", "takes"];

/// The format of a file with this name.
pub(super) fn format_of(path: &Path) -> Result<Format, Failure> {
    Format::of(path).map_err(|error| Failure::Usage(format!("--trace: {error}, found {}", path.display())))
}

/// A trace of a run, in memory.
pub(super) struct Tracer {
    trace: Trace<Vec<u8>>,
    workers: Vec<Track>,
    counters: [Track; 3],
    moves: Moves,
    counts: [i64; 3],
    sampled_ns: u64,
    last_ns: u64,
}

/// What writing into memory returns.
const IN_MEMORY: &str = "memory is written without an error";

impl Tracer {
    pub(super) fn new(format: Format, setting: &Setting) -> Self {
        let name = format!("simulation: {}", setting.name());
        let mut trace = Trace::begin(Vec::new(), format, &name, 1).expect(IN_MEMORY);
        let name = |worker| if worker == 0 { "main".to_owned() } else { format!("filch-{worker}") };
        let mut workers = (0..setting.machine.workers).map(|worker| trace.add_track(&name(worker)));
        let workers = workers.by_ref().collect::<Result<_, _>>().expect(IN_MEMORY);
        let counters = COUNTERS.map(|name| trace.add_counter(&format!("pool 1: {name}")).expect(IN_MEMORY));
        Tracer { trace, workers, counters, moves: Moves::default(), counts: [0; 3], sampled_ns: 0, last_ns: 0 }
    }

    /// A worker has done something.
    pub(super) fn step(&mut self, Step { at_ns, worker, kind }: Step) {
        let (track, trace) = (self.workers[worker], &mut self.trace);
        let mut write = |event: &Event<'_>| trace.write(event).expect(IN_MEMORY);
        match kind {
            StepKind::Begins(activity, moved) => {
                self.counts[0] += i64::from(activity == Activity::Ask);
                let name = name_of(activity);
                match moved {
                    Some(frame) => self.moves.arrives(frame.into(), at_ns, track, name, &mut write),
                    None => write(&Event { at_ns, track, what: What::Begin { name, flow: None } }),
                }
            }
            StepKind::Ends => write(&Event { at_ns, track, what: What::End }),
            StepKind::Gives(frame) => {
                self.counts[1] += 1;
                self.moves.leaves(frame.into(), at_ns, track, "give", &mut write);
            }
            StepKind::Loses(frame) => {
                self.counts[2] += 1;
                self.moves.leaves(frame.into(), at_ns, track, "taken", &mut write);
            }
            StepKind::TakesBack(frame) => {
                write(&Event { at_ns, track, what: What::Instant { name: "take back", flow: None } });
                self.moves.stays(frame.into(), &mut write);
            }
        }
        self.last_ns = self.last_ns.max(at_ns);
        if self.last_ns >= self.sampled_ns + SAMPLE_NS {
            self.sample();
        }
    }

    fn sample(&mut self) {
        self.sampled_ns = self.last_ns;
        for (&track, &count) in self.counters.iter().zip(&self.counts) {
            let event = Event { at_ns: self.last_ns, track, what: What::Count(count) };
            self.trace.write(&event).expect(IN_MEMORY);
        }
    }

    /// The run is over: the file.
    pub(super) fn end(mut self) -> Vec<u8> {
        self.sample();
        self.moves.end(&mut |event| self.trace.write(event).expect(IN_MEMORY));
        self.trace.end().expect(IN_MEMORY)
    }
}

/// What the traces of real runs call it.
fn name_of(activity: Activity) -> &'static str {
    let real = match activity {
        Activity::Run => filch::Activity::Run,
        Activity::Task => filch::Activity::Task,
        Activity::Search => filch::Activity::Search,
        Activity::Ask => filch::Activity::Ask,
        Activity::Wait => filch::Activity::Wait,
        Activity::Sleep => filch::Activity::Sleep,
    };
    real.name()
}
