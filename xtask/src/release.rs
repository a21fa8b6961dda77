//! What the tour prints, and the code of a fork in the profile `release`: `cargo xtask tour`, `disassembly`,
//! `instructions`.

use crate::files::found;
use crate::process::{command, output};

/// That the first command of a newcomer compares, and with whom. It fails by itself if a result is wrong.
pub(crate) fn tour() -> Result<(), String> {
    let said = output(command("cargo").args(["--quiet", "tour"]))?;
    println!("{said}");
    let words = found(r"(\w+)", &said);
    match ["fib", "serial", "rayon", "chili"].iter().find(|word| !words.contains(word)) {
        Some(missing) => Err(format!("tour: no {missing} in the output of cargo tour")),
        None => Ok(()),
    }
}

/// The example `forks` of filch-tour, which is built in a fraction of the time of the command `filch`, from the same
/// crates.
fn forks() -> Result<&'static str, String> {
    let options = ["--quiet", "--release", "-p", "filch-tour", "--example", "forks"];
    output(command("cargo").arg("build").args(options))?;
    Ok("target/release/examples/forks")
}

/// None of these on the fast path of a fork.
const BANNED: &str = "lock lfence mfence sfence xchg cmpxchg cmpxchg16b xadd rdtsc rdtscp syscall cpuid serialize";

/// The fork, with strands and without: no fence, no locked instruction, no clock, no system call, and no call but the
/// two to the branches, outside of cold code, which is what lies behind the first `ret` of fib.
pub(crate) fn disassembly() -> Result<(), String> {
    if !cfg!(target_arch = "x86_64") {
        return Err("disassembly: only x86-64 is known to this check".to_owned());
    }
    let binary = forks()?;
    for runtime in ["Filch", "FilchImplicit"] {
        let function = format!("filch_kernels::fib::fib::<filch_kernels::runtime::filch::{runtime}>");
        let mut objdump = command("objdump");
        objdump.arg(format!("--disassemble={function}")).args(["--demangle", "--no-show-raw-insn", "--no-addresses"]);
        let code = output(objdump.arg(binary))?;
        let count = check(&code, &function).map_err(|reason| format!("{function}: {reason}"))?;
        println!(
            "{function}: {count} instructions on the fast path, none of them a fence, locked, or a look at the clock"
        );
    }
    Ok(())
}

/// How many instructions of a symbol there are up to the first `ret`, if they are good ones.
fn check(code: &str, symbol: &str) -> Result<usize, String> {
    let (_, body) = code.split_once(&format!("<{symbol}>:\n")).ok_or("not in the binary")?;
    let end = body.lines().position(|line| line.split_whitespace().next() == Some("ret")).ok_or("no return")?;
    let hot: Vec<&str> = body.lines().take(end + 1).collect();
    let has = |line: &str, words: &str| line.split_whitespace().any(|word| words.split(' ').any(|bad| bad == word));
    let calls = hot.iter().filter(|line| has(line, "call")).count();
    match hot.iter().find(|line| has(line, BANNED)) {
        Some(bad) => Err(format!("on the fast path stands: {bad}\n{}", hot.join("\n"))),
        None if calls != 2 => Err(format!("{calls} calls, expected the two to branches\n{}", hot.join("\n"))),
        None => Ok(hot.len()),
    }
}

/// Programs, and how many instructions a fork of theirs may take in the release profile. A thread-local word is reached
/// by a longer way there than in a program that is optimised as a whole.
const BOUNDS: [(&str, f64); 2] = [("fib", 22.5), ("fib-implicit", 34.5)];

/// A beat would add instructions, so there is none during the program.
const SCHEDULERS: [&str; 5] = ["cilk5", "default", "tascell", "heartbeat,period=3600s", "cab"];

/// How far the counts of two schedulers may be apart: their slow paths differ at the first fork of a run, which is one
/// of ten thousand.
const TOLERANCE: f64 = 0.1;

/// Instructions per fork above the serial elision, counted by valgrind's callgrind, which is deterministic.
/// `docs/fork.md` says what they are. They are the same under every scheduler, because all run the same fast path.
pub(crate) fn instructions() -> Result<(), String> {
    let said = output(command(forks()?).args(SCHEDULERS))?;
    print!("{said}");
    for (program, bound) in BOUNDS {
        let counts = found(&format!(r"(?m)^{program} \S+ ([0-9.]+)$"), &said);
        let counts: Vec<f64> = counts.iter().filter_map(|count| count.parse().ok()).collect();
        let is_fine = |&count: &f64| count > 0.0 && count <= bound && (count - counts[0]).abs() <= TOLERANCE;
        if counts.len() != SCHEDULERS.len() || !counts.iter().all(is_fine) {
            return Err(format!(
                "{program}: expected more than 0 and at most {bound} instructions per fork above the serial elision, \
                 the same under each of {SCHEDULERS:?}"
            ));
        }
    }
    Ok(())
}

#[test]
fn a_locked_instruction_a_fence_a_third_call_and_nothing_are_refused_but_in_cold_code() {
    let code = "\n<_f>:\n\tpush   %rbx\n\tcall   <_g>\n\tcall   <_f>\n\tret\n\tlock xadd %eax,(%rdi)\n";
    assert_eq!(check(code, "_f"), Ok(4));
    assert!(check(code, "_g").is_err());
    for bad in ["lock cmpxchg %rax,(%rdi)", "call   <_h>", "mfence"] {
        assert!(check(&code.replace("push   %rbx", bad), "_f").is_err(), "{bad}");
    }
}
