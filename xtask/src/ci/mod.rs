//! `cargo xtask ci`: all checks of the project.
//!
//! - [`steps`]: the list of them, and nothing else;
//! - [`step`]: what a check is made of;
//! - [`needs`]: what it needs of the machine;
//! - [`schedule`]: which one begins next;
//! - [`execute`]: processes, logs, signals, and the report.

mod execute;
mod needs;
mod schedule;
mod step;
mod steps;

use step::Step;

/// How many run at a time. Few steps keep more than one processor busy, and CI's machine has two.
const JOBS: usize = 2;

pub(crate) fn main(options: &[&str]) -> Result<(), String> {
    let (mut names, mut jobs, mut lists) = (Vec::new(), JOBS, false);
    let mut options = options.iter();
    while let Some(option) = options.next() {
        let mut value = || options.next().copied().ok_or_else(|| format!("ci: {option} is followed by a value"));
        match *option {
            "--only" => names.push(value()?),
            "--jobs" => {
                let text = value()?;
                jobs = text.parse().ok().filter(|&jobs| jobs > 0).ok_or_else(|| {
                    format!("ci: --jobs is followed by how many steps run at a time, 1 or more, not by {text}")
                })?;
            }
            "--list" => lists = true,
            _ => return Err(format!("ci: no option {option}\n\n{}", super::USAGE)),
        }
    }
    let steps = chosen(steps::steps()?, &names)?;
    if lists {
        for step in &steps {
            println!("{}, about {} s: {}", step.name, step.seconds, step.typed());
        }
        println!("\nabout {} min, {jobs} at a time", schedule::expected(&steps, jobs).div_ceil(60));
        return Ok(());
    }
    match execute::execute(&steps, jobs) {
        Ok(true) => Ok(()),
        Ok(false) => Err("ci: at least one step has failed, see above".to_owned()),
        Err(error) => Err(format!("ci: a process or a log cannot be used: {error}")),
    }
}

/// The steps whose names contain one of `names`, and those that they wait for. All of them if there are no names.
fn chosen(steps: Vec<Step>, names: &[&str]) -> Result<Vec<Step>, String> {
    if let Some(name) = names.iter().find(|name| !steps.iter().any(|step| step.name.contains(**name))) {
        return Err(format!("ci: no step has a name that contains {name}; `cargo xtask ci --list` lists them"));
    }
    let mut is_chosen: Vec<bool> =
        steps.iter().map(|step| names.is_empty() || names.iter().any(|name| step.name.contains(name))).collect();
    while let Some(awaited) = (0..steps.len()).find(|&other| {
        !is_chosen[other]
            && steps.iter().zip(&is_chosen).any(|(step, chosen)| *chosen && step.after == Some(&*steps[other].name))
    }) {
        is_chosen[awaited] = true;
    }
    Ok(steps.into_iter().zip(is_chosen).filter_map(|(step, chosen)| chosen.then_some(step)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use step::step;

    fn names(names: &[&str]) -> Result<Vec<String>, String> {
        let steps = vec![step("build", 1, ""), step("loom", 1, ""), step("run it", 1, "").after("build")];
        Ok(chosen(steps, names)?.into_iter().map(|step| step.name).collect())
    }

    #[test]
    fn a_chosen_step_comes_with_what_it_waits_for() {
        assert_eq!(names(&["run"]).expect("there is one"), ["build", "run it"]);
        assert_eq!(names(&[]).expect("all").len(), 3);
    }

    #[test]
    fn a_name_that_no_step_has_is_refused() {
        assert!(names(&["loom", "spin"]).is_err());
    }
}
