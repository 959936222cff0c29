package penstock_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	penstock "github.com/penstock/penstock/packages/go"
	"github.com/penstock/penstock/packages/go/internal/trips"
)

// What happens in a history of trips.json, or what the group does.
type tripStep struct {
	At                                    float64 `json:"at_ms"`
	Begins, Enters, Leaves, Cancels, Ends *int
	Answered                              int
	Outcomes                              []json.RawMessage
	GoesAlone                             *int `json:"goes_alone"`
	Sends                                 []int
	Commands                              []int64
	BySource                              bool `json:"by_source"`
	Outcome                               json.RawMessage
}

type tripFailure struct {
	Error       string `json:"error"`
	Ran         *bool  `json:"ran"`
	NeedsSource bool   `json:"needs_source"`
}

// Notes what a group decides, as trips.json has it.
type tripNotes struct {
	now   float64
	trips []*trips.Trip
	notes []string
}

func (n *tripNotes) goesAlone(group *trips.Group, call int, now time.Duration) bool {
	trip := group.GoAlone(now)
	if trip == nil {
		return false
	}
	n.trips = append(n.trips, trip)
	n.notes = append(n.notes, fmt.Sprint(n.now, " goes alone ", call))
	return true
}

func (n *tripNotes) Send(trip *trips.Trip) {
	n.trips = append(n.trips, trip)
	var calls []int
	for _, call := range trip.Calls {
		calls = append(calls, call.Of.(int))
	}
	n.notes = append(n.notes, fmt.Sprint(n.now, " sends ", calls, trip.Commands(), trip.BySource))
}

func (n *tripNotes) End(call *trips.Call, outcome trips.Outcome) {
	n.notes = append(n.notes, fmt.Sprint(n.now, " ends ", call.Of, outcome))
}

func (n *tripNotes) Learnt(*trips.Call) bool { return false }

func tripOutcome(t *testing.T, text json.RawMessage) (outcome trips.Outcome) {
	if text[0] == '[' {
		must(t, json.Unmarshal(text, &outcome.Reply))
		return outcome
	}
	var failure tripFailure
	must(t, json.Unmarshal(text, &failure))
	outcome.Err, outcome.NeedsSource = errors.New(failure.Error), failure.NeedsSource
	if failure.Ran != nil && *failure.Ran {
		outcome.Ran = trips.Ended
	} else if failure.Ran != nil {
		outcome.Ran = trips.NotRun
	}
	return outcome
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestC1ToC5CallsThatShareTrips(t *testing.T) {
	var file struct {
		Histories []struct {
			Cost    int64
			In, Out []tripStep
		}
	}
	penstock.Vectors(t, "trips", &file)
	for at, history := range file.Histories {
		penstock.Replayed(t, "trips.histories", at)
		notes := &tripNotes{}
		group := trips.NewGroup(history.Cost, notes, 0)
		calls := map[int]*trips.Call{}
		for _, step := range history.In {
			notes.now = step.At
			now := time.Duration(step.At * float64(time.Millisecond))
			switch {
			case step.Begins != nil && notes.goesAlone(group, *step.Begins, now):
			case step.Begins != nil || step.Enters != nil:
				enters := cmp.Or(step.Begins, step.Enters)
				calls[*enters] = &trips.Call{Of: *enters}
				group.Enter(calls[*enters], now)
			case step.Leaves != nil:
				group.Leave(calls[*step.Leaves])
			case step.Cancels != nil:
				group.Cancel(calls[*step.Cancels])
			case step.Answered > 0:
				var outcomes []trips.Outcome
				for _, text := range step.Outcomes {
					outcomes = append(outcomes, tripOutcome(t, text))
				}
				group.Answered(notes.trips[step.Answered-1], outcomes, now)
			default:
				group.Advance(now)
			}
		}
		var want []string
		for _, step := range history.Out {
			switch {
			case step.GoesAlone != nil:
				want = append(want, fmt.Sprint(step.At, " goes alone ", *step.GoesAlone))
			case step.Ends != nil:
				want = append(want, fmt.Sprint(step.At, " ends ", *step.Ends, tripOutcome(t, step.Outcome)))
			default:
				want = append(want, fmt.Sprint(step.At, " sends ", step.Sends, step.Commands, step.BySource))
			}
		}
		if !slices.Equal(notes.notes, want) {
			t.Errorf("history %d:\n%v\nmust be\n%v", at, notes.notes, want)
		}
	}
}
