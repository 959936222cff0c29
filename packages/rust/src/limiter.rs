use crate::failure::ReadOnlySince;
use crate::protocol::{in_bounds, key, ArgumentError, Decision, Limit, ReplyError, Script, MOST_UNITS};
use alloc::{
    format,
    string::{String, ToString},
    sync::Arc,
    vec::Vec,
};

/// One policy under one limit: makes the calls of each subject. It holds no connection.
#[derive(Debug, Clone)]
pub struct RateLimiter {
    prefix: String,
    policy: String,
    limit: Limit,
    functions: bool,
    read_only: Arc<ReadOnlySince>,
}

impl RateLimiter {
    /// The limiter of a policy, whose keys begin with `penstock`. Its name is 1 to 64 letters, digits, dots, hyphens and
    /// underscores: `get-orders`, not `GET /orders`.
    pub fn new(policy: &str, limit: Limit) -> Result<Self, ArgumentError> {
        let (prefix, policy) = ("penstock".to_string(), policy.to_string());
        Self { prefix, policy, limit, functions: false, read_only: Arc::default() }.checked()
    }

    /// The same with another first part of every key.
    pub fn with_prefix(mut self, prefix: &str) -> Result<Self, ArgumentError> {
        self.prefix = prefix.to_string();
        self.checked()
    }

    /// The same by the Functions library (Redis 7.0, Valkey), which must have been loaded.
    pub fn with_functions(mut self) -> Self {
        self.functions = true;
        self
    }

    fn checked(self) -> Result<Self, ArgumentError> {
        key(&self.prefix, &self.policy, "any", &self.limit).map(|_| self)
    }

    /// Takes one unit if every tier has it.
    pub fn acquire(&self, subject: impl AsRef<[u8]>) -> Result<Call, ArgumentError> {
        self.acquire_n(subject, 1)
    }

    /// Takes `cost` units, 1 to 10^12, if every tier has them.
    pub fn acquire_n(&self, subject: impl AsRef<[u8]>, cost: u64) -> Result<Call, ArgumentError> {
        in_bounds("cost", cost, MOST_UNITS)?;
        self.call(subject, cost.to_string(), 1)
    }

    /// Takes as many calls of this cost as there is room for, at most `calls`; `granted` says how many. The product of
    /// both is at most 10^12.
    pub fn acquire_up_to(&self, subject: impl AsRef<[u8]>, calls: u64, cost: u64) -> Result<Call, ArgumentError> {
        in_bounds("cost", cost, MOST_UNITS)?;
        in_bounds("calls", calls, MOST_UNITS / cost)?;
        self.call(subject, format!("{cost}*{calls}"), calls)
    }

    /// Tells how much is left, without taking anything.
    pub fn peek(&self, subject: impl AsRef<[u8]>) -> Result<Call, ArgumentError> {
        self.call(subject, "0".to_string(), 1)
    }

    /// Gives units back, 1 to 10^12, at most as many as are used.
    pub fn refund(&self, subject: impl AsRef<[u8]>, units: u64) -> Result<Call, ArgumentError> {
        in_bounds("units", units, MOST_UNITS)?;
        self.call(subject, format!("-{units}"), 1)
    }

    /// Gives everything back.
    pub fn reset(&self, subject: impl AsRef<[u8]>) -> Result<Call, ArgumentError> {
        self.refund(subject, MOST_UNITS)
    }

    fn call(&self, subject: impl AsRef<[u8]>, cost: String, calls: u64) -> Result<Call, ArgumentError> {
        let key = key(&self.prefix, &self.policy, subject, &self.limit)?;
        let mut args = self.limit.args();
        args.insert(0, cost);
        let (script, functions, read_only) = (self.limit.script(), self.functions, self.read_only.clone());
        Ok(Call { script, functions, key, args, calls, read_only })
    }
}

/// A call that can be sent by any client. With the feature `redis`, `query` sends it.
#[derive(Debug, Clone)]
#[must_use = "a call takes nothing until it is sent, by `query` or `query_async`"]
pub struct Call {
    script: &'static Script,
    functions: bool,
    pub(crate) key: Vec<u8>,
    args: Vec<String>,
    calls: u64,
    #[cfg_attr(not(feature = "redis"), allow(dead_code))]
    pub(crate) read_only: Arc<ReadOnlySince>,
}

impl Call {
    /// The words of the command to send: `EVALSHA`, or `FCALL` with Functions.
    pub fn words(&self) -> Vec<&[u8]> {
        if self.functions {
            self.command("FCALL", self.script.function)
        } else {
            self.command("EVALSHA", self.script.sha1)
        }
    }

    /// The words to send after the answer `NOSCRIPT`.
    pub fn eval_words(&self) -> Vec<&[u8]> {
        self.command("EVAL", self.script.source)
    }

    fn command<'a>(&'a self, name: &'a str, target: &'a str) -> Vec<&'a [u8]> {
        let mut words = [name.as_bytes(), target.as_bytes(), b"1", &self.key].to_vec();
        words.extend(self.args.iter().map(String::as_bytes));
        words
    }

    /// Whether the call charges nothing, whatever becomes of it.
    pub fn is_peek(&self) -> bool {
        self.args[0] == "0"
    }

    /// Reads the answer.
    pub fn read(&self, reply: &[i64]) -> Result<Decision, ReplyError> {
        Decision::read(reply, self.calls)
    }
}
