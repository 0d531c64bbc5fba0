//! How the reader sees the report: colours, links, and the text it quotes.

use std::path::Path;

use caulk_finding::{Location, Point};

use crate::style::printable;
use crate::uri::uri;
use crate::{Style, Texts};

#[derive(Clone, Copy)]
pub struct View<'a> {
    pub style: Style,
    pub texts: &'a Texts<'a>,
    /// For terminals that know hyperlinks: the folder that relative paths start from.
    pub links: Option<&'a Path>,
}

impl View<'_> {
    /// A place in colour, as a link if wanted.
    pub(crate) fn place(&self, place: &Location) -> String {
        let line = place.range.map(|range| range.start.line);
        self.linked(&place.path, line, &place.to_string())
    }

    pub(crate) fn point(&self, path: &Path, at: Point) -> String {
        let text = format!("{}:{}:{}", path.display(), at.line, at.column);
        self.linked(path, Some(at.line), &text)
    }

    pub(crate) fn linked(&self, path: &Path, line: Option<u32>, text: &str) -> String {
        let text = self.style.place(&printable(text));
        let Some(folder) = self.links else { return text };
        let line = line.map(|line| format!("#L{line}")).unwrap_or_default();
        let target = uri(&folder.join(path));
        format!("\x1b]8;;{target}{line}\x1b\\{text}\x1b]8;;\x1b\\")
    }
}
