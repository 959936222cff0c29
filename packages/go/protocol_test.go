package penstock_test

import (
	"context"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	penstock "github.com/penstock/penstock/packages/go"
)

func TestKeys(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(os.Getenv("PENSTOCK_VECTORS"), "keys.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Keys []struct {
			Prefix, Policy, Script, Key, Error string
			Subject                            string `json:"subject_hex"`
			Tiers                              [][]int64
		}
	}
	if err := json.Unmarshal(text, &file); err != nil || len(file.Keys) < 50 {
		t.Fatal(err, len(file.Keys))
	}
	for _, example := range file.Keys {
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

func vectors(t *testing.T, name string, file any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(os.Getenv("PENSTOCK_VECTORS"), name))
	if err == nil {
		err = json.Unmarshal(text, file)
	}
	if err != nil {
		t.Fatal(err)
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
	vectors(t, "decisions.json", &file)
	if len(file.Decisions) < 10 {
		t.Fatal(len(file.Decisions))
	}
	for _, example := range file.Decisions {
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
	six := func(values ...int64) any {
		reply := make([]any, len(values))
		for at, value := range values {
			reply[at] = value
		}
		return reply
	}
	for _, reply := range []any{
		nil, int64(1), six(1, 1, 1, 1, 1), six(1, 1, 1, 1, 1, 1, 1), six(2, 1, 1, 1, 1, 1), six(-1, 1, 1, 1, 1, 1), six(1, 0, 1, 1, 1, 1),
		six(1, 1, -1, 1, 1, 1), six(1, 1, 1, -1, 1, 1), six(0, 1, 1, -2, 1, 1), six(1, 1, 1, 1, -1, 1), six(1, 1, 1, 1, 1, 0),
		six(1, 1, 1, 1, 1, 17), []any{int64(1), int64(1), int64(1), "1", int64(1), int64(1)},
	} {
		if read, err := penstock.ReadReply(reply, 1); err == nil {
			t.Errorf("%v was read as %+v", reply, read)
		}
	}
	if read, err := penstock.ReadReply(six(2, 3, 1, 0, 5, 1), 2); err != nil || read.Granted != 2 {
		t.Error(read, err)
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
	vectors(t, "errors.json", &file)
	tried := 0
	for _, example := range file.Cases {
		if example.Client != "server" && example.Client != "go-redis" {
			continue
		}
		tried++
		meaning := penstock.Classify(example.Text)
		if string(meaning.Kind) != example.Class || meaning.Charged != (example.Charged == nil || *example.Charged) {
			t.Errorf("%s: %+v", example.Text, meaning)
		}
		wrapped := fmt.Errorf("outer: %w", answer(example.Text))
		if example.Client == "server" && penstock.ClassifyError(wrapped) != meaning {
			t.Errorf("%s: %+v", example.Text, penstock.ClassifyError(wrapped))
		}
	}
	if tried < 10 {
		t.Error(tried)
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
