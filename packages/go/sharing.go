package penstock

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/penstock/penstock/packages/go/internal/trips"
)

// The shortest time that a timer waits in a program that is otherwise idle.
const shortestTimer = time.Millisecond

// tripSender is a Sender with which calls can share trips.
type tripSender interface {
	// SharesTrips reports whether a batch on one key is one write on one connection, in order, unless a cluster redirects it.
	SharesTrips() bool
	// Await ends a call that is sent together with others, as Send does: with the reply that comes from the channel, or, after the deadline of
	// the context, with a verdict. It calls enter unless the call ends at once, and leave when the context ends, and not before enter;
	// leave reports whether the call was sent.
	Await(ctx context.Context, command Command, enter func() <-chan Reply, leave func(cancelled bool) (sent bool)) Reply
}

// WithSharedTrips sets whether calls for the same units of one subject go to the server together if they are made while eight of them are
// under way (rules C1 to C6 of docs/protocol.md); the default is true. Each gets the decision that it would have got alone.
func WithSharedTrips(shared bool) Option { return func(l *settings) { l.alone = !shared } }

// Shares the trips of one limiter's calls.
type tripSharing struct {
	limiter *RateLimiter
	sender  tripSender
	epoch   time.Time
	mutex   sync.Mutex
	slots   map[tripKey]tripSlot
	took    time.Duration
}

// The calls that would send the same bytes.
type tripKey struct {
	key  string
	cost int64
}

// The time at which a call was sent alone, and the group, which the second call makes.
type tripSlot struct {
	sent  time.Duration
	group *tripGroup
}

// Returns nil if the limiter's calls cannot share trips. Each call of a leaky bucket has a turn of its own.
func newTripSharing(limiter *RateLimiter) *tripSharing {
	sender, ok := limiter.sender.(tripSender)
	if limiter.alone || limiter.limit.script == scriptLeakyBucket || !ok || !sender.SharesTrips() {
		return nil
	}
	return &tripSharing{limiter: limiter, sender: sender, epoch: time.Now(), slots: map[tripKey]tripSlot{}}
}

func (s *tripSharing) now() time.Duration { return time.Since(s.epoch) }

// Sends a call alone or with others; counts is false if another call of its trip counts for the circuit breaker.
func (s *tripSharing) send(ctx context.Context, request request) (reply Reply, counts bool) {
	key := tripKey{request.key, request.cost}
	var group *tripGroup
	var trip *trips.Trip
	s.mutex.Lock()
	_, isKnown := s.slots[key]
	if isKnown {
		group = s.group(key, request)
		trip = group.GoAlone(s.now())
	} else {
		s.slots[key] = tripSlot{sent: s.now()}
	}
	s.mutex.Unlock()
	if isKnown && trip == nil {
		return s.together(ctx, key, request)
	}
	defer func() { s.returned(key, group, trip, reply) }()
	return s.limiter.send(ctx, s.limiter.limit.script, []Command{s.limiter.command(request)})[0], true
}

// Tells its group that a call that was sent alone has ended, or forgets the first call if others have made no group.
func (s *tripSharing) returned(key tripKey, group *tripGroup, trip *trips.Trip, reply Reply) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if group == nil {
		if group = s.slots[key].group; group == nil {
			delete(s.slots, key)
			return
		}
		trip = group.lone
	}
	group.Answered(trip, []trips.Outcome{outcomeOfTrip(reply, 1)}, s.now())
	group.settle()
}

func (s *tripSharing) together(ctx context.Context, key tripKey, request request) (Reply, bool) {
	call := &tripCall{ctx: ctx, replied: make(chan Reply, 1), isProbe: s.limiter.breaker != nil && s.limiter.breaker.Open()}
	call.Of = call
	var group *tripGroup
	enter := func() <-chan Reply {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		group = s.group(key, request)
		group.Enter(&call.Call, s.now())
		group.settle()
		return call.replied
	}
	leave := func(isCancelled bool) bool {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		if isCancelled {
			group.Cancel(&call.Call)
		} else {
			group.Leave(&call.Call)
		}
		group.settle()
		return call.trip != nil
	}
	reply := s.sender.Await(ctx, s.limiter.command(request), enter, leave)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if call.trip != nil {
		// Otherwise a command that is not written yet would be charged for calls that have all ended.
		if call.trip.open--; call.trip.open == 0 {
			call.trip.cancel()
		}
	}
	return reply, call.counts
}

func (s *tripSharing) group(key tripKey, request request) *tripGroup {
	slot, isKnown := s.slots[key]
	if slot.group != nil {
		return slot.group
	}
	made := &tripGroup{sharing: s, key: key, request: request}
	made.Group = trips.NewGroup(request.cost, made, s.took)
	if isKnown {
		made.lone = made.SentAlone(slot.sent)
	}
	s.slots[key] = tripSlot{group: made}
	return made
}

// A call that goes with others. counts and trip are written under the sharing's lock.
type tripCall struct {
	trips.Call
	ctx     context.Context
	replied chan Reply
	// Whether it is a probe of the circuit breaker, and whether it is the call of its trip that counts for the breaker.
	isProbe, counts bool
	trip            *tripContext
}

// The context of a trip, and the number of its calls that have not ended.
type tripContext struct {
	context.Context
	cancel context.CancelFunc
	open   int
}

// A trip ends at the latest deadline of its calls.
func newTripContext(calls []*trips.Call) *tripContext {
	made := &tripContext{open: len(calls)}
	var latest time.Time
	isBounded := true
	for _, call := range calls {
		deadline, ok := call.Of.(*tripCall).ctx.Deadline()
		isBounded = isBounded && ok
		if deadline.After(latest) {
			latest = deadline
		}
	}
	made.Context = context.WithoutCancel(calls[0].Of.(*tripCall).ctx)
	if isBounded {
		made.Context, made.cancel = context.WithDeadline(made.Context, latest)
	} else {
		made.Context, made.cancel = context.WithCancel(made.Context)
	}
	return made
}

// The calls of one key that share trips; it is used under the sharing's lock.
type tripGroup struct {
	*trips.Group
	sharing *tripSharing
	key     tripKey
	request request
	// The trip of the call that was sent alone.
	lone  *trips.Trip
	timer *time.Timer
	wakes time.Duration
}

func (g *tripGroup) Send(trip *trips.Trip) {
	made := newTripContext(trip.Calls)
	for at, call := range trip.Calls {
		each := call.Of.(*tripCall)
		each.trip, each.counts = made, at == 0
	}
	go g.travel(trip, made)
}

func (g *tripGroup) travel(trip *trips.Trip, ctx *tripContext) {
	defer ctx.cancel()
	limiter, asks := g.sharing.limiter, trip.Commands()
	commands := make([]Command, len(asks))
	for at, calls := range asks {
		request := g.request
		request.calls = calls
		commands[at] = limiter.command(request)
	}
	if trip.BySource {
		commands[0] = append(Command{"EVAL", limiter.limit.script.Source}, commands[0][2:]...)
	}
	outcomes := make([]trips.Outcome, len(asks))
	for at, reply := range g.sharing.sender.(Sender).Send(ctx, commands) {
		outcomes[at] = outcomeOfTrip(reply, asks[at])
	}
	g.sharing.mutex.Lock()
	defer g.sharing.mutex.Unlock()
	g.Answered(trip, outcomes, g.sharing.now())
	g.settle()
}

func (g *tripGroup) End(call *trips.Call, outcome trips.Outcome) {
	if each := call.Of.(*tripCall); outcome.Err != nil {
		each.replied <- Reply{Err: outcome.Err}
	} else {
		each.replied <- Reply{Value: decisionOf(outcome.Reply)}
	}
}

func (g *tripGroup) Learnt(call *trips.Call) bool {
	each, limiter := call.Of.(*tripCall), g.sharing.limiter
	if each.ctx.Err() != nil {
		// It is about to leave.
		return true
	}
	if limiter.memory != nil {
		if known, ok := limiter.memory.find([]byte(g.key.key), &limiter.limit, g.key.cost); ok {
			each.replied <- Reply{Value: known}
			return true
		}
	}
	if limiter.breaker != nil && limiter.breaker.Open() && !each.isProbe {
		each.replied <- Reply{Err: errOpen}
		return true
	}
	return false
}

// Sets the timer for those who wait, and forgets a group that is over.
func (g *tripGroup) settle() {
	if g.IsOver() {
		if g.timer != nil {
			g.timer.Stop()
		}
		g.wakes = 0
		if g.sharing.slots[g.key].group == g {
			delete(g.sharing.slots, g.key)
		}
		g.sharing.took = g.Took()
		return
	}
	now := g.sharing.now()
	switch wakes := g.Next(now); {
	case wakes == g.wakes:
		return
	case wakes != trips.Never && wakes-now < shortestTimer:
		g.wakes = wakes
		go g.advanceSoon(wakes)
	case wakes != trips.Never && g.timer == nil:
		g.timer = time.AfterFunc(wakes-now, g.advance)
		g.wakes = wakes
	case wakes != trips.Never:
		g.timer.Reset(wakes - now)
		g.wakes = wakes
	}
}

func (g *tripGroup) advance() {
	g.sharing.mutex.Lock()
	defer g.sharing.mutex.Unlock()
	g.advanceNow()
}

func (g *tripGroup) advanceNow() {
	g.wakes = 0
	g.Advance(g.sharing.now())
	g.settle()
}

// Waits for less than a timer does, and advances the group unless that is no longer the time for it.
func (g *tripGroup) advanceSoon(wakes time.Duration) {
	for g.sharing.now() < wakes {
		runtime.Gosched()
	}
	g.sharing.mutex.Lock()
	defer g.sharing.mutex.Unlock()
	if g.wakes == wakes {
		g.advanceNow()
	}
}

// Returns the outcome of a command that asks for so many calls.
func outcomeOfTrip(reply Reply, calls int64) trips.Outcome {
	err := reply.Err
	if err == nil {
		var six trips.Reply
		if six, err = readSix(reply.Value, calls); err == nil {
			return trips.Outcome{Reply: six}
		}
		return trips.Outcome{Err: err, Ran: trips.Ended}
	}
	text := serverText(err)
	switch {
	case strings.HasPrefix(text, "NOSCRIPT"):
		return trips.Outcome{Err: err, Ran: trips.NotRun, NeedsSource: true}
	case text == "" && ClassifyError(err).Charged:
		return trips.Outcome{Err: err, Ran: trips.MaybeRan}
	}
	return trips.Outcome{Err: err, Ran: trips.Ended}
}
