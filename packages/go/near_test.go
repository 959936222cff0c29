package penstock

import (
	"fmt"
	"sync"
	"testing"
	"time"
)

func TestRememberedDenialsOfTheVectors(t *testing.T) {
	type call struct {
		Key, Limit string
		Cost       int64
	}
	var file struct {
		Sequences []struct {
			Name  string
			Most  int64 `json:"most_us"`
			Steps []struct {
				At            int64 `json:"at_us"`
				Sent          int64 `json:"sent_us"`
				Denied, Asked *call
				Reply         []int64
				Told          []int64
				GivenBack     string `json:"given_back"`
				WallSteps     int64  `json:"wall_steps_us"`
			}
		}
	}
	Vectors(t, "near", &file)
	told := 0
	for at, sequence := range file.Sequences {
		Replayed(t, "near.sequences", at)
		memory, err := NewDenialMemory(time.Duration(sequence.Most)*time.Microsecond, 100)
		if err != nil {
			t.Fatal(err)
		}
		stepped := map[int64]int64{}
		at := func(micros int64) instant {
			wall := micros
			for when, by := range stepped {
				if when <= micros {
					wall += by
				}
			}
			return instant{micros*1000 + 1, wall * 1000}
		}
		for number, step := range sequence.Steps {
			what := fmt.Sprintf("%s, step %d", sequence.Name, number)
			memory.now = func() instant { return at(step.At) }
			switch {
			case step.Denied != nil:
				limit, err := ParseLimit(step.Denied.Limit)
				if err != nil {
					t.Fatal(what, err)
				}
				six := make([]any, len(step.Reply))
				for at, number := range step.Reply {
					six[at] = number
				}
				denied, err := ReadReply(six, 1)
				if err != nil {
					t.Fatal(what, err)
				}
				memory.remember(step.Denied.Key, limit, step.Denied.Cost, denied, at(step.Sent))
			case step.Asked != nil:
				limit, err := ParseLimit(step.Asked.Limit)
				if err != nil {
					t.Fatal(what, err)
				}
				var want Decision
				if six := step.Told; six != nil {
					want = Decision{six[0], six[1], six[2], six[3], six[4], six[5], false, true}
					told++
				}
				if got, known := memory.find([]byte(step.Asked.Key), &limit, step.Asked.Cost); got != want || known != (step.Told != nil) {
					t.Errorf("%s: %v instead of %v", what, got, want)
				}
			case step.GivenBack != "":
				memory.forget([]byte(step.GivenBack))
			case step.WallSteps != 0:
				stepped[step.At] += step.WallSteps
			default:
				t.Fatal(what, "is of no kind that is known")
			}
		}
	}
	if told < 10 {
		t.Error(told)
	}
}

func TestAMemoryIsBounded(t *testing.T) {
	memory, err := NewDenialMemory(time.Minute, 101)
	if err != nil {
		t.Fatal(err)
	}
	limit := FixedWindow(1, time.Hour)
	denied := Decision{Limit: 1, WaitMicros: 3_600_000_000, ResetMicros: 3_600_000_000, Tier: 1}
	key := func(number int) string { return fmt.Sprintf("penstock:api:{%d}:w3600000000", number) }
	var all sync.WaitGroup
	for part := range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for number := part; number < 10_000; number += 8 {
				memory.remember(key(number), limit, 1, denied, memory.now())
				if known, ok := memory.find([]byte(key(number/2)), &limit, 1); ok && (known.Allowed() || !known.Remembered) {
					t.Errorf("%+v", known)
				}
			}
		}()
	}
	all.Wait()
	known := 0
	for number := range 10_000 {
		if _, ok := memory.find([]byte(key(number)), &limit, 1); ok {
			known++
		}
	}
	// A pair of places is empty only if no key falls into it.
	if len(memory.places) != 100 || known < 90 || known > 100 {
		t.Error(len(memory.places), known)
	}
	long := string(make([]byte, longestKey+1))
	memory.remember(long, limit, 1, denied, memory.now())
	if _, ok := memory.find([]byte(long), &limit, 1); ok {
		t.Error("a key above the bound is remembered")
	}
	for _, wrong := range []struct {
		atMost  time.Duration
		entries int
		says    string
	}{{0, 2, "atMost must be from 1 microsecond to 1 minute: 0s"}, {time.Second, 1, "entries must be from 2 to 10000000: 1"}} {
		if _, err := NewDenialMemory(wrong.atMost, wrong.entries); err == nil || err.Error() != wrong.says {
			t.Error(err)
		}
	}
	if _, err := New(nil, "api", limit, RememberDenials(nil)); err == nil || err.Error() != "memory must not be nil" {
		t.Error(err)
	}
}
