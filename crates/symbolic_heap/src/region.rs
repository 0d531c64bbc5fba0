//! Control flow: blocks in reverse postorder, loops as single steps, contexts joined where ways meet.

use std::collections::BTreeMap;
use std::rc::Rc;

use caulk_ir::{BlockId, Edge, InstId, Terminator};
use caulk_program::ProcId;
use caulk_ssa::LoopId;

use crate::facts::Facts;
use crate::heap::{Chain, Origin};
use crate::space::{Cond, Expr};
use crate::state::{Activation, Context, Evaluator, Exit, Stop};

/// A context that comes to a block, with what the edge passes.
#[derive(Clone)]
pub struct Arrival {
    pub to: BlockId,
    pub arguments: Vec<Expr>,
    pub context: Context,
}

/// The ways out of a region.
#[derive(Default)]
pub struct Leaving {
    /// To the header again.
    pub back: Vec<Arrival>,
    /// To blocks outside.
    pub out: Vec<Arrival>,
    pub returns: Vec<Exit>,
}

impl<'a> Evaluator<'a> {
    /// Evaluates a call, or the analysed function itself.
    pub fn run_function(
        &mut self,
        proc: ProcId,
        called_at: Option<Origin>,
        arguments: &[Expr],
        result_into: Option<Expr>,
        context: Context,
        depth: usize,
    ) -> Result<Vec<Exit>, Stop> {
        let run = self.activation(proc, called_at, depth);
        if !run.facts.cfg().irreducible_regions().is_empty() {
            return Err(Stop::Unsupported("a loop that is entered at several places"));
        }
        let mut values = vec![None; run.body.values.len()];
        for (param, &argument) in run.body.params.iter().zip(arguments) {
            values[param.0 as usize] = Some(argument);
        }
        if let (Some(param), Some(into)) = (run.body.result_into, result_into) {
            values[param.0 as usize] = Some(into);
        }
        let context = Context { values: Rc::new(values), ..context };
        let start = Arrival { to: BlockId::ENTRY, arguments: Vec::new(), context };
        let leaving = self.run_region(&run, None, vec![start])?;
        Ok(leaving.returns)
    }

    /// Evaluates the blocks of a loop once, or the whole function.
    pub fn run_region(
        &mut self,
        run: &Activation<'a>,
        region: Option<LoopId>,
        start: Vec<Arrival>,
    ) -> Result<Leaving, Stop> {
        let facts = run.facts.clone();
        let (order, loops) = (facts.cfg().order(), facts.cfg().loops());
        let header = region.map(|region| loops.header(region));
        let mut waiting: BTreeMap<usize, Vec<Arrival>> = BTreeMap::new();
        let first = start.first().map_or(BlockId::ENTRY, |arrival| arrival.to);
        waiting.insert(order.position(first).unwrap_or(0), start);
        let mut leaving = Leaving::default();
        while let Some((position, arrivals)) = waiting.pop_first() {
            self.check_budget()?;
            let block = order.reverse_post_order()[position];
            let arrivals = self.join(arrivals);
            if arrivals.len() > self.options.contexts {
                return Err(Stop::Budget("too many ways through it"));
            }
            let inner = loops.innermost(block).filter(|&it| loops.header(it) == block);
            let mut next = Vec::new();
            if let Some(inner) = inner.filter(|&it| Some(it) != region) {
                for arrival in arrivals {
                    let after = self.run_loop(run, inner, arrival)?;
                    next.extend(after.out);
                    leaving.returns.extend(after.returns);
                }
            } else {
                for arrival in arrivals {
                    self.run_block(run, block, arrival, &mut next, &mut leaving.returns)?;
                }
            }
            for arrival in next {
                if Some(arrival.to) == header {
                    leaving.back.push(arrival);
                } else if region.is_some_and(|region| !loops.contains(region, arrival.to)) {
                    leaving.out.push(arrival);
                } else {
                    let position = order.position(arrival.to).unwrap_or(0);
                    waiting.entry(position).or_default().push(arrival);
                }
            }
        }
        leaving.back = self.join(leaving.back);
        Ok(leaving)
    }

    fn run_block(
        &mut self,
        run: &Activation<'a>,
        block: BlockId,
        arrival: Arrival,
        next: &mut Vec<Arrival>,
        returns: &mut Vec<Exit>,
    ) -> Result<(), Stop> {
        let row = &run.body.blocks[block];
        let mut context = arrival.context;
        for (&param, &argument) in row.params.iter().zip(&arrival.arguments) {
            context.set(param, argument);
        }
        let mut contexts = vec![context];
        for inst in row.insts() {
            let mut after = Vec::with_capacity(contexts.len());
            for context in contexts {
                after.extend(self.step(run, context, inst)?);
            }
            if after.len() > self.options.contexts {
                return Err(Stop::Budget("too many ways through it"));
            }
            contexts = after;
        }
        for context in contexts {
            self.terminate(run, block, context, next, returns)?;
        }
        Ok(())
    }

    fn terminate(
        &mut self,
        run: &Activation<'a>,
        block: BlockId,
        context: Context,
        next: &mut Vec<Arrival>,
        returns: &mut Vec<Exit>,
    ) -> Result<(), Stop> {
        let row = &run.body.blocks[block];
        match &row.terminator {
            Terminator::Jump(edge) => next.push(self.follow(run, context, edge)),
            Terminator::Branch { cond, then, otherwise } => {
                let value = self.value(run, &context, *cond);
                let condition = self.condition_of(value);
                let (holds, fails) = self.split(context, condition);
                next.extend(holds.map(|context| self.follow(run, context, then)));
                next.extend(fails.map(|context| self.follow(run, context, otherwise)));
            }
            Terminator::Switch { value, cases, default, .. } => {
                let value = self.value(run, &context, *value);
                let mut rest = Some(context);
                for case in cases {
                    let Some(context) = rest.take() else { break };
                    let condition = self.is_case(value, case.low, case.high);
                    let (holds, fails) = self.split(context, condition);
                    next.extend(holds.map(|context| self.follow(run, context, &case.edge)));
                    rest = fails;
                }
                next.extend(rest.map(|context| self.follow(run, context, default)));
            }
            Terminator::Indirect { .. } => return Err(Stop::Unsupported("a computed goto")),
            Terminator::Return(value) => {
                let value = value.map(|value| self.value(run, &context, value));
                let at = Origin::end_of(run.frame, block);
                returns.push(Exit { context, value, at });
            }
            Terminator::Unreachable(_) => {}
        }
        Ok(())
    }

    fn is_case(&mut self, value: Expr, low: i128, high: i128) -> Cond {
        let (low, high) = (self.space.constant(low), self.space.constant(high));
        if low == high {
            return self.space.equal(value, low);
        }
        let (above, below) = (self.space.at_least(value, low), self.space.at_least(high, value));
        self.space.and(above, below)
    }

    fn follow(&mut self, run: &Activation<'a>, context: Context, edge: &Edge) -> Arrival {
        let arguments = edge.args.iter().map(|&value| self.value(run, &context, value)).collect();
        Arrival { to: edge.to, arguments, context }
    }

    /// Contexts that differ only in values become one, in which values are choices.
    pub fn join(&mut self, arrivals: Vec<Arrival>) -> Vec<Arrival> {
        let mut joined: Vec<Arrival> = Vec::new();
        for arrival in arrivals {
            let same = joined.iter().position(|other| can_join(other, &arrival));
            match same {
                Some(at) => {
                    let other = joined.swap_remove(at);
                    joined.insert(at, self.join_two(other, arrival));
                }
                None => joined.push(arrival),
            }
        }
        joined
    }

    fn join_two(&mut self, left: Arrival, right: Arrival) -> Arrival {
        let (facts, only_left) = self.join_facts(&left.context.facts, &right.context.facts);
        let arguments = left
            .arguments
            .iter()
            .zip(&right.arguments)
            .map(|(&a, &b)| self.space.select(only_left, a, b))
            .collect();
        // Values differ where contexts come from different numbers of turns of one loop.
        let values = left.context.values.iter().zip(right.context.values.iter());
        let values = values
            .map(|(&a, &b)| match (a, b) {
                (Some(a), Some(b)) => Some(self.space.select(only_left, a, b)),
                _ => None,
            })
            .collect();
        let mut assumed = left.context.assumed.clone();
        for &condition in right.context.assumed.iter() {
            if !assumed.contains(&condition) {
                Rc::make_mut(&mut assumed).push(condition);
            }
        }
        let context = Context {
            values: Rc::new(values),
            heap: left.context.heap,
            facts,
            assumed,
            approximate: left.context.approximate.or(right.context.approximate),
        };
        Arrival { to: left.to, arguments, context }
    }

    /// The facts of both ways, and the condition by which the left one is taken.
    fn join_facts(&mut self, left: &Facts, right: &Facts) -> (Facts, Cond) {
        let only = |of: &Facts, other: &Facts| -> Vec<Cond> {
            of.conditions.iter().copied().filter(|it| !other.conditions.contains(it)).collect()
        };
        let (in_left, in_right) = (only(left, right), only(right, left));
        let common: Vec<Cond> =
            left.conditions.iter().copied().filter(|it| right.conditions.contains(it)).collect();
        let (a, b) = (self.space.all(in_left), self.space.all(in_right));
        let either = self.space.or(a, b);
        let in_all_turns = left.in_all_turns.clone();
        let mut facts = Facts { conditions: common, in_all_turns };
        facts.assume(&self.space, either);
        (facts, a)
    }
}

fn can_join(left: &Arrival, right: &Arrival) -> bool {
    left.to == right.to
        && left.context.heap == right.context.heap
        && left.context.facts.in_all_turns == right.context.facts.in_all_turns
}

/// The instruction that an origin stands for; None for the end of a block.
#[must_use]
pub fn instruction(body: &caulk_ir::Body, at: Origin) -> Option<InstId> {
    let id = InstId(at.inst);
    body.insts.get(id).map(|_| id)
}

/// A context at the entry of a function of which nothing is known.
#[must_use]
pub fn entry() -> Context {
    Context {
        values: Rc::default(),
        heap: Chain::START,
        facts: Facts::default(),
        assumed: Rc::default(),
        approximate: None,
    }
}
