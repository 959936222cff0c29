//! What packages/test started.
#![allow(dead_code)] // No test uses all of it.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::{LazyLock, Mutex, MutexGuard};
use std::time::Duration;

pub const HOUR: Duration = Duration::from_secs(3600);
pub const PATIENCE: Duration = Duration::from_secs(60);
pub static PREFIX: LazyLock<String> = LazyLock::new(|| format!("t{}", random()));
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Servers are set up for each test, so one runs at a time.
pub fn alone() -> MutexGuard<'static, ()> {
    ONE_AT_A_TIME.lock().unwrap_or_else(|held| held.into_inner())
}

pub fn setting(name: &str) -> String {
    std::env::var(format!("PENSTOCK_{name}")).expect("run packages/test, which starts the servers")
}

pub fn random() -> String {
    use std::hash::{BuildHasher, Hasher, RandomState};
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

/// Has packages/testbed.py do something to the servers; returns what it printed.
pub fn servers_do(words: &[&str], said: &str) -> String {
    let mut bed = Command::new("python3");
    let mut bed = bed.arg(setting("TESTBED")).args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    bed.stdin.take().unwrap().write_all(said.as_bytes()).unwrap();
    let output = bed.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}
