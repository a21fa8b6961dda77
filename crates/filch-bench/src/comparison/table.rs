//! The table of one program, at most 80 columns wide.

use std::io::{self, Write};

use filch_kernels::Grain;

use super::counted;
use super::plan::{Comparison, Peer, Task};
use super::row::{Measured, Row};
use crate::measure::median::note_on_few;
use crate::measure::ratio::Ratio;
use crate::measure::runner::{CHILI, Grains, RAYON, RAYON_TUNED, SERIAL, SERIAL_WITH_CUT_OFF};
use crate::show::numbers::{number_of, seconds};
use crate::show::table::{plain_table, text};

/// The peers in the first table of a program, and in the summary.
pub(crate) const PEERS: [&str; 3] = [SERIAL, RAYON, CHILI];

/// Explains what the tables show.
pub fn explain(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    if cfg!(debug_assertions) {
        writeln!(out, "This is a debug build: its times are meaningless.\n")?;
    }
    let Comparison { runs, against, busy, details, .. } = comparison;
    let counted = number_of(*runs, "run", "runs");
    writeln!(out, "P        number of workers")?;
    if *details {
        writeln!(out, "time     median of {counted}, in which the runners take turns")?;
    }
    writeln!(out, "against  own time / the peer's, so less than 1 is faster: the median of the")?;
    writeln!(out, "         ratios within a run, over {counted}, with its 95 % interval")?;
    if let Some(note) = note_on_few(*runs) {
        writeln!(out, "         {note}")?;
    }
    if *details && against.contains(&Peer::Serial) {
        writeln!(out, "serial-again is the serial program measured a second time: how far it is from 1")?;
        writeln!(out, "         is the noise of this machine")?;
    }
    if *details && against.contains(&Peer::RayonTuned) {
        writeln!(out, "rayon-tuned is rayon with its loops tuned by hand, using with_min_len or")?;
        writeln!(out, "         with_max_len: the fastest in a sweep over powers of 4 before the runs")?;
    }
    if *busy > 0 {
        let processes = if *busy == 1 { "process of the lab competes" } else { "processes of the lab compete" };
        writeln!(out, "during the runs, {busy} busy {processes} for the cores")?;
    }
    Ok(())
}

/// Shows the figures of one program.
pub fn show(
    task: &Task,
    comparison: &Comparison,
    Measured { rows, .. }: &Measured,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "\n{}", heading(task, rows))?;
    writeln!(out, "{}", times(rows))?;
    for table in [against_tuned(rows), against_cut_off(rows), schedulers(rows)].into_iter().flatten() {
        writeln!(out, "\n{table}")?;
    }
    if let Some(note) = note_on_load(rows) {
        writeln!(out, "{note}")?;
    }
    if comparison.counters
        && let Some(table) = counted::table(rows)
    {
        writeln!(out, "\n{table}")?;
    }
    if comparison.instructions {
        writeln!(out, "\n{}", instructions(task, rows))?;
    }
    out.flush()
}

/// What the mark of rows means that were measured on a loaded machine, if there are any.
pub(crate) fn note_on_load(rows: &[Row]) -> Option<String> {
    let loaded = rows.iter().filter(|row| row.others_cores.is_some());
    let row = loaded.max_by(|one, other| one.others_cores.partial_cmp(&other.others_cores).expect("numbers"))?;
    let (cores, blocks) = (row.others_cores?, row.runs.div_ceil(row.runs_per_block));
    Some(format!(
        "* other programs kept {cores:.1} cores busy: figures for several workers suffer, and\n  the intervals are \
         those of {}, with new pools for each",
        number_of(blocks, "block of rounds", "blocks of rounds")
    ))
}

fn heading(task: &Task, rows: &[Row]) -> String {
    let mut heading = format!("{} {}: {}", task.program.name, task.n, task.program.about);
    if let (Some(Grains { asked, own }), Some(Grain { counts, .. })) = (task.grains, task.program.grain) {
        heading += &format!("\ncut-off {asked}, {counts}; serial-cut-off has the program's own, {own}");
    }
    if let Some(calls) = rows.first().map(|row| row.calls).filter(|&calls| calls > 1) {
        heading += &format!("\n(a run is {calls} calls; the time is that of one call)");
    }
    heading
}

fn times(rows: &[Row]) -> String {
    let compared: Vec<&str> =
        PEERS.into_iter().filter(|name| rows.iter().any(|row| row.ratio(name).is_some())).collect();
    let mut header = vec!["runner".to_owned(), "P".into(), "time".into()];
    header.extend(compared.iter().map(|name| format!("against {name}")));
    let mut table = plain_table(header);
    for row in rows {
        let mut cells = vec![row.marked(&row.runner), row.workers.to_string(), seconds(row.median_s)];
        cells.extend(compared.iter().map(|name| row.ratio(name).map_or(String::new(), ToString::to_string)));
        if !row.verified {
            cells[2] = "WRONG".into();
        }
        table.add_row(cells);
    }
    text(table)
}

/// The ratios against the serial elision with its own cut-off. A table of its own, because the first one has no room
/// for another column.
fn against_cut_off(rows: &[Row]) -> Option<String> {
    table_against(rows, |against| against == SERIAL_WITH_CUT_OFF)
}

/// The ratios against rayon with its loops tuned by hand, and the tunings. A table of its own for the same reason.
fn against_tuned(rows: &[Row]) -> Option<String> {
    let mut lines: Vec<String> = table_against(rows, |against| against == RAYON_TUNED).into_iter().collect();
    lines.extend(tunings(rows));
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The tunings of loops, one line for each number of workers.
fn tunings(rows: &[Row]) -> impl Iterator<Item = String> {
    rows.iter().filter_map(|row| {
        let workers = number_of(row.workers, "worker", "workers");
        Some(format!("{} on {workers}: {}", row.runner, row.tuning.as_ref()?))
    })
}

/// The ratios of schedulers against the last one, if there are several. A table of its own, because names of schedulers
/// are long.
fn schedulers(rows: &[Row]) -> Option<String> {
    table_against(rows, |against| ![SERIAL_WITH_CUT_OFF, RAYON_TUNED].contains(&against) && !PEERS.contains(&against))
}

/// The ratios against the runner for whose name `is_meant` holds.
fn table_against<'a>(rows: &'a [Row], is_meant: impl Fn(&str) -> bool) -> Option<String> {
    let ratio = |row: &'a Row| row.ratios.iter().find(|ratio| is_meant(&ratio.against));
    let compared: Vec<(&Row, &Ratio)> = rows.iter().filter_map(|row| Some((row, ratio(row)?))).collect();
    let (_, first) = compared.first()?;
    let mut table = plain_table(vec!["runner".into(), "P".into(), format!("against {}", first.against)]);
    for (row, ratio) in compared {
        table.add_row([row.marked(&row.runner), row.workers.to_string(), ratio.to_string()]);
    }
    Some(text(table))
}

fn instructions(task: &Task, rows: &[Row]) -> String {
    let Some(forks) = task.program.forks else {
        return format!("instructions per fork: the number of forks of {} is unknown", task.program.name);
    };
    if rows.iter().all(|row| row.instructions_per_fork.is_none()) {
        return "instructions per fork: counted on one worker only; add --workers 1".into();
    }
    let [small, large] = forks.sizes;
    let mut table = plain_table(vec!["instructions per fork above serial".into(), format!("n = {small} to {large}")]);
    for row in rows {
        if let Some(instructions) = row.instructions_per_fork {
            table.add_row([row.runner.clone(), format!("{instructions:.2}")]);
        }
    }
    text(table)
}
