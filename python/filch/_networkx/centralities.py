"""Centralities."""

import networkx as nx

from filch import _filch


def betweenness_centrality(G, k=None, normalized=True, weight=None, endpoints=False, seed=None):
    scores = _filch.betweenness(*G.arrays(), not G.is_directed(), (bool(normalized), 0, 0), None)
    return dict(zip(G.nodes, scores.tolist(), strict=True))


def closeness_centrality(G, u=None, distance=None, wf_improved=True):
    if u is not None and u not in G:
        raise nx.NodeNotFound(f"Source {u} is not in G")
    places = None if u is None else [G.place(u)]
    values = _filch.closeness(*G.arrays(), not G.is_directed(), places, bool(wf_improved), None).tolist()
    return dict(zip(G.nodes, values, strict=True)) if u is None else values[0]


def harmonic_centrality(G, nbunch=None, distance=None, sources=None):
    # networkx goes over a set.
    nodes = list(set(iter(G.nodes)))
    places = [G.place(node) for node in nodes]
    values = _filch.harmonic(*G.arrays(), not G.is_directed(), places, None).tolist()
    return dict(zip(nodes, values, strict=True))
