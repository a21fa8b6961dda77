import itertools
import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from filch import search

WORKERS = [1, 2]


def brute_force(rows, primary):
    """All sets of rows in which each primary column occurs once, and no other one twice."""
    found = set()
    for size in range(primary + 1):
        for chosen in itertools.combinations(range(len(rows)), size):
            columns = [column for row in chosen for column in rows[row]]
            if len(columns) == len(set(columns)) and set(range(primary)) <= set(columns):
                found.add(chosen)
    return found


@given(
    st.lists(st.sets(st.integers(0, 5), min_size=1).filter(lambda row: min(row) < 4).map(sorted), max_size=9),
    st.sampled_from(WORKERS),
)
def test_solutions_are_those_of_brute_force_in_serial_order(rows, workers):
    cover = search.Cover(rows, 4, 2)
    found = list(cover.solutions(workers=workers))
    assert sorted(tuple(sorted(solution)) for solution in found) == sorted(brute_force(rows, 4))
    assert cover.count(workers=workers) == len(found)
    assert found == list(cover.solutions(workers=1))
    for limit in range(3):
        assert list(cover.solutions(limit, workers=workers)) == found[:limit]


# OEIS A000170.
@pytest.mark.parametrize("workers", WORKERS)
@pytest.mark.parametrize("n, count", list(enumerate([1, 0, 0, 2, 10, 4, 40, 92, 352, 724], 1)))
def test_queens_are_as_many_as_in_the_encyclopedia_and_attack_none(n, count, workers):
    cover = search.n_queens(n)
    assert cover.count(workers=workers) == count
    solutions = [[divmod(row, n) for row in solution] for solution in cover.solutions(workers=workers)]
    assert len({tuple(sorted(solution)) for solution in solutions}) == count
    for solution in solutions:
        for lines in ([r for r, _ in solution], [c for _, c in solution], [r + c for r, c in solution],
                      [r - c for r, c in solution]):  # fmt: skip
            assert len(set(lines)) == n


def test_a_sudoku_is_filled_with_each_number_once_in_each_line_and_box():
    # Arto Inkala (2012).
    rows = ["800000000", "003600000", "070090200", "050007000", "000045700", "000100030", "001000068", "008500010",
            "090000400"]  # fmt: skip
    board = [[int(number) for number in row] for row in rows]
    (filled,) = search.sudoku(board)
    for row, given_row in zip(filled, board, strict=True):
        assert all(given in (0, number) for number, given in zip(row, given_row, strict=True))
    boxes = [[filled[r + i][c + j] for i in range(3) for j in range(3)] for r in (0, 3, 6) for c in (0, 3, 6)]
    for line in [*filled, *zip(*filled, strict=True), *boxes]:
        assert sorted(line) == list(range(1, 10))


def test_an_empty_sudoku_of_four_rows_has_288_solutions():
    # OEIS A107739.
    assert len({str(board) for board in search.sudoku([[0] * 4] * 4)}) == 288
    assert len(list(search.sudoku([[0] * 4] * 4, limit=5))) == 5


def test_an_iterator_that_is_left_ends_its_search():
    begin = time.monotonic()
    for _ in range(20):
        # There are 14,772,512 solutions.
        solutions = search.n_queens(16).solutions(workers=2)
        assert len(next(solutions)) == 16
    assert len(list(search.n_queens(16).solutions(3000))) == 3000
    del solutions
    assert search.n_queens(8).count(workers=2) == 92
    assert time.monotonic() - begin < 60


def test_what_is_no_problem_is_refused_with_place_and_value():
    for arguments, expected in [
        (([[5]], 2), "row 0: expected a column below 2, found 5"),
        (([[0], [1, 1]], 2), "row 1: expected each column once, found 1 twice"),
        (([[2]], 2, 1), "row 0: expected a primary column"),
        (([[0], [0, -1]], 1), "row 1 has the column -1, expected 0 or more"),
        (([[2**70]], 1), f"row 0 has the column {2**70}, expected less than"),
        (([[0]], -1), "primary is -1, expected 0 or more"),
        (([[0]], 1, -1), "secondary is -1, expected 0 or more"),
        (([[0]], 2**70), f"primary is {2**70}, expected less than"),
    ]:
        with pytest.raises(ValueError, match=expected):
            search.Cover(*arguments)
    for board, expected in [
        ([[0] * 4, [0] * 3, [0] * 4, [0] * 4], "row 2 has 3 cells, expected 4"),
        ([[0] * 25] * 25, "the board has 25 rows, expected 4, 9 or 16"),
        ([[299] * 300] * 300, "the board has 300 rows, expected 4, 9 or 16"),
        ([], "the board has 0 rows"),
        ([[3.7, 0, 0, 0], [0] * 4, [0] * 4, [0] * 4], "row 1 has 3.7 in column 1, expected 0 to 4"),
        ([[0] * 4, [0] * 4, [0] * 4, [0, float("nan"), 0, 0]], "row 4 has nan in column 2, expected 0 to 4"),
        ([[0] * 4, [0, 0, 0, 5], [0] * 4, [0] * 4], "row 2 has 5 in column 4, expected 0 to 4"),
        ([[1, 0, 0, 1], [0] * 4, [0] * 4, [0] * 4], "1"),
    ]:
        with pytest.raises(ValueError, match=expected):
            search.sudoku(board)
    for call in (search.n_queens(4).solutions, lambda limit: search.sudoku([[0] * 4] * 4, limit)):
        with pytest.raises(ValueError, match="limit is -1, expected at least 0"):
            call(limit=-1)
    with pytest.raises(ValueError, match="n is 0"):
        search.n_queens(0)
    for workers, expected in [(0, "workers is 0"), (-1, "workers is -1"), (2**70, f"workers is {2**70}")]:
        for call in (search.n_queens(4).count, search.n_queens(4).solutions):
            with pytest.raises(ValueError, match=f"{expected}, expected"):
                call(workers=workers)


def test_numbers_of_a_sudoku_may_be_those_of_numpy_of_any_type():
    board = [[3, 0, 0, 0], [0, 0, 0, 1], [0, 2, 0, 0], [0, 0, 0, 0]]
    for dtype in (np.int8, np.uint64, np.float32):
        assert list(search.sudoku(np.array(board, dtype=dtype))) == list(search.sudoku(board))


#: In a process of its own, because on a large machine there is as much memory.
MANY_COLUMNS = """
import resource
from filch.search import Cover
resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
for primary, secondary in [(4 * 10**9, 0), (0, 4 * 10**9)]:
    try:
        Cover([], primary, secondary)
    except MemoryError as error:
        print(error)
"""


def test_more_columns_than_memory_are_refused():
    done = subprocess.run([sys.executable, "-c", MANY_COLUMNS], capture_output=True, text=True, check=True)
    message = "4000000000 columns take 192000000000 bytes: the system refuses them"
    assert done.stdout.splitlines() == [message] * 2
    with pytest.raises(ValueError, match="at most 4294967295 ones and columns"):
        search.Cover([], 2**32)
