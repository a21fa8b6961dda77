//! Memory-bound programs: they divide arrays in halves, down to leaves with known touches (the programs of Chen, Huang,
//! Guo and Zhou 2011, table III, that the paper calls memory-bound).

use super::{Extent, Node, Program, Shape, Share, Touch, Touches};

/// The bytes of a number, `double` in the paper.
const NUMBER: u64 = 8;

/// The steps of a program on the rows of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sweep {
    /// Five-point heat: each step reads one matrix, with a row more on both sides, and writes another one.
    Heat,
    /// Red/black successive over-relaxation: each step is two sweeps over one matrix.
    Sor,
    /// Gaussian elimination: step k subtracts row k from those below it.
    Gauss,
}

/// A matrix whose rows are divided in halves in every step, one step after the other.
#[derive(Clone, Debug)]
pub struct Matrix {
    sweep: Sweep,
    rows: u64,
    columns: u64,
    /// The most rows of a leaf.
    grain: u64,
    steps: u64,
    point_ns: u64,
}

/// A node with this in its part is a range of rows in a step, whose number is below; one without is a step and all
/// later ones. It is among the bits that a phase of a sequence may use.
const ROWS: u64 = 1 << 32;

impl Matrix {
    /// A matrix of so many rows and columns, divided down to `grain` rows, where each point takes `point_ns`. There is
    /// at least one of each, and there are fewer than 2³¹ rows and steps. `steps` is not used by [`Sweep::Gauss`],
    /// which has a step for each row but the last.
    pub fn new(sweep: Sweep, [rows, columns]: [u64; 2], grain: u64, steps: u64, point_ns: u64) -> Self {
        let steps = match sweep {
            Sweep::Heat => steps,
            Sweep::Sor => 2 * steps,
            Sweep::Gauss => rows.saturating_sub(1).max(1),
        };
        Matrix { sweep, rows, columns, grain, steps, point_ns }
    }

    fn row_bytes(&self) -> u64 {
        self.columns * NUMBER
    }

    /// The rows from which a step begins.
    fn first_row(&self, step: u64) -> u64 {
        if self.sweep == Sweep::Gauss { (step + 1).min(self.rows - 1) } else { 0 }
    }
}

impl Program for Matrix {
    fn name(&self) -> String {
        let Matrix { sweep, rows, columns, grain, steps, point_ns } = self;
        let (name, steps) = match sweep {
            Sweep::Heat => ("heat", format!(",steps={steps}")),
            Sweep::Sor => ("sor", format!(",steps={}", steps / 2)),
            Sweep::Gauss => ("gauss", String::new()),
        };
        format!("{name}:{rows},{columns},rows={grain}{steps},point={point_ns}ns")
    }

    fn root(&self) -> Node {
        Node::default()
    }

    fn open(&self, node: Node) -> Shape {
        let Node { id, size, part } = node;
        if part < ROWS {
            let first = self.first_row(part);
            let step = Node { id: first, size: self.rows - first, part: ROWS | part };
            return match part + 1 {
                next if next < self.steps => Shape::Then { work_ns: 0, first: step, then: Node { part: next, ..node } },
                _ => Shape::Tail { work_ns: 0, next: step },
            };
        }
        if size <= self.grain {
            let columns = match self.sweep {
                Sweep::Heat => self.columns,
                // Every second point.
                Sweep::Sor => self.columns.div_ceil(2),
                Sweep::Gauss => self.columns - (part & !ROWS).min(self.columns - 1),
            };
            return Shape::Leaf { work_ns: size * columns * self.point_ns };
        }
        let half = size / 2;
        Shape::Fork {
            work_ns: 0,
            first: Node { size: half, ..node },
            second: Node { id: id + half, size: size - half, part },
        }
    }

    fn extent(&self, _node: Node) -> Option<Extent> {
        None
    }

    fn data_bytes(&self) -> u64 {
        self.rows * self.row_bytes()
    }

    fn share(&self, Node { id, size, part }: Node) -> Option<Share> {
        (part >= ROWS).then(|| Share { part: id..id + size, items: self.rows })
    }

    fn touches(&self, node: Node) -> Touches<'_> {
        let Node { id, size, part } = node;
        if part < ROWS || size > self.grain {
            return Touches::NOTHING;
        }
        let step = part & !ROWS;
        let rows = |first: u64, last: u64| first * self.row_bytes()..last * self.row_bytes();
        let around = rows(id.saturating_sub(1), (id + size + 1).min(self.rows));
        Touches::Drawn(match self.sweep {
            Sweep::Heat => {
                let [from, to] = if step.is_multiple_of(2) { [0, self.data_bytes()] } else { [self.data_bytes(), 0] };
                let own = rows(id, id + size);
                [Touch::read(from + around.start, from + around.end), Touch::write(to + own.start, to + own.end)]
            }
            Sweep::Sor => {
                let own = rows(id, id + size);
                [Touch::read(around.start, around.end), Touch::write(own.start, own.end)]
            }
            Sweep::Gauss => {
                let (pivot, own) = (rows(step, step + 1), rows(id, id + size));
                [Touch::read(pivot.start, pivot.end), Touch::write(own.start, own.end)]
            }
        })
    }
}

/// Merge sort: the halves are sorted in parallel, and then merged into another array, in parallel, too.
#[derive(Clone, Debug)]
pub struct Mergesort {
    numbers: u64,
    grain: u64,
    point_ns: u64,
}

/// The parts of a node: it is sorted, its halves are, or it is merged.
const SORT: u64 = 0;
const HALVES: u64 = 1;
const MERGE: u64 = 2;

impl Mergesort {
    /// This many numbers, divided down to `grain`; on each level, moving a number takes `point_ns`.
    pub fn new(numbers: u64, grain: u64, point_ns: u64) -> Self {
        Mergesort { numbers, grain, point_ns }
    }

    /// How often a range of this size is merged above its leaves. The two arrays take turns.
    fn levels(&self, size: u64) -> u64 {
        u64::from(size.div_ceil(self.grain).next_power_of_two().trailing_zeros())
    }
}

impl Program for Mergesort {
    fn name(&self) -> String {
        let Mergesort { numbers, grain, point_ns } = self;
        format!("mergesort:{numbers},leaf={grain},point={point_ns}ns")
    }

    fn root(&self) -> Node {
        Node { size: self.numbers, ..Node::default() }
    }

    fn open(&self, node: Node) -> Shape {
        let Node { id, size, part } = node;
        // The kind, and for a part of a merge how large the whole is.
        let (kind, whole) = (part % 4, part / 4);
        let half = size / 2;
        let fork = |part| Shape::Fork {
            work_ns: 0,
            first: Node { id, size: half, part },
            second: Node { id: id + half, size: size - half, part },
        };
        match kind {
            SORT if size <= self.grain => {
                Shape::Leaf { work_ns: size * self.point_ns * u64::from(size.max(2).ilog2()) }
            }
            SORT => Shape::Then {
                work_ns: 0,
                first: Node { part: HALVES, ..node },
                then: Node { part: MERGE + 4 * size, ..node },
            },
            HALVES => fork(SORT),
            _ if size <= self.grain => Shape::Leaf { work_ns: size * self.point_ns },
            _ => fork(MERGE + 4 * whole),
        }
    }

    fn extent(&self, _node: Node) -> Option<Extent> {
        None
    }

    fn data_bytes(&self) -> u64 {
        self.numbers * NUMBER
    }

    fn share(&self, Node { id, size, .. }: Node) -> Option<Share> {
        Some(Share { part: id..id + size, items: self.numbers })
    }

    fn touches(&self, node: Node) -> Touches<'_> {
        let Node { id, size, part } = node;
        let range =
            |array: u64| array * self.data_bytes() + id * NUMBER..array * self.data_bytes() + (id + size) * NUMBER;
        match part % 4 {
            SORT | MERGE if size > self.grain => Touches::NOTHING,
            SORT => Touches::Drawn([Touch::write(range(0).start, range(0).end), Touch::NOTHING]),
            MERGE => {
                let to = self.levels(part / 4) % 2;
                let (from, to) = (range(1 - to), range(to));
                Touches::Drawn([Touch::read(from.start, from.end), Touch::write(to.start, to.end)])
            }
            _ => Touches::NOTHING,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::totals::Totals;
    use super::*;

    /// The bytes that the leaves below `node` touch, each as often as it is touched.
    fn touched(program: &dyn Program, node: Node) -> u64 {
        let own: u64 = program.touches(node).iter().map(|touch| touch.end - touch.begin).sum();
        own + match program.open(node) {
            Shape::Leaf { .. } => 0,
            Shape::Tail { next, .. } => touched(program, next),
            Shape::Fork { first, second, .. } | Shape::Then { first, then: second, .. } => {
                touched(program, first) + touched(program, second)
            }
        }
    }

    #[test]
    fn heat_reads_each_row_once_and_its_borders_again_and_writes_each_row_once() {
        let (rows, columns, steps) = (64, 32, 3);
        let heat = Matrix::new(Sweep::Heat, [rows, columns], 8, steps, 2);
        let totals = Totals::of(&heat, 0);
        assert_eq!((totals.leaves, totals.work_ns), (8 * steps, rows * columns * steps * 2));
        assert_eq!(totals.span_ns, steps * 8 * columns * 2);
        let borders = 2 * 8 - 2;
        assert_eq!(touched(&heat, heat.root()), steps * (2 * rows + borders) * columns * NUMBER);
    }

    #[test]
    fn gauss_has_the_operations_of_its_formula() {
        let n = 40;
        let gauss = Matrix::new(Sweep::Gauss, [n, n], 4, 1, 1);
        let operations: u64 = (0..n - 1).map(|k| (n - 1 - k) * (n - k)).sum();
        assert_eq!(Totals::of(&gauss, 0).work_ns, operations);
    }

    #[test]
    fn mergesort_touches_both_arrays_on_each_level() {
        let (numbers, grain) = (1024, 64);
        let sort = Mergesort::new(numbers, grain, 1);
        let totals = Totals::of(&sort, 0);
        assert_eq!(totals.work_ns, numbers * 6 + numbers * 4, "log2 64 levels in leaves, and 4 above");
        assert_eq!(touched(&sort, sort.root()), numbers * NUMBER * (1 + 2 * 4));
    }
}
