"""Medians of the times of scipy and other packages, and of Filch with one and two workers, as a table in Markdown.

    python bench/compare.py [--graphs kronecker:18,grid:1000] [--runs 21] [--only NAME] [--peers] [--plot FILE.svg]

A graph is `kronecker` or `uniform` with the binary logarithm of its number of vertices, `grid` with that of its rows, or
the name of a file with an edge in each line. With `--peers`, igraph, rustworkx and networkit take part if they are
installed, each on a graph in its own structure, which is made before.

The functions run in turn in each round, so that what else the machine does meets all of them. A cell has the median in
milliseconds, and in brackets the middle half of the runs; the last columns are medians of the ratios within a round,
with 95 % intervals of the median by order statistics.
"""

import argparse
import gzip
import math
import os
import platform
import statistics
import time
from functools import partial

import numpy as np
import peers
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


def grid(side, draws):
    """A square grid, numbered by rows."""
    places = np.arange(side * side).reshape(side, side)
    u = np.concatenate([places[:-1].ravel(), places[:, :-1].ravel()])
    v = np.concatenate([places[1:].ravel(), places[:, 1:].ravel()])
    return symmetric(side * side, u, v, draws)


def from_file(path, draws):
    """The graph of a file that has two numbers of vertices in each line, plain or compressed by gzip."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as lines:
        ends = np.loadtxt(lines, dtype=np.int64, comments=("#", "%"), usecols=(0, 1), ndmin=2)
    return symmetric(int(ends.max()) + 1, *ends.T, draws)


def made(name):
    """A graph by its name, and what the table calls it."""
    kind, _, scale = name.partition(":")
    draws = np.random.default_rng(1)
    if kind in GENERATORS:
        matrix = GENERATORS[kind](int(scale), draws)
        size = f"{scale} × {scale}" if kind == "grid" else f"2^{scale}"
        return matrix, f"{kind} {size}, {matrix.nnz:,} arcs"
    matrix = from_file(name, draws)
    return matrix, f"{os.path.basename(name).split('.')[0]}, {matrix.shape[0]:,} vertices, {matrix.nnz:,} arcs"


#: The generators, by their names.
GENERATORS = {"kronecker": kronecker, "uniform": uniform, "grid": grid}


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
    "pagerank": (
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


def plot(path, ratios):
    """Bars of the ratios to scipy, one panel for each graph. Less than 1 is faster."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    names = list(ratios)
    size = (3 * len(names), 4)
    figure, panels = pyplot.subplots(1, len(names), figsize=size, sharex=True, sharey=True, squeeze=False)
    for panel, name in zip(panels[0], names, strict=True):
        functions, columns = list(ratios[name]), list(next(iter(ratios[name].values())))
        width = 0.8 / len(columns)
        for place, column in enumerate(columns):
            heights = [ratios[name][function].get(column, math.nan) for function in functions]
            panel.barh([row + place * width for row in range(len(functions))], heights, width, label=column)
        panel.set_yticks([row + 0.4 for row in range(len(functions))], functions)
        panel.axvline(1, color="black", linewidth=0.8)
        panel.set(title=name, xlabel="time divided by that of scipy")
    panels[0][0].legend()
    figure.tight_layout()
    figure.savefig(path)


def calls_of(function, matrix, root, others):
    """What is called in each round, by the names of the columns."""
    other, own = FUNCTIONS[function]
    calls = {"scipy": partial(other, matrix, root)}
    for workers in (1, 2):
        calls[f"{workers} worker{'s' * (workers > 1)}"] = partial(own, matrix, root, workers=workers)
    for peer_name, functions in others.items():
        if function in functions:
            calls[peer_name] = partial(functions[function], root)
    return calls


def others_of(matrix):
    """The functions of the other packages that are installed."""
    others = {}
    for peer_name, make in peers.PEERS.items():
        try:
            others[peer_name] = make(matrix)
        except ImportError:
            continue
    return others


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", default="kronecker:18,kronecker:20,uniform:18,grid:1000")
    parser.add_argument("--runs", type=int, default=21)
    parser.add_argument("--only", default="", help="only functions whose names contain this")
    parser.add_argument("--peers", action="store_true", help="igraph, rustworkx and networkit, too")
    parser.add_argument("--plot", help="a file for bars of the ratios, in SVG")
    options = parser.parse_args()
    print(f"scipy {scipy.__version__}, numpy {np.__version__}, Python {platform.python_version()},", end=" ")
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, {options.runs} runs\n")
    columns = ["scipy", "1 worker", "2 workers", *(peers.PEERS if options.peers else ())]
    ratio_columns = [f"{column} / scipy" for column in columns[1:3]]
    print(f"| graph | function | {' | '.join([f'{column}, ms' for column in columns] + ratio_columns)} |")
    print("|" + "---|" * (len(columns) + len(ratio_columns) + 2))
    drawn = {}
    for name in options.graphs.split(","):
        matrix, title = made(name)
        others = others_of(matrix) if options.peers else {}
        # The vertex with the most arcs.
        root = int(np.argmax(np.diff(matrix.indptr)))
        for function in FUNCTIONS:
            if options.only not in function:
                continue
            calls = calls_of(function, matrix, root, others)
            for call in calls.values():
                call()
            rounds = [in_turn(list(calls.values()), first) for first in range(options.runs)]
            times = dict(zip(calls, zip(*rounds, strict=True), strict=True))
            ratios = {column: [a / b for a, b in zip(times[column], times["scipy"], strict=True)] for column in times}
            cells = [shown(times[column]) if column in times else "" for column in columns]
            cells += [interval(ratios[column]) for column in columns[1:3]]
            called, _, rest = function.partition(", ")
            print(f"| {title} | `{called}`{rest and f', {rest}'} | {' | '.join(cells)} |", flush=True)
            drawn.setdefault(title, {})[function] = {
                column: statistics.median(values) for column, values in ratios.items() if column != "scipy"
            }
    print(f"\nload at the end {os.getloadavg()[0]:.1f}")
    if options.plot:
        plot(options.plot, drawn)


if __name__ == "__main__":
    main()
