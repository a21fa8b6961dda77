//! Splits communities into sets of vertices that are well connected (Traag, Waltman and van Eck 2019, supplementary
//! algorithm A.2).
//!
//! Each community is split by one worker, which reads only arcs inside of it. At first every vertex is a set. In a
//! random order, those that are still alone may join one of the sets around them. Both must be well connected to the
//! rest of the community: to be part of it must be no loss. A vertex joins the set with the largest gain. (In the paper
//! it may join others as well, with a probability that falls exponentially with the loss. At the temperature of the
//! authors' program and of igraph, nearly all vertices take the best.)

use super::net::{Net, Sets};
use super::workspace::Workspace;
use crate::watch::look_at;
use filch::PerWorker;
use filch_algorithms::tabulate;

/// A set that a community is split into. It has the place of its first vertex among the members.
#[derive(Clone, Copy)]
struct Part {
    /// The sum of the degrees.
    total: f64,
    /// The weight of the arcs to the rest of the community.
    cut: f64,
    size: u32,
}

/// The set of each vertex, numbered from 0, and how many there are.
pub(super) fn refine(
    net: &Net,
    communities: &Sets,
    resolution: f64,
    workspaces: &PerWorker<Workspace, impl Fn() -> Workspace + Sync>,
) -> (Vec<u32>, usize) {
    let n = net.len();
    let mut places = vec![0; n];
    for (place, &v) in communities.all_members().iter().enumerate() {
        places[v as usize] = place as u32;
    }
    let mut of_places: Vec<u32> = vec![0; n];
    let (mut tasks, mut rest, mut begin) = (Vec::with_capacity(communities.count()), &mut of_places[..], 0);
    for community in 0..communities.count() {
        let size = communities.members(community).len();
        let (own, others) = rest.split_at_mut(size);
        tasks.push((community, begin, own));
        (rest, begin) = (others, begin + size as u32);
    }
    let split = Split { net, communities, places: &places, scale: resolution / net.total };
    filch::for_each(&mut tasks, |_, (community, begin, parts)| {
        workspaces.with(|space| split.run(*community, *begin, parts, space));
    });
    let mut sets = tabulate(n, |v| of_places[places[v] as usize]);
    let count = super::net::renumber(&mut sets);
    (sets, count)
}

struct Split<'a> {
    net: &'a Net,
    communities: &'a Sets,
    /// The place of each vertex among the members of all communities.
    places: &'a [u32],
    /// The resolution, divided by the total weight.
    scale: f64,
}

impl Split<'_> {
    /// Splits a community, whose members begin at a place. `parts`: for each member, the place of the first vertex of
    /// its set.
    fn run(&self, community: usize, begin: u32, parts: &mut [u32], space: &mut Workspace) {
        let members = self.communities.members(community);
        (begin..).zip(&mut *parts).for_each(|(place, part)| *part = place);
        if members.len() == 1 {
            return;
        }
        let net = self.net;
        let inner = |v: u32| net.arcs(v).filter(|(u, _)| self.communities.of[*u as usize] as usize == community);
        let part_of = |v: u32| {
            let total = net.degrees[v as usize];
            Part { total, cut: inner(v).map(|(_, weight)| weight).sum(), size: 1 }
        };
        let mut sets: Vec<Part> = members.iter().map(|&v| part_of(v)).collect();
        let all: f64 = sets.iter().map(|set| set.total).sum();
        // To be a part of the community is no loss.
        let is_connected = |set: &Part| set.cut >= self.scale * set.total * (all - set.total);
        for (at, &v) in members.iter().enumerate() {
            look_at(at);
            let own = sets[at];
            if own.size != 1 || parts[at] != begin + at as u32 || !is_connected(&own) {
                continue;
            }
            inner(v).for_each(|(u, weight)| space.add(parts[(self.places[u as usize] - begin) as usize], weight));
            let (mut best, mut most, mut shared) = (None, 0.0, 0.0);
            space.drain(|place, weight| {
                let set = &sets[(place - begin) as usize];
                let gain = weight - self.scale * own.total * set.total;
                if gain > most && is_connected(set) {
                    (best, most, shared) = (Some(place), gain, weight);
                }
            });
            let Some(place) = best else { continue };
            parts[at] = place;
            sets[at].size = 0;
            let set = &mut sets[(place - begin) as usize];
            set.total += own.total;
            set.cut += own.cut - 2.0 * shared;
            set.size += 1;
        }
    }
}
