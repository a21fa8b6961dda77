//! Whether the next level is found top-down or bottom-up.

/// How the vertices of the next level are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// By following the arcs that leave the frontier.
    TopDown,
    /// By checking the arcs that lead to each unreached vertex, until one comes from the frontier.
    BottomUp,
}

/// What all ranks know before a level, of the whole graph.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub(super) num_vertices: u64,
    /// The vertices of the frontier.
    pub(super) vertices: u64,
    /// The arcs that leave it.
    pub(super) arcs: u64,
    /// Arcs that have not been followed, with those of the frontier.
    pub(super) arcs_left: u64,
    /// The vertices of the frontier before.
    pub(super) before: u64,
    /// How this frontier was found.
    pub(super) way: Direction,
}

/// Bottom-up begins when the frontier has more than this part of the arcs that are left: the parameter α of Beamer,
/// Asanović and Patterson (2012), with their value.
const ALPHA: u64 = 14;

/// It ends when the frontier has less than this part of the vertices: β there.
const BETA: u64 = 24;

/// How many vertices a word of a bitmap has. Each rank reads the bitmap of the frontier in a bottom-up step.
const VERTICES_PER_WORD: u64 = 64;

/// The direction of the next step.
pub(super) fn direction(facts: &Facts) -> Direction {
    let grows = facts.vertices > facts.before;
    let goes_up = match facts.way {
        Direction::TopDown => {
            grows && facts.arcs > facts.arcs_left / ALPHA && facts.arcs > facts.num_vertices / VERTICES_PER_WORD
        }
        Direction::BottomUp => grows || facts.vertices >= facts.num_vertices / BETA,
    };
    if goes_up { Direction::BottomUp } else { Direction::TopDown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frontier_that_grows_and_has_many_arcs_is_searched_bottom_up_until_it_is_small() {
        let wide = Facts {
            num_vertices: 1 << 20,
            vertices: 1 << 14,
            arcs: 1 << 21,
            arcs_left: 1 << 24,
            before: 1 << 8,
            way: Direction::TopDown,
        };
        assert_eq!(direction(&wide), Direction::BottomUp);
        assert_eq!(direction(&Facts { arcs: 1 << 19, ..wide }), Direction::TopDown);
        assert_eq!(direction(&Facts { before: 1 << 15, ..wide }), Direction::TopDown);
        let up = Facts { way: Direction::BottomUp, before: 1 << 19, vertices: 1 << 16, ..wide };
        assert_eq!(direction(&up), Direction::BottomUp);
        assert_eq!(direction(&Facts { vertices: 1 << 15, ..up }), Direction::TopDown);
    }

    #[test]
    fn the_last_arcs_of_a_long_search_are_not_worth_a_bitmap() {
        let last =
            Facts { num_vertices: 1 << 20, vertices: 9, arcs: 20, arcs_left: 40, before: 8, way: Direction::TopDown };
        assert_eq!(direction(&last), Direction::TopDown);
    }
}
