//! The checker: the known numbers of games, and the best result by another program, which has the squares in an array
//! and leaves out what cannot matter.

use super::search::{Found, LOST};

/// The number of games of n plies (OEIS A133046; computed by Aart Bik and others).
const GAMES: [u64; 19] = [
    1,
    7,
    49,
    302,
    1_469,
    7_361,
    36_768,
    179_740,
    845_931,
    3_963_680,
    18_391_564,
    85_242_128,
    388_623_673,
    1_766_623_630,
    7_978_439_499,
    36_263_167_175,
    165_629_569_428,
    758_818_810_990,
    3_493_881_706_141,
];

/// The largest number of plies.
pub(crate) const DEEPEST: u64 = GAMES.len() as u64 - 1;

pub(super) fn expected(plies: u8) -> Found {
    Found { games: GAMES[usize::from(plies)], best: best_result(plies) }
}

/// The best result in so many plies from the initial position.
pub(crate) fn best_result(plies: u8) -> i32 {
    best(&Board::initial(), 1, plies, (LOST, -LOST))
}

const SIDE: i32 = 8;

/// A piece of the side that moves up is positive, one of the other side negative, and a free square zero. The value is
/// that of the piece: 2 for a man and 3 for a king.
#[derive(Clone)]
struct Board([[i32; SIDE as usize]; SIDE as usize]);

impl Board {
    fn initial() -> Self {
        let piece = |row: usize, column: usize| match row {
            _ if (row + column) % 2 == 1 => 0,
            0..=2 => 2,
            5..=7 => -2,
            _ => 0,
        };
        Self(std::array::from_fn(|row| std::array::from_fn(|column| piece(row, column))))
    }

    fn at(&self, (row, column): (i32, i32)) -> Option<i32> {
        let is_inside = (0..SIDE).contains(&row) && (0..SIDE).contains(&column);
        is_inside.then(|| self.0[row as usize][column as usize])
    }

    fn put(&mut self, (row, column): (i32, i32), piece: i32) {
        self.0[row as usize][column as usize] = piece;
    }

    /// The boards after each move of this side.
    fn moves(&self, side: i32) -> Vec<Self> {
        let squares = || (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (row, column)));
        let own = || squares().filter(|&square| self.at(square).is_some_and(|piece| piece * side > 0));
        let jumps: Vec<Self> = own().flat_map(|from| self.jumps(side, from)).collect();
        if !jumps.is_empty() {
            return jumps;
        }
        own().flat_map(|from| self.walks(side, from)).collect()
    }

    fn directions(&self, side: i32, from: (i32, i32)) -> Vec<(i32, i32)> {
        let rows = if self.at(from) == Some(3 * side) { vec![1, -1] } else { vec![side] };
        rows.into_iter().flat_map(|row| [(row, 1), (row, -1)]).collect()
    }

    fn walks(&self, side: i32, from: (i32, i32)) -> Vec<Self> {
        let to = self.directions(side, from).into_iter().map(|(row, column)| (from.0 + row, from.1 + column));
        to.filter(|&to| self.at(to) == Some(0)).map(|to| self.with(side, from, to).0).collect()
    }

    /// The boards after each jump of this piece and all that follow it; none if it cannot jump.
    fn jumps(&self, side: i32, from: (i32, i32)) -> Vec<Self> {
        let mut boards = Vec::new();
        for (row, column) in self.directions(side, from) {
            let (over, to) = ((from.0 + row, from.1 + column), (from.0 + 2 * row, from.1 + 2 * column));
            if self.at(to) == Some(0) && self.at(over).is_some_and(|piece| piece * side < 0) {
                let (mut next, is_crowned) = self.with(side, from, to);
                next.put(over, 0);
                let further = if is_crowned { Vec::new() } else { next.jumps(side, to) };
                boards.extend(if further.is_empty() { vec![next] } else { further });
            }
        }
        boards
    }

    /// The board with a piece moved, and whether it was crowned there.
    fn with(&self, side: i32, from: (i32, i32), to: (i32, i32)) -> (Self, bool) {
        let mut next = self.clone();
        let piece = self.at(from).expect("a piece");
        let is_crowned = piece == 2 * side && to.0 == if side > 0 { SIDE - 1 } else { 0 };
        next.put(to, if is_crowned { 3 * side } else { piece });
        next.put(from, 0);
        (next, is_crowned)
    }
}

/// The best result for this side, if it lies between two bounds; otherwise a bound of it (alpha-beta search).
fn best(board: &Board, side: i32, plies: u8, (mut low, high): (i32, i32)) -> i32 {
    if plies == 0 {
        return side * board.0.as_flattened().iter().sum::<i32>();
    }
    for next in board.moves(side) {
        low = low.max(-best(&next, -side, plies - 1, (-high, -low)));
        if low >= high {
            break;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checkers_own_moves_give_the_known_numbers_of_games() {
        fn games(board: &Board, side: i32, plies: u8) -> u64 {
            if plies == 0 {
                return 1;
            }
            board.moves(side).iter().map(|next| games(next, -side, plies - 1)).sum()
        }
        for plies in 1..=6 {
            assert_eq!(games(&Board::initial(), 1, plies), GAMES[usize::from(plies)], "{plies} plies");
        }
    }
}
