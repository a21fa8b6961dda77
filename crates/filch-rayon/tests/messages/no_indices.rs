// An iterator of rayon that Filch cannot drive.
use filch_rayon::prelude::*;
use rayon::prelude::*;

fn main() {
    let words = "to be".split(' ').par_bridge().filch().count();
    println!("{words}");
}
