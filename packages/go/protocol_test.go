package penstock_test

import (
	"encoding/hex"
	"encoding/json"
	"errors"
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

func TestDecision(t *testing.T) {
	denied := penstock.Decision{Limit: 100, Remaining: 3, WaitMicros: 1_000_001, ResetMicros: 5, Tier: 1}
	if denied.Allowed() || denied.RetryAfter() != time.Second+time.Microsecond || denied.RetryAfterSeconds() != 2 || denied.Delay() != 0 {
		t.Error(denied)
	}
	if denied.ResetAfter() != 5*time.Microsecond {
		t.Error(denied.ResetAfter())
	}
	turn := penstock.Decision{Granted: 1, Limit: 100, Remaining: 3, WaitMicros: 2_000_000, ResetMicros: 5, Tier: 1}
	if !turn.Allowed() || turn.RetryAfter() != 0 || turn.RetryAfterSeconds() != 0 || turn.Delay() != 2*time.Second {
		t.Error(turn)
	}
	century := penstock.Decision{Limit: 1, WaitMicros: 3_155_760_000_000_000, Tier: 1}
	if century.RetryAfter() >= penstock.Never || century.RetryAfterSeconds() != 3_155_760_000 {
		t.Error(century.RetryAfter())
	}
	if never := (penstock.Decision{Limit: 1, WaitMicros: -1, Tier: 1}); never.RetryAfter() != penstock.Never || never.RetryAfterSeconds() != 0 {
		t.Error(never.RetryAfter(), never.RetryAfterSeconds())
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
	if _, err := penstock.New(nil, "a b", penstock.FixedWindow(1, time.Second)); err == nil || !strings.HasPrefix(err.Error(), "policy must") {
		t.Error(err)
	}
	both := penstock.TokenBucket(10, 10, time.Second).And(penstock.TokenBucket(100, 50, time.Minute))
	if both.Err() != nil || both.Marker() != "b10.10.1000000-100.50.60000000" || strings.Join(both.Args(), " ") != "10 10 1000000 100 50 60000000" {
		t.Error(both.Err(), both.Marker(), both.Args())
	}
}

type answer string

func (a answer) Error() string { return string(a) }
func (answer) RedisError()     {}

func TestProof(t *testing.T) {
	for text, proof := range map[answer]bool{
		"NOSCRIPT No matching script.": true, "MOVED 1 host:1": true, "ASK 1 host:1": true, "ERR ASK again": false,
		"ERR Error running script (call to f_x): @user_script:9: -READONLY You can't": true, "OOM command not allowed": true,
		"BUSY Redis is busy": true, "BUSYGROUP Consumer Group": false, "ROOM 1": false, "MOVEDX 1": false,
		"ERR Function not found": true, "ERR unknown command 'FCALL'": true, "ERR penstock token-bucket: cost must": true,
		"ERR The user executing the script can't run this command or subcommand script: x": true,
		"WRONGTYPE Operation against": true, "MASTERDOWN Link with MASTER is down": true, "TRYAGAIN Multiple keys request": true,
		"CROSSSLOT Keys in request": true, "ERR max number of clients reached": true, "DENIED Redis is running in protected mode": true,
		"ERR timed out upstream": false, "": false,
	} {
		if penstock.ProvesNotRun(text) != proof {
			t.Errorf("%q", text)
		}
	}
	if penstock.ProvesNotRun(errors.New("READONLY")) {
		t.Error("it is not the server's answer")
	}
	if penstock.ProvesNotRun(&net.OpError{Op: "read", Err: errors.New("reset")}) || !penstock.ProvesNotRun(&net.OpError{Op: "dial", Err: errors.New("refused")}) {
		t.Error("only a connection that was never made proves it")
	}
}
