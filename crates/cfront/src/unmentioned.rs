//! Prototypes of system headers that nothing mentions are left out before the unit is parsed.
//!
//! A header declares hundreds of functions and a unit calls a few. A prototype whose name occurs
//! nowhere else changes nothing: no call, no definition, no other declaration is about it. Only the
//! plainest form counts, `type name(…) __attribute__((…));`: whatever else a declaration may declare, such
//! as a tag in its type, keeps it. The other tokens keep their spans.

use rucc_base::Interner;
use rucc_lex::{Keyword, Keywords, PpToken, PpTokenKind, Punct};

use crate::places::Places;

pub(crate) fn leave_out(
    tokens: &mut Vec<PpToken>,
    names: &Interner,
    keywords: &Keywords,
    places: &Places,
) {
    let mentions = Mentions::of(tokens, names);
    let unit = Unit { tokens, keywords };
    let ends: Vec<(usize, usize)> = unit
        .declarations()
        .filter(|&(first, end)| {
            unit.prototype(first, end).is_some_and(|name| mentions.is_only_one(name))
                && places.in_system_header(tokens[first].span)
        })
        .collect();
    remove(tokens, &ends);
}

/// How often each name occurs.
struct Mentions<'n> {
    names: &'n Interner,
    counts: Vec<u8>,
}

impl<'n> Mentions<'n> {
    fn of(tokens: &[PpToken], names: &'n Interner) -> Self {
        let mut counts = Vec::new();
        for symbol in tokens.iter().filter_map(|token| token.value) {
            let at = symbol.raw() as usize;
            if at >= counts.len() {
                counts.resize(at + 1, 0_u8);
            }
            counts[at] = counts[at].saturating_add(1);
        }
        Self { names, counts }
    }

    /// `__builtin_malloc` speaks of `malloc`, too.
    fn is_only_one(&self, name: &PpToken) -> bool {
        name.value.is_some_and(|symbol| {
            let builtin = || format!("__builtin_{}", self.names.resolve(symbol));
            self.counts[symbol.raw() as usize] == 1 && self.names.find(&builtin()).is_none()
        })
    }
}

struct Unit<'t> {
    tokens: &'t [PpToken],
    keywords: &'t Keywords,
}

impl<'t> Unit<'t> {
    /// What stands between semicolons outside of brackets, with its end behind the semicolon.
    fn declarations(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let (mut first, mut depth) = (0, 0_usize);
        self.tokens.iter().enumerate().filter_map(move |(at, token)| {
            match step(token) {
                Step::In => depth += 1,
                Step::Out => depth = depth.saturating_sub(1),
                Step::On => {}
            }
            let ends = depth == 0 && token.kind == PpTokenKind::Punct(Punct::Semi);
            ends.then(|| (std::mem::replace(&mut first, at + 1), at + 1))
        })
    }

    /// The name that a plain prototype declares.
    fn prototype(&self, first: usize, end: usize) -> Option<&'t PpToken> {
        let at = (first..end).find(|&at| self.is(at + 1, Punct::LParen))?;
        let name = &self.tokens[at];
        let of_type = &self.tokens[first..at];
        let is_plain = !of_type.is_empty()
            && name.kind == PpTokenKind::Ident
            && self.keyword(name).is_none()
            && of_type.iter().all(|token| self.is_of_plain_type(token));
        let mut next = self.behind_brackets(at + 1, end).filter(|_| is_plain)?;
        while self.tokens.get(next).is_some_and(|token| self.is_note(token)) {
            next = self.behind_brackets(next + 1, end)?;
        }
        (next + 1 == end).then_some(name)
    }

    fn is(&self, at: usize, punct: Punct) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == PpTokenKind::Punct(punct))
    }

    fn keyword(&self, token: &PpToken) -> Option<Keyword> {
        token.value.and_then(|symbol| self.keywords.get(symbol))
    }

    /// A type that declares no tag.
    fn is_of_plain_type(&self, token: &PpToken) -> bool {
        match token.kind {
            PpTokenKind::Ident => !matches!(
                self.keyword(token),
                Some(Keyword::Struct | Keyword::Union | Keyword::Enum | Keyword::Typedef)
            ),
            kind => kind == PpTokenKind::Punct(Punct::Star),
        }
    }

    /// What may stand behind the parameters.
    fn is_note(&self, token: &PpToken) -> bool {
        matches!(self.keyword(token), Some(Keyword::Attribute | Keyword::Asm))
    }

    /// The token behind the brackets that open at a place; none where braces are inside.
    fn behind_brackets(&self, open: usize, end: usize) -> Option<usize> {
        if !self.is(open, Punct::LParen) {
            return None;
        }
        let mut depth = 0_usize;
        for at in open..end {
            match step(&self.tokens[at]) {
                Step::In if self.is(at, Punct::LBrace) => return None,
                Step::In => depth += 1,
                Step::Out => depth = depth.checked_sub(1)?,
                Step::On => {}
            }
            if depth == 0 {
                return Some(at + 1);
            }
        }
        None
    }
}

enum Step {
    In,
    Out,
    On,
}

fn step(token: &PpToken) -> Step {
    match token.kind {
        PpTokenKind::Punct(Punct::LParen | Punct::LBracket | Punct::LBrace) => Step::In,
        PpTokenKind::Punct(Punct::RParen | Punct::RBracket | Punct::RBrace) => Step::Out,
        _ => Step::On,
    }
}

fn remove(tokens: &mut Vec<PpToken>, ranges: &[(usize, usize)]) {
    let mut ranges = ranges.iter().peekable();
    let mut at = 0;
    tokens.retain(|_| {
        while ranges.next_if(|range| range.1 <= at).is_some() {}
        let is_out = ranges.peek().is_some_and(|range| range.0 <= at);
        at += 1;
        !is_out
    });
}
