//! From the states at a function's returns to its summary.

use caulk_base::FxHashMap;
use caulk_guard::bits::{Compare, TermId};

use crate::alike::{
    add_may_keeps, add_may_releases, add_may_sweeps, tell_counts_apart, tell_statuses_apart,
};
use crate::exits::{Class, Detail, MadeAt, class, grouped, keep_what_was_found, kept_result};
use crate::explore::{Explored, RETURNED};
use crate::nodes::Lazily;
use crate::space::{Epoch, Origin, Space};
use crate::state::{Certainty, Phase, State};
use crate::step::Exec;
use crate::summary::{Case, Expr, Release, Summary, Sweep};

/// More kinds of exits than these are told apart by their result alone.
const MOST_CASES: usize = 8;
const MOST_MARKS: usize = 16;
const MOST_CONDITIONS: usize = 10;
pub const DEEPEST: u32 = 7;

pub fn export(exec: &mut Exec<'_>, explored: Explored) -> Summary {
    let mut returns = explored.returns;
    returns.iter_mut().for_each(|state| keep_what_was_found(exec, state));
    let mut groups = Vec::new();
    for detail in [Detail::Conditions, Detail::Effects, Detail::Result] {
        groups = grouped(exec, &returns, detail);
        if groups.len() <= MOST_CASES {
            break;
        }
    }
    let kept: Vec<MadeAt> = groups.iter().filter_map(|state| kept_result(exec, state)).collect();
    let mut cases: Vec<Case> = groups.iter().map(|state| case(exec, state, &kept)).collect();
    let classes: Vec<Class> = groups.iter().map(|state| class(exec, state)).collect();
    add_may_releases(&mut cases, &classes);
    add_may_sweeps(&mut cases, &classes);
    add_may_keeps(exec, &mut cases, &classes);
    tell_statuses_apart(&mut cases);
    tell_counts_apart(exec, &groups, &mut cases, &classes);
    let rough = explored.gave_up || explored.coarse;
    let made = cases.iter_mut().flat_map(|case| &mut case.makes);
    made.for_each(|made| made.unsure |= rough);
    Summary {
        cases,
        written: std::mem::take(&mut exec.written),
        unknown_effects: exec.unknown_effects,
        rough,
        suspects: std::mem::take(&mut exec.suspects).into_iter().collect(),
        numbers: Lazily::default(),
    }
}

/// The one case of a function that only computes a number; none where that is a choice of numbers, of
/// which callers know more if they are told case by case.
pub fn closed_case(exec: &mut Exec<'_>, result: TermId) -> Option<Case> {
    if exec.space.is_choice(result) {
        return None;
    }
    let state = State::new();
    let mut export = Export::new(exec, &state, &[]);
    let result = export.expr(result, 2 * DEEPEST).filter(|_| export.unknown.is_empty())?;
    Some(Case { result: Some(result), ..Case::default() })
}

pub fn case(exec: &mut Exec<'_>, state: &State, kept: &[MadeAt]) -> Case {
    let mut export = Export::new(exec, state, kept);
    let result = state.values.get(RETURNED).copied();
    let mut case = Case::default();
    export.stores_without_name(&mut case);
    export.far_statics(&mut case);
    if let Some(result) = result {
        case.result = Some(export.value(result));
    }
    export.given_away();
    export.stores(&mut case);
    export.zeros(&mut case);
    export.known_numbers(&mut case);
    export.changed_by_callees(&mut case);
    export.marks(&mut case);
    export.sweeps(&mut case);
    export.moves(&mut case);
    export.conditions(&mut case);
    export.ranges(&mut case);
    export.dangling(&mut case);
    case.makes = export.fresh.iter().filter_map(|it| export.made(*it)).collect();
    case.keep_unheld();
    let hands_out = case.hands_out();
    for made in &mut case.makes {
        made.hops = if hands_out { 0 } else { made.hops + 1 };
    }
    case.fails = state.failed.is_some();
    case.uses = state.uses;
    case.uses_found = export.used_numbers();
    case
}

pub struct Export<'e, 'a> {
    pub exec: &'e mut Exec<'a>,
    pub state: &'e State,
    /// What other exits return and keep.
    pub kept: &'e [MadeAt],
    pub fresh: Vec<TermId>,
    /// Made objects that somebody has whom callers cannot name.
    pub taken: Vec<TermId>,
    /// Memory that may have changed since the call began is named as if it had not.
    pub loose: bool,
    /// Numbers of symbols that mean nothing to callers.
    pub unknown: FxHashMap<TermId, u32>,
    /// Symbols that stand for one of the caller's pointers.
    pub chosen: Vec<TermId>,
}

impl<'e, 'a> Export<'e, 'a> {
    pub fn new(exec: &'e mut Exec<'a>, state: &'e State, kept: &'e [MadeAt]) -> Self {
        Self {
            exec,
            state,
            kept,
            fresh: Vec::new(),
            taken: Vec::new(),
            loose: false,
            unknown: FxHashMap::default(),
            chosen: Vec::new(),
        }
    }
}

impl Export<'_, '_> {
    pub fn space(&self) -> &Space {
        &self.exec.space
    }

    /// Pointers to what was released are handed out with its release.
    fn dangling(&mut self, case: &mut Case) {
        for (number, object) in (0..).zip(&self.fresh) {
            if self.state.phase(*object) == Phase::Released {
                case.releases.push(Release {
                    what: Expr::Fresh(number),
                    certainty: Certainty::Sure,
                    when_expected: Certainty::Sure,
                    resource: None,
                    members: false,
                    inferred: false,
                });
            }
        }
    }

    /// Those of parameters come first: callers are bound to know them.
    pub fn marks(&mut self, case: &mut Case) {
        let marks = self.state.marks.iter().map(|(&symbol, &mark)| (symbol, mark));
        let mut marks: Vec<_> =
            marks.filter(|(symbol, _)| self.space().is_nameable(*symbol)).collect();
        // What is near matters most where not all can be told, and a number is rarely there without need.
        marks.sort_by_key(|(symbol, _)| {
            let space = self.space();
            let distance = space.load_depth(*symbol) * u32::from(space.is_pointer_wide(*symbol));
            (!space.is_from_caller(*symbol), distance)
        });
        let mut kept = 0;
        for (symbol, mark) in marks {
            if self.space().load_depth(symbol) > 2 {
                continue;
            }
            let Some((what, named)) = self.named(symbol) else { continue };
            match mark.phase {
                Phase::Released if case.releases.len() < MOST_MARKS => {
                    let times = 1 + usize::from(self.state.again.contains(&symbol));
                    let certainty = mark.certainty.max(named);
                    let release = Release {
                        what,
                        certainty,
                        when_expected: certainty,
                        resource: self.exec.released_as.get(&symbol).cloned().flatten(),
                        members: false,
                        inferred: false,
                    };
                    case.releases.extend(std::iter::repeat_n(release, times));
                }
                Phase::Kept if kept < MOST_MARKS => {
                    kept += 1;
                    case.keep(what);
                }
                _ => {}
            }
        }
    }

    fn used_numbers(&mut self) -> Vec<Expr> {
        let numbers = self.state.used_numbers.iter();
        numbers.filter_map(|&it| self.expr(it, DEEPEST)).filter(Expr::has_base).collect()
    }

    fn sweeps(&mut self, case: &mut Case) {
        self.loose = true;
        for sweep in self.state.sweeps.iter() {
            if let Some(root) = self.expr(sweep.root, DEEPEST).filter(Expr::has_base) {
                let (links, last) = (sweep.links.clone(), sweep.last);
                case.sweeps.push(Sweep { root, links, last });
            }
        }
        self.loose = false;
    }

    /// Whether a second release would be one too many. What a callee found in memory may have been
    /// replaced there since the call began, and a number in the object that was looked at may
    /// count its references.
    pub fn is_sure(&self, symbol: TermId) -> bool {
        let space = self.space();
        let counts = |it: TermId| match space.origin(it) {
            Some(Origin::Initial { address, bits, .. }) => {
                bits < space.pointer_bits
                    && space.address(address).is_some_and(|place| place.base == symbol)
            }
            _ => false,
        };
        let conditions = self.state.facts.conditions();
        space.is_from_start(symbol)
            && !conditions.iter().any(|&it| space.any_symbol(it, &mut |symbol| counts(symbol)))
    }

    /// Contents that went into what was made, or that somebody else has now.
    fn moves(&mut self, case: &mut Case) {
        for &(to, from) in self.state.moves.iter() {
            let Some(from) = self.expr(from, DEEPEST) else { continue };
            match to {
                Some(to) if self.fresh.contains(&to) => {
                    let to = self.value(to);
                    case.copies.push((to, from, None));
                }
                _ => case.keeps_contents.push(from),
            }
        }
    }

    /// Ranges of the arguments that no single condition tells: `n == 0` on one path and `n == 1` on
    /// another.
    fn ranges(&mut self, case: &mut Case) {
        for (number, param) in (0..).zip(self.exec.body.params.clone()) {
            let scalar = self.exec.body.values[param].scalar;
            let width = self.space().width(scalar);
            if scalar.int_bits().is_none() || case.conditions.len() >= MOST_CONDITIONS {
                continue;
            }
            let term = self.exec.space.symbol(Origin::Param(number), width, false);
            let range = self.state.facts.range(&self.exec.space.terms, term);
            if range.is_full() || range.value().is_some() || range.high() >> (width - 1) & 1 == 1 {
                continue;
            }
            let most = Box::new(Expr::Constant { value: range.high(), width });
            let condition = Expr::Compare(Compare::LeU, Box::new(Expr::Param(number)), most);
            if !case.conditions.contains(&condition) {
                case.conditions.push(condition);
            }
        }
    }

    /// What is known of the arguments, of memory before the call, and of the result.
    pub fn conditions(&mut self, case: &mut Case) {
        let known: Vec<TermId> = self.state.facts.conditions().to_vec();
        for condition in known {
            if case.conditions.len() >= MOST_CONDITIONS {
                break;
            }
            let told = |symbol: &TermId| match self.space().origin(*symbol) {
                Some(
                    Origin::Param(_)
                    | Origin::Static(_)
                    | Origin::Proc(_)
                    | Origin::Initial { epoch: Epoch::Start, .. },
                ) => true,
                _ => self.unknown.contains_key(symbol) || self.chosen.contains(symbol),
            };
            let symbols = self.space().symbols_of(condition);
            if !symbols.is_empty()
                && symbols.iter().all(told)
                && let Some(condition) = self.expr(condition, DEEPEST + 2)
            {
                case.conditions.push(condition);
            }
        }
    }
}
