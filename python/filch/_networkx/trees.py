"""Minimum spanning trees."""

import numpy as np

from filch import _filch


def _edges(graph, weight):
    """The edges of the forest that Kruskal's algorithm finds, in its order.

    It takes edges by their weights, and those of the same weight in the order in which networkx lists edges. So the
    weights are replaced by their ranks in this order, which all differ: then there is only one minimum forest.
    """
    n = len(graph)
    rows = np.repeat(np.arange(n, dtype=graph.indices.dtype), np.diff(graph.indptr))
    # networkx lists an edge at the first of its nodes.
    listed = np.flatnonzero(graph.indices > rows)
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows[listed], minlength=n))]).astype(graph.indptr.dtype)
    ranks = np.empty(len(listed))
    ranks[np.argsort(graph.weights(weight).sortable()[listed], kind="stable")] = np.arange(len(listed))
    u, v, ranks = _filch.minimum_forest(indptr, graph.indices[listed], ranks, None)
    order = np.argsort(ranks)
    return zip(graph.names(u[order]), graph.names(v[order]), strict=True)


def minimum_spanning_edges(G, algorithm="kruskal", weight="weight", keys=True, data=True, ignore_nan=False):
    # At once, and not when the first edge is asked for: the original may be gone then.
    edges = _edges(G, weight)
    if not data:
        return (edge for edge in edges)
    adjacency = G.original()._adj
    return ((u, v, adjacency[u][v]) for u, v in edges)


def minimum_spanning_tree(G, weight="weight", algorithm="kruskal", ignore_nan=False):
    original = G.original()
    tree = original.__class__()
    tree.graph.update(original.graph)
    tree.add_nodes_from(original.nodes.items())
    tree.add_edges_from(minimum_spanning_edges(G, weight=weight))
    return tree
