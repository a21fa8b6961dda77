//! A timetable as an exact cover: each lesson gets an hour and a room, and nobody is in two places at a time.
//!
//! `cargo run -p filch-search --example timetable`

use filch_search::NamedCover;
use std::fmt::Write;

/// Each lesson, with its teacher and its class.
const LESSONS: [(&str, &str, &str); 4] =
    [("algebra", "ann", "1a"), ("geometry", "ann", "1b"), ("history", "bob", "1a"), ("music", "bob", "1b")];
const HOURS: [&str; 3] = ["mon-8", "mon-9", "tue-8"];
const ROOMS: [&str; 2] = ["hall", "lab"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A line for each way to place a lesson. It covers the lesson, which must be placed once; behind the bar is what
    // may be used once at most: the room, the teacher and the class in that hour.
    let mut ways = String::new();
    for (lesson, teacher, class) in LESSONS {
        for hour in HOURS {
            for room in ROOMS {
                writeln!(ways, "{lesson} | {hour}/{room} {hour}/{teacher} {hour}/{class}")?;
            }
        }
    }
    let timetable = NamedCover::parse(&ways)?;
    println!("{} timetables; the first one:", timetable.cover.count());
    for way in timetable.cover.first().ok_or("the hours do not suffice")? {
        println!("{}", timetable.row(way));
    }
    Ok(())
}
