import gc
import weakref

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from filch._networkx import SIMPLE
from filch._networkx_info import FUNCTIONS

#: networkx warns of a cache that may be wrong after changes that it does not see.
pytestmark = pytest.mark.filterwarnings("ignore:Note. conversions")


@st.composite
def graphs(draw, kinds=(nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)):
    """A graph whose nodes are numbers in order, or numbers in another order, or words."""
    n = draw(st.integers(1, 30))
    named = draw(st.sampled_from([lambda i: i, lambda i: n - i, lambda i: f"node {i}", lambda i: (i, i)]))
    graph = draw(st.sampled_from(kinds))()
    graph.add_nodes_from(named(i) for i in range(n))
    arcs = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=3 * n))
    graph.add_edges_from((named(u), named(v)) for u, v in arcs)
    return graph, named(draw(st.integers(0, n - 1)))


def outcome(call):
    """A result, with what generators yield, or the type of what is raised."""
    try:
        result = call()
        is_iterator = hasattr(result, "__next__")
        return list(result) if is_iterator else result
    except nx.NetworkXException as error:
        return type(error)


SOURCES = {
    name: {"n": "node"} if name == "node_connected_component" else {"source": "node"}
    for name in FUNCTIONS
    if name.startswith(("bfs_", "dfs_", "single_", "desc", "node_", "shortest_"))
}

#: Of these, networkx adds up fractions in another order.
ROUNDED = ("betweenness_centrality", "harmonic_centrality", "pagerank")

#: Those that are tested in `test_networkx_weights`, because they need other arguments.
OTHERS = {name for name in FUNCTIONS if name.startswith(("dijkstra_", "multi_source_"))}


@pytest.mark.parametrize("name", sorted(set(FUNCTIONS) - OTHERS))
@given(graphs())
def test_a_function_of_the_backend_has_the_result_of_networkx(name, graph_and_node):
    graph, node = graph_and_node
    arguments = dict.fromkeys(SOURCES.get(name, ()), node)
    function = getattr(nx, name)
    expected = outcome(lambda: function(graph, backend="networkx", **arguments))
    is_unknown = name in SIMPLE and (graph.is_directed() or graph.is_multigraph())
    is_unknown |= name == "pagerank" and graph.is_multigraph()
    if expected is nx.NetworkXNotImplemented or is_unknown:
        return
    found = outcome(lambda: function(graph, backend="filch", **arguments))
    if isinstance(found, nx.Graph):
        assert type(found) is type(expected) and same_graph(found, expected)
        return
    assert found == (pytest.approx(expected, rel=1e-12, abs=1e-15) if name in ROUNDED else expected)
    assert type(found) is type(expected)
    if isinstance(found, dict):
        assert list(found) == list(expected) or name == "dfs_predecessors"


@given(graphs(kinds=[nx.Graph]), st.booleans())
def test_coefficients_are_those_of_networkx_with_their_types(graph_and_node, count_zeros):
    graph, _ = graph_and_node
    found, expected = (nx.clustering(graph, backend=backend) for backend in ("filch", "networkx"))
    assert [(type(value), value) for value in found.values()] == [(type(v), v) for v in expected.values()]
    averages = []
    for backend in ("filch", "networkx"):
        try:
            averages.append(nx.average_clustering(graph, count_zeros=count_zeros, backend=backend))
        except ZeroDivisionError:
            averages.append(None)
    assert averages[0] == averages[1] and type(averages[0]) is type(averages[1])


@given(graphs(kinds=[nx.Graph, nx.DiGraph]), st.sampled_from([0, 0.5, 0.85]), st.randoms(use_true_random=False))
def test_pagerank_with_weights_and_vectors_is_that_of_networkx(graph_and_node, alpha, draws):
    graph, node = graph_and_node
    for _, _, data in graph.edges(data=True):
        data["cost"] = draws.choice([0.0, 0.75, 1.5])
    some = {other: draws.choice([0, 0.5]) for other in graph if draws.choice([True, False])} | {node: 1}
    for options in ({"weight": None}, {"weight": "cost", "personalization": some}, {"dangling": some, "nstart": some}):
        found, expected = (nx.pagerank(graph, alpha, backend=name, **options) for name in ("filch", "networkx"))
        assert list(found) == list(expected) and found == pytest.approx(expected, rel=1e-12)


def test_pagerank_that_does_not_converge_and_an_empty_one_are_as_in_networkx():
    assert nx.pagerank(nx.Graph(), backend="filch") == {}
    with pytest.raises(nx.PowerIterationFailedConvergence):
        nx.pagerank(nx.path_graph(9), max_iter=2, tol=1e-12, backend="filch")
    with pytest.raises(ZeroDivisionError):
        nx.pagerank(nx.path_graph(9), personalization={0: 0}, backend="filch")


def test_pagerank_of_an_edge_with_two_weights_is_left_to_networkx():
    directed = nx.DiGraph()
    directed.add_weighted_edges_from([(0, 1, 1), (1, 0, 5), (1, 2, 1)])
    with pytest.raises(NotImplementedError):
        nx.pagerank(directed.to_undirected(as_view=True), backend="filch")
    view = nx.subgraph_view(nx.path_graph(5), filter_node=lambda node: node < 4)
    assert nx.pagerank(view, backend="filch") == pytest.approx(nx.pagerank(view))


def same_graph(a, b):
    """Whether graphs have the same nodes, edges and attributes in the same order."""
    return list(a.nodes.items()) == list(b.nodes.items()) and list(a.edges(data=True)) == list(b.edges(data=True))


def test_a_cutoff_and_a_node_that_is_missing_are_as_in_networkx():
    graph = nx.path_graph(200)
    lengths = nx.single_source_shortest_path_length(graph, 0, cutoff=3, backend="filch")
    assert lengths == {0: 0, 1: 1, 2: 2, 3: 3}
    with pytest.raises(nx.NodeNotFound):
        nx.single_source_shortest_path_length(graph, 200, backend="filch")
    with pytest.raises(nx.NodeNotFound, match="Source 200 is not in G"):
        nx.closeness_centrality(graph, u=200, backend="filch")
    for call in (nx.bfs_edges, nx.descendants):
        with pytest.raises(nx.NetworkXError):
            list(call(graph, "none", backend="filch"))
    with pytest.raises(nx.NetworkXPointlessConcept):
        nx.is_connected(nx.Graph(), backend="filch")
    with pytest.raises(nx.NetworkXNotImplemented, match="self loops"):
        nx.core_number(nx.Graph([(0, 0)]), backend="filch")


@pytest.mark.parametrize("cutoff", [None, -1, 0, 0.5, 1, 1.5, 2, float("inf"), float("nan")])
def test_a_cutoff_between_two_levels_is_as_in_networkx(cutoff):
    graph = nx.path_graph(5)
    found, expected = (
        nx.single_source_shortest_path_length(graph, 0, cutoff, backend=backend) for backend in ("filch", "networkx")
    )
    assert found == expected


def steps(call):
    """What is returned or yielded until an exception, and that: its type, and the first line of its message."""
    found = []
    try:
        result = call()
        found.append("called")
        found.extend(result if hasattr(result, "__next__") else [result])
    except Exception as error:
        found.append((type(error), str(error).splitlines()[0]))
    return found


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
@pytest.mark.parametrize("name", sorted(SOURCES))
@pytest.mark.parametrize("node", ["none", 7, [0]])
def test_a_source_that_is_missing_or_no_node_raises_what_it_raises_in_networkx_and_when(kind, name, node):
    graph = nx.path_graph(3, create_using=kind)
    if name == "node_connected_component" and graph.is_directed():
        return
    (argument,) = SOURCES[name]
    found, expected = (
        steps(lambda backend=backend: getattr(nx, name)(graph, **{argument: node}, backend=backend))
        for backend in ("filch", "networkx")
    )
    if not isinstance(node, list):
        assert found == expected
    else:
        # The message is that of Python, of a dictionary or of a set.
        assert found[:-1] == expected[:-1] and found[-1][0] is expected[-1][0]


def test_a_graph_of_which_there_is_a_copy_is_freed_with_its_last_reference():
    graph = nx.path_graph(200)
    assert nx.is_connected(graph, backend="filch")
    copy = next(iter(graph.__networkx_cache__["backends"]["filch"].values()))
    dies = weakref.ref(graph)
    gc.disable()
    try:
        del graph
        assert dies() is None
    finally:
        gc.enable()
    assert nx.number_connected_components(copy) == 1 and not copy.is_directed() and not copy.is_multigraph()
    with nx.config(fallback_to_nx=True), pytest.raises(ReferenceError, match="the graph of this copy is gone"):
        nx.number_of_isolates(copy)


def test_what_the_backend_does_not_know_is_left_to_networkx():
    with pytest.raises(NotImplementedError):
        list(nx.bfs_edges(nx.path_graph(200), 0, depth_limit=3, backend="filch"))
    with nx.config(backend_priority=["filch"]):
        assert len(list(nx.bfs_edges(nx.path_graph(200), 0, depth_limit=3))) == 3


def test_a_copy_is_kept_until_the_graph_changes():
    graph = nx.path_graph(200)
    copies = graph.__networkx_cache__.setdefault("backends", {}).setdefault("filch", {})
    assert nx.number_connected_components(graph, backend="filch") == 1
    (kept,) = copies.values()
    assert nx.is_connected(graph, backend="filch")
    assert list(copies.values()) == [kept] and copies[next(iter(copies))] is kept
    graph.remove_edge(3, 4)
    assert nx.number_connected_components(graph, backend="filch") == 2
    # A copy can be given instead of the graph, and is given back to what the backend does not know.
    copy = next(iter(graph.__networkx_cache__["backends"]["filch"].values()))
    assert nx.number_connected_components(copy) == 2
    with nx.config(fallback_to_nx=True):
        assert nx.number_of_isolates(copy) == 0


def test_small_graphs_are_left_to_networkx_unless_the_backend_is_named(caplog):
    with nx.config(backend_priority=["filch"]), caplog.at_level("DEBUG", logger="networkx"):
        assert nx.is_connected(nx.path_graph(10)) and "Using backend 'filch'" not in caplog.text
        assert nx.is_connected(nx.path_graph(1000)) and "Using backend 'filch'" in caplog.text
