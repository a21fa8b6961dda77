//! One program of a sweep: its boundary levels and leaf sizes, and their measurement.

use filch::{Scheduler, Topology};
use filch_bench::failure::Failure;
use filch_bench::measure::runner::{Grains, Runner};
use filch_bench::measure::series::{Plan, Series};
use filch_bench::show::progress::samples::Samples;
use filch_kernels::{Extent, Grain, Program};
use serde::Serialize;

use super::levels::Levels;
use super::point::{Point, Role};
use super::squads::Squads;

/// The default leaf sizes, as multiples of the program's own, as in figure 7.
const MULTIPLES: [u64; 3] = [1, 2, 4];

/// What is measured of a program.
#[derive(Debug)]
pub struct Task {
    /// The program.
    pub program: &'static Program,
    /// Its size.
    pub n: Extent,
    /// The boundary level of equation 4.
    pub by_equation: u32,
    levels: Levels,
    /// Leaf sizes, the program's own first; `None` if it has no cut-off.
    grains: Vec<Option<Grains>>,
}

/// The figures of a program.
#[derive(Debug, Serialize)]
pub struct Figures {
    /// The program.
    pub program: &'static str,
    /// Its size.
    pub n: String,
    /// S_d; `None` if its tasks do not divide data.
    pub data_bytes: Option<u64>,
    /// The boundary level of equation 4.
    pub by_equation: u32,
    /// The leaf size at which boundary levels vary.
    pub own_grain: Option<u64>,
    /// Its points, those at the own leaf size first.
    pub points: Vec<Point>,
}

impl Task {
    /// The task for a program of this size, with levels and leaf sizes asked for or its own.
    pub fn new(
        program: &'static Program,
        n: Extent,
        topology: &Topology,
        levels: Option<Levels>,
        grains: &[u64],
    ) -> Result<Self, Failure> {
        let cab = Scheduler::cab().with_data_bytes(program.data_bytes_of_bound(n));
        let by_equation = cab.boundary_level(topology).map_err(Failure::usage)?;
        // A program without data has no boundary level of its own. Enough for a task for each squad is shown.
        let squads_only = Scheduler::cab().with_data_bytes(1).boundary_level(topology).map_err(Failure::usage)?;
        Ok(Self {
            program,
            n,
            by_equation,
            levels: levels.unwrap_or_else(|| Levels::around(by_equation.max(squads_only))),
            grains: self::grains(program, grains)?,
        })
    }

    /// The name of the program and its size.
    pub fn name(&self) -> String {
        format!("{} {}", self.program.name, self.n)
    }

    /// The number of runners of all leaf sizes.
    pub fn runners(&self) -> usize {
        (0..self.grains.len()).map(|place| self.roles(place).len()).sum()
    }

    /// The runners at a leaf size: all boundary levels at the first one, and that of equation 4 at the others.
    fn roles(&self, place: usize) -> Vec<Role> {
        let levels = if place == 0 { self.levels.all() } else { self.by_equation..=self.by_equation };
        [Role::Default, Role::DefaultAgain].into_iter().chain(levels.map(Role::Boundary)).collect()
    }

    /// Runs all of it.
    pub fn measure(&self, squads: &Squads, runs: usize, progress: &Samples) -> Result<Figures, Failure> {
        let name = self.name();
        progress.begin(&name);
        let workers = squads.topology.workers();
        let mut instance = self.program.prepare(self.n).map_err(Failure::usage)?;
        let mut points = Vec::new();
        for (place, &grains) in self.grains.iter().enumerate() {
            let roles = self.roles(place);
            let runners: Vec<Runner> = roles
                .iter()
                .map(|role| Runner::filch(&squads.pools, &scheduler(*role), workers))
                .collect::<Result<_, _>>()?;
            let plan = Plan { grains, ..Plan::of(runs) };
            let entrants: Vec<&Runner> = runners.iter().collect();
            let series = Series::measure(&mut *instance, &entrants, &plan, progress).verified(&name)?;
            let grain = grains.map(|grains| grains.asked);
            let point = |(&role, track)| Point::of(role, grain, track, &series.tracks[0], workers, series.calls);
            points.extend(roles.iter().zip(&series.tracks).map(point));
        }
        Ok(Figures {
            program: self.program.name,
            n: self.n.to_string(),
            data_bytes: self.program.data_bytes(self.n),
            by_equation: self.by_equation,
            own_grain: self.grains[0].map(|grains| grains.asked),
            points,
        })
    }
}

fn scheduler(role: Role) -> Scheduler {
    match role {
        Role::Default | Role::DefaultAgain => Scheduler::default(),
        Role::Boundary(level) => Scheduler::cab().with_boundary(level),
    }
}

/// The leaf sizes asked for, or else the program's own one and larger ones. The first is where levels vary.
fn grains(program: &Program, asked: &[u64]) -> Result<Vec<Option<Grains>>, Failure> {
    let name = program.name;
    let Some(Grain { default, max, counts }) = program.grain else {
        return match asked {
            [] => Ok(vec![None]),
            _ => Err(Failure::Usage(format!("{name} has no cut-off: --grains does not apply"))),
        };
    };
    if let Some(asked) = asked.iter().find(|&&asked| asked > max) {
        return Err(Failure::Usage(format!(
            "{name} cannot have leaves of size {asked}: it is {counts}, from 1 to {max}"
        )));
    }
    let usual = MULTIPLES.map(|times| default.saturating_mul(times));
    let usual = usual.into_iter().filter(|&grain| grain <= max);
    let grains = if asked.is_empty() { usual.collect() } else { asked.to_vec() };
    Ok(grains.into_iter().map(|asked| Some(Grains { asked, own: default })).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_programs::find;

    fn task(program: &str, n: Extent, topology: &str) -> Task {
        Task::new(find(program).unwrap(), n, &topology.parse().unwrap(), None, &[]).unwrap()
    }

    /// Section V-C: 3k × 2k on four squads with 6 MB each.
    #[test]
    fn the_boundary_level_of_the_paper_is_among_those_swept() {
        let heat = task("heat", Extent::Grid { rows: 3072, columns: 2048 }, "4x4,cache=6MiB");
        // The frame around the cells takes a little more than the 48 MB of the paper.
        assert!(heat.by_equation == 4 || heat.by_equation == 5, "{heat:?}");
        assert!(heat.roles(0).contains(&Role::Boundary(heat.by_equation)), "{heat:?}");
        assert_eq!(heat.roles(1), [Role::Default, Role::DefaultAgain, Role::Boundary(heat.by_equation)]);
    }

    #[test]
    fn a_program_bound_by_the_processor_shows_level_0_and_a_task_for_each_squad() {
        let queens = task("queens", 8.into(), "4x1");
        assert_eq!((queens.by_equation, queens.grains.len()), (0, 1));
        assert!(queens.roles(0).contains(&Role::Boundary(3)), "{queens:?}");
    }

    #[test]
    fn what_is_measured_has_the_leaves_of_its_level() {
        let squads = Squads::by_hand("2x1");
        let levels = "0..3".parse().unwrap();
        let sor = Task::new(find("sor").unwrap(), 48.into(), &squads.topology, Some(levels), &[4]).unwrap();
        let figures = sor.measure(&squads, 2, &Samples::hidden()).unwrap();
        let sweeps = figures.points[4].leaf_tasks / 2.0;
        assert!(sweeps >= 2.0, "two colours: {figures:?}");
        let leaves: Vec<f64> = figures.points.iter().map(|point| point.leaf_tasks / sweeps).collect();
        // The default scheduler twice, and levels 0 to 3. Level 1 has only the first task, which no fork creates.
        assert_eq!(leaves, [0.0, 0.0, 0.0, 0.0, 2.0, 4.0], "{figures:?}");
        let all: Vec<f64> = figures.points.iter().map(|point| point.inter_tasks / sweeps).collect();
        assert_eq!(all, [0.0, 0.0, 0.0, 0.0, 2.0, 6.0], "{figures:?}");
    }
}
