//! Helpers shared by several tests.

pub(crate) mod heard;
pub(crate) mod lists;
pub(crate) mod schedulers;
pub(crate) mod shapes;

/// What a wrapper says of its size, which is what the graph in this field says.
macro_rules! sizes_of {
    ($field:tt) => {
        type Vertex = u32;

        fn num_vertices(&self) -> usize {
            self.$field.num_vertices()
        }

        fn num_arcs(&self) -> usize {
            self.$field.num_arcs()
        }

        fn is_symmetric(&self) -> bool {
            self.$field.is_symmetric()
        }

        fn degree(&self, v: u32) -> usize {
            self.$field.degree(v)
        }
    };
}
pub(crate) use sizes_of;
