//! What separates the fields of a text.

use rayon::iter::plumbing::Folder;
use std::ops::Range;

/// A character, an array or a slice of characters, or a closure that says which characters are separators: what
/// [`par_split`](crate::StrOnFilch::par_split) takes. The standard library's trait for that cannot be named yet.
pub trait Separator: Send + Sync + Separates {}

impl<S: Send + Sync + Separates> Separator for S {}

use sealed::Separates;

mod sealed {
    use super::*;

    pub trait Separates {
        fn first(&self, text: &str) -> Option<Range<usize>>;
        fn last(&self, text: &str) -> Option<Range<usize>>;
        fn split<'t, F: Folder<&'t str>>(&self, text: &'t str, folder: F) -> F;
        fn split_inclusive<'t, F: Folder<&'t str>>(&self, text: &'t str, folder: F) -> F;
    }
}

/// The character at byte `at`.
fn char_at(text: &str, at: usize) -> Range<usize> {
    at..at + text[at..].chars().next().map_or(0, char::len_utf8)
}

macro_rules! separates {
    ($([$($parameter:tt)*] $type:ty, $self:ident => $pattern:expr;)*) => {$(
        impl<$($parameter)*> Separates for $type {
            #[inline]
            fn first(&$self, text: &str) -> Option<Range<usize>> {
                text.find($pattern).map(|at| char_at(text, at))
            }

            #[inline]
            fn last(&$self, text: &str) -> Option<Range<usize>> {
                text.rfind($pattern).map(|at| char_at(text, at))
            }

            #[inline]
            fn split<'t, F: Folder<&'t str>>(&$self, text: &'t str, folder: F) -> F {
                folder.consume_iter(text.split($pattern))
            }

            #[inline]
            fn split_inclusive<'t, F: Folder<&'t str>>(&$self, text: &'t str, folder: F) -> F {
                folder.consume_iter(text.split_inclusive($pattern))
            }
        }
    )*};
}
separates! {
    [] char, self => *self;
    [] &[char], self => *self;
    [const N: usize] [char; N], self => *self;
    [const N: usize] &[char; N], self => *self;
    [P: Fn(char) -> bool] P, self => self;
}
