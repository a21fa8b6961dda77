//! What a starter of MPI programs tells each process by environment variables.

/// The place of this process among those that `mpirun`, or a like program, has started: known before MPI runs, and also
/// without the feature `mpi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Started {
    /// The number of this rank.
    pub rank: usize,
    /// How many ranks there are.
    pub ranks: usize,
}

/// The variables of the rank and of the number of ranks: MPICH and its relatives, Open MPI, Slurm with PMIx.
const VARIABLES: [[&str; 2]; 3] =
    [["PMI_RANK", "PMI_SIZE"], ["OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"], ["PMIX_RANK", "SLURM_NTASKS"]];

impl Started {
    /// `None` if no starter of MPI programs has started this process.
    pub fn from_env() -> Option<Self> {
        let number = |name: &str| std::env::var(name).ok()?.trim().parse().ok();
        VARIABLES.iter().find_map(|[rank, ranks]| Some(Started { rank: number(rank)?, ranks: number(ranks)? }))
    }
}
