//! Fibonacci numbers: a fork for each call, by strands.

fn fib(mut s: filch::Strand<'_>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = s.join(|s| fib(s, n - 1), |s| fib(s, n - 2));
    a + b
}

fn main() {
    println!("{}", filch::run(|s| fib(s, 30)));
}
