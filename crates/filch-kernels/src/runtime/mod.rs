//! One program text for all runtimes.
//!
//! A program is written once, over a [`Token`]: the right to fork on some [`Runtime`]. From it the compiler makes the
//! form that a user of each library would have written by hand. A token of [`Filch`] is a strand, one of [`Chili`] is a
//! scope, and the others are empty. [`Token::join`] is inlined into the join of the library. On [`Serial`], a join is
//! two calls in order: the serial elision (Frigo, Leiserson and Randall 1998, section 1).
//!
//! Loops run over [`Items`], which each library gets in its own form. On [`Serial`] they are plain loops, and on
//! [`Chili`], which has no loops, trees of joins. [`Counting`] runs the program in order and counts what eager creation
//! would create; [`Recording`] runs it in order and tells its tree of forks.
//!
//! This layer imports no program, and no file of it imports this one: they import `token` and `items`.

mod chili;
mod counting;
mod filch;
mod items;
mod rayon;
mod recording;
mod serial;
mod token;

pub use self::chili::Chili;
pub use self::counting::Counting;
pub use self::filch::{Filch, FilchImplicit};
pub use self::items::{Chunks, ChunksMut, Enumerate, Items, chunks, chunks_mut, enumerate};
pub use self::rayon::{Rayon, RayonTuned, Tuning, Tunings};
pub use self::recording::{MOST_BLOCKS, Recorder, Recording, Segment, Touch};
pub use self::serial::Serial;
pub use self::token::{Number, Runtime, Token};

#[cfg(test)]
mod tests {
    use super::*;

    /// Two nested loops over all kinds of items. The result is a list, which shows the order.
    fn nested<R: Runtime>(mut t: Token<R>) -> Vec<String> {
        let text: Vec<u8> = (b'a'..=b'z').collect();
        let mut copy = vec![0; text.len()];
        t.for_each((chunks(&text, 4), enumerate(chunks_mut(&mut copy, 4))), |mut t, (from, (number, to))| {
            t.for_each((from, to), |_, (from, to)| *to = from.wrapping_add(number as u8));
        });
        let word = |mut t: Token<R>, (_, letter): (usize, &u8)| {
            let digits =
                t.map_reduce(0..3_usize, String::new, |_, number| number.to_string(), |left, right| left + &right);
            vec![format!("{}{digits}", char::from(*letter))]
        };
        t.map_reduce((0..26_usize, &copy[..]), Vec::new, word, |left, right| [left, right].concat())
    }

    fn squares<R: Runtime>(mut t: Token<R>) -> usize {
        t.sum(0..100_usize, |_, number| number * number)
    }

    #[test]
    fn sums_are_the_same_on_every_runtime() {
        let expected = 99 * 100 * 199 / 6;
        assert_eq!(squares(Serial::token()), expected);
        assert_eq!(::filch::run(|s| squares(Filch::token(s))), expected);
        assert_eq!(squares(FilchImplicit::token()), expected);
        assert_eq!(squares(Rayon::token()), expected);
        for max_len in [1, usize::MAX] {
            let outer = Tuning { max_len, ..Tuning::NONE };
            assert_eq!(squares(RayonTuned::<true, true>::token(&Tunings { outer, ..Tunings::NONE })), expected);
        }
        assert_eq!(squares(Chili::token(&mut ::chili::ThreadPool::new().scope())), expected);
    }

    #[test]
    fn loops_are_the_same_on_every_runtime() {
        let expected: Vec<String> =
            (0..26_u8).map(|place| format!("{}012", char::from(b'a' + place + place / 4))).collect();
        assert_eq!(nested(Serial::token()), expected);
        assert_eq!(::filch::run(|s| nested(Filch::token(s))), expected);
        assert_eq!(nested(FilchImplicit::token()), expected);
        assert_eq!(nested(Rayon::token()), expected);
        assert_eq!(nested(RayonTuned::<true, true>::token(&Tunings::NONE)), expected);
        assert_eq!(nested(Chili::token(&mut ::chili::ThreadPool::new().scope())), expected);
    }
}
