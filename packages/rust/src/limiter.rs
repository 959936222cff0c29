use crate::failure::ReadOnlySince;
use crate::protocol::{escape_into, in_bounds, key, ArgumentError, Decision, Limit, ReplyError, MOST_UNITS};
use alloc::{
    borrow::Cow,
    format,
    string::{String, ToString},
    sync::Arc,
    vec::Vec,
};
use core::time::Duration;

/// The result of a call for units if the server does not make a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// The call returns the error.
    Fail,
    /// The call is allowed; `Decision::enforced` is false.
    Allow,
    /// The call is denied, and can be retried after a second; `Decision::enforced` is false.
    Deny,
}

/// The state that all calls of a limiter share.
#[derive(Debug, Clone)]
pub(crate) struct Policy {
    prefix: String,
    policy: String,
    /// The parts of a key before and after the subject.
    around: (Vec<u8>, Vec<u8>),
    pub(crate) limit: Limit,
    args: Vec<String>,
    functions: bool,
    #[cfg_attr(not(feature = "redis"), allow(dead_code))]
    pub(crate) on_unavailable: Choice,
    #[cfg_attr(not(feature = "redis"), allow(dead_code))]
    pub(crate) on_overload: Choice,
    #[cfg_attr(not(feature = "redis"), allow(dead_code))]
    pub(crate) read_only: Arc<ReadOnlySince>,
    #[cfg_attr(not(feature = "aio"), allow(dead_code))]
    pub(crate) timeout: Duration,
    #[cfg(feature = "aio")]
    pub(crate) shares_trips: bool,
    #[cfg(feature = "redis")]
    pub(crate) verdict: Arc<crate::asking::ServerVerdict>,
    #[cfg(feature = "redis")]
    pub(crate) memory: Option<crate::DenialMemory>,
    #[cfg(feature = "redis")]
    pub(crate) breaker: Option<crate::CircuitBreaker>,
    #[cfg(feature = "redis")]
    pub(crate) listener: Option<crate::outcome::Listener>,
}

impl Policy {
    #[cfg(feature = "redis")]
    pub(crate) fn name(&self) -> &str {
        &self.policy
    }
}

/// A rate limiter for one policy and one limit, which creates the calls for each subject. It does not hold a connection.
#[derive(Debug, Clone)]
pub struct RateLimiter(Arc<Policy>);

impl RateLimiter {
    /// Creates a limiter for a policy; its keys begin with `penstock`. The policy's name consists of 1 to 64 letters, digits, dots, hyphens
    /// and underscores. For example, `get-orders` is valid, but `GET /orders` is not.
    pub fn new(policy: &str, limit: Limit) -> Result<Self, ArgumentError> {
        Self(Arc::new(Policy {
            prefix: "penstock".to_string(),
            policy: policy.to_string(),
            around: Default::default(),
            args: limit.args(),
            limit,
            functions: false,
            on_unavailable: Choice::Fail,
            on_overload: Choice::Deny,
            read_only: Arc::default(),
            timeout: Duration::from_secs(1),
            #[cfg(feature = "aio")]
            shares_trips: true,
            #[cfg(feature = "redis")]
            verdict: Arc::new(crate::asking::ServerVerdict::by_client()),
            #[cfg(feature = "redis")]
            memory: None,
            #[cfg(feature = "redis")]
            breaker: None,
            #[cfg(feature = "redis")]
            listener: None,
        }))
        .checked()
    }

    /// Sets the prefix of every key.
    pub fn with_prefix(self, prefix: &str) -> Result<Self, ArgumentError> {
        self.with(|policy| policy.prefix = prefix.to_string()).checked()
    }

    /// Makes calls use the Functions library (Redis 7.0, Valkey) instead of scripts. Load the library first.
    pub fn with_functions(self) -> Self {
        self.with(|policy| policy.functions = true)
    }

    /// Sets the result of a call for units during an outage ([`FailureKind::is_outage`](crate::FailureKind)); the default is `Fail`.
    /// Configuration errors (such as a wrong password), unknown errors, and errors of peeks and refunds are always returned.
    pub fn on_unavailable(self, choice: Choice) -> Self {
        self.with(|policy| policy.on_unavailable = choice)
    }

    /// Sets the result of a call for units if a resource is exhausted although the server answers. The default is `Deny`, because a caller
    /// that chooses many subjects can fill the server's memory.
    pub fn on_overload(self, choice: Choice) -> Self {
        self.with(|policy| policy.on_overload = choice)
    }

    /// Sets the timeout of asynchronous calls, which is 1 s by default, regardless of the connection's settings. The minimum is 1 ms,
    /// because with a shorter timeout no call would be answered in time and no caller would be limited. A blocking connection ends a call
    /// at the connection's own timeout.
    pub fn with_timeout(self, timeout: Duration) -> Self {
        self.with(|policy| policy.timeout = timeout.max(Duration::from_millis(1)))
    }

    /// Sets whether calls for the same units of one subject share trips, which they do by default: while eight calls are under way, further
    /// calls wait and are sent together, up to 1,000 at a time. Each call gets the decision that it would have got alone, and a call
    /// that is alone is sent at once. If the answer to a trip is lost, all of its calls may have been charged.
    ///
    /// Only calls of this limiter and its clones that use the same [`ReconnectingSender`](crate::ReconnectingSender) or its clones
    /// share trips. Other senders do not say whether two commands are executed in order on one connection. Calls of leaky buckets,
    /// peeks, refunds and the calls of `query_all_async` do not share trips either.
    #[cfg(feature = "aio")]
    pub fn share_trips(self, shares: bool) -> Self {
        self.with(|policy| policy.shares_trips = shares)
    }

    /// Remembers denials in this memory. A remembered denial never causes a call to be allowed, and peeks and refunds always go to the
    /// server. A refund or reset through a limiter with this memory takes effect at once; any other refund or reset takes effect after the
    /// memory's `at_most` at the latest.
    #[cfg(feature = "redis")]
    pub fn remember_denials(self, memory: &crate::DenialMemory) -> Self {
        self.with(|policy| policy.memory = Some(memory.clone()))
    }

    /// Sets the circuit breaker for the limiter's server. Cluster senders do not support it, because the node of a call is not known.
    #[cfg(feature = "redis")]
    pub fn circuit_breaker(self, breaker: &crate::CircuitBreaker) -> Self {
        self.with(|policy| policy.breaker = Some(breaker.clone()))
    }

    /// Calls `tell` for every call, for metrics and logs. It must return quickly.
    #[cfg(feature = "redis")]
    pub fn on_outcome(self, tell: impl Fn(&crate::Outcome<'_>) + Send + Sync + 'static) -> Self {
        self.with(|policy| policy.listener = Some(crate::outcome::Listener(Arc::new(tell))))
    }

    #[cfg(feature = "tower")]
    pub(crate) fn policy(&self) -> &str {
        &self.0.policy
    }

    #[cfg(feature = "tower")]
    pub(crate) fn limit(&self) -> &Limit {
        &self.0.limit
    }

    #[cfg(feature = "tower")]
    pub(crate) fn timeout(&self) -> Duration {
        self.0.timeout
    }

    /// Creates reservations with the name, the prefix and the choices of this limiter.
    #[cfg(feature = "tower")]
    pub(crate) fn reservations(&self, keep: Duration) -> Result<crate::Reservations, ArgumentError> {
        let Policy { prefix, policy, functions, on_unavailable, on_overload, timeout, breaker, .. } = &*self.0;
        if self.0.memory.is_some() || self.0.listener.is_some() {
            let rule = "the limiter must not have remember_denials or on_outcome with also or charge_when";
            return Err(ArgumentError(format!("{rule}: {policy}")));
        }
        let made = crate::Reservations::new(policy, keep)?.with_prefix(prefix)?.with_timeout(*timeout)?;
        let made = made.on_unavailable(*on_unavailable).on_overload(*on_overload);
        let made = if *functions { made.with_functions() } else { made };
        Ok(match breaker {
            Some(breaker) => made.circuit_breaker(breaker),
            None => made,
        })
    }

    /// Returns this limiter with another limit.
    #[cfg(feature = "tower")]
    pub(crate) fn with_limit(self, limit: Limit) -> Result<Self, ArgumentError> {
        self.with(|policy| (policy.args, policy.limit) = (limit.args(), limit)).checked()
    }

    fn with(mut self, change: impl FnOnce(&mut Policy)) -> Self {
        change(Arc::make_mut(&mut self.0));
        self
    }

    fn checked(self) -> Result<Self, ArgumentError> {
        let key = key(&self.0.prefix, &self.0.policy, "-", &self.0.limit)?;
        let subject = key.iter().position(|octet| *octet == b'{').map_or(0, |at| at + 1);
        let around = (key[..subject].to_vec(), key[subject + 1..].to_vec());
        Ok(self.with(|policy| policy.around = around))
    }

    /// Creates calls that the program sends itself, with another client, on a blocking connection, or several at once.
    pub fn calls(&self) -> LimiterCalls<'_> {
        LimiterCalls(&self.0)
    }
}

/// Creates the calls of a limiter without sending them.
#[derive(Debug, Clone, Copy)]
pub struct LimiterCalls<'a>(&'a Arc<Policy>);

impl LimiterCalls<'_> {
    /// Takes one unit if every tier has one available.
    pub fn acquire(&self, subject: impl AsRef<[u8]>) -> Result<Call, ArgumentError> {
        self.acquire_n(subject, 1)
    }

    /// Takes `cost` units, 1 to 10^12, if every tier has them available.
    pub fn acquire_n(&self, subject: impl AsRef<[u8]>, cost: u64) -> Result<Call, ArgumentError> {
        in_bounds("cost", cost, MOST_UNITS)?;
        self.call(subject, cost as i64, 1)
    }

    /// Takes the units for as many calls of this cost as fit, up to `calls`; `granted` is their number. The product of `calls` and `cost`
    /// is at most 10^12.
    pub fn acquire_up_to(&self, subject: impl AsRef<[u8]>, calls: u64, cost: u64) -> Result<Call, ArgumentError> {
        in_bounds("cost", cost, MOST_UNITS)?;
        in_bounds("calls", calls, MOST_UNITS / cost)?;
        self.call(subject, cost as i64, calls)
    }

    /// Reads the current usage without charging anything.
    pub fn peek(&self, subject: impl AsRef<[u8]>) -> Result<Call, ArgumentError> {
        self.call(subject, 0, 1)
    }

    /// Refunds units, 1 to 10^12, but no more than have been used.
    pub fn refund(&self, subject: impl AsRef<[u8]>, units: u64) -> Result<Call, ArgumentError> {
        in_bounds("units", units, MOST_UNITS)?;
        self.call(subject, -(units as i64), 1)
    }

    /// Refunds all used units.
    pub fn reset(&self, subject: impl AsRef<[u8]>) -> Result<Call, ArgumentError> {
        self.refund(subject, MOST_UNITS)
    }

    fn call(&self, subject: impl AsRef<[u8]>, cost: i64, calls: u64) -> Result<Call, ArgumentError> {
        let (head, tail) = &self.0.around;
        let subject = subject.as_ref();
        let mut key = Vec::with_capacity(head.len() + subject.len() + tail.len());
        key.extend(head);
        escape_into(&mut key, subject)?;
        key.extend(tail);
        Ok(Call { policy: self.0.clone(), key, cost, calls, words: cost_words(cost, calls) })
    }
}

fn cost_words(cost: i64, calls: u64) -> Cow<'static, str> {
    match (cost, calls) {
        (1, 1) => Cow::Borrowed("1"),
        (_, 1) => Cow::Owned(cost.to_string()),
        _ => Cow::Owned(format!("{cost}*{calls}")),
    }
}

/// A call that can be sent by any client. With the feature `redis`, `query` sends it.
#[derive(Debug, Clone)]
#[must_use = "a call takes nothing until it is sent, by `query` or `query_async`"]
pub struct Call {
    pub(crate) policy: Arc<Policy>,
    pub(crate) key: Vec<u8>,
    /// A positive cost takes units, 0 peeks, and a negative cost refunds.
    pub(crate) cost: i64,
    pub(crate) calls: u64,
    /// The cost as an argument of the command.
    words: Cow<'static, str>,
}

impl Call {
    /// Returns the arguments of the command to send, which is `EVALSHA`, or `FCALL` with Functions.
    pub fn words(&self) -> Vec<&[u8]> {
        let script = self.policy.limit.script();
        if self.policy.functions {
            self.command("FCALL", script.function)
        } else {
            self.command("EVALSHA", script.sha1)
        }
    }

    /// Returns the arguments of the command to send after the answer `NOSCRIPT`.
    pub fn eval_words(&self) -> Vec<&[u8]> {
        self.command("EVAL", self.policy.limit.script().source)
    }

    fn command<'a>(&'a self, name: &'a str, target: &'a str) -> Vec<&'a [u8]> {
        let mut words = [name.as_bytes(), target.as_bytes(), b"1", &self.key, self.words.as_bytes()].to_vec();
        words.extend(self.policy.args.iter().map(String::as_bytes));
        words
    }

    /// Returns whether the call never charges anything.
    pub fn is_peek(&self) -> bool {
        self.cost == 0
    }

    /// Returns whether the call may share a trip.
    #[cfg(feature = "aio")]
    pub(crate) fn shares_trips(&self) -> bool {
        self.policy.shares_trips && self.cost > 0 && self.calls == 1 && !self.policy.limit.script().queues
    }

    /// Returns the call that asks for as many of this call as fit, up to `calls`.
    #[cfg(feature = "aio")]
    pub(crate) fn times(&self, calls: u64) -> Self {
        Self { calls, words: cost_words(self.cost, calls), ..self.clone() }
    }

    /// Returns the peek that checks whether the server answers.
    #[cfg(feature = "redis")]
    pub(crate) fn question(&self) -> redis::Cmd {
        let peek = Self { cost: 0, calls: 1, words: Cow::Borrowed("0"), ..self.clone() };
        crate::send::command(peek.words())
    }

    /// Decodes the reply.
    pub fn read(&self, reply: &[i64]) -> Result<Decision, ReplyError> {
        Decision::read(reply, self.calls)
    }
}
