//! The theorems of the paper on random programs, and mistakes that break them.
#![allow(missing_docs)]

mod deep;
mod mutants;
mod printed;
mod processors;
mod programs;
mod rules;
mod theorems;
