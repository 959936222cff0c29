//! How calls go through redis-rs once. Its cluster connections send a call again after a lost answer, so they are no
//! [`Sender`]: [`ClusterSender`] is. A connection manager does not tell in time that it is refused: [`ReconnectingSender`] does.

use crate::near::Moment;
use crate::outcome::{outcome, server_text, tell};
use crate::{classify_error, Call, Decision, Error, FUNCTIONS_LIBRARY};
use alloc::{format, vec::Vec};
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use redis::{Cmd, RedisError, RedisResult, Value};
use std::io;
use std::time::{Duration, Instant};

/// A command without an answer.
#[derive(Debug)]
pub enum Failure {
    /// It was never sent.
    NotSent(RedisError),
    /// It was sent, perhaps; the error may be the server's.
    Sent(RedisError),
}

type Replies = Vec<Result<Value, Failure>>;

/// A blocking connection that sends each command once, except after MOVED and ASK.
pub trait Sender {
    /// Sends commands; the replies stand at the same places.
    fn send(&mut self, commands: &[Cmd]) -> Vec<Result<Value, Failure>>;
    /// Whether all commands go to one server, so that its [`CircuitBreaker`](crate::CircuitBreaker) is that of all.
    fn is_one_server(&self) -> bool {
        false
    }
    /// Sends a command to every master.
    fn send_to_masters(&mut self, command: &Cmd) -> RedisResult<()>;
}

impl Call {
    /// Sends the call, and again only where the answer proves that it did not run.
    pub fn query(&self, sender: &mut impl Sender) -> Result<Decision, Error> {
        if let Some(known) = self.known() {
            return Ok(known);
        }
        query_all(core::slice::from_ref(self), sender).remove(0)
    }

    /// The denial of the call, if it is known without asking.
    fn known(&self) -> Option<Decision> {
        let cost = u64::try_from(self.cost).ok().filter(|cost| *cost > 0)?;
        let known = self.policy.memory.as_ref()?.find(&self.key, &self.policy.limit, cost, Moment::now)?;
        tell(self, Some(&known), None);
        Some(known)
    }

    /// What the call comes to that an open circuit keeps from the server.
    fn kept(&self, one_server: bool) -> Option<Result<Decision, Error>> {
        let breaker = self.policy.breaker.as_ref().filter(|_| one_server && self.cost > 0)?;
        if breaker.may_send(Instant::now()) {
            return None;
        }
        Some(outcome(self, Err(open()), false))
    }

    /// What a call for units comes to that has too many others of its limiter before it.
    fn crowded_out(&self, crowd: Crowd) -> Option<Result<Decision, Error>> {
        if crowd == Crowd::HasRoom || self.cost <= 0 {
            return None;
        }
        let why = format!("{} calls of this limiter are under way", Traffic::MOST);
        let why = io::Error::new(io::ErrorKind::NotConnected, why);
        Some(outcome(self, Err(Failure::NotSent(why.into())), crowd == Crowd::IsAnswered))
    }

    fn forget_if_given_back(&self) {
        if let Some(memory) = self.policy.memory.as_ref().filter(|_| self.cost < 0) {
            memory.forget(&self.key, Moment::now());
        }
    }
}

/// The failure of a call that an open circuit keeps from the server.
pub(crate) fn open() -> Failure {
    let why = "the circuit is open, since the server did not answer 5 calls in a row";
    Failure::NotSent(io::Error::new(io::ErrorKind::NotConnected, why).into())
}

/// Sends calls in one trip (in a cluster: one after another); a call that fails does not spoil its neighbours.
pub fn query_all(calls: &[Call], sender: &mut impl Sender) -> Vec<Result<Decision, Error>> {
    let mut batch = Batch::new(calls, sender.is_one_server(), None);
    let mut replies = if batch.asked.is_empty() { Replies::new() } else { sender.send(&commands(&batch.asked)) };
    let (places, evals) = unknown(&batch.asked, &replies);
    if !evals.is_empty() {
        for (at, reply) in places.into_iter().zip(sender.send(&evals)) {
            replies[at] = reply;
        }
    }
    batch.outcomes(replies)
}

/// What calls find that would be too many, if there are as many under way as may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Crowd {
    HasRoom,
    IsAnswered,
    #[cfg(feature = "aio")]
    IsNotAnswered,
}

/// The calls of a limiter that are under way, and how many were answered.
#[derive(Debug, Default)]
pub(crate) struct Traffic {
    pending: AtomicU32,
    /// How often a call found many.
    crowds: AtomicU32,
    answers: AtomicU32,
    /// When the last one came, of this process's nanoseconds; 0 if none did.
    answered: AtomicU64,
    #[cfg(feature = "aio")]
    hearing: Hearing,
}

impl Traffic {
    /// A call may be late only because there are so many others.
    const MANY: u32 = 1_000;
    /// More calls are not sent while the server answers.
    const MOST: u32 = 5_000;

    /// Whether so many calls are under way, while one was answered within that time.
    fn crowd(&self, now: Moment, within: Duration) -> Crowd {
        match self.is_full() && self.was_answered(now, within) {
            true => Crowd::IsAnswered,
            false => Crowd::HasRoom,
        }
    }

    fn is_full(&self) -> bool {
        self.pending.load(Ordering::Relaxed) >= Self::MOST
    }

    fn was_answered(&self, now: Moment, within: Duration) -> bool {
        let answered = self.answered.load(Ordering::Relaxed);
        answered > 0 && u128::from(now.nanos() - answered.min(now.nanos())) <= within.as_nanos()
    }

    /// Takes notice of what shows that the server answers: not that it cannot serve now.
    fn note(&self, reply: &Result<Value, Failure>, now: Moment) {
        let is_answer = match reply {
            Ok(_) => true,
            Err(Failure::Sent(error)) => {
                use crate::FailureKind::{Misconfigured, Overloaded, Redirect};
                matches!(classify_error(error, true).kind, Misconfigured | Overloaded | Redirect)
            }
            Err(Failure::NotSent(_)) => false,
        };
        if is_answer {
            self.answers.fetch_add(1, Ordering::Relaxed);
            self.answered.store(now.nanos(), Ordering::Relaxed);
            #[cfg(feature = "aio")]
            self.hearing.tell();
        }
    }

    /// Takes notice of a call that is sent.
    fn begin(&self) -> CallsBefore {
        let is_one_of_many = self.pending.fetch_add(1, Ordering::Relaxed) + 1 >= Self::MANY;
        if is_one_of_many {
            self.crowds.fetch_add(1, Ordering::Relaxed);
        }
        CallsBefore {
            is_one_of_many,
            crowds: self.crowds.load(Ordering::Relaxed),
            answers: self.answers.load(Ordering::Relaxed),
        }
    }

    /// Whether many calls were under way when this one was sent, or later, and others were answered since.
    fn is_crowded(&self, before: &CallsBefore) -> bool {
        self.had_many(before) && self.answers.load(Ordering::Relaxed) != before.answers
    }

    fn had_many(&self, before: &CallsBefore) -> bool {
        before.is_one_of_many || self.crowds.load(Ordering::Relaxed) != before.crowds
    }
}

struct CallsBefore {
    is_one_of_many: bool,
    crowds: u32,
    answers: u32,
}

/// Calls, and what is known of them without asking. When it ends, however it does, refunds have ended.
struct Batch<'a> {
    known: Vec<Option<Result<Decision, Error>>>,
    asked: Vec<(&'a Call, CallsBefore)>,
    sent: Moment,
    one_server: bool,
}

impl<'a> Batch<'a> {
    /// `crowd` is what is known of it.
    fn new(calls: &'a [Call], one_server: bool, crowd: Option<Crowd>) -> Self {
        calls.iter().for_each(Call::forget_if_given_back);
        let sent = Moment::now();
        let first = || calls.first().map(|call| call.policy.traffic.crowd(sent, call.policy.timeout));
        let full = crowd.or_else(first).unwrap_or(Crowd::HasRoom);
        let known =
            |call: &Call| call.known().map(Ok).or_else(|| call.kept(one_server)).or_else(|| call.crowded_out(full));
        let known: Vec<_> = calls.iter().map(known).collect();
        let asked = calls
            .iter()
            .zip(&known)
            .filter(|(_, known)| known.is_none())
            .map(|(call, _)| (call, call.policy.traffic.begin()));
        let asked = asked.collect();
        Self { known, asked, sent, one_server }
    }

    /// The traffic of a call of these that was late among many and has heard nothing since, and what was answered before.
    #[cfg(feature = "aio")]
    fn unheard(&self, replies: &Replies) -> Option<(&'a Traffic, u32)> {
        self.asked.iter().zip(replies).find_map(|((call, before), reply)| {
            let traffic = &*call.policy.traffic;
            let late = matches!(reply, Err(Failure::Sent(error)) if error.is_timeout());
            let unheard = late && traffic.had_many(before) && !traffic.is_crowded(before);
            unheard.then_some((traffic, before.answers))
        })
    }

    fn outcomes(&mut self, replies: Replies) -> Vec<Result<Decision, Error>> {
        let (answered, now, known) = (Moment::now(), Instant::now(), core::mem::take(&mut self.known));
        let mut outcomes = self.asked.iter().zip(replies).map(|((call, before), reply)| {
            call.policy.traffic.note(&reply, answered);
            let crowded = matches!(&reply, Err(Failure::Sent(error)) if error.is_timeout())
                && call.policy.traffic.is_crowded(before);
            if let Some(breaker) = call.policy.breaker.as_ref().filter(|_| self.one_server && !crowded) {
                breaker.note(&reply, now);
            }
            let outcome = outcome(call, reply, crowded);
            if let (Ok(denied), Some(memory), true) = (&outcome, &call.policy.memory, call.cost > 0) {
                if denied.enforced && !denied.allowed() {
                    let times = (self.sent, answered);
                    memory.remember(&call.key, &call.policy.limit, call.cost as u64, *denied, times);
                }
            }
            outcome
        });
        known.into_iter().map(|known| known.unwrap_or_else(|| outcomes.next().expect("a reply each"))).collect()
    }
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        for (call, _) in &self.asked {
            call.policy.traffic.pending.fetch_sub(1, Ordering::Relaxed);
            call.forget_if_given_back();
        }
    }
}

/// Loads the Functions library on every master.
pub fn load_functions(sender: &mut impl Sender) -> RedisResult<()> {
    sender.send_to_masters(&load_command())
}

fn commands(calls: &[(&Call, CallsBefore)]) -> Vec<Cmd> {
    calls.iter().map(|(call, _)| command(call.words())).collect()
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

fn unknown(calls: &[(&Call, CallsBefore)], replies: &Replies) -> (Vec<usize>, Vec<Cmd>) {
    let unknown = |reply: &Result<Value, Failure>| matches!(reply, Err(Failure::Sent(error)) if server_text(error).starts_with("NOSCRIPT"));
    let places: Vec<_> = (0..replies.len()).filter(|at| unknown(&replies[*at])).collect();
    let evals = places.iter().map(|at| command(calls[*at].0.eval_words())).collect();
    (places, evals)
}

/// The answers to a pipeline, or its failure at the place of each.
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
    use crate::RateLimiter;
    use redis::aio::{ConnectionLike, MultiplexedConnection};
    use std::future::Future;
    use std::task::Poll;
    use tokio::time::{timeout, timeout_at, Instant};

    /// An asynchronous connection that sends each command once, except after MOVED and ASK.
    pub trait AsyncSender: Send {
        /// Sends commands; the replies stand at the same places.
        fn send(&mut self, commands: &[Cmd]) -> impl Future<Output = Vec<Result<Value, Failure>>> + Send;
        /// Whether all commands go to one server, so that its [`CircuitBreaker`](crate::CircuitBreaker) is that of all.
        fn is_one_server(&self) -> bool {
            false
        }
        /// Sends a command to every master.
        fn send_to_masters(&mut self, command: &Cmd) -> impl Future<Output = RedisResult<()>> + Send;
    }

    impl RateLimiter {
        /// Takes one unit if every tier has it: [`acquire`](Self::acquire) and [`query_async`](Call::query_async) in one call with one
        /// error.
        pub async fn try_acquire(
            &self,
            sender: &mut impl AsyncSender,
            subject: impl AsRef<[u8]>,
        ) -> Result<Decision, Error> {
            self.acquire(subject)?.query_async(sender).await
        }

        /// The same for `cost` units, 1 to 10^12.
        pub async fn try_acquire_n(
            &self,
            sender: &mut impl AsyncSender,
            subject: impl AsRef<[u8]>,
            cost: u64,
        ) -> Result<Decision, Error> {
            self.acquire_n(subject, cost)?.query_async(sender).await
        }
    }

    impl Call {
        /// [`Call::query`] on an asynchronous connection. It ends after the limiter's
        /// [`with_timeout`](crate::RateLimiter::with_timeout).
        pub async fn query_async(&self, sender: &mut impl AsyncSender) -> Result<Decision, Error> {
            if let Some(known) = self.known() {
                return Ok(known);
            }
            query_all_async(core::slice::from_ref(self), sender).await.remove(0)
        }
    }

    /// [`query_all`] on an asynchronous connection. It ends after the longest
    /// [`with_timeout`](crate::RateLimiter::with_timeout) of the calls' limiters.
    pub async fn query_all_async(calls: &[Call], sender: &mut impl AsyncSender) -> Vec<Result<Decision, Error>> {
        let patience = calls.iter().map(|call| call.policy.timeout).max().unwrap_or_default();
        // None is later than any clock shows.
        let until = Instant::now().checked_add(patience);
        let crowd = crowd_before(calls, until, sender).await;
        let mut batch = Batch::new(calls, sender.is_one_server(), crowd);
        let mut replies = Replies::new();
        if !batch.asked.is_empty() {
            replies = sent_until(until, &commands(&batch.asked), sender).await;
        }
        let (places, evals) = unknown(&batch.asked, &replies);
        if !evals.is_empty() {
            for (at, reply) in places.into_iter().zip(sent_until(until, &evals, sender).await) {
                replies[at] = reply;
            }
        }
        if let Some((traffic, before)) = batch.unheard(&replies) {
            traffic.listen(before, sender).await;
        }
        batch.outcomes(replies)
    }

    async fn sent_until(until: Option<Instant>, commands: &[Cmd], sender: &mut impl AsyncSender) -> Replies {
        let Some(until) = until else { return sender.send(commands).await };
        let late = || Failure::Sent(io::Error::from(io::ErrorKind::TimedOut).into());
        let replies = within(until, sender.send(commands)).await;
        replies.unwrap_or_else(|| commands.iter().map(|_| Err(late())).collect())
    }

    /// What comes in time. A process that stood still sees the end of it before an answer that has come: it gets as long again.
    pub(crate) async fn within<T>(until: Instant, answer: impl Future<Output = T>) -> Option<T> {
        let mut answer = core::pin::pin!(answer);
        if let Ok(answer) = timeout_at(until, answer.as_mut()).await {
            return Some(answer);
        }
        timeout(until.elapsed().max(Duration::from_millis(1)), answer).await.ok()
    }

    /// Calls that are too many wait until it is known whether the server answers.
    async fn crowd_before(calls: &[Call], until: Option<Instant>, sender: &mut impl AsyncSender) -> Option<Crowd> {
        let policy = &calls.iter().find(|call| call.cost > 0)?.policy;
        let traffic = &*policy.traffic;
        if !traffic.is_full() || traffic.was_answered(Moment::now(), policy.timeout) {
            return None;
        }
        let before = traffic.answers.load(Ordering::Relaxed);
        if !traffic.hearing.hears(&traffic.answers, before, until).await {
            traffic.listen(before, sender).await;
        }
        let heard = traffic.answers.load(Ordering::Relaxed) != before;
        Some(if heard { Crowd::IsAnswered } else { Crowd::IsNotAnswered })
    }

    /// How calls hear of others' answers.
    #[derive(Debug, Default)]
    pub(crate) struct Hearing {
        waiting: AtomicU32,
        next: tokio::sync::Notify,
        listening: tokio::sync::Mutex<()>,
        listened: AtomicU32,
    }

    impl Hearing {
        /// A process that was awake for so many milliseconds has heard what there was to hear.
        const AWAKE: u32 = 200;
        /// One that wakes so late is not awake.
        const LATE: Duration = Duration::from_millis(5);
        const LONGEST: Duration = Duration::from_secs(2);

        pub(crate) fn tell(&self) {
            if self.waiting.load(Ordering::SeqCst) > 0 {
                self.next.notify_waiters();
            }
        }

        /// Waits for the next answer; false if none comes.
        async fn hears(&self, answers: &AtomicU32, before: u32, until: Option<Instant>) -> bool {
            let mut next = core::pin::pin!(self.next.notified());
            next.as_mut().enable();
            self.waiting.fetch_add(1, Ordering::SeqCst);
            let _waits = Waits(&self.waiting);
            if answers.load(Ordering::SeqCst) != before {
                return true;
            }
            match until {
                Some(until) => timeout_at(until, next).await.is_ok(),
                None => {
                    next.await;
                    true
                }
            }
        }
    }

    impl Traffic {
        /// Ends when there was an answer, or when a process that had no time to read had some; once for all that are late. It
        /// asks itself, since a connection that nobody waits for is not made.
        async fn listen(&self, before: u32, sender: &mut impl AsyncSender) {
            let hearing = &self.hearing;
            let listened = hearing.listened.load(Ordering::Relaxed);
            let _one = hearing.listening.lock().await;
            if hearing.listened.load(Ordering::Relaxed) != listened {
                return;
            }
            let begun = Instant::now();
            let is_heard = || self.answers.load(Ordering::Relaxed) != before;
            let mut listens = core::pin::pin!(async {
                let mut awake = 0;
                while !is_heard() && awake < Hearing::AWAKE && begun.elapsed() < Hearing::LONGEST {
                    let slept = Instant::now();
                    tokio::time::sleep(Duration::from_millis(1)).await;
                    awake += u32::from(slept.elapsed() < Hearing::LATE);
                }
            });
            let mut asks = core::pin::pin!(async {
                while !is_heard() {
                    for reply in sender.send(&[redis::cmd("PING")]).await {
                        self.note(&reply, Moment::now());
                    }
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
            });
            core::future::poll_fn(|context| match asks.as_mut().poll(context) {
                Poll::Ready(()) => Poll::Ready(()),
                Poll::Pending => listens.as_mut().poll(context),
            })
            .await;
            hearing.listened.fetch_add(1, Ordering::Relaxed);
        }
    }

    struct Waits<'a>(&'a AtomicU32);

    impl Drop for Waits<'_> {
        fn drop(&mut self) {
            self.0.fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// [`load_functions`] on an asynchronous connection.
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

        async fn send_to_masters(&mut self, command: &Cmd) -> RedisResult<()> {
            command.exec_async(self).await
        }
    }
}
#[cfg(feature = "aio")]
pub(crate) use aio::within;
#[cfg(feature = "aio")]
use aio::Hearing;
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

    /// The master of a call's key, which is its fourth word.
    pub(super) fn master(command: &Cmd) -> SingleNodeRoutingInfo {
        let key = match command.args_iter().nth(3) {
            Some(redis::Arg::Simple(key)) => key,
            _ => b"",
        };
        SingleNodeRoutingInfo::SpecificNode(Route::with_key(key, SlotAddr::Master))
    }

    /// Where a call goes after MOVED or ASK, and whether it needs ASKING.
    pub(super) fn redirect(error: &RedisError) -> Option<(SingleNodeRoutingInfo, bool)> {
        let asking = match error.kind() {
            ErrorKind::Server(ServerErrorKind::Moved) => false,
            ErrorKind::Server(ServerErrorKind::Ask) => true,
            _ => return None,
        };
        let (host, port) = error.redirect_node()?.0.rsplit_once(':')?;
        Some((SingleNodeRoutingInfo::ByAddress { host: host.into(), port: port.parse().ok()? }, asking))
    }

    /// A failure that is no redirect, or one too many: then the call has not run.
    pub(super) fn given_up(error: RedisError) -> Failure {
        match error.kind() {
            ErrorKind::Server(ServerErrorKind::Moved | ServerErrorKind::Ask) => Failure::NotSent(error),
            _ => Failure::Sent(error),
        }
    }

    pub(super) fn every_master() -> RoutingInfo {
        RoutingInfo::MultiNode((MultipleNodeRoutingInfo::AllMasters, Some(ResponsePolicy::AllSucceeded)))
    }

    /// A connection to a cluster that sends each call once, follows MOVED and ASK, and reconnects after a failure.
    pub struct ClusterSender {
        client: redis::cluster::ClusterClient,
        connection: Option<redis::cluster::ClusterConnection>,
    }

    impl ClusterSender {
        /// A sender with connections of its own, made as the builder says, but without redis-rs' retries.
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
                        // A new connection asks for the slots again.
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
    use super::cluster::{every_master, given_up, master, redirect, MOST_REDIRECTS};
    use super::*;
    use redis::cluster_routing::RoutingInfo;

    /// An asynchronous connection to a cluster that sends each call once and follows MOVED and ASK. Clones share it.
    #[derive(Clone)]
    pub struct AsyncClusterSender {
        connection: redis::cluster_async::ClusterConnection,
    }

    impl AsyncClusterSender {
        /// A sender with connections of its own, made as the builder says, but without redis-rs' retries.
        pub async fn new(builder: redis::cluster::ClusterClientBuilder) -> RedisResult<Self> {
            Ok(Self { connection: builder.retries(0).build()?.get_async_connection().await? })
        }

        async fn one(&mut self, command: &Cmd) -> Result<Value, Failure> {
            let mut node = master(command);
            let mut ask = false;
            for left in (0..=MOST_REDIRECTS).rev() {
                let answer = if ask {
                    // One pipeline, so that no other command comes between.
                    let both = pipeline(&[redis::cmd("ASKING"), command.clone()]);
                    self.connection.route_pipeline(both, 1, 1, node.clone()).await.map(|mut values| values.remove(0))
                } else {
                    self.connection.route_command(command.clone(), RoutingInfo::SingleNode(node.clone())).await
                };
                let error = match answer.and_then(Value::extract_error) {
                    Ok(value) => return Ok(value),
                    Err(error) => error,
                };
                match redirect(&error) {
                    Some(next) if left > 0 => (node, ask) = next,
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
                replies.push(self.one(command).await);
            }
            replies
        }

        async fn send_to_masters(&mut self, command: &Cmd) -> RedisResult<()> {
            self.connection.route_command(command.clone(), every_master()).await.map(|_| ())
        }
    }
}
#[cfg(feature = "cluster-async")]
pub use cluster_async::AsyncClusterSender;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_many_calls_at_once_are() {
        let (traffic, second) = (Traffic::default(), Duration::from_secs(1));
        let first = traffic.begin();
        traffic.answers.fetch_add(1, Ordering::Relaxed);
        assert!(!traffic.is_crowded(&first), "few");
        for _ in 1..Traffic::MANY {
            traffic.begin();
        }
        assert!(traffic.is_crowded(&first));
        assert!(!traffic.is_crowded(&traffic.begin()), "nobody was answered since");
        for _ in Traffic::MANY..Traffic::MOST {
            traffic.begin();
        }
        assert_eq!(traffic.crowd(Moment::now(), second), Crowd::HasRoom, "nobody was ever answered");
        let answered = Moment::now();
        traffic.note(&Ok(Value::Nil), answered);
        assert_eq!(traffic.crowd(answered, second), Crowd::IsAnswered);
        while answered.nanos() == Moment::now().nanos() {}
        assert_eq!(traffic.crowd(Moment::now(), Duration::ZERO), Crowd::HasRoom, "nobody lately");
    }
}
