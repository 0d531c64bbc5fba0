//! Loads, stores and copies of the search. What was never looked at is made when it is read: a new
//! symbol for what came from outside, the initial bytes of static storage.

use std::rc::Rc;

use caulk_guard::bits::{Binary, Compare, TermId};
use caulk_ir::{Init, ObjectId, RelocationTarget, Scalar, Type};

use crate::names;
use crate::object::{Author, Cell, Kind, Life, Object, Rest};
use crate::search::{Done, Seeker, Stuck};
use crate::state::{Look, State};
use crate::value::{Symbol, TypeRef, Value};

/// A copy of more bytes is not followed.
const LONGEST_COPY: i64 = 4096;

impl Seeker<'_> {
    /// The object and the offset that an address names; a pointer from outside gets its object.
    pub fn place(&mut self, state: &mut State, address: Value) -> Done<(u32, i64)> {
        let (object, offset) = self.point(state, address)?;
        Ok((object, self.settled_offset(state, offset)?))
    }

    fn settled_offset(&mut self, state: &mut State, offset: TermId) -> Done<i64> {
        match self.space.constant(offset) {
            Some(offset) => Ok(offset),
            None => self.settle(state, offset),
        }
    }

    fn point(&mut self, state: &mut State, address: Value) -> Done<(u32, TermId)> {
        match address {
            Value::Pointer { object, offset } => Ok((object, offset)),
            Value::Term(term) if self.space.constant(term).is_some() => {
                Err(Stuck::quiet("a pointer that is NULL or a number is followed"))
            }
            Value::Term(term) => {
                let Some((symbol, offset)) = self.space.base(term) else {
                    return Err(Stuck::loud("a computed address is followed"));
                };
                let object = self.open(state, symbol);
                Ok((object, offset))
            }
            Value::Function(_) => Err(Stuck::loud("a function is read as memory")),
            Value::Opaque => Err(Stuck::loud("an unknown address is followed")),
        }
    }

    /// The object that a pointer from outside points to.
    pub fn open(&mut self, state: &mut State, symbol: u32) -> u32 {
        if let Some(&object) = state.opened.get(&symbol) {
            return object;
        }
        let row = self.space.symbols[symbol as usize].clone();
        let author = Author { event: 0, arg: 0, base: 0 };
        let mut object = Object::new(Kind::Outside, Rest::Input(author));
        (object.name, object.ty, object.is_named_by_pointer) = (row.name, row.pointee, true);
        let id = state.add(object);
        Rc::make_mut(&mut state.opened).insert(symbol, id);
        let pointer = self.space.terms.symbol(symbol, 64);
        let null = self.space.offset(0);
        let is_null = self.space.terms.compare(Compare::Eq, pointer, null);
        let condition = self.space.terms.not(is_null);
        state.assume(condition);
        id
    }

    /// A pointer from outside that was followed is the address of its object.
    pub fn known(&mut self, state: &State, value: Value) -> Value {
        let Value::Term(term) = value else { return value };
        if state.opened.is_empty() && state.chosen.is_empty() || self.space.terms.width(term) != 64
        {
            return value;
        }
        let Some((symbol, offset)) = self.space.base(term) else { return value };
        match (state.opened.get(&symbol), state.chosen.get(&symbol)) {
            (Some(&object), _) => Value::Pointer { object, offset },
            (None, Some(&function)) => Value::Function(function),
            (None, None) => value,
        }
    }

    fn check_life(&mut self, state: &mut State, object: u32) -> Done<()> {
        let row = state.object(object);
        match row.life {
            Life::Live => Ok(()),
            Life::Freed if row.is_wanted && self.target.wish.is_use() => {
                state.is_done = true;
                Err(Stuck::quiet("used after its release"))
            }
            _ => Err(Stuck::quiet("memory that is gone is used")),
        }
    }

    pub fn load(&mut self, state: &mut State, address: Value, scalar: Scalar) -> Done<Value> {
        let (object, offset) = self.point(state, address)?;
        if self.space.constant(offset).is_none()
            && let Some(number) = self.table_number(state, object, offset, scalar)
        {
            return Ok(Value::Term(number));
        }
        let at = self.settled_offset(state, offset)?;
        self.check_life(state, object)?;
        let value = self.read(state, object, at, scalar.bytes(8), Some(scalar))?;
        Ok(self.fitted(value, scalar))
    }

    /// A value of memory as a register has it.
    fn fitted(&mut self, value: Value, scalar: Scalar) -> Value {
        match value {
            Value::Term(term) if scalar == Scalar::I1 => {
                let zero = self.space.number(0, self.space.terms.width(term));
                let is_zero = self.space.terms.compare(Compare::Eq, term, zero);
                Value::Term(self.space.terms.not(is_zero))
            }
            _ if crate::value::width(scalar).is_none() => Value::Opaque,
            other => other,
        }
    }

    /// Some bytes as one value; 8 or fewer give a term of that width.
    pub fn read(
        &mut self,
        state: &mut State,
        object: u32,
        at: i64,
        bytes: u32,
        scalar: Option<Scalar>,
    ) -> Done<Value> {
        state.object_mut(object).touch(at, i64::from(bytes));
        if let Some(cell) = state.object(object).cells.get(&at)
            && cell.bytes == bytes
        {
            return Ok(cell.value);
        }
        if state.object(object).overlapping(at, i64::from(bytes)).is_empty() {
            let value = self.fresh(state, object, at, bytes, scalar)?;
            state.object_mut(object).cells.insert(at, Cell { bytes, value });
            return Ok(value);
        }
        if bytes > 8 {
            return Ok(Value::Opaque);
        }
        self.split(state, object, at, bytes);
        let mut whole: Option<TermId> = None;
        for byte in (0..i64::from(bytes)).rev() {
            let Value::Term(term) = self.read(state, object, at + byte, 1, None)? else {
                return Ok(Value::Opaque);
            };
            whole = Some(match whole {
                None => term,
                Some(high) => self.joined(high, term),
            });
        }
        Ok(whole.map_or(Value::Opaque, Value::Term))
    }

    /// A term above a byte.
    fn joined(&mut self, high: TermId, low: TermId) -> TermId {
        let width = self.space.terms.width(high) + 8;
        let high = self.space.terms.extend_u(high, width);
        let low = self.space.terms.extend_u(low, width);
        let eight = self.space.number(8, width);
        let high = self.space.terms.binary(Binary::Shl, high, eight);
        self.space.terms.binary(Binary::Or, high, low)
    }

    /// Cells that share bytes with a range become cells of one byte.
    fn split(&mut self, state: &mut State, object: u32, at: i64, bytes: u32) {
        for start in state.object(object).overlapping(at, i64::from(bytes)) {
            let Some(cell) = state.object_mut(object).cells.remove(&start) else { continue };
            for byte in 0..cell.bytes {
                let value = match cell.value {
                    Value::Term(term) if cell.bytes <= 8 => Value::Term(self.byte(term, byte)),
                    _ => Value::Opaque,
                };
                let row = state.object_mut(object);
                row.cells.insert(start + i64::from(byte), Cell { bytes: 1, value });
            }
        }
    }

    fn byte(&mut self, term: TermId, number: u32) -> TermId {
        let width = self.space.terms.width(term);
        if width <= 8 {
            return term;
        }
        let by = self.space.number(i64::from(number) * 8, width);
        let moved = self.space.terms.binary(Binary::ShrU, term, by);
        self.space.terms.truncate(moved, 8)
    }

    fn fresh(
        &mut self,
        state: &mut State,
        object: u32,
        at: i64,
        bytes: u32,
        scalar: Option<Scalar>,
    ) -> Done<Value> {
        if bytes > 8 {
            return Ok(Value::Opaque);
        }
        match state.object(object).rest(at) {
            Rest::Undefined => Ok(Value::Opaque),
            Rest::Zero => Ok(Value::Term(self.space.number(0, bytes as u8 * 8))),
            Rest::Input(author) => Ok(self.input(state, object, at, bytes, scalar, author)),
            Rest::Initial { module, object: id, changed } => {
                let changed = changed && self.may_change(state, object, at, bytes);
                let known = self.initial(state, module, id, at, bytes, changed);
                if let Some(known) = known
                    && !(changed && self.is_set_later(state, object, at, known))
                {
                    return Ok(known);
                }
                let author = Author { event: 0, arg: 0, base: 0 };
                let value = self.input(state, object, at, bytes, scalar, author);
                self.assume_constants(state, object, at, value);
                Ok(value)
            }
        }
    }

    /// Whether somebody writes bytes of static storage.
    fn may_change(&self, state: &State, object: u32, at: i64, bytes: u32) -> bool {
        match state.object(object).kind {
            Kind::Static(number) => self.world.stores.touch(number, at, bytes),
            _ => true,
        }
    }

    /// Whether the program puts other functions into a member that has one from the start.
    fn is_set_later(&self, state: &State, object: u32, at: i64, initial: Value) -> bool {
        let Value::Function(_) = initial else { return false };
        let ty = state.object(object).ty;
        let member = ty.and_then(|ty| names::member_at(self.program(), ty, at));
        member.is_some_and(|it| {
            self.world.set.has_member(&it) && self.world.functions_in(&it).len() > 1
        })
    }

    /// Static storage that is only set to constants holds one of them.
    fn assume_constants(&mut self, state: &mut State, object: u32, at: i64, value: Value) {
        let (Kind::Static(number), Value::Term(term)) = (state.object(object).kind, value) else {
            return;
        };
        let bytes = u32::from(self.space.terms.width(term)) / 8;
        if let Some(values) = self.world.stores.constants(self.program(), number, at, bytes) {
            let is_known = self.one_of(term, &values);
            state.assume(is_known);
        }
    }

    /// That a term has one of these values.
    pub fn one_of(&mut self, term: TermId, values: &[u64]) -> TermId {
        let terms = &mut self.space.terms;
        let width = terms.width(term);
        values.iter().fold(TermId::FALSE, |one_of, &value| {
            let constant = terms.constant(value, width);
            let is_it = terms.compare(Compare::Eq, term, constant);
            terms.or(one_of, is_it)
        })
    }

    fn input(
        &mut self,
        state: &mut State,
        object: u32,
        at: i64,
        bytes: u32,
        scalar: Option<Scalar>,
        author: Author,
    ) -> Value {
        if scalar.is_some_and(Scalar::is_float) {
            return Value::Opaque;
        }
        let (name, ty) = names::name(self.program(), state.object(object), at);
        let pointee = ty.and_then(|ty| names::pointee(self.program(), ty));
        let is_pointer = scalar == Some(Scalar::Ptr);
        let ty = state.object(object).ty.filter(|_| is_pointer);
        let member = ty.and_then(|ty| names::member_at(self.program(), ty, at));
        let width = bytes as u8 * 8;
        let symbol = Symbol { name, width, is_pointer, pointee, member };
        let term = self.space.symbol(symbol);
        let value = Value::Term(term);
        let offset = at - author.base;
        let Author { event, arg, .. } = author;
        state.looks.push(Look { event, arg, object, offset, bytes, value });
        value
    }

    /// What static storage holds at first; none for what may have changed.
    fn initial(
        &mut self,
        state: &mut State,
        module: usize,
        object: ObjectId,
        at: i64,
        bytes: u32,
        changed: bool,
    ) -> Option<Value> {
        let nothing = Init::default();
        let init = self.program().modules[module].objects[object].init.as_ref();
        let init = init.unwrap_or(&nothing).clone();
        let start = usize::try_from(at).ok()?;
        let found = init.relocations.iter().find(|row| row.offset == start as u64);
        if let Some(row) = found.filter(|row| u32::from(row.size) == bytes) {
            return Some(self.relocated(state, module, row.target, row.addend));
        }
        if changed {
            return None;
        }
        let byte = |number: usize| init.bytes.get(start + number).copied().unwrap_or(0);
        let bits = (0..bytes as usize)
            .rev()
            .fold(0_u64, |bits, number| bits << 8 | u64::from(byte(number)));
        Some(Value::Term(self.space.terms.constant(bits, bytes as u8 * 8)))
    }

    fn relocated(
        &mut self,
        state: &mut State,
        module: usize,
        target: RelocationTarget,
        addend: i64,
    ) -> Value {
        match target {
            RelocationTarget::Object(id) => {
                let object = self.static_object(state, module, id);
                Value::Pointer { object, offset: self.space.offset(addend) }
            }
            RelocationTarget::Function(id) => {
                Value::Function(self.program().function_number(module, id))
            }
            RelocationTarget::Label { .. } | RelocationTarget::LabelDistance { .. } => {
                Value::Opaque
            }
        }
    }

    /// The object of static storage that a module names.
    pub fn static_object(&mut self, state: &mut State, module: usize, id: ObjectId) -> u32 {
        let number = self.program().object_number(module, id);
        if let Some(&object) = state.statics.get(&number) {
            return object;
        }
        let row = &self.program().objects[number as usize];
        let (module, id, defined) = (row.module, row.id, row.defined);
        let source = &self.program().modules[module].objects[id];
        let is_fixed = source.constant
            || source.kind == caulk_ir::ObjectKind::StringLiteral
            || self.at_start
            || !self.world.stores.change(number);
        let rest = match defined {
            true => Rest::Initial { module, object: id, changed: !is_fixed },
            false => Rest::Input(Author { event: 0, arg: 0, base: 0 }),
        };
        let mut object = Object::new(Kind::Static(number), rest);
        object.name = row.name.clone().unwrap_or_else(|| "a constant".to_owned());
        object.ty = Some((module, source.ty));
        let made = state.add(object);
        Rc::make_mut(&mut state.statics).insert(number, made);
        made
    }

    pub fn store(
        &mut self,
        state: &mut State,
        address: Value,
        scalar: Scalar,
        value: Value,
    ) -> Done<()> {
        let (object, at) = self.place(state, address)?;
        self.check_life(state, object)?;
        let value = match value {
            Value::Term(term) if scalar == Scalar::I1 => {
                Value::Term(self.space.terms.extend_u(term, 8))
            }
            other => other,
        };
        self.write(state, object, at, scalar.bytes(8), value);
        Ok(())
    }

    pub fn write(&mut self, state: &mut State, object: u32, at: i64, bytes: u32, value: Value) {
        let is_same = state.object(object).cells.get(&at).is_some_and(|cell| cell.bytes == bytes);
        if !is_same {
            self.split(state, object, at, bytes);
        }
        let row = state.object_mut(object);
        row.touch(at, i64::from(bytes));
        if !is_same {
            row.forget(at, at + i64::from(bytes));
        }
        row.cells.insert(at, Cell { bytes, value });
    }

    /// Copies bytes with the pointers in them.
    pub fn copy(
        &mut self,
        state: &mut State,
        to: Value,
        from: Value,
        size: i64,
        ty: TypeRef,
    ) -> Done<()> {
        if size == 0 {
            return Ok(());
        }
        if !(0..=LONGEST_COPY).contains(&size) {
            return Err(Stuck::loud("too many bytes are copied"));
        }
        let (source, start) = self.place(state, from)?;
        let (target, at) = self.place(state, to)?;
        self.check_life(state, source)?;
        self.check_life(state, target)?;
        self.look_at_members(state, source, start, size, ty)?;
        let moved = self.moved(state, source, start, size)?;
        let rest = state.object(source).rest(start);
        let row = state.object_mut(target);
        row.replace(at, at + size, if rest == Rest::Zero { rest } else { Rest::Undefined });
        row.touch(at, size);
        for (distance, cell) in moved {
            state.object_mut(target).cells.insert(at + distance, cell);
        }
        Ok(())
    }

    /// Cells of a range, by their distance from its start, after those on its edge were cut.
    fn moved(
        &mut self,
        state: &mut State,
        source: u32,
        start: i64,
        size: i64,
    ) -> Done<Vec<(i64, Cell)>> {
        let object = state.object(source);
        let cut: Vec<i64> = object
            .overlapping(start, size)
            .into_iter()
            .filter(|at| {
                let end = at + i64::from(object.cells[at].bytes);
                *at < start || end > start + size
            })
            .collect();
        for at in cut {
            self.split(state, source, at, 1);
        }
        let cells = state.object(source).cells.range(start..start + size);
        Ok(cells.map(|(at, cell)| (at - start, *cell)).collect())
    }

    /// What a copy takes along that nobody has looked at: by the members of its type, else words
    /// and bytes.
    fn look_at_members(
        &mut self,
        state: &mut State,
        object: u32,
        start: i64,
        size: i64,
        ty: TypeRef,
    ) -> Done<()> {
        state.object_mut(object).touch(start, size);
        if matches!(state.object(object).rest(start), Rest::Zero | Rest::Undefined) {
            return Ok(());
        }
        let mut members = Vec::new();
        let ty = names::size(self.program(), ty).filter(|&it| it as i64 == size).map(|_| ty);
        if let Some(ty) = ty.or(state.object(object).ty.filter(|_| start == 0)) {
            self.members(ty, 0, &mut members);
        }
        for (at, bytes, scalar) in members {
            let at = start + at;
            if at + i64::from(bytes) <= start + size
                && state.object(object).overlapping(at, i64::from(bytes)).is_empty()
            {
                self.read(state, object, at, bytes, Some(scalar))?;
            }
        }
        for at in start..start + size {
            if state.object(object).overlapping(at, 1).is_empty() {
                self.read(state, object, at, 1, None)?;
            }
        }
        Ok(())
    }

    fn members(&self, (module, ty): TypeRef, at: i64, found: &mut Vec<(i64, u32, Scalar)>) {
        let types = &self.program().modules[module].types;
        match types.types[ty] {
            Type::Record(id) => {
                for field in types.records[id].fields.iter().filter(|field| field.bits.is_none()) {
                    self.members((module, field.ty), at + field.offset as i64, found);
                }
            }
            Type::Array { element, len: Some(len) } if len <= 64 => {
                let size = names::size(self.program(), (module, element)).unwrap_or(0) as i64;
                for number in 0..len as i64 {
                    self.members((module, element), at + number * size, found);
                }
            }
            _ => {
                if let Some(scalar) = types.scalar(ty).filter(|it| !it.is_float()) {
                    found.push((at, scalar.bytes(8), scalar));
                }
            }
        }
    }

    pub fn fill(&mut self, state: &mut State, to: Value, byte: Value, size: i64) -> Done<()> {
        if size == 0 {
            return Ok(());
        }
        let (object, at) = self.place(state, to)?;
        self.check_life(state, object)?;
        let constant = match byte {
            Value::Term(term) => self.space.constant(term),
            _ => None,
        };
        if constant != Some(0) && size > LONGEST_COPY {
            return Err(Stuck::loud("too many bytes are filled"));
        }
        let row = state.object_mut(object);
        row.replace(at, at.saturating_add(size), Rest::Zero);
        row.touch(at, size.min(1 << 20));
        if constant != Some(0) {
            (0..size).for_each(|number| self.write(state, object, at + number, 1, byte));
        }
        Ok(())
    }
}
