"""Exact cover, and what is an exact cover: sudoku, and queens that do not attack each other.

A `Cover` is a problem. Its solutions are iterated over while other threads search on; they come in the order of a
serial search, whatever the number of workers. A search that is ahead by 1024 solutions waits. It ends when its iterator
does.
"""

import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

from filch import _filch

__all__ = ["Cover", "n_queens", "sudoku"]

_T = TypeVar("_T")


class Cover:
    """The exact cover problem of rows, each of which is a list of the columns that have a 1 in it.

    Columns are numbered from 0, the primary ones first. A solution is a list of rows in which each primary column
    occurs once and each secondary column at most once. The search is the algorithm X of Knuth (2000, "Dancing links"):
    it takes the primary column with the fewest rows left, and tries these in the order in which they were given.

    Memory: about 24 bytes for each 1, and 8 more for each worker.

    Raises `ValueError` if a row has a column that there is not, one twice, or no primary one: the message says which.

    >>> rows = [[2, 4, 5], [0, 3, 6], [1, 2, 5], [0, 3], [1, 6], [3, 4, 6]]
    >>> list(Cover(rows, 7))
    [[3, 0, 4]]
    """

    def __init__(self, rows: Iterable[Iterable[int]], primary: int, secondary: int = 0) -> None:
        listed = [list(row) for row in rows]
        try:
            self._problem = _filch.Problem.exact_cover(listed, primary, secondary)
        except OverflowError:
            names = [(f"{name} is", number) for name, number in (("primary", primary), ("secondary", secondary))]
            names += [(f"row {place} has the column", number) for place, row in enumerate(listed) for number in row]
            found, number = next(pair for pair in names if not 0 <= pair[1] <= sys.maxsize)
            expected = "0 or more" if number < 0 else "less than that"
            raise ValueError(f"{found} {number}, expected {expected}") from None

    def __iter__(self) -> Iterator[list[int]]:
        return self.solutions()

    def solutions(self, limit: int | None = None, *, workers: int | None = None) -> Iterator[list[int]]:
        """An iterator of the solutions, of so many at most: lists of the numbers of rows, as they are chosen."""
        return _limited(self._problem.solutions(workers), limit)

    def count(self, *, workers: int | None = None) -> int:
        """The number of solutions."""
        return self._problem.count(workers)


def _limited(found: Iterable[_T], limit: int | None) -> Iterator[_T]:
    if limit is not None and limit < 0:
        raise ValueError(f"limit is {limit}, expected at least 0")
    return islice(found, limit)


def sudoku(
    board: Iterable[Iterable[int]], limit: int | None = None, *, workers: int | None = None
) -> Iterator[list[list[int]]]:
    """An iterator of the ways to fill a sudoku of 4, 9 or 16 rows, of so many at most.

    `board` has rows of numbers, in which 0 is a cell that is to be filled.

    Raises `ValueError` if the board has another size, or has what is no number of it, or a number that stands twice in
    a row, a column or a box: the message says where, and counts rows and columns from 1.

    >>> next(sudoku([[3, 0, 0, 0], [0, 0, 0, 1], [0, 2, 0, 0], [0, 0, 0, 0]]))
    [[3, 1, 2, 4], [2, 4, 3, 1], [1, 2, 4, 3], [4, 3, 1, 2]]
    """
    rows = [list(row) for row in board]
    side = len(rows)
    if side not in (4, 9, 16):
        raise ValueError(f"the board has {side} rows, expected 4, 9 or 16")
    for place, row in enumerate(rows):
        if len(row) != side:
            raise ValueError(f"row {place + 1} has {len(row)} cells, expected {side}, as many as there are rows")
        for column, number in enumerate(row):
            if number not in range(side + 1):
                raise ValueError(f"row {place + 1} has {number} in column {column + 1}, expected 0 to {side}")
    problem = _filch.Problem.sudoku([int(number) for row in rows for number in row])
    found = (
        [cells[start : start + side] for start in range(0, side * side, side)] for cells in problem.solutions(workers)
    )
    return _limited(found, limit)


def n_queens(n: int) -> Cover:
    """The problem of `n` queens on a board of `n` rows: row `r * n + c` of the cover is a queen in row r, column c.

    >>> n_queens(8).count()
    92
    >>> next(iter(n_queens(4)))
    [1, 7, 8, 14]
    """
    if n < 1:
        raise ValueError(f"n is {n}, expected at least 1")
    # The rows and columns of the board are primary, and its diagonals secondary.
    places = ((row, column) for row in range(n) for column in range(n))
    rows = ([r, n + c, 2 * n + r + c, 4 * n - 1 + r - c + n - 1] for r, c in places)
    return Cover(rows, 2 * n, 4 * n - 2)
