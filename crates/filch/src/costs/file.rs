//! The file of measured costs, in the user's cache folder.
//!
//! It has one line of text per figure, with the lowest and the highest estimate in brackets. What cannot be read is
//! ignored. It is written under a temporary name and then renamed, so readers never see a part of it.

use super::capabilities::Capabilities;
use super::measured::{Measured, MeasuredCosts};
use std::collections::hash_map::DefaultHasher;
use std::ffi::OsString;
use std::hash::{Hash, Hasher};
use std::io::Read;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs, thread};

/// The path of the file, if there is a folder for it: `$FILCH_CACHE`, which may be empty so that there is none, else
/// `$XDG_CACHE_HOME/filch` on Linux, `~/Library/Caches/filch` on macOS, `%LOCALAPPDATA%\filch` on Windows. There is
/// one file for each kind of machine and of build, because machines may share a home folder.
pub(crate) fn path(capabilities: Capabilities) -> Option<PathBuf> {
    if cfg!(any(miri, filch_sanitizer = "thread")) || !capabilities.taking() {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    machine().hash(&mut hasher);
    capabilities.owner_fence_is_real().hash(&mut hasher);
    FORM.hash(&mut hasher);
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    let name = format!("costs-{}-{build}-{:016x}.txt", env!("CARGO_PKG_VERSION"), hasher.finish());
    Some(folder(env::var_os("FILCH_CACHE"))?.join(name))
}

/// The folder that was asked for. That of no name is none.
fn folder(asked: Option<OsString>) -> Option<PathBuf> {
    match asked {
        Some(folder) if folder.is_empty() => None,
        Some(folder) => Some(folder.into()),
        None => Some(cache_folder()?.join("filch")),
    }
}

/// The folder of the user's caches, by the conventions of the system. `None` if it is not known, or not absolute.
fn cache_folder() -> Option<PathBuf> {
    let in_home = |folder: &str| Some(env::home_dir()?.join(folder));
    let named = |variable| env::var_os(variable).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let folder = match env::consts::OS {
        "windows" => named("LOCALAPPDATA"),
        "macos" | "ios" => in_home("Library/Caches"),
        _ => named("XDG_CACHE_HOME").or_else(|| in_home(".cache")),
    };
    folder.filter(|folder| folder.is_absolute())
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
    const BYTES: usize = 1 << 10;
    // With room for all of it there is one read, and not one of 32 bytes, 64 bytes and so on: each takes microseconds.
    let mut first = Vec::with_capacity(BYTES);
    // If it cannot be read, or only in part, the file of costs has another name.
    let _ = fs::File::open("/proc/cpuinfo").and_then(|info| info.take(BYTES as u64).read_to_end(&mut first));
    String::from_utf8_lossy(&first).into_owned()
}

/// The lines that do not change. `None` if there are none.
fn of_processor(info: &str) -> Option<String> {
    const LINES: [&str; 5] = ["model name", "siblings", "cpu cores", "CPU implementer", "CPU part"];
    let is_kept = |line: &&str| LINES.iter().any(|start| line.starts_with(start));
    let kept: Vec<&str> = info.lines().filter(is_kept).collect();
    (!kept.is_empty()).then(|| kept.join("\n"))
}

/// The form of the lines, so that builds which write others have other files.
const FORM: u32 = 2;

/// Costs outside of this range are taken for an error.
const BELIEVABLE: RangeInclusive<Duration> = Duration::from_nanos(1)..=Duration::from_millis(100);

/// What the lines begin with.
const FIGURES: [&str; 4] = ["give", "take", "promotion", "beat"];

/// What the file has. A figure that is not in it, or cannot be true, is not known.
pub(crate) fn read(file: &Path) -> MeasuredCosts {
    let text = fs::read_to_string(file).unwrap_or_default();
    let figure = |name: &str| {
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "))?;
        let (cost, spread) = value.strip_suffix(')')?.split_once(" ns (")?;
        let (least, most) = spread.split_once(" to ")?;
        let time = |nanos: &str| Some(Duration::from_nanos(nanos.parse().ok()?));
        let measured = Measured { cost: time(cost)?, least: time(least)?, most: time(most)? };
        let is_sorted = (measured.least..=measured.most).contains(&measured.cost);
        (is_sorted && BELIEVABLE.contains(&measured.least) && BELIEVABLE.contains(&measured.most)).then_some(measured)
    };
    let [give, take, promotion, beat] = FIGURES.map(figure);
    MeasuredCosts { give, take, promotion, beat }
}

/// Writes the file completely or not at all.
pub(crate) fn write(file: &Path, costs: MeasuredCosts) -> std::io::Result<()> {
    let costs = [costs.give, costs.take, costs.promotion, costs.beat];
    let line = |(name, cost): (&str, Option<Measured>)| Some(format!("{name} = {}\n", cost?));
    let text: String = FIGURES.into_iter().zip(costs).filter_map(line).collect();
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
    fn the_variable_names_the_folder_or_that_there_is_none() {
        assert_eq!(folder(Some("".into())), None);
        assert_eq!(folder(Some("/tmp/costs".into())), Some("/tmp/costs".into()));
        assert_eq!(folder(None), cache_folder().map(|caches| caches.join("filch")));
        assert!(cache_folder().is_none_or(|folder| folder.is_absolute()));
    }

    #[test]
    fn figures_that_were_written_are_read_and_others_are_not_believed() {
        let file = env::temp_dir().join(format!("filch-costs-{}", std::process::id())).join("costs.txt");
        let measured = |[cost, least, most]: [u64; 3]| {
            let [cost, least, most] = [cost, least, most].map(Duration::from_nanos);
            Measured { cost, least, most }
        };
        let give = measured([210, 190, 240]);
        let take = measured([17_000, 17_000, 18_000]);
        // The machine was too busy for the others.
        for promotion in [None, Some(measured([1_100, 1, 2_000]))] {
            let costs = MeasuredCosts { give: Some(give), take: Some(take), promotion, beat: None };
            write(&file, costs).expect("a folder of its own");
            assert_eq!(read(&file), costs);
        }
        let whole = fs::read_to_string(&file).expect("just written");
        for (good, bad) in [
            ("give = ", "give: "),
            ("give = 210 ns (190 to 240)", ""),
            ("210 ns (190 to 240)", "210 ns"),
            ("210 ns (190 to 240)", "210 ns (220 to 240)"),
            ("210 ns (190 to 240)", "0 ns (0 to 240)"),
            ("210 ns (190 to 240)", "x ns (190 to 240)"),
            ("240)", "999999999999)"),
        ] {
            let bad = whole.replace(good, bad);
            assert_ne!(bad, whole);
            fs::write(&file, &bad).expect("as above");
            let costs = read(&file);
            assert_eq!((costs.give, costs.take), (None, Some(take)), "{bad}");
        }
        fs::remove_dir_all(file.parent().expect("it has one")).expect("its own");
    }
}
