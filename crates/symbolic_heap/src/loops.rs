//! Loops: recurrences for variables, memory and the heap, and the contexts after the loop (Y3).
//!
//! A loop is evaluated several times for one turn `k`:
//! 1. with every variable unknown, which gives the recurrences; closed forms solve most of them;
//! 2. if an address is left that is read from memory (`p = p->next`), in its first turns, from which
//!    a form is guessed;
//! 3. with the forms, on the heap `h(k)` that the turns before `k` made. By induction over the turns
//!    the forms and the heap are right if this turn continues them; what does not is given up for
//!    an unknown function of the turn, and the loop is evaluated again.

use std::rc::Rc;

use caulk_ir::{Scalar, ValueId};
use caulk_ssa::LoopId;

use crate::facts::InAllTurns;
use crate::get::Access;
use crate::heap::{Chain, Item, Origin, Recurrence, substitute_all};
use crate::leaf::leaves;
use crate::recurrence::Equation;
use crate::region::{Arrival, Leaving};
use crate::space::{AtomKind, Cond, Expr, Symbol, SymbolInfo, SymbolKind, UNRESOLVED};
use crate::state::{Activation, Context, Evaluator, Stop};
use crate::substitute::Substitution;

const PASSES: usize = 5;

/// Loops in fewer loops than this are tried for one turn first: most that never turn are seen so.
const NESTED: usize = 2;

/// What is known of a loop while it is evaluated.
pub struct Solving {
    pub index: Symbol,
    pub outer: Context,
    /// Parameters of the header first, then memory that is the same place in every turn.
    variables: Vec<Variable>,
    parameters: usize,
    /// What one turn does to the heap, over `index`.
    pub body: Rc<[Item]>,
    /// What holds in every turn that is followed by another, over `index`.
    pub continues: Vec<Cond>,
    /// What else holds in them where a turn can go several ways: one of these.
    pub one_of: Cond,
    pub bounds: Vec<Cond>,
    pub exact: bool,
}

#[derive(Clone, Copy)]
struct Variable {
    symbol: Symbol,
    initial: Expr,
    next: Expr,
    form: Option<Expr>,
    place: Option<Access>,
    pointer: bool,
    /// The form was guessed, and holds only while the loop goes on.
    guessed: bool,
    /// Without a form it may be the address of a record that was made here.
    may_be_cell: bool,
}

impl<'a> Evaluator<'a> {
    pub fn run_loop(
        &mut self,
        run: &Activation<'a>,
        id: LoopId,
        arrival: Arrival,
    ) -> Result<Leaving, Stop> {
        if let Some(arrivals) = self.split_null(&arrival) {
            let mut all = Leaving::default();
            for arrival in arrivals {
                let leaving = self.run_loop(run, id, arrival)?;
                all.out.extend(leaving.out);
                all.returns.extend(leaving.returns);
            }
            return Ok(all);
        }
        let index = self.index_of(run, id, 0);
        if self.turns.len() < NESTED {
            let zero = self.space.constant(0);
            let first = self.turn(run, id, arrival.clone(), zero)?;
            if first.back.is_empty() {
                return Ok(first);
            }
        }
        let Some(mut solving) = self.first_pass(run, id, &arrival, index)? else {
            return self.run_once(run, id, arrival);
        };
        self.guess_forms(run, id, &arrival, &mut solving)?;
        for _ in 0..PASSES {
            let heap = self.heap_at(&solving, index);
            let leaving = self.solved_turn(run, id, &solving, heap)?;
            if self.accept(&mut solving, &leaving, heap) {
                return self.leave(run, &solving, leaving, heap);
            }
        }
        solving.exact = false;
        let heap = self.heap_at(&solving, index);
        let leaving = self.solved_turn(run, id, &solving, heap)?;
        self.leave(run, &solving, leaving, heap)
    }

    /// An address that is ⊥ or not is two contexts: a walk along a list begins with one or none.
    fn split_null(&mut self, arrival: &Arrival) -> Option<Vec<Arrival>> {
        if !self.turns.is_empty() {
            return None;
        }
        for (at, &argument) in arrival.arguments.iter().enumerate() {
            let Some(base) = self.space.base(argument) else { continue };
            let AtomKind::Select { condition, yes, no } = *self.space.kind(base) else { continue };
            if ![yes, no].iter().any(|&it| self.space.as_constant(it) == Some(0)) {
                continue;
            }
            let (holds, fails) = self.split(arrival.context.clone(), condition);
            let mut arrivals = Vec::new();
            for (context, chosen) in [(holds, yes), (fails, no)] {
                let Some(context) = context else { continue };
                let mut arguments = arrival.arguments.clone();
                arguments[at] = self.space.replace(argument, base, chosen);
                arrivals.push(Arrival { to: arrival.to, arguments, context });
            }
            return Some(arrivals);
        }
        None
    }

    fn index_of(&mut self, run: &Activation<'a>, id: LoopId, role: u32) -> Symbol {
        let key = (Origin { frame: run.frame, inst: id.0 }, (2 << 20) + role);
        self.symbol_for(key, index_info(self.space.symbols.len()))
    }

    /// A loop whose body never comes back to its header.
    fn run_once(
        &mut self,
        run: &Activation<'a>,
        id: LoopId,
        arrival: Arrival,
    ) -> Result<Leaving, Stop> {
        let zero = self.space.constant(0);
        let leaving = self.turn(run, id, arrival, zero)?;
        Ok(Leaving { back: Vec::new(), ..leaving })
    }

    fn turn(
        &mut self,
        run: &Activation<'a>,
        id: LoopId,
        arrival: Arrival,
        turn: Expr,
    ) -> Result<Leaving, Stop> {
        self.turns.push(turn);
        let leaving = self.run_region(run, Some(id), vec![arrival]);
        self.turns.pop();
        leaving
    }

    /// One turn with unknown variables on an unknown heap. None if the loop never turns twice.
    fn first_pass(
        &mut self,
        run: &Activation<'a>,
        id: LoopId,
        arrival: &Arrival,
        index: Symbol,
    ) -> Result<Option<Solving>, Stop> {
        let params = &run.body.blocks[arrival.to].params;
        let mut variables: Vec<Variable> = params
            .iter()
            .zip(&arrival.arguments)
            .map(|(&param, &initial)| self.variable(run, param, initial))
            .collect();
        let number = self.number_for((Origin { frame: run.frame, inst: id.0 }, 3 << 20));
        let mut context = arrival.context.clone();
        self.append(&mut context, Item::Start { index, number });
        let start = context.heap;
        let arguments = variables.iter().map(|it| self.space.symbol(it.symbol)).collect();
        let turn = self.space.symbol(index);
        let first = Arrival { to: arrival.to, arguments, context };
        let leaving = self.turn(run, id, first, turn)?;
        if leaving.back.is_empty() {
            return Ok(None);
        }
        for (at, variable) in variables.iter_mut().enumerate() {
            variable.next =
                self.next_value(&arrival.context, &leaving.back, |_, back| back.arguments[at]);
        }
        let parameters = variables.len();
        self.add_places(&arrival.context, &leaving.back, number, &mut variables);
        self.solve(&mut variables, index);
        let handed_out = !self.reachable_by_others(arrival.context.heap, &[]).is_empty();
        for variable in &mut variables {
            variable.may_be_cell = handed_out
                || self.holds_cell(variable.initial)
                || self.holds_cell(variable.next)
                || variable.place.is_some();
        }
        let body = self.turn_items(&arrival.context, &leaving.back, start);
        let continues = self.common_conditions(&arrival.context, &leaving.back);
        let one_of = self.one_of(&arrival.context, &leaving.back);
        let outer = arrival.context.clone();
        let (bounds, exact) = (Vec::new(), true);
        let mut solving =
            Solving { index, outer, variables, parameters, body, continues, one_of, bounds, exact };
        self.put_forms(&mut solving);
        Ok(Some(solving))
    }

    fn variable(&mut self, run: &Activation<'a>, param: ValueId, initial: Expr) -> Variable {
        let pointer = run.body.values[param].scalar == Scalar::Ptr;
        let info = SymbolInfo {
            name: format!("x{}", self.space.symbols.len()),
            low: None,
            high: None,
            pointer,
            kind: SymbolKind::Recurrence,
        };
        let symbol = self.symbol_for((Origin { frame: run.frame, inst: param.0 }, 1 << 20), info);
        let may_be_cell = false;
        Variable {
            symbol,
            initial,
            next: initial,
            form: None,
            place: None,
            pointer,
            guessed: false,
            may_be_cell,
        }
    }

    /// Memory that the turn read before it was written, at addresses that do not depend on it.
    fn add_places(
        &mut self,
        outer: &Context,
        back: &[Arrival],
        number: u32,
        variables: &mut Vec<Variable>,
    ) {
        let mut done = 0;
        // Reading what the turn left behind may name further places.
        while done < self.locations.rows.len() {
            let location = self.locations.rows[done];
            done += 1;
            if location.start != number {
                continue;
            }
            let access = location.access;
            let initial = self.get(outer, access);
            let next = self.next_value(outer, back, |this, back| this.get(&back.context, access));
            let (symbol, pointer) = (location.symbol, access.pointer);
            let place = Some(access);
            let (form, guessed, may_be_cell) = (None, false, false);
            variables.push(Variable {
                symbol,
                initial,
                next,
                form,
                place,
                pointer,
                guessed,
                may_be_cell,
            });
        }
    }

    /// A value after the turn: a choice between the ways through it.
    fn next_value(
        &mut self,
        outer: &Context,
        back: &[Arrival],
        value: impl Fn(&mut Self, &Arrival) -> Expr,
    ) -> Expr {
        let mut ways = back.iter().rev();
        let Some(last) = ways.next() else { return self.space.constant(0) };
        let mut next = value(self, last);
        for way in ways {
            let condition = self.way(outer, &way.context, back);
            let this = value(self, way);
            next = self.space.select(condition, this, next);
        }
        next
    }

    /// The conditions by which one way through a turn differs from the others.
    fn way(&mut self, outer: &Context, context: &Context, back: &[Arrival]) -> Cond {
        let common = self.common_conditions(outer, back);
        let own = added(outer, context).into_iter().filter(|it| !common.contains(it)).collect();
        self.space.all(own)
    }

    /// That one of the ways through a turn is taken, besides what they have in common.
    fn one_of(&mut self, outer: &Context, back: &[Arrival]) -> Cond {
        let ways = back.iter().map(|way| self.way(outer, &way.context, back)).collect();
        self.space.any(ways)
    }

    fn common_conditions(&mut self, outer: &Context, back: &[Arrival]) -> Vec<Cond> {
        let mut ways = back.iter().map(|way| added(outer, &way.context));
        let mut common = ways.next().unwrap_or_default();
        for way in ways {
            common.retain(|it| way.contains(it));
        }
        common
    }

    /// What a turn did to the heap; where its ways differ, under their conditions.
    fn turn_items(&mut self, outer: &Context, back: &[Arrival], start: Chain) -> Rc<[Item]> {
        let plain = |this: &Self, chain| -> Vec<Item> {
            this.heaps.since(chain, start).iter().map(|item| (**item).clone()).collect()
        };
        if let [only] = back {
            return plain(self, only.context.heap).into();
        }
        let mut items = Vec::new();
        for way in back {
            let own = plain(self, way.context.heap);
            if !own.is_empty() {
                let condition = self.way(outer, &way.context, back);
                items.push(Item::Guarded { condition, items: own.into() });
            }
        }
        items.into()
    }

    fn solve(&mut self, variables: &mut [Variable], index: Symbol) {
        let equations: Vec<Equation> = variables.iter().map(equation).collect();
        let forms = self.space.solve_recurrences(&equations, index);
        for (variable, form) in variables.iter_mut().zip(forms) {
            variable.form = variable.form.or(form);
        }
    }

    /// Puts what is known of variables into the items and conditions of the turn.
    fn put_forms(&mut self, solving: &mut Solving) {
        let mut with = Substitution::new(&self.forms(solving));
        solving.body = substitute_all(&solving.body, &mut self.space, &mut with);
        for condition in &mut solving.continues {
            *condition = self.space.substitute_condition(*condition, &mut with);
        }
        solving.one_of = self.space.substitute_condition(solving.one_of, &mut with);
    }

    /// Each variable with its form; one without gets an unknown function of the turn.
    fn forms(&mut self, solving: &mut Solving) -> Vec<(Symbol, Expr)> {
        let turn = self.space.symbol(solving.index);
        let mut pairs = Vec::new();
        for variable in &solving.variables {
            let form = match variable.form {
                Some(form) => form,
                None => self.unknown_form(solving.index, variable),
            };
            pairs.push((variable.symbol, form));
        }
        solving.bounds = self.bounds(solving, &pairs, turn);
        pairs
    }

    fn bounds(&mut self, solving: &Solving, forms: &[(Symbol, Expr)], turn: Expr) -> Vec<Cond> {
        let mut bounds = Vec::new();
        for (variable, &(_, form)) in solving.variables.iter().zip(forms) {
            if variable.form.is_none() && !variable.pointer {
                let facts = &solving.outer.facts;
                bounds.extend(self.space.bounds_of(facts, equation(variable), form, turn));
            }
        }
        bounds.retain(|&bound| bound != Cond::TRUE && bound != Cond::FALSE);
        bounds
    }

    /// The index of the turns before one.
    fn bound_index(&mut self, index: Symbol) -> Symbol {
        let key = (Origin { frame: u32::MAX, inst: index.0 }, 0);
        self.symbol_for(key, index_info(self.space.symbols.len()))
    }

    /// The heap after `count` turns, each made like `body`.
    pub fn heap_after(&mut self, solving: &Solving, count: Expr) -> Chain {
        if solving.body.is_empty() || self.space.as_constant(count) == Some(0) {
            return solving.outer.heap;
        }
        let inner = self.bound_index(solving.index);
        let turn = self.space.symbol(inner);
        let mut with = Substitution::one(solving.index, turn);
        let body = substitute_all(&solving.body, &mut self.space, &mut with);
        let mut known = Vec::new();
        for variable in &solving.variables {
            if let (Some(place), Some(form)) = (variable.place, variable.form) {
                known.push((place.address, self.space.substitute(form, &mut with)));
            }
        }
        let recurrence = Recurrence { index: inner, count, body, known: known.into() };
        self.heaps.append(solving.outer.heap, Item::Loop(Rc::new(recurrence)))
    }

    fn heap_at(&mut self, solving: &Solving, index: Symbol) -> Chain {
        let turn = self.space.symbol(index);
        self.heap_after(solving, turn)
    }

    fn solved_turn(
        &mut self,
        run: &Activation<'a>,
        id: LoopId,
        solving: &Solving,
        heap: Chain,
    ) -> Result<Leaving, Stop> {
        let header = run.facts.cfg().loops().header(id);
        let turn = self.space.symbol(solving.index);
        let mut context = Context { heap, ..solving.outer.clone() };
        for &bound in &solving.bounds {
            context.facts.assume(&self.space, bound);
        }
        self.assume_turns_before(solving, &mut context, turn);
        for at in 0..solving.variables.len() {
            if let (true, Some(form)) = (solving.variables[at].guessed, solving.variables[at].form)
            {
                self.assume_made(&mut context, form);
            }
        }
        let arguments = self.arguments(solving);
        self.turn(run, id, Arrival { to: header, arguments, context }, turn)
    }

    /// A guessed address is that of a record which was made.
    fn assume_made(&mut self, context: &mut Context, address: Expr) {
        let Some(base) = self.space.base(address) else { return };
        let items = self.heaps.items(context.heap);
        let mut any = Cond::FALSE;
        for leaf in leaves(&mut self.space, items.iter().map(|item| &**item)) {
            let Item::New { cell, .. } = leaf.item else { continue };
            let start = self.space.of_atom(base);
            let Some(matched) = self.space.match_record(cell, start, &leaf.indices()) else {
                return;
            };
            if let Some(turn) = leaf.turn(&mut self.space, &matched) {
                any = self.space.or(any, turn.condition);
            }
        }
        if any != Cond::FALSE {
            context.facts.assume(&self.space, any);
        }
    }

    fn arguments(&mut self, solving: &Solving) -> Vec<Expr> {
        let parameters = &solving.variables[..solving.parameters];
        let form = |it: &Variable| it.form.unwrap_or_else(|| self.unknown_form(solving.index, it));
        parameters.iter().map(form).collect()
    }

    /// What stands for a variable without closed form: an unknown function of the turn.
    fn unknown_form(&mut self, index: Symbol, variable: &Variable) -> Expr {
        let turn = self.space.symbol(index);
        let arguments = self.turns.iter().copied().chain([turn]).collect();
        let unresolved = if variable.may_be_cell { UNRESOLVED } else { 0 };
        let (number, pointer) = (variable.symbol.0 | 1 << 29 | unresolved, variable.pointer);
        self.space.atom(AtomKind::Unknown { number, arguments, pointer })
    }

    /// What held in all turns before one: null tests of records, for all of them.
    pub fn assume_turns_before(&mut self, solving: &Solving, context: &mut Context, turn: Expr) {
        if self.space.as_constant(turn) == Some(0) {
            return;
        }
        for &fact in &solving.continues {
            let mentions = self.space.condition_symbols(fact).contains(&solving.index);
            if mentions && self.space.is_null_test(fact) {
                // The turn itself may be the index, so what is said of all turns has a name of its own.
                let index = self.bound_index(solving.index);
                let other = self.space.symbol(index);
                let mut with = Substitution::one(solving.index, other);
                let fact = self.space.substitute_condition(fact, &mut with);
                let known = InAllTurns { index, count: turn, fact };
                context.facts.in_all_turns.push(known);
            }
        }
    }

    /// Guesses forms of addresses that are read from memory, by the first turns.
    fn guess_forms(
        &mut self,
        run: &Activation<'a>,
        id: LoopId,
        arrival: &Arrival,
        solving: &mut Solving,
    ) -> Result<(), Stop> {
        let open = |it: &Variable| it.form.is_none() && it.pointer;
        if !solving.variables.iter().any(open) {
            return Ok(());
        }
        let mut values: Vec<Vec<Expr>> =
            solving.variables.iter().map(|it| vec![it.initial]).collect();
        let mut at = arrival.clone();
        for number in 0..2 {
            let turn = self.space.constant(number);
            let mut leaving = self.turn(run, id, at, turn)?;
            let (Some(next), true) = (leaving.back.pop(), leaving.back.is_empty()) else {
                return Ok(());
            };
            for (at, variable) in solving.variables.iter().enumerate() {
                let value = match variable.place {
                    Some(place) => self.get(&next.context, place),
                    None => next.arguments[at],
                };
                values[at].push(value);
            }
            at = next;
        }
        for (variable, values) in solving.variables.iter_mut().zip(values) {
            if open(variable)
                && let [a, b, c] = values[..]
            {
                let values = [a, b, c].map(|it| self.not_null(it));
                variable.form = self.space.guess(values, solving.index);
                variable.guessed = variable.form.is_some();
            }
        }
        let mut variables = std::mem::take(&mut solving.variables);
        self.solve(&mut variables, solving.index);
        solving.variables = variables;
        self.put_forms(solving);
        Ok(())
    }

    /// The address that a value is if it is not ⊥: what the next turn goes on with.
    fn not_null(&mut self, value: Expr) -> Expr {
        let Some(base) = self.space.base(value) else { return value };
        let AtomKind::Select { yes, no, .. } = *self.space.kind(base) else { return value };
        let chosen = match (self.space.as_constant(yes), self.space.as_constant(no)) {
            (Some(0), None) => no,
            (None, Some(0)) => yes,
            _ => return value,
        };
        let value = self.space.replace(value, base, chosen);
        self.not_null(value)
    }

    /// Whether a turn with the forms continues them and makes the heap that was assumed. If not,
    /// what was learnt is put into `solving`.
    fn accept(&mut self, solving: &mut Solving, leaving: &Leaving, heap: Chain) -> bool {
        if leaving.back.is_empty() {
            return true;
        }
        let mut stable = true;
        let outer = solving.outer.clone();
        let turn = self.space.symbol(solving.index);
        let after = self.space.offset(turn, 1);
        let mut later = Substitution::one(solving.index, after);
        for at in 0..solving.variables.len() {
            let Some(form) = solving.variables[at].form else {
                let form = self.set_once(solving, leaving, at);
                stable &= form.is_none();
                solving.variables[at].form = form;
                continue;
            };
            let expected = self.space.substitute(form, &mut later);
            let place = solving.variables[at].place;
            let mut wrong = Vec::new();
            for back in &leaving.back {
                let next = match place {
                    Some(place) => self.get(&back.context, place),
                    None => back.arguments[at],
                };
                let same = self.space.equal(next, expected);
                if next != expected && self.space.decide(&back.context.facts, same) != Some(true) {
                    wrong.push(next);
                }
            }
            if let Some(&next) = wrong.first() {
                stable = false;
                let single = wrong.len() == 1 && leaving.back.len() == 1;
                let better =
                    if single { self.with_end(solving.index, form, next, &outer) } else { None };
                solving.variables[at].form = better.filter(|&better| better != form);
                solving.variables[at].guessed = false;
            }
        }
        let body = self.turn_items(&outer, &leaving.back, heap);
        let continues = self.common_conditions(&outer, &leaving.back);
        stable &= body == solving.body;
        solving.body = body;
        solving.one_of = self.one_of(&outer, &leaving.back);
        solving.continues = continues;
        if !stable {
            self.put_forms(solving);
        }
        stable
    }

    /// A variable that only the first turn sets: `x(k+1) = k = 0 ? e(0) : x(k)`.
    fn set_once(&mut self, solving: &Solving, leaving: &Leaving, at: usize) -> Option<Expr> {
        let variable = solving.variables[at];
        let own = self.unknown_form(solving.index, &variable);
        let next =
            self.next_value(&solving.outer, &leaving.back, |this, back| match variable.place {
                Some(place) => this.get(&back.context, place),
                None => back.arguments[at],
            });
        let poly = self.space.poly(next);
        let [(monomial, 1)] = &poly.terms[..] else { return None };
        let &[(atom, 1)] = &monomial[..] else { return None };
        let AtomKind::Select { condition, yes, no } = *self.space.kind(atom) else { return None };
        let turn = self.space.symbol(solving.index);
        let first = self.space.is_zero(turn);
        let set = match (yes == own, no == own) {
            (false, true) if condition == first => yes,
            (true, false) if self.space.not(condition) == first => no,
            _ => return None,
        };
        let zero = self.space.constant(0);
        let set = self.space.substitute(set, &mut Substitution::one(solving.index, zero));
        (set != own).then(|| self.space.select(first, variable.initial, set))
    }

    /// A form that ends: `x(k+1)` is `form(k+1)`, or else a value that stops the loop.
    fn with_end(&mut self, index: Symbol, form: Expr, next: Expr, outer: &Context) -> Option<Expr> {
        let base = self.space.base(next)?;
        let AtomKind::Select { condition, yes, no } = *self.space.kind(base) else { return None };
        let turn = self.space.symbol(index);
        let after = self.space.offset(turn, 1);
        let expected = self.space.substitute(form, &mut Substitution::one(index, after));
        let (yes, no) = (self.space.replace(next, base, yes), self.space.replace(next, base, no));
        let is_expected = |this: &mut Self, value: Expr, condition: Cond| {
            let same = this.space.equal(value, expected);
            let facts = outer.facts.with(&this.space, condition);
            this.space.decide(&facts, same) == Some(true)
        };
        let otherwise = self.space.not(condition);
        let (ends, value) = if is_expected(self, yes, condition) {
            (otherwise, no)
        } else if is_expected(self, no, otherwise) {
            (condition, yes)
        } else {
            return None;
        };
        let before = self.space.offset(turn, -1);
        let mut earlier = Substitution::one(index, before);
        let ended = self.space.substitute_condition(ends, &mut earlier);
        let value = self.space.substitute(value, &mut earlier);
        let one = self.space.constant(1);
        let not_first = self.space.at_least(turn, one);
        let ended = self.space.and(not_first, ended);
        Some(self.space.select(ended, value, form))
    }
}

fn index_info(number: usize) -> SymbolInfo {
    SymbolInfo {
        name: format!("k{number}"),
        low: Some(0),
        high: None,
        pointer: false,
        kind: SymbolKind::Index,
    }
}

fn equation(variable: &Variable) -> Equation {
    Equation { symbol: variable.symbol, initial: variable.initial, next: variable.next }
}

/// The conditions of a context that another did not have.
pub fn added(outer: &Context, context: &Context) -> Vec<Cond> {
    let known = &outer.facts.conditions;
    context.facts.conditions.iter().copied().filter(|it| !known.contains(it)).collect()
}
