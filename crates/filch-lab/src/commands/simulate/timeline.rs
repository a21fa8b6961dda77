//! The activity of each worker in one run: time goes to the right, and each worker has a row.

use std::ops::Range;

use filch_bench::failure::Failure;
use filch_bench::show::numbers::seconds;
use filch_sim::{Spent, Timeline};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::row::Row;
use crate::show::picture::axis::Scale;
use crate::show::picture::canvas::{Area, Drawn, GREY, svg, write};
use crate::show::picture::legend;
use crate::show::picture::text::width;

/// The three things that a worker does: their colours, which people with any kind of colour vision tell apart, also in
/// black and white, and their names.
const KINDS: [(RGBColor, &str); 3] = [
    (RGBColor(0, 68, 136), "runs a task"),
    (RGBColor(238, 170, 51), "looks for work: visits, asks, takes"),
    (RGBColor(228, 228, 228), "sleeps, or is being woken"),
];

/// The most rows, unless there are more sockets: with more, what one worker does can hardly be seen. Each stands for
/// several workers then.
const MOST_ROWS: usize = 128;

/// The height of all rows together, in pixels, if those are neither very many nor few; and the height of one.
const HEIGHT: usize = 512;
const ROW: Range<usize> = 4..20;

/// From this height on, there is a line of white between two rows.
const SEPARATED: i32 = 6;

/// The least width of the run, in pixels. Each column of the timeline has a whole number of them.
const WIDTH: usize = 512;

/// Colours are mixed in so many steps, so that neighbours which hardly differ become one rectangle.
const SHADES: u64 = 16;

/// The space between two sockets; at the edge of the picture; and beside the rows, for their labels.
const GAP: i32 = 6;
const MARGIN: i32 = 16;
const LABELS: i32 = 72;

/// The space between a text and what it names.
const SPACE: i32 = 6;

/// The sizes of text, and the distance of two lines.
const TITLE: i32 = 16;
const TEXT: i32 = 13;
const LINE: i32 = 20;

/// Where the rows begin.
const TOP: i32 = MARGIN + 4 * LINE;

/// Fails unless there is one setting, whose run can be drawn.
pub(super) fn check_single(option: &str, settings: usize) -> Result<(), Failure> {
    if settings == 1 {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "{option}: expected one --scheduler, one number of --workers and one of --sockets, whose run is shown; found \
         {settings} combinations"
    )))
}

/// Draws the timeline of the first run of this row, as SVG.
pub(super) fn draw(timeline: &Timeline, row: &Row, program: &str) -> String {
    let idle = row.idle_shares[0];
    let time = seconds(timeline.time_ns() as f64 / 1e9);
    let title =
        format!("{program} under {}: P = {}, T_P = {time}, {:.1} % idle", row.setting(), row.workers, 100.0 * idle);
    let picture = Picture::new(timeline, row.sockets, title);
    svg(picture.size(), |area| picture.draw_on(area))
}

/// A row of the picture: workers of one socket.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Band {
    workers: Range<usize>,
    socket: usize,
}

impl Band {
    fn label(&self) -> String {
        match &self.workers {
            Range { start: 0, end: 1 } => "caller".into(),
            Range { start, end } if end - start == 1 => start.to_string(),
            Range { start, end } => format!("{start}–{}", end - 1),
        }
    }
}

/// The rows of so many workers, which are spread evenly over so many sockets.
fn bands(workers: usize, sockets: usize) -> Vec<Band> {
    let of_socket = workers / sockets;
    let of_band = of_socket.div_ceil((MOST_ROWS / sockets).max(1));
    let bands = |socket| {
        let end = (socket + 1) * of_socket;
        let begins = (socket * of_socket..end).step_by(of_band);
        begins.map(move |begin| Band { workers: begin..(begin + of_band).min(end), socket })
    };
    (0..sockets).flat_map(bands).collect()
}

/// How much of the time each of the three kinds takes, in steps.
fn shares(Spent { runs_ns, looks_ns, sleeps_ns }: Spent) -> [u64; 3] {
    let all = u128::from(runs_ns + looks_ns + sleeps_ns).max(1);
    let steps = |ns: u64| ((u128::from(ns) * u128::from(SHADES) + all / 2) / all) as u64;
    let (runs, sleeps) = (steps(runs_ns), steps(sleeps_ns));
    // Two halves of a step may have been rounded up.
    let sleeps = sleeps.min(SHADES - runs);
    [runs, SHADES - runs - sleeps, sleeps]
}

fn mixed(shares: [u64; 3]) -> RGBColor {
    let part = |of: fn(RGBColor) -> u8| {
        let sum: u64 = shares.iter().zip(KINDS).map(|(share, (colour, _))| share * u64::from(of(colour))).sum();
        (sum / SHADES) as u8
    };
    RGBColor(part(|colour| colour.0), part(|colour| colour.1), part(|colour| colour.2))
}

/// How wide a part of the legend is.
fn sample_width(name: &str) -> i32 {
    legend::SAMPLE + SPACE + width(name, TEXT) + LINE
}

/// The layout of the picture.
struct Picture<'t> {
    timeline: &'t Timeline,
    bands: Vec<Band>,
    sockets: usize,
    title: String,
    /// The height of a row, and the width of a column.
    row: i32,
    column: i32,
}

impl<'t> Picture<'t> {
    fn new(timeline: &'t Timeline, sockets: usize, title: String) -> Self {
        let bands = bands(timeline.workers(), sockets);
        let row = (HEIGHT / bands.len()).clamp(ROW.start, ROW.end) as i32;
        let column = WIDTH.div_ceil(timeline.columns().max(1)) as i32;
        Self { timeline, bands, sockets, title, row, column }
    }

    fn size(&self) -> (u32, u32) {
        // The last time on the axis and the names of sockets stand out to the right.
        let right = self.x(self.timeline.time_ns()) + LABELS;
        let legend: i32 = KINDS.iter().map(|(_, name)| sample_width(name)).sum();
        let right = right.max(MARGIN + legend).max(MARGIN + width(&self.title, TITLE));
        ((right + MARGIN).unsigned_abs(), (self.bottom() + 3 * LINE).unsigned_abs())
    }

    /// Where this time is.
    fn x(&self, time_ns: u64) -> i32 {
        let columns = time_ns as f64 / self.timeline.column_ns() as f64;
        MARGIN + LABELS + (columns * f64::from(self.column)).round() as i32
    }

    /// The upper end of a row.
    fn y(&self, place: usize) -> i32 {
        let socket = self.bands[place].socket as i32;
        TOP + place as i32 * self.row + socket * GAP
    }

    fn bottom(&self) -> i32 {
        self.y(self.bands.len() - 1) + self.row
    }

    fn draw_on(&self, area: &Area<'_>) -> Drawn {
        area.fill(&WHITE)?;
        write(area, &self.title, (MARGIN, MARGIN), TITLE, HPos::Left, &BLACK)?;
        self.draw_legend(area)?;
        for (place, band) in self.bands.iter().enumerate() {
            self.draw_band(area, self.y(place), band)?;
        }
        self.draw_labels(area)?;
        self.draw_axis(area)?;
        area.present()?;
        Ok(())
    }

    fn draw_legend(&self, area: &Area<'_>) -> Drawn {
        let y = MARGIN + LINE + LINE / 2;
        let mut x = MARGIN;
        for (colour, name) in KINDS {
            area.draw(&Rectangle::new([(x, y - 6), (x + legend::SAMPLE, y + 6)], colour.filled()))?;
            write(area, name, (x + legend::SAMPLE + SPACE, y), TEXT, HPos::Left, &BLACK)?;
            x += sample_width(name);
        }
        let column = seconds(self.timeline.column_ns() as f64 / 1e9);
        let most = self.bands.iter().map(|band| band.workers.len()).max().unwrap_or(1);
        let each = if most > 1 { format!("each row is {most} workers, ") } else { String::new() };
        let explanation = format!("{each}each column {column}; colours are mixed by the shares of the time");
        write(area, &explanation, (MARGIN, y + LINE), TEXT, HPos::Left, &GREY)
    }

    /// Draws a row. Neighbours of one colour are one rectangle.
    fn draw_band(&self, area: &Area<'_>, y: i32, band: &Band) -> Drawn {
        let columns: Vec<[u64; 3]> = (0..self.timeline.columns())
            .map(|column| shares(self.timeline.spent(band.workers.clone(), column)))
            .collect();
        let bottom = if self.row >= SEPARATED { y + self.row - 1 } else { y + self.row };
        let mut begin = 0;
        for equal in columns.chunk_by(|one, next| one == next) {
            let last = begin + equal.len() - 1;
            let [left, right] = [self.timeline.column(begin).start, self.timeline.column(last).end];
            let corners = [(self.x(left), y), (self.x(right), bottom)];
            area.draw(&Rectangle::new(corners, mixed(equal[0]).filled()))?;
            begin = last + 1;
        }
        Ok(())
    }

    /// Names as many rows as there is room for, and the sockets.
    fn draw_labels(&self, area: &Area<'_>) -> Drawn {
        let mut free_from = 0;
        for (place, band) in self.bands.iter().enumerate() {
            let middle = self.y(place) + self.row / 2;
            if middle >= free_from {
                write(area, &band.label(), (MARGIN + LABELS - SPACE, middle), TEXT, HPos::Right, &BLACK)?;
                free_from = middle + TEXT;
            }
        }
        let mut free_from = 0;
        let first = |socket| self.bands.partition_point(|band| band.socket < socket);
        for socket in (0..self.sockets).filter(|_| self.sockets > 1) {
            let end = self.y(first(socket + 1) - 1) + self.row;
            let middle = self.y(first(socket)).midpoint(end);
            if middle >= free_from {
                let x = self.x(self.timeline.time_ns()) + SPACE;
                write(area, &format!("socket {socket}"), (x, middle), TEXT, HPos::Left, &BLACK)?;
                free_from = middle + TEXT;
            }
        }
        Ok(())
    }

    fn draw_axis(&self, area: &Area<'_>) -> Drawn {
        let (y, time_ns) = (self.bottom() + 4, self.timeline.time_ns());
        area.draw(&PathElement::new([(self.x(0), y), (self.x(time_ns), y)], BLACK))?;
        for (time, _) in Scale::from_zero(time_ns.max(1) as f64 / 1e9).ticks() {
            let x = self.x((time * 1e9).round() as u64);
            area.draw(&PathElement::new([(x, y), (x, y + 5)], BLACK))?;
            write(area, &legend::time(time), (x, y + 5 + TEXT), TEXT, HPos::Center, &BLACK)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_worker_is_in_one_row_and_no_row_spans_two_sockets() {
        for (workers, sockets) in [(1, 1), (64, 4), (128, 1), (129, 1), (1024, 16), (4093, 1), (4096, 4096), (600, 200)]
        {
            let bands = bands(workers, sockets);
            let all: Vec<usize> = bands.iter().flat_map(|band| band.workers.clone()).collect();
            assert!(all.into_iter().eq(0..workers), "{workers} on {sockets}: {bands:?}");
            for Band { workers: Range { start, end }, socket } in &bands {
                let of_socket = workers / sockets;
                assert_eq!((start / of_socket, (end - 1) / of_socket), (*socket, *socket), "{workers} on {sockets}");
            }
            assert!(bands.len() <= MOST_ROWS.max(sockets), "{workers} on {sockets}: {}", bands.len());
            assert!(workers > MOST_ROWS || bands.len() == workers, "{workers} on {sockets}: {}", bands.len());
        }
    }

    #[test]
    fn shares_are_rounded_and_are_all_of_the_time() {
        let spent = |runs_ns, looks_ns, sleeps_ns| shares(Spent { runs_ns, looks_ns, sleeps_ns });
        assert_eq!((spent(9, 0, 0), spent(0, 7, 0), spent(0, 0, 1)), ([16, 0, 0], [0, 16, 0], [0, 0, 16]));
        assert_eq!(spent(500, 250, 250), [8, 4, 4]);
        // 15.5 and 0.5 steps are rounded up.
        assert_eq!(spent(31, 0, 1), [16, 0, 0]);
        assert_eq!(spent(1, 0, 31), [1, 0, 15]);
        assert_eq!(mixed([16, 0, 0]), KINDS[0].0);
        assert_eq!(mixed([0, 0, 16]), KINDS[2].0);
    }
}
