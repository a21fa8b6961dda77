//! Distances, summed up, and the centralities that follow from them.

/// The distances to a vertex from all others from which paths lead to it, summed up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// The number of these others.
    pub vertices: usize,
    /// The sum of the distances.
    pub total: u64,
    /// The sum of their reciprocals, the smallest distances first: the harmonic centrality.
    pub harmonic: f64,
}

/// The sums of the distances to some vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct Distances<V> {
    num_vertices: usize,
    /// The vertices.
    pub vertices: Vec<V>,
    /// The distances to each of them.
    pub sums: Vec<Sums>,
}

impl<V> Distances<V> {
    /// The sums of the distances to these vertices of a graph of `num_vertices`, one for each.
    pub fn new(num_vertices: usize, vertices: Vec<V>, sums: Vec<Sums>) -> Self {
        Distances { num_vertices, vertices, sums }
    }

    /// The closeness of each vertex, multiplied by the share of all others from which paths lead to it (Wasserman and
    /// Faust 1994, page 201), as networkx does by default. 0 if there are none.
    pub fn closeness(&self) -> Vec<f64> {
        let others = self.num_vertices.saturating_sub(1).max(1) as f64;
        self.values(|sums| inverse_mean(sums) * (sums.vertices as f64 / others))
    }

    /// The closeness of each vertex among those from which paths lead to it (in networkx, `wf_improved=False`). 0 if
    /// there are none.
    pub fn closeness_within_reach(&self) -> Vec<f64> {
        self.values(inverse_mean)
    }

    /// The harmonic centrality of each vertex.
    pub fn harmonic(&self) -> Vec<f64> {
        self.values(|sums| sums.harmonic)
    }

    fn values(&self, value: impl Fn(&Sums) -> f64) -> Vec<f64> {
        self.sums.iter().map(value).collect()
    }
}

fn inverse_mean(sums: &Sums) -> f64 {
    if sums.vertices == 0 { 0.0 } else { sums.vertices as f64 / sums.total as f64 }
}
