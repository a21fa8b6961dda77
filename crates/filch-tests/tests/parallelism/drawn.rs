//! Programs drawn at random: constructs inside of each other, with pieces that sleep until all of them have begun.

use crate::meeting::{Meeting, meet};
use crate::on_pools;
use fastrand::Rng;
use filch::Strand;

/// What a part of the program does.
#[derive(Clone, Debug)]
enum Part {
    /// One piece that waits for all the others.
    Piece,
    /// Nothing that takes time.
    Nothing,
    /// Two branches.
    Join(Box<[Part; 2]>),
    Loop(Vec<Part>),
    Items(Vec<Part>),
    Scope(Vec<Part>),
    /// One after the other, of which the last has the pieces: the others come to an end.
    Sequence(Vec<Part>),
}

impl Part {
    /// A part with that many pieces, which is at most so deep.
    fn draw(random: &mut Rng, pieces: usize, depth: usize) -> Part {
        if pieces == 0 {
            return match depth {
                0 => Part::Nothing,
                _ => Part::Sequence(vec![Part::Nothing; random.usize(1..3)]),
            };
        }
        if pieces == 1 && (depth == 0 || random.bool()) {
            return Part::Piece;
        }
        let below = depth.saturating_sub(1);
        match random.u8(0..if depth == 0 { 4 } else { 5 }) {
            0 => {
                let left = random.usize(0..=pieces);
                let [a, b] = [left, pieces - left].map(|pieces| Part::draw(random, pieces, below));
                Part::Join(Box::new([a, b]))
            }
            // Iterations that sleep among others that are cheap may share a block with these.
            1 => Part::Loop(Self::parts(random, pieces, 1, below)),
            2 => Part::Items(Self::parts(random, pieces, 0, below)),
            3 => Part::Scope(Self::parts(random, pieces, 0, below)),
            _ => {
                let mut parts: Vec<Part> = (0..random.usize(1..4)).map(|_| Part::draw(random, 0, below)).collect();
                parts.push(Part::draw(random, pieces, below));
                Part::Sequence(parts)
            }
        }
    }

    /// Parts that have that many pieces together, and each of them at least `least`.
    fn parts(random: &mut Rng, pieces: usize, least: usize, depth: usize) -> Vec<Part> {
        let mut shares = vec![least; random.usize(1..=if least > 0 { pieces } else { 2 * pieces })];
        let rest = pieces - least * shares.len();
        (0..rest).for_each(|_| *random.choice(&mut shares).expect("at least one") += 1);
        let part = |share| if depth == 0 && share > 1 { Self::spread(share) } else { Self::draw(random, share, depth) };
        shares.into_iter().map(part).collect()
    }

    fn spread(pieces: usize) -> Part {
        Part::Loop(vec![Part::Piece; pieces])
    }

    fn run(&self, mut s: Strand<'_>, meeting: &Meeting) {
        match self {
            Part::Piece => meeting.attend(),
            Part::Nothing => {}
            Part::Join(branches) => {
                let [a, b] = &**branches;
                s.join(|s| a.run(s, meeting), |s| b.run(s, meeting));
            }
            Part::Loop(parts) => s.for_each(parts, |s, part| part.run(s, meeting)),
            Part::Items(parts) => s.for_each_item(parts, |s, part| part.run(s, meeting)),
            Part::Scope(parts) => {
                s.scope(|_, scope| parts.iter().for_each(|part| scope.spawn(|s| part.run(s, meeting))));
            }
            Part::Sequence(parts) => parts.iter().for_each(|part| part.run(s.reborrow(), meeting)),
        }
    }
}

const DEPTH: usize = 4;

#[test]
fn all_pieces_of_a_random_program_run_at_the_same_time() {
    let seeds = std::cell::Cell::new(0);
    on_pools(&[12, 24, 64], |pool| {
        // A worker that waits for a piece runs nothing else: at most one at each depth above each piece.
        let pieces = pool.num_workers() / (DEPTH + 2);
        for _ in 0..10 {
            seeds.set(seeds.get() + 1);
            let program = Part::draw(&mut Rng::with_seed(seeds.get()), pieces, DEPTH);
            eprintln!("seed {}: {program:?}", seeds.get());
            meet(pieces, |meeting| pool.run(|s| program.run(s, meeting)));
        }
    });
}
