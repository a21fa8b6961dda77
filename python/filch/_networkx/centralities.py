"""Centralities."""

import numpy as np

from filch import _filch


def betweenness_centrality(G, k=None, normalized=True, weight=None, endpoints=False, seed=None):
    scores = _filch.betweenness(*G.arrays(), not G.is_directed(), (bool(normalized), 0, 0), None)
    return dict(zip(G.nodes, scores.tolist(), strict=True))


def _sums(graph, places=None):
    return _filch.distance_sums(*graph.arrays(), not graph.is_directed(), places, None)


def closeness_centrality(G, u=None, distance=None, wf_improved=True):
    reached, totals, _ = _sums(G, None if u is None else [G.place(u)])
    values = np.divide(reached, totals, out=np.zeros(len(totals)), where=totals > 0)
    if wf_improved and len(G) > 1:
        values *= reached / (len(G) - 1)
    values = values.tolist()
    return dict(zip(G.nodes, values, strict=True)) if u is None else values[0]


def harmonic_centrality(G, nbunch=None, distance=None, sources=None):
    # networkx goes over a set.
    nodes = list(set(iter(G.nodes)))
    return dict(zip(nodes, _sums(G, [G.place(node) for node in nodes])[2].tolist(), strict=True))
