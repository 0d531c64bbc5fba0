//! Signals that are meant for the build.
//!
//! Ctrl-C on a terminal goes to the build and to caulk alike; caulk only notes it and waits. A
//! signal that somebody sends to caulk alone is passed on to the build.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use nix::sys::signal::{SigSet, Signal, kill};
use nix::unistd::Pid;

const NONE: i32 = 0;

/// As long as this lives, the signals that end a program do not end this one.
pub(super) struct Signals {
    set: SigSet,
    /// Whom to tell.
    build: Arc<AtomicI32>,
    seen: Arc<AtomicBool>,
}

impl Signals {
    /// To be made after the build is started, which would else have them blocked.
    pub fn pass_on_to(build: Pid) -> io::Result<Self> {
        let mut set = SigSet::empty();
        for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGQUIT] {
            set.add(signal);
        }
        set.thread_block()?;
        let build = Arc::new(AtomicI32::new(build.as_raw()));
        let seen = Arc::new(AtomicBool::new(false));
        let (to, flag) = (build.clone(), seen.clone());
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            while let Ok(signal) = from_whom::next(&set) {
                flag.store(true, Ordering::SeqCst);
                if let (true, pid @ 1..) = (signal.for_us_alone, to.load(Ordering::SeqCst)) {
                    // Whoever has ended needs no signal.
                    let _ = kill(Pid::from_raw(pid), signal.signal);
                }
            }
        })?;
        Ok(Self { set, build, seen })
    }

    pub fn seen(&self) -> bool {
        self.seen.load(Ordering::SeqCst)
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        self.build.store(NONE, Ordering::SeqCst);
        let _ = self.set.thread_unblock();
    }
}

struct Came {
    signal: Signal,
    /// Not from a terminal, which tells the build as well.
    for_us_alone: bool,
}

#[cfg(target_os = "linux")]
mod from_whom {
    use nix::errno::Errno;
    use nix::sys::signal::{SigSet, Signal};
    use nix::sys::signalfd::SignalFd;

    use super::Came;

    /// `SI_KERNEL`: the sender is the terminal.
    const FROM_KERNEL: i32 = 0x80;

    pub(super) fn next(set: &SigSet) -> Result<Came, Errno> {
        let signals = SignalFd::new(set)?;
        loop {
            if let Some(info) = signals.read_signal()? {
                let number = i32::try_from(info.ssi_signo).map_err(|_| Errno::EINVAL)?;
                let signal = Signal::try_from(number)?;
                return Ok(Came { signal, for_us_alone: info.ssi_code != FROM_KERNEL });
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod from_whom {
    use nix::errno::Errno;
    use nix::sys::signal::SigSet;

    use super::Came;

    pub(super) fn next(set: &SigSet) -> Result<Came, Errno> {
        Ok(Came { signal: set.wait()?, for_us_alone: false })
    }
}
