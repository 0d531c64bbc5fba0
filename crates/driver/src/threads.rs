//! How many threads an engine has.

use std::num::NonZeroUsize;

/// Runs work whose parallel parts share so many threads. Without them (the system gives none), it
/// runs with those that there are.
pub fn with_threads<T: Send>(
    threads: NonZeroUsize,
    stack_bytes: usize,
    work: impl FnOnce() -> T + Send,
) -> T {
    let builder = rayon::ThreadPoolBuilder::new();
    match builder.num_threads(threads.get()).stack_size(stack_bytes).build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_threads_is_kept() {
        for number in [1, 3] {
            let threads = NonZeroUsize::new(number).unwrap();
            assert_eq!(with_threads(threads, 1 << 20, rayon::current_num_threads), number);
        }
    }
}
