//! Profiles of a run, and of a whole program.

use super::{Pool, PoolError};
use crate::constructs::Strand;
use crate::engine::profile::store::Store;
use crate::engine::recording;
use crate::profile::{Profile, Settings};
use crate::sync::{Mutex, lock, process};
use filch_policy::{Costs, Scheduler};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Once};

impl Pool {
    /// Runs `f` on this thread, and records its work and its span: see [`Profile`]. What `f` forks, also by the free
    /// functions, is recorded; what it runs on other pools is not divided. [`num_workers`](crate::num_workers) returns
    /// the number of workers of this pool there, so that `f` divides its work as usual.
    ///
    /// A whole program, as it is, is recorded if the environment variable `FILCH_PROFILE` names a file: all its pools
    /// record then, whatever their builders say, and the file is written when the process ends. `filch profile` shows
    /// it.
    ///
    /// A thread has one recording. Inside of a run that is being recorded, what `f` does becomes a part of that
    /// recording, and the profile that this returns is empty.
    ///
    /// The file of `FILCH_PROFILE` does not have what this method records. A program that is killed writes no file, and
    /// on Windows no program does. A child process that builds pools writes to the same file as its parent.
    ///
    /// Work: that of `f` on one worker, and some percent.
    ///
    /// # Panics
    ///
    /// If `f` does, and if there is no memory for as many workers.
    pub fn profile<F, R>(&self, f: F) -> (R, Profile)
    where
        F: FnOnce(Strand<'_>) -> R + Send,
        R: Send,
    {
        let scheduler = Some(self.scheduler()).filter(|scheduler| scheduler.is_profile()).cloned();
        let scheduler = scheduler.unwrap_or_else(Scheduler::profile);
        let pool = Pool::builder().workers(self.num_workers()).scheduler(scheduler).build();
        let pool = pool.expect("as many workers as this pool has, without threads");
        let result = pool.run(f);
        let store = pool.team.profile.as_ref().expect("the scheduler records");
        let recorders = store.take_all();
        (result, Profile::of(recorders.iter(), settings(store, pool.num_workers(), pool.costs)))
    }
}

/// What a profile is told besides recordings.
fn settings(store: &Store, workers: usize, costs: Costs) -> Settings {
    let program = std::env::args_os().next().map(PathBuf::from);
    let name = program.as_deref().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
    let burden_ns = u64::try_from(2 * costs.give.as_nanos()).unwrap_or(u64::MAX);
    Settings { program: name, workers, leaf_ns: store.leaf_ns(), burden_ns }
}

/// The file for the whole program, and what is to be in it.
struct Whole {
    path: PathBuf,
    stores: Vec<Arc<Store>>,
    settings: Settings,
}

/// The process whose end writes the file: a child does not write that of its parent. Changed under the lock below.
static AT_EXIT_OF: AtomicUsize = AtomicUsize::new(usize::MAX);

static WHOLE: Mutex<Option<Whole>> = Mutex::new(None);

/// Has what the pool records written to the file when the process ends.
pub(super) fn write_at_exit(pool: &Pool, path: PathBuf) -> Result<(), PoolError> {
    let Some(store) = &pool.team.profile else { return Ok(()) };
    let generation = process::generation();
    let mut whole = lock(&WHOLE);
    match &mut *whole {
        Some(whole) if AT_EXIT_OF.load(Ordering::Relaxed) == generation => whole.stores.push(Arc::clone(store)),
        whole => {
            // Now, while somebody can be told.
            File::create(&path)
                .map_err(|error| PoolError::ProfileVariable { path: path.clone(), error: error.kind() })?;
            let settings = settings(store, pool.num_workers(), pool.costs);
            // The program may go to another folder meanwhile.
            let path = std::path::absolute(&path).unwrap_or(path);
            AT_EXIT_OF.store(generation, Ordering::Relaxed);
            *whole = Some(Whole { path, stores: vec![Arc::clone(store)], settings });
        }
    }
    static AT_EXIT: Once = Once::new();
    AT_EXIT.call_once(|| process::at_exit(write_whole));
    Ok(())
}

/// Writes the file. There is nobody to be told of an error but who looks at the screen.
extern "C" fn write_whole() {
    // In a child of fork(2) the lock may be held by a thread that it does not have.
    if AT_EXIT_OF.load(Ordering::Relaxed) != process::generation() {
        return;
    }
    let Some(Whole { path, stores, settings }) = lock(&WHOLE).take() else { return };
    let mut recorders = Vec::new();
    stores.iter().for_each(|store| recorders.append(&mut store.take_all()));
    let written = recording::with_unended(|unended| {
        let profile = Profile::of(recorders.iter().chain(unended), settings);
        let mut file = BufWriter::new(File::create(&path)?);
        profile.write(&mut file)?;
        file.flush()
    });
    if let Err(error) = written {
        eprintln!("filch: the profile {} cannot be written: {error}", path.display());
    }
}
