//! From the argument GRAPH to a graph in memory.

use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use filch::Pool;
use filch_bench::debian::DEBIAN;
use filch_bench::failure::Failure;
use filch_bench::show::progress::stage::{Stage, Unit};
use filch_graph::{Csr, GenerateError, Graph, GraphSpec, Watch};
use filch_graph_io::read::{
    self, ExtraColumns, FileError, FileFormat, FirstVertex, Kept, LineFault, OnProgress, Progress, ReadError,
    ReadOptions, read_graph_watched, read_kept,
};
use filch_text::is_standard_input;

use super::args::InputArgs;
use super::names::Names;
use super::take::Take;

/// What the argument GRAPH refers to.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// A generator.
    Generator(GraphSpec),
    /// The packages of Debian.
    Debian,
}

/// A graph in memory, and how it was loaded.
#[derive(Debug)]
pub struct Loaded<G = Csr> {
    /// The graph as the user named it.
    pub name: String,
    /// The graph.
    pub graph: G,
    /// The names of its vertices.
    pub names: Names,
    /// What the file has besides the graph, and is left out.
    pub left_out: Option<&'static str>,
    /// The reading of the file, if the graph came from one.
    pub read: Option<Read>,
    /// The time to build or generate the graph, in seconds; `None` for a file that holds the graph in its final form.
    pub build_s: Option<f64>,
}

impl<G> Loaded<G> {
    /// The graph, and all else.
    pub fn split(self) -> (G, Loaded<()>) {
        let Self { name, graph, names, left_out, read, build_s } = self;
        (graph, Loaded { name, graph: (), names, left_out, read, build_s })
    }

    /// The same with another graph of the same vertices.
    pub fn with<H>(self, graph: H) -> Loaded<H> {
        let Self { name, names, left_out, read, build_s, .. } = self;
        Loaded { name, graph, names, left_out, read, build_s }
    }
}

/// The reading of a file.
#[derive(Clone, Copy, Debug)]
pub struct Read {
    /// The time in seconds.
    pub seconds: f64,
    /// The number of bytes after decompression.
    pub bytes: u64,
}

/// The argument that names the built-in graph.
const DEBIAN_WORD: &str = "debian";

impl Source {
    /// The name of an existing file means that file. Other arguments with parentheses are generators.
    pub fn of(graph: impl AsRef<OsStr>) -> Result<Self, Failure> {
        let path = Path::new(&graph);
        match path.to_str() {
            Some(DEBIAN_WORD) if !path.is_file() => Ok(Self::Debian),
            Some(spec) if spec.contains('(') && !path.exists() => specification(spec).map(Self::Generator),
            _ => Ok(Self::File(path.to_owned())),
        }
    }
}

/// What is kept of a file: the graph without weights, or with weights if the file has them.
pub trait Form: From<Csr> + Send + Sync {
    /// Reads a file.
    fn read(
        path: &Path,
        options: &ReadOptions,
        on_progress: &mut OnProgress<'_>,
        watch: &dyn Watch,
    ) -> Result<read::Loaded<Self>, ReadError>;

    /// The number of vertices.
    fn count(&self) -> usize;
}

impl Form for Csr {
    fn read(
        path: &Path,
        options: &ReadOptions,
        on_progress: &mut OnProgress<'_>,
        watch: &dyn Watch,
    ) -> Result<read::Loaded<Self>, ReadError> {
        read_graph_watched(path, options, on_progress, watch)
    }

    fn count(&self) -> usize {
        self.num_vertices()
    }
}

impl Form for Kept {
    fn read(
        path: &Path,
        options: &ReadOptions,
        on_progress: &mut OnProgress<'_>,
        watch: &dyn Watch,
    ) -> Result<read::Loaded<Self>, ReadError> {
        read_kept(path, options, on_progress, watch)
    }

    fn count(&self) -> usize {
        match self {
            Kept::Plain(graph) => graph.num_vertices(),
            Kept::Weighted(graph) => graph.num_vertices(),
        }
    }
}

/// Reads or generates the graph.
pub fn load<G: Form>(args: &InputArgs, take: Take, pool: &Pool) -> Result<Loaded<G>, Failure> {
    let source = Source::of(&args.graph)?;
    if let (Source::File(graph), Some(labels)) = (&source, &args.labels)
        && [graph, labels].into_iter().all(|path| is_standard_input(path))
    {
        return Err(Failure::Usage("GRAPH and --labels both name standard input, which can be read once".into()));
    }
    if !matches!(source, Source::File(_))
        && let Some(option) = args.of_files()
    {
        return Err(Failure::Usage(format!("{option} applies to files only, and {} is not a file", args.graph)));
    }
    let (mut first, mut left_out, mut found_names) = (usize::from(args.one_based), None, None);
    let (graph, read, build_s): (G, _, _) = match &source {
        Source::File(path) => {
            let (loaded, build_s) = file(args, path, take, pool)?;
            found_names = loaded.names;
            let read = Read { seconds: loaded.reading.as_secs_f64(), bytes: loaded.num_bytes };
            // A serialized graph has its own numbers, and its user may count from 1.
            first = first.max(loaded.first_vertex.number() as usize);
            left_out = loaded.left_out;
            (loaded.graph, Some(read), build_s)
        }
        // It has neither self-loops nor parallel edges.
        Source::Generator(spec) => {
            let (graph, time) = generate(spec, args.seed, pool)?;
            (graph.into(), None, Some(time))
        }
        Source::Debian => {
            let edges = DEBIAN.dependencies.clone();
            let stage = Stage::begin("building", &args.graph, Unit::Passes);
            let builder = take.builder(DEBIAN.names.len());
            let graph = pool.run(|_| builder.build_watched(vec![edges], &stage)).map_err(Failure::usage)?;
            (graph.into(), None, Some(stage.end()))
        }
    };
    let vertices = graph.count();
    let labels = match (&args.labels, source) {
        (Some(path), _) => Some(pool.run(|_| read::Names::read(path, vertices)).map_err(Failure::usage)?),
        (None, Source::Debian) => Some(read::Names::parse(&DEBIAN.names.join("\n")).map_err(Failure::usage)?),
        (None, _) => None,
    };
    let names = match found_names {
        Some(found) => Names::only(found),
        None => Names::new(vertices, labels, first),
    };
    Ok(Loaded { name: args.graph.to_string(), graph, names, left_out, read, build_s })
}

/// Reads a file. Returns also the time to build the graph in seconds, if it had to be built.
fn file<G: Form>(
    args: &InputArgs,
    path: &Path,
    take: Take,
    pool: &Pool,
) -> Result<(read::Loaded<G>, Option<f64>), Failure> {
    let options = ReadOptions {
        first_vertex: if args.one_based { FirstVertex::One } else { FirstVertex::Zero },
        num_vertices: args.vertices,
        renumber: args.renumber,
        extra_columns: if args.extra_columns { ExtraColumns::Ignore } else { ExtraColumns::Refuse },
        ..take.options()
    };
    let stage = Stage::begin("reading", &args.graph, Unit::Bytes);
    let mut on_progress = |Progress { bytes, total, .. }: Progress| {
        stage.at(bytes, total);
        ControlFlow::Continue(())
    };
    let loaded = pool.run(|_| G::read(path, &options, &mut on_progress, &stage)).map_err(with_option)?;
    stage.end();
    let refused = match loaded.format {
        FileFormat::EdgeList => None,
        FileFormat::Serialized => args.of_files(),
        _ => args.of_edge_lists(),
    };
    if let Some(option) = refused {
        let (graph, format) = (&args.graph, loaded.format);
        return Err(Failure::Usage(format!("{option} applies to edge lists only, and {graph} is {format}")));
    }
    let build_s = loaded.num_lines.is_some().then_some(loaded.building.as_secs_f64());
    Ok((loaded, build_s))
}

/// Bad input, with the option that may help.
fn with_option(error: ReadError) -> Failure {
    let option = match &error {
        ReadError::File(FileError::NotFound { .. }) => "; expected a file, a generator such as torus(100), or debian",
        ReadError::Line { fault: LineFault::NotANumber { .. } | LineFault::Overflow { .. }, .. } => {
            "; --renumber takes any names"
        }
        ReadError::FarVertex { .. } => ": --vertices; or --renumber, if there are gaps",
        ReadError::Line { fault: LineFault::ExtraColumn { .. }, .. } => ": --extra-columns",
        ReadError::Line { fault: LineFault::Zero, .. } => ": --one-based",
        ReadError::Line { fault: LineFault::FarHeader { .. }, .. } => ": --vertices",
        _ => "",
    };
    Failure::Usage(format!("{error}{option}"))
}

/// The specification of a graph that is generated.
pub fn specification(text: &str) -> Result<GraphSpec, Failure> {
    text.parse().map_err(|error| Failure::Usage(format!("{text}: {error}")))
}

/// Generates a graph. Returns it with the time that this took, in seconds.
pub fn generate(spec: &GraphSpec, seed: u64, pool: &Pool) -> Result<(Csr, f64), Failure> {
    let stage = Stage::begin("generating", &spec.to_string(), Unit::Passes);
    let graph = pool.run(|_| spec.generate_watched(seed, &stage));
    let time = stage.end();
    let graph = graph.map_err(|error| match error {
        // All other errors name the graph.
        GenerateError::Build(error) => Failure::Usage(format!("{spec}: {error}")),
        error => Failure::usage(error),
    })?;
    Ok((graph, time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_brackets_are_generators_unless_a_file_is_called_so() {
        assert_eq!(Source::of("debian").unwrap(), Source::Debian);
        assert!(matches!(Source::of("torus(3)").unwrap(), Source::Generator(_)));
        assert_eq!(Source::of("./debian").unwrap(), Source::File("./debian".into()));
        assert_eq!(Source::of("torus").unwrap(), Source::File("torus".into()));
        let file = std::env::temp_dir().join(format!("filch-graph({})", std::process::id()));
        std::fs::write(&file, "0 1\n").unwrap();
        assert_eq!(Source::of(file.to_str().unwrap()).unwrap(), Source::File(file.clone()));
        std::fs::remove_file(file).unwrap();
        let failure = Source::of("ball(3)").unwrap_err();
        assert!(matches!(failure, Failure::Usage(_)) && failure.to_string().contains("ball"), "{failure}");
    }
}
