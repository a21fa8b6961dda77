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
    pub program: &'static str,
    /// T1 in seconds.
    pub t1_s: f64,
    /// T∞ in seconds.
    pub span_s: f64,
    /// T1/T8.
    pub speed_up: f64,
}

/// That figure.
pub const FIGURE_6: [Performance; 12] = [
    Performance { program: "fib", t1_s: 12.77, span_s: 0.0005, speed_up: 8.0 },
    Performance { program: "blockedmul", t1_s: 29.9, span_s: 0.0044, speed_up: 7.0 },
    Performance { program: "notempmul", t1_s: 29.7, span_s: 0.015, speed_up: 7.6 },
    Performance { program: "strassen", t1_s: 20.2, span_s: 0.58, speed_up: 5.7 },
    Performance { program: "cilksort", t1_s: 5.4, span_s: 0.0049, speed_up: 6.0 },
    Performance { program: "queens", t1_s: 150.0, span_s: 0.0015, speed_up: 8.0 },
    Performance { program: "knapsack", t1_s: 75.8, span_s: 0.0014, speed_up: 8.0 },
    Performance { program: "lu", t1_s: 155.8, span_s: 0.42, speed_up: 7.7 },
    Performance { program: "cholesky", t1_s: 1427.0, span_s: 3.4, speed_up: 6.9 },
    Performance { program: "heat", t1_s: 62.3, span_s: 0.16, speed_up: 6.6 },
    Performance { program: "fft", t1_s: 4.3, span_s: 0.0020, speed_up: 5.6 },
    Performance { program: "Barnes-Hut", t1_s: 124.0, span_s: 0.15, speed_up: 7.5 },
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
