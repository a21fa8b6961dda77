//! Edges that a trip must have, or may only have.

use crate::read::Fault;

/// Edges, as bits of a word for each city.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    /// The cities that stand beside it in every trip.
    fixed: Vec<u64>,
    /// The cities that may stand beside it.
    open: Vec<u64>,
}

impl Rules {
    /// No rules.
    pub(super) fn none(cities: usize) -> Self {
        Rules { fixed: vec![0; cities], open: vec![u64::MAX; cities] }
    }

    /// Every trip has these edges.
    pub(super) fn fix(&mut self, edges: &[(usize, usize)]) -> Result<(), Fault> {
        for &(a, b) in edges {
            self.check(a, b)?;
            self.fixed[a] |= 1 << b;
            self.fixed[b] |= 1 << a;
        }
        Ok(())
    }

    /// No trip has other edges than these.
    pub(super) fn open_only(&mut self, edges: &[(usize, usize)]) -> Result<(), Fault> {
        self.open.fill(0);
        for &(a, b) in edges {
            self.check(a, b)?;
            self.open[a] |= 1 << b;
            self.open[b] |= 1 << a;
        }
        Ok(())
    }

    fn check(&self, a: usize, b: usize) -> Result<(), Fault> {
        let far = a.max(b);
        if far >= self.open.len() {
            return Err(Fault::new(format!("a city from 1 to {}", self.open.len()), far + 1));
        }
        if a == b {
            return Err(Fault::new("an edge between two cities", format!("one from {} to itself", a + 1)));
        }
        Ok(())
    }

    /// Whether an edge is allowed.
    pub(super) fn is_open(&self, from: usize, to: usize) -> bool {
        self.open[from] >> to & 1 == 1
    }

    /// The cities, as bits, of which one may follow on this path from city 0, visited ones among them.
    pub(super) fn next(&self, path: &[u8]) -> u64 {
        let last = last(path);
        match path {
            [.., before, _] => {
                // A city between two others has no other edges.
                let missing = self.fixed[last] & !(1 << before);
                match missing.count_ones() {
                    0 => self.open[last],
                    1 => self.open[last] & missing,
                    _ => 0,
                }
            }
            // Of a trip and its reverse one begins with the lowest fixed edge.
            _ if self.fixed[0] != 0 => self.open[0] & 1 << self.fixed[0].trailing_zeros(),
            _ => self.open[0],
        }
    }

    /// Whether the path through all cities may end where it has begun.
    pub(super) fn may_close(&self, path: &[u8]) -> bool {
        let [_, second, ..] = path else { return true }; // one city, and no edges
        let last = last(path);
        let is_begun = self.fixed[0] & !(1 << second | 1 << last) == 0;
        is_begun && self.next(path) & 1 == 1
    }
}

fn last(path: &[u8]) -> usize {
    path.last().map_or(0, |&city| city.into())
}
