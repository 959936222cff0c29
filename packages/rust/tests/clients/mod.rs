//! Clients and limiters of tests on servers.
#![allow(dead_code)] // No test uses all of it.

use crate::servers::{random, setting, HOUR, PATIENCE, PREFIX};
use penstock_redis::{fixed_window, Choice, Decision, Error, Limit, RateLimiter, ReconnectingSender};
use redis::aio::ConnectionManagerConfig;
use redis::{Client, Connection};
use std::time::{Duration, Instant};

pub fn window() -> Limit {
    fixed_window(1000, HOUR).unwrap()
}

pub fn limiter() -> RateLimiter {
    RateLimiter::new("api", window()).unwrap().with_prefix(&PREFIX).unwrap().with_timeout(PATIENCE)
}

pub fn admin() -> Connection {
    Client::open(format!("redis://127.0.0.1:{}/", setting("REDIS"))).unwrap().get_connection().unwrap()
}

pub fn told(admin: &mut Connection, words: &[&str]) {
    redis::cmd(words[0]).arg(&words[1..]).exec(admin).unwrap();
}

pub fn connection(user: &str, port: &str, database: u32, timeout: Duration) -> ReconnectingSender {
    let config =
        ConnectionManagerConfig::new().set_connection_timeout(Some(timeout)).set_response_timeout(Some(timeout));
    let client = Client::open(format!("redis://{user}127.0.0.1:{port}/{database}")).unwrap();
    ReconnectingSender::new(client, config).unwrap()
}

pub fn healthy() -> ReconnectingSender {
    connection("", &setting("REDIS"), 0, PATIENCE)
}

pub async fn at_once(limiter: &RateLimiter, redis: &ReconnectingSender, calls: u32) -> Vec<Result<Decision, Error>> {
    let mut begun = tokio::task::JoinSet::new();
    for _ in 0..calls {
        let (call, mut redis) = (limiter.calls().acquire("flood").unwrap(), redis.clone());
        begun.spawn(async move { call.query_async(&mut redis).await });
    }
    begun.join_all().await
}

/// [`at_once`] where nothing may be allowed without a decision. A machine on which the server does not run for P makes an outage; another
/// burst shows whether it was that.
pub async fn opens_nothing(
    limiter: &RateLimiter,
    redis: &ReconnectingSender,
    calls: u32,
) -> Vec<Result<Decision, Error>> {
    let mut tries = 1;
    loop {
        let flood = at_once(limiter, redis, calls).await;
        let opened = flood.iter().filter(|one| is_open(one)).count();
        if opened == 0 {
            return flood;
        }
        assert!(tries < 3, "{opened} of {calls} opened");
        tries += 1;
    }
}

/// Allowed without a decision.
pub fn is_open(one: &Result<Decision, Error>) -> bool {
    one.as_ref().is_ok_and(|one| one.allowed() && !one.enforced)
}

/// A limiter of 100 that allows in an outage.
pub fn allowing(deadline: u64) -> RateLimiter {
    let limit = fixed_window(100, HOUR).unwrap();
    let limiter = RateLimiter::new(&random(), limit).unwrap().with_prefix(&PREFIX).unwrap();
    limiter.on_unavailable(Choice::Allow).with_timeout(Duration::from_millis(deadline))
}

/// Waits until a sender's question was answered on its connection, which is made within 3 s after the first call.
pub async fn asked(mut redis: ReconnectingSender) -> ReconnectingSender {
    let (mut admin, begun) = (admin(), Instant::now());
    let newest: u64 = redis::cmd("CLIENT").arg("ID").query(&mut admin).unwrap();
    loop {
        let _ = limiter().peek(&mut redis, "asked").await;
        let clients: String = redis::cmd("CLIENT").arg("LIST").query(&mut admin).unwrap();
        let is_ours = |client: &&str| {
            let number = client.split(' ').next().and_then(|id| id.strip_prefix("id=")).unwrap();
            number.parse::<u64>().unwrap() > newest && client.contains(" cmd=evalsha")
        };
        if clients.lines().filter(is_ours).count() == 2 {
            return redis;
        }
        assert!(begun.elapsed() < PATIENCE, "the question is never asked: {clients}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// A limiter that allows in an outage, with 1 s for a call, and a connection with a manager's defaults, which nobody has used.
pub fn by_default(user: &str) -> (RateLimiter, ReconnectingSender) {
    let limit = fixed_window(100, PATIENCE * 60).unwrap();
    let limiter = RateLimiter::new(&random(), limit).unwrap().with_prefix(&PREFIX).unwrap();
    let client = Client::open(format!("redis://{user}127.0.0.1:{}/", setting("REDIS"))).unwrap();
    let redis = ReconnectingSender::new(client, ConnectionManagerConfig::new()).unwrap();
    (limiter.on_unavailable(Choice::Allow), redis)
}
