import numpy as np
import pytest
from graphs import matrices, same_partition, uniform
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array, csr_array
from scipy.sparse import csgraph as scipy

from filch import csgraph

WORKERS = [1, 2]


@given(matrices(canonical=False), st.booleans(), st.sampled_from(WORKERS))
def test_weak_components_are_those_of_scipy_number_by_number(graph, directed, workers):
    count, labels = csgraph.connected_components(graph, directed=directed, workers=workers)
    expected = scipy.connected_components(graph, directed=directed)
    assert (count, labels.dtype) == (expected[0], np.int32)
    np.testing.assert_array_equal(labels, expected[1])
    assert csgraph.connected_components(graph, directed, return_labels=False) == count


@given(matrices(canonical=False), st.sampled_from(WORKERS))
def test_strong_components_are_those_of_scipy_number_by_number(graph, workers):
    # scipy goes on without end on some matrices with several arcs between the same vertices.
    for v in range(graph.shape[0]):
        row = graph.indices[graph.indptr[v] : graph.indptr[v + 1]]
        if len(set(row.tolist())) < len(row):
            graph.sum_duplicates()
            break
    count, labels = csgraph.connected_components(graph, connection="strong", workers=workers)
    expected = scipy.connected_components(graph, connection="strong")
    assert (count, labels.dtype) == (expected[0], np.int32)
    np.testing.assert_array_equal(labels, expected[1])


@given(matrices(canonical=False))
def test_strong_components_of_several_arcs_are_those_of_one(graph):
    expected = csgraph.connected_components(graph, connection="strong")
    graph.sum_duplicates()
    found = csgraph.connected_components(graph, connection="strong")
    assert expected[0] == found[0] and same_partition(expected[1], found[1])


@pytest.mark.parametrize("workers", WORKERS)
@pytest.mark.parametrize("degree", [0.6, 1, 3, 12])
@pytest.mark.parametrize("symmetric", [False, True])
def test_components_of_a_large_graph_are_those_of_scipy(workers, degree, symmetric):
    graph = uniform(60_000, int(60_000 * degree), symmetric=symmetric)
    count, labels = csgraph.connected_components(graph, workers=workers)
    expected = scipy.connected_components(graph)
    assert count == expected[0]
    np.testing.assert_array_equal(labels, expected[1])
    count, labels = csgraph.connected_components(graph, connection="strong", workers=workers)
    expected = scipy.connected_components(graph, connection="strong")
    assert count == expected[0]
    np.testing.assert_array_equal(labels, expected[1])


@pytest.mark.parametrize("workers", WORKERS)
@pytest.mark.parametrize("shape", [(400, 400), (5, 40_000)])
def test_components_of_a_mesh_of_arcs_in_one_direction_are_one(workers, shape):
    places = np.arange(np.prod(shape)).reshape(shape)
    rows = np.concatenate([places[:-1].ravel(), places[:, 1:].ravel()])
    columns = np.concatenate([places[1:].ravel(), places[:, :-1].ravel()])
    graph = coo_array((np.ones(len(rows)), (rows, columns))).tocsr()
    assert csgraph.connected_components(graph, return_labels=False, workers=workers) == 1


def test_dense_masked_and_other_matrices_are_taken_as_scipy_takes_them():
    dense = np.array([[0, 2, 0], [0, 0, 0], [0, 0, 0]])
    masked = np.ma.masked_array(dense, mask=dense == 0)
    for graph in (dense, dense.tolist(), masked, csr_array(dense).tocsc(), csr_array(dense).tocoo()):
        assert csgraph.connected_components(graph, return_labels=False) == 2
    assert csgraph.connected_components(csr_array((0, 0)))[0] == 0


def test_what_is_no_graph_is_refused_with_its_place_and_value():
    for array, place, value, expected in [
        ("indices", 1, 7, r"indices\[1\] is 7, expected a vertex, which is below 3"),
        ("indices", 2, -1, r"indices\[2\] is -1, expected a vertex, which is below 3"),
        ("indptr", 1, 9, r"indptr\[1\] is 9, expected 0 to 3"),
        ("indptr", 0, 1, r"indptr\[0\] is 1, expected 0 to 0"),
        ("indptr", 2, 0, r"indptr\[2\] is 0, expected 1 to 3"),
    ]:
        for index in (np.int32, np.int64):
            graph = csr_array(([1.0, 1.0, 1.0], ([0, 1, 2], [1, 2, 0])))
            graph.indptr, graph.indices = graph.indptr.astype(index), graph.indices.astype(index)
            getattr(graph, array)[place] = value
            for connection in ("weak", "strong"):
                with pytest.raises(ValueError, match=expected):
                    csgraph.connected_components(graph, connection=connection)
    for wrong, expected in [(np.zeros((2, 3)), "2 rows and 3 columns"), (np.zeros(3), "found 1")]:
        with pytest.raises(ValueError, match=expected):
            csgraph.connected_components(wrong)
    with pytest.raises(ValueError, match="'odd', expected 'weak' or 'strong'"):
        csgraph.connected_components(np.zeros((2, 2)), connection="odd")
    for workers in (0, -1, -(2**70)):
        with pytest.raises(ValueError, match=f"workers is {workers}, expected at least 1"):
            csgraph.connected_components(np.zeros((2, 2)), workers=workers)
    with pytest.raises(TypeError):
        csgraph.connected_components(np.zeros((2, 2)), workers="two")
