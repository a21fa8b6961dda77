"""Connected components."""

import networkx as nx
import numpy as np

from filch import _filch
from filch._networkx.searches import breadth_first


def _components(graph):
    """The number of components that are connected by edges in either direction, and that of each node."""
    return _filch.weak_components(*graph.arrays(), not graph.is_directed(), None)


def _strong(graph):
    return _filch.strong_components(*graph.arrays(), False, None)


def _sets(graph, components):
    """The components as sets, in the order of their numbers."""
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
    return set(G.names(breadth_first(G, G.place(n))[0]))
