//! Where a project keeps its configuration.

use std::path::{Path, PathBuf};

pub const CONFIG_NAME: &str = "caulk.toml";

/// The configuration of the project that `folder` is in: the nearest one at or above it, but not
/// above the root of its repository. Outside of repositories, only the folder itself counts.
#[must_use]
pub fn find_config(folder: &Path) -> Option<PathBuf> {
    let root = repository(folder);
    let inside = folder.ancestors().take_while(|folder| folder.starts_with(root));
    inside.map(|folder| folder.join(CONFIG_NAME)).find(|path| path.is_file())
}

/// The root of the repository that `folder` is in; outside of repositories, the folder itself.
#[must_use]
pub fn repository(folder: &Path) -> &Path {
    folder.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(folder)
}
