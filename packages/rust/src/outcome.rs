//! The outcome of a call that was sent through redis-rs: a decision, or an error.

use crate::failure::ReadOnlySince;
use crate::verdict::Ending;
use crate::FailureKind::{self, Misconfigured, NotAnswered, NotSent, Overloaded, Redirect, Unavailable, Unknown};
use crate::{classify, ArgumentError, Call, Choice, Decision, ErrorMeaning, Failure, ReplyError};
use alloc::{boxed::Box, format, string::String, sync::Arc, vec::Vec};
use core::fmt;
use redis::{ErrorKind, RedisError, ServerErrorKind, Value};
use std::{sync::OnceLock, time::Instant};

/// The wait of a caller that was denied without the server.
const DENIED_FOR_US: i64 = 1_000_000;

/// The reason why a call has no decision. Only the first two are outages, after which a request may be served without a decision.
#[derive(Debug)]
pub enum Error {
    /// An outage in which nothing was charged, because there was no connection or the server cannot serve calls now.
    NoDecision(FailureKind, RedisError),
    /// An outage in which the call was sent but not answered. The call may or may not have been charged.
    MaybeCharged(RedisError),
    /// The configuration is wrong, such as the credentials, database, kind of deployment or permissions. Nothing was charged.
    Misconfigured(RedisError),
    /// The call was late although the server answers, and may have been charged. Or the server is out of memory or 100,000 calls are in
    /// flight, and nothing was charged.
    Overloaded(RedisError),
    /// The call was late and may have been charged, and it is not yet known whether the server answers. Limiters treat this error like
    /// `Overloaded`.
    NoVerdict(RedisError),
    /// The failure is unknown, and the call may have been charged.
    Unknown(RedisError),
    /// The reply violates the protocol; the call may or may not have been charged.
    Unreadable(ReplyError),
    /// An argument is invalid, such as an empty subject. Nothing was sent.
    Argument(ArgumentError),
    /// The last attempt of a call with an id failed with this error, but an earlier attempt was not answered and may have been charged.
    Repeated(Box<Error>),
}

impl Error {
    /// Returns the kind of the failure.
    pub fn kind(&self) -> FailureKind {
        match self {
            Error::NoDecision(kind, _) => *kind,
            Error::MaybeCharged(_) => NotAnswered,
            Error::Misconfigured(_) | Error::Argument(_) => Misconfigured,
            Error::Overloaded(_) | Error::NoVerdict(_) => Overloaded,
            Error::Unknown(_) | Error::Unreadable(_) => Unknown,
            Error::Repeated(last) => last.kind(),
        }
    }

    /// Returns whether the server is unreachable or cannot serve calls. Only after such an error may a request be let through.
    pub fn is_outage(&self) -> bool {
        self.kind().is_outage()
    }

    /// Returns whether the call may have been charged, so that sending it again could charge twice.
    pub fn may_be_charged(&self) -> bool {
        match self {
            Error::MaybeCharged(_) | Error::Unknown(_) | Error::Unreadable(_) => true,
            Error::NoVerdict(_) | Error::Repeated(_) => true,
            Error::Overloaded(error) => error.is_timeout(),
            Error::NoDecision(..) | Error::Misconfigured(_) | Error::Argument(_) => false,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoDecision(NotSent, error) => write!(f, "no decision, because there is no connection: {error}"),
            Error::NoDecision(NotAnswered, error) => write!(f, "no decision, because no answer came: {error}"),
            Error::NoDecision(_, error) => write!(f, "no decision, because the server cannot serve: {error}"),
            Error::MaybeCharged(error) => write!(f, "no answer came, so the call may have been charged: {error}"),
            Error::Misconfigured(error) => write!(f, "the configuration is wrong: {error}"),
            Error::Overloaded(error) if error.is_timeout() => {
                write!(
                    f,
                    "overloaded: the server answers, but not in time, and the call may have been charged: {error}"
                )
            }
            Error::NoVerdict(error) => {
                write!(
                    f,
                    "no answer in time, no verdict on the server yet, and the call may have been charged: {error}"
                )
            }
            Error::Overloaded(error) if server_text(error).is_empty() => {
                write!(f, "too many calls at once, and nothing was charged: {error}")
            }
            Error::Overloaded(error) => write!(f, "the server's memory is full: {error}"),
            Error::Unknown(error) => {
                write!(f, "unknown failure, and the call may have been charged: {error}")
            }
            Error::Unreadable(error) => write!(f, "the call may have been charged: {error}"),
            Error::Argument(error) => write!(f, "{error}"),
            Error::Repeated(last) => {
                write!(f, "an earlier attempt had no answer, so the call may have been charged: {last}")
            }
        }
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Error::NoDecision(_, error)
            | Error::MaybeCharged(error)
            | Error::Misconfigured(error)
            | Error::Overloaded(error)
            | Error::NoVerdict(error)
            | Error::Unknown(error) => Some(error),
            Error::Unreadable(error) => Some(error),
            Error::Argument(error) => Some(error),
            Error::Repeated(last) => Some(last),
        }
    }
}

impl From<ArgumentError> for Error {
    fn from(error: ArgumentError) -> Self {
        Error::Argument(error)
    }
}

/// Classifies an error of redis-rs. `sent` is whether the command may have left this process; a refused connection proves that it has not.
pub fn classify_error(error: &RedisError, sent: bool) -> ErrorMeaning {
    let text = server_text(error);
    let (kind, charged) = match error.kind() {
        _ if !text.is_empty() => {
            let meaning = classify(&text);
            (meaning.kind, meaning.charged)
        }
        ErrorKind::AuthenticationFailed | ErrorKind::InvalidClientConfig | ErrorKind::RESP3NotSupported => {
            (Misconfigured, false)
        }
        ErrorKind::Io if is_refused_by_tls(error) => (Misconfigured, false),
        _ if error.is_connection_refusal() => (NotSent, false),
        ErrorKind::Io | ErrorKind::ClusterConnectionNotFound => (if sent { NotAnswered } else { NotSent }, true),
        _ => (Unknown, true),
    };
    ErrorMeaning { kind, charged: sent && charged }
}

/// Returns whether one side rejects the other's certificate, or does not speak TLS, according to the error text of rustls; an error of
/// native-tls is not an I/O error.
fn is_refused_by_tls(error: &RedisError) -> bool {
    let text = format!("{error}");
    let is_alert = text.starts_with("received fatal alert: ") && !text.ends_with(": InternalError");
    is_alert || ["invalid peer certificate: ", "received corrupt message "].iter().any(|begin| text.starts_with(begin))
}

/// The outcome of a call, which a limiter's [`on_outcome`](crate::RateLimiter::on_outcome) receives.
#[derive(Debug, Clone, Copy)]
pub struct Outcome<'a> {
    /// The name of the limiter's policy.
    pub policy: &'a str,
    /// The call's key, which contains the subject.
    pub key: &'a [u8],
    /// The decision, if there is one.
    pub decision: Option<&'a Decision>,
    /// The error, if there is one. There is also a decision if the limiter made one without the server.
    pub error: Option<&'a Error>,
}

/// Receives every call's outcome.
#[derive(Clone)]
pub(crate) struct Listener(pub(crate) Arc<dyn Fn(&Outcome<'_>) + Send + Sync>);

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener")
    }
}

pub(crate) fn tell(call: &Call, decision: Option<&Decision>, error: Option<&Error>) {
    if let Some(Listener(listener)) = &call.policy.listener {
        listener(&Outcome { policy: call.policy.name(), key: &call.key, decision, error });
    }
}

/// `ending` is the end of a late call, and `refusal` the reason why the server could not be checked.
pub(crate) fn outcome(
    call: &Call,
    reply: Result<Value, Failure>,
    ending: Option<Ending>,
    refusal: Option<RedisError>,
) -> Result<Decision, Error> {
    let answered = match (reply, ending) {
        (Err(Failure::Sent(error) | Failure::NotSent(error)), Some(ending)) if ending != Ending::Outage => {
            Err(late(ending, error, refusal))
        }
        (reply, _) => answered(call, reply),
    };
    let decided = answered.as_ref().err().and_then(|error| undecided(call, error.kind()));
    tell(call, answered.as_ref().ok().or(decided.as_ref()), answered.as_ref().err());
    decided.map_or(answered, Ok)
}

/// Returns the error of a call that is late but not because of an outage.
pub(crate) fn late(ending: Ending, error: RedisError, refusal: Option<RedisError>) -> Error {
    match ending {
        Ending::Refused => Error::Misconfigured(refusal.unwrap_or(error)),
        Ending::NoVerdict => Error::NoVerdict(error),
        Ending::Overloaded | Ending::Outage => Error::Overloaded(error),
    }
}

fn answered(call: &Call, reply: Result<Value, Failure>) -> Result<Decision, Error> {
    match reply {
        Ok(value) => match redis::from_redis_value::<Vec<i64>>(value.clone()) {
            Ok(six) => {
                call.policy.read_only.decided();
                call.read(&six).map_err(Error::Unreadable)
            }
            Err(_) => Err(Error::Unreadable(ReplyError(format!("{value:?}")))),
        },
        Err(Failure::NotSent(error)) => Err(failed(&call.policy.read_only, !call.is_peek(), error, false)),
        Err(Failure::Sent(error)) => Err(failed(&call.policy.read_only, !call.is_peek(), error, true)),
    }
}

/// Returns the limiter's own decision, if it is configured to make one.
fn undecided(call: &Call, kind: FailureKind) -> Option<Decision> {
    let choice = match kind {
        _ if call.cost <= 0 => Choice::Fail,
        NotSent | NotAnswered | Unavailable => call.policy.on_unavailable,
        Overloaded => call.policy.on_overload,
        Misconfigured | Redirect | Unknown => Choice::Fail,
    };
    let (granted, wait_us) = match choice {
        Choice::Fail => return None,
        Choice::Allow => (call.calls, 0),
        Choice::Deny => (0, DENIED_FOR_US),
    };
    let limit = call.policy.limit.tiers()[0][0];
    Some(Decision { granted, limit, remaining: 0, wait_us, reset_us: 0, tier: 1, enforced: false, remembered: false })
}

pub(crate) fn failed(read_only: &ReadOnlySince, charges: bool, error: RedisError, sent: bool) -> Error {
    let meaning = classify_error(&error, sent);
    match meaning.kind {
        // The node of a cluster redirects a single server's client; a cluster's client has already followed several redirects.
        Redirect if sent => Error::Misconfigured(error),
        Redirect => Error::NoDecision(Unavailable, error),
        Unavailable if is_read_only(&error) && read_only.is_lasting(seconds()) => Error::Misconfigured(error),
        NotAnswered if meaning.charged && charges => Error::MaybeCharged(error),
        NotSent | NotAnswered | Unavailable => Error::NoDecision(meaning.kind, error),
        Misconfigured => Error::Misconfigured(error),
        Overloaded => Error::Overloaded(error),
        Unknown => Error::Unknown(error),
    }
}

pub(crate) fn is_read_only(error: &RedisError) -> bool {
    error.kind() == ErrorKind::Server(ServerErrorKind::ReadOnly) || server_text(error).contains(": -READONLY ")
}

/// Returns the seconds since the process began, from 1.
fn seconds() -> u32 {
    static BEGUN: OnceLock<Instant> = OnceLock::new();
    1 + BEGUN.get_or_init(Instant::now).elapsed().as_secs() as u32
}

/// Returns the server's error text with its code word; empty if the error is not the server's.
pub(crate) fn server_text(error: &RedisError) -> String {
    match error.kind() {
        ErrorKind::Server(_) | ErrorKind::Extension => {
            format!("{} {}", error.code().unwrap_or("ERR"), error.detail().unwrap_or(""))
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    #[test]
    fn what_tls_refuses_is_set_up_wrong() {
        let refused = |text: &str| {
            let error = RedisError::from(io::Error::new(io::ErrorKind::InvalidData, text));
            classify_error(&error, true).kind
        };
        for text in ["invalid peer certificate: UnknownIssuer", "received fatal alert: CertificateRequired"] {
            assert_eq!(refused(text), Misconfigured, "{text}");
        }
        assert_eq!(refused("received fatal alert: InternalError"), NotAnswered);
        assert_eq!(refused("the peer sent an invalid peer certificate: UnknownIssuer"), NotAnswered);
    }
}
