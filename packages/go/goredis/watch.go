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
type answerWatch struct {
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

func (w *answerWatch) begin() seen {
	before := seen{w.pending.Add(1), w.crowds.Load(), w.answers.Load(), w.refusals.Load()}
	if before.pending >= many {
		w.crowds.Add(1)
	}
	return before
}

func (w *answerWatch) end() { w.pending.Add(-1) }

func (w *answerWatch) answered() {
	if w.stands.Load() {
		w.stands.Store(false)
	}
	w.answers.Add(1)
	w.tell()
}

func (w *answerWatch) refuses(err error) {
	w.refusal.Store(&err)
	w.stands.Store(true)
	w.refusals.Add(1)
	w.tell()
}

// A connection was not made, for another reason than before.
func (w *answerWatch) isAway(before seen) {
	if w.refusals.Load() == before.refusals {
		w.stands.Store(false)
	}
	w.tell()
}

func (w *answerWatch) tell() {
	if w.next.Load() != nil {
		if next := w.next.Swap(nil); next != nil {
			close(*next)
		}
	}
}

// Waits for what is heard next, if nothing was since a call began.
func (w *answerWatch) wait(ctx context.Context, before seen) {
	next := w.next.Load()
	for next == nil {
		made := make(chan struct{})
		w.next.CompareAndSwap(nil, &made)
		next = w.next.Load()
	}
	if !w.heard(before) {
		select {
		case <-*next:
		case <-ctx.Done():
		}
	}
}

// Why connections are refused, or whether the server answers, as heard since a call began that has waited in vain.
func (w *answerWatch) since(ctx context.Context, before seen) (refused error, answered bool) {
	deadline, ok := ctx.Deadline()
	if !w.heard(before) && (w.crowded(before) || ok && time.Since(deadline) >= late) {
		<-w.look(before)
	}
	if w.refused(before) {
		return *w.refusal.Load(), false
	}
	return nil, w.answers.Load() > before.answers
}

// Whether many calls were under way when this one began, or later.
func (w *answerWatch) crowded(before seen) bool { return w.crowds.Load() > before.crowds }

func (w *answerWatch) refused(before seen) bool {
	return w.stands.Load() || w.refusals.Load() > before.refusals
}

func (w *answerWatch) heard(before seen) bool {
	return w.refused(before) || w.answers.Load() > before.answers
}

// Ends when something was heard, or when there was time for it; one for all that wait.
func (w *answerWatch) look(before seen) <-chan struct{} {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.looking == nil {
		ended := make(chan struct{})
		w.looking = ended
		go func() {
			// The connections of others may end with their calls before they are made.
			if w.asking.CompareAndSwap(false, true) {
				go func() {
					defer w.asking.Store(false)
					ctx, cancel := context.WithTimeout(context.Background(), longest)
					defer cancel()
					w.ask(ctx)
				}()
			}
			for begun, ran := time.Now(), 0; !w.heard(before) && ran < awake && time.Since(begun) < longest; {
				slept := time.Now()
				time.Sleep(time.Millisecond)
				if time.Since(slept) < late {
					ran++
				}
			}
			w.mutex.Lock()
			defer w.mutex.Unlock()
			w.looking = nil
			close(ended)
		}()
	}
	return w.looking
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
