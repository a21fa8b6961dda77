"""Functions of `scipy.sparse.csgraph`, with the same names, arguments and results.

A program changes one import. A matrix in compressed sparse rows with indices of `int32` or `int64` is read where it is,
and is not to be written to meanwhile. Others are converted first, as scipy does. What is not listed here is not offered.
"""

from filch import _filch
from filch._arrays import compressed, structure

__all__ = ["connected_components"]


def connected_components(csgraph, directed=True, connection="weak", return_labels=True, *, workers=None):
    """The number of connected components, and the number of that of each vertex.

    Components are numbered by their first vertices. Those that are weakly connected have the numbers that scipy gives
    them; of those that are strongly connected, scipy numbers those first which it has found first.

    Work: a pass over the arcs, in parallel for components that are weakly connected. Memory: 12 bytes for each vertex.

    Raises `ValueError` if the matrix is not square, or an index is not below the number of vertices.

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
