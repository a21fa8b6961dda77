//! Contexts: the sites of the forks and spawns around a piece of a strand. A site that calls itself counts once.

use crate::engine::profile::log::{Event, Log};

/// What a site has, all in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OfSite {
    /// The forks and spawns that were timed.
    pub(crate) forks: u64,
    /// The time of all pieces inside of them.
    pub(crate) work_ns: u64,
    /// Those that are on the span.
    pub(crate) on_span_ns: u64,
    /// The sum of their own spans.
    pub(crate) own_span_ns: u64,
}

/// A place in the tree of sites.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Context {
    /// The place around it. That of the root is itself.
    pub(crate) parent: usize,
    /// The site of the forks that it stands for. That of the root is none.
    pub(crate) site: usize,
    pub(crate) forks: u64,
    /// The time of its pieces, without those of the places inside.
    pub(crate) work_ns: u64,
    pub(crate) on_span_ns: u64,
    children: Vec<usize>,
}

impl Context {
    /// The runs themselves.
    pub(crate) fn root() -> Self {
        Context { site: usize::MAX, ..Context::default() }
    }

    /// Whether there is another place around it.
    pub(crate) fn is_inside(&self) -> bool {
        self.site != usize::MAX
    }
}

/// The tree of sites. The first place is the root, and each comes after the one around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Contexts(Vec<Context>);

impl Default for Contexts {
    fn default() -> Self {
        Contexts(vec![Context::root()])
    }
}

impl Contexts {
    /// The contexts of a log, in which nothing is wrong.
    pub(crate) fn of(log: &Log, groups: &[usize], is_on_span: &[bool]) -> Self {
        let mut contexts = Contexts::default();
        let (mut here, mut outer, mut spawned) = (0, Vec::new(), Vec::new());
        for ((ns, event), &is_on_span) in log.iter().zip(is_on_span) {
            let context = &mut contexts.0[here];
            context.work_ns += ns;
            context.on_span_ns += if is_on_span { ns } else { 0 };
            match event {
                Event::Fork { site } => {
                    outer.push(here);
                    here = contexts.inside(here, groups[site as usize]);
                    contexts.0[here].forks += 1;
                }
                Event::Spawn { site, .. } => {
                    let context = contexts.inside(here, groups[site as usize]);
                    contexts.0[context].forks += 1;
                    spawned.push(context);
                }
                Event::Begin { task } => {
                    outer.push(here);
                    here = spawned[task as usize];
                }
                Event::Join | Event::End => here = outer.pop().unwrap_or(0),
                _ => {}
            }
        }
        contexts
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Context> {
        self.0.iter()
    }

    /// Adds to each site what is on the span inside of it.
    pub(super) fn add_to(&self, sites: &mut [OfSite]) {
        for context in &self.0 {
            let mut at = context;
            while at.is_inside() {
                add(&mut sites[at.site].on_span_ns, context.on_span_ns);
                at = &self.0[at.parent];
            }
        }
    }

    /// Adds those of another log with the same sites.
    pub(super) fn add(&mut self, other: &Contexts) {
        let mut places = Vec::new();
        for context in &other.0 {
            let place = if context.is_inside() { self.inside(places[context.parent], context.site) } else { 0 };
            places.push(place);
            let here = &mut self.0[place];
            add(&mut here.forks, context.forks);
            add(&mut here.work_ns, context.work_ns);
            add(&mut here.on_span_ns, context.on_span_ns);
        }
    }

    /// The context of a site inside of another context. If the site is one of those around it, that is the context.
    fn inside(&mut self, here: usize, site: usize) -> usize {
        let mut around = here;
        while self.0[around].is_inside() {
            if self.0[around].site == site {
                return around;
            }
            around = self.0[around].parent;
        }
        if let Some(&known) = self.0[here].children.iter().find(|&&child| self.0[child].site == site) {
            return known;
        }
        self.0.push(Context { parent: here, site, ..Context::default() });
        let new = self.0.len() - 1;
        self.0[here].children.push(new);
        new
    }
}

/// Adds up to the largest number: files may say anything.
pub(super) fn add(sum: &mut u64, more: u64) {
    *sum = sum.saturating_add(more);
}
