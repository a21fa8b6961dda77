//! The speed-up against the number of workers, beside what it can be at most.

use filch_sim::program::totals::Totals;
use plotters::prelude::*;

use super::row::Row;
use crate::show::picture::canvas::{Area, Drawn, TEXT, WIDTH, height_of_title, svg, titled};
use crate::show::picture::legend;
use crate::show::picture::markers::colour;
use crate::show::picture::normalised::{self, Mark};

/// The height in pixels, without the title.
const HEIGHT: u32 = 380;

/// Draws the normalised speed-up of the rows, as SVG.
pub fn draw_normalised(rows: &[Row], totals: &Totals, title: &str) -> String {
    let t1_ns = totals.t1_ns() as f64;
    let marks: Vec<Mark> = rows
        .iter()
        .map(|row| Mark {
            series: row.setting(),
            is_filled: true,
            workers: row.workers as f64,
            parallelism: row.parallelism(),
            speed_up: [row.time_ns.high, row.time_ns.value, row.time_ns.low].map(|ns| t1_ns / ns.max(1.0)),
        })
        .collect();
    normalised::draw(title, &marks)
}

/// Draws the rows, as SVG.
pub fn draw(rows: &[Row], totals: &Totals, title: &str) -> String {
    svg((WIDTH, HEIGHT + height_of_title(title)), |area| draw_on(area, rows, totals, title))
}

fn draw_on(area: &Area<'_>, rows: &[Row], totals: &Totals, title: &str) -> Drawn {
    let most = rows.iter().map(|row| row.workers).max().unwrap_or(1) as f64 * 1.5;
    let lowest = rows.iter().map(Row::speed_up).fold(1.0, f64::min) / 1.5;
    area.fill(&WHITE)?;
    let below = titled(area, title)?;
    let mut chart = ChartBuilder::on(&below)
        .margin(8)
        .x_label_area_size(44)
        .y_label_area_size(72)
        .build_cartesian_2d((0.7..most).log_scale(), (lowest..most).log_scale())?;
    chart
        .configure_mesh()
        .x_desc("workers P")
        .y_desc("speed-up T1 / T_P")
        .light_line_style(TRANSPARENT)
        .label_style(("sans-serif", TEXT))
        .draw()?;
    let steps = 200;
    let sizes = move || (0..=steps).map(move |step| (most / 0.7).powf(f64::from(step) / f64::from(steps)) * 0.7);
    let parallelism = totals.parallelism();
    chart
        .draw_series(LineSeries::new(sizes().map(|p| (p, p.min(parallelism))), BLACK.mix(0.4)))?
        .label("T_P = max(T1/P, T∞)")
        .legend(legend::line(BLACK.mix(0.4)));
    chart
        .draw_series(LineSeries::new(sizes().map(|p| (p, 1.0 / (1.0 / p + 1.0 / parallelism))), BLACK))?
        .label("T_P = T1/P + T∞")
        .legend(legend::line(BLACK));
    for (place, of_one) in rows.chunk_by(|one, next| one.setting() == next.setting()).enumerate() {
        let style = colour(place).filled();
        let t1_ns = totals.t1_ns() as f64;
        chart.draw_series(LineSeries::new(
            of_one.iter().map(|row| (row.workers as f64, row.speed_up())),
            colour(place),
        ))?;
        let bars = of_one.iter().map(|row| {
            let [low, value, high] =
                [row.time_ns.high, row.time_ns.value, row.time_ns.low].map(|ns| t1_ns / ns.max(1.0));
            ErrorBar::new_vertical(row.workers as f64, low, value, high, style, 6)
        });
        chart
            .draw_series(bars)?
            .label(of_one[0].setting())
            .legend(move |(x, y)| Circle::new((x + legend::SAMPLE / 2, y), 4, style));
    }
    legend::draw(&mut chart, SeriesLabelPosition::UpperLeft)?;
    area.present()?;
    Ok(())
}
