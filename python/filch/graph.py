"""What `scipy.sparse.csgraph` lacks, on the same matrices.

The entries of a matrix are arcs from rows to columns; these functions do not look at their values. `symmetric=True`
says that each arc is there in both directions. Then a matrix in compressed sparse rows with indices of `int32` or
`int64` is read where it is. Otherwise a copy is made in which it is so, or that has the arcs by their targets, which
takes 40 bytes for each arc. It is not checked: if it is wrong, so is the result, or there is a `RuntimeError`.

Each function also takes `workers`. Each raises `ValueError` if the matrix is not square, and if it reads an index that
is not below the number of vertices: the message has its place and value.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from filch import _filch
from filch._arrays import compressed, structure

__all__ = ["Ranks", "core_numbers", "pagerank", "spanning_forest", "triangles"]


class Ranks(NamedTuple):
    """What `pagerank` has computed."""

    scores: NDArray[np.float32]
    """The score of each vertex."""
    iterations: int
    """The number of iterations."""
    has_converged: bool
    """Whether the last one changed less than the tolerance."""


def pagerank(
    csgraph: Any,
    damping: float = 0.85,
    tolerance: float = 1e-6,
    max_iterations: int = 100,
    *,
    symmetric: bool = False,
    workers: int | None = None,
) -> Ranks:
    """The PageRank of each vertex, as the GAP Benchmark Suite defines it.

    Scores begin at 1 / n. An iteration makes the score of a vertex (1 - d) / n + d times the sum of score / degree of
    the vertices from which arcs lead to it. What a vertex has that no arc leaves is lost, so that scores may add up to
    less than 1; networkx shares it among all. It ends when the scores change by less than `tolerance` in total. Scores
    have 24 bits, so that a tolerance below some 1e-7 may never be reached. With several workers the last bits vary.

    Work: a pass over the arcs for each iteration. Memory: 8 bytes for each vertex.

    Raises `ValueError` if `damping` is not from 0 to below 1, `tolerance` is negative, or `max_iterations` is below 1.

    >>> from scipy.sparse import csr_array
    >>> pagerank(csr_array([[0, 1], [1, 0]])).scores
    array([0.5, 0.5], dtype=float32)
    """
    if not 0 <= damping < 1:
        raise ValueError(f"damping is {damping}, expected at least 0 and less than 1")
    if not tolerance >= 0:
        raise ValueError(f"tolerance is {tolerance}, expected a number that is not negative")
    if max_iterations < 1:
        raise ValueError(f"max_iterations is {max_iterations}, expected at least 1")
    options = (damping, tolerance, max_iterations)
    return Ranks(*_filch.pagerank(*structure(compressed(csgraph)), symmetric, options, workers))


def core_numbers(csgraph: Any, *, symmetric: bool = False, workers: int | None = None) -> NDArray[np.int32]:
    """The largest k for each vertex such that it is in a part of the graph where each has k neighbors (a k-core).

    Arcs are edges, loops do not count. Of several arcs between two vertices one does; but with `symmetric=True` each
    does, because nothing is copied. Work: a pass over the arcs. Memory: 16 bytes for each vertex.

    >>> from scipy.sparse import csr_array
    >>> core_numbers(csr_array([[0, 1, 1, 1], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]]))
    array([2, 2, 2, 1], dtype=int32)
    """
    return _filch.core_numbers(*structure(compressed(csgraph)), symmetric, workers)


def triangles(csgraph: Any, *, symmetric: bool = False, workers: int | None = None) -> int:
    """The number of sets of three vertices that are all neighbors.

    Arcs are edges, loops do not count, and of several arcs between two vertices one does. Work: at most the number of
    arcs to the power of 1.5. Memory: 4 bytes for each edge, and 16 for each vertex.

    >>> from scipy.sparse import csr_array
    >>> triangles(csr_array([[0, 1, 1, 1], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]]))
    1
    """
    return _filch.count_triangles(*structure(compressed(csgraph)), symmetric, workers)


def spanning_forest(csgraph: Any, *, symmetric: bool = False, workers: int | None = None) -> NDArray[np.int32]:
    """The predecessor of each vertex in a tree of its component, or -9999 for the root of a tree.

    Arcs are edges. Which of the forests it is may vary from call to call. Work: a pass over the arcs, most of which are
    not read if the graph is shallow. Memory: 8 bytes for each vertex.

    >>> from scipy.sparse import csr_array
    >>> int(sum(spanning_forest(csr_array([[0, 1, 0], [0, 0, 0], [0, 0, 0]])) == -9999))
    2
    """
    return _filch.spanning_forest(*structure(compressed(csgraph)), symmetric, workers)
