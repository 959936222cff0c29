//! Whether a late call is an outage, on real servers: rule F2. Its times are those of verdict.json.

use penstock_redis::{
    token_bucket, Choice, Decision, EntryLimit, Error, ReconnectingSender, Reservations, SettleResult, Verdict,
};
use redis::{aio::ConnectionManagerConfig, Client};
use std::io::{Read, Write};
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

mod clients;
mod servers;

use clients::{
    admin, allowing, asked, at_once, by_default, connection, healthy, is_open, limiter, opens_nothing, told,
};
use servers::{alone, random, servers_do, setting, PATIENCE, PREFIX};

#[tokio::test(flavor = "multi_thread")]
async fn f2_a_flood_opens_nothing_and_an_outage_opens_all() {
    let Some(_one) = alone() else { return };
    let redis = asked(healthy()).await;
    for (calls, deadline) in [(900, 20), (900, 10), (300, 5), (20_000, 50)] {
        let flood = opens_nothing(&allowing(deadline), &redis, calls).await;
        let decided = flood.iter().flatten().filter(|one| one.allowed()).count();
        assert!(decided <= 100 && flood.iter().all(Result::is_ok), "{calls} calls, {deadline} ms");
    }
    let told = allowing(5).on_overload(Choice::Fail);
    let late: Vec<_> = opens_nothing(&told, &redis, 20_000).await.into_iter().filter_map(Result::err).collect();
    // On a busy machine the time of a call may pass before it is written.
    let told = late.iter().all(|one| matches!(one, Error::Overloaded(_))) && late.iter().any(Error::may_be_charged);
    assert!(told, "{:?}", late.iter().find(|one| !matches!(one, Error::Overloaded(_))));
    servers_do(&["stop"], "");
    let stopped = at_once(&allowing(200), &redis, 5_000).await;
    let again = at_once(&allowing(200), &redis, 100).await;
    servers_do(&["cont"], "");
    assert!(stopped.iter().chain(&again).all(is_open), "{:?}", stopped.iter().chain(&again).find(|one| !is_open(one)));
    let decided = async { while limiter().peek(&mut redis.clone(), "a").await.is_err() {} };
    tokio::time::timeout(PATIENCE, decided).await.expect("it heals");
}

#[tokio::test]
async fn f2_a_user_with_script_rights_only() {
    let Some(_one) = alone() else { return };
    let (mut admin, user) = (admin(), random());
    let rights = ["~*", "-@all", "+get", "+set", "+del", "+time", "+eval", "+evalsha", "+incrby", "+pexpire", "+pttl"];
    told(&mut admin, &[&["ACL", "SETUSER", &user, "reset", "on", ">password"][..], &rights].concat());
    let redis = asked(connection(&format!("{user}:password@"), &setting("REDIS"), 0, PATIENCE)).await;
    let flood = opens_nothing(&allowing(5), &redis, 2_000).await;
    told(&mut admin, &["ACL", "DELUSER", &user]);
    assert!(flood.iter().all(Result::is_ok));
}

#[tokio::test]
async fn f2_writes_that_are_paused_are_an_outage() {
    let Some(_one) = alone() else { return };
    if setting("SERVER").starts_with("Redis 6.0") {
        eprintln!("skipped: Redis 6.0 cannot pause writes alone");
        return;
    }
    let redis = asked(healthy()).await;
    let mut admin = admin();
    told(&mut admin, &["CLIENT", "PAUSE", "60000", "WRITE"]);
    let paused = at_once(&allowing(100), &redis, 50).await;
    told(&mut admin, &["CLIENT", "UNPAUSE"]);
    assert!(paused.iter().all(is_open), "{paused:?}");
}

/// A proxy before the server. It forgets its connections: what they send goes nowhere. It can hold answers, or new connections, back.
struct Forgetful {
    port: u16,
    forgets: Arc<AtomicU32>,
    accepted: Arc<AtomicU32>,
    held_ms: Arc<AtomicU32>,
    late_ms: Arc<AtomicU32>,
}

impl Forgetful {
    /// Connections up to the number in `forgets` are forgotten.
    fn new() -> Self {
        let (forgets, accepted) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let (port, server) = (listener.local_addr().unwrap().port(), setting("REDIS"));
        let (held_ms, late_ms) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
        let (forgotten, counted, held, late) = (forgets.clone(), accepted.clone(), held_ms.clone(), late_ms.clone());
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let number = counted.fetch_add(1, SeqCst) + 1;
                let server = std::net::TcpStream::connect(format!("127.0.0.1:{server}")).unwrap();
                let late = Duration::from_millis(late.load(SeqCst).into());
                let questions = (client.try_clone(), server.try_clone(), Arc::new(AtomicU32::new(0)));
                let answers = (server.try_clone(), client.try_clone(), held.clone());
                for (from, to, held) in [questions, answers] {
                    let (mut from, mut to, forgotten) = (from.unwrap(), to.unwrap(), forgotten.clone());
                    std::thread::spawn(move || {
                        std::thread::sleep(late);
                        let mut data = [0; 1 << 16];
                        while let Ok(read @ 1..) = from.read(&mut data) {
                            std::thread::sleep(Duration::from_millis(held.load(SeqCst).into()));
                            if number > forgotten.load(SeqCst) && to.write_all(&data[..read]).is_err() {
                                break;
                            }
                        }
                        let _ = to.shutdown(std::net::Shutdown::Both);
                    });
                }
            }
        });
        Self { port, forgets, accepted, held_ms, late_ms }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn f2_an_answer_that_is_held_back_as_a_lost_segment_holds_it_opens_nothing() {
    let Some(_one) = alone() else { return };
    let proxy = Forgetful::new();
    let redis = asked(connection("", &proxy.port.to_string(), 0, PATIENCE)).await;
    proxy.held_ms.store(220, SeqCst);
    // The 30 ms that are left until P are few on a busy machine, whose proxy is late, too.
    for tries in 1.. {
        // Else the last answers may be younger than 100 ms.
        tokio::time::sleep(Duration::from_millis(200)).await;
        let flood = at_once(&allowing(20), &redis, 300).await;
        assert!(flood.iter().all(Result::is_ok), "{flood:?}");
        if !flood.iter().any(is_open) {
            return;
        }
        assert!(tries < 20, "each burst opened");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn f2_a_connection_for_the_question_that_comes_late_opens_nothing() {
    let Some(_one) = alone() else { return };
    for tries in 1.. {
        let proxy = Forgetful::new();
        let mut redis = connection("", &proxy.port.to_string(), 0, PATIENCE);
        assert!(limiter().acquire(&mut redis, "a").await.unwrap().enforced);
        let is_early = proxy.accepted.load(SeqCst) > 1;
        // As where a SYN is lost, which is sent again after 1 s. A machine that stalls needs the rest of 1.2 s. No call is answered.
        proxy.late_ms.store(500, SeqCst);
        proxy.forgets.store(1, SeqCst);
        // The last answer may be younger than 100 ms.
        tokio::time::sleep(Duration::from_millis(200)).await;
        let limiter = allowing(5).on_overload(Choice::Fail);
        let judged = loop {
            let flood = at_once(&limiter, &redis, 100).await;
            let judged = flood.into_iter().find(|one| !matches!(one, Err(Error::NoVerdict(_))));
            if let Some(judged) = judged {
                break judged;
            }
        };
        if !is_early && matches!(judged, Err(Error::Overloaded(_))) {
            return;
        }
        assert!(tries < 5, "{judged:?}");
    }
}

#[tokio::test]
async fn f2_a_failover_with_forgotten_connections_heals() {
    let Some(_one) = alone() else { return };
    let proxy = Forgetful::new();
    let mut redis = asked(connection("", &proxy.port.to_string(), 0, PATIENCE)).await;
    let limiter = allowing(100);
    assert!(limiter.acquire(&mut redis, "a").await.unwrap().enforced);
    let before = proxy.accepted.load(SeqCst);
    proxy.forgets.store(before, SeqCst);
    let begun = Instant::now();
    let first = limiter.acquire(&mut redis, "a").await;
    // The connections are silent. It opens, or is denied where a question was answered on a new one.
    assert!(first.as_ref().is_ok_and(|first| !first.enforced), "{first:?}");
    while !limiter.acquire(&mut redis, "a").await.unwrap().enforced {
        assert!(begun.elapsed() < PATIENCE, "it heals");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // One attempt at a time, 2.5 to 7.5 s after the one before, and that of the calls.
    let attempts = u64::from(proxy.accepted.load(SeqCst) - before);
    assert!(attempts <= 4 + begun.elapsed().as_secs() / 2, "{attempts} connections");
}

#[tokio::test]
async fn f2_calls_beyond_the_bound_in_flight() {
    let Some(_one) = alone() else { return };
    let redis = asked(healthy()).await;
    let patient = limiter().on_overload(Choice::Fail);
    servers_do(&["stop"], "");
    let mut held = tokio::task::JoinSet::new();
    for _ in 0..100_000 {
        let (call, mut redis) = (patient.calls().acquire("held").unwrap(), redis.clone());
        held.spawn(async move { call.query_async(&mut redis).await });
    }
    // The next one begins after them.
    let one_more = at_once(&patient, &redis, 1).await.remove(0);
    servers_do(&["cont"], "");
    held.shutdown().await;
    // Calls whose futures were dropped are not in flight.
    assert!(limiter().acquire(&mut redis.clone(), "next").await.unwrap().enforced);
    let error = one_more.map_or_else(|error| error, |open| panic!("{open:?}"));
    // An outage, as the server is silent by now, or an overload.
    assert!(error.to_string().contains("100000 calls are in flight") && !error.may_be_charged(), "{error:?}");
}

async fn a_flood_before_the_first_answer() {
    let Some(_one) = alone() else { return };
    let flood = opens_nothing(&by_default("").0, &healthy(), 20_000).await;
    // Late answers are not counted.
    assert!(flood.into_iter().filter(|one| one.as_ref().is_ok_and(Decision::allowed)).count() <= 100);
    let redis = connection("nobody:wrong@", &setting("REDIS"), 0, PATIENCE);
    let (limiter, begun) = (by_default("").0, Instant::now());
    let is_refused = |one: &Result<Decision, Error>| matches!(one, Err(Error::Misconfigured(_)));
    let mut refused = opens_nothing(&limiter, &redis, 20_000).await;
    // All of a burst may be late.
    while !refused.iter().any(is_refused) && begun.elapsed() < PATIENCE {
        refused = opens_nothing(&limiter, &redis, 1).await;
    }
    assert!(refused.iter().any(is_refused));
    assert!(refused.iter().all(|one| match one {
        Ok(decision) => !decision.allowed() && !decision.enforced,
        Err(error) => matches!(error, Error::Misconfigured(_)),
    }));
    // Whoever starts within an outage learns of it when the connection of the question is silent.
    let (limiter, redis) = (by_default("").0, healthy());
    servers_do(&["stop"], "");
    let first = at_once(&limiter, &redis, 100).await;
    let begun = Instant::now();
    while !at_once(&limiter, &redis, 1).await.iter().all(is_open) && begun.elapsed() < PATIENCE {}
    let stopped = at_once(&limiter, &redis, 5_000).await;
    servers_do(&["cont"], "");
    assert!(first.iter().all(Result::is_ok) && stopped.iter().all(is_open), "an outage");
}

#[tokio::test]
async fn a_flood_before_the_first_answer_on_one_thread() {
    a_flood_before_the_first_answer().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_before_the_first_answer_on_several_threads() {
    a_flood_before_the_first_answer().await;
}

/// Sleeps within a task, so that this runtime of one thread runs nothing else.
async fn blocked(length: Duration) {
    tokio::task::yield_now().await;
    std::thread::sleep(length);
}

#[tokio::test]
async fn f2_a_runtime_that_is_blocked_opens_nothing_until_the_server_stops() {
    let Some(_one) = alone() else { return };
    let redis = asked(healthy()).await;
    let limiter = allowing(50);
    let (flood, ()) = tokio::join!(opens_nothing(&limiter, &redis, 900), blocked(Duration::from_secs(2)));
    assert!(flood.iter().all(Result::is_ok));
    servers_do(&["stop"], "");
    let (stopped, ()) = tokio::join!(at_once(&limiter, &redis, 900), blocked(Duration::from_secs(2)));
    servers_do(&["cont"], "");
    assert!(stopped.iter().all(is_open), "{:?}", stopped.iter().find(|one| !is_open(one)));
}

#[tokio::test(flavor = "multi_thread")]
async fn f2_a_process_that_stands_still_opens_nothing() {
    let Some(_one) = alone() else { return };
    let redis = asked(healthy()).await;
    let process = std::process::id();
    let stops = format!("kill -STOP {process}; sleep 2; kill -CONT {process}");
    let mut stopping = std::process::Command::new("sh").args(["-c", &stops]).spawn().unwrap();
    while stopping.try_wait().unwrap().is_none() {
        let flood = opens_nothing(&allowing(50), &redis, 900).await;
        assert!(flood.iter().all(Result::is_ok));
    }
}

/// Sends floods while new connections are refused; returns the refusals that were told, each with the verdict.
async fn flooded_while_refused(fault: &str) -> Vec<String> {
    let (mut admin, user, refusals) = (admin(), random(), Arc::new(Mutex::new(Vec::new())));
    told(&mut admin, &["ACL", "SETUSER", &user, "reset", "on", ">one", "~*", "+@all"]);
    let heard = refusals.clone();
    let mut redis = connection(&format!("{user}:one@"), &setting("REDIS"), 0, PATIENCE).on_verdict(move |change| {
        let error = change.error.map(|error| format!("{:?} {error}", change.verdict).to_lowercase());
        heard.lock().unwrap().extend(error);
    });
    // The connection of the question is made later.
    assert!(limiter().acquire(&mut redis, "a").await.unwrap().enforced);
    if fault == "a rotated password" {
        told(&mut admin, &["ACL", "SETUSER", &user, "resetpass", ">two"]);
    } else {
        // The server counts the connections that it has, and refuses at that number.
        let connected: String = redis::cmd("INFO").arg("clients").query(&mut admin).unwrap();
        let connected = connected.lines().find_map(|line| line.strip_prefix("connected_clients:")).unwrap();
        told(&mut admin, &["CONFIG", "SET", "maxclients", connected.trim()]);
    }
    let begun = Instant::now();
    let mut floods = Vec::new();
    while begun.elapsed() < Duration::from_secs(4) {
        floods.extend(opens_nothing(&allowing(20), &redis, 300).await);
        floods.push(limiter().acquire(&mut redis, "b").await);
    }
    told(&mut admin, &["CONFIG", "SET", "maxclients", "10000"]);
    told(&mut admin, &["ACL", "DELUSER", &user]);
    assert!(!floods.iter().any(is_open) && floods.iter().all(Result::is_ok), "{fault}");
    let refusals = refusals.lock().unwrap().clone();
    refusals
}

#[tokio::test(flavor = "multi_thread")]
async fn f2_a_question_that_is_refused_opens_nothing_while_calls_are_answered() {
    let Some(_one) = alone() else { return };
    // The client does not always pass on the server's words about a password, and what a full server says may be lost.
    let known =
        ["wrongpass", "password authentication failed", "max number of clients", "reset", "broken pipe", "closed"];
    for fault in ["a rotated password", "no room for another client"] {
        for tries in 1.. {
            let refused = flooded_while_refused(fault).await;
            assert!(refused.iter().all(|error| known.iter().any(|words| error.contains(words))), "{refused:?}");
            if refused.iter().any(|error| error.starts_with("up ")) {
                break;
            }
            // A connection that was made before the fault is not refused.
            assert!(tries < 5, "{fault}: {refused:?}");
        }
    }
}

#[tokio::test]
async fn f2_without_a_connection_for_the_question_it_is_put_on_that_of_the_calls() {
    let Some(_one) = alone() else { return };
    let proxy = Forgetful::new();
    let client = Client::open(format!("redis://127.0.0.1:{}/", proxy.port)).unwrap();
    let config = ConnectionManagerConfig::new().set_response_timeout(None);
    let redis = ReconnectingSender::without_verdict_connection(client, config).unwrap();
    while redis.verdict() != Verdict::Up {
        assert!(limiter().acquire(&mut redis.clone(), "a").await.unwrap().enforced);
    }
    servers_do(&["stop"], "");
    let stopped = at_once(&allowing(200), &redis, 300).await;
    servers_do(&["cont"], "");
    assert!(stopped.iter().all(is_open), "{:?}", stopped.iter().find(|one| !is_open(one)));
    let decided = async { while limiter().acquire(&mut redis.clone(), "a").await.is_err() {} };
    tokio::time::timeout(PATIENCE, decided).await.expect("it heals");
    assert_eq!(proxy.accepted.load(SeqCst), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn f2_reservations_are_judged_as_calls_are() {
    let Some(_one) = alone() else { return };
    let redis = asked(healthy()).await;
    let limit = EntryLimit::new("tokens", token_bucket(100, 1, PATIENCE).unwrap()).unwrap();
    let allowing = |deadline| {
        let reservations = Reservations::new("late", PATIENCE).unwrap().with_prefix(&PREFIX).unwrap();
        let reservations = reservations.on_unavailable(Choice::Allow).on_overload(Choice::Fail);
        reservations.with_timeout(Duration::from_millis(deadline)).unwrap()
    };
    let flood = |reservations: Reservations| {
        let mut begun = tokio::task::JoinSet::new();
        for _ in 0..2_000 {
            let call = reservations.reserve("tenant", &[limit.reserve(1).unwrap()]).unwrap();
            let mut redis = redis.clone();
            begun.spawn(async move { call.query_async(&mut redis).await });
        }
        begun.join_all()
    };
    for deadline in [5, 20] {
        let mut calls = flood(allowing(deadline)).await;
        for _ in 0..2 {
            if !calls.iter().flatten().all(|call| call.answer().enforced) {
                // As opens_nothing does.
                calls = flood(allowing(deadline)).await;
            }
        }
        let flood = calls;
        assert!(flood.iter().flatten().all(|call| call.answer().enforced));
        let late = flood.iter().filter_map(|call| call.as_ref().err());
        assert!(late.into_iter().all(|error| error.kind() == penstock_redis::FailureKind::Overloaded));
    }
    servers_do(&["stop"], "");
    let stopped = flood(allowing(500)).await;
    servers_do(&["cont"], "");
    assert!(stopped.iter().all(|call| call.as_ref().is_ok_and(|call| call.allowed() && !call.answer().enforced)));
    let held = stopped.into_iter().next().unwrap().unwrap();
    assert_eq!(held.cancel().query_async(&mut redis.clone()).await.unwrap(), SettleResult::NothingHeld);
}

/// Keeps what was logged.
struct KeptLines(Mutex<Vec<String>>);

impl log::Log for KeptLines {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        if record.target().starts_with("penstock_redis") {
            self.0.lock().unwrap().push(format!("{} {}", record.level(), record.args()));
        }
    }

    fn flush(&self) {}
}

static LINES: KeptLines = KeptLines(Mutex::new(Vec::new()));

#[tokio::test]
async fn f2_each_change_is_told_and_logged() {
    let Some(_one) = alone() else { return };
    log::set_logger(&LINES).unwrap();
    log::set_max_level(log::LevelFilter::Warn);
    let changes = Arc::new(Mutex::new(Vec::new()));
    let heard = changes.clone();
    let redis = healthy().on_verdict(move |change| heard.lock().unwrap().push((change.before, change.verdict)));
    let redis = asked(redis).await;
    servers_do(&["stop"], "");
    let stopped = allowing(100).acquire(&mut redis.clone(), "a").await;
    servers_do(&["cont"], "");
    assert!(is_open(&stopped), "{stopped:?}");
    assert!(limiter().acquire(&mut redis.clone(), "a").await.unwrap().enforced);
    // A machine that stalls may have been taken for silent before.
    let changes = changes.lock().unwrap();
    assert_eq!(changes[0], (Verdict::Up, Verdict::Silent));
    assert!(changes.ends_with(&[(Verdict::Up, Verdict::Silent), (Verdict::Silent, Verdict::Up)]), "{changes:?}");
    let lines = LINES.0.lock().unwrap();
    let [.., silent, up] = &lines[..] else { panic!("{lines:?}") };
    let begins = "WARN the verdict on the server: ";
    assert!(silent.starts_with(&format!("{begins}silent, after ")) && silent.ends_with(" s of up"), "{silent}");
    assert!(up.starts_with(&format!("{begins}up, after ")) && up.ends_with(" s of silent"), "{up}");
}
