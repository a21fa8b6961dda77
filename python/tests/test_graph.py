import networkx as nx
import numpy as np
import pytest
from graphs import matrices, uniform
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csgraph as scipy
from scipy.sparse import csr_array

from filch import graph

WORKERS = [1, 2]


def edges(matrix):
    """The graph in networkx, without loops."""
    made = nx.Graph()
    made.add_nodes_from(range(matrix.shape[0]))
    made.add_edges_from((int(u), int(v)) for u, v in zip(*matrix.nonzero(), strict=True) if u != v)
    return made


def assert_spans(matrix, predecessors):
    """Each predecessor is a neighbor, and each component has one root."""
    n = matrix.shape[0]
    vertices = np.flatnonzero(predecessors >= 0)
    above = predecessors[vertices]
    both = (matrix != 0) + (matrix != 0).T
    assert both[vertices, above].sum() == len(vertices)
    tree = csr_array((np.ones(len(vertices)), (vertices, above)), shape=(n, n))
    count = scipy.connected_components(matrix)[0]
    assert n - len(vertices) == count == scipy.connected_components(tree)[0]


@given(matrices(), st.sampled_from(WORKERS))
def test_cores_triangles_and_forests_are_those_of_networkx(matrix, workers):
    simple = edges(matrix)
    cores = nx.core_number(simple)
    assert graph.core_numbers(matrix, workers=workers).tolist() == [cores[v] for v in range(len(simple))]
    assert graph.triangles(matrix, workers=workers) == sum(nx.triangles(simple).values()) // 3
    assert_spans(matrix, graph.spanning_forest(matrix, workers=workers))


@given(matrices(), st.sampled_from(WORKERS))
def test_clustering_is_that_of_networkx(matrix, workers):
    simple = edges(matrix)
    found = graph.clustering(matrix, workers=workers)
    assert found.coefficients.tolist() == list(nx.clustering(simple).values())
    assert found.triangles.tolist() == list(nx.triangles(simple).values())
    assert found.transitivity == nx.transitivity(simple)


def weighted_edges(matrix, unweighted=False):
    """The graph in networkx, with loops, and with the lighter of two arcs."""
    made = nx.Graph()
    made.add_nodes_from(range(matrix.shape[0]))
    for u, v, weight in zip(*matrix.nonzero(), matrix.data.tolist(), strict=True):
        lighter = min(weight, made.get_edge_data(u, v, {"weight": weight})["weight"])
        made.add_edge(int(u), int(v), weight=1 if unweighted else lighter)
    return made


@given(
    matrices(dtypes=["float64", "int32"]),
    st.sampled_from([0.5, 1.0, 2.0]),
    st.sampled_from(["leiden", "louvain"]),
    st.booleans(),
    st.sampled_from(WORKERS),
)
def test_communities_have_the_modularity_that_networkx_computes(matrix, resolution, method, unweighted, workers):
    count, labels, modularity = graph.communities(matrix, resolution, method, unweighted=unweighted, workers=workers)
    # In the order of the first vertices.
    assert list(dict.fromkeys(labels.tolist())) == list(range(count)) and labels.dtype == np.int32
    peer = weighted_edges(matrix, unweighted)
    sets = [set(np.flatnonzero(labels == number).tolist()) for number in range(count)]
    if peer.size() > 0:
        expected = nx.community.modularity(peer, sets, resolution=resolution)
        assert modularity == pytest.approx(expected, rel=1e-9, abs=1e-12)
    else:
        assert modularity == 0
    if method == "leiden":
        assert all(nx.is_connected(peer.subgraph(members)) for members in sets)


def test_communities_of_cliques_in_a_circle_are_the_cliques_for_any_seed_and_number_of_workers():
    peer = nx.ring_of_cliques(40, 8)
    matrix = nx.to_scipy_sparse_array(peer, dtype=np.float64)
    expected = [v // 8 for v in range(320)]
    for method in ("leiden", "louvain"):
        for seed in (0, 1, 2**64 - 1):
            for workers in WORKERS:
                options = {"method": method, "seed": seed, "symmetric": True, "workers": workers}
                # With a larger resolution, so that two cliques are not one community (Fortunato and Barthelemy 2007).
                assert graph.communities(matrix, 2.0, **options).labels.tolist() == expected


def test_communities_of_a_large_graph_are_near_those_that_were_planted():
    peer = nx.random_partition_graph([200] * 20, 0.2, 0.002, seed=1)
    matrix = nx.to_scipy_sparse_array(peer, dtype=np.float64)
    planted = nx.community.modularity(peer, peer.graph["partition"])
    found = [graph.communities(matrix, seed=3, symmetric=True, workers=workers) for workers in WORKERS]
    assert found[0].modularity > 0.999 * planted
    np.testing.assert_array_equal(found[0].labels, found[1].labels)
    assert found[0].modularity == found[1].modularity


@given(matrices(symmetric=True), st.sampled_from(WORKERS))
def test_a_symmetric_matrix_has_the_same_results_without_a_copy(matrix, workers):
    for function in (
        graph.core_numbers,
        graph.triangles,
        lambda *given, **options: np.concatenate(graph.clustering(*given, **options)[:2]),
        lambda *given, **options: graph.communities(*given, unweighted=True, **options).labels,
    ):
        found, expected = function(matrix, symmetric=True, workers=workers), function(matrix)
        np.testing.assert_array_equal(found, expected)
    assert_spans(matrix, graph.spanning_forest(matrix, symmetric=True, workers=workers))


def test_parallel_arcs_count_for_cores_if_the_caller_says_that_the_matrix_is_symmetric():
    # Two vertices with two arcs in each direction.
    matrix = csr_array(([1.0] * 4, [1, 1, 0, 0], [0, 2, 4]), shape=(2, 2))
    assert graph.core_numbers(matrix).tolist() == [1, 1]
    assert graph.core_numbers(matrix, symmetric=True).tolist() == [2, 2]
    triangle = csr_array(([1.0] * 7, [1, 1, 2, 0, 2, 0, 1], [0, 3, 5, 7]), shape=(3, 3))
    assert graph.triangles(triangle) == graph.triangles(triangle, symmetric=True) == 1


def directed(matrix):
    """The graph in networkx, with loops."""
    made = nx.DiGraph()
    made.add_nodes_from(range(matrix.shape[0]))
    made.add_edges_from((int(u), int(v)) for u, v in zip(*matrix.nonzero(), strict=True))
    return made


@given(matrices(), st.booleans(), st.sampled_from(WORKERS))
def test_centralities_are_those_of_networkx(matrix, flag, workers):
    peer = directed(matrix)
    expected = nx.betweenness_centrality(peer, normalized=flag)
    found = graph.betweenness(matrix, normalized=flag, workers=workers)
    np.testing.assert_allclose(found, [expected[v] for v in peer], rtol=1e-12, atol=1e-15)
    expected = nx.closeness_centrality(peer, wf_improved=flag)
    found = graph.closeness(matrix, wf_improved=flag, workers=workers)
    np.testing.assert_array_equal(found, [expected[v] for v in peer])
    expected = nx.harmonic_centrality(peer)
    np.testing.assert_allclose(graph.harmonic(matrix, workers=workers), [expected[v] for v in peer], rtol=1e-12)
    some = [0, matrix.shape[0] - 1, 0]
    np.testing.assert_array_equal(graph.closeness(matrix, some, flag), found[some])


@given(matrices(symmetric=True), st.booleans())
def test_centralities_of_a_symmetric_matrix_are_those_of_an_undirected_graph(matrix, normalized):
    peer = nx.Graph(directed(matrix))
    expected = nx.betweenness_centrality(peer, normalized=normalized)
    found = graph.betweenness(matrix, normalized=normalized, symmetric=True)
    np.testing.assert_allclose(found, [expected[v] for v in peer], rtol=1e-12, atol=1e-15)
    np.testing.assert_array_equal(graph.closeness(matrix, symmetric=True), graph.closeness(matrix))


def test_a_sample_of_all_vertices_has_exact_betweenness_and_another_one_an_estimate():
    matrix = uniform(300, 900, symmetric=True)
    exact = graph.betweenness(matrix, symmetric=True)
    np.testing.assert_array_equal(graph.betweenness(matrix, samples=300, symmetric=True), exact)
    sampled = [graph.betweenness(matrix, samples=100, seed=seed, symmetric=True, workers=2) for seed in (1, 1, 2)]
    np.testing.assert_array_equal(sampled[0], sampled[1])
    assert (sampled[0] != sampled[2]).any() and np.corrcoef(sampled[0], exact)[0, 1] > 0.9


def iterated(matrix, damping):
    """PageRank by a solver of linear equations."""
    n = matrix.shape[0]
    pattern = (matrix.toarray() != 0).astype(float)
    flow = (pattern / np.maximum(pattern.sum(axis=1, keepdims=True), 1)).T
    return np.linalg.solve(np.eye(n) - damping * flow, np.full(n, (1 - damping) / n))


@given(matrices(), st.sampled_from([0.0, 0.5, 0.85]), st.sampled_from(WORKERS))
def test_pagerank_solves_its_equations(matrix, damping, workers):
    found = graph.pagerank(matrix, damping, workers=workers)
    assert found.has_converged and found.scores.dtype == np.float32
    np.testing.assert_allclose(found.scores, iterated(matrix, damping), atol=2e-5)


@given(matrices(symmetric=True))
def test_pagerank_of_a_symmetric_matrix_solves_its_equations(matrix):
    np.testing.assert_allclose(graph.pagerank(matrix, symmetric=True).scores, iterated(matrix, 0.85), atol=2e-5)


@pytest.mark.parametrize("workers", WORKERS)
def test_large_graphs_have_the_cores_triangles_and_forests_of_networkx(workers):
    matrix = uniform(20_000, 100_000, symmetric=True)
    simple = edges(matrix)
    for symmetric in (False, True):
        options = {"symmetric": symmetric, "workers": workers}
        cores = nx.core_number(simple)
        assert graph.core_numbers(matrix, **options).tolist() == [cores[v] for v in range(len(simple))]
        assert graph.triangles(matrix, **options) == sum(nx.triangles(simple).values()) // 3
        assert_spans(matrix, graph.spanning_forest(matrix, **options))


def test_wrong_options_are_named_with_their_values():
    matrix = csr_array((2, 2))
    for options, expected in [
        ({"damping": 1}, "damping is 1, expected"),
        ({"damping": float("nan")}, "damping is nan"),
        ({"tolerance": -1}, "tolerance is -1"),
        ({"max_iterations": 0}, "max_iterations is 0"),
    ]:
        with pytest.raises(ValueError, match=expected):
            graph.pagerank(matrix, **options)
    for call, expected in [
        (lambda: graph.betweenness(matrix, samples=0), "samples is 0, expected at least 1"),
        (lambda: graph.betweenness(matrix, seed=-1), "seed is -1, expected 0 to"),
        (lambda: graph.communities(matrix, seed=2**64), "seed is 18446744073709551616, expected 0 to"),
        (lambda: graph.communities(matrix, -1.0), "resolution is -1.0, expected a number from 0"),
        (lambda: graph.communities(matrix, float("inf")), "resolution is inf"),
        (lambda: graph.communities(matrix, method="newman"), "method is 'newman', expected 'leiden' or 'louvain'"),
        (lambda: graph.communities(matrix, iterations=0), "iterations is 0, expected at least 1"),
        (lambda: graph.communities([[0, -1], [-1, 0]]), "from vertex 0 to 1 has the weight -1"),
        (lambda: graph.communities(csr_array(([np.nan], ([0], [1])), shape=(2, 2))), r"data\[0\] is NaN, expected"),
        (lambda: graph.closeness(matrix, [0, 2]), r"vertices\[1\] is 2, expected a vertex, which is below 2"),
    ]:
        with pytest.raises(ValueError, match=expected):
            call()
    with pytest.raises(ValueError, match=r"indices\[0\] is 5"):
        wrong = csr_array(([1], ([0], [1])), shape=(2, 2))
        wrong.indices[0] = 5
        graph.core_numbers(wrong, symmetric=True)
