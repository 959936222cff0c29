package goredis

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// So many calls at once may keep each other from being heard.
	many = 100
	// More calls are not sent.
	most = 10_000
	// As may a process that sees a deadline so late.
	late = 5 * time.Millisecond
	// A process that was awake for so many milliseconds has heard what there was to hear.
	awake   = 100
	longest = 2 * time.Second
)

// What is heard of the server or the cluster, for what becomes of the calls that were not sent in time.
type news struct {
	ask func(ctx context.Context)
	// The calls that are under way, and how often one found many.
	pending, crowds   atomic.Int64
	answers, refusals atomic.Int64
	// Why a connection was refused last, and whether nothing else was heard since.
	refusal atomic.Pointer[error]
	stands  atomic.Bool
	// Closed by what is heard next.
	next    atomic.Pointer[chan struct{}]
	mutex   sync.Mutex
	looking chan struct{}
	asking  atomic.Bool
}

// What had been heard when a call began, and how many were under way.
type seen struct{ pending, crowds, answers, refusals int64 }

func (n *news) begin() seen {
	before := seen{n.pending.Add(1), n.crowds.Load(), n.answers.Load(), n.refusals.Load()}
	if before.pending >= many {
		n.crowds.Add(1)
	}
	return before
}

func (n *news) end() { n.pending.Add(-1) }

func (n *news) answered() {
	if n.stands.Load() {
		n.stands.Store(false)
	}
	n.answers.Add(1)
	n.tell()
}

func (n *news) refuses(err error) {
	n.refusal.Store(&err)
	n.stands.Store(true)
	n.refusals.Add(1)
	n.tell()
}

// A connection was not made, for another reason than before.
func (n *news) isAway(before seen) {
	if n.refusals.Load() == before.refusals {
		n.stands.Store(false)
	}
	n.tell()
}

func (n *news) tell() {
	if n.next.Load() != nil {
		if next := n.next.Swap(nil); next != nil {
			close(*next)
		}
	}
}

// Waits for what is heard next, if nothing was since a call began.
func (n *news) wait(ctx context.Context, before seen) {
	next := n.next.Load()
	for next == nil {
		made := make(chan struct{})
		n.next.CompareAndSwap(nil, &made)
		next = n.next.Load()
	}
	if !n.heard(before) {
		select {
		case <-*next:
		case <-ctx.Done():
		}
	}
}

// Why connections are refused, or whether the server answers, as heard since a call began that has waited in vain.
func (n *news) since(ctx context.Context, before seen) (refused error, answered bool) {
	deadline, ok := ctx.Deadline()
	if !n.heard(before) && (n.crowded(before) || ok && time.Since(deadline) >= late) {
		<-n.look(before)
	}
	if n.refused(before) {
		return *n.refusal.Load(), false
	}
	return nil, n.answers.Load() > before.answers
}

// Whether many calls were under way when this one began, or later.
func (n *news) crowded(before seen) bool { return n.crowds.Load() > before.crowds }

func (n *news) refused(before seen) bool {
	return n.stands.Load() || n.refusals.Load() > before.refusals
}

func (n *news) heard(before seen) bool {
	return n.refused(before) || n.answers.Load() > before.answers
}

// Ends when something was heard, or when there was time for it; one for all that wait.
func (n *news) look(before seen) <-chan struct{} {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if n.looking == nil {
		ended := make(chan struct{})
		n.looking = ended
		go func() {
			// The connections of others may end with their calls before they are made.
			if n.asking.CompareAndSwap(false, true) {
				go func() {
					defer n.asking.Store(false)
					ctx, cancel := context.WithTimeout(context.Background(), longest)
					defer cancel()
					n.ask(ctx)
				}()
			}
			for begun, ran := time.Now(), 0; !n.heard(before) && ran < awake && time.Since(begun) < longest; {
				slept := time.Now()
				time.Sleep(time.Millisecond)
				if time.Since(slept) < late {
					ran++
				}
			}
			n.mutex.Lock()
			defer n.mutex.Unlock()
			n.looking = nil
			close(ended)
		}()
	}
	return n.looking
}

// Ends with the context: a client without ContextTimeoutEnabled does not. What was begun goes on until the client ends it.
func within(ctx context.Context, call func()) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if ctx.Done() == nil {
		call()
		return nil
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		call()
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
	}
	// A process that stood still may see its deadline before an answer that has come: it gets as long again.
	if deadline, ok := ctx.Deadline(); ok {
		select {
		case <-done:
			return nil
		case <-time.After(time.Since(deadline)):
		}
	}
	return ctx.Err()
}
