//! The objects and locations that a solver makes while it works, and the rules for offsets.
//!
//! * An offset inside an array is folded to the first element (see `layout`).
//! * An offset before an object that the program made, or past its size, points nowhere and is
//!   dropped. The one that is just past the end is the base again: C allows that pointer, and
//!   the object must not be lost with it.
//! * Memory from outside has the places of its type. It is one location if it has no type, or
//!   once a pointer leaves the type: it was cast, or came in at the middle of something.
//! * Another object with too many locations collapses into its location 0 as well; all such
//!   objects are counted.

use caulk_base::{FxHashMap, Table};
use caulk_ir::{Module, TypeId};
use caulk_program::{ModuleId, ProcId};

use crate::location::{Loc, LocId, Locations};
use crate::nodes::NodeId;
use crate::nodes::Nodes;
use crate::object::{Obj, ObjId, ObjKind};
use crate::params::Params;
use crate::wild::Wild;
use crate::{Input, Options};
use crate::{heap_type, layout};

/// Locations of an object with a type.
const TYPED_LOCATIONS: usize = 4096;

pub(crate) struct World<'a> {
    pub input: Input<'a>,
    pub options: Options,
    pub objects: Table<ObjId, Obj>,
    pub locations: Locations,
    pub nodes: Nodes,
    pub params: Params,
    ids: FxHashMap<ObjKind, ObjId>,
    /// What stands for a location since an object collapsed; itself, or past the end, for the rest.
    forward: Vec<LocId>,
    /// Those that the solver has not heard of, with what stands for them.
    pub merged: Vec<(LocId, LocId)>,
    /// Objects that collapsed and that the solver has not heard of.
    pub just_collapsed: Vec<ObjId>,
    pub outside: LocId,
    /// What unknown code may write through.
    pub writable: NodeId,
    pub wild: Wild,
}

impl<'a> World<'a> {
    pub(crate) fn new(input: Input<'a>, options: Options) -> Self {
        let mut nodes = Nodes::new(input.program, input.instances);
        let writable = nodes.fresh();
        let wild = Wild::new(&mut nodes);
        let mut world = Self {
            input,
            options,
            objects: Table::new(),
            locations: Locations::default(),
            nodes,
            params: Params::new(input, options.entries),
            ids: FxHashMap::default(),
            forward: Vec::new(),
            merged: Vec::new(),
            just_collapsed: Vec::new(),
            outside: LocId(0),
            writable,
            wild,
        };
        world.outside = world.address(ObjKind::Outside);
        world
    }

    pub(crate) fn module(&self, id: ModuleId) -> &'a Module {
        &self.input.program.modules[id]
    }

    pub(crate) fn module_of(&self, proc: ProcId) -> ModuleId {
        self.input.program.procs[proc].module
    }

    pub(crate) fn object(&mut self, kind: ObjKind) -> ObjId {
        if let Some(&known) = self.ids.get(&kind) {
            return known;
        }
        let mut row = self.describe(kind);
        row.collapsed = row.outside && row.ty.is_none();
        let id = self.objects.push(row);
        self.ids.insert(kind, id);
        id
    }

    pub(crate) fn address(&mut self, kind: ObjKind) -> LocId {
        let object = self.object(kind);
        self.base(object)
    }

    pub(crate) fn base(&mut self, object: ObjId) -> LocId {
        self.locations.intern(Loc { object, offset: 0 })
    }

    /// The location at an offset, if there can be one.
    pub(crate) fn at(&mut self, object: ObjId, offset: i64) -> Option<LocId> {
        if self.leaves_type(object, offset) {
            self.collapse(object);
        }
        let offset = self.place(&self.objects[object], offset)?;
        if let Some(known) = self.locations.find(object, offset) {
            return Some(self.canonical(known));
        }
        let loc = self.locations.intern(Loc { object, offset });
        // What has a type has few places; only what has none can be walked through for ever.
        let row = &self.objects[object];
        let limit = if row.ty.is_some() { TYPED_LOCATIONS } else { self.options.locations };
        if self.locations.of_object(object).len() > limit {
            self.collapse(object);
        }
        Some(self.canonical(loc))
    }

    /// Memory from outside, at an offset where its type has nothing.
    pub(crate) fn leaves_type(&self, object: ObjId, offset: i64) -> bool {
        let row = &self.objects[object];
        let Some((module, ty)) = row.ty.filter(|_| row.outside && !row.collapsed) else {
            return false;
        };
        let size = layout::size_of(self.module(module), ty);
        u64::try_from(offset).map_or(true, |bytes| size.is_some_and(|size| bytes >= size))
    }

    pub(crate) fn shift(&mut self, loc: LocId, by: i64) -> Option<LocId> {
        let Loc { object, offset } = self.locations.get(self.canonical(loc));
        self.at(object, offset.checked_add(by)?)
    }

    /// The location that stands for this one since an object collapsed.
    pub(crate) fn canonical(&self, mut loc: LocId) -> LocId {
        while let Some(&next) = self.forward.get(loc.0 as usize).filter(|&&next| next != loc) {
            loc = next;
        }
        loc
    }

    /// Makes one location of all. What lies behind them from outside joins it, so that the result
    /// does not depend on what was loaded before.
    pub(crate) fn collapse(&mut self, object: ObjId) {
        if std::mem::replace(&mut self.objects[object].collapsed, true) {
            return;
        }
        self.just_collapsed.push(object);
        let base = self.base(object);
        for loc in self.locations.of_object(object).to_vec() {
            self.merge(loc, base);
        }
    }

    fn merge(&mut self, old: LocId, new: LocId) {
        if old != new {
            let known = u32::try_from(self.forward.len()).unwrap_or(u32::MAX);
            self.forward.extend((known..=old.0).map(LocId));
            self.forward[old.0 as usize] = new;
            self.merged.push((old, new));
        }
        if let Some(&behind) = self.ids.get(&ObjKind::Deref { of: old }) {
            self.objects[behind].collapsed = true;
            self.just_collapsed.push(behind);
            self.base(behind);
            for loc in self.locations.of_object(behind).to_vec() {
                self.merge(loc, new);
            }
        }
    }

    /// Whether no other object stands for it.
    pub(crate) fn is_live(&self, object: ObjId) -> bool {
        let locs = self.locations.of_object(object);
        locs.is_empty() || locs.iter().any(|&loc| self.canonical(loc) == loc)
    }

    /// Where an offset of an object lies, by the rules above.
    pub(crate) fn place(&self, row: &Obj, offset: i64) -> Option<i64> {
        if row.collapsed {
            return Some(0);
        }
        let Ok(bytes) = u64::try_from(offset) else { return row.outside.then_some(offset) };
        match row.size {
            Some(size) if bytes == size => return Some(0),
            Some(size) if bytes > size => return None,
            _ => {}
        }
        let Some((module, ty)) = row.ty else { return Some(offset) };
        let module = self.module(module);
        let size = layout::size_of(module, ty);
        let bytes = if row.kind.is_heap() { in_first_element(module, ty, bytes) } else { bytes };
        let inside = size.is_none_or(|size| bytes < size);
        let folded = if inside { layout::fold(module, ty, bytes) } else { bytes };
        i64::try_from(folded).ok()
    }

    /// What the location holds because of where it is, when it is loaded for the first time.
    pub(crate) fn held(&mut self, loc: LocId) -> Option<LocId> {
        let loc = self.canonical(loc);
        let object = self.locations.object(loc);
        let row = self.objects[object];
        if !row.outside || row.kind == ObjKind::Outside {
            return None;
        }
        match self.same_again(object, self.pointee_of(loc)) {
            Some(known) => Some(self.base(known)),
            None => Some(self.address(ObjKind::Deref { of: loc })),
        }
    }

    /// Lists and trees end: what has the type of an object that it lies behind is that object, as
    /// is all that lies too deep, or behind memory of no known type or places.
    fn same_again(&self, object: ObjId, ty: Option<(ModuleId, TypeId)>) -> Option<ObjId> {
        let row = &self.objects[object];
        let deep = usize::from(row.depth) >= self.options.deref_depth;
        if row.collapsed || deep || ty.is_none() && row.ty.is_none() {
            return Some(object);
        }
        let above = |&object: &ObjId| match self.objects[object].kind {
            ObjKind::Deref { of } => Some(self.locations.object(of)),
            _ => None,
        };
        let mut chain = std::iter::successors(Some(object), above);
        chain.find(|&object| ty.is_some() && self.objects[object].ty == ty)
    }

    /// The type of what a pointer at the location points to.
    fn pointee_of(&self, loc: LocId) -> Option<(ModuleId, TypeId)> {
        let Loc { object, offset } = self.locations.get(loc);
        let (module, ty) = self.objects[object].ty?;
        let to = layout::pointee_at(self.module(module), ty, u64::try_from(offset).ok()?)?;
        self.known_type(module, to)
    }

    fn describe(&self, kind: ObjKind) -> Obj {
        let plain = Obj { kind, size: None, ty: None, outside: false, depth: 0, collapsed: false };
        let from_outside = Obj { outside: true, ..plain };
        match kind {
            ObjKind::Outside => from_outside,
            ObjKind::Library(_) => from_outside,
            ObjKind::Procedure(_) | ObjKind::External(_) => Obj { size: Some(1), ..plain },
            ObjKind::Alloca { .. } | ObjKind::VarArgs(_) => plain,
            ObjKind::Heap { instance, call } => {
                Obj { ty: heap_type::of_result(self.input, instance, call), ..plain }
            }
            ObjKind::HeapOut { instance, call, arg, nth: 0 } => {
                Obj { ty: heap_type::of_argument(self.input, instance, call, arg), ..plain }
            }
            ObjKind::HeapOut { .. } => plain,
            ObjKind::Static(id) => {
                let (module, object) = self.input.program.object(id);
                let defined = self.input.program.statics[id].defined;
                let size = Some(object.size).filter(|&size| size > 0 && defined);
                let ty = self.known_type(module, object.ty);
                Obj { size, ty, outside: !defined, ..plain }
            }
            ObjKind::Slot { instance, slot } => {
                let proc = self.input.instances.proc(instance);
                let slot = &self.input.program.body(proc).slots[slot];
                let ty = self.known_type(self.module_of(proc), slot.ty);
                Obj { size: Some(slot.size).filter(|&size| size > 0), ty, ..plain }
            }
            ObjKind::Copy { instance, param } => {
                let proc = self.input.instances.proc(instance);
                let ty = self.param_type(proc, param);
                let size = ty.and_then(|(module, ty)| layout::size_of(self.module(module), ty));
                Obj { size, ty, ..plain }
            }
            ObjKind::Param { proc, index } => {
                let ty = self.param_type(proc, index).and_then(|ty| self.brought(ty));
                Obj { ty, ..from_outside }
            }
            ObjKind::Deref { of } => {
                let depth = self.objects[self.locations.object(of)].depth;
                let ty = self.pointee_of(of);
                Obj { ty, depth: depth + 1, ..from_outside }
            }
        }
    }

    fn known_type(&self, module: ModuleId, ty: TypeId) -> Option<(ModuleId, TypeId)> {
        layout::informative(self.module(module), ty).map(|ty| (module, ty))
    }

    /// What a parameter of this type brings: its pointee, or the aggregate that it is.
    fn brought(&self, (module, ty): (ModuleId, TypeId)) -> Option<(ModuleId, TypeId)> {
        let aggregate = self.module(module).types.is_aggregate(ty).then_some(ty);
        let ty = aggregate.or_else(|| layout::pointee(self.module(module), ty))?;
        self.known_type(module, ty)
    }

    /// The C type of a parameter; without a prototype, that of its variable.
    pub(crate) fn param_type(&self, proc: ProcId, index: u32) -> Option<(ModuleId, TypeId)> {
        let module = self.module_of(proc);
        let signature = self.input.program.function(proc).signature;
        let params = &self.module(module).types.signatures[signature].params;
        let vars = self.input.program.body(proc).vars.rows();
        let declared = || vars.iter().find(|var| var.param == Some(index)).map(|var| var.ty);
        params.get(index as usize).copied().or_else(declared).map(|ty| (module, ty))
    }
}

/// Heap memory is an array of its type, unless the type ends in an array of its own.
fn in_first_element(module: &Module, ty: TypeId, bytes: u64) -> u64 {
    match layout::size_of(module, ty) {
        Some(size) if size > 0 && bytes >= size => {
            let folded = layout::fold(module, ty, bytes);
            if folded < size { folded } else { bytes % size }
        }
        _ => bytes,
    }
}
