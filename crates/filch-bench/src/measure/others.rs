//! The load by other programs on this machine, which distorts figures for several workers more than for one.

use std::fs;
use std::thread;
use std::time::Duration;

/// A machine on which other programs use less than this share of a core is at rest.
const REST: f64 = 0.1;

/// The system counts time in hundredths of a second. Over fewer of them than this, shares are too coarse.
const FEWEST_TICKS: f64 = 20.0;

/// After this time, the shares are accurate enough on two cores.
const LOOK: Duration = Duration::from_millis(150);

/// The processor time used by the machine and by this process when the watch started.
#[derive(Debug)]
pub struct Watch(Option<Ticks>);

impl Watch {
    /// Starts to watch.
    pub fn begin() -> Self {
        Self(Ticks::now())
    }

    /// How many cores other programs have kept busy since the start; `None` if the system does not report it, or if
    /// that was just now.
    pub fn cores(&self) -> Option<f64> {
        Ticks::now()?.cores_of_others_since(self.0.as_ref()?)
    }

    /// The same, if other programs have kept more of a core busy than a machine at rest has.
    pub fn load(&self) -> Option<f64> {
        self.cores().filter(|&cores| cores >= REST)
    }

    /// Says how many cores other programs have kept busy since the start; `None` if they hardly did, or if the system
    /// does not report it.
    pub fn others(&self) -> Option<String> {
        self.load()
            .map(|cores| format!("other programs kept {cores:.1} cores busy: figures for several workers suffer"))
    }

    /// Watches for long enough to tell, if the system reports it at all.
    pub fn settled() -> Self {
        let watch = Self::begin();
        if watch.0.is_some() {
            thread::sleep(LOOK);
        }
        watch
    }
}

/// The time spent by all processors since the machine started, and by this process since it started.
#[derive(Debug, PartialEq)]
struct Ticks {
    busy: f64,
    idle: f64,
    own: f64,
    cores: usize,
}

impl Ticks {
    fn now() -> Option<Self> {
        Self::read(&fs::read_to_string("/proc/stat").ok()?, &fs::read_to_string("/proc/self/stat").ok()?)
    }

    fn read(machine: &str, process: &str) -> Option<Self> {
        // The first line: cpu user nice system idle iowait irq softirq steal guest guest_nice, where guests are also
        // counted under user. Then follows one line for each core.
        let sums = numbers(machine.lines().next()?.strip_prefix("cpu ")?);
        let [user, nice, system, idle, iowait, irq, softirq, steal] = *sums.first_chunk()?;
        // After the name, which is in parentheses and may contain anything: the state and ten numbers, then the time of
        // the process and that of its children in user and system mode.
        let (_, fields) = process.rsplit_once(") ")?;
        let times = fields.splitn(12, ' ').last()?;
        let [user_own, system_own, user_children, system_children] = *numbers(times).first_chunk()?;
        Some(Self {
            busy: user + nice + system + irq + softirq + steal,
            idle: idle + iowait,
            own: user_own + system_own + user_children + system_children,
            cores: machine.lines().skip(1).take_while(|line| line.starts_with("cpu")).count(),
        })
    }

    fn cores_of_others_since(&self, before: &Self) -> Option<f64> {
        let busy = self.busy - before.busy;
        let all = busy + self.idle - before.idle;
        let others = busy - (self.own - before.own);
        (all >= FEWEST_TICKS).then(|| self.cores as f64 * others / all)
    }
}

fn numbers(text: &str) -> Vec<f64> {
    text.split_whitespace().map_while(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_have_what_is_neither_idle_nor_ours() {
        let read = |user: u32, idle: u32, own: u32| {
            let machine = format!("cpu  {user} 0 20 {idle} 5 0 1 2 0 0\ncpu0 50 0\ncpu1 50 0\nintr 7\n");
            let process = format!("17 (a) b) R 1 2 3 0 -1 64 5 6 7 8 {own} 2 3 4 20 0 1\n");
            Ticks::read(&machine, &process).unwrap()
        };
        let before = read(100, 900, 10);
        assert_eq!(before, Ticks { busy: 123.0, idle: 905.0, own: 19.0, cores: 2 });
        assert_eq!(read(130, 910, 20).cores_of_others_since(&before), Some(1.0));
        assert_eq!(read(130, 910, 40).cores_of_others_since(&before), Some(0.0));
        assert_eq!(read(110, 900, 20).cores_of_others_since(&before), None);
        assert_eq!(Ticks::read("cpu  1 2 3\n", "17 (a) R 1"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_files_of_linux_can_be_read() {
        let ticks = Ticks::now().unwrap();
        assert!(ticks.cores > 0 && ticks.busy > 0.0);
    }
}
