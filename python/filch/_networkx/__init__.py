"""The backend of networkx that is called `filch`.

`convert_from_nx` copies the structure of a graph into arrays, with the attribute of edges that a function asks for, and
networkx keeps the copy with the graph until it changes. The functions take such a copy, and have the results of those
of networkx, in the same order. `can_run` tells networkx which arguments they do not know; and one that meets weights
that it does not know raises `NotImplementedError`, after which networkx does it.
"""

import inspect

import networkx as nx

from filch._networkx.centralities import betweenness_centrality, closeness_centrality, harmonic_centrality
from filch._networkx.clusters import average_clustering, clustering, transitivity, triangles
from filch._networkx.components import (
    connected_components,
    is_connected,
    is_strongly_connected,
    is_weakly_connected,
    node_connected_component,
    number_connected_components,
    number_strongly_connected_components,
    number_weakly_connected_components,
    strongly_connected_components,
    weakly_connected_components,
)
from filch._networkx.copies import Graph
from filch._networkx.cores import core_number, k_core
from filch._networkx.paths import (
    dijkstra_path,
    dijkstra_path_length,
    multi_source_dijkstra,
    multi_source_dijkstra_path,
    multi_source_dijkstra_path_length,
    shortest_path,
    shortest_path_length,
    single_source_dijkstra,
    single_source_dijkstra_path,
    single_source_dijkstra_path_length,
)
from filch._networkx.ranks import pagerank
from filch._networkx.searches import (
    bfs_edges,
    bfs_predecessors,
    bfs_successors,
    descendants,
    dfs_edges,
    dfs_predecessors,
    dfs_preorder_nodes,
    single_source_shortest_path,
    single_source_shortest_path_length,
)
from filch._networkx.trees import minimum_spanning_edges, minimum_spanning_tree
from filch._networkx_info import FUNCTIONS

#: A graph of fewer nodes has been searched by networkx before it has been copied.
WORTH_COPYING = 100

#: The methods of classes whose neighbors are those in their dictionaries.
NEIGHBORS = {nx.Graph.neighbors, nx.DiGraph.neighbors}

#: The functions for simple and undirected graphs only.
SIMPLE = {
    "average_clustering",
    "clustering",
    "core_number",
    "k_core",
    "minimum_spanning_edges",
    "minimum_spanning_tree",
    "transitivity",
    "triangles",
}

#: The values that options must have. Others are left to networkx.
_SEARCH = {"depth_limit": None, "sort_neighbors": None}
_ALL_NODES = {"nodes": None, "weight": None}
_KRUSKAL = {"algorithm": "kruskal"}
ONLY = {
    "average_clustering": _ALL_NODES,
    "betweenness_centrality": {"k": None, "weight": None, "endpoints": False},
    "bfs_edges": {**_SEARCH, "reverse": False},
    "bfs_predecessors": _SEARCH,
    "bfs_successors": _SEARCH,
    "closeness_centrality": {"distance": None},
    "clustering": _ALL_NODES,
    "dfs_edges": _SEARCH,
    "dfs_predecessors": _SEARCH,
    "dfs_preorder_nodes": _SEARCH,
    "harmonic_centrality": {"nbunch": None, "distance": None, "sources": None},
    "minimum_spanning_edges": _KRUSKAL,
    "minimum_spanning_tree": _KRUSKAL,
    # networkx searches from both ends.
    "shortest_path": {"target": None, "method": "dijkstra"},
    "shortest_path_length": {"method": "dijkstra"},
    "triangles": {"nodes": None},
}


def convert_from_nx(graph, edge_attrs=None, **_):
    """A copy of the structure of a graph, and of these attributes of its edges."""
    return graph if isinstance(graph, Graph) else Graph(graph, edge_attrs or ())


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
    for option, value in ONLY.get(name, {}).items():
        if arguments[option] != value:
            return f"{option} is not known"
    if "source" in arguments and arguments["source"] is None:
        return "a source is needed"
    if callable(arguments.get("weight")):
        return "the weight is a function"
    if name == "shortest_path_length" and arguments["target"] is not None and arguments["weight"] is None:
        return "networkx searches from both ends"
    graph = arguments["G"]
    if not isinstance(graph, Graph) and type(graph).neighbors not in NEIGHBORS:
        return "the class of the graph has neighbors of its own"
    is_directed = graph.is_directed()
    if name == "pagerank" and graph.is_multigraph():
        return "parallel edges add up"
    if name in SIMPLE and (is_directed or graph.is_multigraph()):
        return "the graph is not simple and undirected"
    # Then networkx raises what it raises.
    if "weakly" in name or "strongly" in name:
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


assert all(name in globals() for name in FUNCTIONS)
