"""What happens beside a call: signals, other threads, writes to the arrays that are read, other processes."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from graphs import uniform

from filch import csgraph, graph, search

#: What is called on a matrix by several threads.
CALLS = [
    lambda matrix: csgraph.connected_components(matrix, workers=2),
    lambda matrix: csgraph.connected_components(matrix, connection="strong", workers=2),
    lambda matrix: csgraph.breadth_first_order(matrix, 0, workers=2),
    lambda matrix: csgraph.breadth_first_order(matrix, 0, directed=False, workers=2),
    lambda matrix: csgraph.depth_first_order(matrix, 0),
    lambda matrix: csgraph.depth_first_order(matrix, 0, directed=False),
    lambda matrix: csgraph.dijkstra(matrix, indices=[0, 1], return_predecessors=True, workers=2),
    lambda matrix: csgraph.dijkstra(matrix, indices=[0, 1], min_only=True, return_predecessors=True, workers=2),
    lambda matrix: csgraph.dijkstra(matrix, directed=False, indices=0, workers=2),
    lambda matrix: csgraph.minimum_spanning_tree(matrix, workers=2),
    lambda matrix: graph.pagerank(matrix, symmetric=True, max_iterations=5, workers=2),
    lambda matrix: graph.pagerank(matrix, max_iterations=5, workers=2),
    lambda matrix: graph.betweenness(matrix, samples=2, symmetric=True, workers=2),
    lambda matrix: graph.betweenness(matrix, samples=2, workers=2),
    lambda matrix: graph.closeness(matrix, [0, 1], symmetric=True, workers=2),
    lambda matrix: graph.closeness(matrix, [0, 1], workers=2),
    lambda matrix: graph.core_numbers(matrix, symmetric=True, workers=2),
    lambda matrix: graph.core_numbers(matrix, workers=2),
    lambda matrix: graph.triangles(matrix, symmetric=True, workers=2),
    lambda matrix: graph.triangles(matrix, workers=2),
    lambda matrix: graph.clustering(matrix, symmetric=True, workers=2),
    lambda matrix: graph.clustering(matrix, workers=2),
    lambda matrix: graph.communities(matrix, iterations=1, symmetric=True, workers=2),
    lambda matrix: graph.communities(matrix, iterations=1, workers=2),
    lambda matrix: graph.spanning_forest(matrix, symmetric=True, workers=2),
    lambda matrix: graph.spanning_forest(matrix, workers=2),
]

#: A shell that runs the tests in the background has them ignore the signal.
INTERRUPTED = """
import os, signal, threading, time
from filch import graph, search
signal.signal(signal.SIGINT, signal.default_int_handler)
at = []
def press():
    time.sleep(1)
    at.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=press).start()
try:
    {call}
except KeyboardInterrupt:
    print(time.monotonic() - at[0])
"""


#: Pigeons that are one more than their holes: there is no first solution.
PIGEONS = "next(search.Cover([[p, 15 + h] for p in range(15) for h in range(14)], 15, 14).solutions())"


#: A small graph, but a long way.
ITERATIONS = "graph.pagerank([[0, 1], [1, 0]], tolerance=0, max_iterations=10**15)"


@pytest.mark.parametrize("call", ["search.n_queens(20).count(workers=2)", PIGEONS, ITERATIONS])
def test_ctrl_c_ends_a_call_soon(call):
    # The issue asks for 100 ms. A machine that does other things is slower.
    program = [sys.executable, "-c", INTERRUPTED.format(call=call)]
    done = subprocess.run(program, capture_output=True, text=True, timeout=60)
    assert done.stdout, done.stderr
    assert float(done.stdout) < 2


def test_a_signal_handler_that_raises_nothing_lets_the_call_go_on():
    seen = []
    before = signal.signal(signal.SIGALRM, lambda *_: seen.append(time.monotonic()))
    # Far less than the call takes.
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    try:
        assert search.n_queens(12).count(workers=1) == 14200
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert seen


def test_other_threads_of_python_run_during_a_call():
    count = 0
    thread = threading.Thread(target=search.n_queens(13).count)
    thread.start()
    while thread.is_alive():
        count += 1
    # If the call held the interpreter, this thread would go on when it has ended.
    assert count > 100


def test_threads_that_call_at_the_same_time_have_the_same_results():
    matrix = uniform(30_000, 90_000)
    expected = [csgraph.connected_components(matrix), csgraph.breadth_first_order(matrix, 0)]
    wrong = []

    def call():
        for _ in range(10):
            for found, other in zip(
                [csgraph.connected_components(matrix, workers=2), csgraph.breadth_first_order(matrix, 0, workers=2)],
                expected,
                strict=True,
            ):
                if not all(np.array_equal(a, b) for a, b in zip(found, other, strict=True)):
                    wrong.append(found)

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("call", range(len(CALLS)))
def test_an_array_that_is_written_to_meanwhile_gives_a_wrong_answer_at_worst(call, index):
    matrix = uniform(20_000, 60_000, symmetric=True)
    matrix.indptr, matrix.indices = matrix.indptr.astype(index), matrix.indices.astype(index)
    indptr, indices = matrix.indptr.copy(), matrix.indices.copy()
    ends = threading.Event()
    draws = np.random.default_rng(1)

    def write():
        while not ends.is_set():
            # Anything at all, in some places, and then what was there.
            places = draws.integers(0, len(indices), 3000)
            matrix.indices[places] = draws.integers(np.iinfo(index).min, np.iinfo(index).max, 3000, dtype=index)
            rows = draws.integers(0, len(indptr), 300)
            matrix.indptr[rows] = draws.integers(np.iinfo(index).min, np.iinfo(index).max, 300, dtype=index)
            matrix.indices[places], matrix.indptr[rows] = draws.integers(0, 20_000, 3000), indptr[rows]
            matrix.data[places] = draws.integers(0, np.iinfo(np.int64).max, 3000).view(np.float64)
            matrix.data[places] = 1
            matrix.indices[:], matrix.indptr[:] = indices, indptr
            # Most of the time all is as it was, so that calls begin.
            time.sleep(0.001)

    writer = threading.Thread(target=write)
    writer.start()
    outcomes = set()
    try:
        until = time.monotonic() + 0.5
        while time.monotonic() < until:
            try:
                CALLS[call](matrix)
                outcomes.add("result")
            except (ValueError, RuntimeError) as error:
                outcomes.add(type(error).__name__)
    finally:
        ends.set()
        writer.join()
    assert outcomes


LITTLE_MEMORY = """
import resource
import numpy as np
from scipy.sparse import csr_array
from filch import csgraph
csgraph.{call}(csr_array((100_000, 100_000)), 0, workers=1)
n = 100_000_000
matrix = csr_array((n, n))
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 200_000_000,) * 2)
try:
    csgraph.{call}(matrix, 0, workers=1)
except MemoryError:
    print("no memory")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
@pytest.mark.parametrize("call", ["breadth_first_order", "depth_first_order"])
def test_a_search_without_enough_memory_raises_memory_error(call):
    program = [sys.executable, "-c", LITTLE_MEMORY.format(call=call)]
    done = subprocess.run(program, capture_output=True, text=True, timeout=60)
    assert done.stdout == "no memory\n", done.stderr


def _in_child(matrix, queue):
    queue.put(csgraph.connected_components(matrix, return_labels=False))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*")
def test_a_child_process_that_is_forked_computes_as_well():
    matrix = uniform(60_000, 90_000)
    expected = csgraph.connected_components(matrix, return_labels=False)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_in_child, args=(matrix, queue))
    child.start()
    assert queue.get(timeout=60) == expected
    child.join(timeout=60)
    assert child.exitcode == 0


def _goes_on(solutions, queue):
    try:
        queue.put(next(solutions))
    except RuntimeError as error:
        queue.put(str(error))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*")
def test_a_search_that_has_begun_before_a_fork_is_an_error_in_the_child_and_goes_on_in_the_parent():
    solutions = search.n_queens(16).solutions(workers=2)
    next(solutions)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_goes_on, args=(solutions, queue))
    child.start()
    try:
        assert "begun in another process" in queue.get(timeout=60)
        child.join(timeout=60)
        assert child.exitcode == 0
    finally:
        child.kill()
    assert len(next(solutions)) == 16
