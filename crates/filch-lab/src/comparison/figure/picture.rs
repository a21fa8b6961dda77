//! The picture: two panels, one below the other, with a band for each program.

use filch_bench::show::numbers::{grouped, number_of};
use filch_kernels::Extent;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::layout::{AXIS, BAND_MARGIN, CAP, FOOT, HEAD, INSET, LEADING, MARGIN, SMALL, TEXT, TITLE, TRACK, WIDTH};
use super::legend::{LEGEND_MARKER, legend};
use super::points::{Point, Points};
use crate::show::picture::axis::Scale;
use crate::show::picture::canvas::{Area, Drawn, GREY, svg, write};
use crate::show::picture::markers::{MARKER, colour, mark};
use crate::show::picture::text::wrapped;

/// The contents of the picture and their layout.
pub(super) struct Picture {
    points: Points,
    caption: Vec<String>,
    /// The names of the runners by line, each with the column of its marker.
    legend: Vec<Vec<(usize, i32)>>,
    band: i32,
}

/// One of the two panels.
struct Panel<'a> {
    title: String,
    explanation: &'static str,
    /// The text shown if there are no points.
    otherwise: &'static str,
    points: &'a [Point],
    /// The ratios marked by a vertical line, and the labels of these lines.
    lines: Vec<(f64, String)>,
}

impl Picture {
    /// The picture of these points, with a caption below it.
    pub(super) fn new(points: Points, caption: &str) -> Self {
        let tracks = i32::try_from(points.runners.len()).expect("runners are few");
        Self {
            caption: caption.lines().flat_map(|line| wrapped(line, WIDTH - 2 * MARGIN, SMALL)).collect(),
            legend: legend(&points.runners),
            band: LEADING + tracks * TRACK + BAND_MARGIN,
            points,
        }
    }

    /// Draws the picture as SVG.
    pub(super) fn draw(&self) -> String {
        svg((WIDTH.cast_unsigned(), self.height().cast_unsigned()), |area| self.draw_on(area))
    }

    fn draw_on(&self, area: &Area<'_>) -> Drawn {
        area.fill(&WHITE)?;
        self.draw_legend(area)?;
        let panels = self.panels();
        for (place, panel) in (0..).zip(&panels) {
            self.draw_panel(area, self.top(place), panel)?;
        }
        for (line, text) in (0..).zip(&self.caption) {
            write(area, text, (MARGIN, self.top(lines(&panels)) + line * LEADING), SMALL, HPos::Left, &BLACK)?;
        }
        area.present()?;
        Ok(())
    }

    /// On one worker, the speed-up is the inverse of the overhead.
    fn panels(&self) -> Vec<Panel<'_>> {
        let Points { workers, speed_up, overhead, .. } = &self.points;
        let serial = || (1.0, "serial".to_owned());
        let speed_up = Panel {
            title: format!("Speed-up Ts/Tp on {}", number_of(*workers, "worker", "workers")),
            explanation: "times as fast as the serial program",
            otherwise: "nothing was compared with the serial program",
            points: speed_up,
            lines: vec![serial(), (*workers as f64, format!("P = {workers}"))],
        };
        let overhead = Panel {
            title: "Overhead T1/Ts on 1 worker".into(),
            explanation: "times as long as the serial program",
            otherwise: "nothing was run on one worker",
            points: overhead,
            lines: vec![serial()],
        };
        if *workers > 1 { vec![speed_up, overhead] } else { vec![overhead] }
    }

    fn draw_legend(&self, area: &Area<'_>) -> Drawn {
        for (line, entries) in (0..).zip(&self.legend) {
            let y = 2 * MARGIN + line * LEADING;
            for &(runner, x) in entries {
                mark(area, runner, (x + MARKER, y))?;
                write(area, &self.points.runners[runner], (x + LEGEND_MARKER, y), TEXT, HPos::Left, &BLACK)?;
            }
        }
        Ok(())
    }

    /// Draws the names of the programs, and a grey background behind every other one.
    fn draw_bands(&self, area: &Area<'_>, top: i32) -> Drawn {
        for (line, subject) in (0..).zip(&self.points.subjects) {
            let top = top + line * self.band;
            if line % 2 == 0 {
                let corners = [(0, top), (WIDTH, top + self.band)];
                area.draw(&Rectangle::new(corners, BLACK.mix(0.05).filled()))?;
            }
            let y = top + LEADING / 2 + 1;
            write(area, subject.program, (MARGIN, y), TEXT, HPos::Left, &BLACK)?;
            write(area, &size(subject.size), (WIDTH - MARGIN, y), SMALL, HPos::Right, &GREY)?;
        }
        Ok(())
    }

    fn draw_panel(&self, area: &Area<'_>, top: i32, panel: &Panel<'_>) -> Drawn {
        let (top, middle) = (top + HEAD, WIDTH / 2);
        let bottom = top + lines(&self.points.subjects).max(1) * self.band;
        write(area, &panel.title, (MARGIN, top - HEAD + LEADING), TITLE, HPos::Left, &BLACK)?;
        self.draw_bands(area, top)?;
        if panel.points.is_empty() {
            return write(area, panel.otherwise, (middle, top.midpoint(bottom)), TEXT, HPos::Center, &GREY);
        }
        let ratios = panel.points.iter().filter_map(|point| point.ratio);
        let ratios: Vec<f64> = ratios.flat_map(|ratio| [ratio.low, ratio.value, ratio.high]).collect();
        let lines: Vec<f64> = panel.lines.iter().map(|&(ratio, _)| ratio).collect();
        let scale = Scale::over(&ratios, &lines);
        let x = |ratio: f64| INSET + (scale.place(ratio) * f64::from(AXIS)).round() as i32;

        for (ratio, label) in scale.ticks() {
            area.draw(&PathElement::new([(x(ratio), top), (x(ratio), bottom)], BLACK.mix(0.12)))?;
            write(area, &label, (x(ratio), bottom + SMALL), SMALL, HPos::Center, &BLACK)?;
        }
        area.draw(&PathElement::new([(INSET, bottom), (INSET + AXIS, bottom)], BLACK))?;
        write(area, panel.explanation, (middle, bottom + SMALL + LEADING), SMALL, HPos::Center, &BLACK)?;
        for (line, &(ratio, ref label)) in (0..).zip(&panel.lines) {
            // The labels stand one below the other, on the side with more room.
            let (x, y) = (x(ratio), top - LEADING / 2 - line * LEADING);
            area.draw(&PathElement::new([(x, y - LEADING / 2), (x, bottom)], BLACK.mix(0.6)))?;
            let is_left = scale.place(ratio) > 0.5;
            let (side, aside) = if is_left { (HPos::Right, -MARKER) } else { (HPos::Left, MARKER) };
            write(area, label, (x + aside, y), SMALL, side, &BLACK)?;
        }
        for point in panel.points {
            let y = top + self.track(point);
            let Some(ratio) = point.ratio else {
                write(area, "WRONG", (MARGIN + MARKER, y), SMALL, HPos::Left, &RED)?;
                continue;
            };
            let style = colour(point.runner).stroke_width(1);
            area.draw(&PathElement::new([(x(ratio.low), y), (x(ratio.high), y)], style))?;
            for end in [ratio.low, ratio.high] {
                area.draw(&PathElement::new([(x(end), y - CAP), (x(end), y + CAP)], style))?;
            }
            mark(area, point.runner, (x(ratio.value), y))?;
        }
        Ok(())
    }

    /// The vertical position of a point below the first band. Each runner has a strip of its own in a band.
    fn track(&self, point: &Point) -> i32 {
        let place = |place: usize| i32::try_from(place).expect("the picture has as many lines");
        place(point.subject) * self.band + LEADING + place(point.runner) * TRACK + TRACK / 2
    }

    /// The top of a panel, or of what is below all of them.
    fn top(&self, place: i32) -> i32 {
        let panel = HEAD + lines(&self.points.subjects).max(1) * self.band + FOOT;
        MARGIN + lines(&self.legend) * LEADING + place * panel
    }

    fn height(&self) -> i32 {
        self.top(lines(&self.panels())) + lines(&self.caption) * LEADING + MARGIN
    }
}

fn lines<T>(list: &[T]) -> i32 {
    i32::try_from(list.len()).expect("a picture has few lines")
}

fn size(size: Extent) -> String {
    match size {
        Extent::Number(n) => format!("n = {}", grouped(n)),
        Extent::Grid { rows, columns } => format!("{} × {}", grouped(rows), grouped(columns)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::picture::text::width;
    use filch_bench::comparison::examples::row;
    use filch_bench::comparison::row::Row;

    const PROGRAMS: [&str; 12] = [
        "fib",
        "fib-implicit",
        "tree-sum",
        "queens",
        "skew",
        "cilksort",
        "mergesort",
        "notempmul",
        "blockedmul",
        "strassen",
        "lu",
        "fft",
    ];

    /// Rows whose overheads range from 1 to about 1 + `spread`.
    fn many_rows(spread: f64, workers: usize) -> Vec<Row> {
        let mut rows = Vec::new();
        for (line, program) in (0_u32..).zip(PROGRAMS) {
            for (track, runner) in ["filch:default", "rayon", "chili"].into_iter().enumerate() {
                let overhead = 1.0 + f64::from(line) * spread * track as f64 / 22.0;
                rows.push(row(program, runner, 1, Some([overhead * 0.98, overhead, overhead * 1.03])));
                rows.push(row(program, runner, workers, Some([overhead * 0.5, overhead * 0.52, overhead * 0.55])));
            }
        }
        rows
    }

    /// The texts of a picture, each with its left end, its right end, its vertical centre and its size.
    fn texts(svg: &str) -> Vec<(String, i32, i32, i32, i32)> {
        let attribute = |tag: &str, name: &str| -> Option<String> {
            let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
            Some(rest.split_once('"')?.0.to_owned())
        };
        svg.split("<text")
            .skip(1)
            .map(|text| {
                let (tag, rest) = text.split_once('>').unwrap();
                let content = rest.split_once("</text>").unwrap().0.trim().to_owned();
                let number = |name| attribute(tag, name).unwrap().parse::<f64>().unwrap() as i32;
                let (x, y, size) = (number("x"), number("y"), (number("font-size") as f64 * 1.24).round() as i32);
                let room = width(&content, size);
                let left = match attribute(tag, "text-anchor").as_deref() {
                    Some("end") => x - room,
                    Some("middle") => x - room / 2,
                    _ => x,
                };
                (content, left, left + room, y, size)
            })
            .collect()
    }

    #[test]
    fn no_text_overlaps_another_or_leaves_the_picture() {
        for (spread, workers) in [(-0.1, 2), (0.0, 1), (0.1, 2), (0.1, 1000), (30.0, 2), (30.0, 64), (1e5, 2)] {
            let svg = Picture::new(Points::of(&many_rows(spread, workers)), &"words ".repeat(60)).draw();
            let texts = texts(&svg);
            assert!(texts.len() > 2 * PROGRAMS.len());
            for (place, (text, left, right, y, size)) in texts.iter().enumerate() {
                assert!(0 <= *left && *right <= WIDTH, "{text} lies at {left} to {right}");
                for (other, other_left, other_right, other_y, other_size) in &texts[..place] {
                    let apart = right <= other_left || other_right <= left;
                    assert!(apart || (y - other_y).abs() >= (size + other_size) / 2, "{text} overlaps {other}");
                }
            }
        }
    }

    #[test]
    fn a_wrong_result_has_no_point_but_a_word() {
        let mut rows = vec![row("fib", "rayon", 1, Some([1.0; 3]))];
        let right = Picture::new(Points::of(&rows), "").draw();
        rows[0].verified = false;
        let wrong = Picture::new(Points::of(&rows), "").draw();
        assert_eq!((right.matches("WRONG").count(), wrong.matches("WRONG").count()), (0, 1));
        // One marker is in the legend.
        assert_eq!((right.matches("<circle").count(), wrong.matches("<circle").count()), (2, 1));
    }

    #[test]
    fn a_panel_without_points_says_why() {
        let svg = Picture::new(Points::of(&[row("fib", "rayon", 2, Some([0.5; 3]))]), "").draw();
        assert!(svg.contains("nothing was run on one worker"), "{svg}");
    }
}
