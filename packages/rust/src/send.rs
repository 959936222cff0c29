//! Sends each call once through redis-rs. The cluster connections of redis-rs resend a call whose answer was lost, so they do not implement
//! [`Sender`]; [`ClusterSender`] does. A connection manager does not report in time that it was rejected; [`ReconnectingSender`] does.

use crate::asking::{is_late, ServerVerdict};
use crate::near::Moment;
use crate::numbers::{BATCH_CALLS, CALLS_IN_FLIGHT};
use crate::outcome::{outcome, server_text, tell};
use crate::verdict::Ending;
use crate::{ArgumentError, Call, Decision, Error, FUNCTIONS_LIBRARY};
#[cfg(feature = "aio")]
use alloc::sync::Arc;
use alloc::{format, vec::Vec};
use redis::{Cmd, RedisError, RedisResult, Value};
use std::io;
#[cfg(feature = "aio")]
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The failure of a command, returned in place of an answer.
#[derive(Debug, Clone)]
pub enum Failure {
    /// The command was never sent.
    NotSent(RedisError),
    /// The command may have been sent; the error may be the server's.
    Sent(RedisError),
}

pub(crate) type Reply = Result<Value, Failure>;
pub(crate) type Replies = Vec<Reply>;

/// A blocking connection that sends each command once, except after MOVED and ASK.
pub trait Sender {
    /// Sends commands; each reply has the index of its command.
    fn send(&mut self, commands: &[Cmd]) -> Vec<Result<Value, Failure>>;
    /// Returns whether all commands go to one server, so that a [`CircuitBreaker`](crate::CircuitBreaker) applies to all calls.
    fn is_one_server(&self) -> bool {
        false
    }
    /// Sends a command to every master.
    fn send_to_masters(&mut self, command: &Cmd) -> RedisResult<()>;
}

impl Call {
    /// Sends the call, and resends it only if the answer proves that it did not run.
    pub fn query(&self, sender: &mut impl Sender) -> Result<Decision, Error> {
        if let Some(known) = self.known() {
            return Ok(known);
        }
        query_all(core::slice::from_ref(self), sender).remove(0)
    }

    /// Returns the remembered denial of the call, and tells it.
    fn known(&self) -> Option<Decision> {
        let known = self.remembered()?;
        tell(self, Some(&known), None);
        Some(known)
    }

    /// Returns the remembered denial of the call.
    pub(crate) fn remembered(&self) -> Option<Decision> {
        let cost = u64::try_from(self.cost).ok().filter(|cost| *cost > 0)?;
        self.policy.memory.as_ref()?.find(&self.key, &self.policy.limit, cost, Moment::now)
    }

    /// Returns the outcome of a call that is not sent because the circuit is open.
    fn kept(&self, one_server: bool) -> Option<Result<Decision, Error>> {
        let breaker = self.policy.breaker.as_ref().filter(|_| one_server && self.cost > 0)?;
        if breaker.may_send(Instant::now()) {
            return None;
        }
        Some(outcome(self, Err(open()), None, None))
    }

    /// Returns the outcome of a call for units that exceeds the maximum in flight.
    fn one_too_many(&self, ending: Option<Ending>) -> Option<Result<Decision, Error>> {
        let ending = ending.filter(|_| self.cost > 0)?;
        let why = io::Error::new(io::ErrorKind::NotConnected, format!("{CALLS_IN_FLIGHT} calls are in flight"));
        Some(outcome(self, Err(Failure::NotSent(why.into())), Some(ending), None))
    }

    fn forget_if_given_back(&self) {
        if let Some(memory) = self.policy.memory.as_ref().filter(|_| self.cost < 0) {
            memory.forget(&self.key, Moment::now());
        }
    }
}

/// Remembers a denial of a call that was sent and answered at these times.
pub(crate) fn remember(call: &Call, decision: &Decision, times: (Moment, Moment)) {
    let Some(memory) = call.policy.memory.as_ref().filter(|_| call.cost > 0) else { return };
    if decision.enforced && !decision.allowed() {
        memory.remember(&call.key, &call.policy.limit, call.cost as u64, *decision, times);
    }
}

/// Returns the failure of a call that is not sent because the circuit is open.
pub(crate) fn open() -> Failure {
    let why = "the circuit is open, since the server did not answer 5 calls in a row";
    Failure::NotSent(io::Error::new(io::ErrorKind::NotConnected, why).into())
}

/// Sends calls in one round trip or, in a cluster, in sequence. A call that fails does not affect the others. If there are more than 10,000
/// calls, nothing is sent and each of them fails with the same error.
pub fn query_all(calls: &[Call], sender: &mut impl Sender) -> Vec<Result<Decision, Error>> {
    let Some(first) = calls.first() else { return Vec::new() };
    if calls.len() > BATCH_CALLS as usize {
        return refused(calls.len());
    }
    let verdict = first.policy.verdict.clone();
    let question = || first.question();
    let asked = |()| verdict.end_blocking(&verdict.begin(Duration::ZERO, question), &question(), sender);
    let too_many = verdict.too_many().map(|known| known.unwrap_or_else(asked));
    let mut batch = Batch::new(calls, sender.is_one_server(), too_many);
    if batch.asked.is_empty() {
        return batch.outcomes(Replies::new(), None, &verdict);
    }
    let (replies, ending) =
        send_judged(sender, &verdict, first.policy.timeout, &question, &commands(&batch.asked), &batch.sources());
    batch.outcomes(replies, ending, &verdict)
}

/// Returns the outcomes of a batch of too many calls.
fn refused(count: usize) -> Vec<Result<Decision, Error>> {
    let error = || ArgumentError(format!("calls must be at most {BATCH_CALLS} in a batch: {count}"));
    (0..count).map(|_| Err(error().into())).collect()
}

/// Returns the replies to commands, and the end of those that are late. `source` returns the command to send after NOSCRIPT at an index.
pub(crate) fn send_judged(
    sender: &mut impl Sender,
    verdict: &ServerVerdict,
    deadline: Duration,
    question: &dyn Fn() -> Cmd,
    commands: &[Cmd],
    source: &dyn Fn(usize) -> Cmd,
) -> (Replies, Option<Ending>) {
    let _counted = verdict.count(commands.len());
    let times = verdict.begin(deadline, question);
    let mut replies = sender.send(commands);
    let places = unknown(&replies);
    if !places.is_empty() {
        let sources: Vec<_> = places.iter().map(|at| source(*at)).collect();
        for (at, reply) in places.into_iter().zip(sender.send(&sources)) {
            replies[at] = reply;
        }
    }
    if replies.iter().any(is_late) {
        let ending = verdict.end_blocking(&times, &question(), sender);
        return (replies, Some(ending));
    }
    verdict.ended(&times, replies.first());
    (replies, None)
}

/// Calls, and their remembered denials. When the batch ends, in any way, its refunds have ended.
struct Batch<'a> {
    known: Vec<Option<Result<Decision, Error>>>,
    asked: Vec<&'a Call>,
    sent: Moment,
    one_server: bool,
    counting: Counting,
}

/// Whether the circuit breaker counts a call's outcome.
#[derive(Debug, Clone)]
pub(crate) enum Counting {
    /// The call had a trip of its own.
    Own,
    /// The first outcome of a trip counts.
    #[cfg(feature = "aio")]
    Once(Arc<AtomicBool>),
    /// The call was not sent.
    #[cfg(feature = "aio")]
    Not,
}

impl Counting {
    fn is_own(&self) -> bool {
        matches!(self, Self::Own)
    }

    fn counts(&self) -> bool {
        match self {
            Self::Own => true,
            #[cfg(feature = "aio")]
            Self::Once(is_counted) => !is_counted.swap(true, Ordering::Relaxed),
            #[cfg(feature = "aio")]
            Self::Not => false,
        }
    }
}

impl<'a> Batch<'a> {
    /// `too_many` is the outcome of calls for units that exceed the maximum in flight.
    fn new(calls: &'a [Call], one_server: bool, too_many: Option<Ending>) -> Self {
        calls.iter().for_each(Call::forget_if_given_back);
        let known = |call: &Call| {
            call.known().map(Ok).or_else(|| call.kept(one_server)).or_else(|| call.one_too_many(too_many))
        };
        let sent = Moment::now();
        let known: Vec<_> = calls.iter().map(known).collect();
        let asked = calls.iter().zip(&known).filter(|(_, known)| known.is_none()).map(|(call, _)| call).collect();
        Self { known, asked, sent, one_server, counting: Counting::Own }
    }

    fn sources(&self) -> impl Fn(usize) -> Cmd + use<'_, 'a> {
        |at| command(self.asked[at].eval_words())
    }

    fn outcomes(
        &mut self,
        replies: Replies,
        ending: Option<Ending>,
        verdict: &ServerVerdict,
    ) -> Vec<Result<Decision, Error>> {
        let (answered, now, known) = (Moment::now(), Instant::now(), core::mem::take(&mut self.known));
        let mut outcomes = self.asked.iter().zip(replies).map(|(call, reply)| {
            let ending = ending.filter(|_| is_late(&reply));
            let is_lost = ending.is_none_or(|ending| ending == Ending::Outage);
            if let Some(breaker) = call.policy.breaker.as_ref().filter(|_| self.one_server && is_lost) {
                if self.counting.counts() {
                    breaker.note(&reply, now);
                }
            }
            let refusal = ending.filter(|ending| *ending == Ending::Refused).and_then(|_| verdict.refusal());
            let outcome = outcome(call, reply, ending, refusal);
            // The denial of a shared trip was remembered when it came.
            if let (Ok(decision), true) = (&outcome, self.counting.is_own()) {
                remember(call, decision, (self.sent, answered));
            }
            outcome
        });
        known.into_iter().map(|known| known.unwrap_or_else(|| outcomes.next().expect("a reply each"))).collect()
    }
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        self.asked.iter().for_each(|call| call.forget_if_given_back());
    }
}

/// Loads the Functions library on every master.
pub fn load_functions(sender: &mut impl Sender) -> RedisResult<()> {
    sender.send_to_masters(&load_command())
}

fn commands(calls: &[&Call]) -> Vec<Cmd> {
    calls.iter().map(|call| command(call.words())).collect()
}

pub(crate) fn command(words: Vec<&[u8]>) -> Cmd {
    let mut command = Cmd::new();
    words.into_iter().for_each(|word| {
        command.arg(word);
    });
    command
}

fn load_command() -> Cmd {
    command([&b"FUNCTION"[..], b"LOAD", b"REPLACE", FUNCTIONS_LIBRARY.as_bytes()].to_vec())
}

/// Returns the indexes of the NOSCRIPT answers.
fn unknown(replies: &Replies) -> Vec<usize> {
    let unknown = |reply: &Result<Value, Failure>| matches!(reply, Err(Failure::Sent(error)) if server_text(error).starts_with("NOSCRIPT"));
    (0..replies.len()).filter(|at| unknown(&replies[*at])).collect()
}

/// Returns the answers to a pipeline, or the pipeline's failure at each index.
pub(crate) fn spread(count: usize, answers: RedisResult<Vec<Value>>) -> Replies {
    match answers {
        Ok(values) => values.into_iter().map(|value| value.extract_error().map_err(Failure::Sent)).collect(),
        Err(error) => (0..count).map(|_| Err(Failure::Sent(error.clone()))).collect(),
    }
}

pub(crate) fn pipeline(commands: &[Cmd]) -> redis::Pipeline {
    let mut pipeline = redis::Pipeline::new();
    commands.iter().for_each(|command| {
        pipeline.add_command(command.clone());
    });
    pipeline
}

impl Sender for redis::Connection {
    fn is_one_server(&self) -> bool {
        true
    }

    fn send(&mut self, commands: &[Cmd]) -> Replies {
        let packed = pipeline(commands).get_packed_pipeline();
        spread(commands.len(), redis::ConnectionLike::req_packed_commands(self, &packed, 0, commands.len()))
    }

    fn send_to_masters(&mut self, command: &Cmd) -> RedisResult<()> {
        command.exec(self)
    }
}

#[cfg(feature = "aio")]
mod aio {
    use super::*;
    use crate::asking::Questioner;
    use crate::sharing::Heard;
    use crate::{RateLimiter, ReconnectingSender};
    use alloc::boxed::Box;
    use core::future::{pending, Future};
    use redis::aio::{ConnectionLike, MultiplexedConnection};

    /// An asynchronous connection that sends each command once, except after MOVED and ASK.
    pub trait AsyncSender: Send {
        /// Sends commands; each reply has the index of its command.
        fn send(&mut self, commands: &[Cmd]) -> impl Future<Output = Vec<Result<Value, Failure>>> + Send;
        /// Returns whether all commands go to one server, so that a [`CircuitBreaker`](crate::CircuitBreaker) applies to all calls.
        fn is_one_server(&self) -> bool {
            false
        }
        /// Returns the timeout of the connection, after which calls are late, if the limiter must apply it.
        fn patience(&self) -> Option<Duration> {
            None
        }
        /// Returns a second handle on the connection, which checks whether the server answers while a call waits. Without it, a late call
        /// counts as overloaded.
        fn questioner(&self) -> Option<Questioner> {
            None
        }
        /// Returns the verdict on the server of this key. If there is none, each limiter keeps its own verdict.
        #[doc(hidden)]
        fn verdict_on(&self, _key: &[u8]) -> Option<Arc<ServerVerdict>> {
            None
        }
        /// Returns the sender over which calls share trips: one that executes the commands of a call to `send` in order on one connection.
        #[doc(hidden)]
        fn shares_trips_over(&self) -> Option<&ReconnectingSender> {
            None
        }
        /// Sends a command to every master.
        fn send_to_masters(&mut self, command: &Cmd) -> impl Future<Output = RedisResult<()>> + Send;
    }

    impl RateLimiter {
        /// Takes one unit if every tier has one available.
        pub async fn acquire(
            &self,
            sender: &mut impl AsyncSender,
            subject: impl AsRef<[u8]>,
        ) -> Result<Decision, Error> {
            self.calls().acquire(subject)?.query_async(sender).await
        }

        /// Takes `cost` units, 1 to 10^12, if every tier has them available.
        pub async fn acquire_n(
            &self,
            sender: &mut impl AsyncSender,
            subject: impl AsRef<[u8]>,
            cost: u64,
        ) -> Result<Decision, Error> {
            self.calls().acquire_n(subject, cost)?.query_async(sender).await
        }

        /// Takes the units for as many calls of this cost as fit, up to `calls`; `granted` is their number. The product of `calls` and
        /// `cost` is at most 10^12.
        pub async fn acquire_up_to(
            &self,
            sender: &mut impl AsyncSender,
            subject: impl AsRef<[u8]>,
            calls: u64,
            cost: u64,
        ) -> Result<Decision, Error> {
            self.calls().acquire_up_to(subject, calls, cost)?.query_async(sender).await
        }

        /// Reads the current usage without charging anything.
        pub async fn peek(&self, sender: &mut impl AsyncSender, subject: impl AsRef<[u8]>) -> Result<Decision, Error> {
            self.calls().peek(subject)?.query_async(sender).await
        }

        /// Refunds units, 1 to 10^12, but no more than have been used.
        pub async fn refund(
            &self,
            sender: &mut impl AsyncSender,
            subject: impl AsRef<[u8]>,
            units: u64,
        ) -> Result<Decision, Error> {
            self.calls().refund(subject, units)?.query_async(sender).await
        }

        /// Refunds all used units.
        pub async fn reset(&self, sender: &mut impl AsyncSender, subject: impl AsRef<[u8]>) -> Result<Decision, Error> {
            self.calls().reset(subject)?.query_async(sender).await
        }
    }

    impl Call {
        /// Like [`Call::query`], on an asynchronous connection. It ends at the limiter's timeout
        /// ([`with_timeout`](crate::RateLimiter::with_timeout)).
        pub async fn query_async(&self, sender: &mut impl AsyncSender) -> Result<Decision, Error> {
            if let Some(known) = self.known() {
                return Ok(known);
            }
            let shared = sender.shares_trips_over().filter(|_| self.shares_trips()).cloned();
            decided(core::slice::from_ref(self), sender, shared).await.remove(0)
        }
    }

    /// Like [`query_all`], on an asynchronous connection. It ends at the longest timeout
    /// ([`with_timeout`](crate::RateLimiter::with_timeout)) of the calls' limiters, plus the time for a verdict.
    pub async fn query_all_async(calls: &[Call], sender: &mut impl AsyncSender) -> Vec<Result<Decision, Error>> {
        decided(calls, sender, None).await
    }

    /// Sends calls, or a single call that may share a trip over `shared`.
    async fn decided(
        calls: &[Call],
        sender: &mut impl AsyncSender,
        shared: Option<ReconnectingSender>,
    ) -> Vec<Result<Decision, Error>> {
        let Some(first) = calls.first() else { return Vec::new() };
        if calls.len() > BATCH_CALLS as usize {
            return refused(calls.len());
        }
        let verdict = sender.verdict_on(&first.key).unwrap_or_else(|| first.policy.verdict.clone());
        let deadline = calls.iter().map(|call| call.policy.timeout).max().unwrap_or_default();
        let deadline = sender.patience().map_or(deadline, |patience| patience.min(deadline));
        let peek = || first.question();
        let too_many = match verdict.too_many() {
            Some(Err(())) => {
                let (mut times, questioner) = (verdict.begin(Duration::ZERO, peek), sender.questioner());
                verdict.judge(&mut times, pending::<()>(), |()| true, (questioner.as_ref(), &peek)).await.err()
            }
            known => known.and_then(Result::ok),
        };
        let mut batch = Batch::new(calls, sender.is_one_server(), too_many);
        if batch.asked.is_empty() {
            return batch.outcomes(Replies::new(), None, &verdict);
        }
        let (replies, ending) = match shared {
            None => {
                send_judged_async(sender, &verdict, deadline, &peek, &commands(&batch.asked), &batch.sources()).await
            }
            Some(shared) => match shared.send_shared(first, sender, deadline, &peek).await {
                Heard::Replies(replies, ending, counting) => {
                    batch.counting = counting;
                    (replies, ending)
                }
                Heard::Known(denied) => {
                    tell(first, Some(&denied), None);
                    return Vec::from([Ok(denied)]);
                }
                Heard::Open => return Vec::from([outcome(first, Err(open()), None, None)]),
            },
        };
        batch.outcomes(replies, ending, &verdict)
    }

    /// [`send_judged`] on an asynchronous connection.
    pub(crate) async fn send_judged_async(
        sender: &mut impl AsyncSender,
        verdict: &Arc<ServerVerdict>,
        deadline: Duration,
        question: &(dyn Fn() -> Cmd + Sync),
        commands: &[Cmd],
        source: &(dyn Fn(usize) -> Cmd + Sync),
    ) -> (Replies, Option<Ending>) {
        let _counted = verdict.count(commands.len());
        let (mut replies, mut ending) = (Replies::new(), None);
        let mut times = verdict.begin(deadline, question);
        let questioner = sender.questioner();
        let asking = async {
            replies = sender.send(commands).await;
            let places = unknown(&replies);
            if !places.is_empty() {
                let sources: Vec<_> = places.iter().map(|at| source(*at)).collect();
                for (at, reply) in places.into_iter().zip(sender.send(&sources).await) {
                    replies[at] = reply;
                }
            }
            replies.iter().any(is_late)
        };
        match verdict.judge(&mut times, asking, |late| *late, (questioner.as_ref(), question)).await {
            Ok(_) => verdict.ended(&times, replies.first()),
            Err(late) => ending = Some(late),
        }
        if ending.is_some() {
            unknown(&replies).into_iter().for_each(|at| replies[at] = late_reply(true));
            replies.resize_with(commands.len(), || late_reply(true));
        }
        (replies, ending)
    }

    /// Returns the failure of a call that is late.
    pub(crate) fn late_reply(is_sent: bool) -> Reply {
        let error = io::Error::from(io::ErrorKind::TimedOut).into();
        Err(if is_sent { Failure::Sent(error) } else { Failure::NotSent(error) })
    }

    /// Sends checks over the connection that carries the calls, behind them.
    pub(crate) fn ask_by(connection: impl ConnectionLike + Clone + Send + Sync + 'static) -> Questioner {
        Arc::new(move |command| {
            let mut connection = connection.clone();
            Box::pin(async move {
                let reply = connection.req_packed_command(&command).await;
                reply.and_then(Value::extract_error).map_err(Failure::Sent)
            })
        })
    }

    /// Like [`load_functions`], on an asynchronous connection.
    pub async fn load_functions_async(sender: &mut impl AsyncSender) -> RedisResult<()> {
        sender.send_to_masters(&load_command()).await
    }

    impl AsyncSender for MultiplexedConnection {
        fn is_one_server(&self) -> bool {
            true
        }

        async fn send(&mut self, commands: &[Cmd]) -> Replies {
            let answers = self.req_packed_commands(&pipeline(commands), 0, commands.len()).await;
            spread(commands.len(), answers)
        }

        fn questioner(&self) -> Option<Questioner> {
            Some(ask_by(self.clone()))
        }

        async fn send_to_masters(&mut self, command: &Cmd) -> RedisResult<()> {
            command.exec_async(self).await
        }
    }
}
#[cfg(feature = "aio")]
pub(crate) use aio::{ask_by, late_reply, send_judged_async};
#[cfg(feature = "aio")]
pub use aio::{load_functions_async, query_all_async, AsyncSender};

#[cfg(feature = "cluster")]
mod cluster {
    use super::*;
    use redis::cluster_routing::{
        MultipleNodeRoutingInfo, ResponsePolicy, Route, RoutingInfo, SingleNodeRoutingInfo, SlotAddr,
    };
    use redis::{ErrorKind, ServerErrorKind};

    pub(super) const MOST_REDIRECTS: usize = 5;

    /// Returns a call's key, which is the fourth argument.
    pub(super) fn key(command: &Cmd) -> &[u8] {
        match command.args_iter().nth(3) {
            Some(redis::Arg::Simple(key)) => key,
            _ => b"",
        }
    }

    pub(super) fn master(command: &Cmd) -> SingleNodeRoutingInfo {
        SingleNodeRoutingInfo::SpecificNode(Route::with_key(key(command), SlotAddr::Master))
    }

    /// Returns the target of a call after MOVED or ASK, and whether it needs ASKING.
    pub(super) fn redirect(error: &RedisError) -> Option<(SingleNodeRoutingInfo, bool)> {
        let asking = match error.kind() {
            ErrorKind::Server(ServerErrorKind::Moved) => false,
            ErrorKind::Server(ServerErrorKind::Ask) => true,
            _ => return None,
        };
        let (host, port) = error.redirect_node()?.0.rsplit_once(':')?;
        Some((SingleNodeRoutingInfo::ByAddress { host: host.into(), port: port.parse().ok()? }, asking))
    }

    /// Returns the failure if it is not a redirect, or there were too many redirects: the call has not run.
    pub(super) fn given_up(error: RedisError) -> Failure {
        match error.kind() {
            ErrorKind::Server(ServerErrorKind::Moved | ServerErrorKind::Ask) => Failure::NotSent(error),
            _ => Failure::Sent(error),
        }
    }

    pub(super) fn every_master() -> RoutingInfo {
        RoutingInfo::MultiNode((MultipleNodeRoutingInfo::AllMasters, Some(ResponsePolicy::AllSucceeded)))
    }

    /// A connection to a cluster, which sends each call once, follows MOVED and ASK, and reconnects after a failure.
    pub struct ClusterSender {
        client: redis::cluster::ClusterClient,
        connection: Option<redis::cluster::ClusterConnection>,
    }

    impl ClusterSender {
        /// Creates a sender with separate connections, configured by the builder, but without redis-rs's retries.
        pub fn new(builder: redis::cluster::ClusterClientBuilder) -> RedisResult<Self> {
            Ok(Self { client: builder.retries(0).build()?, connection: None })
        }

        fn one(&mut self, command: &Cmd) -> Result<Value, Failure> {
            let mut node = master(command);
            let mut ask = false;
            for left in (0..=MOST_REDIRECTS).rev() {
                let connection = self.connected().map_err(Failure::NotSent)?;
                if ask {
                    let asked = connection.route_command(&redis::cmd("ASKING"), RoutingInfo::SingleNode(node.clone()));
                    asked.map_err(Failure::NotSent)?;
                }
                let error = match connection.route_command(command, RoutingInfo::SingleNode(node.clone())) {
                    Ok(value) => return value.extract_error().map_err(Failure::Sent),
                    Err(error) => error,
                };
                match redirect(&error) {
                    Some((next, asking)) if left > 0 => {
                        (node, ask) = (next, asking);
                        // A new connection queries the slots again.
                        self.connection = if asking { self.connection.take() } else { None };
                    }
                    _ => {
                        if server_text(&error).is_empty() {
                            self.connection = None;
                        }
                        return Err(given_up(error));
                    }
                }
            }
            unreachable!("the last redirect returns")
        }

        fn connected(&mut self) -> RedisResult<&mut redis::cluster::ClusterConnection> {
            match self.connection {
                Some(ref mut connection) => Ok(connection),
                None => Ok(self.connection.insert(self.client.get_connection()?)),
            }
        }
    }

    impl Sender for ClusterSender {
        fn send(&mut self, commands: &[Cmd]) -> Replies {
            commands.iter().map(|command| self.one(command)).collect()
        }

        fn send_to_masters(&mut self, command: &Cmd) -> RedisResult<()> {
            self.connected()?.route_command(command, every_master()).map(|_| ())
        }
    }
}
#[cfg(feature = "cluster")]
pub use cluster::ClusterSender;

#[cfg(feature = "cluster-async")]
mod cluster_async {
    use super::cluster::{every_master, given_up, key, master, redirect, MOST_REDIRECTS};
    use super::*;
    use crate::asking::aio::{Connecting, WitnessedAnswer};
    use crate::numbers::VERDICT_AGAIN;
    use crate::{Questioner, VerdictChange};
    use alloc::sync::{Arc, Weak};
    use alloc::{boxed::Box, collections::BTreeMap, string::String};
    use redis::cluster::{ClusterClient, ClusterConfig};
    use redis::cluster_async::ClusterConnection;
    use redis::cluster_routing::{RoutingInfo, SingleNodeRoutingInfo};
    use redis::ErrorKind;
    use std::sync::{Mutex, OnceLock, PoisonError, RwLock};
    use tokio::sync::watch;

    /// An asynchronous connection to a cluster, which sends each call once and follows MOVED and ASK. Clones share the connection.
    #[derive(Clone)]
    pub struct AsyncClusterSender {
        client: ClusterClient,
        /// The connection, or the last attempt to open it.
        attempt: Arc<RwLock<Attempt>>,
        nodes: Arc<Nodes>,
    }

    type Attempt = watch::Receiver<Option<RedisResult<ClusterConnection>>>;

    /// Opens a connection and reads the nodes of the slots, even if no call is waiting for it any longer.
    fn attempt(client: &ClusterClient, nodes: &Arc<Nodes>) -> Attempt {
        let ((made, attempt), client, nodes) = (watch::channel(None), client.clone(), nodes.clone());
        tokio::spawn(async move {
            let connection = client.get_async_connection().await;
            if let Ok(connection) = &connection {
                nodes.ask(connection.clone()).await;
            }
            made.send_replace(Some(connection.map_err(by_reason)));
        });
        attempt
    }

    /// Returns whether no node of the cluster is reachable, which redis-rs reports in the same way as a rejected password.
    fn is_away(error: &RedisError) -> bool {
        let is_known = |why: &str| why.contains("(os error ") || why == "timed out";
        error.is_timeout() || error.is_io_error() && error.detail().is_some_and(is_known)
    }

    /// The error of a cluster that cannot be used, unless no node can be reached.
    fn by_reason(error: RedisError) -> RedisError {
        if is_away(&error) {
            return error;
        }
        (ErrorKind::InvalidClientConfig, "the cluster cannot be used", format!("{error}")).into()
    }

    type Tell = dyn Fn(&VerdictChange<'_>) + Send + Sync;

    /// The verdicts on the masters, by the last slot of each range.
    struct Nodes {
        questions: Arc<QuestionConnections>,
        slots: RwLock<Vec<(u16, Arc<ServerVerdict>)>>,
        by_address: Mutex<BTreeMap<String, Arc<ServerVerdict>>>,
        listener: OnceLock<Arc<Tell>>,
    }

    /// The connections for the questions. Nodes that connect at about the same time share one to the cluster.
    struct QuestionConnections {
        client: ClusterClient,
        last: tokio::sync::Mutex<Option<(Weak<ClusterConnection>, Instant)>>,
    }

    impl QuestionConnections {
        async fn connection(&self) -> RedisResult<Arc<ClusterConnection>> {
            let mut last = self.last.lock().await;
            let recent = last.as_ref().filter(|(_, made)| made.elapsed() < VERDICT_AGAIN / 2);
            if let Some(shared) = recent.and_then(|(shared, _)| shared.upgrade()) {
                return Ok(shared);
            }
            // The verdict ends what takes too long.
            let config = ClusterConfig::new().set_response_timeout(Duration::from_secs(3600));
            let made = Arc::new(self.client.get_async_connection_with_config(config).await?);
            *last = Some((Arc::downgrade(&made), Instant::now()));
            Ok(made)
        }

        fn connecting(self: Arc<Self>) -> Connecting {
            Box::new(move || {
                let this = self.clone();
                Box::pin(async move {
                    let connection = this.connection().await.map_err(by_reason)?;
                    let questioner: Questioner = Arc::new(move |command| {
                        // The shared connection closes with its last questioner.
                        let shared = connection.clone();
                        Box::pin(async move {
                            let mut connection = ClusterConnection::clone(&shared);
                            let route = RoutingInfo::SingleNode(master(&command));
                            let reply = connection.route_command(command, route).await;
                            reply.and_then(Value::extract_error).map_err(Failure::Sent)
                        })
                    });
                    Ok(questioner)
                })
            })
        }
    }

    impl Nodes {
        fn of(&self, key: &[u8]) -> Option<Arc<ServerVerdict>> {
            let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
            let at = slots.partition_point(|(last, _)| *last < slot(key));
            slots.get(at).map(|(_, verdict)| verdict.clone())
        }

        /// Reads the nodes of the slots. Without them, each limiter has one verdict on the whole cluster.
        async fn ask(&self, mut connection: ClusterConnection) {
            let command = redis::cmd("CLUSTER").arg("SLOTS").clone();
            let answer = connection.route_command(command, RoutingInfo::SingleNode(SingleNodeRoutingInfo::Random));
            let Ok(Value::Array(ranges)) = answer.await.and_then(Value::extract_error) else { return };
            let range = |range: Value| match range {
                Value::Array(range) => match range.as_slice() {
                    [Value::Int(first), Value::Int(last), master, ..] => {
                        let Value::Array(address) = master else { return None };
                        let address = address.iter().take(2).cloned().collect();
                        Some((u16::try_from(*first).ok()?, u16::try_from(*last).ok()?, Value::Array(address)))
                    }
                    _ => None,
                },
                _ => None,
            };
            self.learn(ranges.into_iter().filter_map(range).collect());
        }

        /// Records an answer to CLUSTER SLOTS.
        fn learn(&self, ranges: Vec<(u16, u16, Value)>) {
            let mut nodes = self.by_address.lock().unwrap_or_else(PoisonError::into_inner);
            let named = ranges.into_iter().map(|(_, last, master)| {
                let verdict = nodes.entry(format!("{master:?}")).or_insert_with(|| {
                    let verdict = ServerVerdict::by_connection(self.questions.clone().connecting());
                    if let Some(tell) = self.listener.get().cloned() {
                        verdict.tell_changes(move |change| tell(change));
                    }
                    verdict
                });
                (last, verdict.clone())
            });
            let mut slots: Vec<_> = named.collect();
            slots.sort_by_key(|(last, _)| *last);
            *self.slots.write().unwrap_or_else(PoisonError::into_inner) = slots;
        }
    }

    /// Returns the slot of a key of ours, which has a hash tag.
    fn slot(key: &[u8]) -> u16 {
        let tagged =
            key.split(|octet| *octet == b'{').nth(1).and_then(|rest| rest.split(|octet| *octet == b'}').next());
        let crc = tagged.unwrap_or(key).iter().fold(0_u16, |crc, octet| {
            (0..8).fold(crc ^ (u16::from(*octet) << 8), |crc, _| (crc << 1) ^ if crc >> 15 == 1 { 0x1021 } else { 0 })
        });
        crc % 16_384
    }

    impl AsyncClusterSender {
        /// Creates a sender with separate connections, configured by the builder, but without redis-rs's retries. If no node is reachable,
        /// the sender's calls try to connect, and fail with an outage until one of them succeeds.
        pub async fn new(builder: redis::cluster::ClusterClientBuilder) -> RedisResult<Self> {
            let client = builder.retries(0).build()?;
            let questions = Arc::new(QuestionConnections { client: client.clone(), last: Default::default() });
            let (slots, by_address, listener) = Default::default();
            let nodes = Arc::new(Nodes { questions, slots, by_address, listener });
            let attempt = Arc::new(RwLock::new(attempt(&client, &nodes)));
            let sender = Self { client, attempt, nodes };
            match sender.connected().await {
                Err(error) if !is_away(&error) => Err(error),
                _ => Ok(sender),
            }
        }

        /// The connection; while there is none, all calls wait for a single attempt to connect.
        async fn connected(&self) -> RedisResult<ClusterConnection> {
            let last = self.attempt.read().unwrap_or_else(PoisonError::into_inner).clone();
            let mut running = if matches!(&*last.borrow(), Some(Err(_))) { self.again(&last) } else { last };
            let made = running.wait_for(Option::is_some).await.ok().and_then(|made| made.clone());
            made.unwrap_or_else(|| Err(io::Error::from(io::ErrorKind::NotConnected).into()))
        }

        /// Another attempt in place of one that failed, or of a connection that is silent.
        fn again(&self, failed: &Attempt) -> Attempt {
            let mut last = self.attempt.write().unwrap_or_else(PoisonError::into_inner);
            if last.same_channel(failed) {
                *last = attempt(&self.client, &self.nodes);
            }
            last.clone()
        }

        /// Calls `tell` for every change of the verdict on a node, for metrics and logs. It must return quickly. Only the first listener is
        /// set.
        pub fn on_verdict(self, tell: impl Fn(&VerdictChange<'_>) + Send + Sync + 'static) -> Self {
            let tell: Arc<Tell> = Arc::new(tell);
            if self.nodes.listener.set(tell.clone()).is_ok() {
                for verdict in self.nodes.by_address.lock().unwrap_or_else(PoisonError::into_inner).values() {
                    let tell = tell.clone();
                    verdict.tell_changes(move |change| tell(change));
                }
            }
            self
        }

        async fn one(&mut self, command: &Cmd) -> Result<Value, Failure> {
            let mut connection = self.connected().await.map_err(Failure::NotSent)?;
            let mut node = master(command);
            let mut ask = false;
            for left in (0..=MOST_REDIRECTS).rev() {
                let answer = if ask {
                    // A single pipeline, so that no other command is sent in between.
                    let both = pipeline(&[redis::cmd("ASKING"), command.clone()]);
                    connection.route_pipeline(both, 1, 1, node.clone()).await.map(|mut values| values.remove(0))
                } else {
                    connection.route_command(command.clone(), RoutingInfo::SingleNode(node.clone())).await
                };
                let error = match answer.and_then(Value::extract_error) {
                    Ok(value) => return Ok(value),
                    Err(error) => error,
                };
                match redirect(&error) {
                    Some(next) if left > 0 => {
                        (node, ask) = next;
                        if !ask {
                            let (nodes, connection) = (self.nodes.clone(), connection.clone());
                            tokio::spawn(async move { nodes.ask(connection).await });
                        }
                    }
                    _ => return Err(given_up(error)),
                }
            }
            unreachable!("the last redirect returns")
        }
    }

    impl AsyncSender for AsyncClusterSender {
        async fn send(&mut self, commands: &[Cmd]) -> Replies {
            let mut replies = Vec::with_capacity(commands.len());
            for command in commands {
                let (mut sender, sent) = (self.clone(), command.clone());
                let answering = async move { sender.one(&sent).await };
                replies.push(match self.nodes.of(key(command)) {
                    Some(verdict) => WitnessedAnswer::new(&verdict, answering, |reply| reply).await,
                    None => answering.await,
                });
            }
            replies
        }

        fn questioner(&self) -> Option<Questioner> {
            let sender = self.clone();
            Some(Arc::new(move |command| {
                let mut sender = sender.clone();
                Box::pin(async move { sender.one(&command).await })
            }))
        }

        fn verdict_on(&self, key: &[u8]) -> Option<Arc<ServerVerdict>> {
            let verdict = self.nodes.of(key)?;
            if verdict.is_pipe_closed() {
                let silent = self.attempt.read().unwrap_or_else(PoisonError::into_inner).clone();
                self.again(&silent);
                verdict.renew_pipe();
            }
            Some(verdict)
        }

        async fn send_to_masters(&mut self, command: &Cmd) -> RedisResult<()> {
            self.connected().await?.route_command(command.clone(), every_master()).await.map(|_| ())
        }
    }
}
#[cfg(feature = "cluster-async")]
pub use cluster_async::AsyncClusterSender;
