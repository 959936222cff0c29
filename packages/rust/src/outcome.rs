//! What became of a call that was sent through redis-rs: a decision, or why there is none.

use crate::FailureKind::{self, Misconfigured, NotAnswered, NotSent, Overloaded, Redirect, Unavailable, Unknown};
use crate::{classify, Call, Decision, ErrorMeaning, Failure, ReplyError};
use alloc::{format, string::String, vec::Vec};
use core::fmt;
use redis::{ErrorKind, RedisError, ServerErrorKind, Value};
use std::{sync::OnceLock, time::Instant};

/// Why a call has no decision. Only the first two are an outage, after which a request may be served without one.
#[derive(Debug)]
pub enum Error {
    /// An outage, and nothing was charged: there is no connection, or the server cannot serve now.
    NoDecision(FailureKind, RedisError),
    /// An outage, and the call was sent: no answer tells whether it ran, so it may or may not have been charged.
    MaybeCharged(RedisError),
    /// Something is set up wrong, such as credentials, database, kind of deployment or permissions. Nothing was charged.
    Misconfigured(RedisError),
    /// The server's memory is full. Nothing was charged.
    Overloaded(RedisError),
    /// The failure stands in no list, and the call may have been charged.
    Unknown(RedisError),
    /// The answer is not the protocol's, so the call may or may not have been charged.
    Unreadable(ReplyError),
}

impl Error {
    /// What kind of failure it is.
    pub fn kind(&self) -> FailureKind {
        match self {
            Error::NoDecision(kind, _) => *kind,
            Error::MaybeCharged(_) => NotAnswered,
            Error::Misconfigured(_) => Misconfigured,
            Error::Overloaded(_) => Overloaded,
            Error::Unknown(_) | Error::Unreadable(_) => Unknown,
        }
    }

    /// Whether the server cannot be reached or cannot serve: the only errors after which a request may be let through.
    pub fn is_outage(&self) -> bool {
        self.kind().is_outage()
    }

    /// Whether the call may have been charged all the same, so that sending it again could charge twice.
    pub fn may_be_charged(&self) -> bool {
        matches!(self, Error::MaybeCharged(_) | Error::Unknown(_) | Error::Unreadable(_))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoDecision(NotSent, error) => write!(f, "no decision, because there is no connection: {error}"),
            Error::NoDecision(NotAnswered, error) => write!(f, "no decision, because no answer came: {error}"),
            Error::NoDecision(_, error) => write!(f, "no decision, because the server cannot serve: {error}"),
            Error::MaybeCharged(error) => write!(f, "no answer came, so the call may have been charged: {error}"),
            Error::Misconfigured(error) => write!(f, "something is set up wrong: {error}"),
            Error::Overloaded(error) => write!(f, "the server's memory is full: {error}"),
            Error::Unknown(error) => {
                write!(f, "this failure is in no list, and the call may have been charged: {error}")
            }
            Error::Unreadable(error) => write!(f, "the call may have been charged: {error}"),
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
            | Error::Unknown(error) => Some(error),
            Error::Unreadable(error) => Some(error),
        }
    }
}

/// What an error of redis-rs means. `sent` is whether the command may have left this process; a refused connection proves
/// that it has not.
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
        _ if error.is_connection_refusal() => (NotSent, false),
        ErrorKind::Io | ErrorKind::ClusterConnectionNotFound => (if sent { NotAnswered } else { NotSent }, true),
        _ => (Unknown, true),
    };
    ErrorMeaning { kind, charged: sent && charged }
}

pub(crate) fn outcome(call: &Call, reply: Result<Value, Failure>) -> Result<Decision, Error> {
    match reply {
        Ok(value) => match redis::from_redis_value::<Vec<i64>>(value.clone()) {
            Ok(six) => {
                call.read_only.decided();
                call.read(&six).map_err(Error::Unreadable)
            }
            Err(_) => Err(Error::Unreadable(ReplyError(format!("{value:?}")))),
        },
        Err(Failure::NotSent(error)) => Err(failed(call, error, false)),
        Err(Failure::Sent(error)) => Err(failed(call, error, true)),
    }
}

fn failed(call: &Call, error: RedisError, sent: bool) -> Error {
    let meaning = classify_error(&error, sent);
    match meaning.kind {
        // A single server's client is told so by a cluster's node; a cluster's client has followed it several times.
        Redirect if sent => Error::Misconfigured(error),
        Redirect => Error::NoDecision(Unavailable, error),
        Unavailable if is_read_only(&error) && call.read_only.is_lasting(seconds()) => Error::Misconfigured(error),
        NotAnswered if meaning.charged && !call.is_peek() => Error::MaybeCharged(error),
        NotSent | NotAnswered | Unavailable => Error::NoDecision(meaning.kind, error),
        Misconfigured => Error::Misconfigured(error),
        Overloaded => Error::Overloaded(error),
        Unknown => Error::Unknown(error),
    }
}

fn is_read_only(error: &RedisError) -> bool {
    error.kind() == ErrorKind::Server(ServerErrorKind::ReadOnly) || server_text(error).contains(": -READONLY ")
}

/// Seconds of this process, from 1.
fn seconds() -> u32 {
    static BEGUN: OnceLock<Instant> = OnceLock::new();
    1 + BEGUN.get_or_init(Instant::now).elapsed().as_secs() as u32
}

/// The server's words with their code word; empty if the error is not the server's.
pub(crate) fn server_text(error: &RedisError) -> String {
    match error.kind() {
        ErrorKind::Server(_) | ErrorKind::Extension => {
            format!("{} {}", error.code().unwrap_or("ERR"), error.detail().unwrap_or(""))
        }
        _ => String::new(),
    }
}
