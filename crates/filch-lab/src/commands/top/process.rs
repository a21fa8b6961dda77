//! Programs on Filch, and their pages: memory files, which Linux shows among the open files of a process.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::page::{Page, PageError};

/// What the link in `/proc/PID/fd` of a page begins with.
const NAME: &str = "/memfd:filch-pool";

/// Why a process cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// There is none of that number.
    #[error("there is no process {0}")]
    None(u32),
    /// The system shows nothing of it.
    #[error(
        "process {0} cannot be looked at: {1}. It belongs to another user, or has privileges; try as that user, or as \
         root"
    )]
    NotPermitted(u32, io::Error),
    /// It has no page.
    #[error(
        "process {0} has no pool of Filch. It is built without Filch, or has not needed a pool yet; or it has closed \
         all its descriptors; or its sandbox refuses memory files"
    )]
    NotOnFilch(u32),
    /// It has a page, which this command cannot read.
    #[error("process {0}: {1}")]
    Page(u32, PageError),
    /// No process of the user has a page.
    #[error("no process that this user may look at has a pool of Filch")]
    NoneAtAll,
    /// The system does not show processes in the way of Linux.
    #[error("the system shows no processes in /proc: `filch top` needs Linux ({0})")]
    System(io::Error),
}

/// A process on Filch.
#[derive(Debug)]
pub struct Process {
    id: u32,
    name: String,
    page: Page,
    /// The link to its page.
    link: PathBuf,
}

impl Process {
    /// The process with this number.
    ///
    /// # Errors
    ///
    /// If it cannot be shown.
    pub fn find(id: u32) -> Result<Process, ProcessError> {
        let folder = PathBuf::from(format!("/proc/{id}"));
        fs::read_dir("/proc").map_err(ProcessError::System)?;
        if !folder.is_dir() {
            return Err(ProcessError::None(id));
        }
        let links = fs::read_dir(folder.join("fd")).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => ProcessError::None(id),
            _ => ProcessError::NotPermitted(id, error),
        })?;
        let mut wrong = None;
        for link in links.filter_map(Result::ok).map(|link| link.path()).filter(|link| is_page(link)) {
            match Page::open(&link) {
                // A process may have received the page of another one.
                Ok(page) if !names(&folder).contains(&page.process()) => {}
                Ok(page) => return Ok(Process { id, name: name(&folder), page, link }),
                Err(error) => wrong = Some(ProcessError::Page(id, error)),
            }
        }
        Err(wrong.unwrap_or(ProcessError::NotOnFilch(id)))
    }

    /// Its number.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// The name of its program.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its page.
    pub fn page(&self) -> &Page {
        &self.page
    }

    /// Whether it still has that page: it neither has ended nor runs another program. Its page can be read longer.
    pub fn lives(&self) -> bool {
        is_page(&self.link)
    }
}

/// All processes that have a page which this user may read.
///
/// # Errors
///
/// If there is none.
pub fn all() -> Result<Vec<Process>, ProcessError> {
    let entries = fs::read_dir("/proc").map_err(ProcessError::System)?;
    let mut ids: Vec<u32> = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect();
    ids.sort_unstable();
    let found: Vec<Process> = ids.into_iter().filter_map(|id| Process::find(id).ok()).collect();
    if found.is_empty() { Err(ProcessError::NoneAtAll) } else { Ok(found) }
}

fn is_page(link: &Path) -> bool {
    fs::read_link(link).is_ok_and(|target| target.as_os_str().to_string_lossy().starts_with(NAME))
        // Opening anything else could wait.
        && fs::metadata(link).is_ok_and(|file| file.is_file())
}

/// The numbers of a process: in a container it has one of its own, by which it knows itself.
fn names(folder: &Path) -> Vec<u32> {
    let status = fs::read_to_string(folder.join("status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("NSpid:").or_else(|| line.strip_prefix("Pid:")));
    // The first of these lines has the number that this command sees; the other one has that, too.
    let all = status.lines().find_map(|line| line.strip_prefix("NSpid:")).or(line);
    all.map(|all| all.split_whitespace().filter_map(|id| id.parse().ok()).collect()).unwrap_or_default()
}

fn name(folder: &Path) -> String {
    let name = fs::read_to_string(folder.join("comm")).unwrap_or_default();
    name.trim_end().chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_without_a_pool_is_told_from_none() {
        let error = Process::find(u32::MAX).unwrap_err();
        assert!(matches!(error, ProcessError::None(u32::MAX)), "{error}");
        let child = std::process::Command::new("sleep").arg("100").spawn();
        let Ok(mut child) = child else { return };
        let error = Process::find(child.id()).unwrap_err();
        assert!(matches!(error, ProcessError::NotOnFilch(_)), "{error}");
        child.kill().and_then(|()| child.wait()).expect("our own child");
    }

    #[test]
    fn a_process_knows_itself_by_one_of_its_numbers() {
        assert!(names(Path::new("/proc/self")).contains(&std::process::id()));
    }
}
