//! What a [`Reducer`](crate::Reducer) can reduce: an identity, and an associative operation.

use std::fmt;
use std::marker::PhantomData;
use std::mem;
use std::ops::AddAssign;

/// An associative operation with an identity.
///
/// Implementors must keep both laws: `combine` is associative, and combining with the identity on either side changes
/// nothing. If a law is broken, the result depends on which branches moved, and nothing worse happens. Floating-point
/// sums break associativity by a rounding error. The operation need not be commutative.
///
/// ```
/// use filch::{Reducer, monoids::Monoid};
///
/// /// Products of 2×2 matrices.
/// struct Product;
///
/// type Matrix = [[u64; 2]; 2];
///
/// impl Monoid for Product {
///     type View = Matrix;
///
///     fn identity(&self) -> Matrix {
///         [[1, 0], [0, 1]]
///     }
///
///     fn combine(&self, left: &mut Matrix, right: Matrix) {
///         *left = left.map(|row| [0, 1].map(|j| row[0] * right[0][j] + row[1] * right[1][j]));
///     }
/// }
///
/// let product = Reducer::new(Product);
/// filch::join(|| product.put([[1, 1], [0, 1]]), || product.put([[1, 0], [1, 1]]));
/// assert_eq!(product.into_inner(), [[2, 1], [1, 1]]);
/// ```
pub trait Monoid: Sync {
    /// The type of values that are combined.
    type View: Send;

    /// A view that changes nothing when it is combined with another.
    fn identity(&self) -> Self::View;

    /// Combines `left` with `right` into `left`. `right` comes after `left` in the order of the serial program.
    fn combine(&self, left: &mut Self::View, right: Self::View);
}

macro_rules! marker {
    ($(#[$doc:meta])+ $name:ident<$parameter:ident>) => {
        $(#[$doc])+
        pub struct $name<$parameter>(PhantomData<fn() -> $parameter>);

        impl<$parameter> $name<$parameter> {
            /// This monoid.
            pub fn new() -> Self {
                $name(PhantomData)
            }
        }

        impl<$parameter> Default for $name<$parameter> {
            fn default() -> Self {
                Self::new()
            }
        }

        impl<$parameter> Clone for $name<$parameter> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<$parameter> Copy for $name<$parameter> {}

        impl<$parameter> fmt::Debug for $name<$parameter> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))
            }
        }
    };
}

marker! {
    /// Addition. The identity is the type's default.
    Sum<T>
}

impl<T: Default + AddAssign + Send> Monoid for Sum<T> {
    type View = T;

    fn identity(&self) -> T {
        T::default()
    }

    fn combine(&self, left: &mut T, right: T) {
        *left += right;
    }
}

marker! {
    /// The least value; of equal values, the first. `None` is the identity.
    ///
    /// ```
    /// use filch::{Reducer, monoids::Min};
    ///
    /// let least = Reducer::new(Min::new());
    /// filch::join(|| least.put(Some((2, 'a'))), || least.put(Some((1, 'b'))));
    /// assert_eq!(least.into_inner(), Some((1, 'b')));
    /// ```
    Min<T>
}

impl<T: Ord + Send> Monoid for Min<T> {
    type View = Option<T>;

    fn identity(&self) -> Option<T> {
        None
    }

    fn combine(&self, left: &mut Option<T>, right: Option<T>) {
        if right.is_some() && (left.is_none() || right < *left) {
            *left = right;
        }
    }
}

marker! {
    /// The greatest value; of equal values, the first. `None` is the identity.
    Max<T>
}

impl<T: Ord + Send> Monoid for Max<T> {
    type View = Option<T>;

    fn identity(&self) -> Option<T> {
        None
    }

    fn combine(&self, left: &mut Option<T>, right: Option<T>) {
        if right > *left {
            *left = right;
        }
    }
}

marker! {
    /// Concatenation of values of type `String` or `Vec`.
    Append<C>
}

impl Monoid for Append<String> {
    type View = String;

    fn identity(&self) -> String {
        String::new()
    }

    fn combine(&self, left: &mut String, right: String) {
        if left.is_empty() {
            *left = right;
        } else {
            left.push_str(&right);
        }
    }
}

impl<T: Send> Monoid for Append<Vec<T>> {
    type View = Vec<T>;

    fn identity(&self) -> Vec<T> {
        Vec::new()
    }

    fn combine(&self, left: &mut Vec<T>, mut right: Vec<T>) {
        if left.is_empty() {
            mem::swap(left, &mut right);
        } else {
            left.append(&mut right);
        }
    }
}

/// Makes a monoid of two closures, the identity and the operation.
///
/// ```
/// use filch::{Reducer, monoids};
///
/// let smallest_and_largest = monoids::of(
///     || (u32::MAX, u32::MIN),
///     |left: &mut (u32, u32), right| *left = (left.0.min(right.0), left.1.max(right.1)),
/// );
/// let seen = Reducer::new(smallest_and_largest);
/// filch::join(|| seen.put((3, 3)), || seen.put((7, 7)));
/// assert_eq!(seen.into_inner(), (3, 7));
/// ```
pub fn of<V, I, C>(identity: I, combine: C) -> impl Monoid<View = V>
where
    V: Send,
    I: Fn() -> V + Sync,
    C: Fn(&mut V, V) + Sync,
{
    Closures(identity, combine)
}

struct Closures<I, C>(I, C);

impl<V, I, C> Monoid for Closures<I, C>
where
    V: Send,
    I: Fn() -> V + Sync,
    C: Fn(&mut V, V) + Sync,
{
    type View = V;

    fn identity(&self) -> V {
        (self.0)()
    }

    fn combine(&self, left: &mut V, right: V) {
        (self.1)(left, right);
    }
}
