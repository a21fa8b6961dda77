//! Which format a file is in.

use std::fmt;
use std::path::Path;

use filch_text::{BYTE_ORDER_MARK, Compression, Words};

use super::line::is_banner;
use super::numbers::whole;
use super::options::{FirstVertex, ReadOptions};
use super::{ligra, matrix_market, metis, sg};

/// The format of a file with a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileFormat {
    /// Text with two vertices per line, and possibly a weight (SNAP; GAP Benchmark Suite, `.el` and `.wel`).
    EdgeList,
    /// Matrix Market, coordinates (`.mtx`).
    MatrixMarket,
    /// Shortest paths of the ninth DIMACS challenge (`.gr`).
    Dimacs,
    /// METIS (`.graph`).
    Metis,
    /// Adjacency graphs of Ligra (`.adj`), with or without weights.
    Ligra,
    /// Serialized graphs of the GAP Benchmark Suite (`.sg`, `.wsg`).
    Serialized,
    /// BvGraphs of the WebGraph framework (`.graph` beside `.properties`).
    BvGraph,
}

impl FileFormat {
    /// The number of the first vertex: what the options say of edge lists, and what the format says of others.
    pub(super) fn first_vertex(self, options: &ReadOptions) -> FirstVertex {
        match self {
            FileFormat::EdgeList => options.first_vertex,
            FileFormat::MatrixMarket | FileFormat::Dimacs | FileFormat::Metis => FirstVertex::One,
            FileFormat::Ligra | FileFormat::Serialized | FileFormat::BvGraph => FirstVertex::Zero,
        }
    }
}

impl fmt::Display for FileFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            FileFormat::EdgeList => "an edge list",
            FileFormat::MatrixMarket => "a Matrix Market file",
            FileFormat::Dimacs => "a DIMACS file",
            FileFormat::Metis => "a METIS file",
            FileFormat::Ligra => "an adjacency graph of Ligra",
            FileFormat::Serialized => "a serialized graph",
            FileFormat::BvGraph => "a BvGraph",
        })
    }
}

/// The number of bytes from which the format of a text is recognized.
pub(super) const PEEK_BYTES: usize = 64 << 10;

/// What the first bytes of a file show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) format: FileFormat,
    /// Whether arcs have weights. Not known for serialized graphs, which show it by their length.
    pub(super) weighted: bool,
}

/// Recognizes a format by the first bytes, which are the whole file if `is_whole`. If they fit several formats, the
/// name decides.
pub(super) fn recognize(path: &Path, bytes: &[u8], is_whole: bool) -> Seen {
    let seen = |format, weighted| Seen { format, weighted };
    // No text begins with these.
    if matches!(bytes, [0 | 1, ..]) {
        return seen(FileFormat::Serialized, false);
    }
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    let mut lines = text.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let first = Words::of(lines.next().unwrap_or_default()).next().map_or(&b""[..], |(_, word)| word);
    if is_banner(first) {
        return seen(FileFormat::MatrixMarket, matrix_weighted(text));
    }
    if first == ligra::PLAIN || first == ligra::WEIGHTED {
        return seen(FileFormat::Ligra, first == ligra::WEIGHTED);
    }
    let mut data = text.split(|&byte| byte == b'\n').filter_map(|line| Words::of(line).next().map(|(_, word)| word));
    // A comment of DIMACS may follow its letter without a space, as in `c---`. Other words are names of vertices.
    let is_dimacs = |word: &[u8]| match word {
        [b'c', second, ..] => !second.is_ascii_alphanumeric(),
        word => word == b"p" || word == b"c",
    };
    if data.find(|word| word[0] != b'\r').is_some_and(is_dimacs) {
        return seen(FileFormat::Dimacs, true);
    }
    let metis = metis_header(text);
    match named(path) {
        Some(
            format @ (FileFormat::Serialized | FileFormat::MatrixMarket | FileFormat::Ligra | FileFormat::BvGraph),
        ) => seen(format, false),
        Some(FileFormat::Dimacs) => seen(FileFormat::Dimacs, true),
        Some(FileFormat::Metis) => seen(FileFormat::Metis, metis.is_some_and(|header| header.weighted)),
        Some(FileFormat::EdgeList) => seen(FileFormat::EdgeList, list_weighted(path, text)),
        None => match metis.filter(|header| can_only_be_metis(text, header, is_whole)) {
            Some(header) => seen(FileFormat::Metis, header.weighted),
            None => seen(FileFormat::EdgeList, list_weighted(path, text)),
        },
    }
}

/// The format of a file that is an edge list of names, unless its first bytes or its name say otherwise.
pub(super) fn recognize_names(path: &Path, bytes: &[u8], is_whole: bool) -> Seen {
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    let may_be_list = matches!(named(path), None | Some(FileFormat::EdgeList));
    match recognize(path, bytes, is_whole) {
        // Words can look like the lines of these.
        Seen { format: FileFormat::Dimacs | FileFormat::Metis | FileFormat::EdgeList, .. } if may_be_list => {
            Seen { format: FileFormat::EdgeList, weighted: list_weighted(path, text) }
        }
        seen => seen,
    }
}

/// The last extension in lower case, before one for compression.
fn ending(path: &Path) -> Option<String> {
    let of = |path: &Path| path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    let last = of(path)?;
    if Compression::of_ending(&last).is_some() { of(Path::new(path.file_stem()?)) } else { Some(last) }
}

/// Whether a file has the extension of an edge list with weights.
pub(super) fn is_weighted_list(path: &Path) -> bool {
    ending(path).as_deref() == Some("wel")
}

/// Whether a file has the extension of METIS, but bytes that are in no text: then it may be a BvGraph.
pub(super) fn is_lone_graph(path: &Path, bytes: &[u8]) -> bool {
    let is_text = |byte: &u8| !byte.is_ascii_control() || byte.is_ascii_whitespace();
    path.extension().is_some_and(|ending| ending == "graph") && !bytes.iter().all(is_text)
}

/// The format that the name of a file says.
fn named(path: &Path) -> Option<FileFormat> {
    if sg::is_named(path) {
        return Some(FileFormat::Serialized);
    }
    Some(match ending(path)?.as_str() {
        "el" | "wel" => FileFormat::EdgeList,
        "mtx" => FileFormat::MatrixMarket,
        "gr" => FileFormat::Dimacs,
        "graph" | "metis" => FileFormat::Metis,
        "adj" => FileFormat::Ligra,
        _ => return None,
    })
}

/// The lines with data, without their ends.
fn data_lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = text.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    lines.filter(|line| Words::of(line).next().is_none_or(|(_, word)| !matches!(word[0], b'#' | b'%')))
}

fn matrix_weighted(text: &[u8]) -> bool {
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let banner = matrix_market::Banner::of(line.strip_suffix(b"\r").unwrap_or(line));
    banner.is_ok_and(|banner| banner.values.is_some())
}

/// Whether an edge list has a third column.
fn list_weighted(path: &Path, text: &[u8]) -> bool {
    let columns = data_lines(text).map(|line| Words::of(line).count()).find(|&columns| columns > 0);
    columns.map_or_else(|| is_weighted_list(path), |columns| columns == 3)
}

/// The header of a file of METIS, if the text can begin with one.
fn metis_header(text: &[u8]) -> Option<metis::Header> {
    let line = data_lines(text).find(|line| Words::of(line).next().is_some())?;
    metis::Header::of(line).ok()
}

/// Whether the text contradicts an edge list and agrees with its header as a file of METIS: there are lines that have
/// neither two numbers each nor three, all numbers are vertices or weights, and there are not more vertices and
/// neighbors than declared; in a whole file, as many.
fn can_only_be_metis(text: &[u8], header: &metis::Header, is_whole: bool) -> bool {
    let end = if is_whole { text.len() } else { text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1) };
    let mut lines = data_lines(&text[..end]).skip_while(|line| Words::of(line).next().is_none());
    let columns = lines.next().map_or(0, |line| Words::of(line).count() as u64);
    let mut contradicts = !matches!(columns, 2 | 3);
    let mut rows: Vec<&[u8]> = lines.collect();
    while rows.len() as u64 > header.num_vertices && rows.last().is_some_and(|row| Words::of(row).next().is_none()) {
        rows.pop();
    }
    let mut neighbors = 0;
    for row in &rows {
        let mut numbers: u64 = 0;
        for (_, word) in Words::of(row) {
            let Some(number) = whole(word) else { return false };
            let is_weight = header.weighted && numbers % 2 == 1;
            if !is_weight && !header.has_more() && !(1..=header.num_vertices).contains(&number) {
                return false;
            }
            numbers += 1;
        }
        contradicts |= numbers != 0 && numbers != columns;
        neighbors += if header.weighted { numbers / 2 } else { numbers };
    }
    let (rows, declared) = (rows.len() as u64, header.num_edges.saturating_mul(2));
    let fits = if is_whole {
        rows == header.num_vertices && (header.has_more() || neighbors == declared)
    } else {
        rows <= header.num_vertices && (header.has_more() || neighbors <= declared)
    };
    contradicts && fits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, text: &str) -> (FileFormat, bool) {
        let Seen { format, weighted } = recognize(Path::new(name), text.as_bytes(), true);
        (format, weighted)
    }

    #[test]
    fn the_content_says_the_format_whatever_the_name() {
        for name in ["x", "x.txt", "x.el", "x.gr", "x.graph.gz"] {
            let pattern = "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n";
            assert_eq!(of(name, pattern), (FileFormat::MatrixMarket, false));
            assert_eq!(of(name, &pattern.replace("pattern", "REAL")), (FileFormat::MatrixMarket, true));
            assert_eq!(of(name, &pattern.replace("%%Matrix", "%matrix")), (FileFormat::MatrixMarket, false));
            assert_eq!(of(name, "AdjacencyGraph\r\n0\n0\n"), (FileFormat::Ligra, false));
            assert_eq!(of(name, "WeightedAdjacencyGraph\n0\n0\n"), (FileFormat::Ligra, true));
            assert_eq!(of(name, "c hello\np sp 1 0\n"), (FileFormat::Dimacs, true));
            assert_eq!(of(name, "\r\np sp 1 0\n"), (FileFormat::Dimacs, true));
            assert_eq!(of(name, "\0"), (FileFormat::Serialized, false));
            assert_eq!(of(name, "c--\np sp 1 0\n"), (FileFormat::Dimacs, true));
        }
        assert_eq!(of("x", "cat dog\n").0, FileFormat::EdgeList);
        assert_eq!(of("x.gr", "comment\np sp 1 0\n"), (FileFormat::Dimacs, true));
    }

    #[test]
    fn a_metis_file_is_recognized_where_it_cannot_be_an_edge_list() {
        assert_eq!(of("x", "% a path\n3 2\n2\n1 3\n2\n"), (FileFormat::Metis, false));
        assert_eq!(of("x", "3 2 1\n2 7\n1 7 3 9\n2 9\n"), (FileFormat::Metis, true));
        assert_eq!(of("x", "3 2 001\n2 7\n1 7 3 9\n2 9"), (FileFormat::Metis, true));
        // A cycle of three: every line has two numbers.
        assert_eq!(of("x", "3 3\n2 3\n1 3\n1 2\n"), (FileFormat::EdgeList, false));
        assert_eq!(of("x.graph", "3 3\n2 3\n1 3\n1 2\n"), (FileFormat::Metis, false));
        // Every line has three numbers.
        for text in ["0 0 1\n", "1 0 1\n", "1 0 1\n\n", "3 2 11\n1 2 5\n0 1 7\n2 0 4\n"] {
            assert_eq!(of("x", text), (FileFormat::EdgeList, true), "{text}");
            assert_eq!(of("x.graph", text).0, FileFormat::Metis, "{text}");
        }
        for list in ["0 1\n1 2 3\n", "3 2\n2\n1 3\n", "3 2\n2\n1 4\n2\n", "3 2\n1 2\n\n2 3\n", "1 2\nx\n"] {
            assert_eq!(of("x", list).0, FileFormat::EdgeList, "{list:?}");
        }
    }

    #[test]
    fn a_third_column_is_a_weight() {
        assert_eq!(of("x", "# a\n\n0 1 2.5\n"), (FileFormat::EdgeList, true));
        assert_eq!(of("x", "0 1\n"), (FileFormat::EdgeList, false));
        assert_eq!(of("x.wel.zst", ""), (FileFormat::EdgeList, true));
        assert_eq!(of("x", ""), (FileFormat::EdgeList, false));
    }
}
