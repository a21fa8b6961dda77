"""The functions of the backend that look at the weights of edges."""

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_networkx import graphs, outcome, same_graph

pytestmark = pytest.mark.filterwarnings("ignore:Note. conversions")

WHOLE = st.integers(0, 3)
FRACTIONS = st.sampled_from([0.0, 0.1, 0.2, 0.3, 1 / 3, 1e-9, 3e5])


@st.composite
def weighted(draw, kinds=(nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph), weights=(WHOLE, FRACTIONS)):
    """A graph, one of its nodes, and another one. Some edges have no weight, which counts as the whole number 1."""
    graph, source = draw(graphs(kinds))
    weights = draw(st.sampled_from(weights))
    for _, _, data in graph.edges(data=True):
        if weights is not WHOLE or draw(st.booleans()):
            data["weight"] = draw(weights)
    return graph, source, draw(st.sampled_from(list(graph)))


def both(call):
    """What the backend and networkx have, with the order of dictionaries and the types of numbers."""
    return (shown(outcome(lambda backend=backend: call(backend))) for backend in ("filch", "networkx"))


def shown(result):
    if isinstance(result, dict):
        return [(key, shown(value)) for key, value in result.items()]
    if isinstance(result, tuple):
        return tuple(map(shown, result))
    return (type(result), result)


CUTOFFS = st.sampled_from([None, 0, 1, 2.5, 1e6, float("inf"), float("nan"), -1])


@pytest.mark.parametrize("name", ["single_source_dijkstra", "single_source_dijkstra_path"])
@given(weighted(), CUTOFFS)
def test_paths_from_a_node_are_those_of_networkx_in_its_order(name, drawn, cutoff):
    graph, source, _ = drawn
    found, expected = both(lambda backend: getattr(nx, name)(graph, source, cutoff=cutoff, backend=backend))
    assert found == expected


@given(weighted(), CUTOFFS)
def test_lengths_from_a_node_are_those_of_networkx_in_its_order(drawn, cutoff):
    graph, source, _ = drawn
    for call in (
        lambda backend: nx.single_source_dijkstra_path_length(graph, source, cutoff=cutoff, backend=backend),
        lambda backend: nx.shortest_path_length(graph, source, weight="weight", backend=backend),
        lambda backend: nx.shortest_path(graph, source, weight="weight", backend=backend),
    ):
        found, expected = both(call)
        assert found == expected


@given(weighted(), CUTOFFS)
def test_paths_from_several_nodes_are_those_of_networkx(drawn, cutoff):
    graph, source, other = drawn
    for sources in ({source, other}, [source, other, source], [other], []):
        for name in ("multi_source_dijkstra", "multi_source_dijkstra_path", "multi_source_dijkstra_path_length"):
            call = getattr(nx, name)
            if not sources:
                with pytest.raises(ValueError, match="must not be empty"):
                    call(graph, sources, backend="filch")
                continue
            found, expected = both(lambda backend: call(graph, sources, cutoff=cutoff, backend=backend))
            assert found == expected


@given(weighted(), CUTOFFS)
def test_paths_between_two_nodes_are_those_of_networkx(drawn, cutoff):
    graph, source, target = drawn
    for call in (
        lambda backend: nx.dijkstra_path(graph, source, target, backend=backend),
        lambda backend: nx.dijkstra_path_length(graph, source, target, backend=backend),
        lambda backend: nx.shortest_path_length(graph, source, target, weight="weight", backend=backend),
        lambda backend: nx.single_source_dijkstra(graph, source, target, cutoff, backend=backend),
        lambda backend: nx.multi_source_dijkstra(graph, {source}, target, cutoff, backend=backend),
    ):
        found, expected = both(call)
        assert found == expected


@given(weighted(kinds=(nx.Graph,), weights=(st.integers(-3, 3), FRACTIONS, st.sampled_from([0.5, 1, float("inf")]))))
def test_spanning_trees_are_those_of_kruskal_in_networkx_also_if_weights_are_equal(drawn):
    graph, *_ = drawn
    for options in ({}, {"data": False}, {"ignore_nan": True}, {"weight": "none"}):
        found, expected = both(lambda backend: nx.minimum_spanning_edges(graph, **options, backend=backend))
        assert found == expected
    found, expected = (nx.minimum_spanning_tree(graph, backend=backend) for backend in ("filch", "networkx"))
    assert same_graph(found, expected)


def test_missing_nodes_are_as_in_networkx():
    graph = nx.path_graph(3)
    for call in (nx.single_source_dijkstra, nx.single_source_dijkstra_path, nx.single_source_dijkstra_path_length):
        with pytest.raises(nx.NodeNotFound, match="Node 7 not found"):
            call(graph, 7, backend="filch")
    with pytest.raises(nx.NodeNotFound, match="Node 7 not found"):
        nx.dijkstra_path_length(graph, 7, 0, backend="filch")
    with pytest.raises(nx.NetworkXNoPath, match="Node 7 not reachable from 0"):
        nx.dijkstra_path_length(graph, 0, 7, backend="filch")
    with pytest.raises(nx.NetworkXNoPath, match="No path to 7"):
        nx.dijkstra_path(graph, 0, 7, backend="filch")


UNKNOWN = [[1, 0.5], [-1, 1], [float("nan"), 1.0], [2**53, 1], [10**400, 1], ["1", "1"], [True, 1], [1e308] * 2]


@pytest.mark.parametrize("weights", UNKNOWN)
def test_weights_that_may_have_other_lengths_are_left_to_networkx(weights):
    graph = nx.path_graph(3)
    for edge, weight in zip(graph.edges, weights, strict=True):
        graph.edges[edge]["weight"] = weight
    with pytest.raises(NotImplementedError):
        nx.single_source_dijkstra(graph, 0, backend="filch")


def test_weights_of_other_names_are_copied_as_well():
    graph = nx.Graph([(0, 1, {"a": 5, "b": 1}), (1, 2, {"a": 5}), (0, 2, {"a": 7})])
    for weight in ("a", "b", "weight", None):
        found, expected = both(lambda backend: nx.single_source_dijkstra(graph, 0, weight=weight, backend=backend))
        assert found == expected


def test_the_edges_of_a_tree_outlive_the_graph_that_is_named_nowhere_else():
    edges = nx.minimum_spanning_edges(nx.cycle_graph(200), backend="filch")
    assert len(list(edges)) == 199


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_paths_in_a_large_graph_are_those_of_networkx(kind):
    graph = nx.gnm_random_graph(3000, 12_000, seed=1, directed=kind is nx.DiGraph)
    for place, (_, _, data) in enumerate(graph.edges(data=True)):
        data["weight"] = place * 7919 % 97
    found, expected = both(lambda backend: nx.single_source_dijkstra(graph, 0, backend=backend))
    assert found == expected
    if kind is nx.Graph:
        found, expected = both(lambda backend: nx.minimum_spanning_edges(graph, data=False, backend=backend))
        assert found == expected
