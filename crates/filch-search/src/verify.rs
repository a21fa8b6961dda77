//! Checks of solutions, which share no code with what finds them.
//!
//! Each function returns what is wrong, in words.

/// Checks that these rows of an exact cover have each primary column once, and each secondary column at most once.
/// `columns` gives the columns of a row; the primary ones are the first.
pub fn verify_cover<C: IntoIterator<Item = usize>>(
    primary: usize,
    rows: &[usize],
    columns: impl Fn(usize) -> C,
) -> Result<(), String> {
    verify_coloured_cover(primary, rows, |row| columns(row).into_iter().map(|column| (column, None)))
}

/// Checks that these rows of an exact cover have each primary column once, and each secondary column at most once, or
/// with the same colour in all rows that have it. `entries` gives the columns of a row and the colours of these; the
/// primary columns are the first.
pub fn verify_coloured_cover<C: IntoIterator<Item = (usize, Option<u32>)>>(
    primary: usize,
    rows: &[usize],
    entries: impl Fn(usize) -> C,
) -> Result<(), String> {
    let mut all: Vec<(usize, Option<u32>)> = rows.iter().flat_map(|&row| entries(row)).collect();
    all.sort_unstable();
    for pair in all.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        let (column, colour) = pair[0];
        if column < primary || colour.is_none() {
            return Err(format!("column {column} is covered twice"));
        }
        if pair[1].1 != colour {
            return Err(format!("column {column} has two colours"));
        }
    }
    match (0..primary).find(|&column| all.binary_search_by_key(&column, |&(covered, _)| covered).is_err()) {
        Some(column) => Err(format!("column {column} is not covered")),
        None => Ok(()),
    }
}

/// Checks that each letter stands on five squares that hang together, and that they have the shapes of the twelve
/// pentominoes or of the eighteen one-sided ones.
pub fn verify_pentominoes(board: &[String]) -> Result<(), String> {
    let board: Vec<Vec<char>> = board.iter().map(|line| line.chars().collect()).collect();
    let mut letters: Vec<char> = board.concat();
    letters.sort_unstable();
    letters.dedup();
    if letters.iter().any(|letter| !letter.is_alphabetic()) {
        return Err("a square is not covered".into());
    }
    let mut shapes = Vec::new();
    for &letter in &letters {
        let squares: Vec<(i32, i32)> = (0..)
            .zip(&board)
            .flat_map(|(row, line)| {
                (0..).zip(line).filter(|&(_, &at)| at == letter).map(move |(column, _)| (row, column))
            })
            .collect();
        if squares.len() != 5 {
            return Err(format!("{letter} is on {} squares", squares.len()));
        }
        let next = |a: &(i32, i32), b: &(i32, i32)| (a.0 - b.0).abs() + (a.1 - b.1).abs() == 1;
        let mut reached = vec![squares[0]];
        while let Some(&more) =
            squares.iter().find(|square| !reached.contains(square) && reached.iter().any(|other| next(other, square)))
        {
            reached.push(more);
        }
        if reached.len() != 5 {
            return Err(format!("{letter} does not hang together"));
        }
        // The least of its eight reflections and rotations, moved to the corner, tells the pentominoes apart. The
        // rotations are those of an even number of reflections.
        let are_free = letters.len() <= 12;
        let turns = (0..8_u8).filter(|turn| are_free || turn.count_ones() % 2 == 0);
        let turned = turns.map(|turn| {
            let turn = |&(y, x): &(i32, i32)| {
                let (y, x) = if turn & 1 == 0 { (y, x) } else { (x, y) };
                (if turn & 2 == 0 { y } else { -y }, if turn & 4 == 0 { x } else { -x })
            };
            let mut turned: Vec<(i32, i32)> = squares.iter().map(turn).collect();
            turned.sort_unstable();
            let (top, left) = (turned[0].0, turned.iter().map(|square| square.1).min().unwrap_or(0));
            turned.into_iter().map(|(y, x)| (y - top, x - left)).collect::<Vec<_>>()
        });
        let shape = turned.min();
        if shapes.contains(&shape) {
            return Err(format!("{letter} has the shape of another piece"));
        }
        shapes.push(shape);
    }
    if matches!(shapes.len(), 12 | 18) { Ok(()) } else { Err(format!("there are {} pieces", shapes.len())) }
}

/// Checks that a sudoku of `side` rows is filled: each row, column and box has all numbers, and those that are given
/// stand where they were.
pub fn verify_sudoku(side: usize, given: &[u8], filled: &[u8]) -> Result<(), String> {
    if let Some(cell) = (0..side * side).find(|&cell| given[cell] != 0 && given[cell] != filled[cell]) {
        return Err(format!("row {}, column {} is not what was given", cell / side + 1, cell % side + 1));
    }
    let box_side = (1..=side).find(|root| root * root == side).unwrap_or(1);
    for unit in 0..side {
        let (down, right) = (unit / box_side * box_side, unit % box_side * box_side);
        let units = [
            ("row", (0..side).map(|place| (unit, place)).collect::<Vec<_>>()),
            ("column", (0..side).map(|place| (place, unit)).collect()),
            ("box", (0..side).map(|place| (down + place / box_side, right + place % box_side)).collect()),
        ];
        for (kind, cells) in units {
            let numbers = cells.into_iter().map(|(row, column)| usize::from(filled[row * side + column]));
            let seen = numbers.fold(0_u64, |seen, number| seen | 1 << number);
            if seen != (1 << (side + 1)) - 2 {
                return Err(format!("{kind} {} does not have all numbers", unit + 1));
            }
        }
    }
    Ok(())
}

/// Checks that there are `n` queens, of which no two attack each other. `columns` has the column of each row.
pub fn verify_queens(n: usize, columns: &[u8]) -> Result<(), String> {
    if columns.len() != n || columns.iter().any(|&column| usize::from(column) >= n) {
        return Err(format!("{} queens, or some beside the board", columns.len()));
    }
    for (a, b) in (0..n).flat_map(|b| (0..b).map(move |a| (a, b))) {
        let apart = columns[a].abs_diff(columns[b]);
        if apart == 0 || usize::from(apart) == b - a {
            return Err(format!("the queens of rows {} and {} attack each other", a + 1, b + 1));
        }
    }
    Ok(())
}

/// Checks that these things, by value and weight, are packed at most once, weigh at most `capacity`, and are worth
/// `value`.
pub fn verify_knapsack(capacity: u64, things: &[(u64, u64)], packed: &[usize], value: i64) -> Result<(), String> {
    if packed.iter().enumerate().any(|(place, number)| packed[..place].contains(number)) {
        return Err("a thing is packed twice".into());
    }
    let sum = |of: fn(&(u64, u64)) -> u64| packed.iter().map(|&number| u128::from(of(&things[number]))).sum::<u128>();
    let (worth, weight) = (sum(|thing| thing.0), sum(|thing| thing.1));
    if weight > capacity.into() {
        return Err(format!("it weighs {weight}, more than {capacity}"));
    }
    if i128::try_from(worth) != Ok(value.into()) {
        return Err(format!("it is worth {worth}, not {value}"));
    }
    Ok(())
}

/// Checks that a trip visits each of `cities` cities once and has this length, back to its start.
pub fn verify_tour(
    cities: usize,
    distance: impl Fn(usize, usize) -> u32,
    trip: &[usize],
    length: i64,
) -> Result<(), String> {
    let mut sorted = trip.to_vec();
    sorted.sort_unstable();
    if !sorted.into_iter().eq(0..cities) {
        return Err("a city is not visited, or twice".into());
    }
    let legs = trip.iter().zip(trip.iter().cycle().skip(1)).map(|(&from, &to)| i64::from(distance(from, to)));
    match legs.sum::<i64>() {
        sum if sum == length => Ok(()),
        sum => Err(format!("it is {sum} long, not {length}")),
    }
}

/// Checks that a round trip has all edges that are `fixed`, and none that is not `listed`, if any are. The edges are
/// pairs of cities in either order.
pub fn verify_edges(trip: &[usize], fixed: &[(usize, usize)], listed: Option<&[(usize, usize)]>) -> Result<(), String> {
    let sorted = |(a, b): (usize, usize)| (a.min(b), a.max(b));
    let legs = trip.iter().copied().zip(trip.iter().copied().cycle().skip(1)).map(sorted);
    let legs: Vec<(usize, usize)> = legs.filter(|(a, b)| a != b).collect();
    if let Some((a, b)) = fixed.iter().copied().find(|&edge| !legs.contains(&sorted(edge))) {
        return Err(format!("it does not go from {} to {}", a + 1, b + 1));
    }
    let Some(listed) = listed else { return Ok(()) };
    let listed: Vec<(usize, usize)> = listed.iter().copied().map(sorted).collect();
    match legs.into_iter().find(|leg| !listed.contains(leg)) {
        Some((a, b)) => Err(format!("it goes from {} to {}, which is not listed", a + 1, b + 1)),
        None => Ok(()),
    }
}

/// Checks that neighbours have different colours, and that there are `count` colours.
pub fn verify_colouring<N: IntoIterator<Item = usize>>(
    neighbours: impl Fn(usize) -> N,
    colours: &[usize],
    count: i64,
) -> Result<(), String> {
    for (vertex, colour) in colours.iter().enumerate() {
        if let Some(near) = neighbours(vertex).into_iter().find(|&near| colours[near] == *colour) {
            return Err(format!("vertices {} and {} have one colour", vertex + 1, near + 1));
        }
    }
    let mut different = colours.to_vec();
    different.sort_unstable();
    different.dedup();
    if different.len() as i64 == count { Ok(()) } else { Err(format!("{} colours, not {count}", different.len())) }
}
