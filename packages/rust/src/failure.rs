use crate::scripts::ERROR_RULES;
use core::sync::atomic::{AtomicU32, Ordering};

/// The meaning of a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// The call was never sent for lack of a connection.
    NotSent,
    /// The call was sent, and no answer arrived.
    NotAnswered,
    /// The server replied that it cannot serve now.
    Unavailable,
    /// Credentials, certificate, database, kind of deployment, permissions, a key of another type.
    Misconfigured,
    /// A bound of this process is full while the server answers, or the server's memory is full.
    Overloaded,
    /// The server requires the call in another form or on another node.
    Redirect,
    /// An unknown error.
    Unknown,
}

impl FailureKind {
    /// Whether the server cannot be reached or cannot serve: the only failures after which a request may be let through.
    pub fn is_outage(self) -> bool {
        matches!(self, Self::NotSent | Self::NotAnswered | Self::Unavailable)
    }
}

/// The meaning of an error's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorMeaning {
    /// The kind of failure.
    pub kind: FailureKind,
    /// Whether the call may have been charged; false proves that it was not.
    pub charged: bool,
}

/// The meaning of the text of a server's error, with its code word or without `ERR`.
pub fn classify(text: &str) -> ErrorMeaning {
    let text = without_wrapper(text);
    let fits = |rule: &str| begins(text, rule) || rule.strip_prefix("ERR ").is_some_and(|rule| begins(text, rule));
    match ERROR_RULES.iter().find(|(rule, _, _, of_client)| !of_client && fits(rule)) {
        Some(&(_, kind, charged, _)) => ErrorMeaning { kind, charged },
        None => ErrorMeaning { kind: FailureKind::Unknown, charged: true },
    }
}

/// Whether the text of a server's error, with its code word, proves that the call was not charged.
pub fn proves_not_run(text: &str) -> bool {
    !classify(text).charged
}

/// Since when a server answers READONLY without a decision: a replica's address does so for longer than a failover.
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

    /// Records a READONLY at a time in seconds, from 1; true if it belongs to a replica's address.
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

/// An error without the text that Redis 6 adds around one inside a script.
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
