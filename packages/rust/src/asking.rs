//! The verdict on a server, shared by its calls and the check.

use crate::failure::ReadOnlySince;
use crate::numbers::{CALLS_IN_FLIGHT, VERDICT_CONNECTING, VERDICT_LATE_TIMER, VERDICT_LATE_TIMER_MORE};
use crate::outcome::is_read_only;
use crate::verdict::{Act, CallTimes, Ending, Refusal, Reply, ServerState, Time, Verdict};
use crate::{classify_error, Failure, FailureKind, Sender};
use alloc::boxed::Box;
use core::{fmt, mem};
use redis::{Cmd, RedisError, Value};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// A change of the verdict on a server, which is up at first, or, once, that it is still up although the connection for the check was
/// refused. Neither verdict is `Unknown`. `Display` formats it as a log line.
#[derive(Debug, Clone, Copy)]
pub struct VerdictChange<'a> {
    /// The new verdict.
    pub verdict: Verdict,
    /// The previous verdict.
    pub before: Verdict,
    /// How long the previous verdict lasted.
    pub lasted: Duration,
    /// The error with which the connection for the check was refused.
    pub error: Option<&'a RedisError>,
}

impl fmt::Display for VerdictChange<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (now, before) = (self.verdict.word(), self.before.word());
        if self.verdict == self.before {
            write!(f, "the verdict on the server: {now}, although the connection for the check is refused")?;
        } else {
            write!(f, "the verdict on the server: {now}, after {:.1} s of {before}", self.lasted.as_secs_f64())?;
        }
        self.error.map_or(Ok(()), |error| write!(f, ": {error}"))
    }
}

/// The check of a call may be sent for others for this long; that of each call would have to be made for nothing.
const PEEK_LASTS: Duration = Duration::from_secs(1);

type Tell = Box<dyn Fn(&VerdictChange<'_>) + Send + Sync>;

/// The state that the calls to one server share. Clones of a sender also share it.
pub struct ServerVerdict {
    begun: Instant,
    shared: Mutex<Shared>,
    in_flight: AtomicU32,
    /// The number of the connection that carries the calls; 0 if the sender did not open it. `closed` is the last connection that was
    /// closed because it was silent.
    pipe: AtomicU32,
    closed: AtomicU32,
    listener: OnceLock<Tell>,
    read_only: ReadOnlySince,
    #[cfg(feature = "aio")]
    changed: tokio::sync::Notify,
    /// The task of a call whose caller no longer waits for the answer.
    #[cfg(feature = "aio")]
    witness: Mutex<Option<tokio::task::JoinHandle<()>>>,
    #[cfg(feature = "aio")]
    question: OnceLock<tokio::sync::mpsc::UnboundedSender<aio::Event>>,
}

struct Shared {
    state: ServerState,
    /// The current verdict.
    verdict: Verdict,
    /// The last reported verdict, which is up at first and never unknown, and the time at which it was reached.
    told: (Verdict, Time),
    refusal: Option<RedisError>,
    /// The check of a late call, or of a call that began not long before, and when that was.
    peek: Option<(Cmd, Time)>,
    is_heard: bool,
}

impl ServerVerdict {
    /// Creates the verdict on a server that is checked over the client's own connection.
    pub(crate) fn by_client() -> Self {
        Self::new(ServerState::new(true, None))
    }

    fn new(state: ServerState) -> Self {
        let (verdict, told) = (Verdict::Unknown, (Verdict::Up, Time::ZERO));
        let shared = Shared { state, verdict, told, refusal: None, peek: None, is_heard: false };
        Self {
            begun: Instant::now(),
            shared: Mutex::new(shared),
            in_flight: AtomicU32::new(0),
            pipe: AtomicU32::new(0),
            closed: AtomicU32::new(0),
            listener: OnceLock::new(),
            read_only: ReadOnlySince::default(),
            #[cfg(feature = "aio")]
            changed: tokio::sync::Notify::new(),
            #[cfg(feature = "aio")]
            witness: Mutex::default(),
            #[cfg(feature = "aio")]
            question: OnceLock::new(),
        }
    }

    #[cfg(feature = "aio")]
    pub(crate) fn tell_changes(&self, tell: impl Fn(&VerdictChange<'_>) + Send + Sync + 'static) {
        let _ = self.listener.set(Box::new(tell));
    }

    pub(crate) fn now(&self) -> Time {
        self.begun.elapsed()
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state, and reports a new verdict.
    fn with<T>(&self, change: impl FnOnce(&mut Shared, Time) -> T) -> T {
        let mut shared = self.shared();
        let now = self.now();
        #[cfg(feature = "aio")]
        let attempt = shared.state.next_attempt;
        let changed = change(&mut shared, now);
        let (verdict, (before, since)) = (shared.state.reported(), shared.told);
        let is_beside = mem::take(&mut shared.state.is_newly_beside);
        let is_heard = mem::take(&mut shared.is_heard) | (mem::replace(&mut shared.verdict, verdict) != verdict);
        let is_changed = verdict != before && verdict != Verdict::Unknown;
        if is_changed {
            shared.told = (verdict, now);
        }
        let is_new = is_changed || is_beside;
        let refusal = shared.refusal.clone().filter(|_| is_new && shared.state.is_refused());
        #[cfg(feature = "aio")]
        let wakes = !shared.state.acts.is_empty() || shared.state.next_attempt != attempt;
        #[cfg(feature = "aio")]
        if let Some(question) = self.question.get().filter(|_| wakes) {
            let _ = question.send(aio::Event::Wake);
        }
        drop(shared);
        #[cfg(feature = "aio")]
        if is_heard || is_new {
            self.changed.notify_waiters();
        }
        #[cfg(not(feature = "aio"))]
        let _ = is_heard;
        if is_new {
            let lasted = now.saturating_sub(since);
            let change = VerdictChange { verdict, before, lasted, error: refusal.as_ref() };
            log::warn!("{change}");
            if let Some(tell) = self.listener.get() {
                tell(&change);
            }
        }
        changed
    }

    /// Records that a call is sent.
    pub(crate) fn begin(&self, deadline: Duration, peek: impl FnOnce() -> Cmd) -> CallTimes {
        self.begin_on(self.pipe.load(Ordering::Relaxed), deadline, peek)
    }

    /// Records that a call waits; it is sent with others, which are recorded as one call.
    #[cfg(feature = "aio")]
    pub(crate) fn begin_waiting(&self, deadline: Duration, peek: impl FnOnce() -> Cmd) -> CallTimes {
        self.begin_on(0, deadline, peek)
    }

    fn begin_on(&self, pipe: u32, deadline: Duration, peek: impl FnOnce() -> Cmd) -> CallTimes {
        self.with(|shared, now| {
            let call = shared.state.begin(now, deadline, pipe);
            if shared.peek.as_ref().is_none_or(|(_, at)| now >= *at + PEEK_LASTS) || shared.asks() {
                shared.peek = Some((peek(), now));
            }
            call
        })
    }

    /// Records that a call ended without being late.
    pub(crate) fn ended(&self, call: &CallTimes, reply: Option<&Result<Value, Failure>>) {
        let Some((reply, meant)) = reply.and_then(|reply| Some((reply, meaning(reply)?))) else { return };
        if reply.is_ok() {
            self.read_only.decided();
        }
        let seconds = 1 + self.now().as_secs() as u32;
        let is_replica =
            matches!(reply, Err(Failure::Sent(error)) if is_read_only(error) && self.read_only.is_lasting(seconds));
        self.with(|shared, now| {
            shared.is_heard = shared.state.is_as_good(call);
            shared.state.answered(now, call, is_replica || meant != Reply::CannotServe);
        });
    }

    /// Returns the end of a call that exceeds the maximum in flight; `Err` if there is no verdict.
    pub(crate) fn too_many(&self) -> Option<Result<Ending, ()>> {
        if self.in_flight.load(Ordering::Relaxed) < CALLS_IN_FLIGHT {
            return None;
        }
        Some(self.shared().state.crowded(self.now()).ok_or(()))
    }

    #[cfg(feature = "aio")]
    pub(crate) fn verdict(&self) -> Verdict {
        self.shared().state.reported()
    }

    /// Returns whether the check has a separate connection.
    #[cfg(feature = "aio")]
    pub(crate) fn has_connection(&self) -> bool {
        self.question.get().is_some()
    }

    pub(crate) fn count(&self, calls: usize) -> InFlight<'_> {
        self.in_flight.fetch_add(calls as u32, Ordering::Relaxed);
        InFlight(self, calls as u32)
    }

    /// Records that the connection that carries the calls was replaced.
    #[cfg(feature = "aio")]
    pub(crate) fn renew_pipe(&self) {
        if self.has_connection() {
            self.pipe.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[cfg(feature = "aio")]
    pub(crate) fn is_pipe_closed(&self) -> bool {
        self.is_closed(self.pipe.load(Ordering::Relaxed))
    }

    fn is_closed(&self, pipe: u32) -> bool {
        pipe > 0 && self.closed.load(Ordering::Relaxed) >= pipe
    }

    pub(crate) fn refusal(&self) -> Option<RedisError> {
        self.shared().refusal.clone()
    }

    /// Looks at a call, whose check is sent if one must be; the second value is that to send if the client of the call must send it.
    fn look(&self, call: &mut CallTimes, peek: &dyn Fn() -> Cmd) -> (Result<Ending, Time>, Option<u32>) {
        if self.is_closed(call.pipe) {
            return (Ok(Ending::Overloaded), None);
        }
        self.with(|shared, now| {
            let looked = shared.state.look(now, call);
            let asked_by_client = shared.asked_by_client();
            if shared.asks() {
                shared.peek = Some((peek(), now));
            }
            (looked, asked_by_client)
        })
    }

    /// Records that the check of the client has ended; returns false if it was not answered.
    fn replied(&self, number: u32, reply: &Result<Value, Failure>) -> bool {
        let Some(meant) = meaning(reply) else { return false };
        self.with(|shared, now| {
            if meant == Reply::SetUpWrong {
                shared.refusal = error_of(reply).cloned();
            }
            shared.is_heard = true;
            shared.state.replied(now, number, meant);
        });
        true
    }

    /// Returns the end of a late call on a blocking connection, which sends the check itself.
    pub(crate) fn end_blocking(&self, call: &CallTimes, peek: &Cmd, sender: &mut impl Sender) -> Ending {
        let mut call = self.late(call);
        let last = self.last();
        loop {
            let (looked, question) = self.look(&mut call, &|| peek.clone());
            if let Ok(ending) = looked {
                return ending;
            }
            if self.now() >= last {
                return self.shared().state.overdue(&call);
            }
            if let Some(number) = question {
                self.with(|shared, now| shared.state.written(now, number));
                // The connection's own timeout may be shorter than P.
                while !self.shared().state.is_silent() && self.now() < last {
                    let reply = sender.send(core::slice::from_ref(peek)).remove(0);
                    if self.replied(number, &reply) {
                        break;
                    }
                    if !is_late(&reply) {
                        self.with(|shared, now| shared.state.cut(now, 0));
                        return Ending::Outage;
                    }
                    self.with(Shared::turn);
                }
                self.with(|shared, now| shared.state.cut(now, 0));
            } else {
                std::thread::sleep(Duration::from_millis(1));
                self.with(Shared::turn);
            }
        }
    }

    /// Returns the time at which a call that is late now ends even without a verdict. It allows for delays, because the thread of the
    /// checks may be late as well.
    fn last(&self) -> Time {
        let (shared, now) = (self.shared(), self.now());
        now + shared.state.patience() + 2 * VERDICT_CONNECTING
    }

    /// Returns the times of a call that its client abandons now.
    fn late(&self, call: &CallTimes) -> CallTimes {
        let now = self.now();
        let half = call.begun + now.saturating_sub(call.begun) / 2;
        CallTimes { half: call.half.min(half), due: call.due.min(now), bound: None, ..*call }
    }
}

impl Shared {
    /// Returns whether a check is about to be sent.
    fn asks(&self) -> bool {
        self.state.acts.iter().any(|act| matches!(act, Act::Ask(..)))
    }

    fn asked_by_client(&mut self) -> Option<u32> {
        let is_asked = |act: &Act| matches!(act, Act::Ask(_, 0));
        match self.state.acts.iter().position(is_asked).map(|at| self.state.acts.remove(at)) {
            Some(Act::Ask(number, _)) => Some(number),
            _ => None,
        }
    }

    fn turn(&mut self, now: Time) {
        if self.state.tick(now) {
            self.state.turned(now);
        }
    }
}

impl fmt::Debug for ServerVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ServerVerdict").field(&self.shared().state.reported()).finish()
    }
}

/// Counts calls as in flight until it is dropped.
pub(crate) struct InFlight<'a>(&'a ServerVerdict, u32);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(self.1, Ordering::Relaxed);
    }
}

/// Returns what an answer reveals about the server; `None` if there was no answer.
fn meaning(reply: &Result<Value, Failure>) -> Option<Reply> {
    let Err(Failure::Sent(error)) = reply else { return reply.is_ok().then_some(Reply::Serves) };
    match classify_error(error, true).kind {
        FailureKind::NotSent | FailureKind::NotAnswered => None,
        FailureKind::Unavailable => Some(Reply::CannotServe),
        FailureKind::Misconfigured if is_no_entry(error) => Some(Reply::SetUpWrong),
        _ => Some(Reply::Serves),
    }
}

/// Returns whether the server rejects the user, rather than the check.
fn is_no_entry(error: &RedisError) -> bool {
    error.code().is_some_and(|code| ["NOAUTH", "NOPERM", "WRONGPASS"].contains(&code))
}

fn error_of(reply: &Result<Value, Failure>) -> Option<&RedisError> {
    reply.as_ref().err().map(|(Failure::NotSent(error) | Failure::Sent(error))| error)
}

/// Returns whether no answer came in time.
pub(crate) fn is_late(reply: &Result<Value, Failure>) -> bool {
    error_of(reply).is_some_and(RedisError::is_timeout)
}

#[cfg(feature = "aio")]
pub(crate) mod aio {
    use super::*;
    use alloc::{sync::Arc, vec::Vec};
    use core::future::{pending, poll_fn, Future};
    use core::pin::{pin, Pin};
    use core::task::{Context, Poll};
    use redis::RedisResult;
    use std::hash::{BuildHasher, Hasher, RandomState};
    use tokio::runtime::{Builder, Handle};
    use tokio::sync::mpsc::{unbounded_channel, UnboundedReceiver};
    use tokio::task::JoinHandle;
    use tokio::time::{sleep_until, timeout_at};

    /// Sends a check while calls are waiting for their answers.
    pub type Questioner =
        Arc<dyn Fn(Cmd) -> Pin<Box<dyn Future<Output = Result<Value, Failure>> + Send>> + Send + Sync>;

    use super::is_late as is_lost;

    /// Makes a connection for the question.
    pub(crate) type Connecting =
        Box<dyn Fn() -> Pin<Box<dyn Future<Output = RedisResult<Questioner>> + Send>> + Send + Sync>;

    pub(crate) enum Event {
        Wake,
        Connected(u32, RedisResult<Questioner>),
        Replied(u32, u32, Result<Value, Failure>),
    }

    fn random() -> f64 {
        f64::from(RandomState::new().build_hasher().finish() as u32) / f64::from(u32::MAX)
    }

    /// A single thread sends the checks of all servers, so that the program's own tasks do not delay them.
    fn questions() -> Option<&'static Handle> {
        static QUESTIONS: OnceLock<Option<Handle>> = OnceLock::new();
        let started = QUESTIONS.get_or_init(|| {
            let runtime = Builder::new_current_thread().enable_all().build().ok()?;
            let handle = runtime.handle().clone();
            let run = move || runtime.block_on(pending::<()>());
            std::thread::Builder::new().name("penstock-verdict".into()).spawn(run).ok()?;
            Some(handle)
        });
        started.as_ref()
    }

    impl ServerVerdict {
        /// Creates the verdict on a server that is checked over a separate connection.
        pub(crate) fn by_connection(connecting: Connecting) -> Arc<Self> {
            let Some(questions) = questions() else { return Arc::new(Self::by_client()) };
            let verdict = Arc::new(Self::new(ServerState::new(false, Some(random))));
            let (events, received) = unbounded_channel();
            verdict.pipe.store(1, Ordering::Relaxed);
            let _ = verdict.question.set(events);
            questions.spawn(serve(Arc::downgrade(&verdict), received, connecting));
            verdict
        }

        /// Returns the answer to a call, or the call's end if it is late. `peek` is the call's check, which the questioner, if any, sends
        /// through the client.
        pub(crate) async fn judge<T>(
            self: &Arc<Self>,
            call: &mut CallTimes,
            asking: impl Future<Output = T>,
            is_late: impl Fn(&T) -> bool,
            (questioner, peek): (Option<&Questioner>, &(dyn Fn() -> Cmd + Sync)),
        ) -> Result<T, Ending> {
            let mut asking = pin!(asking);
            let mut next = call.half;
            let mut is_asking = true;
            let mut is_extended = false;
            // The timer of the call, from its deadline on.
            let mut last = None;
            loop {
                if self.now() >= call.due && !is_extended && self.now() > next + VERDICT_LATE_TIMER {
                    // The process was suspended: read an answer that has arrived first.
                    (next, is_extended) = (self.now() + VERDICT_LATE_TIMER_MORE, true);
                } else if self.now() >= next {
                    let (looked, number) = self.look(call, peek);
                    if let (Some(number), Some(questioner)) = (number, questioner) {
                        let (this, questioner, peek) = (self.clone(), questioner.clone(), peek());
                        this.with(|shared, now| shared.state.written(now, number));
                        tokio::spawn(async move {
                            let written = this.now();
                            loop {
                                let reply = questioner(peek.clone()).await;
                                if this.replied(number, &reply) {
                                    return;
                                }
                                if !is_lost(&reply) {
                                    this.with(|shared, now| shared.state.cut(now, 0));
                                    return;
                                }
                                // The connection's own timeout may be shorter than P.
                                if this.now() >= written + this.shared().state.patience() {
                                    break;
                                }
                            }
                            // A timer that is late gets more time, once.
                            this.with(Shared::turn);
                            tokio::time::sleep(VERDICT_LATE_TIMER_MORE).await;
                            this.with(Shared::turn);
                            this.with(|shared, now| shared.state.cut(now, 0));
                        });
                    }
                    if number.is_some() && questioner.is_none() {
                        self.with(|shared, now| shared.state.cut(now, 0));
                        if self.now() >= call.due {
                            return Err(Ending::NoVerdict);
                        }
                    }
                    match looked {
                        Ok(ending) => return Err(ending),
                        Err(later) => next = later,
                    }
                }
                let mut changed = pin!(self.changed.notified());
                let waits = self.now() >= call.due;
                if waits {
                    changed.as_mut().enable();
                    // Changes before this point did not notify the call.
                    if let Some(ending) = self.peeked(call) {
                        return Err(ending);
                    }
                    next = next.min(self.silent_at()).min(*last.get_or_insert_with(|| self.last()));
                }
                let until = sleep_until(self.instant(next));
                let mut until = pin!(until);
                let mut is_changed = false;
                let answered = poll_fn(|context| {
                    match is_asking.then(|| asking.as_mut().poll(context)) {
                        Some(Poll::Ready(answer)) => return Poll::Ready(Some(answer)),
                        Some(Poll::Pending) | None => {}
                    }
                    is_changed = waits && changed.as_mut().poll(context).is_ready();
                    if is_changed || until.as_mut().poll(context).is_ready() {
                        return Poll::Ready(None);
                    }
                    Poll::Pending
                });
                let answered = answered.await;
                if answered.is_none() && last.is_some_and(|last| self.now() >= last) {
                    return Err(self.shared().state.overdue(call));
                }
                match answered {
                    Some(answer) if is_late(&answer) => {
                        (*call, is_asking, is_extended) = (self.late(call), false, true);
                        next = call.due;
                    }
                    Some(answer) => return Ok(answer),
                    None if is_changed => next = self.now(),
                    None if waits => self.turn_by_client().await,
                    None => {}
                }
            }
        }

        /// Waits until the connection over which the call was sent is closed because it is silent.
        pub(crate) async fn closed(&self, call: &CallTimes) {
            loop {
                let mut changed = pin!(self.changed.notified());
                changed.as_mut().enable();
                if self.is_closed(call.pipe) {
                    return;
                }
                changed.await;
            }
        }

        fn instant(&self, at: Time) -> tokio::time::Instant {
            const FAR: Duration = Duration::from_secs(1 << 30);
            (self.begun + at.min(FAR)).into()
        }

        /// Returns the end of a late call, if it is known.
        fn peeked(&self, call: &CallTimes) -> Option<Ending> {
            let now = self.now();
            let is_closed = self.is_closed(call.pipe).then_some(Ending::Overloaded);
            is_closed.or_else(|| self.shared().state.known(now, call))
        }

        /// Returns the time at which the client's check counts as unanswered.
        fn silent_at(&self) -> Time {
            let mut shared = self.shared();
            let now = self.now();
            let by_client = !self.has_connection();
            by_client.then(|| shared.state.next(now)).flatten().unwrap_or(Time::MAX)
        }

        async fn turn_by_client(&self) {
            if !self.has_connection() && self.with(|shared, now| shared.state.tick(now)) {
                tokio::time::sleep(Duration::from_millis(1)).await;
                self.with(|shared, now| shared.state.turned(now));
            }
        }
    }

    type Answering<T> = Pin<Box<dyn Future<Output = T> + Send>>;

    /// The answer to a call. If the caller stops waiting, the answer is still awaited, for one call at a time: a late answer shows that the
    /// server answers and that the connection that carries the calls is read.
    pub(crate) struct WitnessedAnswer<T: Send + 'static> {
        verdict: Arc<ServerVerdict>,
        call: CallTimes,
        answering: Option<Answering<T>>,
        reply: fn(T) -> Result<Value, Failure>,
    }

    impl<T: Send + 'static> WitnessedAnswer<T> {
        pub(crate) fn new(
            verdict: &Arc<ServerVerdict>,
            answering: impl Future<Output = T> + Send + 'static,
            reply: fn(T) -> Result<Value, Failure>,
        ) -> Self {
            let now = verdict.now();
            let call =
                CallTimes { begun: now, half: now, due: now, bound: None, pipe: verdict.pipe.load(Ordering::Relaxed) };
            Self { verdict: verdict.clone(), call, answering: Some(Box::pin(answering)), reply }
        }
    }

    impl<T: Send + 'static> Future for WitnessedAnswer<T> {
        type Output = T;

        fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
            let Some(answering) = &mut self.answering else { return Poll::Pending };
            let answer = answering.as_mut().poll(context);
            if answer.is_ready() {
                self.answering = None;
            }
            answer
        }
    }

    impl<T: Send + 'static> Drop for WitnessedAnswer<T> {
        fn drop(&mut self) {
            let (Some(answering), Ok(runtime)) = (self.answering.take(), Handle::try_current()) else { return };
            let mut witness = self.verdict.witness.lock().unwrap_or_else(PoisonError::into_inner);
            if witness.as_ref().is_none_or(JoinHandle::is_finished) {
                // The task does not keep the sender alive.
                let (verdict, call, reply) = (Arc::downgrade(&self.verdict), self.call, self.reply);
                *witness = Some(runtime.spawn(async move {
                    let answer = reply(answering.await);
                    if let Some(verdict) = verdict.upgrade() {
                        verdict.ended(&call, Some(&answer));
                    }
                }));
            }
        }
    }

    impl ServerVerdict {
        fn end_witness(&self) {
            let witness = self.witness.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(witness) = witness {
                witness.abort();
            }
        }
    }

    impl Drop for ServerVerdict {
        fn drop(&mut self) {
            self.end_witness();
        }
    }

    /// A connection for the check, and the task that opens it or waits for an answer on it. The task ends with the connection.
    struct QuestionLine {
        number: u32,
        connection: Option<Questioner>,
        task: JoinHandle<()>,
    }

    impl Drop for QuestionLine {
        fn drop(&mut self) {
            self.task.abort();
        }
    }

    /// Opens the connections for the check and sends the checks, until the sender is dropped.
    async fn serve(
        verdict: alloc::sync::Weak<ServerVerdict>,
        mut events: UnboundedReceiver<Event>,
        connecting: Connecting,
    ) {
        let mut lines: Vec<QuestionLine> = Vec::new();
        let mut next = None;
        loop {
            let event = match next {
                Some(next) => timeout_at(next, events.recv()).await.unwrap_or(Some(Event::Wake)),
                None => events.recv().await,
            };
            let (Some(event), Some(verdict)) = (event, verdict.upgrade()) else { return };
            let Some(sender) = verdict.question.get() else { return };
            match event {
                Event::Wake => {}
                Event::Connected(number, made) => verdict.with(|shared, now| match made {
                    Ok(connection) => {
                        if let Some(line) = lines.iter_mut().find(|line| line.number == number) {
                            line.connection = Some(connection);
                            shared.state.connected(now, number);
                        }
                    }
                    Err(error) => {
                        let why = match classify_error(&error, false).kind {
                            FailureKind::Misconfigured => Refusal::Wrong,
                            _ if error.is_connection_refusal() => Refusal::Unreachable,
                            _ => Refusal::Full,
                        };
                        if shared.state.refused(now, number, why) {
                            shared.refusal = Some(error);
                        }
                    }
                }),
                Event::Replied(number, connection, reply) => {
                    if !verdict.replied(number, &reply) {
                        verdict.with(|shared, now| {
                            if shared.state.cut(now, connection) {
                                shared.refusal = error_of(&reply).cloned();
                            }
                        });
                    }
                }
            }
            loop {
                let acts = verdict.with(|shared, now| {
                    shared.state.tick(now);
                    mem::take(&mut shared.state.acts)
                });
                for act in &acts {
                    let events = sender.clone();
                    match *act {
                        Act::Connect(number) => {
                            let made = connecting();
                            let task = tokio::spawn(async move {
                                let _ = events.send(Event::Connected(number, made.await));
                            });
                            lines.push(QuestionLine { number, connection: None, task });
                        }
                        Act::Ask(number, on) => {
                            let (peek, line) =
                                (verdict.shared().peek.clone(), lines.iter_mut().find(|line| line.number == on));
                            let (Some((peek, _)), Some(line)) = (peek, line) else { continue };
                            let Some(connection) = line.connection.clone() else { continue };
                            line.task = tokio::spawn(async move {
                                let _ = events.send(Event::Replied(number, on, connection(peek).await));
                            });
                        }
                        Act::Close(pipe) => {
                            verdict.closed.fetch_max(pipe, Ordering::Relaxed);
                            verdict.end_witness();
                            verdict.changed.notify_waiters();
                        }
                    }
                }
                // Lets other tasks write checks and read answers.
                tokio::task::yield_now().await;
                verdict.with(|shared, now| {
                    for act in &acts {
                        if let Act::Ask(number, _) = act {
                            shared.state.written(now, *number);
                        }
                    }
                });
                if acts.is_empty() {
                    break;
                }
            }
            if verdict.with(|shared, now| shared.state.tick(now)) {
                tokio::time::sleep(Duration::from_millis(1)).await;
                if events.is_empty() {
                    verdict.with(|shared, now| shared.state.turned(now));
                }
            }
            let later = verdict.with(|shared, now| {
                lines.retain(|line| shared.state.uses(line.number));
                shared.state.next(now).map(|next| next.max(now + Duration::from_millis(1)))
            });
            next = later.map(|later| verdict.instant(later));
        }
    }
}
#[cfg(feature = "aio")]
pub use aio::Questioner;

#[cfg(all(test, feature = "aio"))]
mod tests {
    use super::aio::Questioner;
    use super::*;
    use alloc::{sync::Arc, vec::Vec};
    use core::future::pending;
    use tokio::time::{sleep, timeout};

    fn peek(key: &str) -> Cmd {
        redis::cmd("EVALSHA").arg("sha").arg(1).arg(key).clone()
    }

    #[tokio::test]
    async fn f2_2_the_check_has_the_key_of_the_late_call() {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let noted = asked.clone();
        let questioner: Questioner = Arc::new(move |command: Cmd| {
            noted.lock().unwrap().push(command.get_packed_command());
            Box::pin(async { Ok(Value::Okay) })
        });
        let connecting = Box::new(move || -> core::pin::Pin<Box<dyn core::future::Future<Output = _> + Send>> {
            let made = questioner.clone();
            Box::pin(async { Ok(made) })
        });
        let verdict = ServerVerdict::by_connection(connecting);
        let deadline = Duration::from_millis(400);
        let first = verdict.begin(deadline, || peek("first"));
        verdict.ended(&first, Some(&Ok(Value::Okay)));
        let is_connected = async {
            while asked.lock().unwrap().is_empty() {
                sleep(Duration::from_millis(1)).await
            }
        };
        timeout(Duration::from_secs(60), is_connected).await.expect("the connection is made within 3 s");
        let key = || peek("late");
        verdict.begin(deadline, || peek("other"));
        let mut late = verdict.begin(deadline, key);
        let ending = verdict.judge(&mut late, pending::<()>(), |()| false, (None, &key)).await;
        assert!(matches!(ending, Err(Ending::Overloaded)), "{ending:?}");
        let packed = |key| peek(key).get_packed_command();
        assert_eq!(*asked.lock().unwrap(), [packed("first"), packed("late")]);
    }

    #[tokio::test]
    async fn f2_10_a_connection_that_is_lost_before_its_first_answer_is_refused_with_that_error() {
        let lost = || Failure::Sent(std::io::Error::other("closed before it answered").into());
        let questioner: Questioner = Arc::new(move |_| Box::pin(async move { Err(lost()) }));
        let connecting = Box::new(move || -> core::pin::Pin<Box<dyn core::future::Future<Output = _> + Send>> {
            let made = questioner.clone();
            Box::pin(async { Ok(made) })
        });
        let verdict = ServerVerdict::by_connection(connecting);
        let (told, mut heard) = tokio::sync::mpsc::unbounded_channel();
        verdict.tell_changes(move |change| told.send(alloc::format!("{change}")).unwrap());
        // The reason of a refusal that has ended.
        verdict.shared().refusal = Some(redis::RedisError::from((redis::ErrorKind::AuthenticationFailed, "old")));
        verdict.begin(Duration::from_secs(1), || peek("first"));
        let line = timeout(Duration::from_secs(60), heard.recv()).await.expect("the connection is made within 3 s");
        let line = line.unwrap();
        assert!(line.contains(": refused, after ") && line.ends_with("closed before it answered"), "{line}");
    }

    #[test]
    fn f2_10_an_idle_minute_is_no_change() {
        let (verdict, told) = (ServerVerdict::new(ServerState::new(false, None)), Arc::new(Mutex::new(Vec::new())));
        let heard = told.clone();
        verdict.tell_changes(move |change| heard.lock().unwrap().push((change.before, change.verdict)));
        let (at, length) = (Duration::from_secs, Duration::from_secs(1));
        let call = |at: Time, refusal: Option<Refusal>| {
            verdict.with(|shared, _| {
                let call = shared.state.begin(at, length, 0);
                match (refusal, shared.state.acts.pop()) {
                    (Some(why), Some(Act::Connect(connection))) => assert!(shared.state.refused(at, connection, why)),
                    (Some(_), act) => panic!("{act:?}"),
                    (None, _) => shared.state.answered(at, &call, true),
                }
            });
        };
        let rests = |at: Time| {
            verdict.with(|shared, _| shared.state.tick(at));
            assert_eq!(verdict.verdict(), Verdict::Unknown);
        };
        call(at(0), None);
        rests(at(65));
        call(at(100), None);
        rests(at(165));
        assert_eq!(*told.lock().unwrap(), []);
        call(at(200), Some(Refusal::Unreachable));
        rests(at(265));
        call(at(300), Some(Refusal::Unreachable));
        rests(at(365));
        assert_eq!(*told.lock().unwrap(), [(Verdict::Up, Verdict::Silent)]);
        call(at(400), None);
        assert_eq!(told.lock().unwrap()[1..], [(Verdict::Silent, Verdict::Up)]);
    }

    #[test]
    fn the_address_of_a_replica_is_an_outage_for_10_s_and_then_set_up_wrong() {
        let mut verdict = ServerVerdict::by_client();
        let ends = |verdict: &ServerVerdict| {
            let error =
                redis::parse_redis_value(b"-READONLY You can't write\r\n").unwrap().extract_error().unwrap_err();
            let call = verdict.begin(Duration::ZERO, Cmd::new);
            verdict.ended(&call, Some(&Err(Failure::Sent(error))));
            verdict.shared().state.known(verdict.now(), &call)
        };
        assert_eq!(ends(&verdict), Some(Ending::Outage));
        verdict.begun -= Duration::from_secs(12);
        assert_eq!(ends(&verdict), Some(Ending::Overloaded));
        let call = verdict.begin(Duration::ZERO, Cmd::new);
        verdict.ended(&call, Some(&Ok(Value::Nil)));
        assert_eq!(ends(&verdict), Some(Ending::Outage));
    }
}
