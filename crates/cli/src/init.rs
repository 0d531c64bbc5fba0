//! `caulk init`.

use std::io::ErrorKind;
use std::path::Path;

use caulk_project::{CONFIG_NAME, create_file, describe, write_file};

use crate::args::InitArgs;
use crate::config::TEMPLATE;
use crate::exit::{Exit, Failure};
use crate::terminal::complain;

pub fn init(args: &InitArgs) -> Result<Exit, Failure> {
    let path = Path::new(CONFIG_NAME);
    let write = if args.force { write_file } else { create_file };
    write(path, TEMPLATE.as_bytes()).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => Failure::usage(format!(
            "{CONFIG_NAME} is there already and stays as it is; --force replaces it"
        )),
        _ => Failure::usage(format!("cannot write {}", describe(path, &error))),
    })?;
    complain(&format!("caulk: {CONFIG_NAME} written; every setting in it is commented out"));
    Ok(Exit::Clean)
}
