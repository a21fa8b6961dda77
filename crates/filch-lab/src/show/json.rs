//! Figures as JSON.

use serde::{Serialize, Serializer};

/// A value as JSON, in several lines.
pub fn to_json(value: &impl Serialize) -> Vec<u8> {
    let mut json = serde_json::to_vec_pretty(value).expect("all keys are strings");
    json.push(b'\n');
    json
}

/// Serializes pairs as a map.
pub fn as_map<S: Serializer>(pairs: &[(&'static str, u64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().copied())
}
