//! The tree of forks of a real program, as it was recorded.

use super::{Extent, Node, Program, Shape};

/// Work without a fork in it, and how it ends. The segments of a branch come one after another; a fork is followed by
/// the segments of its first branch, those of its second branch, and what comes after the join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// How long the work took.
    pub work_ns: u64,
    /// Whether it forks. Otherwise its branch ends, or the program.
    pub forks: bool,
}

/// Segments that are not those of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordedError {
    /// The program has ended.
    #[error("expected nothing more after segment {0}, the end of the program; found another one")]
    Ended(u64),
    /// It has not.
    #[error("expected the ends of {open} more branches after segment {segments}; found the end")]
    Open {
        /// How many segments there are.
        segments: u64,
        /// How many branches have not ended.
        open: u64,
    },
    /// There are too many of them for a machine's memory.
    #[error("expected at most {MOST_SEGMENTS} segments; found more")]
    TooMany,
    /// Too many forks are inside each other for the stack of who walks the tree.
    #[error("expected at most {MOST_NESTED} forks inside each other; found one more at segment {0}")]
    TooDeep(u64),
    /// The work is longer than a simulated clock can count, with all overheads.
    #[error("expected less than 2^60 ns of work; found more")]
    TooLong,
}

/// A segment takes 48 bytes, so these take 3 GiB.
pub const MOST_SEGMENTS: usize = 1 << 26;

/// A fork takes some hundred bytes of stack where the tree is walked, a kilobyte without optimisation; the stack of a
/// thread has 2 MiB or more.
pub const MOST_NESTED: usize = 1 << 10;

/// A recorded program.
#[derive(Clone, Debug)]
pub struct Recorded {
    name: String,
    segments: Vec<Placed>,
}

#[derive(Clone, Copy, Debug)]
struct Placed {
    work_ns: u64,
    /// If it forks, where its second branch begins, and what comes after the join.
    fork: Option<(u32, u32)>,
    /// From here to the end of its branch.
    rest: Extent,
}

/// The part of a node that means a segment's fork without its work, and without what comes after the join.
const FORK: u64 = 1;

/// Puts segments together, one after another.
#[derive(Debug)]
pub struct Builder {
    segments: Vec<Placed>,
    /// The forks whose branches or rest are still open, and what has come of each.
    open: Vec<Open>,
    is_over: bool,
}

#[derive(Clone, Copy, Debug)]
enum Open {
    First(u32),
    Second(u32, u32),
    Rest,
}

impl Default for Builder {
    fn default() -> Self {
        Builder { segments: Vec::new(), open: vec![Open::Rest], is_over: false }
    }
}

impl Builder {
    /// Adds the next segment.
    ///
    /// # Errors
    ///
    /// If there cannot be one.
    pub fn add(&mut self, segment: Segment) -> Result<(), RecordedError> {
        let Segment { work_ns, forks } = segment;
        if self.is_over {
            return Err(RecordedError::Ended(self.segments.len() as u64));
        }
        if self.segments.len() == MOST_SEGMENTS {
            return Err(RecordedError::TooMany);
        }
        if forks && self.open.len() > MOST_NESTED {
            return Err(RecordedError::TooDeep(self.segments.len() as u64));
        }
        let place = self.segments.len() as u32;
        let next = place + 1;
        self.segments.push(Placed { work_ns, fork: None, rest: Extent::default() });
        if forks {
            self.open.push(Open::First(place));
        } else {
            match self.open.pop() {
                Some(Open::First(fork)) => self.open.push(Open::Second(fork, next)),
                Some(Open::Second(fork, second)) => {
                    self.segments[fork as usize].fork = Some((second, next));
                    // The branch of the fork goes on with its rest, which ends as it would have ended.
                }
                Some(Open::Rest) | None => {}
            }
            self.is_over = self.open.is_empty();
        }
        Ok(())
    }

    /// The program with this name.
    ///
    /// # Errors
    ///
    /// If branches have not ended.
    pub fn finish(self, name: String) -> Result<Recorded, RecordedError> {
        let Builder { mut segments, open, is_over } = self;
        if !is_over {
            let ends = |open: &Open| if matches!(open, Open::First(_)) { 2 } else { 1 };
            return Err(RecordedError::Open { segments: segments.len() as u64, open: open.iter().map(ends).sum() });
        }
        // What a segment needs to know comes after it.
        for place in (0..segments.len()).rev() {
            let Placed { work_ns, fork, .. } = segments[place];
            segments[place].rest = match fork {
                None => Extent { work_ns, forks: 0, leaves: 1 },
                Some((second, after)) => {
                    let [first, second, after] =
                        [place + 1, second as usize, after as usize].map(|place| segments[place].rest);
                    first.and(second).and(after).after(work_ns, 1)
                }
            };
        }
        if segments[0].rest.work_ns >= 1 << 60 {
            return Err(RecordedError::TooLong);
        }
        Ok(Recorded { name, segments })
    }
}

impl Program for Recorded {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn root(&self) -> Node {
        Node::default()
    }

    /// The node `id` is the branch from that segment on.
    fn open(&self, node: Node) -> Shape {
        let of = |place: u32| Node { id: place.into(), ..Node::default() };
        let Placed { work_ns, fork, .. } = self.segments[node.id as usize];
        match fork {
            None => Shape::Leaf { work_ns },
            Some((second, _)) if node.part == FORK => {
                Shape::Fork { work_ns: 0, first: of(node.id as u32 + 1), second: of(second) }
            }
            Some((_, after)) => Shape::Then { work_ns, first: Node { part: FORK, ..node }, then: of(after) },
        }
    }

    fn extent(&self, node: Node) -> Option<Extent> {
        let Placed { rest, fork, .. } = self.segments[node.id as usize];
        Some(match fork {
            Some((second, _)) if node.part == FORK => {
                let [first, second] = [node.id as usize + 1, second as usize].map(|place| self.segments[place].rest);
                first.and(second).after(0, 1)
            }
            _ => rest,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::totals::Totals;
    use super::*;

    /// The segments of a text: numbers are work; `(` forks, `|` ends the first branch, `)` the second one.
    fn built(text: &str) -> Result<Recorded, RecordedError> {
        let mut builder = Builder::default();
        let mut work_ns = 0;
        for character in text.chars().chain(['.']) {
            match character.to_digit(10) {
                Some(digit) => work_ns = work_ns * 10 + u64::from(digit),
                None => {
                    builder.add(Segment { work_ns, forks: character == '(' })?;
                    work_ns = 0;
                }
            }
        }
        builder.finish("recorded".into())
    }

    #[test]
    fn work_and_span_are_those_of_the_tree() {
        let totals = |text: &str| {
            let program = built(text).expect(text);
            let totals = Totals::of(&program, 1);
            let extent = program.extent(program.root()).expect("it is known");
            assert_eq!((extent.work_ns, extent.forks, extent.leaves), (totals.work_ns, totals.forks, totals.leaves));
            (totals.work_ns, totals.span_ns, totals.forks)
        };
        assert_eq!(totals("7"), (7, 7, 0));
        assert_eq!(totals("5(10|20)3"), (38, 5 + 1 + 20 + 3, 1));
        // The longer way is through the inner fork.
        assert_eq!(totals("1(2(3|4)5|6)7(8|9)10"), (55, 1 + 1 + (2 + 1 + 4 + 5) + 7 + 1 + 9 + 10, 3));
    }

    #[test]
    fn the_deepest_trees_can_be_walked() {
        let firsts = format!("{}1{}", "1(".repeat(MOST_NESTED), "|1)1".repeat(MOST_NESTED));
        let seconds = format!("{}1{}", "1(1|".repeat(MOST_NESTED), ")1".repeat(MOST_NESTED));
        for text in [firsts, seconds] {
            let program = built(&text).expect("a tree");
            assert_eq!(Totals::of(&program, 0).work_ns, 3 * MOST_NESTED as u64 + 1);
        }
    }

    #[test]
    fn what_is_no_tree_is_refused_with_its_place() {
        let refused = |text: &str| built(text).expect_err(text);
        assert_eq!(refused("1(2|3)4.5"), RecordedError::Ended(4));
        assert_eq!(refused("1(2"), RecordedError::Open { segments: 2, open: 2 });
        assert_eq!(refused("1(2|3"), RecordedError::Open { segments: 3, open: 1 });
        assert_eq!(refused("1(2(3|4)5"), RecordedError::Open { segments: 5, open: 2 });
        let deep = "1(".repeat(MOST_NESTED + 1);
        assert_eq!(refused(&deep), RecordedError::TooDeep(MOST_NESTED as u64));
        let long = format!("{}", 1_u64 << 60);
        assert_eq!(refused(&long), RecordedError::TooLong);
        let empty = Builder::default().finish("empty".into()).expect_err("there is no segment");
        assert_eq!(empty, RecordedError::Open { segments: 0, open: 1 });
    }
}
