//! The file of measured costs, in the user's cache folder.
//!
//! It has one line of text per figure. A file that cannot be read or is incomplete is ignored. It is written under a
//! temporary name and then renamed, so readers never see a part of it.

use super::capabilities::Capabilities;
use filch_policy::Costs;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
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
    processor().hash(&mut hasher);
    thread::available_parallelism().map_or(0, |n| n.get()).hash(&mut hasher);
    capabilities.owner_fence_is_real().hash(&mut hasher);
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    let name = format!("costs-{}-{build}-{:016x}.txt", env!("CARGO_PKG_VERSION"), hasher.finish());
    Some(dirs::cache_dir()?.join("filch").join(name))
}

/// The model of the processor, to tell kinds of machines apart, if the system says.
fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    info.lines().find(|line| line.starts_with("model name")).unwrap_or(env::consts::ARCH).to_owned()
}

/// Costs outside of this range are taken for an error.
const BELIEVABLE: RangeInclusive<Duration> = Duration::from_nanos(1)..=Duration::from_millis(100);

pub(crate) fn read(file: &Path) -> Option<Costs> {
    let text = fs::read_to_string(file).ok()?;
    let figure = |name: &str| {
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = ")?.strip_suffix(" ns"))?;
        Some(Duration::from_nanos(value.parse().ok()?)).filter(|cost| BELIEVABLE.contains(cost))
    };
    Some(Costs { give: figure("give")?, take: figure("take")? })
}

/// Writes the file completely or not at all.
pub(crate) fn write(file: &Path, costs: Costs) -> std::io::Result<()> {
    let text = format!("give = {} ns\ntake = {} ns\n", costs.give.as_nanos(), costs.take.as_nanos());
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
    fn figures_that_were_written_are_read_and_others_are_not_believed() {
        let file = env::temp_dir().join(format!("filch-costs-{}", std::process::id())).join("costs.txt");
        let costs = Costs { give: Duration::from_nanos(210), take: Duration::from_nanos(17_000) };
        assert_eq!(read(&file), None);
        write(&file, costs).expect("a folder of its own");
        assert_eq!(read(&file), Some(costs));
        for bad in [
            "",
            "give = 1 ns",
            "give = x ns\ntake = 1 ns",
            "give = 1 ns\ntake = 0 ns",
            "give = 1 ns\ntake = 999999999999 ns",
        ] {
            fs::write(&file, bad).expect("as above");
            assert_eq!(read(&file), None, "{bad}");
        }
        fs::remove_dir_all(file.parent().expect("it has one")).expect("its own");
    }
}
