//! What the program's own calls pass for numbers: where each passes a constant, a run is given one of
//! them. Only functions are known so that nobody else can call.

use caulk_base::{FxHashMap, FxHashSet};
use caulk_interp::Program;
use caulk_ir::{Body, Callee, Constant, ValueId};

use crate::callers::Callers;

/// More are as good as any.
const MOST: usize = 8;
/// Values that are looked at for one argument.
const MOST_SEEN: usize = 40;

/// What the calls pass for one parameter; none for what is no constant.
type Numbers = Option<Vec<u64>>;

/// By the numbers of the program's functions; none for a function that nobody calls by name.
pub struct Passed(Vec<Option<Vec<Numbers>>>);

impl Passed {
    pub fn new(program: &Program, callers: &Callers) -> Self {
        let mut passed = Self(vec![None; program.functions.len()]);
        for (number, row) in (0..).zip(&program.functions) {
            if let Some(body) = program.body(number) {
                passed.scan(program, row.module, body);
            }
        }
        for (number, row) in (0..).zip(&mut passed.0) {
            *row = row.take().filter(|_| callers.of(number).is_some());
        }
        passed
    }

    /// The numbers that a parameter is given.
    pub fn of(&self, function: u32, parameter: usize) -> Option<&[u64]> {
        let rows = self.0[function as usize].as_ref()?;
        rows.get(parameter)?.as_deref().filter(|numbers| numbers.len() <= MOST)
    }

    fn scan(&mut self, program: &Program, module: usize, body: &Body) {
        let incoming = Incoming::new(body);
        for call in body.calls.rows() {
            let Callee::Function(id) = call.callee else { continue };
            let numbers = call.args.iter().map(|arg| incoming.numbers(arg.value));
            let callee = program.function_number(module, id);
            self.add(callee, &numbers.collect::<Vec<_>>());
        }
    }

    fn add(&mut self, callee: u32, given: &[Numbers]) {
        let first = || vec![Some(Vec::new()); given.len()];
        let rows = self.0[callee as usize].get_or_insert_with(first);
        rows.resize(rows.len().max(given.len()), None);
        for (number, row) in rows.iter_mut().enumerate() {
            match (row.as_mut(), given.get(number)) {
                (Some(known), Some(Some(more))) => {
                    known.extend(more);
                    known.sort_unstable();
                    known.dedup();
                }
                _ => *row = None,
            }
        }
    }
}

/// What edges bring to the parameters of blocks: variables that are set in branches.
struct Incoming<'b> {
    body: &'b Body,
    args: FxHashMap<ValueId, Vec<ValueId>>,
}

impl<'b> Incoming<'b> {
    fn new(body: &'b Body) -> Self {
        let mut args: FxHashMap<ValueId, Vec<ValueId>> = FxHashMap::default();
        for edge in body.blocks.rows().iter().flat_map(|block| block.terminator.edges()) {
            let params = &body.blocks[edge.to].params;
            params.iter().zip(&edge.args).for_each(|(&it, &arg)| {
                args.entry(it).or_default().push(arg);
            });
        }
        Self { body, args }
    }

    /// The constants that a value may be; none where it may be something else.
    fn numbers(&self, value: ValueId) -> Numbers {
        let (mut seen, mut open) = (FxHashSet::from_iter([value]), vec![value]);
        let mut numbers = Vec::new();
        while let Some(value) = open.pop() {
            if let Some(constant) = self.body.constant(value) {
                let Constant::Int(number) = constant else { return None };
                numbers.push(number as u64);
                continue;
            }
            let known = self.args.get(&value)?;
            open.extend(known.iter().filter(|&&it| seen.insert(it)));
            if seen.len() > MOST_SEEN {
                return None;
            }
        }
        Some(numbers)
    }
}
