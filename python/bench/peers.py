"""What other packages do, each on a graph in its own structure, which is made before the time is taken.

A package that is not installed is left out. What a package has no function for is left out as well.
"""

import numpy as np


def _edges(matrix):
    """Each edge of a symmetric matrix once, with its weight."""
    coo = matrix.tocoo()
    once = coo.row < coo.col
    return coo.row[once], coo.col[once], coo.data[once]


def of_igraph(matrix):
    """igraph: one thread."""
    import igraph

    n = matrix.shape[0]
    u, v, weights = _edges(matrix)
    edges = igraph.Graph(n, np.stack([u, v], axis=1))
    coo = matrix.tocoo()
    arcs = igraph.Graph(n, np.stack([coo.row, coo.col], axis=1), directed=True)
    weights = weights.tolist()

    def components(graph, mode):
        # igraph remembers whether a graph is connected, and then has nothing to do.
        getattr(graph, "__invalidate_cache")()
        return graph.connected_components(mode)

    return {
        "connected_components": lambda root: components(edges, "weak"),
        "connected_components, strong": lambda root: components(arcs, "strong"),
        "breadth_first_order": lambda root: edges.bfs(root),
        "dijkstra": lambda root: edges.distances(root, weights=weights),
        "minimum_spanning_tree": lambda root: edges.spanning_tree(weights, return_tree=False),
        "pagerank": lambda root: edges.pagerank(),
    }


def of_rustworkx(matrix):
    """rustworkx: one thread for these functions. Weights come from a function of Python."""
    import rustworkx

    n = matrix.shape[0]
    u, v, weights = _edges(matrix)
    edges = rustworkx.PyGraph(multigraph=True)
    edges.add_nodes_from(range(n))
    edges.add_edges_from(list(zip(u.tolist(), v.tolist(), weights.tolist(), strict=True)))
    coo = matrix.tocoo()
    arcs = rustworkx.PyDiGraph(multigraph=True)
    arcs.add_nodes_from(range(n))
    arcs.add_edges_from(list(zip(coo.row.tolist(), coo.col.tolist(), coo.data.tolist(), strict=True)))
    return {
        "connected_components": lambda root: rustworkx.connected_components(edges),
        "connected_components, strong": lambda root: rustworkx.strongly_connected_components(arcs),
        "dijkstra": lambda root: rustworkx.dijkstra_shortest_path_lengths(edges, root, float),
        "minimum_spanning_tree": lambda root: rustworkx.minimum_spanning_edges(edges, float),
        "pagerank": lambda root: rustworkx.pagerank(arcs, weight_fn=lambda _: 1.0),
    }


def of_networkit(matrix):
    """networkit: as many threads as there are processors, where it has a parallel function."""
    import networkit

    n = matrix.shape[0]
    u, v, weights = _edges(matrix)
    edges = networkit.GraphFromCoo((weights, (u, v)), n=n, weighted=True)
    plain = networkit.GraphFromCoo((u, v), n=n)
    coo = matrix.tocoo()
    arcs = networkit.GraphFromCoo((coo.row, coo.col), n=n, directed=True)

    def pagerank(root):
        # To a change of 1e-6 in total, as the others; by default it is the square root of the sum of squares.
        scores = networkit.centrality.PageRank(plain, tol=1e-6)
        scores.norm = networkit.centrality.Norm.L1_NORM
        return scores

    run = {
        "connected_components": lambda root: networkit.components.ParallelConnectedComponents(plain),
        "connected_components, strong": lambda root: networkit.components.StronglyConnectedComponents(arcs),
        "breadth_first_order": lambda root: networkit.distance.BFS(plain, root, storePaths=False),
        "dijkstra": lambda root: networkit.distance.Dijkstra(edges, root, storePaths=False),
        "pagerank": pagerank,
    }
    return {name: lambda root, make=make: make(root).run() for name, make in run.items()}


#: The packages, by their names.
PEERS = {"igraph": of_igraph, "rustworkx": of_rustworkx, "networkit": of_networkit}
