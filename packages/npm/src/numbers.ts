// The numbers of client.json. Written by packages/generate; do not edit.

/** P: the least silence after a question that makes an outage */
export const VERDICT_SILENCE_MS = 250;

/** This many times the fastest answer to a question, added to P */
export const VERDICT_SILENCE_TRIPS = 2;

/** An answer to what was sent within this time says that the server answers */
export const VERDICT_FRESH_MS = 100;

/** The part of a call's deadline after which it puts the question, and after which something must have been sent for its answer to count */
export const VERDICT_ASKS_AT = 0.5;

/** Silence of a connection that has never answered counts after this time */
export const VERDICT_CONNECTING_MS = 1200;

/** The question's connection is made within this time, at random, after a node's first call */
export const VERDICT_SPREAD_MS = 3000;

/** The next attempt to connect, after one that was silent or refused, times 0.5 to 1.5 */
export const VERDICT_AGAIN_MS = 5000;

/** While calls are made, the question is put at least this often */
export const VERDICT_EVERY_MS = 10000;

/** After this time without an answer to a question a new connection is made */
export const VERDICT_STALE_MS = 30000;

/** A timer of P that is later than this has stood still with its process */
export const VERDICT_LATE_TIMER_MS = 5;

/** What such a timer waits for once more */
export const VERDICT_LATE_TIMER_MORE_MS = 50;

/** The question's connection is closed after this time without calls */
export const VERDICT_IDLE_MS = 60000;

/** Calls of a limiter's client that may be in flight at once */
export const CALLS_IN_FLIGHT = 100000;

/** Calls that a batch may have */
export const BATCH_CALLS = 10000;

/** Consecutive calls without any answer that open a circuit */
export const CIRCUIT_LOST_CALLS = 5;

/** Calls that are sent after the answer to a probe; if they are answered, the circuit closes */
export const CIRCUIT_TRIAL_CALLS = 2;

/** The part of a circuit's length by which a probe is sent earlier, at random */
export const CIRCUIT_SPREAD = 0.1;

/** The part of its deadline that each attempt of a reservation's call has; none begins after the rest of it */
export const ATTEMPT_PART = 0.45;

/** The pause before the second attempt; each further pause is twice as long */
export const ATTEMPT_PAUSE_MS = 10;

/** The longest pause between two attempts */
export const ATTEMPT_LONGEST_PAUSE_MS = 160;

/** A call of one subject is sent at once if fewer than so many are under way */
export const TRIP_CALLS_AT_ONCE = 8;

/** No other trip of one subject is sent if so many are under way, and eight calls; older ones do not count */
export const TRIPS_UNDER_WAY = 4;

/** Trips of one subject that no longer count, as they are old; one may be lost */
export const OLD_TRIPS = 64;

/** Calls that may share a trip */
export const TRIP_CALLS = 1000;

/** A trip that is younger than this always counts */
export const TRIP_OLD_MS = 10;

/** A trip no longer counts after so many times `took` (C1) */
export const TRIP_OLD_TIMES = 4;

/** The part of `took` (C1) after which another one may be sent while eight calls are under way */
export const TRIP_NEXT_PART = 0.25;

/** The least time after which another trip may be sent while eight calls are under way */
export const TRIP_NEXT_US = 500;
