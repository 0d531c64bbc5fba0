//! Statics that nobody writes are what their initialiser says (never-written flags), and so are those
//! that are only ever set to that.

use caulk_base::{FxHashMap, FxHashSet, Id};
use caulk_ir::{
    Constant, FunctionId, Inst, InstId, ObjectKind, RelocationTarget, Scalar, ValueId, ValueKind,
};
use caulk_program::{ModuleId, ProcId, Program, StaticId};

pub struct Constants {
    values: Vec<Option<Vec<u8>>>,
    /// The functions in tables, by static and offset, with the module whose number they have.
    functions: FxHashMap<(StaticId, u64), (ModuleId, FunctionId)>,
    /// String literals to the first one with the same bytes.
    texts: FxHashMap<StaticId, StaticId>,
}

impl Constants {
    pub fn new(program: &Program) -> Self {
        let mut written: FxHashSet<StaticId> = FxHashSet::default();
        for proc in program.procs.ids() {
            add_written(program, proc, &mut written);
        }
        add_pointed_to(program, &mut written);
        let is_open = !is_whole(program);
        let is_fixed = |id: StaticId| {
            let row = &program.statics[id];
            let (_, object) = program.object(id);
            let is_shared = row.exported && is_open;
            row.defined && (object.constant || !is_shared && !written.contains(&id))
        };
        let mut functions = FxHashMap::default();
        for id in program.statics.ids().filter(|&id| is_fixed(id)) {
            let (module, object) = program.object(id);
            for relocation in object.init.iter().flat_map(|init| &init.relocations) {
                if let RelocationTarget::Function(function) = relocation.target {
                    functions.insert((id, relocation.offset), (module, function));
                }
            }
        }
        let bytes = |id: StaticId| {
            let (_, object) = program.object(id);
            let fixed = is_fixed(id);
            let small = object.size <= 64;
            let plain = object.init.as_ref().is_none_or(|init| init.relocations.is_empty());
            (fixed && small && plain && !object.thread_local).then(|| {
                let mut bytes = object.init.as_ref().map_or(Vec::new(), |init| init.bytes.clone());
                bytes.resize(object.size as usize, 0);
                bytes
            })
        };
        let values = program.statics.ids().map(bytes).collect();
        Self { values, functions, texts: equal_texts(program) }
    }

    /// The one of equal string literals that stands for all: `strcmp(name, "-")` is the same test
    /// wherever it is written.
    pub fn representative(&self, id: StaticId) -> StaticId {
        self.texts.get(&id).copied().unwrap_or(id)
    }

    /// The function whose address a table has there, as the module numbers it.
    pub fn function(&self, id: StaticId, offset: i64, module: ModuleId) -> Option<FunctionId> {
        let &(home, function) = self.functions.get(&(id, u64::try_from(offset).ok()?))?;
        (home == module).then_some(function)
    }

    /// What a load of the static gives, on little-endian targets.
    pub fn value(&self, id: StaticId, offset: i64, scalar: Scalar) -> Option<i64> {
        number_at(self.values[id.index()].as_ref()?, offset, scalar)
    }
}

fn equal_texts(program: &Program) -> FxHashMap<StaticId, StaticId> {
    let mut first: FxHashMap<(u64, &[u8]), StaticId> = FxHashMap::default();
    let mut texts = FxHashMap::default();
    for id in program.statics.ids() {
        let (_, object) = program.object(id);
        let Some(init) = object.init.as_ref().filter(|_| object.kind == ObjectKind::StringLiteral)
        else {
            continue;
        };
        let same = *first.entry((object.size, &init.bytes)).or_insert(id);
        if same != id {
            texts.insert(id, same);
        }
    }
    texts
}

fn number_at(bytes: &[u8], offset: i64, scalar: Scalar) -> Option<i64> {
    let width = match scalar {
        Scalar::Ptr => 8,
        _ => scalar.int_bits()?.div_ceil(8) as usize,
    };
    let start = usize::try_from(offset).ok()?;
    let part = bytes.get(start..start.checked_add(width)?)?;
    if width > 8 {
        return None;
    }
    let value = part.iter().rev().fold(0u64, |value, &byte| value << 8 | u64::from(byte));
    Some(value as i64)
}

/// What a static has before the program runs, where that is a number.
pub fn initial(program: &Program, id: StaticId, offset: i64, scalar: Scalar) -> Option<i64> {
    let (_, object) = program.object(id);
    let inside = |start: &u64| *start < object.size && program.statics[id].defined;
    let start = u64::try_from(offset).ok().filter(inside)?;
    let Some(init) = &object.init else { return Some(0) };
    let near = |at: u64| at < start + 8 && start < at + 8;
    if init.relocations.iter().any(|it| near(it.offset)) {
        return None;
    }
    let from = usize::try_from(start).ok()?;
    let mut part: Vec<u8> = init.bytes.iter().skip(from).take(8).copied().collect();
    part.resize(8, 0);
    number_at(&part, 0, scalar)
}

/// A program that starts with `main` and has all its bodies: nobody else writes what it exports.
fn is_whole(program: &Program) -> bool {
    let has_main = program.procs.rows().iter().any(|proc| proc.name == "main");
    has_main && !program.externals.rows().iter().any(|external| external.refused)
}

/// Whether an instruction stores what the static has from the start: `flag = 0` leaves it as it is.
fn stores_initial(program: &Program, proc: ProcId, inst: InstId) -> bool {
    let body = program.body(proc);
    let Inst::Store { to, value, .. } = body.insts[inst] else { return false };
    let (Some(Constant::Object(object)), Some(Constant::Int(stored))) =
        (body.constant(to), body.constant(value))
    else {
        return false;
    };
    let scalar = body.values[value].scalar;
    let id = program.static_of(program.procs[proc].module, object);
    let mask = scalar.int_bits().map_or(u64::MAX, |bits| u64::MAX >> (64 - bits.clamp(1, 64)));
    let is_same = |there: i64| (there ^ stored) as u64 & mask == 0;
    initial(program, id, 0, scalar).is_some_and(is_same)
}

/// A static stays fixed as long as its address is only loaded from.
fn add_written(program: &Program, proc: ProcId, written: &mut FxHashSet<StaticId>) {
    let body = program.body(proc);
    let module = program.procs[proc].module;
    let mut note = |value: ValueId| {
        if let ValueKind::Const(Constant::Object(object)) = body.values[value].kind {
            written.insert(program.static_of(module, object));
        }
    };
    for inst in body.insts.ids() {
        let is_load = matches!(body.insts[inst], Inst::Load { .. } | Inst::LoadBits { .. });
        if !is_load && !stores_initial(program, proc, inst) {
            body.operands(inst, &mut note);
        }
    }
    for block in body.blocks.rows() {
        block.terminator.operand().into_iter().for_each(&mut note);
        block.terminator.edges().flat_map(|edge| &edge.args).for_each(|&arg| note(arg));
    }
}

fn add_pointed_to(program: &Program, written: &mut FxHashSet<StaticId>) {
    for (id, module) in program.modules.iter() {
        let inits = module.objects.rows().iter().filter_map(|object| object.init.as_ref());
        for relocation in inits.flat_map(|init| &init.relocations) {
            if let RelocationTarget::Object(object) = relocation.target {
                written.insert(program.static_of(id, object));
            }
        }
    }
}
