package penstock_test

import (
	"context"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	penstock "github.com/penstock/penstock/packages/go"
)

func TestKeys(t *testing.T) {
	var file struct {
		Keys []struct {
			Prefix, Policy, Script, Key, Error string
			Subject                            string `json:"subject_hex"`
			Tiers                              [][]int64
		}
	}
	penstock.Vectors(t, "keys", &file)
	for at, example := range file.Keys {
		penstock.Replayed(t, "keys.keys", at)
		subject, _ := hex.DecodeString(example.Subject)
		for _, script := range penstock.Scripts {
			if script.Name != example.Script {
				continue
			}
			key, err := penstock.Key(example.Prefix, example.Policy, string(subject), penstock.NewLimit(script, example.Tiers...))
			if key != example.Key || example.Error != "" && (err == nil || !strings.HasPrefix(err.Error(), example.Error+" must ")) {
				t.Errorf("%+v: %s, %v", example, key, err)
			}
		}
	}
}

func TestDecisions(t *testing.T) {
	var file struct {
		Decisions []struct {
			Reply               []any
			Allowed, Impossible bool
			Seconds             *int64 `json:"retry_after_seconds"`
			Delay               int64  `json:"delay_us"`
		}
	}
	penstock.Vectors(t, "decisions", &file)
	for at, example := range file.Decisions {
		penstock.Replayed(t, "decisions.decisions", at)
		reply := make([]any, len(example.Reply))
		for at, value := range example.Reply {
			reply[at] = int64(value.(float64))
		}
		read, err := penstock.ReadReply(reply, 1)
		seconds, ok := read.RetryAfterSeconds()
		if err != nil || read.Allowed() != example.Allowed || ok == example.Impossible || (read.RetryAfter() == penstock.Never) != example.Impossible ||
			read.Delay() != time.Duration(example.Delay)*time.Microsecond || ok && seconds != *example.Seconds {
			t.Error(example, read, seconds, ok, err)
		}
	}
	denied := penstock.Decision{Limit: 100, Remaining: 3, WaitMicros: 1_000_001, ResetMicros: 5, Tier: 1}
	if denied.RetryAfter() != time.Second+time.Microsecond || denied.ResetAfter() != 5*time.Microsecond {
		t.Error(denied.RetryAfter(), denied.ResetAfter())
	}
}

func TestUnreadableReplies(t *testing.T) {
	var file struct {
		Unreadable []struct {
			Reply any
			Calls int64
		}
	}
	penstock.Vectors(t, "commands", &file)
	whole := func(value any) any {
		if number, ok := value.(float64); ok {
			return int64(number)
		}
		return value
	}
	for at, example := range file.Unreadable {
		penstock.Replayed(t, "commands.unreadable", at)
		reply := whole(example.Reply)
		if values, ok := reply.([]any); ok {
			for at := range values {
				values[at] = whole(values[at])
			}
		}
		if read, err := penstock.ReadReply(reply, example.Calls); err == nil {
			t.Errorf("%v was read as %+v", reply, read)
		}
	}
	two := []any{int64(2), int64(3), int64(1), int64(0), int64(5), int64(1)}
	if read, err := penstock.ReadReply(two, 2); err != nil || read.Granted != 2 {
		t.Error(read, err)
	}
}

// Remembers what is sent through it.
type memo struct{ sent []penstock.Command }

func (m *memo) Send(_ context.Context, commands []penstock.Command) []penstock.Reply {
	m.sent = append(m.sent, commands...)
	return []penstock.Reply{{Value: []any{int64(1), int64(1), int64(1), int64(0), int64(0), int64(1)}}}
}

func (*memo) SendToMasters(context.Context, penstock.Command) error { return nil }

func TestCommands(t *testing.T) {
	var file struct {
		Commands []struct {
			Call, Limit, Error string
			Cost, Calls, Units int64
			Args               []string
		}
	}
	penstock.Vectors(t, "commands", &file)
	for at, example := range file.Commands {
		penstock.Replayed(t, "commands.commands", at)
		ctx, sender, who := context.Background(), &memo{}, "user:42"
		limit, err := penstock.ParseLimit(example.Limit)
		limiter, wrong := penstock.New(sender, "api", limit)
		key, noKey := penstock.Key("penstock", "api", who, limit)
		if err := errors.Join(err, wrong, noKey); err != nil {
			t.Fatal(err)
		}
		calls := map[string]func() (penstock.Decision, error){
			"acquire":       func() (penstock.Decision, error) { return limiter.AcquireN(ctx, who, example.Cost) },
			"acquire_up_to": func() (penstock.Decision, error) { return limiter.AcquireUpTo(ctx, who, example.Calls, example.Cost) },
			"peek":          func() (penstock.Decision, error) { return limiter.Peek(ctx, who) },
			"refund":        func() (penstock.Decision, error) { return limiter.Refund(ctx, who, example.Units) },
			"reset":         func() (penstock.Decision, error) { return limiter.Reset(ctx, who) },
		}
		_, err = calls[example.Call]()
		if example.Error != "" {
			if err == nil || !strings.HasPrefix(err.Error(), example.Error+" must ") || len(sender.sent) > 0 {
				t.Errorf("%+v: %v, %v", example, err, sender.sent)
			}
			continue
		}
		words := append([]string{"EVALSHA", limit.Script().SHA1, "1", key}, example.Args...)
		var sent []string
		for _, word := range sender.sent[0] {
			sent = append(sent, fmt.Sprint(word))
		}
		if err != nil || !slices.Equal(sent, words) {
			t.Errorf("%+v: %v, %v", example, err, sender.sent)
		}
	}
}

func TestBounds(t *testing.T) {
	for what, limit := range map[string]penstock.Limit{
		"capacity must be from 1":               penstock.TokenBucket(0, 1, time.Second),
		"capacity must be from 1 ":              penstock.TokenBucket(1e12+1, 1, time.Second),
		"refill_period_us must be from 1":       penstock.TokenBucket(1, 1, 0),
		"refill_period_us must be from 1 ":      penstock.TokenBucket(1, 1, 366*24*time.Hour+time.Microsecond),
		"refillPeriod must be whole":            penstock.TokenBucket(1, 1, 1500),
		"tiers must be of one script":           penstock.FixedWindow(1, time.Second).And(penstock.TokenBucket(1, 1, time.Second)),
		"tiers must be 1 to 16":                 penstock.NewLimit(penstock.Scripts[0]),
		"a tier must be":                        penstock.NewLimit(penstock.Scripts[0], []int64{1}),
		"the limit must be made by a function ": {},
	} {
		if err := limit.Err(); err == nil || !strings.HasPrefix(err.Error(), strings.TrimSpace(what)) {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := penstock.New(nil, "api", limit); err == nil {
			t.Errorf("%s: New took it", what)
		}
	}
	for policy, wrong := range map[string]string{"GET /orders": "policy must match", "api": "sender must not be nil"} {
		if _, err := penstock.New(nil, policy, penstock.FixedWindow(1, time.Second)); err == nil || !strings.HasPrefix(err.Error(), wrong) {
			t.Error(err)
		}
	}
	both := penstock.TokenBucket(10, 10, time.Second).And(penstock.TokenBucket(100, 50, time.Minute))
	if both.Err() != nil || both.Marker() != "b10.10.1000000-100.50.60000000" || strings.Join(both.Args(), " ") != "10 10 1000000 100 50 60000000" {
		t.Error(both.Err(), both.Marker(), both.Args())
	}
}

type answer string

func (a answer) Error() string { return string(a) }
func (answer) RedisError()     {}

func TestErrors(t *testing.T) {
	var file struct {
		Cases []struct {
			Client, Text, Class string
			Charged             *bool
		}
	}
	penstock.Vectors(t, "errors", &file)
	for at, example := range file.Cases {
		if example.Client != "server" && example.Client != "go-redis" {
			continue
		}
		penstock.Replayed(t, "errors.cases", at)
		meaning := penstock.Classify(example.Text)
		if string(meaning.Kind) != example.Class || meaning.Charged != (example.Charged == nil || *example.Charged) {
			t.Errorf("%s: %+v", example.Text, meaning)
		}
		wrapped := fmt.Errorf("outer: %w", answer(example.Text))
		if example.Client == "server" && penstock.ClassifyError(wrapped) != meaning {
			t.Errorf("%s: %+v", example.Text, penstock.ClassifyError(wrapped))
		}
	}
	for err, kind := range map[error]penstock.FailureKind{
		errors.New("READONLYX"): penstock.Unknown, io.EOF: penstock.NotAnswered, context.DeadlineExceeded: penstock.NotAnswered,
		&net.OpError{Op: "read", Err: errors.New("reset")}: penstock.NotAnswered, &net.OpError{Op: "dial", Err: errors.New("refused")}: penstock.NotSent,
		x509.UnknownAuthorityError{}: penstock.Misconfigured, &penstock.NotSentError{Err: io.EOF}: penstock.NotSent,
		&penstock.KnownError{Kind: penstock.Overloaded, Err: io.EOF}: penstock.Overloaded,
	} {
		if meaning := penstock.ClassifyError(err); meaning.Kind != kind || meaning.Charged != (kind == penstock.NotAnswered || kind == penstock.Unknown) {
			t.Errorf("%v: %+v", err, meaning)
		}
	}
}
