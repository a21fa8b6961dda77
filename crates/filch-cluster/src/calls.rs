//! Calls that all ranks take part in, as searches: values for all, and a function for each of many arguments.

use crate::cluster::Cluster;
use crate::error::ClusterError;
use crate::portable::{Corrupt, Portable, Unportable, decode_all, encode_all};
use filch::{Node, Search};
use std::ops::Range;

impl Cluster {
    /// The `value` of rank 0, on all ranks. Each must call this.
    ///
    /// # Errors
    ///
    /// See [`Searching`](crate::Searching).
    pub fn broadcast<T: Portable + Send + Sync>(&self, value: T) -> Result<T, ClusterError> {
        if self.size() == 1 {
            return Ok(value);
        }
        match self.search(&One, ()).find_any(|()| Sent::Here(&value))? {
            Some(Sent::Come(value)) => Ok(value),
            Some(Sent::Here(_)) | None => unreachable!("there is one solution, and all ranks decode it"),
        }
    }

    /// Calls `function` for each of the arguments, on any rank, and returns the results in the order of the arguments,
    /// on all ranks. The `arguments` of rank 0 count. They are sent to all ranks first; after that a rank without work
    /// gets half of the calls that another one has left.
    ///
    /// The function never moves. Each rank calls its own, and since all ranks run the same program, it is the same
    /// function. What it captures must be the same on all ranks, too.
    ///
    /// ```
    /// use filch_cluster::Cluster;
    ///
    /// let cluster = Cluster::from_env()?;
    /// let lengths = cluster.run(|c| {
    ///     let words = if c.rank() == 0 { vec!["mother", "of", "pearl"] } else { Vec::new() };
    ///     c.map(words.into_iter().map(String::from).collect(), |word: &String| word.len())
    /// })?;
    /// assert_eq!(lengths, [6, 2, 5]);
    /// # Ok::<(), filch_cluster::ClusterError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`Searching`](crate::Searching): a panic of the function is an error on all ranks.
    pub fn map<A: Portable + Send + Sync, R: Portable + Send>(
        &self,
        arguments: Vec<A>,
        function: impl Fn(&A) -> R + Sync,
    ) -> Result<Vec<R>, ClusterError> {
        let arguments = self.broadcast(List(arguments))?.0;
        let calls = Calls { count: arguments.len() as u64 };
        let call = |mut results: List<Returned<R>>, call: &Option<u64>| {
            let call = call.expect("a solution is a call");
            results.0.push(Returned { call, result: function(&arguments[call as usize]) });
            results
        };
        let both = |mut former: List<_>, mut latter: List<_>| {
            former.0.append(&mut latter.0);
            former
        };
        let mut results = self.search(&calls, None).fold(|| List(Vec::new()), call, both)?.0;
        results.sort_unstable_by_key(|returned| returned.call);
        Ok(results.into_iter().map(|returned| returned.result).collect())
    }
}

/// One solution, at the root, which never leaves rank 0.
struct One;

impl Search for One {
    type Workspace = ();
    type Choices = Range<u8>;

    fn choices(&self, (): &mut ()) -> Node<Range<u8>> {
        Node::Solution
    }

    fn apply(&self, (): &mut (), _: u8) {}

    fn undo(&self, (): &mut (), _: u8) {}
}

/// The calls are the choices at the root.
struct Calls {
    count: u64,
}

impl Search for Calls {
    type Workspace = Option<u64>;
    type Choices = Range<u64>;

    fn choices(&self, call: &mut Option<u64>) -> Node<Range<u64>> {
        if call.is_some() { Node::Solution } else { Node::Choices(0..self.count) }
    }

    fn apply(&self, at: &mut Option<u64>, call: u64) {
        *at = Some(call);
    }

    fn undo(&self, at: &mut Option<u64>, _: u64) {
        *at = None;
    }
}

/// What a call has returned.
struct Returned<R> {
    call: u64,
    result: R,
}

impl<R: Portable> Portable for Returned<R> {
    fn encode(&self, to: &mut Vec<u8>) -> Result<(), Unportable> {
        self.call.encode(to)?;
        self.result.encode(to)
    }

    fn decode(from: &mut &[u8]) -> Result<Self, Corrupt> {
        Ok(Returned { call: u64::decode(from)?, result: R::decode(from)? })
    }
}

/// A list of values that serde need not know.
struct List<T>(Vec<T>);

impl<T: Portable> Portable for List<T> {
    fn encode(&self, to: &mut Vec<u8>) -> Result<(), Unportable> {
        encode_all(&self.0, to)
    }

    fn decode(from: &mut &[u8]) -> Result<Self, Corrupt> {
        decode_all(from).map(List)
    }
}

/// A value of this rank, or one that has come.
enum Sent<'v, T> {
    Here(&'v T),
    Come(T),
}

impl<T: Portable> Portable for Sent<'_, T> {
    fn encode(&self, to: &mut Vec<u8>) -> Result<(), Unportable> {
        match self {
            Sent::Here(value) => value.encode(to),
            Sent::Come(value) => value.encode(to),
        }
    }

    fn decode(from: &mut &[u8]) -> Result<Self, Corrupt> {
        T::decode(from).map(Sent::Come)
    }
}
