//! What the jobs say about Debian: each runs once, is checked, and its result is put into words.

use std::io::Write;

use filch::Pool;
use filch_bench::debian::{DEBIAN, Package};
use filch_bench::failure::Failure;
use filch_bench::show::numbers::grouped;
use filch_kernels::runtime::Filch;
use filch_kernels::{Kernel, Mismatch};

use super::jobs;

/// Runs every job on the pool and shows the results.
pub fn show(pool: &Pool, out: &mut dyn Write) -> Result<(), Failure> {
    let names = run(pool, "sorting names", jobs::names(), |sorted| ends(sorted.output()))?;
    writeln!(out, "  sorted by name          {names}")?;

    let edges = run(pool, "sorting edges", jobs::edges(), |sorted| wanted(sorted.output()))?;
    writeln!(out, "  by what they depend on  {edges}")?;

    let spectrum = run(pool, "a transform", jobs::spectrum(), |fft| strongest(fft.output()))?;
    writeln!(out, "  as a signal             {spectrum}")?;

    let chains = run(pool, "a matrix product", jobs::chains(), |product| {
        let product = product.product();
        let side = 0..product.side();
        side.clone().flat_map(|row| side.clone().map(move |column| product.get(row, column))).sum::<f64>() as u64
    })?;
    let side = grouped(jobs::WANTED);
    writeln!(out, "  in two steps            {} ways among the {side} most wanted", grouped(chains))?;
    Ok(())
}

/// Runs a job once, puts the result into words, and checks it.
fn run<K: Kernel, A>(pool: &Pool, name: &str, mut job: K, answer: impl FnOnce(&K) -> A) -> Result<A, Failure> {
    pool.run(|s| job.run(Filch::token(s)));
    let answer = answer(&job);
    job.verify().map_err(|mismatch: Mismatch| Failure::Failed(format!("{name}: {mismatch}")))?;
    Ok(answer)
}

fn ends(names: &[&str]) -> String {
    match names {
        [first, .., last] => format!("from {first} to {last}"),
        _ => names.concat(),
    }
}

/// The packages with the most dependents, given the edges sorted by the package that is depended on.
fn wanted(edges: &[(Package, Package)]) -> String {
    const SHOWN: usize = 3;
    let mut wanted: Vec<(usize, Package)> =
        edges.chunk_by(|one, next| one.0 == next.0).map(|same| (same.len(), same[0].0)).collect();
    wanted.sort_unstable_by(|one, next| next.cmp(one));
    let shown = wanted.iter().take(SHOWN);
    let words: Vec<String> = shown
        .map(|&(dependents, package)| format!("{} {}", DEBIAN.names[package as usize], grouped(dependents as u64)))
        .collect();
    words.join(", ")
}

/// The strongest period in the packages' numbers of dependencies, apart from the mean.
fn strongest(spectrum: &[num_complex::Complex<f64>]) -> String {
    // The input is real, so the second half mirrors the first.
    let half = &spectrum[1..spectrum.len() / 2];
    let strength = |place: &usize| half[*place].norm();
    let place = (0..half.len()).max_by(|one, other| strength(one).total_cmp(&strength(other))).unwrap_or(0);
    format!("a period of {} packages is the strongest", grouped((spectrum.len() / (place + 1)) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of dependents are those that `sort | uniq -c` finds in the data.
    #[test]
    fn the_jobs_find_what_other_tools_find() {
        let pool = Pool::builder().workers(2).build().unwrap();
        let mut shown = Vec::new();
        show(&pool, &mut shown).unwrap();
        let shown = String::from_utf8(shown).unwrap();
        assert!(shown.contains("from 0ad to zzuf"), "{shown}");
        assert!(shown.contains("libc6 21,809"), "{shown}");
        assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    }

    /// Counts the ways of two steps edge by edge.
    #[test]
    fn the_square_of_the_matrix_counts_ways() {
        let wanted = jobs::most_wanted();
        let among: Vec<_> =
            DEBIAN.dependencies.iter().filter(|(from, to)| wanted.contains(from) && wanted.contains(to)).collect();
        let ways: usize = among.iter().map(|(_, via)| among.iter().filter(|(from, _)| from == via).count()).sum();
        let pool = Pool::builder().workers(2).build().unwrap();
        let mut shown = Vec::new();
        show(&pool, &mut shown).unwrap();
        let expected = format!("{} ways among", grouped(ways as u64));
        assert!(String::from_utf8(shown).unwrap().contains(&expected), "{expected}");
    }
}
