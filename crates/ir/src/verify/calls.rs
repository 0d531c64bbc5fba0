//! Calls, returns and assembly.

use super::BodyCheck;
use crate::body::{Call, CallArg, Callee, ValueId};
use crate::inst::Asm;
use crate::types::{Signature, TypeId};

impl BodyCheck<'_> {
    pub(super) fn call(&mut self, call: &Call) {
        let types = &self.module.types;
        let signature = &types.signatures[call.signature];
        if let Callee::Pointer(callee) = call.callee {
            self.pointer(callee);
        }
        for arg in &call.args {
            self.passed(arg.value, arg.ty);
        }
        if signature.prototyped {
            self.call_params(signature, &call.args);
        }
        let aggregate = types.is_aggregate(signature.result);
        let message = format_args!("memory for the result goes with an aggregate result");
        self.require(call.result_into.is_some() == aggregate, message);
        call.result_into.into_iter().for_each(|into| self.pointer(into));
    }

    /// `value` stands for a `ty`: its scalar, or the address of an aggregate.
    fn passed(&mut self, value: ValueId, ty: TypeId) {
        match self.module.types.passed_as(ty) {
            Some(wanted) => self.has_scalar("the argument", value, wanted),
            None => self.report(format_args!("an argument of {ty}, which is no value")),
        }
    }

    fn call_params(&mut self, signature: &Signature, args: &[CallArg]) {
        let (has, wants) = (args.len(), signature.params.len());
        let enough = if signature.variadic { has >= wants } else { has == wants };
        self.require(enough, format_args!("{has} arguments for {wants} parameters"));
        for (arg, &param) in args.iter().zip(&signature.params) {
            self.passed(arg.value, param);
        }
    }

    pub(super) fn returned(&mut self, value: Option<ValueId>) {
        let types = &self.module.types;
        let signature = self.module.functions[self.function].signature;
        let result = types.signatures[signature].result;
        match (value, types.scalar(result)) {
            (Some(value), Some(wanted)) => self.has_scalar("the returned", value, wanted),
            (None, Some(wanted)) => self.report(format_args!("no value, but it returns {wanted}")),
            (Some(value), None) => {
                self.report(format_args!("{value} is returned, but {result} is no scalar"));
            }
            (None, None) => {}
        }
    }

    pub(super) fn assembly(&mut self, asm: &Asm) {
        asm.outputs.iter().for_each(|output| self.pointer(output.address));
        for input in asm.inputs.iter().filter(|input| input.memory) {
            self.pointer(input.value);
        }
    }
}
