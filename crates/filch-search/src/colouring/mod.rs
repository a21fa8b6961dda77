//! Graph colouring, by branch and bound.

mod dimacs;

use crate::read::Fault;
use filch::{Bits, Bound, Node, Search};

/// The problem to colour the vertices of a graph with as few colours as possible, so that neighbours differ.
///
/// The next vertex is the one whose neighbours have the most different colours; of several, the one with the most
/// neighbours (Brélaz 1979). It gets one of the colours that are in use, or one new one.
///
/// ```
/// use filch_search::Colouring;
///
/// let cycle = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)];
/// let (count, colours) = Colouring::new(5, &cycle).unwrap().best().unwrap();
/// assert!(count == 3 && cycle.iter().all(|&(a, b)| colours[a] != colours[b]));
/// ```
#[derive(Debug)]
pub struct Colouring {
    neighbours: Vec<Vec<u32>>,
    edges: usize,
    /// How many colours a workspace has room for.
    room: usize,
    bound: Bound,
}

/// The workspace: the colours of some vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Colours {
    /// The colour of each vertex.
    of: Vec<Option<u8>>,
    /// How many neighbours of each vertex have each colour, and which of these numbers are not 0, as bits.
    near: Vec<u32>,
    taken: Vec<u64>,
    /// The vertices with colours, in the order in which they got them, and how many colours were in use before.
    path: Vec<(u32, u32)>,
    used: u32,
    /// The vertex whose colours are the choices.
    next: u32,
}

impl Colouring {
    /// The largest number of colours: those of neighbours are bits of a word.
    pub const MAX_COLOURS: usize = 64;

    /// The problem on a graph of these edges, each of which may occur more than once and in both directions.
    ///
    /// # Errors
    ///
    /// If an edge has a vertex that there is not, or only one; or if a vertex has so many neighbours that the greedy
    /// colouring takes more than [`MAX_COLOURS`](Self::MAX_COLOURS) colours.
    pub fn new(vertices: usize, edges: &[(usize, usize)]) -> Result<Self, Fault> {
        let mut neighbours = vec![Vec::new(); vertices];
        for &(a, b) in edges {
            Self::check_edge(vertices, a, b)?;
            neighbours[a].push(b as u32);
            neighbours[b].push(a as u32);
        }
        for neighbours in &mut neighbours {
            neighbours.sort_unstable();
            neighbours.dedup();
        }
        let edges = neighbours.iter().map(Vec::len).sum::<usize>() / 2;
        let room = Self::greedy(&neighbours);
        if room > Self::MAX_COLOURS {
            let expected = format!("a graph for which {} colours suffice in a greedy colouring", Self::MAX_COLOURS);
            return Err(Fault::new(expected, format!("one that takes {room}")));
        }
        Ok(Colouring { neighbours, edges, room, bound: Bound::lowest() })
    }

    /// Vertices are counted from 0 here, and from 1 in messages.
    fn check_edge(vertices: usize, a: usize, b: usize) -> Result<(), Fault> {
        if let Some(far) = [a, b].into_iter().find(|&vertex| vertex >= vertices) {
            return Err(Fault::new(format!("a vertex from 1 to {vertices}"), far + 1));
        }
        if a == b {
            return Err(Fault::new("an edge between two vertices", format!("one from {} to itself", a + 1)));
        }
        Ok(())
    }

    /// How many colours it takes to give the vertices the least colour that is free, one after another, those with many
    /// neighbours first (Welsh and Powell 1967).
    fn greedy(neighbours: &[Vec<u32>]) -> usize {
        let mut order: Vec<usize> = (0..neighbours.len()).collect();
        order.sort_by_key(|&vertex| std::cmp::Reverse(neighbours[vertex].len()));
        let mut colours = vec![usize::MAX; neighbours.len()];
        let mut count = 0;
        for vertex in order {
            let near: Vec<usize> = neighbours[vertex].iter().map(|&near| colours[near as usize]).collect();
            let free = (0..).find(|colour| !near.contains(colour)).unwrap_or(0);
            colours[vertex] = free;
            count = count.max(free + 1);
        }
        count
    }

    /// The number of vertices.
    pub fn num_vertices(&self) -> usize {
        self.neighbours.len()
    }

    /// The number of edges, each counted once.
    pub fn num_edges(&self) -> usize {
        self.edges
    }

    /// The neighbours of a vertex, counted from 0.
    ///
    /// # Panics
    ///
    /// If there is no such vertex.
    pub fn neighbours(&self, vertex: usize) -> impl Iterator<Item = usize> {
        self.neighbours[vertex].iter().map(|&near| near as usize)
    }

    /// The least number of colours found so far, which all searches of this problem share.
    pub fn bound(&self) -> &Bound {
        &self.bound
    }

    /// A workspace without colours.
    pub fn start(&self) -> Colours {
        let vertices = self.neighbours.len();
        Colours {
            of: vec![None; vertices],
            near: vec![0; vertices * self.room],
            taken: vec![0; vertices],
            path: Vec::with_capacity(vertices),
            used: 0,
            next: 0,
        }
    }

    /// The least number of colours, and the colour of each vertex, counted from 0. `None` if the [bound](Self::bound)
    /// knows of a number as small from an earlier search. Of
    /// several best solutions, any is returned.
    pub fn best(self) -> Option<(i64, Vec<usize>)> {
        let search = filch::search(&self, self.start());
        search.find_best(&self.bound, Colours::count, Colours::colours)
    }

    /// The vertex to be coloured next: of those without a colour one that has the fewest colours left, and of these the
    /// first of those with the most neighbours (after Brélaz 1979). `None` if all have a colour.
    fn next(&self, colours: &Colours) -> Option<usize> {
        // A loop, because the equivalent chain of iterators is not inlined where crates are compiled one by one.
        let mut best = None;
        for (vertex, neighbours) in self.neighbours.iter().enumerate() {
            if colours.of[vertex].is_none() {
                let urgency = (colours.taken[vertex].count_ones(), neighbours.len());
                if best.is_none_or(|(most, _)| urgency > most) {
                    best = Some((urgency, vertex));
                }
            }
        }
        best.map(|(_, vertex)| vertex)
    }
}

impl Colours {
    /// How many colours are in use.
    pub fn count(&self) -> i64 {
        self.used.into()
    }

    /// The colour of each vertex, counted from 0; of one without a colour, 0.
    pub fn colours(&self) -> Vec<usize> {
        self.of.iter().map(|colour| colour.map_or(0, usize::from)).collect()
    }
}

impl Search for Colouring {
    type Workspace = Colours;
    type Choices = Bits;

    #[inline]
    fn choices(&self, colours: &mut Colours) -> Node<Bits> {
        if !self.bound.admits(colours.count()) {
            return Node::Choices(Bits(0));
        }
        let Some(next) = self.next(colours) else { return Node::Solution };
        colours.next = next as u32;
        // One new colour, since it makes no difference which, if that can be better than the best.
        let with_new = i64::from(colours.used) + 1;
        let allowed = if self.bound.admits(with_new) { with_new as usize } else { colours.used as usize };
        // The greedy colouring shows that no more than there is room for are needed.
        let allowed = u64::MAX.checked_shr((Self::MAX_COLOURS - allowed.min(self.room)) as u32).unwrap_or(0);
        Node::Choices(Bits(allowed & !colours.taken[next]))
    }

    #[inline]
    fn apply(&self, colours: &mut Colours, colour: u32) {
        let vertex = colours.next as usize;
        colours.path.push((colours.next, colours.used));
        colours.of[vertex] = Some(colour as u8);
        colours.used = colours.used.max(colour + 1);
        for &near in &self.neighbours[vertex] {
            colours.near[near as usize * self.room + colour as usize] += 1;
            colours.taken[near as usize] |= 1 << colour;
        }
    }

    #[inline]
    fn undo(&self, colours: &mut Colours, colour: u32) {
        let Some((vertex, used)) = colours.path.pop() else { return };
        (colours.next, colours.used) = (vertex, used);
        colours.of[vertex as usize] = None;
        for &near in &self.neighbours[vertex as usize] {
            let count = &mut colours.near[near as usize * self.room + colour as usize];
            *count -= 1;
            if *count == 0 {
                colours.taken[near as usize] &= !(1 << colour);
            }
        }
    }
}
