//! The Mandelbrot set, pixel by pixel: a loop over rows, and inside it a loop over pixels, whose times differ by a
//! factor of hundreds.

use std::hint::black_box;

use filch_kernels::runtime::{Runtime, Token, chunks_mut, enumerate};
use filch_kernels::{Domain, Kernel, Library, Mismatch, Program, Sizes};

/// Its entry in the list of programs. It is not from a paper.
pub const PROGRAM: Program = Program {
    name: "mandelbrot",
    about: "the Mandelbrot set in n rows of n pixels",
    sizes: Sizes { small: 64, default: 1024, paper: 4096 },
    domain: Domain { counts: "the number of rows", min: 1, max: 1 << 15, rule: None },
    grain: None,
    forks: None,
    loops: &[|n| n, |n| n],
    // The picture, and the checker's half of it.
    bytes: |n, _| (n * n + n.div_ceil(2) * n) * size_of::<u16>() as u64,
    data: None,
    libraries: Library::ALL,
    is_for_ranks: false,
    input: None,
    shape: None,
    build: |n| Box::new(Mandelbrot { side: n as usize, picture: vec![POISON; (n * n) as usize], upper_half: None }),
};

/// Points that have not escaped after this many steps count as members of the set.
const LIMIT: u16 = 256;

/// A value that no pixel has.
const POISON: u16 = u16::MAX;

/// The side of the square that the picture shows.
const SIDE: f64 = 2.5;
/// The real part of its left edge. The middle row is on the real axis.
const LEFT: f64 = -2.0;

/// The real part of the points in a column.
fn real(column: usize, side: usize) -> f64 {
    LEFT + SIDE * (2 * column + 1) as f64 / (2 * side) as f64
}

/// The imaginary part of the points in a row. Two rows at the same distance from the middle have exactly opposite
/// values.
fn imaginary(row: usize, side: usize) -> f64 {
    let from_middle = (2 * row + 1) as f64 - side as f64;
    SIDE * from_middle / (2 * side) as f64
}

/// The number of steps z ↦ z² + c that lead from 0 out of the circle of radius 2, at most [`LIMIT`].
#[inline]
fn steps(real: f64, imaginary: f64) -> u16 {
    let (mut x, mut y) = (0.0, 0.0);
    for step in 0..LIMIT {
        let (x_squared, y_squared) = (x * x, y * y);
        if x_squared + y_squared > 4.0 {
            return step;
        }
        y = 2.0 * x * y + imaginary;
        x = x_squared - y_squared + real;
    }
    LIMIT
}

/// The program.
#[inline(never)]
pub fn draw<R: Runtime>(mut t: Token<R>, picture: &mut [u16], side: usize) {
    t.for_each(enumerate(chunks_mut(picture, side)), |mut t, (row, pixels)| {
        let imaginary = imaginary(row, side);
        t.for_each(enumerate(pixels), |_, (column, pixel)| *pixel = steps(real(column, side), imaginary));
    });
}

struct Mandelbrot {
    side: usize,
    picture: Vec<u16>,
    /// The checker's rows, once they have been computed.
    upper_half: Option<Vec<Vec<u16>>>,
}

impl Kernel for Mandelbrot {
    const LOOPS: usize = 2;

    fn run<R: Runtime>(&mut self, t: Token<R>) {
        draw(t, &mut self.picture, black_box(self.side));
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        let side = self.side;
        if self.picture.iter().all(|&pixel| pixel == POISON) {
            return Err(Mismatch::Nothing);
        }
        let half = 0..side.div_ceil(2);
        let expected = self.upper_half.get_or_insert_with(|| half.map(|row| in_step(row, side)).collect());
        let mut rows = self.picture.chunks_exact(side).enumerate();
        let checked = rows.try_for_each(|(row, found)| compare(row, found, &expected[row.min(side - 1 - row)]));
        self.picture.fill(POISON);
        checked
    }
}

/// The checker: the points of a row proceed together, each counting until it escapes. The lower half of the picture
/// mirrors the upper one.
fn in_step(row: usize, side: usize) -> Vec<u16> {
    struct Point {
        column: usize,
        x: f64,
        y: f64,
    }
    let imaginary = imaginary(row, side);
    let mut pixels = vec![0; side];
    let mut inside: Vec<Point> = (0..side).map(|column| Point { column, x: 0.0, y: 0.0 }).collect();
    for _ in 0..LIMIT {
        inside.retain(|point| point.x * point.x + point.y * point.y <= 4.0);
        for Point { column, x, y } in &mut inside {
            pixels[*column] += 1;
            (*x, *y) = (*x * *x - *y * *y + real(*column, side), 2.0 * *x * *y + imaginary);
        }
    }
    pixels
}

fn compare(row: usize, found: &[u16], expected: &[u16]) -> Result<(), Mismatch> {
    for (column, (found, expected)) in found.iter().zip(expected).enumerate() {
        if found != expected {
            let found = format!("{found} steps in row {row}, column {column}");
            return Err(Mismatch::Wrong { found, expected: expected.to_string() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_kernels::runtime::Serial;

    #[test]
    fn what_is_known_of_some_points_holds() {
        for (real, imaginary) in [(0.0, 0.0), (-1.0, 0.0), (-2.0, 0.0), (0.25, 0.0), (-0.1, 0.75)] {
            assert_eq!(steps(real, imaginary), LIMIT, "{real} + {imaginary}i is a member");
        }
        // 0, 1, 2, 5 and 0, −3: the last values are outside.
        assert_eq!(steps(1.0, 0.0), 3);
        assert_eq!(steps(-3.0, 0.0), 1);
    }

    #[test]
    fn the_checker_rejects_a_step_more_in_either_half_and_rows_that_change_places() {
        let side = 33;
        let mut instance = Mandelbrot { side, picture: vec![POISON; side * side], upper_half: None };
        let mut run = |spoil: fn(&mut [u16])| {
            instance.run(Serial::token());
            spoil(&mut instance.picture);
            instance.verify()
        };
        assert_eq!(run(|_| ()), Ok(()));
        assert!(run(|picture| picture[5 * 33 + 7] += 1).is_err());
        assert!(run(|picture| picture[30 * 33 + 7] += 1).is_err());
        assert!(run(|picture| picture[..2 * 33].rotate_left(33)).is_err());
    }
}
