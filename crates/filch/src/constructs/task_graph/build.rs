//! Graphs that are being built.

use super::graph::{ALWAYS, Edge, TaskGraph};
use super::node::{NO_RESULT, Node, Task};
use crate::constructs::strand::Strand;
use std::cell::RefCell;
use std::fmt;

/// A [`TaskGraph`] that is being built: what [`TaskGraph::builder`] returns.
pub struct TaskGraphBuilder<'env>(RefCell<Parts<'env>>);

struct Parts<'env> {
    tasks: Vec<Added<'env>>,
    names: Vec<(u32, String)>,
    arcs: Vec<Arc>,
}

struct Added<'env> {
    f: Task<'env>,
    is_choice: bool,
}

struct Arc {
    from: u32,
    edge: Edge,
}

/// A task of a graph that is being built. It is a name for the task, and can be copied.
#[derive(Clone, Copy)]
pub struct GraphTask<'b, 'env> {
    builder: &'b TaskGraphBuilder<'env>,
    node: u32,
}

impl<'env> TaskGraph<'env> {
    /// A graph without tasks, to which tasks are added.
    pub fn builder() -> TaskGraphBuilder<'env> {
        TaskGraphBuilder::new()
    }
}

impl<'env> TaskGraphBuilder<'env> {
    fn new() -> Self {
        TaskGraphBuilder(RefCell::new(Parts { tasks: Vec::new(), names: Vec::new(), arcs: Vec::new() }))
    }

    /// Adds a task.
    ///
    /// # Panics
    ///
    /// If the graph has 2³² tasks.
    pub fn task<F>(&self, mut task: F) -> GraphTask<'_, 'env>
    where
        F: FnMut(Strand<'_>) + Send + 'env,
    {
        self.add(
            Box::new(move |s| {
                task(s);
                NO_RESULT
            }),
            false,
        )
    }

    /// Adds a choice: a task that decides by its result which of the tasks that depend on its result run
    /// ([`GraphTask::when`]).
    ///
    /// The others are skipped, and so are the tasks after them, unless something before these runs: a task is skipped
    /// if a choice before it decides against it, or if all tasks before it are skipped. So two branches of a choice can
    /// meet again. These are the conditional tasks of Huang, Lin, Lin and Lin 2022, without cycles.
    ///
    /// # Panics
    ///
    /// If the graph has 2³² tasks.
    ///
    /// ```
    /// use std::sync::Mutex;
    ///
    /// let said = Mutex::new(Vec::new());
    /// let say = |word| { let said = &said; move |_: filch::Strand<'_>| said.lock().unwrap().push(word) };
    /// let graph = filch::TaskGraph::builder();
    /// let is_even = graph.choice(|_| usize::from(said.lock().unwrap().len() % 2 == 0));
    /// let odd = graph.task(say("odd")).when(is_even, 0);
    /// let even = graph.task(say("even")).when(is_even, 1);
    /// graph.task(say("done")).after(&[odd, even]);
    /// let mut graph = graph.build()?;
    /// graph.run();
    /// said.lock().unwrap().push("and");
    /// graph.run();
    /// assert_eq!(*said.lock().unwrap(), ["even", "done", "and", "odd", "done"]);
    /// # Ok::<(), filch::CycleError>(())
    /// ```
    pub fn choice<F>(&self, choice: F) -> GraphTask<'_, 'env>
    where
        F: FnMut(Strand<'_>) -> usize + Send + 'env,
    {
        self.add(Box::new(choice), true)
    }

    #[inline]
    fn add(&self, f: Task<'env>, is_choice: bool) -> GraphTask<'_, 'env> {
        let tasks = &mut self.0.borrow_mut().tasks;
        let node = u32::try_from(tasks.len()).expect("a graph has fewer than 2^32 tasks");
        tasks.push(Added { f, is_choice });
        GraphTask { builder: self, node }
    }

    /// Builds the graph.
    ///
    /// Work: linear in the number of tasks and of dependencies. Memory: 40 bytes and the closure for a task, and 8 for
    /// a dependency.
    ///
    /// # Errors
    ///
    /// [`CycleError`] if tasks wait for each other.
    ///
    /// # Panics
    ///
    /// If the graph has 2³¹ dependencies.
    ///
    /// ```
    /// let graph = filch::TaskGraph::builder();
    /// let hen = graph.task(|_| ()).name("hen");
    /// let egg = graph.task(|_| ()).name("egg").after(&[hen]);
    /// hen.after(&[egg]);
    /// assert_eq!(graph.build().unwrap_err().cycle(), ["hen", "egg"]);
    /// ```
    #[inline]
    pub fn build(self) -> Result<TaskGraph<'env>, CycleError> {
        let Parts { tasks, names, arcs } = self.0.into_inner();
        let mut before = vec![0; tasks.len()];
        arcs.iter().for_each(|arc| before[arc.edge.to as usize] += 1);
        let (first, edges) = by_origin(&arcs, tasks.len());
        drop(arcs);
        if let Some(cycle) = cycle(&first, &edges, &before) {
            let name_of = |node: u32| {
                let name = names.iter().rev().find(|(named, _)| *named == node).map(|(_, name)| name.clone());
                name.unwrap_or_else(|| format!("#{node}"))
            };
            return Err(CycleError { cycle: cycle.into_iter().map(name_of).collect() });
        }
        let roots = nodes_where(&before, |before| before == 0).collect();
        let nodes =
            tasks.into_iter().zip(before).zip(first).map(|((task, before), first)| Node::new(task.f, before, first));
        Ok(TaskGraph::of(nodes.collect(), edges.into(), roots))
    }
}

/// The edges, by the tasks that they come from, and where those of each task begin.
#[inline]
fn by_origin(arcs: &[Arc], tasks: usize) -> (Vec<u32>, Vec<Edge>) {
    assert!(arcs.len() < 1 << 31, "a graph has fewer than 2^31 dependencies");
    let mut first = vec![0; tasks + 1];
    arcs.iter().for_each(|arc| first[arc.from as usize + 1] += 1);
    let mut sum = 0;
    first.iter_mut().for_each(|first| {
        sum += *first;
        *first = sum;
    });
    let mut next = first.clone();
    let mut edges = vec![Edge { to: 0, case: ALWAYS }; arcs.len()];
    for arc in arcs {
        let place = &mut next[arc.from as usize];
        edges[*place as usize] = arc.edge;
        *place += 1;
    }
    (first, edges)
}

fn nodes_where(values: &[u32], is: impl Fn(u32) -> bool) -> impl Iterator<Item = u32> {
    (0..).zip(values).filter(move |(_, value)| is(**value)).map(|(node, _)| node)
}

/// The tasks of a cycle, each after the one before it. `before` is how many edges lead to each task.
#[inline]
fn cycle(first: &[u32], edges: &[Edge], before: &[u32]) -> Option<Vec<u32>> {
    let edges_of = |node: u32| &edges[first[node as usize] as usize..first[node as usize + 1] as usize];
    let mut waits_for = before.to_vec();
    let mut ready: Vec<u32> = nodes_where(before, |before| before == 0).collect();
    while let Some(node) = ready.pop() {
        for edge in edges_of(node) {
            let waits_for = &mut waits_for[edge.to as usize];
            *waits_for -= 1;
            if *waits_for == 0 {
                ready.push(edge.to);
            }
        }
    }
    // Each task that cannot begin waits for another one of these. Whoever goes from task to task that way comes to a
    // cycle.
    let mut at = nodes_where(&waits_for, |waits_for| waits_for > 0).next()?;
    let mut waits_on = vec![None; before.len()];
    for node in nodes_where(&waits_for, |waits_for| waits_for > 0) {
        edges_of(node).iter().for_each(|edge| waits_on[edge.to as usize] = Some(node));
    }
    let mut place = vec![None; before.len()];
    let mut path = Vec::new();
    while place[at as usize].is_none() {
        place[at as usize] = Some(path.len());
        path.push(at);
        at = waits_on[at as usize]?;
    }
    let mut cycle = path.split_off(place[at as usize]?);
    cycle.reverse();
    // It begins with the task that was added first.
    let first = (0..cycle.len()).min_by_key(|&place| cycle[place])?;
    cycle.rotate_left(first);
    Some(cycle)
}

impl GraphTask<'_, '_> {
    /// Lets this task run after others, or more others.
    ///
    /// # Panics
    ///
    /// If one of them is a task of another graph.
    #[inline]
    pub fn after(self, others: &[Self]) -> Self {
        others.iter().for_each(|other| self.depend_on(*other, ALWAYS));
        self
    }

    /// Lets this task run after a [choice](TaskGraphBuilder::choice), and only if the choice returns `case`. A task
    /// that must run [`after`](Self::after) a choice runs whatever that returns.
    ///
    /// # Panics
    ///
    /// If `choice` is not a choice, or of another graph, or if `case` is not below 2³² - 1.
    #[inline]
    pub fn when(self, choice: Self, case: usize) -> Self {
        self.check(choice);
        let is_choice = self.builder.0.borrow().tasks[choice.node as usize].is_choice;
        assert!(is_choice, "a task depends on the result of a choice; make it with `choice`");
        let case = u32::try_from(case).ok().filter(|&case| case != ALWAYS).expect("a case is below 2^32 - 1");
        self.depend_on(choice, case);
        self
    }

    /// Names the task, for errors.
    pub fn name(self, name: impl Into<String>) -> Self {
        self.builder.0.borrow_mut().names.push((self.node, name.into()));
        self
    }

    fn check(self, other: Self) {
        assert!(std::ptr::eq(self.builder, other.builder), "a task depends on tasks of its own graph");
    }

    #[inline]
    fn depend_on(self, other: Self, case: u32) {
        self.check(other);
        self.builder.0.borrow_mut().arcs.push(Arc { from: other.node, edge: Edge { to: self.node, case } });
    }
}

/// The error of a graph whose tasks wait for each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CycleError {
    cycle: Vec<String>,
}

impl fmt::Display for CycleError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tasks wait for each other: {} → {}", self.cycle.join(" → "), self.cycle[0])
    }
}

impl std::error::Error for CycleError {}

impl CycleError {
    /// The names of the tasks of a cycle, each of which runs after the one before it, and the first after the last. A
    /// task without a name is `#` and its number in the order in which tasks were added.
    pub fn cycle(&self) -> &[String] {
        &self.cycle
    }
}

impl fmt::Debug for TaskGraphBuilder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TaskGraphBuilder").field("tasks", &self.0.borrow().tasks.len()).finish_non_exhaustive()
    }
}

impl fmt::Debug for GraphTask<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("GraphTask").field(&self.node).finish()
    }
}
