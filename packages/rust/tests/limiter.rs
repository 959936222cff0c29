//! Runs on servers: a server, a cluster, and proxies that lose answers.

use penstock_redis::{
    classify_error, fixed_window, key, query_all, query_all_async, token_bucket, AsyncClusterSender, AsyncSender, Call,
    Choice, ClusterSender, Decision, DenialMemory, Error, FailureKind, Limit, RateLimiter, ReconnectingSender, Sender,
};
use redis::cluster::ClusterClient;
use redis::{Client, Connection, Value};
use std::io::Write;
use std::time::Duration;

mod callers;
mod servers;

use callers::{blocking, cluster, Caller, NAMES};
use servers::{alone, random, servers_do, setting, HOUR, PATIENCE, PREFIX};

fn forms() -> Vec<&'static str> {
    let all = ["EVALSHA", "FCALL"];
    all[..if setting("FUNCTIONS") == "yes" { 2 } else { 1 }].to_vec()
}

fn subjects(count: usize) -> Vec<String> {
    (0..count).map(|_| random()).collect()
}

fn window() -> Limit {
    fixed_window(1000, HOUR).unwrap()
}

fn limiter(policy: &str, limit: Limit) -> RateLimiter {
    RateLimiter::new(policy, limit).unwrap().with_prefix(&PREFIX).unwrap().with_timeout(PATIENCE)
}

fn key_of(policy: &str, subject: &str) -> Vec<u8> {
    key(&PREFIX, policy, subject, &window()).unwrap()
}

impl Caller {
    /// Through the proxies, and connected for these subjects: a call that waits for its connection may end before it is sent.
    async fn connected(name: &str, subjects: &[String]) -> Self {
        let mut caller = Caller::new(name, "PROXY").await;
        for subject in subjects {
            recovers(&mut caller, subject).await;
        }
        caller
    }

    fn is_cluster(&self) -> bool {
        matches!(self, Caller::Cluster(_) | Caller::AsyncCluster(_))
    }

    async fn all(&mut self, calls: &[Call]) -> Vec<Result<Decision, Error>> {
        match self {
            Caller::Connection(sender) => query_all(calls, sender.as_mut()),
            Caller::Multiplexed(sender) => query_all_async(calls, sender).await,
            Caller::Reconnecting(sender) => query_all_async(calls, sender).await,
            Caller::Cluster(sender) => query_all(calls, sender),
            Caller::AsyncCluster(sender) => query_all_async(calls, sender).await,
        }
    }

    async fn one(&mut self, call: Result<Call, penstock_redis::ArgumentError>) -> Result<Decision, Error> {
        let call = call.unwrap();
        match self {
            Caller::Connection(sender) => call.query(sender.as_mut()),
            Caller::Multiplexed(sender) => call.query_async(sender).await,
            Caller::Reconnecting(sender) => call.query_async(sender).await,
            Caller::Cluster(sender) => call.query(sender),
            Caller::AsyncCluster(sender) => call.query_async(sender).await,
        }
    }

    /// A command as redis-rs sends it by default; `port` leads through the proxy. What it answers is of no interest.
    async fn by_default(name: &str, command: &redis::Cmd) {
        let client = cluster("PROXY");
        match name {
            "ClusterConnection" => drop(command.exec(&mut client.build().unwrap().get_connection().unwrap())),
            "cluster_async" => {
                drop(command.exec_async(&mut client.build().unwrap().get_async_connection().await.unwrap()).await)
            }
            _ => match Caller::new(name, "PROXY").await {
                Caller::Connection(mut connection) => drop(command.exec(&mut *connection)),
                Caller::Multiplexed(mut connection) => drop(command.exec_async(&mut connection).await),
                Caller::Reconnecting(sender) => drop(command.exec_async(&mut sender.manager()).await),
                _ => unreachable!(),
            },
        }
    }
}

fn remaining(outcomes: Vec<Result<Decision, Error>>) -> Vec<u64> {
    outcomes.into_iter().map(|outcome| outcome.unwrap().remaining).collect()
}

fn calls(limiter: &RateLimiter, subjects: &[String]) -> Vec<Call> {
    subjects.iter().map(|subject| limiter.calls().acquire(subject).unwrap()).collect()
}

fn ask<T: redis::FromRedisValue>(is_cluster: bool, command: &redis::Cmd) -> T {
    if is_cluster {
        return command.query(&mut cluster("REDIS").build().unwrap().get_connection().unwrap()).unwrap();
    }
    command.query(&mut blocking("REDIS")).unwrap()
}

/// The units in a fixed window, read without a script.
fn used(is_cluster: bool, policy: &str, subject: &str) -> u64 {
    let state: Option<String> = ask(is_cluster, redis::cmd("GET").arg(key_of(policy, subject)));
    state.map_or(0, |state| state.split_once(':').unwrap().1.parse().unwrap())
}

/// The units in these windows once there are any: a proxy may be slow to pass on what its client has given up.
async fn charges(is_cluster: bool, policy: &str, subjects: &[String]) -> Vec<u64> {
    for _ in 0..600 {
        let charges: Vec<_> = subjects.iter().map(|each| used(is_cluster, policy, each)).collect();
        if charges.iter().any(|charges| *charges > 0) {
            return charges;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("nothing was charged")
}

#[tokio::test]
async fn all_that_a_limiter_does() {
    let Some(_one) = alone() else { return };
    for (name, form) in NAMES.iter().flat_map(|name| forms().into_iter().map(move |form| (name, form))) {
        let mut caller = Caller::new(name, "REDIS").await;
        let limit = token_bucket(10, 1, HOUR).unwrap().and(&token_bucket(20, 1, HOUR).unwrap()).unwrap();
        let mut limiter = limiter("api", limit.clone());
        if form == "FCALL" {
            caller.load().await;
            limiter = limiter.with_functions();
        }
        let (who, other) = (random(), random());
        let first = caller.one(limiter.calls().acquire_n(&who, 4)).await.unwrap();
        assert_eq!((first.allowed(), first.limit, first.remaining, first.tier), (true, 10, 6, 1), "{name}");
        assert!(!caller.one(limiter.calls().acquire_n(&who, 7)).await.unwrap().allowed());
        assert_eq!(caller.one(limiter.calls().acquire_n(&who, 11)).await.unwrap().retry_after(), None);
        assert_eq!(caller.one(limiter.calls().peek(&who)).await.unwrap().remaining, 6);
        assert_eq!(caller.one(limiter.calls().refund(&who, 3)).await.unwrap().remaining, 9);
        let batch = [vec![who.clone(), other, who.clone()], subjects(20)].concat();
        assert_eq!(remaining(caller.all(&calls(&limiter, &batch)).await), [vec![8, 9, 7], vec![9; 20]].concat());
        let costs = [limiter.calls().acquire_n(&who, 2).unwrap(), limiter.calls().acquire_up_to(&who, 9, 3).unwrap()];
        assert_eq!(remaining(caller.all(&costs).await), [5, 2]);
        assert_eq!(caller.one(limiter.calls().reset(&who)).await.unwrap().remaining, 10);
        let some = caller.one(limiter.calls().acquire_up_to(&who, 64, 3)).await.unwrap();
        assert_eq!((some.granted, some.remaining, some.retry_after()), (3, 1, Some(Duration::ZERO)));
        assert_eq!(caller.one(limiter.calls().acquire_up_to(&who, 64, 3)).await.unwrap().granted, 0);
        ask::<()>(
            name.to_lowercase().contains("cluster"),
            redis::cmd("SET").arg(key(&PREFIX, "api", &who, &limit).unwrap()).arg("x"),
        );
        match caller.one(limiter.calls().acquire(&who)).await {
            Err(Error::Misconfigured(error)) => {
                assert!(error.to_string().contains("penstock token-bucket: state "), "{error}")
            }
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_batch_has_at_most_10_000_calls() {
    let Some(_one) = alone() else { return };
    for name in NAMES {
        let mut caller = Caller::new(name, "REDIS").await;
        let (who, limit) = (random(), fixed_window(10_000, HOUR).unwrap());
        let key = key(&PREFIX, "api", &who, &limit).unwrap();
        let calls = vec![limiter("api", limit).calls().acquire(&who).unwrap(); 10_001];
        let refused = caller.all(&calls).await;
        assert_eq!(refused.len(), 10_001, "{name}");
        for outcome in refused {
            let Err(Error::Argument(error)) = outcome else { panic!("{name}: {outcome:?}") };
            assert_eq!(error.to_string(), "calls must be at most 10000 in a batch: 10001");
        }
        assert_eq!(ask::<u64>(caller.is_cluster(), redis::cmd("EXISTS").arg(key)), 0, "{name}");
        // A cluster's sender makes 10,000 round trips, which may take longer than a call's timeout.
        if !caller.is_cluster() {
            assert_eq!(remaining(caller.all(&calls[1..]).await), (0..10_000).rev().collect::<Vec<_>>(), "{name}");
        }
    }
}

#[tokio::test]
async fn noscript_alone_and_in_a_batch() {
    let Some(_one) = alone() else { return };
    for name in NAMES {
        let mut caller = Caller::new(name, "REDIS").await;
        let (limiter, who) = (limiter("api", window()), random());
        servers_do(&["flush"], "");
        assert_eq!(caller.one(limiter.calls().acquire(&who)).await.unwrap().remaining, 999, "{name}");
        servers_do(&["flush"], "");
        let batch = [subjects(50), vec![who]].concat();
        assert_eq!(
            remaining(caller.all(&calls(&limiter, &batch)).await),
            [vec![999; 50], vec![998]].concat(),
            "{name}"
        );
    }
}

#[tokio::test]
async fn functions_are_loaded_on_every_master() {
    let Some(_one) = alone() else { return };
    for name in NAMES.iter().filter(|_| forms().contains(&"FCALL")) {
        let mut caller = Caller::new(name, "REDIS").await;
        let limiter = limiter("api", window()).with_functions();
        servers_do(&["flush"], "");
        let missing = caller.one(limiter.calls().acquire("a")).await.unwrap_err();
        assert!(
            matches!(&missing, Error::Misconfigured(error) if error.to_string().contains("Function not found")),
            "{missing}"
        );
        caller.load().await;
        let masters = if caller.is_cluster() { servers_do(&["masters"], "") } else { setting("REDIS") };
        for port in masters.split_whitespace() {
            let mut master = Client::open(format!("redis://127.0.0.1:{port}/")).unwrap().get_connection().unwrap();
            let libraries: Vec<Value> = redis::cmd("FUNCTION").arg("LIST").query(&mut master).unwrap();
            assert_eq!(libraries.len(), 1, "{name}, {port}");
        }
        assert_eq!(remaining(caller.all(&calls(&limiter, &subjects(20))).await), vec![999; 20]);
    }
}

#[tokio::test]
async fn moved_and_ask_are_followed() {
    let Some(_one) = alone() else { return };
    for (name, flushed) in [(NAMES[3], false), (NAMES[3], true), (NAMES[4], false), (NAMES[4], true)] {
        let mut caller = Caller::new(name, "CLUSTER").await;
        let limiter = limiter("api", window());
        let (moved, asked) = (random(), random());
        for (command, who) in [("move", &moved), ("ask", &asked)] {
            let key = String::from_utf8(key_of("api", who)).unwrap();
            servers_do(&[command, &key], "");
            for left in [999, 998, 997] {
                if flushed {
                    servers_do(&["flush"], "");
                }
                assert_eq!(
                    caller.one(limiter.calls().acquire(who)).await.unwrap().remaining,
                    left,
                    "{name}, {command}"
                );
                assert_eq!(remaining(caller.all(&calls(&limiter, &subjects(5))).await), vec![999; 5]);
            }
            servers_do(&["move", &key], "");
        }
    }
}

#[tokio::test]
async fn charged_once() {
    let Some(_one) = alone() else { return };
    for (name, fault) in NAMES.iter().flat_map(|name| ["lost", "late"].map(|fault| (name, fault))) {
        servers_do(&["load"], window().script().source);
        let limiter = limiter(fault, window()).on_overload(Choice::Fail);
        let (who, plain) = (random(), random());
        let mut caller = Caller::connected(name, &[who.clone()]).await;
        let is_cluster = caller.is_cluster();
        let lost = caller.one(limiter.calls().acquire(&who)).await.unwrap_err();
        // A late answer beside a server that answers is no outage.
        let is_outage = matches!(lost, Error::MaybeCharged(_));
        assert!(lost.may_be_charged() && (is_outage || fault == "late"), "{name}, {fault}: {lost}");
        let then = charges(is_cluster, fault, &[who.clone()]).await[0];
        assert_eq!(then, 1, "{name}, {fault}");
        let peek = Caller::new(name, "PROXY").await.one(limiter.calls().peek(&who)).await.unwrap_err();
        let is_outage = matches!(peek, Error::NoDecision(FailureKind::NotAnswered, _));
        assert!(is_outage || fault == "late" && peek.kind() == FailureKind::Overloaded, "{name}, {fault}: {peek}");
        let batch = subjects(3);
        let outcomes = Caller::connected(name, &batch).await.all(&calls(&limiter, &batch)).await;
        assert!(outcomes.iter().all(|outcome| outcome.is_err()), "{name}, {fault}: {outcomes:?}");
        let charges = charges(is_cluster, fault, &batch).await;
        assert!(charges.iter().all(|charges| *charges <= 1), "{name}, {fault}: {charges:?}");
        servers_do(&["release"], "");
        // The connection, or what takes its place, works again, on the same node: subjects are hash tags.
        if !matches!(*name, "Connection" | "MultiplexedConnection") {
            recovers(&mut caller, &who).await;
        }
        if std::env::var_os("PENSTOCK_RESULTS").is_none() {
            continue;
        }
        let mut command = redis::cmd("EVALSHA");
        command.arg(window().script().sha1).arg(1).arg(key_of(fault, &plain)).arg(1).arg(window().args());
        Caller::by_default(name, &command).await;
        measured(name, fault, used(is_cluster, fault, &plain), then);
    }
}

#[tokio::test]
async fn errors_of_the_server_that_prove_it() {
    let Some(_one) = alone() else { return };
    let mut admin = blocking("REDIS");
    let mut config = |words: &[&str]| redis::cmd(words[0]).arg(&words[1..]).exec(&mut admin).unwrap();
    for name in &NAMES[..3] {
        let mut caller = Caller::new(name, "REDIS").await;
        config(&["CONFIG", "SET", "replica-serve-stale-data", "no"]);
        config(&["REPLICAOF", "127.0.0.1", "1"]);
        let lost = caller.one(limiter("api", window()).calls().acquire(random())).await;
        config(&["REPLICAOF", "NO", "ONE"]);
        config(&["CONFIG", "SET", "replica-serve-stale-data", "yes"]);
        assert!(
            matches!(&lost, Err(Error::NoDecision(FailureKind::Unavailable, error)) if error.to_string().contains("MASTER")),
            "{lost:?}"
        );
        assert_eq!(caller.one(limiter("api", window()).calls().acquire(random())).await.unwrap().remaining, 999);
    }
}

/// How many scripts the server has run.
fn scripts_run() -> u64 {
    let stats: String = redis::cmd("INFO").arg("commandstats").query(&mut blocking("REDIS")).unwrap();
    let calls = |line: &str| {
        let (name, rest) = line.split_once(":calls=")?;
        let is_script = ["cmdstat_evalsha", "cmdstat_eval", "cmdstat_fcall"].contains(&name);
        is_script.then(|| rest.split(',').next().unwrap().parse::<u64>().unwrap())
    };
    stats.lines().filter_map(calls).sum()
}

#[tokio::test]
async fn a_denial_that_is_known_is_not_sent() {
    let Some(_one) = alone() else { return };
    let limit = fixed_window(5, HOUR).unwrap();
    for name in ["Connection", "ReconnectingSender"] {
        let mut caller = Caller::new(name, "REDIS").await;
        let memory = DenialMemory::new(PATIENCE, 1000).unwrap();
        let (limiter, who) = (limiter("near", limit.clone()).remember_denials(&memory), random());
        assert!(caller.one(limiter.calls().acquire_n(&who, 5)).await.unwrap().allowed());
        let denied = caller.one(limiter.calls().acquire(&who)).await.unwrap();
        assert!(!denied.allowed() && !denied.remembered);
        let (before, mut asked) = (scripts_run(), 0);
        for cost in (0..100).map(|number| 1 + number % 5) {
            let mut decisions = vec![
                caller.one(limiter.calls().acquire_n(&who, cost)).await.unwrap(),
                caller.one(limiter.calls().acquire_up_to(&who, 3, 1)).await.unwrap(),
            ];
            decisions.extend(caller.all(&calls(&limiter, &[who.clone(), who.clone()])).await.into_iter().flatten());
            assert!(decisions.len() == 4 && decisions.iter().all(|again| !again.allowed()));
            assert!(decisions.iter().all(|again| again.wait_us <= denied.wait_us && again.enforced));
            asked += decisions.iter().filter(|again| !again.remembered).count() as u64;
        }
        // A thread that is held up between two clocks asks.
        assert!(asked < 40 && scripts_run() - before <= 2 * asked, "{asked}");
        assert!(!caller.one(limiter.calls().peek(&who)).await.unwrap().remembered);
        assert!(!caller.one(limiter.calls().refund(&who, 1)).await.unwrap().remembered);
        assert!(caller.one(limiter.calls().acquire(&who)).await.unwrap().allowed(), "what was given back");
        assert!(!caller.one(limiter.calls().acquire(&who)).await.unwrap().allowed());
        let other = self::limiter("near", limit.clone()).remember_denials(&memory);
        assert_eq!(caller.one(other.calls().reset(&who)).await.unwrap().remaining, 5);
        assert!(
            caller.one(limiter.calls().acquire(&who)).await.unwrap().allowed(),
            "another limiter has given all back"
        );
        let mixed =
            caller.all(&[limiter.calls().peek(&who).unwrap(), limiter.calls().acquire_n(&who, 4).unwrap()]).await;
        assert_eq!(remaining(mixed), [4, 0]);
    }
}

#[test]
#[ignore = "measures calls a second on one subject that is denied: cargo test --release -- --ignored --nocapture"]
fn denied_calls_a_second() {
    let limit = token_bucket(10, 1, HOUR).unwrap();
    let memory = DenialMemory::new(Duration::from_millis(100), 100_000).unwrap();
    let (asks, who) = (limiter("api", limit.clone()), random());
    let remembers = asks.clone().remember_denials(&memory);
    assert!(asks.calls().acquire_n(&who, 10).unwrap().query(&mut blocking("REDIS")).unwrap().allowed());
    let mut raw = redis::cmd("EVALSHA");
    raw.arg(limit.script().sha1).arg(1).arg(key(&PREFIX, "api", &who, &limit).unwrap()).arg(1).arg(limit.args());
    let per_second = |call: &(dyn Fn(&mut Connection) + Sync)| {
        let begun = std::time::Instant::now();
        let threads: Vec<u64> = std::thread::scope(|scope| {
            let run = || {
                let (mut connection, mut calls) = (blocking("REDIS"), 0);
                while begun.elapsed() < Duration::from_secs(3) {
                    (0..100).for_each(|_| call(&mut connection));
                    calls += 100;
                }
                calls
            };
            let threads: Vec<_> = (0..2).map(|_| scope.spawn(run)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        threads.iter().sum::<u64>() as f64 / begun.elapsed().as_secs_f64()
    };
    for _ in 0..3 {
        let asked = per_second(&|connection| raw.exec(connection).unwrap());
        let known = per_second(&|connection| {
            assert!(!remembers.calls().acquire(&who).unwrap().query(connection).unwrap().allowed());
        });
        println!("raw {asked:.0}, remembered {known:.0} calls a second: {:.0} times", known / asked);
    }
    let others: Vec<_> = (0..1000).map(|number| format!("{who}-{number}")).collect();
    let begun = std::time::Instant::now();
    let mut made = 0;
    for other in others.iter().cycle().take(1_000_000) {
        made += asks.calls().acquire(other).unwrap().words().len();
    }
    println!("making a call and its words: {} ns ({made})", begun.elapsed().as_nanos() / 1_000_000);
}

async fn recovers(caller: &mut Caller, who: &str) {
    let healthy = limiter("api", window());
    for _ in 0..600 {
        if caller.one(healthy.calls().acquire(who)).await.is_ok() {
            return;
        }
        // A question that waited in a cluster's client is held back as well once it is sent.
        servers_do(&["release"], "");
    }
    panic!("the connection stays dead");
}

/// A row of docs/languages.md.
fn measured(name: &str, fault: &str, by_default: u64, then: u64) {
    let row = serde_json::json!({
        "client": format!("redis-rs `{name}`"), "version": setting("REDIS_RS"), "fault": fault, "default": by_default, "then": then,
    });
    let mut file = std::fs::OpenOptions::new().append(true).create(true).open(setting("RESULTS")).unwrap();
    writeln!(file, "{row}").unwrap();
}

#[test]
fn senders_are_those_that_send_once() {
    fn blocking<S: Sender>() {}
    fn async_ones<S: AsyncSender>() {}
    blocking::<Connection>();
    blocking::<ClusterSender>();
    async_ones::<redis::aio::MultiplexedConnection>();
    async_ones::<ReconnectingSender>();
    async_ones::<AsyncClusterSender>();
}

#[tokio::test]
async fn a_cluster_that_is_away_when_its_sender_is_made() {
    let Some(_one) = alone() else { return };
    let allows = limiter("api", window()).on_unavailable(Choice::Allow);
    let away = ClusterClient::builder(["redis://127.0.0.1:1/"]);
    let mut redis = AsyncClusterSender::new(away).await.expect("its calls connect");
    for _ in 0..2 {
        let decision = allows.acquire(&mut redis, random()).await.unwrap();
        assert!(decision.allowed() && !decision.enforced, "{decision:?}");
        let error = limiter("api", window()).acquire(&mut redis, random()).await.unwrap_err();
        assert!(error.is_outage() && !error.may_be_charged(), "{error:?}");
    }
    let wrong = ClusterClient::builder([format!("redis://nobody:wrong@127.0.0.1:{}/", setting("CLUSTER"))]);
    let error = AsyncClusterSender::new(wrong).await.err().expect("a wrong password is no outage");
    assert_eq!(classify_error(&error, false).kind, FailureKind::Misconfigured, "{error}");
}

#[tokio::test]
async fn f2_a_node_of_a_cluster_is_asked_on_one_more_connection() {
    let Some(_one) = alone() else { return };
    let port = setting("NODES").split(' ').next().unwrap().to_string();
    let mut admin = Client::open(format!("redis://127.0.0.1:{port}/")).unwrap().get_connection().unwrap();
    let newest: u64 = redis::cmd("CLIENT").arg("ID").query(&mut admin).unwrap();
    let mut redis = AsyncClusterSender::new(cluster("CLUSTER")).await.unwrap();
    let mut last = String::new();
    for _ in 0..300 {
        let calls: Vec<Call> = (0..20).map(|_| limiter("api", window()).calls().acquire(random()).unwrap()).collect();
        assert!(query_all_async(&calls, &mut redis).await.iter().all(Result::is_ok));
        for call in calls {
            assert!(call.query_async(&mut redis).await.is_ok());
        }
        let clients: String = redis::cmd("CLIENT").arg("LIST").query(&mut admin).unwrap();
        let is_ours = |client: &&str| {
            let number = client.split(' ').next().and_then(|id| id.strip_prefix("id=")).unwrap();
            number.parse::<u64>().unwrap() > newest && client.contains(" cmd=evalsha")
        };
        // That of the calls, and that of the question, which comes within 3 s.
        if clients.lines().filter(is_ours).count() >= 2 {
            return;
        }
        last = clients;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the question is never asked: {last}");
}
