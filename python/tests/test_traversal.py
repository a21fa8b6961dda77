import numpy as np
import pytest
from graphs import matrices, uniform
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array, csr_array
from scipy.sparse import csgraph as scipy

from filch import csgraph

WORKERS = [1, 2]


def assert_equal(found, expected):
    assert [array.dtype for array in found] == [array.dtype for array in expected]
    for array, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(array, other)


@pytest.mark.parametrize("name", ["breadth_first_order", "depth_first_order"])
@given(matrices(canonical=False), st.integers(0, 39), st.booleans(), st.sampled_from(WORKERS))
def test_orders_and_predecessors_are_those_of_scipy(name, graph, root, directed, workers):
    root %= graph.shape[0]
    found = getattr(csgraph, name)(graph, root, directed, workers=workers)
    expected = getattr(scipy, name)(graph, root, directed)
    assert_equal(found, expected)
    assert_equal([getattr(csgraph, name)(graph, root, directed, return_predecessors=False)], expected[:1])


@pytest.mark.parametrize("name", ["breadth_first_tree", "depth_first_tree"])
@given(matrices(canonical=False), st.integers(0, 39), st.booleans())
def test_trees_are_those_of_scipy(name, graph, root, directed):
    root %= graph.shape[0]
    found, expected = (getattr(module, name)(graph, root, directed) for module in (csgraph, scipy))
    assert type(found) is type(expected) and found.dtype == expected.dtype
    np.testing.assert_array_equal(found.toarray(), expected.toarray())


@pytest.mark.parametrize("workers", WORKERS)
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("degree", [1, 3, 12])
def test_orders_of_a_large_graph_are_those_of_scipy_each_time(workers, directed, degree):
    graph = uniform(60_000, 60_000 * degree)
    for name in ("breadth_first_order", "depth_first_order"):
        expected = getattr(scipy, name)(graph, 5, directed)
        for _ in range(3):
            assert_equal(getattr(csgraph, name)(graph, 5, directed, workers=workers), expected)


@pytest.mark.parametrize("workers", WORKERS)
def test_a_path_of_many_vertices_overflows_no_stack(workers):
    n = 1_000_000
    graph = coo_array((np.ones(n - 1), (np.arange(n - 1), np.arange(1, n)))).tocsr()
    graph.resize((n, n))
    for name in ("breadth_first_order", "depth_first_order"):
        order = getattr(csgraph, name)(graph, 0, return_predecessors=False, workers=workers)
        np.testing.assert_array_equal(order, np.arange(n))


@pytest.mark.parametrize("name", ["breadth_first_order", "depth_first_order", "breadth_first_tree"])
@pytest.mark.parametrize("root", [-1, 3, 1.5])
def test_a_root_that_is_no_vertex_is_refused(name, root):
    with pytest.raises(ValueError, match=f"i_start is {root}, expected a vertex, which is below 3"):
        getattr(csgraph, name)(csr_array((3, 3)), root)
