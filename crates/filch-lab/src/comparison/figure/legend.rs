//! The layout of the legend.

use super::layout::{MARGIN, TEXT, WIDTH};
use crate::show::picture::text::width;

/// The width of a marker in the legend, including the gap between it and the name.
pub(super) const LEGEND_MARKER: i32 = 16;
const LEGEND_GAP: i32 = 12;

/// The entries of the legend by line: the index of each runner and the column of its marker.
pub(super) fn legend(runners: &[String]) -> Vec<Vec<(usize, i32)>> {
    let mut lines = vec![Vec::new()];
    let mut x = MARGIN;
    for (runner, name) in runners.iter().enumerate() {
        let room = LEGEND_MARKER + width(name, TEXT);
        if x > MARGIN && x + room > WIDTH - MARGIN {
            lines.push(Vec::new());
            x = MARGIN;
        }
        lines.last_mut().expect("there is a first line").push((runner, x));
        x += room + LEGEND_GAP;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_legend_has_as_many_lines_as_its_names_need() {
        let names = |count: usize| vec!["filch:default,period=50us,wait=any".to_owned(); count];
        assert_eq!(legend(&names(1)).len(), 1);
        let lines = legend(&names(9));
        assert!(lines.len() > 1);
        assert_eq!(lines.concat().len(), 9);
    }
}
