"""Cores."""

import networkx as nx
import numpy as np

from filch import _filch


def _cores(G):
    sources = np.repeat(np.arange(len(G), dtype=G.indices.dtype), np.diff(G.indptr))
    if (sources == G.indices).any():
        loops = "nx.selfloop_edges(G)"
        message = f"Input graph has self loops which is not permitted; Consider using G.remove_edges_from({loops})."
        raise nx.NetworkXNotImplemented(message)
    return dict(zip(G.nodes, _filch.core_numbers(*G.arrays(), True, None).tolist(), strict=True))


def core_number(G):
    return _cores(G)


def k_core(G, k=None, core_number=None):
    cores = _cores(G) if core_number is None else core_number
    k = max(cores.values()) if k is None else k
    return G.original().subgraph(v for v in cores if cores[v] >= k).copy()
