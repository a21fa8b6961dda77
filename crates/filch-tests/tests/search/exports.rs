//! Parts that leave a search for good: together with what stays, they are the whole search, whenever they leave.

use crate::common::{assert_usable, eager_pool, is_slow, panic_text};
use crate::problems::Tree;
use filch::{Bound, Choices, Export, Node, Pool, Search, SearchPart};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

fn seeds() -> std::ops::Range<u64> {
    0..if cfg!(miri) {
        3
    } else if is_slow() {
        10
    } else {
        60
    }
}

/// A tree whose pool is interrupted at some of its nodes.
struct Interrupting<'p> {
    tree: Tree,
    pool: &'p Pool,
}

impl Search for Interrupting<'_> {
    type Workspace = Vec<u8>;
    type Choices = std::ops::Range<u8>;

    fn choices(&self, path: &mut Vec<u8>) -> Node<Self::Choices> {
        if (path.iter().map(|&step| u64::from(step)).sum::<u64>() + self.tree.seed).is_multiple_of(3) {
            self.pool.interrupt();
        }
        self.tree.choices(path)
    }

    fn apply(&self, path: &mut Vec<u8>, choice: u8) {
        self.tree.apply(path, choice);
    }

    fn undo(&self, path: &mut Vec<u8>, choice: u8) {
        self.tree.undo(path, choice);
    }
}

/// What has left. Wants more while fewer than `most` parts lie here.
struct Parts<P: Search> {
    most: usize,
    lying: Mutex<Vec<SearchPart<P>>>,
    left: AtomicUsize,
}

impl<P: Search<Workspace: Default>> Parts<P> {
    fn of_whole(most: usize) -> Self {
        let whole = SearchPart::whole(P::Workspace::default());
        Parts { most, lying: Mutex::new(vec![whole]), left: AtomicUsize::new(0) }
    }

    fn next(&self) -> Option<SearchPart<P>> {
        self.lying.lock().unwrap().pop()
    }
}

impl<P: Search> Export<P> for Parts<P> {
    fn is_wanted(&self) -> bool {
        self.lying.lock().unwrap().len() < self.most
    }

    fn export(&self, part: SearchPart<P>) {
        assert!(part.choices.as_ref().is_some_and(|choices| choices.untried() > 0), "nobody wants an empty part");
        self.left.fetch_add(1, Ordering::Relaxed);
        self.lying.lock().unwrap().push(part);
    }
}

#[test]
fn what_leaves_and_what_stays_are_the_whole_search() {
    let mut left = 0;
    for workers in [1, 3] {
        let pool = eager_pool(workers);
        for seed in seeds() {
            let problem = Interrupting { tree: Tree::new(seed), pool: &pool };
            let parts = Parts::of_whole(1 + seed as usize % 3);
            let mut found = Vec::new();
            while let Some(part) = parts.next() {
                let append = |mut all: Vec<Vec<u8>>, mut more: Vec<Vec<u8>>| {
                    all.append(&mut more);
                    all
                };
                found.append(&mut pool.run(|mut s| {
                    let add = |all, path: &Vec<u8>| append(all, vec![path.clone()]);
                    s.search_part(&problem, part, &parts).fold(Vec::new, add, append)
                }));
            }
            let visits = problem.tree.visits.swap(0, Ordering::Relaxed);
            let mut expected = problem.tree.oracle();
            found.sort();
            expected.sort();
            assert_eq!(found, expected, "seed {seed}");
            let plain = Tree::new(seed);
            pool.run(|mut s| s.search(&plain, Vec::new()).count());
            assert_eq!(visits, plain.visits.into_inner(), "each node is visited once: seed {seed}");
            left += parts.left.into_inner();
        }
    }
    assert!(left > 0, "some parts leave");
}

#[test]
fn a_bound_is_shared_by_what_leaves_and_what_stays() {
    let value = |path: &Vec<u8>| path.iter().fold(1, |value, &step| (value * 7 + i64::from(step)) % 1009);
    let pool = eager_pool(2);
    for seed in seeds() {
        let problem = Interrupting { tree: Tree::new(seed), pool: &pool };
        let (bound, parts) = (Bound::highest(), Parts::of_whole(2));
        let mut best = None;
        while let Some(part) = parts.next() {
            let better = pool.run(|mut s| s.search_part(&problem, part, &parts).find_best(&bound, value, Vec::clone));
            best = better.or(best);
        }
        let expected = problem.tree.oracle().iter().map(value).max();
        assert!(best.iter().all(|(of_best, path)| *of_best == value(path)), "seed {seed}");
        assert_eq!(best.map(|(value, _)| value), expected, "seed {seed}");
    }
}

#[test]
#[cfg(panic = "unwind")]
fn a_panic_while_a_part_leaves_ends_the_search() {
    struct Panics(AtomicUsize);
    impl<P: Search> Export<P> for Panics {
        fn is_wanted(&self) -> bool {
            self.0.fetch_sub(1, Ordering::Relaxed) == 1
        }

        fn export(&self, _: SearchPart<P>) {
            panic!("no room");
        }
    }
    let pool = eager_pool(2);
    let mut ended = 0;
    for seed in seeds() {
        let problem = Interrupting { tree: Tree::new(seed), pool: &pool };
        let export = Panics(AtomicUsize::new(1 + seed as usize % 7));
        let part = SearchPart::whole(Vec::new());
        let run = || pool.run(|mut s| s.search_part(&problem, part, &export).fold(|| 0, |n, _| n + 1, |a, b| a + b));
        match catch_unwind(AssertUnwindSafe(run)) {
            Ok(count) => assert_eq!(count, problem.tree.oracle().len()),
            Err(payload) => {
                assert_eq!(panic_text(|| resume_unwind(payload)), "no room");
                ended += 1;
            }
        }
        assert_usable(&pool);
    }
    assert!(ended > 0, "some searches end so");
}
