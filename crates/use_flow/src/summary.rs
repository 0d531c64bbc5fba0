//! What a function does for its callers, as values that outlive its analysis.
//!
//! A summary is a short list of cases, each with the conditions under which it happens and all that
//! happens then: so a status code stands for the pointer it was returned with (K3's summaries map
//! an input to pairs of output and class of result). Models of external functions take the same
//! form.

use caulk_base::FxHashSet;
use caulk_guard::bits::{Binary, Compare, Unary};
use caulk_ir::InstId;
use caulk_machines::MachineId;
use caulk_models::Resource;
use caulk_program::{ProcId, StaticId};

use crate::foreign::Numbers;
use crate::nodes::Lazily;
use crate::state::Certainty;

/// A value in terms of the call: its arguments, memory before it, and what it makes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    Constant {
        value: u64,
        width: u8,
    },
    /// The hidden result pointer is `u32::MAX`.
    Param(u32),
    Static(StaticId),
    /// A function.
    Proc(ProcId),
    /// Memory before the call.
    Load {
        address: Box<Expr>,
        width: u8,
        pointer: bool,
    },
    /// What the case makes, by its place in [`Case::makes`].
    Fresh(u32),
    /// Anything, the same wherever it has this number in the case.
    Unknown {
        number: u32,
        width: u8,
        pointer: bool,
    },
    /// One of several pointers of the caller's.
    OneOf {
        choices: Vec<Expr>,
        width: u8,
    },
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    Compare(Compare, Box<Expr>, Box<Expr>),
    ExtendU(Box<Expr>, u8),
    ExtendS(Box<Expr>, u8),
    Truncate(Box<Expr>, u8),
    /// The second if the first holds, else the third: numbers, perhaps descriptors.
    Select(Box<[Expr; 3]>),
    /// The result of a pure function of this number; it may depend on what its arguments point to.
    Apply {
        function: u32,
        arguments: Vec<Expr>,
        width: u8,
        reads: bool,
    },
}

impl Expr {
    pub fn add(self, offset: i64, width: u8) -> Expr {
        if offset == 0 {
            return self;
        }
        let offset = Expr::Constant { value: offset as u64, width };
        Expr::Binary(Binary::Add, Box::new(self), Box::new(offset))
    }
}

impl Expr {
    /// The object of static storage that an address is in.
    pub fn of_static(&self) -> Option<StaticId> {
        match self {
            Expr::Static(id) => Some(*id),
            Expr::Binary(_, left, right) => left.of_static().or_else(|| right.of_static()),
            _ => None,
        }
    }

    /// Whether an address leads from static storage, or from what is made.
    fn is_static(&self) -> bool {
        match self {
            Expr::Static(_) | Expr::Fresh(_) => true,
            Expr::Binary(_, left, right) => left.is_static() || right.is_static(),
            _ => false,
        }
    }

    /// Whether a pointer leads into what is made.
    pub fn has_fresh(&self) -> bool {
        match self {
            Expr::Fresh(_) => true,
            Expr::Binary(_, left, right) => left.has_fresh() || right.has_fresh(),
            Expr::OneOf { choices, .. } => choices.iter().any(Expr::has_fresh),
            _ => false,
        }
    }

    fn has(&self, part: &Expr) -> bool {
        match self {
            _ if self == part => true,
            Expr::Unary(_, of)
            | Expr::ExtendU(of, _)
            | Expr::ExtendS(of, _)
            | Expr::Truncate(of, _) => of.has(part),
            Expr::Binary(_, left, right) => left.has(part) || right.has(part),
            Expr::OneOf { choices, .. } => choices.iter().any(|it| it.has(part)),
            Expr::Select(of) => of.iter().any(|it| it.has(part)),
            _ => false,
        }
    }

    /// Whether an address leads from something the caller knows.
    pub fn has_base(&self) -> bool {
        match self {
            Expr::Param(_) | Expr::Static(_) | Expr::Fresh(_) => true,
            Expr::Load { address, .. } => address.has_base(),
            Expr::Binary(_, left, right) => left.has_base() || right.has_base(),
            Expr::Select(of) => of[1..].iter().any(Expr::has_base),
            _ => false,
        }
    }

    /// An address of something that was there before.
    fn is_other_address(&self) -> bool {
        match self {
            Expr::Param(_) | Expr::Static(_) | Expr::OneOf { .. } => !self.has_fresh(),
            Expr::Load { pointer, .. } => *pointer,
            Expr::Binary(_, left, _) => left.is_other_address(),
            _ => false,
        }
    }

    /// The parameter that a condition says has one value, which is no zero.
    fn param_with_one_value(&self) -> Option<u32> {
        let Expr::Compare(Compare::Eq, left, right) = self else { return None };
        match (&**left, &**right) {
            (Expr::Param(number), Expr::Constant { value, .. })
            | (Expr::Constant { value, .. }, Expr::Param(number))
                if *value != 0 =>
            {
                Some(*number)
            }
            _ => None,
        }
    }

    /// The parameters that stand in a number or a condition by themselves.
    fn add_params(&self, params: &mut Vec<u32>) {
        match self {
            Expr::Param(number) => params.push(*number),
            Expr::Unary(_, of)
            | Expr::ExtendU(of, _)
            | Expr::ExtendS(of, _)
            | Expr::Truncate(of, _) => of.add_params(params),
            Expr::Binary(_, left, right) | Expr::Compare(_, left, right) => {
                left.add_params(params);
                right.add_params(params);
            }
            Expr::Select(of) => of.iter().for_each(|it| it.add_params(params)),
            _ => {}
        }
    }

    /// The parameter that an address leads from.
    pub fn root_param(&self) -> Option<u32> {
        match self {
            Expr::Param(number) => Some(*number),
            Expr::Load { address, .. } => address.root_param(),
            Expr::Binary(_, left, right) => left.root_param().or_else(|| right.root_param()),
            _ => None,
        }
    }

    /// Whether it is what an argument points to, at a place that is known.
    pub fn is_member_of(&self, number: u32) -> bool {
        matches!(self, Expr::Load { address, .. } if address.base_param() == Some(number))
    }

    /// The argument that a value is, or points into.
    pub fn base_param(&self) -> Option<u32> {
        match self {
            Expr::Param(number) => Some(*number),
            Expr::Binary(Binary::Add, left, right) => match **right {
                Expr::Constant { .. } => left.base_param(),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a condition speaks of another parameter.
    fn mentions_other(&self, number: u32) -> bool {
        match self {
            Expr::Param(other) => *other != number,
            Expr::Load { address: of, .. }
            | Expr::Unary(_, of)
            | Expr::ExtendU(of, _)
            | Expr::ExtendS(of, _)
            | Expr::Truncate(of, _) => of.mentions_other(number),
            Expr::Binary(_, left, right) | Expr::Compare(_, left, right) => {
                left.mentions_other(number) || right.mentions_other(number)
            }
            Expr::Apply { arguments: of, .. } | Expr::OneOf { choices: of, .. } => {
                of.iter().any(|it| it.mentions_other(number))
            }
            Expr::Select(of) => of.iter().any(|it| it.mentions_other(number)),
            Expr::Constant { .. }
            | Expr::Static(_)
            | Expr::Proc(_)
            | Expr::Fresh(_)
            | Expr::Unknown { .. } => false,
        }
    }

    /// What a condition says to be NULL, or zero.
    pub fn equal_to_zero(&self) -> Option<&Expr> {
        match self {
            Expr::Compare(Compare::Eq, left, right) => match **right {
                Expr::Constant { value: 0, width } if width >= 32 => Some(left),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a condition says that an argument is one of some constants, none of them NULL: a command.
    pub fn is_one_of_few(&self) -> bool {
        match self {
            Expr::Compare(Compare::Eq, left, right) => {
                let is_number =
                    |it: &Expr| matches!(it, Expr::Constant { width, .. } if *width <= 32);
                matches!(**left, Expr::Param(_)) && is_number(right)
            }
            Expr::Binary(Binary::Or, left, right) => left.is_one_of_few() && right.is_one_of_few(),
            _ => false,
        }
    }

    /// Whether two conditions cannot hold together, as far as their shapes tell.
    fn contradicts(&self, other: &Expr) -> bool {
        use Compare::{Eq, LeS, LeU, LtS, LtU};
        match (self, other) {
            (Expr::Unary(Unary::Not, of), other) | (other, Expr::Unary(Unary::Not, of)) => {
                **of == *other
            }
            (Expr::Compare(Eq, left, a), Expr::Compare(Eq, right, b)) => {
                let constants = [a, b].map(|it| matches!(**it, Expr::Constant { .. }));
                left == right && constants == [true, true] && a != b
            }
            (Expr::Compare(one, a, b), Expr::Compare(two, c, d)) => {
                let crossed = a == d && b == c;
                crossed
                    && matches!(
                        (one, two),
                        (LtS, LtS | LeS) | (LeS, LtS) | (LtU, LtU | LeU) | (LeU, LtU)
                    )
            }
            _ => false,
        }
    }

    /// Whether a condition says that something as wide as a pointer is there; that a flag is set says more.
    fn is_not_null(&self) -> bool {
        let Expr::Unary(Unary::Not, of) = self else { return false };
        let is_wide = |it: &Expr| matches!(it, Expr::Constant { value: 0, width } if *width > 32);
        matches!(&**of, Expr::Compare(Compare::Eq, _, zero) if is_wide(zero))
    }

    /// Whether the value is made of nothing but arguments and memory before the call.
    pub fn is_of_before(&self) -> bool {
        match self {
            Expr::Constant { .. } | Expr::Param(_) | Expr::Static(_) | Expr::Proc(_) => true,
            Expr::Fresh(_) | Expr::Unknown { .. } | Expr::OneOf { .. } | Expr::Apply { .. } => {
                false
            }
            Expr::Load { address: of, .. }
            | Expr::Unary(_, of)
            | Expr::ExtendU(of, _)
            | Expr::ExtendS(of, _)
            | Expr::Truncate(of, _) => of.is_of_before(),
            Expr::Binary(_, left, right) | Expr::Compare(_, left, right) => {
                left.is_of_before() && right.is_of_before()
            }
            Expr::Select(of) => of.iter().all(Expr::is_of_before),
        }
    }

    /// Whether the value depends on memory before the call.
    pub fn reads_memory(&self) -> bool {
        match self {
            Expr::Load { .. } => true,
            Expr::Unary(_, of)
            | Expr::ExtendU(of, _)
            | Expr::ExtendS(of, _)
            | Expr::Truncate(of, _) => of.reads_memory(),
            Expr::Binary(_, left, right) | Expr::Compare(_, left, right) => {
                left.reads_memory() || right.reads_memory()
            }
            Expr::Select(of) => of.iter().any(Expr::reads_memory),
            _ => false,
        }
    }
}

/// Something that a call hands out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fresh {
    pub resource: Resource,
    pub machine: MachineId,
    /// Making it cannot fail.
    pub certain: bool,
    /// Who takes it back, the usual one first.
    pub releases: Vec<String>,
    pub zeroed: bool,
    /// On other exits the callee keeps what it returns, in ways that callers cannot tell.
    pub shared: bool,
    pub width: u8,
    /// How many functions handed it up only by leaving it in static storage.
    pub hops: u8,
    /// The function that hands it out was not followed in full: elsewhere it may make something else.
    pub unsure: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Release {
    pub what: Expr,
    pub certainty: Certainty,
    /// The same for callers that know that they come to this case: a flag is set.
    pub when_expected: Certainty,
    pub resource: Option<Resource>,
    /// What its members point to goes with it.
    pub members: bool,
    /// Another exit does it, which callers cannot tell from this one unless they know more.
    pub inferred: bool,
}

/// Perhaps releases the cells of a structure, or what they have at an offset: those that links at
/// these offsets lead to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sweep {
    pub root: Expr,
    pub links: Vec<i64>,
    pub last: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Store {
    pub to: Expr,
    pub value: Expr,
    /// Not on all paths of the case: what was there may still be.
    pub may: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Case {
    /// All hold, else the case does not happen.
    pub conditions: Vec<Expr>,
    pub result: Option<Expr>,
    pub makes: Vec<Fresh>,
    pub releases: Vec<Release>,
    pub sweeps: Vec<Sweep>,
    /// Somebody else has a reference from now on.
    pub keeps: Vec<Expr>,
    /// Arguments, or what is in them, that another exit keeps, which callers cannot tell from this one unless they know
    /// more.
    pub inferred_keeps: Vec<Expr>,
    /// Arguments that another exit keeps, and what callers pass besides does not rule that one out.
    pub doubtful_refusals: Vec<Expr>,
    /// Somebody else has what these objects hold from now on.
    pub keeps_contents: Vec<Expr>,
    pub stores: Vec<Store>,
    /// Destination, source, bytes.
    pub copies: Vec<(Expr, Expr, Option<Expr>)>,
    /// Destination, byte, number of bytes; of library functions only.
    pub fills: Vec<(Expr, Expr, Expr)>,
    /// Objects in which numbers are unknown afterwards, and pointers as they were.
    pub dirties: Vec<Expr>,
    /// Objects whose contents are unknown afterwards.
    pub havocs: Vec<Expr>,
    /// An allocation fails in it.
    pub fails: bool,
    /// The first parameters that it reads or writes through, on all its paths, as bits.
    pub uses: u32,
    /// Numbers in memory before the call that it uses as descriptors, on all its paths.
    pub uses_found: Vec<Expr>,
}

impl Case {
    /// What is made and is neither handed out nor stored has a holder that callers cannot name.
    pub fn keep_unheld(&mut self) {
        for number in 0..u32::try_from(self.makes.len()).unwrap_or(0) {
            let held = self.result.iter().chain(self.stores.iter().map(|store| &store.value));
            if !held.clone().any(|it| it.has(&Expr::Fresh(number))) {
                self.keeps.push(Expr::Fresh(number));
            }
        }
    }

    /// Whether it does nothing with objects: it makes none, takes none, and puts no pointer anywhere.
    pub fn is_plain(&self) -> bool {
        let is_number = |store: &Store| match &store.value {
            Expr::Constant { width, .. } | Expr::Unknown { width, .. } => *width < 64,
            Expr::ExtendS(..) | Expr::ExtendU(..) | Expr::Truncate(..) | Expr::Compare(..) => true,
            _ => false,
        };
        self.makes.is_empty()
            && self.releases.is_empty()
            && self.sweeps.is_empty()
            && self.keeps.is_empty()
            && self.inferred_keeps.is_empty()
            && self.keeps_contents.is_empty()
            && self.copies.is_empty()
            && self.stores.iter().all(is_number)
    }

    /// What is made is somebody's who is there to the end.
    pub fn keep_made(&mut self) {
        let made = (0..u32::try_from(self.makes.len()).unwrap_or(0)).map(Expr::Fresh);
        self.keeps.extend(made);
    }

    /// Whether callers get something that is made: by the result, or in memory of theirs.
    pub fn hands_out(&self) -> bool {
        let given = |store: &Store| store.value.has_fresh() && !store.to.is_static();
        self.result.as_ref().is_some_and(Expr::has_fresh) || self.stores.iter().any(given)
    }
}

impl Case {
    /// Whether the result is NULL, or zero.
    pub fn returns_null(&self) -> bool {
        let Some(result) = &self.result else { return false };
        matches!(result, Expr::Constant { value: 0, .. })
            || self.conditions.iter().any(|it| it.equal_to_zero() == Some(result))
    }

    /// The resource of each thing made, and how many of it were made before.
    fn kinds(&self) -> Vec<(Resource, u16)> {
        let mut kinds: Vec<(Resource, u16)> = Vec::with_capacity(self.makes.len());
        for made in &self.makes {
            let before = kinds.iter().filter(|kind| kind.0 == made.resource).count();
            kinds.push((made.resource.clone(), u16::try_from(before).unwrap_or(u16::MAX)));
        }
        kinds
    }

    /// The places of what is made in the list of its summary.
    pub fn places(&self, makes: &[(Resource, u16)]) -> Vec<u16> {
        let place = |kind| makes.iter().position(|it| *it == kind).unwrap_or(makes.len());
        let kinds = self.kinds().into_iter();
        kinds.map(|kind| u16::try_from(place(kind)).unwrap_or(u16::MAX)).collect()
    }

    /// Notes that somebody else has a value, if callers have a name for it.
    pub fn keep(&mut self, value: Expr) {
        let named = match &value {
            Expr::OneOf { choices, .. } => choices.iter().any(Expr::has_base),
            other => other.has_base(),
        };
        if named && !self.keeps.contains(&value) {
            self.keeps.push(value);
        }
    }

    /// Whether an argument is in other hands afterwards, or gone.
    pub fn takes(&self, number: u32) -> bool {
        self.keeps(&Expr::Param(number)) || self.releases(number)
    }

    pub fn releases(&self, number: u32) -> bool {
        let is_it = |expr: &Expr| expr.base_param() == Some(number);
        self.releases.iter().any(|it| !it.inferred && is_it(&it.what))
    }

    /// Whether what an argument points to has a pointer that is in other hands afterwards.
    pub fn takes_contents(&self, number: u32) -> bool {
        let stored =
            |it: &Store| it.value.is_member_of(number) && it.to.root_param() != Some(number);
        self.keeps_contents.contains(&Expr::Param(number))
            || self.keeps.iter().any(|it| it.is_member_of(number))
            || self.stores.iter().any(stored)
    }

    /// Whether an argument, or what it leads to, is in other hands afterwards.
    pub fn keeps(&self, what: &Expr) -> bool {
        let number = what.root_param();
        let is_it = |expr: &Expr| match what {
            Expr::Param(_) => expr.base_param() == number,
            _ => expr == what,
        };
        let stored = |it: &Store| is_it(&it.value) && it.to.root_param() != number;
        self.keeps.iter().any(is_it) || self.stores.iter().any(stored)
    }

    /// The conditions that another case does not have.
    pub fn conditions_beyond<'s>(&'s self, other: &'s Case) -> impl Iterator<Item = &'s Expr> {
        self.conditions.iter().filter(|it| !other.conditions.contains(it))
    }

    /// Whether callers that know their other arguments can tell the case from another one.
    pub fn is_told_apart(&self, other: &Case, number: u32) -> bool {
        self.conditions.iter().any(|it| {
            it.mentions_other(number) && !it.is_not_null() && !other.conditions.contains(it)
        })
    }

    /// Whether other arguments show that it is this case and not the other one. Where they only
    /// may, something else decides, too.
    pub fn is_excluded_by(&self, other: &Case, number: u32) -> bool {
        let told = self.conditions.iter().filter(|it| it.mentions_other(number));
        told.into_iter().any(|it| other.conditions.iter().any(|other| it.contradicts(other)))
    }

    /// Whether it is what becomes of NULL.
    pub fn is_for_null(&self, number: u32) -> bool {
        let is_it =
            |it: &Expr| matches!(it.equal_to_zero(), Some(Expr::Param(it)) if *it == number);
        self.conditions.iter().any(is_it)
    }

    /// Whether they do so without a look at memory: what is in a container is its own.
    pub fn is_excluded_by_values(&self, other: &Case, number: u32) -> bool {
        let told = self.conditions.iter().filter(|it| it.mentions_other(number));
        told.filter(|it| !it.reads_memory())
            .any(|it| other.conditions.iter().any(|other| it.contradicts(other)))
    }
}

/// Which statics a function may write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    These(FxHashSet<StaticId>),
    All,
}

impl Default for Written {
    fn default() -> Self {
        Written::These(FxHashSet::default())
    }
}

impl Written {
    pub fn add(&mut self, other: &Written) {
        match (&mut *self, other) {
            (Written::These(own), Written::These(others)) => own.extend(others),
            _ => *self = Written::All,
        }
    }

    pub fn contains(&self, id: StaticId) -> bool {
        match self {
            Written::These(own) => own.contains(&id),
            Written::All => true,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// None at all: the call does not return, unless it is rough.
    pub cases: Vec<Case>,
    pub written: Written,
    /// Memory that callers know of may change in unknown ways.
    pub unknown_effects: bool,
    /// The search for the cases became coarse or came to no end: there may be others.
    pub rough: bool,
    /// Calls that release what was not made there and is touched later, perhaps.
    pub suspects: Vec<(InstId, Numbers)>,
    /// The expressions of the cases, which are not to change once a call was looked at.
    pub numbers: Lazily,
}

impl Summary {
    /// What cases return that is an address, and not of what they make.
    pub fn other_results(&self) -> impl Iterator<Item = &Expr> {
        let results = self.cases.iter().filter_map(|case| case.result.as_ref());
        results.filter(|it| it.is_other_address())
    }

    /// The parameters of which one value each makes all that is made and returned, where the result is
    /// another pointer for other values.
    pub fn params_with_one_value(&self) -> Vec<u32> {
        let makes = |case: &&Case| case.result.as_ref().is_some_and(Expr::has_fresh);
        let is_pointer =
            |case: &Case| matches!(case.result, Some(Expr::Unknown { pointer, .. }) if pointer);
        if !self.cases.iter().any(is_pointer) {
            return Vec::new();
        }
        let params = |case: &Case| -> Vec<u32> {
            case.conditions.iter().filter_map(Expr::param_with_one_value).collect()
        };
        let mut makers = self.cases.iter().filter(makes);
        let mut found = makers.next().map(params).unwrap_or_default();
        makers.for_each(|case| found.retain(|it| params(case).contains(it)));
        found
    }

    /// The parameters that decide whether something is made and returned.
    pub fn params_that_make(&self) -> Vec<u32> {
        let makes = |case: &&Case| case.result.as_ref().is_some_and(Expr::has_fresh);
        let mut params = Vec::new();
        for condition in self.cases.iter().filter(makes).flat_map(|case| &case.conditions) {
            condition.add_params(&mut params);
        }
        params
    }

    /// What the cases make, by kind and number: one list, so that a place in it means the same kind
    /// of thing in all of them.
    pub fn makes(&self) -> Vec<(Resource, u16)> {
        let mut all: Vec<(Resource, u16)> = Vec::new();
        for case in &self.cases {
            for kind in case.kinds() {
                if !all.contains(&kind) {
                    all.push(kind);
                }
            }
        }
        all
    }
}
