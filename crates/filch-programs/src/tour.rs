//! The travelling salesman's problem, by branch and bound with a bound that all workers share: the first cities of
//! gr17 of TSPLIB (Reinelt 1991).

use filch::Bound;
use filch_kernels::{Domain, Program, Sizes};
use filch_search::{Tour as Problem, Travelled};

use crate::backtracking::{one_workspace, with_copies};
use crate::branch_and_bound::{Best, Valued};

/// Its entry in the list of programs: one workspace, by [`Strand::search`](filch::Strand::search).
pub const PROGRAM: Program = Program::new(
    ("tsp", "the shortest round trip through cities, by search"),
    Sizes { small: 9, default: 17, paper: 17 },
    Domain { counts: "the number of cities of gr17", min: 1, max: 17, rule: None },
    |n| one_workspace(Best::of(Tour::new(n as usize))),
);

/// The same with a copy for each choice.
pub const COPIED: Program = Program {
    name: "tsp-copied",
    about: "the same as tsp, with a copy for each branch",
    build: |n| with_copies(Best::of(Tour::new(n as usize))),
    ..PROGRAM
};

const GR17: &str = include_str!("../../filch-search/data/gr17.tsp");

struct Tour {
    distances: Vec<Vec<u32>>,
}

impl Tour {
    fn new(cities: usize) -> Self {
        let all = Problem::parse(GR17).expect("the file is tested");
        let distances: Vec<Vec<u32>> =
            (0..cities).map(|from| (0..cities).map(|to| all.distance(from, to)).collect()).collect();
        Self { distances }
    }
}

impl Valued for Tour {
    type Problem = Problem;

    const WORST: i64 = i64::MAX;

    fn problem(&self) -> Problem {
        Problem::new(&self.distances).expect("a part of a symmetric matrix is symmetric")
    }

    fn start(problem: &Problem) -> Travelled {
        problem.start()
    }

    fn bound(problem: &Problem) -> &Bound {
        problem.bound()
    }

    fn value(problem: &Problem, travelled: &Travelled) -> i64 {
        problem.length(travelled)
    }

    /// By dynamic programming over sets of cities (Held and Karp 1962).
    fn expected(&self) -> i64 {
        let cities = self.distances.len();
        // The least length of a trip from the first city through a set of cities, by the last one.
        let mut least = vec![[u32::MAX; 17]; 1 << cities];
        least[1][0] = 0;
        for set in 1..1_usize << cities {
            for last in (0..cities).filter(|last| set >> last & 1 == 1) {
                let so_far = least[set][last];
                for next in (0..cities).filter(|next| so_far < u32::MAX && set >> next & 1 == 0) {
                    let length = &mut least[set | 1 << next][next];
                    *length = (*length).min(so_far + self.distances[last][next]);
                }
            }
        }
        let all = &least[(1 << cities) - 1];
        let trips = (0..cities).filter(|&last| all[last] < u32::MAX).map(|last| all[last] + self.distances[last][0]);
        trips.min().map_or(i64::MAX, i64::from)
    }
}
