//! Labels of vertices, one for each component: their sizes, how they are shown, and how they are saved.

use std::io::{self, Write};
use std::path::Path;

use filch::Pool;
use filch_bench::failure::Failure;
use filch_bench::show::numbers::grouped;
use filch_bench::show::table::{plain_table, with_words};

use super::names::Names;
use super::report;
use super::save::{self, Column};
use super::source::Loaded;
use super::trials::Counted;

/// The number of vertices with each label, and the label, which is one of them; the largest first. `labels[v]` is a
/// vertex.
pub fn sizes(labels: &[u32]) -> Vec<(usize, u32)> {
    let mut counts = vec![0_usize; labels.len()];
    for &label in labels {
        counts[label as usize] += 1;
    }
    let mut sizes: Vec<(usize, u32)> = counts.into_iter().zip(0..).filter(|&(count, _)| count > 0).collect();
    sizes.sort_unstable_by_key(|&(count, label)| (std::cmp::Reverse(count), label));
    sizes
}

/// The root of each vertex, for [`sizes`]. The parents must not form a circle.
pub fn roots(parents: &[u32]) -> Vec<u32> {
    let mut roots = vec![u32::MAX; parents.len()];
    for start in 0..parents.len() {
        let mut v = start;
        while roots[v] == u32::MAX && parents[v] as usize != v {
            v = parents[v] as usize;
        }
        let root = if roots[v] == u32::MAX { v as u32 } else { roots[v] };
        v = start;
        while roots[v] == u32::MAX {
            roots[v] = root;
            v = parents[v] as usize;
        }
    }
    roots
}

/// What a run on components counts, for the comparison of runs.
pub fn counts(labels: &[u32]) -> Counted {
    let sizes = sizes(labels);
    let largest = sizes.first().map_or(0, |&(size, _)| size);
    vec![("components", sizes.len() as u64), ("largest", largest as u64)]
}

/// Shows the number of components. Returns their [`sizes`].
pub fn show_count(out: &mut dyn Write, labels: &[u32]) -> io::Result<Vec<(usize, u32)>> {
    let sizes = sizes(labels);
    report::line(out, "components", &grouped(sizes.len() as u64))?;
    Ok(sizes)
}

/// Shows the sizes of the largest components, with their share of all vertices and the name of one vertex each.
pub fn largest(out: &mut dyn Write, what: &str, sizes: &[(usize, u32)], shown: usize, names: &Names) -> io::Result<()> {
    if shown == 0 || sizes.is_empty() {
        return Ok(());
    }
    let all: usize = sizes.iter().map(|&(size, _)| size).sum();
    let mut table = plain_table(vec![format!("largest {what}"), "vertices".into(), "of all".into(), "with".into()]);
    for (place, &(size, vertex)) in sizes.iter().take(shown).enumerate() {
        let share = format!("{:.1} %", 100.0 * size as f64 / all as f64);
        table.add_row([(place + 1).to_string(), grouped(size as u64), share, names.of(vertex).into_owned()]);
    }
    writeln!(out, "\n{}", with_words(table))?;
    if let Some(rest) = sizes.get(shown..).filter(|rest| !rest.is_empty()) {
        let left: usize = rest.iter().map(|&(size, _)| size).sum();
        let alone = rest.iter().filter(|&&(size, _)| size == 1).count();
        let (count, left) = (grouped(rest.len() as u64), report::count(left, "vertex", "vertices"));
        let alone = match alone {
            1 => "1 of them is a single vertex".to_owned(),
            alone => format!("{} of them are single vertices", grouped(alone as u64)),
        };
        writeln!(out, "and {count} more with {left}; {alone}")?;
    }
    Ok(())
}

/// Writes the label of each vertex, by its name.
pub fn save(path: &Path, loaded: &Loaded, labels: &[u32], pool: &Pool) -> Result<(), Failure> {
    save::vertices(path, loaded, &[Column::vertex(|v| Some(labels[v as usize]))], pool)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_counted_by_label_the_largest_first() {
        assert_eq!(sizes(&[0, 1, 1, 3, 1, 3]), [(3, 1), (2, 3), (1, 0)]);
        assert!(sizes(&[]).is_empty());
    }

    #[test]
    fn every_vertex_has_the_root_above_it() {
        assert_eq!(roots(&[1, 2, 2, 0, 5, 5]), [2, 2, 2, 2, 5, 5]);
    }
}
