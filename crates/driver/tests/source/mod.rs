//! The lab's programs, lowered.

use std::path::Path;

use caulk_ir::Module;

/// None for the few that the front end is known not to read.
pub fn module(file: &Path) -> Option<Module> {
    let folder = file.parent().expect("a folder");
    let options = caulk_project::LoadOptions::new(folder);
    let flags = ["-std=gnu17".to_string()];
    let project = caulk_project::from_files(&[file.to_path_buf()], &flags, &options);
    let files = caulk_project::SourceFiles::new();
    let unit = &project.units[0];
    let front = caulk_cfront::read_unit(unit, &files, &caulk_cfront::Limits::default());
    let tree = front.tree.filter(|_| front.errors.is_empty())?;
    let name = unit.display.to_string_lossy().into_owned();
    Some(caulk_lower::lower(&tree, &name, &caulk_lower::Options::default()).module)
}
