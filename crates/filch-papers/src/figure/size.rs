//! The graphs of the papers, at their size and smaller.

use clap::ValueEnum;
use filch_kernels::Sizes;

/// How large graphs and simulated programs are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Size {
    /// As in the paper: minutes to hours, and up to 8 GiB of memory
    Paper,
    /// A sixteenth of that or less
    Small,
    /// Some hundred vertices, to see whether it works
    Tiny,
}

impl Size {
    fn pick<T>(self, [paper, small, tiny]: [T; 3]) -> T {
        match self {
            Self::Paper => paper,
            Self::Small => small,
            Self::Tiny => tiny,
        }
    }

    /// The four graphs of Yasugi, Hiraishi, Umatani and Yuasa (2012), section 6. In the first, vertices pick among few,
    /// as numbers of 15 bits make them do in the paper.
    pub fn four(self) -> [Named; 4] {
        let graphs = self.pick([
            ["random(4000000,2,15)", "hypercube(21)", "torus(4000)", "bintree(24)"],
            ["random(250000,2,11)", "hypercube(17)", "torus(1000)", "bintree(20)"],
            ["random(300,2,5)", "hypercube(8)", "torus(20)", "bintree(9)"],
        ]);
        let names = ["random", "hypercube", "torus", "bintree"];
        std::array::from_fn(|place| Named { name: names[place], spec: graphs[place].to_owned() })
    }

    /// The hypercubes and the tori of figure 10, with their N.
    pub fn of_figure_10(self) -> [(&'static str, Vec<usize>); 2] {
        let (dimensions, sides) = self.pick([
            ((12..=21).collect(), vec![128, 256, 512, 1024, 2048, 4096]),
            ((10..=17).collect(), vec![64, 128, 256, 512, 1024]),
            (vec![5, 8], vec![8, 20]),
        ]);
        [("hypercube", dimensions), ("torus", sides)]
    }

    /// Two meshes with a link, the second with ten times the vertices of the first: section 7.3.
    pub fn of_figure_13(self) -> String {
        self.pick(["meshes(1200,3800)", "meshes(300,950)", "meshes(9,28)"]).to_owned()
    }

    /// The size of a program.
    pub fn of_program(self, Sizes { small, default, paper }: Sizes) -> u64 {
        self.pick([paper, default, small])
    }

    /// The largest number of nodes of a knary tree (Frigo, Leiserson and Randall 1998, section 6).
    pub fn of_knary(self) -> u64 {
        self.pick([2_000_000, 200_000, 20_000])
    }

    /// The programs of figure 7 of Acar, Charguéraud, Guatto, Rainey and Sieczkowski (2018): loops one after another,
    /// and trees one after another, as in PBBS. The paper's run for 0.2 to 3.5 s on 40 workers.
    pub fn of_heartbeat(self) -> [&'static str; 2] {
        self.pick([
            ["phases:20,(loop:800000,body=500ns)", "phases:20,(random:200000,leaf=1us..3us)"],
            ["phases:4,(loop:800000,body=500ns)", "phases:4,(random:200000,leaf=1us..3us)"],
            ["phases:1,(loop:400000,body=500ns)", "phases:1,(random:100000,leaf=1us..3us)"],
        ])
    }

    /// Numbers of vertices in figure 1 of Cong, Kodali, Krishnamoorthy, Lea, Saraswat and Wen (2008), as sides of a
    /// torus.
    pub fn of_xws_1(self) -> Vec<usize> {
        self.pick([vec![500, 1000, 2000, 3000], vec![250, 500], vec![16]])
    }

    /// The side of the torus in their table 1, of four million vertices.
    pub fn of_xws_table_1(self) -> usize {
        self.pick([2000, 500, 16])
    }
}

/// A graph, and what it is called in a table.
#[derive(Clone, Debug)]
pub struct Named {
    /// The name.
    pub name: &'static str,
    /// Its specification.
    pub spec: String,
}

/// The three kinds of graphs of Cong et al. (2008), section 1.4: T, K and R. The paper does not say how many neighbours
/// and edges the last two have; here it is 6 neighbours, and 4 edges for each vertex.
pub fn three(side: usize) -> [Named; 3] {
    let n = side * side;
    [
        Named { name: "T", spec: format!("torus({side})") },
        Named { name: "K", spec: format!("geometric({n},6),shuffled") },
        Named { name: "R", spec: format!("gnm({n},{})", 4 * n) },
    ]
}
