//! Loops over slices, their chunks, and several sequences side by side.

use crate::common::{self, eager_pool};
use crate::items;

#[test]
fn slices_vectors_and_arrays_run_item_by_item() {
    let pool = eager_pool(3);
    let len = if cfg!(miri) { 12 } else { 3000 };
    let mut xs: Vec<usize> = (0..len).collect();
    assert!(items(&pool, &xs).into_iter().eq(&xs));
    assert!(items(&pool, xs.as_slice()).into_iter().eq(&xs));
    assert!(items(&pool, &[7, 8, 9]).into_iter().eq(&[7, 8, 9]));
    assert!(items(&pool, &[0_u8; 0]).is_empty());
    pool.run(|mut s| s.for_each(&mut xs, |_, x| *x += 1));
    pool.run(|mut s| s.for_each(xs.as_mut_slice(), |_, x| *x *= 2));
    assert!(xs.iter().copied().eq((0..len).map(|x| (x + 1) * 2)));
    let mut array = [1; 33];
    pool.run(|mut s| s.for_each((&mut array, 0..33), |_, (x, i)| *x += i));
    assert!(array.into_iter().eq(1..34));
    // The items live as long as the slice is borrowed, not only as long as the loop lasts.
    let kept: Vec<&mut usize> = items(&pool, &mut xs);
    kept.into_iter().for_each(|x| *x = 5);
    assert!(xs.iter().all(|&x| x == 5));
}

#[test]
fn chunks_cut_as_the_standard_librarys_do() {
    let pool = eager_pool(3);
    let mut xs: Vec<usize> = (0..if cfg!(miri) { 8 } else { 100 }).collect();
    for &size in if cfg!(miri) { &[1, 3, 8][..] } else { &[1, 2, 3, 7, 19, 20, 99, 100, 101, usize::MAX] } {
        assert!(items(&pool, filch::chunks(&xs, size)).into_iter().eq(xs.chunks(size)), "{size}");
        let expected: Vec<Vec<usize>> = xs.chunks(size).map(<[usize]>::to_vec).collect();
        assert!(items(&pool, filch::chunks_mut(&mut xs, size)).iter().eq(&expected), "{size}");
    }
    assert!(items(&pool, filch::chunks(&[0; 0], 3)).is_empty());
    assert_eq!(common::panic_text(|| _ = filch::chunks(&[1], 0)), "chunks have at least one item");
    assert_eq!(common::panic_text(|| _ = filch::chunks_mut(&mut [1], 0)), "chunks have at least one item");
}

#[test]
fn what_is_walked_side_by_side_ends_with_the_shortest() {
    let pool = eager_pool(3);
    let (mut xs, ys, empty) = ([1; 50], [2; 31], [0; 0]);
    pool.run(|mut s| s.for_each((&mut xs, &ys), |_, (x, y)| *x += y));
    assert_eq!((&xs[..31], &xs[31..]), (&[3; 31][..], &[1; 19][..]));
    assert_eq!(items(&pool, (0..40, &ys, 5.., filch::chunks(&xs, 2))).len(), 25);
    assert_eq!(items(&pool, (0..40, (&ys, (0_u64.., 0..u64::MAX)))).len(), 31);
    assert!(items(&pool, (&ys, &empty)).is_empty());
}

#[test]
fn items_without_a_size_are_counted_like_others() {
    let pool = eager_pool(3);
    let len = if cfg!(miri) { 15 } else { 3000 };
    let mut xs = vec![(); len];
    assert_eq!(items(&pool, &xs).len(), len);
    assert_eq!(items(&pool, &mut xs).len(), len);
    assert_eq!(items(&pool, filch::chunks_mut(&mut xs, 7)).iter().map(|chunk| chunk.len()).sum::<usize>(), len);
    assert_eq!(pool.run(|mut s| s.map_reduce(0..len, || (), |_, _| (), |(), ()| ())), ());
}
