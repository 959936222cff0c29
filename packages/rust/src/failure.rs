use crate::scripts::ERROR_RULES;
use core::sync::atomic::{AtomicU32, Ordering};

/// The class of a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// The call was never sent, because there was no connection.
    NotSent,
    /// The call was sent, but no answer arrived.
    NotAnswered,
    /// The server replied that it cannot serve calls now.
    Unavailable,
    /// The configuration is wrong: credentials, certificate, database, kind of deployment, permissions, or a key of another type.
    Misconfigured,
    /// A resource of this process is exhausted although the server answers, or the server is out of memory.
    Overloaded,
    /// The server requires the call to be sent in a different form or to a different node.
    Redirect,
    /// The error is unknown.
    Unknown,
}

impl FailureKind {
    /// Returns whether the server is unreachable or cannot serve calls. Only after such a failure may a request be let through.
    pub fn is_outage(self) -> bool {
        matches!(self, Self::NotSent | Self::NotAnswered | Self::Unavailable)
    }
}

/// The classification of an error text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorMeaning {
    /// The kind of the failure.
    pub kind: FailureKind,
    /// Whether the call may have been charged; false proves that it was not.
    pub charged: bool,
}

/// Classifies an error text of the server, with its code word or without `ERR`.
pub fn classify(text: &str) -> ErrorMeaning {
    let text = without_wrapper(text);
    let fits = |rule: &str| begins(text, rule) || rule.strip_prefix("ERR ").is_some_and(|rule| begins(text, rule));
    match ERROR_RULES.iter().find(|(rule, _, _, of_client)| !of_client && fits(rule)) {
        Some(&(_, kind, charged, _)) => ErrorMeaning { kind, charged },
        None => ErrorMeaning { kind: FailureKind::Unknown, charged: true },
    }
}

/// Returns whether an error text of the server, with its code word, proves that the call was not charged.
pub fn proves_not_run(text: &str) -> bool {
    !classify(text).charged
}

/// The time since which a server has answered READONLY without a decision in between; if this lasts longer than a failover, the address is
/// a replica's.
#[derive(Debug, Default)]
#[cfg_attr(not(feature = "redis"), allow(dead_code))]
pub(crate) struct ReadOnlySince(AtomicU32);

#[cfg_attr(not(feature = "redis"), allow(dead_code))]
impl ReadOnlySince {
    const FAILOVER_SECONDS: u32 = 10;

    pub(crate) fn decided(&self) {
        if self.0.load(Ordering::Relaxed) != 0 {
            self.0.store(0, Ordering::Relaxed);
        }
    }

    /// Records a READONLY at a time in seconds, from 1; returns true if the address is a replica's.
    pub(crate) fn is_lasting(&self, now: u32) -> bool {
        match self.0.compare_exchange(0, now, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => false,
            Err(since) => now.saturating_sub(since) > Self::FAILOVER_SECONDS,
        }
    }
}

fn begins(text: &str, rule: &str) -> bool {
    text.strip_prefix(rule).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

/// Returns an error text without the text that Redis 6 puts around an error raised inside a script.
fn without_wrapper(text: &str) -> &str {
    let numbered = |text| {
        let (line, rest) = str::split_once(text, ": ")?;
        line.bytes().all(|digit| digit.is_ascii_digit()).then_some(rest)
    };
    let raised = text.strip_prefix("ERR ").unwrap_or(text).strip_prefix("Error running script (call to f_");
    let Some((sha1, rest)) = raised.and_then(|rest| rest.split_once("): @user_script:")) else { return text };
    let Some(inner) = numbered(rest).filter(|_| sha1.bytes().all(|octet| octet.is_ascii_alphanumeric())) else {
        return text;
    };
    let error = inner.strip_prefix("@user_script: ").and_then(numbered).unwrap_or(inner);
    error.strip_prefix('-').unwrap_or(error)
}
