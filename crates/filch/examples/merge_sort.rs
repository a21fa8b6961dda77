//! A parallel merge sort that is not very parallel, and what helps: `docs/profiling.md` finds out why.
//!
//! ```sh
//! cargo run --release -p filch --example merge_sort -- slow     # merges one after the other
//! cargo run --release -p filch --example merge_sort -- fast     # divides merges, too
//! ```

use std::time::Instant;

/// Shorter slices are sorted serially.
const SERIAL: usize = 2_000;

fn main() {
    let divides = match std::env::args().nth(1).as_deref() {
        None | Some("slow") => false,
        Some("fast") => true,
        Some(other) => {
            eprintln!("merge_sort: expected `slow` or `fast`; found `{other}`");
            std::process::exit(2);
        }
    };
    let mut numbers: Vec<u64> = (0..4_000_000).map(|i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
    let mut buffer = vec![0; numbers.len()];
    let begin = Instant::now();
    sort(&mut numbers, &mut buffer, divides);
    println!("{} numbers sorted in {:.1?}", numbers.len(), begin.elapsed());
    assert!(numbers.is_sorted());
}

/// Sorts `numbers`, by merging halves that have been sorted into `buffer`.
fn sort(numbers: &mut [u64], buffer: &mut [u64], divides: bool) {
    if numbers.len() <= SERIAL {
        return numbers.sort_unstable();
    }
    let middle = numbers.len() / 2;
    let (left, right) = numbers.split_at_mut(middle);
    let (left_buffer, right_buffer) = buffer.split_at_mut(middle);
    filch::join(|| sort(left, left_buffer, divides), || sort(right, right_buffer, divides));
    if divides {
        merge(left, right, buffer)
    } else {
        merge_serially(left, right, buffer)
    }
    numbers.copy_from_slice(buffer);
}

/// Merges two sorted slices into `merged`: each half of `merged` for itself.
fn merge(left: &[u64], right: &[u64], merged: &mut [u64]) {
    if merged.len() <= SERIAL {
        return merge_serially(left, right, merged);
    }
    // The longer one is halved, and the other one where the middle of the longer one would be.
    let (longer, shorter) = if left.len() < right.len() { (right, left) } else { (left, right) };
    let (first, last) = longer.split_at(longer.len() / 2);
    let (lower, upper) = shorter.split_at(shorter.partition_point(|number| *number < last[0]));
    let (former, latter) = merged.split_at_mut(first.len() + lower.len());
    filch::join(|| merge(first, lower, former), || merge(last, upper, latter));
}

fn merge_serially<'n>(mut left: &'n [u64], mut right: &'n [u64], merged: &mut [u64]) {
    for place in merged {
        let next = match (left.first(), right.first()) {
            (Some(l), Some(r)) if r < l => &mut right,
            (Some(_), _) => &mut left,
            _ => &mut right,
        };
        *place = next[0];
        *next = &next[1..];
    }
}
