//! The normalised speed-up against the normalised number of workers, as in figure 8 of (Frigo, Leiserson and Randall
//! 1998). Both are divided by the average parallelism, so that programs of any kind fit into one picture.

use plotters::prelude::*;

use super::canvas::{Area, Drawn, TEXT, WIDTH, height_of_title, svg, titled};
use super::legend;

/// The height in pixels, without the title.
const HEIGHT: u32 = 380;

/// The runs of a program on some number of workers.
#[derive(Clone, Debug)]
pub struct Mark {
    /// The name of the runs that have the same colour.
    pub series: String,
    /// Whether its mark is filled: the formula can hold.
    pub is_filled: bool,
    /// P.
    pub workers: f64,
    /// T1/T∞.
    pub parallelism: f64,
    /// T1/T_P: the lowest, the median and the highest.
    pub speed_up: [f64; 3],
}

impl Mark {
    /// P / (T1/T∞).
    fn machine_size(&self) -> f64 {
        self.workers / self.parallelism
    }

    /// T∞/T_P.
    fn speed_up(&self) -> [f64; 3] {
        self.speed_up.map(|speed_up| speed_up / self.parallelism)
    }
}

/// Draws the marks and the curve of T_P = T1/P + T∞, as SVG. Marks of a series stand together.
pub fn draw(title: &str, marks: &[Mark]) -> String {
    svg((WIDTH, HEIGHT + height_of_title(title)), |area| draw_on(area, title, marks))
}

fn draw_on(area: &Area<'_>, title: &str, marks: &[Mark]) -> Drawn {
    // A program without work has no place in the picture.
    let marks: Vec<&Mark> = marks.iter().filter(|mark| mark.parallelism > 0.0).collect();
    // A margin on all sides; 1 is always in the picture.
    let low = marks.iter().map(|mark| mark.machine_size()).fold(1.0, f64::min) / 2.0;
    let high = marks.iter().map(|mark| mark.machine_size()).fold(1.0, f64::max) * 2.0;
    let lowest = marks.iter().map(|mark| mark.speed_up()[0]).fold(low, f64::min) / 2.0;
    let highest = marks.iter().map(|mark| mark.speed_up()[2]).fold(1.0, f64::max) * 2.0;
    area.fill(&WHITE)?;
    let below = titled(area, title)?;
    let mut chart = ChartBuilder::on(&below)
        .margin(8)
        .x_label_area_size(44)
        .y_label_area_size(60)
        .build_cartesian_2d((low..high).log_scale(), (lowest..highest).log_scale())?;
    chart
        .configure_mesh()
        .x_desc("workers / parallelism: P / (T1/T∞)")
        .y_desc("speed-up / parallelism: T∞ / T_P")
        .light_line_style(TRANSPARENT)
        .label_style(("sans-serif", TEXT))
        .draw()?;

    let steps = 200;
    let sizes = move || (0..=steps).map(move |step| low * (high / low).powf(f64::from(step) / f64::from(steps)));
    chart
        .draw_series(LineSeries::new(sizes().map(|x| (x, 1.0 / (1.0 / x + 1.0))), BLACK.stroke_width(2)))?
        .label("T_P = T1/P + T∞")
        .legend(legend::line(BLACK.stroke_width(2)));
    let bounds = sizes().map(|x| (x, x.min(1.0)));
    chart
        .draw_series(LineSeries::new(bounds, BLACK.mix(0.4)))?
        .label("T_P = max(T1/P, T∞)")
        .legend(legend::line(BLACK.mix(0.4)));

    for (place, series) in marks.chunk_by(|one, next| one.series == next.series).enumerate() {
        let colour = Palette99::pick(place).to_rgba();
        let style = if series[0].is_filled { colour.filled() } else { colour.stroke_width(1) };
        let bars = series.iter().map(|mark| {
            let [low, value, high] = mark.speed_up();
            ErrorBar::new_vertical(mark.machine_size(), low, value, high, style, 6)
        });
        chart
            .draw_series(bars)?
            .label(&series[0].series)
            .legend(move |(x, y)| Circle::new((x + legend::SAMPLE / 2, y), 4, style));
    }
    legend::draw(&mut chart, SeriesLabelPosition::LowerRight)?;
    area.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Marks outside of the axes would be drawn at their ends.
    #[test]
    fn every_mark_has_its_own_place_however_far_from_the_bound() {
        let mark = |speed_up: f64| Mark {
            series: "P = 16".into(),
            is_filled: true,
            workers: 16.0,
            parallelism: 30.0,
            speed_up: [speed_up; 3],
        };
        let marks = [1e-3, 1e-2, 1.0, 100.0, 1000.0].map(mark);
        let svg = draw("Normalised speed-up", &marks);
        // The last circle is in the legend.
        let circles = svg.split("<circle").skip(1).take(marks.len());
        let heights: Vec<i32> = circles.map(|circle| circle.split('"').nth(3).unwrap().parse().unwrap()).collect();
        assert!(heights.is_sorted_by(|one, next| one > next), "{heights:?}");
    }

    #[test]
    fn a_program_without_work_is_left_out() {
        let mark =
            Mark { series: "P = 16".into(), is_filled: true, workers: 16.0, parallelism: 0.0, speed_up: [0.0; 3] };
        assert_eq!(draw("Nothing", &[mark]), draw("Nothing", &[]));
    }
}
