use axum::{
    extract::State,
    http::{header::RETRY_AFTER, HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use penstock_redis::{token_bucket, ArgumentError, RateLimiter};
use redis::aio::MultiplexedConnection;
use std::time::Duration;

pub fn api() -> Result<RateLimiter, ArgumentError> {
    RateLimiter::new("api", token_bucket(100, 10, Duration::from_secs(1))?)
}

pub async fn hello(
    State((limiter, mut redis)): State<(RateLimiter, MultiplexedConnection)>,
    headers: HeaderMap,
) -> Response {
    let user = headers.get("x-user").map_or(&b"unknown"[..], |user| user.as_bytes());
    let Ok(call) = limiter.acquire(user) else { return StatusCode::BAD_REQUEST.into_response() };
    match call.query_async(&mut redis).await {
        Ok(decision) if !decision.allowed() => {
            let mut answer = StatusCode::TOO_MANY_REQUESTS.into_response();
            if let Some(seconds) = decision.retry_after_seconds() {
                answer.headers_mut().insert(RETRY_AFTER, seconds.into());
            }
            answer
        }
        _ => "Hello".into_response(), // Also when Redis did not answer.
    }
}
