//! Searches by backtracking: which untried choices go to another worker. They are half of those at the oldest node that
//! has any, because what is nearer to the root is likely to be larger (Yasugi, Hiraishi, Umatani and Yuasa 2012,
//! section 2.2).

/// What leaves a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// How many nodes below the root of the search's part the choices are.
    pub level: usize,
    /// How many of the choices there leave. They are the latter ones.
    pub count: usize,
}

/// What leaves a search, if anything does. `untried` has the numbers of untried choices at the nodes on the path from
/// the root to where the owner is. At each of them the owner has begun another choice, or is about to begin it, so it
/// keeps work if all leave.
pub fn split(untried: impl IntoIterator<Item = usize>) -> Option<Split> {
    let mut levels = untried.into_iter().enumerate();
    levels.find_map(|(level, choices)| (choices > 0).then(|| Split { level, count: choices.div_ceil(2) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_choices_of_the_oldest_node_that_has_any_leave() {
        assert_eq!(split([0, 0, 5, 9, 2]), Some(Split { level: 2, count: 3 }));
        assert_eq!(split([1, 8]), Some(Split { level: 0, count: 1 }));
        assert_eq!(split([0, 2]), Some(Split { level: 1, count: 1 }));
    }

    #[test]
    fn nothing_leaves_where_all_has_been_tried() {
        assert_eq!(split([0, 0]), None);
        assert_eq!(split([]), None);
    }
}
