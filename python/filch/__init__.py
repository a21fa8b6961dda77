"""Graph algorithms and exact cover on a work-stealing runtime.

- `filch.csgraph`: what `scipy.sparse.csgraph` has, by the same names
- `filch.graph`: what it lacks, on the same matrices
- `filch.search`: exact cover, sudoku and queens
- a backend of networkx, which is called `filch`

All functions take `workers`, the number of threads that work: by default as many as there are processors. They release
the interpreter. The calling thread looks for Ctrl-C every 20 ms, and cancels the run; what goes over fewer than 65,536
vertices and arcs is not interrupted.
"""
