//! The travelling salesman's problem, by branch and bound.

mod distances;
mod prim;
mod rules;
mod tsplib;

use crate::read::Fault;
use filch::{Bits, Bound, Node, Search};
use rules::Rules;

/// The travelling salesman's problem: the shortest round trip through all cities.
///
/// From each city the nearest ones are tried first. The rest of a trip is a spanning tree of the cities it passes
/// through, so it is at least as long as the shortest one (Held and Karp 1970).
///
/// ```
/// use filch_search::Tour;
///
/// let square = [vec![0, 1, 2, 1], vec![1, 0, 1, 2], vec![2, 1, 0, 1], vec![1, 2, 1, 0]];
/// let (length, cities) = Tour::new(&square).unwrap().best().unwrap();
/// assert_eq!((length, cities.len()), (4, 4));
/// ```
#[derive(Debug)]
pub struct Tour {
    cities: usize,
    /// The distances, city by city.
    distances: Vec<u32>,
    /// The other cities for each city, the nearest first.
    nearest: Vec<Vec<u8>>,
    /// What holds of the edges of trips, if anything does.
    rules: Option<Rules>,
    fixed: Vec<(usize, usize)>,
    listed: Option<Vec<(usize, usize)>>,
    bound: Bound,
}

/// The workspace: the cities so far.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Travelled {
    path: Vec<u8>,
    /// The cities that are left, as bits.
    left: u64,
    length: u64,
}

impl Tour {
    /// The largest number of cities: those that are left are bits of a word.
    pub const MAX: usize = 64;

    /// The problem with these distances, which are the same in both directions.
    ///
    /// # Errors
    ///
    /// If there are no cities, or more than [`MAX`](Self::MAX), or the distances are not a symmetric matrix.
    pub fn new(distances: &[Vec<u32>]) -> Result<Self, Fault> {
        let cities = distances.len();
        Self::check_size(cities)?;
        if let Some(row) = distances.iter().find(|row| row.len() != cities) {
            return Err(Fault::new(format!("{cities} distances from each city"), row.len()));
        }
        for (a, b) in (0..cities).flat_map(|a| (0..a).map(move |b| (b, a))) {
            let [there, back] = [distances[a][b], distances[b][a]];
            if there != back {
                let found = format!("{back} from city {} to {}, but {there} back", b + 1, a + 1);
                return Err(Fault::new("the same distance in both directions", found));
            }
        }
        let nearest = |from: usize| {
            let mut others: Vec<u8> = (0..cities as u8).filter(|&city| usize::from(city) != from).collect();
            others.sort_by_key(|&city| distances[from][usize::from(city)]);
            others
        };
        let nearest = (0..cities).map(nearest).collect();
        let (distances, bound) = (distances.concat(), Bound::lowest());
        Ok(Tour { cities, distances, nearest, rules: None, fixed: Vec::new(), listed: None, bound })
    }

    /// The problem of the trips that have all of these edges, which are pairs of cities counted from 0.
    ///
    /// # Errors
    ///
    /// If there is no such city, or an edge leads to where it begins.
    pub fn with_fixed(mut self, edges: &[(usize, usize)]) -> Result<Self, Fault> {
        self.rules.get_or_insert_with(|| Rules::none(self.cities)).fix(edges)?;
        self.fixed.extend_from_slice(edges);
        Ok(self)
    }

    /// The problem of the trips that have none but these edges, which are pairs of cities counted from 0.
    ///
    /// # Errors
    ///
    /// If there is no such city, or an edge leads to where it begins.
    pub fn with_only(mut self, edges: &[(usize, usize)]) -> Result<Self, Fault> {
        self.rules.get_or_insert_with(|| Rules::none(self.cities)).open_only(edges)?;
        self.listed = Some(edges.to_vec());
        Ok(self)
    }

    /// The edges that all trips have.
    pub fn fixed(&self) -> &[(usize, usize)] {
        &self.fixed
    }

    /// The edges that trips may have, if not all of them.
    pub fn listed(&self) -> Option<&[(usize, usize)]> {
        self.listed.as_deref()
    }

    fn check_size(cities: usize) -> Result<(), Fault> {
        match cities {
            1..=Self::MAX => Ok(()),
            _ => Err(Fault::new(format!("1 to {} cities", Self::MAX), cities)),
        }
    }

    /// The number of cities.
    pub fn num_cities(&self) -> usize {
        self.cities
    }

    /// The distance between two cities, counted from 0.
    ///
    /// # Panics
    ///
    /// If there is no such city.
    #[inline]
    pub fn distance(&self, from: usize, to: usize) -> u32 {
        self.distances[from * self.cities + to]
    }

    /// The least length found so far, which all searches of this problem share.
    pub fn bound(&self) -> &Bound {
        &self.bound
    }

    /// A workspace in the first city.
    pub fn start(&self) -> Travelled {
        let mut path = Vec::with_capacity(self.cities);
        path.push(0);
        Travelled { path, left: u64::MAX >> (Self::MAX - self.cities) & !1, length: 0 }
    }

    /// The length of the round trip that ends here.
    pub fn length(&self, travelled: &Travelled) -> i64 {
        // At most 64 distances of 32 bits.
        (travelled.length + u64::from(self.distance(travelled.last(), 0))) as i64
    }

    /// The least length, and the cities in the order of the trip, counted from 0. `None` if the [bound](Self::bound)
    /// knows of a length as small from an earlier search. Of
    /// several best solutions, any is returned.
    pub fn best(self) -> Option<(i64, Vec<usize>)> {
        let search = filch::search(&self, self.start());
        search.find_best(&self.bound, |travelled| self.length(travelled), Travelled::cities)
    }
}

impl Travelled {
    /// The cities so far, counted from 0.
    pub fn cities(&self) -> Vec<usize> {
        self.path.iter().map(|&city| usize::from(city)).collect()
    }

    #[inline]
    fn last(&self) -> usize {
        self.path.last().map_or(0, |&city| usize::from(city))
    }
}

/// A choice is a place among the cities that are nearest to the last one.
impl Search for Tour {
    type Workspace = Travelled;
    type Choices = Bits;

    #[inline]
    fn choices(&self, travelled: &mut Travelled) -> Node<Bits> {
        let last = travelled.last();
        let cities = travelled.left | 1 | 1 << last;
        let rest =
            match &self.rules {
                None => prim::shortest_tree(cities, |from, to| self.distance(from, to)),
                // Other edges are in no trip, so the bound holds whatever their length is.
                Some(rules) => prim::shortest_tree(cities, |from, to| {
                    if rules.is_open(from, to) { self.distance(from, to) } else { u32::MAX }
                }),
            };
        // At most 128 distances of 32 bits.
        if !self.bound.admits((travelled.length + rest) as i64) {
            return Node::Choices(Bits(0));
        }
        let rules = self.rules.as_ref();
        if travelled.left == 0 {
            let is_trip = rules.is_none_or(|rules| rules.may_close(&travelled.path));
            return if is_trip { Node::Solution } else { Node::Choices(Bits(0)) };
        }
        let left = travelled.left & rules.map_or(u64::MAX, |rules| rules.next(&travelled.path));
        let nearest = self.nearest[last].iter().enumerate();
        Node::Choices(Bits(nearest.fold(0, |places, (place, &city)| places | (left >> city & 1) << place)))
    }

    #[inline]
    fn apply(&self, travelled: &mut Travelled, place: u32) {
        let last = travelled.last();
        let city = self.nearest[last][place as usize];
        travelled.path.push(city);
        travelled.left ^= 1 << city;
        travelled.length += u64::from(self.distance(last, usize::from(city)));
    }

    #[inline]
    fn undo(&self, travelled: &mut Travelled, _: u32) {
        let Some(city) = travelled.path.pop() else { return };
        travelled.left ^= 1 << city;
        travelled.length -= u64::from(self.distance(travelled.last(), usize::from(city)));
    }
}
