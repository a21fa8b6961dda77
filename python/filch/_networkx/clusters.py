"""Triangles, and how often two neighbors of a node are neighbors of each other."""

from filch import _filch


def _found(graph):
    """The coefficients and the triangles of all nodes, and the transitivity."""
    return _filch.clustering(*graph.arrays(), True, None)


def _coefficients(graph):
    # A coefficient of 0 is an `int` in networkx.
    return [value or 0 for value in _found(graph)[0].tolist()]


def triangles(G, nodes=None):
    return dict(zip(G.nodes, _found(G)[1].tolist(), strict=True))


def clustering(G, nodes=None, weight=None):
    return dict(zip(G.nodes, _coefficients(G), strict=True))


def average_clustering(G, nodes=None, weight=None, count_zeros=True):
    values = _coefficients(G)
    if not count_zeros:
        values = [value for value in values if value > 0]
    return sum(values) / len(values)


def transitivity(G):
    return _found(G)[2] or 0
