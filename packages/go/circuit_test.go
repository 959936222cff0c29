package penstock

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
	"time"
)

func TestF1TheCircuitOfAServer(t *testing.T) {
	var file struct {
		Sequences []struct {
			Name   string
			Length int64 `json:"length_us"`
			Steps  []struct {
				At             int64 `json:"at_us"`
				Lost, Answered int
				Sends          []bool
				Open           *bool
			}
		}
	}
	Vectors(t, "circuit", &file)
	lost := []error{&NotSentError{errors.New("refused")}, io.EOF}
	// Errors of a server are answers.
	answers := []error{nil, &KnownError{Kind: Overloaded, Err: errors.New("full")}, &KnownError{Kind: Unavailable, Err: errors.New("loading")}}
	for at, sequence := range file.Sequences {
		Replayed(t, "circuit.sequences", at)
		breaker, err := NewCircuitBreaker(time.Duration(sequence.Length) * time.Microsecond)
		if err != nil {
			t.Fatal(err)
		}
		now := time.Now()
		begin := now
		breaker.now = func() time.Time { return now }
		for number, step := range sequence.Steps {
			now = begin.Add(time.Duration(step.At) * time.Microsecond)
			for each := range step.Lost {
				// Who gives up by himself says nothing.
				breaker.note(&NotSentError{context.Canceled})
				breaker.note(lost[each%2])
			}
			for each := range step.Answered {
				breaker.note(answers[each%3])
			}
			var sends []bool
			for range step.Sends {
				sends = append(sends, breaker.maySend())
			}
			if !slices.Equal(sends, step.Sends) || step.Open != nil && breaker.Open() != *step.Open {
				t.Error(fmt.Sprintf("%s, step %d:", sequence.Name, number), sends, breaker.Open())
			}
		}
	}
	for _, wrong := range []time.Duration{0, time.Millisecond, 2 * time.Hour} {
		if _, err := NewCircuitBreaker(wrong); err == nil || err.Error() != "length must be from 10 milliseconds to 1 hour: "+wrong.String() {
			t.Error(err)
		}
	}
}
