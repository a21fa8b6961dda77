"""What networkx asks when it is imported. Nothing is imported here, so that it stays fast."""

_SIMPLE = "Simple and undirected graphs only."
_CLUSTERING = f"{_SIMPLE} Neither `nodes` nor `weight`."
_LENGTHS = "All weights are int, or all are float; none is negative or is a function."

#: The functions of the backend, and how they differ from those of networkx.
FUNCTIONS = {
    "average_clustering": _CLUSTERING,
    "betweenness_centrality": "Neither `k`, nor `weight`, nor `endpoints`. Sums are rounded in another order.",
    "bfs_edges": "Neither `reverse`, nor `depth_limit`, nor `sort_neighbors`.",
    "bfs_predecessors": "Neither `depth_limit` nor `sort_neighbors`.",
    "bfs_successors": "Neither `depth_limit` nor `sort_neighbors`.",
    "closeness_centrality": "No `distance`.",
    "clustering": _CLUSTERING,
    "connected_components": None,
    "core_number": "Undirected graphs only.",
    "descendants": None,
    "dfs_edges": "From one node, and neither `depth_limit` nor `sort_neighbors`.",
    "dfs_predecessors": "From one node, and neither `depth_limit` nor `sort_neighbors`.",
    "dfs_preorder_nodes": "From one node, and neither `depth_limit` nor `sort_neighbors`.",
    "dijkstra_path": _LENGTHS,
    "dijkstra_path_length": _LENGTHS,
    "harmonic_centrality": "Neither `nbunch`, nor `distance`, nor `sources`. Sums are rounded in another order.",
    "is_connected": None,
    "is_strongly_connected": None,
    "is_weakly_connected": None,
    "k_core": "Undirected graphs only.",
    "minimum_spanning_edges": "By Kruskal's algorithm, in simple graphs.",
    "minimum_spanning_tree": "By Kruskal's algorithm, in simple graphs.",
    "multi_source_dijkstra": _LENGTHS,
    "multi_source_dijkstra_path": _LENGTHS,
    "multi_source_dijkstra_path_length": _LENGTHS,
    "node_connected_component": None,
    "number_connected_components": None,
    "number_strongly_connected_components": None,
    "number_weakly_connected_components": None,
    "pagerank": f"{_LENGTHS} No multigraphs. Sums are rounded in another order.",
    "shortest_path": "From one node, to all.",
    "shortest_path_length": "From one node; to one node by weights only.",
    "single_source_dijkstra": _LENGTHS,
    "single_source_dijkstra_path": _LENGTHS,
    "single_source_dijkstra_path_length": _LENGTHS,
    "single_source_shortest_path": None,
    "single_source_shortest_path_length": None,
    "strongly_connected_components": None,
    "transitivity": _SIMPLE,
    "triangles": f"{_SIMPLE} All nodes.",
    "weakly_connected_components": None,
}


def get_info():
    """The description of the backend, for networkx."""
    return {
        "backend_name": "filch",
        "project": "filch",
        "package": "filch",
        "short_summary": "Parallel algorithms on a work-stealing runtime.",
        "description": "Components, searches, paths, spanning trees, triangles and centralities, on a copy of a graph.",
        "functions": {name: {"additional_docs": docs} if docs else {} for name, docs in FUNCTIONS.items()},
    }
