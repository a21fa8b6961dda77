//! Small random instances, against going through everything.

use fastrand::Rng;
use filch::Pool;
use filch_search::verify::{verify_coloured_cover, verify_cover};
use filch_search::{Colouring, ExactCover, Knapsack, Pentominoes, Sudoku, Thing, Tour};

/// Sizes and probabilities such that about half of the instances have solutions.
#[test]
fn exact_covers_have_the_solutions_that_trying_all_sets_of_rows_finds() {
    let mut solvable = 0;
    for seed in 0..300 {
        let mut rng = Rng::with_seed(seed);
        let (primary, secondary, rows) = (rng.usize(1..6), rng.usize(0..4), rng.usize(1..12));
        let row = |rng: &mut Rng| {
            let first = rng.usize(..primary);
            let others = (0..primary + secondary).filter(|&column| column != first);
            let mut row: Vec<usize> = others.filter(|_| rng.f64() < 0.25).chain([first]).collect();
            rng.shuffle(&mut row);
            row
        };
        let rows: Vec<Vec<usize>> = (0..rows).map(|_| row(&mut rng)).collect();
        let cover = ExactCover::new(primary, secondary, &rows).unwrap();
        let is_solution = |set: &u32| {
            let chosen: Vec<usize> = (0..rows.len()).filter(|row| set >> row & 1 == 1).collect();
            verify_cover(primary, &chosen, |row| rows[row].clone()).is_ok()
        };
        let expected: Vec<u32> = (0..1 << rows.len()).filter(is_solution).collect();
        let mut found = Vec::new();
        cover.all(|chosen| found.push(chosen.iter().fold(0_u32, |set, row| set | 1 << row)));
        assert_eq!(
            cover.first().map(|chosen| chosen.iter().fold(0, |set, row| set | 1 << row)),
            found.first().copied()
        );
        assert_eq!(cover.count(), found.len() as u64);
        assert_eq!(filch::search(&cover, cover.start()).checked().count(), found.len() as u64);
        found.sort_unstable();
        assert_eq!(found, expected, "{rows:?}");
        solvable += usize::from(!expected.is_empty());
    }
    assert!((50..250).contains(&solvable), "{solvable}");
}

/// A row: its columns and their colours.
type Coloured = Vec<(usize, Option<u32>)>;

/// A random problem, in which most secondary columns of rows have one of two colours.
fn coloured(rng: &mut Rng) -> (usize, usize, Vec<Coloured>) {
    let (primary, secondary, rows) = (rng.usize(2..6), rng.usize(1..4), rng.usize(2..12));
    let row = |rng: &mut Rng| {
        let first = rng.usize(..primary);
        let others = (0..primary + secondary).filter(|&column| column != first);
        let columns: Vec<usize> =
            others.filter(|&column| rng.f64() < if column < primary { 0.15 } else { 0.5 }).chain([first]).collect();
        let mut colour = |column| if column < primary || rng.f64() < 0.2 { None } else { Some(rng.u32(..2)) };
        let mut row: Vec<_> = columns.into_iter().map(|column| (column, colour(column))).collect();
        rng.shuffle(&mut row);
        row
    };
    let rows = (0..rows).map(|_| row(rng)).collect();
    (primary, secondary, rows)
}

/// Whether these rows are a solution, by the definition: each primary column in one of them, and each secondary one in
/// at most one, or with one colour in all.
fn is_coloured_solution(primary: usize, secondary: usize, rows: &[&Coloured]) -> bool {
    let with = |column: usize| {
        rows.iter().flat_map(|row| row.iter()).filter(move |entry| entry.0 == column).map(|entry| entry.1)
    };
    (0..primary).all(|column| with(column).count() == 1)
        && (primary..primary + secondary).all(|column| {
            let colours: Vec<_> = with(column).collect();
            colours.len() < 2 || colours.iter().all(|&colour| colour.is_some() && colour == colours[0])
        })
}

#[test]
fn coloured_covers_have_the_solutions_that_trying_all_sets_of_rows_finds() {
    let (mut solvable, mut shared) = (0, 0);
    for seed in 0..500 {
        let mut rng = Rng::with_seed(seed);
        let (primary, secondary, rows) = coloured(&mut rng);
        let cover = ExactCover::coloured(primary, secondary, &rows).unwrap();
        let of = |set: u32| (0..rows.len()).filter(move |row| set >> row & 1 == 1);
        let chosen = |set: u32| of(set).map(|row| &rows[row]).collect::<Vec<_>>();
        let mut expected = Vec::new();
        for set in 0..1 << rows.len() {
            let is_solution = is_coloured_solution(primary, secondary, &chosen(set));
            let numbers: Vec<usize> = of(set).collect();
            let verified = verify_coloured_cover(primary, &numbers, |row| rows[row].iter().copied());
            assert_eq!(verified.is_ok(), is_solution, "{rows:?}, {numbers:?}");
            if is_solution {
                expected.push(set);
                let columns = chosen(set).into_iter().flatten().map(|entry| entry.0);
                shared +=
                    usize::from((primary..).take(secondary).any(|x| columns.clone().filter(|&y| x == y).count() > 1));
            }
        }
        let mut found = Vec::new();
        cover.all(|chosen| found.push(chosen.iter().fold(0_u32, |set, row| set | 1 << row)));
        assert_eq!(cover.count(), found.len() as u64);
        assert_eq!(filch::search(&cover, cover.start()).checked().count(), found.len() as u64);
        found.sort_unstable();
        assert_eq!(found, expected, "{rows:?}");
        solvable += usize::from(!expected.is_empty());
    }
    assert!((100..400).contains(&solvable) && shared > 200, "{solvable}, {shared} with a column in several rows");
}

#[test]
fn an_exact_cover_without_primary_columns_has_the_empty_solution_only() {
    let cover = ExactCover::new(0, 3, [[0_usize; 0]; 0]).unwrap();
    assert_eq!((cover.count(), cover.first()), (1, Some(vec![])));
}

/// The number of grids of four rows is known: 288.
#[test]
fn the_empty_sudoku_of_four_rows_has_288_solutions() {
    assert_eq!(Sudoku::new(&[0; 16]).unwrap().cover().count(), 288);
}

#[test]
fn knapsacks_are_worth_what_trying_all_sets_of_things_finds() {
    for seed in 0..200 {
        let mut rng = Rng::with_seed(seed);
        let thing = |rng: &mut Rng| Thing { value: rng.u64(0..30), weight: rng.u64(0..20) };
        let count = rng.usize(0..10);
        let things: Vec<Thing> = (0..count).map(|_| thing(&mut rng)).collect();
        let capacity = rng.u64(0..80);
        let sum = |set: u32, of: fn(&Thing) -> u64| {
            things
                .iter()
                .enumerate()
                .filter(|(thing, _)| set >> thing & 1 == 1)
                .map(|(_, thing)| of(thing))
                .sum::<u64>()
        };
        let fits = |&set: &u32| sum(set, |thing| thing.weight) <= capacity;
        let expected = (0..1 << things.len()).filter(fits).map(|set| sum(set, |thing| thing.value)).max().unwrap();
        let knapsack = Knapsack::new(capacity, &things).unwrap();
        let found = knapsack.best().map(|(value, _)| value);
        assert_eq!(found, Some(expected as i64), "{things:?}, {capacity}");
    }
}

/// The shortest of the trips that go on with a permutation of these cities.
fn shortest(distances: &[Vec<u32>], path: &mut Vec<usize>, length: u32) -> u32 {
    let last = path[path.len() - 1];
    let mut best = u32::MAX;
    if path.len() == distances.len() {
        return length + distances[last][0];
    }
    for city in (0..distances.len()).filter(|city| !path.contains(city)).collect::<Vec<_>>() {
        path.push(city);
        best = best.min(shortest(distances, path, length + distances[last][city]));
        path.pop();
    }
    best
}

#[test]
fn trips_are_as_short_as_trying_all_permutations_finds() {
    for seed in 0..100 {
        let mut rng = Rng::with_seed(seed);
        let cities = rng.usize(1..8);
        let mut distances = vec![vec![0; cities]; cities];
        for (a, b) in (0..cities).flat_map(|a| (0..a).map(move |b| (a, b))) {
            // Without the triangle inequality.
            distances[a][b] = rng.u32(0..50);
            distances[b][a] = distances[a][b];
        }
        let (length, _) = Tour::new(&distances).unwrap().best().unwrap();
        assert_eq!(length, i64::from(shortest(&distances, &mut vec![0], 0)), "{distances:?}");
    }
}

#[test]
fn colourings_take_as_few_colours_as_trying_all_finds() {
    for seed in 0..100 {
        let mut rng = Rng::with_seed(seed);
        let vertices = rng.usize(0..7);
        let density = rng.f64();
        let pairs = (0..vertices).flat_map(|a| (0..a).map(move |b| (a, b)));
        let edges: Vec<(usize, usize)> = pairs.filter(|_| rng.f64() < density).collect();
        let works = |count: usize| {
            (0..count.pow(vertices as u32)).any(|number| {
                let colour = |vertex: usize| number / count.pow(vertex as u32) % count;
                edges.iter().all(|&(a, b)| colour(a) != colour(b))
            })
        };
        let expected = if vertices == 0 { 0 } else { (1..).find(|&count| works(count)).unwrap() };
        let (count, _) = Colouring::new(vertices, &edges).unwrap().best().unwrap();
        assert_eq!(count, expected as i64, "{edges:?}");
    }
}

#[test]
fn steps_back_restore_the_workspaces() {
    let mut rng = Rng::with_seed(1);
    let things: Vec<Thing> = (0..8).map(|_| Thing { value: rng.u64(1..30), weight: rng.u64(1..20) }).collect();
    let knapsack = Knapsack::new(40, &things).unwrap();
    filch::search(&knapsack, knapsack.start()).checked().find_best(
        knapsack.bound(),
        |packed| knapsack.value(packed),
        |_| (),
    );
    let distances: Vec<Vec<u32>> = (0..6_u32).map(|a| (0..6).map(|b| (3 * a).abs_diff(b * b)).collect()).collect();
    let symmetric: Vec<Vec<u32>> = (0..6).map(|a| (0..6).map(|b| distances[a.max(b)][a.min(b)]).collect()).collect();
    let tour = Tour::new(&symmetric).unwrap();
    filch::search(&tour, tour.start()).checked().find_best(tour.bound(), |travelled| tour.length(travelled), |_| ());
    let graph = Colouring::new(7, &[(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3), (5, 6)]).unwrap();
    filch::search(&graph, graph.start()).checked().find_best(graph.bound(), |colours| colours.count(), |_| ());
}

/// Parts leave at every opportunity, in the middle of the tree, and go on where their copy has to step back to.
#[test]
fn searches_find_the_same_on_several_workers_under_every_scheduler() {
    let pentominoes = Pentominoes::new(20, 3).unwrap();
    let sudoku = Sudoku::new(&[0; 16]).unwrap();
    let mut serial = Vec::new();
    sudoku.cover().all(|rows| serial.push(rows));
    let mut rng = Rng::with_seed(3);
    let coloured: Vec<_> = (0..40).map(|_| coloured(&mut rng)).collect();
    let coloured: Vec<_> = coloured
        .iter()
        .map(|(primary, secondary, rows)| ExactCover::coloured(*primary, *secondary, rows).unwrap())
        .collect();
    let mut in_series = Vec::new();
    coloured.iter().for_each(|cover| cover.all(|rows| in_series.push(rows)));
    let complete: Vec<(usize, usize)> = (0..6).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
    for scheduler in ["default,period=0ns", "cilk5,period=0ns", "tascell", "heartbeat", "chaos,seed=1", "chaos,seed=2"]
    {
        let pool = Pool::builder().workers(3).scheduler(scheduler.parse().unwrap()).build();
        let Ok(pool) = pool else { continue }; // this system has no barrier for takes
        pool.run(|_| {
            assert_eq!(pentominoes.cover().count(), 2, "{scheduler}");
            let mut found = Vec::new();
            sudoku.cover().all(|rows| found.push(rows));
            assert_eq!(found, serial, "{scheduler}");
            let mut found = Vec::new();
            coloured.iter().for_each(|cover| cover.all(|rows| found.push(rows)));
            assert_eq!(found, in_series, "{scheduler}");
            assert_eq!(Colouring::new(6, &complete).unwrap().best().unwrap().0, 6, "{scheduler}");
        });
    }
}
