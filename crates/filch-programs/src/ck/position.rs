//! A position of English draughts, in three words of a bit per square.
//!
//! The 32 dark squares are numbered row by row from the side to move. A square of an even row is left of the square
//! with the same place in the next row, and one of an odd row is right of it:
//!
//! ```text
//! row 1      4   5   6   7
//! row 0    0   1   2   3
//! ```
//!
//! Turned around, square i is square 31 − i. So after each ply the position is turned by reversing the bits, and the
//! side to move always moves up.

/// A position as the side to move sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The pieces of the side to move.
    pub own: u32,
    /// The pieces of the other side.
    pub foe: u32,
    /// Those pieces of either side that are kings.
    pub kings: u32,
}

/// A step of one piece, to a neighbouring square or over one, in a byte: the square where it begins, the direction, and
/// whether it is a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step(u8);

/// The four directions. Men know the first two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    UpLeft,
    UpRight,
    DownRight,
    DownLeft,
}

use Direction::{DownLeft, DownRight, UpLeft, UpRight};

const DIRECTIONS: [Direction; 4] = [UpLeft, UpRight, DownRight, DownLeft];

/// The pieces of a side at first. No side ever gets more.
const PIECES: usize = 12;

const MOST_STEPS: usize = PIECES * DIRECTIONS.len();

/// The steps that a side has, at most one for each piece and direction.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    length: u8,
    steps: [Step; MOST_STEPS],
}

const EVEN_ROWS: u32 = 0x0f0f_0f0f;
const LEFT_EDGE: u32 = 0x0101_0101; // of even rows, which alone reach it
const RIGHT_EDGE: u32 = 0x8080_8080; // of odd rows
const LAST_ROW: u32 = 0xf000_0000;

/// What a king counts for; a man counts for 2.
const KING: i32 = 3;
const MAN: i32 = 2;

impl Direction {
    /// All squares one further in this direction than these, without those that would be off the board.
    #[inline(always)]
    fn of(self, squares: u32) -> u32 {
        match self {
            UpLeft => (squares & EVEN_ROWS & !LEFT_EDGE) << 3 | (squares & !EVEN_ROWS) << 4,
            UpRight => (squares & EVEN_ROWS) << 4 | (squares & !EVEN_ROWS & !RIGHT_EDGE) << 5,
            DownRight => (squares & EVEN_ROWS) >> 4 | (squares & !EVEN_ROWS & !RIGHT_EDGE) >> 3,
            DownLeft => (squares & EVEN_ROWS & !LEFT_EDGE) >> 5 | (squares & !EVEN_ROWS) >> 4,
        }
    }

    /// The direction back.
    #[inline(always)]
    fn back(self) -> Self {
        match self {
            UpLeft => DownRight,
            UpRight => DownLeft,
            DownRight => UpLeft,
            DownLeft => UpRight,
        }
    }

    fn is_up(self) -> bool {
        matches!(self, UpLeft | UpRight)
    }
}

impl Step {
    const DIRECTION: u32 = 5; // the squares take the bits below
    const JUMP: u32 = 7;

    #[inline(always)]
    fn new(square: u8, direction: Direction, is_jump: bool) -> Self {
        Self(square | (direction as u8) << Self::DIRECTION | u8::from(is_jump) << Self::JUMP)
    }

    /// The square where it begins, as a bit.
    fn from(self) -> u32 {
        1 << (self.0 % (1 << Self::DIRECTION))
    }

    fn direction(self) -> Direction {
        DIRECTIONS[usize::from(self.0 >> Self::DIRECTION) % DIRECTIONS.len()]
    }

    fn is_jump(self) -> bool {
        self.0 >> Self::JUMP != 0
    }
}

impl Position {
    /// Twelve men on the first three rows of either side.
    pub const INITIAL: Self = Self { own: 0x0000_0fff, foe: 0xfff0_0000, kings: 0 };

    /// The value of the pieces, from the view of the side to move.
    pub fn value(&self) -> i32 {
        let of =
            |pieces: u32| MAN * pieces.count_ones() as i32 + (KING - MAN) * (pieces & self.kings).count_ones() as i32;
        of(self.own) - of(self.foe)
    }

    /// The first steps that the side to move may take. If it can jump, it must.
    pub fn steps(&self) -> Steps {
        let jumps = self.jumps_of(self.own);
        if jumps.is_empty() { self.moves() } else { jumps }
    }

    /// The position after a step, and the jumps with which the same piece must go on.
    pub fn after(&self, step: Step) -> (Self, Option<Steps>) {
        let (from, direction, is_jump) = (step.from(), step.direction(), step.is_jump());
        let over = direction.of(from);
        let to = if is_jump { direction.of(over) } else { over };
        let is_king = self.kings & from != 0;
        let is_crowned = !is_king && to & LAST_ROW != 0;
        let mut next = Self { own: self.own ^ from ^ to, foe: self.foe, kings: self.kings & !from };
        if is_king || is_crowned {
            next.kings |= to;
        }
        if !is_jump {
            return (next, None);
        }
        next.foe &= !over;
        next.kings &= !over;
        // A man that is crowned ends its jump.
        let jumps_on = Some(next.jumps_of(to)).filter(|jumps| !is_crowned && !jumps.is_empty());
        (next, jumps_on)
    }

    /// The position as the other side sees it.
    pub fn turned(&self) -> Self {
        Self { own: self.foe.reverse_bits(), foe: self.own.reverse_bits(), kings: self.kings.reverse_bits() }
    }

    fn free(&self) -> u32 {
        !(self.own | self.foe)
    }

    /// Those of these pieces that may go in this direction.
    fn that_may_go(&self, pieces: u32, direction: Direction) -> u32 {
        if direction.is_up() { pieces } else { pieces & self.kings }
    }

    fn moves(&self) -> Steps {
        let mut steps = Steps::none();
        for direction in DIRECTIONS {
            let from = self.that_may_go(self.own, direction) & direction.back().of(self.free());
            steps.add(from, direction, false);
        }
        steps
    }

    fn jumps_of(&self, pieces: u32) -> Steps {
        let mut steps = Steps::none();
        for direction in DIRECTIONS {
            let back = direction.back();
            let over = back.of(self.free()) & self.foe;
            steps.add(self.that_may_go(pieces, direction) & back.of(over), direction, true);
        }
        steps
    }
}

impl Steps {
    fn none() -> Self {
        Self { length: 0, steps: [Step(0); MOST_STEPS] }
    }

    fn add(&mut self, mut from: u32, direction: Direction, is_jump: bool) {
        while from != 0 {
            let square = from.trailing_zeros() as u8;
            self.steps[usize::from(self.length)] = Step::new(square, direction, is_jump);
            self.length += 1;
            from &= from - 1;
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The steps, those up and to the left first.
    pub fn as_slice(&self) -> &[Step] {
        &self.steps[..usize::from(self.length)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The row and the column of a square on the 8 × 8 board.
    fn place(square: u32) -> (i32, i32) {
        let row = (square / 4) as i32;
        (row, (square % 4) as i32 * 2 + row % 2)
    }

    #[test]
    fn directions_lead_one_row_and_one_column_on_and_never_off_the_board() {
        for square in 0..32 {
            let (row, column) = place(square);
            for (direction, (rows, columns)) in DIRECTIONS.into_iter().zip([(1, -1), (1, 1), (-1, 1), (-1, -1)]) {
                let expected = (0..32).find(|&other| place(other) == (row + rows, column + columns));
                assert_eq!(direction.of(1 << square), expected.map_or(0, |other| 1 << other), "{square} {direction:?}");
            }
        }
    }

    #[test]
    fn a_position_turned_twice_is_the_same_and_the_initial_one_is_its_own_turn() {
        assert_eq!(Position::INITIAL.turned(), Position::INITIAL);
        let position = Position { own: 0x0123_0000, foe: 0x4000_0107, kings: 0x4020_0001 };
        assert_eq!(position.turned().turned(), position);
        assert_eq!(position.turned().value(), -position.value());
    }

    #[test]
    fn a_man_that_is_crowned_by_a_jump_ends_it_there_and_a_king_goes_on() {
        // A man on 21 jumps 26 and gets to 30. From there, a king could jump 27.
        let man = Position { own: 1 << 21, foe: 1 << 26 | 1 << 27, kings: 0 };
        let &[step] = man.steps().as_slice() else { panic!("one jump") };
        let (next, jumps_on) = man.after(step);
        assert!(next.kings == next.own && next.own & LAST_ROW != 0 && jumps_on.is_none());
        let king = Position { kings: 1 << 21, ..man };
        let ends: Vec<_> = king.steps().as_slice().iter().map(|&step| king.after(step).1.is_some()).collect();
        assert!(ends.contains(&true), "{ends:?}");
    }

    #[test]
    fn a_jump_must_be_taken_and_takes_the_piece() {
        let position = Position { own: 1 << 9 | 1, foe: 1 << 13, kings: 1 << 13 };
        let &[step] = position.steps().as_slice() else { panic!("one jump") };
        let (next, _) = position.after(step);
        assert_eq!((next.foe, next.kings, next.own.count_ones()), (0, 0, 2));
    }
}
