//! The names of vertices, or their numbers if they have no names.

use std::borrow::Cow;

use filch_bench::failure::Failure;
use filch_graph_io::read;

/// The number of similar names in a message.
const SIMILAR: usize = 5;

/// The names of a graph's vertices.
#[derive(Clone, Debug)]
pub struct Names {
    /// The number of vertices.
    vertices: usize,
    labels: Option<read::Names>,
    /// The number that the user gives to the first vertex.
    first: usize,
    /// Whether a number that is no name stands for a vertex: not if names are numbers.
    has_numbers: bool,
}

impl Names {
    /// Numbers from `first` on and, optionally, a name for each vertex.
    pub fn new(vertices: usize, labels: Option<read::Names>, first: usize) -> Self {
        let is_number = |label: &str| label.bytes().all(|byte| byte.is_ascii_digit());
        let are_numbers = |labels: &read::Names| (0..labels.len()).filter_map(|v| labels.name(v)).any(is_number);
        let has_numbers = !labels.as_ref().is_some_and(are_numbers);
        Self { vertices, labels, first, has_numbers }
    }

    /// Names without which vertices have no numbers.
    pub fn only(names: read::Names) -> Self {
        Self { vertices: names.len(), labels: Some(names), first: 0, has_numbers: false }
    }

    /// The name of a vertex; without names, its number.
    pub fn of(&self, vertex: u32) -> Cow<'_, str> {
        match self.labels.as_ref().and_then(|labels| labels.name(vertex as usize)) {
            Some(name) => name.into(),
            None => self.number(vertex).to_string().into(),
        }
    }

    /// The number of a vertex, as the user counts.
    pub fn number(&self, vertex: u32) -> u64 {
        u64::from(vertex) + self.first as u64
    }

    /// The number of the first vertex, as the user counts.
    pub fn first(&self) -> usize {
        self.first
    }

    /// Whether vertices are called by the numbers that they have in memory.
    pub fn are_counted_from_0(&self) -> bool {
        self.first == 0 && self.labels.is_none()
    }

    /// The vertex with this name. If no vertex has it, and names are no numbers, the vertex with this number.
    pub fn find(&self, called: &str) -> Result<u32, Failure> {
        if let Some(vertex) = self.labels.as_ref().and_then(|labels| labels.vertex(called)) {
            return Ok(vertex as u32);
        }
        let last = self.vertices.saturating_sub(1) + self.first;
        let number = called.parse().ok().filter(|_| self.has_numbers);
        let Some(number): Option<usize> = number else {
            let Some(labels) = &self.labels else {
                let message = format!("no vertex `{called}`: expected a number from {} to {last}", self.first);
                return Err(Failure::Usage(format!("{message}, or --labels with names")));
            };
            let similar = labels.similar(called, SIMILAR);
            let hint = if similar.is_empty() { String::new() } else { format!("; similar: {}", similar.join(", ")) };
            return Err(Failure::Usage(format!("no vertex has the name `{called}`; expected one of the graph{hint}")));
        };
        let vertex = number.checked_sub(self.first).filter(|&vertex| vertex < self.vertices);
        vertex.map(|vertex| vertex as u32).ok_or_else(|| {
            Failure::Usage(format!("no vertex {number}: expected a number from {} to {last}", self.first))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(names: &Names, called: &str, words: &[&str]) {
        let failure = names.find(called).unwrap_err();
        assert!(matches!(failure, Failure::Usage(_)));
        for word in words {
            assert!(failure.to_string().contains(word), "{word:?}: {failure}");
        }
    }

    #[test]
    fn vertices_are_found_by_name_or_number_and_shown_by_name_if_there_are_names() {
        let labels = read::Names::parse("libc6\n7z\nbash").unwrap();
        let names = Names::new(3, Some(labels), 0);
        assert_eq!(["libc6", "bash", "7z", "2"].map(|called| names.find(called).unwrap()), [0, 2, 1, 2]);
        assert_eq!(names.of(1), "7z");
        refused(&names, "libc", &["`libc`", "similar: libc6"]);
        refused(&names, "3", &["no vertex 3", "from 0 to 2"]);
    }

    #[test]
    fn a_number_is_no_place_where_names_are_numbers() {
        let labels = || read::Names::parse("70\n7\nbash").unwrap();
        for names in [Names::new(3, Some(labels()), 0), Names::only(labels())] {
            assert_eq!(["70", "7", "bash"].map(|called| names.find(called).unwrap()), [0, 1, 2]);
            refused(&names, "2", &["no vertex has the name `2`"]);
        }
    }

    #[test]
    fn numbers_are_those_of_the_user() {
        let names = Names::new(3, None, 1);
        assert_eq!((names.find("1").unwrap(), names.find("3").unwrap()), (0, 2));
        assert_eq!((names.of(2), names.number(2)), ("3".into(), 3));
        refused(&names, "0", &["no vertex 0", "from 1 to 3"]);
        refused(&names, "4", &["from 1 to 3"]);
        refused(&names, "bash", &["`bash`", "--labels"]);
        refused(&names, "-1", &["`-1`"]);
    }
}
