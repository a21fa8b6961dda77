//! The suffixes of a text in their order: `suffix-array` of the suite.

use std::fs;
use std::hint::black_box;
use std::path::Path;

use filch_algorithms::suffix_array;
use filch_kernels::{Domain, Extent, Input, InputError, Mismatch, Program, Sizes};
use filch_text::read_bytes;

use super::input::text;
use super::work::{OfLibrary, Work, wrong};

/// The bytes for each byte of the text, with the check.
const BYTES: u64 = 72;

/// The longest text.
const LONGEST: u64 = u32::MAX as u64;

/// The program. Real texts come from files.
pub(super) const PROGRAMS: [Program; 1] = [Program {
    bytes: |n, _| BYTES * n,
    libraries: &[],
    input: Some(input),
    ..Program::new(
        ("suffixarray", "the suffixes of a text of n bytes, sorted"),
        Sizes { small: 4_000, default: 1_000_000, paper: 100_000_000 },
        Domain { counts: "the number of bytes", min: 0, max: LONGEST, rule: None },
        |n| Box::new(OfLibrary(SuffixArray::new(text::text(n)))),
    )
}];

/// The bytes of a file.
fn input(path: &Path) -> Result<Input, InputError> {
    let fault = |what: String| format!("{}: {what}", path.display());
    // What has no length may have no end, and the limit is large.
    if fs::metadata(path).is_ok_and(|it| !it.is_file() && !it.is_dir()) {
        return Err(fault(format!("expected a file of at most {LONGEST} bytes, found no file")).into());
    }
    let text = read_bytes(path, LONGEST).map_err(|error| error.to_string())?;
    let n = text.len() as u64;
    Ok(Input {
        n: Extent::Number(n),
        with: format!("{n} bytes"),
        bytes: BYTES * n,
        build: Box::new(move || Ok(Box::new(OfLibrary(SuffixArray::new(text.clone()))))),
    })
}

struct SuffixArray {
    text: Vec<u8>,
    found: Option<Vec<u32>>,
}

impl SuffixArray {
    fn new(text: Vec<u8>) -> Self {
        SuffixArray { text, found: None }
    }
}

impl Work for SuffixArray {
    fn run(&mut self) {
        self.found = Some(suffix_array(black_box(&self.text)));
    }

    fn serial_rival(&mut self) -> bool {
        let (_, array) = divsufsort::sort(black_box(&self.text)).into_parts();
        self.found = Some(array.into_iter().map(|suffix| suffix as u32).collect());
        true
    }

    /// All suffixes are there, and each is smaller than the next: its first byte is, or that is equal and the rest of
    /// it is smaller, which is the suffix after it.
    fn verify(&mut self) -> Result<(), Mismatch> {
        let (found, text) = (self.found.take().ok_or(Mismatch::Nothing)?, &self.text);
        let unseen = u32::MAX;
        let mut rank = vec![unseen; text.len()];
        for (place, &suffix) in found.iter().enumerate() {
            match rank.get_mut(suffix as usize) {
                Some(rank) if *rank == unseen => *rank = place as u32,
                _ => return Err(wrong(format!("suffix {suffix} at place {place}"), "each suffix once")),
            }
        }
        if found.len() != text.len() {
            return Err(wrong(format!("{} suffixes", found.len()), format!("{}", text.len())));
        }
        // The empty suffix is the smallest.
        let key = |suffix: u32| {
            let next = rank.get(suffix as usize + 1).map_or(0, |&rank| u64::from(rank) + 1);
            (text[suffix as usize], next)
        };
        match found.windows(2).position(|pair| key(pair[0]) >= key(pair[1])) {
            Some(at) => Err(wrong(format!("{:?} at place {at}", &found[at..at + 2]), "them in order")),
            None => Ok(()),
        }
    }
}
