//! The tree against tests of all triangles, and these against exact integers.

use super::build::is_degenerate;
use super::intersect::Straight;
use super::*;

type Point = [f64; 3];

fn ray(origin: Point, direction: Point) -> Ray {
    Ray::new(origin, direction).expect("a ray")
}

/// Each triangle with corners of its own.
fn soup(triangles: &[[Point; 3]]) -> Mesh {
    let corners = (0..triangles.len() as u32).map(|index| [3 * index, 3 * index + 1, 3 * index + 2]).collect();
    Mesh::new(triangles.as_flattened().to_vec(), corners).expect("a mesh")
}

/// The same as [`Bvh::cast`], without a tree.
fn among_all(mesh: &Mesh, bvh: &Bvh, ray: &Ray) -> Option<Hit> {
    let straight = Straight::new(ray, bvh.frame.scale);
    let hits = (0..mesh.triangles().len() as u32).filter_map(|triangle| {
        let corners = mesh.corners(triangle).map(|corner| corner.map(|x| x * bvh.frame.scale));
        let distance = straight.distance_to(&corners).filter(|_| !is_degenerate(corners))?;
        Some(Hit { triangle, distance: straight.in_directions(distance) })
    });
    hits.min_by(|a, b| (a.distance, a.triangle).partial_cmp(&(b.distance, b.triangle)).expect("numbers"))
}

/// The first hit in exact arithmetic (Möller and Trumbore 1997), for small integers.
fn exactly(triangles: &[[[i64; 3]; 3]], origin: [i64; 3], direction: [i64; 3]) -> Option<(i128, i128, u32)> {
    let minus = |a: [i64; 3], b: [i64; 3]| [0, 1, 2].map(|axis| i128::from(a[axis] - b[axis]));
    let cross = |a: [i128; 3], b: [i128; 3]| {
        [0, 1, 2].map(|i| a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3])
    };
    let dot = |a: [i128; 3], b: [i128; 3]| (0..3).map(|axis| a[axis] * b[axis]).sum::<i128>();
    let along = direction.map(i128::from);
    let hits = (0..).zip(triangles).filter_map(|(index, &[a, b, c])| {
        let (ab, ac, to_origin) = (minus(b, a), minus(c, a), minus(origin, a));
        let normal = cross(along, ac);
        let mut whole = dot(ab, normal);
        let sign = whole.signum();
        whole *= sign;
        let (u, q) = (dot(to_origin, normal) * sign, cross(to_origin, ab));
        let (v, t) = (dot(along, q) * sign, dot(ac, q) * sign);
        (whole > 0 && u >= 0 && v >= 0 && u + v <= whole && t >= 0).then_some((t, whole, index))
    });
    hits.min_by(|a, b| (a.0 * b.1).cmp(&(b.0 * a.1)).then(a.2.cmp(&b.2)))
}

#[test]
fn hits_of_integer_rays_are_those_of_exact_arithmetic() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut hits = 0;
    for round in 0..300 {
        // From crowded grids, where rays pass through edges, corners and planes, to sparse ones.
        let most = [2, 4, 40][round % 3];
        let mut point = || [0; 3].map(|_| random.i64(-most..=most));
        let triangles: Vec<[[i64; 3]; 3]> = (0..1 + round % 40).map(|_| [point(), point(), point()]).collect();
        let to_floats = |point: [i64; 3]| point.map(|x| x as f64);
        let bvh = Bvh::new(&soup(&triangles.iter().map(|corners| corners.map(to_floats)).collect::<Vec<_>>()));
        for _ in 0..40 {
            let (origin, direction) = (point(), point());
            if direction == [0; 3] {
                continue;
            }
            let found = bvh.cast(&ray(to_floats(origin), to_floats(direction)));
            let expected = exactly(&triangles, origin, direction);
            let expected = expected.map(|(t, whole, triangle)| Hit { triangle, distance: t as f64 / whole as f64 });
            assert_eq!(found, expected, "{origin:?} {direction:?} {triangles:?}");
            hits += usize::from(found.is_some());
        }
    }
    assert!(hits > 1000, "{hits}");
}

/// Meshes of many kinds, by name.
fn meshes(random: &mut fastrand::Rng) -> Vec<(&'static str, Mesh)> {
    let mut point = |size: f64| [0; 3].map(|_| (random.f64() - 0.5) * size);
    let near = |middle: Point, offset: Point| [0, 1, 2].map(|axis| middle[axis] + offset[axis]);
    let mut scattered = |size: f64, count: usize| -> Vec<[Point; 3]> {
        (0..count)
            .map(|_| {
                let middle = point(1.0);
                [point(size), point(size), point(size)].map(|offset| near(middle, offset))
            })
            .collect()
    };
    let small = scattered(0.1, 400);
    let map = |triangles: &[[Point; 3]], f: &dyn Fn(Point) -> Point| -> Vec<[Point; 3]> {
        triangles.iter().map(|corners| corners.map(f)).collect()
    };
    let heights: Vec<Point> =
        (0..100).map(|index| [f64::from(index % 10), f64::from(index / 10), f64::from(index * 7 % 5) / 8.0]).collect();
    let squares = (0..90).filter(|index| index % 10 < 9);
    let terrain = squares.flat_map(|at| [[at, at + 1, at + 11], [at, at + 11, at + 10]]).collect();
    vec![
        ("scattered", soup(&small)),
        ("large", soup(&scattered(1.0, 60))),
        ("slivers", soup(&map(&scattered(1.0, 100), &|[x, y, z]| [x, x + y * 1e-9, z]))),
        ("in a plane", soup(&map(&small, &|[x, y, _]| [x, y, 0.25]))),
        ("on a line", soup(&map(&small, &|[x, _, _]| [x, x, x]))),
        ("far from zero", soup(&map(&small, &|point| point.map(|x| x + 1e6)))),
        ("tiny", soup(&map(&small, &|point| point.map(|x| x * 1e-250)))),
        ("huge", soup(&map(&small, &|point| point.map(|x| x * 1e307)))),
        ("all the same", soup(&vec![small[0]; 300])),
        ("one", soup(&small[..1])),
        ("a point", soup(&[[[1e6; 3]; 3]])),
        ("of very different sizes", {
            let sized = |index: usize| small[0].map(|corner| corner.map(|x| x * 0.8_f64.powi(index as i32)));
            soup(&(0..700).map(sized).collect::<Vec<_>>())
        }),
        ("a terrain", Mesh::new(heights, terrain).expect("a mesh")),
        ("none", Mesh::new(Vec::new(), Vec::new()).expect("a mesh")),
    ]
}

#[test]
fn the_tree_finds_what_a_test_of_all_triangles_finds() {
    let mut random = fastrand::Rng::with_seed(2);
    for (name, mesh) in meshes(&mut random) {
        let bvh = Bvh::new(&mesh);
        let bounds = mesh.bounds();
        let size =
            (0..3).map(|axis| bounds.high[axis] / 2.0 - bounds.low[axis] / 2.0).fold(f64::MIN_POSITIVE, f64::max);
        let mut hits = 0;
        for round in 0..210 {
            let mut offset = |size: f64| [0; 3].map(|_| (random.f64() - 0.5) * size);
            let target = match mesh.triangles().len() as u32 {
                0 => [0.0; 3],
                count => {
                    let [a, b, c] = mesh.corners(round * 37 % count);
                    // A corner, the middle of an edge, or a place inside.
                    match round % 3 {
                        0 => a,
                        1 => [0, 1, 2].map(|axis| a[axis] / 2.0 + b[axis] / 2.0),
                        _ => [0, 1, 2].map(|axis| a[axis] / 4.0 + b[axis] / 4.0 + c[axis] / 2.0),
                    }
                }
            };
            let away = match round % 7 {
                0 => [0.0, 0.0, size],
                1 => [-size, 0.0, 0.0],
                2 => [0.0, size * 1e-30, size],
                3 => offset(size * 1e-3),
                4 if name != "huge" => offset(size * [1e8, 1e12][round as usize % 2]),
                5 => [size, size, 0.0],
                _ => offset(size * 2.0),
            };
            let origin = [0, 1, 2].map(|axis| target[axis] + away[axis]);
            for direction in [away.map(|x| -x), away] {
                let ray = ray(origin, direction);
                let found = bvh.cast(&ray);
                assert_eq!(found, among_all(&mesh, &bvh, &ray), "{name}: {ray:?}");
                hits += usize::from(found.is_some());
            }
        }
        assert!(hits > 50 || ["on a line", "a point", "none"].contains(&name), "{name}: {hits}");
    }
}

#[test]
fn no_ray_escapes_from_a_closed_mesh() {
    // An octahedron whose triangles are divided thrice, with corners on a sphere.
    let mut vertices: Vec<Point> = (0..6)
        .map(|index| [0, 1, 2].map(|axis| if axis == index / 2 { [1.0, -1.0][index % 2] } else { 0.0 }))
        .collect();
    let mut triangles: Vec<[u32; 3]> =
        (0..8).map(|octant| [octant & 1, 2 + (octant >> 1 & 1), 4 + (octant >> 2)]).collect();
    for _ in 0..3 {
        let mut middles = std::collections::HashMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                let sum = [0, 1, 2].map(|axis| vertices[a as usize][axis] + vertices[b as usize][axis]);
                let length = sum.iter().map(|x| x * x).sum::<f64>().sqrt();
                vertices.push(sum.map(|x| x / length));
                vertices.len() as u32 - 1
            })
        };
        triangles = triangles
            .iter()
            .flat_map(|&[a, b, c]| {
                let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
                [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
            })
            .collect();
    }
    let mesh = Mesh::new(vertices, triangles).expect("a mesh");
    let bvh = Bvh::new(&mesh);
    let mut random = fastrand::Rng::with_seed(3);
    for &[a, b, _] in mesh.triangles() {
        let origin = [0; 3].map(|_| random.f64() - 0.5);
        let at = |index: u32, axis: usize| mesh.vertices()[index as usize][axis];
        let share = random.f64();
        let to_corner = [0, 1, 2].map(|axis| at(a, axis) - origin[axis]);
        let to_edge = [0, 1, 2].map(|axis| at(a, axis) * share + at(b, axis) * (1.0 - share) - origin[axis]);
        let anywhere = [0; 3].map(|_| random.f64() - 0.5);
        for direction in [to_corner, to_edge, anywhere] {
            assert!(bvh.cast(&ray(origin, direction)).is_some(), "{origin:?} {direction:?}");
        }
    }
}

#[test]
fn many_rays_hit_what_each_of_them_hits_on_any_number_of_workers() {
    let mut random = fastrand::Rng::with_seed(4);
    for (name, mesh) in meshes(&mut random) {
        let bounds = mesh.bounds();
        let within = |random: &mut fastrand::Rng| {
            [0, 1, 2].map(|axis| {
                let share = random.f64() * 1.2 - 0.1;
                if mesh.vertices().is_empty() {
                    share
                } else {
                    bounds.low[axis] * share + bounds.high[axis] * (1.0 - share)
                }
            })
        };
        let rays: Vec<Ray> = (0..600)
            .map(|_| {
                let (from, to) = (within(&mut random), within(&mut random));
                ray(from, if from == to { [1.0; 3] } else { [0, 1, 2].map(|axis| to[axis] / 2.0 - from[axis] / 2.0) })
            })
            .collect();
        let bvh = Bvh::new(&mesh);
        let expected: Vec<Option<Hit>> = rays.iter().map(|ray| bvh.cast(ray)).collect();
        for workers in [1, 2, 3, 4] {
            let pool = filch::Pool::builder().workers(workers).build().expect("a pool");
            assert_eq!(pool.run(|_| cast_rays(&mesh, &rays)), expected, "{name}, {workers} workers");
        }
    }
}

/// Where a ray hits, and how many triangles it is tested against.
fn counted(bvh: &Bvh, ray: &Ray) -> (Option<Hit>, usize) {
    let mut tests = 0;
    let hit = bvh.cast_by(ray, |straight, place| {
        tests += 1;
        straight.distance_to(&bvh.corners[place])
    });
    (hit, tests)
}

/// A sphere of triangles, in rings.
fn sphere(rings: u32) -> (Vec<Point>, Vec<[u32; 3]>) {
    let angle = |part: u32, whole: f64| f64::from(part) / f64::from(rings) * whole * std::f64::consts::PI;
    let vertex = |ring: u32, place: u32| {
        let (down, around) = (angle(ring, 1.0), angle(place, 2.0));
        [down.sin() * around.cos(), down.sin() * around.sin(), down.cos()]
    };
    let vertices = (0..=rings).flat_map(|ring| (0..rings).map(move |place| vertex(ring, place))).collect();
    let squares = (0..rings).flat_map(|ring| (0..rings).map(move |place| (ring, place, (place + 1) % rings)));
    let triangles = squares.flat_map(|(ring, place, next)| {
        let [a, b] = [place, next].map(|place| ring * rings + place);
        [[a, b, a + rings], [b, b + rings, a + rings]]
    });
    (vertices, triangles.collect())
}

#[test]
fn rays_test_few_triangles_although_one_is_far_away() {
    let mut random = fastrand::Rng::with_seed(5);
    let (vertices, triangles) = sphere(24);
    for far in [1e3, 1e6, -1e6, 1e9] {
        let (mut vertices, mut triangles) = (vertices.clone(), triangles.clone());
        let first = vertices.len() as u32;
        vertices.extend([[far, 0.0, far], [far, 1.0, far], [far, 0.0, far + 1.0]]);
        triangles.push([first, first + 1, first + 2]);
        let mesh = Mesh::new(vertices, triangles).expect("a mesh");
        let bvh = Bvh::new(&mesh);
        for _ in 0..50 {
            let ray = ray([0; 3].map(|_| random.f64() - 0.5), [0; 3].map(|_| random.f64() - 0.5));
            let (hit, tests) = counted(&bvh, &ray);
            assert!(hit.is_some() && hit == among_all(&mesh, &bvh, &ray), "{far} {ray:?}");
            assert!(tests < 100, "{far} {ray:?}: {tests}");
        }
    }
}

#[test]
fn distances_are_right_in_meshes_and_directions_of_any_size() {
    let power = |exponent: i32| 2.0_f64.powi(exponent);
    for size in (-1000..=1000).step_by(100) {
        let corners = [[0.0, -1.0, -1.0], [0.0, 2.0, -1.0], [0.0, -1.0, 2.0]];
        let bvh = Bvh::new(&soup(&[corners.map(|corner| corner.map(|x: f64| x * power(size)))]));
        for away in [size - 329, size - 30, size, size + 30, size + 329].into_iter().filter(|away| away.abs() < 1022) {
            for length in (-1000..=1000).step_by(125).filter(|length| (away - length).abs() < 1022) {
                let hit = bvh.cast(&ray([-power(away), 0.0, 0.0], [power(length), 0.0, 0.0]));
                let expected = Some(Hit { triangle: 0, distance: power(away - length) });
                assert_eq!(hit, expected, "size {size}, away {away}, length {length}");
            }
        }
    }
}

#[test]
fn rays_test_few_triangles_although_there_are_many_copies_of_each() {
    let mut random = fastrand::Rng::with_seed(6);
    let (vertices, triangles) = sphere(10);
    let mut copies: Vec<[u32; 3]> = (0..60)
        .flat_map(|copy| triangles.iter().map(move |at| [0, 1, 2].map(|corner| at[(corner + copy) % 3])))
        .collect();
    random.shuffle(&mut copies);
    let mesh = Mesh::new(vertices, copies).expect("a mesh");
    let bvh = Bvh::new(&mesh);
    for _ in 0..30 {
        let ray = ray([0; 3].map(|_| random.f64() - 0.5), [0; 3].map(|_| random.f64() - 0.5));
        let (hit, tests) = counted(&bvh, &ray);
        assert!(hit.is_some() && hit == among_all(&mesh, &bvh, &ray), "{ray:?}");
        assert!(tests < 100, "{ray:?}: {tests}");
    }
}
