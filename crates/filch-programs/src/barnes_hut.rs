//! The forces that n bodies exert on each other, by the method of Barnes and Hut (1986; Frigo, Leiserson and Randall
//! 1998, figure 6): a group of bodies far away acts like a single body at its centre of mass.
//!
//! One call is the costly part of a step of a simulation:
//!
//! 1. The smallest cube around all bodies is found, and the bodies are sorted by their place on the Morton curve through
//!    it (by [`cilksort`](crate::cilksort)). So the bodies of every cell of an octree stand side by side.
//! 2. The octree is built. The eight children of a cell are independent of each other.
//! 3. For each body the tree is walked. A cell of side s at distance d from the body stands for its bodies if s < θ·d;
//!    otherwise its children are looked at.
//!
//! The work is O(n log n), nearly all of it in the walks, which are independent of each other. The span is
//! O(log³ n), that of the sort. There is no cut-off: even the smallest walks take longer than a fork.
//!
//! Positions are those of Plummer's model of a cluster of stars (Aarseth, Hénon and Wielen 1974), so the tree is deep in
//! its middle: the walks differ in length by a factor of four.

use std::hint::black_box;

use fastrand::Rng;

use crate::answer::Mismatch;
use crate::cilksort::cilksort;
use crate::kernel::Kernel;
use crate::program::{Domain, Program, Sizes};
use crate::runtime::{Runtime, Token};

/// Its entry in the list of programs.
pub const PROGRAM: Program = Program {
    name: "barnes-hut",
    about: "the forces between n bodies, by an octree",
    sizes: Sizes { small: 256, default: 1 << 15, paper: 1 << 16 },
    domain: Domain { counts: "the number of bodies", min: 1, max: 1 << 26, rule: None },
    grain: None,
    forks: None,
    loops: &[],
    bytes: |n, _| n * BYTES_OF_BODY,
    data: None,
    shape: None,
    build: |n| Box::new(BarnesHut::new(plummer(n), OPENING)),
};

/// θ: the most that a cell may have for its side, in distances, to stand for its bodies.
const OPENING: f64 = 0.5;

/// Distances count as at least this. Plummer's model has a radius of 1.
const SOFTENING: f64 = 0.025;

/// The most bodies of a cell that is not divided. As many interactions cost as much as the visit to a few cells.
const MOST_OF_LEAF: usize = 8;

/// Bits of each coordinate in a place on the curve.
const BITS: u32 = 21;

/// The number of elements that a leaf of the sort has.
const SORT_LEAF: usize = 2048;

/// Two copies of the body, three places, an acceleration, and cells.
const BYTES_OF_BODY: u64 = 2 * 32 + 3 * 16 + 24 + 32;

type Vector = [f64; 3];

/// A body that moves.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// Where it is.
    pub position: Vector,
    /// What it weighs.
    pub mass: f64,
}

/// A cube, its bodies, and the cubes into which it is divided.
#[derive(Debug, Default)]
struct Cell {
    mass: f64,
    /// The centre of mass.
    centre: Vector,
    /// The bodies, in the order of the curve.
    first: usize,
    end: usize,
    /// Those with bodies in them; none if the cell is not divided.
    children: Vec<Cell>,
}

/// A body's place on the curve, and its index.
type Place = (u64, u32);

/// The smallest and the largest coordinates.
#[inline(never)]
fn corners<R: Runtime>(mut t: Token<R>, bodies: &[Body]) -> [Vector; 2] {
    if let [body] = bodies {
        return [body.position; 2];
    }
    let (left, right) = bodies.split_at(bodies.len() / 2);
    let ([low, high], [other_low, other_high]) = t.join(|t| corners(t, left), |t| corners(t, right));
    [each(low, other_low, f64::min), each(high, other_high, f64::max)]
}

#[inline(always)]
fn each(left: Vector, right: Vector, f: impl Fn(f64, f64) -> f64) -> Vector {
    [0, 1, 2].map(|axis| f(left[axis], right[axis]))
}

/// Notes the places of the bodies, the first of which has the index `first`, in the cube with this low corner.
#[inline(never)]
fn locate<R: Runtime>(
    mut t: Token<R>,
    (low, side): (Vector, f64),
    bodies: &[Body],
    places: &mut [Place],
    first: usize,
) {
    if let ([body], [place]) = (bodies, &mut *places) {
        *place = (morton(low, side, body.position), first as u32);
        return;
    }
    let middle = bodies.len() / 2;
    let (left, right) = bodies.split_at(middle);
    let (left_places, right_places) = places.split_at_mut(middle);
    t.join(
        |t| locate(t, (low, side), left, left_places, first),
        |t| locate(t, (low, side), right, right_places, first + middle),
    );
}

/// The place of a point on the curve: the bits of its coordinates, interleaved.
fn morton(low: Vector, side: f64, position: Vector) -> u64 {
    let cells = (1_u64 << BITS) as f64;
    let spread = |axis: usize| {
        // What is not a number becomes 0, and what is too large the last cell.
        let mut bits = ((position[axis] - low[axis]) / side * cells).min(cells - 1.0) as u64;
        for (shift, mask) in [
            (32, 0x1f_0000_0000_ffff),
            (16, 0x1f_0000_ff00_00ff),
            (8, 0x100f_00f0_0f00_f00f),
            (4, 0x10c3_0c30_c30c_30c3),
            (2, 0x1249_2492_4924_9249),
        ] {
            bits = (bits | bits << shift) & mask;
        }
        bits
    };
    spread(0) << 2 | spread(1) << 1 | spread(2)
}

/// Copies the bodies into the order of the curve.
#[inline(never)]
fn arrange<R: Runtime>(mut t: Token<R>, bodies: &[Body], places: &[Place], arranged: &mut [Body]) {
    if let ([(_, index)], [to]) = (places, &mut *arranged) {
        *to = bodies[*index as usize];
        return;
    }
    let middle = places.len() / 2;
    let (left, right) = places.split_at(middle);
    let (left_to, right_to) = arranged.split_at_mut(middle);
    t.join(|t| arrange(t, bodies, left, left_to), |t| arrange(t, bodies, right, right_to));
}

/// The cell of the bodies from `first` to `end`, which agree in the first `depth` digits of their places.
#[inline(never)]
fn cell<R: Runtime>(t: Token<R>, bodies: &[Body], places: &[Place], (first, end): (usize, usize), depth: u32) -> Cell {
    if end - first <= MOST_OF_LEAF || depth == BITS {
        let parts = bodies[first..end].iter().map(|body| (body.mass, body.position));
        let (mass, centre) = centre_of(parts);
        return Cell { mass, centre, first, end, children: Vec::new() };
    }
    let shift = 3 * (BITS - 1 - depth);
    let mut from = first;
    let mut ranges = [(0, 0); 8];
    let mut count = 0;
    for digit in 0..8 {
        let to = from + places[from..end].partition_point(|(place, _)| place >> shift & 7 <= digit);
        if to > from {
            ranges[count] = (from, to);
            count += 1;
        }
        from = to;
    }
    let mut children: Vec<Cell> = (0..count).map(|_| Cell::default()).collect();
    cells(t, bodies, places, &ranges[..count], depth + 1, &mut children);
    let (mass, centre) = centre_of(children.iter().map(|child| (child.mass, child.centre)));
    Cell { mass, centre, first, end, children }
}

#[inline(never)]
fn cells<R: Runtime>(
    mut t: Token<R>,
    bodies: &[Body],
    places: &[Place],
    ranges: &[(usize, usize)],
    depth: u32,
    into: &mut [Cell],
) {
    if let ([range], [to]) = (ranges, &mut *into) {
        *to = cell(t, bodies, places, *range, depth);
        return;
    }
    let middle = ranges.len() / 2;
    let (left, right) = ranges.split_at(middle);
    let (left_to, right_to) = into.split_at_mut(middle);
    t.join(|t| cells(t, bodies, places, left, depth, left_to), |t| cells(t, bodies, places, right, depth, right_to));
}

fn centre_of(parts: impl Iterator<Item = (f64, Vector)>) -> (f64, Vector) {
    let (mass, moment) = parts.fold((0.0, [0.0; 3]), |(mass, moment), (part, position)| {
        (mass + part, each(moment, position, |sum, x| sum + part * x))
    });
    (mass, moment.map(|sum| sum / mass))
}

/// What accelerates the bodies from `first` on, as many as there is room for.
#[inline(never)]
fn forces<R: Runtime>(mut t: Token<R>, tree: &Tree<'_>, first: usize, accelerations: &mut [Vector]) {
    if let [acceleration] = &mut *accelerations {
        *acceleration = tree.acceleration(tree.bodies[first].position);
        return;
    }
    let middle = accelerations.len() / 2;
    let (left, right) = accelerations.split_at_mut(middle);
    t.join(|t| forces(t, tree, first, left), |t| forces(t, tree, first + middle, right));
}

struct Tree<'b> {
    root: Cell,
    side: f64,
    bodies: &'b [Body],
    /// θ².
    opening: f64,
}

impl Tree<'_> {
    #[inline(never)]
    fn acceleration(&self, at: Vector) -> Vector {
        let mut sum = [0.0; 3];
        self.walk(&self.root, self.side * self.side, at, &mut sum);
        sum
    }

    /// Adds what the bodies of `cell` contribute, whose side is given squared.
    fn walk(&self, cell: &Cell, side: f64, at: Vector, sum: &mut Vector) {
        if side < self.opening * distance(cell.centre, at) {
            add_pull(sum, at, cell.mass, cell.centre);
        } else if cell.children.is_empty() {
            for body in &self.bodies[cell.first..cell.end] {
                add_pull(sum, at, body.mass, body.position);
            }
        } else {
            for child in &cell.children {
                self.walk(child, side / 4.0, at, sum);
            }
        }
    }
}

/// The distance of two points, squared.
#[inline(always)]
fn distance(a: Vector, b: Vector) -> f64 {
    each(a, b, |a, b| (a - b) * (a - b)).iter().sum()
}

/// Adds the pull of a mass. A body does not pull itself: the distance is zero in all directions.
#[inline(always)]
fn add_pull(sum: &mut Vector, at: Vector, mass: f64, from: Vector) {
    let square = distance(at, from) + SOFTENING * SOFTENING;
    let scale = mass / (square * square.sqrt());
    for axis in 0..3 {
        sum[axis] += scale * (from[axis] - at[axis]);
    }
}

/// Bodies of equal mass, in all 1, as Plummer's model has them; the same in every run.
fn plummer(count: u64) -> Vec<Body> {
    let mut random = Rng::with_seed(count);
    let mut body = || {
        // The share of the mass that is closer to the centre. The last thousandth would be anywhere.
        let share = 0.001 + 0.998 * random.f64();
        let radius = (share.powf(-2.0 / 3.0) - 1.0).powf(-0.5);
        let height = 2.0 * random.f64() - 1.0;
        let (sine, cosine) = (std::f64::consts::TAU * random.f64()).sin_cos();
        let flat = (1.0 - height * height).sqrt();
        Body { position: [flat * cosine, flat * sine, height].map(|x| radius * x), mass: 1.0 / count as f64 }
    };
    (0..count).map(|_| body()).collect()
}

/// The kernel of the program.
#[derive(Debug)]
pub struct BarnesHut {
    bodies: Vec<Body>,
    opening: f64,
    places: [Vec<Place>; 3],
    arranged: Vec<Body>,
    accelerations: Vec<Vector>,
    called: bool,
}

impl BarnesHut {
    /// A kernel for these bodies, at least one, that opens cells nearer than their side divided by `opening`.
    pub fn new(bodies: Vec<Body>, opening: f64) -> Self {
        let places = [(); 3].map(|()| vec![(0, 0); bodies.len()]);
        let (arranged, accelerations) = (bodies.clone(), vec![[f64::NAN; 3]; bodies.len()]);
        Self { bodies, opening, places, arranged, accelerations, called: false }
    }

    /// The largest error of the accelerations of some bodies, spread evenly, as a share of the right ones; and the
    /// square mean.
    fn errors(&self) -> (f64, f64) {
        let (count, samples) = (self.bodies.len(), SAMPLES.min(self.bodies.len()));
        let sampled = (0..samples).map(|sample| sample * count / samples);
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
        locate(t.reborrow(), (low, side), bodies, unsorted, 0);
        cilksort(t.reborrow(), unsorted, places, temporary, SORT_LEAF);
        arrange(t.reborrow(), bodies, places, &mut self.arranged);
        let root = cell(t.reborrow(), &self.arranged, places, (0, bodies.len()), 0);
        let tree = Tree { root, side, bodies: &self.arranged, opening: self.opening * self.opening };
        forces(t, &tree, 0, &mut self.accelerations);
    }

    /// By direct summation for a sample of the bodies; and every body has an acceleration.
    fn verify(&mut self) -> Result<(), Mismatch> {
        if !std::mem::take(&mut self.called) {
            return Err(Mismatch::Nothing);
        }
        let wrong = |found, expected| Err(Mismatch::Wrong { found, expected });
        let mut indices: Vec<u32> = self.places[1].iter().map(|&(_, index)| index).collect();
        indices.sort_unstable();
        let is_there = indices.iter().zip(0..).all(|(&index, expected)| index == expected);
        let (worst, mean) = self.errors();
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
    use crate::kernel::Instance;

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

    #[test]
    fn half_of_plummers_mass_is_within_one_and_a_third_radii() {
        // The mass within r is r³·(1 + r²)^(−3/2), which is 1/2 at 1.305.
        let bodies = plummer(10_000);
        let within = bodies.iter().filter(|body| distance(body.position, [0.0; 3]) < 1.305 * 1.305).count();
        assert!((4_800..5_200).contains(&within), "{within}");
        assert!((bodies.iter().map(|body| body.mass).sum::<f64>() - 1.0).abs() < 1e-9);
    }
}
