//! The file of measured costs, in the user's cache folder.
//!
//! It has one line of text per figure. A file that cannot be read or is incomplete is ignored. It is written under a
//! temporary name and then renamed, so readers never see a part of it.

use super::capabilities::Capabilities;
use filch_policy::Costs;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io::Read;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs, thread};

/// The path of the file, if the platform has a cache folder: `$XDG_CACHE_HOME/filch` on Linux, `~/Library/Caches/filch`
/// on macOS, `%LOCALAPPDATA%\filch` on Windows. There is one file for each kind of machine and of build, because
/// machines may share a home folder.
pub(crate) fn path(capabilities: Capabilities) -> Option<PathBuf> {
    if cfg!(any(miri, filch_sanitizer = "thread")) || !capabilities.taking() {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    machine().hash(&mut hasher);
    capabilities.owner_fence_is_real().hash(&mut hasher);
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    let name = format!("costs-{}-{build}-{:016x}.txt", env!("CARGO_PKG_VERSION"), hasher.finish());
    Some(dirs::cache_dir()?.join("filch").join(name))
}

/// What tells kinds of machines apart: the model of the first processor, and how many are like it if the system says.
fn machine() -> String {
    of_processor(&first_processor()).unwrap_or_else(|| {
        let processors = thread::available_parallelism().map_or(0, |n| n.get());
        format!("{} {processors}", env::consts::ARCH)
    })
}

/// What Linux says about the first processor. The rest takes it long to write, and there may be hundreds of them.
fn first_processor() -> String {
    let mut first = Vec::new();
    // If it cannot be read, or only in part, the file of costs has another name.
    let _ = fs::File::open("/proc/cpuinfo").and_then(|info| info.take(1 << 10).read_to_end(&mut first));
    String::from_utf8_lossy(&first).into_owned()
}

/// The lines that do not change. `None` if there are none.
fn of_processor(info: &str) -> Option<String> {
    const LINES: [&str; 5] = ["model name", "siblings", "cpu cores", "CPU implementer", "CPU part"];
    let is_kept = |line: &&str| LINES.iter().any(|start| line.starts_with(start));
    let kept: Vec<&str> = info.lines().filter(is_kept).collect();
    (!kept.is_empty()).then(|| kept.join("\n"))
}

/// Costs outside of this range are taken for an error.
const BELIEVABLE: RangeInclusive<Duration> = Duration::from_nanos(1)..=Duration::from_millis(100);

/// What the lines begin with.
const FIGURES: [&str; 4] = ["give", "take", "promotion", "beat"];

pub(crate) fn read(file: &Path) -> Option<Costs> {
    let text = fs::read_to_string(file).ok()?;
    let figure = |name: &str| {
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = ")?.strip_suffix(" ns"))?;
        Some(Duration::from_nanos(value.parse().ok()?)).filter(|cost| BELIEVABLE.contains(cost))
    };
    let [give, take, promotion, beat] = FIGURES.map(figure);
    Some(Costs { give: give?, take: take?, promotion: promotion?, beat: beat? })
}

/// Writes the file completely or not at all.
pub(crate) fn write(file: &Path, costs: Costs) -> std::io::Result<()> {
    let costs = [costs.give, costs.take, costs.promotion, costs.beat];
    let line = |(name, cost): (&str, Duration)| format!("{name} = {} ns\n", cost.as_nanos());
    let text: String = FIGURES.into_iter().zip(costs).map(line).collect();
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let unfinished = file.with_extension(format!("{}.tmp", std::process::id()));
    let written = fs::write(&unfinished, text).and_then(|()| fs::rename(&unfinished, file));
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_is_known_by_what_does_not_change() {
        let info = "processor\t: 0\nmodel name\t: A 1\ncpu MHz\t: 99.1\nsiblings\t: 4\ncpu cores\t: 2\n";
        assert_eq!(of_processor(info).as_deref(), Some("model name\t: A 1\nsiblings\t: 4\ncpu cores\t: 2"));
        assert_eq!(of_processor("processor : 0"), None);
        assert_eq!(machine(), machine());
    }

    #[test]
    fn figures_that_were_written_are_read_and_others_are_not_believed() {
        let file = env::temp_dir().join(format!("filch-costs-{}", std::process::id())).join("costs.txt");
        let [give, take, promotion, beat] = [210, 17_000, 1_100, 9_000].map(Duration::from_nanos);
        let costs = Costs { give, take, promotion, beat };
        assert_eq!(read(&file), None);
        write(&file, costs).expect("a folder of its own");
        assert_eq!(read(&file), Some(costs));
        for bad in [
            "",
            "give = 1 ns",
            "give = 1 ns\ntake = 1 ns",
            "give = 1 ns\ntake = 1 ns\nbeat = 1 ns",
            "give = x ns\ntake = 1 ns\npromotion = 1 ns\nbeat = 1 ns",
            "give = 1 ns\ntake = 0 ns\npromotion = 1 ns\nbeat = 1 ns",
            "give = 1 ns\ntake = 1 ns\npromotion = 1 ns\nbeat = 999999999999 ns",
        ] {
            fs::write(&file, bad).expect("as above");
            assert_eq!(read(&file), None, "{bad}");
        }
        fs::remove_dir_all(file.parent().expect("it has one")).expect("its own");
    }
}
