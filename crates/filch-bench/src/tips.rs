//! What a user may have meant: a name that is like the one in the message of an error.

use std::fs;
use std::path::Path;

/// Names below this similarity, which is at most 1, have little in common.
const SIMILAR: f64 = 0.8;

/// Shorter words, such as numbers, are no names.
const SHORTEST: usize = 3;

/// The tip for this message, if it says that there is no such file, or lists the names that it expected.
pub fn of(message: &str) -> Option<String> {
    if let Some((left, expected)) = message.split_once(": no such file") {
        // Some messages have the option first.
        let path = if left.starts_with("--") { left.split_once(' ')?.1 } else { left };
        let near = nearby(Path::new(path)).map(|name| format!("tip: a similar file exists: '{name}'"));
        return near.or_else(|| listed(path, expected));
    }
    let (found, expected) = message.split_once("expected")?;
    listed(quoted(found)?, expected)
}

/// The tip if a name in the text after "expected" is like the one that begins the value.
fn listed(found: &str, expected: &str) -> Option<String> {
    let name = found.split(|c| !is_of_names(c)).next()?;
    let words: Vec<&str> = expected.split(|c| !is_of_names(c)).filter(|word| is_name(word)).collect();
    let word = similar(name, words).next()?;
    (word != name).then(|| format!("tip: a similar value exists: '{word}'"))
}

fn is_of_names(c: char) -> bool {
    c.is_alphanumeric() || c == '-'
}

fn is_name(word: &str) -> bool {
    word.len() >= SHORTEST && word.starts_with(char::is_alphabetic)
}

/// The first text in quotes, of any kind.
fn quoted(text: &str) -> Option<&str> {
    let (_, text) = text.split_once(['\'', '`', '"'])?;
    text.split(['\'', '`', '"']).next()
}

/// Those of these names that are like `name`, the most similar first.
pub fn similar<N: AsRef<str>>(name: &str, names: impl IntoIterator<Item = N>) -> impl Iterator<Item = N> {
    let rated = names.into_iter().map(|other| (strsim::jaro_winkler(name, other.as_ref()), other));
    let mut found: Vec<(f64, N)> = rated.filter(|(similarity, _)| *similarity >= SIMILAR).collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.into_iter().map(|(_, other)| other)
}

/// The file in the same folder whose name is most like this one.
fn nearby(path: &Path) -> Option<String> {
    let folder = path.parent()?;
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let names = fs::read_dir(here).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let name = similar(path.file_name()?.to_str()?, names).next()?;
    Some(folder.join(name).display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_nearly_one_of_those_expected_is_told_and_others_are_not() {
        let tip = |found: &str| of(&format!("there is no program `{found}`; expected one of: fib, queens, 2 to 27"));
        assert_eq!(tip("fibb").unwrap(), "tip: a similar value exists: 'fib'");
        assert_eq!(tip("quens(8)").unwrap(), "tip: a similar value exists: 'queens'");
        assert_eq!([tip("zzz"), tip("2"), tip("fib"), of("out of memory")], [None, None, None, None]);
    }

    #[test]
    fn a_file_of_the_same_folder_is_told() {
        let folder = std::env::temp_dir().join(format!("filch-tips-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("roads.el.gz"), "").unwrap();
        let tip = |name: &str| of(&format!("{}: no such file", folder.join(name).display()));
        let there = folder.join("roads.el.gz").display().to_string();
        assert_eq!(tip("raods.el.gz"), Some(format!("tip: a similar file exists: '{there}'")));
        assert_eq!((tip("xyz"), of("--labels no/folder/x: no such file")), (None, None));
        fs::remove_dir_all(folder).unwrap();
    }
}
