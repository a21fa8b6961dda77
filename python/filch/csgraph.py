"""Functions of `scipy.sparse.csgraph`, with the same names, arguments and results.

A program changes one import. A matrix in compressed sparse rows with indices of `int32` or `int64` is read where it is,
and is not to be written to meanwhile. Others are converted first, as scipy does. What is not listed here is not offered.

Each function also takes `workers`. Each raises `ValueError` if the matrix is not square, and if it reads an index that
is not below the number of vertices: the message has its place and value.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csgraph as _scipy

from filch import _filch
from filch._arrays import compressed, structure, vertex

__all__ = [
    "breadth_first_order",
    "breadth_first_tree",
    "connected_components",
    "depth_first_order",
    "depth_first_tree",
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

    Components are numbered by their first vertices. Those that are weakly connected have the numbers that scipy gives
    them; of those that are strongly connected, scipy numbers those first which it has found first.

    Work: a pass over the arcs, for components that are weakly connected in parallel. Memory: 12 bytes for each vertex.

    >>> from scipy.sparse import csr_array
    >>> connected_components(csr_array([[0, 1, 0], [0, 0, 0], [0, 0, 0]]))
    (2, array([0, 0, 1], dtype=int32))
    """
    connection = connection.lower()
    if connection not in ("weak", "strong"):
        raise ValueError(f"connection is {connection!r}, expected 'weak' or 'strong'")
    indptr, indices = structure(compressed(csgraph, directed=directed))
    if directed and connection == "strong":
        count, labels = _filch.strong_components(indptr, indices, workers)
    else:
        count, labels = _filch.weak_components(indptr, indices, False, workers)
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

    Work: a pass over the arcs that are reached; levels of many vertices are shared by the workers. Memory: 12 bytes for
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

    Work: a pass over the arcs that are reached. Memory: 8 bytes for each vertex, 40 for each vertex of the longest
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
    csgraph = compressed(csgraph, directed=directed)
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
    csgraph = compressed(csgraph, directed=directed)
    _, predecessors = breadth_first_order(csgraph, i_start, directed, workers=workers)
    return _scipy.reconstruct_path(csgraph, predecessors, directed)


def depth_first_tree(csgraph: Matrix, i_start: int, directed: bool = True, *, workers: int | None = None) -> Any:
    """The tree of a depth-first search, as a matrix of the arcs from predecessors, with their weights.

    The tree is that of scipy. It is searched as by `depth_first_order`, and made by scipy's `reconstruct_path`.

    >>> from scipy.sparse import csr_array
    >>> depth_first_tree(csr_array([[0, 2, 0], [0, 0, 3], [0, 0, 0]]), 0).nnz
    2
    """
    csgraph = compressed(csgraph, directed=directed)
    _, predecessors = depth_first_order(csgraph, i_start, directed, workers=workers)
    return _scipy.reconstruct_path(csgraph, predecessors, directed)
