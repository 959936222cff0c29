//! Sends calls under several limits, and their settlements, through redis-rs, and retries them after an outage, which their id makes safe.

use crate::asking::ServerVerdict;
use crate::numbers::{ATTEMPT_LONGEST_PAUSE, ATTEMPT_PART, ATTEMPT_PAUSE};
use crate::outcome::{classify_error, failed, late};
use crate::reservations::{Ends, HoldPolicy};
use crate::send::{command, open, send_judged};
use crate::verdict::Ending;
use crate::{
    Choice, CircuitBreaker, Error, Failure, FailureKind, ReplyError, Reservation, ReservationAnswer, Reservations,
    ReserveCall, Sender, SettleResult, Settlement,
};
use alloc::{boxed::Box, format, sync::Arc, vec::Vec};
use core::{fmt, sync::atomic::Ordering, time::Duration};
use redis::{Cmd, RedisError, Value};
use std::time::Instant;

/// The kind of a [`ReservationEvent`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    /// The call was allowed, and holds its units if it is `enforced`.
    Reserved,
    /// The call was denied.
    Denied,
    /// The call was settled with the units that it used.
    Settled,
    /// The call was cancelled without using any units.
    Cancelled,
    /// The reservation was renewed.
    Renewed,
    /// The call was settled or renewed too late, when its reservation no longer existed.
    RanOut,
    /// The call ended without a readable answer; any held units expire.
    Undecided,
    /// The reservation was dropped without being ended; the held units expire.
    Dropped,
}

/// The event that a listener of [`Reservations`] receives.
#[derive(Debug, Clone, Copy)]
pub struct ReservationEvent<'a> {
    /// The kind of event.
    pub kind: EventKind,
    /// The name of the [`Reservations`].
    pub reservations: &'a str,
    /// The group of the call.
    pub group: &'a [u8],
    /// The first answer, if there was one.
    pub answer: Option<&'a ReservationAnswer>,
    /// The error with which the call ended, or that `on_unavailable` or `on_overload` turned into a decision.
    pub error: Option<&'a Error>,
}

/// Receives every event.
#[derive(Clone)]
pub(crate) struct Listener(Arc<dyn Fn(&ReservationEvent<'_>) + Send + Sync>);

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener")
    }
}

impl Reservations {
    /// Calls `tell` for every call and every settlement that was sent. It must return quickly.
    pub fn on_event(self, tell: impl Fn(&ReservationEvent<'_>) + Send + Sync + 'static) -> Self {
        self.with(|policy| policy.listener = Some(Listener(Arc::new(tell))))
    }
}

fn tell(policy: &HoldPolicy, kind: EventKind, group: &[u8], answer: Option<&ReservationAnswer>, error: Option<&Error>) {
    if let Some(Listener(listener)) = &policy.listener {
        listener(&ReservationEvent { kind, reservations: &policy.name, group, answer, error });
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if !self.ended.load(Ordering::Acquire) {
            tell(&self.plan.policy, EventKind::Dropped, &self.plan.group, Some(self.answer()), None);
        }
    }
}

/// The attempts of one call: each gets 45 % of the timeout, and no attempt starts after 55 %.
struct Repeats {
    begun: Instant,
    last: Duration,
    attempt: Duration,
    pause: Duration,
    unanswered: Option<RedisError>,
}

impl Repeats {
    fn new(policy: &HoldPolicy) -> Self {
        let attempt = policy.timeout.mul_f64(ATTEMPT_PART);
        let last = policy.timeout - attempt;
        Self { begun: Instant::now(), last, attempt, pause: ATTEMPT_PAUSE, unanswered: None }
    }

    /// Returns the outcome of a call that is not sent because the circuit is open.
    fn kept(&mut self) -> LastFailure {
        let failure = self.unanswered.take().map_or_else(open, Failure::Sent);
        LastFailure { why: LastReason::Failed(failure), repeated: false }
    }

    /// Returns the outcome of a call whose last attempt is late but not because of an outage.
    fn late(&self, error: Error) -> LastFailure {
        LastFailure { why: LastReason::Late(error), repeated: self.unanswered.is_some() }
    }

    /// Returns the answer to an attempt, or the back-off before the next one.
    fn judged(
        &mut self,
        reply: Result<Value, Failure>,
        ending: Option<Ending>,
        verdict: &ServerVerdict,
        breaker: Option<&CircuitBreaker>,
    ) -> Result<Result<Value, Duration>, LastFailure> {
        match (reply, ending) {
            (Err(Failure::NotSent(error) | Failure::Sent(error)), Some(ending)) if ending != Ending::Outage => {
                Err(self.late(late(ending, error, verdict.refusal())))
            }
            (reply, _) => {
                if let Some(breaker) = breaker {
                    breaker.note(&reply, Instant::now());
                }
                reply.map_or_else(|failure| self.after(failure).map(Err), |value| Ok(Ok(value)))
            }
        }
    }

    /// Returns the back-off before the next attempt, or the failure with which the call ends; an earlier attempt may have been charged.
    fn after(&mut self, failure: Failure) -> Result<Duration, LastFailure> {
        let (error, sent) = match &failure {
            Failure::NotSent(error) => (error, false),
            Failure::Sent(error) => (error, true),
        };
        let kind = classify_error(error, sent).kind;
        if kind == FailureKind::NotAnswered {
            self.unanswered = Some(error.clone());
        }
        // A cluster's client gives up after several redirects, before the call has run.
        let outage = kind.is_outage() || kind == FailureKind::Redirect && !sent;
        let pause = self.pause;
        if outage && self.begun.elapsed() + pause <= self.last {
            self.pause = ATTEMPT_LONGEST_PAUSE.min(2 * pause);
            return Ok(pause);
        }
        Err(match self.unanswered.take() {
            Some(error) if outage => LastFailure { why: LastReason::Failed(Failure::Sent(error)), repeated: false },
            unanswered => LastFailure { why: LastReason::Failed(failure), repeated: unanswered.is_some() },
        })
    }
}

/// The outcome of a call, and whether an earlier attempt was not answered.
#[derive(Debug)]
struct LastFailure {
    why: LastReason,
    repeated: bool,
}

#[derive(Debug)]
enum LastReason {
    Failed(Failure),
    /// The last attempt was late but not because of an outage.
    Late(Error),
}

fn words(words: &[Vec<u8>]) -> Cmd {
    command(words.iter().map(Vec::as_slice).collect())
}

/// The command to send, and the script's source in case the server does not have it.
struct Question {
    asked: [Cmd; 1],
    source: Cmd,
    /// The first key, with which the server is checked by a call without arguments: the script rejects it, which counts as an answer.
    key: Vec<u8>,
    peek: Cmd,
    /// Whether an open circuit prevents the command from being sent.
    for_units: bool,
}

impl Question {
    fn of(call: &ReserveCall) -> Self {
        Self::new(call.words(), &call.eval_words(), true)
    }

    fn settling(settlement: &Settlement<'_>) -> Self {
        Self::new(settlement.words(), &settlement.eval_words(), false)
    }

    fn new(asked: Vec<Vec<u8>>, source: &[Vec<u8>], for_units: bool) -> Self {
        let peek = command([&asked[0][..], &asked[1], b"1", &asked[3]].to_vec());
        Self { peek, key: asked[3].clone(), asked: [words(&asked)], source: words(source), for_units }
    }

    fn may_be_sent(&self, breaker: Option<&CircuitBreaker>) -> bool {
        !self.for_units || breaker.is_none_or(|breaker| breaker.may_send(Instant::now()))
    }
}

/// Returns the circuit breaker for the sender's server.
fn breaker(policy: &HoldPolicy, one_server: bool) -> Option<&CircuitBreaker> {
    policy.breaker.as_ref().filter(|_| one_server)
}

fn ask(policy: &HoldPolicy, sender: &mut impl Sender, question: &Question) -> Result<Value, LastFailure> {
    let (mut repeats, breaker) = (Repeats::new(policy), breaker(policy, sender.is_one_server()));
    loop {
        if !question.may_be_sent(breaker) {
            return Err(repeats.kept());
        }
        let (mut replies, ending) =
            send_judged(sender, &policy.verdict, repeats.attempt, &|| question.peek.clone(), &question.asked, &|_| {
                question.source.clone()
            });
        match repeats.judged(replies.remove(0), ending, &policy.verdict, breaker)? {
            Ok(value) => return Ok(value),
            Err(pause) => std::thread::sleep(pause),
        }
    }
}

fn read<T>(
    policy: &HoldPolicy,
    reply: Result<Value, LastFailure>,
    charges: bool,
    read: impl FnOnce(&[i64]) -> Result<T, ReplyError>,
) -> Result<T, Error> {
    let value = match reply {
        Ok(value) => value,
        Err(LastFailure { why, repeated }) => {
            let last = match why {
                LastReason::Failed(Failure::NotSent(error)) => failed(&policy.read_only, charges, error, false),
                LastReason::Failed(Failure::Sent(error)) => failed(&policy.read_only, charges, error, true),
                LastReason::Late(error) => error,
            };
            return Err(if repeated { Error::Repeated(Box::new(last)) } else { last });
        }
    };
    policy.read_only.decided();
    let text = format!("{value:?}");
    let numbers: Vec<i64> = redis::from_redis_value(value).map_err(|_| Error::Unreadable(ReplyError(text)))?;
    read(&numbers).map_err(Error::Unreadable)
}

fn choice(policy: &HoldPolicy, error: &Error) -> Choice {
    match error.kind() {
        kind if kind.is_outage() => policy.on_unavailable,
        FailureKind::Overloaded => policy.on_overload,
        _ => Choice::Fail,
    }
}

impl ReserveCall {
    /// Sends the call, and retries it in an outage until its deadline. Its id ensures that it is charged at most once. A blocking
    /// connection ends an attempt at the connection's own timeout, which should be at most 45 % of the deadline. A denial is returned as an
    /// answer, not as an error.
    pub fn query(&self, sender: &mut impl Sender) -> Result<Reservation, Error> {
        self.outcome(ask(&self.0.policy, sender, &Question::of(self)))
    }

    fn outcome(&self, reply: Result<Value, LastFailure>) -> Result<Reservation, Error> {
        let policy = &self.0.policy;
        let answered = read(policy, reply, true, |numbers| self.read(numbers));
        let (call, error) = match answered {
            Ok(call) => (call, None),
            Err(error) => match choice(policy, &error) {
                Choice::Fail => {
                    tell(policy, EventKind::Undecided, &self.0.group, None, Some(&error));
                    return Err(error);
                }
                choice => (self.undecided(choice == Choice::Allow), Some(error)),
            },
        };
        let kind = if call.allowed() { EventKind::Reserved } else { EventKind::Denied };
        tell(policy, kind, &self.0.group, Some(call.answer()), error.as_ref());
        Ok(call)
    }
}

impl Settlement<'_> {
    /// Sends the settlement, and retries it in an outage until its deadline. A failed settlement can be repeated.
    pub fn query(&self, sender: &mut impl Sender) -> Result<SettleResult, Error> {
        if self.is_needless() {
            return Ok(SettleResult::NothingHeld);
        }
        let policy = &self.reservation.plan.policy;
        self.outcome(ask(policy, sender, &Question::settling(self)))
    }

    fn outcome(&self, reply: Result<Value, LastFailure>) -> Result<SettleResult, Error> {
        let (plan, answer) = (&self.reservation.plan, self.reservation.answer());
        let result = read(&plan.policy, reply, false, |numbers| self.read(numbers));
        let kind = match (&result, self.kind) {
            (Err(_), _) => EventKind::Undecided,
            (Ok(SettleResult::RanOut), _) => EventKind::RanOut,
            (_, Ends::Renewed) => EventKind::Renewed,
            (_, Ends::Cancelled) => EventKind::Cancelled,
            (_, Ends::Settled | Ends::Closed) => EventKind::Settled,
        };
        tell(&plan.policy, kind, &plan.group, Some(answer), result.as_ref().err());
        match result {
            Err(error) if choice(&plan.policy, &error) != Choice::Fail => Ok(SettleResult::Undecided),
            _ => result,
        }
    }
}

#[cfg(feature = "aio")]
mod aio {
    use super::*;
    use crate::{send::send_judged_async, AsyncSender};

    async fn ask_async(
        policy: &HoldPolicy,
        sender: &mut impl AsyncSender,
        question: &Question,
    ) -> Result<Value, LastFailure> {
        let (mut repeats, breaker) = (Repeats::new(policy), breaker(policy, sender.is_one_server()));
        loop {
            if !question.may_be_sent(breaker) {
                return Err(repeats.kept());
            }
            let verdict = sender.verdict_on(&question.key).unwrap_or_else(|| policy.verdict.clone());
            let (mut replies, ending) = send_judged_async(
                sender,
                &verdict,
                repeats.attempt,
                &|| question.peek.clone(),
                &question.asked,
                &|_| question.source.clone(),
            )
            .await;
            match repeats.judged(replies.remove(0), ending, &verdict, breaker)? {
                Ok(value) => return Ok(value),
                Err(pause) => tokio::time::sleep(pause).await,
            }
        }
    }

    impl ReserveCall {
        /// Like [`ReserveCall::query`], on an asynchronous connection, where each attempt has 45 % of the deadline.
        pub async fn query_async(&self, sender: &mut impl AsyncSender) -> Result<Reservation, Error> {
            self.outcome(ask_async(&self.0.policy, sender, &Question::of(self)).await)
        }
    }

    impl Settlement<'_> {
        /// Like [`Settlement::query`], on an asynchronous connection, where each attempt has 45 % of the deadline.
        pub async fn query_async(&self, sender: &mut impl AsyncSender) -> Result<SettleResult, Error> {
            if self.is_needless() {
                return Ok(SettleResult::NothingHeld);
            }
            self.outcome(ask_async(&self.reservation.plan.policy, sender, &Question::settling(self)).await)
        }
    }

    impl Reservation {
        /// Renews the reservation every `keep / 3`, until the reservation ends or expires. Failures are retried. Await this future
        /// concurrently with the work, for example in `tokio::select!`, and drop it together with the work.
        pub async fn keep_alive(&self, sender: &mut impl AsyncSender) {
            loop {
                tokio::time::sleep(self.plan.policy.keep / 3).await;
                if self.ending.load(Ordering::Acquire) || self.ended.load(Ordering::Acquire) {
                    return;
                }
                if let Ok(renewal) = self.renew(0) {
                    // A listener receives the failure.
                    let _ = renewal.query_async(sender).await;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    fn io(kind: io::ErrorKind) -> RedisError {
        io::Error::from(kind).into()
    }

    #[test]
    fn an_attempt_without_an_answer_is_not_forgotten() {
        let late = || Failure::Sent(io(io::ErrorKind::TimedOut));
        let refused = || Failure::NotSent(io(io::ErrorKind::ConnectionRefused));
        let repeats = |last, unanswered| {
            let (attempt, pause) = (Duration::ZERO, ATTEMPT_PAUSE);
            Repeats { begun: Instant::now(), last, attempt, pause, unanswered }
        };
        let mut lasting = repeats(Duration::from_secs(3600), None);
        let pauses = [late(), refused(), late(), late(), late(), late()].map(|failure| lasting.after(failure).unwrap());
        assert_eq!(pauses.map(|pause| pause.as_millis()), [10, 20, 40, 80, 160, 160]);
        let mut ending = repeats(Duration::ZERO, lasting.unanswered);
        let last = |failed: Result<Duration, LastFailure>| failed.unwrap_err();
        assert!(matches!(
            last(ending.after(refused())),
            LastFailure { why: LastReason::Failed(Failure::Sent(_)), repeated: false }
        ));
        assert!(matches!(
            last(ending.after(refused())),
            LastFailure { why: LastReason::Failed(Failure::NotSent(_)), repeated: false }
        ));
        ending.unanswered = Some(io(io::ErrorKind::TimedOut));
        let full = || Failure::Sent(redis::make_extension_error("OOM".into(), Some("command not allowed".into())));
        assert!(matches!(
            last(ending.after(full())),
            LastFailure { why: LastReason::Failed(Failure::Sent(_)), repeated: true }
        ));
        assert!(!last(ending.after(full())).repeated);
    }
}
