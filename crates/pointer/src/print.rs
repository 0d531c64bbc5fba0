//! The result as text, for people and for tests.
//!
//! Objects have readable names: `malloc@file.c:12`, `p (local of f)`, `table (global)`. Those of
//! an instance that was made for a call say so: `malloc@file.c:12 for c0 of f`.

use std::fmt::{self, Write};

use caulk_base::{Name, SpanId};
use caulk_ir::{CallId, Callee, Constant, Inst, ObjectKind, ValueKind};
use caulk_program::{InstanceId, ProcId, StaticId};

use crate::Input;
use crate::location::LocId;
use crate::object::{ObjId, ObjKind};
use crate::points_to::{PointsTo, SetId, Target};

/// Readable names of what a result talks about.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    pub input: Input<'a>,
    pub points_to: &'a PointsTo,
}

impl Names<'_> {
    #[must_use]
    pub fn object(&self, id: ObjId) -> String {
        let program = self.input.program;
        match self.points_to.objects[id].kind {
            ObjKind::Outside => "outside".to_string(),
            ObjKind::Static(id) => self.static_object(id),
            ObjKind::Procedure(proc) => format!("{} (function)", program.procs[proc].name),
            ObjKind::External(id) => format!("{} (external)", program.externals[id].name),
            ObjKind::Slot { instance, slot } => {
                let body = self.input.instances.body(program, instance);
                let var = body.slots[slot].var.map(|var| body.vars[var].name);
                let name = var.map_or_else(|| slot.to_string(), |name| self.text(instance, name));
                format!("{name} (local of {})", self.instance(instance))
            }
            ObjKind::Alloca { instance, inst } => {
                let body = self.input.instances.body(program, instance);
                let place = self.place(instance, body.inst_spans[inst]);
                format!("alloca@{place} (local of {})", self.instance(instance))
            }
            ObjKind::Copy { instance, param } => {
                let proc = self.input.instances.proc(instance);
                format!("{} (copy in {})", self.param(proc, param), self.instance(instance))
            }
            ObjKind::VarArgs(instance) => format!("... (of {})", self.instance(instance)),
            ObjKind::Heap { instance, call } => self.heap(instance, call),
            ObjKind::HeapOut { instance, call, arg, nth } => {
                let part = match nth {
                    0 => format!("*{arg}"),
                    ObjKind::ELEMENTS => format!("*{arg}[]"),
                    nth => format!("{arg}[{nth}]"),
                };
                format!("{} to {part}", self.heap(instance, call))
            }
            ObjKind::Library(id) => format!("{} (library)", program.externals[id].name),
            ObjKind::Param { proc, index } => {
                format!("*{} (of {})", self.param(proc, index), program.procs[proc].name)
            }
            ObjKind::Deref { of } => format!("*[{}]", self.location(of)),
        }
    }

    /// `name`, or `name+8`.
    #[must_use]
    pub fn location(&self, id: LocId) -> String {
        let name = self.object(self.points_to.locations.object(id));
        match self.points_to.locations.offset(id) {
            0 => name,
            offset => format!("{name}{offset:+}"),
        }
    }

    #[must_use]
    pub fn instance(&self, id: InstanceId) -> String {
        let name = &self.input.program.procs[self.input.instances.proc(id)].name;
        let chain = self.input.instances.chain(id);
        chain.iter().rev().fold(name.clone(), |text, &(caller, call)| {
            let caller = self.input.instances.proc(caller);
            format!("{text} for {call} of {}", self.input.program.procs[caller].name)
        })
    }

    #[must_use]
    pub fn target(&self, target: Target) -> String {
        match target {
            Target::Instance(id) => self.instance(id),
            Target::External(id) => format!("{} (external)", self.input.program.externals[id].name),
            Target::Unknown => "unknown".to_string(),
        }
    }

    fn static_object(&self, id: StaticId) -> String {
        let (module, object) = self.input.program.object(id);
        let names = &self.input.program.modules[module].names;
        match (object.kind, object.name) {
            (ObjectKind::StaticLocal(function), Some(name)) => {
                let function = self.input.program.modules[module].function_name(function);
                format!("{} (static of {function})", names.text(name))
            }
            (ObjectKind::StringLiteral, _) => format!("string {id}"),
            (_, Some(name)) => format!("{} (global)", names.text(name)),
            (_, None) => format!("literal {id}"),
        }
    }

    fn heap(&self, instance: InstanceId, call: CallId) -> String {
        let body = self.input.instances.body(self.input.program, instance);
        let module = self.input.program.procs[self.input.instances.proc(instance)].module;
        let callee = match body.calls[call].callee {
            Callee::Function(function) => {
                self.input.program.modules[module].function_name(function).to_string()
            }
            Callee::Pointer(_) => "call".to_string(),
        };
        let at = body.insts.iter().find(|(_, inst)| **inst == Inst::Call(call));
        let place = at.map_or_else(String::new, |(id, _)| {
            format!("@{}", self.place(instance, body.inst_spans[id]))
        });
        let chain = self.input.instances.chain(instance);
        let made_for = chain.iter().rev().map(|&(caller, call)| {
            let caller = self.input.instances.proc(caller);
            format!(" for {call} of {}", self.input.program.procs[caller].name)
        });
        format!("{callee}{place}{}", made_for.collect::<String>())
    }

    fn place(&self, instance: InstanceId, span: SpanId) -> String {
        let module = self.input.program.procs[self.input.instances.proc(instance)].module;
        self.input.program.place(module, span).unwrap_or_else(|| "?".to_string())
    }

    fn text(&self, instance: InstanceId, name: Name) -> String {
        self.input.instances.module(self.input.program, instance).names.text(name).to_string()
    }

    fn param(&self, proc: ProcId, index: u32) -> String {
        if index == ObjKind::RESULT {
            return "result".to_string();
        }
        let body = self.input.program.body(proc);
        let var = body.vars.rows().iter().find(|var| var.param == Some(index));
        let names = &self.input.program.module_of(proc).names;
        var.map_or_else(|| format!("param {index}"), |var| names.text(var.name).to_string())
    }

    fn set(&self, id: SetId) -> String {
        match self.points_to.is_wild(id) {
            true => "{wild}".to_string(),
            false => self.listed(id),
        }
    }

    fn listed(&self, id: SetId) -> String {
        let locs: Vec<String> =
            self.points_to.set(id).iter().map(|&loc| self.spelled(loc)).collect();
        format!("{{{}}}", locs.join(" "))
    }

    /// `o3+8`
    fn spelled(&self, loc: LocId) -> String {
        let object = self.points_to.locations.object(loc);
        match self.points_to.locations.offset(loc) {
            0 => object.to_string(),
            offset => format!("{object}{offset:+}"),
        }
    }
}

/// Everything, or what concerns the functions of one name: values that point somewhere, the
/// callees of indirect calls, the objects, and what their locations hold. What wild pointers point
/// to is told once, at the end.
///
/// # Errors
/// Those of the writer.
pub fn print(names: Names, function: Option<&str>, out: &mut dyn Write) -> fmt::Result {
    let Names { input, points_to } = names;
    for instance in input.instances.rows.ids() {
        let proc = input.instances.proc(instance);
        if function.is_none_or(|name| input.program.procs[proc].name == name) {
            print_instance(&names, instance, out)?;
        }
    }
    for (id, row) in points_to.objects.iter() {
        if !row.kind.is_function() && is_named(&names, id) {
            print_object(&names, id, out)?;
        }
    }
    if points_to.wild() != SetId::EMPTY {
        writeln!(out, "wild -> {}", names.listed(points_to.wild()))?;
    }
    Ok(())
}

/// String literals that hold nothing are left out: there are many.
fn is_named(names: &Names, id: ObjId) -> bool {
    let literal = match names.points_to.objects[id].kind {
        ObjKind::Static(id) => {
            matches!(names.input.program.object(id).1.kind, ObjectKind::StringLiteral)
        }
        _ => false,
    };
    !literal
}

fn print_instance(names: &Names, instance: InstanceId, out: &mut dyn Write) -> fmt::Result {
    writeln!(out, "{}:", names.instance(instance))?;
    let body = names.input.instances.body(names.input.program, instance);
    for (value, row) in body.values.iter() {
        let set = names.points_to.value(instance, value);
        if set != SetId::EMPTY && !is_plain_address(row.kind) {
            writeln!(out, "  {value} -> {}", names.set(set))?;
        }
    }
    for (call, row) in body.calls.iter() {
        if matches!(row.callee, Callee::Pointer(_)) {
            let callees = names.points_to.callees(instance, call);
            let callees: Vec<String> = callees.iter().map(|&it| names.target(it)).collect();
            writeln!(out, "  {call} calls {{{}}}", callees.join(", "))?;
        }
    }
    Ok(())
}

/// Constants say themselves what they point to.
fn is_plain_address(kind: ValueKind) -> bool {
    matches!(
        kind,
        ValueKind::Const(Constant::Object(_) | Constant::Slot(_) | Constant::Function(_))
    )
}

fn print_object(names: &Names, id: ObjId, out: &mut dyn Write) -> fmt::Result {
    writeln!(out, "{id} {}", names.object(id))?;
    for &loc in names.points_to.locations.of_object(id) {
        let set = names.points_to.contents(loc);
        if set != SetId::EMPTY {
            writeln!(out, "  {}: {}", names.spelled(loc), names.set(set))?;
        }
    }
    Ok(())
}
