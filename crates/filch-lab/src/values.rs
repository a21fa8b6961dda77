//! Parsers for the values of options that several commands have.

/// A number from 1 up.
pub fn at_least_one(value: &str) -> Result<usize, String> {
    match value.parse() {
        Ok(0) => Err("must be at least 1".into()),
        Ok(number) => Ok(number),
        Err(_) => Err("must be a number".into()),
    }
}
