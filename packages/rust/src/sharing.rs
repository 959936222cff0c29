//! Calls of one subject that share trips over a [`ReconnectingSender`]; trips.rs has the rules.

use crate::asking::is_late;
use crate::near::Moment;
use crate::outcome::server_text;
use crate::send::{command, late_reply, remember, send_judged_async, Counting, Replies, Reply};
use crate::trips::{trip_commands, TripAction, TripFailure, TripGroup, TripOutcome};
use crate::verdict::Ending;
use crate::{classify_error, AsyncSender, Call, Decision, Failure, ReconnectingSender};
use alloc::{boxed::Box, sync::Arc, vec::Vec};
use core::future::{poll_fn, Future};
use core::pin::pin;
use core::task::Poll;
use core::{fmt, mem};
use redis::{Cmd, RedisError, Value};
use std::collections::hash_map::{Entry, HashMap};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::{oneshot, Notify};

/// The shortest delay of a timer. For a shorter one, the group looks at the clock in each turn of the runtime.
const SHORTEST_TIMER_MS: f64 = 1.0;
const LONGEST_TIMER_MS: f64 = 3_600_000.0;

/// The limiter, the cost and the key: calls with equal ones send the same bytes.
type Bytes = Vec<u8>;

fn bytes(call: &Call) -> Bytes {
    let mut bytes = Vec::with_capacity(16 + call.key.len());
    bytes.extend((Arc::as_ptr(&call.policy) as usize as u64).to_ne_bytes());
    bytes.extend(call.cost.to_ne_bytes());
    bytes.extend(&call.key);
    bytes
}

/// What a call is told.
#[derive(Debug, Clone)]
enum Told {
    Reply(Reply),
    /// The denial that was remembered while the call waited.
    Known(Decision),
    /// The circuit opened while the call waited.
    Open,
    /// The deadline passed while the call waited.
    TooLate,
    /// The connection was silent although the server answers.
    Closed,
}

type Answer = (Told, Counting);

/// The end of a call that may share trips.
pub(crate) enum Heard {
    Replies(Replies, Option<Ending>, Counting),
    Known(Decision),
    Open,
}

/// The calls over one sender that are under way, by their bytes.
#[derive(Default)]
pub(crate) struct SharedTrips(Mutex<State>);

#[derive(Default)]
struct State {
    slots: HashMap<Bytes, Slot>,
    entered: u64,
    /// The time that a trip took before its group was over.
    took: Option<f64>,
}

enum Slot {
    /// A call that was sent alone at this time.
    Alone(f64),
    Group(Box<Group>),
}

struct Group {
    call: Call,
    trips: TripGroup<Told>,
    calls: HashMap<u64, SharedCall>,
    sent: HashMap<u64, SentTrip>,
    /// The trip of the call that was sent alone.
    lone: Option<u64>,
    pace: Arc<Pace>,
    /// The runtime of the last call that entered, which has its trips.
    runtime: Handle,
}

/// A call that waits or was sent.
struct SharedCall {
    told: oneshot::Sender<Answer>,
    due: f64,
    is_probe: bool,
    /// Its last trip, and whether that was counted for the circuit breaker.
    trip: Option<(u64, Arc<AtomicBool>)>,
}

/// A trip under way, and the number of its calls that have not ended.
struct SentTrip {
    open: usize,
    given_up: Arc<Notify>,
}

/// When the group's task must look at the clock, in milliseconds as bits: infinity if nothing waits, and a negative number if the group is
/// over.
struct Pace {
    due: AtomicU64,
    changed: Notify,
    is_running: AtomicBool,
}

impl Pace {
    const OVER: f64 = -1.0;

    fn due(&self) -> f64 {
        f64::from_bits(self.due.load(Ordering::Acquire))
    }

    fn set(&self, due: f64) {
        let before = f64::from_bits(self.due.swap(due.to_bits(), Ordering::AcqRel));
        if due < before {
            self.changed.notify_one();
        }
    }
}

/// A trip to be sent.
struct Trip {
    call: Call,
    number: u64,
    commands: Vec<Cmd>,
    asks: Vec<u64>,
    due: f64,
    given_up: Arc<Notify>,
    runtime: Handle,
}

/// What a group has decided, which is performed without its lock.
#[derive(Default)]
struct Todo {
    told: Vec<(oneshot::Sender<Answer>, Answer)>,
    trips: Vec<Trip>,
    pacer: Option<(Arc<Pace>, Handle)>,
}

impl Todo {
    fn run(self, sender: &ReconnectingSender, bytes: &Bytes) {
        for trip in self.trips {
            let (sender, bytes, runtime) = (sender.clone(), bytes.clone(), trip.runtime.clone());
            let under_way = UnderWay { sender, bytes, trip, sent: None, is_sent: false, is_over: false };
            runtime.spawn(send(under_way));
        }
        for (call, told) in self.told {
            // A call that is dropped meanwhile may have been charged, as one that is dropped alone.
            let _ = call.send(told);
        }
        if let Some((pace, runtime)) = self.pacer {
            runtime.spawn(keep_pace(sender.clone(), bytes.clone(), Running(pace)));
        }
    }
}

impl SharedTrips {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for SharedTrips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SharedTrips of {} subjects", self.state().slots.len())
    }
}

impl Group {
    fn new(call: &Call, took: Option<f64>, runtime: Handle) -> Box<Self> {
        let pace =
            Pace { due: f64::INFINITY.to_bits().into(), changed: Notify::new(), is_running: AtomicBool::new(false) };
        let (call, trips, pace) = (call.clone(), TripGroup::new(call.cost as u64, took), Arc::new(pace));
        Box::new(Self { call, trips, calls: HashMap::new(), sent: HashMap::new(), lone: None, pace, runtime })
    }

    /// Returns what ends a call of a group, if it needs no trip.
    fn learnt(call: &Call, waiting: Option<&SharedCall>, now: f64) -> Option<Told> {
        let Some(waiting) = waiting.filter(|waiting| now < waiting.due) else { return Some(Told::TooLate) };
        let is_open = || call.policy.breaker.as_ref().is_some_and(|breaker| breaker.is_open());
        match call.remembered() {
            Some(known) => Some(Told::Known(known)),
            None => (!waiting.is_probe && is_open()).then_some(Told::Open),
        }
    }

    fn enter(&mut self, number: u64, shared: SharedCall, now: f64) {
        self.calls.insert(number, shared);
        let (call, calls) = (&self.call, &self.calls);
        self.trips.enter(number, now, |number| Self::learnt(call, calls.get(&number), now));
    }

    fn advance(&mut self, now: f64) {
        let (call, calls) = (&self.call, &self.calls);
        self.trips.advance(now, |number| Self::learnt(call, calls.get(&number), now));
    }

    fn answered(&mut self, trip: u64, outcomes: &[TripOutcome<Told>], now: f64) {
        let (call, calls) = (&self.call, &self.calls);
        self.trips.answered(trip, outcomes, now, |number| Self::learnt(call, calls.get(&number), now));
    }

    /// A call ends before it is answered. Returns the counting of its trip, if it was sent.
    fn ended(&mut self, number: u64, is_cancelled: bool) -> Option<Counting> {
        let shared = self.calls.remove(&number)?;
        let has_waited = if is_cancelled { self.trips.cancel(number) } else { self.trips.leave(number) };
        let (trip, is_counted) = shared.trip.filter(|_| !has_waited)?;
        if let Some(sent) = self.sent.get_mut(&trip) {
            sent.open -= 1;
            if sent.open == 0 {
                sent.given_up.notify_one();
            }
        }
        Some(Counting::Once(is_counted))
    }

    /// Performs what was decided, as far as the lock is needed.
    fn perform(&mut self, now: f64, todo: &mut Todo) {
        for action in mem::take(&mut self.trips.actions) {
            match action {
                TripAction::Send { trip, calls, by_source } => todo.trips.push(self.sends(trip, &calls, by_source)),
                TripAction::End(number, outcome) => {
                    let Some(shared) = self.calls.remove(&number) else { continue };
                    let trip = shared.trip.map_or(Counting::Not, |(_, is_counted)| Counting::Once(is_counted));
                    let told = match outcome {
                        TripOutcome::Reply(six) => (Told::Reply(Ok(Value::Array(six.map(Value::Int).to_vec()))), trip),
                        TripOutcome::Failed(TripFailure { why, .. }) => (why, trip),
                        TripOutcome::Learnt(known) => (known, Counting::Not),
                    };
                    todo.told.push((shared.told, told));
                }
            }
        }
        self.pace.set(self.trips.next_time(now));
        if self.pace.due() < f64::INFINITY && !self.pace.is_running.swap(true, Ordering::AcqRel) {
            todo.pacer = Some((self.pace.clone(), self.runtime.clone()));
        }
    }

    fn sends(&mut self, number: u64, calls: &[u64], by_source: bool) -> Trip {
        let (mut due, is_counted, given_up) = (0.0_f64, Arc::<AtomicBool>::default(), Arc::<Notify>::default());
        for call in calls {
            if let Some(shared) = self.calls.get_mut(call) {
                shared.trip = Some((number, is_counted.clone()));
                due = due.max(shared.due);
            }
        }
        self.sent.insert(number, SentTrip { open: calls.len(), given_up: given_up.clone() });
        let asks = trip_commands(calls.len());
        let commands = asks.iter().enumerate().map(|(at, asks)| {
            let call = self.call.times(*asks);
            command(if by_source && at == 0 { call.eval_words() } else { call.words() })
        });
        let commands = commands.collect();
        Trip { call: self.call.clone(), number, commands, asks, due, given_up, runtime: self.runtime.clone() }
    }
}

impl ReconnectingSender {
    fn clock(&self) -> f64 {
        milliseconds(self.server_verdict().now())
    }

    /// Changes the state, and then performs what the group of these bytes has decided.
    fn with_state<T>(&self, bytes: &Bytes, change: impl FnOnce(&mut State, f64) -> T) -> T {
        let mut todo = Todo::default();
        let mut state = self.shared_trips().state();
        // The clock is read under the lock, so that a group's times do not go back.
        let now = self.clock();
        let changed = change(&mut state, now);
        if let Some(Slot::Group(group)) = state.slots.get_mut(bytes) {
            group.perform(now, &mut todo);
            if group.trips.is_over() {
                group.pace.set(Pace::OVER);
                state.took = group.trips.took;
                state.slots.remove(bytes);
            }
        }
        drop(state);
        todo.run(self, bytes);
        changed
    }

    fn with_group<T>(&self, bytes: &Bytes, change: impl FnOnce(&mut Group, f64) -> T) -> Option<T> {
        self.with_state(bytes, |state, now| match state.slots.get_mut(bytes) {
            Some(Slot::Group(group)) => Some(change(group, now)),
            _ => None,
        })
    }

    /// A trip has ended. What is denied is remembered first, so that those who wait are denied by it.
    fn trip_ended(
        &self,
        bytes: &Bytes,
        call: &Call,
        trip: impl FnOnce(&mut Group) -> Option<u64>,
        outcomes: &[TripOutcome<Told>],
        sent: Option<Moment>,
    ) {
        if let (Some(TripOutcome::Reply(six @ [0, ..])), Some(sent)) = (outcomes.last(), sent) {
            if let Ok(denied) = Decision::read(six, 1) {
                remember(call, &denied, (sent, Moment::now()));
            }
        }
        self.with_group(bytes, |group, now| {
            if let Some(trip) = trip(group) {
                group.sent.remove(&trip);
                group.answered(trip, outcomes, now);
            }
        });
    }

    /// Sends a call for units, alone or with others of its bytes.
    pub(crate) async fn send_shared(
        &self,
        call: &Call,
        sender: &mut impl AsyncSender,
        deadline: Duration,
        question: &(dyn Fn() -> Cmd + Sync),
    ) -> Heard {
        let verdict = self.server_verdict();
        let bytes = bytes(call);
        let goes_alone = self.with_state(&bytes, |state, now| {
            if let Entry::Vacant(free) = state.slots.entry(bytes.clone()) {
                free.insert(Slot::Alone(now));
                return Some(None);
            }
            state.group(call, &bytes)?.0.trips.goes_alone(now).map(Some)
        });
        let Some(trip) = goes_alone else {
            return Box::pin(self.send_with_others(call, bytes, sender, deadline, question)).await;
        };
        let sent = call.policy.memory.as_ref().map(|_| Moment::now());
        let mut lone = LoneCall { sender: self, bytes, call, trip, sent, is_over: false };
        let source = |_| command(call.eval_words());
        let (replies, ending) =
            send_judged_async(sender, verdict, deadline, question, &[command(call.words())], &source).await;
        lone.end(replies.first());
        Heard::Replies(replies, ending, Counting::Own)
    }

    async fn send_with_others(
        &self,
        call: &Call,
        bytes: Bytes,
        sender: &mut impl AsyncSender,
        deadline: Duration,
        question: &(dyn Fn() -> Cmd + Sync),
    ) -> Heard {
        let verdict = self.server_verdict();
        let _counted = verdict.count(1);
        let mut times = verdict.begin_waiting(deadline, question);
        let questioner = sender.questioner();
        let is_probe = call.policy.breaker.as_ref().is_some_and(|breaker| breaker.is_open());
        let (told, answer) = oneshot::channel();
        let shared = SharedCall { told, due: milliseconds(times.due), is_probe, trip: None };
        let mut place = PlaceInGroup { sender: self, number: self.enter(call, &bytes, shared), bytes, is_over: false };
        let mut heard = None;
        let asking = async {
            let told = answer.await.unwrap_or_else(|_| (Told::Reply(Err(not_sent())), Counting::Not));
            let is_late = match &told.0 {
                Told::Reply(reply) => is_late(reply),
                Told::TooLate => true,
                Told::Known(_) | Told::Open | Told::Closed => false,
            };
            heard = Some(told);
            is_late
        };
        let ending = verdict.judge(&mut times, asking, |late| *late, (questioner.as_ref(), question)).await.err();
        place.is_over = heard.is_some();
        let late = |reply, ending, counting| Heard::Replies([reply].into(), ending, counting);
        match heard {
            Some((Told::Known(denied), _)) => Heard::Known(denied),
            Some((Told::Open, _)) => Heard::Open,
            Some((Told::Closed, counting)) => late(late_reply(true), Some(Ending::Overloaded), counting),
            Some((Told::TooLate, _)) => late(late_reply(false), ending, Counting::Not),
            Some((Told::Reply(reply), counting)) => late(reply, ending, counting),
            None => match place.leave() {
                Some(counting) => late(late_reply(true), ending, counting),
                None => late(late_reply(false), ending, Counting::Not),
            },
        }
    }

    /// Enters a call into the group of its bytes, and returns its number.
    fn enter(&self, call: &Call, bytes: &Bytes, shared: SharedCall) -> u64 {
        self.with_state(bytes, |state, now| match state.group(call, bytes) {
            Some((group, number)) => {
                group.enter(number, shared, now);
                number
            }
            None => 0,
        })
    }
}

impl State {
    /// The group of a call, which is made if there is none, and a number for the call.
    fn group(&mut self, call: &Call, bytes: &Bytes) -> Option<(&mut Group, u64)> {
        let runtime = Handle::current();
        self.entered += 1;
        let took = self.took;
        let slot = self.slots.entry(bytes.clone());
        let slot = slot.or_insert_with(|| Slot::Group(Group::new(call, took, runtime.clone())));
        if let Slot::Alone(sent) = *slot {
            let mut group = Group::new(call, took, runtime.clone());
            group.lone = Some(group.trips.sent_alone(sent));
            *slot = Slot::Group(group);
        }
        let Slot::Group(group) = slot else { return None };
        group.runtime = runtime;
        Some((group, self.entered))
    }
}

/// A call that was sent alone, and ends so if it is dropped.
struct LoneCall<'a> {
    sender: &'a ReconnectingSender,
    bytes: Bytes,
    call: &'a Call,
    /// Its trip in a group; nothing if it came before there was one.
    trip: Option<u64>,
    sent: Option<Moment>,
    is_over: bool,
}

impl LoneCall<'_> {
    fn end(&mut self, reply: Option<&Reply>) {
        self.is_over = true;
        if self.trip.is_none() {
            let mut state = self.sender.shared_trips().state();
            match state.slots.remove(&self.bytes) {
                Some(group @ Slot::Group(_)) => state.slots.insert(self.bytes.clone(), group),
                _ => return,
            };
        }
        let outcome = match reply.map(|reply| outcome(reply, 1)) {
            Some(reply @ TripOutcome::Reply(_)) => reply,
            // It has its answer, and is never sent again.
            _ => failed(Told::TooLate, None),
        };
        let trip = self.trip;
        self.sender.trip_ended(
            &self.bytes,
            self.call,
            |group| trip.or_else(|| group.lone.take()),
            &[outcome],
            self.sent,
        );
    }
}

impl Drop for LoneCall<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            self.end(None);
        }
    }
}

/// A call of a group, which is cancelled if it is dropped.
struct PlaceInGroup<'a> {
    sender: &'a ReconnectingSender,
    bytes: Bytes,
    number: u64,
    is_over: bool,
}

impl PlaceInGroup<'_> {
    /// The call is late. Returns the counting of its trip, if it was sent.
    fn leave(&mut self) -> Option<Counting> {
        self.is_over = true;
        self.ended(false)
    }

    fn ended(&self, is_cancelled: bool) -> Option<Counting> {
        self.sender.with_group(&self.bytes, |group, _| group.ended(self.number, is_cancelled)).flatten()
    }
}

impl Drop for PlaceInGroup<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            self.ended(true);
        }
    }
}

/// A trip, which is lost if its task is dropped.
struct UnderWay {
    sender: ReconnectingSender,
    bytes: Bytes,
    trip: Trip,
    sent: Option<Moment>,
    is_sent: bool,
    is_over: bool,
}

impl UnderWay {
    fn end(&mut self, outcomes: &[TripOutcome<Told>]) {
        self.is_over = true;
        let number = self.trip.number;
        self.sender.trip_ended(&self.bytes, &self.trip.call, |_| Some(number), outcomes, self.sent);
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        if !self.is_over {
            let (failure, ran) = if self.is_sent { (Failure::Sent(dropped()), None) } else { (not_sent(), Some(true)) };
            self.end(&lost(&self.trip, Told::Reply(Err(failure)), ran));
        }
    }
}

/// Sends a trip, and waits for its answers until all of its calls have ended or the connection is known to be silent.
async fn send(mut under_way: UnderWay) {
    under_way.sent = under_way.trip.call.policy.memory.as_ref().map(|_| Moment::now());
    under_way.is_sent = true;
    let (mut sender, trip) = (under_way.sender.clone(), &under_way.trip);
    // Replaces a silent connection.
    sender.verdict_on(&trip.call.key);
    let verdict = sender.server_verdict().clone();
    let left = Duration::from_secs_f64((trip.due - sender.clock()).max(0.0) / 1_000.0);
    let times = verdict.begin(left, || trip.call.question());
    let ended = {
        let mut answering = pin!(sender.send(&trip.commands));
        let mut given_up = pin!(trip.given_up.notified());
        let mut closed = pin!(verdict.closed(&times));
        poll_fn(|context| {
            if let Poll::Ready(replies) = answering.as_mut().poll(context) {
                return Poll::Ready(Ok(replies));
            }
            if closed.as_mut().poll(context).is_ready() {
                return Poll::Ready(Err(Told::Closed));
            }
            given_up.as_mut().poll(context).map(|()| Err(Told::TooLate))
        })
        .await
    };
    let outcomes = match ended {
        Ok(replies) => {
            verdict.ended(&times, replies.first());
            replies.iter().zip(&trip.asks).map(|(reply, asks)| outcome(reply, *asks)).collect()
        }
        Err(told) => lost(trip, told, None),
    };
    under_way.end(&outcomes);
}

/// The group's task, which looks at the clock for those who wait.
async fn keep_pace(sender: ReconnectingSender, bytes: Bytes, pace: Running) {
    loop {
        let (due, now) = (pace.0.due(), sender.clock());
        if due == Pace::OVER {
            return;
        }
        if now < due && due - now >= SHORTEST_TIMER_MS {
            let left = Duration::from_secs_f64((due - now).min(LONGEST_TIMER_MS) / 1_000.0);
            let _ = tokio::time::timeout(left, pace.0.changed.notified()).await;
            continue;
        }
        if now >= due {
            sender.with_group(&bytes, |group, now| {
                if Arc::ptr_eq(&group.pace, &pace.0) {
                    group.advance(now);
                }
            });
        }
        tokio::task::yield_now().await;
    }
}

struct Running(Arc<Pace>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.is_running.store(false, Ordering::Release);
    }
}

fn outcome(reply: &Reply, calls: u64) -> TripOutcome<Told> {
    let told = Told::Reply(reply.clone());
    match reply {
        Ok(value) => {
            let six = redis::from_redis_value::<Vec<i64>>(value.clone()).ok();
            match six.and_then(|six| <[i64; 6]>::try_from(six).ok()) {
                Some(six) if Decision::read(&six, calls).is_ok() => TripOutcome::Reply(six),
                // Each call's own decoding reports it.
                _ => failed(told, Some(true)),
            }
        }
        Err(Failure::Sent(error) | Failure::NotSent(error)) => {
            let (text, is_sent) = (server_text(error), matches!(reply, Err(Failure::Sent(_))));
            if text.starts_with("NOSCRIPT") {
                return TripOutcome::Failed(TripFailure { why: told, ran: Some(false), needs_source: true });
            }
            // After MOVED from a single server, nothing would be gained by another trip.
            let is_lost = text.is_empty() && classify_error(error, is_sent).charged;
            failed(told, if is_lost { None } else { Some(true) })
        }
    }
}

fn failed(why: Told, ran: Option<bool>) -> TripOutcome<Told> {
    TripOutcome::Failed(TripFailure { why, ran, needs_source: false })
}

fn lost(trip: &Trip, why: Told, ran: Option<bool>) -> Vec<TripOutcome<Told>> {
    trip.asks.iter().map(|_| failed(why.clone(), ran)).collect()
}

fn dropped() -> RedisError {
    io::Error::new(io::ErrorKind::NotConnected, "the runtime that sent this trip has ended").into()
}

fn not_sent() -> Failure {
    Failure::NotSent(dropped())
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}
