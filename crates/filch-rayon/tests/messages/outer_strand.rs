// A body that forks with the strand from around it.
fn main() {
    filch::run(|mut s| {
        filch::for_each(0..10, |_, i| {
            s.join(|_| i, |_| i);
        });
    });
}
