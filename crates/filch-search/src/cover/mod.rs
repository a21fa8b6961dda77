//! Exact cover by dancing links (Knuth 2000): the problem, and what can be asked of it.

mod links;
mod named;
mod named_read;
mod place;

pub use links::Cover;
pub use named::NamedCover;

use filch::{Node, Search};
use place::{Nodes, Place, UNCOLOURED};
use std::hint::black_box;
use std::ops::Range;

/// An exact cover problem: a matrix of zeros and ones, of which rows are chosen so that each primary column has exactly
/// one 1 in them, and each secondary column at most one, or any number that [agree in a colour](Self::coloured).
///
/// A row is given as the list of its columns. The columns are numbered from 0, the primary ones first.
///
/// ```
/// use filch_search::ExactCover;
///
/// // The example of (Knuth 2000).
/// let rows: [&[usize]; 6] = [&[2, 4, 5], &[0, 3, 6], &[1, 2, 5], &[0, 3], &[1, 6], &[3, 4, 6]];
/// let cover = ExactCover::new(7, 0, rows).unwrap();
/// assert_eq!(cover.count(), 1);
/// assert_eq!(cover.first(), Some(vec![3, 0, 4]));
/// ```
///
/// The search takes the primary column with the fewest rows left, the first of several, and tries these rows in the
/// order in which they were given: algorithm X of (Knuth 2000), with secondary columns. All changes to the matrix are
/// made in one workspace, a [`Cover`], and undone step by step. So this is also a [`Search`], for
/// [`filch::search`]`(&cover, cover.start())` to be asked for more.
///
/// Memory: about 24 bytes for each 1, of which a workspace takes 8, and 4 more if there are colours.
#[derive(Debug)]
pub struct ExactCover {
    /// The nodes, one for each 1 of the matrix, row by row.
    nodes: Vec<Place>,
    /// Their [colours](Nodes::colours).
    colours: Vec<u32>,
    /// Where each row begins in `nodes`, and where the last one ends.
    begins: Vec<u32>,
    primary: u32,
    secondary: u32,
    start: Cover,
}

/// Why rows are not an exact cover problem. Rows and columns are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CoverError {
    /// A row names a column that there is not.
    #[error("row {row}: expected a column below {columns}, found {column}")]
    NoSuchColumn {
        /// The row.
        row: usize,
        /// What it names.
        column: usize,
        /// The number of columns.
        columns: usize,
    },
    /// A row names a column twice.
    #[error("row {row}: expected each column once, found {column} twice")]
    Twice {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
    },
    /// A row has no primary column, so nothing says whether it is to be chosen.
    #[error("row {row}: expected a primary column, found none")]
    NoPrimary {
        /// The row.
        row: usize,
    },
    /// A row gives a colour to a primary column, which only one row can have anyway.
    #[error("row {row}: expected no colour of a primary column, found one of {column}")]
    ColouredPrimary {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
    },
    /// There are more ones, columns and colours than the links can number.
    #[error("expected at most {} ones and columns, found more", u32::MAX)]
    TooLarge,
    /// There is not enough memory for the columns.
    #[error("{columns} columns take {bytes} bytes: the system refuses them")]
    OutOfMemory {
        /// The number of columns.
        columns: usize,
        /// What the problem and a workspace take for them.
        bytes: usize,
    },
}

impl ExactCover {
    /// The problem of these rows. Work: linear in the number of ones and columns.
    ///
    /// # Errors
    ///
    /// See [`CoverError`].
    pub fn new<R: AsRef<[usize]>>(
        primary: usize,
        secondary: usize,
        rows: impl IntoIterator<Item = R>,
    ) -> Result<Self, CoverError> {
        let mut building = Building::new(primary, secondary)?;
        for row in rows {
            building.add(row.as_ref().iter().map(|&column| (column, None)))?;
        }
        Ok(building.finish())
    }

    /// The problem of these rows, whose secondary columns may have colours. A secondary column may be in several chosen
    /// rows if all of them give it the same colour (the exact covering with colours, XCC, of Knuth 2022, section
    /// 7.2.2.1). Colours are any numbers below 2^32 - 1.
    ///
    /// ```
    /// use filch_search::ExactCover;
    ///
    /// // The example (49) of (Knuth 2022): p q x y:A, p r x:A y, p x:B, q x:A, r y:B.
    /// let (p, q, r, x, y) = (0, 1, 2, 3, 4);
    /// let of = |column, colour| (column, Some(colour));
    /// let rows = [
    ///     vec![(p, None), (q, None), (x, None), of(y, 0)],
    ///     vec![(p, None), (r, None), of(x, 0), (y, None)],
    ///     vec![(p, None), of(x, 1)],
    ///     vec![(q, None), of(x, 0)],
    ///     vec![(r, None), of(y, 1)],
    /// ];
    /// let cover = ExactCover::coloured(3, 2, rows).unwrap();
    /// assert_eq!((cover.count(), cover.first()), (1, Some(vec![3, 1])));
    /// ```
    ///
    /// # Errors
    ///
    /// See [`CoverError`].
    pub fn coloured<R: AsRef<[(usize, Option<u32>)]>>(
        primary: usize,
        secondary: usize,
        rows: impl IntoIterator<Item = R>,
    ) -> Result<Self, CoverError> {
        let mut building = Building::new(primary, secondary)?;
        for row in rows {
            building.add(row.as_ref().iter().copied())?;
        }
        Ok(building.finish())
    }

    /// The number of primary columns.
    pub fn num_primary(&self) -> usize {
        self.primary as usize
    }

    /// The number of secondary columns.
    pub fn num_secondary(&self) -> usize {
        self.secondary as usize
    }

    /// The number of rows.
    pub fn num_rows(&self) -> usize {
        self.begins.len() - 1
    }

    /// The columns of a row, in the order in which they were given.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn columns(&self, row: usize) -> impl Iterator<Item = usize> {
        self.entries(row).map(|(column, _)| column)
    }

    /// The columns of a row and the colours that it gives them, in the order in which they were given.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn entries(&self, row: usize) -> impl Iterator<Item = (usize, Option<u32>)> {
        let nodes = self.begins[row] as usize..self.begins[row + 1] as usize;
        let colour = |node: usize| self.colours.get(node).and_then(|colour| colour.checked_sub(1));
        nodes.map(move |node| (self.nodes[node].column as usize, colour(node)))
    }

    /// A workspace without chosen rows.
    pub fn start(&self) -> Cover {
        self.start.clone()
    }

    /// The rows that are chosen in a workspace of this problem, in the order in which they were chosen.
    pub fn chosen<'a>(&'a self, cover: &'a Cover) -> impl Iterator<Item = usize> {
        cover.chosen().iter().map(|&node| self.begins.partition_point(|&begin| begin <= node) - 1)
    }

    /// The number of solutions.
    pub fn count(&self) -> u64 {
        filch::search(self, self.start()).count()
    }

    /// The rows of the first solution in serial order, in the order in which they are chosen.
    pub fn first(&self) -> Option<Vec<usize>> {
        filch::search(self, self.start()).find_first(|cover| self.chosen(cover).collect())
    }

    /// Hands the rows of each solution to `receive`, in serial order, as soon as those before it are known. If
    /// `receive` panics, the search ends, and the panic goes on.
    pub fn all(&self, receive: impl FnMut(Vec<usize>) + Send) {
        filch::search(self, self.start()).all(|cover| self.chosen(cover).collect(), receive);
    }
}

impl ExactCover {
    #[inline]
    fn nodes(&self) -> Nodes<'_> {
        Nodes { places: &self.nodes, colours: &self.colours }
    }
}

/// A problem whose rows are being added.
struct Building {
    primary: usize,
    secondary: usize,
    nodes: Vec<Place>,
    colours: Vec<u32>,
    begins: Vec<u32>,
    /// For each column, the latest row that has it.
    latest: Vec<usize>,
    /// The largest number of nodes.
    most: usize,
}

impl Building {
    fn new(primary: usize, secondary: usize) -> Result<Self, CoverError> {
        let columns = primary.checked_add(secondary).ok_or(CoverError::TooLarge)?;
        // The last number is the head of the ring of columns.
        let most = u32::try_from(columns).ok().and_then(|columns| u32::MAX.checked_sub(columns)?.checked_sub(1));
        let most = most.ok_or(CoverError::TooLarge)? as usize;
        // Rows are as large as what they are made of. The number of columns is only a number, so that is asked for at
        // once, before any of it is written to.
        let bytes = columns.saturating_mul(size_of::<usize>() + 2 * Cover::BYTES_PER_COLUMN);
        let out_of_memory = |_| CoverError::OutOfMemory { columns, bytes };
        let mut room = Vec::<u8>::new();
        room.try_reserve_exact(bytes).map_err(out_of_memory)?;
        // Otherwise the compiler may leave out the allocation, because nobody uses it.
        drop(black_box(room));
        let mut latest = Vec::new();
        latest.try_reserve_exact(columns).map_err(out_of_memory)?;
        latest.resize(columns, usize::MAX);
        Ok(Building { primary, secondary, nodes: Vec::new(), colours: Vec::new(), begins: vec![0], latest, most })
    }

    fn add(&mut self, entries: impl ExactSizeIterator<Item = (usize, Option<u32>)>) -> Result<(), CoverError> {
        let (row, begin) = (self.begins.len() - 1, self.nodes.len());
        let end = begin.saturating_add(entries.len());
        if end > self.most {
            return Err(CoverError::TooLarge);
        }
        let mut has_primary = false;
        for (column, colour) in entries {
            let columns = self.latest.len();
            let latest = self.latest.get_mut(column).ok_or(CoverError::NoSuchColumn { row, column, columns })?;
            if std::mem::replace(latest, row) == row {
                return Err(CoverError::Twice { row, column });
            }
            let is_primary = column < self.primary;
            if is_primary && colour.is_some() {
                return Err(CoverError::ColouredPrimary { row, column });
            }
            has_primary |= is_primary;
            let colour = match colour {
                None => UNCOLOURED,
                Some(colour) => colour.checked_add(1).ok_or(CoverError::TooLarge)?,
            };
            self.nodes.push(Place { column: column as u32, begin: begin as u32, end: end as u32 });
            self.colours.push(colour);
        }
        if !has_primary {
            return Err(CoverError::NoPrimary { row });
        }
        self.begins.push(end as u32);
        Ok(())
    }

    fn finish(self) -> ExactCover {
        let Building { primary, secondary, nodes, mut colours, begins, .. } = self;
        if colours.iter().all(|&colour| colour == UNCOLOURED) {
            colours = Vec::new();
        }
        let (primary, secondary) = (primary as u32, secondary as u32);
        let start = Cover::new(primary, secondary, Nodes { places: &nodes, colours: &colours });
        ExactCover { nodes, colours, begins, primary, secondary, start }
    }
}

/// A choice is an index into the rows that the workspace has listed for the nodes on its path.
impl Search for ExactCover {
    type Workspace = Cover;
    type Choices = Range<u32>;

    #[inline]
    fn choices(&self, cover: &mut Cover) -> Node<Range<u32>> {
        cover.choices(self.nodes())
    }

    #[inline]
    fn apply(&self, cover: &mut Cover, choice: u32) {
        cover.choose(self.nodes(), choice);
    }

    #[inline]
    fn undo(&self, cover: &mut Cover, _: u32) {
        cover.undo(self.nodes());
    }
}
