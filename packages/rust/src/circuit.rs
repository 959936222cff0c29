//! The circuit breaker of a server: rule F1 of docs/protocol.md.

use crate::numbers::{CIRCUIT_LOST_CALLS, CIRCUIT_SPREAD, CIRCUIT_TRIAL_CALLS};
use crate::{classify_error, ArgumentError, Failure, FailureKind};
use alloc::{format, sync::Arc};
use core::fmt;
use redis::Value;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Makes calls fail fast while the server is down. Create one breaker for each server and pass it to all limiters whose calls go there.
/// Clones share their state. It is thread-safe.
///
/// Clusters are not supported, because the node of a call is not known.
#[derive(Clone)]
pub struct CircuitBreaker(Arc<Inner>);

struct Inner {
    length: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The time at which the next probe may be sent, while the breaker is open.
    next: Option<Instant>,
    /// The number of consecutive calls without an answer, while the breaker is closed.
    lost: u32,
    /// The number of calls that may be sent now, after an answer.
    trials: u32,
    /// The number of answers since the breaker opened.
    answers: u32,
}

impl CircuitBreaker {
    /// Creates a circuit breaker that stays open for `length`, 10 ms to 1 hour, after 5 consecutive calls without any answer, that is,
    /// without a connection or without a reply in time. While it is open, calls for units end as `on_unavailable` specifies, except that
    /// one probe is sent in each such interval. After the first answer, the next two calls are sent; if both are answered, the breaker
    /// closes.
    pub fn new(length: Duration) -> Result<Self, ArgumentError> {
        if !(Duration::from_millis(10)..=Duration::from_secs(3600)).contains(&length) {
            return Err(ArgumentError(format!("length must be from 10 ms to 1 hour: {length:?}")));
        }
        Ok(Self(Arc::new(Inner { length, state: Mutex::default() })))
    }

    /// Returns whether the breaker is open or half-open.
    pub fn is_open(&self) -> bool {
        self.state().next.is_some()
    }

    /// Returns whether a call for units may be sent.
    pub(crate) fn may_send(&self, now: Instant) -> bool {
        let mut state = self.state();
        match state.next {
            None => return true,
            Some(_) if state.trials > 0 => state.trials -= 1,
            Some(next) if now < next => return false,
            Some(_) => {}
        }
        state.next = Some(self.later(now));
        true
    }

    /// Records the outcome of a call. Any reply of the server counts as an answer.
    pub(crate) fn note(&self, reply: &Result<Value, Failure>, now: Instant) {
        let kind = match reply {
            Ok(_) => None,
            Err(Failure::NotSent(error)) => Some(classify_error(error, false).kind),
            Err(Failure::Sent(error)) => Some(classify_error(error, true).kind),
        };
        let lost = matches!(kind, Some(FailureKind::NotSent | FailureKind::NotAnswered));
        let mut state = self.state();
        let open = state.next.is_some();
        match (lost, open) {
            (false, true) if state.answers < CIRCUIT_TRIAL_CALLS => {
                state.trials = if state.answers == 0 { CIRCUIT_TRIAL_CALLS } else { state.trials };
                state.answers += 1;
                state.next = Some(self.later(now));
            }
            (false, _) => *state = State::default(),
            (true, true) if state.answers == 0 => {}
            (true, false) if state.lost + 1 < CIRCUIT_LOST_CALLS => state.lost += 1,
            (true, _) => *state = State { next: Some(self.later(now)), ..State::default() },
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the time of the next probe: now plus a random 90 to 100 % of the length, so that processes do not probe simultaneously.
    fn later(&self, now: Instant) -> Instant {
        let random = RandomState::new().build_hasher().finish() as u32;
        now + self.0.length - self.0.length.mul_f64(CIRCUIT_SPREAD * f64::from(random) / f64::from(u32::MAX))
    }
}

impl fmt::Debug for CircuitBreaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CircuitBreaker of {:?}", self.0.length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use redis::RedisError;
    use std::io;
    use std::string::ToString;

    #[test]
    fn f1_the_circuit_of_a_server() {
        let io = |kind: io::ErrorKind| RedisError::from(io::Error::from(kind));
        for sequence in crate::vectors::vectors("circuit", "sequences", crate::vectors::all) {
            let breaker = CircuitBreaker::new(Duration::from_micros(sequence["length_us"].as_u64().unwrap())).unwrap();
            let begin = Instant::now();
            for step in sequence["steps"].as_array().unwrap() {
                let now = begin + Duration::from_micros(step["at_us"].as_u64().unwrap());
                for each in 0..step["lost"].as_u64().unwrap_or(0) {
                    let lost = match each % 2 {
                        0 => Failure::NotSent(io(io::ErrorKind::ConnectionRefused)),
                        _ => Failure::Sent(io(io::ErrorKind::TimedOut)),
                    };
                    breaker.note(&Err(lost), now);
                }
                for each in 0..step["answered"].as_u64().unwrap_or(0) {
                    // Error replies of a server are answers.
                    let full = redis::make_extension_error("OOM".into(), Some("command not allowed".into()));
                    let answer = if each % 2 == 0 { Ok(Value::Nil) } else { Err(Failure::Sent(full)) };
                    breaker.note(&answer, now);
                }
                for sends in step["sends"].as_array().into_iter().flatten() {
                    assert_eq!(breaker.may_send(now), sends.as_bool().unwrap(), "{}: {step}", sequence["name"]);
                }
                if let Some(open) = step["open"].as_bool() {
                    assert_eq!(breaker.is_open(), open, "{}: {step}", sequence["name"]);
                }
            }
        }
        for wrong in [Duration::ZERO, Duration::from_secs(3601)] {
            let error = CircuitBreaker::new(wrong).unwrap_err().to_string();
            assert_eq!(error, format!("length must be from 10 ms to 1 hour: {wrong:?}"));
        }
    }
}
