//! Every adaptor and every end gives what the serial iterator gives, on any number of workers, however the loop is
//! divided.

#[path = "../../filch-tests/tests/common/mod.rs"]
mod common;

use common::eager_pool;
use filch_rayon::prelude::*;
use proptest::prelude::{ProptestConfig, any, proptest};
use std::collections::{BTreeSet, LinkedList};
use std::num::Wrapping;

/// Whatever is drawn: the items, the longest block, a number of workers, and a number that adaptors get.
#[derive(Clone, Debug)]
struct Drawn {
    items: Vec<u32>,
    others: Vec<u32>,
    most: usize,
    n: usize,
}

/// The same expression of a serial iterator and of a parallel one.
macro_rules! agree {
    ($drawn:ident: $(|$it:ident| $expression:expr;)+) => {
        $({
            let serial = {
                let $it = $drawn.items.iter().copied();
                $expression
            };
            let parallel = {
                let $it = $drawn.items.par_iter().filch().with_max_len($drawn.most).copied();
                $expression
            };
            assert_eq!(serial, parallel, "{}", stringify!($expression));
        })+
    };
}

fn adaptors_agree(drawn: &Drawn) {
    let Drawn { others, n, .. } = drawn;
    let n = *n;
    agree! { drawn:
        |it| it.map(u64::from).collect::<Vec<_>>();
        |it| it.enumerate().map(|(i, x)| i as u32 ^ x).collect::<Vec<_>>();
        |it| it.zip(others.clone()).collect::<Vec<_>>();
        |it| it.rev().collect::<Vec<_>>();
        |it| it.step_by(n + 1).collect::<Vec<_>>();
        |it| it.skip(n).collect::<Vec<_>>();
        |it| it.take(n).collect::<Vec<_>>();
        |it| it.chain(others.clone()).collect::<Vec<_>>();
        |it| it.filter(|x| x % 3 == 0).collect::<Vec<_>>();
        |it| it.filter_map(|x| (x % 3 == 0).then_some(x / 3)).collect::<Vec<_>>();
        |it| it.filter(|x| x % 2 == 0).map(|x| vec![x; x as usize % 3]).collect::<Vec<_>>().concat();
        |it| it.inspect(|_| ()).map(|x| x / 2).enumerate().rev().skip(1).step_by(2).collect::<Vec<_>>();
        |it| it.rev().zip(others.clone()).map(|(a, b)| a ^ b).enumerate().take(n).collect::<Vec<_>>();
    }
    // The vectors inside run on rayon's pool, which Miri rejects: crossbeam-epoch makes pointers from integers.
    #[cfg(not(miri))]
    agree! { drawn:
        |it| it.flat_map(|x| vec![x; x as usize % 3]).collect::<Vec<_>>();
    }
}

fn ends_agree(drawn: &Drawn) {
    let Drawn { others, n, .. } = drawn;
    let wanted = *n as u32;
    agree! { drawn:
        |it| it.map(u64::from).sum::<u64>();
        |it| it.map(|x| Wrapping(x | 1)).product::<Wrapping<u32>>();
        |it| it.count();
        |it| it.min();
        |it| it.max();
        |it| it.max_by_key(|x| x % 5);
        |it| it.min_by_key(|x| x % 5);
        |it| it.collect::<BTreeSet<_>>();
        |it| it.collect::<LinkedList<_>>();
        |it| it.map(|x| char::from(b'a' + x as u8 % 26)).collect::<String>();
        |it| it.map(|x| if x == wanted { None } else { Some(x) }).collect::<Option<Vec<_>>>();
        |it| it.map(|x| if x == wanted { Err(()) } else { Ok(x) }).collect::<Result<Vec<_>, ()>>();
        |it| { let pair: (Vec<u32>, Vec<u32>) = it.partition(|x| x % 2 == 0); pair };
        |it| { let pair: (Vec<u32>, Vec<u64>) = it.map(|x| (x, u64::from(x))).unzip(); pair };
        |it| it.cmp(others.clone());
        |it| it.partial_cmp(others.clone());
        |it| it.eq(others.clone());
        |it| it.ne(others.clone());
        |it| it.lt(others.clone());
        |it| it.le(others.clone());
        |it| it.gt(others.clone());
        |it| it.ge(others.clone());
    }
    let it = || drawn.items.par_iter().filch().with_max_len(drawn.most).copied();
    assert!(it().eq(drawn.items.clone()));
    assert!(!it().ne(drawn.items.clone()));
    assert!(it().cmp(drawn.items.clone()).is_eq());
    let is_wanted = |x: u32| x % 16 == wanted % 16;
    let serial = || drawn.items.iter().copied();
    assert_eq!(it().any(is_wanted), serial().any(is_wanted));
    assert_eq!(it().all(is_wanted), serial().all(is_wanted));
    let found = it().find_any(|&x| is_wanted(x));
    assert_eq!(found.is_some(), serial().any(is_wanted));
    assert!(found.is_none_or(is_wanted));
    assert_eq!(it().find_first(|&x| is_wanted(x)), serial().find(|&x| is_wanted(x)));
    assert_eq!(it().find_last(|&x| is_wanted(x)), serial().rfind(|&x| is_wanted(x)));
    assert_eq!(it().position_first(is_wanted), serial().position(is_wanted));
    assert_eq!(it().position_last(is_wanted), drawn.items.iter().rposition(|&x| is_wanted(x)));
    let any = it().position_any(is_wanted);
    assert_eq!(any.is_some(), found.is_some());
    assert!(any.is_none_or(|place| is_wanted(drawn.items[place])));
    let all: Vec<usize> = it().positions(is_wanted).collect();
    assert_eq!(all, (0..drawn.items.len()).filter(|&i| is_wanted(drawn.items[i])).collect::<Vec<_>>());
}

/// What only parallel iterators have, against what its documentation says.
fn parallel_ones_are_as_documented(drawn: &Drawn) {
    let Drawn { items, others, most, n } = drawn;
    let it = || items.par_iter().filch().with_max_len(*most).copied();
    let size = n + 1;
    let chunks: Vec<Vec<u32>> = items.chunks(size).map(<[u32]>::to_vec).collect();
    assert_eq!(it().chunks(size).collect::<Vec<_>>(), chunks);
    let sum = |so_far: u32, x: u32| so_far.wrapping_add(x);
    let sums: Vec<u32> = chunks.iter().map(|chunk| chunk.iter().copied().fold(7, sum)).collect();
    assert_eq!(it().fold_chunks(size, || 7, sum).collect::<Vec<_>>(), sums);
    assert_eq!(it().fold_chunks_with(size, 7, sum).collect::<Vec<_>>(), sums);

    let pairs = items.iter().zip(others).flat_map(|(&a, &b)| [a, b]);
    let common = items.len().min(others.len());
    let longer = if items.len() > common { &items[common..] } else { &others[common..] };
    let interleaved: Vec<u32> = pairs.clone().chain(longer.iter().copied()).collect();
    assert_eq!(it().interleave(others.clone()).collect::<Vec<_>>(), interleaved);
    let shortest: Vec<u32> = pairs.chain(items.get(others.len()).copied()).collect();
    assert_eq!(it().interleave_shortest(others.clone()).collect::<Vec<_>>(), shortest);
    let doubled: Vec<(u32, u32)> = items.iter().map(|&x| (x, x)).collect();
    assert_eq!(it().zip_eq(items.clone()).collect::<Vec<_>>(), doubled);
    let mut spaced: Vec<u32> = items.iter().flat_map(|&x| [99, x]).collect();
    spaced.drain(..items.len().min(1));
    assert_eq!(it().intersperse(99).collect::<Vec<_>>(), spaced);

    let text: String = items.iter().map(u32::to_string).collect();
    let append = |text: String, x: u32| text + &x.to_string();
    assert_eq!(it().fold(String::new, append).reduce(String::new, |a, b| a + &b), text);
    assert_eq!(it().map(|x| x.to_string()).reduce_with(|a, b| a + &b).unwrap_or_default(), text);
    assert_eq!(it().map_with(1, |one, x| x - x % *one).collect::<Vec<_>>(), *items);
    assert_eq!(it().map_init(|| 1, |one, x| x - x % *one).collect::<Vec<_>>(), *items);
    assert_eq!(it().panic_fuse().collect::<Vec<_>>(), *items);
    let plus_one: Vec<u32> = items.iter().map(|x| x.wrapping_add(1)).collect();
    assert_eq!(it().update(|x| *x = x.wrapping_add(1)).collect::<Vec<_>>(), plus_one);

    let (mut left, mut right) = (vec![1], vec![2]);
    it().collect_into_vec(&mut left);
    assert_eq!(left, *items);
    it().map(|x| (x, x)).unzip_into_vecs(&mut left, &mut right);
    assert_eq!((&left, &right), (items, items));
    assert_eq!(it().take_any(*n).count(), items.len().min(*n));
    assert!(it().try_for_each(|_| Some(())).is_some());
}

fn sources_agree(drawn: &Drawn) {
    let Drawn { items, most, n, .. } = drawn;
    let len = items.len();
    assert_eq!(items.clone().into_par_iter().filch().with_max_len(*most).collect::<Vec<_>>(), *items);
    assert_eq!((0..len).into_par_iter().filch().with_max_len(*most).collect::<Vec<_>>(), (0..len).collect::<Vec<_>>());
    let bytes = 0..=*n as u8;
    assert_eq!(bytes.clone().into_par_iter().filch().collect::<Vec<_>>(), bytes.collect::<Vec<_>>());
    let sums: Vec<u64> = items.chunks(n + 1).map(|chunk| chunk.iter().copied().map(u64::from).sum()).collect();
    let of_chunk = |chunk: &[u32]| chunk.par_iter().filch().with_max_len(*most).copied().map(u64::from).sum::<u64>();
    assert_eq!(items.par_chunks(n + 1).filch().map(of_chunk).collect::<Vec<_>>(), sums);
    let mut changed = items.clone();
    changed.par_chunks_mut(n + 1).filch().enumerate().for_each(|(i, chunk)| chunk.fill(i as u32));
    assert!(changed.iter().enumerate().all(|(i, &x)| x as usize == i / (n + 1)));
    changed.par_iter_mut().filch().with_max_len(*most).zip(items).for_each(|(to, from)| *to = *from);
    assert_eq!(changed, *items);
    let drained: Vec<u32> = changed.par_drain(..).filch().with_max_len(*most).collect();
    assert_eq!(drained, *items);
    assert_eq!([3, 1, 2].into_par_iter().filch().max(), Some(3));
    assert_eq!(Some(3).into_par_iter().filch().count(), 1);
    assert_eq!(items.par_windows(n + 1).filch().count(), len.saturating_sub(*n));
}

fn check(items: Vec<u32>, others: Vec<u32>, (most, n, workers): (usize, usize, usize)) {
    let drawn = Drawn { items, others, most, n };
    eager_pool(workers).run(|_| {
        adaptors_agree(&drawn);
        ends_agree(&drawn);
        parallel_ones_are_as_documented(&drawn);
        sources_agree(&drawn);
    });
}

/// Under Miri, a case takes seconds.
const CASES: u32 = if cfg!(miri) { 1 } else { 40 };
const MOST_ITEMS: usize = if cfg!(miri) { 6 } else { 700 };

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn parallel_iterators_agree_with_serial_ones(
        items in proptest::collection::vec(any::<u32>(), 0..MOST_ITEMS),
        others in proptest::collection::vec(any::<u32>(), 0..MOST_ITEMS),
        numbers in (1_usize..20, 0_usize..50, 1_usize..9),
    ) {
        check(items, others, numbers);
    }
}

#[test]
fn they_agree_where_there_is_little_to_divide() {
    for len in 0..if cfg!(miri) { 2 } else { 5 } {
        for most in if cfg!(miri) { &[1][..] } else { &[1, 2, usize::MAX] } {
            check((0..len).collect(), vec![1, 0], (*most, 1, 2));
        }
    }
}

#[cfg(not(miri))]
#[test]
fn they_agree_under_other_schedulers() {
    common::run_under_other_schedulers();
}
