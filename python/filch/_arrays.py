"""Matrices as the arrays that the module in Rust borrows."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csgraph as _scipy
from scipy.sparse import issparse

from filch import _filch


def compressed(csgraph: Any, *, directed: bool = True) -> Any:
    """The matrix in compressed sparse rows. A matrix that is in them already is not copied."""
    if hasattr(csgraph, "to_scipy_sparse"):
        csgraph = csgraph.to_scipy_sparse()
    if issparse(csgraph):
        if not directed and csgraph.format == "csc":
            csgraph = csgraph.T
        if csgraph.format != "csr":
            csgraph = checked(csgraph).tocsr()
    else:
        masked = isinstance(csgraph, np.ma.MaskedArray)
        # scipy wants a mask for each entry.
        csgraph = np.ma.array(csgraph, mask=np.ma.getmaskarray(csgraph)) if masked else np.asarray(csgraph)
        if csgraph.ndim == 2 and csgraph.shape[0] == csgraph.shape[1]:
            csgraph = (_scipy.csgraph_from_masked if masked else _scipy.csgraph_from_dense)(csgraph)
    if csgraph.ndim != 2:
        raise ValueError(f"expected a matrix of 2 dimensions, found {csgraph.ndim}")
    if csgraph.shape[0] != csgraph.shape[1]:
        raise ValueError(f"expected a square matrix, found {csgraph.shape[0]} rows and {csgraph.shape[1]} columns")
    return csgraph


def checked(matrix: Any) -> Any:
    """A sparse matrix whose indices have been looked at, since scipy does not check them where it uses them."""
    if matrix.format == "coo":
        for name, places, size in zip(("row", "column"), matrix.coords, matrix.shape, strict=False):
            outside = np.flatnonzero((places < 0) | (places >= size))
            if len(outside):
                place = int(outside[0])
                raise ValueError(f"the {name} of entry {place} is {places[place]}, expected 0 to {size - 1}")
    elif hasattr(matrix, "check_format"):
        matrix.check_format()
    return matrix


def summed(csgraph: Any, *, directed: bool = True, workers: int | None = None) -> Any:
    """As `compressed`. If the data are not `float64`, rows are sorted, and arcs between the same vertices add up.

    scipy does so where it converts them. A matrix in which it is so already is not copied.
    """
    csr = compressed(csgraph, directed=directed)
    if csr.dtype == np.float64 or _filch.is_canonical(*structure(csr), workers):
        return csr
    # scipy does not check indices when it sorts. Nobody else writes to these.
    csr = type(csr)((csr.data.astype(np.float64), csr.indices, csr.indptr), shape=csr.shape, copy=True)
    checked(csr).sum_duplicates()
    return csr


def structure(csr: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """Where rows begin, and the columns, as arrays of one type. Arrays of `int32` or `int64` are not copied."""
    dtype = np.int32 if csr.indptr.dtype == csr.indices.dtype == np.int32 else np.int64
    indptr, indices = (np.require(array, dtype=dtype, requirements=["C", "A"]) for array in (csr.indptr, csr.indices))
    return indptr, indices


def weights(csr: Any) -> NDArray[np.float64]:
    """The weights, as scipy takes them. An array of `float64` is not copied."""
    return np.require(csr.data, dtype=np.float64, requirements=["C", "A"])


def vertex(csr: Any, number: int, name: str) -> int:
    """A number, which must be that of a vertex."""
    n = csr.shape[0]
    index = int(number)
    if index != number or not 0 <= index < n:
        shown = repr(number) if isinstance(number, str) else number
        raise ValueError(f"{name} is {shown}, expected a vertex, which is below {n}")
    return index
