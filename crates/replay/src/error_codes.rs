//! Numbers of the library, such as `errno`.

use caulk_guard::bits::Compare;
use caulk_ir::{Body, Callee, Inst, UnaryOp, ValueId};
use caulk_models::ResultKind;

use crate::search::Seeker;
use crate::state::State;
use crate::value::Value;

impl Seeker<'_> {
    /// Who returns a negated error code says that there was an error: the code is positive.
    pub fn note_error_code(
        &mut self,
        state: &mut State,
        body: &Body,
        (op, operand): (UnaryOp, ValueId),
        value: Value,
    ) {
        if let (UnaryOp::NegS, Value::Term(term)) = (op, value)
            && self.space.constant(term).is_none()
            && self.is_library_number(state, body, operand)
        {
            let zero = self.space.number(0, self.space.terms.width(term));
            let is_positive = self.space.terms.compare(Compare::LtS, zero, term);
            state.assume(is_positive);
        }
    }

    /// Whether a number is read from storage of the library's.
    fn is_library_number(&self, state: &mut State, body: &Body, value: ValueId) -> bool {
        let definition = |value| body.definition(value).map(|at| body.insts[at]);
        let Some(Inst::Load { from, .. }) = definition(value) else { return false };
        let Some(Inst::Call(call)) = definition(from) else { return false };
        let Callee::Function(callee) = body.calls[call].callee else { return false };
        let program = self.program();
        let module = program.functions[state.frame().function as usize].module;
        let model = self.world.model(program.function_number(module, callee));
        model.is_some_and(|model| model.result == ResultKind::Library)
    }
}
