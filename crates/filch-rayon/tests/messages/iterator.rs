// A loop over what has no indices.
fn main() {
    filch::for_each("to be".split(' '), |_, word| println!("{word}"));
}
