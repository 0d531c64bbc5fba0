//! Program contexts `[s, t, p]` (section 2), and the world in which they are computed.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use caulk_base::{FxHashMap, Table};
use caulk_ir::{Body, InstId, Module, ValueId};
use caulk_program::{DirectCalls, ExternalModels, ModuleId, ProcId, Program};
use caulk_ssa::FunctionFacts;

use crate::facts::Facts;
use crate::get::{Access, Got, Locations, Reader};
use crate::heap::{Chain, Heaps, Item, Origin};
use crate::space::{AtomKind, Cond, Expr, Site, Space, Symbol, SymbolInfo};

/// What the engine asks of a program.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    pub program: &'a Program,
    pub externals: &'a ExternalModels,
    pub calls: &'a DirectCalls,
}

/// A program context. The state `s` is the values of the activation and the heap; the facts are the
/// path condition `p` and what loops and comparisons add to the state condition `t`.
#[derive(Clone, Debug)]
pub struct Context {
    pub values: Rc<Vec<Option<Expr>>>,
    pub heap: Chain,
    pub facts: Facts,
    /// The other part of `t`: unsigned arithmetic does not wrap, narrow numbers fit.
    pub assumed: Rc<Vec<Cond>>,
    /// Why the context is no longer exact, where it is not (Y6).
    pub approximate: Option<&'static str>,
}

/// Why an evaluation ends without a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    Budget(&'static str),
    Unsupported(&'static str),
}

impl Stop {
    #[must_use]
    pub fn reason(&self) -> &'static str {
        match self {
            Stop::Budget(why) | Stop::Unsupported(why) => why,
        }
    }
}

/// The end of an activation.
#[derive(Clone, Debug)]
pub struct Exit {
    pub context: Context,
    pub value: Option<Expr>,
    pub at: Origin,
}

/// An activation of a function: the one that is analysed, or one that was inlined.
#[derive(Clone)]
pub struct Activation<'a> {
    pub frame: u32,
    pub proc: ProcId,
    pub module_id: ModuleId,
    pub module: &'a Module,
    pub body: &'a Body,
    pub facts: Rc<FunctionFacts<'a>>,
    /// Calls between it and the analysed function.
    pub depth: usize,
}

/// Who called whom, for origins.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub proc: ProcId,
    /// None for the function that is analysed.
    pub called_at: Option<Origin>,
}

/// A place that makes records.
#[derive(Clone, Debug)]
pub struct SiteInfo {
    pub at: Origin,
    pub resource: String,
    /// What releases it, the usual function first.
    pub release: String,
}

#[derive(Clone, Debug)]
pub struct Options {
    /// Steps that one function may take.
    pub work: u64,
    /// Contexts at one block.
    pub contexts: usize,
    /// Calls that are followed into each other.
    pub depth: usize,
    /// Instructions of a function that is inlined.
    pub inlined: usize,
    /// Input addresses of different names may be equal.
    pub inputs_may_alias: bool,
    /// What a function makes that is past its budget is told as what may leak (Y6).
    pub tells_undecided: bool,
    /// Once it is set, no further function is evaluated.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Options {
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            work: 150_000,
            contexts: 24,
            depth: 3,
            inlined: 300,
            inputs_may_alias: false,
            tells_undecided: true,
            cancel: None,
        }
    }
}

pub struct Evaluator<'a> {
    pub input: Input<'a>,
    pub options: &'a Options,
    pub space: Space,
    pub heaps: Heaps,
    pub locations: Locations,
    pub frames: Vec<Frame>,
    pub sites: Table<Site, SiteInfo>,
    pub site_ids: FxHashMap<(Origin, u32), Site>,
    /// The turns of the loops that are being evaluated, outermost first.
    pub turns: Vec<Expr>,
    pub facts_of: FxHashMap<ProcId, Rc<FunctionFacts<'a>>>,
    pub frame_ids: FxHashMap<(Option<Origin>, ProcId), u32>,
    /// Where calls of unknown functions ended the knowledge of an object.
    pub unknown_calls: Vec<String>,
    pub limit: u64,
    /// Numbers of unknown functions by the place that made them: equal in all passes over a loop.
    numbers: FxHashMap<(Origin, u32), u32>,
    symbol_ids: FxHashMap<(Origin, u32), Symbol>,
    pub at: Origin,
    pub made_here: u32,
    /// Of some record it could not be told whether it is lost.
    pub unclear: bool,
}

impl<'a> Evaluator<'a> {
    #[must_use]
    pub fn new(input: Input<'a>, options: &'a Options) -> Self {
        let mut space = Space::new();
        space.inputs_may_alias = options.inputs_may_alias;
        space.limit = options.work;
        Self {
            input,
            options,
            space,
            heaps: Heaps::default(),
            locations: Locations::default(),
            frames: Vec::new(),
            sites: Table::new(),
            site_ids: FxHashMap::default(),
            turns: Vec::new(),
            facts_of: FxHashMap::default(),
            frame_ids: FxHashMap::default(),
            unknown_calls: Vec::new(),
            limit: options.work,
            numbers: FxHashMap::default(),
            symbol_ids: FxHashMap::default(),
            at: Origin { frame: 0, inst: 0 },
            made_here: 0,
            unclear: false,
        }
    }

    /// The frame of a call has one number in all passes over a loop, so that names stay equal.
    pub fn activation(
        &mut self,
        proc: ProcId,
        called_at: Option<Origin>,
        depth: usize,
    ) -> Activation<'a> {
        let program: &'a Program = self.input.program;
        let frames = &mut self.frames;
        let frame = *self.frame_ids.entry((called_at, proc)).or_insert_with(|| {
            frames.push(Frame { proc, called_at });
            frames.len() as u32 - 1
        });
        let body = program.body(proc);
        let facts = self.facts_of.entry(proc).or_insert_with(|| Rc::new(FunctionFacts::new(body)));
        Activation {
            frame,
            proc,
            module_id: program.procs[proc].module,
            module: program.module_of(proc),
            body,
            facts: facts.clone(),
            depth,
        }
    }

    pub fn check_budget(&self) -> Result<(), Stop> {
        if self.space.work > self.limit {
            return Err(Stop::Budget("the budget of a function was used up"));
        }
        Ok(())
    }

    pub fn append(&mut self, context: &mut Context, item: Item) {
        context.heap = self.heaps.append(context.heap, item);
    }

    pub fn get(&mut self, context: &Context, access: Access) -> Expr {
        self.try_get(context, access).expr()
    }

    pub fn try_get(&mut self, context: &Context, access: Access) -> Got {
        let unknown = self.number();
        let turns = self.turns.clone();
        let mut reader = Reader {
            space: &mut self.space,
            heaps: &self.heaps,
            locations: &mut self.locations,
            unknown,
            turns,
        };
        match reader.get(&context.facts, context.heap, access) {
            Got::Value(value) => Got::Value(self.simplify(&context.facts, value)),
            unresolved => unresolved,
        }
    }

    /// A choice that the facts decide is no choice.
    pub fn simplify(&mut self, facts: &Facts, expr: Expr) -> Expr {
        let poly = self.space.poly(expr);
        let select =
            poly.terms.iter().flat_map(|(monomial, _)| monomial.iter()).find_map(|&(atom, _)| {
                match *self.space.kind(atom) {
                    AtomKind::Select { condition, yes, no } => Some((atom, condition, yes, no)),
                    _ => None,
                }
            });
        let Some((atom, condition, yes, no)) = select else { return expr };
        match self.space.decide(facts, condition) {
            Some(value) => {
                let chosen = if value { yes } else { no };
                let expr = self.space.replace(expr, atom, chosen);
                self.simplify(facts, expr)
            }
            None => expr,
        }
    }

    /// The contexts in which a condition holds and fails, as far as they can be.
    pub fn split(
        &mut self,
        context: Context,
        condition: Cond,
    ) -> (Option<Context>, Option<Context>) {
        let condition = self.space.reduce(&context.facts, condition);
        match self.space.decide(&context.facts, condition) {
            Some(true) => (Some(context), None),
            Some(false) => (None, Some(context)),
            None => {
                let mut fails = context.clone();
                let opposite = self.space.not(condition);
                fails.facts.assume(&self.space, opposite);
                let mut holds = context;
                holds.facts.assume(&self.space, condition);
                (Some(holds), Some(fails))
            }
        }
    }

    /// The context with a condition, unless it cannot hold.
    pub fn assume(&mut self, context: Context, condition: Cond) -> Option<Context> {
        self.split(context, condition).0
    }

    pub fn site(&mut self, at: Origin, number: u32, info: impl FnOnce() -> SiteInfo) -> Site {
        let sites = &mut self.sites;
        *self.site_ids.entry((at, number)).or_insert_with(|| sites.push(info()))
    }

    /// The record that a site makes now.
    pub fn cell(&mut self, site: Site) -> Expr {
        let turns = self.turns.clone().into();
        self.space.atom(AtomKind::Cell { site, turns })
    }

    /// A value of which nothing is known, in this turn.
    pub fn unknown(&mut self, pointer: bool) -> Expr {
        let number = self.number();
        let arguments = self.turns.clone().into();
        self.space.atom(AtomKind::Unknown { number, arguments, pointer })
    }

    /// The number of the next unknown function that the current instruction makes.
    pub fn number(&mut self) -> u32 {
        self.made_here += 1;
        self.number_for((self.at, self.made_here))
    }

    pub fn number_for(&mut self, key: (Origin, u32)) -> u32 {
        let space = &mut self.space;
        *self.numbers.entry(key).or_insert_with(|| space.next_unknown())
    }

    /// A symbol that belongs to a place of the program.
    pub fn symbol_for(&mut self, key: (Origin, u32), info: SymbolInfo) -> Symbol {
        let space = &mut self.space;
        *self.symbol_ids.entry(key).or_insert_with(|| space.new_symbol(info))
    }
}

impl Context {
    #[must_use]
    pub fn value(&self, id: ValueId) -> Option<Expr> {
        self.values.get(id.0 as usize).copied().flatten()
    }

    pub fn set(&mut self, id: ValueId, expr: Expr) {
        let values = Rc::make_mut(&mut self.values);
        if let Some(place) = values.get_mut(id.0 as usize) {
            *place = Some(expr);
        }
    }

    /// What the result relies on and does not say.
    pub fn rely_on(&mut self, condition: Cond) {
        if condition != Cond::TRUE && !self.assumed.contains(&condition) {
            Rc::make_mut(&mut self.assumed).push(condition);
        }
    }
}

#[must_use]
pub fn origin(frame: u32, inst: InstId) -> Origin {
    Origin { frame, inst: inst.0 }
}
