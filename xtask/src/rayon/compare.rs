//! What programs say with the drop-in and with the original, and how long they take.
//!
//! A round takes the time of the original, of the drop-in, and of the original again, whose ratio to the first says how
//! far ratios can be trusted.

use super::packages::{DROP_IN, FOLDER, PATCHED, STOCK, absolute, copy, fetch, target};
use crate::files::{chosen, clear, rust, write};
use crate::process::{bytes, command, output};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The fewest rounds of which an interval is worth its name.
const ROUNDS: usize = 21;

/// Programs that use rayon: package, version, program, and how it is asked about a folder. What it says must not depend
/// on the order in which threads run.
const CLIENTS: [(&str, &str, &str, &str); 5] = [
    ("b3sum", "1.8.7", "b3sum", "large"),
    ("tokei", "15.0.0", "tokei", "--sort lines sources"),
    ("parallel-disk-usage", "0.24.0", "pdu", "--json-output --min-ratio=0 sources"),
    ("du-dust", "1.2.7", "dust", "--no-colors --no-progress --apparent-size --terminal-width=100 sources"),
    ("oxipng", "10.2.1", "oxipng", "--opt=4 --stdout picture.png"),
];

/// A package that has a picture.
const PICTURE: ((&str, &str), &str) = (("petgraph", "0.8.3"), "assets/images/graphosaurus-512.png");

/// The program of `crates/rayon-core/bench`.
const BENCH: &str = "rayon-bench";

/// `[--rounds N] [CLIENT]...`: they must say the same with either. With `--rounds`, how long they take as well.
pub(super) fn clients(words: &[&str]) -> Result<(), String> {
    let (rounds, names) = rounds(words, &CLIENTS.map(|client| client.0))?;
    let data = data()?;
    let mut differing = Vec::new();
    for (name, version, program, arguments) in CLIENTS.into_iter().filter(|client| names.contains(&client.0)) {
        let begun = Instant::now();
        let stock = install(name, version, STOCK)?.join(program);
        let stock_s = begun.elapsed().as_secs();
        let patched = install(name, version, PATCHED)?.join(program);
        let patched_s = begun.elapsed().as_secs() - stock_s;
        let says = |program: &Path| {
            bytes(command(program).args(arguments.split(' ')).current_dir(&data).env("RAYON_NUM_THREADS", "2"))
        };
        let said = says(&stock)?;
        let is_same = !said.is_empty() && said == says(&patched)?;
        println!("{name}: {} bytes with either: {is_same}; built in {stock_s} s, then in {patched_s} s", said.len());
        differing.extend((!is_same).then_some(name));
        if let Some(rounds) = rounds {
            println!("{HEAD}");
            let time_ns = |program: &Path| {
                let begun = Instant::now();
                says(program).map(|_| begun.elapsed().as_nanos() as f64)
            };
            println!("{}", row(name, rounds, [&stock, &patched], time_ns)?);
        }
    }
    if differing.is_empty() { Ok(()) } else { Err(format!("clients: other output than stock: {differing:?}")) }
}

/// Installs a program as a user does, with one option more for the drop-in; where its commands are. All are built in
/// one folder, so that the second of two builds makes what stands on rayon-core.
fn install(name: &str, version: &str, core: &str) -> Result<PathBuf, String> {
    let root = absolute(FOLDER).join("installed").join(core);
    let mut cargo = command("cargo");
    cargo.args(["install", name, "--version", version, "--force", "--root"]).arg(&root);
    cargo.env("CARGO_TARGET_DIR", absolute(FOLDER).join("build/installed"));
    if core == PATCHED {
        cargo.args(["--config", &format!("patch.crates-io.rayon-core.path={:?}", absolute(DROP_IN))]);
    }
    let done = cargo.output().map_err(|error| format!("{cargo:?}: cannot be run: {error}"))?;
    let said = String::from_utf8_lossy(&done.stderr);
    if !done.status.success() {
        return Err(format!("{cargo:?}: failed with {}\n{said}", done.status));
    }
    if core == PATCHED && said.contains("was not used in the crate graph") {
        return Err(format!("{name} {version}: is not built with the drop-in"));
    }
    Ok(root.join("bin"))
}

/// `[--rounds N] [KERNEL]...`: how long what rayon's users do takes with the drop-in, in times of what it takes with
/// the original. One program is built with either.
pub(super) fn bench(words: &[&str]) -> Result<(), String> {
    let source = Path::new(DROP_IN).join("bench");
    let program = |core| build(&copy(&source, BENCH, core)?, BENCH, core);
    let (stock, patched) = (program(STOCK)?, program(PATCHED)?);
    let known = output(command(&stock).arg("--list"))?;
    let (rounds, names) = rounds(words, &known.lines().collect::<Vec<_>>())?;
    println!("{HEAD}");
    for name in names {
        let time_ns = |program: &Path| {
            // So many runs in one process.
            let said = output(command(program).args([name, "9"]))?;
            said.trim().parse().map_err(|_| format!("{BENCH} {name}: {said:?} is no time"))
        };
        println!("{}", row(name, rounds.unwrap_or(ROUNDS), [&stock, &patched], time_ns)?);
    }
    Ok(())
}

/// The number behind `--rounds`, if that is the first word, and the other words.
fn rounds<'a>(words: &[&'a str], known: &[&'a str]) -> Result<(Option<usize>, Vec<&'a str>), String> {
    let (rounds, names) = match words {
        ["--rounds", rounds, names @ ..] => {
            let number: Result<NonZeroUsize, _> = rounds.parse();
            (Some(number.map_err(|_| format!("--rounds {rounds}: expected a number, at least 1"))?.get()), names)
        }
        names => (None, names),
    };
    Ok((rounds, chosen(names, known)?))
}

fn build(folder: &Path, program: &str, core: &str) -> Result<PathBuf, String> {
    let mut cargo = command("cargo");
    cargo.args(["build", "--quiet", "--release", "--bins"]).current_dir(folder).env("CARGO_TARGET_DIR", target(core));
    output(&mut cargo)?;
    Ok(target(core).join("release").join(program))
}

/// What the programs are asked about: a large file, a folder of sources, a picture.
fn data() -> Result<PathBuf, String> {
    let folder = Path::new(FOLDER).join("data");
    clear(&folder)?;
    // Numbers in order: nothing that a program could skip, and the same every time.
    let numbers: String = (0..4_000_000_u32).map(|number| format!("{number}\n")).collect();
    write(&folder.join("large"), &numbers)?;
    for (path, text) in rust("crates")? {
        write(&folder.join("sources").join(path), &text)?;
    }
    output(command("cp").arg(fetch(PICTURE.0)?.join(PICTURE.1)).arg(folder.join("picture.png")))?;
    Ok(folder)
}

const HEAD: &str = "                        stock, µs          drop-in / stock            stock / stock";

/// A row below [`HEAD`]: medians, and of the ratios an interval as well in which that of all of them lies with a
/// probability of 95 % or more.
fn row<F>(name: &str, rounds: usize, [stock, patched]: [&Path; 2], time_ns: F) -> Result<String, String>
where
    F: Fn(&Path) -> Result<f64, String>,
{
    let (mut times, mut ratios, mut same) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        let first = time_ns(stock)?;
        times.push(first / 1e3);
        ratios.push(time_ns(patched)? / first);
        same.push(time_ns(stock)? / first);
    }
    let told = |values| {
        let [low, median, high] = interval(values);
        format!("{median:.2} [{low:.2}, {high:.2}]")
    };
    Ok(format!("{name:<20} {:>12.1} {:>24} {:>24}", interval(times)[1], told(ratios), told(same)))
}

/// The median of some values, between two of them: by the binomial distribution of how many are less than the median,
/// it is outside on either side with a probability of at most 2.5 %.
fn interval(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    let count = values.len();
    // The probability that exactly `below` of the values are less than the median, and that as many or fewer are.
    let mut exactly = 0.5_f64.powi(count as i32);
    let (mut together, mut below) = (exactly, 0);
    while together <= 0.025 {
        exactly *= (count - below) as f64 / (below + 1) as f64;
        together += exactly;
        below += 1;
    }
    let below = below.saturating_sub(1);
    [values[below], values[count / 2], values[count - 1 - below]]
}

/// Tables of the sign test: with 21 values, the 6th and the 16th.
#[test]
fn the_interval_is_that_of_the_sign_test() {
    let of = |count: u32| interval((1..=count).rev().map(f64::from).collect());
    assert_eq!(of(21), [6.0, 11.0, 16.0]);
    assert_eq!(of(10), [2.0, 6.0, 9.0]);
    assert_eq!(of(1), [1.0, 1.0, 1.0]);
}
