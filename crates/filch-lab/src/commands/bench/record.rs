//! `filch bench PROGRAM --record FILE`: the tree of forks of a program, with the times of its parts.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use filch_bench::comparison::plan::Task;
use filch_bench::failure::Failure;
use filch_bench::measure::median::Median;
use filch_bench::show::numbers::{bytes, grouped, scaled, seconds};
use filch_kernels::Instance;
use filch_sim::Costs;
use filch_sim::program::Program as _;
use filch_sim::program::totals::Totals;

use crate::output;
use crate::recordings::write::Writer;
use crate::recordings::{Header, read};

/// How often the serial elision runs, after once for warm-up.
const SERIAL_RUNS: usize = 3;

/// How far the recorded work may be from the serial time before the user is warned.
const NOTABLE: f64 = 0.1;

/// Records the only task.
pub(super) fn run(tasks: &[Task], path: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let [task @ Task { program, n, grains, .. }] = tasks else {
        return Err(Failure::Usage("--record: expected one program, such as filch bench fib --record FILE".into()));
    };
    output::check_writable(path)?;
    let name = program.name;
    let mut instance = task.prepare()?;
    if let Some(grains) = grains {
        instance.set_grain(grains.asked);
    }
    let wrong = |error| Failure::Failed(format!("{name}: {error}"));
    let mut serial = || -> Result<f64, Failure> {
        let begin = Instant::now();
        instance.serial();
        let seconds = begin.elapsed().as_secs_f64();
        instance.verify().map_err(wrong)?;
        Ok(seconds)
    };
    serial()?;
    let serial_s = Median::of((0..SERIAL_RUNS).map(|_| serial()).collect::<Result<_, _>>()?).value;

    let (serial_ns, data_bytes) = ((serial_s * 1e9) as u64, Some(program.data_bytes_of_bound(*n)));
    let header = Header { program: name.into(), n: n.to_string(), serial_ns, data_bytes };
    let (file, touches) = record(&mut *instance, &header)?;
    instance.verify().map_err(wrong)?;
    // The program as the simulator reads it. A program that the simulator would refuse is not written.
    let (_, recorded) = read::parse(&file[..]).map_err(Failure::Failed)?;
    output::write_whole(path, &file)?;

    let totals = Totals::of(&recorded, Costs::ASSUMED.fork_ns);
    let work_s = totals.work_ns as f64 / 1e9;
    writeln!(out, "{name} n = {n}: recorded to {}, {}", output::shown(path), bytes(file.len() as u64))?;
    writeln!(out, "serial {} (median of {SERIAL_RUNS} runs), recorded work {}", seconds(serial_s), seconds(work_s))?;
    writeln!(
        out,
        "{} forks of {} each; T∞ {}, T1/T∞ {}",
        grouped(totals.forks),
        seconds(Costs::ASSUMED.fork_ns as f64 / 1e9),
        seconds(totals.span_ns as f64 / 1e9),
        scaled(totals.parallelism())
    )?;
    match recorded.memory_bytes() {
        0 => writeln!(out, "the program does not say which memory it touches")?,
        memory => writeln!(out, "{} touches of {} of memory", grouped(touches), bytes(memory))?,
    }
    if (work_s / serial_s - 1.0).abs() > NOTABLE {
        writeln!(
            out,
            "note: these differ. A part takes {} on average; one that is no longer than a look at the\n      clock is \
             not exact; {}",
            seconds(work_s / (3 * totals.forks + 1) as f64),
            if program.grain.is_some() { "a larger --grain helps" } else { "choose a program with longer parts" }
        )?;
    }
    Ok(())
}

/// The bytes of a recording, and how many touches of memory are in it.
fn record(instance: &mut dyn Instance, header: &Header) -> Result<(Vec<u8>, u64), Failure> {
    let mut writer = Writer::new(header).map_err(Failure::usage)?;
    let mut written = Ok(());
    let is_recorded = instance.record(&mut |segment| {
        if written.is_ok() {
            written = writer.add(segment);
        }
    });
    if !is_recorded {
        return Err(Failure::Usage(format!("--record: {} cannot be recorded", header.program)));
    }
    let touches = writer.touches();
    let file = written.and_then(|()| writer.finish()).map_err(Failure::usage)?;
    Ok((file, touches))
}
