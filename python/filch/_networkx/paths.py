"""Shortest paths by the weights of edges.

They are found in the order of networkx, so that dictionaries have their keys in the same order, and of several shortest
paths it is the same one.
"""

import math

import networkx as nx
import numpy as np

from filch import _filch
from filch._networkx.searches import single_source_shortest_path, single_source_shortest_path_length


def _search(graph, sources, weight, cutoff=None, target=None):
    """The distances that networkx finds, in its order, and the predecessors of the nodes that are no sources."""
    data, is_whole = graph.weights(weight).lengths()
    cutoff = math.inf if cutoff is None or cutoff != cutoff else float(cutoff)
    places = [graph.place(source) for source in sources]
    target = graph.place(target) if target is not None and target in graph else None
    order, found, above = _filch.ordered_paths(*graph.arrays(), data, places, target, cutoff)
    nodes = graph.names(order)
    distances = dict(zip(nodes, (found.astype(np.int64) if is_whole else found).tolist(), strict=True))
    # As in networkx, that of a source is an int.
    distances.update(dict.fromkeys(sources, 0))
    behind = np.flatnonzero(above >= 0)
    return distances, dict(zip(graph.names(order[behind]), graph.names(above[behind]), strict=True))


def _checked(graph, sources):
    if not sources:
        raise ValueError("sources must not be empty")
    for source in sources:
        if source not in graph:
            raise nx.NodeNotFound(f"Node {source} not found in graph")


def multi_source_dijkstra(G, sources, target=None, cutoff=None, weight="weight"):
    _checked(G, sources)
    if target in sources:
        return 0, [target]
    distances, above = _search(G, sources, weight, cutoff, target)
    if target is None:
        paths = {source: [source] for source in sources}
        for node, parent in above.items():
            paths[node] = [*paths[parent], node]
        return distances, paths
    if target not in distances:
        raise nx.NetworkXNoPath(f"No path to {target}.")
    path = [target]
    while path[-1] in above:
        path.append(above[path[-1]])
    return distances[target], path[::-1]


def multi_source_dijkstra_path(G, sources, cutoff=None, weight="weight"):
    return multi_source_dijkstra(G, sources, cutoff=cutoff, weight=weight)[1]


def multi_source_dijkstra_path_length(G, sources, cutoff=None, weight="weight"):
    _checked(G, sources)
    return _search(G, sources, weight, cutoff)[0]


def single_source_dijkstra(G, source, target=None, cutoff=None, weight="weight"):
    return multi_source_dijkstra(G, {source}, target, cutoff, weight)


def single_source_dijkstra_path(G, source, cutoff=None, weight="weight"):
    return multi_source_dijkstra_path(G, {source}, cutoff, weight)


def single_source_dijkstra_path_length(G, source, cutoff=None, weight="weight"):
    return multi_source_dijkstra_path_length(G, {source}, cutoff, weight)


def dijkstra_path(G, source, target, weight="weight"):
    return single_source_dijkstra(G, source, target, weight=weight)[1]


def dijkstra_path_length(G, source, target, weight="weight"):
    if source not in G:
        raise nx.NodeNotFound(f"Node {source} not found in graph")
    if source == target:
        return 0
    distances, _ = _search(G, {source}, weight, target=target)
    if target not in distances:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return distances[target]


def shortest_path(G, source=None, target=None, weight=None, method="dijkstra"):
    if weight is None:
        return single_source_shortest_path(G, source)
    return single_source_dijkstra_path(G, source, weight=weight)


def shortest_path_length(G, source=None, target=None, weight=None, method="dijkstra"):
    if weight is None:
        return single_source_shortest_path_length(G, source)
    if target is None:
        return single_source_dijkstra_path_length(G, source, weight=weight)
    return dijkstra_path_length(G, source, target, weight)
