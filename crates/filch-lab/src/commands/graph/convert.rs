//! `filch graph convert`: writes a graph in another form.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::failure::Failure;
use crate::graphs::args::InputArgs;
use crate::graphs::save;
use crate::graphs::session::show_graph;
use crate::graphs::source::load;
use crate::measure::machine::pool::default_pool;
use crate::output;

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch graph convert roads.el.gz --symmetrize --out roads.sg
  filch graph convert web.sg --out web.el.zst

The name of the file decides what is written: with .sg the binary form of GAPBS, with .el or
.txt an edge list, which has each edge of an undirected graph once. An edge list is compressed
if .gz or .zst is appended.

Exit code: 0 success, 2 bad usage or bad input, or a file that cannot be written.";

/// The arguments of `filch graph convert`.
#[derive(Args, Debug)]
pub struct ConvertArgs {
    /// The graph.
    #[command(flatten)]
    pub input: InputArgs,

    /// Take each edge in both directions
    #[arg(long)]
    pub symmetrize: bool,

    /// The file to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Runs `filch graph convert`.
pub fn run(args: &ConvertArgs, out: &mut dyn Write) -> Result<(), Failure> {
    save::check_graph_name(&args.out)?;
    output::check_writable(&args.out)?;
    output::check_distinct(args.input.files(), &[("--out", args.out.as_path())])?;
    let pool = default_pool()?;
    let loaded = load(&args.input, args.symmetrize, &pool)?;
    show_graph(&loaded, out)?;
    save::graph(&args.out, &loaded.graph, &pool, out)
}
