"""The backend of networkx against networkx, as a table in Markdown: with the copy of the graph, and with a kept copy.

python bench/backend.py [--runs 5]
"""

import argparse
import os
import statistics
import time
import warnings
from functools import partial

import networkx as nx

#: The functions, each with its arguments behind the graph.
FUNCTIONS = {
    "number_connected_components": (),
    "core_number": (),
    "single_source_shortest_path_length": (0,),
    "descendants": (0,),
}


def milliseconds(call, runs):
    """The median of some runs, and the shortest and the longest."""
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        call()
        times.append((time.perf_counter() - begin) * 1e3)
    return f"{statistics.median(times):.4g} ({min(times):.4g} to {max(times):.4g})"


def with_copy(function, graph, *arguments):
    """A call for which the graph is copied."""
    graph.__networkx_cache__.clear()
    return function(graph, *arguments, backend="filch")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    # That a copy is kept is what is measured.
    warnings.simplefilter("ignore")
    graph = nx.gnm_random_graph(100_000, 800_000, seed=1)
    print(f"networkx {nx.__version__}, 100,000 nodes, 800,000 edges, {runs} runs, load {os.getloadavg()[0]:.1f}\n")
    print("| function | networkx, ms | with the copy, ms | with a kept copy, ms |")
    print("|---|---|---|---|")
    for name, arguments in FUNCTIONS.items():
        function = getattr(nx, name)
        calls = [
            partial(function, graph, *arguments),
            partial(with_copy, function, graph, *arguments),
            partial(function, graph, *arguments, backend="filch"),
        ]
        print(f"| `{name}` | {' | '.join(milliseconds(call, runs) for call in calls)} |", flush=True)


if __name__ == "__main__":
    main()
