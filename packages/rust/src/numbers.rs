//! The numbers of client.json. Written by packages/generate; do not edit.

use core::time::Duration;

/// P: the least silence after a question that makes an outage
pub(crate) const VERDICT_SILENCE: Duration = Duration::from_millis(250);

/// This many times the fastest answer to a question, added to P
pub(crate) const VERDICT_SILENCE_TRIPS: u32 = 2;

/// An answer to what was sent within this time says that the server answers
pub(crate) const VERDICT_FRESH: Duration = Duration::from_millis(100);

/// The part of a call's deadline after which it puts the question, and after which something must have been sent for its answer to count
pub(crate) const VERDICT_ASKS_AT: f64 = 0.5;

/// Silence of a connection that has never answered counts after this time
pub(crate) const VERDICT_CONNECTING: Duration = Duration::from_millis(1200);

/// The question's connection is made within this time, at random, after a node's first call
pub(crate) const VERDICT_SPREAD: Duration = Duration::from_millis(3000);

/// The next attempt to connect, after one that was silent or refused, times 0.5 to 1.5
pub(crate) const VERDICT_AGAIN: Duration = Duration::from_millis(5000);

/// While calls are made, the question is put at least this often
pub(crate) const VERDICT_EVERY: Duration = Duration::from_millis(10000);

/// After this time without an answer to a question a new connection is made
pub(crate) const VERDICT_STALE: Duration = Duration::from_millis(30000);

/// A timer of P that is later than this has stood still with its process
pub(crate) const VERDICT_LATE_TIMER: Duration = Duration::from_millis(5);

/// What such a timer waits for once more
pub(crate) const VERDICT_LATE_TIMER_MORE: Duration = Duration::from_millis(50);

/// The question's connection is closed after this time without calls
pub(crate) const VERDICT_IDLE: Duration = Duration::from_millis(60000);

/// Calls of a limiter's client that may be in flight at once
pub(crate) const CALLS_IN_FLIGHT: u32 = 100000;

/// Calls that a batch may have
pub(crate) const BATCH_CALLS: u32 = 10000;

/// Consecutive calls without any answer that open a circuit
pub(crate) const CIRCUIT_LOST_CALLS: u32 = 5;

/// Calls that are sent after the answer to a probe; if they are answered, the circuit closes
pub(crate) const CIRCUIT_TRIAL_CALLS: u32 = 2;

/// The part of a circuit's length by which a probe is sent earlier, at random
pub(crate) const CIRCUIT_SPREAD: f64 = 0.1;

/// The part of its deadline that each attempt of a reservation's call has; none begins after the rest of it
pub(crate) const ATTEMPT_PART: f64 = 0.45;

/// The pause before the second attempt; each further pause is twice as long
pub(crate) const ATTEMPT_PAUSE: Duration = Duration::from_millis(10);

/// The longest pause between two attempts
pub(crate) const ATTEMPT_LONGEST_PAUSE: Duration = Duration::from_millis(160);

/// A call of one subject is sent at once if fewer than so many are under way
pub(crate) const TRIP_CALLS_AT_ONCE: u32 = 8;

/// No other trip of one subject is sent if so many are under way, and eight calls; older ones do not count
pub(crate) const TRIPS_UNDER_WAY: u32 = 4;

/// Trips of one subject that no longer count, as they are old; one may be lost
pub(crate) const OLD_TRIPS: u32 = 64;

/// Calls that may share a trip
pub(crate) const TRIP_CALLS: u32 = 1000;

/// A trip that is younger than this always counts
pub(crate) const TRIP_OLD: Duration = Duration::from_millis(10);

/// A trip no longer counts after so many times `took` (C1)
pub(crate) const TRIP_OLD_TIMES: u32 = 4;

/// The part of `took` (C1) after which another one may be sent while eight calls are under way
pub(crate) const TRIP_NEXT_PART: f64 = 0.25;

/// The least time after which another trip may be sent while eight calls are under way
pub(crate) const TRIP_NEXT_US: u32 = 500;
