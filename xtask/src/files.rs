//! The files that checks read.

use std::fs;
use std::path::{Path, PathBuf};

/// The Rust sources under a folder, in the order of their paths, each with its text.
pub(crate) fn rust(folder: &Path) -> Result<Vec<(PathBuf, String)>, String> {
    let mut paths = Vec::new();
    collect(folder, &mut paths).map_err(|error| format!("{}: cannot be read: {error}", folder.display()))?;
    paths.sort();
    paths.into_iter().map(|path| read(&path).map(|text| (path, text))).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, paths)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            paths.push(path);
        }
    }
    Ok(())
}

/// The text of a file. The error names it.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: cannot be read: {error}", path.display()))
}
