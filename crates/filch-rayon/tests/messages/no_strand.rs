// A body without the first parameter.
fn main() {
    filch::for_each(&[3, 1, 4], |number| println!("{number}"));
}
