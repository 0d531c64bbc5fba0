//! One function run by itself: its arguments, the memory around it and what external functions
//! answer are given beforehand.
//!
//! Nothing of the library runs here: every call that leaves the program takes the next reply of the
//! script, and a call that the script did not expect ends the run. At the end each heap cell that
//! the run made is free, held (from static storage, from memory that came from outside, from the
//! result, or by the world outside) or lost.

use crate::fault::{Position, Report, Step, Stop};
use crate::handles::Handle;
use crate::leaks::Loss;
use crate::library::Args;
use crate::link::Program;
use crate::machine::Machine;
use crate::memory::{ObjectKind, State};
use crate::run::{Budgets, RunOptions, Status, set_up};
use crate::value::{Origin, Value};

/// A value from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Datum {
    Number(u64),
    /// Into one of the scenario's objects.
    Object {
        object: usize,
        offset: i64,
    },
    /// Into an object of static storage, by its number in the program.
    Static {
        object: u32,
        offset: i64,
    },
    /// A function of the program.
    Function(u32),
    /// What the same reply made, counted from 0.
    Made(usize),
    /// An argument of the call that the reply answers, moved by some bytes.
    Arg {
        arg: usize,
        offset: i64,
    },
}

/// Some bytes of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub offset: i64,
    /// 1 to 8.
    pub bytes: u8,
    pub value: Datum,
}

/// Memory that was there before; what no piece tells is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outside {
    pub size: u64,
    pub pieces: Vec<Piece>,
}

/// What an external function does to the program's memory; arguments count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A new heap cell.
    Make {
        size: u64,
        zeroed: bool,
    },
    /// What the last cell made takes over from the cell of an argument.
    CopyInto {
        arg: usize,
    },
    Write {
        arg: usize,
        piece: Piece,
    },
    Free {
        arg: usize,
        /// What `*arg` points to, and not what `arg` does.
        through: bool,
    },
    /// Reads the first byte: a fault when nobody may.
    Touch {
        arg: usize,
    },
    /// From now on the world outside holds it.
    Keep {
        arg: usize,
    },
    /// A resource that is a number.
    Open {
        number: u32,
    },
    Close {
        arg: usize,
    },
}

/// What one call of an external function does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Who is expected to be called; empty for a function pointer that came from outside.
    pub name: String,
    pub actions: Vec<Action>,
    pub result: Datum,
    /// The call never returns.
    pub ends: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Scenario {
    pub function: u32,
    pub args: Vec<Option<Datum>>,
    /// Where an aggregate result goes.
    pub result_into: Option<Datum>,
    pub objects: Vec<Outside>,
    /// What objects of static storage hold beside their initial bytes; those that nobody defines
    /// get as much memory as their pieces need.
    pub statics: Vec<(u32, Vec<Piece>)>,
    pub replies: Vec<Reply>,
}

/// What became of a heap cell or a handle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    Freed,
    Held,
    Lost(Option<Loss>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellEnd {
    /// The call stack that made it, innermost first.
    pub made: Vec<Position>,
    pub fate: Fate,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    Returned,
    /// An external function ended the process.
    Exited,
    Fault(Report),
    /// The run asked for what the script does not have, or spent its budget.
    Astray(String),
}

#[derive(Clone, Debug)]
pub struct Played {
    pub ended: Ended,
    /// The cells that the run made, in order, then the handles that it opened.
    pub cells: Vec<CellEnd>,
    pub steps: u64,
}

/// What a machine that plays a scenario remembers.
#[derive(Default)]
pub struct Script {
    replies: std::vec::IntoIter<Reply>,
    outside: Vec<Origin>,
    kept: Vec<Origin>,
    made: Vec<Origin>,
    pub handles: Vec<Handle>,
}

/// The size of what the program declares and nobody defines.
const UNDEFINED_SIZE: u64 = 4096;

#[must_use]
pub fn play(program: &Program, scenario: Scenario, budgets: Budgets) -> Played {
    let outside: u64 = scenario.objects.iter().fold(0, |sum, it| sum.saturating_add(it.size));
    if outside > budgets.memory {
        let ended = Ended::Astray("the memory around the function is too large".to_owned());
        return Played { ended, cells: Vec::new(), steps: 0 };
    }
    let options = RunOptions { budgets, watch_heap: true, ..RunOptions::default() };
    let Some(mut machine) = set_up(program, options) else {
        let ended = Ended::Astray("the program's static storage is too large".to_owned());
        return Played { ended, cells: Vec::new(), steps: 0 };
    };
    let result = machine.perform(scenario);
    let (ended, value) = match result {
        Ok(value) => (Ended::Returned, value),
        Err(stop) => (machine.ended(stop), Value::int(0)),
    };
    let cells = machine.cell_ends(value);
    Played { ended, cells, steps: machine.steps }
}

impl Machine<'_> {
    fn perform(&mut self, scenario: Scenario) -> Step<Value> {
        self.place_outside(&scenario)?;
        self.script.as_mut().expect("just set").replies = scenario.replies.into_iter();
        let into = scenario.result_into.map(|datum| self.datum(datum, &[]));
        let args: Vec<Value> = scenario
            .args
            .iter()
            .map(|arg| arg.map_or(Value::UNDEF, |datum| self.datum(datum, &[])))
            .collect();
        self.call_with(scenario.function, &args, into)
    }

    fn place_outside(&mut self, scenario: &Scenario) -> Step<()> {
        let outside: Vec<Origin> = scenario
            .objects
            .iter()
            .map(|object| self.memory.add_cell(object.size, 16, true))
            .collect();
        self.script = Some(Box::new(Script { outside, ..Script::default() }));
        self.place_undefined();
        for (number, object) in scenario.objects.iter().enumerate() {
            let at = Datum::Object { object: number, offset: 0 };
            self.put_pieces(at, &object.pieces)?;
        }
        for (number, pieces) in &scenario.statics {
            self.put_pieces(Datum::Static { object: *number, offset: 0 }, pieces)?;
        }
        Ok(())
    }

    /// Objects that the program only declares are somewhere, too.
    fn place_undefined(&mut self) {
        for (number, row) in self.program.objects.iter().enumerate() {
            if !row.defined {
                let size = row.size.max(UNDEFINED_SIZE);
                let id = self.memory.add_global(size, 16, ObjectKind::Library);
                self.addresses.objects[number] = self.memory.address(id);
            }
        }
    }

    fn put_pieces(&mut self, at: Datum, pieces: &[Piece]) -> Step<()> {
        let at = self.datum(at, &[]);
        for piece in pieces {
            self.put_piece(at, piece, &[])?;
        }
        Ok(())
    }

    fn put_piece(&mut self, at: Value, piece: &Piece, made: &[Value]) -> Step<()> {
        let value = self.datum(piece.value, made);
        let at = at.moved(piece.offset);
        if let 1 | 2 | 4 | 8 = piece.bytes {
            self.memory.store_sized(at, value, usize::from(piece.bytes))?;
        } else {
            let bytes = value.bits.to_le_bytes();
            self.memory.write(at, &bytes[..usize::from(piece.bytes.min(8))])?;
        }
        Ok(())
    }

    fn datum(&self, datum: Datum, made: &[Value]) -> Value {
        match datum {
            Datum::Number(bits) => Value::int(bits),
            Datum::Object { object, offset } => {
                let outside = self.script.as_ref().and_then(|it| it.outside.get(object));
                outside.map_or(Value::int(0), |&id| self.memory.address(id).moved(offset))
            }
            Datum::Static { object, offset } => {
                self.addresses.objects[object as usize].moved(offset)
            }
            Datum::Function(function) => self.addresses.functions[function as usize],
            Datum::Arg { .. } => Value::int(0),
            Datum::Made(number) => made.get(number).copied().unwrap_or_default(),
        }
    }

    /// A call that leaves the program, while a scenario is played; `function` is none for a
    /// pointer that is no function of the program.
    pub fn answer(&mut self, function: Option<u32>, args: &Args) -> Step<Value> {
        let name =
            function.map_or("", |number| self.program.functions[number as usize].name.as_str());
        let reply = self.script.as_mut().and_then(|script| script.replies.next());
        let Some(reply) = reply.filter(|reply| reply.name == name) else {
            return Err(Box::new(Stop::UnknownExternal(name.to_owned())));
        };
        if reply.ends {
            return Err(Box::new(Stop::ExitNow(0)));
        }
        let mut made = Vec::new();
        for action in &reply.actions {
            self.act(*action, args, &mut made)?;
        }
        Ok(match reply.result {
            Datum::Arg { arg, offset } => args.get(arg).moved(offset),
            other => self.datum(other, &made),
        })
    }

    fn act(&mut self, action: Action, args: &Args, made: &mut Vec<Value>) -> Step<()> {
        match action {
            Action::Make { size, zeroed } => {
                let cell = self.allocate(size, 16, zeroed)?.unwrap_or_default();
                made.push(cell);
                self.script_mut().made.push(cell.origin());
            }
            Action::CopyInto { arg } => {
                let (old, new) = (args.get(arg), made.last().copied().unwrap_or_default());
                let size = |value: Value| self.memory.object(value.origin()).size;
                let kept = size(old).min(size(new));
                self.memory.copy(new, old, kept)?;
            }
            Action::Write { arg, piece } => self.put_piece(args.get(arg), &piece, made)?,
            Action::Free { arg, through: false } => self.release(args.get(arg))?,
            Action::Free { arg, through: true } => {
                let pointer = self.memory.load::<8>(args.get(arg))?;
                self.release(pointer)?;
            }
            Action::Touch { arg } => {
                self.memory.load::<1>(args.get(arg))?;
            }
            Action::Keep { arg } => {
                let kept = args.get(arg);
                self.script_mut().kept.push(kept.origin());
                self.keep_handle(kept);
            }
            Action::Open { number } => self.open_handle(number),
            Action::Close { arg } => self.close_handle(args.get(arg)),
        }
        Ok(())
    }

    pub fn script_mut(&mut self) -> &mut Script {
        self.script.get_or_insert_default()
    }

    fn ended(&mut self, stop: Box<Stop>) -> Ended {
        match self.status(Err(stop)) {
            Status::Exit(_) | Status::Signal(_) => Ended::Exited,
            Status::Error(report) => Ended::Fault(report),
            Status::UnknownExternal(name) => Ended::Astray(format!("an unexpected call of {name}")),
            Status::OutOfBudget(budget) => Ended::Astray(format!("out of budget: {budget:?}")),
            Status::NoMain => Ended::Astray("nothing to run".to_owned()),
        }
    }

    fn cell_ends(&mut self, result: Value) -> Vec<CellEnd> {
        let script = *self.script.take().unwrap_or_default();
        let is_live = |id: &Origin| self.memory.object(*id).state == State::Live;
        let mut roots = self.roots();
        roots.extend(script.outside.iter().filter(|id| is_live(id)));
        roots.extend(script.kept);
        roots.push(result.origin());
        let marked = self.mark(roots);
        let fate = |id: Origin| match self.memory.object(id).state {
            State::Live if marked[id as usize] => Fate::Held,
            State::Live => Fate::Lost(self.loss(id)),
            _ => Fate::Freed,
        };
        let end = |id: Origin| CellEnd {
            made: self.positions(self.memory.object(id).made_at),
            fate: fate(id),
        };
        let cells = script.made.into_iter().map(end);
        cells.chain(self.handle_ends(&script.handles, &marked, result)).collect()
    }
}
