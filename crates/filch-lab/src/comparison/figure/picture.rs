//! The picture: two panels side by side, with a band for each program.

use filch_programs::Extent;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::layout::{BAND_MARGIN, CAP, GAP, LEADING, LEAST_BAND, MARGIN, SMALL, TEXT, TITLE, TRACK, WIDTH};
use super::legend::{LEGEND_MARKER, legend};
use super::points::{Point, Points, Subject};
use crate::show::numbers::{grouped, number_of};
use crate::show::picture::axis::Scale;
use crate::show::picture::canvas::{Area, Drawn, GREY, svg, write};
use crate::show::picture::markers::{MARKER, colour, mark};
use crate::show::picture::text::{width, wrapped};

/// The contents of the picture and their layout.
pub(super) struct Picture {
    points: Points,
    caption: Vec<String>,
    /// The names of the runners by line, each with the column of its marker.
    legend: Vec<Vec<(usize, i32)>>,
    labels: i32,
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
    left: i32,
}

impl Picture {
    /// The picture of these points, with a caption below it.
    pub(super) fn new(points: Points, caption: &str) -> Self {
        let label = |subject: &Subject| width(subject.program, TEXT).max(width(&size(subject.size), SMALL));
        let tracks = i32::try_from(points.runners.len()).expect("runners are few");
        Self {
            caption: wrapped(caption, WIDTH - 2 * MARGIN, SMALL),
            legend: legend(&points.runners),
            labels: points.subjects.iter().map(label).max().unwrap_or(0),
            band: (tracks * TRACK + BAND_MARGIN).max(LEAST_BAND),
            points,
        }
    }

    /// Draws the picture as SVG.
    pub(super) fn draw(&self) -> String {
        svg((WIDTH.cast_unsigned(), self.height().cast_unsigned()), |area| self.draw_on(area))
    }

    fn draw_on(&self, area: &Area<'_>) -> Drawn {
        area.fill(&WHITE)?;
        let title = "Speed-up and overhead, against the serial program";
        write(area, title, (MARGIN, MARGIN), TITLE, HPos::Left, &BLACK)?;
        self.draw_legend(area)?;
        self.draw_bands(area)?;
        for panel in self.panels() {
            self.draw_panel(area, &panel)?;
        }
        for (line, text) in (0..).zip(&self.caption) {
            write(
                area,
                text,
                (MARGIN, self.bottom() + 3 * LEADING + SMALL + line * LEADING),
                SMALL,
                HPos::Left,
                &BLACK,
            )?;
        }
        area.present()?;
        Ok(())
    }

    fn panels(&self) -> [Panel<'_>; 2] {
        let Points { workers, speed_up, overhead, .. } = &self.points;
        let mut lines = vec![(1.0, "serial".to_owned())];
        if *workers > 1 {
            lines.push((*workers as f64, format!("P = {workers}")));
        }
        let left = MARGIN + self.labels + TEXT;
        [
            Panel {
                title: format!("Speed-up Ts/Tp on {}", number_of(*workers, "worker", "workers")),
                explanation: "times as fast as the serial program",
                otherwise: "nothing was compared with the serial program",
                points: speed_up,
                lines,
                left,
            },
            Panel {
                title: "Overhead T1/Ts on 1 worker".into(),
                explanation: "times as long as the serial program",
                otherwise: "nothing was run on one worker",
                points: overhead,
                lines: vec![(1.0, "serial".to_owned())],
                left: left + self.panel_width() + GAP,
            },
        ]
    }

    fn draw_legend(&self, area: &Area<'_>) -> Drawn {
        for (line, entries) in (0..).zip(&self.legend) {
            let y = self.legend_top() + line * LEADING;
            for &(runner, x) in entries {
                mark(area, runner, (x + MARKER, y))?;
                write(area, &self.points.runners[runner], (x + LEGEND_MARKER, y), TEXT, HPos::Left, &BLACK)?;
            }
        }
        Ok(())
    }

    /// Draws the labels of the programs, and a grey background behind every other one.
    fn draw_bands(&self, area: &Area<'_>) -> Drawn {
        for (line, subject) in (0..).zip(&self.points.subjects) {
            let top = self.top() + line * self.band;
            if line % 2 == 0 {
                let corners = [(MARGIN, top), (WIDTH - MARGIN, top + self.band)];
                area.draw(&Rectangle::new(corners, BLACK.mix(0.05).filled()))?;
            }
            let (x, middle) = (MARGIN + self.labels, top + self.band / 2);
            write(area, subject.program, (x, middle - LEADING / 2 + 1), TEXT, HPos::Right, &BLACK)?;
            write(area, &size(subject.size), (x, middle + LEADING / 2 - 1), SMALL, HPos::Right, &GREY)?;
        }
        Ok(())
    }

    fn draw_panel(&self, area: &Area<'_>, panel: &Panel<'_>) -> Drawn {
        let (top, bottom, middle) = (self.top(), self.bottom(), panel.left + self.panel_width() / 2);
        write(area, &panel.title, (middle, top - 2 * LEADING), TEXT, HPos::Center, &BLACK)?;
        if panel.points.is_empty() {
            return write(area, panel.otherwise, (middle, top.midpoint(bottom)), TEXT, HPos::Center, &GREY);
        }
        let ratios = panel.points.iter().filter_map(|point| point.ratio);
        let ratios: Vec<f64> = ratios.flat_map(|ratio| [ratio.low, ratio.value, ratio.high]).collect();
        let lines: Vec<f64> = panel.lines.iter().map(|&(ratio, _)| ratio).collect();
        let scale = Scale::over(&ratios, &lines);
        let x = |ratio: f64| panel.left + (scale.place(ratio) * f64::from(self.panel_width())).round() as i32;

        for (ratio, label) in scale.ticks() {
            area.draw(&PathElement::new([(x(ratio), top), (x(ratio), bottom)], BLACK.mix(0.12)))?;
            write(area, &label, (x(ratio), bottom + SMALL), SMALL, HPos::Center, &BLACK)?;
        }
        area.draw(&PathElement::new([(panel.left, bottom), (panel.left + self.panel_width(), bottom)], BLACK))?;
        write(area, panel.explanation, (middle, bottom + SMALL + LEADING), SMALL, HPos::Center, &BLACK)?;
        for &(ratio, ref label) in &panel.lines {
            let x = x(ratio);
            area.draw(&PathElement::new([(x, top - SMALL), (x, bottom)], BLACK.mix(0.6)))?;
            // With two lines, the labels stand outside of them; with one line, on the side with more room.
            let is_left = if panel.lines.len() > 1 { ratio == 1.0 } else { scale.place(ratio) > 0.5 };
            let (side, aside) = if is_left { (HPos::Right, -MARKER) } else { (HPos::Left, MARKER) };
            write(area, label, (x + aside, top - SMALL), SMALL, side, &BLACK)?;
        }
        for point in panel.points {
            let y = self.track(point);
            let Some(ratio) = point.ratio else {
                write(area, "WRONG", (panel.left + MARKER, y), SMALL, HPos::Left, &RED)?;
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

    /// The vertical position of a point. Each runner has a strip of its own in the program's band.
    fn track(&self, point: &Point) -> i32 {
        let place = |place: usize| i32::try_from(place).expect("the picture has as many lines");
        let tracks = place(self.points.runners.len()) * TRACK;
        let above = (self.band - tracks) / 2 + place(point.runner) * TRACK + TRACK / 2;
        self.top() + place(point.subject) * self.band + above
    }

    fn panel_width(&self) -> i32 {
        (WIDTH - 2 * MARGIN - self.labels - TEXT - GAP) / 2
    }

    fn legend_top(&self) -> i32 {
        MARGIN + TITLE + LEADING
    }

    /// The top of the first program's band.
    fn top(&self) -> i32 {
        self.legend_top() + (lines(&self.legend) + 3) * LEADING
    }

    /// The bottom of the last program's band.
    fn bottom(&self) -> i32 {
        self.top() + lines(&self.points.subjects).max(1) * self.band
    }

    fn height(&self) -> i32 {
        self.bottom() + (lines(&self.caption) + 3) * LEADING + SMALL
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
    use crate::comparison::examples::row;
    use crate::comparison::row::Row;

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
        assert_eq!((right.matches("WRONG").count(), wrong.matches("WRONG").count()), (0, 2));
        // One marker is in the legend.
        assert_eq!((right.matches("<circle").count(), wrong.matches("<circle").count()), (3, 1));
    }

    #[test]
    fn a_panel_without_points_says_why() {
        let svg = Picture::new(Points::of(&[row("fib", "rayon", 2, Some([0.5; 3]))]), "").draw();
        assert!(svg.contains("nothing was run on one worker"), "{svg}");
    }
}
