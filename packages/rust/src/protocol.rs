use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::{fmt, time::Duration};
use sha2::{Digest, Sha256};

pub(crate) const MOST_UNITS: u64 = 1_000_000_000_000;
pub(crate) const MOST_TIERS: usize = 16;
pub(crate) const LONGEST_US: u64 = 366 * 86_400_000_000;
const CENTURY_US: u128 = 36_525 * 86_400_000_000;
const LONGEST_SUBJECT: usize = 128;

/// One of the protocol's scripts.
#[derive(Debug, PartialEq, Eq)]
pub struct Script {
    /// The name, such as `token-bucket`.
    pub name: &'static str,
    /// The SHA1 of the source.
    pub sha1: &'static str,
    /// The name of the function in the Functions library.
    pub function: &'static str,
    /// The letter with which the last part of a key begins.
    pub marker: &'static str,
    /// How many of a tier's leading numbers the last part of a key omits.
    pub unmarked: usize,
    /// The names of a tier's numbers.
    pub tier: &'static [&'static str],
    /// The upper bounds of a tier's numbers.
    pub most: &'static [u64],
    /// How the units of a tier refill: `evenly`, `in_batches`, `at_end` of a window, or `fading` with the older of two windows.
    pub refill: &'static str,
    /// Whether an admitted call waits for its turn.
    pub queues: bool,
    /// Whether units can be reserved and settled later.
    pub holds: bool,
    /// The source code, for EVAL.
    pub source: &'static str,
}

/// A script that replaces the script of another limiter; docs/drop-ins.md describes its contract.
#[derive(Debug, PartialEq, Eq)]
pub struct DropIn {
    /// The name, such as `counter`.
    pub name: &'static str,
    /// The SHA1 of the source.
    pub sha1: &'static str,
    /// The source code, for EVAL.
    pub source: &'static str,
}

/// The error for an invalid argument; its text names the argument and the rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgumentError(pub(crate) String);

/// The error for a reply that violates the protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplyError(pub(crate) String);

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for ReplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the reply must be integers of the protocol: {}", self.0)
    }
}

impl core::error::Error for ArgumentError {}
impl core::error::Error for ReplyError {}

/// A script and the numbers of its 1 to 16 tiers. A call is charged to all tiers or to none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    script: &'static Script,
    tiers: Vec<Vec<u64>>,
}

impl Limit {
    /// Creates a limit from a script and the numbers of its tiers, with times in microseconds.
    pub fn new(script: &'static Script, tiers: Vec<Vec<u64>>) -> Result<Self, ArgumentError> {
        if tiers.is_empty() || tiers.len() > MOST_TIERS {
            return Err(ArgumentError(format!("tiers must be 1 to {MOST_TIERS}: {}", tiers.len())));
        }
        for tier in &tiers {
            if tier.len() != script.tier.len() {
                return Err(ArgumentError(format!("a tier must be {}: {tier:?}", script.tier.join(" "))));
            }
            for (at, value) in tier.iter().enumerate() {
                in_bounds(script.tier[at], *value, script.most[at])?;
            }
            if let &[capacity, units, period] = tier.as_slice() {
                bucket_in_bounds(script.refill == "in_batches", capacity.into(), units.into(), period.into())?;
            }
        }
        Ok(Self { script, tiers })
    }

    /// Combines this limit with another limit of the same script.
    pub fn and(&self, other: &Limit) -> Result<Self, ArgumentError> {
        if other.script != self.script {
            let both = format!("{} and {}", self.script.name, other.script.name);
            return Err(ArgumentError(format!("tiers must be of one script: {both}")));
        }
        Self::new(self.script, [self.tiers.clone(), other.tiers.clone()].concat())
    }

    pub(crate) fn tiers(&self) -> &[Vec<u64>] {
        &self.tiers
    }

    /// Returns the limit's script.
    pub fn script(&self) -> &'static Script {
        self.script
    }

    /// Returns the last part of the key.
    pub fn marker(&self) -> String {
        let numbers = |tier: &Vec<u64>| decimals(&tier[self.script.unmarked..]).join(".");
        format!("{}{}", self.script.marker, self.tiers.iter().map(numbers).collect::<Vec<_>>().join("-"))
    }

    /// Returns the arguments that follow the cost.
    pub fn args(&self) -> Vec<String> {
        self.tiers.iter().flat_map(|tier| decimals(tier)).collect()
    }
}

fn decimals(values: &[u64]) -> Vec<String> {
    values.iter().map(u64::to_string).collect()
}

pub(crate) fn in_bounds(name: &str, value: u64, most: u64) -> Result<u64, ArgumentError> {
    if value < 1 || value > most {
        return Err(ArgumentError(format!("{name} must be from 1 to {most}: {value}")));
    }
    Ok(value)
}

/// Returns whether a bucket is within the scripts' bounds as a whole.
fn bucket_in_bounds(in_batches: bool, capacity: u128, units: u128, period: u128) -> Result<(), ArgumentError> {
    let fills = match in_batches {
        true => capacity.div_ceil(units) * period <= CENTURY_US,
        false => capacity * period <= units * CENTURY_US,
    };
    if !fills {
        return Err(ArgumentError(format!("capacity must be such that the bucket fills within 100 years: {capacity}")));
    }
    let (mut divisor, mut rest) = (units, period);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    if !in_batches && capacity * period / divisor >= 1 << 53 {
        let rule = "such that capacity * period is below 2^53 where units / period is in lowest terms";
        return Err(ArgumentError(format!("capacity must be {rule}: {capacity}")));
    }
    Ok(())
}

/// Converts a time to microseconds, the unit of the scripts; the script's bounds determine whether it is too long.
pub(crate) fn micros(name: &str, time: Duration) -> Result<u64, ArgumentError> {
    if !time.subsec_nanos().is_multiple_of(1000) {
        return Err(ArgumentError(format!("{name} must be whole microseconds: {time:?}")));
    }
    Ok(u64::try_from(time.as_micros()).unwrap_or(u64::MAX))
}

/// Returns `<prefix>:<policy>:{<subject>}:<marker>` with the subject escaped, or hashed if it is longer than 128 bytes.
pub fn key(prefix: &str, policy: &str, subject: impl AsRef<[u8]>, limit: &Limit) -> Result<Vec<u8>, ArgumentError> {
    is_name("prefix", prefix)?;
    is_name("policy", policy)?;
    let mut key = format!("{prefix}:{policy}:{{").into_bytes();
    escape_into(&mut key, subject.as_ref())?;
    key.extend(format!("}}:{}", limit.marker()).bytes());
    Ok(key)
}

pub(crate) fn is_name(name: &str, value: &str) -> Result<(), ArgumentError> {
    let plain = |c: u8| c.is_ascii_alphanumeric() || b"._-".contains(&c);
    if value.is_empty() || value.len() > 64 || !value.bytes().all(plain) {
        return Err(ArgumentError(format!(
            "{name} must be 1 to 64 letters, digits, dots, hyphens and underscores, such as get-orders: {value:?}"
        )));
    }
    Ok(())
}

pub(crate) fn escape_into(key: &mut Vec<u8>, subject: &[u8]) -> Result<(), ArgumentError> {
    if subject.is_empty() || core::str::from_utf8(subject).is_err() {
        return Err(ArgumentError("subject must be UTF-8 of at least one byte".to_string()));
    }
    if subject.len() > LONGEST_SUBJECT {
        let hash: String = Sha256::digest(subject).iter().map(|octet| format!("{octet:02x}")).collect();
        key.extend(format!("%sha256-{hash}").bytes());
        return Ok(());
    }
    for octet in subject {
        match octet {
            0..=0x1f | 0x7f | b'%' | b'{' | b'}' => key.extend(format!("%{octet:02X}").bytes()),
            _ => key.push(*octet),
        }
    }
    Ok(())
}

/// The script's reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "a decision may be a denial"]
pub struct Decision {
    /// 0 or 1 or, for several calls, the number of calls that were charged.
    pub granted: u64,
    /// The limit or capacity of the deciding tier.
    pub limit: u64,
    /// The whole units that are available in the deciding tier.
    pub remaining: u64,
    /// The script's `wait_us`. It is -1 if waiting does not help because the cost exceeds the limit.
    pub wait_us: i64,
    /// The script's `reset_us`.
    pub reset_us: u64,
    /// The index of the deciding tier, from 1.
    pub tier: u64,
    /// False if the server did not make the decision, because of an outage or an overload.
    pub enforced: bool,
    /// Whether a `DenialMemory` repeated the decision without a round trip.
    pub remembered: bool,
}

impl Decision {
    /// Decodes the reply to a call with a cost, or with `cost*calls` for this number of calls.
    pub fn read(reply: &[i64], calls: u64) -> Result<Self, ReplyError> {
        let unreadable = || ReplyError(format!("{reply:?}"));
        let &[granted, limit, remaining, wait_us, reset_us, tier] = reply else {
            return Err(unreadable());
        };
        let unsigned = |value: i64| u64::try_from(value).map_err(|_| unreadable());
        let read = Self {
            granted: unsigned(granted)?,
            limit: unsigned(limit)?,
            remaining: unsigned(remaining)?,
            wait_us,
            reset_us: unsigned(reset_us)?,
            tier: unsigned(tier)?,
            enforced: true,
            remembered: false,
        };
        let least = if read.allowed() { 0 } else { -1 };
        let tiers = 1..=MOST_TIERS as u64;
        if read.granted > calls || read.limit < 1 || wait_us < least || !tiers.contains(&read.tier) {
            return Err(unreadable());
        }
        Ok(read)
    }

    /// Returns whether the call was allowed.
    pub fn allowed(&self) -> bool {
        self.granted > 0
    }

    /// Returns whether the cost exceeds the limit, so the call can never succeed.
    pub fn impossible(&self) -> bool {
        self.wait_us < 0
    }

    /// Returns the time after which a denied call can be retried. It is zero if the call was allowed, and `None` if waiting does not help.
    pub fn retry_after(&self) -> Option<Duration> {
        match u64::try_from(self.wait_us) {
            Ok(wait) => Some(Duration::from_micros(if self.allowed() { 0 } else { wait })),
            Err(_) => None,
        }
    }

    /// Returns `retry_after` in whole seconds, rounded up, as in HTTP's `Retry-After`.
    pub fn retry_after_seconds(&self) -> Option<u64> {
        self.retry_after().map(|wait| wait.as_secs() + u64::from(wait.subsec_nanos() > 0))
    }

    /// Returns the time that an allowed call must wait for its turn in a leaky bucket's queue before it proceeds.
    pub fn delay(&self) -> Duration {
        Duration::from_micros(if self.allowed() { self.wait_us.unsigned_abs() } else { 0 })
    }

    /// Returns the time until the deciding tier is back at full capacity.
    pub fn reset_after(&self) -> Duration {
        Duration::from_micros(self.reset_us)
    }
}
