//! Decides whether a server answers: rule F2 of docs/protocol.md, on the caller's clock. lua/vectors/verdict.json has examples.

use crate::numbers::*;
use alloc::vec::Vec;
use core::{mem, time::Duration};

/// For this long, answers to calls outweigh a refused connection, and say that the server answers one call too many.
const SECOND: Duration = Duration::from_secs(1);

/// A time on the caller's clock.
pub(crate) type Time = Duration;

/// The verdict on a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Verdict {
    /// Nothing is known yet, or not since a minute without calls.
    #[default]
    Unknown,
    /// The server answers.
    Up,
    /// The server did not answer a check, or nothing listens, which is an outage.
    Silent,
    /// The server itself refuses the connection for the check, and answers no calls.
    Refused,
}

/// Why a connection for the check was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Nothing listens.
    Unreachable,
    /// The server takes no more connections, or closed this one: an outage, unless it answers calls.
    Full,
    /// A configuration error, unless the server answers calls.
    Wrong,
}

impl Verdict {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Up => "up",
            Self::Silent => "silent",
            Self::Refused => "refused",
        }
    }
}

/// The end of a late call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The server answers.
    Overloaded,
    /// The connection for the check is not open yet.
    NoVerdict,
    Outage,
    /// The configuration is wrong.
    Refused,
}

/// An action that the owner of the state must perform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// Open the n-th connection for the check.
    Connect(u32),
    /// Send the n-th check on that connection.
    Ask(u32, u32),
    /// Close a connection that carries calls.
    Close(u32),
}

/// The answer to a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reply {
    Serves,
    CannotServe,
    SetUpWrong,
}

/// The times of a call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CallTimes {
    pub(crate) begun: Time,
    pub(crate) half: Time,
    pub(crate) due: Time,
    /// When the call ends by the answers since it began; set once it is late.
    pub(crate) bound: Option<Time>,
    pub(crate) pipe: u32,
}

/// A timer that expires if nothing is received. If it fires late, the process was suspended, and the timer is extended: once, or up to
/// three times for a handshake, which takes several turns.
#[derive(Debug, Clone, Copy)]
struct Silence {
    since: Time,
    due: Time,
    extensions: u8,
    longest: Duration,
}

impl Silence {
    fn new(since: Time, length: Duration) -> Self {
        Self { since, due: since + length, extensions: 1, longest: VERDICT_LATE_TIMER_MORE }
    }

    fn of_handshake(since: Time) -> Self {
        Self { extensions: 3, longest: VERDICT_CONNECTING, ..Self::new(since, VERDICT_CONNECTING) }
    }

    fn has_passed(&mut self, now: Time) -> bool {
        if now > self.due + VERDICT_LATE_TIMER && self.extensions > 0 {
            let late = now - self.due;
            self.due = now + late.clamp(VERDICT_LATE_TIMER_MORE, self.longest);
            self.extensions -= 1;
        }
        now >= self.due
    }
}

#[derive(Debug)]
struct Question {
    number: u32,
    sent: Time,
    /// Runs from the time of writing.
    silence: Option<Silence>,
    /// Whether its silence became a verdict.
    is_overdue: bool,
}

/// A connection for the check that has not been answered yet.
#[derive(Debug)]
struct Attempt {
    connection: u32,
    question: Option<(u32, Time)>,
    /// Runs until the attempt counts as silent.
    silence: Option<Silence>,
}

/// The state of a server, derived from its calls and checks.
#[derive(Debug, Default)]
pub(crate) struct ServerState {
    /// Whether the check goes through the client's own connection, behind its calls.
    by_client: bool,
    /// Returns a random number from 0 to 1; without it nothing is random.
    random: Option<fn() -> f64>,
    verdict: Verdict,
    /// Why the last attempt was refused, when, and whether calls are answered beside it.
    refusal: Option<Refusal>,
    refused_at: Option<Time>,
    is_beside: bool,
    /// Whether the connection for the check was refused for the first time, while calls are answered.
    pub(crate) is_newly_beside: bool,
    last_call: Option<Time>,
    /// The time of the last attempt to connect.
    tried: Option<Time>,
    connections: u32,
    questions: u32,
    standing: Option<u32>,
    attempt: Option<Attempt>,
    pub(crate) next_attempt: Option<Time>,
    last_cut: Option<Time>,
    question: Option<Question>,
    /// The latest time at which an answered call or check was sent, and whether the server serves calls.
    heard: Option<(Time, bool)>,
    call_answered: Option<Time>,
    /// The time of the last answer to a check, and the time at which that check was sent.
    replied: Option<(Time, Time)>,
    fastest: Duration,
    /// The connections on which a call was sent after the last answer, each with the time of that call and the time at which the connection
    /// counts as silent.
    pipes: Vec<(u32, Time, Time)>,
    needs_turn: bool,
    pub(crate) acts: Vec<Act>,
}

impl ServerState {
    pub(crate) fn new(by_client: bool, random: Option<fn() -> f64>) -> Self {
        Self { by_client, random, standing: by_client.then_some(0), ..Self::default() }
    }

    /// Returns the verdict to report.
    pub(crate) fn reported(&self) -> Verdict {
        match self.refusal {
            Some(Refusal::Unreachable) => Verdict::Silent,
            Some(_) if self.is_beside => Verdict::Up,
            Some(_) => Verdict::Refused,
            None => self.verdict,
        }
    }

    pub(crate) fn is_silent(&self) -> bool {
        self.verdict == Verdict::Silent
    }

    pub(crate) fn is_refused(&self) -> bool {
        self.refusal.is_some()
    }

    pub(crate) fn patience(&self) -> Duration {
        VERDICT_SILENCE + self.fastest * VERDICT_SILENCE_TRIPS
    }

    fn again(&self, now: Time) -> Time {
        now + VERDICT_AGAIN.mul_f64(self.random.map_or(1.0, |random| 0.5 + random()))
    }

    /// Records that a call is sent on this connection; 0 if the sender did not open it.
    pub(crate) fn begin(&mut self, now: Time, deadline: Duration, pipe: u32) -> CallTimes {
        self.tick(now);
        self.last_call = Some(now);
        let half = now + deadline.mul_f64(VERDICT_ASKS_AT);
        let call = CallTimes { begun: now, half, due: now.saturating_add(deadline), bound: None, pipe };
        let too_old = call.due.saturating_add(VERDICT_SILENCE);
        match self.pipes.iter_mut().find(|each| each.0 == pipe) {
            Some(each) if too_old < each.2 => *each = (pipe, now, too_old),
            None if pipe > 0 => self.pipes.push((pipe, now, too_old)),
            _ => {}
        }
        let needs_attempt = self.is_overdue() || self.is_refused() && self.attempt.is_none();
        if !self.by_client && self.next_attempt.is_none() && needs_attempt {
            self.next_attempt = Some(now);
        }
        self.connect_if_none(now);
        let is_old = self.replied.is_none_or(|(at, _)| now >= at + VERDICT_EVERY);
        if !self.by_client && self.question.is_none() && self.is_up() && is_old {
            self.ask(now);
        }
        call
    }

    fn is_up(&self) -> bool {
        !matches!(self.verdict, Verdict::Silent) && self.refusal.is_none()
    }

    /// Returns whether the newest connection for the check is silent.
    fn is_overdue(&self) -> bool {
        match &self.attempt {
            Some(attempt) => attempt.silence.is_none(),
            None => self.question.as_ref().is_some_and(|question| question.is_overdue),
        }
    }

    fn is_stale(&self, now: Time) -> bool {
        !self.by_client && self.replied.is_some_and(|(at, _)| now >= at + VERDICT_STALE)
    }

    fn connect_if_none(&mut self, now: Time) {
        if self.is_stale(now) && self.attempt.is_none() && self.is_up() {
            (self.standing, self.question) = (None, None);
        }
        if self.standing.is_none() && self.attempt.is_none() && self.next_attempt.is_none() {
            let spread = self.random.filter(|_| self.connections == 0).map_or(0.0, |random| random());
            self.next_attempt = Some(now + VERDICT_SPREAD.mul_f64(spread));
        }
        self.tick(now);
    }

    fn ask(&mut self, now: Time) {
        if let Some(connection) = self.standing {
            self.questions += 1;
            self.question = Some(Question { number: self.questions, sent: now, silence: None, is_overdue: false });
            self.acts.push(Act::Ask(self.questions, connection));
        }
    }

    /// Records that the n-th check was written.
    pub(crate) fn written(&mut self, now: Time, number: u32) {
        let is_new = self.by_client && self.heard.is_none();
        let length = if is_new { VERDICT_CONNECTING } else { self.patience() };
        if let Some(question) = self.question.as_mut().filter(|question| question.number == number) {
            question.silence = Some(Silence::new(now, length));
        }
        if let Some(attempt) =
            self.attempt.as_mut().filter(|attempt| attempt.question.is_some_and(|(asked, _)| asked == number))
        {
            if let Some(silence) = attempt.silence.as_mut() {
                silence.due = silence.due.max(now + length);
            }
        }
    }

    pub(crate) fn connected(&mut self, now: Time, connection: u32) {
        let length = self.patience();
        if let Some(attempt) = self.attempt.as_mut().filter(|attempt| attempt.connection == connection) {
            self.questions += 1;
            attempt.question = Some((self.questions, now));
            // However long connecting took, the check has its own time.
            let silence = attempt.silence.get_or_insert_with(|| Silence::new(now, length));
            silence.due = silence.due.max(now + length);
            self.acts.push(Act::Ask(self.questions, connection));
        }
    }

    /// Records that the attempt was refused; returns false if this connection is not the attempt.
    pub(crate) fn refused(&mut self, now: Time, connection: u32, why: Refusal) -> bool {
        let is_attempt = self.attempt.take_if(|attempt| attempt.connection == connection).is_some();
        if is_attempt {
            self.refuse(now, why);
        }
        is_attempt
    }

    fn refuse(&mut self, now: Time, why: Refusal) {
        let stands = self.refusal.is_some_and(|refusal| refusal != Refusal::Unreachable);
        let recent = Some(now.saturating_sub(SECOND));
        let since = if stands { recent.min(self.refused_at) } else { recent };
        self.is_beside = self.call_answered.is_some() && self.call_answered >= since;
        self.is_newly_beside = self.is_beside && !stands && why != Refusal::Unreachable;
        self.refused_at = Some(now);
        (self.refusal, self.verdict) = (Some(why), Verdict::Refused);
        let again = self.again(now);
        self.next_attempt.get_or_insert(again);
    }

    /// Records that a connection was lost; one that was never answered was refused, and the result is that of [`refused`](Self::refused).
    pub(crate) fn cut(&mut self, now: Time, connection: u32) -> bool {
        let is_refused = self.refused(now, connection, Refusal::Full);
        if self.standing == Some(connection) {
            self.question = None;
            if !self.by_client {
                let is_rare = self.last_cut.is_none_or(|at| now >= at + VERDICT_AGAIN);
                let next = if is_rare { now } else { self.again(now) };
                self.next_attempt.get_or_insert(next);
                (self.standing, self.last_cut) = (None, Some(now));
                self.tick(now);
            }
        }
        is_refused
    }

    pub(crate) fn replied(&mut self, now: Time, number: u32, reply: Reply) {
        let sent = if let Some(question) = self.question.take_if(|question| question.number == number) {
            let written = question.silence.map_or(question.sent, |silence| silence.since);
            self.attempt = None;
            (question.sent, written)
        } else {
            let is_asked = |attempt: &mut Attempt| attempt.question.is_some_and(|(asked, _)| asked == number);
            let Some(attempt) = self.attempt.take_if(is_asked) else { return };
            (self.standing, self.question) = (Some(attempt.connection), None);
            attempt.question.map_or((now, now), |(_, sent)| (sent, sent))
        };
        let trip = now.saturating_sub(sent.1);
        self.fastest = if self.replied.is_none() { trip } else { self.fastest.min(trip) };
        self.replied = Some((now, sent.0));
        let refusal = self.refusal.take();
        self.next_attempt = None;
        self.hear(now, sent.0, reply != Reply::CannotServe);
        // The client's own connection is not refused: its calls are answered with the error.
        if reply == Reply::SetUpWrong && !self.by_client {
            self.refusal = refusal;
            self.refuse(now, Refusal::Wrong);
        }
        self.close_silent_pipes(now);
    }

    /// Records that a call was answered.
    pub(crate) fn answered(&mut self, now: Time, call: &CallTimes, serves: bool) {
        self.pipes.retain(|pipe| pipe.0 != call.pipe);
        (self.call_answered, self.is_beside) = (Some(now), true);
        self.hear(now, call.begun, serves);
    }

    /// Returns whether an answer to this call is as good as one to the check in flight.
    pub(crate) fn is_as_good(&self, call: &CallTimes) -> bool {
        self.verdict == Verdict::Silent || self.question.as_ref().is_some_and(|question| call.begun >= question.sent)
    }

    fn hear(&mut self, now: Time, sent: Time, serves: bool) {
        if self.heard.is_none_or(|(latest, _)| sent >= latest) {
            self.heard = Some((sent, serves));
        }
        if self.refusal == Some(Refusal::Unreachable) && Some(sent) > self.tried {
            // Something listens again.
            self.refusal = None;
            let spread = self.random.map_or(0.0, |random| random());
            self.next_attempt = Some(now + VERDICT_SPREAD.mul_f64(spread));
        }
        if self.by_client {
            // The check waits behind the calls.
            let length = self.patience();
            if let Some(silence) = self.question.as_mut().and_then(|question| question.silence.as_mut()) {
                *silence = Silence::new(now, length);
            }
        }
        self.verdict = Verdict::Up;
    }

    fn close_silent_pipes(&mut self, now: Time) {
        let Some((_, asked)) = self.replied else { return };
        let acts = &mut self.acts;
        self.pipes.retain(|(pipe, sent, too_old)| {
            let stays = now < *too_old || asked < *sent;
            if !stays {
                acts.push(Act::Close(*pipe));
            }
            stays
        });
    }

    /// Performs the actions that are due. The reader of the check's connection must then run once more, after which
    /// [`turned`](Self::turned) is called.
    pub(crate) fn tick(&mut self, now: Time) -> bool {
        if !self.by_client && self.last_call.is_some_and(|at| now >= at + VERDICT_IDLE) {
            self.rest();
        }
        let is_again = self.standing.is_some() || !self.is_up();
        if self.next_attempt.take_if(|at| now >= *at).is_some() && (!is_again || self.last_call > self.tried) {
            self.tried = Some(now);
            self.connections += 1;
            let silence = Some(Silence::of_handshake(now));
            self.attempt = Some(Attempt { connection: self.connections, question: None, silence });
            self.next_attempt = is_again.then(|| self.again(now));
            self.acts.push(Act::Connect(self.connections));
        }
        self.close_silent_pipes(now);
        let has_passed = self.silences().map(|silence| silence.has_passed(now)).fold(false, core::ops::BitOr::bitor);
        self.needs_turn = has_passed;
        has_passed
    }

    fn silences(&mut self) -> impl Iterator<Item = &mut Silence> {
        let of_question =
            self.question.as_mut().filter(|question| self.verdict != Verdict::Silent && !question.is_overdue);
        let of_attempt = self.attempt.as_mut().and_then(|attempt| attempt.silence.as_mut());
        of_question.and_then(|question| question.silence.as_mut()).into_iter().chain(of_attempt)
    }

    /// Records that the reader has run, so checks that are still unanswered count as such.
    pub(crate) fn turned(&mut self, now: Time) {
        if !mem::take(&mut self.needs_turn) || !self.silences().any(|silence| silence.has_passed(now)) {
            return;
        }
        let stood_still = self.is_stale(now) && self.attempt.is_none();
        let (again, length, heard) = (self.again(now), self.patience(), self.heard);
        let is_answering = |since: Time| heard.is_some_and(|(sent, _)| sent >= since);
        let attempt = self.attempt.as_mut().and_then(|attempt| {
            let silence = attempt.silence.take_if(|silence| now >= silence.due);
            silence.map(|silence| attempt.question.map_or(silence.since, |(_, sent)| sent))
        });
        let question =
            self.question.as_mut().filter(|question| question.silence.is_some_and(|silence| now >= silence.due));
        let mut is_silent = attempt.is_some_and(|since| !is_answering(since));
        match question.map(|question| (question.silence.map_or(now, |silence| silence.since), question)) {
            Some(_) if stood_still => (self.standing, self.question) = (None, None),
            // The connection is broken, but the server answers.
            Some((since, question)) if is_answering(since) && self.by_client => {
                question.silence = Some(Silence::new(now, length))
            }
            Some((since, question)) => {
                question.is_overdue = !self.by_client;
                is_silent |= !is_answering(since);
            }
            None => {}
        }
        if is_silent {
            (self.verdict, self.refusal) = (Verdict::Silent, None);
        }
        if !self.by_client && !stood_still {
            self.next_attempt.get_or_insert(again);
        }
    }

    /// Closes the connections of an idle process.
    fn rest(&mut self) {
        let (connections, questions, fastest) = (self.connections, self.questions, self.fastest);
        let acts = mem::take(&mut self.acts);
        *self = Self { connections, questions, fastest, acts, ..Self::new(self.by_client, self.random) };
    }

    /// Returns the time at which to call [`tick`](Self::tick) next.
    pub(crate) fn next(&mut self, now: Time) -> Option<Time> {
        let asked = self.replied.map_or(Time::ZERO, |(_, asked)| asked);
        let pipes = self.pipes.iter().filter(|pipe| asked >= pipe.1).map(|pipe| pipe.2).min();
        let idle = self.last_call.filter(|_| !self.by_client).map(|at| at + VERDICT_IDLE);
        let times = [self.next_attempt, pipes, idle].into_iter().flatten();
        let next = times.chain(self.silences().map(|silence| silence.due).collect::<Vec<_>>()).min();
        next.map(|next| next.max(now))
    }

    /// Returns whether a connection for the check is in use; others must be closed.
    pub(crate) fn uses(&self, connection: u32) -> bool {
        self.standing == Some(connection)
            || self.attempt.as_ref().is_some_and(|attempt| attempt.connection == connection)
    }

    /// Returns the end of a late call, if the answers so far decide it.
    pub(crate) fn known(&self, now: Time, call: &CallTimes) -> Option<Ending> {
        let is_new = |sent: Time| sent >= call.half || sent + VERDICT_FRESH >= now;
        match self.heard.filter(|(sent, _)| is_new(*sent)) {
            Some((_, true)) => Some(Ending::Overloaded),
            Some((_, false)) => Some(Ending::Outage),
            None if self.verdict == Verdict::Silent => Some(Ending::Outage),
            None if self.refusal.is_some() => Some(self.refused_end(now, call.begun)),
            None => self
                .question
                .as_ref()
                .filter(|question| question.is_overdue && is_new(question.sent))
                .map(|_| Ending::Outage),
        }
    }

    /// Looks at a call at half of its time, at its deadline, and then at each change; returns its end, or the time to look again.
    pub(crate) fn look(&mut self, now: Time, call: &mut CallTimes) -> Result<Ending, Time> {
        let is_due = now >= call.due;
        let ends = |ending| if is_due { Ok(ending) } else { Err(call.due) };
        if let Some(known) = self.known(now, call) {
            return ends(known);
        }
        let latest = call.due.saturating_add(self.patience());
        let bound = if is_due { *call.bound.get_or_insert(latest) } else { Time::MAX };
        if now >= bound {
            let has_replied = self.replied.is_some_and(|(at, _)| at > call.due);
            // Its check, on a connection that has answered, is unanswered.
            let is_asked =
                self.attempt.is_none() && self.question.as_ref().is_some_and(|question| question.sent >= call.half);
            let is_heard = |sent: Time| has_replied || sent >= call.begun && !is_asked;
            if let Some((_, serves)) = self.heard.filter(|(sent, _)| is_heard(*sent)) {
                return Ok(if serves { Ending::Overloaded } else { Ending::Outage });
            }
            if self.is_overdue() || self.question.as_ref().is_some_and(|question| question.is_overdue) {
                self.verdict = Verdict::Silent;
                return Ok(Ending::Outage);
            }
        }
        if self.attempt.is_none() && self.question.is_none() {
            self.connect_if_none(now);
            if self.attempt.is_none() && self.standing.is_none() {
                return ends(Ending::NoVerdict);
            }
            if self.attempt.is_none() {
                self.ask(now);
            }
        }
        Err(if !is_due {
            call.due
        } else if now < bound {
            bound
        } else {
            now + self.patience()
        })
    }

    /// Returns the end of a late call for which no verdict was reached in time.
    pub(crate) fn overdue(&self, call: &CallTimes) -> Ending {
        match self.heard.filter(|(sent, _)| *sent >= call.begun) {
            _ if self.verdict == Verdict::Silent => Ending::Outage,
            Some((_, true)) => Ending::Overloaded,
            Some((_, false)) => Ending::Outage,
            // Neither the call nor a check behind it was answered.
            None if self.by_client => Ending::Outage,
            None => Ending::NoVerdict,
        }
    }

    fn refused_end(&self, now: Time, begun: Time) -> Ending {
        let since = begun.min(now.saturating_sub(SECOND));
        match self.refusal {
            Some(Refusal::Unreachable) => Ending::Outage,
            _ if self.call_answered.is_some_and(|at| at >= since) => Ending::Overloaded,
            Some(Refusal::Wrong) => Ending::Refused,
            _ => Ending::Outage,
        }
    }

    /// Returns the end of a call that exceeds the maximum in flight, unless the server must be asked.
    pub(crate) fn crowded(&self, now: Time) -> Option<Ending> {
        let heard = self.call_answered.max(self.replied.map(|(at, _)| at));
        let (serves, is_recent) = (self.heard.is_none_or(|heard| heard.1), heard.is_some_and(|at| now < at + SECOND));
        match (self.verdict, self.refusal) {
            (Verdict::Silent, _) | (_, Some(Refusal::Unreachable)) => Some(Ending::Outage),
            _ => is_recent.then_some(if serves { Ending::Overloaded } else { Ending::Outage }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::{all, vectors};
    use alloc::collections::BTreeMap;
    use alloc::string::{String, ToString};
    use serde_json::{json, Value};

    fn ms(value: &Value) -> Time {
        Duration::from_secs_f64(value.as_f64().unwrap() / 1000.0)
    }

    struct Caller {
        name: String,
        call: CallTimes,
        pipe: u32,
        next: Time,
    }

    /// A node and its calls, on a clock that the test moves.
    struct Played {
        name: String,
        state: ServerState,
        callers: Vec<Caller>,
        begun: BTreeMap<String, CallTimes>,
        by_hand: Vec<u64>,
        out: Vec<Value>,
        says: Vec<Value>,
        told: Verdict,
        compares_drops: bool,
        /// The connections for the check.
        open: Vec<u32>,
    }

    impl Played {
        fn new(name: &str, by_hand: &[u64], compares_drops: bool) -> Self {
            let state = ServerState::new(false, None);
            Self {
                name: name.to_string(),
                state,
                callers: Vec::new(),
                begun: BTreeMap::new(),
                by_hand: by_hand.to_vec(),
                out: Vec::new(),
                says: Vec::new(),
                told: Verdict::Up,
                compares_drops,
                open: Vec::new(),
            }
        }

        fn next(&mut self, now: Time) -> Option<Time> {
            self.state.next(now).into_iter().chain(self.callers.iter().map(|caller| caller.next)).min()
        }

        fn say(&mut self, now: Time, mut said: Value) {
            said["at_ms"] = json!(now.as_micros() as f64 / 1000.0);
            if self.name != "a" {
                said["node"] = json!(self.name);
            }
            self.out.push(said);
        }

        fn act(&mut self, now: Time) {
            let verdict = self.state.reported();
            let is_changed = verdict != self.told && verdict != Verdict::Unknown;
            if mem::take(&mut self.state.is_newly_beside) | is_changed {
                self.told = verdict;
                self.says.push(json!([now.as_millis() as u64, verdict.word()]));
            }
            while let Some(at) = self.open.iter().rposition(|each| !self.state.uses(*each)) {
                let dropped = self.open.remove(at);
                if self.compares_drops {
                    self.say(now, json!({"drop": dropped}));
                }
            }
            for act in mem::take(&mut self.state.acts) {
                match act {
                    Act::Connect(connection) => {
                        self.open.push(connection);
                        self.say(now, json!({"connect": connection}));
                    }
                    Act::Ask(question, connection) => {
                        self.say(now, json!({"ask": question, "on": connection}));
                        if !self.by_hand.contains(&u64::from(question)) {
                            self.state.written(now, question);
                        }
                    }
                    Act::Close(pipe) => {
                        self.say(now, json!({"close": "p"}));
                        while let Some(at) = self.callers.iter().position(|caller| caller.pipe == pipe) {
                            self.end(now, at, "OVERLOADED");
                        }
                    }
                }
            }
        }

        fn end(&mut self, now: Time, at: usize, outcome: &str) {
            let caller = self.callers.remove(at);
            self.say(now, json!({"end": caller.name, "outcome": outcome}));
        }

        /// Lets the calls that are due look; after a change, all late calls.
        fn look(&mut self, now: Time, is_changed: bool) {
            self.act(now);
            let mut at = 0;
            while at < self.callers.len() {
                let caller = &mut self.callers[at];
                if now < caller.next && !(is_changed && now >= caller.call.due) {
                    at += 1;
                    continue;
                }
                let looked = self.state.look(now, &mut caller.call);
                match looked {
                    Err(next) => {
                        caller.next = next;
                        at += 1;
                    }
                    Ok(ending) => self.end(now, at, outcome(ending)),
                }
                self.act(now);
            }
        }

        fn hear(&mut self, now: Time, event: &Value) {
            let number = |name: &str| event[name].as_u64().unwrap() as u32;
            let found = |name: &str| self.callers.iter().position(|caller| event[name] == caller.name.as_str());
            let kind = event["kind"].as_str().unwrap_or("ok");
            let meaning = crate::classify(kind).kind;
            if event.get("begins").is_some() {
                let pipe = u32::from(event.get("on").is_some());
                let deadline = if event.get("crowded").is_some() { Duration::ZERO } else { ms(&event["deadline_ms"]) };
                let call = self.state.begin(now, deadline, pipe);
                let name = event["begins"].as_str().unwrap().to_string();
                self.begun.insert(name.clone(), call);
                let ending = self.state.crowded(now).filter(|_| event.get("crowded").is_some());
                self.callers.push(Caller { name, call, pipe, next: call.half });
                if let Some(ending) = ending {
                    self.end(now, self.callers.len() - 1, outcome(ending));
                }
            } else if event.get("answered").is_some() {
                let begun = &self.begun[event["answered"].as_str().unwrap()];
                self.state.answered(now, begun, meaning != crate::FailureKind::Unavailable);
                // The answer to a call that has ended is heard, too.
                if let Some(at) = found("answered") {
                    self.end(now, at, "DECIDED");
                }
            } else if event.get("cancels").is_some() {
                let at = found("cancels").unwrap();
                // The client itself drops the future of such a call.
                let is_silent = self.state.reported() == Verdict::Silent;
                self.end(now, at, outcome(if is_silent { Ending::Outage } else { Ending::Overloaded }));
            } else if event.get("opens").is_some() {
                // This client opens no connections for calls.
            } else if event.get("connected").is_some() {
                self.state.connected(now, number("connected"));
            } else if event.get("refused").is_some() {
                let why = match meaning {
                    crate::FailureKind::Misconfigured => Refusal::Wrong,
                    _ if kind.contains("certificate") => Refusal::Wrong,
                    _ if kind == "ECONNREFUSED" => Refusal::Unreachable,
                    _ => Refusal::Full,
                };
                self.state.refused(now, number("refused"), why);
            } else if event.get("cut").is_some() {
                self.state.cut(now, number("cut"));
            } else if event.get("written").is_some() {
                self.state.written(now, number("written"));
            } else if event.get("reply").is_some() {
                let reply = match meaning {
                    crate::FailureKind::Unavailable => Reply::CannotServe,
                    crate::FailureKind::Misconfigured => Reply::SetUpWrong,
                    _ => Reply::Serves,
                };
                self.state.replied(now, number("reply"), reply);
            } else if event.get("forks").is_some() {
                self.state = ServerState::new(false, None);
            } else {
                panic!("{event}");
            }
            self.look(now, true);
        }
    }

    fn outcome(ending: Ending) -> &'static str {
        match ending {
            Ending::Overloaded | Ending::NoVerdict => "OVERLOADED",
            Ending::Outage => "OUTAGE",
            Ending::Refused => "REFUSED",
        }
    }

    /// The state of a server whose connection for the check stands, after a call at 0 s.
    fn standing() -> ServerState {
        let mut state = ServerState::new(false, None);
        state.begin(Time::ZERO, SECOND, 0);
        state.connected(Time::ZERO, 1);
        state.replied(Time::ZERO, 1, Reply::Serves);
        state.acts.clear();
        state
    }

    #[test]
    fn f2_1_a_refusal_by_reply_lasts_until_the_first_call_after_it_was_repaired() {
        let mut state = standing();
        let at = Duration::from_secs;
        state.begin(at(16), SECOND, 0);
        assert_eq!(mem::take(&mut state.acts), [Act::Ask(2, 1)]);
        state.written(at(16), 2);
        state.replied(at(16), 2, Reply::SetUpWrong);
        // The attempts at 21 s and 26 s: no call began between them.
        state.tick(at(21));
        assert_eq!(mem::take(&mut state.acts), [Act::Connect(2)]);
        state.connected(at(21), 2);
        state.replied(at(21), 3, Reply::SetUpWrong);
        state.acts.clear();
        state.tick(at(26));
        assert_eq!(state.acts, []);
        let call = state.begin(at(29), SECOND, 0);
        assert_eq!(mem::take(&mut state.acts), [Act::Connect(3)]);
        state.begin(at(29), SECOND, 0);
        assert_eq!(state.acts, []);
        state.connected(at(29), 3);
        state.replied(at(29), 4, Reply::Serves);
        assert_eq!((state.reported(), state.known(at(30), &call)), (Verdict::Up, None));
    }

    #[test]
    fn f2_2_a_check_by_the_client_that_was_rejected_is_sent_again() {
        let mut state = ServerState::new(true, None);
        for (number, at) in [(1, 0), (2, 10), (3, 20)].map(|(number, at)| (number, Duration::from_secs(at))) {
            let mut call = state.begin(at, SECOND, 0);
            assert_eq!(state.look(call.half, &mut call), Err(call.due));
            assert_eq!(mem::take(&mut state.acts), [Act::Ask(number, 0)]);
            state.written(call.half, number);
            state.replied(call.half, number, Reply::SetUpWrong);
            assert_eq!(state.look(call.due, &mut call), Ok(Ending::Overloaded));
            assert_eq!((state.reported(), state.next(call.due)), (Verdict::Up, None));
        }
    }

    #[test]
    fn f2_a_verdict_asked_of_the_server() {
        for scenario in vectors("verdict", "scenarios", all) {
            let by_hand: Vec<u64> = serde_json::from_value(scenario["byhand"].clone()).unwrap_or_default();
            let drops = scenario["out"].as_array().unwrap().iter().any(|each| each.get("drop").is_some());
            let mut nodes: BTreeMap<String, Played> = BTreeMap::new();
            let (mut out, mut says, mut still) = (Vec::new(), Vec::new(), Time::ZERO);
            let mut events = scenario["in"].as_array().unwrap().iter().peekable();
            let expected = scenario["out"].as_array().unwrap();
            let ends = |said: &[Value]| said.iter().filter(|each| each.get("end").is_some()).count();
            let (mut now, mut steps) = (Time::ZERO, 0);
            while ends(&out) < ends(expected) {
                let timer = nodes.values_mut().filter_map(|node| node.next(now)).min();
                let event = events.peek().map(|event| ms(&event["at_ms"]));
                now = timer.into_iter().chain(event).min().expect("a call that never ends").max(still);
                for node in nodes.values_mut() {
                    node.state.tick(now);
                    node.look(now, false);
                }
                while let Some(event) = events.next_if(|event| ms(&event["at_ms"]) <= now) {
                    if let Some(until) = event.get("stands_still_until_ms") {
                        still = ms(until);
                        break;
                    }
                    let name = event["node"].as_str().unwrap_or("a");
                    nodes
                        .entry(name.to_string())
                        .or_insert_with(|| Played::new(name, &by_hand, drops))
                        .hear(now, event);
                }
                for node in nodes.values_mut() {
                    node.state.turned(now);
                    node.look(now, true);
                    out.append(&mut node.out);
                    says.append(&mut node.says);
                }
                steps += 1;
                assert!(steps < 1000, "{}: {out:?}", scenario["name"]);
            }
            let last = out.iter().rposition(|each| each.get("end").is_some()).unwrap();
            let plain = |said: &[Value]| -> Vec<Value> {
                let mut said = said.to_vec();
                said.iter_mut().for_each(|each| each["at_ms"] = json!(each["at_ms"].as_f64().unwrap()));
                said
            };
            assert_eq!(plain(&out[..=last]), plain(expected), "{}", scenario["name"]);
            if let Some(expected) = scenario.get("says") {
                assert_eq!(&json!(says), expected, "{}", scenario["name"]);
            }
        }
    }
}
