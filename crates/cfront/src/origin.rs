//! Where each token of a unit came from.
//!
//! The preprocessor leaves every token two spans: where it is spelled, and where the outermost
//! macro that produced it was used. The later stages carry only one. So each token is handed on
//! with its own *index* as span, and this table leads from the index back to both places; a span
//! of the typed tree is then a range of tokens.

use rucc_diag::{SourceMap, Span};
use rucc_lex::{PpToken, TokenFlags};
use rucc_pp::Tok;

const NONE: u32 = u32::MAX;

/// The places of one token, in bytes of the unit's source map. 12 bytes, once per token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    /// Where a person would look: the token itself, or the use of the macro it came from.
    pub(crate) lo: u32,
    pub(crate) hi: u32,
    /// Where the token is spelled, if that is in a macro's body.
    body: u32,
}

impl Origin {
    fn of(token: &Tok, sources: &SourceMap) -> Self {
        let (spelled, used) = (token.span, token.expansion);
        if used.is_dummy() || is_argument(spelled, used, sources) {
            return Self { lo: spelled.lo, hi: spelled.hi, body: NONE };
        }
        Self { lo: used.lo, hi: used.hi, body: if spelled.is_dummy() { NONE } else { spelled.lo } }
    }

    pub(crate) fn in_body(&self) -> Option<u32> {
        (self.body != NONE).then_some(self.body)
    }
}

/// Whether a token of an expansion was written at the use, as an argument. A macro's body stands
/// before its use, and a header read twice is two files of the map; so what is spelled after the
/// macro's name in the same file is no body.
fn is_argument(spelled: Span, used: Span, sources: &SourceMap) -> bool {
    if spelled.is_dummy() || spelled.lo < used.lo {
        return false;
    }
    sources.lookup_file(used.lo).is_some_and(|file| sources.file(file).contains(spelled.lo))
}

/// Tokens for the later stages, and the table of their origins.
pub(crate) fn index_tokens(tokens: &[Tok], sources: &SourceMap) -> (Vec<PpToken>, Vec<Origin>) {
    let mut system = SystemFiles { sources, last: (1, 0, None) };
    let mut indexed = Vec::with_capacity(tokens.len());
    let mut origins = Vec::with_capacity(tokens.len());
    for (index, token) in (0_u32..).zip(tokens) {
        let mut flags = token.flags;
        if !token.expansion.is_dummy() && system.holds(token.span.lo) {
            flags = flags.with(TokenFlags::SYSTEM_MACRO);
        }
        let span = Span { lo: index, hi: index + 1 };
        indexed.push(PpToken { kind: token.kind, flags, value: token.value, span });
        origins.push(Origin::of(token, sources));
    }
    (indexed, origins)
}

/// Asks whether a position is in a system header, remembering the file of the last answer:
/// neighbouring tokens are nearly always spelled in one file.
struct SystemFiles<'a> {
    sources: &'a SourceMap,
    /// First and last position of the file, and where its system part begins.
    last: (u32, u32, Option<u32>),
}

impl SystemFiles<'_> {
    fn holds(&mut self, at: u32) -> bool {
        if at < self.last.0 || at > self.last.1 {
            let Some(file) = self.sources.lookup_file(at) else { return false };
            let file = self.sources.file(file);
            self.last = (file.start, file.end, file.system_from);
        }
        self.last.2.is_some_and(|from| at >= from)
    }
}
