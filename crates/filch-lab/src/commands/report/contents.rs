//! The figures of the report: the command that makes each, what it shows, and what it verifies.

/// A part of the page.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) title: &'static str,
    pub(super) about: &'static str,
    pub(super) figures: &'static [Figure],
}

impl Section {
    /// Whether the title contains this word, if there is one.
    pub(super) fn is_called(&self, word: Option<&str>) -> bool {
        word.is_none_or(|word| self.title.to_lowercase().contains(&word.to_lowercase()))
    }
}

/// What one command shows.
#[derive(Debug)]
pub(super) struct Figure {
    pub(super) title: &'static str,
    /// The words of the command, without `filch`.
    pub(super) command: &'static str,
    /// What is added to them for a quick report, and else.
    pub(super) quick: &'static str,
    pub(super) full: &'static str,
    /// The file that `--svg` names, if the command draws.
    pub(super) picture: Option<&'static str>,
    /// What it means that the command has ended well.
    pub(super) verified: &'static str,
}

impl Figure {
    /// The words of the command.
    pub(super) fn words(&self, is_quick: bool) -> Vec<&'static str> {
        // What is behind `--` is another program.
        let (own, other) = match self.command.split_once(" -- ") {
            Some((own, other)) => (own, Some(other)),
            None => (self.command, None),
        };
        let mut words: Vec<&str> = own.split(' ').collect();
        words.extend(if is_quick { self.quick } else { self.full }.split_whitespace());
        words.extend(self.picture.into_iter().flat_map(|picture| ["--svg", picture]));
        words.extend(other.into_iter().flat_map(|other| ["--"].into_iter().chain(other.split(' '))));
        words
    }
}

const RESULTS: &str = "every result, by its program's checker, which shares no code with it";
const TREES: &str = "every tree, as a spanning forest of its graph";
const ANSWERS: &str = "every answer, by a verifier that shares no code with what found it";
const SIMULATED: &str = "nothing on this machine; the time is that of virtual workers, who decide as Filch does";
const BOUNDS: &str = "that every simulated run keeps the bounds that hold for all runs";
const TIMES: &str = "nothing; these are times alone";

const QUICK: &str = "--size small --runs 3";
const FULL: &str = "--runs 21";
const TINY: &str = "--size tiny --runs 1";

/// A figure of measured programs, with this picture.
const fn bench(title: &'static str, command: &'static str, picture: &'static str) -> Figure {
    Figure { title, command, quick: QUICK, full: FULL, picture: Some(picture), verified: RESULTS }
}

/// A figure of a paper.
const fn paper(
    title: &'static str,
    command: &'static str,
    picture: Option<&'static str>,
    verified: &'static str,
) -> Figure {
    Figure { title, command, quick: TINY, full: "", picture, verified }
}

/// The page, from top to bottom.
pub(super) static SECTIONS: [Section; 8] = [
    Section {
        title: "Machine",
        about: "What this machine is, what sharing costs on it, and what a fork costs, part by part.",
        figures: &[Figure {
            title: "Costs",
            command: "machine",
            quick: "",
            full: "--idle",
            picture: None,
            verified: TIMES,
        }],
    },
    Section {
        title: "Programs",
        about: "All programs against all rivals that have them. A ratio is the own time over the peer's, so less than \
                1 is faster. The pictures have the inverse for speed-up.",
        figures: &[
            bench(
                "Forks",
                "bench fib fib-implicit tree-sum tree-sum-chili queens ck alpha-beta knary skew uts-joins \
                 uts-binomial-joins --summary",
                "forks.svg",
            ),
            bench(
                "Sorts, matrices and grids, with a cut-off",
                "bench cilksort mergesort notempmul blockedmul strassen lu cholesky sparse-cholesky gauss heat sor \
                 fft barnes-hut --summary",
                "cut-offs.svg",
            ),
            bench(
                "The same without a cut-off",
                "bench --grain 1 --against serial,rayon,chili --summary",
                "no-cut-offs.svg",
            ),
            bench(
                "Loops",
                "bench spmv-random spmv-3 spmv-powerlaw spmv-arrowhead nested mandelbrot histogram prefix-sums sums \
                 --summary",
                "loops.svg",
            ),
            bench(
                "Searches",
                "bench queens-any queens-search queens-copied pentomino pentomino-copied sudoku sudoku-copied \
                 knapsack knapsack-copied knapsack-cilk tsp tsp-copied colouring colouring-copied uts uts-binomial \
                 --summary",
                "searches.svg",
            ),
            bench(
                "Sequences, points and graphs",
                "bench radixsort-random radixsort-exponential radixsort-pairs-256 radixsort-pairs samplesort-random \
                 samplesort-exponential samplesort-almost suffixarray removeduplicates-random \
                 removeduplicates-bounded removeduplicates-exponential removeduplicates-trigrams \
                 convexhull-in-circle convexhull-kuzmin convexhull-on-circle neighbours-kuzmin neighbours-plummer \
                 neighbours-10-kuzmin neighbours-10-plummer delaunay-in-square delaunay-kuzmin raycast mst-cube \
                 mst-rmat spanning-cube spanning-rmat --summary",
                "suite.svg",
            ),
        ],
    },
    Section {
        title: "Schedulers",
        about: "What forks cost under each scheduler: the time on one worker over that of the serial program.",
        figures: &[
            bench(
                "Overheads",
                "bench fib fib-implicit tree-sum queens knary --scheduler all --workers 1 --against serial --summary",
                "schedulers.svg",
            ),
            Figure {
                title: "More workers than cores",
                command: "bench fib tree-sum queens --workers 2,8 --against serial --summary",
                quick: QUICK,
                full: FULL,
                picture: None,
                verified: RESULTS,
            },
        ],
    },
    Section {
        title: "Figures of papers",
        about: "Figures 6 and 8 of Frigo, Leiserson and Randall (1998), and figures 7 and 8 of Acar, Charguéraud, \
                Guatto, Rainey and Sieczkowski (2018).",
        figures: &[
            paper("Cilk-5, figure 6: work, span and speed-up", "paper figure cilk5-6", None, RESULTS),
            Figure {
                title: "Cilk-5, figure 8: normalised speed-up, measured",
                command: "paper knary",
                quick: "--nodes 20000 --runs 3",
                full: "",
                picture: Some("knary.svg"),
                verified: RESULTS,
            },
            paper("Cilk-5, figure 8, on more workers", "paper figure cilk5-8", Some("cilk5-8.svg"), SIMULATED),
            paper(
                "Heartbeat, figure 7: time against the period",
                "paper figure heartbeat-7",
                Some("heartbeat-7.svg"),
                SIMULATED,
            ),
            paper("Heartbeat, figure 8: loops in blocks and without", "paper figure heartbeat-8", None, RESULTS),
        ],
    },
    Section {
        title: "Sweeps",
        about: "How much is shared, varied.",
        figures: &[
            bench("Time against the period of heartbeats", "paper sweep heartbeat fib", "sweep-heartbeat.svg"),
            Figure {
                title: "Threads created",
                command: "paper sweep tasks fib queens cilksort",
                quick: QUICK,
                full: "",
                picture: None,
                verified: RESULTS,
            },
            bench("Boundary levels and leaf sizes under CAB", "paper sweep cab heat", "sweep-cab.svg"),
        ],
    },
    Section {
        title: "Spanning trees",
        about: "The algorithms of Yasugi, Hiraishi, Umatani and Yuasa (2012), and of Cong, Kodali, Krishnamoorthy, \
                Lea, Saraswat and Wen (2008).",
        figures: &[
            paper("Speed-up over the serial traversal", "paper figure tascell-12", Some("tascell-12.svg"), TREES),
            paper("Allocations for overflowed vertices", "paper figure tascell-table-3", None, TREES),
            paper("Edges per second", "paper figure xws-1", Some("xws-1.svg"), TREES),
        ],
    },
    Section {
        title: "Graphs",
        about: "Forests, components and breadth-first searches against serial code.",
        figures: &[
            Figure {
                title: "A spanning forest of a Kronecker graph",
                command: "forest",
                quick: "kronecker(12) --runs 5 --verify --against serial --workers 1,2",
                full: "kronecker(21) --runs 21 --verify --against serial --workers 1,2",
                picture: None,
                verified: ANSWERS,
            },
            Figure {
                title: "Graphs of all shapes",
                command: "bench zoo",
                quick: "--vertices 1000 --runs 2",
                full: "",
                picture: None,
                verified: ANSWERS,
            },
        ],
    },
    Section {
        title: "More cores",
        about: "Work, span, and what more workers would give. Simulated workers decide as Filch does.",
        figures: &[
            Figure {
                title: "Work and span of a search",
                command: "profile --as 1,2,4,16,64,256 -- filch search queens 13 --count",
                quick: "",
                full: "--measure 1,2",
                picture: Some("work-and-span.svg"),
                verified: "that the program ends well in every run",
            },
            Figure {
                title: "Simulated scaling of fib",
                command: "simulate fib:25,leaf=10us --workers 1,4,16,64,256,1024 --scheduler default --scheduler cilk5",
                quick: "--seeds 2",
                full: "",
                picture: Some("scaling-fib.svg"),
                verified: BOUNDS,
            },
            Figure {
                title: "Simulated scaling of a random tree",
                command: "simulate random:100000,leaf=1us..20us --workers 1,4,16,64,256,1024 --scheduler default \
                          --scheduler heartbeat",
                quick: "--seeds 2",
                full: "",
                picture: Some("scaling-random.svg"),
                verified: BOUNDS,
            },
        ],
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_program_is_compared_once_and_every_picture_has_its_own_name() {
        let figures = || SECTIONS.iter().flat_map(|section| section.figures);
        let all: Vec<&str> = filch_programs::all().iter().map(|program| program.name).collect();
        let programs = SECTIONS[1].figures.iter().flat_map(|figure| figure.words(false));
        let mut compared: Vec<&str> = programs.filter(|word| all.contains(word)).collect();
        let mut expected = all.clone();
        compared.sort_unstable();
        expected.sort_unstable();
        assert_eq!(compared, expected);
        let pictures: Vec<&str> = figures().filter_map(|figure| figure.picture).collect();
        assert_eq!(pictures.iter().collect::<HashSet<_>>().len(), pictures.len());
    }

    #[test]
    fn options_stand_before_another_program() {
        let words = SECTIONS[7].figures[0].words(false).join(" ");
        assert!(words.ends_with(" --measure 1,2 --svg work-and-span.svg -- filch search queens 13 --count"), "{words}");
    }
}
