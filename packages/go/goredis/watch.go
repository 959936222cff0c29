package goredis

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"log/slog"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"weak"

	penstock "github.com/penstock/penstock/packages/go"
	"github.com/penstock/penstock/packages/go/internal/numbers"
	"github.com/penstock/penstock/packages/go/internal/verdict"
	"github.com/redis/go-redis/v9"
)

// The state of a client's servers, shared by all its limiters.
type watch struct {
	client Client
	own    bool
	// Whether the client ends a call that it has sent at the deadline of its context.
	endsAtDeadline bool
	// The server, or, in a cluster, the node used until the node of a key is known.
	first *nodeLink
	// The nodes by address.
	nodes    sync.Map
	loaded   atomic.Bool
	inFlight atomic.Int64
	mutex    sync.Mutex
	tells    []func(penstock.VerdictChange)
	// Changes that have not been reported yet.
	changes []penstock.VerdictChange
}

type watchKey struct {
	client Client
	own    bool
}

var (
	watches      = map[watchKey]weak.Pointer[watch]{}
	watchesMutex sync.Mutex
)

func watchOf(client Client, own bool) *watch {
	own = own && canConnect(client)
	key := watchKey{client, own}
	made := &watch{client: client, own: own}
	switch client := client.(type) {
	case *redis.Client:
		made.endsAtDeadline = client.Options().ContextTimeoutEnabled
	case *redis.ClusterClient:
		made.endsAtDeadline = client.Options().ContextTimeoutEnabled
	}
	made.first = newNodeLink(made, nil)
	if !reflect.ValueOf(client).Comparable() {
		return made
	}
	watchesMutex.Lock()
	defer watchesMutex.Unlock()
	if known := watches[key].Value(); known != nil {
		return known
	}
	pointer := weak.Make(made)
	watches[key] = pointer
	runtime.AddCleanup(made, func(key watchKey) {
		watchesMutex.Lock()
		defer watchesMutex.Unlock()
		if watches[key] == pointer {
			delete(watches, key)
		}
	}, key)
	return made
}

// Reports a change, after all earlier ones, and without holding the node's lock.
func (w *watch) changed(change penstock.VerdictChange) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.changes = append(w.changes, change)
	if len(w.changes) == 1 {
		go w.tell()
	}
}

func (w *watch) tell() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for ; len(w.changes) > 0; w.changes = w.changes[1:] {
		change, tells := w.changes[0], w.tells
		w.mutex.Unlock()
		if change.Err != nil || change.Before != "unknown" && change.Verdict == "up" {
			what := "penstock: the verdict on a server has changed"
			if change.Verdict == "up" && change.Before == "up" {
				what = "penstock: a server answers calls, although it refuses the connection for the check"
			}
			slog.Warn(what, "server", change.Server, "verdict", change.Verdict,
				"before", change.Before, "lasted", change.Lasted, "error", change.Err)
		}
		for _, tell := range tells {
			tell(change)
		}
		w.mutex.Lock()
	}
}

// Returns the node of a command; in a cluster, the node of its key.
func (w *watch) node(ctx context.Context, command penstock.Command) *nodeLink {
	if cluster, ok := w.client.(keyed); ok && w.loaded.Load() {
		if master, err := cluster.MasterForKey(ctx, command[3].(string)); err == nil {
			known, ok := w.nodes.Load(master.Options().Addr)
			if !ok {
				known, _ = w.nodes.LoadOrStore(master.Options().Addr, newNodeLink(w, master))
			}
			return known.(*nodeLink)
		}
	}
	return w.first
}

type keyed interface {
	MasterForKey(ctx context.Context, key string) (*redis.Client, error)
}

// Returns a command that does the same work as this one but takes no units.
func peek(command penstock.Command) []any {
	keys := command[2].(int)
	if command[0] == "EVAL" {
		sum := sha1.Sum([]byte(command[1].(string)))
		command = slices.Concat(penstock.Command{"EVALSHA", hex.EncodeToString(sum[:])}, command[2:])
	}
	switch {
	case command[1] == penstock.SettleScript.SHA1 || command[1] == penstock.SettleScript.Function:
		// The id of a receipt that does not exist.
		return []any{command[0], command[1], 2, command[3], command[2+keys].(string) + ":0", 0, 0, 0}
	case keys == 1:
		made := append([]any{}, command...)
		made[4] = 0
		return made
	}
	// For a call under several limits, the check has only the first entry, and no receipt.
	made := append([]any{command[0], command[1], 1, command[3], 0, 0}, command[5+keys:]...)
	tiers, width := made[9].(int), 2
	switch made[7] {
	case "token-bucket":
		width = 3
	case "concurrency":
		width = 1
	}
	made[8] = 0
	return made[:10+tiers*width]
}

// Returns the verdict that an answer to a call, or to the check, implies.
func (w *watch) says(err error, asked bool) verdict.Verdict {
	if err == nil || errors.Is(err, redis.Nil) || redis.HasErrorPrefix(err, "NOSCRIPT") {
		return verdict.Verdict{Kind: verdict.Overloaded}
	}
	switch meaning := penstock.ClassifyError(err); meaning.Kind {
	case penstock.Unavailable:
		return verdict.Verdict{Kind: verdict.Outage, Err: err}
	case penstock.Redirect, penstock.Misconfigured:
		_, cluster := w.client.(keyed)
		if asked && !(cluster && meaning.Kind == penstock.Redirect) {
			return verdict.Verdict{Kind: verdict.Refused, Err: err}
		}
		return verdict.Verdict{Kind: verdict.Overloaded}
	}
	if !asked {
		err = nil
	}
	return verdict.Verdict{Kind: verdict.Overloaded, Err: err}
}

// Returns the verdict that an answer to a call implies. A READONLY that lasts comes from a replica's address, and is no outage.
func (l *nodeLink) says(err error) verdict.Verdict {
	if err == nil {
		l.readOnly.Decided()
	}
	says := l.watch.says(err, false)
	if says.Kind == verdict.Outage && strings.Contains(err.Error(), "READONLY") && l.readOnly.Lasts() {
		return verdict.Verdict{Kind: verdict.Overloaded}
	}
	return says
}

// The clock of the process.
type processClock struct{}

func (processClock) Now() time.Time { return time.Now() }

func (processClock) AfterFunc(after time.Duration, then func()) verdict.Timer {
	return time.AfterFunc(after, then)
}

func (l *nodeLink) Spread() time.Duration {
	if l.watch.own {
		go l.knock()
	}
	return rand.N(numbers.VerdictSpread)
}

func (l *nodeLink) Backoff() time.Duration {
	return numbers.VerdictAgain/2 + rand.N(numbers.VerdictAgain)
}
