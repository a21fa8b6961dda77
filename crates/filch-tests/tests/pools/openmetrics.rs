//! The meters of a pool as text, read by a strict parser of the rules that it must keep.

use filch::{Activity, Counters, Pool};
use std::collections::{HashMap, HashSet};

/// A family of metrics: its type, whether it has a help text, its unit, and its samples by their suffix and labels.
#[derive(Debug, Default)]
struct Family {
    kind: String,
    has_help: bool,
    unit: Option<String>,
    samples: HashMap<(String, Vec<(String, String)>), f64>,
}

/// The labels of a sample, in order, and what follows them.
fn labels(text: &str) -> (Vec<(String, String)>, &str) {
    let Some(mut rest) = text.strip_prefix('{') else { return (Vec::new(), text) };
    let mut labels = Vec::new();
    loop {
        let (name, value) = rest.split_once("=\"").expect("a label has a value in quotes");
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'), "{name}");
        let (mut unescaped, mut chars) = (String::new(), value.char_indices());
        let end = loop {
            match chars.next().expect("the quote is closed") {
                (end, '"') => break end,
                (_, '\\') => unescaped.push(match chars.next().expect("something is escaped").1 {
                    'n' => '\n',
                    c @ ('\\' | '"') => c,
                    c => panic!("{c} cannot be escaped"),
                }),
                (_, c) => unescaped.push(c),
            }
        };
        labels.push((name.to_owned(), unescaped));
        rest = &value[end + 1..];
        match rest.strip_prefix(',') {
            Some(more) => rest = more,
            None => return (labels, rest.strip_prefix('}').expect("the labels are closed")),
        }
    }
}

/// Reads a text as the specification of OpenMetrics 1.0 has it, as far as a text of a pool goes.
fn parse(text: &str) -> HashMap<String, Family> {
    let (mut families, mut name, mut begun) = (HashMap::<String, Family>::new(), String::new(), HashSet::new());
    let text = text.strip_suffix("# EOF\n").expect("it says that this is the end");
    for line in text.lines() {
        if let Some(line) = line.strip_prefix("# ") {
            let mut words = line.splitn(3, ' ');
            let [keyword, family, value] = [(); 3].map(|()| words.next().expect("three words"));
            if keyword == "TYPE" {
                assert!(begun.insert(family.to_owned()), "{family} is in two places");
                family.clone_into(&mut name);
            }
            assert_eq!(family, name, "a family is in one place");
            let family = families.entry(name.clone()).or_default();
            assert!(family.samples.is_empty(), "what describes {name} comes before its samples");
            match keyword {
                "TYPE" => value.clone_into(&mut family.kind),
                "HELP" => family.has_help = !value.is_empty() && !value.contains('\n'),
                "UNIT" => {
                    assert!(name.ends_with(&format!("_{value}")), "{name} ends in {value}");
                    family.unit = Some(value.to_owned());
                }
                _ => panic!("{keyword} is no keyword"),
            }
            continue;
        }
        let family = families.get_mut(&name).expect("a family begins with its type");
        let end = line.find(['{', ' ']).expect("a sample has a value");
        let suffix = line[..end].strip_prefix(&name).expect("the name of a sample begins with that of its family");
        let (labels, value) = labels(&line[end..]);
        let value: f64 = value.strip_prefix(' ').expect("a blank").parse().expect("a number");
        let (expected, least) = match &*family.kind {
            "counter" => ("_total", 0.0),
            "info" => ("_info", 1.0),
            "gauge" | "stateset" => ("", 0.0),
            kind => panic!("{kind} is no type"),
        };
        assert!(suffix == expected && value >= least, "{line}");
        if family.kind == "stateset" {
            assert!(labels.iter().any(|(label, _)| *label == name) && (value == 0.0 || value == 1.0), "{line}");
        }
        assert!(family.samples.insert((suffix.to_owned(), labels), value).is_none(), "twice: {line}");
    }
    families
}

#[test]
#[cfg_attr(miri, ignore = "a parser in safe code")]
fn the_text_keeps_the_rules_of_openmetrics_and_has_what_the_pool_has_counted() {
    let pool = Pool::builder().workers(2).build().expect("a small pool");
    super::tree_on(&pool);
    let families = parse(&pool.openmetrics());
    assert!(families.values().all(|family| family.has_help), "{families:?}");
    let sample = |family: &str, suffix: &str, labels: &[(&str, &str)]| {
        let labels = labels.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        families[family].samples[&(suffix.to_owned(), labels)]
    };
    let number = pool.number().to_string();
    let of_pool = [("pool", &*number)];
    assert_eq!(sample("filch_workers", "", &of_pool), 2.0);
    assert_eq!(sample("filch_seats", "", &of_pool), 2.0);
    let scheduler = pool.scheduler().to_string();
    assert_eq!(sample("filch_pool", "_info", &[of_pool[0], ("scheduler", &scheduler)]), 1.0);
    // What the workers had counted before is not more than what they have now, and what they count seldom is the same.
    for worker in pool.worker_stats() {
        let index = worker.index.to_string();
        let labels = [of_pool[0], ("worker", &*index)];
        for (name, value) in worker.counters.iter() {
            match name.strip_suffix("_ns") {
                None => assert!(sample(&format!("filch_{name}"), "_total", &labels) <= value as f64, "{name}"),
                Some(name) => {
                    let name = format!("filch_{name}_seconds");
                    assert!(sample(&name, "_total", &labels) <= value as f64 / 1e9, "{name}");
                    assert_eq!(families[&name].unit.as_deref(), Some("seconds"));
                }
            }
        }
        let states = Activity::ALL.map(|activity| {
            let labels = [labels[0], labels[1], ("filch_worker_activity", activity.name())];
            sample("filch_worker_activity", "", &labels)
        });
        assert_eq!(states.iter().sum::<f64>(), 1.0, "a worker is in one state");
    }
    assert!(families.len() > Counters::descriptions().count());
}
