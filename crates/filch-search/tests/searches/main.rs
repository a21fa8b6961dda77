//! The crate from outside.

mod brute_force;
mod files;
mod published;
mod refused;
mod tsplib;
mod verify;
