use super::grow;
use super::powers::Powers;
use crate::stress::legal_panics::note_panic;
use crate::stress::oracle::evaluation::meaning;
use crate::stress::program::{Kind, Leaf, LoopForm, Program};

const ALL: Powers =
    Powers { locks: true, panics: true, scopes: true, awaits: 3, pools: 3, nest_any: false, callbacks: true };

/// Calls `check` with each node of some programs, the mutexes held there, and the pool.
fn each_node(powers: Powers, mut check: impl FnMut(&Program, usize, &[usize], usize)) {
    for seed in 0..200 {
        let program = grow(seed, powers, 0);
        let mut around = vec![(vec![], 0); program.nodes.len()];
        for node in 0..program.nodes.len() {
            check(&program, node, &around[node].0, around[node].1);
            let mut inside = around[node].clone();
            match program.nodes[node].kind {
                Kind::Run { pool, .. } => inside.1 = pool,
                Kind::Locked { lock, .. } => inside.0.push(lock),
                // A task sees what is around its scope.
                Kind::Spawn { scope, .. } => inside = around[scope].clone(),
                _ => {}
            }
            program.parts(node).into_iter().for_each(|part| around[part] = inside.clone());
        }
    }
}

#[test]
fn the_same_seed_grows_the_same_program_and_another_seed_another_one() {
    let digest = |seed| grow(seed, ALL, 0).digest();
    assert_eq!(digest(7), digest(7));
    assert_ne!(digest(7), digest(8));
}

#[test]
fn parts_of_a_node_are_the_numbers_up_to_its_end() {
    each_node(ALL, |program, node, _, _| {
        if let Kind::Join { a, b, .. } = program.nodes[node].kind {
            assert_eq!((a, b), (node + 1, program.nodes[a].end));
            assert_eq!(program.nodes[b].end, program.nodes[node].end);
        }
    });
}

#[test]
fn no_part_wants_a_mutex_that_is_held_around_it_or_one_with_a_lower_number() {
    let (mut wanted, mut held_wide) = (0, 0);
    each_node(ALL, |program, node, held, _| {
        let lock = match program.nodes[node].kind {
            Kind::Locked { lock, .. } | Kind::Leaf(Leaf::Lock(_, lock)) => lock,
            _ => return,
        };
        assert!(held.iter().all(|&outer| outer < lock), "{lock} inside {held:?}");
        wanted += 1;
        held_wide += usize::from(program.nodes[node].end > node + 3);
    });
    assert!(wanted > 100 && held_wide > 10, "{wanted} wishes, {held_wide} across joins");
}

#[test]
fn runs_enter_pools_with_lower_numbers_only_if_they_may() {
    let mut lower = 0;
    each_node(ALL, |program, node, _, outer| {
        if let Kind::Run { pool, .. } = program.nodes[node].kind {
            assert!(pool >= outer);
        }
    });
    each_node(Powers { nest_any: true, ..ALL }, |program, node, _, outer| {
        if let Kind::Run { pool, .. } = program.nodes[node].kind {
            lower += usize::from(pool < outer);
        }
    });
    assert!(lower > 0);
}

#[test]
fn loops_are_searches_and_speculations_too_and_the_latter_only_where_there_may_be_scopes() {
    let count = |scopes| {
        let (mut searches, mut speculations) = (0, 0);
        each_node(Powers { scopes, ..ALL }, |program, node, _, _| {
            if let Kind::Loop { form, .. } = program.nodes[node].kind {
                searches += usize::from(matches!(form, LoopForm::Search | LoopForm::SearchAny));
                speculations += usize::from(form == LoopForm::Speculate);
            }
        });
        (searches, speculations)
    };
    let ((_, without), (searches, speculations)) = (count(false), count(true));
    assert!(without == 0 && searches > 100 && speculations > 50, "{searches} searches, {speculations} speculations");
}

#[test]
fn awaiting_leaves_are_first_branches_and_no_more_than_allowed() {
    let mut awaits = std::collections::BTreeMap::new();
    each_node(ALL, |program, node, _, _| {
        if let Kind::Join { a, b, .. } = program.nodes[node].kind
            && let Kind::Leaf(Leaf::Await(_, other)) = program.nodes[a].kind
        {
            assert_eq!(other, b);
        }
        if let Kind::Leaf(Leaf::Await(..)) = program.nodes[node].kind {
            *awaits.entry(program.digest()).or_insert(0) += 1;
        }
    });
    assert!(!awaits.is_empty() && awaits.values().all(|&count| count <= 3));
}

#[test]
fn what_may_not_panic_does_not() {
    each_node(Powers { panics: false, ..ALL }, |program, node, _, _| {
        let kind = &program.nodes[node].kind;
        assert!(!matches!(kind, Kind::Leaf(Leaf::Panic { .. }) | Kind::Join { charge: Some(_), .. }));
    });
}

#[test]
fn a_task_is_left_to_a_scope_around_it_and_sees_nothing_further_in() {
    fn visit(program: &Program, node: usize, open: &mut Vec<usize>, outer: &mut usize) {
        let further_in = match program.nodes[node].kind {
            Kind::Spawn { scope, .. } => {
                let level = open.iter().position(|&open| open == scope).expect("it is around this node");
                *outer += usize::from(level + 1 < open.len());
                open.split_off(level + 1)
            }
            _ => vec![],
        };
        if let Kind::Scope { .. } = program.nodes[node].kind {
            open.push(node);
        }
        program.parts(node).into_iter().for_each(|part| visit(program, part, open, outer));
        if let Kind::Scope { .. } = program.nodes[node].kind {
            open.pop();
        }
        open.extend(further_in);
    }
    let mut outer = 0;
    for seed in 0..200 {
        visit(&grow(seed, ALL, 0), 0, &mut vec![], &mut outer);
    }
    assert!(outer > 100, "{outer} left to scopes further out");
}

const PANICS: Powers =
    Powers { locks: false, panics: true, scopes: true, awaits: 0, pools: 1, nest_any: false, callbacks: true };

/// For each node of a program, whether a panic can leave it.
fn panics(program: &Program) -> Vec<bool> {
    let mut panics = vec![false; program.nodes.len()];
    (0..program.nodes.len()).rev().for_each(|node| note_panic(program, node, &mut panics));
    panics
}

#[test]
fn of_the_iterations_of_a_loop_and_of_a_scopes_parts_one_panics_at_most() {
    let (mut loops, mut scopes, mut throwing) = (0, 0, 0);
    for seed in 0..300 {
        let program = grow(seed, PANICS, 0);
        let panics = panics(&program);
        for node in 0..program.nodes.len() {
            let count = |parts: &[usize]| parts.iter().filter(|&&part| panics[part]).count();
            match &program.nodes[node].kind {
                Kind::Loop { items, broken, .. } => {
                    assert!(count(items) + usize::from(broken.is_some()) <= 1, "seed {seed}, loop {node}");
                    loops += count(items);
                }
                &Kind::Scope { body, .. } => {
                    let tasks = count(&program.tasks_of(node));
                    assert!(tasks + count(&[body]) <= 1, "seed {seed}, scope {node}");
                    scopes += count(&[body]);
                    throwing += tasks;
                }
                _ => {}
            }
        }
    }
    assert!(loops > 10 && scopes > 10 && throwing > 10, "{loops} loops, {scopes} bodies, {throwing} tasks");
}

#[test]
fn a_task_that_panics_is_run() {
    for seed in 0..300 {
        let program = grow(seed, PANICS, 0);
        let (panics, must_run) = (panics(&program), meaning(&program).must_run);
        for scope in (0..program.nodes.len()).filter(|&node| must_run[node]) {
            if let Kind::Scope { .. } = program.nodes[scope].kind {
                let thrower = program.tasks_of(scope).into_iter().find(|&task| panics[task]);
                assert!(thrower.is_none_or(|task| must_run[task]), "seed {seed}, scope {scope}");
            }
        }
    }
}
