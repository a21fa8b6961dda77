//! The forces that n bodies exert on each other, by the method of Barnes and Hut (1986; Frigo, Leiserson and Randall
//! 1998, figure 6): a group of bodies far away acts like a single body at its centre of mass.
//!
//! One call is the costly part of a step of a simulation:
//!
//! 1. The smallest cube around all bodies is found, and the bodies are sorted by their place on the Morton curve
//!    through it (by [`cilksort`](filch_kernels::cilksort)). So the bodies of every cell of an octree stand side by
//!    side.
//! 2. The octree is built. The eight children of a cell are independent of each other.
//! 3. For each body the tree is walked. A cell of side s at distance d from the body stands for its bodies if s < θ·d;
//!    otherwise its children are looked at.
//!
//! The work is O(n log n), nearly all of it in the walks, which are independent of each other. The span is
//! O(log³ n), that of the sort. There is no cut-off but in the sort: even the smallest walks take
//! longer than a fork.
//!
//! Positions are those of Plummer's model of a cluster of stars, so the tree is deep in its middle.

mod bodies;
mod tree;

use std::hint::black_box;

pub use bodies::Body;
use bodies::{Vector, add_pull, distance, each, plummer};
use filch_kernels::cilksort::cilksort;
use filch_kernels::runtime::{Runtime, Token};
use filch_kernels::{Domain, Kernel, Mismatch, Program, Sizes};
use tree::{Place, Tree, arrange, cell, corners, forces, locate};

/// Its entry in the list of programs.
pub const PROGRAM: Program = Program {
    bytes: |n, _| n * BYTES_OF_BODY,
    ..Program::new(
        ("barnes-hut", "the forces between n bodies, by an octree"),
        Sizes { small: 256, default: 1 << 15, paper: 1 << 16 },
        Domain { counts: "the number of bodies", min: 1, max: 1 << 26, rule: None },
        |n| Box::new(BarnesHut::new(plummer(n), OPENING)),
    )
};

/// θ: the most that a cell may have for its side, in distances, to stand for its bodies.
const OPENING: f64 = 0.5;

/// The number of elements that a leaf of the sort has.
const SORT_LEAF: usize = 2048;

/// Two copies of the body, three places, an acceleration, and cells.
const BYTES_OF_BODY: u64 = 2 * 32 + 3 * 16 + 24 + 32;

/// The kernel of the program.
#[derive(Debug)]
pub struct BarnesHut {
    bodies: Vec<Body>,
    opening: f64,
    places: [Vec<Place>; 3],
    arranged: Vec<Body>,
    accelerations: Vec<Vector>,
    called: bool,
    /// How many have been made.
    checks: usize,
}

impl BarnesHut {
    /// A kernel for these bodies that opens cells nearer than their side divided by `opening`.
    ///
    /// # Panics
    ///
    /// If there are no bodies.
    pub fn new(bodies: Vec<Body>, opening: f64) -> Self {
        assert!(!bodies.is_empty(), "forces between no bodies");
        let places = [(); 3].map(|()| vec![(0, 0); bodies.len()]);
        let (arranged, accelerations) = (bodies.clone(), vec![[f64::NAN; 3]; bodies.len()]);
        Self { bodies, opening, places, arranged, accelerations, called: false, checks: 0 }
    }

    /// The largest error of the accelerations of some bodies, spread evenly, as a share of the right ones; and the
    /// square mean.
    fn errors(&self) -> (f64, f64) {
        let (count, samples) = (self.bodies.len(), SAMPLES.min(self.bodies.len()));
        let sampled = (0..samples).map(|sample| (sample * count / samples + self.checks) % count);
        let squares: Vec<f64> = sampled
            .map(|place| {
                let at = self.bodies[self.places[1][place].1 as usize].position;
                let mut right = [0.0; 3];
                self.bodies.iter().for_each(|body| add_pull(&mut right, at, body.mass, body.position));
                // One body alone is not accelerated at all.
                distance(self.accelerations[place], right) / distance(right, [0.0; 3]).max(f64::MIN_POSITIVE)
            })
            .collect();
        // `f64::max` would lose what is not a number.
        let worst = squares.iter().copied().max_by(f64::total_cmp).expect("there is a body");
        (worst.sqrt(), (squares.iter().sum::<f64>() / samples as f64).sqrt())
    }
}

/// The number of bodies that a check samples.
const SAMPLES: usize = 100;

/// Barnes and Hut (1986) have errors of about one per cent at θ = 1; they shrink at least with the square of θ.
const MOST_MEAN: f64 = 0.01;
/// Where pulls cancel out, the error is a larger share of what is left.
const MOST_ANYWHERE: f64 = 0.1;

impl Kernel for BarnesHut {
    fn run<R: Runtime>(&mut self, mut t: Token<R>) {
        self.called = true;
        let bodies = black_box(&self.bodies[..]);
        let [unsorted, places, temporary] = &mut self.places;
        let [low, high] = corners(t.reborrow(), bodies);
        // A cube that holds bodies at one point has a side, too.
        let side = each(high, low, |high, low| high - low).into_iter().fold(f64::MIN_POSITIVE, f64::max);
        locate(t.reborrow(), (low, side), bodies, unsorted);
        cilksort(t.reborrow(), unsorted, places, temporary, SORT_LEAF);
        arrange(t.reborrow(), bodies, places, &mut self.arranged);
        let root = cell(t.reborrow(), &self.arranged, places, (0, bodies.len()), 0);
        let tree = Tree { root, side, bodies: &self.arranged, opening: self.opening * self.opening };
        forces(t, &tree, &mut self.accelerations);
    }

    /// By direct summation for a sample of the bodies, another one each time; and every body has an acceleration.
    fn verify(&mut self) -> Result<(), Mismatch> {
        if !std::mem::take(&mut self.called) {
            return Err(Mismatch::Nothing);
        }
        let wrong = |found, expected| Err(Mismatch::Wrong { found, expected });
        let mut indices: Vec<u32> = self.places[1].iter().map(|&(_, index)| index).collect();
        indices.sort_unstable();
        let is_there = indices.iter().zip(0..).all(|(&index, expected)| index == expected);
        let (worst, mean) = self.errors();
        self.checks += 1;
        let missing = self.accelerations.iter().filter(|a| !a.iter().all(|x| x.is_finite())).count();
        self.accelerations.fill([f64::NAN; 3]);
        match (is_there, missing) {
            (false, _) => wrong("bodies that are there twice or not at all".into(), "each once".into()),
            (_, 1..) => wrong(format!("{missing} bodies without an acceleration"), "none".into()),
            // Not the other way round: an error may not be a number.
            _ if mean <= MOST_MEAN && worst <= MOST_ANYWHERE => Ok(()),
            _ => wrong(
                format!("accelerations with a mean error of {:.2} %, {:.2} % at worst", 100.0 * mean, 100.0 * worst),
                format!("at most {} % and {} %", 100.0 * MOST_MEAN, 100.0 * MOST_ANYWHERE),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_kernels::Instance;

    fn called(bodies: Vec<Body>, opening: f64) -> BarnesHut {
        let mut program = BarnesHut::new(bodies, opening);
        program.serial();
        program
    }

    #[test]
    fn if_every_cell_is_opened_the_forces_are_those_of_direct_summation() {
        for count in [1, 2, 9, 1000] {
            let (worst, _) = called(plummer(count), 0.0).errors();
            assert!(worst < 1e-12, "{count} bodies: {worst}");
        }
    }

    #[test]
    fn errors_grow_with_the_square_of_the_opening_and_the_check_sees_them() {
        let [(_, fine), (_, coarse)] = [0.25, 0.5].map(|opening| called(plummer(4000), opening).errors());
        assert!(0.0 < fine && 3.0 * fine < coarse && coarse < MOST_MEAN, "{fine} {coarse}");
        assert!(matches!(Kernel::verify(&mut called(plummer(4000), 2.0)), Err(Mismatch::Wrong { .. })));
    }

    #[test]
    fn bodies_at_one_point_on_a_line_and_in_corners_are_all_there() {
        let body = |position| Body { position, mass: 1.0 };
        let corners = (0..8).map(|corner| body([0, 1, 2].map(|axis| f64::from(corner >> axis & 1)))).collect();
        let line: Vec<Body> = (0..500).map(|x| body([f64::from(x), 0.0, 0.0])).collect();
        for bodies in [vec![body([1.0; 3]); 100], line, corners] {
            // Pulls cancel out, so errors are no small share of what is left unless every cell is opened.
            assert!(called(bodies.clone(), 0.0).errors().0 < 1e-9);
            assert!(called(bodies, OPENING).accelerations.iter().flatten().all(|x| x.is_finite()));
        }
    }

    #[test]
    fn the_checker_rejects_one_acceleration_that_is_missing_and_a_body_that_is_there_twice() {
        let mut program = called(plummer(300), OPENING);
        assert_eq!(Kernel::verify(&mut program), Ok(()));
        assert_eq!(Kernel::verify(&mut program), Err(Mismatch::Nothing));
        program.serial();
        program.accelerations[17][1] = f64::NAN;
        assert!(Kernel::verify(&mut program).is_err());
        program.serial();
        program.places[1][5] = program.places[1][6];
        assert!(Kernel::verify(&mut program).is_err());
    }
}
