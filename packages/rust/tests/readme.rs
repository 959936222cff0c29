//! The README's example decides, on what packages/test started.

#[path = "../examples/web.rs"]
mod web;

use axum::{extract::State, http::HeaderMap};

#[tokio::test]
async fn the_readmes_example() {
    let example = std::fs::read_to_string("examples/web.rs").unwrap();
    assert!(std::fs::read_to_string("README.md").unwrap().contains(&format!("```rust\n{example}```")));
    let url = format!("redis://127.0.0.1:{}/", std::env::var("PENSTOCK_REDIS").expect("run packages/test"));
    let patient = redis::AsyncConnectionConfig::new().set_connection_timeout(None);
    let client = redis::Client::open(url).unwrap();
    let redis = client.get_multiplexed_async_connection_with_config(&patient).await.unwrap();
    let prefix = format!("readme{}", std::process::id());
    let limiter = web::api().unwrap().with_prefix(&prefix).unwrap();
    let (mut served, mut refused) = (0, vec![]);
    while refused.is_empty() && served < 10_000 {
        let answer = web::hello(State((limiter.clone(), redis.clone())), HeaderMap::new()).await;
        match answer.status().as_u16() {
            200 => served += 1,
            429 => refused.push(answer.headers()["retry-after"].to_str().unwrap().to_string()),
            status => panic!("{status}"),
        }
    }
    assert!(served >= 100 && !refused.is_empty());
    assert_eq!(refused[0], "1");
}
