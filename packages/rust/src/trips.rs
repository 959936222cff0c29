//! Calls of one subject that share a trip: rules C1 to C5 of docs/protocol.md, as a state machine without a clock, tasks or sockets. Times
//! are milliseconds of a monotonic clock. lua/vectors/trips.json has examples.

use crate::numbers::{
    OLD_TRIPS, TRIPS_UNDER_WAY, TRIP_CALLS, TRIP_CALLS_AT_ONCE, TRIP_NEXT_PART, TRIP_NEXT_US, TRIP_OLD, TRIP_OLD_TIMES,
};
use crate::protocol::MOST_UNITS;
use alloc::{collections::BTreeSet, vec, vec::Vec};
use core::mem;

const MOST_TRIPS: usize = TRIPS_UNDER_WAY as usize;

/// The outcome of a command of a trip, or of a call; `T` is what the driver tells a call that gets no reply.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TripOutcome<T> {
    /// The six integers of a reply.
    Reply([i64; 6]),
    Failed(TripFailure<T>),
    /// The call was decided without a trip.
    Learnt(T),
}

/// A command without a reply.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TripFailure<T> {
    pub(crate) why: T,
    /// Whether the command ran: false if the server proves that it did not, true for another error that ends the command's calls, `None` if
    /// no answer came.
    pub(crate) ran: Option<bool>,
    /// Whether the server lacks the script.
    pub(crate) needs_source: bool,
}

/// What the driver must do.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TripAction<T> {
    /// Send these calls as the trip with this number, the first command with the script's source if `by_source`; then call `answered`.
    Send {
        trip: u64,
        calls: Vec<u64>,
        by_source: bool,
    },
    End(u64, TripOutcome<T>),
}

/// The numbers of calls that the commands of a trip of so many calls ask for.
pub(crate) fn trip_commands(calls: usize) -> Vec<u64> {
    if calls == 1 {
        vec![1]
    } else {
        vec![calls as u64 - 1, 1]
    }
}

#[derive(Debug)]
struct SharedTrip {
    number: u64,
    calls: Vec<u64>,
    sent: f64,
}

/// When another trip may be sent behind the youngest, while eight calls are under way.
fn next_at(took: f64, youngest: &SharedTrip) -> f64 {
    youngest.sent + (took * TRIP_NEXT_PART).max(f64::from(TRIP_NEXT_US) / 1_000.0)
}

/// The calls that would send the same bytes. A call is a number; numbers increase in order of arrival. The driver performs `actions`.
#[derive(Debug)]
pub(crate) struct TripGroup<T> {
    cost: u64,
    /// The time of the last answered trip (rule C1).
    pub(crate) took: Option<f64>,
    pub(crate) actions: Vec<TripAction<T>>,
    waiting: BTreeSet<u64>,
    trips: Vec<SharedTrip>,
    sent: u64,
    cancelled: BTreeSet<u64>,
    left: BTreeSet<u64>,
    by_source: bool,
}

impl<T: Clone> TripGroup<T> {
    pub(crate) fn new(cost: u64, took: Option<f64>) -> Self {
        let (actions, waiting, trips, cancelled, left) = Default::default();
        Self { cost, took, actions, waiting, trips, sent: 0, cancelled, left, by_source: false }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.trips.is_empty() && self.waiting.is_empty()
    }

    /// Records a call that was sent before there was this group; returns its trip, which has no calls.
    pub(crate) fn sent_alone(&mut self, sent: f64) -> u64 {
        self.begun(vec![], sent)
    }

    /// Returns the trip of a call that its caller sends at once itself, or nothing if the call must enter.
    pub(crate) fn goes_alone(&mut self, now: f64) -> Option<u64> {
        (self.waiting.is_empty() && !self.by_source && self.may_send(now)).then(|| self.sent_alone(now))
    }

    /// A call begins. `learnt` is asked about each call that would be sent, and returns what ends it if it needs no trip.
    pub(crate) fn enter(&mut self, call: u64, now: f64, learnt: impl FnMut(u64) -> Option<T>) {
        self.waiting.insert(call);
        self.advance(now, learnt);
    }

    /// The deadline of a call has passed. If it was sent, its unit stays its own, and it is not sent again. Returns whether it waited.
    pub(crate) fn leave(&mut self, call: u64) -> bool {
        let waited = self.waiting.remove(&call);
        if !waited {
            self.left.insert(call);
        }
        waited
    }

    /// A caller has given up. If its call was sent, the unit goes to the next call. Returns whether it waited.
    pub(crate) fn cancel(&mut self, call: u64) -> bool {
        let waited = self.waiting.remove(&call);
        if !waited {
            self.cancelled.insert(call);
        }
        waited
    }

    /// A trip has ended; there is an outcome for each of its commands.
    pub(crate) fn answered(
        &mut self,
        trip: u64,
        outcomes: &[TripOutcome<T>],
        now: f64,
        learnt: impl FnMut(u64) -> Option<T>,
    ) {
        let Some(at) = self.trips.iter().position(|each| each.number == trip) else { return };
        let trip = self.trips.remove(at);
        if outcomes.iter().all(|outcome| matches!(outcome, TripOutcome::Reply(_))) {
            let took = now - trip.sent;
            // A caller that sent its call itself may hear of the answer late: its future may be polled long after that.
            self.took = Some(self.took.filter(|known| trip.calls.is_empty() && *known < took).unwrap_or(took));
        }
        let again = self.shared(&trip.calls, outcomes);
        // Those of another trip may wait already.
        self.waiting.extend(again.iter().filter(|call| !self.left.contains(call)));
        for call in &trip.calls {
            self.cancelled.remove(call);
            self.left.remove(call);
        }
        self.advance(now, learnt);
    }

    /// Sends the trips that may be sent.
    pub(crate) fn advance(&mut self, now: f64, mut learnt: impl FnMut(u64) -> Option<T>) {
        let most = u64::from(TRIP_CALLS).min(MOST_UNITS / self.cost + 1) as usize;
        while !self.waiting.is_empty() && self.may_send(now) {
            let mut calls = Vec::new();
            while calls.len() < most {
                let Some(call) = self.waiting.pop_first() else { break };
                match learnt(call) {
                    None => calls.push(call),
                    Some(known) => self.actions.push(TripAction::End(call, TripOutcome::Learnt(known))),
                }
            }
            if !calls.is_empty() {
                let by_source = mem::take(&mut self.by_source);
                let trip = self.begun(calls.clone(), now);
                self.actions.push(TripAction::Send { trip, calls, by_source });
            }
        }
    }

    /// Returns when `advance` must be called, unless an answer comes before; infinity without a waiting call.
    pub(crate) fn next_time(&self, now: f64) -> f64 {
        if self.waiting.is_empty() {
            return f64::INFINITY;
        }
        if self.may_send(now) {
            return now;
        }
        let next = self.took.filter(|_| self.counting(now).len() < MOST_TRIPS);
        let next = next.zip(self.trips.last()).map(|(took, youngest)| next_at(took, youngest));
        let olds = self.trips.iter().map(|trip| self.old_at(trip)).filter(|at| *at > now);
        olds.chain(next).fold(f64::INFINITY, f64::min)
    }

    fn begun(&mut self, calls: Vec<u64>, sent: f64) -> u64 {
        self.sent += 1;
        self.trips.push(SharedTrip { number: self.sent, calls, sent });
        self.sent
    }

    fn old_at(&self, trip: &SharedTrip) -> f64 {
        trip.sent + (TRIP_OLD.as_secs_f64() * 1_000.0).max(f64::from(TRIP_OLD_TIMES) * self.took.unwrap_or(0.0))
    }

    /// The trips that count, of which the last is the youngest.
    fn counting(&self, now: f64) -> &[SharedTrip] {
        let old = self.trips.iter().filter(|trip| self.old_at(trip) <= now).count();
        &self.trips[old.min(OLD_TRIPS as usize)..]
    }

    fn may_send(&self, now: f64) -> bool {
        let counting = self.counting(now);
        if counting.iter().map(|trip| trip.calls.len().max(1)).sum::<usize>() < TRIP_CALLS_AT_ONCE as usize {
            return true;
        }
        match (self.took, counting.last()) {
            (Some(took), Some(youngest)) => counting.len() < MOST_TRIPS && now >= next_at(took, youngest),
            _ => false,
        }
    }

    /// Ends the calls of a trip, and returns those for which another trip is needed.
    fn shared(&mut self, sent: &[u64], outcomes: &[TripOutcome<T>]) -> Vec<u64> {
        let calls: Vec<u64> = sent.iter().copied().filter(|call| !self.cancelled.contains(call)).collect();
        let [first, .., last] = outcomes else { return self.alone(&calls, &outcomes[0]) };
        let rest = match first {
            TripOutcome::Reply([granted, limit, remaining, others @ ..]) => {
                let (granted, cost) = (*granted, self.cost as i64);
                // Each of two calls has its own command.
                let own = usize::from(granted == 0 && sent.len() == 2);
                let (served, rest) = calls.split_at(calls.len().min(granted as usize));
                for (place, call) in served.iter().enumerate() {
                    let [wait, reset, tier] = *others;
                    let remaining = remaining + (granted - 1 - place as i64) * cost;
                    self.end(&[*call], &TripOutcome::Reply([1, *limit, remaining, wait, reset, tier]));
                }
                let (denied, rest) = rest.split_at(rest.len().min(own));
                self.end(denied, first);
                rest
            }
            // All may have been charged.
            TripOutcome::Failed(TripFailure { ran: None, .. }) => return self.end(&calls, first),
            TripOutcome::Failed(TripFailure { ran: Some(true), .. }) => {
                let spoken = calls.len() - usize::from(calls.last() == sent.last());
                self.end(&calls[..spoken], first);
                &calls[spoken..]
            }
            // The last command ran alone: its answer is that of the first call, even if it is a denial.
            TripOutcome::Failed(failure) => {
                self.by_source |= failure.needs_source;
                return self.alone(&calls, last);
            }
            TripOutcome::Learnt(_) => &calls,
        };
        match last {
            TripOutcome::Reply([0, ..]) => self.end(rest, last),
            _ => self.alone(rest, last),
        }
    }

    /// Ends the first call by the outcome of its own command; the others were not charged.
    fn alone(&mut self, calls: &[u64], outcome: &TripOutcome<T>) -> Vec<u64> {
        match outcome {
            TripOutcome::Failed(TripFailure { ran: Some(false), needs_source, .. }) => {
                self.by_source |= needs_source;
                calls.to_vec()
            }
            _ => {
                let (first, others) = calls.split_at(calls.len().min(1));
                self.end(first, outcome);
                others.to_vec()
            }
        }
    }

    fn end(&mut self, calls: &[u64], outcome: &TripOutcome<T>) -> Vec<u64> {
        self.actions.extend(calls.iter().map(|call| TripAction::End(*call, outcome.clone())));
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::{all, vectors};
    use serde_json::{json, Value};
    use std::string::String;

    type Group = TripGroup<String>;
    type Outcome = TripOutcome<String>;

    fn read(outcome: &Value) -> Outcome {
        if outcome.is_array() {
            return TripOutcome::Reply(serde_json::from_value(outcome.clone()).unwrap());
        }
        let (why, ran) = (outcome["error"].as_str().unwrap().into(), outcome["ran"].as_bool());
        TripOutcome::Failed(TripFailure { why, ran, needs_source: outcome["needs_source"].as_bool().unwrap() })
    }

    fn written(outcome: &Outcome) -> Value {
        match outcome {
            TripOutcome::Reply(six) => json!(six),
            TripOutcome::Failed(TripFailure { why, ran, needs_source }) => {
                json!({ "error": why, "ran": ran, "needs_source": needs_source })
            }
            TripOutcome::Learnt(known) => json!(known),
        }
    }

    #[test]
    fn c_trips_of_the_vectors() {
        let mut replayed = 0;
        for history in vectors("trips", "histories", all) {
            let mut group = Group::new(history["cost"].as_u64().unwrap(), None);
            let mut done = vec![];
            for step in history["in"].as_array().unwrap() {
                let now = step["at_ms"].as_f64().unwrap();
                if let Some(call) = step["begins"].as_u64() {
                    if group.goes_alone(now).is_some() {
                        done.push(json!({ "at_ms": now, "goes_alone": call }));
                    } else {
                        group.enter(call, now, |_| None);
                    }
                } else if let Some(call) = step["enters"].as_u64() {
                    group.enter(call, now, |_| None);
                } else if let Some(call) = step["leaves"].as_u64() {
                    group.leave(call);
                } else if let Some(call) = step["cancels"].as_u64() {
                    group.cancel(call);
                } else if let Some(trip) = step["answered"].as_u64() {
                    let outcomes: Vec<_> = step["outcomes"].as_array().unwrap().iter().map(read).collect();
                    group.answered(trip, &outcomes, now, |_| None);
                } else {
                    assert_eq!(step["advances"], true, "{step}");
                    group.advance(now, |_| None);
                }
                done.extend(mem::take(&mut group.actions).iter().map(|action| match action {
                    TripAction::Send { calls, by_source, .. } => {
                        let commands = trip_commands(calls.len());
                        json!({ "at_ms": now, "sends": calls, "commands": commands, "by_source": by_source })
                    }
                    TripAction::End(call, outcome) => {
                        json!({ "at_ms": now, "ends": call, "outcome": written(outcome) })
                    }
                }));
            }
            assert_eq!(json!(done), history["out"], "history {replayed}");
            assert!(group.is_over());
            replayed += 1;
        }
        assert!(replayed >= 40);
    }

    fn sends(group: &mut Group) -> Vec<Vec<u64>> {
        let sent = mem::take(&mut group.actions).into_iter().filter_map(|action| match action {
            TripAction::Send { calls, .. } => Some(calls),
            TripAction::End(..) => None,
        });
        sent.collect()
    }

    #[test]
    fn c1_a_trip_is_bounded() {
        for (cost, most) in [(1, 1_000), (MOST_UNITS, 2), (400_000_000_000, 3)] {
            let mut group = Group::new(cost, None);
            let trip = group.sent_alone(0.0);
            (1..2_500).for_each(|call| group.enter(call, 0.1, |_| None));
            assert!(sends(&mut group).into_iter().flatten().eq(1..8));
            group.answered(trip, &[TripOutcome::Reply([1, 1_000, 0, 0, 7, 1])], 1.0, |_| None);
            assert_eq!(sends(&mut group).iter().map(Vec::len).collect::<Vec<_>>(), [most]);
        }
    }

    #[test]
    fn c1_the_times_of_trips() {
        let (mut group, reply) = (Group::new(1, Some(8.0)), [TripOutcome::Reply([1, 1_000, 0, 0, 7, 1])]);
        let alone = group.sent_alone(0.0);
        (1..8).for_each(|call| group.enter(call, 0.5, |_| None));
        (8..18).for_each(|call| group.enter(call, 1.0, |_| None));
        // Eight trips are under way, so that no other one may be before one is old.
        assert!(sends(&mut group).into_iter().flatten().eq(1..8) && group.next_time(1.0) == 32.0);
        group.answered(alone, &reply, 8.0, |_| None);
        assert!(sends(&mut group).concat().into_iter().eq(8..18));
        (alone + 1..alone + 8).for_each(|trip| group.answered(trip, &reply, 8.5, |_| None));
        group.enter(18, 8.5, |_| None);
        assert!(sends(&mut group).is_empty() && group.next_time(8.5) == 10.0);
        [(19, 10.0), (20, 10.5), (21, 12.0)].iter().for_each(|(call, at)| group.enter(*call, *at, |_| None));
        assert_eq!(sends(&mut group), [[18, 19], [20, 21]]);
        group.enter(22, 13.0, |_| None);
        assert!(sends(&mut group).is_empty() && group.next_time(13.0) == 14.0);
        [(23, 14.0), (24, 16.0)].iter().for_each(|(call, at)| group.enter(*call, *at, |_| None));
        assert_eq!(sends(&mut group), [[22, 23]]);
        assert!(group.next_time(16.0) == 40.0 && group.next_time(41.0) == 41.0);
        group.advance(40.0, |_| None);
        assert_eq!(sends(&mut group), [[24]]);
    }

    #[test]
    fn c1_what_was_learnt() {
        let mut group = Group::new(1, None);
        let trip = group.sent_alone(0.0);
        (1..10).for_each(|call| group.enter(call, 0.5, |_| None));
        assert_eq!(sends(&mut group).len(), 7);
        let denied: Outcome = TripOutcome::Reply([0, 1, 0, 5, 7, 1]);
        group.answered(trip, core::slice::from_ref(&denied), 1.0, |call| (call == 8).then(|| "known".into()));
        let known = TripAction::End(8, TripOutcome::Learnt("known".into()));
        let sent = TripAction::Send { trip: 9, calls: vec![9], by_source: false };
        assert_eq!(group.actions, [known, sent]);
    }
}
