"""PageRank."""

import networkx as nx
import numpy as np

from filch import _filch


def _vector(graph, given):
    values = np.array([given.get(node, 0) for node in graph], dtype=np.float64)
    return values / values.sum()


def pagerank(G, alpha=0.85, personalization=None, max_iter=100, tol=1e-6, nstart=None, weight="weight", dangling=None):
    n = len(G)
    if n == 0:
        return {}
    data = None if weight is None else G.weights(weight).lengths()[0]
    if data is not None and not G.is_directed() and not G.is_symmetric(data):
        raise NotImplementedError("an edge has two weights, as in a view of a directed graph")
    start = np.full(n, 1 / n) if nstart is None else _vector(G, nstart)
    if personalization is not None and not sum(personalization.get(node, 0) for node in G):
        raise ZeroDivisionError
    anyway = np.full(n, 1 / n) if personalization is None else _vector(G, personalization)
    shared = anyway if dangling is None else _vector(G, dangling)
    options = (alpha, tol, max_iter)
    scores = _filch.ranks(*G.arrays(), data, not G.is_directed(), (start, anyway, shared), options, None)
    if scores is None:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return dict(zip(G.nodes, scores.tolist(), strict=True))
