//! One function, from unknown inputs to its leaks.

use caulk_ir::{Scalar, Type, TypeId, Types};
use caulk_program::ProcId;

use crate::leaks::Leak;
use crate::region::entry;
use crate::space::{Expr, SymbolInfo, SymbolKind};
use crate::state::{Evaluator, Exit, Stop};

/// What the evaluation of a function gave.
pub struct Analysis {
    pub exits: Vec<Exit>,
    pub leaks: Vec<Leak>,
    /// Of some record it could not be told whether it is lost; it is taken as held.
    pub unclear: bool,
    pub stop: Option<Stop>,
}

impl Evaluator<'_> {
    pub fn analyse(&mut self, proc: ProcId) -> Analysis {
        let arguments = self.inputs(proc);
        let body = self.input.program.body(proc);
        let into = body.result_into.map(|_| {
            let kind = SymbolKind::Input(u32::MAX);
            self.input_symbol(String::from("result"), (None, None), true, kind)
        });
        match self.run_function(proc, None, &arguments, into, entry(), 0) {
            Ok(exits) => {
                let mut leaks = Vec::new();
                for exit in &exits {
                    leaks.extend(self.leaks_at(exit));
                }
                let stop = self.check_budget().err();
                Analysis { exits, leaks, unclear: self.unclear, stop }
            }
            Err(stop) => {
                let (exits, leaks) = (Vec::new(), Vec::new());
                Analysis { exits, leaks, unclear: true, stop: Some(stop) }
            }
        }
    }

    /// A symbol for each parameter.
    pub fn inputs(&mut self, proc: ProcId) -> Vec<Expr> {
        let program = self.input.program;
        let (module, function, body) =
            (program.module_of(proc), program.function(proc), program.body(proc));
        let types = &module.types.signatures[function.signature].params;
        let mut inputs = Vec::new();
        for (number, &value) in body.params.iter().enumerate() {
            let named = body.vars.rows().iter().find(|var| var.param == Some(number as u32));
            let name = named.map_or_else(
                || format!("arg{number}"),
                |var| module.names.text(var.name).to_string(),
            );
            let scalar = body.values[value].scalar;
            let bounds = types.get(number).map_or((None, None), |&ty| bounds(&module.types, ty));
            let kind = SymbolKind::Input(number as u32);
            inputs.push(self.input_symbol(name, bounds, scalar == Scalar::Ptr, kind));
        }
        inputs
    }

    fn input_symbol(
        &mut self,
        name: String,
        (low, high): (Option<i128>, Option<i128>),
        pointer: bool,
        kind: SymbolKind,
    ) -> Expr {
        let symbol = self.space.new_symbol(SymbolInfo { name, low, high, pointer, kind });
        self.space.symbol(symbol)
    }
}

/// The least and the greatest number of a type.
fn bounds(types: &Types, ty: TypeId) -> (Option<i128>, Option<i128>) {
    let (scalar, signed) = match types.types[ty] {
        Type::Scalar { scalar, signed } => (scalar, signed),
        Type::Enum(id) => (types.enums[id].scalar, types.enums[id].signed),
        _ => return (None, None),
    };
    match scalar.int_bits() {
        Some(bits @ 8..=64) if signed => {
            (Some(-(1_i128 << (bits - 1))), Some((1_i128 << (bits - 1)) - 1))
        }
        Some(bits @ 1..=64) => (Some(0), Some((1_i128 << bits) - 1)),
        _ => (None, None),
    }
}
