// Package trips decides which calls of one subject are sent together (rules C1 to C5 of docs/protocol.md). It has no clock, goroutines or
// connections; a time is a duration since any fixed moment.
package trips

import (
	"cmp"
	"slices"
	"time"

	"github.com/penstock/penstock/packages/go/internal/numbers"
)

const mostUnits = 1_000_000_000_000

// Never is the time at which nothing has to be done.
const Never = time.Duration(1<<63 - 1)

// Reply is the reply to a command: its six integers, of which the first is the number of granted calls, and the third the remaining units.
type Reply [6]int64

// Alone returns the reply that the call at this place, from 0, would have received alone.
func (r Reply) alone(place, cost int64) Reply {
	r[0], r[2] = 1, r[2]+(r[0]-1-place)*cost
	return r
}

// Ran says whether a command without a reply was executed.
type Ran int

const (
	// MaybeRan means that no answer came, so the command may have been executed.
	MaybeRan Ran = iota
	// NotRun means that the server proves that the command was not executed; its calls are sent again.
	NotRun
	// Ended means any other error, which is the answer of the command's calls.
	Ended
)

// Outcome is a reply, or, if Err is set, the failure of a command.
type Outcome struct {
	Reply Reply
	Err   error
	Ran   Ran
	// NeedsSource is set if the server lacks the script.
	NeedsSource bool
}

// Call is a call of a group. Of is the driver's own object.
type Call struct {
	Of                       any
	place                    int
	waits, left, isCancelled bool
}

// Trip is calls that are sent together.
type Trip struct {
	Calls []*Call
	Sent  time.Duration
	// BySource is set if the first command has the script's source.
	BySource bool
}

// Commands returns how many calls each command asks for.
func (t *Trip) Commands() []int64 {
	if len(t.Calls) == 1 {
		return []int64{1}
	}
	return []int64{int64(len(t.Calls)) - 1, 1}
}

// Driver does what a group decides.
type Driver interface {
	// Send sends a trip, and reports its outcomes by Answered, not before it returns.
	Send(trip *Trip)
	End(call *Call, outcome Outcome)
	// Learnt ends a call that needs no trip any more; it returns whether it did.
	Learnt(call *Call) bool
}

// Group is the calls that would send the same bytes. The caller serializes its methods.
type Group struct {
	cost    int64
	driver  Driver
	took    time.Duration
	waiting []*Call
	trips   []*Trip
	entered int
	source  bool
}

// NewGroup creates a group of calls with this cost. took is the time of an earlier trip, or 0.
func NewGroup(cost int64, driver Driver, took time.Duration) *Group {
	return &Group{cost: cost, driver: driver, took: took}
}

// Took returns the time of the last answered trip (rule C1), or 0.
func (g *Group) Took() time.Duration { return g.took }

// IsOver reports whether no call waits and no trip is under way.
func (g *Group) IsOver() bool { return len(g.waiting) == 0 && len(g.trips) == 0 }

// SentAlone records a call that was sent before there was this group; its trip has no calls.
func (g *Group) SentAlone(sent time.Duration) *Trip {
	trip := &Trip{Sent: sent}
	g.trips = append(g.trips, trip)
	return trip
}

// GoAlone records a call that its caller sends at once itself; it returns nil if the call must enter.
func (g *Group) GoAlone(now time.Duration) *Trip {
	if len(g.waiting) > 0 || g.source || !g.maySend(now) {
		return nil
	}
	return g.SentAlone(now)
}

// Enter records that a call begins.
func (g *Group) Enter(call *Call, now time.Duration) {
	call.place = g.entered
	g.entered++
	g.wait(call)
	g.Advance(now)
}

// Leave records that the deadline of a call has passed. If it was sent, its unit stays its own, and it is not sent again.
func (g *Group) Leave(call *Call) {
	if !g.leftQueue(call) {
		call.left = true
	}
}

// Cancel records that a caller has given up. If its call was sent, its unit goes to the next call.
func (g *Group) Cancel(call *Call) {
	if !g.leftQueue(call) {
		call.isCancelled = true
	}
}

// Answered records the end of a trip, with an outcome for each of its commands.
func (g *Group) Answered(trip *Trip, outcomes []Outcome, now time.Duration) {
	at := slices.Index(g.trips, trip)
	g.trips = slices.Delete(g.trips, at, at+1)
	if !slices.ContainsFunc(outcomes, func(outcome Outcome) bool { return outcome.Err != nil }) {
		took := now - trip.Sent
		if len(trip.Calls) == 0 && g.took > 0 {
			// A caller that sent its call itself may hear of the answer late.
			took = min(took, g.took)
		}
		g.took = took
	}
	again := g.share(trip, outcomes)
	for _, call := range again {
		if !call.left {
			g.wait(call)
		}
	}
	if len(again) > 0 {
		// Those of another trip may wait already.
		slices.SortFunc(g.waiting, func(one, other *Call) int { return cmp.Compare(one.place, other.place) })
	}
	g.Advance(now)
}

// Advance sends the trips that may be sent.
func (g *Group) Advance(now time.Duration) {
	for len(g.waiting) > 0 && g.maySend(now) {
		var calls []*Call
		for len(g.waiting) > 0 && int64(len(calls)) < min(numbers.TripCalls, mostUnits/g.cost+1) {
			call := g.waiting[0]
			g.waiting = g.waiting[1:]
			call.waits = false
			if !g.driver.Learnt(call) {
				calls = append(calls, call)
			}
		}
		if len(calls) > 0 {
			trip := &Trip{Calls: calls, Sent: now, BySource: g.source}
			g.source = false
			g.trips = append(g.trips, trip)
			g.driver.Send(trip)
		}
	}
}

// Next returns when Advance must be called, unless an answer comes before.
func (g *Group) Next(now time.Duration) time.Duration {
	next := Never
	if len(g.waiting) == 0 {
		return next
	}
	if g.maySend(now) {
		return now
	}
	for _, trip := range g.trips {
		if old := g.oldAt(trip); old > now {
			next = min(next, old)
		}
	}
	if g.took > 0 && len(g.counting(now)) < numbers.TripsUnderWay {
		next = min(next, g.nextAt())
	}
	return next
}

func (g *Group) wait(call *Call) {
	call.waits = true
	g.waiting = append(g.waiting, call)
}

func (g *Group) leftQueue(call *Call) bool {
	if !call.waits {
		return false
	}
	call.waits = false
	at := slices.Index(g.waiting, call)
	g.waiting = slices.Delete(g.waiting, at, at+1)
	return true
}

func (g *Group) oldAt(trip *Trip) time.Duration {
	return trip.Sent + max(numbers.TripOld, numbers.TripOldTimes*g.took)
}

func (g *Group) nextAt() time.Duration {
	return g.trips[len(g.trips)-1].Sent + max(numbers.TripNextUs*time.Microsecond, time.Duration(float64(g.took)*numbers.TripNextPart))
}

// The trips that count, of which the last is the youngest.
func (g *Group) counting(now time.Duration) []*Trip {
	old := 0
	for _, trip := range g.trips {
		if g.oldAt(trip) <= now {
			old++
		}
	}
	return g.trips[min(old, numbers.OldTrips):]
}

func (g *Group) maySend(now time.Duration) bool {
	counting, calls := g.counting(now), 0
	for _, trip := range counting {
		calls += max(1, len(trip.Calls))
	}
	return calls < numbers.TripCallsAtOnce || g.took > 0 && len(counting) < numbers.TripsUnderWay && now >= g.nextAt()
}

// Ends the calls of a trip, and returns those for which another trip is needed.
func (g *Group) share(trip *Trip, outcomes []Outcome) []*Call {
	calls := slices.DeleteFunc(slices.Clone(trip.Calls), func(call *Call) bool { return call.isCancelled })
	first, last := outcomes[0], outcomes[len(outcomes)-1]
	switch {
	case len(outcomes) == 1:
		return g.alone(calls, first)
	case first.Err == nil:
		granted := min(int(first.Reply[0]), len(calls))
		for place, call := range calls[:granted] {
			g.driver.End(call, Outcome{Reply: first.Reply.alone(int64(place), g.cost)})
		}
		calls = calls[granted:]
		if first.Reply[0] == 0 && len(trip.Calls) == 2 && len(calls) > 0 {
			// Each of two calls has its own command.
			g.all(calls[:1], first)
			calls = calls[1:]
		}
	case first.Ran == MaybeRan:
		return g.all(calls, first)
	case first.Ran == Ended:
		others := calls
		calls = nil
		if at := slices.Index(others, trip.Calls[len(trip.Calls)-1]); at >= 0 {
			others, calls = others[:at], others[at:]
		}
		g.all(others, first)
	default:
		// The last command ran alone: its answer is that of the first call, even if it is a denial.
		g.source = g.source || first.NeedsSource
		return g.alone(calls, last)
	}
	if last.Err == nil && last.Reply[0] == 0 {
		return g.all(calls, last)
	}
	return g.alone(calls, last)
}

// Ends the first call by the outcome of its own command; the others were not charged.
func (g *Group) alone(calls []*Call, outcome Outcome) []*Call {
	if outcome.Err != nil && outcome.Ran == NotRun {
		g.source = g.source || outcome.NeedsSource
		return calls
	}
	if len(calls) == 0 {
		return nil
	}
	g.all(calls[:1], outcome)
	return calls[1:]
}

func (g *Group) all(calls []*Call, outcome Outcome) []*Call {
	for _, call := range calls {
		g.driver.End(call, outcome)
	}
	return nil
}
