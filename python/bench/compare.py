"""Filch against scipy, function by function, on one and two workers, as a table in Markdown.

    python bench/compare.py [--scale 18] [--runs 21] [--only NAME]

The functions run in turn in each round, so that what else the machine does meets all of them. A cell has
the median in milliseconds, and in brackets the middle half of the runs; the last columns are medians of the ratios
within a round, with 95 % intervals of the median by order statistics.
"""

import argparse
import math
import os
import platform
import statistics
import time
from functools import partial

import numpy as np
import scipy
from scipy.sparse import coo_array, csr_array
from scipy.sparse import csgraph as peer

from filch import csgraph, graph


def symmetric(n, u, v, draws):
    """A graph of these edges without loops, with a weight from 1 to 255 that is the same in both directions."""
    kept = u != v
    low, high = np.minimum(u, v)[kept], np.maximum(u, v)[kept]
    keys = np.unique(low.astype(np.int64) * n + high)
    low, high = keys // n, keys % n
    weights = draws.integers(1, 256, len(keys)).astype(np.float64)
    ends = np.concatenate([low, high]), np.concatenate([high, low])
    csr = coo_array((np.concatenate([weights, weights]), ends), shape=(n, n)).tocsr()
    csr.indptr, csr.indices = csr.indptr.astype(np.int32), csr.indices.astype(np.int32)
    return csr


def kronecker(scale, draws):
    """16 edges for each vertex with the probabilities of Graph500, and vertices in random order."""
    n, edges = 1 << scale, 16 << scale
    u, v = np.zeros(edges, np.int64), np.zeros(edges, np.int64)
    for _ in range(scale):
        draw = draws.random(edges)
        u = u * 2 + (draw >= 0.76)
        v = v * 2 + (((draw >= 0.57) & (draw < 0.76)) | (draw >= 0.95))
    order = draws.permutation(n)
    return symmetric(n, order[u], order[v], draws)


def uniform(scale, draws):
    """8 edges for each vertex between vertices that are drawn with equal probability."""
    u, v = draws.integers(0, 1 << scale, (2, 8 << scale))
    return symmetric(1 << scale, u, v, draws)


def grid(scale, draws):
    """A grid of about as many vertices, numbered by rows."""
    side = math.isqrt(1 << scale)
    places = np.arange(side * side).reshape(side, side)
    u = np.concatenate([places[:-1].ravel(), places[:, :-1].ravel()])
    v = np.concatenate([places[1:].ravel(), places[:, 1:].ravel()])
    return symmetric(side * side, u, v, draws)


def products(matrix):
    """PageRank by sparse products, to a change of 1e-6 in total."""
    n = matrix.shape[0]
    degrees = np.diff(matrix.indptr)
    flow = csr_array((np.ones(matrix.nnz), matrix.indices, matrix.indptr), shape=matrix.shape)
    scores = np.full(n, 1 / n)
    while True:
        shares = np.divide(scores, degrees, out=np.zeros(n), where=degrees > 0)
        new = 0.15 / n + 0.85 * (flow @ shares)
        if np.abs(new - scores).sum() < 1e-6:
            return new
        scores = new


#: What is compared: the peer, and the function of Filch, on a matrix and a vertex to start at.
FUNCTIONS = {
    "connected_components": (
        lambda matrix, root: peer.connected_components(matrix),
        lambda matrix, root, **options: csgraph.connected_components(matrix, **options),
    ),
    "connected_components, strong": (
        lambda matrix, root: peer.connected_components(matrix, connection="strong"),
        lambda matrix, root, **options: csgraph.connected_components(matrix, connection="strong", **options),
    ),
    "breadth_first_order": (
        peer.breadth_first_order,
        csgraph.breadth_first_order,
    ),
    "depth_first_order": (
        peer.depth_first_order,
        csgraph.depth_first_order,
    ),
    "dijkstra": (
        lambda matrix, root: peer.dijkstra(matrix, indices=root),
        lambda matrix, root, **options: csgraph.dijkstra(matrix, indices=root, **options),
    ),
    "minimum_spanning_tree": (
        lambda matrix, root: peer.minimum_spanning_tree(matrix),
        lambda matrix, root, **options: csgraph.minimum_spanning_tree(matrix, **options),
    ),
    "pagerank (against sparse products)": (
        lambda matrix, root: products(matrix),
        lambda matrix, root, **options: graph.pagerank(matrix, symmetric=True, **options),
    ),
}


def milliseconds(call):
    begin = time.perf_counter()
    call()
    return (time.perf_counter() - begin) * 1e3


def in_turn(calls, first):
    """The times of calls, each of which is the first in some rounds: one warms the caches for the next."""
    times = [0.0] * len(calls)
    for place in range(len(calls)):
        which = (first + place) % len(calls)
        times[which] = milliseconds(calls[which])
    return times


def interval(values):
    """The median, with its 95 % interval by order statistics."""
    values, n = sorted(values), len(values)
    below = max(0, math.floor(n / 2 - 0.98 * math.sqrt(n)))
    return f"{statistics.median(values):.2f} [{values[below]:.2f}, {values[n - 1 - below]:.2f}]"


def shown(values):
    if len(values) < 2:
        return f"{values[0]:.4g}"
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return f"{middle:.4g} ({low:.4g} to {high:.4g})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=int, default=18, help="the binary logarithm of the number of vertices")
    parser.add_argument("--runs", type=int, default=21)
    parser.add_argument("--only", default="", help="only functions whose names contain this")
    options = parser.parse_args()
    print(f"scipy {scipy.__version__}, numpy {np.__version__}, Python {platform.python_version()},", end=" ")
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, {options.runs} runs\n")
    print("| graph | function | scipy, ms | 1 worker, ms | 2 workers, ms | 1 worker / scipy | 2 workers / scipy |")
    print("|---|---|---|---|---|---|---|")
    for make in (kronecker, uniform, grid):
        matrix = make(options.scale, np.random.default_rng(1))
        # The vertex with the most arcs.
        root = int(np.argmax(np.diff(matrix.indptr)))
        name = f"{make.__name__} 2^{options.scale}, {matrix.nnz:,} arcs"
        for function, (other, own) in FUNCTIONS.items():
            if options.only not in function:
                continue
            calls = [partial(other, matrix, root), *(partial(own, matrix, root, workers=workers) for workers in (1, 2))]
            for call in calls:
                call()
            rounds = [in_turn(calls, first) for first in range(options.runs)]
            times = list(zip(*rounds, strict=True))
            ratios = [interval([run[column] / run[0] for run in rounds]) for column in (1, 2)]
            print(f"| {name} | {function} | {' | '.join([*map(shown, times), *ratios])} |", flush=True)
    print(f"\nload at the end {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
