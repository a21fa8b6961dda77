//! The output files of a comparison: JSON, picture and page.

use std::path::Path;
use std::time::SystemTime;

use super::figure;
use super::page::Page;
use super::plan::{Comparison, Peer, Task};
use super::row::Row;
use crate::failure::Failure;
use crate::output;
use crate::show::json::to_json;

/// The output files of a comparison that has started.
#[derive(Debug)]
pub struct Files<'a> {
    comparison: &'a Comparison,
    begun: SystemTime,
}

impl<'a> Files<'a> {
    /// Checks, before anything is measured, that all files can be written.
    pub fn check(comparison: &'a Comparison) -> Result<Self, Failure> {
        let Comparison { json, svg, html, .. } = comparison;
        let options = [("--json", json), ("--svg", svg), ("--html", html)];
        let named: Vec<(&str, &Path)> =
            options.into_iter().filter_map(|(option, path)| Some((option, path.as_deref()?))).collect();
        for (_, path) in &named {
            output::check_writable(path)?;
        }
        output::check_distinct([], &named)?;
        if comparison.svg.is_some() && !comparison.against.contains(&Peer::Serial) {
            let message = "--svg shows times relative to the serial program: add serial to --against";
            return Err(Failure::Usage(message.into()));
        }
        Ok(Self { comparison, begun: SystemTime::now() })
    }

    /// Writes all files.
    pub fn write(&self, tasks: &[Task], rows: &[Row]) -> Result<(), Failure> {
        let Self { comparison, begun } = *self;
        if let Some(path) = &comparison.json {
            output::write_whole(path, &to_json(&rows))?;
        }
        if let Some(path) = &comparison.svg {
            output::write_whole(path, figure::draw(comparison, rows).as_bytes())?;
        }
        if let Some(path) = &comparison.html {
            output::write_whole(path, Page { comparison, tasks, rows, begun }.to_html().as_bytes())?;
        }
        Ok(())
    }
}
