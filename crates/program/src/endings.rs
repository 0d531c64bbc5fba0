//! Calls that do not come back: of functions that never return, and of those that do not with the
//! constants that the call passes (`fatal(true, …)`). By control flow alone, so that recursions and
//! functions of any size are decided, too.

use caulk_base::{BitSet, FxHashMap, FxHashSet};
use caulk_ir::{
    BlockId, Body, Call, CallId, Callee, CompareOp, Constant, ConvertOp, Edge, Inst, Terminator,
    ValueId, ValueKind,
};
use caulk_models::Returns;

use crate::calls::DirectCalls;
use crate::external::ExternalModels;
use crate::program::{Binding, ProcId, Program};

/// What is learnt in one round may decide calls in the next: `die` calls `report(true, …)`, which
/// calls `leave`.
const ROUNDS: usize = 5;

/// The calls that do not come back, by their callers.
type Ends = FxHashSet<(ProcId, CallId)>;

#[derive(Clone, Debug, Default)]
pub struct Endings {
    calls: Ends,
    /// The blocks that such calls end, by function.
    stopped: FxHashMap<ProcId, Vec<BlockId>>,
}

/// The numbers that a call passes, by parameter.
type Passed = Vec<Option<i64>>;

impl Endings {
    #[must_use]
    pub fn new(program: &Program, externals: &ExternalModels, calls: &DirectCalls) -> Self {
        let sites = sites(program);
        let mut order: Vec<ProcId> = program.procs.ids().collect();
        order.sort_by_key(|&proc| calls.sccs().component(proc));
        let mut ends = ends_by_themselves(program, externals, &sites);
        for _ in 0..ROUNDS {
            let before = ends.len();
            add_calls_of_endless(program, &order, &sites, &mut ends);
            add_calls_with_constants(program, &sites, &mut ends);
            if ends.len() == before {
                break;
            }
        }
        let mut stopped: FxHashMap<ProcId, Vec<BlockId>> = FxHashMap::default();
        for site in sites.iter().filter(|site| ends.contains(&(site.caller, site.id))) {
            stopped.entry(site.caller).or_default().push(site.block);
        }
        Self { calls: ends, stopped }
    }

    /// Whether a call never comes back.
    #[must_use]
    pub fn ends(&self, caller: ProcId, call: CallId) -> bool {
        self.calls.contains(&(caller, call))
    }

    /// Whether a function may return with these arguments, as far as they are known.
    #[must_use]
    pub fn may_return(&self, program: &Program, proc: ProcId, passed: &[Option<i64>]) -> bool {
        let stopped = self.stopped.get(&proc).map_or(&[][..], Vec::as_slice);
        reaches_return(program.body(proc), stopped, passed)
    }
}

/// A call by name, or of a function's name in parentheses.
struct Site<'p> {
    caller: ProcId,
    block: BlockId,
    id: CallId,
    call: &'p Call,
    binding: &'p Binding,
}

impl Site<'_> {
    /// The one function with a body that is called.
    fn callee(&self) -> Option<ProcId> {
        match self.binding {
            Binding::Procs(procs) => (procs.len() == 1).then(|| procs[0]),
            Binding::External(_) => None,
        }
    }
}

fn sites(program: &Program) -> Vec<Site<'_>> {
    let mut sites = Vec::new();
    for caller in program.procs.ids() {
        let (body, module) = (program.body(caller), program.procs[caller].module);
        for (block, row) in body.blocks.iter() {
            for inst in row.insts() {
                let Inst::Call(id) = body.insts[inst] else { continue };
                let call = &body.calls[id];
                if let Some(function) = named(body, call) {
                    let binding = program.binding(module, function);
                    sites.push(Site { caller, block, id, call, binding });
                }
            }
        }
    }
    sites
}

fn named(body: &Body, call: &Call) -> Option<caulk_ir::FunctionId> {
    match call.callee {
        Callee::Function(function) => Some(function),
        Callee::Pointer(value) => match body.values[value].kind {
            ValueKind::Const(Constant::Function(function)) => Some(function),
            _ => None,
        },
    }
}

fn ends_by_themselves(program: &Program, externals: &ExternalModels, sites: &[Site<'_>]) -> Ends {
    let is_end = |site: &&Site<'_>| {
        let never = |external| {
            let model = externals.of(external);
            match model.map(|model| &model.returns) {
                Some(Returns::Never) => true,
                Some(Returns::NeverWhen(condition)) => {
                    let arg = site.call.args.get(condition.arg as usize);
                    let body = program.body(site.caller);
                    let number = arg.and_then(|arg| number(body, arg.value, &[]));
                    number.is_some_and(|it| condition.test.holds(it))
                }
                _ => false,
            }
        };
        site.call.noreturn || matches!(*site.binding, Binding::External(id) if never(id))
    };
    sites.iter().filter(is_end).map(|site| (site.caller, site.id)).collect()
}

/// The calls of one function.
fn of<'s, 'p>(sites: &'s [Site<'p>], caller: ProcId) -> &'s [Site<'p>] {
    let start = sites.partition_point(|site| site.caller < caller);
    let end = start + sites[start..].partition_point(|site| site.caller == caller);
    &sites[start..end]
}

/// Calls of functions from whose start no return can be reached over calls that come back: at first
/// none can, and each that is found may be the way of others. Callees come first, so that most is
/// known after one turn.
fn add_calls_of_endless(program: &Program, order: &[ProcId], sites: &[Site<'_>], ends: &mut Ends) {
    let mut endless = BitSet::new(program.procs.len());
    for &proc in order {
        endless.insert(proc);
    }
    let mut open: Vec<ProcId> = order.to_vec();
    loop {
        let before = open.len();
        open.retain(|&proc| {
            let stops = |site: &&Site<'_>| {
                ends.contains(&(proc, site.id))
                    || site.callee().is_some_and(|callee| endless.contains(callee))
            };
            let stopped: Vec<BlockId> =
                of(sites, proc).iter().filter(stops).map(|site| site.block).collect();
            let returns = reaches_return(program.body(proc), &stopped, &[]);
            if returns {
                endless.remove(proc);
            }
            !returns
        });
        if open.len() == before {
            break;
        }
    }
    let is_end = |site: &&Site<'_>| site.callee().is_some_and(|it| endless.contains(it));
    ends.extend(sites.iter().filter(is_end).map(|site| (site.caller, site.id)));
}

/// Calls that pass numbers with which the callee comes to no return.
fn add_calls_with_constants(program: &Program, sites: &[Site<'_>], ends: &mut Ends) {
    let mut found = Vec::new();
    for site in sites.iter().filter(|site| !ends.contains(&(site.caller, site.id))) {
        let Some(callee) = site.callee() else { continue };
        let is_end = |inner: &&Site<'_>| ends.contains(&(callee, inner.id));
        let stopped: Vec<BlockId> =
            of(sites, callee).iter().filter(is_end).map(|inner| inner.block).collect();
        if stopped.is_empty() {
            continue;
        }
        let body = program.body(site.caller);
        let passed: Passed =
            site.call.args.iter().map(|arg| number(body, arg.value, &[])).collect();
        if passed.iter().any(Option::is_some)
            && !reaches_return(program.body(callee), &stopped, &passed)
        {
            found.push((site.caller, site.id));
        }
    }
    ends.extend(found);
}

fn reaches_return(body: &Body, stopped: &[BlockId], passed: &[Option<i64>]) -> bool {
    let mut seen = BitSet::new(body.blocks.len());
    let mut open = vec![BlockId::ENTRY];
    while let Some(block) = open.pop() {
        if !seen.insert(block) || stopped.contains(&block) {
            continue;
        }
        let terminator = &body.blocks[block].terminator;
        if matches!(terminator, Terminator::Return(_)) {
            return true;
        }
        match chosen(body, terminator, passed) {
            Some(edge) => open.push(edge.to),
            None => open.extend(terminator.edges().map(|edge| edge.to)),
        }
    }
    false
}

/// The one way that is taken with these arguments.
fn chosen<'b>(
    body: &'b Body,
    terminator: &'b Terminator,
    passed: &[Option<i64>],
) -> Option<&'b Edge> {
    if passed.is_empty() {
        return None;
    }
    match terminator {
        Terminator::Branch { cond, then, otherwise } => {
            let holds = number(body, *cond, passed)? != 0;
            Some(if holds { then } else { otherwise })
        }
        Terminator::Switch { value, signed, cases, default } => {
            let value = number(body, *value, passed).filter(|it| *signed || *it >= 0)?;
            let value = i128::from(value);
            let case = cases.iter().find(|case| (case.low..=case.high).contains(&value));
            Some(case.map_or(default, |case| &case.edge))
        }
        _ => None,
    }
}

/// The number that a value is with these arguments.
fn number(body: &Body, value: ValueId, passed: &[Option<i64>]) -> Option<i64> {
    match body.values[value].kind {
        ValueKind::Const(Constant::Int(number)) => Some(number),
        ValueKind::Const(_) => None,
        ValueKind::Inst(inst) => match body.insts[inst] {
            Inst::Compare { op, lhs, rhs } => {
                compare(op, number(body, lhs, passed)?, number(body, rhs, passed)?)
            }
            Inst::Convert { op: ConvertOp::ZeroExtend, value, .. } => {
                number(body, value, passed).filter(|it| *it >= 0)
            }
            Inst::Convert { op: ConvertOp::SignExtend, value, .. } => number(body, value, passed),
            _ => None,
        },
        ValueKind::Param(at) => passed.get(at as usize).copied().flatten(),
        ValueKind::BlockParam(..) => None,
    }
}

fn compare(op: CompareOp, left: i64, right: i64) -> Option<i64> {
    let plain = left >= 0 && right >= 0;
    let holds = match op {
        CompareOp::Eq => left == right,
        CompareOp::Ne => left != right,
        CompareOp::LtS => left < right,
        CompareOp::LeS => left <= right,
        CompareOp::GtS => left > right,
        CompareOp::GeS => left >= right,
        CompareOp::LtU if plain => left < right,
        CompareOp::LeU if plain => left <= right,
        CompareOp::GtU if plain => left > right,
        CompareOp::GeU if plain => left >= right,
        _ => return None,
    };
    Some(i64::from(holds))
}
