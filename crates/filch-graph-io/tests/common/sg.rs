//! Serialized graphs of the GAP Benchmark Suite, made byte by byte.

/// The bytes that `src/writer.h` of the GAP Benchmark Suite writes for these rows: one set of rows, or two if directed.
pub(crate) fn file(directed: bool, rows: &[&[&[i32]]]) -> Vec<u8> {
    let num_arcs = rows[0].iter().map(|row| row.len() as i64).sum::<i64>();
    let mut bytes = vec![u8::from(directed)];
    bytes.extend_from_slice(&num_arcs.to_le_bytes());
    bytes.extend_from_slice(&(rows[0].len() as i64).to_le_bytes());
    for rows in rows {
        let mut offset = 0_i64;
        bytes.extend_from_slice(&offset.to_le_bytes());
        for row in *rows {
            offset += row.len() as i64;
            bytes.extend_from_slice(&offset.to_le_bytes());
        }
        rows.iter().copied().flatten().for_each(|target| bytes.extend_from_slice(&target.to_le_bytes()));
    }
    bytes
}

pub(crate) fn path_of_three() -> Vec<u8> {
    file(false, &[&[&[1], &[0, 2], &[1]]])
}

pub(crate) fn two_arcs() -> Vec<u8> {
    file(true, &[&[&[1, 2], &[], &[]], &[&[], &[0], &[0]]])
}
