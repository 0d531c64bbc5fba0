//! Expressions, conditions, heaps and contexts as text, with the names of the source.

use std::fmt::Write;

use caulk_program::ProcId;

use crate::condition::{Condition, Relation};
use crate::function::Analysis;
use crate::heap::{Chain, Item, Origin};
use crate::poly::Poly;
use crate::space::{Atom, AtomKind, Cond, Expr, Operator, Place};
use crate::state::Evaluator;

impl Evaluator<'_> {
    /// The contexts at the exits of a function, and what leaks there.
    pub fn analysis_text(&mut self, proc: ProcId, analysis: &Analysis) -> String {
        let mut text = format!("function {}\n", self.input.program.procs[proc].name);
        if let Some(stop) = &analysis.stop {
            let _ = writeln!(text, "  given up: {}", stop.reason());
        }
        for exit in &analysis.exits {
            let value = exit.value.map_or(String::new(), |value| format!(" {}", self.text(value)));
            let line = self.line(exit.at).map_or(String::new(), |line| format!(" at line {line}"));
            let _ = writeln!(text, "  exit{line}:{value}");
            for &condition in &exit.context.facts.conditions {
                let _ = writeln!(text, "    when {}", self.condition_text(condition));
            }
            for known in &exit.context.facts.in_all_turns {
                let index = &self.space.symbols[known.index].name;
                let (count, fact) = (self.text(known.count), self.condition_text(known.fact));
                let _ = writeln!(text, "    for all {index} < {count}: {fact}");
            }
            if let Some(why) = exit.context.approximate {
                let _ = writeln!(text, "    not exact: {why}");
            }
            let heap = self.heap_text(exit.context.heap).replace('\n', "\n    ");
            let _ = writeln!(text, "    heap {heap}");
        }
        for leak in &analysis.leaks {
            let place = self.place_text(self.sites[leak.site].at);
            let _ = writeln!(text, "  {place} {}", self.leak_texts(&[leak]).join("; "));
        }
        text
    }

    #[must_use]
    pub fn text(&self, expr: Expr) -> String {
        self.poly_text(self.space.poly(expr))
    }

    pub(crate) fn poly_text(&self, poly: &Poly) -> String {
        // The constant comes first in the normal form, and last for people.
        let mut terms: Vec<_> = poly.terms.iter().collect();
        if terms.first().is_some_and(|term| term.0.is_empty()) {
            terms.rotate_left(1);
        }
        let mut text = String::new();
        for (monomial, factor) in terms {
            let product: Vec<String> = monomial
                .iter()
                .flat_map(|&(atom, power)| {
                    std::iter::repeat_n(self.atom_text(atom), usize::from(power))
                })
                .collect();
            let size = factor.abs();
            let sign = match (*factor < 0, text.is_empty()) {
                (true, true) => "-",
                (true, false) => " - ",
                (false, true) => "",
                (false, false) => " + ",
            };
            text.push_str(sign);
            match (product.is_empty(), size) {
                (true, _) => {
                    let _ = write!(text, "{size}");
                }
                (false, 1) => text.push_str(&product.join("*")),
                (false, _) => {
                    let _ = write!(text, "{size}*{}", product.join("*"));
                }
            }
        }
        if text.is_empty() {
            text.push('0');
        }
        if poly.divisor == 1 { text } else { format!("({text})/{}", poly.divisor) }
    }

    fn list(&self, list: &[Expr]) -> String {
        list.iter().map(|&expr| self.text(expr)).collect::<Vec<_>>().join(", ")
    }

    #[must_use]
    pub fn atom_text(&self, atom: Atom) -> String {
        match self.space.kind(atom) {
            AtomKind::Symbol(symbol) => self.space.symbols[*symbol].name.clone(),
            AtomKind::Cell { site, turns } => {
                let place = self.place_text(self.sites[*site].at);
                if turns.is_empty() { place } else { format!("{place}[{}]", self.list(turns)) }
            }
            AtomKind::Place(place) => self.storage_text(*place),
            AtomKind::Initial { at, .. } => format!("*({})", self.text(*at)),
            AtomKind::Unknown { number, arguments, .. } => {
                format!("u{number}({})", self.list(arguments))
            }
            AtomKind::Apply { operator, arguments } => {
                let arguments: Vec<String> = arguments.iter().map(|&it| self.text(it)).collect();
                match (operator_text(*operator), &arguments[..]) {
                    (Some(operator), [a, b]) => format!("({a} {operator} {b})"),
                    _ => format!("{operator:?}({})", arguments.join(", ")),
                }
            }
            AtomKind::Select { condition, yes, no } => {
                let (condition, yes, no) =
                    (self.condition_text(*condition), self.text(*yes), self.text(*no));
                format!("({condition} ? {yes} : {no})")
            }
            AtomKind::Undefined => String::from("⊥"),
        }
    }

    fn storage_text(&self, place: Place) -> String {
        let program = self.input.program;
        let name_of = |frame: u32, name: Option<caulk_base::Name>, other: String| match name {
            Some(name) => {
                let proc = self.frames[frame as usize].proc;
                program.module_of(proc).names.text(name).to_string()
            }
            None => other,
        };
        match place {
            Place::Slot { frame, slot } => {
                let body = program.body(self.frames[frame as usize].proc);
                let var = body.slots.rows().get(slot as usize).and_then(|row| row.var);
                let name = var.map(|var| body.vars[var].name);
                format!("&{}", name_of(frame, name, format!("s{slot}")))
            }
            Place::Variable { frame, var } => {
                let body = program.body(self.frames[frame as usize].proc);
                let name = body.vars.rows().get(var as usize).map(|var| var.name);
                name_of(frame, name, format!("x{var}"))
            }
            Place::Stack { number } => format!("alloca{number}"),
            Place::Static(id) => {
                let (module, object) = program.object(caulk_program::StaticId(id));
                let names = &program.modules[module].names;
                object
                    .name
                    .map_or_else(|| format!("g{id}"), |name| format!("&{}", names.text(name)))
            }
            Place::Function { module, function } => {
                let module = &program.modules[caulk_program::ModuleId(module)];
                module.function_name(caulk_ir::FunctionId(function)).to_string()
            }
        }
    }

    /// `name:line`, the line of an instruction and who is called there.
    #[must_use]
    pub fn place_text(&self, at: Origin) -> String {
        let frame = self.frames[at.frame as usize];
        let body = self.input.program.body(frame.proc);
        let line = self.line(at).map_or(String::new(), |line| format!(":{line}"));
        let name =
            crate::region::instruction(body, at).and_then(|inst| self.callee_name(at.frame, inst));
        format!("{}{line}", name.unwrap_or_else(|| String::from("at")))
    }

    /// Who is called by an instruction.
    #[must_use]
    pub fn callee_name(&self, frame: u32, inst: caulk_ir::InstId) -> Option<String> {
        let proc = self.frames[frame as usize].proc;
        let body = self.input.program.body(proc);
        let caulk_ir::Inst::Call(id) = body.insts[inst] else { return None };
        match body.calls[id].callee {
            caulk_ir::Callee::Function(function) => {
                Some(self.input.program.module_of(proc).function_name(function).to_string())
            }
            caulk_ir::Callee::Pointer(_) => Some(String::from("a function pointer")),
        }
    }

    #[must_use]
    pub fn line(&self, at: Origin) -> Option<u32> {
        let proc = self.frames[at.frame as usize].proc;
        let module = self.input.program.module_of(proc);
        Some(module.spans.get(self.span(at))?.start.line)
    }

    /// The source text of an instruction, or of the terminator after the last one of a block.
    #[must_use]
    pub fn span(&self, at: Origin) -> caulk_base::SpanId {
        let body = self.input.program.body(self.frames[at.frame as usize].proc);
        match at.ended() {
            Some(block) => body.blocks[block].terminator_span,
            None => body.inst_spans[caulk_ir::InstId(at.inst)],
        }
    }

    #[must_use]
    pub fn condition_text(&self, id: Cond) -> String {
        match self.space.condition(id) {
            Condition::Truth(value) => value.to_string(),
            Condition::Is(relation, expr) => self.literal_text(*relation, *expr),
            Condition::All(parts) => self.joined(parts, " && "),
            Condition::Any(parts) => self.joined(parts, " || "),
        }
    }

    fn joined(&self, parts: &[Cond], with: &str) -> String {
        let part = |&part: &Cond| match self.space.condition(part) {
            Condition::All(_) | Condition::Any(_) => format!("({})", self.condition_text(part)),
            _ => self.condition_text(part),
        };
        parts.iter().map(part).collect::<Vec<_>>().join(with)
    }

    /// A literal as a comparison, what is added on the left and what is subtracted on the right.
    fn literal_text(&self, relation: Relation, expr: Expr) -> String {
        let poly = self.space.poly(expr);
        let (mut left, mut right) = (Poly::constant(0), Poly::constant(0));
        for (monomial, factor) in &poly.terms {
            let is_left = *factor > 0 && !monomial.is_empty();
            let side = if is_left { &mut left } else { &mut right };
            let factor = if is_left { *factor } else { -factor };
            side.terms.push((monomial.clone(), factor));
        }
        let mut sign = match relation {
            Relation::Zero => "==",
            Relation::NonZero => "!=",
            Relation::NotNegative => ">=",
        };
        if left.terms.is_empty() {
            let terms = poly.terms.iter().filter(|it| !it.0.is_empty());
            left.terms = terms.map(|it| (it.0.clone(), -it.1)).collect();
            right = Poly::constant(poly.constant_part());
            if relation == Relation::NotNegative {
                sign = "<=";
            }
        }
        format!("{} {sign} {}", self.poly_text(&left), self.poly_text(&right))
    }

    /// A chain, one heap function a line.
    #[must_use]
    pub fn heap_text(&self, chain: Chain) -> String {
        let mut text = String::from("β");
        for item in self.heaps.items(chain) {
            let _ = write!(text, "\n  ⊕ {}", self.item_text(&item));
        }
        text
    }

    #[must_use]
    pub fn item_text(&self, item: &Item) -> String {
        match item {
            Item::New { cell, zeroed, .. } => {
                format!("new({}{})", self.text(*cell), if *zeroed { ", zeroed" } else { "" })
            }
            Item::Put { address, value, .. } => {
                format!("put({}, {})", self.address_text(*address), self.text(*value))
            }
            Item::Free { pointer, .. } => format!("free({})", self.text(*pointer)),
            Item::Keep { pointer, .. } => format!("keep({})", self.text(*pointer)),
            Item::Copy { to, from, bytes, .. } => {
                let [to, from, bytes] = [*to, *from, *bytes].map(|it| self.text(it));
                format!("copy({to}, {from}, {bytes})")
            }
            Item::Fill { to, byte, .. } => {
                let byte = byte.map_or_else(|| String::from("?"), |byte| self.text(byte));
                format!("fill({}, {byte})", self.text(*to))
            }
            Item::Havoc { at, .. } => format!("call({})", self.place_text(*at)),
            Item::Loop(it) => {
                let index = &self.space.symbols[it.index].name;
                let body: Vec<String> = it.body.iter().map(|item| self.item_text(item)).collect();
                format!("for {index} < {}: {}", self.text(it.count), body.join(" ⊕ "))
            }
            Item::Guarded { condition, items } => {
                let items: Vec<String> = items.iter().map(|item| self.item_text(item)).collect();
                format!("if {}: {}", self.condition_text(*condition), items.join(" ⊕ "))
            }
            Item::Start { index, .. } => format!("h({})", self.space.symbols[*index].name),
        }
    }

    /// `r, q`: the record and the distance in it; `v, ⊥` for a variable.
    fn address_text(&self, address: Expr) -> String {
        let Some(base) = self.space.base(address) else { return self.text(address) };
        if let AtomKind::Place(place @ Place::Variable { .. }) = self.space.kind(base) {
            return format!("{}, ⊥", self.storage_text(*place));
        }
        let mut distance = self.space.poly(address).clone();
        distance.terms.retain(|term| term.0[..] != [(base, 1)]);
        format!("{}, {}", self.atom_text(base), self.poly_text(&distance))
    }
}

fn operator_text(operator: Operator) -> Option<&'static str> {
    match operator {
        Operator::Divide => Some("/"),
        Operator::Remainder => Some("%"),
        Operator::And => Some("&"),
        Operator::Or => Some("|"),
        Operator::Xor => Some("^"),
        Operator::ShiftLeft => Some("<<"),
        Operator::ShiftRight => Some(">>"),
        Operator::Power => Some("**"),
        Operator::WrapSigned(_) | Operator::WrapUnsigned(_) => None,
    }
}
