package penstock

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"
)

func TestF1TheCircuitOfAServer(t *testing.T) {
	breaker, err := NewCircuitBreaker(time.Second)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	breaker.now = func() time.Time { return now }
	step := 0
	does := func(name string, open, sends bool) {
		t.Helper()
		step++
		if breaker.Open() != open {
			t.Fatalf("%d, %s: open is %v", step, name, !open)
		}
		if breaker.maySend() != sends {
			t.Fatalf("%d, %s: sends is %v", step, name, !sends)
		}
	}
	fail := func(times int) {
		for range times {
			breaker.note(io.EOF)
		}
	}
	fail(4)
	breaker.note(nil)
	fail(4)
	breaker.note(&NotSentError{context.Canceled})
	does("four in a row", false, true)
	// Errors of a server are answers.
	breaker.note(&KnownError{Overloaded, errors.New("full")})
	fail(4)
	does("four after an error", false, true)
	breaker.note(&NotSentError{errors.New("refused")})
	does("five", true, false)
	now = now.Add(899 * time.Millisecond)
	does("before nine tenths", true, false)
	now = now.Add(101 * time.Millisecond)
	does("after its length", true, true)
	does("one each length", true, false)
	fail(1)
	now = now.Add(time.Second)
	does("another", true, true)
	breaker.note(nil)
	does("the first trial", true, true)
	does("the second", true, true)
	does("no third", true, false)
	breaker.note(nil)
	does("one was answered", true, false)
	breaker.note(nil)
	does("closed", false, true)
	fail(5)
	now = now.Add(time.Second)
	does("again", true, true)
	breaker.note(nil)
	does("a trial", true, true)
	fail(1)
	does("which fails", true, false)
	for _, wrong := range []time.Duration{0, time.Millisecond, 2 * time.Hour} {
		if _, err := NewCircuitBreaker(wrong); err == nil || err.Error() != "length must be from 10 milliseconds to 1 hour: "+wrong.String() {
			t.Error(err)
		}
	}
}
