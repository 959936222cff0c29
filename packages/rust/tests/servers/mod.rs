//! The servers that packages/test started, or else packages/testbed.py on the redis-server of the PATH.
#![allow(dead_code)] // No test uses all of it.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::{LazyLock, Mutex, MutexGuard};
use std::time::Duration;

pub const HOUR: Duration = Duration::from_secs(3600);
pub const PATIENCE: Duration = Duration::from_secs(60);
pub static PREFIX: LazyLock<String> = LazyLock::new(|| format!("t{}", random()));
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
static STARTED: LazyLock<Option<Started>> = LazyLock::new(Started::here);

/// Servers of this process, which end when their standard input does.
struct Started {
    settings: HashMap<String, String>,
    _bed: Option<Child>,
}

impl Started {
    /// Those of packages/test or of this process; `None`, and one line that says so, without a server on the PATH.
    fn here() -> Option<Self> {
        if std::env::var("PENSTOCK_REDIS").is_ok() {
            return Some(Self { settings: std::env::vars().collect(), _bed: None });
        }
        let bed = Command::new("python3")
            .args([concat!(env!("CARGO_MANIFEST_DIR"), "/../testbed.py"), "run"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let skipped = match bed {
            Err(error) => format!("python3, which starts the servers: {error}"),
            Ok(mut bed) => {
                let lines = BufReader::new(bed.stdout.take().unwrap()).lines().map(Result::unwrap);
                let lines = lines.take_while(|line| !line.is_empty());
                let settings: HashMap<_, _> = lines
                    .map(|line| line.split_once('=').map(|(name, value)| (name.into(), value.into())).unwrap())
                    .collect();
                match settings.get("PENSTOCK_SKIP") {
                    None => return Some(Self { settings, _bed: Some(bed) }),
                    Some(reason) => reason.clone(),
                }
            }
        };
        // Not by a macro, whose text is not shown of a test that passes.
        writeln!(std::io::stderr(), "skipped: {skipped}").unwrap();
        None
    }
}

/// Servers are set up for each test, so one runs at a time; `None` where a test is skipped, since there is no server.
pub fn alone() -> Option<MutexGuard<'static, ()>> {
    STARTED.as_ref().map(|_| ONE_AT_A_TIME.lock().unwrap_or_else(|held| held.into_inner()))
}

pub fn setting(name: &str) -> String {
    let name = format!("PENSTOCK_{name}");
    let started = STARTED.as_ref().expect("a test that needs a server begins with `alone`");
    started.settings.get(&name).expect(&name).clone()
}

pub fn random() -> String {
    use std::hash::{BuildHasher, Hasher, RandomState};
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

/// Tells packages/testbed.py to do something to the servers; returns its answer.
pub fn servers_do(words: &[&str], said: &str) -> String {
    let mut control = TcpStream::connect(format!("127.0.0.1:{}", setting("CONTROL"))).unwrap();
    write!(control, "{}\n{said}", words.join(" ")).unwrap();
    control.shutdown(Shutdown::Write).unwrap();
    let mut answer = String::new();
    control.read_to_string(&mut answer).unwrap();
    answer.strip_prefix("done ").expect(words[0]).trim().into()
}
