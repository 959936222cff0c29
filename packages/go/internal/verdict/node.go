// Package verdict asks a node whether it answers, to tell an outage from an overload: rule F2 of docs/protocol.md, on a given clock.
package verdict

import (
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/penstock/penstock/packages/go/internal/numbers"
)

// Kind is the meaning of a verdict for a late call.
type Kind int

const (
	Unknown    Kind = iota // There is no verdict yet; the call is overloaded.
	Overloaded             // The node answers.
	Outage                 // The node is silent, refuses connections, or says that it cannot serve.
	Refused                // The node refuses the client: something is set up wrong.
	Full                   // The node answers that it takes no more connections: an outage, unless it answers calls.
)

// Verdict is a kind, with the reason of an outage or a refusal, or with an error that is in no list.
type Verdict struct {
	Kind Kind
	Err  error
}

// Timer is a *time.Timer.
type Timer interface{ Stop() bool }

// Clock is the time; tests move their own clock.
type Clock interface {
	Now() time.Time
	AfterFunc(after time.Duration, then func()) Timer
}

// Link has the connections for the question. Its methods must return at once, and not call the node before they have returned.
type Link interface {
	// Connect makes a connection; Connected, Refused and Cut tell its outcome.
	Connect(connection int)
	// Ask puts a question; Written and Replied tell its outcome.
	Ask(connection, question int)
	Close(connection int)
	// Turn gives the connection's reader another turn, or all readers if it is 0, and then calls.
	Turn(connection int, then func())
	// Spread is the time until the first connection is made, Backoff the time until the next attempt.
	Spread() time.Duration
	Backoff() time.Duration
	// Changed hears of each change of the verdict, and how long the previous one lasted.
	Changed(before, now Verdict, lasted time.Duration)
}

var errSilent = errors.New("the server does not answer")

// Answers to calls outweigh a refused connection for this time.
const recent = time.Second

// A connection for the question, and the question on it that has no answer yet; 0 if there is none.
type connection struct {
	number, question int
	sent, written    time.Time
	ready, heard     bool
	// Whether an answer is overdue.
	silent bool
}

// Node is the state of one server. Safe for use by several goroutines.
type Node struct {
	clock Clock
	link  Link
	mutex sync.Mutex
	// The newest connection, and an older one that has answered before and is silent.
	newest, old            *connection
	connections, questions int
	// Whether an attempt to connect is planned, and whether the time without calls is watched.
	planned, idles bool
	silence        bool
	refusal        Verdict
	// The last reported verdict, and its time.
	told  Verdict
	since time.Time
	// When a call began last, a connection was attempted, a call, anything and a question was answered.
	begun, tried, decided, heard, replied time.Time
	// The time at which the newest answered data was sent, and the meaning of its answer.
	sent   time.Time
	answer Verdict
	trip   time.Duration
	// Late calls, in the order of half of their time: if the first has no verdict yet, no other one has.
	waiting []*Call
}

// NewNode makes a node of which nothing is known.
func NewNode(clock Clock, link Link) *Node {
	return &Node{clock: clock, link: link, since: clock.Now()}
}

// Takes a step, and tells a change of the verdict.
func (n *Node) step(take func(now time.Time)) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	now := n.clock.Now()
	take(now)
	if verdict := n.verdict(); verdict.Kind != n.told.Kind {
		n.link.Changed(n.told, verdict, now.Sub(n.since))
		n.told, n.since = verdict, now
	}
}

func (n *Node) verdict() Verdict {
	switch {
	case n.refusal.Kind != Unknown:
		return n.refusal
	case n.silence:
		return Verdict{Outage, errSilent}
	case n.replied.IsZero():
		return Verdict{}
	}
	return Verdict{Kind: Overloaded}
}

// P of the rule.
func (n *Node) patience() time.Duration {
	return numbers.VerdictSilence + numbers.VerdictSilenceTrips*n.trip
}

// Call is a call to a node, until its deadline and while it waits for a verdict.
type Call struct {
	node                  *Node
	begun, half, deadline time.Time
	timer                 Timer
	end                   func(Verdict)
	ended, late           bool
}

// Begin begins a call, without a deadline if it is zero. The end is called once at most, and not after Answered or Failed.
func (n *Node) Begin(deadline time.Duration, end func(Verdict)) *Call {
	call := &Call{node: n, end: end}
	n.step(func(now time.Time) {
		call.begun, n.begun = now, now
		if deadline > 0 {
			call.deadline, call.half = now.Add(deadline), now.Add(time.Duration(float64(deadline)*numbers.VerdictAsksAt))
			call.timer = n.clock.AfterFunc(call.half.Sub(now), call.isHalf)
		}
		switch c := n.newest; {
		case n.planned:
		case c == nil && n.tried.IsZero():
			n.plan(n.link.Spread())
		case c == nil || c.silent:
			n.connect(now)
		case now.Sub(n.replied) >= numbers.VerdictEvery:
			n.ask(now)
		}
	})
	return call
}

func (c *Call) isHalf() {
	c.node.step(func(now time.Time) {
		if c.ended || c.late {
			return
		}
		if c.node.sent.Before(c.counts(now)) {
			c.node.ask(now)
		}
		c.timer = c.node.clock.AfterFunc(c.deadline.Sub(now), c.Late)
	})
}

// An answer to data that was sent since then shows that the node answers.
func (c *Call) counts(now time.Time) time.Time {
	return earliest(c.half, now.Add(-numbers.VerdictFresh))
}

// Late says that the time of a call is over, by its deadline or its client's.
func (c *Call) Late() {
	n := c.node
	n.step(func(now time.Time) {
		if c.ended || c.late {
			return
		}
		c.late = true
		if c.deadline.IsZero() || now.Before(c.deadline) {
			c.deadline, c.half = now, c.begun.Add(time.Duration(float64(now.Sub(c.begun))*numbers.VerdictAsksAt))
		}
		if verdict, ok := n.judge(c, now); ok {
			c.finish(verdict)
			return
		}
		at := len(n.waiting)
		for at > 0 && n.waiting[at-1].half.After(c.half) {
			at--
		}
		n.waiting = slices.Insert(n.waiting, at, c)
		n.ask(now)
		n.await(c.deadline.Add(n.patience()), func() { n.link.Turn(0, c.isOver) })
	})
}

// At deadline + P the call ends by the answers since it began.
func (c *Call) isOver() {
	n := c.node
	n.step(func(now time.Time) {
		if c.ended {
			return
		}
		switch verdict, ok := n.judge(c, now); {
		case ok:
			c.finish(verdict)
		case !n.sent.Before(c.begun):
			c.finish(n.answer)
		case n.refusal.Kind == Full:
			c.finish(verdict)
		case n.old != nil || n.newest != nil && n.newest.silent:
			n.silence = true
			c.finish(Verdict{Outage, errSilent})
		}
	})
}

// Answered says that a call which was written at this time is answered, late or not; the verdict is Overloaded, or an Outage if
// the answer says that the node cannot serve. It is false if the call had ended before.
func (c *Call) Answered(written time.Time, says Verdict) (first bool) {
	n := c.node
	n.step(func(now time.Time) {
		first, n.decided = !c.stop(), now
		n.hear(now, written, says)
	})
	return first
}

// Failed says that a call ended otherwise. It is false if the call had ended before.
func (c *Call) Failed() (first bool) {
	c.node.step(func(time.Time) { first = !c.stop() })
	return first
}

// Cancel ends a call at once: an outage while the node is one.
func (c *Call) Cancel() {
	c.node.step(func(time.Time) {
		if !c.ended {
			c.finish(c.node.known())
		}
	})
}

// Full is the verdict on a call that does not begin: overloaded if the node answered within a second, an outage while the node is
// one, and otherwise Unknown, as the node must be asked.
func (n *Node) Full() (verdict Verdict) {
	n.step(func(now time.Time) {
		if verdict = n.known(); verdict.Kind == Unknown && now.Sub(n.heard) < recent {
			verdict = n.answer
		}
	})
	return verdict
}

func (n *Node) known() Verdict {
	if verdict := n.verdict(); verdict.Kind == Outage {
		return verdict
	}
	return Verdict{}
}

func (c *Call) stop() (ended bool) {
	ended, c.ended = c.ended, true
	if c.timer != nil {
		c.timer.Stop()
	}
	return ended
}

func (c *Call) finish(verdict Verdict) {
	c.stop()
	c.end(verdict)
}

// The verdict on a late call, if there is one.
func (n *Node) judge(call *Call, now time.Time) (Verdict, bool) {
	counts := call.counts(now)
	switch {
	case !n.sent.Before(counts):
		return n.answer, true
	case n.refusal.Kind >= Refused && !n.decided.Before(earliest(call.begun, now.Add(-recent))):
		// One connection is refused, while calls on others are answered.
		return Verdict{Overloaded, n.refusal.Err}, true
	case n.refusal.Kind == Full:
		// A busy process may not have read the answers to its calls.
		return Verdict{Outage, n.refusal.Err}, n.decided.IsZero()
	case n.refusal.Kind != Unknown:
		return n.refusal, true
	case n.silence, n.newest != nil && n.newest.silent && !n.newest.sent.Before(counts):
		return Verdict{Outage, errSilent}, true
	}
	return Verdict{}, n.newest == nil
}

// Ends the calls that wait, as far as there is a verdict.
func (n *Node) settle(now time.Time) {
	for len(n.waiting) > 0 {
		if first := n.waiting[0]; !first.ended {
			verdict, ok := n.judge(first, now)
			if !ok {
				return
			}
			first.finish(verdict)
		}
		n.waiting[0] = nil
		n.waiting = n.waiting[1:]
	}
}

func (n *Node) hear(now, sent time.Time, says Verdict) {
	n.heard, n.silence = now, false
	if n.refusal.Kind == Outage && sent.After(n.tried) {
		// The node is back.
		n.refusal = Verdict{}
	}
	if !sent.Before(n.sent) {
		n.sent, n.answer = sent, says
	}
	n.settle(now)
}

// Connections and questions.

func (n *Node) plan(after time.Duration) {
	if !n.planned {
		n.planned = true
		n.clock.AfterFunc(after, func() { n.step(n.attempt) })
	}
}

func (n *Node) attempt(now time.Time) {
	n.planned = false
	if (n.newest == nil || n.newest.silent) && n.begun.After(n.tried) {
		n.connect(now)
	}
}

// Hurry makes the first connection at once, for a call that was cut and asks why.
func (n *Node) Hurry() {
	n.step(func(now time.Time) {
		if n.tried.IsZero() {
			n.connect(now)
		}
	})
}

func (n *Node) connect(now time.Time) {
	if c := n.newest; c != nil && c.heard {
		n.old = c
	} else if c != nil {
		n.link.Close(c.number)
	}
	n.connections++
	c := &connection{number: n.connections, sent: now}
	n.newest, n.tried = c, now
	n.link.Connect(c.number)
	n.expect(c, 0, now.Add(numbers.VerdictConnecting))
	if !n.idles {
		n.idles = true
		n.clock.AfterFunc(numbers.VerdictIdle, func() { n.step(n.idle) })
	}
}

func (n *Node) idle(now time.Time) {
	if rest := numbers.VerdictIdle - now.Sub(n.begun); rest > 0 {
		n.clock.AfterFunc(rest, func() { n.step(n.idle) })
		return
	}
	for _, c := range []*connection{n.newest, n.old} {
		if c != nil {
			n.link.Close(c.number)
		}
	}
	n.newest, n.old, n.idles, n.silence, n.refusal, n.replied = nil, nil, false, false, Verdict{}, time.Time{}
	n.settle(now)
}

// Puts the question, unless it is under way or the node is known to be silent.
func (n *Node) ask(now time.Time) {
	switch c := n.newest; {
	case c == nil || !c.ready || c.question != 0 || n.silence:
	case c.heard && now.Sub(n.replied) >= numbers.VerdictStale:
		c.heard = false
		n.connect(now)
	default:
		n.put(c, now)
	}
}

func (n *Node) put(c *connection, now time.Time) {
	n.questions++
	c.question, c.sent, c.written = n.questions, now, now
	n.link.Ask(c.number, c.question)
	if c.heard {
		// Should it never be written.
		n.expect(c, c.question, now.Add(n.patience()+numbers.VerdictConnecting))
	}
}

// Calls at this time, or a little later if the process stood still.
func (n *Node) await(at time.Time, then func()) {
	n.clock.AfterFunc(at.Sub(n.clock.Now()), func() {
		if n.clock.Now().Sub(at) > numbers.VerdictLateTimer {
			n.clock.AfterFunc(numbers.VerdictLateTimerMore, then)
		} else {
			then()
		}
	})
}

// Expects the answer to a question until a time, or the first one of a connection. Data that is in the socket by then still counts.
func (n *Node) expect(c *connection, question int, until time.Time) {
	n.await(until, func() {
		n.link.Turn(c.number, func() {
			n.step(func(now time.Time) {
				written := c.written.Add(n.patience())
				switch {
				case c != n.newest || c.silent || question > 0 && c.question != question || question == 0 && c.heard:
				case c.question == 0 || !now.Before(written):
					n.isOverdue(c, now)
				case question == 0:
					// A busy process has just written its first question.
					n.expect(c, 0, written)
				}
			})
		})
	})
}

func (n *Node) isOverdue(c *connection, now time.Time) {
	if c.heard && now.Sub(c.sent) >= numbers.VerdictStale {
		c.heard = false
		n.connect(now)
		return
	}
	c.silent, n.refusal = true, Verdict{}
	if n.sent.Before(c.sent) {
		n.silence = true
	}
	n.plan(n.link.Backoff())
	n.settle(now)
}

func (n *Node) of(number int) *connection {
	for _, c := range []*connection{n.newest, n.old} {
		if c != nil && c.number == number {
			return c
		}
	}
	return nil
}

// Connected says that a connection was made.
func (n *Node) Connected(number int) {
	n.step(func(now time.Time) {
		if c := n.of(number); c != nil {
			c.ready = true
			n.put(c, now)
		}
	})
}

// Written says that a question's write has returned.
func (n *Node) Written(number, question int) {
	n.step(func(now time.Time) {
		if c := n.of(number); c != nil && c.question == question && question > 0 {
			c.written = now
			if c.heard {
				n.expect(c, question, now.Add(n.patience()))
			}
		}
	})
}

// Replied reports the answer to a question; it is the verdict on late calls, if nothing else was answered.
func (n *Node) Replied(number, question int, says Verdict) {
	n.step(func(now time.Time) {
		c := n.of(number)
		if c == nil || c.question != question || question == 0 {
			return
		}
		if trip := now.Sub(c.written); n.trip == 0 || trip < n.trip {
			n.trip = trip
		}
		for _, other := range []*connection{n.newest, n.old} {
			if other != nil && other != c {
				n.link.Close(other.number)
			}
		}
		c.question, c.heard, c.silent = 0, true, false
		n.newest, n.old, n.replied, n.refusal = c, nil, now, Verdict{}
		if says.Kind == Refused {
			n.silence, n.refusal = false, says
			n.settle(now)
		} else {
			n.hear(now, c.sent, says)
		}
		if len(n.waiting) > 0 {
			n.ask(now)
		}
	})
}

// Unreachable says why no connection can be made, before the first one is due.
func (n *Node) Unreachable(why error) {
	n.step(func(now time.Time) {
		if n.tried.IsZero() {
			n.refusal, n.tried = Verdict{Outage, why}, now
			n.settle(now)
		}
	})
}

// Refused says that a connection was refused; the verdict is Refused, Full or an Outage.
func (n *Node) Refused(number int, why Verdict) {
	n.step(func(now time.Time) {
		if c := n.of(number); c != nil {
			n.lost(c)
			n.refusal, n.silence = why, false
			n.plan(n.link.Backoff())
			n.settle(now)
		}
	})
}

// Cut says that a connection ended that was made.
func (n *Node) Cut(number int, why error) {
	n.step(func(now time.Time) {
		c := n.of(number)
		if c == nil {
			return
		}
		n.lost(c)
		switch {
		case !c.heard:
			n.refusal, n.silence = Verdict{Outage, why}, false
		case n.newest == nil && !n.planned:
			// A server that cuts one after another is left alone for a while.
			n.connect(now)
		}
		n.plan(n.link.Backoff())
		n.settle(now)
	})
}

func (n *Node) lost(c *connection) {
	if c == n.newest {
		n.newest = n.old
	}
	n.old = nil
}

func earliest(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
