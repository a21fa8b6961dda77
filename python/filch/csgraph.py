"""Functions of `scipy.sparse.csgraph`, with the same names, arguments and results.

A program changes one import. A matrix in compressed sparse rows with indices of `int32` or `int64` is read where it
is, and is not to be written to meanwhile. Others are converted first, as scipy does: where the order or the weights of
arcs matter, rows are sorted and duplicates added up if the data are not `float64`. What is not listed is not offered.

Each function also takes `workers`. Each raises `ValueError` if the matrix is not square, and if it reads an index that
is not below the number of vertices: the message has its place and value.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csgraph as _scipy
from scipy.sparse import issparse

from filch import _filch
from filch._arrays import checked, compressed, structure, summed, vertex, weights

__all__ = [
    "breadth_first_order",
    "breadth_first_tree",
    "connected_components",
    "depth_first_order",
    "depth_first_tree",
    "dijkstra",
    "minimum_spanning_tree",
    "shortest_path",
]

#: A sparse matrix or array of scipy, or whatever numpy makes an array of.
Matrix: TypeAlias = Any

_Int32: TypeAlias = NDArray[np.int32]


def connected_components(
    csgraph: Matrix,
    directed: bool = True,
    connection: str = "weak",
    return_labels: bool = True,
    *,
    workers: int | None = None,
) -> tuple[int, _Int32] | int:
    """The number of connected components, and the number of that of each vertex.

    The numbers are those of scipy. Components that are weakly connected are numbered by their first vertices, and those
    that are strongly connected in a reverse topological order: an arc between two of them leads to the lower number.

    Work: a pass over the arcs, for components that are weakly connected in parallel. Memory: 12 bytes for each vertex,
    and for those that are strongly connected 8 for each vertex of the longest path that is followed.

    >>> from scipy.sparse import csr_array
    >>> connected_components(csr_array([[0, 1, 0], [0, 0, 0], [0, 0, 0]]))
    (2, array([0, 0, 1], dtype=int32))
    """
    connection = connection.lower()
    if connection not in ("weak", "strong"):
        raise ValueError(f"connection is {connection!r}, expected 'weak' or 'strong'")
    if directed and connection == "strong":
        # The numbers depend on the order of arcs.
        csgraph = summed(csgraph, workers=workers)
        count, labels = _filch.strong_components(*structure(csgraph), True, workers)
    else:
        count, labels = _filch.weak_components(*structure(compressed(csgraph, directed=directed)), False, workers)
    return (count, labels) if return_labels else count


def breadth_first_order(
    csgraph: Matrix,
    i_start: int,
    directed: bool = True,
    return_predecessors: bool = True,
    *,
    workers: int | None = None,
) -> tuple[_Int32, _Int32] | _Int32:
    """The vertices that a breadth-first search finds, in order, and the predecessor of each vertex, or -9999.

    The order and the predecessors are those of scipy, whatever the number of workers.

    Work: a pass over the arcs that are reached; levels of many vertices are shared by the workers. Memory: 8 bytes for
    each vertex, and with `directed=False` 24 bytes for each arc.

    >>> from scipy.sparse import csr_array
    >>> breadth_first_order(csr_array([[0, 0, 1], [0, 0, 0], [0, 1, 0]]), 0)
    (array([0, 2, 1], dtype=int32), array([-9999,     2,     0], dtype=int32))
    """
    return _order(_filch.breadth_first, csgraph, i_start, directed, return_predecessors, workers)


def depth_first_order(
    csgraph: Matrix,
    i_start: int,
    directed: bool = True,
    return_predecessors: bool = True,
    *,
    workers: int | None = None,
) -> tuple[_Int32, _Int32] | _Int32:
    """The vertices in the order in which a depth-first search comes to them, and the predecessor of each, or -9999.

    The order and the predecessors are those of scipy. One worker does it, whatever `workers` is; if a vertex has many
    arcs to what has been found, scipy takes quadratic time, and this does not.

    Work: a pass over the arcs that are reached. Memory: 8 bytes for each vertex, 8 for each vertex of the longest
    path, and with `directed=False` 24 bytes for each arc.

    >>> from scipy.sparse import csr_array
    >>> depth_first_order(csr_array([[0, 1, 1], [0, 0, 1], [0, 0, 0]]), 0, return_predecessors=False)
    array([0, 1, 2], dtype=int32)
    """
    return _order(_filch.depth_first, csgraph, i_start, directed, return_predecessors, workers)


def _order(
    search: Callable[..., tuple[_Int32, _Int32]],
    csgraph: Matrix,
    i_start: int,
    directed: bool,
    return_predecessors: bool,
    workers: int | None,
) -> tuple[_Int32, _Int32] | _Int32:
    csgraph = summed(csgraph, directed=directed, workers=workers)
    root = vertex(csgraph, i_start, "i_start")
    order, predecessors = search(*structure(csgraph), root, not directed, workers)
    return (order, predecessors) if return_predecessors else order


def breadth_first_tree(csgraph: Matrix, i_start: int, directed: bool = True, *, workers: int | None = None) -> Any:
    """The tree of a breadth-first search, as a matrix of the arcs from predecessors, with their weights.

    The tree is that of scipy. It is searched as by `breadth_first_order`, and made by scipy's `reconstruct_path`.

    >>> from scipy.sparse import csr_array
    >>> breadth_first_tree(csr_array([[0, 2, 0], [0, 0, 3], [0, 0, 0]]), 0).nnz
    2
    """
    return _tree(breadth_first_order, csgraph, i_start, directed, workers)


def depth_first_tree(csgraph: Matrix, i_start: int, directed: bool = True, *, workers: int | None = None) -> Any:
    """The tree of a depth-first search, as a matrix of the arcs from predecessors, with their weights.

    The tree is that of scipy. It is searched as by `depth_first_order`, and made by scipy's `reconstruct_path`.

    >>> from scipy.sparse import csr_array
    >>> depth_first_tree(csr_array([[0, 2, 0], [0, 0, 3], [0, 0, 0]]), 0).nnz
    2
    """
    return _tree(depth_first_order, csgraph, i_start, directed, workers)


def _tree(order: Any, csgraph: Matrix, i_start: int, directed: bool, workers: int | None) -> Any:
    csgraph = summed(csgraph, directed=directed, workers=workers)
    _, predecessors = order(csgraph, i_start, directed, workers=workers)
    return _scipy.reconstruct_path(checked(csgraph), predecessors, directed)


class _Wanted(NamedTuple):
    """What the module in Rust is asked for."""

    both: bool
    nearest: bool
    predecessors: bool
    limit: float


def dijkstra(
    csgraph: Matrix,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
    limit: float = np.inf,
    min_only: bool = False,
    *,
    workers: int | None = None,
) -> Any:
    """The distances from each of the vertices `indices`, or from the nearest of them if `min_only`.

    Distances are those of scipy, bit by bit: the least of the sums that are rounded at each arc. With
    `return_predecessors` there is a predecessor on a shortest path for each vertex, or -9999, and with `min_only` also
    the source of the path. If there are several shortest paths, they may be others than those of scipy. With
    `directed=False` an arc may be followed in both directions, with its own weight.

    It is done by delta-stepping, several sources at the same time. Weights of `float64` are read where they are, others
    are converted. Work: see `filch_graph::sssp` in Rust; about a pass over the arcs for random weights. Memory: 8 bytes
    for each vertex and source, 12 with predecessors, as much again for each worker, and with `directed=False` 48 bytes
    for each arc.

    Raises `ValueError` if a weight that is read is negative, infinite or not a number, where scipy warns or goes on. So
    it does if a distance is beyond the largest `float64`, where that of scipy is infinite.

    >>> from scipy.sparse import csr_array
    >>> dijkstra(csr_array([[0, 1, 9], [0, 0, 2], [0, 0, 0]]), indices=0)
    array([0., 1., 3.])
    """
    csgraph = summed(csgraph, directed=directed, workers=workers)
    n = csgraph.shape[0]
    sources = np.arange(n) if indices is None else np.array(indices, dtype=np.int64)
    shape = (n,) if min_only else (*sources.shape, n)
    sources = np.atleast_1d(sources).reshape(-1)
    outside = np.flatnonzero((sources < -n) | (sources >= n))
    if len(outside):
        place = int(outside[0])
        raise ValueError(f"indices[{place}] is {sources[place]}, expected a vertex, which is below {n}")
    if not limit >= 0:
        raise ValueError(f"limit is {limit}, expected at least 0")
    sources = np.where(sources < 0, sources + n, sources)
    wanted = _Wanted(not directed, min_only, return_predecessors, float(limit))
    if len(sources) == 0:
        distances, before, origins = np.full(n if min_only else 0, np.inf), *np.full((2, n), -9999, dtype=np.int32)
        before = before if min_only else before[:0]
    else:
        data = None if unweighted else weights(csgraph)
        arguments = (*structure(csgraph), data, sources.tolist(), wanted, workers)
        distances, before, origins = _filch.shortest_paths(*arguments)
    if not return_predecessors:
        return distances.reshape(shape)
    if min_only:
        return distances.reshape(shape), before.reshape(shape), origins.reshape(shape)
    return distances.reshape(shape), before.reshape(shape)


def shortest_path(
    csgraph: Matrix,
    method: str = "auto",
    directed: bool = True,
    return_predecessors: bool = False,
    unweighted: bool = False,
    overwrite: bool = False,
    indices: Any = None,
    *,
    workers: int | None = None,
) -> Any:
    """The distances from each of the vertices `indices`, by `dijkstra` if `method` is 'D'.

    'FW', 'BF' and 'J' are left to scipy. So are the cases in which scipy takes one of them for 'auto': graphs of which
    at least a quarter of all arcs are there if `indices` is None, and those with negative weights.

    >>> from scipy.sparse import csr_array
    >>> shortest_path(csr_array([[0, 1, 9], [0, 0, 2], [0, 0, 0]]), indices=0)
    array([0., 1., 3.])
    """
    if method == "auto":
        csr = summed(csgraph, directed=directed, workers=workers)
        is_dense = indices is None and csr.nnz >= csr.shape[0] ** 2 / 4
        if not is_dense and not (csr.data < 0).any():
            method, csgraph = "D", csr
    if method == "D":
        return dijkstra(csgraph, directed, indices, return_predecessors, unweighted, workers=workers)
    if issparse(csgraph):
        checked(csgraph)
    return _scipy.shortest_path(csgraph, method, directed, return_predecessors, unweighted, overwrite, indices)


def minimum_spanning_tree(csgraph: Matrix, overwrite: bool = False, *, workers: int | None = None) -> Any:
    """A minimum spanning tree of each component, as a matrix of the arcs in it, with their weights.

    Each arc is an edge. The tree is that of scipy if all weights are different; otherwise it may be another one of the
    same weight. As in scipy, edges of weight 0 are not in the result. `overwrite` has no effect.

    Weights of `float64` are read where they are, others are converted. Work: O((n + m) log n) at most, in parallel.
    Memory: some 20 bytes for each vertex, and 32 for each edge that is among the lightest.

    Raises `ValueError` if a weight that is read is infinite or not a number.

    >>> from scipy.sparse import csr_array
    >>> minimum_spanning_tree(csr_array([[0, 1, 9], [0, 0, 2], [0, 0, 0]])).toarray()
    array([[0., 1., 0.],
           [0., 0., 2.],
           [0., 0., 0.]])
    """
    csgraph = summed(csgraph, workers=workers)
    rows, columns, data = _filch.minimum_forest(*structure(csgraph), weights(csgraph), workers)
    kept = data != 0
    if not kept.all():
        rows, columns, data = rows[kept], columns[kept], data[kept]
    return type(csgraph)((data, (rows, columns)), shape=csgraph.shape)
