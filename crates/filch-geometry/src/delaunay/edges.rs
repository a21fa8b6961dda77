//! Edges of a planar subdivision: two half-edges for each, one from each end.
//!
//! Half-edges with the same origin are linked in a ring, counterclockwise. The half-edges of edge `i` are `2 i` and
//! `2 i + 1`. That is a quad-edge structure (Guibas and Stolfi 1985) without the dual edges.
//!
//! A subdivision of n points has fewer than 3 n edges. So each point brings room for three, and part of the points has
//! the edges that are in the room of its points: parts that are next to each other are joined without moving anything.

/// The half-edges in the room of a point.
pub(super) const PER_POINT: usize = 6;

/// No half-edge, or no point.
pub(super) const NONE: u32 = u32::MAX;

/// A half-edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Half {
    /// The point that it begins at; `NONE` if this is room for an edge.
    pub(super) origin: u32,
    /// The next one of its ring, counterclockwise. In room for an edge, the next such room.
    pub(super) next: u32,
    /// The previous one of its ring. In room for an edge, some half-edge.
    pub(super) previous: u32,
}

impl Half {
    /// What is in the room of points at first.
    pub(super) fn room(index: usize) -> Half {
        Half { origin: NONE, next: (index as u32).wrapping_add(2), previous: index as u32 }
    }
}

/// The other half of the same edge.
#[inline(always)]
pub(super) fn twin(half: u32) -> u32 {
    half ^ 1
}

/// Room for edges, as a list that is never empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct Free {
    head: u32,
    tail: u32,
}

/// The points of a range, and the half-edges in their room.
pub(super) struct Edges<'a> {
    /// The index of the first point.
    pub(super) first: u32,
    pub(super) points: &'a [[f64; 2]],
    pub(super) halves: &'a mut [Half],
}

impl Edges<'_> {
    #[inline(always)]
    pub(super) fn point(&self, index: u32) -> [f64; 2] {
        self.points[(index - self.first) as usize]
    }

    #[inline(always)]
    fn place(&self, half: u32) -> usize {
        half as usize - self.first as usize * PER_POINT
    }

    #[inline(always)]
    fn half(&self, half: u32) -> Half {
        self.halves[self.place(half)]
    }

    #[inline(always)]
    fn half_mut(&mut self, half: u32) -> &mut Half {
        let place = self.place(half);
        &mut self.halves[place]
    }

    #[inline(always)]
    pub(super) fn origin(&self, half: u32) -> u32 {
        self.half(half).origin
    }

    #[inline(always)]
    pub(super) fn target(&self, half: u32) -> u32 {
        self.half(twin(half)).origin
    }

    #[inline(always)]
    pub(super) fn next(&self, half: u32) -> u32 {
        self.half(half).next
    }

    #[inline(always)]
    pub(super) fn previous(&self, half: u32) -> u32 {
        self.half(half).previous
    }

    /// The room of the points that begin at `first`.
    pub(super) fn free(first: u32, count: usize) -> Free {
        let head = first * PER_POINT as u32;
        Free { head, tail: head + (count * PER_POINT) as u32 - 2 }
    }

    /// Puts `b` behind `a`.
    pub(super) fn append(&mut self, a: Free, b: Free) -> Free {
        self.half_mut(a.tail).next = b.head;
        Free { head: a.head, tail: b.tail }
    }

    /// A new edge, as its half from `origin` to `target`, in no ring yet.
    #[inline(always)]
    pub(super) fn add(&mut self, free: &mut Free, origin: u32, target: u32) -> u32 {
        let half = free.head;
        free.head = self.next(half);
        *self.half_mut(half) = Half { origin, next: half, previous: half };
        *self.half_mut(twin(half)) = Half { origin: target, next: twin(half), previous: twin(half) };
        half
    }

    /// Removes an edge.
    #[inline(always)]
    pub(super) fn remove(&mut self, free: &mut Free, half: u32) {
        for half in [half, twin(half)] {
            let Half { next, previous, .. } = self.half(half);
            self.half_mut(next).previous = previous;
            self.half_mut(previous).next = next;
            self.half_mut(half).origin = NONE;
        }
        // There is always room, so the list is not empty.
        let half = half & !1;
        self.half_mut(half).next = free.head;
        free.head = half;
    }

    /// Puts a half-edge that is in no ring behind another one, counterclockwise.
    #[inline(always)]
    pub(super) fn insert_after(&mut self, place: u32, half: u32) {
        let next = self.next(place);
        self.half_mut(half).next = next;
        self.half_mut(half).previous = place;
        self.half_mut(place).next = half;
        self.half_mut(next).previous = half;
    }
}
