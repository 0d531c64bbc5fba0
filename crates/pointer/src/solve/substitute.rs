//! Offline variable substitution: variables that must have equal sets become one before solving.
//!
//! Hash-based value numbering (Hardekopf and Lin, "Exploiting pointer and location equivalence",
//! 2007). Copy cycles are one variable. Then each variable gets a label, after those that it is
//! computed from:
//!
//! * an address its own; a load or an offset one for the label of its pointer;
//! * a variable with several sources the set of their labels, with one source that label;
//! * a variable that may receive more while solving (contents, parameters of functions whose
//!   address is taken, results of indirect calls), or whose source is not labelled yet, a fresh one.
//!
//! Equal labels, equal sets. Label 0 is the empty set: such variables, mostly integers, vanish.

use caulk_base::FxHashMap;
use caulk_ssa::Lists;

use super::components::components;
use super::forest::Forest;
use crate::constraint::Constraint;
use crate::nodes::NodeId;

pub(crate) struct Substitution {
    pub classes: Forest,
    /// By node: whether it can point anywhere.
    pub points: Vec<bool>,
    pub substituted: usize,
}

const EMPTY: u32 = 0;
const UNKNOWN: u32 = u32::MAX;

#[derive(Clone, PartialEq, Eq, Hash)]
enum Term {
    Address(u32),
    Offset(u32, i64),
    Load(u32),
    Set(Box<[u32]>),
}

#[derive(Clone, Copy)]
enum Source {
    Address(u32),
    Copy(NodeId),
    Offset(NodeId, i64),
    Load(NodeId),
}

impl Source {
    fn node(self) -> Option<NodeId> {
        match self {
            Source::Address(_) => None,
            Source::Copy(from) | Source::Offset(from, _) | Source::Load(from) => Some(from),
        }
    }
}

pub(crate) fn substitute(
    count: usize,
    constraints: &[Constraint],
    receives_more: &[bool],
) -> Substitution {
    let mut classes = copy_cycles(count, constraints);
    let mut receives = vec![false; count];
    for node in 0..count {
        receives[classes.find(node as u32) as usize] |= receives_more[node];
    }
    let pairs: Vec<(NodeId, Source)> =
        constraints.iter().filter_map(|constraint| source(&mut classes, *constraint)).collect();
    let sources = Lists::from_pairs(count, &pairs);
    let mut labels = Labels::new(count, &sources, &receives);
    for node in 0..count {
        let class = classes.find(node as u32);
        labels.visit(NodeId(class));
    }
    merge_equal(classes, &labels.of)
}

fn copy_cycles(count: usize, constraints: &[Constraint]) -> Forest {
    let copies: Vec<(NodeId, u32)> = constraints
        .iter()
        .filter_map(|constraint| match *constraint {
            Constraint::Copy { to, from } => Some((from, to.0)),
            _ => None,
        })
        .collect();
    let copies = Lists::from_pairs(count, &copies);
    let found = components(count, |node| &copies[NodeId(node)]);
    let mut first = vec![u32::MAX; found.count as usize];
    let mut classes = Forest::new(count);
    for (node, &component) in found.of.iter().enumerate() {
        let first = &mut first[component as usize];
        *first = (*first).min(node as u32);
        classes.join(*first, node as u32);
    }
    classes
}

fn source(classes: &mut Forest, constraint: Constraint) -> Option<(NodeId, Source)> {
    let mut find = |node: NodeId| NodeId(classes.find(node.0));
    match constraint {
        Constraint::Address { to, loc } => Some((find(to), Source::Address(loc.0))),
        Constraint::Copy { to, from } => {
            let (to, from) = (find(to), find(from));
            (to != from).then_some((to, Source::Copy(from)))
        }
        Constraint::Offset { to, from, by } => Some((find(to), Source::Offset(find(from), by))),
        Constraint::Load { to, from } => Some((find(to), Source::Load(find(from)))),
        _ => None,
    }
}

struct Labels<'a> {
    sources: &'a Lists<NodeId, Source>,
    receives_more: &'a [bool],
    of: Vec<u32>,
    entered: Vec<bool>,
    next: u32,
    terms: FxHashMap<Term, u32>,
}

impl<'a> Labels<'a> {
    fn new(count: usize, sources: &'a Lists<NodeId, Source>, receives_more: &'a [bool]) -> Self {
        Self {
            sources,
            receives_more,
            of: vec![UNKNOWN; count],
            entered: vec![false; count],
            next: EMPTY,
            terms: FxHashMap::default(),
        }
    }

    /// Depth first, so that sources come before what is computed from them.
    fn visit(&mut self, root: NodeId) {
        let mut path = vec![(root, 0)];
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            if *next == 0 {
                if self.entered[node.0 as usize] {
                    path.pop();
                    continue;
                }
                self.entered[node.0 as usize] = true;
            }
            let sources = &self.sources[node];
            let open = sources[*next..].iter().position(|source| {
                source.node().is_some_and(|from| !self.entered[from.0 as usize])
            });
            match open {
                Some(skip) => {
                    *next += skip + 1;
                    let from = sources[*next - 1].node();
                    path.extend(from.map(|from| (from, 0)));
                }
                None => {
                    self.of[node.0 as usize] = self.label(node);
                    path.pop();
                }
            }
        }
    }

    fn label(&mut self, node: NodeId) -> u32 {
        if self.receives_more[node.0 as usize] {
            return self.fresh();
        }
        let mut labels = Vec::new();
        for &source in &self.sources[node] {
            match self.of_source(source) {
                UNKNOWN => return self.fresh(),
                EMPTY => {}
                label => labels.push(label),
            }
        }
        labels.sort_unstable();
        labels.dedup();
        match labels[..] {
            [] => EMPTY,
            [label] => label,
            _ => self.number(Term::Set(labels.into_boxed_slice())),
        }
    }

    fn of_source(&mut self, source: Source) -> u32 {
        let label = source.node().map_or(UNKNOWN, |from| self.of[from.0 as usize]);
        match source {
            Source::Address(loc) => self.number(Term::Address(loc)),
            _ if label == EMPTY || label == UNKNOWN => label,
            Source::Copy(_) => label,
            Source::Offset(_, by) => self.number(Term::Offset(label, by)),
            Source::Load(_) => self.number(Term::Load(label)),
        }
    }

    fn number(&mut self, term: Term) -> u32 {
        let next = &mut self.next;
        *self.terms.entry(term).or_insert_with(|| {
            *next += 1;
            *next
        })
    }

    fn fresh(&mut self) -> u32 {
        self.next += 1;
        self.next
    }
}

fn merge_equal(mut classes: Forest, labels: &[u32]) -> Substitution {
    let mut first: FxHashMap<u32, u32> = FxHashMap::default();
    let mut points = vec![false; labels.len()];
    let roots: Vec<u32> = (0..labels.len()).map(|node| classes.find(node as u32)).collect();
    let mut kept = 0;
    for (node, &root) in roots.iter().enumerate() {
        let label = labels[root as usize];
        points[node] = label != EMPTY;
        if label != EMPTY && root as usize == node {
            let same = *first.entry(label).or_insert(root);
            kept += usize::from(same == root);
            classes.join(same, root);
        }
    }
    Substitution { classes, points, substituted: labels.len() - kept }
}
