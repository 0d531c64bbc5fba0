//! Facts of a run, for tests of analyses: one per event, printable as a JSON line.

use crate::event::Place;
use crate::fault::Position;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FactKind {
    Load { object: u32, offset: i64, size: u32 },
    Store { object: u32, offset: i64, size: u32 },
    Call { callee: String },
    Alloc { object: u32, size: u64 },
    Free { object: u32 },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    pub at: Position,
    pub kind: FactKind,
}

/// A load or store before its position is known.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub store: bool,
    pub object: u32,
    pub offset: i64,
    pub size: u64,
    /// Past the operation; none for what the running operation does outside the inner loop.
    pub pc: Option<u32>,
    /// What was read, if it is an address.
    pub pointee: Option<Place>,
}

impl Fact {
    #[must_use]
    pub fn to_json(&self) -> String {
        let at = &self.at;
        let place = format!(
            "\"function\":{},\"file\":{},\"line\":{},\"column\":{}",
            quoted(&at.function),
            quoted(&at.file),
            at.line,
            at.column
        );
        let what = match &self.kind {
            FactKind::Load { object, offset, size } => {
                format!("\"fact\":\"load\",\"object\":{object},\"offset\":{offset},\"size\":{size}")
            }
            FactKind::Store { object, offset, size } => {
                format!(
                    "\"fact\":\"store\",\"object\":{object},\"offset\":{offset},\"size\":{size}"
                )
            }
            FactKind::Call { callee } => format!("\"fact\":\"call\",\"callee\":{}", quoted(callee)),
            FactKind::Alloc { object, size } => {
                format!("\"fact\":\"alloc\",\"object\":{object},\"size\":{size}")
            }
            FactKind::Free { object } => format!("\"fact\":\"free\",\"object\":{object}"),
        };
        format!("{{{what},{place}}}")
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            control if control < ' ' => out.push_str(&format!("\\u{:04x}", control as u32)),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
