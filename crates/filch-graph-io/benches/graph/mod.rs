//! The graph that an argument names.

use filch_graph::{Csr, GraphSpec};
use filch_graph_io::read::read_sg;
use std::error::Error;
use std::ops::ControlFlow;
use std::path::Path;

/// That of a file `.sg`, or one that is generated.
pub(crate) fn graph(name: &str) -> Result<Csr, Box<dyn Error>> {
    Ok(if name.ends_with(".sg") {
        read_sg(Path::new(name), true, &mut |_| ControlFlow::Continue(()))?
    } else {
        name.parse::<GraphSpec>()?.generate(1)?
    })
}
