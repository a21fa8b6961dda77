//! The dancing links: the workspace of an exact cover.
//!
//! Each 1 of the matrix is a node, and each column has a header. The nodes of a column that can still be chosen form a
//! ring with the header, and the primary columns that are not covered form a ring with a head. To cover a column takes
//! it out of its ring, and the other nodes of its rows out of theirs. A node that is taken out keeps its own links, so
//! that it can be put back without a search, in the reverse order (Knuth 2000). The nodes of a row never change, so
//! they have no links: they are a range of numbers.

use super::place::Place;
use filch::Node;
use std::ops::Range;

/// The workspace of an [`ExactCover`](super::ExactCover): the rows chosen so far, and what is left of the matrix.
///
/// It belongs to the problem that has made it. Another problem panics with it, or finds nonsense.
#[derive(Debug, PartialEq, Eq)]
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
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Column {
    left: u32,
    right: u32,
    /// How many of its nodes are in the ring.
    rows: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Link {
    up: u32,
    down: u32,
}

/// A node of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Level {
    /// The column that its choices cover, if there are any.
    column: Option<u32>,
    /// How many nodes had been offered before.
    offered: u32,
}

impl Cover {
    /// The whole matrix.
    pub(super) fn new(primary: u32, secondary: u32, nodes: &[Place]) -> Self {
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
        let headers = (0..columns).map(|column| nodes.len() as u32 + column);
        let mut links: Vec<Link> = nodes.iter().map(|_| Link { up: 0, down: 0 }).collect();
        links.extend(headers.map(|header| Link { up: header, down: header }));
        let mut cover = Cover {
            columns: ring.chain(alone).chain([head]).collect(),
            links,
            offered: Vec::new(),
            path: Vec::new(),
            chosen: Vec::new(),
        };
        for (node, place) in (0..).zip(nodes) {
            let header = nodes.len() as u32 + place.column;
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
    pub(super) fn choices(&mut self, nodes: &[Place]) -> Node<Range<u32>> {
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
        let header = nodes.len() as u32 + column;
        let mut node = self.links[header as usize].down;
        while node != header {
            self.offered.push(node);
            node = self.links[node as usize].down;
        }
        self.cover(nodes, column);
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

    /// Chooses the row of the node that has been offered: covers its other columns.
    #[inline]
    pub(super) fn choose(&mut self, nodes: &[Place], choice: u32) {
        let node = self.offered[choice as usize];
        self.chosen.push(node);
        let Place { begin, end, .. } = nodes[node as usize];
        for other in (begin..end).filter(|&other| other != node) {
            self.cover(nodes, nodes[other as usize].column);
        }
    }

    /// Takes back what the node of the search below the latest choice has covered, and that choice.
    #[inline]
    pub(super) fn undo(&mut self, nodes: &[Place]) {
        if let Some(level) = self.path.pop() {
            if let Some(column) = level.column {
                self.uncover(nodes, column);
            }
            self.offered.truncate(level.offered as usize);
        }
        let Some(node) = self.chosen.pop() else { return };
        let Place { begin, end, .. } = nodes[node as usize];
        for other in (begin..end).rev().filter(|&other| other != node) {
            self.uncover(nodes, nodes[other as usize].column);
        }
    }

    /// Takes a column out of its ring, and its rows out of the other columns.
    #[inline]
    fn cover(&mut self, nodes: &[Place], column: u32) {
        let Column { left, right, .. } = self.columns[column as usize];
        self.columns[left as usize].right = right;
        self.columns[right as usize].left = left;
        let header = nodes.len() as u32 + column;
        let mut node = self.links[header as usize].down;
        while node != header {
            let Place { begin, end, .. } = nodes[node as usize];
            for other in (begin..end).filter(|&other| other != node) {
                let Link { up, down } = self.links[other as usize];
                self.links[up as usize].down = down;
                self.links[down as usize].up = up;
                self.columns[nodes[other as usize].column as usize].rows -= 1;
            }
            node = self.links[node as usize].down;
        }
    }

    /// Undoes [`cover`](Self::cover), in the reverse order.
    #[inline]
    fn uncover(&mut self, nodes: &[Place], column: u32) {
        let header = nodes.len() as u32 + column;
        let mut node = self.links[header as usize].up;
        while node != header {
            let Place { begin, end, .. } = nodes[node as usize];
            for other in (begin..end).rev().filter(|&other| other != node) {
                self.columns[nodes[other as usize].column as usize].rows += 1;
                let Link { up, down } = self.links[other as usize];
                self.links[up as usize].down = other;
                self.links[down as usize].up = other;
            }
            node = self.links[node as usize].up;
        }
        let Column { left, right, .. } = self.columns[column as usize];
        self.columns[left as usize].right = column;
        self.columns[right as usize].left = column;
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
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.columns.clone_from(&other.columns);
        self.links.clone_from(&other.links);
        self.offered.clone_from(&other.offered);
        self.path.clone_from(&other.path);
        self.chosen.clone_from(&other.chosen);
    }
}
