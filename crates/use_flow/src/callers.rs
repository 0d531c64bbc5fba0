//! What is known of the arguments of a function before it is entered: the constants that its calls
//! pass, or choose from, and its callers hand on, where all its calls are known.

use caulk_base::Table;
use caulk_guard::bits::{Answer, Budget, Compare, TermId, satisfy};
use caulk_ir::{BlockId, Body, Constant, Inst, ValueId, ValueKind};
use caulk_program::{DirectCalls, Entries, ProcId, Program};

use crate::space::{Origin, Space};
use crate::state::State;
use crate::step::Exec;

/// What a call passes as an argument, as far as it is written there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Passed {
    /// One of these: `add(list, all ? 1 : 2)`.
    Numbers(Vec<i64>),
    /// Of something with a name, or in something: not NULL.
    Address,
    /// What the caller itself was passed.
    Parameter(u32),
}

/// The known arguments of one call, by their numbers.
type Row = Vec<(u32, Passed)>;

/// Per function the different calls; none where some are not known, or nothing is known of one.
pub struct Callers {
    rows: Table<ProcId, Vec<Row>>,
    /// The first parameters for which some call passes NULL, or hands on what is NULL, as bits.
    nulls: Table<ProcId, u32>,
}

/// A function that is called in more ways than these is called in all ways.
const MOST_ROWS: usize = 12;
/// A choice of more numbers is any number.
const MOST_NUMBERS: usize = 4;
/// How many callers hand an argument on.
const FARTHEST: u32 = 3;

/// A call with its caller, as written.
type Written = (ProcId, Row);

impl Callers {
    pub fn new(program: &Program, calls: &DirectCalls, entries: &Entries) -> Self {
        let mut written: Table<ProcId, Vec<Written>> =
            Table::filled(Vec::new(), program.procs.len());
        for caller in program.procs.ids() {
            let body = program.body(caller);
            for &(call, callee) in calls.of(caller) {
                let arguments = body.calls[call].args.iter().map(|arg| passed(body, arg.value));
                let told = (0u32..).zip(arguments);
                let row = told.filter_map(|(at, it)| Some((at, it?))).collect();
                written[callee].push((caller, row));
            }
        }
        let nulls = nulls(&written);
        for proc in program.procs.ids() {
            if calls.is_address_taken(proc) || entries.reason(proc).is_some() {
                written[proc].clear();
            }
        }
        let rows = program.procs.ids().map(|proc| rows_of(&written, proc)).collect();
        Self { rows, nulls }
    }

    /// Whether some call passes NULL, or zero, or hands on what its caller was passed so.
    pub fn pass_null(&self, proc: ProcId, param: u32) -> bool {
        param < u32::BITS && self.nulls[proc] >> param & 1 == 1
    }
}

fn nulls(written: &Table<ProcId, Vec<Written>>) -> Table<ProcId, u32> {
    let mut nulls: Table<ProcId, u32> = Table::filled(0, written.len());
    for _ in 0..=FARTHEST {
        for proc in written.ids() {
            let passed = written[proc].iter().flat_map(|(caller, row)| {
                row.iter().map(move |(at, passed)| (*at, *caller, passed))
            });
            let is_null = |caller: ProcId, passed: &Passed| match passed {
                Passed::Numbers(values) => values.contains(&0),
                Passed::Parameter(number @ 0..32) => nulls[caller] >> number & 1 == 1,
                Passed::Parameter(_) | Passed::Address => false,
            };
            let null = passed.filter(|(at, caller, it)| *at < u32::BITS && is_null(*caller, it));
            let bits = null.fold(0, |bits, (at, _, _)| bits | 1 << at);
            nulls[proc] |= bits;
        }
    }
    nulls
}

fn rows_of(written: &Table<ProcId, Vec<Written>>, proc: ProcId) -> Vec<Row> {
    let settle = |(caller, row): &Written| -> Row {
        let settled =
            |(at, it): &(u32, Passed)| Some((*at, settled(written, *caller, it, FARTHEST)?));
        row.iter().filter_map(settled).collect()
    };
    let mut rows: Vec<Row> = written[proc].iter().map(settle).collect();
    rows.sort_unstable();
    rows.dedup();
    if rows.len() > MOST_ROWS || rows.iter().any(Vec::is_empty) {
        rows.clear();
    }
    rows
}

/// What a caller passes, with what its own callers pass it.
fn settled(
    written: &Table<ProcId, Vec<Written>>,
    caller: ProcId,
    passed: &Passed,
    depth: u32,
) -> Option<Passed> {
    let Passed::Parameter(number) = *passed else { return Some(passed.clone()) };
    let depth = depth.checked_sub(1)?;
    let mut all: Option<Passed> = None;
    for (above, row) in &written[caller] {
        let one = row.iter().find(|it| it.0 == number)?;
        let one = settled(written, *above, &one.1, depth)?;
        all = Some(all.map_or(Some(one.clone()), |all| either(all, one))?);
    }
    all
}

fn either(one: Passed, other: Passed) -> Option<Passed> {
    match (one, other) {
        (Passed::Numbers(mut one), Passed::Numbers(other)) => {
            one.extend(other);
            numbers(one)
        }
        (Passed::Address, Passed::Address) => Some(Passed::Address),
        _ => None,
    }
}

fn numbers(mut all: Vec<i64>) -> Option<Passed> {
    all.sort_unstable();
    all.dedup();
    (all.len() <= MOST_NUMBERS).then_some(Passed::Numbers(all))
}

fn passed(body: &Body, value: ValueId) -> Option<Passed> {
    match body.values[value].kind {
        ValueKind::Const(Constant::Int(number)) => Some(Passed::Numbers(vec![number])),
        ValueKind::Const(Constant::Slot(_) | Constant::Object(_) | Constant::Function(_)) => {
            Some(Passed::Address)
        }
        ValueKind::Inst(inst) => match body.insts[inst] {
            Inst::Field { offset: 1.., .. } => Some(Passed::Address),
            _ => None,
        },
        ValueKind::Param(number) => Some(Passed::Parameter(number)),
        ValueKind::BlockParam(block, number) => numbers(choice(body, block, number)?),
        ValueKind::Const(_) => None,
    }
}

/// The numbers that the ways into a block bring along.
fn choice(body: &Body, block: BlockId, number: u32) -> Option<Vec<i64>> {
    let edges = body.blocks.rows().iter().flat_map(|row| row.terminator.edges());
    let brought = edges.filter(|edge| edge.to == block).map(|edge| edge.args[number as usize]);
    brought
        .map(|value| match body.constant(value) {
            Some(Constant::Int(number)) => Some(number),
            _ => None,
        })
        .collect()
}

impl Exec<'_> {
    /// Whether a call can lead to a path, by the constants that it passes.
    pub fn is_called_so(&mut self, state: &State) -> bool {
        let callers = self.context.callers;
        let rows = &callers.rows[self.proc];
        if rows.is_empty() {
            return true;
        }
        let asked = asked(&self.space, state);
        rows.iter().any(|row| {
            let row: Vec<&(u32, Passed)> = row.iter().filter(|it| asked.contains(&it.0)).collect();
            row.is_empty() || self.fits(state, &row)
        })
    }

    /// Whether the conditions of a path can be, with one choice for each argument.
    fn fits(&mut self, state: &State, row: &[&(u32, Passed)]) -> bool {
        let Some(((number, passed), rest)) = row.split_first() else {
            let (terms, conditions) = (&self.space.terms, state.facts.conditions());
            return !matches!(satisfy(terms, conditions, &Budget::default()), Answer::Unsat(_));
        };
        let choices = self.choices(*number, passed);
        choices.is_empty() && self.fits(state, rest)
            || choices.into_iter().any(|condition| {
                let mut state = state.clone();
                state.assume(&mut self.space, condition) && self.fits(&state, rest)
            })
    }

    /// What may be said of a parameter, one of it.
    fn choices(&mut self, number: u32, passed: &Passed) -> Vec<TermId> {
        let Some(&param) = self.body.params.get(number as usize) else { return Vec::new() };
        let scalar = self.body.values[param].scalar;
        let width = self.space.width(scalar);
        let is_pointer = scalar == caulk_ir::Scalar::Ptr;
        let term = self.space.symbol(Origin::Param(number), width, is_pointer);
        let terms = &mut self.space.terms;
        let mut equal = |value: i64| {
            let value = terms.constant(value as u64, width);
            terms.compare(Compare::Eq, term, value)
        };
        match passed {
            Passed::Numbers(values) => values.iter().map(|&value| equal(value)).collect(),
            Passed::Address => {
                let is_null = equal(0);
                vec![terms.not(is_null)]
            }
            Passed::Parameter(_) => Vec::new(),
        }
    }
}

/// The parameters that stand in the conditions of a path.
fn asked(space: &Space, state: &State) -> Vec<u32> {
    let mut asked = Vec::new();
    for &condition in state.facts.conditions() {
        space.any_symbol(condition, &mut |symbol| {
            if let Some(Origin::Param(number)) = space.origin(symbol)
                && !asked.contains(&number)
            {
                asked.push(number);
            }
            false
        });
    }
    asked
}
