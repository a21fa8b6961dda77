//! Searches on ranks that `mpirun` starts: this program starts itself so. Needs MPICH or Open MPI, the one that it has
//! been built with. `MPIRUN` names the starter if there are several.

#[path = "loopback/problems.rs"]
mod problems;

use filch::{Bound, Pool};
use filch_cluster::{Cluster, ClusterError};
use problems::{Board, Knapsack, Queens, Tree};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// What a rank does: the argument behind this one.
const AS_RANK: &str = "--as-rank";

fn main() -> Result<(), ClusterError> {
    let arguments = std::env::args().collect::<Vec<_>>();
    match arguments.iter().position(|argument| argument == AS_RANK) {
        Some(place) => rank(arguments.get(place + 1).map(String::as_str).unwrap_or_default()),
        None => {
            all_ranks_return_the_same_exact_results();
            a_panic_ends_all_ranks_with_an_error_that_names_the_rank();
            a_rank_that_dies_ends_the_others_within_two_seconds();
            println!("mpi: ok");
            Ok(())
        }
    }
}

fn start(ranks: usize, what: &str) -> (Output, Duration) {
    let this = std::env::current_exe().expect("the path of this program");
    let mut mpirun = Command::new(std::env::var("MPIRUN").unwrap_or_else(|_| "mpirun".into()));
    // Open MPI starts neither for root nor more ranks than there are processors, unless it is told to.
    mpirun.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    mpirun.env("OMPI_MCA_rmaps_base_oversubscribe", "1").env("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe");
    mpirun.args(["-n", &ranks.to_string()]).arg(this).args([AS_RANK, what]).stdin(Stdio::null());
    let begun = Instant::now();
    let output = mpirun.output().expect("mpirun of MPICH or Open MPI");
    (output, begun.elapsed())
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

fn all_ranks_return_the_same_exact_results() {
    for ranks in 1..=8 {
        let (output, _) = start(ranks, "searches");
        assert!(output.status.success(), "{ranks} ranks: {}", text(&output));
        assert_eq!(text(&output).matches("all is right").count(), ranks, "{}", text(&output));
    }
}

fn a_panic_ends_all_ranks_with_an_error_that_names_the_rank() {
    let (output, _) = start(3, "panic");
    assert!(!output.status.success(), "{}", text(&output));
    assert!(text(&output).contains("Failed { rank: ") && !text(&output).contains("all is right"), "{}", text(&output));
}

fn a_rank_that_dies_ends_the_others_within_two_seconds() {
    let (output, elapsed) = start(3, "die");
    assert!(!output.status.success() && !text(&output).contains("all is right"), "{}", text(&output));
    let begun = Duration::from_secs(1);
    assert!(elapsed < Duration::from_secs(2) + begun, "{elapsed:?}");
}

/// What each rank does.
fn rank(what: &str) -> Result<(), ClusterError> {
    let pool = Pool::builder().workers(2).own_threads(true).build().expect("a pool");
    let cluster = Cluster::from_env_with(pool)?;
    cluster.run(|c| match what {
        "panic" => {
            let tree = Tree { at_node: |path| assert!(!path.ends_with(&[2, 1, 2]), "so it is"), ..Tree::new(3, 9) };
            c.search(&tree, Vec::new()).count().map(|_| ())
        }
        "die" => {
            if c.rank() == 1 {
                std::process::abort();
            }
            c.search(&Queens(18), Board::default()).count().map(|_| ())
        }
        _ => searches(c),
    })?;
    println!("rank {}: all is right", cluster.rank());
    Ok(())
}

fn searches(c: &Cluster) -> Result<(), ClusterError> {
    for (n, count) in [(8, 92), (9, 352), (10, 724), (11, 2_680), (12, 14_200)] {
        assert_eq!(c.search(&Queens(n), Board::default()).count()?, count);
    }
    for seed in 0..10 {
        let tree = Tree::new(seed, 9);
        assert_eq!(c.search(&tree, Vec::new()).count()?, tree.leaves());
    }
    let any = c.search(&Queens(14), Board::default()).find_any(Board::clone)?.expect("a solution");
    assert!(any.rows == 14 && any.is_legal());
    let words = if c.rank() == 0 { (0..300).map(|i| "x".repeat(i)).collect() } else { Vec::new() };
    let lengths = c.map(words, |word: &String| word.len())?;
    assert_eq!(lengths, (0..300).collect::<Vec<_>>());
    for seed in 0..5 {
        let bound = Bound::highest();
        let knapsack = Knapsack::new(seed, 20, &bound);
        let search = c.search(&knapsack, Default::default());
        // What is kept is large, so that MPI does not send it before the receiver asks for it.
        let best = search.find_best(&bound, |packed| packed.value, |packed| vec![packed.value; 50_000])?;
        assert_eq!(best, Some((knapsack.best(), vec![knapsack.best(); 50_000])));
    }
    Ok(())
}
