//! Work on all processors, with stacks as large as the front end needs.

use caulk_cfront::Limits;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The results in the order of the items; a panic in `work` is a panic here.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Result<Vec<R>, String> {
    map_on(std::thread::available_parallelism().map_or(1, |n| n.get()), items, work)
}

/// With so many threads.
pub fn map_on<T: Sync, R: Send>(
    threads: usize,
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
) -> Result<Vec<R>, String> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(items.len()));
    let worker = || {
        while let Some(index) = claim(&next, items.len()) {
            let result = work(&items[index]);
            results.lock().unwrap_or_else(|poison| poison.into_inner()).push((index, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let thread = std::thread::Builder::new().stack_size(Limits::default().stack_bytes);
            thread.spawn_scoped(scope, worker).map_err(|e| format!("no thread: {e}"))?;
        }
        Ok::<(), String>(())
    })?;
    let mut results = results.into_inner().unwrap_or_else(|poison| poison.into_inner());
    results.sort_by_key(|&(index, _)| index);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

/// The next item that nobody has.
fn claim(next: &AtomicUsize, count: usize) -> Option<usize> {
    Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&index| index < count)
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_are_in_order() {
        let items: Vec<u32> = (0..100).collect();
        let squares = super::map(&items, |n| n * n).unwrap();
        assert!(squares.iter().zip(&items).all(|(square, n)| *square == n * n));
        assert_eq!(squares.len(), 100);
    }
}
