"""Copies of graphs of networkx: their structure and, where they are asked for, the weights of their edges."""

import itertools
import weakref
from typing import NamedTuple

import numpy as np

#: Up to here, `float64` has all whole numbers.
EXACT = 2**53


class Weights(NamedTuple):
    """The weights of the arcs of a graph, in the order of the indices."""

    data: np.ndarray
    kinds: set
    """The types of the weights."""

    def sortable(self):
        """The weights, as numbers of the same order. Raises `NotImplementedError` if they are none."""
        if not self.kinds <= {int, float}:
            raise NotImplementedError("a weight is neither an int nor a float")
        is_large = np.isfinite(self.data) & (np.abs(self.data) > EXACT)
        if np.isnan(self.data).any() or (int in self.kinds and is_large.any()):
            raise NotImplementedError("a weight is not a number, or too large")
        return self.data

    def lengths(self):
        """The weights as lengths, and whether all are whole, so that sums are so, too.

        Raises `NotImplementedError` unless all are of one type, and none is negative, and no sum is rounded that
        networkx does not round.
        """
        if len(self.kinds) > 1 or not self.kinds <= {int, float}:
            raise NotImplementedError("the weights are neither all int nor all float")
        is_whole = float not in self.kinds
        with np.errstate(over="ignore"):
            total = self.data.sum()
        if not (self.data >= 0).all() or not total < (EXACT if is_whole else np.inf):
            raise NotImplementedError("a weight is negative or not a number, or a path may be too long")
        return self.data, is_whole


def _weights(graph, attribute):
    """The weights of the edges of a graph of networkx, each in the order of its neighbors. Of parallel edges, it is the
    least one. An edge without the attribute has weight 1.
    """
    arcs = itertools.chain.from_iterable(row.values() for row in graph._adj.values())
    try:
        if graph.is_multigraph():
            values = [min(data.get(attribute, 1) for data in edges.values()) for edges in arcs]
        else:
            values = [data.get(attribute, 1) for data in arcs]
        kinds = set(map(type, values))
        if not kinds <= {int, float}:
            return Weights(np.empty(0), kinds)
        return Weights(np.array(values, dtype=np.float64), kinds)
    except (TypeError, OverflowError):
        return Weights(np.empty(0), {type(None)})


class Graph:
    """The structure of a graph of networkx, in compressed sparse rows in the order of its nodes and neighbors."""

    __networkx_backend__ = "filch"

    def __init__(self, graph, attributes=()):
        adjacency = graph._adj
        # networkx keeps the copy with the graph: a reference back would be a cycle.
        self._original = weakref.ref(graph)
        self._is_directed, self._is_multigraph = graph.is_directed(), graph.is_multigraph()
        self.nodes = list(adjacency)
        self._index = None
        rows = adjacency.values()
        self._is_view = not all(type(row) is dict for row in rows)
        if self._is_view:
            # Of another graph: the length of a row may count what it does not show.
            rows = [list(row) for row in rows]
        degrees = np.fromiter(map(len, rows), np.int64, len(self.nodes))
        self.indptr = np.concatenate([[0], np.cumsum(degrees)])
        dtype = np.int32 if self.indptr[-1] <= np.iinfo(np.int32).max else np.int64
        self.indptr = self.indptr.astype(dtype)
        targets = itertools.chain.from_iterable(rows)
        #: Whether node i is the number i, so that nothing has to be looked up.
        self.is_numbered = all(type(node) is int and node == i for i, node in enumerate(self.nodes))
        if not self.is_numbered:
            targets = map(self.index.__getitem__, targets)
        self.indices = np.fromiter(targets, dtype, int(self.indptr[-1]))
        self._weights = {attribute: _weights(graph, attribute) for attribute in attributes}

    @property
    def index(self):
        """The place of each node in `nodes`."""
        if self._index is None:
            self._index = {node: place for place, node in enumerate(self.nodes)}
        return self._index

    def place(self, node):
        """The place of a node. Raises `KeyError` as networkx does if there is none."""
        if self.is_numbered and type(node) is int and 0 <= node < len(self.nodes):
            return node
        return self.index[node]

    def names(self, places):
        """The nodes at these places."""
        places = places.tolist()
        return places if self.is_numbered else [self.nodes[place] for place in places]

    def arrays(self):
        """What the module in Rust takes."""
        return self.indptr, self.indices

    def is_symmetric(self, data):
        """Whether the weights are the same in both directions, in a graph that is not directed."""
        if not self._is_view:
            return True
        sources = np.repeat(np.arange(len(self.nodes)), np.diff(self.indptr))
        there, back = np.lexsort((self.indices, sources)), np.lexsort((sources, self.indices))
        return np.array_equal(data[there], data[back])

    def weights(self, attribute):
        """The weights of the arcs, which are this attribute of their edges."""
        if attribute not in self._weights:
            self._weights[attribute] = _weights(self.original(), attribute)
        return self._weights[attribute]

    def original(self):
        """The graph of which this is a copy."""
        graph = self._original()
        if graph is None:
            raise ReferenceError("the graph of this copy is gone: keep it, or copy it again")
        return graph

    def is_directed(self):
        return self._is_directed

    def is_multigraph(self):
        return self._is_multigraph

    def __len__(self):
        return len(self.nodes)

    def __iter__(self):
        return iter(self.nodes)

    def __contains__(self, node):
        try:
            self.place(node)
        except (KeyError, TypeError):
            return False
        return True
