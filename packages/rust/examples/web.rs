use axum::{
    extract::State,
    http::{header::RETRY_AFTER, HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use penstock_redis::{token_bucket, ArgumentError, Choice, Error, RateLimiter, ReconnectingSender};
use redis::aio::ConnectionManagerConfig;
use std::time::Duration;

pub fn api() -> Result<RateLimiter, ArgumentError> {
    let limiter = RateLimiter::new("api", token_bucket(100, 10, Duration::from_secs(1))?)?;
    Ok(limiter.on_unavailable(Choice::Allow))
}

/// Connects with the first call, and again after a failure.
pub fn connection(url: &str) -> redis::RedisResult<ReconnectingSender> {
    ReconnectingSender::new(redis::Client::open(url)?, ConnectionManagerConfig::new())
}

pub async fn hello(
    State((limiter, mut redis)): State<(RateLimiter, ReconnectingSender)>,
    headers: HeaderMap,
) -> Response {
    let user = headers.get("x-user").map_or(&b"unknown"[..], |user| user.as_bytes());
    match limiter.acquire(&mut redis, user).await {
        // Also while Redis is down.
        Ok(decision) if decision.allowed() => "Hello".into_response(),
        // Redis has no memory left.
        Ok(denied) if !denied.enforced => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        Ok(denied) => {
            let mut answer = StatusCode::TOO_MANY_REQUESTS.into_response();
            if let Some(seconds) = denied.retry_after_seconds() {
                answer.headers_mut().insert(RETRY_AFTER, seconds.into());
            }
            answer
        }
        // A user that is no subject.
        Err(Error::Argument(_)) => StatusCode::BAD_REQUEST.into_response(),
        // Such as a wrong password: nobody is served.
        Err(error) => {
            eprintln!("{error}");
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
    }
}
