"""How much memory functions take at their peak beyond the matrix and the result, as a table in Markdown. Linux only.

python bench/memory.py [--scale 18]
"""

import argparse
import ctypes
import gc
import re

import compare
import numpy as np

from filch import csgraph, graph

FUNCTIONS = {
    "connected_components": lambda matrix: csgraph.connected_components(matrix),
    "connected_components, strong": lambda matrix: csgraph.connected_components(matrix, connection="strong"),
    "breadth_first_order": lambda matrix: csgraph.breadth_first_order(matrix, 0),
    "breadth_first_order, not directed": lambda matrix: csgraph.breadth_first_order(matrix, 0, directed=False),
    "depth_first_order": lambda matrix: csgraph.depth_first_order(matrix, 0),
    "dijkstra": lambda matrix: csgraph.dijkstra(matrix, indices=0),
    "minimum_spanning_tree": lambda matrix: csgraph.minimum_spanning_tree(matrix),
    "pagerank, symmetric": lambda matrix: graph.pagerank(matrix, symmetric=True),
    "core_numbers, symmetric": lambda matrix: graph.core_numbers(matrix, symmetric=True),
    "triangles, symmetric": lambda matrix: graph.triangles(matrix, symmetric=True),
    "spanning_forest, symmetric": lambda matrix: graph.spanning_forest(matrix, symmetric=True),
}


def resident(name):
    """A size of this process in bytes: VmRSS now, VmHWM at its peak."""
    with open("/proc/self/status") as status:
        return int(re.search(rf"{name}:\s+(\d+) kB", status.read())[1]) << 10


def size(result):
    """The bytes of the arrays in a result."""
    if isinstance(result, np.ndarray):
        return result.nbytes
    if hasattr(result, "indptr"):
        return result.indptr.nbytes + result.indices.nbytes + result.data.nbytes
    return sum(map(size, result)) if isinstance(result, tuple) else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=int, default=18, help="the binary logarithm of the number of vertices")
    matrix = compare.kronecker(parser.parse_args().scale, np.random.default_rng(1))
    total = size(matrix)
    # Pools and what libraries do once.
    small = compare.kronecker(8, np.random.default_rng(1))
    for call in FUNCTIONS.values():
        call(small)
    print(f"A Kronecker graph of {matrix.shape[0]:,} vertices and {matrix.nnz:,} arcs takes {total / 1e6:.0f} MB.\n")
    print("| function | beyond the matrix and the result, MB | of the matrix |")
    print("|---|---|---|")
    for name, call in FUNCTIONS.items():
        # Memory that is kept for the next call would not be seen in it.
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)
        with open("/proc/self/clear_refs", "w") as reset:
            reset.write("5")
        before = resident("VmRSS")
        result = call(matrix)
        beyond = max(0, resident("VmHWM") - before - size(result))
        print(f"| {name} | {beyond / 1e6:.1f} | {beyond / total:.0%} |", flush=True)
        del result


if __name__ == "__main__":
    main()
