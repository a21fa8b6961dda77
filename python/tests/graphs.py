"""Random graphs, as matrices."""

import numpy as np
from hypothesis import strategies as st
from scipy.sparse import coo_array, csr_array

#: The types of weights that scipy's functions are given here.
DTYPES = ["float32", "float64", "longdouble", "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32"]
DTYPES += ["uint64"]


@st.composite
def matrices(draw, dtypes=DTYPES, symmetric=None, canonical=True):
    """A matrix in compressed sparse rows: of few or many vertices, with loops, and with indices of both types.

    Unless it is canonical, rows need not be sorted, and may have several arcs to a vertex.
    """
    n = draw(st.integers(1, 40))
    arcs = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1), st.integers(1, 100)), max_size=4 * n))
    dtype = draw(st.sampled_from(dtypes))
    index = draw(st.sampled_from([np.int32, np.int64]))
    if not canonical and draw(st.booleans()):
        arcs.sort(key=lambda arc: arc[0])
        rows, columns, data = np.array(arcs, dtype=np.int64).reshape(-1, 3).T
        indptr = np.searchsorted(rows, np.arange(n + 1))
        csr = csr_array((data.astype(dtype), columns, indptr), shape=(n, n))
        csr.indptr, csr.indices = csr.indptr.astype(index), csr.indices.astype(index)
        return csr
    unique = {(u, v): weight for u, v, weight in arcs}
    if draw(st.booleans()) if symmetric is None else symmetric:
        unique |= {(v, u): weight for (u, v), weight in unique.items()}
    rows, columns = (np.array([arc[end] for arc in unique], dtype=np.int32) for end in (0, 1))
    csr = coo_array((np.array(list(unique.values()), dtype=dtype), (rows, columns)), shape=(n, n)).tocsr()
    csr.indptr, csr.indices = csr.indptr.astype(index), csr.indices.astype(index)
    return csr


def uniform(n, arcs, seed=1, symmetric=False, dtype=np.float64):
    """Arcs between vertices that are drawn with equal probability, with different weights."""
    draws = np.random.default_rng(seed)
    ends = draws.integers(0, n, (2, arcs), dtype=np.int32)
    if symmetric:
        ends = np.concatenate([ends, ends[::-1]], axis=1)
    csr = coo_array((np.ones(ends.shape[1]), tuple(ends)), shape=(n, n)).tocsr()
    low, high = np.minimum(*csr.nonzero()), np.maximum(*csr.nonzero())
    csr.data = ((low.astype(np.int64) * 7919 + high) * 2654435761 % 1000003 + 1).astype(dtype)
    return csr


def same_partition(a, b):
    """Whether two lists of labels say the same of each two vertices."""
    pairs = {(int(x), int(y)) for x, y in zip(a, b, strict=True)}
    return len(pairs) == len({x for x, _ in pairs}) == len({y for _, y in pairs})
