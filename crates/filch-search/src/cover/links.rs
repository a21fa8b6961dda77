//! The dancing links: the workspace of an exact cover.
//!
//! Each 1 of the matrix is a node, and each column has a header. The nodes of a column that can still be chosen form a
//! ring with the header, and the primary columns that are not covered form a ring with a head. To cover a column takes
//! it out of its ring, and the other nodes of its rows out of theirs. A node that is taken out keeps its own links, so
//! that it can be put back without a search, in the reverse order (Knuth 2000). The nodes of a row never change, so
//! they have no links: they are a range of numbers.
//!
//! A row may give a colour to a secondary column. The first chosen row that does *paints* the column: the rows that
//! have it in another colour, or without one, are taken out of the other columns (Knuth 2022, section 7.2.2.1,
//! algorithm C).

use super::place::{Nodes, Place, UNCOLOURED};
use filch::Node;
use std::ops::Range;

/// The workspace of an [`ExactCover`](super::ExactCover): the rows chosen so far, and what is left of the matrix.
///
/// It belongs to the problem that has made it. Another problem panics with it, or finds nonsense.
#[derive(Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cover {
    /// The ring of primary columns that are not covered, with the head behind the last column. A secondary column is in
    /// a ring of its own.
    columns: Vec<Column>,
    /// The rings of nodes: first the nodes of the matrix, then the headers.
    links: Vec<Link>,
    /// The nodes that are offered as choices at the nodes of the search on the path.
    offered: Vec<u32>,
    /// The nodes of the search on the path.
    path: Vec<Level>,
    /// The nodes by which rows have been chosen.
    chosen: Vec<u32>,
    /// For each column, one more than the node of a chosen row that has given it a colour, or 0. Empty if the problem
    /// has no colours.
    painters: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Column {
    left: u32,
    right: u32,
    /// How many of its nodes are in the ring.
    rows: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Link {
    up: u32,
    down: u32,
}

/// A node of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Level {
    /// The column that its choices cover, if there are any.
    column: Option<u32>,
    /// How many nodes had been offered before.
    offered: u32,
}

impl Cover {
    /// What a column takes, with its header.
    pub(super) const BYTES_PER_COLUMN: usize = size_of::<Column>() + size_of::<Link>();

    /// The whole matrix.
    pub(super) fn new(primary: u32, secondary: u32, nodes: Nodes<'_>) -> Self {
        let columns = primary + secondary;
        let ring = (0..primary).map(|column| Column {
            left: column.checked_sub(1).unwrap_or(columns),
            right: if column + 1 == primary { columns } else { column + 1 },
            rows: 0,
        });
        let alone = (primary..columns).map(|column| Column { left: column, right: column, rows: 0 });
        let head = Column {
            left: primary.checked_sub(1).unwrap_or(columns),
            right: if primary == 0 { columns } else { 0 },
            rows: 0,
        };
        let headers = (0..columns).map(|column| nodes.places.len() as u32 + column);
        let mut links: Vec<Link> = nodes.places.iter().map(|_| Link { up: 0, down: 0 }).collect();
        links.extend(headers.map(|header| Link { up: header, down: header }));
        let mut cover = Cover {
            columns: ring.chain(alone).chain([head]).collect(),
            links,
            offered: Vec::new(),
            path: Vec::new(),
            chosen: Vec::new(),
            painters: if nodes.colours.is_empty() { Vec::new() } else { vec![0; columns as usize] },
        };
        for (node, place) in (0..).zip(nodes.places) {
            let header = nodes.places.len() as u32 + place.column;
            let last = cover.links[header as usize].up;
            cover.links[node as usize] = Link { up: last, down: header };
            cover.links[last as usize].down = node;
            cover.links[header as usize].up = node;
            cover.columns[place.column as usize].rows += 1;
        }
        cover
    }

    pub(super) fn chosen(&self) -> &[u32] {
        &self.chosen
    }

    /// Covers the column with the fewest rows, and offers these.
    #[inline]
    pub(super) fn choices(&mut self, nodes: Nodes<'_>) -> Node<Range<u32>> {
        let begin = self.offered.len() as u32;
        let head = self.columns.len() - 1;
        let first = self.columns[head].right;
        if first as usize == head {
            self.path.push(Level { column: None, offered: begin });
            return Node::Solution;
        }
        let column = self.smallest(first, head as u32);
        if self.columns[column as usize].rows == 0 {
            self.path.push(Level { column: None, offered: begin });
            return Node::Choices(begin..begin);
        }
        self.path.push(Level { column: Some(column), offered: begin });
        let header = nodes.places.len() as u32 + column;
        let mut node = self.links[header as usize].down;
        while node != header {
            self.offered.push(node);
            node = self.links[node as usize].down;
        }
        if self.has_colours() {
            self.cover::<true>(nodes, column)
        } else {
            self.cover::<false>(nodes, column)
        }
        Node::Choices(begin..self.offered.len() as u32)
    }

    /// The first of the columns with the fewest rows. This keeps the number of choices at a node small (Knuth 2000).
    #[inline]
    fn smallest(&self, first: u32, head: u32) -> u32 {
        let (mut smallest, mut fewest) = (first, u32::MAX);
        let mut column = first;
        while column != head && fewest > 0 {
            let Column { right, rows, .. } = self.columns[column as usize];
            if rows < fewest {
                (smallest, fewest) = (column, rows);
            }
            column = right;
        }
        smallest
    }

    /// Chooses the row of the node that has been offered: covers its other columns, or paints them.
    #[inline]
    pub(super) fn choose(&mut self, nodes: Nodes<'_>, choice: u32) {
        let node = self.offered[choice as usize];
        self.chosen.push(node);
        let Place { begin, end, .. } = nodes.places[node as usize];
        let others = (begin..end).filter(|&other| other != node);
        if self.has_colours() {
            others.for_each(|other| self.commit(nodes, other));
        } else {
            others.for_each(|other| self.cover::<false>(nodes, nodes.places[other as usize].column));
        }
    }

    /// Takes back what the node of the search below the latest choice has covered, and that choice.
    #[inline]
    pub(super) fn undo(&mut self, nodes: Nodes<'_>) {
        let has_colours = self.has_colours();
        if let Some(level) = self.path.pop() {
            match level.column {
                Some(column) if has_colours => self.uncover::<true>(nodes, column),
                Some(column) => self.uncover::<false>(nodes, column),
                None => {}
            }
            self.offered.truncate(level.offered as usize);
        }
        let Some(node) = self.chosen.pop() else { return };
        let Place { begin, end, .. } = nodes.places[node as usize];
        let others = (begin..end).rev().filter(|&other| other != node);
        if has_colours {
            others.for_each(|other| self.take_back(nodes, other));
        } else {
            others.for_each(|other| self.uncover::<false>(nodes, nodes.places[other as usize].column));
        }
    }

    #[inline]
    fn has_colours(&self) -> bool {
        !self.painters.is_empty()
    }

    /// Covers the column of a node of a chosen row, or gives it the colour of the node. If it has been painted before,
    /// it has this colour: the rows with others have been hidden.
    fn commit(&mut self, nodes: Nodes<'_>, node: u32) {
        let (column, colour) = (nodes.places[node as usize].column, nodes.colours[node as usize]);
        if colour == UNCOLOURED {
            self.cover::<true>(nodes, column);
        } else if self.painters[column as usize] == 0 {
            self.painters[column as usize] = node + 1;
            let header = nodes.places.len() as u32 + column;
            let mut other = self.links[header as usize].down;
            while other != header {
                if nodes.colours[other as usize] != colour {
                    self.hide::<true>(nodes, other);
                }
                other = self.links[other as usize].down;
            }
        }
    }

    /// Undoes [`commit`](Self::commit), in the reverse order.
    fn take_back(&mut self, nodes: Nodes<'_>, node: u32) {
        let (column, colour) = (nodes.places[node as usize].column, nodes.colours[node as usize]);
        if colour == UNCOLOURED {
            self.uncover::<true>(nodes, column);
        } else if self.painters[column as usize] == node + 1 {
            let header = nodes.places.len() as u32 + column;
            let mut other = self.links[header as usize].up;
            while other != header {
                if nodes.colours[other as usize] != colour {
                    self.show::<true>(nodes, other);
                }
                other = self.links[other as usize].up;
            }
            self.painters[column as usize] = 0;
        }
    }

    /// Takes a column out of its ring, and its rows out of the other columns.
    #[inline]
    fn cover<const COLOURS: bool>(&mut self, nodes: Nodes<'_>, column: u32) {
        let Column { left, right, .. } = self.columns[column as usize];
        self.columns[left as usize].right = right;
        self.columns[right as usize].left = left;
        let header = nodes.places.len() as u32 + column;
        let mut node = self.links[header as usize].down;
        while node != header {
            self.hide::<COLOURS>(nodes, node);
            node = self.links[node as usize].down;
        }
    }

    /// Undoes [`cover`](Self::cover), in the reverse order.
    #[inline]
    fn uncover<const COLOURS: bool>(&mut self, nodes: Nodes<'_>, column: u32) {
        let header = nodes.places.len() as u32 + column;
        let mut node = self.links[header as usize].up;
        while node != header {
            self.show::<COLOURS>(nodes, node);
            node = self.links[node as usize].up;
        }
        let Column { left, right, .. } = self.columns[column as usize];
        self.columns[left as usize].right = column;
        self.columns[right as usize].left = column;
    }

    /// Takes the row of a node out of its other columns. A painted column keeps it: no step looks at its rows until the
    /// paint is taken back (Knuth 2022, algorithm C).
    #[inline]
    fn hide<const COLOURS: bool>(&mut self, nodes: Nodes<'_>, node: u32) {
        let Place { begin, end, .. } = nodes.places[node as usize];
        for other in (begin..end).filter(|&other| other != node) {
            let column = nodes.places[other as usize].column as usize;
            if COLOURS && self.painters[column] != 0 {
                continue;
            }
            let Link { up, down } = self.links[other as usize];
            self.links[up as usize].down = down;
            self.links[down as usize].up = up;
            self.columns[column].rows -= 1;
        }
    }

    /// Undoes [`hide`](Self::hide), in the reverse order.
    #[inline]
    fn show<const COLOURS: bool>(&mut self, nodes: Nodes<'_>, node: u32) {
        let Place { begin, end, .. } = nodes.places[node as usize];
        for other in (begin..end).rev().filter(|&other| other != node) {
            let column = nodes.places[other as usize].column as usize;
            if COLOURS && self.painters[column] != 0 {
                continue;
            }
            self.columns[column].rows += 1;
            let Link { up, down } = self.links[other as usize];
            self.links[up as usize].down = other;
            self.links[down as usize].up = other;
        }
    }
}

/// `clone_from` uses the memory of the old value.
impl Clone for Cover {
    fn clone(&self) -> Self {
        Cover {
            columns: self.columns.clone(),
            links: self.links.clone(),
            offered: self.offered.clone(),
            path: self.path.clone(),
            chosen: self.chosen.clone(),
            painters: self.painters.clone(),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.columns.clone_from(&other.columns);
        self.links.clone_from(&other.links);
        self.offered.clone_from(&other.offered);
        self.path.clone_from(&other.path);
        self.chosen.clone_from(&other.chosen);
        self.painters.clone_from(&other.painters);
    }
}
