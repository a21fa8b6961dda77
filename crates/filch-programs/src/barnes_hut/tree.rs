//! The octree, and the walks through it.

use filch_kernels::runtime::{Runtime, Token};

use super::bodies::{Body, Vector, add_pull, distance, each};

/// The most bodies of a cell that is not divided. As many interactions cost as much as the visit to a few cells.
const MOST_OF_LEAF: usize = 8;

/// Bits of each coordinate in a place on the curve.
const BITS: u32 = 21;

/// A cube, its bodies, and the cubes into which it is divided.
#[derive(Debug, Default)]
pub(super) struct Cell {
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
pub(super) type Place = (u64, u32);

/// The smallest and the largest coordinates.
#[inline(never)]
pub(super) fn corners<R: Runtime>(mut t: Token<R>, bodies: &[Body]) -> [Vector; 2] {
    if let [body] = bodies {
        return [body.position; 2];
    }
    let (left, right) = bodies.split_at(bodies.len() / 2);
    let ([low, high], [other_low, other_high]) = t.join(|t| corners(t, left), |t| corners(t, right));
    [each(low, other_low, f64::min), each(high, other_high, f64::max)]
}

/// Calls `f` with each item and its index; that of the first one is `first`.
#[inline(never)]
fn for_each<R: Runtime, T: Send>(
    mut t: Token<R>,
    first: usize,
    items: &mut [T],
    f: &(impl Fn(Token<R>, usize, &mut T) + Sync),
) {
    if let [item] = items {
        return f(t, first, item);
    }
    let middle = items.len() / 2;
    let (left, right) = items.split_at_mut(middle);
    t.join(|t| for_each(t, first, left, f), |t| for_each(t, first + middle, right, f));
}

/// Notes the places of the bodies in the cube with this low corner.
pub(super) fn locate<R: Runtime>(t: Token<R>, (low, side): (Vector, f64), bodies: &[Body], places: &mut [Place]) {
    for_each(t, 0, places, &|_, index, place| *place = (morton(low, side, bodies[index].position), index as u32));
}

/// The place of a point on the curve: the bits of its coordinates, interleaved.
fn morton(low: Vector, side: f64, position: Vector) -> u64 {
    let cells = (1_u64 << BITS) as f64;
    let spread = |axis: usize| {
        // What is too large becomes the last cell.
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
pub(super) fn arrange<R: Runtime>(t: Token<R>, bodies: &[Body], places: &[Place], arranged: &mut [Body]) {
    for_each(t, 0, arranged, &|_, place, body| *body = bodies[places[place].1 as usize]);
}

/// The cell of the bodies from `first` to `end`, which agree in the first `depth` digits of their places.
#[inline(never)]
pub(super) fn cell<R: Runtime>(
    t: Token<R>,
    bodies: &[Body],
    places: &[Place],
    (first, end): (usize, usize),
    depth: u32,
) -> Cell {
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
    for_each(t, 0, &mut children, &|t, child, to| *to = cell(t, bodies, places, ranges[child], depth + 1));
    let (mass, centre) = centre_of(children.iter().map(|child| (child.mass, child.centre)));
    Cell { mass, centre, first, end, children }
}

fn centre_of(parts: impl Iterator<Item = (f64, Vector)>) -> (f64, Vector) {
    let (mass, moment) = parts.fold((0.0, [0.0; 3]), |(mass, moment), (part, position)| {
        (mass + part, each(moment, position, |sum, x| sum + part * x))
    });
    (mass, moment.map(|sum| sum / mass))
}

/// What accelerates the bodies, in the order of the curve.
pub(super) fn forces<R: Runtime>(t: Token<R>, tree: &Tree<'_>, accelerations: &mut [Vector]) {
    for_each(t, 0, accelerations, &|_, place, to| *to = tree.acceleration(tree.bodies[place].position));
}

pub(super) struct Tree<'b> {
    pub(super) root: Cell,
    pub(super) side: f64,
    pub(super) bodies: &'b [Body],
    /// θ².
    pub(super) opening: f64,
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
