"""Breadth-first and depth-first searches."""

import itertools
import operator

import networkx as nx

from filch import _filch


def breadth_first(graph, root):
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


def _levels(graph, source, cutoff, first, following):
    """For each node at most `cutoff` steps away, what `following` makes of that of its predecessor and of it."""
    cutoff = float("inf") if cutoff is None else cutoff
    levels, found = {source: 0}, {source: first}
    for node, parent in zip(*_breadth_first_tree(graph, source), strict=True):
        level = levels[parent]
        if not cutoff > level:
            break
        levels[node] = level + 1
        found[node] = following(found[parent], node)
    return found


def single_source_shortest_path_length(G, source, cutoff=None):
    if source not in G:
        raise nx.NodeNotFound(f"Source {source} is not in G")
    return _levels(G, source, cutoff, 0, lambda length, node: length + 1)


def single_source_shortest_path(G, source, cutoff=None):
    if source not in G:
        raise nx.NodeNotFound(f"Source {source} not in G")
    return _levels(G, source, cutoff, [source], lambda path, node: [*path, node])


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
