//! Grows a program, node by node.

use super::powers::Powers;
use crate::stress::dice::Dice;
use crate::stress::program::{Form, ItemForm, Kind, LOCKS, Leaf, LoopForm, Node, ScopeForm};

/// In deeper programs, a build with sanitizers may overflow the stack of a thread.
const MAX_DEPTH: usize = 250;
/// At this depth combs turn into bushes, so that the depth limit leaves room for other constructs.
const COMB_DEPTH: usize = 150;
/// Loops have at most this many iterations that are nodes,
const MAX_ITERATIONS: usize = 200;
/// or two to this power cheap iterations.
const CHEAP_LOG2: usize = 15;
/// The body of a scope has at most this many consecutive parts.
const MAX_SCOPE_PARTS: usize = 12;
/// One task in this many is spawned by a thread created for it, which takes longer than most programs.
const SPAWNS_PER_STRANGER: usize = 50;

/// A program that is growing.
pub(super) struct Grower {
    dice: Dice,
    powers: Powers,
    /// The form of all forks, if the program uses only one.
    form: Option<Form>,
    panic_one_in: usize,
    sleep_one_in: usize,
    nodes: Vec<Node>,
    /// The open scopes, innermost last, and where they were opened.
    open: Vec<(usize, Place)>,
}

impl Grower {
    /// Nothing has grown yet.
    pub(super) fn new(
        dice: Dice,
        powers: Powers,
        form: Option<Form>,
        panic_one_in: usize,
        sleep_one_in: usize,
    ) -> Self {
        Self { dice, powers, form, panic_one_in, sleep_one_in, nodes: Vec::new(), open: Vec::new() }
    }

    /// Grows a program of about `size` nodes that starts on `pool`. Returns it with the dice.
    pub(super) fn grow(mut self, size: usize, pool: usize) -> (Vec<Node>, Dice) {
        let shape = self.shape();
        self.node(size, Place { depth: 0, pool, first_lock: 0, shape, reduction: None, within: 0, carried: false });
        (self.nodes, self.dice)
    }
}

/// A place in the program.
#[derive(Clone, Copy)]
struct Place {
    depth: usize,
    pool: usize,
    /// The mutexes with lower numbers may be held here.
    first_lock: usize,
    shape: Shape,
    /// The node with the innermost reducers.
    reduction: Option<usize>,
    /// The innermost task, visit or reduction: see [`Leaf::Put`].
    within: usize,
    /// Whether this is inside of a run into which a strand has been carried. Then all forks go through that strand,
    /// since a fork without a strand would belong to the run's own pool.
    carried: bool,
}

/// How a join divides the remaining size.
#[derive(Clone, Copy)]
enum Shape {
    Balanced,
    /// The first branch is deep, the second a leaf.
    LeftComb,
    /// The second branch is deep, the first a leaf.
    RightComb,
    Ragged,
}

impl Grower {
    /// Grows about `size` nodes and returns the number of the first one.
    fn node(&mut self, size: usize, place: Place) -> usize {
        let number = self.nodes.len();
        // The parts follow the node, so it is completed after they exist.
        self.nodes.push(Node { kind: Kind::Leaf(Leaf::Value(0)), end: 0 });
        let kind = if size <= 1 || place.depth >= MAX_DEPTH { self.leaf(place) } else { self.inner(size - 1, place) };
        self.nodes[number] = Node { kind, end: self.nodes.len() };
        number
    }

    fn inner(&mut self, size: usize, place: Place) -> Kind {
        let within = Place { depth: place.depth + 1, ..place };
        match self.dice.below(100) {
            0..8 => {
                let parts = 2 + self.dice.below(3);
                Kind::Sequence((0..parts).map(|_| self.node(size / parts, within)).collect())
            }
            8..13 => {
                let pool = self.pool(place.pool);
                Kind::Run { pool, part: self.node(size, Place { pool, carried: false, ..within }) }
            }
            13 => {
                let pool = self.pool(place.pool);
                Kind::Carry { pool, part: self.node(size, Place { carried: true, reduction: None, ..within }) }
            }
            14..18 => Kind::Catch(self.node(size, within)),
            18..24 if self.powers.locks && place.first_lock < LOCKS => {
                let lock = place.first_lock + self.dice.below(LOCKS - place.first_lock);
                Kind::Locked { lock, part: self.node(size, Place { first_lock: lock + 1, ..within }) }
            }
            24..28 if self.powers.awaits > 0 => {
                self.powers.awaits -= 1;
                self.join_that_awaits(size, within)
            }
            28..38 => {
                let form = self.loop_form(place);
                let items = self.items(size, within, form.is_unordered());
                let stop = self.stop(items.len()).filter(|_| form.stops());
                Kind::Loop { form, items, stop, broken: None }
            }
            38..44 => {
                let forms = [ItemForm::Strand, ItemForm::Try, ItemForm::Until, ItemForm::Free];
                let form = *self.dice.pick(if place.carried { &forms[..3] } else { &forms });
                let items = self.items(size, within, false);
                let stop = self.stop(items.len()).filter(|_| matches!(form, ItemForm::Try | ItemForm::Until));
                Kind::Items { form, items, stop, broken: None }
            }
            44..50 if self.powers.scopes && !place.carried => self.scope(size, within),
            50..58 if !self.open.is_empty() && !place.carried => self.spawn(size, within),
            58..61 if !place.carried => {
                let reduction = self.nodes.len() - 1;
                Kind::Reduce(self.node(size, Place { reduction: Some(reduction), within: reduction, ..within }))
            }
            _ => self.join(size, within),
        }
    }

    /// The iterations of a loop, possibly none.
    fn items(&mut self, size: usize, within: Place, is_unordered: bool) -> Vec<usize> {
        let count = self.dice.below(size.min(MAX_ITERATIONS) + 1);
        let item = |_| {
            let within = if is_unordered { Place { within: self.nodes.len(), ..within } } else { within };
            self.node(size / count, within)
        };
        (0..count).map(item).collect()
    }

    /// The index of the item that ends a loop.
    fn stop(&mut self, count: usize) -> Option<usize> {
        let stop = self.dice.below(2 * count.max(1));
        Some(stop).filter(|&stop| stop < count)
    }

    /// The last node that was begun becomes a scope.
    fn scope(&mut self, size: usize, within: Place) -> Kind {
        use ScopeForm::{Free, FreeFifo, Strand, StrandFifo};
        let form = *self.dice.pick(&[Strand, StrandFifo, Free, FreeFifo]);
        self.open.push((self.nodes.len() - 1, within));
        let body = self.nodes.len();
        self.nodes.push(Node { kind: Kind::Leaf(Leaf::Value(0)), end: 0 });
        let count = 1 + self.dice.below(size.min(MAX_SCOPE_PARTS));
        let parts = (0..count).map(|_| {
            let part = self.nodes.len();
            if self.dice.one_in(2) {
                return self.node(size / count, within);
            }
            self.nodes.push(Node { kind: Kind::Leaf(Leaf::Value(0)), end: 0 });
            let kind = self.spawn(size / count, within);
            self.nodes[part] = Node { kind, end: self.nodes.len() };
            part
        });
        let parts = parts.collect();
        self.nodes[body] = Node { kind: Kind::Sequence(parts), end: self.nodes.len() };
        self.open.pop();
        Kind::Scope { pool: within.pool, form, body }
    }

    /// A task for one of the open scopes.
    fn spawn(&mut self, size: usize, within: Place) -> Kind {
        // Mostly the innermost one.
        let level = self.open.len() - 1 - self.dice.below(self.open.len()).min(self.dice.below(self.open.len()));
        let (scope, opened) = self.open[level];
        let further_in = self.open.split_off(level + 1);
        let task = self.nodes.len();
        let Place { pool, first_lock, reduction, .. } = opened;
        let place = Place { pool, first_lock, reduction, within: task, carried: false, ..within };
        if self.powers.panics && self.dice.one_in(2) {
            // Otherwise, few scopes would have more than one task that may panic.
            self.nodes.push(Node { kind: Kind::Leaf(Leaf::Value(0)), end: 0 });
            let part = self.node(size, place);
            self.nodes[task] = Node { kind: Kind::Catch(part), end: self.nodes.len() };
        } else {
            self.node(size, place);
        }
        self.open.extend(further_in);
        Kind::Spawn { scope, task, from_elsewhere: self.dice.one_in(SPAWNS_PER_STRANGER) }
    }

    fn join(&mut self, size: usize, mut within: Place) -> Kind {
        if self.dice.one_in(50) {
            within.shape = self.shape();
        }
        let shape = if within.depth < COMB_DEPTH { within.shape } else { Shape::Balanced };
        let size_a = match shape {
            Shape::Balanced => size / 2,
            Shape::LeftComb => size - 1,
            Shape::RightComb => 1,
            Shape::Ragged => 1 + self.dice.below(size),
        };
        let form = self.form(within);
        let a = self.node(size_a, within);
        Kind::Join { form, a, b: self.node(size - size_a.min(size), within), charge: None }
    }

    /// A join whose first branch is a leaf that waits for the second branch to start.
    fn join_that_awaits(&mut self, size: usize, within: Place) -> Kind {
        let form = self.form(within);
        let a = self.nodes.len();
        let b = a + 1;
        self.nodes.push(Node { kind: Kind::Leaf(Leaf::Await(self.dice.number(), b)), end: b });
        Kind::Join { form, a, b: self.node(size, within), charge: None }
    }

    fn leaf(&mut self, place: Place) -> Kind {
        let value = self.dice.number();
        if self.powers.panics && self.dice.one_in(self.panic_one_in) {
            return Kind::Leaf(Leaf::Panic { value, explosive: self.dice.one_in(2) });
        }
        if self.dice.one_in(self.sleep_one_in) {
            return Kind::Leaf(Leaf::Sleep(value, self.dice.below(50) as u32));
        }
        Kind::Leaf(match self.dice.below(40) {
            0..3 => Leaf::Yield(value),
            3..10 => Leaf::Spin(value, self.dice.below(200) as u32),
            10..16 if self.powers.locks && place.first_lock < LOCKS => {
                Leaf::Lock(value, place.first_lock + self.dice.below(LOCKS - place.first_lock))
            }
            18..30 if place.reduction.is_some() => {
                Leaf::Put { value, reduction: place.reduction.expect("seen above"), within: place.within }
            }
            16..18 if !place.carried => Leaf::Sum(value, self.dice.size(CHEAP_LOG2) as u64),
            _ => Leaf::Value(value),
        })
    }

    fn shape(&mut self) -> Shape {
        *self.dice.pick(&[Shape::Balanced, Shape::LeftComb, Shape::RightComb, Shape::Ragged])
    }

    fn form(&mut self, place: Place) -> Form {
        if place.carried {
            // Workers have other numbers in other pools, so the contexts of branches cannot be checked.
            return Form::Strand;
        }
        let form = *self.dice.pick(&[Form::Strand, Form::Strand, Form::StrandContext, Form::Free, Form::FreeContext]);
        self.form.unwrap_or(form)
    }

    fn loop_form(&mut self, place: Place) -> LoopForm {
        use LoopForm::{Find, FreeEach, FreeReduce, StrandEach, StrandReduce, Traverse, Try, Until};
        use LoopForm::{Search, SearchAny, Speculate};
        let forms =
            [StrandReduce, StrandEach, Try, Until, FreeReduce, FreeEach, Traverse, Find, Search, SearchAny, Speculate];
        // Children of speculations are tasks, as those of scopes are.
        let end = if place.carried { 4 } else { forms.len() - usize::from(!self.powers.scopes) };
        *self.dice.pick(&forms[..end])
    }

    /// The pool of a run nested on `pool`.
    fn pool(&mut self, pool: usize) -> usize {
        let first = if self.powers.nest_any { 0 } else { pool };
        first + self.dice.below(self.powers.pools - first)
    }
}
