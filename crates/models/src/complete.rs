//! What follows from a function's effects and need not be written down.

use crate::model::{Effect, FunctionModel, ResultKind, Success, Target};

/// Fills in the kind of the result, where it was not told, and how its failure is seen.
pub fn complete(model: &mut FunctionModel, told: Option<ResultKind>) {
    model.result = match result_kind(&model.effects) {
        ResultKind::Plain => told.unwrap_or(ResultKind::Plain),
        kind => kind,
    };
    let Some(may_fail) = fresh_may_fail(&model.effects) else { return };
    model.nonnull |= !may_fail && model.success.is_none();
    if may_fail && model.success.is_none() {
        model.success = Some(Success::NonNull);
    }
}

/// Whether the result is fresh, and whether making it can fail.
fn fresh_may_fail(effects: &[Effect]) -> Option<bool> {
    effects.iter().find_map(|effect| match effect {
        Effect::Allocates { to: Target::Result, may_fail, .. }
        | Effect::Reallocates { to: Target::Result, may_fail, .. } => Some(*may_fail),
        _ => None,
    })
}

fn result_kind(effects: &[Effect]) -> ResultKind {
    if fresh_may_fail(effects).is_some() {
        return ResultKind::Fresh;
    }
    let argument = effects.iter().find_map(|effect| match effect {
        Effect::ReturnsArgument { arg, .. } => Some(ResultKind::Argument(*arg)),
        _ => None,
    });
    let loaded = effects.iter().find_map(|effect| match effect {
        Effect::ReturnsLoaded { arg } => Some(ResultKind::Loaded(*arg)),
        _ => None,
    });
    argument.or(loaded).unwrap_or(ResultKind::Plain)
}
