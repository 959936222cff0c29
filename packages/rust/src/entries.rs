//! Named limits, and the costs of a call under them.
use crate::protocol::{escape_into, in_bounds, is_name, ArgumentError, Limit, MOST_UNITS};
use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use core::{fmt, str::FromStr, time::Duration};

const CONCURRENCY: &str = "concurrency";
const MOST_DIGITS: usize = 13;

/// A limit with the name of its policy. It creates the entries of a call. A charge counts against the same units as a
/// [`RateLimiter`](crate::RateLimiter) with this name and limit. Reservations and debits are counted separately from charges, so combine
/// reserve with debit under one limit, but never with charge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryLimit {
    policy: String,
    rate: Option<Limit>,
    places: u64,
}

impl EntryLimit {
    /// Creates a rate limit. The policy's name consists of 1 to 64 letters, digits, dots, hyphens and underscores.
    pub fn new(policy: &str, limit: Limit) -> Result<Self, ArgumentError> {
        is_name("policy", policy)?;
        Ok(Self { policy: policy.to_string(), rate: Some(limit), places: 0 })
    }

    /// Creates a limit for the number of concurrent calls, 1 to 10^12. A call holds a place while it runs. Places are never charged.
    pub fn concurrency(policy: &str, limit: u64) -> Result<Self, ArgumentError> {
        is_name("policy", policy)?;
        Ok(Self { policy: policy.to_string(), rate: None, places: in_bounds("limit", limit, MOST_UNITS)? })
    }

    /// Parses a limit in the syntax of [`Limit`], or a concurrency limit such as `concurrency:10`; `to_string` is the inverse.
    pub fn parse(policy: &str, text: &str) -> Result<Self, ArgumentError> {
        let Some(number) = text.strip_prefix(CONCURRENCY).and_then(|rest| rest.strip_prefix(':')) else {
            return Self::new(policy, Limit::from_str(text)?);
        };
        let digits = number.len() <= MOST_DIGITS && number.bytes().all(|digit| digit.is_ascii_digit());
        match number.parse() {
            Ok(places) if digits => Self::concurrency(policy, places),
            _ => Err(ArgumentError(format!(
                "limit {text:?} must be a number after \"concurrency:\", such as concurrency:10"
            ))),
        }
    }

    /// Returns the name of the policy.
    pub fn policy(&self) -> &str {
        &self.policy
    }

    pub(crate) fn rate(&self) -> Option<&Limit> {
        self.rate.as_ref()
    }

    /// Creates an entry that charges a known cost permanently: 1 to 10^12 units of any rate limit.
    pub fn charge(&self, units: u64) -> Result<EntryCost, ArgumentError> {
        self.entry(Mode::Charge, units)
    }

    /// Creates an entry that holds an estimate until the call is settled: 1 to 10^12 units of a token bucket, fixed window, sliding window
    /// or concurrency limit. A call usually holds 1 unit of a concurrency limit.
    pub fn reserve(&self, units: u64) -> Result<EntryCost, ArgumentError> {
        self.entry(Mode::Reserve, units)
    }

    /// Creates an entry that charges a known cost under a limit from which other calls reserve units: 1 to 10^12 units of a token bucket,
    /// fixed window or sliding window.
    pub fn debit(&self, units: u64) -> Result<EntryCost, ArgumentError> {
        self.entry(Mode::Debit, units)
    }

    fn entry(&self, mode: Mode, units: u64) -> Result<EntryCost, ArgumentError> {
        let held = match &self.rate {
            None => mode == Mode::Reserve,
            Some(rate) => mode == Mode::Charge || rate.script().holds,
        };
        if !held {
            return Err(ArgumentError(format!("limit does not support {}: {self}", mode.word())));
        }
        in_bounds("units", units, MOST_UNITS)?;
        Ok(EntryCost { limit: self.clone(), within: None, mode, units })
    }
}

/// The limit as text.
impl fmt::Display for EntryLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.rate {
            Some(rate) => rate.fmt(f),
            None => write!(f, "{CONCURRENCY}:{}", self.places),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Charge,
    Reserve,
    Debit,
}

impl Mode {
    fn word(self) -> &'static str {
        match self {
            Mode::Charge => "charge",
            Mode::Reserve => "reserve",
            Mode::Debit => "debit",
        }
    }
}

/// One limit of a call and the call's cost under this limit. A [`EntryLimit`] creates it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryCost {
    limit: EntryLimit,
    within: Option<Vec<u8>>,
    pub(crate) mode: Mode,
    units: u64,
}

impl EntryCost {
    /// Returns the entry for one member of the group, such as a tenant's user, instead of for the group itself. The member has the syntax
    /// of a subject.
    pub fn within(mut self, who: impl AsRef<[u8]>) -> Result<Self, ArgumentError> {
        escape_into(&mut Vec::new(), who.as_ref()).map_err(|error| ArgumentError(format!("within: {error}")))?;
        self.within = Some(who.as_ref().to_vec());
        Ok(self)
    }

    /// Returns the limit.
    pub fn limit(&self) -> &EntryLimit {
        &self.limit
    }

    /// Returns the cost of the call under this limit.
    pub fn units(&self) -> u64 {
        self.units
    }

    /// Returns whether the entry holds units of a rate limit; a settlement charges such units.
    pub(crate) fn counts_total(&self) -> bool {
        self.mode == Mode::Reserve && self.limit.rate.is_some()
    }

    pub(crate) fn tiers(&self) -> usize {
        self.limit.rate.as_ref().map_or(1, |rate| rate.tiers().len())
    }

    #[cfg(feature = "redis")]
    pub(crate) fn capacity(&self) -> u64 {
        self.limit.rate.as_ref().map_or(self.limit.places, |rate| rate.tiers()[0][0])
    }

    pub(crate) fn key(&self, prefix: &str, group: &[u8]) -> Result<Vec<u8>, ArgumentError> {
        let mut key = format!("{prefix}:{}:", self.limit.policy).into_bytes();
        key.extend(tag(group)?);
        if let Some(within) = &self.within {
            let mut member = Vec::new();
            escape_into(&mut member, within)?;
            key.push(b'/');
            member.iter().for_each(|octet| match octet {
                b'/' => key.extend(b"%2F"),
                _ => key.push(*octet),
            });
        }
        let marker = self.limit.rate.as_ref().map_or("c".to_string(), Limit::marker);
        let held = if self.mode == Mode::Charge { "" } else { "r" };
        key.extend(format!(":{held}{marker}").bytes());
        Ok(key)
    }

    pub(crate) fn args(&self) -> Vec<String> {
        let script = self.limit.rate.as_ref().map_or(CONCURRENCY, |rate| rate.script().name);
        let numbers = self.limit.rate.as_ref().map_or_else(|| vec![self.limit.places.to_string()], Limit::args);
        let head = [self.mode.word().to_string(), script.to_string(), self.units.to_string(), self.tiers().to_string()];
        head.into_iter().chain(numbers).collect()
    }
}

/// Returns the group as a hash tag, between braces.
pub(crate) fn tag(group: &[u8]) -> Result<Vec<u8>, ArgumentError> {
    let mut tag = b"{".to_vec();
    escape_into(&mut tag, group).map_err(|error| ArgumentError(format!("group: {error}")))?;
    tag.push(b'}');
    Ok(tag)
}

/// The idempotency key of one call. A call that is repeated with the same id and entries gets the same answer and is charged once.
///
/// Generate the id in your program. Never take it from a request, such as from a header, because a client that chooses the id can repeat an
/// allowed call, which is then allowed again without a charge.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CallId(String);

impl CallId {
    /// Creates an id from a text that the program has generated: 1 to 64 of `A-Z a-z 0-9 . _ -`.
    pub fn new(text: &str) -> Result<Self, ArgumentError> {
        is_name("id", text)?;
        Ok(Self(text.to_string()))
    }

    /// Returns a unique id of 128 random bits.
    #[cfg(feature = "redis")]
    pub fn random() -> Self {
        use std::hash::{BuildHasher, RandomState};
        let half = || RandomState::new().hash_one(std::time::SystemTime::now());
        Self(format!("{:016x}{:016x}", half(), half()))
    }
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The usage of an entry's limit after a call. Held units count as used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryUsage {
    /// The limit or capacity of the reported tier, which is the tier that denied the call or, if none did, the tier with the fewest units
    /// remaining.
    pub limit: u64,
    /// The available units.
    pub remaining: u64,
    /// The units that unsettled calls hold; 0 for an entry that charges.
    pub held: u64,
    /// The time until the reported tier is back at full capacity, in microseconds.
    pub reset_us: u64,
    /// The index of the reported tier, from 1.
    pub tier: u64,
}

impl EntryUsage {
    /// Returns the time until the reported tier is back at full capacity.
    pub fn reset_after(&self) -> Duration {
        Duration::from_micros(self.reset_us)
    }
}
