//! From a span of the typed tree (a range of tokens) to files, lines and columns.
//!
//! Asked for almost every expression, mostly in source order: so the last line that was looked
//! up is remembered, once for uses and once for macro bodies.

use std::cell::{Cell, OnceCell};
use std::path::{Component, Path, PathBuf};

use caulk_base::{File, FileId, Files, FxHashMap, Place, Span};
use rucc_base::Interner;
use rucc_diag::SourceMap;
use rucc_pp::LineDirective;

use crate::error::Position;
use crate::origin::Origin;
use crate::scan;

const NOWHERE: Place = Place { file: FileId(u32::MAX), line: 0, column: 0 };

/// A file of the source map. The map can answer all of this too, but by four searches each time.
struct Source {
    start: u32,
    end: u32,
    file: FileId,
    /// Where the part begins that belongs to the system.
    system_from: Option<u32>,
    /// Has `#line` directives: only the source map knows its lines.
    renumbered: bool,
    /// Where each line starts.
    lines: OnceCell<Vec<u32>>,
}

/// The line that was looked up last: a row of `Places::table`, and a row of its `lines`.
#[derive(Clone, Copy, Default)]
struct Cursor {
    source: usize,
    line: usize,
}

pub(crate) struct Places {
    /// Paths below this folder are shown without it.
    root: PathBuf,
    sources: SourceMap,
    origins: Vec<Origin>,
    files: Files,
    by_name: FxHashMap<String, FileId>,
    table: Vec<Source>,
    used: Cell<Cursor>,
    spelled: Cell<Cursor>,
}

impl Places {
    pub(crate) fn new(
        sources: SourceMap,
        origins: Vec<Origin>,
        lines: &[LineDirective],
        names: &Interner,
        root: &Path,
        identity: &dyn Fn(&Path) -> PathBuf,
    ) -> Self {
        let mut places = Self {
            root: root.to_path_buf(),
            sources,
            origins,
            files: Files::new(),
            by_name: FxHashMap::default(),
            table: Vec::new(),
            used: Cell::default(),
            spelled: Cell::default(),
        };
        places.name_files(identity);
        places.name_line_directives(lines, names);
        places
    }

    pub(crate) fn files(&self) -> &Files {
        &self.files
    }

    pub(crate) fn token_count(&self) -> usize {
        self.origins.len()
    }

    /// The range a person would point at for a range of tokens.
    pub(crate) fn span(&self, span: rucc_diag::Span) -> Span {
        let Some(first) = self.first(span) else { return Span::at(NOWHERE) };
        if span.is_empty() {
            return Span::at(self.place(first.hi));
        }
        let start = self.place(first.lo);
        let in_macro = first.in_body().map(|at| self.place_near(&self.spelled, at));
        let last = self.origins[(span.hi as usize).min(self.origins.len()) - 1];
        // A range may end in another file, or before its start: a use of a macro and its
        // arguments. A token pasted together may do so by itself.
        let ends = [last.hi, first.hi].map(|at| self.place(at));
        let end = ends.into_iter().find(|end| end.file == start.file && *end >= start);
        let end = end.unwrap_or(start);
        Span { start, end_line: end.line, end_column: end.column, in_macro }
    }

    /// Whether a range of tokens begins in a system header. Text of a system macro used in the
    /// user's file is in the user's file.
    pub(crate) fn in_system_header(&self, span: rucc_diag::Span) -> bool {
        let Some(first) = self.first(span) else { return false };
        let Some(cursor) = self.locate(&self.used, first.lo) else { return false };
        let source = &self.table[cursor.source];
        source.system_from.is_some_and(|from| first.lo >= from)
            || source.renumbered && self.files[self.place(first.lo).file].system
    }

    /// Where a message about a range of tokens points.
    pub(crate) fn token_position(&self, span: rucc_diag::Span) -> Option<Position> {
        let first = self.first(span)?;
        self.byte_position(if span.is_empty() { first.hi } else { first.lo })
    }

    /// Where a message about a byte of the source map points.
    pub(crate) fn byte_position(&self, at: u32) -> Option<Position> {
        let presumed = self.sources.presumed(at)?;
        let file = self.shown(Path::new(presumed.name));
        Some(Position { file, line: presumed.line, column: presumed.column })
    }

    /// The path of a file, as the source map knows it.
    pub(crate) fn file_of_byte(&self, at: u32) -> Option<PathBuf> {
        let file = self.sources.lookup_file(at)?;
        Some(PathBuf::from(&self.sources.file(file).name))
    }

    pub(crate) fn file_of_token(&self, span: rucc_diag::Span) -> Option<PathBuf> {
        self.file_of_byte(self.first(span)?.lo)
    }

    /// The token that stands at a byte, for which the preprocessor had no token yet.
    pub(crate) fn token_at_byte(&self, at: u32) -> rucc_diag::Span {
        let found = self.origins.iter().position(|origin| origin.lo <= at && at < origin.hi);
        let index = found.and_then(|index| u32::try_from(index).ok());
        index.map_or(rucc_diag::Span::DUMMY, |lo| rucc_diag::Span { lo, hi: lo + 1 })
    }

    fn shown(&self, path: &Path) -> PathBuf {
        match path.strip_prefix(&self.root) {
            Ok(inside) if !inside.as_os_str().is_empty() => inside.to_path_buf(),
            _ => path.to_path_buf(),
        }
    }

    /// The token a span begins with. An empty span stands after a token: it leads to that one.
    fn first(&self, span: rucc_diag::Span) -> Option<Origin> {
        if span.is_dummy() {
            return None;
        }
        let index = if span.is_empty() { span.lo.saturating_sub(1) } else { span.lo };
        self.origins.get(index as usize).or(self.origins.last()).copied()
    }

    fn place(&self, at: u32) -> Place {
        self.place_near(&self.used, at)
    }

    fn place_near(&self, cursor: &Cell<Cursor>, at: u32) -> Place {
        let Some(found) = self.locate(cursor, at) else { return NOWHERE };
        let source = &self.table[found.source];
        if source.renumbered {
            return self.presumed_place(at);
        }
        let begin = self.lines(source)[found.line];
        Place { file: source.file, line: to_u32(found.line + 1), column: at - begin + 1 }
    }

    fn presumed_place(&self, at: u32) -> Place {
        let Some(presumed) = self.sources.presumed(at) else { return NOWHERE };
        let file = self.by_name.get(presumed.name).copied().unwrap_or(NOWHERE.file);
        Place { file, line: presumed.line, column: presumed.column }
    }

    /// The line of a byte. Most questions are about the last line or the next.
    fn locate(&self, cursor: &Cell<Cursor>, at: u32) -> Option<Cursor> {
        let Cursor { mut source, mut line } = cursor.get();
        if !self.table.get(source).is_some_and(|file| file.start <= at && at <= file.end) {
            source = self.table.partition_point(|file| file.start <= at).checked_sub(1)?;
            line = 0;
        }
        let file = &self.table[source];
        if at > file.end {
            return None;
        }
        let lines = self.lines(file);
        let holds =
            |line: usize| lines[line] <= at && lines.get(line + 1).is_none_or(|&next| at < next);
        if !holds(line) {
            line = match line + 1 < lines.len() && holds(line + 1) {
                true => line + 1,
                false => lines.partition_point(|&begin| begin <= at) - 1,
            };
        }
        cursor.set(Cursor { source, line });
        Some(Cursor { source, line })
    }

    fn lines<'a>(&self, source: &'a Source) -> &'a [u32] {
        source.lines.get_or_init(|| {
            let id = self.sources.lookup_file(source.start);
            let bytes = id.map_or(&[][..], |id| self.sources.file(id).bytes());
            let mut starts = Vec::with_capacity(scan::count(bytes, b'\n') + 1);
            starts.push(source.start);
            scan::each(bytes, b'\n', |index| starts.push(source.start + to_u32(index) + 1));
            starts
        })
    }

    fn name_files(&mut self, identity: &dyn Fn(&Path) -> PathBuf) {
        for index in 0..self.sources.files().len() {
            let file = &self.sources.files()[index];
            let (start, end, system_from) = (file.start, file.end, file.system_from);
            let name = file.name.clone();
            let path = self.shown(&direct(Path::new(&name), identity));
            let file = self.name_file(name, path, system_from == Some(start));
            let lines = OnceCell::new();
            self.table.push(Source { start, end, file, system_from, renumbered: false, lines });
        }
    }

    /// `#line` and the line markers of preprocessed files name files that were never read.
    fn name_line_directives(&mut self, lines: &[LineDirective], names: &Interner) {
        for directive in lines {
            if let Some(file) = self.sources.lookup_file(directive.span.lo) {
                self.table[file.index()].renumbered = true;
            }
            let Some(after) = self.sources.presumed_after(directive.span.lo) else { continue };
            let (name, system) = (after.name.to_owned(), self.marks_system(directive, names));
            let path = self.shown(Path::new(&name));
            self.name_file(name, path, system);
        }
    }

    /// Whether a line marker carries flag 3: `# 1 "/usr/include/stdio.h" 1 3 4`.
    fn marks_system(&self, directive: &LineDirective, names: &Interner) -> bool {
        let Some(file) = self.sources.lookup_file(directive.span.lo) else { return false };
        let file = self.sources.file(file);
        let Some(line) = file.line_span(directive.span.lo) else { return false };
        let range = (directive.span.lo - file.start) as usize..(line.hi - file.start) as usize;
        let Some(text) = file.bytes().get(range) else { return false };
        let spelled = directive.file.map_or("", |name| names.resolve(name)).as_bytes();
        let flags = text.windows(spelled.len().max(1)).rposition(|part| part == spelled);
        let Some(at) = flags else { return false };
        text[at + spelled.len()..].split(u8::is_ascii_whitespace).any(|flag| flag == b"3")
    }

    fn name_file(&mut self, name: String, path: PathBuf, system: bool) -> FileId {
        if let Some(&known) = self.by_name.get(&name) {
            return known;
        }
        let id = self.files.push(File { path, system });
        self.by_name.insert(name, id);
        id
    }
}

/// A path without the folders that it enters only to leave them again, so that a header has one name
/// whoever includes it. Where such a folder is a link, leaving it leads elsewhere.
fn direct(path: &Path, identity: &dyn Fn(&Path) -> PathBuf) -> PathBuf {
    let mut direct = PathBuf::new();
    let mut leaves_any = false;
    for part in path.components() {
        let leaves = part == Component::ParentDir
            && matches!(direct.components().next_back(), Some(Component::Normal(_)));
        leaves_any |= leaves;
        if !(leaves && direct.pop()) {
            direct.push(part);
        }
    }
    let is_same = leaves_any && identity(path) == identity(&direct);
    if is_same { direct } else { path.to_path_buf() }
}

fn to_u32(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
