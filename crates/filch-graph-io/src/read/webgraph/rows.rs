//! The rows of a BvGraph, decoded one after the other (Boldi and Vigna 2004, sections 4 to 6).
//!
//! A row has its degree; then which earlier row it copies, and in which blocks of that row every other one is copied;
//! then intervals of consecutive targets; and the rest one by one. A row is ascending, and no target is there twice.

use super::bits::{Bits, Code, signed};
use super::properties::Properties;
use crate::read::fault::RowFault;
use filch_graph::Vertex;
use std::collections::TryReserveError;

/// Why a row cannot be decoded.
#[derive(Debug)]
pub(super) enum Failure {
    Row(RowFault),
    NoMemory,
}

impl From<RowFault> for Failure {
    fn from(fault: RowFault) -> Self {
        Failure::Row(fault)
    }
}

impl From<TryReserveError> for Failure {
    fn from(_: TryReserveError) -> Self {
        Failure::NoMemory
    }
}

/// The rows that have been decoded, in compressed sparse rows.
pub(super) struct Decoder<'a, V> {
    bits: Bits<'a>,
    properties: &'a Properties,
    pub(super) offsets: Vec<usize>,
    pub(super) targets: Vec<V>,
    /// The row that is being decoded: targets in any order.
    row: Vec<u64>,
}

impl<'a, V: Vertex> Decoder<'a, V> {
    pub(super) fn new(bytes: &'a [u8], properties: &'a Properties) -> Result<Self, Failure> {
        let mut offsets = Vec::new();
        offsets.try_reserve_exact(properties.num_vertices as usize + 1)?;
        offsets.push(0);
        Ok(Decoder { bits: Bits::new(bytes), properties, offsets, targets: Vec::new(), row: Vec::new() })
    }

    /// The number of bytes that have been read.
    pub(super) fn num_bytes(&self) -> u64 {
        self.bits.at / 8
    }

    /// Decodes the row of a vertex, the first that is left.
    pub(super) fn row(&mut self, vertex: u64) -> Result<(), Failure> {
        let Properties { num_vertices, num_arcs, degrees, .. } = *self.properties;
        let degree = self.next(degrees)?;
        let most = num_vertices.min(num_arcs - self.targets.len() as u64);
        if degree > most {
            return Err(RowFault::Degree { found: degree, most }.into());
        }
        self.row.clear();
        if degree > 0 {
            self.copy(vertex, degree)?;
            self.intervals(vertex, degree)?;
            self.residuals(vertex, degree)?;
        }
        // The pieces are ascending, so this merges them.
        self.row.sort();
        if let Some(pair) = self.row.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(RowFault::Twice { target: pair[0] }.into());
        }
        self.targets.try_reserve(self.row.len())?;
        self.targets.extend(self.row.iter().map(|&target| V::new(target as usize)));
        self.offsets.push(self.targets.len());
        Ok(())
    }

    fn next(&mut self, code: Code) -> Result<u64, RowFault> {
        self.bits.next(code).ok_or(RowFault::Ends)
    }

    /// Reads which blocks of which row are copied, and copies them.
    fn copy(&mut self, vertex: u64, degree: u64) -> Result<(), Failure> {
        let Properties { window, references, .. } = *self.properties;
        let reference = if window > 0 { self.next(references)? } else { 0 };
        let most = window.min(vertex);
        if reference > most {
            return Err(RowFault::Reference { found: reference, most }.into());
        }
        if reference == 0 {
            return Ok(());
        }
        let copied = (vertex - reference) as usize;
        let (mut at, end) = (self.offsets[copied], self.offsets[copied + 1]);
        let num_blocks = self.next(Code::Gamma)?;
        // Blocks are copied and skipped by turns. The last one is what is left of the row.
        for block in 0..=num_blocks {
            let left = (end - at) as u64;
            let len = match block {
                _ if block == num_blocks => left,
                0 => self.next(Code::Gamma)?,
                _ => self.next(Code::Gamma)?.saturating_add(1),
            };
            if len > left {
                return Err(RowFault::Block { found: len, left }.into());
            }
            let targets = &self.targets[at..at + len as usize];
            at += len as usize;
            if block % 2 == 0 {
                if self.row.len() as u64 + len > degree {
                    return Err(RowFault::TooLong { degree }.into());
                }
                self.row.try_reserve(targets.len())?;
                self.row.extend(targets.iter().map(|target| target.index() as u64));
            }
        }
        Ok(())
    }

    fn intervals(&mut self, vertex: u64, degree: u64) -> Result<(), Failure> {
        let Properties { least_interval, num_vertices, .. } = *self.properties;
        let mut left = degree - self.row.len() as u64;
        if left == 0 || least_interval == 0 {
            return Ok(());
        }
        let mut last = None;
        for _ in 0..self.next(Code::Gamma)? {
            let number = self.next(Code::Gamma)?;
            // Between two intervals is at least one vertex.
            let start = place(vertex, last, 2, number);
            let len = self.next(Code::Gamma)?.saturating_add(least_interval);
            if len > left {
                return Err(RowFault::TooLong { degree }.into());
            }
            let Some(start) = start.filter(|start| *start < num_vertices && len <= num_vertices - start) else {
                return Err(RowFault::Target { found: start, num_vertices }.into());
            };
            self.row.try_reserve(len as usize)?;
            self.row.extend(start..start + len);
            left -= len;
            last = Some(start + len - 1);
        }
        Ok(())
    }

    fn residuals(&mut self, vertex: u64, degree: u64) -> Result<(), Failure> {
        let Properties { residuals, num_vertices, .. } = *self.properties;
        let mut last = None;
        for _ in self.row.len() as u64..degree {
            let number = self.next(residuals)?;
            let found = place(vertex, last, 1, number);
            let Some(target) = found.filter(|&target| target < num_vertices) else {
                return Err(RowFault::Target { found, num_vertices }.into());
            };
            self.row.try_reserve(1)?;
            self.row.push(target);
            last = Some(target);
        }
        Ok(())
    }
}

/// The vertex that a number stands for: the first one by its distance from the vertex of the row, in either direction,
/// others by their distance beyond the `least` from the last one. `None` if it is below 0 or above 2^64.
fn place(vertex: u64, last: Option<u64>, least: u64, number: u64) -> Option<u64> {
    match last {
        None => vertex.checked_add_signed(signed(number)),
        Some(last) => last.checked_add(least)?.checked_add(number),
    }
}
