//! The tree of forks of a real program, as it was recorded, with what each segment touched.

use std::num::NonZeroU32;
use std::ops::Range;

use super::regions::Regions;
use super::{Extent, Node, Program, Shape, Touch, Touches};

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
    /// There are too many of them for the memory of a machine.
    #[error("expected at most {MOST_SEGMENTS} segments; found more")]
    TooMany,
    /// Forks are nested too deeply for the stack of the thread that walks the tree.
    #[error("expected at most {MOST_NESTED} forks inside each other; found one more at segment {0}")]
    TooDeep(u64),
    /// There are too many of them for the memory of a machine.
    #[error("expected at most {MOST_TOUCHES} touches of memory; found more")]
    TooManyTouches,
    /// It would be more memory than a machine has.
    #[error("expected at most 2^{} bytes of memory that are touched; found more", MOST_BYTES.ilog2())]
    TooMuchMemory,
    /// A range of addresses is empty, or does not end, or ends too high.
    #[error("expected a range of addresses up to 2^{}; found {begin} to {end}", HIGHEST.ilog2())]
    Addresses {
        /// Where it begins.
        begin: u64,
        /// Where it ends.
        end: u64,
    },
    /// The work is longer than a simulated clock can count, with all overheads.
    #[error("expected less than 2^60 ns of work; found more")]
    TooLong,
}

/// A segment takes 48 bytes, so these take 3 GiB.
pub const MOST_SEGMENTS: usize = 1 << 26;

/// A touch takes 24 bytes, and at most as many again for where it is, so these take 3 GiB.
pub const MOST_TOUCHES: usize = 1 << 26;

/// The memory of all that is touched. For each block the simulator needs 4 bytes, and 8 for each socket: 64 MiB, and
/// 128 MiB for each socket.
pub const MOST_BYTES: u64 = 1 << 36;

/// The end of the address space. No machine has as many addresses, and their sums do not overflow.
pub const HIGHEST: u64 = 1 << 62;

/// A fork takes some hundred bytes of stack where the tree is walked, a kilobyte without optimisation; the stack of a
/// thread has 2 MiB or more.
pub const MOST_NESTED: usize = 1 << 10;

/// A recorded program.
#[derive(Clone, Debug)]
pub struct Recorded {
    name: String,
    segments: Vec<Placed>,
    /// Those of all segments, one segment after another.
    touches: Vec<Touch>,
    memory_bytes: u64,
    data_bytes: u64,
}

#[derive(Clone, Copy, Debug)]
struct Placed {
    work_ns: u64,
    /// If it forks, where its second branch begins, and what comes after the join.
    fork: Option<(NonZeroU32, NonZeroU32)>,
    /// Where its touches end, and those of the next segment begin.
    touches_end: u32,
    /// Whether memory is touched from here to the end of its branch, and the amount of work.
    rest_touches: bool,
    rest: Extent,
}

/// The part of a node that means a segment's fork without its work, and without what comes after the join.
const FORK: u64 = 1;

/// Puts segments together, one after another.
#[derive(Debug)]
pub struct Builder {
    segments: Vec<Placed>,
    touches: Vec<Touch>,
    regions: Regions,
    /// The forks whose branches or rest are still open, with the state of each.
    open: Vec<Open>,
    is_over: bool,
}

#[derive(Clone, Copy, Debug)]
enum Open {
    First(u32),
    Second(u32, NonZeroU32),
    Rest,
}

impl Default for Builder {
    fn default() -> Self {
        let (segments, touches, regions) = Default::default();
        Builder { segments, touches, regions, open: vec![Open::Rest], is_over: false }
    }
}

impl Builder {
    /// Adds something that the next segment touches. Only the blocks in which its addresses are matter to a simulation.
    ///
    /// # Errors
    ///
    /// If it is no range of addresses, or if there are too many or too large ones.
    pub fn touch(&mut self, touch: Touch) -> Result<(), RecordedError> {
        let Touch { begin, end, .. } = touch;
        if begin >= end || end > HIGHEST {
            return Err(RecordedError::Addresses { begin, end });
        }
        if self.touches.len() == MOST_TOUCHES {
            return Err(RecordedError::TooManyTouches);
        }
        self.regions.add(touch);
        if self.regions.bytes() > MOST_BYTES {
            return Err(RecordedError::TooMuchMemory);
        }
        self.touches.push(touch);
        Ok(())
    }

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
        let next = NonZeroU32::MIN.saturating_add(place);
        let touches_end = self.touches.len() as u32;
        self.segments.push(Placed { work_ns, fork: None, touches_end, rest_touches: false, rest: Extent::default() });
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

    /// The program with this name, which divides an array of `data_bytes`, or 0 if that is not known.
    ///
    /// # Errors
    ///
    /// If branches have not ended.
    pub fn finish(self, name: String, data_bytes: u64) -> Result<Recorded, RecordedError> {
        let Builder { mut segments, mut touches, regions, open, is_over } = self;
        if !is_over {
            let ends = |open: &Open| if matches!(open, Open::First(_)) { 2 } else { 1 };
            return Err(RecordedError::Open { segments: segments.len() as u64, open: open.iter().map(ends).sum() });
        }
        // What a segment needs to know comes after it.
        for place in (0..segments.len()).rev() {
            let Placed { work_ns, fork, .. } = segments[place];
            let touches = !touched(&segments, place).is_empty();
            (segments[place].rest, segments[place].rest_touches) = match fork {
                None => (Extent { work_ns, forks: 0, leaves: 1 }, touches),
                Some((second, after)) => {
                    let [first, second, after] = [place + 1, index(second), index(after)].map(|place| segments[place]);
                    let rest = first.rest.and(second.rest).and(after.rest).after(work_ns, 1);
                    (rest, touches || [first, second, after].iter().any(|it| it.rest_touches))
                }
            };
        }
        if segments[0].rest.work_ns >= 1 << 60 {
            return Err(RecordedError::TooLong);
        }
        regions.close_up(&mut touches);
        Ok(Recorded { name, segments, touches, memory_bytes: regions.bytes(), data_bytes })
    }
}

fn index(place: NonZeroU32) -> usize {
    place.get() as usize
}

/// Which of all touches are those of a segment.
fn touched(segments: &[Placed], place: usize) -> Range<usize> {
    let begin = place.checked_sub(1).map_or(0, |before| segments[before].touches_end);
    begin as usize..segments[place].touches_end as usize
}

impl Recorded {
    /// The same program without what it touches, so that the extents of all its trees are known.
    #[must_use]
    pub fn without_touches(mut self) -> Self {
        for segment in &mut self.segments {
            (segment.touches_end, segment.rest_touches) = (0, false);
        }
        Recorded { touches: Vec::new(), memory_bytes: 0, ..self }
    }

    /// The amount of work below a node, and whether memory is touched there.
    fn below(&self, node: Node) -> (Extent, bool) {
        let Placed { rest, rest_touches, fork, .. } = self.segments[node.id as usize];
        match fork {
            Some((second, _)) if node.part == FORK => {
                let [first, second] = [node.id as usize + 1, index(second)].map(|place| self.segments[place]);
                (first.rest.and(second.rest).after(0, 1), first.rest_touches || second.rest_touches)
            }
            _ => (rest, rest_touches),
        }
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
        let of = |place: NonZeroU32| Node { id: place.get().into(), ..Node::default() };
        let Placed { work_ns, fork, .. } = self.segments[node.id as usize];
        match fork {
            None => Shape::Leaf { work_ns },
            Some((second, _)) if node.part == FORK => {
                Shape::Fork { work_ns: 0, first: Node { id: node.id + 1, ..Node::default() }, second: of(second) }
            }
            Some((_, after)) => Shape::Then { work_ns, first: Node { part: FORK, ..node }, then: of(after) },
        }
    }

    fn extent(&self, node: Node) -> Option<Extent> {
        let (extent, touches) = self.below(node);
        (!touches).then_some(extent)
    }

    /// A program that touches nothing counts as bound by the processor.
    fn data_bytes(&self) -> u64 {
        if self.touches.is_empty() { 0 } else { self.data_bytes }
    }

    fn memory_bytes(&self) -> u64 {
        self.memory_bytes
    }

    fn touches(&self, node: Node) -> Touches<'_> {
        if node.part == FORK {
            return Touches::NOTHING;
        }
        Touches::Recorded(&self.touches[touched(&self.segments, node.id as usize)])
    }

    fn least_ns(&self, node: Node) -> u64 {
        self.below(node).0.work_ns
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
        builder.finish("recorded".into(), 0)
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
    fn a_segment_touches_what_was_recorded_and_no_extent_is_known_around_it() {
        let array = |number: u64| Touch::write(number << 20, (number << 20) + 4096);
        let mut builder = Builder::default();
        // 1(2|3)4: the fork's own segment touches the second array, and its second branch two.
        for (work_ns, forks, touches) in
            [(1, true, &[array(2)][..]), (2, false, &[]), (3, false, &[array(1), array(3)]), (4, false, &[])]
        {
            touches.iter().for_each(|&touch| builder.touch(touch).expect("a range"));
            builder.add(Segment { work_ns, forks }).expect("a segment");
        }
        let program = builder.finish("recorded".into(), 77).expect("a tree");
        assert_eq!((program.memory_bytes(), program.data_bytes()), (3 * 4096, 77));
        let node = |id, part| Node { id, part, ..Node::default() };
        let closed = |number: u64| Touch::write(number * 4096, (number + 1) * 4096);
        let of = |node| (program.touches(node).to_vec(), program.extent(node).is_some(), program.least_ns(node));
        assert_eq!(of(program.root()), (vec![closed(1)], false, 10));
        assert_eq!(of(node(0, FORK)), (vec![], false, 5));
        assert_eq!(of(node(1, 0)), (vec![], true, 2));
        assert_eq!(of(node(2, 0)), (vec![closed(0), closed(2)], false, 3));
        assert_eq!(of(node(3, 0)), (vec![], true, 4));
        let bare = program.without_touches();
        assert_eq!((bare.memory_bytes(), bare.data_bytes(), bare.touches(bare.root()).len()), (0, 0, 0));
        assert_eq!(bare.extent(bare.root()), Some(Extent { work_ns: 10, forks: 1, leaves: 3 }));
    }

    #[test]
    fn what_cannot_be_touched_is_refused() {
        let refused = |touch| Builder::default().touch(touch).expect_err("it is no range");
        assert_eq!(refused(Touch::read(5, 5)), RecordedError::Addresses { begin: 5, end: 5 });
        assert_eq!(refused(Touch::read(9, 5)), RecordedError::Addresses { begin: 9, end: 5 });
        let high = HIGHEST + 1;
        assert_eq!(refused(Touch::read(0, high)), RecordedError::Addresses { begin: 0, end: high });
        assert_eq!(refused(Touch::read(0, HIGHEST)), RecordedError::TooMuchMemory);
        assert!(size_of::<Placed>() <= 48 && size_of::<Touch>() == 24, "as the limits say");
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
        let empty = Builder::default().finish("empty".into(), 0).expect_err("there is no segment");
        assert_eq!(empty, RecordedError::Open { segments: 0, open: 1 });
    }
}
