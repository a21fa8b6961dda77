//! Properties that make a set of triangles a Delaunay triangulation, tested by the predicates of `robust`.

use super::*;
use crate::predicates::orientation;
use std::collections::{HashMap, HashSet};
use std::f64::consts::TAU;

type Point = [f64; 2];

fn triangulated(points: &[Point]) -> Triangulation {
    delaunay(Points::new(points).expect("finite points")).expect("coordinates in the range")
}

/// How far inside the circle through a counterclockwise triangle a point is.
fn inside(points: &[Point], [a, b, c]: [u32; 3], d: u32) -> f64 {
    let coord = |index: u32| robust::Coord { x: points[index as usize][0], y: points[index as usize][1] };
    robust::incircle(coord(a), coord(b), coord(c), coord(d))
}

/// Points of many kinds, by name.
fn samples(len: usize, seed: u64) -> Vec<(&'static str, Vec<Point>)> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut make = |point: &mut dyn FnMut(&mut fastrand::Rng, usize) -> Point| -> Vec<Point> {
        (0..len).map(|index| point(&mut random, index)).collect()
    };
    let width = (len as f64).sqrt().ceil() as usize;
    vec![
        ("a square", make(&mut |random, _| [random.f64(), random.f64()])),
        ("a strip", make(&mut |random, _| [random.f64() * 1e9, random.f64()])),
        ("a grid", make(&mut |_, index| [(index % width) as f64, (index / width) as f64])),
        ("a grid, thrice", make(&mut |_, index| [(index / 3 % width) as f64, (index / 3 / width) as f64])),
        ("a grid with gaps, turned", {
            make(&mut |random, _| {
                let (x, y) = (random.usize(0..width) as f64, random.usize(0..width) as f64);
                [3.0 * x - 4.0 * y, 4.0 * x + 3.0 * y]
            })
        }),
        (
            "neighbouring numbers",
            make(&mut |random, _| [1.0; 2].map(|x| x + f64::from(random.u32(0..40)) * f64::EPSILON)),
        ),
        ("a circle", make(&mut |_, index| (TAU * index as f64 / len as f64).sin_cos().into())),
        ("a circle and its centre", {
            make(&mut |_, index| if index == 0 { [0.0; 2] } else { (TAU * index as f64 / len as f64).sin_cos().into() })
        }),
        ("Kuzmin", {
            make(&mut |random, _| {
                let (radius, angle) = ((1.0 / (1.0 - random.f64()).powi(2) - 1.0).sqrt(), TAU * random.f64());
                [radius * angle.cos(), radius * angle.sin()]
            })
        }),
        ("clusters of clusters", {
            make(&mut |random, _| {
                let level = |random: &mut fastrand::Rng, scale: f64| f64::from(random.u32(0..4)) * scale;
                [0; 2].map(|_| level(random, 1.0) + level(random, 1e-8) + random.f64() * 1e-15)
            })
        }),
        ("shrinking squares", {
            make(&mut |_, index| {
                let side = 1e69 * 0.2_f64.powi((index / 4) as i32 % 180);
                [side * [1.0, -1.0][index % 2], side * [1.0, -1.0][index / 2 % 2]]
            })
        }),
        ("far away", make(&mut |random, index| if index == 0 { [1e69; 2] } else { [random.f64(), random.f64()] })),
        ("a parabola", make(&mut |_, index| [index as f64, (index * index) as f64])),
    ]
}

/// Asserts that these triangles are a triangulation of the convex hull, with all points as corners except for
/// duplicates, and that no point lies in the circle of a triangle next to its own.
fn assert_delaunay(points: &[Point], found: &Triangulation, name: &str) {
    let mut first_at = HashMap::new();
    let mut duplicates = HashMap::new();
    for (index, point) in (0..).zip(points) {
        // Zeros are equal, whatever their signs.
        let first = *first_at.entry(point.map(|x| (x + 0.0).to_bits())).or_insert(index);
        if first != index {
            duplicates.insert(index, first);
        }
    }
    assert_eq!(found.duplicates.len(), duplicates.len(), "{name}");
    assert_eq!(found.duplicates.iter().map(|&[index, first]| (index, first)).collect::<HashMap<_, _>>(), duplicates);

    let at = |index: u32| points[index as usize];
    let mut opposite = HashMap::new();
    for &[a, b, c] in &found.triangles {
        assert!(orientation(at(a), at(b), at(c)) > 0.0, "{name}: {a} {b} {c}");
        for (from, to, beyond) in [(a, b, c), (b, c, a), (c, a, b)] {
            assert_eq!(opposite.insert((from, to), beyond), None, "{name}: two triangles to the left of {from} {to}");
        }
    }
    let mut on_hull = 0;
    for (&(from, to), &beyond) in &opposite {
        if let Some(&across) = opposite.get(&(to, from)) {
            assert!(inside(points, [from, to, beyond], across) <= 0.0, "{name}: {across} at {from} {to} {beyond}");
        } else {
            on_hull += 1;
            assert!(points.iter().all(|&point| orientation(at(from), at(to), point) >= 0.0), "{name}: {from} {to}");
        }
    }
    let corners: HashSet<u32> = found.triangles.iter().flatten().copied().collect();
    if found.triangles.is_empty() {
        let other = points.iter().find(|&&point| point != points[0]);
        let is_on_line = |other: &Point| points.iter().all(|&point| orientation(points[0], *other, point) == 0.0);
        assert!(other.is_none_or(is_on_line), "{name}");
    } else {
        assert_eq!(corners, first_at.into_values().collect(), "{name}");
        // Euler's formula.
        assert_eq!(found.triangles.len(), 2 * corners.len() - 2 - on_hull, "{name}");
    }
}

#[test]
fn no_point_lies_inside_the_circle_of_any_triangle() {
    for len in [3, 4, 5, 9, 30] {
        for (name, points) in samples(len, len as u64) {
            let found = triangulated(&points);
            for &triangle in &found.triangles {
                for point in 0..len as u32 {
                    assert!(inside(&points, triangle, point) <= 0.0, "{name}: {point} in {triangle:?}");
                }
            }
        }
    }
}

#[test]
fn triangles_cover_the_hull_of_all_points_once_and_their_edges_are_locally_delaunay() {
    for len in [1, 2, 3, 4, 5, 6, 7, 8, 10, 20, 100, 700] {
        for (name, points) in samples(len, 7 * len as u64) {
            assert_delaunay(&points, &triangulated(&points), name);
        }
    }
}

#[test]
fn few_points_of_a_tiny_grid_are_triangulated_in_any_constellation() {
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..3000 {
        let len = random.usize(1..12);
        let points: Vec<Point> = (0..len).map(|_| [0; 2].map(|_| f64::from(random.u32(0..4)) - 1.0)).collect();
        assert_delaunay(&points, &triangulated(&points), &format!("{points:?}"));
    }
}

#[test]
fn points_on_a_line_have_no_triangles() {
    for [x, y] in [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [-3.0, 7.0]] {
        for len in [0, 1, 2, 3, 17, 200] {
            let points: Vec<Point> =
                (0..len).map(|index| f64::from(index * 37 % 101)).map(|t| [t * x, t * y]).collect();
            assert_eq!(triangulated(&points).triangles, [[0; 3]; 0], "{len}: {x} {y}");
        }
    }
}

#[test]
fn the_triangulation_is_the_same_on_any_number_of_workers() {
    for (name, points) in samples(5000, 11) {
        let on = |workers| {
            let pool = filch::Pool::builder().workers(workers).build().expect("a pool");
            pool.run(|_| triangulated(&points))
        };
        let expected = on(1);
        for workers in [2, 3, 4] {
            assert_eq!(on(workers), expected, "{name}, {workers} workers");
        }
    }
}

#[test]
fn coordinates_for_which_predicates_are_not_exact_are_refused() {
    let refused = |points: &[Point]| delaunay(Points::new(points).expect("finite points")).unwrap_err();
    for found in [[0.5, 1e-61], [-1e71, 0.0]] {
        let error = refused(&[[0.0, -0.0], found, [1e80, 0.0]]);
        assert_eq!(error, DelaunayError::Magnitude { index: 1, found });
        assert!(error.to_string().starts_with("point 1: expected coordinates that are zero or from 1e-60 to 1e70"));
    }
    let corners = [[-1e-60, 1e69], [-1e69, 1e-60], [1e69, 1e-60], [0.0, 1e-59], [1e-60, 1e-60]];
    assert_delaunay(&corners, &triangulated(&corners), "the limits");
}
