package penstock

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/penstock/penstock/packages/go/internal/numbers"
)

const mostEntries = 8

// OnReservation sets a callback that receives every call under several limits and every settlement that was sent. It must return quickly
// and be safe for concurrent use.
func OnReservation(tell func(ReservationEvent)) Option {
	return func(s *settings) { s.event = tell }
}

// WithTimeout sets the timeout of Reservation.Close and of a reservation call whose context has no deadline; the default is a second.
func WithTimeout(timeout time.Duration) Option {
	return func(s *settings) {
		s.timeout = timeout
		if timeout < time.Millisecond {
			s.wrong = errors.Join(s.wrong, fmt.Errorf("timeout must be at least 1 ms: %v", timeout))
		}
	}
}

// Reservations makes one decision under several limits of one group, in a single call. Units whose final use is not yet known are held
// until the call is settled or cancelled, or its reservation expires. A group is the entity that all limits of a call apply to, such as a
// tenant; an entry applies to the group as a whole or to one of its members. It is safe for concurrent use.
type Reservations struct {
	settings
	name string
	keep time.Duration
}

// NewReservations creates reservations that are held for keep, 1 ms to 366 days, if they are neither settled nor renewed. keep is at least
// the timeout of WithTimeout. It also limits the time of every call, even if the call's context allows more time, because a call that is
// retried after its receipt has expired is charged twice. The name appears in events.
func NewReservations(sender Sender, name string, keep time.Duration, options ...Option) (*Reservations, error) {
	made := &Reservations{name: name, keep: keep}
	if err := made.set(sender, options); err != nil {
		return nil, err
	}
	switch {
	case keep < time.Millisecond || keep > longestMicros*time.Microsecond || keep%time.Microsecond != 0:
		return nil, fmt.Errorf("keep must be whole microseconds, from 1 ms to 366 days: %v", keep)
	case made.memory != nil || made.tell != nil || made.alone:
		return nil, errors.New("options must be those of reservations: RememberDenials, OnOutcome and WithSharedTrips are a limiter's")
	case !namePattern.MatchString(made.prefix):
		return nil, fmt.Errorf("prefix must match [A-Za-z0-9._-]{1,64}: %q", made.prefix)
	case sender == nil:
		return nil, errors.New("sender must not be nil")
	}
	if made.timeout == 0 {
		made.timeout = time.Second
	}
	if keep < made.timeout {
		return nil, fmt.Errorf("keep must be at least the timeout of %v: %v", made.timeout, keep)
	}
	return made, nil
}

// Keep returns how long a call holds its units if it is neither settled nor renewed.
func (r *Reservations) Keep() time.Duration { return r.keep }

// Reserve requests all entries of a call (1 to 8, each with a different key). Either all are charged or held, or none is. A denial is
// returned as an answer, not as an error.
//
// If an attempt fails because of an outage, the call is retried with the same id until the context's deadline. Each attempt has 45 % of the
// time, and no attempt starts after 55 %. The id ensures that the call is charged at most once. The Reservation is nil if and only if there
// is an error.
func (r *Reservations) Reserve(ctx context.Context, group string, entries ...EntryCost) (*Reservation, error) {
	return r.ReserveID(ctx, NewCallID(), group, entries...)
}

// ReserveID is like Reserve, but with an id that the program generates. A repeated call with this id, group and entries returns the same
// answer, changes nothing, and refers to the same reservation until the reservation ends or expires. The id of a different call, or of a
// call that has ended, is an error.
func (r *Reservations) ReserveID(ctx context.Context, id CallID, group string, entries ...EntryCost) (*Reservation, error) {
	plan, err := r.plan(id, group, entries)
	if err != nil {
		return nil, err
	}
	begun := time.Now()
	call := &Reservation{reservations: r, plan: plan}
	value, budget, err := r.ask(ctx, ReserveScript, plan.reserve)
	if err == nil {
		call.ReservationAnswer, err = plan.answer(value)
	}
	if err != nil {
		meaning := r.meaning(err)
		err = thrown(err, meaning, true)
		choice := r.choice(meaning)
		if choice == Fail {
			r.told(EventUndecided, call, err, begun)
			return nil, err
		}
		call.ReservationAnswer = plan.undecided(choice, budget)
	} else {
		r.readOnly.Decided()
	}
	call.ended = !call.Allowed() || call.Undecided || len(plan.holders) == 0
	kind := EventDenied
	if call.Allowed() {
		kind = EventReserved
	}
	r.told(kind, call, err, begun)
	return call, nil
}

// ReservationAnswer is the answer to a call under several limits.
type ReservationAnswer struct {
	ID CallID
	// Granted is 1 if the call was allowed, otherwise 0.
	Granted int64
	// Undecided is true if OnUnavailable or OnOverload determined the result; it is then unknown which units are held.
	Undecided bool
	// Repeated is true if this is the answer to an earlier call with the same id, such as an attempt whose reply was lost.
	Repeated bool
	// For a denied call, WaitMicros is the time until it would be allowed if no reservation is settled in the meantime, or -1 if it can never
	// be allowed. For an allowed call, it is the delay.
	WaitMicros int64
	// Denying is the index, from 0, of the entry with the longest wait; -1 if the call was allowed or is undecided.
	Denying int
	// Usages contains the usage of each limit, in the order of the entries.
	Usages []EntryUsage
}

// Allowed reports whether the call was allowed.
func (a ReservationAnswer) Allowed() bool { return a.Granted > 0 }

// RetryAfter returns the time until the call would be allowed if no reservation is settled in the meantime. It is zero if the call was
// allowed, and Never if a cost exceeds its limit. To wait and retry, use AskAgainAfter.
func (a ReservationAnswer) RetryAfter() time.Duration { return a.decision().RetryAfter() }

// RetryAfterSeconds returns RetryAfter in whole seconds, rounded up; the second result is false if waiting does not help.
func (a ReservationAnswer) RetryAfterSeconds() (int64, bool) { return a.decision().RetryAfterSeconds() }

// Delay returns how long an allowed call must wait for its turn in a leaky bucket's queue before it proceeds.
func (a ReservationAnswer) Delay() time.Duration { return a.decision().Delay() }

func (a ReservationAnswer) decision() Decision {
	return Decision{Granted: a.Granted, WaitMicros: a.WaitMicros}
}

// AskAgainAfter returns the time to wait before retrying a denied call: RetryAfter, or a random time of 50 to 250 ms if that is shorter and
// held units could be settled sooner.
func (a ReservationAnswer) AskAgainAfter() time.Duration {
	exact := a.RetryAfter()
	if a.Denying < 0 || exact == Never || a.Usages[a.Denying].Held == 0 {
		return exact
	}
	return min(exact, time.Duration(50+rand.IntN(201))*time.Millisecond)
}

// EventKind is the kind of a ReservationEvent.
type EventKind string

// The kinds of events.
const (
	EventReserved  EventKind = "reserved"
	EventDenied    EventKind = "denied"
	EventSettled   EventKind = "settled"
	EventCancelled EventKind = "cancelled"
	EventRenewed   EventKind = "renewed"
	EventRanOut    EventKind = "ran_out"   // The call was settled or renewed too late, when its reservation no longer existed.
	EventUndecided EventKind = "undecided" // The call ended without a readable answer; any held units expire.
)

// ReservationEvent is the argument of OnReservation. It contains the first answer, and the error with which the call ended or that the
// limiter turned into a decision. Latency is the time from the start of the call to its end, including retries.
type ReservationEvent struct {
	Kind         EventKind
	Reservations string
	Group        string
	Answer       ReservationAnswer
	Err          error
	Latency      time.Duration
}

func (r *Reservations) told(kind EventKind, call *Reservation, err error, begun time.Time) {
	if r.event != nil {
		r.event(ReservationEvent{kind, r.name, call.plan.group, call.ReservationAnswer, err, time.Since(begun)})
	}
}

// Sends a call until it is answered or its deadline has passed. It also returns the time that the call had.
func (r *Reservations) ask(ctx context.Context, script *Script, words Command) (any, time.Duration, error) {
	begun, budget := time.Now(), r.timeout
	if deadline, ok := ctx.Deadline(); ok {
		budget = min(max(time.Until(deadline), 0), r.keep)
	}
	part := time.Duration(float64(budget) * numbers.AttemptPart)
	var unanswered error
	last := func(err error) error {
		if unanswered != nil {
			return unanswered
		}
		return err
	}
	for pause := numbers.AttemptPause; ; pause = min(2*pause, numbers.AttemptLongestPause) {
		// A call whose context has already ended says nothing about the server.
		watched := r.breaker != nil && ctx.Err() == nil
		if watched && script == ReserveScript && !r.breaker.maySend() {
			return nil, budget, last(errOpen)
		}
		attempt, cancel := context.WithTimeout(ctx, part)
		reply := r.send(attempt, script, []Command{slices.Concat(r.call(script), words)})[0]
		cancel()
		if watched {
			r.breaker.note(reply.Err)
		}
		if reply.Err == nil {
			return reply.Value, budget, nil
		}
		meaning := r.meaning(reply.Err)
		if meaning.outage() && meaning.Kind == NotAnswered {
			unanswered = reply.Err
		}
		if !meaning.outage() {
			if unanswered != nil {
				reply.Err = &repeatedError{reply.Err}
			}
			return nil, budget, reply.Err
		}
		rest := budget - part - time.Since(begun)
		if rest < pause || !slept(ctx, pause) {
			return nil, budget, last(reply.Err)
		}
	}
}

// Sleeps; returns false if the context ended first.
func slept(ctx context.Context, pause time.Duration) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

// A call under several limits: its keys and arguments, and the parser of its replies.
type callPlan struct {
	id      CallID
	group   string
	entries []EntryCost
	// The entries that reserve units, and their keys after the receipt's.
	holders []EntryCost
	holding []any
	reserve Command
}

func (r *Reservations) plan(id CallID, group string, entries []EntryCost) (*callPlan, error) {
	plan := &callPlan{id: id, group: group, entries: slices.Clone(entries)}
	if id.text == "" {
		return nil, errors.New("id must be made by NewCallID or ParseCallID")
	}
	if len(entries) < 1 || len(entries) > mostEntries {
		return nil, fmt.Errorf("entries must be 1 to %d: %d", mostEntries, len(entries))
	}
	head, err := groupKey(r.prefix, group)
	if err != nil {
		return nil, err
	}
	receipt := head + ":" + id.text
	keys, args := Command{len(entries) + 1}, Command{r.keep.Microseconds(), 0}
	for at, entry := range plan.entries {
		key, err := entry.key(r.prefix, group)
		if err != nil {
			return nil, fmt.Errorf("entry %d: %w", at+1, err)
		}
		if slices.Contains(keys, any(key)) {
			return nil, fmt.Errorf("entries must have different keys: entry %d has the key of an earlier entry", at+1)
		}
		keys = append(keys, key)
		if entry.mode == modeReserve {
			plan.holders, plan.holding = append(plan.holders, entry), append(plan.holding, key)
		}
		args = append(args, entry.mode, entry.script, entry.units, entry.tiers)
		for _, number := range strings.Fields(entry.numbers) {
			args = append(args, number)
		}
	}
	plan.holding = append(plan.holding, receipt)
	plan.reserve = append(append(keys, receipt), args...)
	return plan, nil
}

// Returns the command of a settlement; a keep of 0 ends the reservation.
func (p *callPlan) settle(keep time.Duration, totals []int64) Command {
	words := append(Command{len(p.holding)}, p.holding...)
	words = append(words, keep.Microseconds(), 0)
	for _, total := range totals {
		words = append(words, total)
	}
	return words
}

func (p *callPlan) undecided(choice Choice, budget time.Duration) ReservationAnswer {
	answer := ReservationAnswer{ID: p.id, Undecided: true, Denying: -1}
	if choice == Allow {
		answer.Granted = 1
	} else {
		answer.WaitMicros = budget.Microseconds()
	}
	for _, entry := range p.entries {
		answer.Usages = append(answer.Usages, EntryUsage{Entry: entry, Limit: entry.capacity, Tier: 1})
	}
	return answer
}

func (p *callPlan) answer(reply any) (ReservationAnswer, error) {
	const head, each = 4, 5
	read, err := integers(reply, head+each*len(p.entries))
	if err != nil {
		return ReservationAnswer{}, err
	}
	answer := ReservationAnswer{ID: p.id, Granted: read[0], WaitMicros: read[1], Denying: int(read[2]) - 1, Repeated: read[3] == 1}
	valid := read[3]>>1 == 0 && answer.Denying < len(p.entries)
	switch read[0] {
	case 0:
		valid = valid && read[1] >= -1 && answer.Denying >= 0
	case 1:
		valid = valid && read[1] >= 0 && answer.Denying == -1
	default:
		valid = false
	}
	for at, entry := range p.entries {
		five := read[head+each*at:]
		answer.Usages = append(answer.Usages, EntryUsage{entry, five[0], five[1], five[2], five[3], five[4]})
		valid = valid && five[0] >= 1 && min(five[1], five[2], five[3]) >= 0 && five[4] >= 1 && five[4] <= int64(entry.tiers)
	}
	if !valid {
		return ReservationAnswer{}, fmt.Errorf("the reply must be integers of the protocol: %v", reply)
	}
	return answer, nil
}

// Reports whether a reply to a settlement reports success.
func (p *callPlan) settled(reply any) (bool, error) {
	read, err := integers(reply, 1+5*len(p.holders))
	if err == nil && read[0]>>1 != 0 {
		err = fmt.Errorf("the reply must begin with 0 or 1: %v", reply)
	}
	return err == nil && read[0] == 1, err
}

func integers(reply any, count int) ([]int64, error) {
	values, ok := reply.([]any)
	if !ok || len(values) != count {
		return nil, fmt.Errorf("the reply must be %d integers of the protocol: %v", count, reply)
	}
	read := make([]int64, count)
	for at, value := range values {
		if read[at], ok = value.(int64); !ok {
			return nil, fmt.Errorf("the reply must be %d integers of the protocol: %v", count, reply)
		}
	}
	return read, nil
}
