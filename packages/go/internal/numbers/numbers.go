// Package numbers has the numbers of client.json. Written by packages/generate; do not edit.
package numbers

import "time"

// P: the least silence after a question that makes an outage
const VerdictSilence = 250 * time.Millisecond

// This many times the fastest answer to a question, added to P
const VerdictSilenceTrips = 2

// An answer to what was sent within this time says that the server answers
const VerdictFresh = 100 * time.Millisecond

// The part of a call's deadline after which it puts the question, and after which something must have been sent for its answer to count
const VerdictAsksAt = 0.5

// Silence of a connection that has never answered counts after this time
const VerdictConnecting = 1200 * time.Millisecond

// The question's connection is made within this time, at random, after a node's first call
const VerdictSpread = 3000 * time.Millisecond

// The next attempt to connect, after one that was silent or refused, times 0.5 to 1.5
const VerdictAgain = 5000 * time.Millisecond

// While calls are made, the question is put at least this often
const VerdictEvery = 10000 * time.Millisecond

// After this time without an answer to a question a new connection is made
const VerdictStale = 30000 * time.Millisecond

// A timer of P that is later than this has stood still with its process
const VerdictLateTimer = 5 * time.Millisecond

// What such a timer waits for once more
const VerdictLateTimerMore = 50 * time.Millisecond

// The question's connection is closed after this time without calls
const VerdictIdle = 60000 * time.Millisecond

// Calls of a limiter's client that may be in flight at once
const CallsInFlight = 100000

// Calls that a batch may have
const BatchCalls = 10000

// Consecutive calls without any answer that open a circuit
const CircuitLostCalls = 5

// Calls that are sent after the answer to a probe; if they are answered, the circuit closes
const CircuitTrialCalls = 2

// The part of a circuit's length by which a probe is sent earlier, at random
const CircuitSpread = 0.1

// The part of its deadline that each attempt of a reservation's call has; none begins after the rest of it
const AttemptPart = 0.45

// The pause before the second attempt; each further pause is twice as long
const AttemptPause = 10 * time.Millisecond

// The longest pause between two attempts
const AttemptLongestPause = 160 * time.Millisecond

// A call of one subject is sent at once if fewer than so many are under way
const TripCallsAtOnce = 8

// No other trip of one subject is sent if so many are under way, and eight calls; older ones do not count
const TripsUnderWay = 4

// Trips of one subject that no longer count, as they are old; one may be lost
const OldTrips = 64

// Calls that may share a trip
const TripCalls = 1000

// A trip that is younger than this always counts
const TripOld = 10 * time.Millisecond

// A trip no longer counts after so many times `took` (C1)
const TripOldTimes = 4

// The part of `took` (C1) after which another one may be sent while eight calls are under way
const TripNextPart = 0.25

// The least time after which another trip may be sent while eight calls are under way
const TripNextUs = 500
