// Package verdict checks whether a node answers, to distinguish an outage from an overload (rule F2 of docs/protocol.md); the clock is
// supplied.
package verdict

import (
	"container/heap"
	"container/list"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/penstock/penstock/packages/go/internal/numbers"
)

// Kind is the verdict on a late call.
type Kind int

const (
	Unknown    Kind = iota // There is no verdict yet; the call is overloaded.
	Overloaded             // The node answers.
	Outage                 // The node is silent, refuses connections, or says that it cannot serve.
	Refused                // The node refuses the client: the configuration is wrong.
	Full                   // The node takes no more connections, or closed this one: an outage, unless it answers calls.
	Lost                   // A check through the client was lost: the same outage as Full, but silence by name.
)

// String returns the word with which a verdict is reported.
func (k Kind) String() string {
	switch k {
	case Overloaded:
		return "up"
	case Outage, Lost:
		return "silent"
	case Refused, Full:
		return "refused"
	}
	return "unknown"
}

// Verdict is a kind, with the reason for an outage or a refusal, or with an unknown error.
type Verdict struct {
	Kind Kind
	Err  error
}

// Timer is implemented by *time.Timer.
type Timer interface{ Stop() bool }

// Clock returns the time; tests supply a clock that they can move.
type Clock interface {
	Now() time.Time
	AfterFunc(after time.Duration, then func()) Timer
}

// Link opens the connections for the check. Its methods must not block, and must not call the node before they return.
type Link interface {
	// Connect opens a connection for checks of the call; Connected, Refused or Cut reports its outcome.
	Connect(connection int, call any)
	// Ask sends a check of the call; Written and Replied report its outcome.
	Ask(connection, question int, call any)
	Close(connection int)
	// Turn lets the connection's reader run once more, or all readers if connection is 0, and then calls the function.
	Turn(connection int, then func())
	// Spread returns the delay before the first connection, Backoff the delay before a retry.
	Spread() time.Duration
	Backoff() time.Duration
	// Changed receives each change of the verdict, and how long the previous one lasted.
	Changed(before, now Verdict, lasted time.Duration)
}

var errSilent = errors.New("the server does not answer")

// For this long, answers to calls outweigh a refused connection.
const recent = time.Second

// A connection for the check, and the unanswered check on it; 0 if there is none.
type connection struct {
	number, question int
	sent, written    time.Time
	ready, heard     bool
	// Whether an answer is overdue.
	silent bool
}

// Node is the state of one server. It is safe for concurrent use.
type Node struct {
	clock Clock
	link  Link
	mutex sync.Mutex
	// The newest connection, and an older one that answered before and is now silent.
	newest, old            *connection
	connections, questions int
	// The scheduled attempt to connect, and whether a timer runs for the time without calls.
	planned Timer
	idles   bool
	silence bool
	refusal Verdict
	// When a connection was last lost: if the server closes one after another, the next attempt waits.
	cut time.Time
	// When the last attempt was refused, and whether calls are answered beside the refused connection.
	refused time.Time
	beside  bool
	// The last reported verdict, and its time.
	told  Verdict
	since time.Time
	// The last time at which a call started, a connection was attempted, and a call, any command and a check were answered.
	begun, tried, decided, heard, replied time.Time
	// The time at which the most recently answered command was sent, and the verdict that its answer implies.
	sent   time.Time
	answer Verdict
	trip   time.Duration
	// What is known by the link of the call that is checked: a late one or, before any is late, the last that began.
	checked any
	// The late calls, in the order of half their time: if the first has no verdict yet, no other one has.
	waiting []*Call
	// Those that have no verdict although their bound has passed, in the order in which they began.
	pastBound []*Call
	// Whether a call has opened a connection since the last answer, because the node was doubtful, and the calls that wait, by channels.
	opened  bool
	openers list.List
	// The calls for which something is due, the timer for the first of them, and the time at which it fires.
	agenda agenda
	timer  Timer
	wakes  time.Time
	order  int64
}

// NewNode creates a node about which nothing is known yet.
func NewNode(clock Clock, link Link) *Node {
	return &Node{clock: clock, link: link, since: clock.Now()}
}

// Performs a state transition, and reports a change of the verdict.
func (n *Node) step(take func(now time.Time)) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	now := n.clock.Now()
	take(now)
	n.letOpen()
	verdict, before := n.verdict(), n.told
	n.told = verdict
	switch {
	case verdict.Kind != before.Kind && verdict.Kind.String() != before.Kind.String():
		n.link.Changed(before, verdict, now.Sub(n.since))
		n.since = now
	case verdict.Err != nil && before.Err == nil:
		n.link.Changed(before, verdict, now.Sub(n.since))
	}
}

// Returns the verdict on late calls; with an error although the node answers, if it refuses the connection for the check.
func (n *Node) verdict() Verdict {
	switch {
	case n.refusal.Kind == Lost && n.beside:
		return Verdict{Kind: Overloaded}
	case n.refusal.Kind >= Refused && n.beside:
		return Verdict{Overloaded, n.refusal.Err}
	case n.refusal.Kind != Unknown:
		return n.refusal
	case n.silence:
		return Verdict{Outage, errSilent}
	case n.replied.IsZero() && (n.told.Kind == Unknown || n.heard.IsZero()):
		return Verdict{}
	}
	return Verdict{Kind: Overloaded}
}

// P of the rule.
func (n *Node) patience() time.Duration {
	return numbers.VerdictSilence + numbers.VerdictSilenceTrips*n.trip
}

// Reports whether a check is unanswered, or the node is silent; not where nothing listens.
func (n *Node) doubtful() bool {
	return n.silence || n.newest != nil && n.newest.question != 0 && n.refusal.Kind == Unknown
}

// Reports whether a call may open a connection: while the node is doubtful, calls open one, and one after each answer.
func (n *Node) mayOpen() bool { return !n.doubtful() || !n.opened }

func (n *Node) letOpen() {
	for n.openers.Len() > 0 && n.mayOpen() {
		close(n.openers.Remove(n.openers.Front()).(chan struct{}))
		if n.doubtful() {
			return
		}
	}
}

// Doubtful reports whether the call must ask Opens, because of what was known of the node when it began.
func (c *Call) Doubtful() bool { return c.doubtful }

// Opens waits until the call has a connection or may open one, and returns true; if done is closed before, it returns false.
func (c *Call) Opens(done <-chan struct{}, hasConnection func() bool) bool {
	n := c.node
	for !hasConnection() {
		select {
		case <-done:
			return false
		default:
		}
		n.mutex.Lock()
		if n.mayOpen() {
			n.opened = n.opened || n.doubtful()
			n.mutex.Unlock()
			return true
		}
		wake := make(chan struct{})
		place := n.openers.PushBack(wake)
		n.mutex.Unlock()
		select {
		case <-wake:
		case <-done:
			n.mutex.Lock()
			n.openers.Remove(place)
			n.mutex.Unlock()
			return false
		}
	}
	return true
}

// Call is a call to a node, until its deadline and while it waits for a verdict.
type Call struct {
	node                  *Node
	checked               any
	begun, half, deadline time.Time
	end                   func(Verdict)
	ended, late           bool
	// When a late call ends by the answers since it began, and whether there were none then.
	bound     time.Time
	pastBound bool
	// Whether the node was doubtful when the call began.
	doubtful bool
	// What is due next and when, the place in the agenda, and whether P was late because the process was suspended.
	due    time.Time
	step   step
	order  int64
	place  int
	waited bool
}

// What is due for a call.
type step int

const (
	atHalf step = iota
	atDeadline
	atBound
)

// The calls by the time at which something is due for them; a heap.
type agenda []*Call

func (a agenda) Len() int { return len(a) }

func (a agenda) Less(i, j int) bool {
	if order := a[i].due.Compare(a[j].due); order != 0 {
		return order < 0
	}
	return a[i].order < a[j].order
}

func (a agenda) Swap(i, j int) {
	a[i], a[j] = a[j], a[i]
	a[i].place, a[j].place = i, j
}

func (a *agenda) Push(call any) {
	call.(*Call).place = len(*a)
	*a = append(*a, call.(*Call))
}

func (a *agenda) Pop() any {
	last := len(*a) - 1
	call := (*a)[last]
	(*a)[last] = nil
	*a = (*a)[:last]
	call.place = -1
	return call
}

// One timer serves all calls: a burst of late calls would start as many goroutines as it has timers.
func (n *Node) schedule(c *Call, what step, due, now time.Time) {
	n.order++
	c.step, c.due, c.order = what, due, n.order
	heap.Push(&n.agenda, c)
	n.arm(now)
}

func (n *Node) arm(now time.Time) {
	if len(n.agenda) == 0 || n.timer != nil && !n.agenda[0].due.Before(n.wakes) {
		return
	}
	if n.timer != nil {
		n.timer.Stop()
	}
	n.wakes = n.agenda[0].due
	var timer Timer
	timer = n.clock.AfterFunc(n.wakes.Sub(now), func() {
		n.step(func(now time.Time) {
			if n.timer == timer {
				n.timer = nil
				n.callsDue(now)
				n.arm(now)
			}
		})
	})
	n.timer = timer
}

func (n *Node) callsDue(now time.Time) {
	var over []*Call
	for len(n.agenda) > 0 && !n.agenda[0].due.After(now) {
		c := heap.Pop(&n.agenda).(*Call)
		switch {
		case c.step == atHalf:
			c.isHalf(now)
		case c.step == atDeadline:
			c.isLate(now)
		case now.Sub(c.due) > numbers.VerdictLateTimer && !c.waited:
			c.waited = true
			n.schedule(c, atBound, now.Add(numbers.VerdictLateTimerMore), now)
		default:
			over = append(over, c)
		}
	}
	if len(over) > 0 {
		n.over(over)
	}
}

// Ends calls after one more turn of all readers: a busy process may not have read the answers to its calls.
func (n *Node) over(calls []*Call) {
	n.link.Turn(0, func() {
		n.step(func(now time.Time) {
			for _, each := range calls {
				each.isOver(now)
			}
		})
	})
}

// Begin starts a call; a deadline of zero means none. The end function is called at most once, and not after Answered or Failed. The link
// makes the call's check of what it is given here.
func (n *Node) Begin(deadline time.Duration, end func(Verdict), checked any) *Call {
	call := &Call{node: n, end: end, checked: checked, place: -1}
	n.step(func(now time.Time) {
		call.begun, n.begun, n.checked = now, now, checked
		call.doubtful = n.doubtful()
		if deadline > 0 {
			call.deadline, call.half = now.Add(deadline), now.Add(time.Duration(float64(deadline)*numbers.VerdictAsksAt))
			n.schedule(call, atHalf, call.half, now)
		}
		switch c := n.newest; {
		case n.planned != nil:
		case c == nil && n.tried.IsZero():
			n.plan(n.link.Spread())
		case c == nil || c.silent:
			n.connect(now)
			n.plan(n.link.Backoff())
		case now.Sub(n.replied) >= numbers.VerdictEvery:
			n.ask(now)
		}
	})
	return call
}

func (c *Call) isHalf(now time.Time) {
	if c.node.sent.Before(c.counts(now)) {
		c.node.askFor(c, now)
	}
	c.node.schedule(c, atDeadline, c.deadline, now)
}

// Returns the time since which a command must have been sent for its answer to show that the node answers.
func (c *Call) counts(now time.Time) time.Time {
	return earliest(c.half, now.Add(-numbers.VerdictFresh))
}

// Late reports that the time of a call is over, by its own deadline or the client's.
func (c *Call) Late() { c.node.step(c.isLate) }

func (c *Call) isLate(now time.Time) {
	n := c.node
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
	n.waiting = insert(n.waiting, c, func(other *Call) bool { return other.half.After(c.half) })
	n.askFor(c, now)
	c.unschedule()
	c.bound = c.deadline.Add(n.patience())
	if n.refusal.Kind >= Full {
		n.schedule(c, atBound, now, now)
	} else {
		n.schedule(c, atBound, c.bound, now)
	}
}

// Inserts a call before those that come after it.
func insert(calls []*Call, call *Call, isAfter func(*Call) bool) []*Call {
	at := len(calls)
	for at > 0 && isAfter(calls[at-1]) {
		at--
	}
	return slices.Insert(calls, at, call)
}

// Ends the call at deadline + P, according to the answers since it started, or earlier if the node takes no more connections.
func (c *Call) isOver(now time.Time) {
	n := c.node
	if c.ended {
		return
	}
	switch verdict, ok := n.judge(c, now); {
	case ok:
		c.finish(verdict)
	case n.refusal.Kind >= Full:
		c.finish(Verdict{Outage, n.refusal.Err})
	case !n.sent.Before(c.begun) && !c.isAsked(), n.replied.After(c.deadline) && !now.Before(c.bound):
		c.finish(n.answer)
	case now.Before(c.bound):
		c.unschedule()
		n.schedule(c, atBound, c.bound, now)
	case n.old != nil || n.newest != nil && n.newest.silent:
		n.silence = true
		c.finish(Verdict{Outage, errSilent})
		n.endJudged(now)
	case !c.pastBound:
		c.pastBound = true
		n.pastBound = insert(n.pastBound, c, func(other *Call) bool { return other.begun.After(c.begun) })
	}
}

// Reports whether the unanswered check on a connection that has answered was sent late enough to count for the call.
func (c *Call) isAsked() bool {
	newest := c.node.newest
	return newest != nil && newest.heard && newest.question != 0 && !newest.sent.Before(c.half)
}

// Answered reports that a call that was written at this time has been answered, late or not; the verdict is Overloaded, or Outage if the
// answer says that the node cannot serve calls. It returns false if the call had already ended.
func (c *Call) Answered(written time.Time, says Verdict) (first bool) {
	n := c.node
	n.step(func(now time.Time) {
		first, n.decided, n.beside = !c.stop(), now, true
		n.hear(now, written, says)
	})
	return first
}

// Failed reports that a call ended for another reason. It returns false if the call had already ended.
func (c *Call) Failed() (first bool) {
	c.node.step(func(time.Time) { first = !c.stop() })
	return first
}

// Cancel ends a call at once, with an outage if the node is in one.
func (c *Call) Cancel() {
	c.node.step(func(time.Time) {
		if !c.ended {
			c.finish(c.node.known())
		}
	})
}

// Crowded reports that a call is not sent, because too many are in flight. It ends at once if the node answered within the last second or
// is in an outage; otherwise it is late.
func (c *Call) Crowded() {
	n := c.node
	n.step(func(now time.Time) {
		verdict := n.known()
		if verdict.Kind == Unknown && now.Sub(n.heard) < recent {
			verdict = n.answer
		}
		switch {
		case verdict.Kind == Unknown:
			c.isLate(now)
		case !c.ended:
			c.finish(verdict)
		}
	})
}

func (n *Node) known() Verdict {
	if verdict := n.verdict(); verdict.Kind == Outage {
		return verdict
	}
	return Verdict{}
}

func (c *Call) stop() (ended bool) {
	ended, c.ended = c.ended, true
	c.unschedule()
	return ended
}

func (c *Call) unschedule() {
	if c.place >= 0 {
		heap.Remove(&c.node.agenda, c.place)
	}
}

func (c *Call) finish(verdict Verdict) {
	c.stop()
	c.end(verdict)
}

// Returns the verdict on a late call, if there is one.
func (n *Node) judge(call *Call, now time.Time) (Verdict, bool) {
	counts := call.counts(now)
	switch {
	case !n.sent.Before(counts):
		return n.answer, true
	case n.refusal.Kind >= Refused && !n.decided.Before(earliest(call.begun, now.Add(-recent))):
		// A connection is refused while calls on other connections are answered.
		return Verdict{Overloaded, n.refusal.Err}, true
	case n.refusal.Kind >= Full:
		return Verdict{}, false
	case n.refusal.Kind != Unknown:
		return n.refusal, true
	case n.silence, n.newest != nil && n.newest.silent && !n.newest.sent.Before(counts):
		return Verdict{Outage, errSilent}, true
	}
	return Verdict{}, n.newest == nil
}

// Ends the waiting calls for which there is a verdict, and those past their bound for which enough is known.
func (n *Node) settle(now time.Time) {
	n.endJudged(now)
	for len(n.pastBound) > 0 {
		if first := n.pastBound[0]; !first.ended {
			first.isOver(now)
			if !first.ended {
				break
			}
		}
		n.pastBound[0] = nil
		n.pastBound = n.pastBound[1:]
	}
	n.endJudged(now)
}

func (n *Node) endJudged(now time.Time) {
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
	n.heard, n.silence, n.opened = now, false, false
	if n.refusal.Kind == Outage && sent.After(n.tried) {
		// The node answers again.
		n.refusal = Verdict{}
		n.unplan()
		n.plan(n.link.Spread())
	}
	if !sent.Before(n.sent) {
		n.sent, n.answer = sent, says
	}
	n.settle(now)
}

// Connections and checks.

func (n *Node) plan(after time.Duration) {
	if n.planned == nil {
		var timer Timer
		timer = n.clock.AfterFunc(after, func() {
			n.step(func(now time.Time) {
				if n.planned == timer {
					n.attempt(now)
				}
			})
		})
		n.planned = timer
	}
}

func (n *Node) unplan() {
	if n.planned != nil {
		n.planned.Stop()
		n.planned = nil
	}
}

func (n *Node) attempt(now time.Time) {
	n.planned = nil
	isFirst := n.tried.IsZero()
	if (n.newest == nil || n.newest.silent) && (isFirst || n.begun.After(n.tried)) {
		n.connect(now)
		if !isFirst {
			n.plan(n.link.Backoff())
		}
	}
}

// Hurry opens the first connection at once, to find the reason for a lost call, or because no connection can be made.
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
	n.link.Connect(c.number, n.checked)
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
	n.unplan()
	n.newest, n.old, n.idles, n.silence, n.refusal, n.opened = nil, nil, false, false, Verdict{}, false
	n.replied, n.heard = time.Time{}, time.Time{}
	n.settle(now)
}

func (n *Node) askFor(call *Call, now time.Time) {
	n.checked = call.checked
	n.ask(now)
}

// Sends the check, unless one is in flight or the node is known to be silent.
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
	late := c.silent
	c.question, c.sent, c.written, c.silent = n.questions, now, now, false
	n.link.Ask(c.number, c.question, n.checked)
	switch {
	case c.heard:
		// The check may never be written.
		n.expect(c, c.question, now.Add(n.patience()+numbers.VerdictConnecting))
	case late:
		// However long connecting took, the check has its own time.
		n.expect(c, 0, now.Add(n.patience()))
	}
}

// Calls the function at this time, or a little later if the process was suspended (but not so long that it connects anew).
func (n *Node) await(at time.Time, then func()) {
	n.clock.AfterFunc(at.Sub(n.clock.Now()), func() {
		if late := n.clock.Now().Sub(at); late > numbers.VerdictLateTimer && late <= numbers.VerdictStale {
			n.clock.AfterFunc(numbers.VerdictLateTimerMore, then)
		} else {
			then()
		}
	})
}

// Expects the answer to a check, or the first answer on a connection, by this time. Data that has arrived on the socket by then still
// counts.
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
					// A busy process may only now have written its first check.
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

// Connected reports that a connection was made.
func (n *Node) Connected(number int) {
	n.step(func(now time.Time) {
		if c := n.of(number); c != nil {
			c.ready = true
			n.put(c, now)
		}
	})
}

// Written reports that the write of a check has returned.
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

// Replied reports the answer to a check, and the verdict on late calls if nothing else was answered.
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
		n.unplan()
		n.newest, n.old, n.replied = c, nil, now
		if says.Kind == Refused {
			n.isRefused(says, now)
			n.settle(now)
		} else {
			n.refusal = Verdict{}
			n.hear(now, c.sent, says)
		}
		if len(n.waiting) > 0 {
			n.askFor(n.waiting[0], now)
		}
	})
}

// Refused reports that a connection was refused; the verdict is Refused, Full or Outage.
func (n *Node) Refused(number int, why Verdict) {
	n.step(func(now time.Time) {
		if c := n.of(number); c != nil {
			n.lost(c)
			n.refuse(why, now)
		}
	})
}

func (n *Node) isRefused(why Verdict, now time.Time) {
	since := now.Add(-recent)
	if n.refusal.Kind >= Refused {
		since = earliest(since, n.refused)
	}
	n.beside = !n.decided.Before(since)
	n.refusal, n.silence, n.refused = why, false, now
}

func (n *Node) refuse(why Verdict, now time.Time) {
	n.isRefused(why, now)
	n.plan(n.link.Backoff())
	n.settle(now)
	if why.Kind >= Full && len(n.waiting) > 0 {
		n.over(slices.Clone(n.waiting))
	}
}

// Cut reports that an open connection was lost; the verdict, Full or Lost, holds if no check was answered on it.
func (n *Node) Cut(number int, why Verdict) {
	n.step(func(now time.Time) {
		c := n.of(number)
		if c == nil {
			return
		}
		n.lost(c)
		rare := n.cut.IsZero() || now.Sub(n.cut) >= numbers.VerdictAgain
		if c.heard {
			n.cut = now
		}
		switch {
		case !c.heard:
			n.refuse(why, now)
			return
		case n.newest == nil && n.planned == nil && rare:
			n.connect(now)
		default:
			n.plan(n.link.Backoff())
		}
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
