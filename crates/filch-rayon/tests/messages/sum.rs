// A body that changes a variable from around it.
fn main() {
    let mut sum = 0;
    filch::for_each(0..10, |_, i| sum += i);
    println!("{sum}");
}
