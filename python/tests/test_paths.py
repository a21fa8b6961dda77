import numpy as np
import pytest
from graphs import matrices, uniform
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array, csr_array
from scipy.sparse import csgraph as scipy

from filch import csgraph

WORKERS = [1, 2]

#: Unequal sums of the same weights in another order.
FRACTIONS = st.sampled_from([1 / 3, 1 / 7, 0.1, 1e-9, 3e5, 0.0])


@st.composite
def weighted(draw):
    """A matrix of any type, or of fractions whose sums are rounded."""
    matrix = draw(matrices(canonical=False))
    if draw(st.booleans()):
        fractions = draw(st.lists(FRACTIONS, min_size=matrix.nnz, max_size=matrix.nnz))
        matrix.data = np.array(fractions, dtype=draw(st.sampled_from([np.float32, np.float64])))
    return matrix


def lightest(matrix, directed):
    """The weights of arcs, of an edge in either direction the lighter one, and infinity where there is none."""
    dense = np.full(matrix.shape, np.inf)
    # Of other types, scipy adds up the weights of arcs between the same vertices.
    coo = matrix.astype(np.float64, copy=False).tocoo()
    np.minimum.at(dense, coo.coords, coo.data)
    return dense if directed else np.minimum(dense, dense.T)


def assert_predecessors(dense, distances, predecessors, sources):
    """Each reached vertex has its distance by an arc from its predecessor, and all lead to a source."""
    for v, before in enumerate(predecessors):
        if before == -9999:
            assert v in sources or np.isinf(distances[v])
        else:
            assert distances[v] == distances[before] + dense[before, v]
        steps = 0
        while predecessors[v] != -9999:
            v, steps = predecessors[v], steps + 1
            assert steps < len(predecessors)
        assert v in sources or np.isinf(distances[v])


@given(weighted(), st.booleans(), st.booleans(), st.sampled_from([np.inf, 5.0, 60.0, 0.0]), st.sampled_from(WORKERS))
def test_distances_are_those_of_scipy_bit_by_bit(matrix, directed, unweighted, limit, workers):
    options = {"directed": directed, "unweighted": unweighted, "limit": limit}
    found = csgraph.dijkstra(matrix, **options, workers=workers)
    np.testing.assert_array_equal(found, scipy.dijkstra(matrix, **options))
    again, predecessors = csgraph.dijkstra(matrix, **options, return_predecessors=True, workers=workers)
    np.testing.assert_array_equal(found, again)
    assert predecessors.dtype == np.int32
    dense = lightest(matrix, directed)
    dense = np.where(np.isinf(dense), dense, 1.0) if unweighted else dense
    for root, (distances, before) in enumerate(zip(found, predecessors, strict=True)):
        assert_predecessors(dense, distances, before, {root})


@given(weighted(), st.lists(st.integers(0, 39), min_size=1, max_size=5), st.booleans(), st.sampled_from(WORKERS))
def test_the_nearest_of_several_sources_is_found(matrix, indices, directed, workers):
    n = matrix.shape[0]
    indices = [index % n for index in indices]
    options = {"directed": directed, "indices": indices, "min_only": True}
    found = csgraph.dijkstra(matrix, **options, workers=workers)
    np.testing.assert_array_equal(found, scipy.dijkstra(matrix, **options))
    distances, predecessors, sources = csgraph.dijkstra(matrix, **options, return_predecessors=True)
    np.testing.assert_array_equal(found, distances)
    assert_predecessors(lightest(matrix, directed), distances, predecessors, set(indices))
    for v in range(n):
        root = v
        while predecessors[root] != -9999:
            root = predecessors[root]
        assert sources[v] == (root if np.isfinite(distances[v]) else -9999)


def test_arcs_between_the_same_vertices_add_up_unless_they_are_of_float64_as_in_scipy():
    for dtype, weight in [(np.float64, 1), (np.int64, 4), (np.float32, 4), (bool, 2)]:
        matrix = csr_array((np.array([1, 3], dtype=dtype), [1, 1], [0, 2, 2]), shape=(2, 2))
        assert csgraph.dijkstra(matrix, indices=0)[1] == scipy.dijkstra(matrix, indices=0)[1] == weight
        for module in (csgraph, scipy):
            assert module.minimum_spanning_tree(matrix).sum() == weight
        # The matrix itself is left as it was.
        assert matrix.indices.tolist() == [1, 1] and matrix.dtype == dtype


def test_weights_of_another_type_are_never_sorted_by_what_is_no_index():
    for array, value in [("indices", 7), ("indices", -1), ("indptr", 10**6)]:
        matrix = csr_array((np.array([1, 3, 2]), [2, 1, 0], [0, 2, 3, 3]), shape=(3, 3))
        getattr(matrix, array)[1] = value
        with pytest.raises(ValueError, match=rf"{array}\[1\] is {value}, expected"):
            csgraph.dijkstra(matrix, indices=0)


@pytest.mark.parametrize("indices", [None, 0, -1, [], [1], [0, 2, 0], [[0, 1], [2, 2]]])
@pytest.mark.parametrize("min_only", [False, True])
def test_results_have_the_shapes_of_those_of_scipy(indices, min_only):
    matrix = csr_array([[0, 1, 0], [0, 0, 2.5], [0, 0, 0]])
    options = {"indices": indices, "min_only": min_only, "return_predecessors": True}
    found, expected = (module.dijkstra(matrix, **options) for module in (csgraph, scipy))
    assert len(found) == len(expected)
    for array, other in zip(found, expected, strict=True):
        assert array.dtype == other.dtype
        np.testing.assert_array_equal(array, other)


@given(weighted(), st.booleans(), st.sampled_from(["auto", "D", "FW", "BF", "J"]), st.booleans())
def test_all_methods_have_the_distances_of_scipy(matrix, directed, method, unweighted):
    options = {"method": method, "directed": directed, "unweighted": unweighted}
    found = csgraph.shortest_path(matrix, **options)
    np.testing.assert_array_equal(found, scipy.shortest_path(matrix, **options))


def test_negative_weights_are_left_to_scipy_if_it_may_choose_and_refused_otherwise():
    matrix = csr_array([[0, 4, 1.0, 0], [0, 0, 0, 0], [0, -2, 0, 0], [0, 0, 0, 0]])
    np.testing.assert_array_equal(csgraph.shortest_path(matrix, indices=0), scipy.shortest_path(matrix, indices=0))
    with pytest.raises(ValueError, match="the arc from vertex 2 to 1 has the weight -2"):
        csgraph.dijkstra(matrix)
    for wrong in (np.inf, np.nan):
        matrix.data[:] = [1, wrong, 1]
        with pytest.raises(ValueError, match=rf"(?i)data\[1\] is {wrong}, expected a finite number"):
            csgraph.dijkstra(matrix, indices=0)
        with pytest.raises(ValueError, match=rf"(?i)data\[1\] is {wrong}, expected a finite number"):
            csgraph.dijkstra(matrix, directed=False, indices=0)
    for options, expected in [
        ({"indices": 4}, r"indices\[0\] is 4, expected a vertex, which is below 4"),
        ({"indices": [0, -5]}, r"indices\[1\] is -5"),
        ({"limit": -1}, "limit is -1"),
    ]:
        with pytest.raises(ValueError, match=expected):
            csgraph.dijkstra(matrix, **options)


@pytest.mark.parametrize("workers", WORKERS)
@pytest.mark.parametrize("degree", [2, 8])
def test_distances_of_a_large_graph_are_those_of_scipy(workers, degree):
    matrix = uniform(30_000, 30_000 * degree, symmetric=True)
    matrix.data = matrix.data / 7
    for options in ({"indices": 3}, {"indices": [5, 6, 7]}, {"indices": [5, 6, 7], "min_only": True}):
        found = csgraph.dijkstra(matrix, **options, workers=workers)
        np.testing.assert_array_equal(found, scipy.dijkstra(matrix, **options))


def assert_spans(matrix, tree):
    """The tree has arcs of the graph, no circle, and joins all that the graph joins."""
    count = scipy.connected_components(matrix)[0]
    coo = tree.tocoo()
    dense = lightest(matrix, directed=False)
    assert all(dense[u, v] == w for u, v, w in zip(coo.row, coo.col, coo.data, strict=True))
    assert scipy.connected_components(tree)[0] == matrix.shape[0] - tree.nnz == count


@given(matrices(canonical=False), st.sampled_from(WORKERS))
def test_spanning_trees_have_the_weight_of_those_of_scipy(matrix, workers):
    tree = csgraph.minimum_spanning_tree(matrix, workers=workers)
    expected = scipy.minimum_spanning_tree(matrix)
    assert type(tree) is type(expected) and (tree.dtype, tree.nnz) == (expected.dtype, expected.nnz)
    assert tree.sum() == expected.sum()
    assert_spans(matrix, tree)


@given(weighted())
def test_edges_of_weight_0_are_left_out_of_spanning_trees_as_in_scipy(matrix):
    tree, expected = csgraph.minimum_spanning_tree(matrix), scipy.minimum_spanning_tree(matrix)
    np.testing.assert_array_equal(np.sort(tree.data), np.sort(expected.data))


@pytest.mark.parametrize("workers", WORKERS)
def test_a_large_spanning_tree_of_different_weights_is_that_of_scipy(workers):
    matrix = uniform(30_000, 120_000)
    matrix.data = np.random.default_rng(2).permutation(matrix.nnz) - 1000.5
    tree, expected = csgraph.minimum_spanning_tree(matrix, workers=workers), scipy.minimum_spanning_tree(matrix)
    assert (tree != expected).nnz == 0


@pytest.mark.parametrize("workers", WORKERS)
def test_paths_on_a_mesh_are_those_of_scipy(workers):
    places = np.arange(40_000).reshape(200, 200)
    rows = np.concatenate([places[:-1].ravel(), places[:, :-1].ravel()])
    columns = np.concatenate([places[1:].ravel(), places[:, 1:].ravel()])
    data = np.random.default_rng(3).random(len(rows))
    matrix = coo_array((data, (rows, columns)), shape=(40_000, 40_000)).tocsr()
    for directed in (True, False):
        found = csgraph.dijkstra(matrix, directed, indices=0, workers=workers)
        np.testing.assert_array_equal(found, scipy.dijkstra(matrix, directed, indices=0))


def test_indices_out_of_range_are_refused_wherever_scipy_would_use_them():
    outside = 10**8
    columns = csr_array(([1.0, 1.0], [0, 1], [0, 1, 2]), shape=(2, 2)).tocsc()
    columns.indices = np.array([1, outside], dtype=columns.indices.dtype)
    places = coo_array(([1.0, 1.0], ([0, 1], [1, 0])), shape=(2, 2))
    places.coords[0][1] = outside
    for matrix in (columns, places):
        for call in (csgraph.connected_components, csgraph.shortest_path, csgraph.minimum_spanning_tree):
            with pytest.raises(ValueError, match=r"indices|the row of entry 1 is 100000000, expected 0 to 1"):
                call(matrix)
    for index in (-1, 5):
        rows = csr_array(([1.0, 1.0], [0, 1], [0, 1, 2]), shape=(2, 2))
        rows.indices[1] = index
        for method in ("auto", "FW", "BF", "J"):
            with pytest.raises(ValueError, match="indices"):
                csgraph.shortest_path(rows, method)


def test_a_masked_array_needs_no_mask():
    whole = np.ma.masked_equal([[0.0, 1.0], [1.0, 0.0]], 7)
    assert csgraph.shortest_path(whole).tolist() == [[0, 1], [1, 0]]
