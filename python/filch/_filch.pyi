"""What the package calls. Arrays of indices are contiguous, and both of the same type: `int32` or `int64`."""

from collections.abc import Iterator
from typing import TypeAlias, final

import numpy as np
from numpy.typing import NDArray

_Indices: TypeAlias = NDArray[np.int32] | NDArray[np.int64]
_Int32: TypeAlias = NDArray[np.int32]

def weak_components(
    indptr: _Indices, indices: _Indices, symmetric: bool, workers: int | None
) -> tuple[int, _Int32]: ...
def is_canonical(indptr: _Indices, indices: _Indices, workers: int | None) -> bool: ...
def strong_components(
    indptr: _Indices, indices: _Indices, backward: bool, workers: int | None
) -> tuple[int, _Int32]: ...
def breadth_first(
    indptr: _Indices, indices: _Indices, root: int, both: bool, workers: int | None
) -> tuple[_Int32, _Int32]: ...
def depth_first(
    indptr: _Indices, indices: _Indices, root: int, both: bool, workers: int | None
) -> tuple[_Int32, _Int32]: ...
def pagerank(
    indptr: _Indices, indices: _Indices, symmetric: bool, options: tuple[float, float, int], workers: int | None
) -> tuple[NDArray[np.float32], int, bool]: ...
def betweenness(
    indptr: _Indices, indices: _Indices, symmetric: bool, options: tuple[bool, int, int], workers: int | None
) -> NDArray[np.float64]: ...
def ranks(
    indptr: _Indices,
    indices: _Indices,
    data: NDArray[np.float64] | None,
    symmetric: bool,
    vectors: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]],
    options: tuple[float, float, int],
    workers: int | None,
) -> NDArray[np.float64] | None: ...
def closeness(
    indptr: _Indices, indices: _Indices, symmetric: bool, vertices: list[int] | None, scaled: bool, workers: int | None
) -> NDArray[np.float64]: ...
def harmonic(
    indptr: _Indices, indices: _Indices, symmetric: bool, vertices: list[int] | None, workers: int | None
) -> NDArray[np.float64]: ...
def clustering(
    indptr: _Indices, indices: _Indices, symmetric: bool, workers: int | None
) -> tuple[NDArray[np.float64], NDArray[np.int64], float]: ...
def communities(
    indptr: _Indices,
    indices: _Indices,
    data: NDArray[np.float64] | None,
    symmetric: bool,
    options: tuple[bool, float, int, int],
    workers: int | None,
) -> tuple[int, _Int32, float]: ...
def core_numbers(indptr: _Indices, indices: _Indices, symmetric: bool, workers: int | None) -> _Int32: ...
def count_triangles(indptr: _Indices, indices: _Indices, symmetric: bool, workers: int | None) -> int: ...
def spanning_forest(indptr: _Indices, indices: _Indices, symmetric: bool, workers: int | None) -> _Int32: ...
def shortest_paths(
    indptr: _Indices,
    indices: _Indices,
    data: NDArray[np.float64] | None,
    sources: list[int],
    wanted: object,
    workers: int | None,
) -> tuple[NDArray[np.float64], _Int32, _Int32]: ...
def ordered_paths(
    indptr: _Indices,
    indices: _Indices,
    data: NDArray[np.float64],
    sources: list[int],
    target: int | None,
    limit: float,
) -> tuple[_Int32, NDArray[np.float64], _Int32]: ...
def minimum_forest(
    indptr: _Indices, indices: _Indices, data: NDArray[np.float64], workers: int | None
) -> tuple[_Int32, _Int32, NDArray[np.float64]]: ...

@final
class Problem:
    @staticmethod
    def exact_cover(rows: list[list[int]], primary: int, secondary: int) -> Problem: ...
    @staticmethod
    def sudoku(cells: list[int]) -> Problem: ...
    def count(self, workers: int | None) -> int: ...
    def solutions(self, workers: int | None) -> Solutions: ...

@final
class Solutions(Iterator[list[int]]):
    def __iter__(self) -> Solutions: ...
    def __next__(self) -> list[int]: ...
    def close(self) -> None: ...
