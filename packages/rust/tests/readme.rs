//! The README's example, on servers: with a server, without one, and with a password that is wrong.

#[path = "../examples/double.rs"]
mod double;
mod servers;
#[path = "../examples/web.rs"]
mod web;

use axum::{extract::State, http::HeaderMap};
use penstock_redis::{Error, ReconnectingSender};
use servers::{alone, servers_do, setting};

/// The answers of the example to some requests, up to the first that is refused: status and Retry-After.
async fn answers(name: &str, redis: &ReconnectingSender, requests: usize) -> Vec<(u16, Option<String>)> {
    let prefix = format!("readme-{name}-{}", std::process::id());
    let limiter = web::api().unwrap().with_prefix(&prefix).unwrap();
    let mut answers: Vec<(u16, Option<String>)> = vec![];
    while answers.len() < requests && answers.last().is_none_or(|(status, _)| *status != 429) {
        let answer = web::hello(State((limiter.clone(), redis.clone())), HeaderMap::new()).await;
        let wait = answer.headers().get("retry-after").map(|seconds| seconds.to_str().unwrap().to_string());
        answers.push((answer.status().as_u16(), wait));
    }
    answers
}

#[tokio::test]
async fn a_double_decides() {
    let example = std::fs::read_to_string("examples/double.rs").unwrap();
    assert!(std::fs::read_to_string("README.md").unwrap().contains(&format!("```rust\n{example}```")));
    for allows in [true, false] {
        let call = web::api().unwrap().calls().acquire("a").unwrap();
        let decision = call.query_async(&mut double::DoubleSender { allows }).await.unwrap();
        let (remaining, wait) = if allows { (99, Some(0)) } else { (0, Some(1)) };
        assert_eq!((decision.allowed(), decision.remaining, decision.enforced), (allows, remaining, true));
        assert_eq!(decision.retry_after_seconds(), wait);
    }
}

#[tokio::test]
async fn it_limits() {
    let Some(_one) = alone() else { return };
    let example = std::fs::read_to_string("examples/web.rs").unwrap();
    assert!(std::fs::read_to_string("README.md").unwrap().contains(&format!("```rust\n{example}```")));
    let redis = web::connection(&format!("redis://127.0.0.1:{}/", setting("REDIS"))).unwrap();
    let mut answers = answers("limits", &redis, 10_000).await;
    assert_eq!(answers.pop(), Some((429, Some("1".to_string()))));
    assert!(answers.len() >= 100 && answers.iter().all(|answer| *answer == (200, None)));
}

#[tokio::test]
async fn one_call_has_one_failure() {
    let mut sender = double::DoubleSender { allows: true };
    let limiter = web::api().unwrap();
    assert!(limiter.acquire(&mut sender, "a").await.unwrap().allowed());
    assert!(limiter.acquire_n(&mut sender, "a", 2).await.unwrap().allowed());
    for wrong in [limiter.acquire(&mut sender, "").await, limiter.acquire_n(&mut sender, "a", 0).await] {
        let error = wrong.unwrap_err();
        assert!(matches!(&error, Error::Argument(_)) && !error.is_outage() && !error.may_be_charged());
        assert!(error.to_string().contains(" must "), "{error}");
    }
}

#[tokio::test]
async fn it_serves_in_an_outage_and_limits_afterwards() {
    let Some(_one) = alone() else { return };
    for (fault, end) in [("down", "up"), ("stop", "cont")] {
        let redis = web::connection(&format!("redis://127.0.0.1:{}/", setting("PROXY"))).unwrap();
        // Until the connection of the question is made.
        answers("outage", &redis, 1).await;
        tokio::time::sleep(std::time::Duration::from_secs(4)).await;
        for _ in 0..2 {
            servers_do(&[fault], "");
            let served = answers("outage", &redis, 5).await;
            servers_do(&[end], "");
            assert_eq!(served, vec![(200, None); 5], "{fault}");
            let mut tries = 0;
            while answers("outage", &redis, 10_000).await.pop().unwrap().0 != 429 {
                tries += 1;
                assert!(tries < 100, "it never limits again after {fault}");
            }
        }
    }
}

#[tokio::test]
async fn it_does_not_serve_with_a_wrong_password() {
    let Some(_one) = alone() else { return };
    let url = format!("redis://nobody:wrong@127.0.0.1:{}/", setting("REDIS"));
    let redis = web::connection(&url).unwrap();
    assert_eq!(answers("password", &redis, 5).await, vec![(503, None); 5]);
}
