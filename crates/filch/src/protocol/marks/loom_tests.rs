//! Loom checks the marks. `cargo xtask loom` runs these tests, and the mutants that they must reject.

use super::Marks;
use loom::sync::Arc;
use loom::thread;

/// Two workers mark themselves in one word, while a third thread removes the mark of one of them.
#[test]
fn no_mark_is_lost_and_one_thread_removes_each() {
    loom::model(|| {
        let marks = Arc::new(Marks::none(2));
        let workers = [0, 1].map(|me| {
            let marks = Arc::clone(&marks);
            thread::spawn(move || {
                marks.insert(me);
                me == 0 && marks.remove(0)
            })
        });
        let removed = marks.remove(0);
        let [by_itself, _] = workers.map(|worker| worker.join().unwrap());
        assert!(removed != by_itself, "it was marked, and one of two has removed the mark");
        assert_eq!(marks.first(0..2), Some(1));
    });
}
