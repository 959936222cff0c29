use axum::{extract::ConnectInfo, http::HeaderName, Router};
use penstock_redis::{
    by_header, token_bucket, ArgumentError, Choice, RateLimiter, ReconnectingSender, RequestLimitLayer,
};
use std::{net::SocketAddr, time::Duration};

/// To be served by `into_make_service_with_connect_info::<SocketAddr>()`: all whose address is unknown are one subject.
pub fn limited(app: Router, redis: ReconnectingSender) -> Result<Router, ArgumentError> {
    let limiter = RateLimiter::new("api", token_bucket(100, 10, Duration::from_secs(1))?)?
        .with_timeout(Duration::from_millis(200))
        .on_unavailable(Choice::Allow);
    let layer = RequestLimitLayer::new(limiter, redis, |request| {
        Some(request.extensions.get::<ConnectInfo<SocketAddr>>()?.ip())
    })?;
    let layer = layer.key(by_header(HeaderName::from_static("x-api-key"))).trusted_proxies(&["10.0.0.0/8"])?;
    Ok(app.layer(layer))
}
