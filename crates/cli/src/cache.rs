//! `caulk cache`.

use caulk_project::{CacheStatistics, DEFAULT_CACHE_BYTES, UnitCache, default_cache_dir};

use crate::args::{CacheAction, CacheArgs};
use crate::exit::{Exit, Failure};
use crate::output;

/// Where lowered units are kept between runs; none without a home.
pub fn units() -> Option<UnitCache> {
    default_cache_dir().map(|folder| UnitCache::new(&folder, DEFAULT_CACHE_BYTES))
}

pub fn cache(args: &CacheArgs) -> Result<Exit, Failure> {
    let folder = default_cache_dir().ok_or_else(|| {
        Failure::usage("there is no cache: neither XDG_CACHE_HOME nor HOME names a folder")
    })?;
    let cache = UnitCache::new(&folder, DEFAULT_CACHE_BYTES);
    match args.action {
        CacheAction::Clear => cache.clear().map_err(|error| {
            Failure::usage(format!("cannot clear {}: {error}", folder.display()))
        })?,
        CacheAction::Stats => {
            let CacheStatistics { units, results, bytes } = cache.statistics();
            let (used, most) = (bytes >> 20, DEFAULT_CACHE_BYTES >> 20);
            let kept = format!("{units} units, {results} results, {used} of {most} MiB");
            let text = format!("{}\n{kept}\n", folder.display());
            output::write(None, &text)?;
        }
    }
    Ok(Exit::Clean)
}
