//! The file system and file descriptors, all in memory.

use std::collections::BTreeMap;

/// What an open descriptor reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Stdin,
    Stdout,
    Stderr,
    File(usize),
    /// Swallows what is written, gives nothing.
    Null,
}

#[derive(Clone, Debug)]
pub struct Open {
    pub target: Target,
    pub position: u64,
    pub append: bool,
    pub readable: bool,
    pub writable: bool,
}

/// A file that grows past this is refused, as on a full disk.
const LARGEST_FILE: u64 = 1 << 30;

/// What a run leaves behind.
pub struct Output {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub files: Vec<(Vec<u8>, Vec<u8>)>,
}

/// Files keep their bytes while they are open, also without a name.
pub struct Descriptors {
    files: Vec<Vec<u8>>,
    names: BTreeMap<Vec<u8>, usize>,
    folders: Vec<Vec<u8>>,
    pub open: Vec<Option<Open>>,
    stdin: Vec<u8>,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    /// Bytes that may still be written: beyond them the disk is full.
    room: u64,
}

impl Descriptors {
    pub fn new(stdin: &[u8], files: &[(Vec<u8>, Vec<u8>)], room: u64) -> Self {
        let standard = |target, readable| {
            let (position, append) = (0, false);
            Some(Open { target, position, append, readable, writable: !readable })
        };
        let mut state = Self {
            files: Vec::new(),
            names: BTreeMap::new(),
            folders: vec![b"/".to_vec(), b".".to_vec(), b"/tmp".to_vec(), b"".to_vec()],
            open: vec![
                standard(Target::Stdin, true),
                standard(Target::Stdout, false),
                standard(Target::Stderr, false),
            ],
            stdin: stdin.to_vec(),
            stdout: Vec::new(),
            stderr: Vec::new(),
            room,
        };
        for (name, bytes) in files {
            let file = state.create(name);
            state.files[file] = bytes.clone();
        }
        state
    }

    pub fn find(&self, name: &[u8]) -> Option<usize> {
        self.names.get(&plain(name)).copied()
    }

    pub fn create(&mut self, name: &[u8]) -> usize {
        self.files.push(Vec::new());
        let file = self.files.len() - 1;
        self.names.insert(plain(name), file);
        file
    }

    /// A file without a name.
    pub fn create_unnamed(&mut self) -> usize {
        self.files.push(Vec::new());
        self.files.len() - 1
    }

    pub fn is_folder(&self, name: &[u8]) -> bool {
        let name = plain(name);
        self.folders.contains(&name)
            || self.names.keys().any(|known| {
                known.len() > name.len() && known.starts_with(&name) && known[name.len()] == b'/'
            })
    }

    /// Whether the folder that a new file goes into exists.
    pub fn has_parent(&self, name: &[u8]) -> bool {
        let name = plain(name);
        match name.iter().rposition(|&byte| byte == b'/') {
            None | Some(0) => true,
            Some(slash) => self.is_folder(&name[..slash]),
        }
    }

    pub fn add_folder(&mut self, name: &[u8]) {
        self.folders.push(plain(name));
    }

    pub fn remove_folder(&mut self, name: &[u8]) -> bool {
        let name = plain(name);
        let before = self.folders.len();
        self.folders.retain(|known| *known != name);
        self.folders.len() != before
    }

    /// The names in a folder.
    pub fn list(&self, folder: &[u8]) -> Vec<Vec<u8>> {
        let folder = plain(folder);
        let mut names: Vec<Vec<u8>> = self
            .names
            .keys()
            .filter_map(|name| {
                let rest = if folder.is_empty() {
                    &name[..]
                } else {
                    name.strip_prefix(&folder[..])?.strip_prefix(b"/")?
                };
                rest.split(|&byte| byte == b'/').next().map(<[u8]>::to_vec)
            })
            .collect();
        names.dedup();
        names
    }

    pub fn remove(&mut self, name: &[u8]) -> bool {
        self.names.remove(&plain(name)).is_some()
    }

    pub fn rename(&mut self, from: &[u8], to: &[u8]) -> bool {
        match self.names.remove(&plain(from)) {
            Some(file) => {
                self.names.insert(plain(to), file);
                true
            }
            None => false,
        }
    }

    /// The lowest free descriptor.
    pub fn add(&mut self, open: Open) -> usize {
        let free = self.open.iter().position(Option::is_none).unwrap_or(self.open.len());
        if free == self.open.len() {
            self.open.push(None);
        }
        self.open[free] = Some(open);
        free
    }

    pub fn get(&self, descriptor: usize) -> Option<&Open> {
        self.open.get(descriptor)?.as_ref()
    }

    pub fn close(&mut self, descriptor: usize) -> bool {
        self.open.get_mut(descriptor).and_then(Option::take).is_some()
    }

    pub fn contents(&self, target: Target) -> &[u8] {
        match target {
            Target::Stdin => &self.stdin,
            Target::File(file) => &self.files[file],
            _ => &[],
        }
    }

    /// Cuts the file or fills it up with zeros; false if it gets too large.
    pub fn set_length(&mut self, file: usize, len: u64) -> bool {
        let old = self.files[file].len() as u64;
        if len > LARGEST_FILE || len.saturating_sub(old) > self.room {
            return false;
        }
        self.room = self.room + old - len;
        self.files[file].resize(len as usize, 0);
        true
    }

    /// Reads on from the descriptor's position.
    pub fn read(&mut self, descriptor: usize, len: usize) -> Option<Vec<u8>> {
        let open = self.get(descriptor)?;
        if !open.readable {
            return None;
        }
        let contents = self.contents(open.target);
        let start = (open.position as usize).min(contents.len());
        let bytes = contents[start..(start.saturating_add(len)).min(contents.len())].to_vec();
        if let Some(Some(open)) = self.open.get_mut(descriptor) {
            open.position += bytes.len() as u64;
        }
        Some(bytes)
    }

    /// One byte, or none at the end.
    pub fn read_byte(&mut self, descriptor: usize) -> Option<u8> {
        let open = self.open.get(descriptor)?.as_ref()?;
        let byte = match open.target {
            Target::Stdin => self.stdin.get(open.position as usize).copied(),
            Target::File(file) => self.files[file].get(open.position as usize).copied(),
            _ => None,
        };
        let byte = byte.filter(|_| open.readable)?;
        self.open[descriptor].as_mut()?.position += 1;
        Some(byte)
    }

    pub fn write(&mut self, descriptor: usize, bytes: &[u8]) -> bool {
        let Some(Some(open)) = self.open.get_mut(descriptor) else { return false };
        if !open.writable {
            return false;
        }
        if bytes.is_empty() {
            return true;
        }
        let printed = match open.target {
            Target::File(file) => return self.write_file(descriptor, file, bytes),
            Target::Stdout => &mut self.stdout,
            Target::Stderr => &mut self.stderr,
            Target::Stdin | Target::Null => return true,
        };
        let Some(room) = self.room.checked_sub(bytes.len() as u64) else { return false };
        self.room = room;
        printed.extend_from_slice(bytes);
        true
    }

    fn write_file(&mut self, descriptor: usize, file: usize, bytes: &[u8]) -> bool {
        let len = self.files[file].len() as u64;
        let Some(Some(open)) = self.open.get_mut(descriptor) else { return false };
        let start = if open.append { len } else { open.position };
        let end = start.saturating_add(bytes.len() as u64);
        if end > len && !self.set_length(file, end) {
            return false;
        }
        if let Some(Some(open)) = self.open.get_mut(descriptor) {
            open.position = end;
        }
        self.files[file][start as usize..end as usize].copy_from_slice(bytes);
        true
    }

    /// Moves the position; none if the descriptor cannot seek or the place is before the start.
    pub fn seek(&mut self, descriptor: usize, offset: i64, whence: i32) -> Option<u64> {
        let open = self.get(descriptor)?;
        let len = match open.target {
            Target::File(file) => self.files[file].len() as i64,
            _ => return None,
        };
        let start = match whence {
            0 => 0,
            1 => open.position as i64,
            2 => len,
            _ => return None,
        };
        let position = u64::try_from(start.checked_add(offset)?).ok()?;
        self.open[descriptor].as_mut()?.position = position;
        Some(position)
    }

    /// Standard output loses what was not flushed when the program died.
    pub fn cut_stdout(&mut self, len: usize) {
        self.stdout.truncate(len);
    }

    pub fn stdout_len(&self) -> usize {
        self.stdout.len()
    }

    pub fn into_output(self) -> Output {
        let mut files = self.files;
        let named =
            self.names.into_iter().map(|(name, file)| (name, std::mem::take(&mut files[file])));
        Output { stdout: self.stdout, stderr: self.stderr, files: named.collect() }
    }
}

/// A path without `./` and doubled slashes.
fn plain(name: &[u8]) -> Vec<u8> {
    let absolute = name.first() == Some(&b'/');
    let parts: Vec<&[u8]> =
        name.split(|&byte| byte == b'/').filter(|part| !part.is_empty() && *part != b".").collect();
    let joined = parts.join(&b'/');
    if absolute { [b"/", &joined[..]].concat() } else { joined }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_disk_is_full_when_the_room_is_used_up() {
        let mut files = Descriptors::new(&[], &[], 10);
        assert!(files.write(1, b"12345"));
        let file = files.create(b"f");
        assert!(!files.set_length(file, 6));
        assert!(files.set_length(file, 5));
        assert!(!files.write(2, b"x"));
        assert!(files.set_length(file, 0));
        assert!(files.write(2, b"x"));
    }
}
