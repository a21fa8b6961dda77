//! TSPLIB files: what is honoured, what is refused, and the distances by hand.

use fastrand::Rng;
use filch_search::verify::{verify_edges, verify_tour};
use filch_search::{Tour, read::TextError};

fn best(text: &str) -> Option<(i64, Vec<usize>)> {
    Tour::parse(text).unwrap_or_else(|error| panic!("{error}: {text}")).best()
}

/// A rectangle of 3 by 4, and more lines.
fn rectangle(more: &str) -> String {
    let points = "NODE_COORD_SECTION\n1 0 0\n2 3 0\n3 3 4\n4 0 4\n";
    format!("NAME: a\nTYPE: TSP\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: EUC_2D\n{points}{more}")
}

#[test]
fn fixed_edges_are_in_the_trip() {
    assert_eq!(best(&rectangle("")).unwrap().0, 14);
    // 1-2-4-3 and its reverse, by hand.
    let (length, trip) = best(&rectangle("FIXED_EDGES_SECTION\n1 3\n-1\nEOF\n")).unwrap();
    assert_eq!(length, 16);
    verify_edges(&trip, &[(0, 2)], None).unwrap();
    // Both diagonals.
    assert_eq!(best(&rectangle("FIXED_EDGES_SECTION\n1 3 2 4\n-1\n")).unwrap().0, 16);
    // Three edges at one city, or a circle of three.
    for impossible in ["1 2 1 3 1 4 -1", "1 2 2 3 3 1 -1"] {
        assert_eq!(best(&rectangle(&format!("FIXED_EDGES_SECTION\n{impossible}\n"))), None, "{impossible}");
    }
}

#[test]
fn trips_have_only_the_edges_that_are_listed() {
    let of =
        |format: &str, edges: &str| rectangle(&format!("EDGE_DATA_FORMAT: {format}\nEDGE_DATA_SECTION\n{edges}\n"));
    // 1-3-2-4 is the only trip.
    for (format, edges) in [
        ("EDGE_LIST", "1 3\n3 2\n2 4\n4 1\n-1"),
        ("ADJ_LIST", "1 3 4 -1\n2 3 4 -1\n-1"),
        ("ADJ_LIST", "1 3 4 -1 2 4 3 -1 3 2 1 -1 4 1 2 -1 -1\nEOF"),
    ] {
        let (length, trip) = best(&of(format, edges)).unwrap();
        assert_eq!(length, 18, "{edges}");
        verify_edges(&trip, &[], Some(&[(0, 2), (2, 1), (1, 3), (3, 0)])).unwrap();
    }
    assert_eq!(best(&of("EDGE_LIST", "1 3\n3 2\n2 4\n-1")), None);
    // Fixed, but not listed.
    let both = of("EDGE_LIST", "1 3\n3 2\n2 4\n4 1\n-1\nFIXED_EDGES_SECTION\n1 2 -1");
    assert_eq!(best(&both), None);
}

/// The shortest trip with these edges, among all permutations.
fn shortest(distances: &[Vec<u32>], fixed: &[(usize, usize)], listed: Option<&[(usize, usize)]>) -> Option<i64> {
    fn go(trip: &mut Vec<usize>, cities: usize, good: &dyn Fn(&[usize]) -> Option<i64>, best: &mut Option<i64>) {
        if trip.len() == cities
            && let Some(length) = good(trip)
        {
            *best = Some(best.map_or(length, |best| best.min(length)));
        }
        for city in (0..cities).filter(|city| !trip.contains(city)).collect::<Vec<_>>() {
            trip.push(city);
            go(trip, cities, good, best);
            trip.pop();
        }
    }
    let cities = distances.len();
    let good = |trip: &[usize]| {
        let legs = (0..cities).map(|at| (trip[at], trip[(at + 1) % cities]));
        let length = legs.map(|(a, b)| i64::from(distances[a][b])).sum();
        verify_edges(trip, fixed, listed).is_ok().then_some(length)
    };
    let mut best = None;
    go(&mut vec![0], cities, &good, &mut best);
    best
}

#[test]
fn trips_with_rules_are_as_short_as_trying_all_permutations_finds() {
    let mut solvable = 0;
    for seed in 0..300 {
        let mut rng = Rng::with_seed(seed);
        let cities = rng.usize(1..8);
        let pairs: Vec<(usize, usize)> = (0..cities).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
        let mut distances = vec![vec![0; cities]; cities];
        for &(a, b) in &pairs {
            distances[a][b] = rng.u32(0..50);
            distances[b][a] = distances[a][b];
        }
        let mut some = |share: f64| pairs.iter().copied().filter(|_| rng.f64() < share).collect::<Vec<_>>();
        let (fixed, listed) = (some(0.1), some(0.7));
        let listed = (seed % 3 > 0).then_some(&listed[..]);
        let mut tour = Tour::new(&distances).unwrap().with_fixed(&fixed).unwrap();
        if let Some(listed) = listed {
            tour = tour.with_only(listed).unwrap();
        }
        let found = filch::search(&tour, tour.start()).checked().find_best(
            tour.bound(),
            |travelled| tour.length(travelled),
            |travelled| travelled.cities(),
        );
        if let Some((length, trip)) = &found {
            verify_tour(cities, |a, b| distances[a][b], trip, *length).unwrap();
            verify_edges(trip, &fixed, listed).unwrap();
            solvable += 1;
        }
        let expected = shortest(&distances, &fixed, listed);
        assert_eq!(found.map(|(length, _)| length), expected, "{distances:?}, {fixed:?}, {listed:?}");
    }
    assert!((100..280).contains(&solvable), "{solvable}");
}

#[test]
fn headers_need_no_colon_and_may_have_a_comment() {
    let distances = "0 1 2 4\n1 0 3 5\n2 3 0 6\n4 5 6 0\n";
    let header = "NAME gr4\nTYPE TSP\nDIMENSION 4\nEDGE_WEIGHT_TYPE EXPLICIT\nEDGE_WEIGHT_FORMAT FULL_MATRIX\n";
    // 1-2-3-4: 1 + 3 + 6 + 4; 1-2-4-3: 1 + 5 + 6 + 2; 1-3-2-4: 2 + 3 + 5 + 4.
    for (from, to) in [
        ("", ""),
        (" ", ": "),
        (" ", " : "),
        (" ", ":"),
        (" ", "\t"),
        ("TYPE TSP", "TYPE : TSP (M.~Hofmeister)"),
        ("DIMENSION 4", "dimension: 4 (four cities)\r"),
        ("NAME", "COMMENT one: two\nCOMMENT: three\nDISPLAY_DATA_TYPE: NO_DISPLAY\nNAME"),
        ("FULL_MATRIX\n", "FULL_MATRIX\nDISPLAY_DATA_SECTION\n1 0 0\n2 1 1\nTOUR_SECTION\n1 2 3 4 -1\n"),
    ] {
        let text = format!("{}EDGE_WEIGHT_SECTION\n{distances}", header.replace(from, to));
        assert_eq!(best(&text).unwrap().0, 14, "{text}");
    }
}

#[test]
fn a_matrix_is_the_same_in_every_form() {
    let cities = 5;
    let at = |a: usize, b: usize| 10 * a.min(b) + a.max(b);
    let all = |is_in: &dyn Fn(usize, usize) -> bool, by_column: bool| {
        let places = (0..cities).flat_map(|a| (0..cities).map(move |b| (a, b)));
        // Line by line, where the lines are rows or columns. A large number stands on the diagonal.
        let places = places.map(|(a, b)| if by_column { (b, a) } else { (a, b) });
        let words = places.filter(|&(row, column)| is_in(row, column));
        words.map(|(a, b)| if a == b { "9999".into() } else { at(a, b).to_string() }).collect::<Vec<_>>().join("\n")
    };
    let lower = |row: usize, column: usize| column < row;
    let upper = |row: usize, column: usize| column > row;
    let lower_diagonal = |row: usize, column: usize| column <= row;
    let upper_diagonal = |row: usize, column: usize| column >= row;
    for (format, words) in [
        ("FULL_MATRIX", all(&|_, _| true, false)),
        ("LOWER_ROW", all(&lower, false)),
        ("UPPER_ROW", all(&upper, false)),
        ("LOWER_DIAG_ROW", all(&lower_diagonal, false)),
        ("UPPER_DIAG_ROW", all(&upper_diagonal, false)),
        ("LOWER_COL", all(&lower, true)),
        ("UPPER_COL", all(&upper, true)),
        ("LOWER_DIAG_COL", all(&lower_diagonal, true)),
        ("UPPER_DIAG_COL", all(&upper_diagonal, true)),
    ] {
        let header = format!("DIMENSION: 5\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: {format}\n");
        let tour = Tour::parse(&format!("{header}EDGE_WEIGHT_SECTION\n{words}\n")).unwrap();
        for (a, b) in (0..cities).flat_map(|a| (0..cities).map(move |b| (a, b))).filter(|(a, b)| a != b) {
            assert_eq!(tour.distance(a, b), at(a, b) as u32, "{format}: {a} {b}");
        }
    }
}

/// The definitions of TSPLIB 95, section 2, by hand.
#[test]
fn distances_are_those_that_tsplib_defines() {
    let distance = |kind: &str, a: &str, b: &str| {
        let points = format!("NODE_COORD_SECTION\n2 {b}\n1 {a}\n");
        Tour::parse(&format!("DIMENSION: 2\nEDGE_WEIGHT_TYPE: {kind}\n{points}")).map(|tour| tour.distance(0, 1))
    };
    for (kind, a, b, expected) in [
        ("EUC_2D", "0 0", "3 4", 5),
        ("EUC_2D", "0 0", "1 1", 1),   // 1.41
        ("EUC_2D", "0 0", "0 2.5", 3), // halves are rounded up
        ("CEIL_2D", "0 0", "1 1", 2),  // 1.41
        ("CEIL_2D", "0 0", "3e3 4e3", 5000),
        ("MAN_2D", "0 0", "-1.2 2.2", 3), // 3.4
        ("MAX_2D", "0 0", "-1.2 2.6", 3),
        ("EUC_3D", "0 0 0", "2 3 6", 7),
        ("MAN_3D", "0 0 0", "2 3 6", 11),
        ("MAX_3D", "0 0 0", "2 3 6", 6),
        ("ATT", "0 0", "10 0", 4),   // the root of 10 is 3.16, which is not rounded down
        ("ATT", "0 0", "0 20", 7),   // 6.32
        ("ATT", "0 0", "30 10", 10), // the root of 100
        ("ATT", "0 0", "8 0", 3),    // 2.53 is rounded up anyway
    ] {
        assert_eq!(distance(kind, a, b).unwrap(), expected, "{kind}: {a} to {b}");
    }
    let error = distance("EUC_2D", "0 0", "1e10 0").unwrap_err().to_string();
    assert_eq!(error, "5:1: expected cities at most 4294967295 apart, found 10000000000 between 1 and 2");
    // One place, and places so near that rounding takes their cosine above 1.
    for degree in 0..90 {
        assert_eq!(
            distance("GEO", &format!("{degree}.13 {degree}.57"), &format!("{degree}.13 {degree}.57")).unwrap(),
            1
        );
    }
}

#[test]
fn what_could_change_the_problem_and_is_not_honoured_is_refused_by_name() {
    let refused = |text: &str, message: &str| {
        let error: TextError = Tour::parse(text).unwrap_err();
        assert_eq!(error.to_string(), message, "{text}");
    };
    for section in ["DEMAND_SECTION", "DEPOT_SECTION", "TIME_WINDOW_SECTION", "FOO_SECTION"] {
        let message = format!("10:1: expected a section of a problem of type TSP, found {section:?}");
        refused(&rectangle(&format!("{section}\n1 1\n-1\n")), &message);
    }
    for keyword in ["CAPACITY: 3", "SALESMEN : 2", "FOO"] {
        let name = keyword.split([':', ' ']).next().unwrap();
        let message = format!("1:1: expected a keyword of a TSPLIB problem of type TSP, found {name:?}");
        refused(&format!("{keyword}\n{}", rectangle("")), &message);
    }
    refused(
        &rectangle("EDGE_WEIGHT_SECTION\n1\n"),
        "10:1: expected distances or coordinates, as EDGE_WEIGHT_TYPE says, found both",
    );
    refused(&rectangle("DIMENSION: 3\n"), "10:1: expected one line with DIMENSION, found another one than line 3");
    let again = "10:1: expected one line with NODE_COORD_SECTION, found another one than line 5";
    refused(&rectangle("NODE_COORD_SECTION\n"), again);
    refused(&rectangle("EDGE_DATA_SECTION\n1 3\n-1\n"), " expected a line with EDGE_DATA_FORMAT, found none");
    let more = "a city, or -1 at the end of the list";
    refused(&rectangle("FIXED_EDGES_SECTION\n"), &format!("10:1: expected {more}, found the end of the section"));
    refused(&rectangle("FIXED_EDGES_SECTION\n1 3\n"), &format!("11:3: expected {more}, found the end of the section"));
    refused(
        &rectangle("FIXED_EDGES_SECTION\n1\n-1\n"),
        "12:1: expected the number of a city from 1 to 4, found \"-1\"",
    );
    refused(
        &rectangle("FIXED_EDGES_SECTION\n1 5 -1\n"),
        "11:3: expected the number of a city from 1 to 4, found \"5\"",
    );
    refused(&rectangle("FIXED_EDGES_SECTION\n1 2 -1 3\n"), "11:8: expected the end of the section, found \"3\"");
    refused(
        &rectangle("FIXED_EDGES_SECTION\n3 3 -1\n"),
        "10:1: expected an edge between two cities, found one from 3 to itself",
    );
    refused("TYPE: TSP ATSP\n", "1:11: expected the end of the line, found \"ATSP\"");
    refused("TYPE\n", "1:5: expected the value of TYPE, found the end of the line");
}
