//! The knapsack problem, by branch and bound.

mod read;

use crate::read::Fault;
use filch::{Bound, Node, Search};
use std::ops::Range;

/// The knapsack problem: which things to pack so that they weigh no more than the capacity and are worth the most.
///
/// The things are tried in the order of their value by weight, each first packed and then left. What can still be
/// reached is bounded by the value if the next thing that does not fit could be packed in part (Dantzig 1957).
///
/// ```
/// use filch_search::{Knapsack, Thing};
///
/// let things = [(50, 3), (40, 4), (30, 6), (10, 5)].map(|(value, weight)| Thing { value, weight });
/// let (value, packed) = Knapsack::new(10, &things).unwrap().best().unwrap();
/// assert_eq!((value, packed), (90, vec![0, 1]));
/// ```
#[derive(Debug)]
pub struct Knapsack {
    capacity: u64,
    things: Vec<Thing>,
    /// The numbers of the things, by value by weight, the highest first.
    order: Vec<usize>,
    /// The sums of those before each place in that order.
    sums: Vec<Thing>,
    bound: Bound,
}

/// A thing to pack, or several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Thing {
    /// What it is worth.
    pub value: u64,
    /// What it weighs.
    pub weight: u64,
}

/// The workspace: which of the first things are packed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Packed {
    /// Whether each thing that has been decided about is packed.
    packs: Vec<bool>,
    sum: Thing,
}

/// The choices at a thing.
const PACK: u8 = 0;
const EACH: Range<u8> = PACK..2;

impl Knapsack {
    /// The problem with these things.
    ///
    /// # Errors
    ///
    /// If the sum of the values, or of the weights, is more than `i64::MAX`.
    pub fn new(capacity: u64, things: &[Thing]) -> Result<Self, Fault> {
        let add = |sum: Option<u64>, number: u64| sum?.checked_add(number).filter(|&sum| i64::try_from(sum).is_ok());
        for (what, of) in [("values", (|thing| thing.value) as fn(&Thing) -> u64), ("weights", |thing| thing.weight)] {
            if things.iter().map(of).fold(Some(0), add).is_none() {
                return Err(Fault::new(format!("a sum of {what} of at most {}", i64::MAX), "more"));
            }
        }
        let mut order: Vec<usize> = (0..things.len()).collect();
        order.sort_by(|&a, &b| {
            let [a, b] = [a, b].map(|number| things[number]);
            let product = |x: Thing, y: Thing| u128::from(x.value) * u128::from(y.weight);
            // What weighs nothing comes first: it has no quotient, and all products with it are equal.
            (a.weight > 0).cmp(&(b.weight > 0)).then_with(|| product(b, a).cmp(&product(a, b)))
        });
        let mut sums = vec![Thing::default()];
        for &number in &order {
            sums.push(sums[sums.len() - 1].plus(things[number]));
        }
        Ok(Knapsack { capacity, things: things.to_vec(), order, sums, bound: Bound::highest() })
    }

    /// The things.
    pub fn things(&self) -> &[Thing] {
        &self.things
    }

    /// What the things may weigh.
    pub fn capacity(&self) -> u64 {
        self.capacity
    }

    /// The highest value found so far, which all searches of this problem share.
    pub fn bound(&self) -> &Bound {
        &self.bound
    }

    /// A workspace in which nothing has been decided.
    pub fn start(&self) -> Packed {
        Packed { packs: Vec::with_capacity(self.things.len()), sum: Thing::default() }
    }

    /// The value of what is packed.
    pub fn value(&self, packed: &Packed) -> i64 {
        // At most the sum of all.
        packed.sum.value as i64
    }

    /// The numbers of the things that are packed, in ascending order.
    pub fn packed(&self, packed: &Packed) -> Vec<usize> {
        let mut numbers: Vec<usize> =
            self.order.iter().zip(&packed.packs).filter_map(|(&number, &packs)| packs.then_some(number)).collect();
        numbers.sort_unstable();
        numbers
    }

    /// The highest value, and the things that have it. `None` if the [bound](Self::bound) knows of a value as high from
    /// an earlier search. Of several best solutions, any is returned.
    pub fn best(self) -> Option<(i64, Vec<usize>)> {
        let search = filch::search(&self, self.start());
        search.find_best(&self.bound, |packed| self.value(packed), |packed| self.packed(packed))
    }

    /// No solution below this node is worth more.
    #[inline]
    fn reachable(&self, packed: &Packed) -> i64 {
        let decided = packed.packs.len();
        let (left, before) = (self.capacity - packed.sum.weight, self.sums[decided]);
        // The things that fit, one after another.
        let fit = self.sums[decided..].partition_point(|sum| sum.weight - before.weight <= left) - 1 + decided;
        let whole = packed.sum.value + self.sums[fit].value - before.value;
        let left = left - (self.sums[fit].weight - before.weight);
        let part = self.order.get(fit).map_or(0, |&number| {
            let Thing { value, weight } = self.things[number];
            // It does not fit, so it weighs more than what is left.
            (u128::from(value) * u128::from(left) / u128::from(weight)) as u64
        });
        (whole + part) as i64
    }
}

impl Thing {
    fn plus(self, other: Thing) -> Thing {
        Thing { value: self.value + other.value, weight: self.weight + other.weight }
    }
}

impl Search for Knapsack {
    type Workspace = Packed;
    type Choices = Range<u8>;

    #[inline]
    fn choices(&self, packed: &mut Packed) -> Node<Range<u8>> {
        if packed.sum.weight > self.capacity || !self.bound.admits(self.reachable(packed)) {
            Node::Choices(0..0)
        } else if packed.packs.len() == self.things.len() {
            Node::Solution
        } else {
            Node::Choices(EACH)
        }
    }

    #[inline]
    fn apply(&self, packed: &mut Packed, choice: u8) {
        if choice == PACK {
            packed.sum = packed.sum.plus(self.things[self.order[packed.packs.len()]]);
        }
        packed.packs.push(choice == PACK);
    }

    #[inline]
    fn undo(&self, packed: &mut Packed, choice: u8) {
        packed.packs.pop();
        if choice == PACK {
            let Thing { value, weight } = self.things[self.order[packed.packs.len()]];
            packed.sum.value -= value;
            packed.sum.weight -= weight;
        }
    }
}
