//! One state of the search: activations, memory, what was assumed, and what the world answered.
//!
//! States are copied wherever a way forks, so what seldom changes is shared until it does.

use std::collections::BTreeMap;
use std::rc::Rc;

use caulk_base::FxHashMap;
use caulk_guard::bits::TermId;
use caulk_ir::{BlockId, InstId};

use crate::blame::Settled;
use crate::handles::Handle;
use crate::numbers::Numbers;
use crate::object::{Kind, Life, Made, Object};
use crate::value::Value;

#[derive(Clone)]
pub struct Frame {
    pub function: u32,
    pub block: BlockId,
    /// The instruction to run next; the block's end for its terminator.
    pub inst: InstId,
    pub values: Vec<Option<Value>>,
    /// The object of each slot that lives.
    pub slots: Vec<Option<u32>>,
    /// Arguments beyond the parameters, and how many of them were asked for.
    pub variadic: Vec<Value>,
    pub asked: usize,
    /// What it settled last.
    pub settled: Option<Settled>,
    /// How often an open decision led to each block.
    pub visits: FxHashMap<BlockId, u32>,
}

/// Bytes from outside that the run has looked at.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// The number of the reply that wrote them, 0 for what was there before.
    pub event: u32,
    pub arg: usize,
    /// The object, for what was there before.
    pub object: u32,
    /// From the object's start, or from where the argument pointed.
    pub offset: i64,
    pub bytes: u32,
    pub value: Value,
}

/// What an external function did, in the words of the search; arguments count from 0.
#[derive(Clone, Copy, Debug)]
pub enum Deed {
    Make {
        object: u32,
    },
    /// What was made last takes over what the argument's object holds.
    CopyInto {
        arg: usize,
    },
    Free {
        arg: usize,
        through: bool,
    },
    Keep {
        arg: usize,
    },
    Touch {
        arg: usize,
    },
    /// The address of the number-th object made is stored.
    Store {
        arg: usize,
        offset: i64,
        made: usize,
    },
    /// `*arg` becomes NULL.
    Clear {
        arg: usize,
    },
    /// A resource that is a number.
    Open {
        number: u32,
    },
    /// Its number is stored.
    StoreNumber {
        arg: usize,
        offset: i64,
        bytes: u8,
        number: u32,
    },
    Close {
        arg: usize,
    },
}

#[derive(Clone, Debug)]
pub struct Answer {
    pub name: String,
    pub function: u32,
    pub inst: InstId,
    pub args: Vec<Value>,
    pub deeds: Vec<Deed>,
    pub result: Option<Value>,
    /// The number of what was made that is the result.
    pub result_made: Option<usize>,
    pub ends: bool,
    /// It could have gone well, and did not.
    pub fails: bool,
}

/// What a pure function gave.
pub struct KnownResult {
    pub name: String,
    pub args: Vec<Value>,
    pub value: Value,
}

#[derive(Clone, Default)]
pub struct State {
    /// What the function was called with.
    pub args: Vec<Value>,
    pub result_into: Option<Value>,
    pub frames: Vec<Rc<Frame>>,
    pub objects: Vec<Rc<Object>>,
    pub handles: Vec<Handle>,
    pub statics: Rc<BTreeMap<u32, u32>>,
    /// The objects of pointers from outside that were followed, by symbol.
    pub opened: Rc<BTreeMap<u32, u32>>,
    /// The functions that pointers from outside were taken for, by symbol.
    pub chosen: Rc<BTreeMap<u32, u32>>,
    pub conditions: Vec<TermId>,
    /// Those of them that branches asked for.
    pub decided: Vec<TermId>,
    /// What external functions had to be given for an effect.
    pub demanded: Vec<TermId>,
    /// Satisfies the first `checked` conditions.
    pub model: Rc<Numbers>,
    pub checked: usize,
    pub looks: Vec<Look>,
    pub answers: Vec<Rc<Answer>>,
    /// How far the outermost activation is on the finding's route.
    pub on_route: usize,
    /// It has left the route, where nothing was to decide.
    pub is_astray: bool,
    /// How often it went as ways that came to a dead end.
    pub detours: u32,
    /// The wanted object was made.
    pub is_made: bool,
    /// The fault that the finding speaks of happened.
    pub is_done: bool,
    pub known_results: Vec<Rc<KnownResult>>,
}

impl State {
    /// A state for one of several ways that go on from here; the last of them needs no copy.
    pub fn way(&mut self, is_last: bool) -> Self {
        if is_last { std::mem::take(self) } else { self.clone() }
    }

    pub fn add(&mut self, object: Object) -> u32 {
        self.objects.push(Rc::new(object));
        self.objects.len() as u32 - 1
    }

    pub fn object(&self, id: u32) -> &Object {
        &self.objects[id as usize]
    }

    pub fn object_mut(&mut self, id: u32) -> &mut Object {
        Rc::make_mut(&mut self.objects[id as usize])
    }

    pub fn frame(&mut self) -> &mut Frame {
        Rc::make_mut(self.frames.last_mut().expect("a state that runs has an activation"))
    }

    /// Adds a condition that the next look at the state has to check.
    pub fn assume(&mut self, condition: TermId) {
        if condition != TermId::TRUE {
            self.conditions.push(condition);
        }
    }

    /// Whether a wanted object is neither freed nor reachable from what outlives the function.
    /// `is_direct` leaves out what another lost object leads to.
    pub fn loses_wanted(&self, result: Option<Value>, is_direct: bool) -> bool {
        if is_direct {
            return self.lost_objects(result).into_iter().any(|id| self.objects[id].is_wanted);
        }
        let marked = self.reachable(result);
        self.wanted().any(|(id, object)| object.life == Life::Live && !marked[id])
    }

    /// Whether something wanted was not released.
    pub fn has_wanted(&self) -> bool {
        self.wanted().any(|(_, object)| object.life == Life::Live)
            || self.handles.iter().any(|handle| handle.is_wanted && !handle.is_closed)
    }

    /// How the lost objects were made.
    pub fn lost(&self, result: Option<Value>) -> Vec<Rc<Made>> {
        let lost = self.lost_objects(result).into_iter();
        lost.filter_map(|id| self.objects[id].made.clone()).collect()
    }

    /// Those that are neither freed nor reachable, but for what others of them lead to; of those
    /// that lead to each other, the first.
    fn lost_objects(&self, result: Option<Value>) -> Vec<usize> {
        let marked = self.reachable(result);
        let is_lost = |id: usize| {
            let object = &self.objects[id];
            object.kind == Kind::Heap && object.life == Life::Live && !marked[id]
        };
        let lost: Vec<usize> = (0..self.objects.len()).filter(|&id| is_lost(id)).collect();
        let below = |from: Vec<usize>| {
            let mut below = vec![false; self.objects.len()];
            let mut todo = from;
            while let Some(id) = todo.pop() {
                let next = self.objects[id].pointees().map(|it| it as usize);
                todo.extend(next.filter(|&it| !std::mem::replace(&mut below[it], true)));
            }
            below
        };
        let held = below(lost.clone());
        let mut told: Vec<usize> = lost.iter().copied().filter(|&id| !held[id]).collect();
        for &id in &lost {
            if !told.contains(&id) && !below(told.clone())[id] {
                told.push(id);
            }
        }
        told
    }

    pub fn wanted(&self) -> impl Iterator<Item = (usize, &Object)> {
        let rows = self.objects.iter().enumerate();
        rows.filter(|(_, object)| object.is_wanted).map(|(id, object)| (id, &**object))
    }

    /// The objects that outlive the function.
    pub fn reachable(&self, result: Option<Value>) -> Vec<bool> {
        let mut marked = vec![false; self.objects.len()];
        let is_root = |object: &Object| {
            object.is_kept
                || matches!(object.kind, Kind::Static(_))
                || object.kind == Kind::Outside && object.life == Life::Live
        };
        let rows = self.objects.iter().enumerate();
        let mut todo: Vec<usize> =
            rows.filter(|(_, object)| is_root(object)).map(|(id, _)| id).collect();
        if let Some(Value::Pointer { object, .. }) = result {
            todo.push(object as usize);
        }
        while let Some(id) = todo.pop() {
            if !std::mem::replace(&mut marked[id], true) {
                todo.extend(self.objects[id].pointees().map(|it| it as usize));
            }
        }
        marked
    }
}
