//! Exact rate limiting for Redis and Valkey: Penstock's scripts and its protocol, without `std`, and calls over
//! [redis-rs](https://docs.rs/redis) with the features `redis`, `aio`, `cluster` and `cluster-async`.
#![no_std]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

extern crate alloc;
#[cfg(feature = "redis")]
extern crate std;

mod limiter;
mod protocol;
#[rustfmt::skip]
mod scripts;
#[cfg(feature = "redis")]
mod send;

pub use limiter::{Call, RateLimiter};
pub use protocol::{key, proves_not_run, ArgumentError, Decision, DropIn, Limit, ReplyError, Script};
pub use scripts::*;
#[cfg(feature = "cluster-async")]
pub use send::AsyncClusterSender;
#[cfg(feature = "cluster")]
pub use send::ClusterSender;
#[cfg(feature = "redis")]
pub use send::{load_functions, query_all, Error, Failure, Sender};
#[cfg(feature = "aio")]
pub use send::{load_functions_async, query_all_async, AsyncSender};
