//! Calls: functions of the program are inlined within a budget, external ones follow their models,
//! the rest may do anything with what it can reach.

use caulk_ir::{CallId, Callee, InstId, Type, TypeId, Types};
use caulk_program::{Binding, ModuleId, ProcId};

use crate::heap::Item;
use crate::region::Arrival;
use crate::space::{AtomKind, Expr, Place};
use crate::state::{Activation, Context, Evaluator, Exit, Stop, origin};

/// The share of the budget that is left which one inlined call may take.
const SHARE: u64 = 3;

impl<'a> Evaluator<'a> {
    pub fn call(
        &mut self,
        run: &Activation<'a>,
        context: Context,
        inst: InstId,
        id: CallId,
    ) -> Result<Vec<Context>, Stop> {
        let call = &run.body.calls[id];
        let arguments: Vec<Expr> =
            call.args.iter().map(|arg| self.value(run, &context, arg.value)).collect();
        match self.callee(run, &context, id) {
            Some(Binding::Procs(procs)) if procs.len() == 1 => {
                let proc = procs[0];
                if self.is_inlined(run, proc, call.args.len())
                    && let Some(after) = self.inline(run, &context, inst, id, proc, &arguments)
                {
                    return Ok(after);
                }
                let name = self.input.program.procs[proc].name.clone();
                self.not_followed(run, context, inst, id, &arguments, Some(name))
            }
            Some(Binding::External(external)) => match self.input.externals.of(external).cloned() {
                Some(model) => self.modelled(run, context, inst, id, &model, &arguments),
                None => {
                    let name = self.input.program.externals[external].name.clone();
                    self.not_followed(run, context, inst, id, &arguments, Some(name))
                }
            },
            _ => self.not_followed(run, context, inst, id, &arguments, None),
        }
    }

    fn callee(&mut self, run: &Activation<'a>, context: &Context, id: CallId) -> Option<Binding> {
        let program = self.input.program;
        match run.body.calls[id].callee {
            Callee::Function(function) => Some(program.binding(run.module_id, function).clone()),
            Callee::Pointer(value) => {
                let value = self.value(run, context, value);
                let base = self.space.base(value)?;
                match *self.space.kind(base) {
                    AtomKind::Place(Place::Function { module, function }) => {
                        let function = caulk_ir::FunctionId(function);
                        Some(program.binding(ModuleId(module), function).clone())
                    }
                    _ => None,
                }
            }
        }
    }

    fn is_inlined(&self, run: &Activation<'a>, proc: ProcId, arguments: usize) -> bool {
        let body = self.input.program.body(proc);
        run.depth < self.options.depth
            && body.insts.len() <= self.options.inlined
            && body.params.len() == arguments
            && !self.input.calls.is_recursive(proc)
    }

    /// The contexts after an inlined call; None if it cannot be evaluated within its share.
    fn inline(
        &mut self,
        run: &Activation<'a>,
        context: &Context,
        inst: InstId,
        id: CallId,
        proc: ProcId,
        arguments: &[Expr],
    ) -> Option<Vec<Context>> {
        let into = run.body.calls[id].result_into.map(|into| self.value(run, context, into));
        let limit = self.limit;
        let left = limit.saturating_sub(self.space.work);
        self.limit = self.space.work + left / SHARE;
        let at = Some(origin(run.frame, inst));
        let values = context.values.clone();
        let turns = self.turns.len();
        let exits = self.run_function(proc, at, arguments, into, context.clone(), run.depth + 1);
        self.limit = limit;
        self.turns.truncate(turns);
        (self.at, self.made_here) = (origin(run.frame, inst), 0);
        let mut exits = exits.ok()?;
        for exit in &mut exits {
            self.end_variables(exit);
        }
        let exits = self.join_exits(exits);
        let back = |exit: Exit| {
            let mut context = Context { values: values.clone(), ..exit.context };
            if let (Some(result), Some(value)) = (run.body.results[inst], exit.value) {
                context.set(result, value);
            }
            context
        };
        Some(exits.into_iter().map(back).collect())
    }

    /// The variables of an activation end with it: `put(v, ⊥, ⊥)`.
    fn end_variables(&mut self, exit: &mut Exit) {
        let frame = exit.at.frame;
        let mut held: Vec<(Expr, Expr)> = Vec::new();
        for item in self.heaps.items(exit.context.heap) {
            let Item::Put { address, value, .. } = *item else { continue };
            let variable = self.space.base(address).is_some_and(|base| {
                matches!(self.space.kind(base),
                    AtomKind::Place(Place::Variable { frame: own, .. }) if *own == frame)
            });
            if variable {
                held.retain(|it| it.0 != address);
                held.push((address, value));
            }
        }
        let value = self.space.constant(0);
        for (address, last) in held {
            if self.holds_cell(last) {
                let item = Item::Put { address, value, bytes: 8, at: exit.at };
                self.append(&mut exit.context, item);
            }
        }
    }

    /// Exits that differ only in their value become one.
    pub fn join_exits(&mut self, exits: Vec<Exit>) -> Vec<Exit> {
        let Some(at) = exits.first().map(|exit| exit.at) else { return Vec::new() };
        let arrival = |mut exit: Exit| {
            exit.context.values = std::rc::Rc::default();
            let arguments = exit.value.into_iter().collect();
            Arrival { to: caulk_ir::BlockId::ENTRY, arguments, context: exit.context }
        };
        let arrivals = self.join(exits.into_iter().map(arrival).collect());
        let exit = |arrival: Arrival| Exit {
            value: arrival.arguments.first().copied(),
            context: arrival.context,
            at,
        };
        arrivals.into_iter().map(exit).collect()
    }

    /// A call that may do anything with what it can reach.
    pub fn not_followed(
        &mut self,
        run: &Activation<'a>,
        mut context: Context,
        inst: InstId,
        id: CallId,
        arguments: &[Expr],
        name: Option<String>,
    ) -> Result<Vec<Context>, Stop> {
        let call = &run.body.calls[id];
        if call.noreturn {
            return Ok(Vec::new());
        }
        let at = origin(run.frame, inst);
        let mut handed = Vec::new();
        for (arg, &value) in call.args.iter().zip(arguments) {
            if !is_plain_constant_data(&run.module.types, arg.ty) {
                handed.push(value);
            }
        }
        for &pointer in &handed {
            if !self.holds_cell(pointer) {
                continue;
            }
            self.append(&mut context, Item::Keep { pointer, at });
            self.unknown_calls.extend(name.clone());
        }
        handed.extend(call.result_into.map(|into| self.value(run, &context, into)));
        self.havoc(&mut context, &handed, inst, run.frame);
        if let Some(result) = run.body.results[inst] {
            let value = self.unknown(self.is_pointer(run, Some(result)));
            context.set(result, value);
        }
        Ok(vec![context])
    }

    pub fn havoc(&mut self, context: &mut Context, values: &[Expr], inst: InstId, frame: u32) {
        let reached = self.reachable_by_others(context.heap, values).into();
        let number = self.number();
        let at = origin(frame, inst);
        self.append(context, Item::Havoc { reached, number, at });
    }
}

/// A pointer to constant data without pointers can neither be kept nor changed through.
fn is_plain_constant_data(types: &Types, ty: TypeId) -> bool {
    match types.types[ty] {
        Type::Pointer { to, to_const: true } => holds_no_pointers(types, to, 0),
        Type::Scalar { .. } | Type::Enum(_) => true,
        _ => false,
    }
}

fn holds_no_pointers(types: &Types, ty: TypeId, depth: usize) -> bool {
    match types.types[ty] {
        Type::Scalar { .. } | Type::Enum(_) => true,
        Type::Array { element, .. } | Type::Vector { element, .. } => {
            depth < 8 && holds_no_pointers(types, element, depth + 1)
        }
        Type::Record(id) => {
            let record = &types.records[id];
            depth < 8
                && record.complete
                && record.fields.iter().all(|it| holds_no_pointers(types, it.ty, depth + 1))
        }
        _ => false,
    }
}
