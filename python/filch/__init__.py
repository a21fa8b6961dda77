"""Graph algorithms and exact cover on a work-stealing runtime.

- `filch.csgraph`: what `scipy.sparse.csgraph` has, by the same names
- `filch.graph`: what it lacks, on the same matrices
- `filch.search`: exact cover, sudoku and queens
- a backend of networkx, which is called `filch`

All functions take `workers`, the number of threads that work: by default as many as there are processors. They release
the interpreter, and end within a tenth of a second after Ctrl-C.
"""
