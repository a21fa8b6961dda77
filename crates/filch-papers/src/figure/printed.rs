//! The numbers that the papers print, beside which those of this machine are shown.

/// A row of table 2 of Yasugi, Hiraishi, Umatani and Yuasa (2012).
pub struct Run {
    /// The time of the serial traversal with a stack, in seconds.
    pub stack_s: f64,
    /// The time of the serial traversal in stages, in seconds.
    pub staged_s: f64,
    /// Its number of stages.
    pub stages: u64,
}

/// Table 2, in the order of [`Size::four`](super::size::Size::four).
pub const TABLE_2: [Run; 4] = [
    Run { stack_s: 1.11, staged_s: 0.993, stages: 1 },
    Run { stack_s: 0.624, staged_s: 0.597, stages: 2 },
    Run { stack_s: 0.821, staged_s: 0.985, stages: 200 },
    Run { stack_s: 0.344, staged_s: 0.492, stages: 0 },
];

/// A row of table 3: overflowed vertices, allocations, and the space overhead in per cent, on twelve workers.
pub type Lists = (u64, u64, f64);

/// Table 3: for each graph the short-term form in Cilk, the long-term form in Cilk and that in Tascell.
pub const TABLE_3: [[Lists; 3]; 4] = [
    [(350_812, 136_339, 17.0), (356_145, 599, 0.91), (706_505, 1_183, 0.47)],
    [(1_024_891, 437_266, 28.0), (1_025_006, 1_747, 2.3), (1_025_064, 1_724, 0.91)],
    [(4_019_435, 2_163_449, 61.0), (4_014_040, 14_397, 115.0), (4_012_193, 12_165, 82.0)],
    [(0, 0, 0.0), (0, 0, 0.0), (0, 0, 0.0)],
];

/// The thresholds of table 1 of Cong, Kodali, Krishnamoorthy, Lea, Saraswat and Wen (2008).
pub const THRESHOLDS: [usize; 7] = [1, 2, 8, 32, 128, 512, 2048];

/// A row of that table: the throughput for T, K and R with a threshold, relative to 128.
pub struct Thresholds {
    /// On Niagara.
    pub niagara: [f64; 3],
    /// On Opteron.
    pub opteron: [f64; 3],
}

/// The rows for [`THRESHOLDS`].
pub const TABLE_1: [Thresholds; 7] = [
    Thresholds { niagara: [0.58, 0.79, 0.81], opteron: [0.18, 0.54, 0.55] },
    Thresholds { niagara: [0.68, 0.85, 0.85], opteron: [0.33, 0.78, 0.81] },
    Thresholds { niagara: [0.88, 0.93, 0.94], opteron: [0.75, 0.97, 0.93] },
    Thresholds { niagara: [0.97, 1.00, 0.99], opteron: [0.82, 0.98, 0.94] },
    Thresholds { niagara: [1.00, 1.00, 1.00], opteron: [1.00, 1.00, 1.00] },
    Thresholds { niagara: [0.98, 0.92, 1.00], opteron: [0.89, 1.00, 0.99] },
    Thresholds { niagara: [0.96, 0.92, 0.91], opteron: [0.86, 0.97, 0.97] },
];

/// Vertices per task with the threshold 128 on Niagara, for T, K and R (section 3.3).
pub const PER_TASK: [u64; 3] = [2400, 270, 150];

/// The gain from reading vertices in order rather than with a stride of 7919, for T, K and R: on Niagara and Opteron
/// (section 3.3).
pub const STRIDE: [[f64; 3]; 2] = [[2.2, 1.2, 1.2], [7.4, 1.3, 1.4]];

/// A row of figure 6 of Frigo, Leiserson and Randall (1998).
pub struct Performance {
    /// The program.
    pub name: &'static str,
    /// The name of the program in `filch-programs`.
    pub program: &'static str,
    /// T1 in seconds.
    pub t1_s: f64,
    /// T∞ in seconds.
    pub span_s: f64,
    /// c1 = T1/T_S.
    pub overhead: f64,
    /// T1/T8.
    pub speed_up: f64,
    /// T_S/T8.
    pub over_serial: f64,
}

impl Performance {
    const fn new(
        [name, program]: [&'static str; 2],
        [t1_s, span_s]: [f64; 2],
        [overhead, speed_up, over_serial]: [f64; 3],
    ) -> Self {
        Performance { name, program, t1_s, span_s, overhead, speed_up, over_serial }
    }
}

/// That figure.
pub const FIGURE_6: [Performance; 12] = [
    Performance::new(["fib", "fib"], [12.77, 0.0005], [3.63, 8.0, 2.2]),
    Performance::new(["blockedmul", "blockedmul"], [29.9, 0.0044], [1.05, 7.0, 6.6]),
    Performance::new(["notempmul", "notempmul"], [29.7, 0.015], [1.05, 7.6, 7.2]),
    Performance::new(["strassen", "strassen"], [20.2, 0.58], [1.01, 5.7, 5.6]),
    Performance::new(["cilksort", "cilksort"], [5.4, 0.0049], [1.21, 6.0, 5.0]),
    Performance::new(["queens", "queens-any"], [150.0, 0.0015], [0.99, 8.0, 8.0]),
    Performance::new(["knapsack", "knapsack-cilk"], [75.8, 0.0014], [1.03, 8.0, 7.7]),
    Performance::new(["lu", "lu"], [155.8, 0.42], [1.02, 7.7, 7.5]),
    Performance::new(["cholesky", "sparse-cholesky"], [1427.0, 3.4], [1.25, 6.9, 5.5]),
    Performance::new(["heat", "heat"], [62.3, 0.16], [1.08, 6.6, 6.1]),
    Performance::new(["fft", "fft"], [4.3, 0.002], [0.93, 5.6, 6.0]),
    Performance::new(["Barnes-Hut", "barnes-hut"], [124.0, 0.15], [1.02, 7.5, 7.4]),
];

/// c∞ of their figure 8: for almost all runs, T_P ≤ T1/P + 1.0·T∞ (section 6).
pub const CILK5_OVERHEAD: f64 = 1.0;

/// The factor of the one run of that figure that is an exception.
pub const CILK5_EXCEPTION: f64 = 1.05;

/// The number of workers of figure 7 of Acar, Charguéraud, Guatto, Rainey and Sieczkowski (2018).
pub const HEARTBEAT_WORKERS: usize = 40;

/// The τ that they measure, on average, from 1.2 to 1.9 µs (section 5.1).
pub const HEARTBEAT_TAU_NS: u64 = 1_500;

/// The N of the sweet spot in figure 7 (section 5.1).
pub const HEARTBEAT_BEST_US: u64 = 30;

/// N below and above these are suboptimal (section 5.1).
pub const HEARTBEAT_GOOD_US: (u64, u64) = (10, 100);

/// A row of figure 8 of Acar, Charguéraud, Guatto, Rainey and Sieczkowski (2018).
pub struct Overheads {
    /// The program and its input.
    pub name: &'static str,
    /// The name of the program in `filch-programs`.
    pub program: &'static str,
    /// The columns 2 to 9: seconds in the columns 2 and 6, otherwise differences in per cent.
    pub columns: [f64; 8],
}

impl Overheads {
    const fn new(name: &'static str, program: &'static str, columns: [f64; 8]) -> Self {
        Overheads { name, program, columns }
    }
}

/// That figure. It has three texts and two meshes, of which these are the first.
pub const FIGURE_8: [Overheads; 23] = [
    Overheads::new("radixsort random", "radixsort-random", [3.39, 8.6, 0.5, 1.5, 0.21, -8.4, -6.8, -94.2]),
    Overheads::new("radixsort exponential", "radixsort-exponential", [3.46, 6.9, 0.1, 2.0, 0.20, -9.0, -7.9, -95.7]),
    Overheads::new("radixsort random pair", "radixsort-pairs-256", [5.63, 5.0, 46.3, 1.7, 0.51, -24.8, -25.3, -94.1]),
    Overheads::new("samplesort random", "samplesort-random", [22.77, 43.5, 64.9, 1.8, 1.21, -14.6, -14.0, -8.9]),
    Overheads::new(
        "samplesort exponential",
        "samplesort-exponential",
        [16.48, 34.8, 59.4, 1.3, 0.91, -18.9, -18.2, -35.5],
    ),
    Overheads::new(
        "samplesort almost sorted",
        "samplesort-almost",
        [7.55, 108.3, 137.4, 1.9, 0.71, -17.9, -16.4, -47.7],
    ),
    Overheads::new("suffixarray dna", "suffixarray", [23.62, 1.5, 22.7, 3.1, 1.33, -10.4, -14.7, -98.0]),
    Overheads::new(
        "removeduplicates random",
        "removeduplicates-random",
        [10.12, 33.4, 11.5, 3.6, 0.48, 9.5, 11.3, -46.2],
    ),
    Overheads::new(
        "removeduplicates bounded random",
        "removeduplicates-bounded",
        [2.97, 15.2, -3.1, -0.2, 0.22, -16.5, -11.2, -93.2],
    ),
    Overheads::new(
        "removeduplicates exponential",
        "removeduplicates-exponential",
        [7.08, 8.2, 0.4, 3.0, 0.38, -7.4, -4.7, -81.1],
    ),
    Overheads::new(
        "removeduplicates string trigrams",
        "removeduplicates-trigrams",
        [11.27, 0.0, -0.1, 2.1, 0.54, -25.1, -23.5, 1.6],
    ),
    Overheads::new("convexhull in circle", "convexhull-in-circle", [14.27, -0.8, -1.7, 2.8, 0.69, -6.5, -4.6, -67.0]),
    Overheads::new("convexhull kuzmin", "convexhull-kuzmin", [8.65, 5.0, -0.5, -2.7, 0.48, -16.4, -7.7, -92.6]),
    Overheads::new(
        "convexhull on circle",
        "convexhull-on-circle",
        [10.77, -1.1, 192.3, 4.3, 1.35, -63.9, -65.0, -68.4],
    ),
    Overheads::new("nearestneighbors kuzmin", "neighbours-kuzmin", [26.66, 17.8, 10.7, 4.3, 1.35, 0.9, -0.7, -89.0]),
    Overheads::new("nearestneighbors plummer", "neighbours-plummer", [32.80, 14.0, 8.6, 4.7, 2.35, -12.9, 17.1, -92.1]),
    Overheads::new("delaunay in square", "delaunay-in-square", [90.47, -2.3, -1.1, 1.5, 3.53, 5.7, -14.7, -96.7]),
    Overheads::new("delaunay kuzmin", "delaunay-kuzmin", [97.80, -1.0, 0.3, 2.7, 4.13, 6.1, -12.8, -98.1]),
    Overheads::new("raycast happy", "raycast", [11.15, 8.9, 6.1, 3.3, 0.48, 1.3, -2.5, -92.8]),
    Overheads::new("mst cube", "mst-cube", [49.46, 17.0, 25.7, 1.7, 2.57, 0.0, -9.2, -91.5]),
    Overheads::new("mst rMat24", "mst-rmat", [44.11, 14.1, 22.5, 1.5, 2.40, -1.8, -6.6, -91.4]),
    Overheads::new("spanning cube", "spanning-cube", [13.74, 8.5, 3.2, 2.0, 0.68, -11.9, 3.5, -96.3]),
    Overheads::new("spanning rMat24", "spanning-rmat", [8.78, 8.8, 3.4, 2.1, 0.50, -7.5, 3.2, -96.5]),
];
