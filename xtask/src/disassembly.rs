//! `cargo xtask disassembly BINARY`: the fork in the binary. No fence, no locked instruction, no clock, no system call,
//! and no call but the two to the branches, outside of cold code.
//!
//! Looks at fib on Filch, with strands and without, up to the first `ret`; what lies behind it is cold.

use crate::process::{command, output};

const RUNTIMES: [&str; 2] = ["Filch", "FilchImplicit"];

/// None of these on the fast path.
const BANNED: [&str; 13] = [
    "lock",
    "lfence",
    "mfence",
    "sfence",
    "xchg",
    "cmpxchg",
    "cmpxchg16b",
    "xadd",
    "rdtsc",
    "rdtscp",
    "syscall",
    "cpuid",
    "serialize",
];

pub(crate) fn main(binary: &str) -> Result<(), String> {
    if !cfg!(target_arch = "x86_64") {
        return Err("disassembly: only x86-64 is known to this check".to_owned());
    }
    let symbols = output(command("nm").arg(binary))?;
    let names = output(command("nm").arg("--demangle").arg(binary))?;
    for runtime in RUNTIMES {
        let function = format!("filch_programs::fib::fib::<filch_programs::runtime::filch::{runtime}>");
        // By its mangled name: objdump does not find a name with generics in it.
        let symbol = address(&names, &function)
            .and_then(|address| name_at(&symbols, address))
            .ok_or_else(|| format!("{function}: not in {binary}"))?;
        let code = output(
            command("objdump")
                .arg(format!("--disassemble={symbol}"))
                .args(["--no-show-raw-insn", "--no-addresses"])
                .arg(binary),
        )?;
        let hot = hot(&code, symbol);
        let count = check(&hot).map_err(|reason| format!("{function}: {reason}\n{}", hot.join("\n")))?;
        println!(
            "{function}: {count} instructions on the fast path, none of them a fence, locked, or a look at the clock"
        );
    }
    Ok(())
}

/// Lines of `nm`: address, kind, name.
fn address<'a>(names: &'a str, name: &str) -> Option<&'a str> {
    names.lines().find_map(|line| {
        let mut parts = line.splitn(3, ' ');
        let address = parts.next()?;
        (parts.nth(1)? == name).then_some(address)
    })
}

fn name_at<'a>(symbols: &'a str, address: &str) -> Option<&'a str> {
    symbols.lines().filter(|line| line.starts_with(address)).find_map(|line| line.splitn(3, ' ').nth(2))
}

/// The instructions of that symbol up to the first `ret`.
fn hot<'a>(code: &'a str, symbol: &str) -> Vec<&'a str> {
    let start = format!("<{symbol}>:");
    let body = code.lines().skip_while(|line| !line.contains(&start)).skip(1).filter(|line| !line.trim().is_empty());
    let mut hot = Vec::new();
    for line in body {
        hot.push(line);
        if line.split_whitespace().next() == Some("ret") {
            break;
        }
    }
    hot
}

/// How many instructions there are, if they are good ones.
fn check(hot: &[&str]) -> Result<usize, String> {
    if hot.is_empty() {
        return Err("no instructions".to_owned());
    }
    let words = |line: &'_ str| -> Vec<String> {
        line.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).map(str::to_owned).collect()
    };
    if let Some(bad) = hot.iter().find(|line| words(line).iter().any(|word| BANNED.contains(&word.as_str()))) {
        return Err(format!("on the fast path stands: {bad}"));
    }
    let calls = hot.iter().filter(|line| words(line).iter().any(|word| word == "call")).count();
    if calls != 2 {
        return Err(format!("{calls} calls on the fast path, expected the two to the branches"));
    }
    Ok(hot.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: &str = "\n<_f>:\n\tpush   %rbx\n\tcall   <_g>\n\tcall   <_f>\n\tret\n\tlock xadd %eax,(%rdi)\n";

    #[test]
    fn what_lies_behind_the_return_is_cold() {
        assert_eq!(check(&hot(CODE, "_f")), Ok(4));
    }

    #[test]
    fn a_locked_instruction_a_third_call_and_nothing_are_refused() {
        for bad in [
            CODE.replace("push   %rbx", "lock cmpxchg %rax,(%rdi)"),
            CODE.replace("push   %rbx", "call   <_h>"),
            CODE.replace("push   %rbx", "mfence"),
        ] {
            assert!(check(&hot(&bad, "_f")).is_err(), "{bad}");
        }
        assert!(check(&hot(CODE, "_g")).is_err());
    }

    #[test]
    fn a_symbol_is_found_by_its_name_with_generics() {
        let names = "0000000000001000 t a::b\n0000000000002000 t a::f::<X as Y>\n";
        let symbols = "0000000000001000 t _b\n0000000000002000 t _f\n";
        let address = address(names, "a::f::<X as Y>").expect("it is there");
        assert_eq!(name_at(symbols, address), Some("_f"));
    }
}
