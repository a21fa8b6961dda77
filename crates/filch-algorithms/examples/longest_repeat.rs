//! The longest part of a text that is there twice.
//!
//! Two suffixes that begin with the same bytes are near each other in the order of all suffixes, and the two that have
//! most in common are neighbours.
//!
//! ```text
//! cargo run --release -p filch-algorithms --example longest_repeat -- FILE
//! ```

use filch_algorithms::{longest_common_prefixes, max_index, suffix_array};
use std::error::Error;
use std::{env, fs, process};

/// The two places of the longest part that is there twice, and its length; they may overlap. `None` if there is no byte
/// twice.
fn longest_repeat(text: &[u8]) -> Option<(usize, usize, usize)> {
    let array = suffix_array(text);
    let common = longest_common_prefixes(text, &array);
    let most = max_index(&common).filter(|&most| common[most] > 0)?;
    let (a, b) = (array[most - 1] as usize, array[most] as usize);
    Some((a.min(b), a.max(b), common[most] as usize))
}

fn main() -> Result<(), Box<dyn Error>> {
    let Some(file) = env::args_os().nth(1) else {
        eprintln!("usage: longest_repeat FILE");
        process::exit(2);
    };
    let text = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    match longest_repeat(&text) {
        None => println!("no byte is there twice"),
        Some((first, second, len)) => {
            println!("{len} bytes are at {first} and {second}:");
            println!("{}", String::from_utf8_lossy(&text[first..first + len]));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::longest_repeat;

    #[test]
    fn no_longer_part_is_there_twice() {
        for text in ["", "a", "abc", "banana", "to be or not to be", "aaaaa"] {
            let starts = 0..text.len();
            let pairs = starts.clone().flat_map(|a| (a + 1..text.len()).map(move |b| (a, b)));
            let common = |(a, b): (usize, usize)| {
                text.as_bytes()[a..].iter().zip(&text.as_bytes()[b..]).take_while(|(x, y)| x == y).count()
            };
            let expected = pairs.map(common).max().filter(|&len| len > 0);
            let found = longest_repeat(text.as_bytes());
            assert_eq!(found.map(|(_, _, len)| len), expected, "{text}");
            if let Some((a, b, len)) = found {
                assert_eq!(text[a..a + len], text[b..b + len]);
            }
        }
    }
}
