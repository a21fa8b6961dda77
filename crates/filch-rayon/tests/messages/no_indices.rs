// An iterator of rayon that Filch cannot drive.
use filch_rayon::prelude::*;

fn main() {
    "to be".split(' ').par_bridge().filch();
}
