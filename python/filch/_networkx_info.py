"""What networkx asks when it is imported. Nothing is imported here, so that it stays fast."""

#: The functions of the backend, and how they differ from those of networkx.
FUNCTIONS = {
    "bfs_edges": "Neither `reverse`, nor `depth_limit`, nor `sort_neighbors`.",
    "bfs_predecessors": "Neither `depth_limit` nor `sort_neighbors`.",
    "bfs_successors": "Neither `depth_limit` nor `sort_neighbors`.",
    "connected_components": None,
    "core_number": "Undirected graphs only.",
    "descendants": None,
    "dfs_edges": "From one node, and neither `depth_limit` nor `sort_neighbors`.",
    "dfs_predecessors": "From one node, and neither `depth_limit` nor `sort_neighbors`.",
    "dfs_preorder_nodes": "From one node, and neither `depth_limit` nor `sort_neighbors`.",
    "is_connected": None,
    "is_strongly_connected": None,
    "is_weakly_connected": None,
    "node_connected_component": None,
    "number_connected_components": None,
    "number_strongly_connected_components": None,
    "number_weakly_connected_components": None,
    "single_source_shortest_path_length": None,
    "strongly_connected_components": "In the order of their first nodes.",
    "weakly_connected_components": None,
}


def get_info():
    """The description of the backend, for networkx."""
    return {
        "backend_name": "filch",
        "project": "filch",
        "package": "filch",
        "short_summary": "Parallel algorithms on a work-stealing runtime.",
        "description": "Components, searches and cores in parallel, on a copy of the structure of a graph.",
        "functions": {name: {"additional_docs": docs} if docs else {} for name, docs in FUNCTIONS.items()},
    }
