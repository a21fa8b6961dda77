//! The reducers of a program. Their operations do not commute, so a wrong order is detected.

use std::sync::Arc;

use filch::Reducer;
use filch::monoids::{Append, Monoid};

use crate::stress::program::{Kind, Leaf, Matrix, Program};
use crate::stress::run_log::{Role, RunLog, Value};

/// The product of matrices.
struct Product<'e> {
    run_log: &'e RunLog,
    node: usize,
    multiply: fn(Matrix, Matrix) -> Matrix,
}

impl Monoid for Product<'_> {
    type View = Matrix;

    fn identity(&self) -> Matrix {
        self.run_log.callback(self.node);
        Matrix::IDENTITY
    }

    fn combine(&self, left: &mut Matrix, right: Matrix) {
        self.run_log.callback(self.node + 1);
        *left = (self.multiply)(*left, right);
    }
}

/// One reducer of each kind.
pub(super) struct Reducers<'e> {
    /// The node whose parts put values into the reducers.
    node: usize,
    run_log: &'e Arc<RunLog>,
    list: Reducer<Append<Vec<Value<'e>>>>,
    text: Reducer<Append<String>>,
    /// Has only the values that come in the serial order, since the order of what tasks put is nondeterministic.
    product: Reducer<Product<'e>>,
}

impl<'e> Reducers<'e> {
    pub(super) fn new(node: usize, run_log: &'e Arc<RunLog>, multiply: fn(Matrix, Matrix) -> Matrix) -> Self {
        let product = Reducer::new(Product { run_log, node, multiply });
        Self { node, run_log, list: Reducer::new(Append::new()), text: Reducer::new(Append::new()), product }
    }

    /// Puts a value into all reducers. `within` is the innermost task or visit that contains the node, as in
    /// [`Leaf::Put`].
    pub(super) fn put(&self, node: usize, value: u64, within: usize) {
        self.list.put(vec![Value::new(value, self.run_log, node, Role::Put, None)]);
        self.text.update(|text| text.push_str(&format!("{node} ")));
        if within == self.node {
            self.product.put(Matrix::of(value));
        }
    }

    /// Compares the results of the reducers with each other, and their order with that of the program. the run log
    /// detects missing values at the end.
    pub(super) fn end(self, program: &Program) {
        let list = self.list.into_inner();
        let numbers: Vec<usize> = list.iter().map(Value::node).collect();
        let text = self.text.into_inner();
        let read: Vec<usize> = text.split_whitespace().filter_map(|number| number.parse().ok()).collect();
        let mut product = Matrix::IDENTITY;
        let mut last = vec![None; program.nodes.len()];
        for (&number, value) in numbers.iter().zip(&list) {
            let Kind::Leaf(Leaf::Put { within, .. }) = program.nodes[number].kind else { continue };
            if last[within].replace(number) > Some(number) {
                self.run_log.fault(format!("reducers of node {}: the part of node {number} came too late", self.node));
            }
            if within == self.node {
                product = product.times(Matrix::of(value.bits()));
            }
            self.run_log.is_reduced(number);
        }
        let sorted = |mut numbers: Vec<usize>| {
            numbers.sort_unstable();
            numbers
        };
        let in_order = |numbers: &[usize]| -> Vec<usize> {
            let is_in_order = |number: &usize| match program.nodes[*number].kind {
                Kind::Leaf(Leaf::Put { within, .. }) => within == self.node,
                _ => false,
            };
            numbers.iter().copied().filter(is_in_order).collect()
        };
        if in_order(&numbers) != in_order(&read) || sorted(numbers) != sorted(read) {
            self.run_log.fault(format!("reducers of node {}: text and list differ", self.node));
        }
        if self.product.into_inner() != product {
            self.run_log
                .fault(format!("reducers of node {}: the matrices were multiplied in another order", self.node));
        }
    }
}
