//! Where there is no ptrace as Linux has it.

use super::{Collector, NotWatched, RecordOptions, Watched};

pub(super) fn run(_: &RecordOptions, _: &mut Collector) -> Result<Watched, NotWatched> {
    Err(NotWatched::Refused("tracing is built for Linux alone".to_owned()))
}
