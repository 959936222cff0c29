package penstock

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// Says which arguments are refused before anything is sent.
type nobody struct{ t *testing.T }

func (n nobody) Send(context.Context, []Command) []Reply {
	n.t.Error("nothing must be sent")
	return []Reply{{}}
}

func (n nobody) SendToMasters(context.Context, Command) error { return nil }

func TestKeysOfAGroup(t *testing.T) {
	bucket := NewEntryLimit("tpm", TokenBucket(100, 10, time.Second))
	for want, entry := range map[string]EntryCost{
		"p:tpm:{tenant:7}:b100.10.1000000":               bucket.Charge(1),
		"p:tpm:{tenant:7}:rb100.10.1000000":              bucket.Debit(1),
		"p:tpm:{tenant:7}/user:42:rb100.10.1000000":      bucket.Reserve(1).Within("user:42"),
		"p:tpm:{tenant:7}/a%2Fb%25%7Bü:rb100.10.1000000": bucket.Reserve(1).Within("a/b%{ü"),
		"p:in-flight:{tenant:7}:rc":                      Concurrency("in-flight", 10).Reserve(1),
		"p:rpm:{tenant:7}:b5.10.1000000":                 NewEntryLimit("rpm", LeakyBucket(5, 10, time.Second)).Charge(1),
		"p:day:{tenant:7}:rw86400000000":                 NewEntryLimit("day", FixedWindow(9, 24*time.Hour)).Reserve(1),
		"p:day:{tenant:7}:rs86400000000":                 NewEntryLimit("day", SlidingWindow(9, 24*time.Hour)).Reserve(1),
	} {
		key, err := entry.key("p", "tenant:7")
		if err != nil || key != want {
			t.Errorf("%s, not %s: %v", key, want, err)
		}
	}
}

func TestWhatACallRefuses(t *testing.T) {
	llm, err := NewReservations(nobody{t}, "llm", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	bucket, places := NewEntryLimit("tpm", TokenBucket(100, 10, time.Second)), Concurrency("in-flight", 10)
	leaky := NewEntryLimit("rpm", LeakyBucket(100, 10, time.Second))
	many := make([]EntryCost, 9)
	for at := range many {
		many[at] = bucket.Reserve(1).Within(strings.Repeat("x", at+1))
	}
	refused := func(words, group string, entries ...EntryCost) {
		t.Helper()
		call, err := llm.Reserve(context.Background(), group, entries...)
		if call != nil || err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%v, not %s", err, words)
		}
	}
	refused("entries must be 1 to 8: 0", "g")
	refused("entries must be 1 to 8: 9", "g", many...)
	refused("group: subject must not be empty", "", bucket.Reserve(1))
	refused("group: subject must be UTF-8", "\xff", bucket.Reserve(1))
	refused("entry 1: within: subject must not be empty", "g", bucket.Reserve(1).Within(""))
	refused("entry 2 has the key of an earlier entry", "g", bucket.Reserve(1), bucket.Debit(2))
	refused("units must be from 1 to 1000000000000: 0", "g", bucket.Reserve(0))
	refused("units must be from 1 to 1000000000000: 0", "g", places.Reserve(1), bucket.Charge(0))
	refused("limit does not support charge: concurrency:10", "g", places.Charge(1))
	refused("limit does not support debit: concurrency:10", "g", places.Debit(1))
	refused("limit does not support reserve: leaky-bucket:10/1s", "g", leaky.Reserve(1))
	refused("limit does not support debit: leaky-bucket:10/1s", "g", leaky.Debit(1))
	refused("limit must be from 1 to 1000000000000: 0", "g", Concurrency("in-flight", 0).Reserve(1))
	refused("capacity must be from 1", "g", NewEntryLimit("tpm", TokenBucket(0, 1, time.Second)).Reserve(1))
	refused("the limit must be made by", "g", EntryLimit{}.Reserve(1))
	refused("the entry must be made by an EntryLimit", "g", EntryCost{})
	refused("policy must match", "g", NewEntryLimit("GET /", FixedWindow(1, time.Second)).Charge(1))
	if _, err := llm.ReserveID(context.Background(), CallID{}, "g", bucket.Reserve(1)); err == nil || !strings.Contains(err.Error(), "id must be made by") {
		t.Error(err)
	}
	memory, _ := NewDenialMemory(time.Second, 10)
	for words, made := range map[string]func() error{
		"keep must be":       func() error { _, err := NewReservations(nobody{t}, "llm", time.Microsecond); return err },
		"keep must be whole": func() error { _, err := NewReservations(nobody{t}, "llm", 367*24*time.Hour); return err },
		"options must be those of": func() error {
			_, err := NewReservations(nobody{t}, "llm", time.Minute, RememberDenials(memory))
			return err
		},
		"options must be a limiter's": func() error { _, err := New(nobody{t}, "api", bucket.rate, WithTimeout(time.Second)); return err },
		"keep must be at least the timeout of 1s": func() error {
			_, err := NewReservations(nobody{t}, "llm", 300*time.Millisecond)
			return err
		},
		"timeout must be":              func() error { _, err := NewReservations(nobody{t}, "llm", time.Minute, WithTimeout(0)); return err },
		"sender must not be nil":       func() error { _, err := NewReservations(nil, "llm", time.Minute); return err },
		"prefix must match":            func() error { _, err := NewReservations(nobody{t}, "llm", time.Minute, WithPrefix("a:b")); return err },
		"choice must be":               func() error { _, err := NewReservations(nobody{t}, "llm", time.Minute, OnUnavailable(7)); return err },
		"limit must be from 1":         func() error { _, err := NewConcurrencyLimiter(nobody{t}, "x", 0, time.Minute); return err },
		"policy must match":            func() error { _, err := NewConcurrencyLimiter(nobody{t}, "x y", 1, time.Minute); return err },
		"id must be 1 to 64 of A-Z":    func() error { _, err := ParseCallID("a b"); return err },
		`such as concurrency:10`:       func() error { _, err := ParseEntryLimit("x", "concurrency:+1"); return err },
		"limit must be from 1 to 1000": func() error { _, err := ParseEntryLimit("x", "concurrency:0"); return err },
		"must begin with one of":       func() error { _, err := ParseEntryLimit("x", "concurrenc:1"); return err },
	} {
		if err := made(); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%v, not %s", err, words)
		}
	}
}

func TestNamedLimitsAsText(t *testing.T) {
	for _, text := range []string{"concurrency:10", "token-bucket:100/1m,burst=20"} {
		limit, err := ParseEntryLimit("x", text)
		if err != nil || limit.String() != text || limit.Policy() != "x" || limit.Err() != nil {
			t.Errorf("%v, not %s: %v", limit, text, err)
		}
	}
	ids := map[string]bool{}
	for range 100 {
		id := NewCallID().String()
		if again, err := ParseCallID(id); err != nil || again.String() != id || len(id) != 36 || id[14] != '4' || ids[id] {
			t.Fatal(id)
		}
		ids[id] = true
	}
}

func TestUnreadableRepliesAllowNothing(t *testing.T) {
	llm, _ := NewReservations(nobody{t}, "llm", time.Minute)
	plan, err := llm.plan(NewCallID(), "g", []EntryCost{Concurrency("x", 10).Reserve(1)})
	if err != nil {
		t.Fatal(err)
	}
	good := []any{int64(1), int64(0), int64(0), int64(0), int64(10), int64(9), int64(1), int64(5), int64(1)}
	if answer, err := plan.answer(good); err != nil || !answer.Allowed() || answer.Usages[0].Held != 1 || answer.Denying != -1 {
		t.Fatal(answer, err)
	}
	for at, wrong := range map[int][]any{
		0: {int64(2), int64(-1), "1", nil}, 1: {int64(-1)}, 2: {int64(1), int64(-1)}, 3: {int64(2), int64(-1)},
		4: {int64(0)}, 5: {int64(-1)}, 6: {int64(-1)}, 7: {int64(-1)}, 8: {int64(0), int64(2)},
	} {
		for _, value := range wrong {
			reply := append([]any{}, good...)
			reply[at] = value
			if answer, err := plan.answer(reply); err == nil || answer.Allowed() {
				t.Errorf("%v at %d", value, at)
			}
		}
	}
	if _, err := plan.answer(good[:8]); err == nil {
		t.Error("too short")
	}
	for _, reply := range []any{nil, "OK", []any{int64(1)}, []any{int64(2), int64(0), int64(0), int64(0), int64(0), int64(0)}} {
		if done, err := plan.settled(reply); err == nil || done {
			t.Error(reply)
		}
	}
}

func TestOthersAskAtAPaceOfTheirOwn(t *testing.T) {
	held := ReservationAnswer{WaitMicros: 60_000_000, Usages: []EntryUsage{{Held: 1}}}
	for range 1000 {
		if pace := held.AskAgainAfter(); pace < 50*time.Millisecond || pace > 250*time.Millisecond {
			t.Fatal(pace)
		}
	}
	held.WaitMicros = 20_000
	if held.AskAgainAfter() != 20*time.Millisecond {
		t.Error(held.AskAgainAfter())
	}
	held.Usages[0].Held, held.WaitMicros = 0, 60_000_000
	if held.AskAgainAfter() != time.Minute || held.RetryAfter() != time.Minute {
		t.Error(held.AskAgainAfter())
	}
	held.WaitMicros = -1
	if held.AskAgainAfter() != Never {
		t.Error(held.AskAgainAfter())
	}
}

// Fails with these errors, one after the other, and then with the last.
type failing struct{ errs []error }

func (f *failing) Send(context.Context, []Command) []Reply {
	err := f.errs[0]
	if len(f.errs) > 1 {
		f.errs = f.errs[1:]
	}
	return []Reply{{Err: err}}
}

func (f *failing) SendToMasters(context.Context, Command) error { return nil }

func TestAnAttemptWithoutAnAnswerIsNotForgotten(t *testing.T) {
	refused := &NotSentError{errors.New("refused")}
	for _, unanswered := range []bool{false, true} {
		errs := []error{refused, refused}
		if unanswered {
			errs[0] = io.EOF
		}
		llm, _ := NewReservations(&failing{errs}, "llm", time.Minute, WithTimeout(100*time.Millisecond))
		_, err := llm.Reserve(context.Background(), "g", Concurrency("x", 10).Reserve(1))
		var maybe *MaybeChargedError
		if !errors.Is(err, ErrNoDecision) || errors.As(err, &maybe) != unanswered {
			t.Error(err)
		}
	}
}

func TestNoAttemptBeginsLaterThanKeep(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	keep := 100 * time.Millisecond
	llm, _ := NewReservations(&failing{[]error{io.EOF}}, "llm", keep, WithTimeout(keep))
	// Attempts go on for as long as the context says, unless they end with keep.
	_, err := llm.Reserve(ctx, "g", Concurrency("x", 10).Reserve(1))
	var maybe *MaybeChargedError
	if !errors.As(err, &maybe) {
		t.Error(err)
	}
}

type publishedReply struct {
	Limits            []string
	Reply             []int64
	Allowed, Repeated bool
	Denying           *int
	RetryAfterSeconds *int64 `json:"retry_after_seconds"`
	DelayMicros       int64  `json:"delay_us"`
	Settled           bool
	Error             string
}

func (p publishedReply) plan(t *testing.T) (*callPlan, any) {
	t.Helper()
	llm, _ := NewReservations(nobody{t}, "llm", time.Minute)
	var entries []EntryCost
	for at, text := range p.Limits {
		limit, err := ParseEntryLimit(fmt.Sprint("p", at), text)
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, limit.Reserve(1))
	}
	plan, err := llm.plan(NewCallID(), "g", entries)
	if err != nil {
		t.Fatal(err)
	}
	reply := make([]any, len(p.Reply))
	for at, value := range p.Reply {
		reply[at] = value
	}
	return plan, reply
}

type publishedCall struct {
	Prefix, Group, ID, Error string
	Keep                     int64 `json:"keep_us"`
	Entries                  []struct {
		Policy, Limit, Mode string
		Units               int64
		Within              *string
	}
	Keys, Args []string
	SettleKeys []string `json:"settle_keys"`
}

func (p publishedCall) plan(t *testing.T) (*callPlan, error) {
	keep := time.Duration(p.Keep) * time.Microsecond
	llm, err := NewReservations(nobody{t}, "llm", keep, WithPrefix(p.Prefix), WithTimeout(max(min(keep, time.Second), time.Millisecond)))
	id, wrongID := ParseCallID(p.ID)
	if err = errors.Join(err, wrongID); err != nil {
		return nil, err
	}
	var entries []EntryCost
	for _, entry := range p.Entries {
		limit, err := ParseEntryLimit(entry.Policy, entry.Limit)
		if err != nil {
			return nil, err
		}
		made := map[string]func(int64) EntryCost{"charge": limit.Charge, "reserve": limit.Reserve, "debit": limit.Debit}[entry.Mode](entry.Units)
		if entry.Within != nil {
			made = made.Within(*entry.Within)
		}
		entries = append(entries, made)
	}
	return llm.plan(id, p.Group, entries)
}

func TestPublishedCalls(t *testing.T) {
	var file struct {
		Calls                []publishedCall
		Replies, Settlements []publishedReply
	}
	Vectors(t, "calls", &file)
	for at, call := range file.Calls {
		Replayed(t, "calls.calls", at)
		plan, err := call.plan(t)
		if call.Error != "" || err != nil {
			if call.Error == "" || err == nil {
				t.Errorf("%+v: %v", call, err)
			}
			continue
		}
		words := fmt.Sprintf("%q", append(append([]string{fmt.Sprint(len(call.Keys))}, call.Keys...), call.Args...))
		if sent := asText(plan.reserve); sent != words {
			t.Errorf("%s, not %s", sent, words)
		}
		if sent := asText(plan.holding); sent != fmt.Sprintf("%q", call.SettleKeys) {
			t.Errorf("%s, not %q", sent, call.SettleKeys)
		}
	}
	for at, published := range file.Replies {
		Replayed(t, "calls.replies", at)
		plan, reply := published.plan(t)
		answer, err := plan.answer(reply)
		if published.Error != "" || err != nil {
			if published.Error == "" || err == nil {
				t.Errorf("%+v: %v", published, err)
			}
			continue
		}
		denying, never := -1, published.RetryAfterSeconds == nil
		if published.Denying != nil {
			denying = *published.Denying
		}
		seconds, waits := answer.RetryAfterSeconds()
		if answer.Allowed() != published.Allowed || answer.Repeated != published.Repeated || answer.Denying != denying || answer.Undecided ||
			waits == never || waits && seconds != *published.RetryAfterSeconds || answer.Delay().Microseconds() != published.DelayMicros {
			t.Errorf("%+v: %+v", published, answer)
		}
		var usages []int64
		for _, usage := range answer.Usages {
			usages = append(usages, usage.Limit, usage.Remaining, usage.Held, usage.ResetMicros, usage.Tier)
		}
		if fmt.Sprint(usages) != fmt.Sprint(published.Reply[4:]) {
			t.Errorf("%+v: %v", published, usages)
		}
	}
	for at, published := range file.Settlements {
		Replayed(t, "calls.settlements", at)
		plan, reply := published.plan(t)
		done, err := plan.settled(reply)
		if (err != nil) != (published.Error != "") || done != published.Settled {
			t.Errorf("%+v: %v, %v", published, done, err)
		}
	}
}

func asText(words []any) string {
	texts := make([]string, len(words))
	for at, word := range words {
		texts[at] = fmt.Sprint(word)
	}
	return fmt.Sprintf("%q", texts)
}
