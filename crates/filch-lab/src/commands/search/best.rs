//! Problems whose best solution is found by branch and bound.

use std::path::Path;

use filch_bench::failure::Failure;
use filch_bench::show::numbers::grouped;
use filch_search::verify::{verify_colouring, verify_edges, verify_knapsack, verify_tour};
use filch_search::{Colouring, Colours, Knapsack, Thing, Tour, Travelled};
use filch_text::named;

use super::puzzle::{Ask, Found, Puzzle};
use super::session::Session;
use crate::graphs::report;

/// Runs `filch search knapsack`.
pub fn knapsack(file: &Path, session: &mut Session<'_>) -> Result<(), Failure> {
    let knapsack = Knapsack::read(file).map_err(Failure::usage)?;
    let things: Vec<(u64, u64)> = knapsack.things().iter().map(|thing| (thing.value, thing.weight)).collect();
    let show = |found: &Found| {
        let thing = |&number: &usize| {
            let Thing { value, weight } = knapsack.things()[number];
            format!("thing {}: value {value}, weight {weight}", number + 1)
        };
        let weight: u64 = found.kept.iter().map(|&number| things[number].1).sum();
        let of = format!("weight {} of {}", grouped(weight), grouped(knapsack.capacity()));
        let sum = format!("value {}, {of}", grouped(found.value.unwrap_or(0) as u64));
        found.kept.iter().map(thing).chain([sum]).collect()
    };
    session.solve(Puzzle {
        program: "knapsack",
        instance: named(file).display().to_string(),
        problem: &knapsack,
        start: knapsack.start(),
        ask: Ask::Best { bound: knapsack.bound(), value: &|packed| knapsack.value(packed) },
        keep: &|packed| knapsack.packed(packed),
        show: &show,
        check: &|found| verify_knapsack(knapsack.capacity(), &things, &found.kept, found.value.unwrap_or(0)),
        note: "",
    })
}

/// Runs `filch search tsp`.
pub fn tsp(file: &Path, session: &mut Session<'_>) -> Result<(), Failure> {
    let tour = Tour::read(file).map_err(Failure::usage)?;
    let show = |found: &Found| {
        let cities: Vec<String> = found.kept.iter().map(|city| (city + 1).to_string()).collect();
        let length = grouped(found.value.unwrap_or(0) as u64);
        vec![format!("cities {}", cities.join(" ")), format!("length {length}")]
    };
    session.solve(Puzzle {
        program: "tsp",
        instance: named(file).display().to_string(),
        problem: &tour,
        start: tour.start(),
        ask: Ask::Best { bound: tour.bound(), value: &|travelled| tour.length(travelled) },
        keep: &Travelled::cities,
        show: &show,
        check: &|found| {
            let distance = |from, to| tour.distance(from, to);
            verify_tour(tour.num_cities(), distance, &found.kept, found.value.unwrap_or(0))?;
            verify_edges(&found.kept, tour.fixed(), tour.listed())
        },
        note: "",
    })
}

/// Runs `filch search colour`.
pub fn colour(file: &Path, session: &mut Session<'_>) -> Result<(), Failure> {
    let graph = Colouring::read(file).map_err(Failure::usage)?;
    let show = |found: &Found| {
        let count = found.value.unwrap_or(0) as usize;
        let class = |colour: usize| {
            let vertices = found.kept.iter().zip(1..).filter(|&(&of, _)| of == colour);
            let vertices: Vec<String> = vertices.map(|(_, vertex): (_, usize)| vertex.to_string()).collect();
            format!("colour {}: {}", colour + 1, vertices.join(" "))
        };
        (0..count).map(class).chain([report::count(count, "colour", "colours")]).collect()
    };
    session.solve(Puzzle {
        program: "colour",
        instance: named(file).display().to_string(),
        problem: &graph,
        start: graph.start(),
        ask: Ask::Best { bound: graph.bound(), value: &Colours::count },
        keep: &Colours::colours,
        show: &show,
        check: &|found| verify_colouring(|vertex| graph.neighbours(vertex), &found.kept, found.value.unwrap_or(0)),
        note: "",
    })
}
