use penstock_redis::{sliding_window, token_bucket, ArgumentError, AsyncSender, Choice, EntryLimit, Reservations};
use std::{error::Error, time::Duration};

pub struct Limits {
    pub requests: EntryLimit,
    pub tokens: EntryLimit,
    pub in_flight: EntryLimit,
    pub llm: Reservations,
}

pub fn limits() -> Result<Limits, ArgumentError> {
    let minute = Duration::from_secs(60);
    Ok(Limits {
        requests: EntryLimit::new("rpm", sliding_window(60, minute)?)?,
        tokens: EntryLimit::new("tpm", token_bucket(100_000, 100_000, minute)?)?,
        in_flight: EntryLimit::parse("in-flight", "concurrency:10")?,
        // What is full has denied nothing.
        llm: Reservations::new("llm", 2 * minute)?.on_overload(Choice::Fail),
    })
}

/// Asks a model that tells how many tokens it used; `None` if a limit denies.
pub async fn ask<Sender: AsyncSender>(
    limits: &Limits,
    redis: &mut Sender,
    (tenant, user): (&str, &str),
    model: impl AsyncFn() -> Option<(String, u64)>,
) -> Result<Option<String>, Box<dyn Error + Send + Sync>> {
    let entries = [
        limits.requests.charge(1)?.within(user)?,
        limits.tokens.reserve(4_000)?.within(user)?,
        limits.tokens.reserve(4_000)?,
        limits.in_flight.reserve(1)?,
    ];
    let call = limits.llm.reserve(tenant, &entries)?.query_async(redis).await?;
    if !call.allowed() {
        return Ok(None);
    }
    let answer = model().await;
    let ended = match &answer {
        Some((_, used)) => call.settle(*used)?.query_async(redis).await,
        None => call.cancel().query_async(redis).await,
    };
    if let Err(error) = ended {
        eprintln!("{error}"); // What is held runs out by itself.
    }
    Ok(answer.map(|(text, _)| text))
}
