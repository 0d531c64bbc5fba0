//! Which heap cells nothing reaches.
//!
//! Marking starts from static storage, the live slots of all activations and the source
//! variables that live in registers; it follows every pointer found in reachable memory, to
//! wherever in a cell it points. Cells that are neither marked nor freed are leaked. One that
//! another leaked cell points to is an indirect leak, as in LeakSanitizer.

use caulk_base::FxHashMap;

use crate::fault::Position;
use crate::holders::Holder;
use crate::machine::Machine;
use crate::memory::{ObjectKind, State};
use crate::value::Origin;

/// A cell that was neither freed nor reachable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leak {
    pub size: u64,
    /// The call stack of its allocation, innermost first.
    pub allocated: Vec<Position>,
    /// Another leaked cell points to it.
    pub indirect: bool,
    /// The leak that leads to it, by its number among all; none for one that no other leads to, and for the
    /// first of those that only lead to each other.
    pub with: Option<usize>,
    /// A cell that the same calls made was freed, and not by being made anew (`realloc`).
    pub others_freed: bool,
    /// In watch mode: where the last reference died, and what held it.
    pub lost: Option<Loss>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    pub stack: Vec<Position>,
    pub held_by: String,
}

impl Machine<'_> {
    /// The leaked cells now, in the order of their allocation.
    pub fn leaks(&mut self) -> Vec<Leak> {
        let marked = self.mark(self.roots());
        let leaked: Vec<Origin> = (0..self.memory.objects.len() as Origin)
            .filter(|&id| {
                let object = self.memory.object(id);
                object.kind == ObjectKind::Heap
                    && object.state == State::Live
                    && !marked[id as usize]
            })
            .collect();
        let inner = self.pointed_to_by(&leaked);
        let heads = self.heads(&leaked, &inner);
        let mut rows: Vec<(Origin, Origin)> = leaked.into_iter().zip(heads).collect();
        rows.sort_by_key(|&(id, _)| self.memory.object(id).base);
        let numbers: FxHashMap<Origin, usize> = rows.iter().map(|row| row.0).zip(0..).collect();
        let with =
            |&(id, head): &(Origin, Origin)| numbers.get(&head).copied().filter(|_| head != id);
        rows.iter()
            .map(|row| Leak { with: with(row), ..self.leak(row.0, inner[row.0 as usize]) })
            .collect()
    }

    /// For each leaked cell the one that leads to it and that no other leads to; for those that only lead to
    /// each other the first.
    fn heads(&self, leaked: &[Origin], inner: &[bool]) -> Vec<Origin> {
        let mut heads: Vec<Option<Origin>> = vec![None; leaked.len()];
        let direct = leaked.iter().filter(|&&id| !inner[id as usize]);
        for &head in direct.chain(leaked) {
            let mut todo = vec![head];
            while let Some(id) = todo.pop() {
                let Ok(row) = leaked.binary_search(&id) else { continue };
                if heads[row].is_none() {
                    heads[row] = Some(head);
                    todo.extend(self.memory.object(id).origins.iter());
                }
            }
        }
        heads.into_iter().zip(leaked).map(|(head, &id)| head.unwrap_or(id)).collect()
    }

    fn leak(&self, id: Origin, indirect: bool) -> Leak {
        let object = self.memory.object(id);
        let lost = self.loss(id);
        let allocated = self.positions(object.made_at);
        let others_freed = self.frees_like(object.made_at);
        Leak { size: object.size, allocated, indirect, with: None, others_freed, lost }
    }

    fn frees_like(&self, made_at: u32) -> bool {
        self.memory.objects.iter().any(|object| {
            object.state == State::Freed && object.made_at == made_at && object.freed_at != made_at
        })
    }

    /// Where the last reference to a cell died, in watch mode.
    pub fn loss(&self, id: Origin) -> Option<Loss> {
        let death = self.memory.holders.as_ref()?.deaths.get(&id)?;
        let stack = self.positions(death.stack);
        Some(Loss { stack, held_by: self.holder_name(&death.holder) })
    }

    pub fn roots(&self) -> Vec<Origin> {
        let mut roots = Vec::new();
        for (id, object) in self.memory.objects.iter().enumerate() {
            if object.state == State::Live && object.kind != ObjectKind::Heap {
                roots.push(id as Origin);
            }
        }
        roots.extend(self.library.roots());
        roots.push(self.returned);
        for depth in 0..self.frames.len() {
            roots.extend(self.variables(depth).into_iter().map(|value| value.origin()));
        }
        roots
    }

    pub fn mark(&self, roots: Vec<Origin>) -> Vec<bool> {
        let mut marked = vec![false; self.memory.objects.len()];
        let scan_numbers = self.memory.exposed_cells();
        let mut todo = roots;
        while let Some(id) = todo.pop() {
            if std::mem::replace(&mut marked[id as usize], true) {
                continue;
            }
            let object = self.memory.object(id);
            todo.extend(object.origins.iter().copied().filter(|&origin| origin != 0));
            if scan_numbers {
                self.scan_numbers(id, &mut todo);
            }
        }
        marked
    }

    /// Words without an origin that are the address of an exposed object.
    fn scan_numbers(&self, id: Origin, todo: &mut Vec<Origin>) {
        let object = self.memory.object(id);
        for (word, bytes) in object.bytes.chunks_exact(8).enumerate() {
            let known = object.origins.get(word).copied().unwrap_or(0);
            let number = u64::from_le_bytes(bytes.try_into().unwrap_or_default());
            if known == 0 && number > 4096 {
                todo.extend(self.memory.find(number));
            }
        }
    }

    fn pointed_to_by(&self, cells: &[Origin]) -> Vec<bool> {
        let mut inner = vec![false; self.memory.objects.len()];
        for &cell in cells {
            for &origin in self.memory.object(cell).origins.iter().filter(|&&origin| origin != cell)
            {
                inner[origin as usize] = true;
            }
        }
        inner
    }

    fn holder_name(&self, holder: &Holder) -> String {
        match *holder {
            Holder::Variable { function, var } => self.variable_name(function, var),
            Holder::Slot { function, slot, offset } => {
                let var = self
                    .program
                    .body(function)
                    .and_then(|body| body.slots.rows().get(slot as usize)?.var);
                let name =
                    var.map_or("a temporary".into(), |var| self.variable_name(function, var.0));
                if offset == 0 { name } else { format!("{name} + {offset}") }
            }
            Holder::Global { global, offset } => {
                let name =
                    self.program.objects.get(global as usize).and_then(|row| row.name.as_deref());
                let name = name.unwrap_or("static storage");
                if offset == 0 { name.to_string() } else { format!("{name} + {offset}") }
            }
            Holder::Cell { made_at, offset } => {
                let place = self.positions(made_at).into_iter().next();
                let place = place.map_or(String::new(), |place| format!(" from {place}"));
                format!("offset {offset} of the cell{place}")
            }
            Holder::Other => "library storage".to_string(),
        }
    }

    fn variable_name(&self, function: u32, var: u32) -> String {
        let module = self.program.module_of(function);
        let row = self.program.body(function).and_then(|body| body.vars.rows().get(var as usize));
        row.map_or(String::new(), |row| module.names.text(row.name).to_string())
    }
}
