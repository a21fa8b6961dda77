"""What `scipy.sparse.csgraph` lacks, on the same matrices.

The entries of a matrix are arcs from rows to columns; only `communities` looks at their values. `symmetric=True` says
that each arc is there in both directions. Then a matrix in compressed sparse rows with indices of `int32` or
`int64` is read where it is. Otherwise a copy is made in which it is so, or that has the arcs by their targets, which
takes 40 bytes for each arc. It is not checked: if it is wrong, so is the result, or there is a `RuntimeError`.

Each function also takes `workers`. Each raises `ValueError` if the matrix is not square, and if it reads an index that
is not below the number of vertices: the message has its place and value.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from filch import _filch
from filch._arrays import compressed, structure, vertex, weights

__all__ = [
    "Clusters",
    "Partition",
    "Ranks",
    "betweenness",
    "closeness",
    "clustering",
    "communities",
    "core_numbers",
    "harmonic",
    "pagerank",
    "spanning_forest",
    "triangles",
]


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
    return Ranks(*_filch.pagerank(*structure(compressed(csgraph)), bool(symmetric), options, workers))


def _checked(seed: int) -> int:
    if not 0 <= seed < 2**64:
        raise ValueError(f"seed is {seed}, expected 0 to 2**64 - 1")
    return seed


def betweenness(
    csgraph: Any,
    samples: int | None = None,
    normalized: bool = True,
    seed: int = 0,
    *,
    symmetric: bool = False,
    workers: int | None = None,
) -> NDArray[np.float64]:
    """How many of all shortest paths lead through each vertex (Freeman 1977): the sum of the shares of each two others.

    Arcs have no lengths, and several between the same vertices are different paths. If `normalized`, the sum is divided
    by the number of pairs, (n - 1) (n - 2). Otherwise, with `symmetric=True` a pair counts in one direction only.

    With `samples`, paths begin at so many different vertices, which `seed` chooses, and scores are scaled up: they are
    estimates. The scores are the same to the last bit for any number of workers.

    Work: two passes over the arcs from each of these vertices (Brandes 2001), in parallel. Memory: 24 bytes for each
    vertex, and some 64 for each vertex and worker.

    Raises `ValueError` if `samples` is below 1, or if there are 2**1024 shortest paths or more between two vertices.

    >>> from scipy.sparse import csr_array
    >>> betweenness(csr_array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]), symmetric=True)
    array([0., 1., 0.])
    """
    if samples is not None and samples < 1:
        raise ValueError(f"samples is {samples}, expected at least 1")
    csr = compressed(csgraph)
    # As many as there are vertices are all.
    options = (bool(normalized), min(samples or 0, csr.shape[0]), _checked(seed))
    return _filch.betweenness(*structure(csr), bool(symmetric), options, workers)


def _listed(csr: Any, vertices: Any) -> list[int] | None:
    return None if vertices is None else [vertex(csr, v, f"vertices[{place}]") for place, v in enumerate(vertices)]


def closeness(
    csgraph: Any,
    vertices: Any = None,
    wf_improved: bool = True,
    *,
    symmetric: bool = False,
    workers: int | None = None,
) -> NDArray[np.float64]:
    """How near each vertex is to those from which paths lead to it: their number divided by the sum of the distances.

    If `wf_improved`, it is multiplied by their share of all other vertices (Wasserman and Faust 1994), as in networkx.
    It is 0 if there are none. Arcs have no lengths. `vertices` are those whose closeness is wanted, by default all.

    Work: at most a pass over the arcs for each vertex, and usually much less, because 64 searches share a pass (Then et
    al. 2014); in parallel. Memory: 32 bytes for each of them, and 32 for each vertex and worker.

    >>> from scipy.sparse import csr_array
    >>> closeness(csr_array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]), symmetric=True).tolist()
    [0.6666666666666666, 1.0, 0.6666666666666666]
    """
    csr = compressed(csgraph)
    return _filch.closeness(*structure(csr), bool(symmetric), _listed(csr, vertices), bool(wf_improved), workers)


def harmonic(
    csgraph: Any, vertices: Any = None, *, symmetric: bool = False, workers: int | None = None
) -> NDArray[np.float64]:
    """The sum of the reciprocals of the distances to each vertex (Boldi and Vigna 2014). Otherwise as `closeness`.

    >>> from scipy.sparse import csr_array
    >>> harmonic(csr_array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]), [0, 1], symmetric=True)
    array([1.5, 2. ])
    """
    csr = compressed(csgraph)
    return _filch.harmonic(*structure(csr), bool(symmetric), _listed(csr, vertices), workers)


def core_numbers(csgraph: Any, *, symmetric: bool = False, workers: int | None = None) -> NDArray[np.int32]:
    """The largest k for each vertex such that it is in a part of the graph where each has k neighbors (a k-core).

    Arcs are edges, loops do not count. Of several arcs between two vertices one does; but with `symmetric=True` each
    does, because nothing is copied. Work: a pass over the arcs. Memory: 16 bytes for each vertex.

    >>> from scipy.sparse import csr_array
    >>> core_numbers(csr_array([[0, 1, 1, 1], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]]))
    array([2, 2, 2, 1], dtype=int32)
    """
    return _filch.core_numbers(*structure(compressed(csgraph)), bool(symmetric), workers)


def triangles(csgraph: Any, *, symmetric: bool = False, workers: int | None = None) -> int:
    """The number of sets of three vertices that are all neighbors.

    Arcs are edges, loops do not count, and of several arcs between two vertices one does. Work: at most the number of
    arcs to the power of 1.5. Memory: 4 bytes for each edge, and 16 for each vertex.

    >>> from scipy.sparse import csr_array
    >>> triangles(csr_array([[0, 1, 1, 1], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]]))
    1
    """
    return _filch.count_triangles(*structure(compressed(csgraph)), bool(symmetric), workers)


class Clusters(NamedTuple):
    """What `clustering` has found."""

    coefficients: NDArray[np.float64]
    """The share of the pairs of neighbors of each vertex that are neighbors of each other, 0 if it has no pairs."""
    triangles: NDArray[np.int64]
    """The number of triangles that each vertex is in."""
    transitivity: float
    """The share of the pairs of neighbors of all vertices that are neighbors of each other."""


def clustering(csgraph: Any, *, symmetric: bool = False, workers: int | None = None) -> Clusters:
    """The local clustering coefficients (Watts and Strogatz 1998). Otherwise as `triangles`.

    >>> from scipy.sparse import csr_array
    >>> found = clustering(csr_array([[0, 1, 1, 1], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]]))
    >>> found.triangles, found.transitivity
    (array([1, 1, 1, 0]), 0.6)
    """
    return Clusters(*_filch.clustering(*structure(compressed(csgraph)), bool(symmetric), workers))


class Partition(NamedTuple):
    """What `communities` has found."""

    count: int
    """The number of communities."""
    labels: NDArray[np.int32]
    """The number of the community of each vertex, in the order of their first vertices."""
    modularity: float
    """The modularity, by the resolution that was asked for."""


def communities(
    csgraph: Any,
    resolution: float = 1.0,
    method: str = "leiden",
    iterations: int = 3,
    seed: int = 0,
    unweighted: bool = False,
    *,
    symmetric: bool = False,
    workers: int | None = None,
) -> Partition:
    """Sets of vertices with many edges inside and few between them: a partition of large modularity.

    Its method is 'leiden' (Traag, Waltman and van Eck 2019), whose communities are connected, or 'louvain' (Blondel et
    al. 2008), which is quicker. The larger the resolution, the smaller are communities. Arcs are edges with weights,
    and weigh 1 if `unweighted`. Of several arcs between two vertices the lightest one counts; but with `symmetric=True`
    each does, because nothing is copied.

    The partition depends on `seed`, and not on the number of workers. Work: some ten passes over the arcs for each
    iteration. Memory: 36 bytes for each arc, 60 for each vertex, and 12 for each vertex and worker.

    Raises `ValueError` if a weight is negative, infinite or not a number.

    >>> from scipy.sparse import csr_array
    >>> found = communities(csr_array(([1.0] * 7, ([0, 1, 2, 3, 4, 5, 2], [1, 2, 0, 4, 5, 3, 3])), shape=(6, 6)))
    >>> found.count, found.labels
    (2, array([0, 0, 0, 1, 1, 1], dtype=int32))
    """
    if method not in ("leiden", "louvain"):
        raise ValueError(f"method is {method!r}, expected 'leiden' or 'louvain'")
    if not 0 <= resolution < np.inf:
        raise ValueError(f"resolution is {resolution}, expected a number from 0")
    if iterations < 1:
        raise ValueError(f"iterations is {iterations}, expected at least 1")
    csr = compressed(csgraph)
    options = (method == "louvain", float(resolution), iterations, _checked(seed))
    data = None if unweighted else weights(csr)
    return Partition(*_filch.communities(*structure(csr), data, bool(symmetric), options, workers))


def spanning_forest(csgraph: Any, *, symmetric: bool = False, workers: int | None = None) -> NDArray[np.int32]:
    """The predecessor of each vertex in a tree of its component, or -9999 for the root of a tree.

    Arcs are edges. Which of the forests it is may vary from call to call. Work: a pass over the arcs, most of which are
    not read if the graph is shallow. Memory: 8 bytes for each vertex.

    >>> from scipy.sparse import csr_array
    >>> int(sum(spanning_forest(csr_array([[0, 1, 0], [0, 0, 0], [0, 0, 0]])) == -9999))
    2
    """
    return _filch.spanning_forest(*structure(compressed(csgraph)), bool(symmetric), workers)
