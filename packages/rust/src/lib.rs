//! Exact rate limiting for Redis and Valkey. The crate contains Penstock's scripts and protocol without `std`, and limiters that use
//! [redis-rs](https://docs.rs/redis) with the features `redis`, `aio`, `cluster` and `cluster-async`. The feature `tower` adds a layer for
//! HTTP requests.
#![no_std]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

extern crate alloc;
#[cfg(feature = "redis")]
extern crate std;

#[cfg(feature = "redis")]
mod asking;
#[cfg(feature = "tower")]
mod callers;
#[cfg(feature = "redis")]
mod circuit;
mod combined;
mod entries;
mod failure;
#[cfg(feature = "redis")]
mod hold;
mod http;
#[cfg(feature = "tower")]
mod joint;
mod limiter;
#[cfg(feature = "redis")]
mod near;
#[cfg(feature = "redis")]
#[allow(dead_code)]
mod numbers;
#[cfg(feature = "redis")]
mod outcome;
#[cfg(feature = "tower")]
mod plans;
mod protocol;
#[cfg(feature = "aio")]
mod reconnecting;
#[cfg(feature = "tower")]
mod requests;
mod reservations;
#[rustfmt::skip]
mod scripts;
#[cfg(feature = "redis")]
mod send;
#[cfg(feature = "aio")]
mod sharing;
mod text;
#[cfg(feature = "aio")]
mod trips;
#[cfg(all(test, feature = "redis"))]
#[path = "../tests/vectors/mod.rs"]
mod vectors;
#[cfg(feature = "redis")]
#[cfg_attr(not(feature = "aio"), allow(dead_code))]
mod verdict;

#[cfg(feature = "aio")]
pub use asking::Questioner;
#[cfg(feature = "redis")]
pub use asking::{ServerVerdict, VerdictChange};
#[cfg(feature = "redis")]
pub use circuit::CircuitBreaker;
pub use combined::CombinedHeaders;
pub use entries::{CallId, EntryCost, EntryLimit, EntryUsage};
pub use failure::{classify, proves_not_run, ErrorMeaning, FailureKind};
#[cfg(feature = "redis")]
pub use hold::{EventKind, ReservationEvent};
pub use http::{HeaderForm, RateLimitHeaders, PROBLEM_TYPE};
#[cfg(feature = "tower")]
pub use joint::Also;
pub use limiter::{Call, Choice, LimiterCalls, RateLimiter};
#[cfg(feature = "redis")]
pub use near::DenialMemory;
#[cfg(feature = "redis")]
pub use outcome::{classify_error, Error, Outcome};
pub use protocol::{key, ArgumentError, Decision, DropIn, Limit, ReplyError, Script};
#[cfg(feature = "aio")]
pub use reconnecting::ReconnectingSender;
#[cfg(feature = "tower")]
pub use requests::{by_header, RequestLimitLayer, RequestLimitService};
pub use reservations::{Reservation, ReservationAnswer, Reservations, ReserveCall, SettleResult, Settlement};
pub use scripts::*;
#[cfg(feature = "cluster-async")]
pub use send::AsyncClusterSender;
#[cfg(feature = "cluster")]
pub use send::ClusterSender;
#[cfg(feature = "redis")]
pub use send::{load_functions, query_all, Failure, Sender};
#[cfg(feature = "aio")]
pub use send::{load_functions_async, query_all_async, AsyncSender};
#[cfg(feature = "redis")]
pub use verdict::Verdict;
