//! The caches of a processor, as described by Linux.

use std::fs;
use std::path::Path;

/// The folder in which Linux describes the caches of the first processor.
const FIRST: &str = "/sys/devices/system/cpu/cpu0/cache";

/// The data caches of the first processor, starting with the nearest; `None` if the system does not describe them.
pub fn of_first_processor() -> Option<String> {
    described(Path::new(FIRST))
}

fn described(folder: &Path) -> Option<String> {
    let cache = |index: usize| {
        let read = |file: &str| fs::read_to_string(folder.join(format!("index{index}/{file}"))).ok();
        let [level, kind, size, sharers] = ["level", "type", "size", "shared_cpu_list"].map(read);
        let is_for_data = kind?.trim() != "Instruction";
        // The list of sharers is missing on some systems.
        let sharers =
            sharers.filter(|list| list.trim().contains(['-', ','])).map(|list| format!(" for {}", list.trim()));
        let words = format!("L{} {}{}", level?.trim(), size?.trim(), sharers.unwrap_or_default());
        Some(is_for_data.then_some(words))
    };
    let caches: Vec<String> = (0..).map_while(cache).flatten().collect();
    (!caches.is_empty()).then(|| caches.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_caches_are_named_with_their_sizes_and_sharers() {
        let folder = std::env::temp_dir().join(format!("filch-caches-{}", std::process::id()));
        let caches = [("1", "Data", "48K", "0"), ("1", "Instruction", "32K", "0"), ("3", "Unified", "30720K", "0-3")];
        for (index, (level, kind, size, sharers)) in caches.into_iter().enumerate() {
            let folder = folder.join(format!("index{index}"));
            fs::create_dir_all(&folder).unwrap();
            for (file, content) in [("level", level), ("type", kind), ("size", size), ("shared_cpu_list", sharers)] {
                fs::write(folder.join(file), format!("{content}\n")).unwrap();
            }
        }
        assert_eq!(described(&folder).unwrap(), "L1 48K, L3 30720K for 0-3");
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(described(&folder), None);
    }
}
