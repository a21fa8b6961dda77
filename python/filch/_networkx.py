"""The backend of networkx that is called `filch`.

`convert_from_nx` copies the structure of a graph into arrays, without attributes, and networkx keeps the copy with the
graph until it changes. The functions take such a copy, and have the results of those of networkx, in the same order
except where `_networkx_info` says otherwise. `can_run` tells networkx which arguments they do not know.
"""

import inspect
import itertools
import operator
import weakref

import networkx as nx
import numpy as np

from filch import _filch
from filch._networkx_info import FUNCTIONS

#: A graph of fewer nodes has been searched by networkx before it has been copied.
WORTH_COPYING = 100

#: The methods of classes whose neighbors are those in their dictionaries.
NEIGHBORS = {nx.Graph.neighbors, nx.DiGraph.neighbors}


class Graph:
    """The structure of a graph of networkx, in compressed sparse rows in the order of its nodes and neighbors."""

    __networkx_backend__ = "filch"

    def __init__(self, graph):
        adjacency = graph._adj
        # networkx keeps the copy with the graph: a reference back would be a cycle.
        self._original = weakref.ref(graph)
        self._is_directed, self._is_multigraph = graph.is_directed(), graph.is_multigraph()
        self.nodes = list(adjacency)
        self._index = None
        rows = adjacency.values()
        if not all(type(row) is dict for row in rows):
            # A view of another graph, whose length may count what it does not show.
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


def convert_from_nx(graph, **_):
    """A copy of the structure of a graph."""
    return graph if isinstance(graph, Graph) else Graph(graph)


def convert_to_nx(result, **_):
    """The graph of which this is a copy. Other results are those of networkx already."""
    return result.original() if isinstance(result, Graph) else result


def _arguments(name, args, kwargs):
    """The arguments of a function by their names, which are those of networkx, with defaults."""
    bound = inspect.signature(globals()[name]).bind(*args, **kwargs)
    bound.apply_defaults()
    return bound.arguments


def can_run(name, args, kwargs):
    """Whether a function knows these arguments, or why not."""
    arguments = _arguments(name, args, kwargs)
    for option in ("depth_limit", "sort_neighbors"):
        if arguments.get(option) is not None:
            return f"{option} is not known"
    if arguments.get("reverse"):
        return "reverse is not known"
    if name.startswith("dfs_") and arguments["source"] is None:
        return "a source is needed"
    graph = arguments["G"]
    if not isinstance(graph, Graph) and type(graph).neighbors not in NEIGHBORS:
        return "the class of the graph has neighbors of its own"
    is_directed = graph.is_directed()
    if name == "core_number" and (is_directed or graph.is_multigraph()):
        return "the graph is not simple and undirected"
    # Then networkx raises what it raises.
    if name.startswith(("weakly", "strongly", "is_weakly", "is_strongly")) or "_strongly" in name or "_weakly" in name:
        return True if is_directed else "the graph is not directed"
    if "connected" in name and is_directed:
        return "the graph is directed"
    return True


def should_run(name, args, kwargs):
    """Whether it is worth making a copy, or why not."""
    graph = _arguments(name, args, kwargs)["G"]
    if isinstance(graph, Graph) or len(graph) >= WORTH_COPYING:
        return True
    return f"networkx is faster on fewer than {WORTH_COPYING} nodes"


def _components(graph):
    """The number of components that are connected by edges in either direction, and that of each node."""
    return _filch.weak_components(*graph.arrays(), not graph.is_directed(), None)


def _strong(graph):
    return _filch.strong_components(*graph.arrays(), None)


def _sets(graph, components):
    """The components as sets, in the order of their first nodes."""
    count, labels = components(graph)
    order = np.argsort(labels, kind="stable")
    ends = np.cumsum(np.bincount(labels, minlength=count)).tolist()
    start = 0
    for end in ends:
        yield set(graph.names(order[start:end]))
        start = end


def _is_one(graph, components):
    if len(graph) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return components(graph)[0] == 1


def connected_components(G):
    return _sets(G, _components)


def weakly_connected_components(G):
    return _sets(G, _components)


def strongly_connected_components(G):
    return _sets(G, _strong)


def number_connected_components(G):
    return _components(G)[0]


def number_weakly_connected_components(G):
    return _components(G)[0]


def number_strongly_connected_components(G):
    return _strong(G)[0]


def is_connected(G):
    return _is_one(G, _components)


def is_weakly_connected(G):
    return _is_one(G, _components)


def is_strongly_connected(G):
    return _is_one(G, _strong)


def node_connected_component(G, n):
    return set(G.names(_breadth_first(G, G.place(n))[0]))


def core_number(G):
    sources = np.repeat(np.arange(len(G), dtype=G.indices.dtype), np.diff(G.indptr))
    if (sources == G.indices).any():
        loops = "nx.selfloop_edges(G)"
        message = f"Input graph has self loops which is not permitted; Consider using G.remove_edges_from({loops})."
        raise nx.NetworkXNotImplemented(message)
    return dict(zip(G.nodes, _filch.core_numbers(*G.arrays(), True, None).tolist(), strict=True))


def _breadth_first(graph, root):
    return _filch.breadth_first(*graph.arrays(), root, False, None)


def _tree(graph, search, source):
    """The nodes that a search finds behind its source, in order, and the predecessor of each of these."""
    try:
        place = graph.place(source)
    except KeyError:
        kind = "digraph" if graph.is_directed() else "graph"
        raise nx.NetworkXError(f"The node {source} is not in the {kind}.") from None
    order, predecessors = search(*graph.arrays(), place, False, None)
    found = order[1:]
    return graph.names(found), graph.names(predecessors[found])


def _breadth_first_tree(graph, source):
    return _tree(graph, _filch.breadth_first, source)


def bfs_edges(G, source, reverse=False, depth_limit=None, sort_neighbors=None):
    found, predecessors = _breadth_first_tree(G, source)
    yield from zip(predecessors, found, strict=True)


def bfs_predecessors(G, source, depth_limit=None, sort_neighbors=None):
    yield from zip(*_breadth_first_tree(G, source), strict=True)


def bfs_successors(G, source, depth_limit=None, sort_neighbors=None):
    edges = list(bfs_edges(G, source))
    if not edges:
        yield source, []
    for parent, edges_of_parent in itertools.groupby(edges, key=operator.itemgetter(0)):
        yield parent, [child for _, child in edges_of_parent]


def descendants(G, source):
    return set(_breadth_first_tree(G, source)[0])


def single_source_shortest_path_length(G, source, cutoff=None):
    if source not in G:
        raise nx.NodeNotFound(f"Source {source} is not in G")
    cutoff = float("inf") if cutoff is None else cutoff
    lengths = {source: 0}
    for node, parent in zip(*_breadth_first_tree(G, source), strict=True):
        level = lengths[parent]
        if not cutoff > level:
            break
        lengths[node] = level + 1
    return lengths


def dfs_edges(G, source=None, depth_limit=None, *, sort_neighbors=None):
    found, predecessors = _tree(G, _filch.depth_first, source)
    yield from zip(predecessors, found, strict=True)


def dfs_predecessors(G, source=None, depth_limit=None, *, sort_neighbors=None):
    return dict(zip(*_tree(G, _filch.depth_first, source), strict=True))


def dfs_preorder_nodes(G, source=None, depth_limit=None, *, sort_neighbors=None):
    hash(source)
    # That of a graph that does not have it, too, as networkx.
    yield source
    yield from _tree(G, _filch.depth_first, source)[0]


assert all(name in globals() for name in FUNCTIONS)
