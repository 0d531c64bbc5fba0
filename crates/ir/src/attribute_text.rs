//! Attributes in the text form: a word, and arguments that are numbers or names.

use caulk_base::Name;

use crate::attribute::Attribute;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    Number(u32),
    Name(Name),
}

use Argument::{Name as N, Number as U};

/// The word and arguments of an attribute; [`build`] is the inverse.
#[must_use]
pub fn parts(attribute: &Attribute) -> (&'static str, Vec<Argument>) {
    match attribute {
        Attribute::Malloc => ("malloc", vec![]),
        Attribute::MallocDealloc { function, argument } => {
            ("malloc_dealloc", vec![N(*function), U(*argument)])
        }
        Attribute::AllocSize { size, count } => ("alloc_size", with_optional(*size, *count)),
        Attribute::OwnershipReturns { class } => ("ownership_returns", vec![N(*class)]),
        Attribute::OwnershipTakes { class, arguments } => {
            ("ownership_takes", name_and_numbers(*class, arguments))
        }
        Attribute::OwnershipHolds { class, arguments } => {
            ("ownership_holds", name_and_numbers(*class, arguments))
        }
        Attribute::Cleanup(function) => ("cleanup", vec![N(*function)]),
        Attribute::NonNull(arguments) => ("nonnull", numbers(arguments)),
        Attribute::Constructor(priority) => ("constructor", numbers(priority.as_slice())),
        Attribute::Destructor(priority) => ("destructor", numbers(priority.as_slice())),
        Attribute::Format { archetype, string, first } => {
            ("format", vec![N(*archetype), U(*string), U(*first)])
        }
        Attribute::FormatArg(argument) => ("format_arg", vec![U(*argument)]),
        Attribute::Access { mode, pointer, size } => {
            let mut arguments = vec![N(*mode)];
            arguments.extend(with_optional(*pointer, *size));
            ("access", arguments)
        }
        Attribute::FdArg(argument) => ("fd_arg", vec![U(*argument)]),
        Attribute::Alias(name) => ("alias", vec![N(*name)]),
        Attribute::Ifunc(name) => ("ifunc", vec![N(*name)]),
        Attribute::Section(name) => ("section", vec![N(*name)]),
        Attribute::Symbol(name) => ("symbol", vec![N(*name)]),
        Attribute::ReturnsNonNull => ("returns_nonnull", vec![]),
        Attribute::Noreturn => ("noreturn", vec![]),
        Attribute::ReturnsTwice => ("returns_twice", vec![]),
        Attribute::Pure => ("pure", vec![]),
        Attribute::Const => ("const", vec![]),
        Attribute::WarnUnusedResult => ("warn_unused_result", vec![]),
        Attribute::Sentinel => ("sentinel", vec![]),
        Attribute::Weak => ("weak", vec![]),
        Attribute::Used => ("used", vec![]),
        Attribute::Cold => ("cold", vec![]),
        Attribute::Hot => ("hot", vec![]),
    }
}

/// The attribute with this word and these arguments, if they fit.
#[must_use]
pub fn build(word: &str, arguments: &[Argument]) -> Option<Attribute> {
    Some(match (word, arguments) {
        ("malloc", []) => Attribute::Malloc,
        ("malloc_dealloc", &[N(function), U(argument)]) => {
            Attribute::MallocDealloc { function, argument }
        }
        ("alloc_size", &[U(size), ref count @ ..]) => {
            Attribute::AllocSize { size, count: optional(count)? }
        }
        ("ownership_returns", &[N(class)]) => Attribute::OwnershipReturns { class },
        ("ownership_takes", &[N(class), ref rest @ ..]) => {
            Attribute::OwnershipTakes { class, arguments: all_numbers(rest)? }
        }
        ("ownership_holds", &[N(class), ref rest @ ..]) => {
            Attribute::OwnershipHolds { class, arguments: all_numbers(rest)? }
        }
        ("cleanup", &[N(function)]) => Attribute::Cleanup(function),
        ("nonnull", rest) => Attribute::NonNull(all_numbers(rest)?),
        ("constructor", priority) => Attribute::Constructor(optional(priority)?),
        ("destructor", priority) => Attribute::Destructor(optional(priority)?),
        ("format", &[N(archetype), U(string), U(first)]) => {
            Attribute::Format { archetype, string, first }
        }
        ("format_arg", &[U(argument)]) => Attribute::FormatArg(argument),
        ("access", &[N(mode), U(pointer), ref size @ ..]) => {
            Attribute::Access { mode, pointer, size: optional(size)? }
        }
        ("fd_arg", &[U(argument)]) => Attribute::FdArg(argument),
        ("alias", &[N(name)]) => Attribute::Alias(name),
        ("ifunc", &[N(name)]) => Attribute::Ifunc(name),
        ("section", &[N(name)]) => Attribute::Section(name),
        ("symbol", &[N(name)]) => Attribute::Symbol(name),
        ("returns_nonnull", []) => Attribute::ReturnsNonNull,
        ("noreturn", []) => Attribute::Noreturn,
        ("returns_twice", []) => Attribute::ReturnsTwice,
        ("pure", []) => Attribute::Pure,
        ("const", []) => Attribute::Const,
        ("warn_unused_result", []) => Attribute::WarnUnusedResult,
        ("sentinel", []) => Attribute::Sentinel,
        ("weak", []) => Attribute::Weak,
        ("used", []) => Attribute::Used,
        ("cold", []) => Attribute::Cold,
        ("hot", []) => Attribute::Hot,
        _ => return None,
    })
}

fn numbers(values: &[u32]) -> Vec<Argument> {
    values.iter().map(|&value| U(value)).collect()
}

fn with_optional(first: u32, second: Option<u32>) -> Vec<Argument> {
    [Some(first), second].into_iter().flatten().map(U).collect()
}

fn name_and_numbers(name: Name, values: &[u32]) -> Vec<Argument> {
    std::iter::once(N(name)).chain(numbers(values)).collect()
}

fn all_numbers(arguments: &[Argument]) -> Option<Vec<u32>> {
    arguments.iter().map(|argument| number(*argument)).collect()
}

/// At most one number; the outer `None` tells that the arguments do not fit.
fn optional(arguments: &[Argument]) -> Option<Option<u32>> {
    match *arguments {
        [] => Some(None),
        [argument] => number(argument).map(Some),
        _ => None,
    }
}

fn number(argument: Argument) -> Option<u32> {
    match argument {
        U(number) => Some(number),
        N(_) => None,
    }
}
